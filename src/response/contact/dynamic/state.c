/* The state of a run as numbers. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/dynamic/impl.h"

enum { N_SCALAR = 12, N_ARRAY = 7, N_BYTES = 3 };

typedef struct arrays {
  double *at[N_ARRAY];
  ptrdiff_t n[N_ARRAY];
  unsigned char *byte[N_BYTES]; /* as many each as there are points */
} arrays;

static arrays list_arrays(const ms_contact_run *run) {
  const ms_contact *c = run->contact;
  const ptrdiff_t n = 3 * c->n, m = c->n_load;
  return (arrays) {
    { run->store, c->now.p, c->dp, c->dz, c->dl, c->offset, c->v_0 },
    { 11 * run->m + 9 * run->n_load + 13 * c->n, 2 * m + 14 * c->n, m, n, n, n, m },
    { c->closed, c->now.status, run->status },
  };
}

ptrdiff_t ms_contact_run_save_size(const ms_contact_run *run) {
  const arrays a = list_arrays(run);
  ptrdiff_t n = N_SCALAR + N_BYTES * run->contact->n;
  for (int i = 0; i < N_ARRAY; i++) n += a.n[i];
  return n;
}

void ms_contact_run_save(const ms_contact_run *run, double *values) {
  const arrays a = list_arrays(run);
  const ms_contact *c = run->contact;
  const ms_contact_energy *e = &run->energy;
  const double scalar[N_SCALAR] = { (double)run->step, run->layer_0, run->friction,
                                    e->start,          e->input,     e->viscous,
                                    e->opening,        e->corner,    c->now.work,
                                    c->now.residual,   c->spent,     (double)c->moves };
  memcpy(values, scalar, sizeof scalar);
  values += N_SCALAR;
  for (int i = 0; i < N_ARRAY; values += a.n[i++]) {
    memcpy(values, a.at[i], (size_t)a.n[i] * sizeof *values);
  }
  for (int i = 0; i < N_BYTES; i++) {
    for (ptrdiff_t k = 0; k < c->n; k++) *values++ = a.byte[i][k];
  }
}

static void take_arrays(const arrays *a, ptrdiff_t n_point, const double *values) {
  for (int i = 0; i < N_ARRAY; values += a->n[i++]) {
    memcpy(a->at[i], values, (size_t)a->n[i] * sizeof *values);
  }
  for (int i = 0; i < N_BYTES; i++) {
    for (ptrdiff_t k = 0; k < n_point; k++) a->byte[i][k] = (unsigned char)*values++;
  }
}

ms_status ms_contact_run_load(ms_contact_run *run, const double *values, ptrdiff_t n) {
  const arrays a = list_arrays(run);
  ms_contact *c = run->contact;
  int sound = n == ms_contact_run_save_size(run);
  for (ptrdiff_t i = 0; sound && i < n; i++) sound = isfinite(values[i]) != 0;
  if (!sound) return ms_fail(run->ctx, MS_ERR_FORMAT, "the saved state is not one of this run");
  take_arrays(&a, c->n, values + N_SCALAR);
  MS_TRY(ms_contact_make_base(c));
  run->step = (ptrdiff_t)values[0];
  run->layer_0 = values[1], run->friction = values[2];
  run->energy = (ms_contact_energy) { .start = values[3],
                                      .input = values[4],
                                      .viscous = values[5],
                                      .opening = values[6],
                                      .corner = values[7] };
  c->now.work = values[8], c->now.residual = values[9];
  c->spent = values[10], c->moves = values[11] != 0.0;
  return MS_SUCCESS;
}
