/* Curves: leaving out vertices that make no visible difference. Three sieves, one after the other:

   columns  of a run of points within one narrow column only the first, the lowest, the highest
            and the last are kept (a long vibration has thousands of points per pixel);
   sleeve   from the last vertex kept, a cone of directions holds all lines that pass every point
            since within the tolerance; a point outside it, or one that turns back, makes the point
            before it a vertex. The curve drawn is never farther from a point than the tolerance;
   paint    if that is still too much, as with a loop traced thousands of times: a stretch whose
            every cell of half a pixel has ink already is not drawn again. */
#include "core/internal.h"
#include "report/internal.h"
#include "report/tolerance.h"

#include <math.h>
#include <string.h>

enum { ENOUGH = 4000 };
enum { PAINT_CELLS = 2048 }; /* on a side: panels are smaller than 1000 px */

typedef struct point {
  double x, y;
  ptrdiff_t i; /* its place in the series */
} point;

typedef struct pen {
  FILE *out;        /* may be NULL */
  ptrdiff_t *index; /* may be NULL */
  long count;
  double tolerance;
  /* paint */
  unsigned char *ink; /* a bit for every cell; NULL: draw everything */
  point at_pen;
  int lifted;
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

/* ---- paint ---- */

static int wet_cell(unsigned char *ink, double x, double y) {
  double column = floor(x / ms_report_tol.cell), row = floor(y / ms_report_tol.cell);
  if (!(column >= 0.0 && row >= 0.0 && column < PAINT_CELLS && row < PAINT_CELLS)) return 0;
  size_t cell = (size_t)row * PAINT_CELLS + (size_t)column;
  unsigned char bit = (unsigned char)(1u << (cell % 8));
  int fresh = !(ink[cell / 8] & bit);
  ink[cell / 8] |= bit;
  return fresh;
}

/* Does the stretch to q put ink where there was none? */
static int wets(const pen *p, point q) {
  double length = fmax(fabs(q.x - p->at_pen.x), fabs(q.y - p->at_pen.y));
  int steps = (int)fmin(ceil(length / ms_report_tol.cell), 4.0 * PAINT_CELLS), fresh = 0;
  for (int i = 0; i <= steps; i++) {
    double part = steps > 0 ? (double)i / steps : 0.0;
    fresh += wet_cell(p->ink, p->at_pen.x + part * (q.x - p->at_pen.x),
                      p->at_pen.y + part * (q.y - p->at_pen.y));
  }
  return fresh > 0;
}

static void write_vertex(pen *p, char before, point q) {
  if (p->index) p->index[p->count] = q.i;
  p->count++;
  if (!p->out) return;
  if (before) fputc(before, p->out);
  ms_svg_number(p->out, q.x);
  fputc(',', p->out);
  ms_svg_number(p->out, q.y);
}

static void put_vertex(pen *p, point q) {
  int first = p->count == 0;
  if (!first && p->ink && !wets(p, q)) {
    p->lifted = 1;
  } else {
    if (p->lifted) write_vertex(p, 'M', p->at_pen);
    write_vertex(p, first ? 'M' : ' ', q);
    p->lifted = 0;
  }
  p->at_pen = p->anchor = p->last = q;
  p->open = 0;
}

/* ---- sleeve ---- */

static double turn(double angle) {
  return angle > MS_PI ? angle - 2.0 * MS_PI : angle < -MS_PI ? angle + 2.0 * MS_PI : angle;
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
                 double tolerance, unsigned char *ink) {
  pen p = { .out = out, .index = index, .tolerance = tolerance, .ink = ink };
  for (ptrdiff_t i = 0; i < series->n; i++) {
    point q = { .i = i };
    ms_view_point(view, series->x[i], series->y[i], &q.x, &q.y);
    (tolerance > ms_report_tol.fine ? column : sleeve)(&p, q);
  }
  flush_column(&p);
  if (p.count > 0) put_vertex(&p, p.last);
  return p.count;
}

long ms_curve_draw(FILE *out, const ms_view *view, const ms_series *series) {
  double tolerance = ms_report_tol.fine;
  long count = draw(NULL, NULL, view, series, tolerance, NULL);
  while (tolerance < ms_report_tol.coarse && count > ENOUGH) {
    tolerance = fmin(2.5 * tolerance, ms_report_tol.coarse);
    count = draw(NULL, NULL, view, series, tolerance, NULL);
  }
  if (count <= ENOUGH || series->style == MS_SERIES_AREA) /* an outline must not be lifted */
    return draw(out, NULL, view, series, tolerance, NULL);
  unsigned char ink[(size_t)PAINT_CELLS * PAINT_CELLS / 8];
  memset(ink, 0, sizeof ink);
  return draw(out, NULL, view, series, tolerance, ink);
}

long ms_curve_thin(const ms_view *view, const ms_series *series, double tolerance,
                   ptrdiff_t *index) {
  return draw(NULL, index, view, series, tolerance, NULL);
}
