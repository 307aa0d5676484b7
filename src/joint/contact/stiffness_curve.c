/* Tangential stiffness against normal load. */
#include <math.h>

#include "joint/contact/normal_load.h"
#include "joint/tolerance.h"

enum { CHECKED = 1000 }; /* loads at which a polynomial is looked at */

static double polynomial(const ms_load_curve *c, double N, double *slope) {
  double s = 0.0;
  *slope = 0.0;
  for (ptrdiff_t i = c->n - 1; i >= 0; i--) {
    *slope = *slope * N + s;
    s = s * N + c->s[i];
  }
  return s;
}

/* Straight lines; the row below N by bisection. */
static double table(const ms_load_curve *c, double N, double *slope) {
  ptrdiff_t low = 0, high = c->n - 1;
  *slope = 0.0;
  if (N <= c->N[low]) return c->s[low];
  if (N >= c->N[high]) return c->s[high];
  while (high - low > 1) {
    ptrdiff_t middle = low + (high - low) / 2;
    if (c->N[middle] <= N) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *slope = (c->s[high] - c->s[low]) / (c->N[high] - c->N[low]);
  return c->s[low] + *slope * (N - c->N[low]);
}

static double stiffness(const ms_load_curve *c, double N, double *slope) {
  if (c->N) return table(c, N, slope);
  if (N <= c->top) return polynomial(c, N, slope);
  double s = polynomial(c, c->top, slope);
  *slope = 0.0;
  return s;
}

double ms_load_curve_eval(const ms_load_curve *c, double N, double *slope) {
  *slope = 0.0;
  if (c->n == 0) return 1.0;
  double k = stiffness(c, N, slope) / c->s_ref;
  *slope /= c->s_ref;
  if (k >= ms_joint_tol.least_stiffness) return k;
  *slope = 0.0;
  return ms_joint_tol.least_stiffness;
}

/* ---- life ---- */

static ms_status copy(ms_context *ctx, ptrdiff_t n, const double *from, const char *what,
                      double **to) {
  MS_TRY(ms_allocate(ctx, n, sizeof **to, to));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!isfinite(from[i])) {
      return ms_fail(ctx, MS_ERR_NUMERIC, "stiffness against load: %s %td is not finite", what,
                     i + 1);
    }
    (*to)[i] = from[i];
  }
  return MS_SUCCESS;
}

static ms_status check_sign(ms_context *ctx, double N, double s) {
  if (s >= 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "stiffness against load: s = %g at N = %g must not be negative", s, N);
}

static ms_status fill(ms_context *ctx, const ms_joint_normal *from, ms_load_curve *c) {
  if (from->rows > 0) {
    c->n = from->rows;
    MS_TRY(copy(ctx, c->n, from->N, "N in row", &c->N));
    MS_TRY(copy(ctx, c->n, from->s, "s in row", &c->s));
    for (ptrdiff_t i = 0; i < c->n; i++) {
      if (i > 0 && !(c->N[i] > c->N[i - 1])) {
        return ms_fail(ctx, MS_ERR_BOUNDS,
                       "stiffness against load: N = %g in row %td does not rise", c->N[i], i + 1);
      }
      MS_TRY(check_sign(ctx, c->N[i], c->s[i]));
    }
    return MS_SUCCESS;
  }
  if (from->n_coefficient == 0) return MS_SUCCESS;
  c->n = from->n_coefficient;
  c->top = ms_joint_tol.stiffness_range * fmax(from->N_0, from->N_ref);
  MS_TRY(copy(ctx, c->n, from->coefficient, "coefficient", &c->s));
  for (int i = 0; i <= CHECKED; i++) {
    double slope, N = c->top * i / CHECKED;
    MS_TRY(check_sign(ctx, N, polynomial(c, N, &slope)));
  }
  return MS_SUCCESS;
}

ms_status ms_load_curve_open(ms_context *ctx, const ms_joint_normal *normal, ms_load_curve *c) {
  double slope;
  *c = (ms_load_curve) { .n = 0 };
  if (normal->n_coefficient < 0 || normal->rows < 0 ||
      (normal->n_coefficient > 0 && normal->rows > 0)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "stiffness against load is a polynomial or a table, not %d coefficients and %td "
                   "rows",
                   normal->n_coefficient, normal->rows);
  }
  MS_TRY(fill(ctx, normal, c));
  if (c->n == 0) return MS_SUCCESS;
  c->s_ref = stiffness(c, normal->N_ref, &slope);
  if (c->s_ref > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "stiffness against load: s = %g at the reference load %g must be > 0", c->s_ref,
                 normal->N_ref);
}

void ms_load_curve_close(ms_context *ctx, ms_load_curve *c) {
  ms_free(ctx, &c->s);
  ms_free(ctx, &c->N);
}
