/* Two equal spheres on a mesh, pressed and sheared: Hertz's pressure, and the dissipation of
   Cattaneo and Mindlin. One half of them, cut by the plane of symmetry. Poisson's ratio is 0: only
   then has a traction along the load no displacement across it. */
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/pair.h"

static const double E = 2.03e11, MU = 0.42, RADIUS = 0.0373, HALF = 4.1e-4;

static double paraboloid(void *user, double x, double y) {
  (void)user;
  return (x * x + y * y) / (2.0 * RADIUS);
}

/* N, of the whole sphere. */
static double find_load(double a) {
  return 4.0 * (0.5 * E) * a * a * a / (3.0 * RADIUS);
}

static double find_loss(double a, double s) {
  const double P = find_load(a), G = 0.5 * E; /* G* = 2 G/(2 - nu) = G */
  return 18.0 * MU * MU * P * P / (5.0 * a * G) *
         (1.0 - pow(1.0 - s, 5.0 / 3.0) - 5.0 * s / 6.0 * (1.0 + pow(1.0 - s, 2.0 / 3.0)));
}

typedef struct errors {
  double pressure, mean, worst; /* of the pressure in L2, edge at a node; of the dissipation */
} errors;

/* per_a elements per radius of the contact, whose edge lies at four places between nodes. */
static errors measure(int per_a) {
  const double h = HALF / per_a, end = (per_a + 2) * h;
  test_pair p = { .x = test_even(-end, end, 2 * per_a + 4),
                  .y = test_even(0.0, end, per_a + 2),
                  .touch = 1.08 * HALF + 0.7 * h,
                  .depth = 8.0 * HALF,
                  .first = h,
                  .growth = 1.4,
                  .mu = MU,
                  .gap = paraboloid };
  errors e = { 0 };
  for (int side = -1; side < 2; side += 2) test_extend(&p.x, side * p.depth, 1.7, HUGE_VAL);
  test_extend(&p.y, p.depth, 1.7, HUGE_VAL);
  for (int k = 0; k < 2; k++) p.material[k] = ms_material_isotropic(E, 0.0, 7800.0);
  test_pair_open(&p);
  for (int place = 0; place < 4; place++) {
    const double a = h * (per_a + 0.25 * place), P = find_load(a), s = 0.5;
    double miss = 0.0, size = 0.0;
    ms_contact_cycle cycle;
    CHECK_OK(ms_contact_load(p.contact, (double[]) { 5e-4 * P, 0.0 }));
    CHECK_OK(ms_contact_load(p.contact, (double[]) { 0.5 * P, 0.0 }));
    for (ptrdiff_t i = 0; i < p.n; i++) {
      const double r = hypot(p.point[i].at[0], p.point[i].at[1]) / a, area = p.point[i].area;
      const double hertz = 1.5 * P / (MS_PI * a * a) * sqrt(fmax(0.0, 1.0 - r * r));
      miss += area * pow(test_pair_pressure(&p, i) - hertz, 2.0), size += area * hertz * hertz;
    }
    if (place == 0) e.pressure = sqrt(miss / size);
    CHECK_OK(ms_contact_run_cycle(p.contact, 1, 0.5 * s * MU * P, &cycle, NULL));
    const double error = 2.0 * cycle.D / find_loss(a, s) - 1.0;
    e.mean += 0.25 * error;
    e.worst = fmax(e.worst, fabs(error));
  }
  printf("# %d elements per radius: pressure %.2g, dissipation %+.2g (at most %.2g)\n", per_a,
         e.pressure, e.mean, e.worst);
  test_pair_count(&p);
  test_pair_close(&p);
  return e;
}

static void test_sphere(void) {
  const errors coarse = measure(8), fine = measure(12);
  CHECK_BELOW(fine.pressure, 0.034);
  CHECK_NEAR(coarse.pressure / fine.pressure, 1.5, 0.15); /* first order */
  CHECK_BELOW(coarse.worst, 0.055);
  CHECK_NEAR(fine.mean, 0.0, 0.007);
  CHECK_BELOW(fine.worst, 0.013);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_sphere);
  return test_leaks_finish();
}
