/* Normal load along a rod, its integrals, and what first loading makes of them:

     f = Psi(l),   u(f) = int_0^l x psi dx,   int_0^f u df = int_0^l u(Psi(s)) psi(s) ds. */
#include "response/rod/impl.h"

#include <math.h>

#include "core/internal.h"

void ms_pressure_destroy(ms_pressure **pressure) {
  if (!pressure || !*pressure) return;
  ms_context *ctx = (*pressure)->ctx;
  ms_free(ctx, &(*pressure)->knot);
  ms_free(ctx, pressure);
}

ms_status ms_pressure_create_power(ms_context *ctx, double beta, ms_pressure **out) {
  ms_pressure *p;
  MS_MAKE(ctx, out, 1);
  if (!(beta > 0.0 && beta < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "the exponent %g of the normal load must be positive", beta);
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *p, &p));
  *p = (ms_pressure) { .ctx = ctx, .beta = beta };
  *out = p;
  return MS_SUCCESS;
}

/* ---- tables ---- */

/* Inside segment k, t beyond its knot. */
static double Psi_in(const ms_pressure_knot *k, double t) {
  return k->Psi + t * (k->psi + 0.5 * k->slope * t);
}

static double first_in(const ms_pressure_knot *k, double t) {
  return k->first + t * (k->x * k->psi + t * (0.5 * (k->psi + k->x * k->slope) + k->slope * t / 3));
}

/* The integrand is of fourth order: three points of Gauss are exact. */
static double loss_in(const ms_pressure_knot *k, double t) {
  static const double at[3] = { 0.1127016653792583115, 0.5, 0.8872983346207416885 };
  static const double weight[3] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };
  double sum = 0.0;
  for (int i = 0; i < 3; i++) {
    double s = at[i] * t;
    sum += weight[i] * first_in(k, s) * (k->psi + k->slope * s);
  }
  return k->loss + t * sum;
}

ms_status ms_pressure_create_table(ms_context *ctx, ptrdiff_t n, const double *x, const double *psi,
                                   ms_pressure **out) {
  ms_pressure *p;
  double sum = 0.0;
  MS_MAKE(ctx, out, x && psi);
  if (n < 2 || x[0] != 0.0 || x[n - 1] != 1.0) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "a normal load goes from x = 0 to x = 1");
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!(psi[i] >= 0.0 && psi[i] < HUGE_VAL)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "row %td: the normal load %g must be >= 0", i + 1, psi[i]);
    }
    if (i > 0 && !(x[i] > x[i - 1])) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "row %td: x = %g must be larger than before", i + 1, x[i]);
    }
    if (i > 0 && psi[i] == 0.0 && psi[i - 1] == 0.0) {
      return ms_fail(ctx, MS_ERR_BOUNDS,
                     "rows %td and %td: no normal load between them, the rod would float there", i,
                     i + 1);
    }
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *p, &p));
  *p = (ms_pressure) { .ctx = ctx, .n = n };
  ms_status status = ms_allocate(ctx, n, sizeof *p->knot, &p->knot);
  if (status != MS_SUCCESS) {
    ms_pressure_destroy(&p);
    return status;
  }
  for (ptrdiff_t i = 1; i < n; i++) sum += 0.5 * (psi[i] + psi[i - 1]) * (x[i] - x[i - 1]);
  for (ptrdiff_t i = 0; i < n; i++)
    p->knot[i] = (ms_pressure_knot) { .x = x[i], .psi = psi[i] / sum };
  for (ptrdiff_t i = 0; i + 1 < p->n; i++) {
    ms_pressure_knot *k = &p->knot[i], *next = k + 1;
    double t = next->x - k->x;
    k->slope = (next->psi - k->psi) / t;
    next->Psi = Psi_in(k, t);
    next->first = first_in(k, t);
    next->loss = loss_in(k, t);
  }
  *out = p;
  return MS_SUCCESS;
}

/* The segment that x (or Psi) lies in. */
static const ms_pressure_knot *find(const ms_pressure *p, double value, int by_Psi) {
  ptrdiff_t low = 0, high = p->n - 1;
  while (high - low > 1) {
    ptrdiff_t middle = (low + high) / 2;
    double at = by_Psi ? p->knot[middle].Psi : p->knot[middle].x;
    if (at <= value) low = middle;
    if (at > value) high = middle;
  }
  return &p->knot[low];
}

/* ---- values ---- */

double ms_pressure_psi(const ms_pressure *p, double x) {
  if (p->beta > 0.0) return p->beta * pow(x, p->beta - 1.0);
  const ms_pressure_knot *k = find(p, x, 0);
  return k->psi + k->slope * (x - k->x);
}

double ms_pressure_integral(const ms_pressure *p, double x) {
  if (p->beta > 0.0) return pow(x, p->beta);
  const ms_pressure_knot *k = find(p, x, 0);
  return Psi_in(k, x - k->x);
}

/* psi t + slope t^2/2 = f - Psi, without loss of digits for either sign of the slope. */
double ms_pressure_slip_length(const ms_pressure *p, double f) {
  if (f <= 0.0) return 0.0;
  if (f >= 1.0) return 1.0;
  if (p->beta > 0.0) return pow(f, 1.0 / p->beta);
  const ms_pressure_knot *k = find(p, f, 1);
  double rest = f - k->Psi;
  double root = sqrt(fmax(k->psi * k->psi + 2.0 * k->slope * rest, 0.0));
  double t = 2.0 * rest / (k->psi + root);
  return fmin(k->x + t, k[1].x);
}

double ms_pressure_first_moment(const ms_pressure *p, double x) {
  const double b = p->beta;
  if (b > 0.0) return b / (b + 1.0) * pow(x, b + 1.0);
  const ms_pressure_knot *k = find(p, x, 0);
  return first_in(k, x - k->x);
}

double ms_rod_first_displacement(const ms_pressure *p, double f) {
  return ms_pressure_first_moment(p, ms_pressure_slip_length(p, fabs(f)));
}

/* Work done, f u - int_0^f u df, less what the rod stores, half the integral of its squared force,
   which is int_0^f u df again. */
double ms_rod_first_loss(const ms_pressure *p, double f) {
  const double b = p->beta, a = fmin(fabs(f), 1.0);
  if (b > 0.0) return b / ((b + 1.0) * (2.0 * b + 1.0)) * pow(a, 2.0 + 1.0 / b);
  const double l = ms_pressure_slip_length(p, a);
  const ms_pressure_knot *k = find(p, l, 0);
  return a * first_in(k, l - k->x) - 2.0 * loss_in(k, l - k->x);
}

double ms_rod_cycle_loss(const ms_pressure *p, double f) {
  return 4.0 * ms_rod_first_loss(p, f);
}
