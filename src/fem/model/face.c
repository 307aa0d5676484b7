/* Faces of solids: shape functions, areas, projection. */
#include <math.h>
#include <string.h>

#include "fem/model/model.h"

/* Corners and middles of the edges of a quadrilateral. */
static const double quad_r[8] = { -1, 1, 1, -1, 0, 1, 0, -1 };
static const double quad_s[8] = { -1, -1, 1, 1, -1, 0, 1, 0 };

static void shape_quad4(double r, double s, double *N, double *dN) {
  for (int i = 0; i < 4; i++) {
    N[i] = (1 + r * quad_r[i]) * (1 + s * quad_s[i]) / 4;
    dN[i] = quad_r[i] * (1 + s * quad_s[i]) / 4;
    dN[8 + i] = quad_s[i] * (1 + r * quad_r[i]) / 4;
  }
}

static void shape_quad8(double r, double s, double *N, double *dN) {
  for (int i = 0; i < 4; i++) {
    double a = 1 + r * quad_r[i], b = 1 + s * quad_s[i], c = r * quad_r[i] + s * quad_s[i] - 1;
    N[i] = a * b * c / 4;
    dN[i] = quad_r[i] * b * (c + a) / 4;
    dN[8 + i] = quad_s[i] * a * (c + b) / 4;
  }
  for (int i = 4; i < 8; i += 2) { /* on r = 0 */
    double b = 1 + s * quad_s[i];
    N[i] = (1 - r * r) * b / 2;
    dN[i] = -r * b;
    dN[8 + i] = (1 - r * r) * quad_s[i] / 2;
  }
  for (int i = 5; i < 8; i += 2) { /* on s = 0 */
    double a = 1 + r * quad_r[i];
    N[i] = (1 - s * s) * a / 2;
    dN[i] = (1 - s * s) * quad_r[i] / 2;
    dN[8 + i] = -s * a;
  }
}

static void shape_tri3(double r, double s, double *N, double *dN) {
  const double value[3] = { 1 - r - s, r, s }, by_r[3] = { -1, 1, 0 }, by_s[3] = { -1, 0, 1 };
  for (int i = 0; i < 3; i++) {
    N[i] = value[i];
    dN[i] = by_r[i];
    dN[8 + i] = by_s[i];
  }
}

static void shape_tri6(double r, double s, double *N, double *dN) {
  double L[3], d[16];
  shape_tri3(r, s, L, d);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3; /* middle of the edge from corner i to the next */
    N[i] = L[i] * (2 * L[i] - 1);
    N[3 + i] = 4 * L[i] * L[j];
    for (int a = 0; a < 16; a += 8) {
      dN[a + i] = (4 * L[i] - 1) * d[a + i];
      dN[a + 3 + i] = 4 * (d[a + i] * L[j] + L[i] * d[a + j]);
    }
  }
}

void ms_face_shape(int n_node, double r, double s, double *N, double *dN) {
  if (n_node == 3) shape_tri3(r, s, N, dN);
  if (n_node == 4) shape_quad4(r, s, N, dN);
  if (n_node == 6) shape_tri6(r, s, N, dN);
  if (n_node == 8) shape_quad8(r, s, N, dN);
}

const ms_face *ms_face_gather(const ms_mesh *mesh, int32_t element, int face, int32_t *node,
                              double *x) {
  const ms_element_block *b = &mesh->block[ms_mesh_find_block(mesh, element)];
  const ms_face *f = &b->element->info.face[face];
  const int32_t *nodes = b->node + b->element->info.n_node * (element - b->first);
  for (int i = 0; i < f->n_node; i++) {
    node[i] = nodes[f->node[i]];
    memcpy(x + 3 * i, mesh->x + 3 * (ptrdiff_t)node[i], 3 * sizeof *x);
  }
  return f;
}

double ms_face_map(int n, const double *x, double r, double s, double *N, double *p, double *t) {
  double dN[16];
  ms_face_shape(n, r, s, N, dN);
  for (int a = 0; a < 3; a++) {
    p[a] = t[a] = t[3 + a] = 0.0;
    for (int i = 0; i < n; i++) {
      p[a] += N[i] * x[3 * i + a];
      t[a] += dN[i] * x[3 * i + a];
      t[3 + a] += dN[8 + i] * x[3 * i + a];
    }
  }
  double c0 = t[1] * t[5] - t[2] * t[4], c1 = t[2] * t[3] - t[0] * t[5],
         c2 = t[0] * t[4] - t[1] * t[3];
  return sqrt(c0 * c0 + c1 * c1 + c2 * c2);
}

/* ---- integrals ---- */

/* Gauss and Legendre on [-1, 1], up to four points. */
static const double gauss_at[4][4] = {
  { 0.0 },
  { -0.5773502691896258, 0.5773502691896258 },
  { -0.7745966692414834, 0.0, 0.7745966692414834 },
  { -0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526 },
};
static const double gauss_weight[4][4] = {
  { 2.0 },
  { 1.0, 1.0 },
  { 5.0 / 9, 8.0 / 9, 5.0 / 9 },
  { 0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538 },
};

/* From the square [-1, 1]^2 to the triangle: the side s = 1 becomes a corner. */
static void collapse(double *r, double *s) {
  const double v = (1 + *s) / 2;
  *r = (1 + *r) / 2 * (1 - v);
  *s = v;
}

/* Degree 2; each point stands for the quadrilateral at its corner. */
static int fill_three_points(ms_face_point *point) {
  static const double corner[3][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 } };
  for (int k = 0; k < 3; k++) {
    const double *a = corner[k], *b = corner[(k + 1) % 3], *c = corner[(k + 2) % 3];
    ms_face_point *p = &point[k];
    p->r = (4 * a[0] + b[0] + c[0]) / 6;
    p->s = (4 * a[1] + b[1] + c[1]) / 6;
    p->weight = 1.0 / 6;
    for (int i = 0; i < 2; i++) {
      p->cell[0][i] = a[i];
      p->cell[1][i] = (a[i] + b[i]) / 2;
      p->cell[2][i] = 1.0 / 3;
      p->cell[3][i] = (a[i] + c[i]) / 2;
    }
  }
  return 3;
}

int ms_face_rule(int n_node, int order, ms_face_point *point) {
  const double *at = gauss_at[order - 1], *weight = gauss_weight[order - 1];
  const int triangle = n_node % 4 != 0;
  double edge[5] = { -1.0 };
  if (triangle && order == 2) return fill_three_points(point);
  for (int i = 0; i < order; i++) edge[i + 1] = edge[i] + weight[i];
  for (int k = 0; k < order * order; k++) {
    const int i = k % order, j = k / order;
    ms_face_point *p = &point[k];
    *p = (ms_face_point) { at[i],
                           at[j],
                           weight[i] * weight[j],
                           { { edge[i], edge[j] },
                             { edge[i + 1], edge[j] },
                             { edge[i + 1], edge[j + 1] },
                             { edge[i], edge[j + 1] } } };
    if (!triangle) continue;
    p->weight *= (1 - p->s) / 8;
    collapse(&p->r, &p->s);
    for (int c = 0; c < 4; c++) collapse(&p->cell[c][0], &p->cell[c][1]);
  }
  return order * order;
}

void ms_face_share(int n, const double *x, double *share) {
  ms_face_point point[MS_FACE_POINTS];
  double area = 0.0, sum = 0.0, N[8], p[3], t[6];
  const int points = ms_face_rule(n, 3, point);
  for (int i = 0; i < n; i++) share[i] = 0.0;
  for (int k = 0; k < points; k++) {
    const double dA = point[k].weight * ms_face_map(n, x, point[k].r, point[k].s, N, p, t);
    area += dA;
    for (int i = 0; i < n; i++) share[i] += N[i] * N[i] * dA;
  }
  for (int i = 0; i < n; i++) sum += share[i];
  for (int i = 0; i < n; i++) share[i] *= area / sum;
}

void ms_face_normal(const double *t, double *normal) {
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    normal[a] = t[b] * t[3 + c] - t[c] * t[3 + b];
  }
}

void ms_face_weigh(int n, const double *x, double *area, double *normal) {
  ms_face_point point[MS_FACE_POINTS];
  const int points = ms_face_rule(n, n <= 4 ? 2 : 3, point);
  memset(area, 0, (size_t)n * sizeof *area);
  memset(normal, 0, 3 * (size_t)n * sizeof *normal);
  for (int k = 0; k < points; k++) {
    double N[8], p[3], t[6], across[3];
    const double weight = point[k].weight;
    const double dA = weight * ms_face_map(n, x, point[k].r, point[k].s, N, p, t);
    ms_face_normal(t, across);
    for (int i = 0; i < n; i++) {
      area[i] += N[i] * dA;
      for (int a = 0; a < 3; a++) normal[3 * i + a] += weight * N[i] * across[a];
    }
  }
}

/* ---- projection ---- */

static void keep_inside(int n, double *r, double *s) {
  if (n % 4 == 0) {
    *r = fmin(fmax(*r, -1.0), 1.0);
    *s = fmin(fmax(*s, -1.0), 1.0);
    return;
  }
  *r = fmax(*r, 0.0);
  *s = fmax(*s, 0.0);
  double sum = *r + *s;
  if (sum > 1.0) {
    *r -= (sum - 1.0) / 2;
    *s -= (sum - 1.0) / 2;
    *r = fmin(fmax(*r, 0.0), 1.0);
    *s = 1.0 - *r;
  }
}

/* Gauss and Newton: exact in one step on flat parallelograms. */
double ms_face_project(int n, const double *x, const double *y, double *r, double *s) {
  double N[8], p[3], t[6], d[3];
  *r = *s = n % 4 == 0 ? 0.0 : 1.0 / 3;
  for (int k = 0; k < 30; k++) {
    ms_face_map(n, x, *r, *s, N, p, t);
    double a = 0, b = 0, c = 0, f = 0, h = 0, old_r = *r, old_s = *s;
    for (int i = 0; i < 3; i++) {
      double e = y[i] - p[i];
      a += t[i] * t[i], b += t[i] * t[3 + i], c += t[3 + i] * t[3 + i];
      f += t[i] * e, h += t[3 + i] * e;
    }
    double det = a * c - b * b;
    if (!(det > 0.0)) break;
    *r += (c * f - b * h) / det;
    *s += (a * h - b * f) / det;
    keep_inside(n, r, s);
    if (fabs(*r - old_r) + fabs(*s - old_s) < 1e-14) break;
  }
  ms_face_map(n, x, *r, *s, N, p, t);
  for (int i = 0; i < 3; i++) d[i] = y[i] - p[i];
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

void ms_faces_fill_balls(const ms_mesh *mesh, const ms_mesh_set *faces, double *ball) {
  for (ptrdiff_t k = 0; k < faces->n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES], *b = ball + 4 * k;
    const ms_face *f = ms_face_gather(mesh, faces->index[k], faces->face[k], node, x);
    for (int a = 0; a < 3; a++) {
      b[a] = 0.0;
      for (int i = 0; i < f->n_node; i++) b[a] += x[3 * i + a] / f->n_node;
    }
    b[3] = 0.0;
    for (int i = 0; i < f->n_node; i++) {
      double dx = x[3 * i] - b[0], dy = x[3 * i + 1] - b[1], dz = x[3 * i + 2] - b[2];
      b[3] = fmax(b[3], sqrt(dx * dx + dy * dy + dz * dz));
    }
  }
}

ms_landing ms_faces_project(const ms_mesh *mesh, const ms_mesh_set *faces, const double *ball,
                            const double *y) {
  ms_landing best = { -1, INFINITY, 0.0, 0.0 };
  for (ptrdiff_t k = 0; k < faces->n; k++) {
    const double *b = ball + 4 * k;
    double dx = y[0] - b[0], dy = y[1] - b[1], dz = y[2] - b[2], r, s;
    if (sqrt(dx * dx + dy * dy + dz * dz) - 1.1 * b[3] >= best.distance) continue;
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES];
    const ms_face *f = ms_face_gather(mesh, faces->index[k], faces->face[k], node, x);
    double d = ms_face_project(f->n_node, x, y, &r, &s);
    if (d < best.distance) best = (ms_landing) { k, d, r, s };
  }
  return best;
}
