/* A face cut where faces of the other set begin and end, so that shape functions of both sides are
   smooth on each piece and the Gauss points of a piece integrate them. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "fem/contact/points.h"
#include "fem/tolerance.h"
#include "response/contact/pairs.h"

/* A corner more for each edge of the face that cuts a quadrilateral. */
enum { MOST = 12, ITERATIONS = 12 };

typedef struct polygon {
  int n;
  double x[MOST][2];
} polygon;

/* A face, and the plane through its middle: y = P (x - origin), e the axes of the plane. */
typedef struct plane {
  int n_node;
  double x[3 * MS_FACE_NODES], origin[3], e[9];
  polygon corners;
  double area, side; /* m2, m */
} plane;

static void project(const plane *p, const double *x, double *y) {
  for (int a = 0; a < 2; a++) {
    y[a] = 0.0;
    for (int k = 0; k < 3; k++) y[a] += p->e[3 * a + k] * (x[k] - p->origin[k]);
  }
}

static double find_area(const polygon *p) {
  double twice = 0.0;
  for (int i = 0; i < p->n; i++) {
    const double *a = p->x[i], *b = p->x[(i + 1) % p->n];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return 0.5 * twice;
}

static int count_corners(int n_node) {
  return n_node % 4 == 0 ? 4 : 3;
}

/* Whether the edges are straight, seen along the normal. */
static int is_straight(const plane *p) {
  const int n = p->corners.n;
  for (int i = 0; i < p->n_node - n; i++) {
    const double *a = p->corners.x[i], *b = p->corners.x[(i + 1) % n];
    double m[2];
    project(p, p->x + 3 * (n + i), m);
    const double across = (b[0] - a[0]) * (m[1] - a[1]) - (b[1] - a[1]) * (m[0] - a[0]);
    if (fabs(across) > ms_mesh_tol.in_line * p->side * p->side) return 0;
  }
  return 1;
}

static void fill_plane(const ms_mesh *mesh, const ms_mesh_set *set, ptrdiff_t face, plane *p) {
  const int32_t element = set->index[face];
  int32_t node[MS_FACE_NODES];
  double N[8], t[6], normal[3], whole = 0.0;
  p->n_node = ms_face_gather(mesh, element, set->face[face], node, p->x)->n_node;
  p->corners.n = count_corners(p->n_node);
  const double middle = p->corners.n == 4 ? 0.0 : 1.0 / 3.0;
  ms_face_map(p->n_node, p->x, middle, middle, N, p->origin, t);
  ms_face_normal(t, normal);
  for (int k = 0; k < 3; k++) whole += normal[k] * normal[k];
  for (int k = 0; k < 3; k++) normal[k] /= sqrt(whole);
  ms_contact_fill_axes(normal, p->e);
  for (int i = 0; i < p->corners.n; i++) project(p, p->x + 3 * i, p->corners.x[i]);
  p->area = find_area(&p->corners);
  p->side = sqrt(fabs(p->area));
}

/* ---- pieces ---- */

/* What of p lies to the left of the line from a to b. */
static void clip(polygon *p, const double *a, const double *b) {
  polygon out = { 0 };
  double away[MOST];
  for (int i = 0; i < p->n; i++) {
    away[i] = (b[0] - a[0]) * (p->x[i][1] - a[1]) - (b[1] - a[1]) * (p->x[i][0] - a[0]);
  }
  for (int i = 0; i < p->n; i++) {
    const int j = (i + 1) % p->n;
    if (away[i] >= 0.0 && out.n < MOST) memcpy(out.x[out.n++], p->x[i], sizeof p->x[i]);
    if ((away[i] >= 0.0) == (away[j] >= 0.0) || out.n == MOST) continue;
    const double part = away[i] / (away[i] - away[j]);
    for (int c = 0; c < 2; c++) out.x[out.n][c] = p->x[i][c] + part * (p->x[j][c] - p->x[i][c]);
    out.n++;
  }
  *p = out;
}

/* Corners that are one but for rounding, once. */
static void drop_copies(polygon *p, double apart) {
  int n = 0;
  for (int i = 0; i < p->n; i++) {
    const double *x = p->x[i], *next = p->x[(i + 1) % p->n];
    if (hypot(x[0] - next[0], x[1] - next[1]) > apart) memmove(p->x[n++], x, sizeof p->x[i]);
  }
  p->n = n;
}

/* The piece of the face that face k of the set covers; 0: none. */
static int find_piece(const plane *p, const ms_mesh *mesh, const ms_mesh_set *set,
                      const double *ball, ptrdiff_t k, polygon *out) {
  const double *b = ball + 4 * k;
  double middle[2], across = 0.0, far = 0.0;
  plane other;
  project(p, b, middle);
  for (int i = 0; i < p->corners.n; i++)
    far = fmax(far, hypot(p->corners.x[i][0], p->corners.x[i][1]));
  if (hypot(middle[0], middle[1]) > far + 1.1 * b[3]) return 0;
  fill_plane(mesh, set, k, &other);
  for (int a = 0; a < 3; a++) across += p->e[6 + a] * other.e[6 + a];
  if (!(across < 0.0)) return 0;
  out->n = other.corners.n; /* the other way round, as it looks the other way */
  for (int i = 0; i < out->n; i++) project(p, other.x + 3 * (out->n - 1 - i), out->x[i]);
  for (int i = 0; i < p->corners.n && out->n > 0; i++) {
    clip(out, p->corners.x[i], p->corners.x[(i + 1) % p->corners.n]);
  }
  if (out->n > 0) drop_copies(out, ms_mesh_tol.flat * p->side);
  return out->n > 2 && find_area(out) > ms_mesh_tol.flat * p->area;
}

/* ---- points ---- */

/* (r, s) of a point of the plane; the area of the plane for a unit square of r and s. */
static double find_place(const plane *p, const double *y, double *r, double *s) {
  double N[8], x[3], t[6], at[2], det = 0.0;
  for (int k = 0; k < ITERATIONS; k++) {
    double d[4] = { 0.0 };
    ms_face_map(p->n_node, p->x, *r, *s, N, x, t);
    project(p, x, at);
    for (int c = 0; c < 4; c++) {
      for (int a = 0; a < 3; a++) d[c] += p->e[3 * (c % 2) + a] * t[3 * (c / 2) + a];
    }
    det = d[0] * d[3] - d[1] * d[2];
    if (!(det > 0.0)) return 0.0;
    const double f = y[0] - at[0], g = y[1] - at[1];
    *r += (d[3] * f - d[2] * g) / det;
    *s += (d[0] * g - d[1] * f) / det;
  }
  return det;
}

/* A corner (x, y) of the piece's own square or triangle in the plane; its area element. */
static double map_corner(const polygon *p, const double *at, double *y) {
  double x[12] = { 0.0 }, N[8], t[6], place[3];
  for (int i = 0; i < p->n; i++) memcpy(x + 3 * i, p->x[i], sizeof p->x[i]);
  const double whole = ms_face_map(p->n, x, at[0], at[1], N, place, t);
  memcpy(y, place, 2 * sizeof *y);
  return whole;
}

/* Of a triangle or a quadrilateral. */
static int add_points(const plane *p, const polygon *piece, int order, ms_contact_pieces *out) {
  ms_face_point rule[MS_FACE_POINTS];
  const int n = ms_face_rule(piece->n, order, rule);
  const double middle = p->corners.n == 4 ? 0.0 : 1.0 / 3.0;
  for (int i = 0; i < n; i++) {
    ms_face_point *at = &out->point[out->n + i];
    double y[2];
    *at = (ms_face_point) { middle, middle, 0.0, { { 0.0 } } };
    const double area = map_corner(piece, (double[]) { rule[i].r, rule[i].s }, y);
    const double whole = find_place(p, y, &at->r, &at->s);
    if (!(whole > 0.0)) return 0;
    at->weight = rule[i].weight * area / whole;
    for (int c = 0; c < 4; c++) {
      at->cell[c][0] = at->r, at->cell[c][1] = at->s;
      map_corner(piece, rule[i].cell[c], y);
      find_place(p, y, &at->cell[c][0], &at->cell[c][1]);
    }
  }
  out->n += n;
  return 1;
}

/* A fan of quadrilaterals, and a triangle. */
static ms_status add_piece(ms_context *ctx, const plane *p, const polygon *piece, int order,
                           ms_contact_pieces *out, int *fine) {
  MS_TRY(ms_resize(ctx, out->n + MOST * MS_FACE_POINTS, sizeof *out->point, &out->point));
  for (int i = 1; i + 1 < piece->n && *fine; i += 2) {
    polygon part = { .n = i + 2 < piece->n ? 4 : 3 };
    memcpy(part.x[0], piece->x[0], sizeof part.x[0]);
    memcpy(part.x[1], piece->x[i], (size_t)(part.n - 1) * sizeof part.x[0]);
    *fine = add_points(p, &part, order, out);
  }
  return MS_SUCCESS;
}

ms_status ms_contact_cut_face(ms_context *ctx, const ms_mesh *mesh, const ms_mesh_set *set,
                              const double *ball, ptrdiff_t face, int order,
                              ms_contact_pieces *out) {
  plane p;
  polygon piece;
  double covered = 0.0;
  int fine = 1, pieces = 0;
  fill_plane(mesh, &set[0], face, &p);
  out->n = 0;
  if (!is_straight(&p)) return MS_SUCCESS;
  for (ptrdiff_t k = 0; k < set[1].n && fine; k++) {
    if (!find_piece(&p, mesh, &set[1], ball, k, &piece)) continue;
    covered += find_area(&piece);
    pieces++;
    MS_TRY(add_piece(ctx, &p, &piece, order, out, &fine));
  }
  const int whole = pieces == 1 && covered >= (1.0 - ms_mesh_tol.in_line) * p.area;
  if (!fine || whole || covered > (1.0 + ms_mesh_tol.in_line) * p.area) out->n = 0;
  return MS_SUCCESS;
}
