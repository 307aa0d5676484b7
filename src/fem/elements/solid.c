/* Stiffness and mass of isoparametric solids (docs/theory/finite-elements.md).

     x_i, N_i, r   nodes, shape functions, reference coordinates
     J = dx/dr     j its determinant; subscript 0: at the centre of the cell
     g_i           gradient of N_i in space, J^-T dN_i/dr
     H_ij          integral of g_i (x) g_j: the geometry's part of the stiffness, without material
     K_ij          C : H_ij, a 3 x 3 block for each pair of nodes
     a             amplitudes of the incompatible modes; they are counted after the nodes */
#include "fem/elements/solid.h"

#include <math.h>
#include <string.h>

enum { MAX_MODE = 3 };
#define MAX_ROWS MS_ELEMENT_DOF /* the modes come with hex8 only, which leaves room for them */

/* ---- geometry ---- */

/* J (column-major) and its determinant. */
static double jacobian(int n, const double *x, const double *dN, double J[9]) {
  memset(J, 0, 9 * sizeof *J);
  for (int i = 0; i < n; i++) {
    for (int b = 0; b < 3; b++) {
      for (int a = 0; a < 3; a++) J[a + 3 * b] += x[3 * i + a] * dN[3 * i + b];
    }
  }
  return J[0] * (J[4] * J[8] - J[7] * J[5]) - J[3] * (J[1] * J[8] - J[7] * J[2]) +
         J[6] * (J[1] * J[5] - J[4] * J[2]);
}

/* c J^-T, column-major. */
static void inverse_transpose(const double J[9], double j, double c, double T[9]) {
  double f = c / j;
  T[0] = f * (J[4] * J[8] - J[7] * J[5]);
  T[1] = f * (J[6] * J[5] - J[3] * J[8]);
  T[2] = f * (J[3] * J[7] - J[6] * J[4]);
  T[3] = f * (J[7] * J[2] - J[1] * J[8]);
  T[4] = f * (J[0] * J[8] - J[6] * J[2]);
  T[5] = f * (J[6] * J[1] - J[0] * J[7]);
  T[6] = f * (J[1] * J[5] - J[4] * J[2]);
  T[7] = f * (J[3] * J[2] - J[0] * J[5]);
  T[8] = f * (J[0] * J[4] - J[3] * J[1]);
}

static void transform(int n, const double T[9], const double *dN, double *g) {
  for (int i = 0; i < n; i++) {
    const double *d = dN + 3 * i;
    for (int a = 0; a < 3; a++) g[3 * i + a] = T[a] * d[0] + T[a + 3] * d[1] + T[a + 6] * d[2];
  }
}

/* ---- stiffness ---- */

/* H += sum_k w_k g_k g_k^T over four vectors at once, the lower triangle of 3 x 3 blocks; g is
   MAX_ROWS x 4. Four at once spare H three ways through memory out of four. */
static void add_outer(int n, int ld, const double *w, const double *restrict g,
                      double *restrict H) {
  const double *g0 = g, *g1 = g + MAX_ROWS, *g2 = g + 2 * MAX_ROWS, *g3 = g + 3 * MAX_ROWS;
  for (int c = 0; c < n; c++) {
    double f0 = w[0] * g0[c], f1 = w[1] * g1[c], f2 = w[2] * g2[c], f3 = w[3] * g3[c];
    double *restrict column = H + ld * c;
    for (int r = c - c % 3; r < n; r++) {
      column[r] += f0 * g0[r] + f1 * g1[r] + f2 * g2[r] + f3 * g3[r];
    }
  }
}

/* j0 J0^-T: Taylor's correction takes the gradients of the modes with the Jacobian at the centre,
   scaled by j0/j, so that they integrate to nothing over any element and constant stress does no
   work on them: without it only parallelepipeds pass the patch test. */
static int centre_transform(const ms_solid_shape *s, const double *x, double T0[9]) {
  static const double centre[3] = { 0.0, 0.0, 0.0 };
  double dN[3 * MS_ELEMENT_NODES], J[9];
  s->gradient(centre, dN);
  double j0 = jacobian(s->n_node, x, dN, J);
  if (!(j0 > 0.0)) return 1;
  inverse_transpose(J, j0, j0, T0);
  return 0;
}

/* Gradients of nodes and modes at one point, and its weight in space, or 1. */
static int gradients(const ms_solid_shape *s, const double *x, const double *T0, const ms_point *q,
                     double *w, double *g) {
  double dN[3 * MS_ELEMENT_NODES], J[9], T[9];
  s->gradient(q->r, dN);
  double j = jacobian(s->n_node, x, dN, J);
  if (!(j > 0.0)) return 1;
  inverse_transpose(J, j, 1.0, T);
  transform(s->n_node, T, dN, g);
  *w = q->w * j;
  if (s->n_mode == 0) return 0;
  for (int i = 0; i < 9; i++) T[i] = T0[i] / j;
  s->mode(q->r, dN);
  transform(s->n_mode, T, dN, g + 3 * s->n_node);
  return 0;
}

/* H over nodes and modes, n = 3 (n_node + n_mode) rows. */
static int integrate(const ms_solid_shape *s, const double *x, double *H) {
  int n = 3 * (s->n_node + s->n_mode);
  double T0[9], g[4 * MAX_ROWS];
  if (s->n_mode && centre_transform(s, x, T0)) return 1;
  memset(H, 0, sizeof *H * (size_t)(n * n));
  for (int k = 0; k < s->stiffness->n; k += 4) {
    double w[4] = { 0.0 };
    for (int i = 0; i < 4; i++) {
      if (k + i >= s->stiffness->n)
        memset(g + MAX_ROWS * i, 0, MAX_ROWS * sizeof *g);
      else if (gradients(s, x, T0, &s->stiffness->point[k + i], &w[i], g + MAX_ROWS * i))
        return 1;
    }
    add_outer(n, n, w, g, H);
  }
  return 0;
}

/* B_ac = lambda H_ac + mu (H_ca + delta_ac tr H), in place. */
static inline void isotropic_block(double lambda, double mu, int n, double *B) {
  double trace = mu * (B[0] + B[1 + n] + B[2 + 2 * n]);
  double H[9];
  for (int c = 0; c < 3; c++) {
    for (int a = 0; a < 3; a++) H[a + 3 * c] = B[a + n * c];
  }
  for (int c = 0; c < 3; c++) {
    for (int a = 0; a < 3; a++) B[a + n * c] = lambda * H[a + 3 * c] + mu * H[c + 3 * a];
    B[c + n * c] += trace;
  }
}

/* B_ac = C_abcd H_bd, in place. */
static void general_block(const double *C, int n, double *B) {
  double out[9] = { 0.0 };
  for (int d = 0; d < 3; d++) {
    for (int c = 0; c < 3; c++) {
      for (int b = 0; b < 3; b++) {
        const double *column = C + 3 * (b + 3 * (c + 3 * d));
        for (int a = 0; a < 3; a++) out[a + 3 * c] += column[a] * B[b + n * d];
      }
    }
  }
  for (int c = 0; c < 3; c++) {
    for (int a = 0; a < 3; a++) B[a + n * c] = out[a + 3 * c];
  }
}

/* K_uu - Y^T Y with Y = L^-1 K_au and K_aa = L L^T: rows m .. n-1 go from the lower triangle. */
static int condense(int n, int m, double *K) {
  static const double minus[4] = { -1.0, -1.0, -1.0, -1.0 };
  double Y[(3 * MAX_MODE + 3) * MAX_ROWS]; /* rows of Y one after the other, and zeros up to four */
  memset(Y + (n - m) * MAX_ROWS, 0, 3 * MAX_ROWS * sizeof *Y);
  for (int k = m; k < n; k++) { /* L in place of K_aa */
    double *y = Y + (k - m) * MAX_ROWS;
    for (int c = 0; c < m; c++) y[c] = K[k + n * c];
    for (int c = m; c <= k; c++) {
      const double *z = Y + (c - m) * MAX_ROWS;
      double l = K[k + n * c];
      for (int i = m; i < c; i++) l -= K[k + n * i] * K[c + n * i];
      if (c == k && !(l > 0.0)) return 1;
      K[k + n * c] = l = c < k ? l / K[c + n * c] : sqrt(l);
      for (int i = 0; i < m; i++) y[i] = c < k ? y[i] - l * z[i] : y[i] / l;
    }
  }
  for (int k = 0; k < n - m; k += 4) add_outer(m, n, minus, Y + k * MAX_ROWS, K);
  return 0;
}

int ms_solid_stiffness(const ms_solid_shape *s, const ms_property *p, const double *x, double *K) {
  double H[MAX_ROWS * MAX_ROWS];
  int m = 3 * s->n_node, n = m + 3 * s->n_mode;
  if (integrate(s, x, H)) return 1;
  for (int c = 0; c < n; c += 3) {
    for (int r = c; r < n; r += 3) {
      if (p->isotropic)
        isotropic_block(p->lambda, p->mu, n, H + r + n * c);
      else
        general_block(p->C, n, H + r + n * c);
    }
  }
  if (condense(n, m, H)) return 1;
  /* The lower triangle of the leading m x m of n x n, as a full matrix. */
  for (int c = 0; c < m; c++) {
    for (int r = c; r < m; r++) K[r + m * c] = K[c + m * r] = H[r + n * c];
  }
  return 0;
}

/* ---- mass ---- */

int ms_solid_mass(const ms_solid_shape *s, const ms_property *p, const double *x, double *M) {
  int m = s->n_node, n = 3 * m;
  double sum[MS_ELEMENT_NODES * MS_ELEMENT_NODES] = { 0.0 };
  for (int k = 0; k < s->mass->n; k++) {
    const ms_point *q = &s->mass->point[k];
    double N[MS_ELEMENT_NODES], dN[3 * MS_ELEMENT_NODES], J[9];
    s->value(q->r, N);
    s->gradient(q->r, dN);
    double j = jacobian(m, x, dN, J);
    if (!(j > 0.0)) return 1;
    for (int c = 0; c < m; c++) {
      double f = p->rho * q->w * j * N[c];
      for (int r = 0; r < m; r++) sum[r + m * c] += f * N[r];
    }
  }
  memset(M, 0, sizeof *M * (size_t)(n * n));
  for (int c = 0; c < m; c++) {
    for (int r = 0; r < m; r++) {
      double value = sum[r >= c ? r + m * c : c + m * r];
      for (int a = 0; a < 3; a++) M[3 * r + a + n * (3 * c + a)] = value;
    }
  }
  return 0;
}

/* ---- quality ---- */

/* The determinant of the three edges at a corner over the product of their lengths. */
static double corner_quality(const int corner[4], const double *x) {
  double e[9], length = 1.0;
  for (int k = 0; k < 3; k++) {
    double *v = e + 3 * k;
    for (int a = 0; a < 3; a++) v[a] = x[3 * corner[k + 1] + a] - x[3 * corner[0] + a];
    length *= sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  double det = e[0] * (e[4] * e[8] - e[7] * e[5]) - e[3] * (e[1] * e[8] - e[7] * e[2]) +
               e[6] * (e[1] * e[5] - e[4] * e[2]);
  return length > 0.0 ? det / length : 0.0;
}

ms_quality ms_solid_quality(const ms_solid_shape *s, const double *x) {
  ms_quality q = { HUGE_VAL, 0.0 };
  double weight = 0.0;
  for (int i = 0; i < s->n_corner; i++) {
    double value = corner_quality(s->corner[i], x) / s->ideal;
    if (!(value >= q.scaled_jacobian)) q.scaled_jacobian = value;
  }
  for (int k = 0; k < s->mass->n; k++) {
    double dN[3 * MS_ELEMENT_NODES], J[9];
    s->gradient(s->mass->point[k].r, dN);
    double j = jacobian(s->n_node, x, dN, J);
    if (!(j > 0.0) && q.scaled_jacobian > 0.0) q.scaled_jacobian = 0.0;
    q.volume += s->mass->point[k].w * j;
    weight += s->mass->point[k].w;
  }
  if (s->n_node > s->n_corner) {
    /* The least of j over its mean at the nodes: a quadratic element folds over where an edge's
       node strays, and its corners do not see it. */
    double mean = q.volume / weight;
    double least = HUGE_VAL, dN[3 * MS_ELEMENT_NODES], J[9];
    for (int i = 0; i < s->n_node; i++) {
      s->gradient(s->coords + 3 * i, dN);
      double j = jacobian(s->n_node, x, dN, J);
      if (!(j >= least)) least = j;
    }
    double even = mean > 0.0 ? least / mean : -1.0;
    if (!(even >= q.scaled_jacobian)) q.scaled_jacobian = even;
  }
  return q;
}
