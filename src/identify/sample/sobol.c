/* Sobol's indices by the estimators of Jansen (1999), with f_A, f_B, f_j the values at sample A, at
   sample B, and at A with parameter j from B:

     S_j = 1 - sum (f_B - f_j)^2 / (2 n V),    T_j = sum (f_A - f_j)^2 / (2 n V),

   V the variance over A and B. Standard errors by drawing the n sets of values again, with
   replacement. */
#include <math.h>

#include <microslip/sobol.h>

#include "core/draw.h"

enum { RESAMPLE = 200 };

ptrdiff_t ms_sobol_count(ptrdiff_t n_x, ptrdiff_t n) {
  return n * (n_x + 2);
}

static ms_status check(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n) {
  if (n_x >= 1 && n >= 8) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "Sobol indices of %td parameters from samples of %td; eight are the least", n_x,
                 n);
}

ms_status ms_sobol_points(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n, uint64_t seed, double *u) {
  ptrdiff_t *order = NULL;
  MS_TRY(check(ctx, n_x, n));
  MS_TRY(ms_allocate(ctx, n, sizeof *order, &order));
  for (int sample = 0; sample < 2; sample++) {
    ms_random random;
    ms_random_start(&random, seed, (uint64_t)sample);
    ms_draw_latin(&random, n_x, n, order, u + sample * n * n_x);
  }
  const double *A = u, *B = u + n * n_x;
  for (ptrdiff_t k = 0; k < n_x; k++) {
    double *mixed = u + (2 + k) * n * n_x;
    for (ptrdiff_t i = 0; i < n * n_x; i++) mixed[i] = i % n_x == k ? B[i] : A[i];
  }
  ms_free(ctx, &order);
  return MS_SUCCESS;
}

/* Both indices of parameter j from the rows pick[0..n), or from all where pick is NULL. */
static void estimate(ptrdiff_t n, ptrdiff_t j, const double *y, const ptrdiff_t *pick,
                     double *first, double *total) {
  const double *A = y, *B = y + n, *mixed = y + (2 + j) * n;
  double origin = y[0], mean = 0.0; /* counted from there, what does not vary is zero exactly */
  double V = 0.0, apart_A = 0.0, apart_B = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    ptrdiff_t i = pick ? pick[k] : k;
    mean += 0.5 * (A[i] - origin + (B[i] - origin)) / (double)n;
    apart_A += (A[i] - mixed[i]) * (A[i] - mixed[i]);
    apart_B += (B[i] - mixed[i]) * (B[i] - mixed[i]);
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    ptrdiff_t i = pick ? pick[k] : k;
    double a = A[i] - origin - mean, b = B[i] - origin - mean;
    V += a * a + b * b;
  }
  *first = V > 0.0 ? 1.0 - apart_B / V : 0.0;
  *total = V > 0.0 ? apart_A / V : 0.0;
}

static void resample(ptrdiff_t n, ptrdiff_t j, const double *y, ptrdiff_t *pick,
                     ms_sobol_index *out) {
  double sum[2] = { 0.0 }, square[2] = { 0.0 };
  for (int r = 0; r < RESAMPLE; r++) {
    double value[2];
    ms_random random;
    ms_random_start(&random, 1, (uint64_t)r);
    for (ptrdiff_t i = 0; i < n; i++) pick[i] = ms_draw_below(&random, n);
    estimate(n, j, y, pick, &value[0], &value[1]);
    for (int k = 0; k < 2; k++) sum[k] += value[k], square[k] += value[k] * value[k];
  }
  for (int k = 0; k < 2; k++) {
    double mean = sum[k] / RESAMPLE, variance = square[k] / RESAMPLE - mean * mean;
    *(k ? &out->total_error : &out->first_error) = sqrt(fmax(variance, 0.0));
  }
}

ms_status ms_sobol_indices(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n, const double *y,
                           ms_sobol_index *out) {
  ptrdiff_t *pick = NULL;
  MS_TRY(check(ctx, n_x, n));
  for (ptrdiff_t i = 0; i < ms_sobol_count(n_x, n); i++) {
    if (isfinite(y[i])) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT, "Sobol indices: value %td is not finite", i + 1);
  }
  MS_TRY(ms_allocate(ctx, n, sizeof *pick, &pick));
  for (ptrdiff_t j = 0; j < n_x; j++) {
    estimate(n, j, y, NULL, &out[j].first, &out[j].total);
    resample(n, j, y, pick, &out[j]);
  }
  ms_free(ctx, &pick);
  return MS_SUCCESS;
}
