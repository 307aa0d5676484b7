/* Beams against closed forms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/fem/band.h"
#include "support/fem/meshes.h"

static const double direction[3] = { 0.48, 0.6, 0.64 }, L = 0.713;
static double pi;

/* y is across the beam, Iz bends in its plane. */
static ms_part section(void) {
  return (
      ms_part) { .name = "beam",
                 .material = ms_material_isotropic(71e9, 0.31, 2710.0),
                 .section = { 2.4e-4, 0.9e-9, 7.1e-9, 2.3e-9, 0.84, 0.79, { -0.78, 0.6, 0.0 } } };
}

/* Clamped at one end; or along x, held at both ends against translation, and twist at one. */
static void find_modes(const char *element, const ms_part *part, int n, int supported, int n_mode,
                       double *freq) {
  static const double x[3] = { 1.0, 0.0, 0.0 };
  ms_mesh *mesh = test_beam(element, part, L, supported ? x : direction, n);
  test_band b = test_band_open(mesh, 6);
  for (int a = 0; a < (supported ? 4 : 6); a++) {
    test_band_fix(&b, 0, a);
    if (supported && a < 3) test_band_fix(&b, n, a);
  }
  test_band_modes(&b, n_mode, 0.0, freq, NULL);
  test_band_close(&b);
  ms_mesh_destroy(&mesh);
}

/* The frequency nearest to one that is looked for. */
static double nearest(int n, const double *freq, double want) {
  double best = freq[0];
  for (int i = 1; i < n; i++) {
    if (fabs(freq[i] - want) < fabs(best - want)) best = freq[i];
  }
  return best;
}

/* cos(b) cosh(b) = -1; f = b^2 sqrt(EI / rho A) / (2 pi L^2). Both planes, with order 4. */
static void test_cantilever_bending(void) {
  static const double beta[3] = { 1.8751040687119611664, 4.6940911329741745764,
                                  7.8547574382376125649 };
  ms_part p = section();
  double coarse[8], fine[8];
  find_modes("beam", &p, 8, 0, 6, coarse);
  find_modes("beam", &p, 16, 0, 6, fine);
  for (int k = 0; k < 5; k++) {
    double I = k < 3 ? p.section.Iy : p.section.Iz, b = beta[k % 3];
    double want = b * b / (2.0 * pi * L * L) * sqrt(71e9 * I / (2710.0 * p.section.A));
    double e1 = nearest(6, coarse, want) / want - 1.0, e2 = nearest(6, fine, want) / want - 1.0;
    printf("# bending %d: %.6f Hz, errors %.2e and %.2e\n", k, want, e1, e2);
    CHECK_BELOW(fabs(e2), 5e-5);
    if (k % 3) CHECK_NEAR(log2(e1 / e2), 4.0, 0.2);
  }
}

/* The k-th mode of a clamped bar, (2 k - 1) c / 4 L, as n linear elements give it:
   omega^2 = 6 (c/h)^2 (1 - cos a) / (2 + cos a), a = (2 k - 1) pi / 2 n. */
static double bar_mode(double c, int k, int n) {
  double a = (2 * k - 1) * pi / (2.0 * n);
  return c * n / L * sqrt(6.0 * (1.0 - cos(a)) / (2.0 + cos(a))) / (2.0 * pi);
}

static void test_cantilever_bars(void) {
  ms_part p = section();
  double freq[8];
  p.section.Iy = p.section.Iz = 1.1e-5;
  p.section.J = 0.9e-6;
  find_modes("beam", &p, 16, 0, 8, freq);
  double torsion = sqrt(p.material.G[0] * p.section.J / (2710.0 * 2.2e-5));
  for (int k = 1; k <= 3; k++) {
    double want = bar_mode(torsion, k, 16);
    CHECK_CLOSE(nearest(8, freq, want), want, 1e-11);
  }
  CHECK_CLOSE(bar_mode(torsion, 1, 16), torsion / (4.0 * L), 5e-4); /* and near the exact one */
  p = section();
  p.section.A = 1e-6; /* so light that bending is faster */
  p.section.J = 1e-6;
  find_modes("beam", &p, 16, 0, 4, freq);
  double want = bar_mode(sqrt(71e9 / 2710.0), 1, 16);
  CHECK_CLOSE(nearest(4, freq, want), want, 1e-10);
}

/* The section's axes: y from the guide, z across. */
static void find_axes(const double *guide, double *y, double *z) {
  double dot = 0.0, length = 0.0;
  for (int a = 0; a < 3; a++) dot += guide[a] * direction[a];
  for (int a = 0; a < 3; a++) y[a] = guide[a] - dot * direction[a];
  for (int a = 0; a < 3; a++) length += y[a] * y[a];
  for (int a = 0; a < 3; a++) y[a] /= sqrt(length);
  for (int a = 0; a < 3; a++) {
    int c = (a + 1) % 3, d = (a + 2) % 3;
    z[a] = direction[c] * y[d] - direction[d] * y[c];
  }
}

static double along(const double *u, const double *axis) {
  return u[0] * axis[0] + u[1] * axis[1] + u[2] * axis[2];
}

/* P L^3/3EI + P L/kGA at the tip and its rotation P L^2/2EI, exact with one element. */
static void tip_load(int plane, int shear) {
  const double P = 13.7;
  ms_part p = section();
  ms_mesh *mesh = test_beam(shear ? "timoshenko" : "beam", &p, L, direction, 1);
  test_band b = test_band_open(mesh, 6);
  double y[3], z[3], f[12] = { 0.0 }, u[12] = { 0.0 };
  find_axes(p.section.y, y, z);
  for (int a = 0; a < 6; a++) test_band_fix(&b, 0, a);
  for (int a = 0; a < 3; a++) f[6 + a] = P * (plane ? z[a] : y[a]);
  test_band_solve(&b, f, u);
  double EI = 71e9 * (plane ? p.section.Iy : p.section.Iz);
  double kGA = (plane ? p.section.shear_z : p.section.shear_y) * p.material.G[0] * p.section.A;
  double want = P * L * L * L / (3.0 * EI) + (shear ? P * L / kGA : 0.0);
  CHECK_CLOSE(along(u + 6, plane ? z : y), want, 1e-11);
  /* pushed along y it turns about z, pushed along z about -y */
  CHECK_CLOSE(plane ? -along(u + 9, y) : along(u + 9, z), P * L * L / (2.0 * EI), 1e-11);
  test_band_close(&b);
  ms_mesh_destroy(&mesh);
}

static void test_tip_load(void) {
  for (int k = 0; k < 4; k++) tip_load(k % 2, k / 2);
}

/* Simply supported Timoshenko beam, wave number k = n pi / L:
   rho^2 I / kG w^4 - (rho A + rho I k^2 (1 + E / kG)) w^2 + E I k^4 = 0, per area where it should
   be. */
static double timoshenko_exact(const ms_part *p, double I, double shear, int n) {
  double k = n * pi / L, rho = 2710.0, E = 71e9, kG = shear * p->material.G[0], A = p->section.A;
  double a = rho * rho * I / kG, b = rho * A + rho * I * k * k * (1.0 + E / kG);
  double c = E * I * pow(k, 4);
  return sqrt(2.0 * c / (b + sqrt(b * b - 4.0 * a * c))) / (2.0 * pi);
}

static void test_timoshenko_modes(void) {
  ms_part p = section();
  double coarse[6], fine[6];
  p.section.A = 3.1e-2; /* a stubby one */
  p.section.Iy = 1.7e-4;
  p.section.Iz = 4.9e-4;
  p.section.J = 0.1;
  p.section.y[0] = 0.0;
  find_modes("timoshenko", &p, 12, 1, 4, coarse);
  find_modes("timoshenko", &p, 24, 1, 4, fine);
  for (int k = 0; k < 3; k++) {
    double want =
        k < 2 ? timoshenko_exact(&p, 1.7e-4, 0.79, k + 1) : timoshenko_exact(&p, 4.9e-4, 0.84, 1);
    double e1 = nearest(4, coarse, want) / want - 1.0, e2 = nearest(4, fine, want) / want - 1.0;
    printf("# Timoshenko %d: %.4f Hz, errors %.2e and %.2e\n", k, want, e1, e2);
    CHECK_BELOW(fabs(e2), 2e-3);
    CHECK_NEAR(log2(e1 / e2), 2.0, 0.05); /* constant shear in each element */
  }
}

int main(void) {
  pi = acos(-1.0);
  TEST(test_cantilever_bending);
  TEST(test_cantilever_bars);
  TEST(test_tip_load);
  TEST(test_timoshenko_modes);
  return test_finish();
}
