/* Inside of the slider field, for field.c and field_sensitivity.c: the record of a trial, the cone
   as a segment, and the walk over the pieces that a clip cuts the list into. */
#ifndef MS_JOINT_IWAN_FIELD_WALK_H
#define MS_JOINT_IWAN_FIELD_WALK_H

#include <math.h>
#include <string.h>

#include "joint/iwan/field.h"
#include "joint/tolerance.h"

/* What a trial keeps: real[] and whole[] of the record. Kinds: the cone grew, maybe over segments;
   it turned back and becomes a segment itself; or the clip may act anywhere in the list. */
enum { T_U, T_ALPHA, T_K, T_R, T_SIDE, T_FRONT, T_MOMENT };
enum { T_KIND, T_KEEP, T_ALL /* the list is not to be merged: derivatives go with it */ };
enum { GROW, TURN, GENERAL };

/* The segment below `above` (NULL: the first), with anchors c + slope*phi. */
static inline ms_segment make_segment(const ms_segment *above, double phi, const double moment[3],
                                      double c, double slope) {
  ms_segment s = { .phi = phi, .c = c, .slope = slope };
  memcpy(s.moment, moment, sizeof s.moment);
  s.G = -c * moment[0] - slope * moment[1];
  if (above) s.G += above->G + above->c * moment[0] + above->slope * moment[1];
  return s;
}

/* The cone as the segment it becomes when it stops growing. */
static inline ms_segment cone_segment(const ms_field *f) {
  const ms_segment *above = f->n > 0 ? &f->segment[f->n - 1] : NULL;
  return make_segment(above, f->front, f->moment, f->u, -f->side * f->r);
}

/* A varying load can walk the joint far away without macroslip; beyond `far` slip displacements the
   origin follows. */
static inline int is_far(const ms_density *d, double u, double r) {
  return fabs(u) > ms_joint_tol.far * (1.0 + r) * d->phi_max;
}

/* ---- any normal load: x <- clip(x, u - r phi, u + r phi), wherever it acts ---- */

typedef struct field_piece {
  double high, low;
  int slip; /* +1: e = r phi, -1: e = -r phi, 0: anchored */
} field_piece;

static inline int piece_slip(const ms_segment *g, double phi, double u, double r) {
  double e = u - g->c - g->slope * phi;
  return e > r * phi ? 1 : e < -r * phi ? -1 : 0;
}

/* Cuts [low, g->phi] where the anchors meet the two bounds: at most three pieces, from the top. */
static inline int cut_segment(const ms_segment *g, double low, double u, double r,
                              field_piece piece[3]) {
  double cut[4] = { g->phi };
  int n = 1;
  const double gain[2] = { g->slope + r, g->slope - r };
  for (int i = 0; i < 2; i++) {
    double phi = gain[i] != 0.0 ? (u - g->c) / gain[i] : 0.0;
    if (phi > low && phi < g->phi) cut[n++] = phi;
  }
  if (n == 3 && cut[1] < cut[2]) {
    double swap = cut[1];
    cut[1] = cut[2];
    cut[2] = swap;
  }
  cut[n] = low;
  for (int i = 0; i < n; i++) {
    int slip = piece_slip(g, 0.5 * (cut[i] + cut[i + 1]), u, r);
    piece[i] = (field_piece) { cut[i], cut[i + 1], slip };
  }
  return n;
}

/* A walk over all segments, the cone last, cut into pieces. */
typedef struct field_walk {
  const ms_field *f;
  double u, r;
  ptrdiff_t i;
  ms_segment segment; /* the one being walked */
  field_piece piece[3];
  int n_piece, at;
} field_walk;

static inline int next_piece(field_walk *walk) {
  if (++walk->at < walk->n_piece) return 1;
  const ms_field *f = walk->f;
  ptrdiff_t n = f->n, i = walk->i++;
  if (i > n || (i == n && f->front == 0.0)) return 0;
  walk->segment = i < n ? f->segment[i] : cone_segment(f);
  double low = i + 1 < n ? f->segment[i + 1].phi : i + 1 == n ? f->front : 0.0;
  walk->n_piece = cut_segment(&walk->segment, low, walk->u, walk->r, walk->piece);
  walk->at = 0;
  return 1;
}

/* Moments at the lower end of the piece; those of whole segments are stored. */
static inline void low_moments(const ms_density *d, const field_walk *walk, double m[3]) {
  const ms_field *f = walk->f;
  ptrdiff_t below = walk->i; /* the segment after the one being walked */
  if (walk->at + 1 < walk->n_piece) {
    ms_density_moments(d, walk->piece[walk->at].low, m);
  } else if (below < f->n) {
    memcpy(m, f->segment[below].moment, 3 * sizeof *m);
  } else if (below == f->n) {
    memcpy(m, f->moment, 3 * sizeof *m);
  } else {
    memset(m, 0, 3 * sizeof *m);
  }
}

#endif
