/* Harmonics of records in steady vibration, all at once by least squares:

     x = mean + sum over k of (a_k cos k omega t + b_k sin k omega t)

   In steady vibration this is what a spectrum over whole periods gives, but for a period that is no
   whole number of samples. */
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "signal/internal.h"

ms_status ms_signal_check_harmonics(ms_context *ctx, ptrdiff_t n, double dt,
                                    const ms_harmonics_setting *s) {
  if (!(s->omega > 0.0 && isfinite(s->omega)) || s->periods < 1 || s->harmonics < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "omega, periods and harmonics must be above 0: %g, %td, %d",
                   s->omega, s->periods, s->harmonics);
  }
  double per_period = 2.0 * MS_PI / (s->omega * dt);
  if (!(per_period >= 2.0 * s->harmonics + 2.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "%.3g samples in a period do not hold %d harmonics; that takes %d", per_period,
                   s->harmonics, 2 * s->harmonics + 2);
  }
  if ((double)n >= per_period * (double)s->periods) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "the record has %.4g periods, not %td", (double)n / per_period,
                 s->periods);
}

static double sum_squares(ptrdiff_t n, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* B holds the n samples of every channel, A their table; both are used up. */
static ms_status fit(ms_context *ctx, double *A, double *B, ms_harmonics *out) {
  const ptrdiff_t n = out->n, P = 2 * (ptrdiff_t)out->harmonics + 1;
  for (ptrdiff_t c = 0; c < out->n_channel; c++) {
    out->rms[c] = sqrt(sum_squares(n, B + n * c) / (double)n);
  }
  if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', (lapack_int)n, (lapack_int)P, (lapack_int)out->n_channel,
                    A, (lapack_int)n, B, (lapack_int)n) != 0) {
    return ms_fail(ctx, MS_ERR_NUMERIC, "the harmonics of the records cannot be told apart");
  }
  for (ptrdiff_t c = 0; c < out->n_channel; c++) {
    memcpy(out->x + P * c, B + n * c, (size_t)P * sizeof *B);
    out->deviation[c] = sqrt(sum_squares(n - P, B + n * c + P) / (double)(n - P));
  }
  return MS_SUCCESS;
}

static ms_status reserve(ms_context *ctx, ptrdiff_t n_channel, ms_harmonics *out) {
  const ptrdiff_t P = 2 * (ptrdiff_t)out->harmonics + 1;
  MS_TRY(ms_allocate(ctx, (P + 2) * n_channel, sizeof *out->x, &out->x));
  out->n_channel = n_channel;
  out->rms = out->x + P * n_channel;
  out->deviation = out->rms + n_channel;
  return MS_SUCCESS;
}

ms_status ms_signal_fit_harmonics(ms_context *ctx, const ms_signal *grid, ptrdiff_t n_channel,
                                  const double *const *x, const ms_harmonics_setting *s,
                                  ms_harmonics *out) {
  MS_NEED(ctx, ctx && grid && x && s && out);
  *out = (ms_harmonics) { .harmonics = s->harmonics, .omega = s->omega };
  char what[40];
  MS_TRY(ms_signal_check_harmonics(ctx, grid->n, grid->dt, s));
  for (ptrdiff_t c = 0; c < n_channel; c++) {
    snprintf(what, sizeof what, "record %td", c + 1);
    MS_TRY(ms_signal_check_finite(ctx, what, grid->n, x[c]));
  }
  const ptrdiff_t P = 2 * (ptrdiff_t)s->harmonics + 1;
  const double span = 2.0 * MS_PI * (double)s->periods / (s->omega * grid->dt);
  const ptrdiff_t n = (ptrdiff_t)fmin(round(span), (double)grid->n), first = grid->n - n;
  double *A;
  MS_TRY(ms_allocate(ctx, n * (P + n_channel), sizeof *A, &A));
  double *B = A + n * P;
  /* 1, cos, sin, ... at the n samples from `first` on. */
  for (ptrdiff_t i = 0; i < n; i++) {
    double angle = s->omega * (grid->time + (double)(first + i) * grid->dt);
    A[i] = 1.0;
    for (int k = 1; k <= s->harmonics; k++) {
      A[i + n * (2 * k - 1)] = cos(k * angle);
      A[i + n * (2 * k)] = sin(k * angle);
    }
  }
  for (ptrdiff_t c = 0; c < n_channel; c++) {
    memcpy(B + n * c, x[c] + first, (size_t)n * sizeof *B);
  }
  out->n = n;
  out->start = grid->time + (double)first * grid->dt;
  out->end = grid->time + (double)(grid->n - 1) * grid->dt;
  ms_status status = reserve(ctx, n_channel, out);
  if (status == MS_SUCCESS) status = fit(ctx, A, B, out);
  ms_free(ctx, &A);
  if (status != MS_SUCCESS) ms_harmonics_free(ctx, out);
  return status;
}

void ms_harmonics_free(ms_context *ctx, ms_harmonics *harmonics) {
  ms_free(ctx, &harmonics->x);
  *harmonics = (ms_harmonics) { .x = NULL };
}
