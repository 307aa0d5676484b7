/* Two equal cylinders in plane strain on meshes: Hertz's pressure, dissipation of Cattaneo and
   Mindlin, and slip zones that are too thin for the mesh. Finer meshes:
   test_contact_plane_fine.c. */
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/fem/cylinders.h"
#include "support/fem/leaks.h"

static const double HALF = 2.1e-4;

/* First order in the pressure. The dissipation depends on where between two nodes the edge of the
   contact lies: 0.5 % at s = 0.5 and 3 % at 0.2 hold at all places. */
static void test_even_mesh(void) {
  const test_cylinder_errors coarse = test_cylinders_measure(16, 0.0),
                             fine = test_cylinders_measure(32, 0.0);
  CHECK_BELOW(fine.pressure, 0.015);
  CHECK_NEAR(coarse.pressure / fine.pressure, 2.0, 0.2);
  CHECK_NEAR(fine.mean[0], 0.0, 0.001);
  CHECK_BELOW(fine.worst[0], 0.005);
  CHECK_NEAR(fine.mean[1], 0.0, 0.002);
  CHECK_BELOW(fine.worst[1], 0.03);
}

/* A slip zone thinner than two elements is always found out, one of three elements never. What is
   not found out is not far off. */
static void test_thin(void) {
  const int per_a = 16;
  const double h = HALF / per_a;
  test_cylinders c = { .pair = { .x = test_even(-19 * h, 19 * h, 38), .first = h, .growth = 1.3 } };
  double worst[2] = { 0.0, 0.0 };
  int found[2] = { 0, 0 };
  test_cylinders_open(&c, HALF);
  for (int k = 0; k < 50; k++) {
    const double a = h * (per_a + 0.2 * (k % 5)), s = 0.5 * pow(0.7, k / 5);
    const double zone = (1.0 - sqrt(1.0 - s)) * a / h;
    int thin;
    test_cylinders_press(&c, a);
    const double error = test_cylinders_cycle(&c, a, s, &thin);
    worst[thin] = fmax(worst[thin], fabs(error));
    found[thin]++;
    if (zone < 2.0) CHECK_EQUAL(thin, 1);
    if (zone > 3.0) CHECK_EQUAL(thin, 0);
  }
  printf("# errors up to %.2g in %d slip zones, up to %.2g in %d that are too thin\n", worst[0],
         found[0], worst[1], found[1]);
  CHECK_BELOW(worst[0], 0.15);
  test_pair_close(&c.pair);
}

/* Rigid contact: work of the load and dissipation differ by the second order of the load step, over
   four places of the edge, and by less than 1e-3 as many steps as it takes. */
static void test_balance(void) {
  enum { PLACES = 4 };
  const int per_a = 16;
  const double h = HALF / per_a;
  double error[4] = { 0.0 };
  for (int k = 0; k < 4; k++) {
    test_cylinders c = { .pair = { .x = test_even(-19 * h, 19 * h, 38),
                                   .first = h,
                                   .growth = 1.3,
                                   .steps = k < 3 ? 16 << k : 16,
                                   .fixed = k < 3 } };
    test_cylinders_open(&c, HALF);
    for (int place = 0; place < PLACES; place++) {
      const double a = h * (per_a + (double)place / PLACES);
      ms_contact_cycle cycle;
      test_cylinders_press(&c, a);
      CHECK_OK(ms_contact_run_cycle(c.pair.contact, 1, 0.5 * c.pair.mu * test_cylinders_load(&c, a),
                                    &cycle, NULL));
      if (k < 3) CHECK_EQUAL(cycle.steps, 16 << k);
      if (k == 3) CHECK_EQUAL(cycle.balanced, 1);
      const double miss = fabs(cycle.work / cycle.D - 1.0);
      error[k] = k < 3 ? error[k] + miss / PLACES : fmax(error[k], miss);
    }
    printf("# %s%d load steps each way: work and dissipation differ by %.2g\n",
           k < 3 ? "" : "at least ", c.pair.steps, error[k]);
    test_pair_close(&c.pair);
  }
  CHECK_NEAR(log(error[0] / error[2]) / log(4.0), 2.0, 0.3);
  CHECK_BELOW(error[3], 1e-3);
}

/* Rigid contact: equilibrium and law hold at each step of a cycle. */
static void test_equilibrium(void) {
  enum { PER_A = 32, LEG = 16 };
  const double h = HALF / PER_A;
  test_cylinders c = { .pair = { .x = test_even(-37 * h, 37 * h, 74), .first = h, .growth = 1.3 } };
  double worst = 0.0;
  test_cylinders_open(&c, HALF);
  test_cylinders_press(&c, HALF);
  const ms_contact_problem problem = ms_fem_condensed_get(&c.pair.condensed);
  const double P = test_cylinders_load(&c, HALF), Q = 0.6 * c.pair.mu * P;
  for (int i = 1; i <= 5 * LEG; i++) { /* up, down, up */
    const double at = (double)i / LEG, part = at < 1.0 ? at : fabs(at - 3.0) - 1.0;
    CHECK_OK(ms_contact_load(c.pair.contact, (double[]) { P, Q * part }));
    CHECK_BELOW(ms_contact_get(c.pair.contact).residual, 1e-10);
    worst = fmax(worst, test_find_imbalance(&problem, c.pair.contact));
  }
  printf("# equilibrium within %.2g of the largest contact force\n", worst);
  CHECK_BELOW(worst, 1e-10);
  test_pair_close(&c.pair);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_even_mesh);
  TEST(test_thin);
  TEST(test_balance);
  TEST(test_equilibrium);
  return test_leaks_finish();
}
