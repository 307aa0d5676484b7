/* Continuous piecewise linear least squares. With hat functions h_j on the knots,

     minimise sum_i (y_i - sum_j c_j h_j(t_i))^2 :   A c = b,
     A_jk = sum_i h_j(t_i) h_k(t_i),   b_j = sum_i h_j(t_i) y_i,

   and A is tridiagonal, positive definite and, for evenly spread samples, well conditioned. */
#include <lapacke.h>
#include <limits.h>

#include "signal/internal.h"

static ms_status allocate(ms_context *ctx, ms_hats *hats) {
  ptrdiff_t n = hats->n_knot;
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &hats->knot));
  MS_TRY(ms_allocate(ctx, 2 * n, sizeof(double), &hats->value));
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &hats->diagonal));
  return ms_allocate(ctx, n, sizeof(double), &hats->off);
}

ms_status ms_hats_open(ms_context *ctx, ptrdiff_t n_knot, ms_hats *hats) {
  *hats = (ms_hats) { .n_knot = n_knot };
  if (n_knot > INT_MAX / 2)
    return ms_fail(ctx, MS_ERR_OVERFLOW, "%td segments are too many", n_knot - 1);
  ms_status status = allocate(ctx, hats);
  if (status != MS_SUCCESS) ms_hats_close(ctx, hats);
  return status;
}

void ms_hats_close(ms_context *ctx, ms_hats *hats) {
  ms_free(ctx, &hats->knot);
  ms_free(ctx, &hats->value);
  ms_free(ctx, &hats->diagonal);
  ms_free(ctx, &hats->off);
  hats->n_knot = 0;
}

void ms_hats_space(ms_hats *hats, double first, double last) {
  ptrdiff_t m = hats->n_knot - 1;
  for (ptrdiff_t j = 0; j < m; j++) hats->knot[j] = first + (last - first) * (double)j / (double)m;
  hats->knot[m] = last;
}

/* The segment of t, searched upwards from s. */
static ptrdiff_t find_segment(const ms_hats *hats, ptrdiff_t s, double t) {
  while (s < hats->n_knot - 2 && t >= hats->knot[s + 1]) s++;
  return s;
}

static double local(const ms_hats *hats, ptrdiff_t s, double t) {
  return (t - hats->knot[s]) / (hats->knot[s + 1] - hats->knot[s]);
}

static void assemble(ms_hats *hats, ptrdiff_t n, const double *t, const double *y) {
  ptrdiff_t m = hats->n_knot;
  for (ptrdiff_t j = 0; j < m; j++)
    hats->diagonal[j] = hats->off[j] = hats->value[j] = hats->value[m + j] = 0.0;
  for (ptrdiff_t i = 0, s = 0; i < n; i++) {
    s = find_segment(hats, s, t[i]);
    double b = local(hats, s, t[i]), a = 1.0 - b; /* the two hats at t_i */
    hats->diagonal[s] += a * a;
    hats->diagonal[s + 1] += b * b;
    hats->off[s] += a * b;
    for (int f = 0; f < 2; f++) {
      hats->value[f * m + s] += a * y[f * n + i];
      hats->value[f * m + s + 1] += b * y[f * n + i];
    }
  }
}

ms_status ms_hats_fit(ms_context *ctx, ms_hats *hats, ptrdiff_t n, const double *t,
                      const double *y) {
  assemble(hats, n, t, y);
  lapack_int m = (lapack_int)hats->n_knot;
  lapack_int info =
      LAPACKE_dptsv_work(LAPACK_COL_MAJOR, m, 2, hats->diagonal, hats->off, hats->value, m);
  if (info == 0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NUMERIC,
                 "%td points do not determine a piecewise linear function of %td segments; use "
                 "fewer segments",
                 n, hats->n_knot - 1);
}

double ms_hats_middle(const ms_hats *hats, int function, ptrdiff_t segment) {
  const double *c = hats->value + function * hats->n_knot + segment;
  return 0.5 * (c[0] + c[1]);
}

double ms_hats_slope(const ms_hats *hats, int function, ptrdiff_t segment) {
  const double *c = hats->value + function * hats->n_knot + segment;
  return (c[1] - c[0]) / (hats->knot[segment + 1] - hats->knot[segment]);
}

void ms_hats_residual(const ms_hats *hats, ptrdiff_t n, const double *t, const double *y,
                      double *rms) {
  ptrdiff_t i = 0, m = hats->n_knot;
  for (ptrdiff_t s = 0; s < m - 1; s++) {
    double sum = 0.0;
    ptrdiff_t first = i;
    for (; i < n && find_segment(hats, s, t[i]) == s; i++) {
      double b = local(hats, s, t[i]);
      for (int f = 0; f < 2; f++) {
        const double *c = hats->value + f * m + s;
        double r = y[f * n + i] - (c[0] + b * (c[1] - c[0]));
        sum += r * r;
      }
    }
    rms[s] = i > first ? sqrt(sum / (double)(i - first)) : 0.0;
  }
}
