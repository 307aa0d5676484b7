/* Two equal cylinders in plane strain as in test_contact_plane.c, with 64 elements per half width,
   a flat punch with rounded edges, and small loads on a mesh that is fine at the contact's edge. */
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/fem/cylinders.h"
#include "support/fem/leaks.h"

static void test_fine(void) {
  const test_cylinder_errors e = test_cylinders_measure(64, 0.0);
  CHECK_BELOW(e.pressure, 0.0075);
  CHECK_NEAR(e.at_node[0], 0.0, 0.001);
  CHECK_NEAR(e.mean[0], 0.0, 0.001);
  CHECK_BELOW(e.worst[0], 0.003);
  CHECK_NEAR(e.mean[1], 0.0, 0.002);
  CHECK_BELOW(e.worst[1], 0.015);
}

/* A flat punch with rounded edges: where slip begins, the pressure rises steeply. */
static void test_punch(void) {
  const test_cylinder_errors e = test_cylinders_measure(64, 0.53);
  CHECK_NEAR(e.mean[0], 0.0, 0.003);
  CHECK_BELOW(e.worst[0], 0.005);
}

/* Elements of a/900 at the edge, up to a/25 elsewhere: down to s = 0.02, where the slip zone is as
   wide as a hundredth of a. */
static void test_small_loads(void) {
  const double half_width = 2.1e-4;
  static const double s[] = { 0.2, 0.1, 0.05, 0.02 };
  const double h = half_width / 900.0;
  test_axis half = test_even(0.988 * half_width, 1.002 * half_width, 13);
  test_cylinders c = { .pair = { .first = h, .growth = 1.25 } };
  test_axis *x = &c.pair.x;
  test_extend(&half, 0.0, 1.25, 0.04 * half_width);
  test_extend(&half, 1.1 * half_width, 1.25, 0.04 * half_width);
  x->n = 2 * half.n;
  for (int i = 0; i <= half.n; i++) x->x[half.n + i] = half.x[i], x->x[half.n - i] = -half.x[i];
  test_cylinders_open(&c, half_width);
  for (int i = 0; i < 4; i++) {
    int thin;
    CHECK_BELOW(test_cylinders_press(&c, half_width), 0.01);
    const double error = test_cylinders_cycle(&c, half_width, s[i], &thin);
    printf("# fine at the edge, s = %g: %+.2g\n", s[i], error);
    CHECK_NEAR(error, 0.0, 0.02);
    CHECK_EQUAL(thin, 0);
  }
  test_pair_close(&c.pair);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_fine);
  TEST(test_punch);
  TEST(test_small_loads);
  return test_leaks_finish();
}
