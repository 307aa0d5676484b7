/* Holes in the rectangular section of a brick. A hole takes a box of whole elements out of the
   lattice and puts rings in its place.

   kx x ky elements of the box have 2 s (kx + ky) points on its rim, t = 0, 1, ... counter-clockwise
   from the corner at -45 degrees, as on a disc (section.c). Every side of the box stands for a
   quarter of each circle, so that a disc with core = kx = ky has its points at the same places.
   Level 0 is the hole's edge, the last level the rim, whose points are the lattice's. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "fem/mesh/grid.h"

/* A hole with its place in the lattice. */
typedef struct box {
  const ms_hole *hole;
  int s, first[2], n[2]; /* elements */
  int n_around, n_ring;  /* elements */
  ptrdiff_t row;         /* lattice points along x */
  ptrdiff_t first_point; /* of its rings */
} box;

/* ---- what is asked for ---- */

static ms_status check_radii(ms_context *ctx, const ms_hole *h) {
  double before = 0.0;
  if (h->n_zone < 1 || h->n_zone > MS_MAX_ZONE) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "a hole needs 1 to %d radii, not %d", MS_MAX_ZONE,
                   h->n_zone);
  }
  for (int z = 0; z < h->n_zone; z++) {
    if (!(h->radius[z] > before) || !isfinite(h->radius[z]) || h->rings[z] < 1) {
      return ms_fail(
          ctx, MS_ERR_BOUNDS,
          "radii of a hole must be above 0 and increase, with at least one ring of elements "
          "from each to the next; there are %g m and %d",
          h->radius[z], h->rings[z]);
    }
    before = h->radius[z];
  }
  return MS_SUCCESS;
}

/* The box of whole elements whose middle is nearest to the hole's. */
static ms_status place_box(ms_context *ctx, int s, const ms_brick *b, const ms_hole *h, box *out) {
  double outermost = h->radius[h->n_zone - 1];
  *out = (box) { .hole = h, .s = s, .row = (ptrdiff_t)s * b->n[0] + 1 };
  for (int a = 0; a < 2; a++) {
    double step = b->size[a] / b->n[a], middle = (h->at[a] - b->at[a]) / step;
    double first = round(middle - 0.5 * h->n[a]);
    double low = b->at[a] + first * step, high = b->at[a] + (first + h->n[a]) * step;
    if (h->n[a] < 1 || !(first >= 0.0) || !(first + h->n[a] <= b->n[a]) ||
        !(h->at[a] - outermost > low && h->at[a] + outermost < high)) {
      const char *axis = a == 0 ? "x" : "y";
      return ms_fail(
          ctx, MS_ERR_BOUNDS,
          "a hole of radius %g m at %g m along %s does not fit into its %d elements from "
          "%g to %g m of a part from %g to %g m",
          outermost, h->at[a], axis, h->n[a], low, high, b->at[a], b->at[a] + b->size[a]);
    }
    out->first[a] = (int)first;
    out->n[a] = h->n[a];
  }
  out->n_around = 2 * (h->n[0] + h->n[1]);
  for (int z = 0; z < h->n_zone; z++) out->n_ring += h->rings[z];
  return MS_SUCCESS;
}

static int overlap(const box *b, const box *c) {
  for (int a = 0; a < 2; a++) {
    if (b->first[a] + b->n[a] <= c->first[a] || c->first[a] + c->n[a] <= b->first[a]) return 0;
  }
  return 1;
}

static ms_status place_boxes(ms_context *ctx, int s, const ms_brick *b, int n_hole,
                             const ms_hole *hole, box *out) {
  for (int i = 0; i < n_hole; i++) {
    MS_TRY(check_radii(ctx, &hole[i]));
    MS_TRY(place_box(ctx, s, b, &hole[i], &out[i]));
    for (int j = 0; j < i; j++) {
      if (!overlap(&out[i], &out[j])) continue;
      return ms_fail(ctx, MS_ERR_ARGUMENT, "the holes at (%g, %g) and (%g, %g) m share elements",
                     hole[j].at[0], hole[j].at[1], hole[i].at[0], hole[i].at[1]);
    }
  }
  return MS_SUCCESS;
}

/* ---- points ---- */

/* The side of point t of the rim, 0 to 3 from the right one on, and how far along it is. */
static int side_of(const box *b, int t, double *along) {
  int side = 0;
  for (;; side++) {
    int n = b->s * b->n[1 - side % 2];
    *along = (double)t / n;
    if (t < n) return side;
    t -= n;
  }
}

/* The lattice's point t of the rim. */
static ptrdiff_t rim_point(const box *b, int t) {
  double along;
  int nx = b->s * b->n[0], ny = b->s * b->n[1], side = side_of(b, t, &along);
  int k = (int)lround(along * (side % 2 ? nx : ny));
  int i = side == 0 ? nx : side == 1 ? nx - k : side == 2 ? 0 : k;
  int j = side == 0 ? k : side == 1 ? ny : side == 2 ? ny - k : 0;
  return b->s * b->first[0] + i + b->row * (b->s * b->first[1] + j);
}

/* On the circle of radius R. */
static void circle_point(const box *b, double R, int t, double *p) {
  double along;
  int side = side_of(b, t, &along);
  double angle = (0.25 * MS_PI) * (2.0 * (side + along) - 1.0);
  p[0] = b->hole->at[0] + R * cos(angle);
  p[1] = b->hole->at[1] + R * sin(angle);
}

/* A fraction f from the circle of zone z to the next one, or to the rim. */
static void ring_point(const box *b, const double *xy, int z, double f, int t, double *p) {
  const ms_hole *h = b->hole;
  if (z + 1 < h->n_zone) {
    circle_point(b, h->radius[z] + f * (h->radius[z + 1] - h->radius[z]), t, p);
    return;
  }
  const double *rim = xy + 2 * rim_point(b, t);
  circle_point(b, h->radius[z], t, p);
  for (int a = 0; a < 2; a++) p[a] += f * (rim[a] - p[a]);
}

static void add_points(const box *b, ms_grid *g) {
  double *p = g->xy + 2 * b->first_point;
  for (int z = 0; z < b->hole->n_zone; z++) {
    int n = b->s * b->hole->rings[z];
    for (int k = 0; k < n; k++) {
      for (int t = 0; t < b->s * b->n_around; t++, p += 2) {
        ring_point(b, g->xy, z, (double)k / n, t, p);
      }
    }
  }
}

/* ---- quadrilaterals ---- */

static int32_t point_id(const box *b, int level, int t) {
  int around = b->s * b->n_around;
  t %= around;
  if (level == b->s * b->n_ring) return (int32_t)rim_point(b, t);
  return (int32_t)(b->first_point + (ptrdiff_t)level * around + t);
}

/* What lies beyond the box on the side of the quadrilateral that begins at point t. */
static int beyond(const box *b, const int *n, int t) {
  static const int edge[4] = { MS_EDGE_RIGHT, MS_EDGE_BACK, MS_EDGE_LEFT, MS_EDGE_FRONT };
  double along;
  int side = side_of(b, t, &along), a = side % 2;
  int at_end = side < 2 ? b->first[a] + b->n[a] == n[a] : b->first[a] == 0;
  return at_end ? edge[side] : MS_EDGE_INSIDE;
}

/* First index outwards, second around. */
static void add_quads(const box *b, const int *n, ptrdiff_t q, ms_grid *g) {
  int width = b->s + 1;
  for (int ring = 0; ring < b->n_ring; ring++) {
    for (int t = 0; t < b->s * b->n_around; t += b->s, q++) {
      int32_t *id = g->quad + width * width * q;
      for (int m = 0; m < width * width; m++) {
        id[m] = point_id(b, b->s * ring + m % width, t + m / width);
      }
      if (ring == b->n_ring - 1) g->edge[4 * q + 1] = (unsigned char)beyond(b, n, t);
      if (ring == 0) g->edge[4 * q + 3] = MS_EDGE_IN;
    }
  }
}

/* Quadrilaterals of the lattice outside all boxes move up; returns how many they are. */
static ptrdiff_t drop_quads(const box *b, int n_hole, const int *n, ms_grid *g) {
  ptrdiff_t kept = 0, width = (ptrdiff_t)(g->s + 1) * (g->s + 1);
  for (ptrdiff_t q = 0; q < (ptrdiff_t)n[0] * n[1]; q++) {
    box cell = { .first = { (int)(q % n[0]), (int)(q / n[0]) }, .n = { 1, 1 } };
    int inside = 0;
    for (int i = 0; i < n_hole; i++) inside |= overlap(&b[i], &cell);
    if (inside) continue;
    memmove(g->quad + width * kept, g->quad + width * q, (size_t)width * sizeof *g->quad);
    memmove(g->edge + 4 * kept, g->edge + 4 * q, 4);
    kept++;
  }
  return kept;
}

/* ---- the whole ---- */

/* Room for `points` and `quads`, the new ones zero. */
static ms_status grow(ms_context *ctx, ptrdiff_t points, ptrdiff_t quads, ms_grid *g) {
  ptrdiff_t width = (ptrdiff_t)(g->s + 1) * (g->s + 1);
  MS_TRY(ms_resize(ctx, 2 * points, sizeof *g->xy, &g->xy));
  if (quads <= g->n_quad) return MS_SUCCESS;
  MS_TRY(ms_resize(ctx, width * quads, sizeof *g->quad, &g->quad));
  MS_TRY(ms_resize(ctx, quads, 1, &g->zone));
  return ms_resize(ctx, 4 * quads, 1, &g->edge);
}

static ms_status drill(ms_context *ctx, const ms_brick *brick, box *b, int n_hole, ms_grid *g) {
  ptrdiff_t points = g->n_point, quads = drop_quads(b, n_hole, brick->n, g), first = quads;
  for (int i = 0; i < n_hole; i++) {
    b[i].first_point = points;
    points += (ptrdiff_t)b[i].s * b[i].n_around * b[i].s * b[i].n_ring;
    quads += (ptrdiff_t)b[i].n_around * b[i].n_ring;
  }
  MS_TRY(grow(ctx, points, quads, g));
  memset(g->zone, 0, (size_t)quads);
  memset(g->edge + 4 * first, MS_EDGE_INSIDE, (size_t)(4 * (quads - first)));
  for (int i = 0; i < n_hole; i++) {
    add_points(&b[i], g);
    add_quads(&b[i], brick->n, first, g);
    first += (ptrdiff_t)b[i].n_around * b[i].n_ring;
  }
  g->n_point = points;
  g->n_quad = quads;
  return MS_SUCCESS;
}

ms_status ms_grid_drill(ms_context *ctx, const ms_brick *brick, int n_hole, const ms_hole *hole,
                        ms_grid *g) {
  box *b;
  if (n_hole == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, n_hole, sizeof *b, &b));
  ms_status status = place_boxes(ctx, g->s, brick, n_hole, hole, b);
  if (status == MS_SUCCESS) status = drill(ctx, brick, b, n_hole, g);
  ms_free(ctx, &b);
  return status;
}
