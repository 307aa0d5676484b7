/* Straight beams with two nodes, each u = (ux uy uz rx ry rz), exact for loads at the ends.

     L, A, I      length, area, second moment of area in the plane of bending
     Phi          12 E I / (k G A L^2): shear against bending, 0 for Euler-Bernoulli
     w, theta     deflection and rotation, theta = w' without shear
     N, T         their shape functions for (w1, theta1, w2, theta2)
     s = x/L */
#include "fem/elements/beam_matrices.h"
#include "fem/tolerance.h"

#include <math.h>
#include <string.h>

enum { N_DOF = 12 };

static const int plane_y[4] = { 1, 5, 7, 11 }; /* uy, rz of both ends: theta = +rz */
static const int plane_z[4] = { 2, 4, 8, 10 }; /* uz, ry: theta = -ry */

/* ---- axes ---- */

static double normalise(double *v) {
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int a = 0; a < 3 && length > 0.0; a++) v[a] /= length;
  return length;
}

/* The axes as columns, and the length; 1 if they cannot be had. */
static int beam_axes(const ms_property *p, const double *x, double *Q, double *L) {
  double *ex = Q, *ey = Q + 3, *ez = Q + 6;
  for (int a = 0; a < 3; a++) ex[a] = x[3 + a] - x[a];
  *L = normalise(ex);
  if (!(*L > 0.0)) return 1;
  double y[3] = { p->section.y[0], p->section.y[1], p->section.y[2] };
  if (!(normalise(y) > 0.0)) { /* open: the global axis most across the beam */
    int least = fabs(ex[2]) <= fabs(ex[1]) && fabs(ex[2]) <= fabs(ex[0]) ? 2
                : fabs(ex[1]) <= fabs(ex[0])                             ? 1
                                                                         : 0;
    y[least] = 1.0;
  }
  double dot = ex[0] * y[0] + ex[1] * y[1] + ex[2] * y[2];
  for (int a = 0; a < 3; a++) ey[a] = y[a] - dot * ex[a];
  if (!(normalise(ey) > ms_mesh_tol.in_line)) return 1;
  ez[0] = ex[1] * ey[2] - ex[2] * ey[1];
  ez[1] = ex[2] * ey[0] - ex[0] * ey[2];
  ez[2] = ex[0] * ey[1] - ex[1] * ey[0];
  return 0;
}

/* A in the beam's axes becomes T A T^T in global ones, T four times Q on the diagonal. */
static void to_global(const double *Q, double *A) {
  for (int c = 0; c < N_DOF; c += 3) {
    for (int r = 0; r < N_DOF; r += 3) {
      double B[9] = { 0.0 }, *a = A + r + N_DOF * c;
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
          for (int j = 0; j < 3; j++) B[i + 3 * j] += Q[i + 3 * k] * a[k + N_DOF * j];
        }
      }
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
          a[i + N_DOF * j] = B[i] * Q[j] + B[i + 3] * Q[j + 3] + B[i + 6] * Q[j + 6];
        }
      }
    }
  }
}

/* ---- bending in one plane ---- */

static void add_plane(const int *dof, double sign, double plane[4][4], double *A) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      double f = (i % 2 ? sign : 1.0) * (j % 2 ? sign : 1.0);
      A[dof[i] + N_DOF * dof[j]] += f * plane[i][j];
    }
  }
}

static void bending_stiffness(double EI, double L, double Phi, double K[4][4]) {
  double c = EI / (L * L * L * (1.0 + Phi));
  double a = 6.0 * L, b = (4.0 + Phi) * L * L, d = (2.0 - Phi) * L * L;
  const double k[4][4] = {
    { 12.0, a, -12.0, a }, { a, b, -a, d }, { -12.0, -a, 12.0, -a }, { a, d, -a, b }
  };
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) K[i][j] = c * k[i][j];
  }
}

/* rho A int N N^T + rho I int T T^T; four points are exact for degree 7, and 6 is needed. */
static void bending_mass(double rhoA, double rhoI, double L, double Phi, double M[4][4]) {
  static const double point[2] = { 0.33998104358485626480, 0.86113631159405257522 };
  static const double weight[2] = { 0.65214515486254614263, 0.34785484513745385737 };
  memset(M, 0, 16 * sizeof(double));
  for (int k = 0; k < 4; k++) {
    double s = 0.5 * (1.0 + (k % 2 ? point[k / 2] : -point[k / 2])), N[4], T[4];
    double w = 0.5 * L * weight[k / 2];
    double c = 1.0 / (1.0 + Phi), s2 = s * s, s3 = s2 * s;
    N[0] = c * (1.0 - 3.0 * s2 + 2.0 * s3 + Phi * (1.0 - s));
    N[1] = c * L * (s - 2.0 * s2 + s3 + 0.5 * Phi * (s - s2));
    N[2] = c * (3.0 * s2 - 2.0 * s3 + Phi * s);
    N[3] = c * L * (s3 - s2 - 0.5 * Phi * (s - s2));
    T[0] = c * 6.0 * (s2 - s) / L;
    T[1] = c * (1.0 - 4.0 * s + 3.0 * s2 + Phi * (1.0 - s));
    T[2] = -T[0];
    T[3] = c * (3.0 * s2 - 2.0 * s + Phi * s);
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) M[i][j] += w * (rhoA * N[i] * N[j] + rhoI * T[i] * T[j]);
    }
  }
}

/* ---- the element ---- */

/* Extension (dof 0) and torsion (dof 3): diagonal and off-diagonal entries. */
static void add_bar(int dof, double diagonal, double off, double *A) {
  int other = dof + 6;
  A[dof + N_DOF * dof] += diagonal;
  A[other + N_DOF * other] += diagonal;
  A[dof + N_DOF * other] += off;
  A[other + N_DOF * dof] += off;
}

/* Shear factor k = 0 stands for none, as with the Euler-Bernoulli beam. */
static double shear_ratio(int shear, const ms_property *p, double I, double k, double L) {
  return shear && k > 0.0 ? 12.0 * p->E * I / (k * p->G * p->section.A * L * L) : 0.0;
}

int ms_beam_stiffness(int shear, const ms_property *p, const double *x, double *K) {
  const ms_beam_section *s = &p->section;
  double Q[9], L, plane[4][4];
  if (beam_axes(p, x, Q, &L)) return 1;
  memset(K, 0, N_DOF * N_DOF * sizeof *K);
  add_bar(0, p->E * s->A / L, -p->E * s->A / L, K);
  add_bar(3, p->G * s->J / L, -p->G * s->J / L, K);
  bending_stiffness(p->E * s->Iz, L, shear_ratio(shear, p, s->Iz, s->shear_y, L), plane);
  add_plane(plane_y, 1.0, plane, K);
  bending_stiffness(p->E * s->Iy, L, shear_ratio(shear, p, s->Iy, s->shear_z, L), plane);
  add_plane(plane_z, -1.0, plane, K);
  to_global(Q, K);
  return 0;
}

int ms_beam_mass(int shear, const ms_property *p, const double *x, double *M) {
  const ms_beam_section *s = &p->section;
  double Q[9], L, plane[4][4], rhoA = p->rho * s->A, rhoI = shear ? p->rho : 0.0;
  if (beam_axes(p, x, Q, &L)) return 1;
  memset(M, 0, N_DOF * N_DOF * sizeof *M);
  add_bar(0, rhoA * L / 3.0, rhoA * L / 6.0, M);
  double polar = p->rho * (s->Iy + s->Iz) * L;
  add_bar(3, polar / 3.0, polar / 6.0, M);
  bending_mass(rhoA, rhoI * s->Iz, L, shear_ratio(shear, p, s->Iz, s->shear_y, L), plane);
  add_plane(plane_y, 1.0, plane, M);
  bending_mass(rhoA, rhoI * s->Iy, L, shear_ratio(shear, p, s->Iy, s->shear_z, L), plane);
  add_plane(plane_z, -1.0, plane, M);
  to_global(Q, M);
  return 0;
}
