/* Bounded memory for the slider field with a friction drop.

   A ring-down leaves thin stuck segments, by turns on two lines that lie (1 - theta) phi apart: two
   populations, which must not be averaged. Two steps shorten such a list:

     join   neighbours A, C on nearly the same line become one,
     sort   A, B, C with A and C on nearly the same line become A + C, B.

   The joined anchors are shifted such that int rho x over the run, and with it the force, stays
   what it is. Later a slider can be wrong only if it stands so near to slip that the shift or its
   changed place decides. Such sliders are counted as in doubt (field.c), and bound the error. A
   run grows while 2 int rho phi over all of it stays below the tolerance. */
#include <math.h>
#include <string.h>

#include "joint/iwan5/field.h"
#include "joint/tolerance.h"

int ms_segment5_is_exact(const ms_segment5 *g) {
  return g->spread == 0.0 && g->run_top == 0.0 && g->doubt == 0.0 && g->front_doubt == 0.0;
}

/* ---- lines ---- */

static double anchor(const ms_segment5 *g, double phi) {
  return g->c + g->slope * phi;
}

/* int rho x between two phi, given their moments. */
static double anchored(const ms_segment5 *g, const double high[3], const double low[3]) {
  return g->c * (high[0] - low[0]) + g->slope * (high[1] - low[1]);
}

/* How far line g is from line h between two phi: the ends decide. */
static double line_distance(const ms_segment5 *g, const ms_segment5 *h, double phi, double low) {
  return fmax(fabs(anchor(g, phi) - anchor(h, phi)), fabs(anchor(g, low) - anchor(h, low)));
}

/* The sliders of g lie in [low, top], or in the run they were part of before. */
static void widen_run(ms_segment5 *g, double low, double top) {
  g->run_low = g->run_top > 0.0 ? fmin(g->run_low, low) : low;
  g->run_top = fmax(g->run_top, top);
}

/* ---- merging ---- */

typedef struct merge5 {
  const ms_field5_setting *s;
  ms_field5 *f;
  double limit;     /* on int rho phi of a run */
  double front;     /* phi of the present front: the next reversals come from there */
  ms_segment5 *out; /* the new list, at the front of the old one */
  ptrdiff_t n;
} merge5;

/* May the segments from `top` down to phi_low, with moments `low`, be one run? It must be far
   enough from the front, measured in its width, that reversals near the front cannot reach into it.
 */
static int is_thin(const merge5 *m, const ms_segment5 *top, double phi_low, const double low[3]) {
  return top->moment[1] - low[1] <= m->limit &&
         phi_low - m->front >= ms_joint_tol.merge_clear * (top->phi - phi_low);
}

/* A with C's sliders: A's slope, anchors shifted so that int rho x is `wanted` over the joined
   segment, whose lower end has moments `end`. A and C ended at a_low and c_low. */
static ms_segment5 absorb(const ms_segment5 *a, double a_low, const ms_segment5 *c, double c_low,
                          const double end[3], double wanted) {
  ms_segment5 joined = *a;
  double m0 = a->moment[0] - end[0], m1 = a->moment[1] - end[1];
  if (m0 > 0.0) joined.c = (wanted - a->slope * m1) / m0;
  double from_a = line_distance(&joined, a, a->phi, a_low);
  double from_c = line_distance(&joined, c, c->phi, c_low);
  joined.spread = fmax(a->spread + from_a, c->spread + from_c);
  joined.doubt = a->doubt + a->front_doubt + c->doubt + c->front_doubt;
  joined.front_doubt = 0.0;
  if (a->run_top > 0.0 || c->run_top > 0.0) widen_run(&joined, c_low, a->phi);
  if (c->run_top > 0.0) widen_run(&joined, c->run_low, c->run_top);
  return joined;
}

static int is_near(const merge5 *m, const ms_segment5 *g, double width) {
  double r = m->f->r;
  return g->spread + r * (g->run_top - g->run_low) <= ms_joint_tol.merge_near * r * width;
}

/* Joins segment c, which ends at c_low, to the last one written. Dust joins even where the line is
   another; it is in doubt from then on. */
static int join(merge5 *m, const ms_segment5 *c, double c_low, const double low[3]) {
  if (m->n < 1) return 0;
  ms_segment5 *a = &m->out[m->n - 1];
  if (a->flag != 0.0 || c->flag != 0.0) return 0;
  double wanted = anchored(a, a->moment, c->moment) + anchored(c, c->moment, low);
  double mass = c->moment[1] - low[1];
  ms_segment5 joined = absorb(a, c->phi, c, c_low, low, wanted);
  if (!is_thin(m, a, c_low, low) || !is_near(m, &joined, a->phi - c_low)) {
    if (mass > ms_joint_tol.dust * m->s->density.total[1]) return 0;
    joined.spread = a->spread + line_distance(&joined, a, a->phi, c->phi);
    joined.doubt += mass;
  }
  *a = joined;
  return 1;
}

/* A, B written last, C to come: A takes C's sliders, B moves down by their width. Sliders that are
   now elsewhere carry another force when they slip, by their way times their stiffness. */
static int sort(merge5 *m, const ms_segment5 *c, double c_low, const double low[3]) {
  if (m->n < 2) return 0;
  ms_segment5 *a = &m->out[m->n - 2], *b = &m->out[m->n - 1], moved = *b;
  if (a->flag != 0.0 || b->flag != 0.0 || c->flag != 0.0 || !is_thin(m, a, c_low, low)) return 0;
  double shift = c->phi - c_low, b_width = b->phi - c->phi;
  moved.phi = c_low + b_width;
  if (!(moved.phi < a->phi && moved.phi > c_low)) return 0;
  ms_density_moments(&m->s->density, moved.phi, moved.moment);
  double wanted = anchored(a, a->moment, b->moment) + anchored(b, b->moment, c->moment) +
                  anchored(c, c->moment, low) - anchored(&moved, moved.moment, low);
  ms_segment5 joined = absorb(a, b->phi, c, c_low, moved.moment, wanted);
  widen_run(&joined, c_low, a->phi);
  widen_run(&moved, c_low, a->phi);
  if (!is_near(m, &joined, a->phi - c_low) || !is_near(m, &moved, a->phi - c_low)) return 0;
  moved.doubt += (a->moment[0] - low[0]) * fmin(shift, b_width);
  *a = joined;
  *b = moved;
  return 1;
}

static void merge_list(const ms_field5_setting *s, double tolerance, ms_field5 *f) {
  static const double none[3] = { 0.0, 0.0, 0.0 };
  double limit = 0.5 * tolerance * s->density.total[1];
  double front = f->n_stuck < f->n ? f->segment[f->n_stuck].phi : 0.0;
  merge5 m = { s, f, limit, front, f->segment, 0 };
  for (ptrdiff_t i = 0; i < f->n; i++) { /* in place: c is read before it can be overwritten */
    ms_segment5 c = f->segment[i];
    const double *low = i + 1 < f->n ? f->segment[i + 1].moment : none;
    double c_low = i + 1 < f->n ? f->segment[i + 1].phi : 0.0;
    if (!join(&m, &c, c_low, low) && !sort(&m, &c, c_low, low)) m.out[m.n++] = c;
  }
  f->n = m.n;
  ms_field5_link(f, 0);
}

ms_status ms_field5_reserve(ms_context *ctx, const ms_field5_setting *s, double tolerance,
                            ms_field5 *f, ptrdiff_t wanted) {
  ptrdiff_t extra = wanted - f->n, capacity = f->capacity;
  if (wanted > f->limit) {
    if (tolerance > 0.0) merge_list(s, tolerance, f);
    int enough = tolerance > 0.0 && f->n + extra <= f->limit / 2;
    if (!enough) f->limit *= 2;
    while (f->limit < f->n + extra) f->limit *= 2;
  }
  if (f->n + extra <= capacity) return MS_SUCCESS;
  while (capacity < f->n + extra) capacity *= 2;
  MS_TRY(ms_resize(ctx, capacity, sizeof *f->segment, &f->segment));
  MS_TRY(ms_resize(ctx, capacity, sizeof *f->spare, &f->spare));
  f->capacity = capacity;
  return MS_SUCCESS;
}

/* ---- doubt ---- */

/* Sliders of segment g, which ends below at `low`, with anchors within spread and phi within the
   run's width of where u - c - gain phi is zero. */
static double near_bound(const ms_density *d, const ms_segment5 *g, double low, double gain,
                         double u) {
  double from = low, to = g->phi, m_from[3], m_to[3];
  if (gain != 0.0) {
    double middle = (u - g->c) / gain, half = g->spread / fabs(gain) + g->run_top - g->run_low;
    from = fmax(from, middle - half);
    to = fmin(to, middle + half);
  } else if (fabs(u - g->c) >= g->spread) {
    return 0.0;
  }
  if (!(from < to)) return 0.0;
  ms_density_moments(d, from, m_from);
  ms_density_moments(d, to, m_to);
  return m_to[1] - m_from[1];
}

double ms_field5_near(const ms_field5_setting *s, const ms_field5 *f, ptrdiff_t i, double u,
                      double r) {
  const ms_segment5 *g = &f->segment[i];
  double slow = s->theta * r, low = i + 1 < f->n ? g[1].phi : 0.0;
  double up = g->slope + (g->flag > 0.0 ? slow : r), down = g->slope - (g->flag < 0.0 ? slow : r);
  return near_bound(&s->density, g, low, up, u) + near_bound(&s->density, g, low, down, u);
}
