/* Hysteresis from the accelerations of the masses on both sides of a joint.

     a = mean + sum over k of (a_k cos k omega t + b_k sin k omega t)     least squares
     z_k = (a_k - b_k)/(k omega)^2     of inner less outer acceleration, integrated twice
     f_k = -m b_k                      of the outer acceleration
     D = pi sum over k of k (f_a z_b - f_b z_a)                           area of the loop

   In steady vibration this is what a spectrum over whole periods gives, but for a period that is no
   whole number of samples. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "signal/internal.h"

static ms_status check(ms_context *ctx, const ms_signal *a, const ms_signal *b,
                       const ms_hysteresis_setting *s) {
  if (a->n != b->n || a->dt != b->dt || a->time != b->time) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the two records must have the same times");
  }
  if (!(s->omega > 0.0 && s->mass > 0.0 && isfinite(s->omega) && isfinite(s->mass)) ||
      s->periods < 1 || s->harmonics < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "omega, mass, periods and harmonics must be above 0: %g, %g, %td, %d", s->omega,
                   s->mass, s->periods, s->harmonics);
  }
  double per_period = 2.0 * MS_PI / (s->omega * a->dt);
  if (!(per_period >= 2.0 * s->harmonics + 2.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "%.3g samples in a period do not hold %d harmonics; that takes %d", per_period,
                   s->harmonics, 2 * s->harmonics + 2);
  }
  if (!((double)a->n >= per_period * (double)s->periods)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "the record has %.4g periods, not %td",
                   (double)a->n / per_period, s->periods);
  }
  MS_TRY(ms_signal_check_finite(ctx, "the first record", a->n, a->x));
  return ms_signal_check_finite(ctx, "the second record", b->n, b->x);
}

/* 1, cos, sin, ... at the n samples from `first` on. */
static void fill_table(const ms_signal *s, ptrdiff_t first, ptrdiff_t n, double omega, int H,
                       double *A) {
  for (ptrdiff_t i = 0; i < n; i++) {
    double angle = omega * (s->time + (double)(first + i) * s->dt);
    A[i] = 1.0;
    for (int k = 1; k <= H; k++) {
      A[i + n * (2 * k - 1)] = cos(k * angle);
      A[i + n * (2 * k)] = sin(k * angle);
    }
  }
}

static double sum_squares(ptrdiff_t n, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* Both records at once, each of its own size: B holds them, then their coefficients. */
static ms_status fit(ms_context *ctx, ptrdiff_t n, int H, double *A, double *B, double *residual) {
  const ptrdiff_t P = 2 * (ptrdiff_t)H + 1;
  const double size[2] = { sum_squares(n, B), sum_squares(n, B + n) };
  if (!(size[0] > 0.0 && size[1] > 0.0)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a record is zero");
  }
  if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', (lapack_int)n, (lapack_int)P, 2, A, (lapack_int)n, B,
                    (lapack_int)n) != 0) {
    return ms_fail(ctx, MS_ERR_NUMERIC, "the harmonics of the records cannot be told apart");
  }
  *residual =
      sqrt(fmax(sum_squares(n - P, B + P) / size[0], sum_squares(n - P, B + n + P) / size[1]));
  return MS_SUCCESS;
}

/* Coefficients of two records, one after the other without their means, into out->z and out->f. */
static ms_status read(ms_context *ctx, const ms_signal *a, const ms_signal *b,
                      const ms_hysteresis_setting *s, ms_hysteresis *out) {
  *out = (ms_hysteresis) { .harmonics = s->harmonics, .omega = s->omega };
  MS_TRY(check(ctx, a, b, s));
  const ptrdiff_t P = 2 * (ptrdiff_t)s->harmonics + 1;
  const double span = 2.0 * MS_PI * (double)s->periods / (s->omega * a->dt);
  const ptrdiff_t n = (ptrdiff_t)fmin(round(span), (double)a->n), first = a->n - n;
  double *A;
  if (n <= P) return ms_fail(ctx, MS_ERR_BOUNDS, "%td samples are too few", n);
  MS_TRY(ms_allocate(ctx, n * (P + 2), sizeof *A, &A));
  double *B = A + n * P;
  fill_table(a, first, n, s->omega, s->harmonics, A);
  memcpy(B, a->x + first, (size_t)n * sizeof *B);
  memcpy(B + n, b->x + first, (size_t)n * sizeof *B);
  ms_status status = fit(ctx, n, s->harmonics, A, B, &out->residual);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, 2 * (P - 1), sizeof *out->z, &out->z);
  if (status == MS_SUCCESS) {
    out->f = out->z + P - 1;
    out->start = a->time + (double)first * a->dt;
    out->end = a->time + (double)(a->n - 1) * a->dt;
    memcpy(out->z, B + 1, (size_t)(P - 1) * sizeof *B);
    memcpy(out->f, B + n + 1, (size_t)(P - 1) * sizeof *B);
  }
  ms_free(ctx, &A);
  return status;
}

static void measure(ms_hysteresis *out) {
  for (int k = 0; k < out->harmonics; k++) {
    const double *z = out->z + 2 * k, *f = out->f + 2 * k;
    out->loss += MS_PI * (k + 1) * (f[0] * z[1] - f[1] * z[0]);
  }
  out->displacement = hypot(out->z[0], out->z[1]);
  out->force = hypot(out->f[0], out->f[1]);
}

ms_status ms_signal_hysteresis(ms_context *ctx, const ms_signal *inner, const ms_signal *outer,
                               const ms_hysteresis_setting *s, ms_hysteresis *out) {
  MS_TRY(read(ctx, inner, outer, s, out));
  for (int c = 0; c < 2 * s->harmonics; c++) {
    double w = (c / 2 + 1) * s->omega, a = out->z[c], b = out->f[c];
    out->z[c] = (a - b) / (w * w);
    out->f[c] = -s->mass * b;
  }
  measure(out);
  return MS_SUCCESS;
}

ms_status ms_signal_loop(ms_context *ctx, const ms_signal *z, const ms_signal *f,
                         const ms_hysteresis_setting *s, ms_hysteresis *out) {
  ms_hysteresis_setting unit = *s;
  unit.mass = 1.0;
  MS_TRY(read(ctx, z, f, &unit, out));
  measure(out);
  return MS_SUCCESS;
}

void ms_hysteresis_free(ms_context *ctx, ms_hysteresis *h) {
  ms_free(ctx, &h->z);
  h->f = NULL;
}

void ms_hysteresis_eval(const ms_hysteresis *h, double t, double *z, double *f) {
  *z = *f = 0.0;
  for (int k = 1; k <= h->harmonics; k++) {
    double c = cos(k * h->omega * t), s = sin(k * h->omega * t);
    *z += h->z[2 * k - 2] * c + h->z[2 * k - 1] * s;
    *f += h->f[2 * k - 2] * c + h->f[2 * k - 1] * s;
  }
}
