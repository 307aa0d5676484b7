#include "joint/iwan/density.h"

#include <string.h>

/* ---- power law ---- */

ms_density ms_density_power_range(double R, double S, double chi, double phi_1, double phi_2) {
  ms_density d = { .phi_min = phi_1, .phi_max = phi_2, .from_zero = phi_1 == 0.0, .S = S };
  ms_power_setup(&d.power, chi + 1.0, phi_2);
  double high = pow(phi_2, chi + 1.0), s = S;
  double low = phi_1 > 0.0 ? ms_power_eval(&d.power, phi_1) : 0.0; /* as the moments will have it */
  for (int j = 0; j < 3; j++) {
    d.scale[j] = R / (chi + 1.0 + j);
    d.base[j] = d.scale[j] * low;
    d.total[j] = d.scale[j] * high - d.base[j] + s;
    high *= phi_2;
    low *= phi_1;
    s *= phi_2;
  }
  return d;
}

/* m_j = R phi^a/a with a = chi + 1 + j, and at phi_max S phi_max^j more. */
void ms_density_slopes(const ms_density *d, const double slope[4], double phi, double dm[2]) {
  double P = d->phi_max, at = phi < P ? phi : P, power = at > 0.0 ? pow(at, d->power.p) : 0.0;
  double delta = 1.0;
  for (int j = 0; j < 2; j++) {
    double a = d->power.p + j, smooth = d->scale[j] * power;
    double by_chi = at > 0.0 ? smooth * (log(at) - 1.0 / a) : 0.0;
    dm[j] = slope[MS_DENSITY_R] * power / a + slope[MS_DENSITY_CHI] * by_chi;
    if (phi >= P) {
      dm[j] += slope[MS_DENSITY_S] * delta;
      dm[j] += slope[MS_DENSITY_PHI_MAX] * (a * smooth / P + (j > 0 ? d->S : 0.0));
    }
    power *= at;
    delta *= P;
  }
}

/* ---- tables: what may be in one ---- */

static ms_status fail_row(ms_context *ctx, ptrdiff_t row, const char *why) {
  return ms_fail(ctx, MS_ERR_BOUNDS, "row %td: %s", row + 1, why);
}

static double delta_at(int columns, const double *const *column, ptrdiff_t i) {
  return columns > 2 ? column[2][i] : 0.0;
}

ms_status ms_density_check_table(ms_context *ctx, ptrdiff_t rows, int columns,
                                 const double *const *column) {
  double sum = 0.0; /* of the stiffness */
  for (ptrdiff_t i = 0; i < rows; i++) {
    double phi = column[0][i], rho = column[1][i], S = delta_at(columns, column, i);
    if (!isfinite(phi) || !isfinite(rho) || !isfinite(S)) {
      return ms_fail(ctx, MS_ERR_NUMERIC, "row %td: a value is not finite", i + 1);
    }
    if (phi < 0.0) return fail_row(ctx, i, "phi must be >= 0, it is a slip displacement");
    if (rho < 0.0) return fail_row(ctx, i, "rho must be >= 0, it is stiffness per displacement");
    if (S < 0.0) return fail_row(ctx, i, "S must be >= 0, it is a stiffness");
    if (S > 0.0 && phi == 0.0) {
      return fail_row(ctx, i, "no delta at phi = 0: a slider that slips at once carries no force");
    }
    if (i > 0 && phi < column[0][i - 1]) return fail_row(ctx, i, "phi must not decrease");
    if (i > 1 && phi == column[0][i - 2]) {
      return fail_row(ctx, i, "the same phi a third time; two rows make a jump");
    }
    sum += delta_at(columns, column, i);
    if (i > 0) {
      sum += 0.5 * (column[1][i] + column[1][i - 1]) * (column[0][i] - column[0][i - 1]);
    }
  }
  if (sum > 0.0 && sum < HUGE_VAL) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "the table's total stiffness is %g; some rho between two rows or some S "
                 "must be > 0, and their sum finite",
                 sum);
}

/* ---- tables: moments ---- */

/* Adds int_phi^(phi+t) psi^j (rho + slope (psi - phi)) dpsi, j = 0, 1, 2. */
static void add_linear(const ms_knot *k, double t, double m[3]) {
  double n0 = t * (k->rho + k->slope * t / 2.0);
  double n1 = t * t * (k->rho / 2.0 + k->slope * t / 3.0);
  double n2 = t * t * t * (k->rho / 3.0 + k->slope * t / 4.0);
  m[0] += n0;
  m[1] += k->phi * n0 + n1;
  m[2] += k->phi * (k->phi * n0 + 2.0 * n1) + n2;
}

static void table_moments(const ms_density *d, double phi, int with_deltas, double m[3]) {
  /* The last knot at or below phi, which is not below the first. */
  ptrdiff_t low = 0, high = d->n;
  while (high - low > 1) {
    ptrdiff_t middle = low + (high - low) / 2;
    if (d->knot[middle].phi <= phi) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const ms_knot *k = &d->knot[low];
  memcpy(m, with_deltas ? k->moment : k->smooth, 3 * sizeof *m);
  add_linear(k, phi - k->phi, m);
}

static void power_moments(const ms_density *d, double phi, double m[3]) {
  double p = ms_power_eval(&d->power, phi);
  m[0] = d->scale[0] * p - d->base[0];
  m[1] = d->scale[1] * p * phi - d->base[1];
  m[2] = d->scale[2] * p * phi * phi - d->base[2];
}

void ms_density_other_moments(const ms_density *d, double phi, double m[3]) {
  if (phi < d->phi_min) {
    m[0] = m[1] = m[2] = 0.0;
  } else if (d->curve) {
    d->curve(d->own, phi, m);
  } else if (d->n > 0) {
    table_moments(d, phi, 1, m);
  } else {
    power_moments(d, phi, m);
  }
}

void ms_density_smooth_moments(const ms_density *d, double phi, double m[3]) {
  if (phi <= d->phi_min) {
    m[0] = m[1] = m[2] = 0.0;
  } else if (d->curve) {
    d->curve(d->own, phi < d->phi_max ? phi : d->phi_max, m);
  } else if (d->n > 0) {
    table_moments(d, phi < d->phi_max ? phi : d->phi_max, 0, m);
  } else {
    power_moments(d, phi < d->phi_max ? phi : d->phi_max, m);
  }
}

/* ---- tables: life ---- */

/* Rows at either end that hold nothing say nothing: [*first, *last] are those that count. */
static void trim(ptrdiff_t rows, int columns, const double *const *column, ptrdiff_t *first,
                 ptrdiff_t *last) {
  const double *rho = column[1];
  ptrdiff_t low = 0, high = rows - 1;
  while (low < high && rho[low] == 0.0 && rho[low + 1] == 0.0 &&
         delta_at(columns, column, low) == 0.0) {
    low++;
  }
  while (high > low && rho[high] == 0.0 && rho[high - 1] == 0.0 &&
         delta_at(columns, column, high) == 0.0) {
    high--;
  }
  *first = low;
  *last = high;
}

static void fill_knots(ms_density *d, int columns, const double *const *column, ptrdiff_t first) {
  for (ptrdiff_t i = 0; i < d->n; i++) {
    ms_knot *k = &d->knot[i];
    ptrdiff_t row = first + i;
    *k = (ms_knot) { .phi = column[0][row],
                     .rho = column[1][row],
                     .S = delta_at(columns, column, row) };
    if (i > 0) {
      ms_knot *below = k - 1;
      double width = k->phi - below->phi;
      below->slope = width > 0.0 ? (k->rho - below->rho) / width : 0.0;
      memcpy(k->moment, below->moment, sizeof k->moment);
      memcpy(k->smooth, below->smooth, sizeof k->smooth);
      add_linear(below, width, k->moment);
      add_linear(below, width, k->smooth);
    }
    k->moment[0] += k->S;
    k->moment[1] += k->S * k->phi;
    k->moment[2] += k->S * k->phi * k->phi;
  }
}

ms_status ms_density_open_table(ms_context *ctx, ptrdiff_t rows, int columns,
                                const double *const *column, ms_density *d) {
  ptrdiff_t first, last;
  trim(rows, columns, column, &first, &last);
  *d = (ms_density) { .n = last - first + 1 };
  ms_status status = ms_allocate(ctx, d->n, sizeof *d->knot, &d->knot);
  if (status != MS_SUCCESS) return status;
  fill_knots(d, columns, column, first);
  d->phi_min = d->knot[0].phi;
  d->phi_max = d->knot[d->n - 1].phi;
  memcpy(d->total, d->knot[d->n - 1].moment, sizeof d->total);
  return MS_SUCCESS;
}

void ms_density_close(ms_context *ctx, ms_density *d) {
  ms_free(ctx, &d->knot);
  d->n = 0;
}

/* ---- what follows from the moments ---- */

/* g(u) = u (K - m0(u)) + m1(u) + K_inf u, which is sgn(u) F_S + K_inf u from phi_max on. */
void ms_density_virgin(const ms_density *d, double u, double *force, double *slope) {
  double m[3], a = fabs(u);
  ms_density_moments(d, a, m);
  *slope = d->total[0] - m[0] + d->K_inf;
  *force = copysign(a * *slope + m[1], u);
}

/* D(u0) = 4 int_0^u0 rho phi (u0 - phi) dphi: each slider that slips does so twice by 2 (u0 - phi).
 */
double ms_density_cycle(const ms_density *d, double u0) {
  double m[3];
  ms_density_moments(d, u0, m);
  return 4.0 * (u0 * m[1] - m[2]);
}
