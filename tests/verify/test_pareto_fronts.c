/* NSGA-II on problems whose fronts are known (Zitzler, Deb and Thiele 2000; Deb et al. 2005): 100
   points, 250 generations, median of 11 seeds, against the volume of ideally spread points on the
   true front. Reference point 1.1 in every objective. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <microslip/pareto.h>

#include "support/check.h"

enum { N_POINT = 100, N_GENERATION = 250, N_SEED = 11, MAX = 128 };
static const double pi = 3.141592653589793;

static double tail_sum(const double *x, int n) {
  double sum = 0.0;
  for (int j = 1; j < n; j++) sum += x[j];
  return 1.0 + 9.0 * sum / (n - 1);
}

static double zdt1(double f, double g) {
  return g * (1.0 - sqrt(f / g));
}

static double zdt2(double f, double g) {
  return g * (1.0 - f * f / (g * g));
}

static double zdt3(double f, double g) {
  return g * (1.0 - sqrt(f / g) - f / g * sin(10.0 * pi * f));
}

typedef double curve(double f, double g); /* second objective of a first one and the distance g */

static ms_status eval_zdt(void *user, ptrdiff_t n, const double *x, double *f, double *v) {
  curve *second = *(curve **)user;
  (void)v;
  for (ptrdiff_t i = 0; i < n; i++) {
    f[2 * i] = x[30 * i];
    f[2 * i + 1] = second(x[30 * i], tail_sum(x + 30 * i, 30));
  }
  return MS_SUCCESS;
}

static ms_status eval_dtlz2(void *user, ptrdiff_t n, const double *x, double *f, double *v) {
  (void)user, (void)v;
  for (ptrdiff_t i = 0; i < n; i++, x += 12, f += 3) {
    double radius = 1.0, a = 0.5 * pi * x[0], b = 0.5 * pi * x[1];
    for (int j = 2; j < 12; j++) radius += (x[j] - 0.5) * (x[j] - 0.5);
    f[0] = radius * cos(a) * cos(b);
    f[1] = radius * cos(a) * sin(b);
    f[2] = radius * sin(a);
  }
  return MS_SUCCESS;
}

static double volume_of(ptrdiff_t n, ptrdiff_t n_f, const double *f) {
  const double reference[] = { 1.1, 1.1, 1.1 };
  double volume = 0.0;
  CHECK_OK(ms_pareto_hypervolume(test_context(), n, n_f, f, reference, &volume));
  return volume;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_volume(ptrdiff_t n_x, ptrdiff_t n_f, ms_pareto_eval *eval, void *user) {
  static const double lower[30];
  double upper[30], volume[N_SEED];
  for (int j = 0; j < 30; j++) upper[j] = 1.0;
  for (int k = 0; k < N_SEED; k++) {
    ms_pareto_problem problem = { n_x, n_f, lower, upper, eval, user };
    ms_nsga2_setting setting = MS_NSGA2_DEFAULT;
    ms_nsga2 *search = NULL;
    setting.n_point = N_POINT;
    setting.seed = (uint64_t)k + 1;
    CHECK_OK(ms_nsga2_create(test_context(), &problem, &setting, &search));
    for (int g = 0; g <= N_GENERATION; g++) CHECK_OK(ms_nsga2_step(search));
    volume[k] = volume_of(N_POINT, n_f, ms_nsga2_points(search).f);
    ms_nsga2_destroy(&search);
  }
  qsort(volume, N_SEED, sizeof *volume, ascending);
  return volume[N_SEED / 2];
}

/* The front of a curve: its samples that no earlier one is below, and 100 of them at equal
   distances along the front's pieces. */
static double ideal_of(curve *second) {
  enum { FINE = 200000 };
  double f[2 * N_POINT], length = 0.0, least = 1e300, last_x = 0.0, last_y = 0.0;
  for (int pass = 0; pass < 2; pass++) { /* measures the front, then places the points */
    double total = length;
    int placed = 0;
    length = 0.0, least = 1e300;
    for (int i = 0; i <= FINE; i++) {
      double x = (double)i / FINE, y = second(x, 1.0);
      if (y >= least) continue;
      double step = hypot(x - last_x, y - last_y);
      if (i > 0 && step < 20.0 / FINE) length += step; /* no length across a gap */
      least = y, last_x = x, last_y = y;
      if (pass == 1 && placed < N_POINT && length >= total * placed / (N_POINT - 1.0) - 1e-9) {
        f[2 * placed] = x, f[2 * placed + 1] = y, placed++;
      }
    }
    if (pass == 1) CHECK_EQUAL(placed, N_POINT);
  }
  return volume_of(N_POINT, 2, f);
}

static void check_curve(const char *name, curve *second) {
  double ideal = ideal_of(second), found = median_volume(30, 2, eval_zdt, &second);
  printf("# %s: median volume %.5f, ideal %.5f, %.2f %%\n", name, found, ideal,
         100.0 * found / ideal);
  CHECK(found >= 0.98 * ideal);
  CHECK(found <= 1.001 * ideal);
}

static void test_zdt1(void) {
  check_curve("ZDT1", zdt1);
}

static void test_zdt2(void) {
  check_curve("ZDT2", zdt2);
}

static void test_zdt3(void) {
  check_curve("ZDT3", zdt3);
}

/* The front is an eighth of the unit sphere. The reference has 105 points, a triangular lattice
   laid on it: a little more than 100 could reach. */
static void test_dtlz2(void) {
  enum { EDGE = 13 };
  double f[3 * MAX];
  int n = 0;
  for (int i = 0; i <= EDGE; i++) {
    for (int k = 0; k + i <= EDGE; k++, n++) {
      double p[3] = { i, k, EDGE - i - k }, norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
      for (int m = 0; m < 3; m++) f[m + 3 * n] = p[m] / norm;
    }
  }
  double ideal = volume_of(n, 3, f), found = median_volume(12, 3, eval_dtlz2, NULL);
  printf("# DTLZ2: median volume %.5f, %d ideal points %.5f, %.2f %%\n", found, n, ideal,
         100.0 * found / ideal);
  CHECK(found >= 0.95 * ideal);
  CHECK(found <= 1.331 - pi / 6.0);
}

int main(void) {
  TEST(test_zdt1);
  TEST(test_zdt2);
  TEST(test_zdt3);
  TEST(test_dtlz2);
  return test_finish();
}
