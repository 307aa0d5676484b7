/* Bounded memory for the slider field with a friction drop.

   A ring-down leaves thin stuck segments, by turns on two lines that lie (1 - theta) phi apart: two
   populations, which must not be averaged. Two steps shorten such a list:

     join   neighbours A, C on nearly the same line become one,
     sort   A, B, C with A and C on nearly the same line become A + C, B.

   The joined anchors are shifted such that int rho x over the run, and with it the force, stays
   what it is. Later an error can come from sliders that stand so near to slip that the shift or the
   changed place decides; field5.c counts those as in doubt while the front is there and for good if
   it turns. An elongation is at most r phi either way, so they err by 2 alpha int rho phi at most.
   A run grows while 2 int rho phi over all of it is below the tolerance. */
#include <math.h>
#include <string.h>

#include "joint/field5.h"

/* Lines this many run widths apart (times r) are nearly the same: neighbours of one population in a
   ring-down are less than two. */
#define NEAR 8.0
/* A segment with less than this part of F_S is dust and joins whatever is above it. */
#define DUST 0x1p-52

static double anchor(const ms_segment5 *g, double phi) {
  return g->c + g->slope * phi;
}

static double anchored(const ms_segment5 *g, const double high[3], const double low[3]) {
  return g->c * (high[0] - low[0]) + g->slope * (high[1] - low[1]);
}

/* How far line g is from line h between two phi: the ends decide. */
static double line_distance(const ms_segment5 *g, const ms_segment5 *h, double phi, double low) {
  return fmax(fabs(anchor(g, phi) - anchor(h, phi)), fabs(anchor(g, low) - anchor(h, low)));
}

typedef struct merge5 {
  const ms_field5_setting *s;
  ms_field5 *f;
  double limit;     /* on int rho phi of a run */
  ms_segment5 *out; /* the new list, at the front of the old one */
  ptrdiff_t n;
} merge5;

/* A run of stuck segments thin enough to be merged, from the upper end `top` down to `low`. */
static int is_thin(const merge5 *m, const ms_segment5 *top, const double low[3]) {
  return top->moment[1] - low[1] <= m->limit;
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
  joined.blur = fmax(a->blur, c->blur);
  return joined;
}

static int is_near(const merge5 *m, const ms_segment5 *joined, double width) {
  double r = m->f->r;
  return joined->spread + r * joined->blur <= NEAR * r * width;
}

/* Joins segment c, which ends at low, to the last one written. */
static int join(merge5 *m, const ms_segment5 *c, double c_low, const double low[3]) {
  if (m->n < 1) return 0;
  ms_segment5 *a = &m->out[m->n - 1];
  double dust = c->moment[1] - low[1];
  int is_dust = dust <= DUST * m->s->density.total[1];
  if (a->flag != 0.0 || c->flag != 0.0) return 0;
  if (!is_dust && !is_thin(m, a, low)) return 0;
  double wanted = anchored(a, a->moment, c->moment) + anchored(c, c->moment, low);
  ms_segment5 joined = absorb(a, c->phi, c, c_low, low, wanted);
  if (is_dust && !is_near(m, &joined, a->phi - c_low)) {
    joined.spread = a->spread + line_distance(&joined, a, a->phi, c->phi);
    m->f->doubt += dust;
  } else if (!is_near(m, &joined, a->phi - c_low)) {
    return 0;
  }
  *a = joined;
  return 1;
}

/* A, B written last, C to come: A takes C's sliders, B moves down by their width. */
static int sort(merge5 *m, const ms_segment5 *c, double c_low, const double low[3]) {
  if (m->n < 2) return 0;
  ms_segment5 *a = &m->out[m->n - 2], *b = &m->out[m->n - 1], moved = *b;
  if (a->flag != 0.0 || b->flag != 0.0 || c->flag != 0.0 || !is_thin(m, a, low)) return 0;
  double shift = c->phi - c_low, b_width = b->phi - c->phi;
  moved.phi = c_low + b_width;
  if (!(moved.phi < a->phi && moved.phi > c_low)) return 0;
  moved.blur += shift;
  ms_density_moments(&m->s->density, moved.phi, moved.moment);
  double wanted = anchored(a, a->moment, b->moment) + anchored(b, b->moment, c->moment) +
                  anchored(c, c->moment, low) - anchored(&moved, moved.moment, low);
  ms_segment5 joined = absorb(a, b->phi, c, c_low, moved.moment, wanted);
  joined.blur = fmax(a->blur, c->blur + b_width);
  double width = a->phi - c_low;
  if (!is_near(m, &joined, width) || !is_near(m, &moved, width)) return 0;
  m->f->doubt += (a->moment[0] - low[0]) * fmin(shift, b_width);
  *a = joined;
  *b = moved;
  return 1;
}

static void merge_list(const ms_field5_setting *s, ms_field5 *f) {
  static const double none[3] = { 0.0, 0.0, 0.0 };
  merge5 m = { s, f, 0.5 * s->merge_tolerance * s->density.total[1], f->segment, 0 };
  for (ptrdiff_t i = 0; i < f->n; i++) { /* in place: c is read before it can be overwritten */
    ms_segment5 c = f->segment[i];
    const double *low = i + 1 < f->n ? f->segment[i + 1].moment : none;
    double c_low = i + 1 < f->n ? f->segment[i + 1].phi : 0.0;
    if (join(&m, &c, c_low, low) || sort(&m, &c, c_low, low)) continue;
    m.out[m.n++] = c;
  }
  f->n = m.n;
  f->merge_error = fmax(f->merge_error, 2.0 * f->alpha * (f->doubt + f->front_doubt));
  ms_field5_link(f, 0);
}

ms_status ms_field5_reserve(ms_context *ctx, const ms_field5_setting *s, ms_field5 *f,
                            ptrdiff_t wanted) {
  if (wanted <= f->capacity) return MS_SUCCESS;
  ptrdiff_t extra = wanted - f->n, capacity = 2 * f->capacity;
  if (s->merge_tolerance > 0.0) {
    merge_list(s, f);
    if (f->n + extra <= f->capacity / 2) return MS_SUCCESS;
  }
  while (capacity < f->n + extra) capacity *= 2;
  MS_TRY(ms_resize(ctx, capacity, sizeof *f->segment, &f->segment));
  MS_TRY(ms_resize(ctx, capacity, sizeof *f->spare, &f->spare));
  f->capacity = capacity;
  return MS_SUCCESS;
}

/* Sliders of segment g, which ends below at `low`, for which the merged place decides: anchors
   within spread and phi within blur of where u - c - gain phi is zero. */
static double near_bound(const ms_density *d, const ms_segment5 *g, double low, double gain,
                         double u) {
  double from = low, to = g->phi, m_from[3], m_to[3];
  if (gain != 0.0) {
    double middle = (u - g->c) / gain, half = g->spread / fabs(gain) + g->blur;
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

double ms_field5_doubt(const ms_field5_setting *s, const ms_field5 *f, ptrdiff_t i, double u,
                       double r) {
  const ms_segment5 *g = &f->segment[i];
  double slow = s->theta * r;
  if (g->spread == 0.0 && g->blur == 0.0) return 0.0;
  double low = i + 1 < f->n ? g[1].phi : 0.0;
  double up = g->slope + (g->flag > 0.0 ? slow : r), down = g->slope - (g->flag < 0.0 ? slow : r);
  return near_bound(&s->density, g, low, up, u) + near_bound(&s->density, g, low, down, u);
}
