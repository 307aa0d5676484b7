/* How good a reduced model is: its frequencies beside those of the whole. */
#include <math.h>
#include <string.h>

#include "fem/model/model.h"

static ms_status compare(const ms_reduced *r, const ms_fem_modes *modes, double *omega,
                         ms_fem_accuracy *out) {
  MS_TRY(ms_reduced_find_omega(r, omega));
  out->n = modes->n < r->n ? modes->n : r->n;
  MS_TRY(ms_allocate(r->ctx, out->n + 1, sizeof *out->full, &out->full));
  MS_TRY(ms_allocate(r->ctx, out->n + 1, sizeof *out->reduced, &out->reduced));
  for (ptrdiff_t i = 0; i < out->n; i++) {
    out->full[i] = modes->omega[i];
    out->reduced[i] = omega[i];
    if (modes->omega[i] > 0.0) {
      out->worst = fmax(out->worst, fabs(omega[i] / modes->omega[i] - 1.0));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_fem_check_reduction(ms_fem_model *m, const ms_reduced *r, double cutoff_hz,
                                 ms_fem_accuracy *out) {
  ms_fem_modes modes;
  double *omega = NULL;
  *out = (ms_fem_accuracy) { 0 };
  MS_TRY(ms_fem_find_modes(m, 0, cutoff_hz, &modes));
  ms_status status = ms_allocate(m->ctx, r->n, sizeof *omega, &omega);
  if (status == MS_SUCCESS) status = compare(r, &modes, omega, out);
  ms_free(m->ctx, &omega);
  ms_fem_modes_free(m->ctx, &modes);
  if (status != MS_SUCCESS) ms_fem_accuracy_free(m->ctx, out);
  return status;
}

void ms_fem_accuracy_free(ms_context *ctx, ms_fem_accuracy *a) {
  ms_free(ctx, &a->full);
  ms_free(ctx, &a->reduced);
  *a = (ms_fem_accuracy) { 0 };
}
