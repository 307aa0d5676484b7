/* The inverse problem: a density from a sampled curve. Letters:

     x, y   samples, x[0] = y[0] = 0; y is F or D
     slope  slope[i] of the chord from x[i-1] to x[i]
     W      W[i] = |slope[i+1] - slope[i]| = int omega rho hat_i dphi, exactly, with hat_i the hat
            function of the samples and omega = |y''|/rho: 1 for a virgin curve, 4 phi for a loss
     L      L[i] = int omega hat_i dphi

   Deltas of mass W[i] at x[i] are the piecewise linear curve itself. The smooth form is linear
   between the samples with rho(x[i]) = W[i]/L[i]: it is of second order, has the masses of the
   deltas, and is >= 0 because they are. */
#include <math.h>
#include <string.h>

#include <microslip/density.h>

#include "joint/density.h"

/* What is the same but for rounding: slopes that differ by less, of the greatest, do not differ. */
#define NEGLIGIBLE 1e-12

typedef enum curve_kind { VIRGIN, LOSS } curve_kind;
enum { SMOOTH, CORNER, SHARED };

typedef struct curve {
  curve_kind kind;
  ptrdiff_t n; /* the samples are x[0 .. n] */
  double *x, *y, *slope, *W;
  double *role; /* of a sample in the smooth form: SMOOTH, CORNER (the first of its run), SHARED */
  double *memory;
} curve;

static double omega(const curve *c, double phi) {
  return c->kind == VIRGIN ? 1.0 : 4.0 * phi;
}

/* ---- samples in ---- */

static ms_status check_samples(ms_context *ctx, curve_kind kind, ptrdiff_t n, const double *x,
                               const double *y) {
  const char *x_name = kind == VIRGIN ? "u" : "u0", *y_name = kind == VIRGIN ? "F" : "D";
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
  if (n >= 2 && x[n - 2] > 0.0 && y[n - 1] > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "a density needs two samples or more at %s > 0, %s > 0 at"
                 " the last",
                 x_name, y_name);
}

static ms_status open_curve(ms_context *ctx, curve_kind kind, ptrdiff_t n, const double *x,
                            const double *y, curve *c) {
  *c = (curve) { .kind = kind };
  MS_TRY(check_samples(ctx, kind, n, x, y));
  ptrdiff_t skip = x[0] == 0.0, size = n + 2; /* one more for the first delta of a loss */
  c->n = n - skip;
  MS_TRY(ms_allocate(ctx, 5 * size, sizeof(double), &c->memory));
  c->x = c->memory, c->y = c->x + size, c->slope = c->y + size, c->W = c->slope + size;
  c->role = c->W + size;
  memcpy(c->x + 1, x + skip, (size_t)c->n * sizeof *x);
  memcpy(c->y + 1, y + skip, (size_t)c->n * sizeof *y);
  return MS_SUCCESS;
}

static void compute_slopes(curve *c) {
  for (ptrdiff_t i = 1; i <= c->n; i++) {
    c->slope[i] = (c->y[i] - c->y[i - 1]) / (c->x[i] - c->x[i - 1]);
  }
}

/* ---- projection on concave (convex) curves ---- */

/* Is chord i out of order after chord `before`? */
static int is_out_of_order(const curve *c, double before, double after) {
  return c->kind == VIRGIN ? after > before : after < before;
}

/* Pool adjacent violators: chords out of order are replaced by the chord over both, which gives the
   least concave majorant (greatest convex minorant). W, free so far, holds the last sample of each
   pool. Afterwards slope[1 .. pools], end[1 .. pools]. */
static ptrdiff_t pool_chords(curve *c) {
  ptrdiff_t n = 0;
  double *end = c->W;
  for (ptrdiff_t i = 1; i <= c->n; i++) {
    n++;
    end[n] = (double)i;
    c->slope[n] = c->slope[i];
    while (n > 1 && is_out_of_order(c, c->slope[n - 1], c->slope[n])) {
      ptrdiff_t from = n > 2 ? (ptrdiff_t)end[n - 2] : 0;
      n--;
      end[n] = (double)i;
      c->slope[n] = (c->y[i] - c->y[from]) / (c->x[i] - c->x[from]);
    }
  }
  return n;
}

/* A virgin curve does not fall either. */
static double admissible(const curve *c, double slope) {
  return c->kind == VIRGIN && slope < 0.0 ? 0.0 : slope;
}

static void note_move(double y, double moved, ptrdiff_t i, ms_density_report *report) {
  double size = fmax(fabs(y), fabs(moved)), part = size > 0.0 ? fabs(moved - y) / size : 0.0;
  if (part > NEGLIGIBLE) report->violations++;
  if (part > NEGLIGIBLE && part > report->correction) report->worst = i;
  report->correction = fmax(report->correction, part);
}

/* Moves the samples from + 1 .. to onto their pool's chord. Those inside it that moved by more than
   rounding are marked NaN: the corners between them were noise, and the density is better spread
   over the whole pool. */
static void move_samples(curve *c, ptrdiff_t from, ptrdiff_t to, double y_from, double slope,
                         ms_density_report *report) {
  for (ptrdiff_t i = from + 1; i <= to; i++) {
    double y = y_from + slope * (c->x[i] - c->x[from]);
    note_move(c->y[i], y, i - 1, report);
    if (fabs(y - c->y[i]) <= NEGLIGIBLE * fabs(y)) continue;
    c->y[i] = i < to ? NAN : y;
  }
}

static void drop_marked(curve *c) {
  ptrdiff_t kept = 0;
  for (ptrdiff_t i = 1; i <= c->n; i++) {
    if (isnan(c->y[i])) continue;
    kept++;
    c->x[kept] = c->x[i];
    c->y[kept] = c->y[i];
  }
  c->n = kept;
}

static ms_status project(ms_context *ctx, curve *c, double limit, ms_density_report *report) {
  compute_slopes(c);
  ptrdiff_t pools = pool_chords(c), from = 0;
  double y_from = 0.0;
  for (ptrdiff_t p = 1; p <= pools; p++) {
    ptrdiff_t to = (ptrdiff_t)c->W[p];
    double slope = admissible(c, c->slope[p]);
    move_samples(c, from, to, y_from, slope, report);
    y_from = c->y[to];
    from = to;
  }
  drop_marked(c);
  compute_slopes(c);
  if (report->correction <= limit) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "the curve is not %s: %td samples would have to move, sample %td (from 0) by %.2g "
                 "of itself; smooth it, or allow that much in the setting `projection`",
                 c->kind == VIRGIN ? "concave and rising" : "convex", report->violations,
                 report->worst, report->correction);
}

/* ---- masses ---- */

/* Before the first sample a loss is flat, and of a virgin curve nothing is known. After the last a
   virgin curve is flat. */
static void compute_masses(curve *c) {
  double first = c->kind == VIRGIN ? c->slope[1] : 0.0;
  double last = c->kind == VIRGIN ? 0.0 : c->slope[c->n];
  for (ptrdiff_t i = 0; i <= c->n; i++) {
    double before = i > 0 ? c->slope[i] : first, after = i < c->n ? c->slope[i + 1] : last;
    double W = c->kind == VIRGIN ? before - after : after - before;
    c->W[i] = W > 0.0 ? W : 0.0;
  }
}

/* A loss that rises from zero at once would need sliders at phi = 0, infinitely many. As deltas,
   the first lies where a straight line through the first sample, no steeper than the next chord,
   comes up from zero: at x[1]/3 if that may be, the centroid for a density without a pole. */
static void insert_first_delta(curve *c) {
  if (c->kind == VIRGIN || c->slope[1] == 0.0) return;
  double next = c->n > 1 ? c->slope[2] : HUGE_VAL;
  double at = fmin(1.0 / 3.0, 1.0 - c->slope[1] / next);
  at = fmax(at, 1e-3); /* a loss that is proportional to u0 from the start is not quite possible */
  memmove(c->x + 2, c->x + 1, (size_t)c->n * sizeof *c->x);
  memmove(c->y + 2, c->y + 1, (size_t)c->n * sizeof *c->y);
  c->n++;
  c->x[1] = at * c->x[2];
  c->y[1] = 0.0;
  compute_slopes(c);
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

static void add_row(double phi, double rho, double S, ms_density_table *t) {
  t->phi[t->n] = phi;
  t->rho[t->n] = rho;
  t->S[t->n] = S;
  t->n++;
}

static double total_mass(const curve *c) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i <= c->n; i++) sum += c->W[i];
  return sum;
}

static void fill_deltas(const curve *c, ms_density_end end, ms_density_table *t) {
  double least = NEGLIGIBLE * total_mass(c);
  int spring = c->kind == VIRGIN && end == MS_DENSITY_END_SPRING;
  for (ptrdiff_t i = 1; i <= c->n - spring; i++) {
    if (c->W[i] > least) add_row(c->x[i], 0.0, c->W[i] / omega(c, c->x[i]), t);
  }
  if (spring) t->K_inf = c->W[c->n];
}

/* ---- corners ---- */

/* int omega hat_i hat_k dphi over one chord from a to b: both at a, one at either end, both at b.
 */
typedef struct chord_mass {
  double aa, ab, bb;
} chord_mass;

static chord_mass mass_of_chord(const curve *c, double a, double b) {
  double h = b - a;
  if (c->kind == VIRGIN) return (chord_mass) { h / 3.0, h / 6.0, h / 3.0 };
  return (chord_mass) { h * (a + b / 3.0), h * (a + b) / 3.0, h * (a / 3.0 + b) };
}

static double hat_mass(const curve *c, ptrdiff_t i) {
  chord_mass none = { 0.0, 0.0, 0.0 };
  chord_mass low = i > 0 ? mass_of_chord(c, c->x[i - 1], c->x[i]) : none;
  chord_mass high = i < c->n ? mass_of_chord(c, c->x[i], c->x[i + 1]) : none;
  return low.ab + low.bb + high.aa + high.ab;
}

/* Samples 1 .. n - 1, for a loss also 0, have a mass that tells the density there. */
static ptrdiff_t first_sample(const curve *c) {
  return c->kind == VIRGIN ? 1 : 0;
}

static double density_at(const curve *c, ptrdiff_t i) {
  return i >= first_sample(c) && i < c->n ? c->W[i] / hat_mass(c, i) : 0.0;
}

/* The mass of a delta between two samples is split over both: compare with those two away. */
static int is_corner(const curve *c, ptrdiff_t i, double ratio, double least) {
  if (i < 1 || i >= c->n || !(ratio > 0.0) || !(c->W[i] > least)) return 0;
  if (i - 2 < first_sample(c) && i + 2 >= c->n) return 0; /* nothing to compare with */
  return density_at(c, i) > ratio * fmax(density_at(c, i - 2), density_at(c, i + 2));
}

/* Does the sample i beside a corner hold a part of its delta? `outer` is the one beyond. A wrong
   answer shifts the delta by an error of second order. */
#define SHARE 1.25
static int shares_delta(const curve *c, ptrdiff_t i, ptrdiff_t outer) {
  return i >= 1 && c->role[i] == SMOOTH && density_at(c, i) > SHARE * density_at(c, outer);
}

/* The neighbour that shares corner i's delta, or i itself. */
static ptrdiff_t find_partner(const curve *c, ptrdiff_t i, double ratio, double least) {
  if (is_corner(c, i + 1, ratio, least)) return i + 1;
  int left = shares_delta(c, i - 1, i - 2), right = shares_delta(c, i + 1, i + 2);
  if (left && (!right || density_at(c, i - 1) > density_at(c, i + 1))) return i - 1;
  return right ? i + 1 : i;
}

static void mark_run(curve *c, ptrdiff_t i, ptrdiff_t partner) {
  ptrdiff_t low = partner < i ? partner : i, high = partner > i ? partner : i;
  c->role[high] = SHARED;
  c->role[low] = CORNER;
}

/* The last sample's own mass is a delta when it slips; one just before it is shared with the sample
   before. */
static void mark_end(curve *c, double ratio, double least) {
  ptrdiff_t n = c->n;
  int corner_before = c->role[n - 1] == CORNER, shares = shares_delta(c, n - 1, n - 2);
  int corner =
      ratio > 0.0 && c->W[n] > least && c->W[n] > ratio * hat_mass(c, n) * density_at(c, n - 2);
  if (corner_before || (corner && shares)) mark_run(c, n - 1, n);
}

static void mark_corners(curve *c, const ms_density_setting *setting) {
  double least = 1e3 * NEGLIGIBLE * total_mass(c), ratio = setting->corner;
  for (ptrdiff_t i = 1; i < c->n; i++) {
    if (c->role[i] != SMOOTH || !is_corner(c, i, ratio, least)) continue;
    mark_run(c, i, find_partner(c, i, ratio, least));
  }
  if (c->kind == VIRGIN && setting->end == MS_DENSITY_END_SLIPS) mark_end(c, ratio, least);
}

/* ---- the smooth form ---- */

/* rho at a sample; 0 at those whose mass is a delta. */
static double smooth_at(const curve *c, ptrdiff_t i) {
  return i >= 0 && i < c->n && c->role[i] == SMOOTH ? density_at(c, i) : 0.0;
}

typedef struct delta {
  double phi, S, rho_left, rho_right;
} delta;

/* int_a^b omega phi^j dphi, j = 0 or 1. */
static double omega_moment(const curve *c, double a, double b, int j) {
  double p = c->kind == VIRGIN ? 1.0 + j : 2.0 + j;
  return omega(c, 1.0) * (pow(b, p) - pow(a, p)) / p;
}

/* The delta of the samples first .. last, placed so that together with the smooth density on both
   sides it keeps mass and first moment of their hats. Settles at once: the smooth part is a small
   correction. */
static delta place_delta(const curve *c, ptrdiff_t first, ptrdiff_t last) {
  double a = c->x[first], b = c->x[last], mass = 0.0, moment = 0.0;
  chord_mass low = mass_of_chord(c, c->x[first - 1], a);
  chord_mass high = mass_of_chord(c, b, last < c->n ? c->x[last + 1] : b);
  delta d = { .rho_left = smooth_at(c, first - 1), .rho_right = smooth_at(c, last + 1) };
  double left = d.rho_left * (low.ab + low.bb), right = d.rho_right * (high.aa + high.ab);
  for (ptrdiff_t i = first; i <= last; i++) {
    mass += c->W[i];
    moment += c->W[i] * c->x[i];
  }
  d.phi = mass > 0.0 ? moment / mass : b;
  for (int round = 0; round < 4; round++) {
    double W = mass - left - right, turning = moment - left * a - right * b;
    W -= d.rho_left * omega_moment(c, a, d.phi, 0) + d.rho_right * omega_moment(c, d.phi, b, 0);
    turning -=
        d.rho_left * omega_moment(c, a, d.phi, 1) + d.rho_right * omega_moment(c, d.phi, b, 1);
    if (W > 0.0) d.phi = fmax(a, fmin(b, turning / W));
    d.S = fmax(0.0, W / omega(c, d.phi));
  }
  return d;
}

/* One sample or run of samples from i < n on; returns the next. */
static ptrdiff_t add_sample(const curve *c, ptrdiff_t i, ms_density_table *t) {
  if (c->role[i] == SMOOTH) {
    add_row(c->x[i], density_at(c, i), 0.0, t);
    return i + 1;
  }
  ptrdiff_t last = c->role[i + 1] == SHARED ? i + 1 : i;
  delta d = place_delta(c, i, last);
  add_row(d.phi, d.rho_left, d.S, t);
  if (last < c->n) add_row(d.phi, d.rho_right, 0.0, t);
  return last + 1;
}

/* The density goes on to the last sample as it is before, as far as the mass there allows; the rest
   of that mass is the delta or the spring. A loss does not show it: the density runs out. */
static void add_end(const curve *c, ms_density_end end, ms_density_table *t) {
  double L = hat_mass(c, c->n), rho = fmin(smooth_at(c, c->n - 1), c->W[c->n] / L);
  double S = fmax(0.0, c->W[c->n] - rho * L) / omega(c, c->x[c->n]);
  int spring = c->kind == VIRGIN && end == MS_DENSITY_END_SPRING;
  if (spring) t->K_inf = S;
  add_row(c->x[c->n], rho, spring ? 0.0 : S, t);
}

/* To phi = 0 it goes on as it is at the first sample. */
static void fill_smooth(curve *c, const ms_density_setting *setting, ms_density_table *t) {
  ptrdiff_t i = first_sample(c);
  mark_corners(c, setting);
  if (i > 0 && c->n > 1 && c->role[i] == SMOOTH) add_row(0.0, density_at(c, i), 0.0, t);
  while (i < c->n) i = add_sample(c, i, t);
  if (i == c->n) add_end(c, setting->end, t);
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
#define TOO_STIFF 1e-2
static ms_status add_rest(ms_context *ctx, const curve *c, const ms_density_setting *setting,
                          ms_density_table *t, ms_density_report *report) {
  if (c->kind == VIRGIN || setting->K_T == 0.0) return MS_SUCCESS;
  double rest = setting->K_T - report->K_T;
  if (!(rest >= -TOO_STIFF * setting->K_T)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "the loss needs sliders of stiffness %g N/m in all, more than K_T = %g",
                   report->K_T, setting->K_T);
  }
  rest = fmax(0.0, rest);
  if (setting->end == MS_DENSITY_END_SPRING) {
    t->K_inf = rest;
  } else if (t->n > 0 && t->phi[t->n - 1] == c->x[c->n]) {
    t->S[t->n - 1] += rest;
  } else {
    add_row(c->x[c->n], 0.0, rest, t);
  }
  return fill_report(ctx, t, report);
}

static ms_status check_setting(ms_context *ctx, const ms_density_setting *s) {
  int sound = s->projection >= 0.0 && s->corner >= 0.0 && s->K_T >= 0.0 && s->K_T < HUGE_VAL;
  if (sound) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "density: projection = %g, corner = %g and K_T = %g must be >= 0", s->projection,
                 s->corner, s->K_T);
}

static ms_status invert(ms_context *ctx, curve *c, const ms_density_setting *setting,
                        ms_density_table **out, ms_density_report *report) {
  MS_TRY(project(ctx, c, setting->projection, report));
  if (setting->form == MS_DENSITY_DELTAS) insert_first_delta(c);
  compute_masses(c);
  MS_TRY(open_table(ctx, 2 * (c->n + 2), out));
  if (setting->form == MS_DENSITY_DELTAS) {
    fill_deltas(c, setting->end, *out);
  } else {
    fill_smooth(c, setting, *out);
  }
  MS_TRY(fill_report(ctx, *out, report));
  return add_rest(ctx, c, setting, *out, report);
}

static ms_status from_curve(ms_context *ctx, curve_kind kind, ptrdiff_t n, const double *x,
                            const double *y, const ms_density_setting *setting,
                            ms_density_table **out, ms_density_report *report) {
  static const ms_density_setting usual = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report own, *r = report ? report : &own;
  curve c;
  *out = NULL;
  *r = (ms_density_report) { .worst = -1 };
  MS_TRY(check_setting(ctx, setting ? setting : &usual));
  ms_status status = open_curve(ctx, kind, n, x, y, &c);
  if (status == MS_SUCCESS) status = invert(ctx, &c, setting ? setting : &usual, out, r);
  ms_free(ctx, &c.memory);
  if (status != MS_SUCCESS) ms_density_destroy(ctx, out);
  return status;
}

ms_status ms_density_from_virgin(ms_context *ctx, ptrdiff_t n, const double *u, const double *F,
                                 const ms_density_setting *setting, ms_density_table **out,
                                 ms_density_report *report) {
  return from_curve(ctx, VIRGIN, n, u, F, setting, out, report);
}

ms_status ms_density_from_dissipation(ms_context *ctx, ptrdiff_t n, const double *u0,
                                      const double *D, const ms_density_setting *setting,
                                      ms_density_table **out, ms_density_report *report) {
  return from_curve(ctx, LOSS, n, u0, D, setting, out, report);
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
