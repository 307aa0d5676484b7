/* Bounded memory for the slider field: merging segments.

   A slow ring-down leaves one thin segment per half cycle, a zigzag of the anchors x(phi). A run of
   nodes A, n_1 ... n_g, Z becomes A, B, Z with B at the middle node's phi and its anchor chosen so
   that int rho x over the run stays what it was. The force now is unchanged. Later, a front inside
   the run sees the error P(phi) = int_phi^A rho (x_new - x), which is zero at both ends of the run,
   so errors of different runs do not add; those of nested merges do, and each segment carries its
   bound along. A run is merged only if that bound stays below the tolerance. */
#include <math.h>
#include <string.h>

#include "joint/iwan/field.h"

enum { LONG_RUN = 6, SHORT_RUN = 2 };

/* fmax and fmin are calls where NaN must be honoured; here there is none. */
static inline double larger(double a, double b) {
  return a > b ? a : b;
}

static inline double smaller(double a, double b) {
  return a < b ? a : b;
}

static double anchor(const ms_segment *g, double phi) {
  return g->c + g->slope * phi;
}

/* int_phi^phi_max rho x, from a segment that ends at (or has its lower end at) phi. */
static double anchored_moment(const ms_segment *g, const double m[3]) {
  return -(g->G + g->c * m[0] + g->slope * m[1]);
}

/* A segment below node `top` (which keeps its phi, moments and sums) through a given anchor. */
static ms_segment redraw(const ms_segment *top, double x_top, double slope) {
  ms_segment s = *top;
  s.slope = slope;
  s.c = x_top - slope * top->phi;
  s.G = top->G + (top->c - s.c) * top->moment[0] + (top->slope - s.slope) * top->moment[1];
  return s;
}

/* Slope from node (phi, x) down to (phi_below, x_below), no steeper than the run's own: rounding
   in a run a few ulp wide must not make anchors steeper than slip can. */
static double slope_between(double phi, double x, double phi_below, double x_below,
                            double steepest) {
  double width = phi - phi_below;
  double slope = width > 0.0 ? (x - x_below) / width : 0.0;
  return larger(-steepest, smaller(steepest, slope));
}

/* int rho x over [low, high] for anchors c + slope*phi. */
static double moment_between(double c, double slope, const double high[3], const double low[3]) {
  return c * (high[0] - low[0]) + slope * (high[1] - low[1]);
}

/* The anchor at the middle node that keeps int rho x over the run: the integral is linear in it. */
static double choose_anchor(const ms_segment *a, const ms_segment *b, double x_a, const double *m_z,
                            double phi_z, double x_z, double wanted) {
  double upper = a->phi - b->phi, lower = b->phi - phi_z;
  if (!(upper > 0.0) || !(lower > 0.0)) return anchor(b, b->phi);
  double base = 0.0, gain = 0.0; /* integral = base + gain * x_b, by hat functions */
  base += moment_between(-x_a * b->phi / upper, x_a / upper, a->moment, b->moment);
  gain += moment_between(a->phi / upper, -1.0 / upper, a->moment, b->moment);
  gain += moment_between(-phi_z / lower, 1.0 / lower, b->moment, m_z);
  base += moment_between(x_z * b->phi / lower, -x_z / lower, b->moment, m_z);
  return gain > 0.0 ? (wanted - base) / gain : anchor(b, b->phi);
}

typedef struct merged_run {
  ms_segment upper, lower;
  double error;
} merged_run;

/* Bound on |P| over the run: its value at the nodes, plus what it can gain between two. */
static double run_error(const ms_segment *g, ptrdiff_t n_segment, const double *m_z, double phi_z,
                        const merged_run *run) {
  double nodes = 0.0, between = 0.0, nested = 0.0;
  double dx_above = anchor(&run->upper, g->phi) - anchor(g, g->phi);
  for (ptrdiff_t i = 0; i < n_segment; i++) {
    const double *m_low = i + 1 < n_segment ? g[i + 1].moment : m_z;
    double low = i + 1 < n_segment ? g[i + 1].phi : phi_z;
    const ms_segment *fresh = low >= run->lower.phi ? &run->upper : &run->lower;
    double P = anchored_moment(fresh, m_low) - anchored_moment(&g[i], m_low);
    double dx = anchor(fresh, low) - anchor(&g[i], low);
    nodes = larger(nodes, fabs(P));
    between = larger(between, larger(fabs(dx), fabs(dx_above)) * (g[i].moment[0] - m_low[0]));
    nested = larger(nested, g[i].error);
    dx_above = dx;
  }
  return nested + nodes + between;
}

/* Merges g[0 .. n_segment-1], whose last segment ends below at Z, into two. */
static merged_run merge_run(const ms_segment *g, ptrdiff_t n_segment, const double *m_z,
                            double phi_z) {
  const ms_segment *b = &g[n_segment / 2], *last = &g[n_segment - 1];
  double x_a = anchor(g, g->phi), x_z = anchor(last, phi_z);
  double wanted = anchored_moment(last, m_z) - anchored_moment(g, g->moment);
  double x_b = choose_anchor(g, b, x_a, m_z, phi_z, x_z, wanted);
  double steepest = 0.0;
  for (ptrdiff_t i = 0; i < n_segment; i++) steepest = larger(steepest, fabs(g[i].slope));
  merged_run run;
  run.upper = redraw(g, x_a, slope_between(g->phi, x_a, b->phi, x_b, steepest));
  ms_segment node = run.upper;
  node.phi = b->phi;
  memcpy(node.moment, b->moment, sizeof node.moment);
  x_b = anchor(&run.upper, b->phi);
  run.lower = redraw(&node, x_b, slope_between(b->phi, x_b, phi_z, x_z, steepest));
  run.error = run_error(g, n_segment, m_z, phi_z, &run);
  run.upper.error = run.lower.error = run.error;
  return run;
}

/* Tries g[i ..] with `interior` nodes; on success writes two segments and returns the number read.
 */
static ptrdiff_t try_run(const ms_field *f, ptrdiff_t i, ptrdiff_t interior, double limit,
                         ms_segment *out, double *error) {
  ptrdiff_t n_segment = interior + 1, z = i + n_segment;
  if (z > f->n) return 0;
  /* A tooth of the zigzag alone errs by about this much: do not compute what cannot succeed. */
  const ms_segment *g = &f->segment[i + 1];
  double tooth = (g[-1].phi - g->phi) * fabs(g[-1].slope) * (g[-1].moment[0] - g->moment[0]);
  if (tooth > 16.0 * limit) return 0;
  double phi_z = z < f->n ? f->segment[z].phi : f->front;
  const double *m_z = z < f->n ? f->segment[z].moment : f->moment;
  merged_run run = merge_run(&f->segment[i], n_segment, m_z, phi_z);
  if (!(run.error <= limit)) return 0;
  out[0] = run.upper;
  out[1] = run.lower;
  *error = larger(*error, run.error);
  return n_segment;
}

void ms_field_merge(const ms_density *d, double tolerance, ptrdiff_t from, ms_field *f) {
  double limit = tolerance * d->total[1];
  ptrdiff_t n = from, i = from;
  while (i < f->n) { /* in place: a run is read before its two segments are written */
    ms_segment fresh[2];
    ptrdiff_t read = try_run(f, i, LONG_RUN, limit, fresh, &f->merge_error);
    if (!read) read = try_run(f, i, SHORT_RUN, limit, fresh, &f->merge_error);
    if (read) {
      memcpy(&f->segment[n], fresh, sizeof fresh);
      i += read;
      n += 2;
    } else {
      f->segment[n++] = f->segment[i++];
    }
  }
  f->n = f->settled = n;
}

/* New segments first; all of them only when the list would have to grow. */
static int merge_enough(const ms_density *d, double tolerance, ms_field *f, ptrdiff_t extra) {
  if (f->settled > f->n) f->settled = f->n;
  ms_field_merge(d, tolerance, f->settled, f);
  if (f->n + extra <= f->limit - f->limit / 4) return 1;
  ms_field_merge(d, tolerance, 0, f);
  return f->n + extra <= f->limit / 2;
}

static ms_status hold(ms_context *ctx, ms_field *f, ptrdiff_t wanted) {
  ptrdiff_t capacity = f->capacity;
  if (wanted <= capacity) return MS_SUCCESS;
  while (capacity < wanted) capacity *= 2;
  MS_TRY(ms_resize(ctx, capacity, sizeof *f->segment, &f->segment));
  f->capacity = capacity;
  return MS_SUCCESS;
}

ms_status ms_field_reserve(ms_context *ctx, const ms_density *d, const ms_field_setting *setting,
                           ms_field *f, ptrdiff_t wanted) {
  ptrdiff_t extra = wanted - f->n;
  double tolerance = setting->merge_tolerance;
  if (wanted > f->limit && !(tolerance > 0.0 && merge_enough(d, tolerance, f, extra))) {
    do f->limit *= 2;
    while (f->limit < f->n + extra);
  }
  return hold(ctx, f, f->n + extra);
}
