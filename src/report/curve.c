/* Curves: leaving out vertices that make no visible difference. Two sieves, one after the other:

   columns  of a run of points within one narrow column only the first, the lowest, the highest
            and the last are kept (a long vibration has thousands of points per pixel);
   sleeve   from the last vertex kept, a cone of directions holds all lines that pass every point
            since within the tolerance; a point outside it, or one that turns back, makes the point
            before it a vertex. The curve drawn is never farther from a point than the tolerance. */
#include "report/internal.h"

#include <math.h>

#define FINE   0.1 /* px; columns come in above this */
#define COARSE 0.5 /* px */
#define ENOUGH 4000
#define PI     3.14159265358979323846

typedef struct point {
  double x, y;
  ptrdiff_t i; /* its place in the series */
} point;

typedef struct pen {
  FILE *out;        /* may be NULL */
  ptrdiff_t *index; /* may be NULL */
  long count;
  double tolerance;
  /* sleeve */
  point anchor, last;
  int open;                        /* there is a cone, and last is outside the anchor's circle */
  double reach, axis, left, right; /* farthest distance; directions relative to the first */
  /* columns */
  int filled;
  double column;
  point first, lowest, highest, newest;
  long low_at, high_at, at; /* the order in which they came */
} pen;

static void put_vertex(pen *p, point q) {
  if (p->out) {
    if (p->count > 0) fputc(' ', p->out);
    ms_svg_number(p->out, q.x);
    fputc(',', p->out);
    ms_svg_number(p->out, q.y);
  }
  if (p->index) p->index[p->count] = q.i;
  p->count++;
  p->anchor = p->last = q;
  p->open = 0;
}

/* ---- sleeve ---- */

static double turn(double angle) {
  return angle > PI ? angle - 2.0 * PI : angle < -PI ? angle + 2.0 * PI : angle;
}

static void narrow_cone(pen *p, point q, double distance) {
  double direction = atan2(q.y - p->anchor.y, q.x - p->anchor.x);
  double half = asin(p->tolerance / distance);
  if (!p->open) {
    p->open = 1;
    p->axis = direction;
    p->left = -half, p->right = half;
    p->reach = distance;
    return;
  }
  double off = turn(direction - p->axis);
  p->left = fmax(p->left, off - half);
  p->right = fmin(p->right, off + half);
  p->reach = fmax(p->reach, distance);
}

static int leaves_cone(const pen *p, point q, double distance) {
  if (distance < p->reach - p->tolerance) return 1;
  double off = turn(atan2(q.y - p->anchor.y, q.x - p->anchor.x) - p->axis);
  return off < p->left || off > p->right;
}

static void sleeve(pen *p, point q) {
  if (p->count == 0) {
    put_vertex(p, q);
    return;
  }
  double distance = hypot(q.x - p->anchor.x, q.y - p->anchor.y);
  if (p->open && leaves_cone(p, q, distance)) {
    put_vertex(p, p->last);
    distance = hypot(q.x - p->anchor.x, q.y - p->anchor.y);
  }
  if (distance > p->tolerance) narrow_cone(p, q, distance);
  p->last = q;
}

/* ---- columns ---- */

static void flush_column(pen *p) {
  if (!p->filled) return;
  int low_first = p->low_at < p->high_at;
  sleeve(p, p->first);
  sleeve(p, low_first ? p->lowest : p->highest);
  sleeve(p, low_first ? p->highest : p->lowest);
  sleeve(p, p->newest);
  p->filled = 0;
}

static void column(pen *p, point q) {
  double where = floor(q.x / (2.0 * p->tolerance));
  if (p->filled && where != p->column) flush_column(p);
  if (!p->filled) {
    p->filled = 1;
    p->column = where;
    p->first = p->lowest = p->highest = q;
    p->low_at = p->high_at = p->at;
  }
  if (q.y < p->lowest.y) p->lowest = q, p->low_at = p->at;
  if (q.y > p->highest.y) p->highest = q, p->high_at = p->at;
  p->newest = q;
  p->at++;
}

static long draw(FILE *out, ptrdiff_t *index, const ms_view *view, const ms_series *series,
                 double tolerance) {
  pen p = { .out = out, .index = index, .tolerance = tolerance };
  for (ptrdiff_t i = 0; i < series->n; i++) {
    point q = { .i = i };
    ms_view_point(view, series->x[i], series->y[i], &q.x, &q.y);
    (tolerance > FINE ? column : sleeve)(&p, q);
  }
  flush_column(&p);
  if (p.count > 0) put_vertex(&p, p.last);
  return p.count;
}

long ms_curve_draw(FILE *out, const ms_view *view, const ms_series *series) {
  double tolerance = FINE;
  while (tolerance < COARSE && draw(NULL, NULL, view, series, tolerance) > ENOUGH)
    tolerance = fmin(2.5 * tolerance, COARSE);
  return draw(out, NULL, view, series, tolerance);
}

long ms_curve_thin(const ms_view *view, const ms_series *series, double tolerance,
                   ptrdiff_t *index) {
  return draw(NULL, index, view, series, tolerance);
}
