/* The state of rest: virgin, or where joints with a force at rest, or a preload, bring it. About it
   the joints have tangents that may be others than their stuck stiffness (a gap that is closed, a
   contact that is open), and the modes are those of the structure with these tangents S,

     (diag(omega^2) + Gamma (S - K_T) Gamma^T) v = omega_rest^2 v,

   in the order of frequency: mode r at rest is the r-th of them. d = f - S z from then on. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

enum { PRELOAD_PARTS = 32 }; /* a preload grows in so many */
#define SAME 1e-10           /* of a stiffness: less is no change */
#define NEAR 1e-9            /* of a displacement: beside rest */

/* ---- the joints ---- */

ms_status ms_static_start_joint(ms_quasistatic *run, int k) {
  if (!run->p) return ms_joint_start(run->seat[k].joint, NULL);
  return ms_joint_load(run->seat[k].joint, run->start[k], run->start_size[k]);
}

static ms_status start_virgin(ms_quasistatic *run) {
  for (int k = 0; k < run->modal.n_seat; k++) MS_TRY(ms_joint_start(run->seat[k].joint, NULL));
  memset(run->z_old, 0, (size_t)run->n * sizeof *run->z_old);
  return MS_SUCCESS;
}

ms_status ms_static_start(ms_quasistatic *run) {
  run->dt = 0.0;
  run->turned = 0;
  run->first_loading = 1;
  for (int k = 0; k < run->modal.n_seat; k++) MS_TRY(ms_static_start_joint(run, k));
  memcpy(run->z_old, run->z_0, (size_t)run->n * sizeof *run->z_old);
  return MS_SUCCESS;
}

static ms_status save_joints(ms_quasistatic *run) {
  for (int k = 0; k < run->modal.n_seat; k++) {
    ptrdiff_t size = ms_joint_save_size(run->seat[k].joint);
    MS_TRY(ms_allocate(run->ctx, size > 0 ? size : 1, sizeof(double), &run->start[k]));
    MS_TRY(ms_joint_save(run->seat[k].joint, run->start[k]));
    run->start_size[k] = size;
  }
  return MS_SUCCESS;
}

/* ---- equilibrium ---- */

/* *any: some joint has a force where nothing has moved. */
static ms_status look_for_force(ms_quasistatic *run, int *any) {
  *any = 0;
  MS_TRY(start_virgin(run));
  MS_TRY(ms_static_eval(run, run->z_old));
  for (ptrdiff_t i = 0; i < run->n; i++) *any |= run->f[i] != 0.0;
  return MS_SUCCESS;
}

/* The force grows in equal parts, and the joints follow. */
static ms_status load_slowly(ms_quasistatic *run) {
  MS_TRY(start_virgin(run));
  run->first_loading = 1;
  for (int k = 0; k < PRELOAD_PARTS; k++) {
    ms_status status = ms_static_advance(run, &run->by_force, (double)k / PRELOAD_PARTS,
                                         (k + 1.0) / PRELOAD_PARTS);
    if (status == MS_NOT_CONVERGED) {
      return ms_fail(run->ctx, status,
                     "no static equilibrium from %g of the preload on: the joints cannot hold it",
                     (double)k / PRELOAD_PARTS);
    }
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

static ms_status settle(ms_quasistatic *run, const double *force) {
  MS_TRY(ms_allocate(run->ctx, run->modal.m, sizeof *run->p, &run->p));
  if (force) MS_TRY(ms_static_reduce_preload(run, force));
  MS_TRY(load_slowly(run));
  memcpy(run->z_0, run->z, (size_t)run->n * sizeof *run->z_0);
  return save_joints(run);
}

/* ---- modes at rest ---- */

/* A cycle turns, so it is the tangent after a turn that counts: of one axis the larger of those on
   both sides of rest. */
static ms_status look_both_ways(ms_quasistatic *run, ms_static_seat *seat) {
  double z = run->z_0[seat->first], step = NEAR * (fabs(z) + ms_joint_slip_scale(seat->joint));
  ms_joint_output out;
  for (int side = -1; side <= 1; side += 2) {
    seat->in.u[0] = z + side * step;
    MS_TRY(ms_joint_update(seat->joint, &seat->in, &out, &seat->trial));
    seat->out.du[0] = fmax(seat->out.du[0], out.du[0]);
  }
  return MS_SUCCESS;
}

/* After a turn a joint with Masing's rules is as stiff as it was when virgin, and one whose memory
   fades is so between its two sides. */
static int stays_stuck(const ms_joint *joint) {
  return (joint->law->info.flags & MS_LAW_MASING) || joint->law->fading;
}

/* The joint's tangent at rest, symmetric part, into `own`; whether it differs from K_T. */
static ms_status take_tangent(ms_quasistatic *run, ms_static_seat *seat, int *changed) {
  const int n = seat->n;
  double size = 0.0, change = 0.0;
  memcpy(seat->own, seat->stuck, (size_t)(n * n) * sizeof *seat->own);
  if (stays_stuck(seat->joint)) return MS_SUCCESS;
  if (n == 1) MS_TRY(look_both_ways(run, seat));
  for (int ab = 0; ab < n * n; ab++) {
    double S = 0.5 * (seat->out.du[ab] + seat->out.du[ab / n + n * (ab % n)]);
    size = fmax(size, fmax(fabs(S), fabs(seat->stuck[ab])));
    change = fmax(change, fabs(S - seat->stuck[ab]));
    seat->own[ab] = S;
  }
  if (change > SAME * size) *changed = 1;
  return MS_SUCCESS;
}

/* K := diag(omega^2) + Gamma (S - K_T) Gamma^T, M := 1. */
static void fill_matrices(const ms_quasistatic *run, double *K, double *M) {
  const ms_modal *m = &run->modal;
  for (ptrdiff_t j = 0; j < m->m; j++) {
    K[j + m->m * j] = m->omega[j] * m->omega[j];
    M[j + m->m * j] = 1.0;
  }
  for (int k = 0; k < m->n_seat; k++) {
    const ms_static_seat *seat = &run->seat[k];
    for (int ab = 0; ab < seat->n * seat->n; ab++) {
      double change = seat->own[ab] - seat->stuck[ab];
      const double *a = m->gamma + m->m * (seat->first + ab % seat->n);
      const double *b = m->gamma + m->m * (seat->first + ab / seat->n);
      for (ptrdiff_t j = 0; change != 0.0 && j < m->m; j++) {
        for (ptrdiff_t i = 0; i < m->m; i++) K[i + m->m * j] += a[i] * change * b[j];
      }
    }
  }
}

static void fix_sign(ptrdiff_t m, ptrdiff_t r, double *V) {
  double *v = V + m * r;
  for (ptrdiff_t i = 0; v[r] < 0.0 && i < m; i++) v[i] = i == r ? v[i] : -v[i];
  v[r] = fabs(v[r]);
}

static ms_status solve_modes(ms_quasistatic *run, double *work) {
  const ptrdiff_t m = run->modal.m;
  double *K = work, *M = K + m * m, *V = M + m * m, *omega = V + m * m;
  const ms_rounding rounding = { .doubt = run->structure->rounding.doubt };
  fill_matrices(run, K, M);
  ms_status status = ms_modes_solve(run->ctx, m, K, M, &rounding, run->structure->name, omega, V);
  if (status != MS_SUCCESS) return ms_fail_at(run->ctx, status, "modes at rest");
  if (omega[run->r] == 0.0) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "mode %td has no frequency at rest: the joints that held it are open there",
                   run->r + 1);
  }
  fix_sign(m, run->r, V);
  MS_TRY(ms_static_rebase(run, V, omega));
  for (int k = 0; k < run->modal.n_seat; k++) run->seat[k].stuck = run->seat[k].own;
  return ms_static_reduce(run);
}

static ms_status linearise(ms_quasistatic *run) {
  const ptrdiff_t m = run->modal.m;
  double *work;
  int changed = 0;
  MS_TRY(ms_static_start(run));
  MS_TRY(ms_static_eval(run, run->z_0));
  for (int k = 0; k < run->modal.n_seat; k++) MS_TRY(take_tangent(run, &run->seat[k], &changed));
  if (!changed) return MS_SUCCESS;
  MS_TRY(ms_allocate(run->ctx, 3 * m * m + m, sizeof *work, &work));
  ms_status status = solve_modes(run, work);
  ms_free(run->ctx, &work);
  MS_TRY(status);
  return ms_static_eval(run, run->z_0);
}

static void set_base(ms_quasistatic *run, ms_static_form *form) {
  for (ptrdiff_t i = 0; i < run->n; i++) {
    form->base[i] = run->z_0[i] + ms_static_dot(run->n, form->H + run->n * i, run->d_0);
  }
}

/* ---- all of it ---- */

void ms_static_clear_rest(ms_quasistatic *run) {
  for (int k = 0; run->start && k < run->modal.n_seat; k++) ms_free(run->ctx, &run->start[k]);
  ms_free(run->ctx, &run->p);
  ms_free(run->ctx, &run->own);
  ms_free(run->ctx, &run->basis);
}

/* As it is without joints that push: stuck modes, the virgin state. */
static ms_status reset(ms_quasistatic *run) {
  const size_t bytes = (size_t)run->n * sizeof(double);
  ms_static_clear_rest(run);
  run->modal = ms_structure_view(run->structure);
  run->omega_r = run->modal.omega[run->r];
  for (int k = 0; k < run->modal.n_seat; k++) {
    const ms_seat *from = &run->modal.seat[k];
    run->seat[k] = (ms_static_seat) { .joint = from->joint,
                                      .stuck = from->stuck,
                                      .n = ms_joint_info(from->joint)->n_axis,
                                      .first = from->first,
                                      .in = MS_JOINT_INPUT_DEFAULT };
  }
  double *const zero[] = { run->by_load.base, run->by_q.base,          run->z_0,
                           run->d_0,          run->by_force.direction, run->by_force.base };
  for (int i = 0; i < 6; i++) memset(zero[i], 0, bytes);
  return ms_static_reduce(run);
}

static ms_status find(ms_quasistatic *run, const double *force) {
  MS_TRY(settle(run, force));
  MS_TRY(linearise(run));
  memcpy(run->d_0, run->d, (size_t)run->n * sizeof *run->d_0);
  set_base(run, &run->by_load);
  set_base(run, &run->by_q);
  return MS_SUCCESS;
}

ms_status ms_static_find_rest(ms_quasistatic *run, const double *force) {
  int pushes = 0;
  MS_TRY(reset(run));
  if (!force) MS_TRY(look_for_force(run, &pushes));
  if (!force && !pushes) return MS_SUCCESS;
  return find(run, force);
}
