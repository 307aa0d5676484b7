/* Normal load from a monotonic test: u'(f) is the slip length l, u''(f) = 1/psi(l). The chords of a
   convex curve give l at the middle of each, hence Psi(l) = f there. */
#include "response/rod/impl.h"

#include <math.h>

#include "core/internal.h"

/* A chord, or several that were out of order: from f0 to f1. */
typedef struct chord {
  double f0, f1, u0, u1;
} chord;

static double slope_of(const chord *c) {
  return (c->u1 - c->u0) / (c->f1 - c->f0);
}

static double find_move(ptrdiff_t n, const double *f, const double *u, const chord *c) {
  double worst = 0.0, size = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    while (f[i] > c->f1) c++;
    worst = fmax(worst, fabs(c->u0 + slope_of(c) * (f[i] - c->f0) - u[i]));
    size = fmax(size, fabs(u[i]));
  }
  return worst / size;
}

/* Knots of psi between the points (l, f) of neighbouring chords; l = 0 and 1 are added. x and psi
   have room for m + 3. */
static ms_status lay_knots(ms_context *ctx, ptrdiff_t m, const chord *c, double *x, double *psi,
                           ptrdiff_t *rows) {
  ptrdiff_t k = 1;
  double l0 = 0.0, f0 = 0.0;
  for (ptrdiff_t i = 0; i <= m; i++) {
    double l = i < m ? slope_of(&c[i]) : 1.0, f = i < m ? 0.5 * (c[i].f0 + c[i].f1) : 1.0;
    if (l > 1.0 || (i < m && l == 1.0)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "at force %g the slip length %g is beyond the rod's end",
                     f, l);
    }
    if (!(l > l0)) continue;
    x[k] = 0.5 * (l0 + l);
    psi[k++] = (f - f0) / (l - l0);
    l0 = l;
    f0 = f;
  }
  x[0] = 0.0;
  psi[0] = k > 2 ? fmax(psi[1] - x[1] * (psi[2] - psi[1]) / (x[2] - x[1]), 0.0) : psi[1];
  x[k] = 1.0;
  psi[k] = psi[k - 1];
  *rows = k + 1;
  return MS_SUCCESS;
}

ms_status ms_pressure_create_from_curve(ms_context *ctx, ptrdiff_t n, const double *f,
                                        const double *u, ms_pressure **out, double *moved) {
  chord *c = NULL;
  double *x = NULL;
  ptrdiff_t rows = 0;
  MS_MAKE(ctx, out, f && u);
  if (n > 0 && f[0] == 0.0 && u[0] == 0.0) n--, f++, u++;
  if (n < 3) return ms_fail(ctx, MS_ERR_ARGUMENT, "%td samples; a curve needs three", n);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!(f[i] > (i > 0 ? f[i - 1] : 0.0) && f[i] <= 1.0)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "sample %td: forces rise from 0 to at most 1, not %g", i,
                     f[i]);
    }
    if (!(u[i] >= (i > 0 ? u[i - 1] : 0.0) && u[i] < HUGE_VAL)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "sample %td: displacement %g must not fall", i, u[i]);
    }
  }
  MS_TRY(ms_allocate(ctx, n, sizeof *c, &c));
  ms_status status = ms_allocate(ctx, 2 * (n + 3), sizeof *x, &x);
  if (status == MS_SUCCESS) {
    /* Chords whose slopes fall are joined until none does: the greatest convex curve below. */
    ptrdiff_t m = 0;
    double f0 = 0.0, u0 = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) {
      c[m++] = (chord) { f0, f[i], u0, u[i] };
      f0 = f[i];
      u0 = u[i];
      while (m > 1 && slope_of(&c[m - 1]) <= slope_of(&c[m - 2])) {
        c[m - 2].f1 = c[m - 1].f1;
        c[m - 2].u1 = c[m - 1].u1;
        m--;
      }
    }
    if (moved) *moved = find_move(n, f, u, c);
    status = lay_knots(ctx, m, c, x, x + n + 3, &rows);
  }
  if (status == MS_SUCCESS) status = ms_pressure_create_table(ctx, rows, x, x + n + 3, out);
  ms_free(ctx, &x);
  ms_free(ctx, &c);
  return status;
}
