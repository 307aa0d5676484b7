/* The smooth form of a density, linear between the samples, with deltas where the curve has
   corners. Letters: inverse.c. */
#include "joint/iwan/inverse.h"
#include "joint/tolerance.h"

#include <math.h>

/* ---- corners ---- */

/* int omega hat_i hat_k dphi over one chord from a to b: both at a, one at either end, both at b.
 */
typedef struct chord_mass {
  double aa, ab, bb;
} chord_mass;

static chord_mass mass_of_chord(const ms_curve *c, double a, double b) {
  double h = b - a;
  if (c->kind == MS_CURVE_VIRGIN) return (chord_mass) { h / 3.0, h / 6.0, h / 3.0 };
  return (chord_mass) { h * (a + b / 3.0), h * (a + b) / 3.0, h * (a / 3.0 + b) };
}

static double hat_mass(const ms_curve *c, ptrdiff_t i) {
  chord_mass none = { 0.0, 0.0, 0.0 };
  chord_mass low = i > 0 ? mass_of_chord(c, c->x[i - 1], c->x[i]) : none;
  chord_mass high = i < c->n ? mass_of_chord(c, c->x[i], c->x[i + 1]) : none;
  return low.ab + low.bb + high.aa + high.ab;
}

/* Samples 1 .. n - 1, for a loss also 0, have a mass that tells the density there. */
static ptrdiff_t first_sample(const ms_curve *c) {
  return c->kind == MS_CURVE_VIRGIN ? 1 : 0;
}

static double density_at(const ms_curve *c, ptrdiff_t i) {
  return i >= first_sample(c) && i < c->n ? c->W[i] / hat_mass(c, i) : 0.0;
}

/* The mass of a delta between two samples is split over both: compare with those two away. */
static int is_corner(const ms_curve *c, ptrdiff_t i, double ratio, double least) {
  if (i < 1 || i >= c->n || !(ratio > 0.0) || !(c->W[i] > least)) return 0;
  if (i - 2 < first_sample(c) && i + 2 >= c->n) return 0; /* nothing to compare with */
  return density_at(c, i) > ratio * fmax(density_at(c, i - 2), density_at(c, i + 2));
}

/* Does the sample i beside a corner hold a part of its delta? `outer` is the one beyond. */
static int shares_delta(const ms_curve *c, ptrdiff_t i, ptrdiff_t outer) {
  return i >= 1 && c->role[i] == MS_CURVE_SMOOTH &&
         density_at(c, i) > ms_joint_tol.shares * density_at(c, outer);
}

/* The neighbour that shares corner i's delta, or i itself. */
static ptrdiff_t find_partner(const ms_curve *c, ptrdiff_t i, double ratio, double least) {
  if (is_corner(c, i + 1, ratio, least)) return i + 1;
  int left = shares_delta(c, i - 1, i - 2), right = shares_delta(c, i + 1, i + 2);
  if (left && (!right || density_at(c, i - 1) > density_at(c, i + 1))) return i - 1;
  return right ? i + 1 : i;
}

static void mark_run(ms_curve *c, ptrdiff_t i, ptrdiff_t partner) {
  ptrdiff_t low = partner < i ? partner : i, high = partner > i ? partner : i;
  c->role[high] = MS_CURVE_SHARED;
  c->role[low] = MS_CURVE_CORNER;
}

/* The last sample's own mass is a delta when it slips; one just before it is shared with the sample
   before. */
static void mark_end(ms_curve *c, double ratio, double least) {
  ptrdiff_t n = c->n;
  int corner_before = c->role[n - 1] == MS_CURVE_CORNER, shares = shares_delta(c, n - 1, n - 2);
  int corner =
      ratio > 0.0 && c->W[n] > least && c->W[n] > ratio * hat_mass(c, n) * density_at(c, n - 2);
  if (corner_before || (corner && shares)) mark_run(c, n - 1, n);
}

static void mark_corners(ms_curve *c, const ms_density_setting *setting) {
  double least = 1e3 * ms_joint_tol.same_slope * ms_curve_mass(c), ratio = setting->corner;
  for (ptrdiff_t i = 1; i < c->n; i++) {
    if (c->role[i] != MS_CURVE_SMOOTH || !is_corner(c, i, ratio, least)) continue;
    mark_run(c, i, find_partner(c, i, ratio, least));
  }
  if (c->kind == MS_CURVE_VIRGIN && setting->end == MS_DENSITY_END_SLIPS) mark_end(c, ratio, least);
}

/* ---- the smooth form ---- */

/* rho at a sample; 0 at those whose mass is a delta. */
static double smooth_at(const ms_curve *c, ptrdiff_t i) {
  return i >= 0 && i < c->n && c->role[i] == MS_CURVE_SMOOTH ? density_at(c, i) : 0.0;
}

typedef struct delta {
  double phi, S, rho_left, rho_right;
} delta;

/* int_a^b omega phi^j dphi, j = 0 or 1. */
static double omega_moment(const ms_curve *c, double a, double b, int j) {
  double p = c->kind == MS_CURVE_VIRGIN ? 1.0 + j : 2.0 + j;
  return ms_curve_omega(c, 1.0) * (pow(b, p) - pow(a, p)) / p;
}

/* The delta of the samples first .. last, placed so that together with the smooth density on both
   sides it keeps mass and first moment of their hats. Settles at once: the smooth part is a small
   correction. */
static delta place_delta(const ms_curve *c, ptrdiff_t first, ptrdiff_t last) {
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
    d.S = fmax(0.0, W / ms_curve_omega(c, d.phi));
  }
  return d;
}

/* One sample or run of samples from i < n on; returns the next. */
static ptrdiff_t add_sample(const ms_curve *c, ptrdiff_t i, ms_density_table *t) {
  if (c->role[i] == MS_CURVE_SMOOTH) {
    ms_density_add_row(c->x[i], density_at(c, i), 0.0, t);
    return i + 1;
  }
  ptrdiff_t last = c->role[i + 1] == MS_CURVE_SHARED ? i + 1 : i;
  delta d = place_delta(c, i, last);
  ms_density_add_row(d.phi, d.rho_left, d.S, t);
  if (last < c->n) ms_density_add_row(d.phi, d.rho_right, 0.0, t);
  return last + 1;
}

/* The density goes on to the last sample as it is before, as far as the mass there allows; the rest
   of that mass is the delta or the spring. A loss does not show it: the density runs out. */
static void add_end(const ms_curve *c, ms_density_end end, ms_density_table *t) {
  double L = hat_mass(c, c->n), rho = fmin(smooth_at(c, c->n - 1), c->W[c->n] / L);
  double S = fmax(0.0, c->W[c->n] - rho * L) / ms_curve_omega(c, c->x[c->n]);
  int spring = c->kind == MS_CURVE_VIRGIN && end == MS_DENSITY_END_SPRING;
  if (spring) t->K_inf = S;
  ms_density_add_row(c->x[c->n], rho, spring ? 0.0 : S, t);
}

/* To phi = 0 it goes on as it is at the first sample. */
void ms_curve_fill_smooth(ms_curve *c, const ms_density_setting *setting, ms_density_table *t) {
  ptrdiff_t i = first_sample(c);
  mark_corners(c, setting);
  if (i > 0 && c->n > 1 && c->role[i] == MS_CURVE_SMOOTH)
    ms_density_add_row(0.0, density_at(c, i), 0.0, t);
  while (i < c->n) i = add_sample(c, i, t);
  if (i == c->n) add_end(c, setting->end, t);
}
