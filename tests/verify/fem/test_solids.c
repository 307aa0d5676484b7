/* Solids against problems of the literature and exact solutions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/fem/band.h"
#include "support/fem/meshes.h"

/* ---- the straight beam of MacNeal and Harder (1985): 6 x 0.2 x 0.1, six elements ---- */

/* x along the beam; trapezoids: the five inner sections lean by 45 degrees to and fro. */
static ms_mesh *macneal_mesh(int trapezoidal) {
  static const double size[3] = { 6.0, 0.2, 0.1 };
  static const int n[3] = { 6, 1, 1 };
  ms_mesh *mesh = test_brick("hex8", size, n, 1e7, 0.3, 1.0);
  double *x = test_nodes(mesh);
  for (ptrdiff_t i = 0; trapezoidal && i < ms_mesh_count_nodes(mesh); i++) {
    int section = (int)lround(x[3 * i]);
    if (section == 0 || section == 6) continue;
    x[3 * i] += (section % 2 ? 1.0 : -1.0) * (x[3 * i + 1] - 0.1);
  }
  return mesh;
}

enum { EXTENSION, IN_PLANE, OUT_OF_PLANE, TWIST };

/* Unit load at the tip, a quarter at each node; the displacement or rotation that does its work. */
static double macneal(int trapezoidal, int load) {
  ms_mesh *mesh = macneal_mesh(trapezoidal);
  test_band b = test_band_open(mesh, 3);
  double *f = calloc((size_t)b.n, sizeof *f), *u = calloc((size_t)b.n, sizeof *u);
  const double *x = ms_mesh_get_nodes(mesh);
  ms_mesh_set tip;
  test_band_fix_set(&b, "part.left", 7);
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, "part.right", &tip));
  CHECK_EQUAL(tip.n, 4);
  for (ptrdiff_t i = 0; i < 4; i++) {
    ptrdiff_t node = tip.index[i];
    double y = x[3 * node + 1] - 0.1;
    if (load != TWIST) f[3 * node + load] = 0.25;
    if (load != TWIST) continue;
    f[3 * node + 2] = y / (4.0 * 0.01); /* chosen to agree: docs/theory */
  }
  double work = test_band_solve(&b, f, u);
  free(f);
  free(u);
  test_band_close(&b);
  ms_mesh_destroy(&mesh);
  return work;
}

/* Printed digits of the reference; the theory's values are those of the paper. */
static void test_macneal_harder(void) {
  static const double theory[4] = { 3e-5, 0.1081, 0.4321, 0.03208 };
  static const double regular[4] = { 0.988, 0.978, 0.973, 0.892 };
  static const double trapezoid[4] = { 0.0, 0.047, 0.030, 0.563 };
  for (int load = 0; load < 4; load++) {
    double value = macneal(0, load) / theory[load];
    printf("# regular %d: %.5f\n", load, value);
    CHECK_NEAR(value, regular[load], 5e-4);
    value = macneal(1, load) / theory[load];
    printf("# trapezoidal %d: %.5f\n", load, value);
    if (load > 0) CHECK_NEAR(value, trapezoid[load], 5e-4);
  }
}

/* ---- NAFEMS FV52: a thick square plate, held up along the edges of its lower face ---- */

static void test_fv52(void) {
  static const double size[3] = { 10.0, 10.0, 1.0 };
  static const int n[3] = { 8, 8, 3 };
  static const double want[] = { 45.318, 113.964, 113.964, 173.297, 196.769, 209.565, 209.565 };
  ms_mesh *mesh = test_brick("hex8", size, n, 200e9, 0.3, 8000.0);
  test_band b = test_band_open(mesh, 3);
  const double *x = ms_mesh_get_nodes(mesh);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
    const double *p = x + 3 * i;
    int rim = p[0] < 1e-9 || p[0] > 10.0 - 1e-9 || p[1] < 1e-9 || p[1] > 10.0 - 1e-9;
    if (rim && p[2] < 1e-9) test_band_fix(&b, i, 2);
  }
  double freq[10];
  test_band_modes(&b, 10, 4e3, freq, NULL); /* three motions in the plane are free */
  for (int i = 0; i < 3; i++) CHECK_NEAR(freq[i], 0.0, 1e-2);
  for (int i = 0; i < 7; i++) {
    printf("# FV52 %d: %.4f Hz\n", i + 4, freq[i + 3]);
    CHECK_NEAR(freq[i + 3], want[i], 5.1e-4);
  }
  test_band_close(&b);
  ms_mesh_destroy(&mesh);
}

/* ---- a clamped beam of bricks with 20 nodes ---- */

static void test_cantilever(void) {
  static const double size[3] = { 0.030, 0.0035, 0.572 };
  static const int n[3] = { 6, 2, 114 };
  static const double want[] = { 8.8393, 55.3822, 75.3595, 155.0680 };
  ms_mesh *mesh = test_brick("hex20", size, n, 70e9, 0.33, 2700.0);
  test_band b = test_band_open(mesh, 3);
  double freq[6];
  test_band_fix_set(&b, "part.bottom", 7);
  test_band_modes(&b, 6, 0.0, freq, NULL);
  for (int i = 0; i < 6; i++) printf("# cantilever %d: %.5f Hz\n", i + 1, freq[i]);
  for (int i = 0; i < 4; i++) CHECK_NEAR(freq[i], want[i], 6e-5);
  CHECK_NEAR(freq[5], 309.694, 6e-4);
  test_band_close(&b);
  ms_mesh_destroy(&mesh);
}

/* ---- convergence: a box on rollers, whose modes are standing waves ---- */

static const double box[3] = { 0.25, 0.83, 1.0 }; /* n/4 x n x n elements */

/* u_a = A_a sin(k_a x_a) times the cosines along the other axes, k_a = m_a pi / l_a: zero normal
   displacement and no shear on the walls. omega = c |k|; dilatation for A along k, shear across it.
 */
static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void exact_waves(double c_p, double c_s, int n, double *freq) {
  double all[256];
  int count = 0;
  for (int m = 1; m < 64; m++) {
    int k[3] = { m % 4, m / 4 % 4, m / 16 };
    int axes = (k[0] > 0) + (k[1] > 0) + (k[2] > 0);
    double length = sqrt(pow(k[0] / box[0], 2) + pow(k[1] / box[1], 2) + pow(k[2] / box[2], 2));
    all[count++] = 0.5 * c_p * length;
    for (int s = 1; s < axes; s++) all[count++] = 0.5 * c_s * length; /* A along axes with k > 0 */
  }
  qsort(all, (size_t)count, sizeof *all, compare);
  memcpy(freq, all, (size_t)n * sizeof *freq);
}

/* The nodes inside pushed along a smooth map, so that no symmetry of the mesh helps. */
static void push(ms_mesh *mesh) {
  double *x = test_nodes(mesh), pi = acos(-1.0);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
    double *p = x + 3 * i, r = pi * p[0] / box[0], s = pi * p[1] / box[1], t = pi * p[2] / box[2];
    p[0] += 0.02 * sin(r) * sin(1.3 + s);
    p[1] += 0.02 * sin(s) * sin(0.7 + t);
    p[2] += 0.02 * sin(t) * sin(0.4 + r);
  }
}

/* Relative error of the eigenvalue omega^2, the largest of the first three modes. */
static double wave_error(const char *element, int n) {
  const double E = 2.385, nu = 0.29, rho = 1.7;
  double mu = E / (2.0 * (1.0 + nu)), lambda = 2.0 * mu * nu / (1.0 - 2.0 * nu);
  const int count[3] = { n / 4, n, n };
  double exact[3], freq[3], worst = 0.0;
  exact_waves(sqrt((lambda + 2.0 * mu) / rho), sqrt(mu / rho), 3, exact);
  ms_mesh *mesh = test_brick(element, box, count, E, nu, rho);
  push(mesh);
  test_band b = test_band_open(mesh, 3);
  test_band_fix_set(&b, "part.left", 1);
  test_band_fix_set(&b, "part.right", 1);
  test_band_fix_set(&b, "part.front", 2);
  test_band_fix_set(&b, "part.back", 2);
  test_band_fix_set(&b, "part.bottom", 4);
  test_band_fix_set(&b, "part.top", 4);
  test_band_modes(&b, 3, 0.0, freq, NULL);
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(pow(freq[i] / exact[i], 2) - 1.0));
  test_band_close(&b);
  ms_mesh_destroy(&mesh);
  return worst;
}

/* The eigenvalue converges with twice the order p of the energy norm. */
static void order(const char *element, int coarse, int fine, double p) {
  double a = wave_error(element, coarse), b = wave_error(element, fine);
  double measured = 0.5 * log(a / b) / log((double)fine / coarse);
  printf("# %s: error of omega^2 %.3e at %d, %.3e at %d, order in energy %.3f\n", element, a,
         coarse, b, fine, measured);
  CHECK_NEAR(measured, p, 0.1);
}

static void test_orders(void) {
  order("hex8", 8, 16, 1.0);
  order("wedge6", 8, 16, 1.0);
  order("tet4", 8, 16, 1.0);
  order("hex20", 4, 8, 2.0);
  order("tet10", 8, 12, 2.0);
}

int main(void) {
  TEST(test_macneal_harder);
  TEST(test_fv52);
  TEST(test_cantilever);
  TEST(test_orders);
  return test_finish();
}
