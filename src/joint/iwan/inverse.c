/* The inverse problem: a density from a sampled curve. Letters:

     x, y   samples, x[0] = y[0] = 0; y is F or D
     slope  slope[i] of the chord from x[i-1] to x[i]
     W      W[i] = |slope[i+1] - slope[i]| = int omega rho hat_i dphi, exactly, with hat_i the hat
            function of the samples and omega = |y''|/rho: 1 for a virgin curve, 4 phi for a loss
     L      L[i] = int omega hat_i dphi

   Deltas of mass W[i] at x[i] are the piecewise linear curve itself. The smooth form is linear
   between the samples with rho(x[i]) = W[i]/L[i]: it is of second order, has the masses of the
   deltas, and is >= 0 because they are. */
#include "core/internal.h"
#include "joint/iwan/inverse.h"

#include <math.h>
#include <string.h>

#include "joint/iwan/density.h"
#include "joint/tolerance.h"

/* ---- samples in ---- */

static ms_status open_curve(ms_context *ctx, ms_curve_kind kind, ptrdiff_t n, const double *x,
                            const double *y, ms_curve *c) {
  *c = (ms_curve) { .kind = kind };
  const char *x_name = kind == MS_CURVE_VIRGIN ? "u" : "u0",
             *y_name = kind == MS_CURVE_VIRGIN ? "F" : "D";
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!isfinite(x[i]) || !isfinite(y[i])) {
      return ms_fail(ctx, MS_ERR_NUMERIC, "row %td: a value is not finite", i + 1);
    }
    if (x[i] < 0.0 || (i > 0 && !(x[i] > x[i - 1]))) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "row %td: %s = %g; it must be >= 0 and increase", i + 1,
                     x_name, x[i]);
    }
    if (y[i] < 0.0 || (x[i] == 0.0 && y[i] != 0.0)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "row %td: %s = %g; it must be >= 0, and 0 at %s = 0",
                     i + 1, y_name, y[i], x_name);
    }
  }
  if (!(n >= 2 && x[n - 2] > 0.0 && y[n - 1] > 0.0)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a density needs two samples or more at %s > 0, %s > 0 at"
                   " the last",
                   x_name, y_name);
  }
  ptrdiff_t skip = x[0] == 0.0, size = n + 2; /* one more for the first delta of a loss */
  c->n = n - skip;
  MS_TRY(ms_allocate(ctx, 5 * size, sizeof(double), &c->memory));
  c->x = c->memory, c->y = c->x + size, c->slope = c->y + size, c->W = c->slope + size;
  c->role = c->W + size;
  memcpy(c->x + 1, x + skip, (size_t)c->n * sizeof *x);
  memcpy(c->y + 1, y + skip, (size_t)c->n * sizeof *y);
  return MS_SUCCESS;
}

void ms_curve_find_slopes(ms_curve *c) {
  for (ptrdiff_t i = 1; i <= c->n; i++) {
    c->slope[i] = (c->y[i] - c->y[i - 1]) / (c->x[i] - c->x[i - 1]);
  }
}

/* ---- masses ---- */

/* A loss that rises from zero at once would need sliders at phi = 0, infinitely many. As deltas,
   the first lies where a straight line through the first sample, no steeper than the next chord,
   comes up from zero: at x[1]/3 if that may be, the centroid for a density without a pole. */
static void insert_first_delta(ms_curve *c) {
  if (c->kind == MS_CURVE_VIRGIN || c->slope[1] == 0.0) return;
  double next = c->n > 1 ? c->slope[2] : HUGE_VAL;
  double at = fmin(1.0 / 3.0, 1.0 - c->slope[1] / next);
  at = fmax(at, 1e-3); /* a loss that is proportional to u0 from the start is not quite possible */
  memmove(c->x + 2, c->x + 1, (size_t)c->n * sizeof *c->x);
  memmove(c->y + 2, c->y + 1, (size_t)c->n * sizeof *c->y);
  c->n++;
  c->x[1] = at * c->x[2];
  c->y[1] = 0.0;
  ms_curve_find_slopes(c);
}

/* ---- tables out ---- */

static ms_status open_table(ms_context *ctx, ptrdiff_t rows, ms_density_table **out) {
  ms_density_table *t;
  MS_TRY(ms_allocate(ctx, 1, sizeof *t, &t));
  ms_status status = ms_allocate(ctx, 3 * rows, sizeof(double), &t->phi);
  if (status != MS_SUCCESS) {
    ms_free(ctx, &t);
    return status;
  }
  t->rho = t->phi + rows;
  t->S = t->rho + rows;
  *out = t;
  return MS_SUCCESS;
}

void ms_density_destroy(ms_context *ctx, ms_density_table **table) {
  if (!table || !*table) return;
  ms_free(ctx, &(*table)->phi);
  ms_free(ctx, table);
}

static void fill_deltas(const ms_curve *c, ms_density_end end, ms_density_table *t) {
  double least = ms_joint_tol.same_slope * ms_curve_mass(c);
  int spring = c->kind == MS_CURVE_VIRGIN && end == MS_DENSITY_END_SPRING;
  for (ptrdiff_t i = 1; i <= c->n - spring; i++) {
    if (c->W[i] > least) ms_density_add_row(c->x[i], 0.0, c->W[i] / ms_curve_omega(c, c->x[i]), t);
  }
  if (spring) t->K_inf = c->W[c->n];
}

/* ---- whole ---- */

static ms_status open_density(ms_context *ctx, const ms_density_table *t, ms_density *d) {
  const double *const column[3] = { t->phi, t->rho, t->S };
  if (t->n < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "a density has at least one row");
  ms_status status = ms_density_check_table(ctx, t->n, 3, column);
  if (status != MS_SUCCESS) return ms_fail_at(ctx, status, "density");
  if (!(t->K_inf >= 0.0 && t->K_inf < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "density: K_inf = %g must be >= 0 and finite", t->K_inf);
  }
  MS_TRY(ms_density_open_table(ctx, t->n, 3, column, d));
  d->K_inf = t->K_inf;
  return MS_SUCCESS;
}

static ms_status fill_report(ms_context *ctx, const ms_density_table *t,
                             ms_density_report *report) {
  ms_density d;
  MS_TRY(open_density(ctx, t, &d));
  report->K_T = d.total[0] + d.K_inf;
  report->F_S = d.total[1] + d.K_inf * d.phi_max;
  report->deltas = 0;
  for (ptrdiff_t i = 0; i < t->n; i++) report->deltas += t->S[i] > 0.0;
  ms_density_close(ctx, &d);
  return MS_SUCCESS;
}

/* Stiffness that a loss does not show, up to the stuck stiffness the caller knows. */
static ms_status add_rest(ms_context *ctx, const ms_curve *c, const ms_density_setting *setting,
                          ms_density_table *t, ms_density_report *report) {
  if (c->kind == MS_CURVE_VIRGIN || setting->K_T == 0.0) return MS_SUCCESS;
  double rest = setting->K_T - report->K_T;
  if (!(rest >= -setting->too_stiff * setting->K_T)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "the dissipation needs a total slider stiffness of %g N/m, more than K_T = %g",
                   report->K_T, setting->K_T);
  }
  rest = fmax(0.0, rest);
  if (setting->end == MS_DENSITY_END_SPRING) {
    t->K_inf = rest;
  } else if (t->n > 0 && t->phi[t->n - 1] == c->x[c->n]) {
    t->S[t->n - 1] += rest;
  } else {
    ms_density_add_row(c->x[c->n], 0.0, rest, t);
  }
  return fill_report(ctx, t, report);
}

void ms_density_default(ms_density_setting *setting, size_t size) {
  ms_settings_fill(&(ms_density_setting)MS_DENSITY_SETTING_DEFAULT, setting, size);
}

static ms_status check_setting(ms_context *ctx, const ms_density_setting *s) {
  int valid = s->projection >= 0.0 && s->corner >= 0.0 && s->K_T >= 0.0 && s->K_T < HUGE_VAL &&
              s->too_stiff >= 0.0;
  if (valid) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "density: projection = %g, corner = %g, K_T = %g and too_stiff = %g must be >= 0",
                 s->projection, s->corner, s->K_T, s->too_stiff);
}

static ms_status invert(ms_context *ctx, ms_curve *c, const ms_density_setting *setting,
                        ms_density_table **out, ms_density_report *report) {
  MS_TRY(ms_curve_project(ctx, c, setting->projection, report));
  if (setting->form == MS_DENSITY_DELTAS) insert_first_delta(c);
  /* Before the first sample a loss is flat, and of a virgin curve nothing is known. After the last
     a virgin curve is flat. */
  double first = c->kind == MS_CURVE_VIRGIN ? c->slope[1] : 0.0;
  double last = c->kind == MS_CURVE_VIRGIN ? 0.0 : c->slope[c->n];
  for (ptrdiff_t i = 0; i <= c->n; i++) {
    double before = i > 0 ? c->slope[i] : first, after = i < c->n ? c->slope[i + 1] : last;
    double W = c->kind == MS_CURVE_VIRGIN ? before - after : after - before;
    c->W[i] = W > 0.0 ? W : 0.0;
  }
  MS_TRY(open_table(ctx, 2 * (c->n + 2), out));
  if (setting->form == MS_DENSITY_DELTAS) {
    fill_deltas(c, setting->end, *out);
  } else {
    ms_curve_fill_smooth(c, setting, *out);
  }
  MS_TRY(fill_report(ctx, *out, report));
  return add_rest(ctx, c, setting, *out, report);
}

static ms_status from_curve(ms_context *ctx, ms_curve_kind kind, ptrdiff_t n, const double *x,
                            const double *y, const ms_density_setting *setting,
                            ms_density_table **out, ms_density_report *report) {
  ms_density_setting usual = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report own, *r = report ? report : &own;
  ms_curve c;
  *out = NULL;
  *r = (ms_density_report) { .worst = -1 };
  MS_TAKE(ctx, ms_density_default, setting, usual);
  MS_TRY(check_setting(ctx, setting));
  ms_status status = open_curve(ctx, kind, n, x, y, &c);
  if (status == MS_SUCCESS) status = invert(ctx, &c, setting, out, r);
  ms_free(ctx, &c.memory);
  if (status != MS_SUCCESS) ms_density_destroy(ctx, out);
  return status;
}

ms_status ms_density_from_virgin(ms_context *ctx, ptrdiff_t n, const double *u, const double *F,
                                 const ms_density_setting *setting, ms_density_table **out,
                                 ms_density_report *report) {
  return from_curve(ctx, MS_CURVE_VIRGIN, n, u, F, setting, out, report);
}

ms_status ms_density_from_dissipation(ms_context *ctx, ptrdiff_t n, const double *u0,
                                      const double *D, const ms_density_setting *setting,
                                      ms_density_table **out, ms_density_report *report) {
  return from_curve(ctx, MS_CURVE_LOSS, n, u0, D, setting, out, report);
}

ms_status ms_density_eval_virgin(ms_context *ctx, const ms_density_table *density, ptrdiff_t n,
                                 const double *u, double *F, double *slope) {
  ms_density d;
  MS_TRY(open_density(ctx, density, &d));
  for (ptrdiff_t i = 0; i < n; i++) {
    double k;
    ms_density_virgin(&d, u[i], &F[i], slope ? &slope[i] : &k);
  }
  ms_density_close(ctx, &d);
  return MS_SUCCESS;
}

ms_status ms_density_eval_dissipation(ms_context *ctx, const ms_density_table *density, ptrdiff_t n,
                                      const double *u0, double *D) {
  ms_density d;
  MS_TRY(open_density(ctx, density, &d));
  for (ptrdiff_t i = 0; i < n; i++) D[i] = ms_density_cycle(&d, fabs(u0[i]));
  ms_density_close(ctx, &d);
  return MS_SUCCESS;
}
