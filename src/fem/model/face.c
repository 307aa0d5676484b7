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

/* Point, tangents; returns |t_r x t_s|. */
static double tangents(int n, const double *x, double r, double s, double *N, double *p,
                       double *t) {
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

/* Three by three Gauss points; on triangles, collapsed from the square. */
void ms_face_share(int n, const double *x, double *share) {
  static const double g[3] = { -0.7745966692414834, 0.0, 0.7745966692414834 };
  static const double w[3] = { 5.0 / 9, 8.0 / 9, 5.0 / 9 };
  double area = 0.0, sum = 0.0, N[8], p[3], t[6];
  for (int i = 0; i < n; i++) share[i] = 0.0;
  for (int k = 0; k < 9; k++) {
    double r = g[k % 3], s = g[k / 3], weight = w[k % 3] * w[k / 3];
    if (n % 4 != 0) {
      double v = (1 + s) / 2;
      weight *= (1 - v) / 4;
      r = (1 + r) / 2 * (1 - v);
      s = v;
    }
    double dA = weight * tangents(n, x, r, s, N, p, t);
    area += dA;
    for (int i = 0; i < n; i++) share[i] += N[i] * N[i] * dA;
  }
  for (int i = 0; i < n; i++) sum += share[i];
  for (int i = 0; i < n; i++) share[i] *= area / sum;
}

void ms_face_weigh(int n, const double *x, double *area, double *normal) {
  const double g = 1.0 / sqrt(3.0);
  const int triangle = n % 4 != 0, points = triangle ? 1 : 4;
  memset(area, 0, (size_t)n * sizeof *area);
  memset(normal, 0, 3 * (size_t)n * sizeof *normal);
  for (int k = 0; k < points; k++) { /* exact: the area is bilinear at most, N as well */
    double N[8], p[3], t[6];
    const double r = triangle ? 1.0 / 3 : k % 2 ? g : -g, s = triangle ? 1.0 / 3 : k / 2 ? g : -g;
    const double weight = triangle ? 0.5 : 1.0, dA = weight * tangents(n, x, r, s, N, p, t);
    for (int i = 0; i < n; i++) {
      area[i] += N[i] * dA;
      for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        normal[3 * i + a] += weight * N[i] * (t[b] * t[3 + c] - t[c] * t[3 + b]);
      }
    }
  }
}

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
    tangents(n, x, *r, *s, N, p, t);
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
  tangents(n, x, *r, *s, N, p, t);
  for (int i = 0; i < 3; i++) d[i] = y[i] - p[i];
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}
