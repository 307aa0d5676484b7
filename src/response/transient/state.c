/* The state as numbers, for checkpoints: scalars, modal state, joint forces, joints. */
#include <math.h>
#include <string.h>

#include "response/transient/impl.h"

enum { N_SCALAR = 18, N_MODAL = 6, N_JOINT = 7 };

ptrdiff_t ms_transient_save_size(const ms_transient *run) {
  ptrdiff_t n = N_SCALAR + N_MODAL * run->m + N_JOINT * run->n;
  for (int k = 0; k < run->structure->n_attachment; k++) {
    n += 1 + ms_joint_save_size(run->structure->attachment[k].joint);
  }
  return n + (run->contact ? ms_contact_run_save_size(run->contact) : 0);
}

/* The arrays of a state, in the order in which they are kept: modal ones of m, joint ones of n. */
static void list_arrays(const ms_transient *run, double *at[N_MODAL + N_JOINT]) {
  double *const all[N_MODAL + N_JOINT] = {
    run->q, run->v, run->a,      run->p,         run->v_square,       run->a_square, run->z,
    run->f, run->d, run->z_rate, run->most_rate, run->most_curvature, run->d_rate
  };
  memcpy(at, all, sizeof all);
}

ms_status ms_transient_save(const ms_transient *run, double *b) {
  const double scalar[N_SCALAR] = { run->t,
                                    (double)run->step,
                                    (double)run->loaded,
                                    run->start_energy,
                                    run->input,
                                    run->viscous,
                                    (double)run->count.steps,
                                    (double)run->count.evaluations,
                                    run->count.residual,
                                    (double)run->count.rejected,
                                    (double)run->level,
                                    run->largest,
                                    (double)run->count.damped,
                                    (double)run->count.divided,
                                    (double)run->count.coarse,
                                    run->largest_input,
                                    (double)run->sample_at,
                                    run->dt_before };
  double *at[N_MODAL + N_JOINT];
  list_arrays(run, at);
  memcpy(b, scalar, sizeof scalar);
  b += N_SCALAR;
  for (int i = 0; i < N_MODAL + N_JOINT; i++) {
    const ptrdiff_t n = i < N_MODAL ? run->m : run->n;
    memcpy(b, at[i], (size_t)n * sizeof *b);
    b += n;
  }
  for (int k = 0; k < run->structure->n_attachment; k++) {
    const ms_joint *joint = run->structure->attachment[k].joint;
    *b++ = (double)ms_joint_save_size(joint);
    MS_TRY(ms_joint_save(joint, b));
    b += ms_joint_save_size(joint);
  }
  if (run->contact) ms_contact_run_save(run->contact, b);
  return MS_SUCCESS;
}

static ms_status load_joints(ms_transient *run, const double *b, const double *end) {
  for (int k = 0; k < run->structure->n_attachment; k++) {
    ptrdiff_t n = b < end && *b >= 0.0 && *b < (double)(end - b) ? (ptrdiff_t)*b : -1;
    if (n < 0) return ms_fail(run->ctx, MS_ERR_FORMAT, "the saved state is not one of this run");
    MS_TRY(ms_joint_load(run->structure->attachment[k].joint, b + 1, n));
    b += n + 1;
  }
  if (run->contact) return ms_contact_run_load(run->contact, b, end - b);
  if (b == end) return MS_SUCCESS;
  return ms_fail(run->ctx, MS_ERR_FORMAT, "the saved state is not one of this run");
}

ms_status ms_transient_load(ms_transient *run, const double *b, ptrdiff_t n) {
  const double *end = b + n;
  int valid = n >= N_SCALAR + N_MODAL * run->m + N_JOINT * run->n;
  for (ptrdiff_t i = 0; valid && i < n; i++) valid = isfinite(b[i]) != 0;
  if (!valid || !(b[10] >= 0.0 && b[10] < fmax(1.0, run->n_part) && b[10] == floor(b[10]))) {
    return ms_fail(run->ctx, MS_ERR_FORMAT, "the saved state is not one of this run");
  }
  MS_TRY(ms_parts_use(run, (int)b[10]));
  MS_TRY(load_joints(run, b + N_SCALAR + N_MODAL * run->m + N_JOINT * run->n, end));
  double *past[] = { run->p_next, run->p_from, run->p_to };
  for (int i = 0; i < 3; i++) memset(past[i], 0, (size_t)run->m * sizeof(double));
  run->t = b[0];
  run->step = (ptrdiff_t)b[1];
  run->loaded = (int)b[2];
  run->start_energy = b[3], run->input = b[4], run->viscous = b[5];
  run->largest = b[11], run->largest_input = b[15];
  run->sample_at = (ptrdiff_t)b[16];
  run->dt_before = b[17];
  run->count = (ms_transient_count) { .steps = (ptrdiff_t)b[6],
                                      .evaluations = (ptrdiff_t)b[7],
                                      .rejected = (ptrdiff_t)b[9],
                                      .damped = (ptrdiff_t)b[12],
                                      .divided = (ptrdiff_t)b[13],
                                      .coarse = (ptrdiff_t)b[14],
                                      .residual = b[8] };
  double *at[N_MODAL + N_JOINT];
  list_arrays(run, at);
  b += N_SCALAR;
  for (int i = 0; i < N_MODAL + N_JOINT; i++) {
    const ptrdiff_t size = i < N_MODAL ? run->m : run->n;
    memcpy(at[i], b, (size_t)size * sizeof *b);
    b += size;
  }
  return MS_SUCCESS;
}
