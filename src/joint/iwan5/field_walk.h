/* Inside of the slider field with a friction drop, for field.c and field_sensitivity.c: the record
   of a trial, the walk over the pieces that a step cuts the list into, and the segments they
   become. Letters as in field.c. */
#ifndef MS_JOINT_IWAN5_FIELD_WALK_H
#define MS_JOINT_IWAN5_FIELD_WALK_H

#include <math.h>
#include <string.h>

#include "joint/iwan5/field.h"

enum { T_U, T_ABSOLUTE, T_ALPHA, T_K, T_R };
enum { T_KEEP, T_ALL /* the list is not to be merged: derivatives go with it */ };

static inline double lower_end(const ms_field5 *f, ptrdiff_t i) {
  return i + 1 < f->n ? f->segment[i + 1].phi : 0.0;
}

/* ---- the walk: segments cut into pieces that slip or stick ---- */

typedef struct cut5 {
  double phi, gain;
  int side;
  int drops; /* the elongation jumps here: what slips has come from the static limit */
} cut5;

typedef struct walk5 {
  const ms_field5_setting *s;
  const ms_field5 *f;
  double u, r, slow;
  ptrdiff_t next;       /* segment after the one being walked */
  const ms_segment5 *g; /* the one being walked */
  cut5 cut[2];
  int n_cut, at; /* pieces are 0 ... n_cut */
  /* the piece */
  double top, bottom, high[3], low[3];
  int side;
  double doubt, front_doubt; /* of the segment, not yet given to a piece */
} walk5;

static inline walk5 start_walk(const ms_field5_setting *s, const ms_field5 *f, double u, double r,
                               ptrdiff_t from) {
  walk5 w = { .s = s, .f = f, .u = u, .r = r, .slow = s->theta * r, .next = from };
  memcpy(w.low, f->segment[from].moment, sizeof w.low);
  return w;
}

/* Bound of |e|/phi on one side. */
static inline double limit(const walk5 *w, int side) {
  return w->g->flag == side ? w->slow : w->r;
}

/* A cut at the very lower end has no sliders below it, but the front starts there: it counts in the
   slope. */
static inline void cut_segment(walk5 *w) {
  const ms_segment5 *g = w->g;
  double below = lower_end(w->f, w->next - 1);
  w->n_cut = w->at = 0;
  for (int side = 1; side >= -1; side -= 2) {
    double gain = g->slope + side * limit(w, side);
    double phi = gain != 0.0 ? (w->u - g->c) / gain : 0.0;
    if (!(phi >= below && phi < g->phi && phi > 0.0)) continue;
    w->cut[w->n_cut++] = (cut5) { phi, gain, side, g->flag != side };
  }
  if (w->n_cut == 2 && w->cut[0].phi < w->cut[1].phi) {
    cut5 swap = w->cut[0];
    w->cut[0] = w->cut[1];
    w->cut[1] = swap;
  }
}

static inline void low_moments(walk5 *w) {
  const ms_field5 *f = w->f;
  memcpy(w->high, w->low, sizeof w->low);
  if (w->at < w->n_cut) {
    ms_density_moments(&w->s->density, w->bottom, w->low);
  } else if (w->next < f->n) {
    memcpy(w->low, f->segment[w->next].moment, sizeof w->low);
  } else {
    memset(w->low, 0, sizeof w->low);
  }
}

static inline int next_piece(walk5 *w) {
  if (w->g && w->at < w->n_cut) {
    w->top = w->cut[w->at++].phi;
  } else {
    if (w->next >= w->f->n) return 0;
    w->g = &w->f->segment[w->next++];
    w->top = w->g->phi;
    cut_segment(w);
  }
  w->bottom = w->at < w->n_cut ? w->cut[w->at].phi : lower_end(w->f, w->next - 1);
  low_moments(w);
  double phi = 0.5 * (w->top + w->bottom), e = w->u - w->g->c - w->g->slope * phi;
  w->side = e >= limit(w, 1) * phi ? 1 : e <= -limit(w, -1) * phi ? -1 : 0;
  return 1;
}

/* ---- pieces become segments ---- */

/* A turn or a change of load begins a new motion. */
static inline void begin_motion(ms_field5 *f, double u, double r) {
  double side = u > f->u ? 1.0 : u < f->u ? -1.0 : f->side;
  if (side == f->side && r == f->r) return;
  f->side = side;
  f->turn = f->u;
  f->epoch += 1.0;
}

/* Sliders at the front of a merged segment are in doubt while the front is there, and for good when
   the motion has ended with the front there. Which they are is not known: of the pieces of the
   segment the upper one takes them, as it is the last to be rid of them. */
static inline double take(double *left, double mass) {
  double taken = fmin(*left, mass);
  *left -= taken;
  return taken;
}

static inline void sensitivity_doubt(walk5 *w, ms_segment5 *fresh) {
  const ms_segment5 *g = w->g;
  const ms_field5 *f = w->f;
  double mass = w->high[1] - w->low[1];
  if (w->top == g->phi) {
    w->doubt = g->epoch == f->epoch ? g->doubt : g->doubt + g->front_doubt;
    w->front_doubt = ms_field5_near(w->s, f, w->next - 1, w->u, w->r);
  }
  fresh->doubt = take(&w->doubt, mass);
  fresh->front_doubt = take(&w->front_doubt, mass);
  fresh->epoch = f->epoch;
  /* Whatever its state, a slider moved by 2 r phi one way slips that way: merging is forgotten. */
  double reach = fmax(w->top, g->run_top);
  if (w->side != 0 && w->r == f->r && w->side * (w->u - f->turn) >= 2.0 * w->r * reach) {
    fresh->run_low = fresh->run_top = fresh->doubt = fresh->front_doubt = 0.0;
  }
}

static inline ms_segment5 make_segment(walk5 *w) {
  ms_segment5 fresh = *w->g;
  fresh.phi = w->top;
  fresh.flag = w->side;
  memcpy(fresh.moment, w->high, sizeof fresh.moment);
  if (!ms_segment5_is_exact(w->g)) sensitivity_doubt(w, &fresh);
  if (w->side == 0) return fresh;
  fresh.c = w->u;
  fresh.slope = -w->side * w->slow;
  fresh.spread = 0.0;
  return fresh;
}

/* Two neighbours in the same state on the same line are one. Of merged ones only those that slip:
   when the pair holds all of a run, it does not matter any more how the run was sorted. */
static inline int is_one(const ms_segment5 *above, const ms_segment5 *g, double bottom) {
  if (above->flag != g->flag || above->c != g->c || above->slope != g->slope) return 0;
  if (ms_segment5_is_exact(above) && ms_segment5_is_exact(g)) return 1;
  if (g->flag == 0.0 || above->doubt + above->front_doubt + g->doubt + g->front_doubt > 0.0)
    return 0;
  int run_above =
      above->run_top == 0.0 || (above->run_top <= above->phi && above->run_low >= bottom);
  int run_below = g->run_top == 0.0 || (g->run_top <= above->phi && g->run_low >= bottom);
  return run_above && run_below;
}

#endif
