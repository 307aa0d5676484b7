/* x^p with p fixed, against powl. Stated bound: 4.5e-16 relative, two units in the last place; the
   worst found in some ten million evaluations is 4.1e-16. Beyond the table it is libm's pow. */
#include "core/power.h"

#include <float.h>
#include <stdio.h>

#include "support/check.h"

#define BOUND 4.5e-16
#define LIBM  2.3e-16 /* libm's pow is good to one unit */
#define ROUGH 1e-13   /* what can be said with a reference that is no better than a double */

/* Some processors, and valgrind on all of them, have no long double wider than a double. */
static int reference_is_wide(void) {
  volatile long double one = 1.0L, step = 0x1p-60L, sum = one + step;
  return sum != one;
}

typedef struct worst {
  double error, p, x;
} worst;

static void compare(const ms_power *w, double x, worst *out) {
  long double reference = powl(x, w->p);
  double error = (double)fabsl((ms_power_eval(w, x) - reference) / reference);
  if (!(error <= out->error)) *out = (worst) { error, w->p, x };
}

static void check_worst(const worst *found, double bound) {
  if (!reference_is_wide()) bound = ROUGH;
  if (!CHECK_NEAR(found->error, 0.0, bound))
    printf("#   at p = %g, x = %.17g\n", found->p, found->x);
}

/* Runs over exponents from 0.05 to 3, none of them special but 3. */
static double exponent(int i, int n) {
  return 0.05 + 2.95 * i / (n - 1);
}

/* Evenly in the logarithm over every octave of the table. */
static void test_accuracy(void) {
  enum { N_P = 60, N_X = 20000 };
  worst found = { 0.0, 0.0, 0.0 };
  ms_random rng;
  ms_random_start(&rng, 2385, 0);
  for (int i = 0; i < N_P; i++) {
    ms_power w;
    ms_power_setup(&w, exponent(i, N_P), 6.13e-5);
    for (int k = 0; k < N_X; k++) {
      compare(&w, 6.13e-5 * exp2(-(MS_POWER_OCTAVES - 2) * ms_random_uniform(&rng)), &found);
    }
  }
  check_worst(&found, BOUND);
}

/* The scale of x must not matter: an element in metres, in millimetres, or of huge dimensions. */
static void test_scales(void) {
  static const double x_max[] = { 1e-280, 7.1e-9, 0.387, 1.0, 11.25, 3.3e7, 1e60 };
  worst found = { 0.0, 0.0, 0.0 };
  ms_random rng;
  ms_random_start(&rng, 17, 0);
  for (size_t s = 0; s < sizeof x_max / sizeof *x_max; s++) {
    for (int i = 0; i < 20; i++) {
      double p = exponent(i, 20);
      if (pow(x_max[s], p) < 1e-200) continue; /* would come near the subnormal numbers */
      ms_power w;
      ms_power_setup(&w, p, x_max[s]);
      for (int k = 0; k < 2000; k++) {
        compare(&w, x_max[s] * exp2(-60.0 * ms_random_uniform(&rng)), &found);
      }
    }
  }
  check_worst(&found, BOUND);
}

/* Both sides of every cell's edges, where the series is longest, powers of two among them. */
static void test_edges(void) {
  worst found = { 0.0, 0.0, 0.0 };
  for (int i = 0; i < 30; i++) {
    ms_power w;
    ms_power_setup(&w, exponent(i, 30), 1.9e-3);
    for (int e = -10; e >= -70; e -= 3) {
      for (int cell = 0; cell < MS_POWER_CELLS; cell++) {
        double edge = ldexp(1.0 + (double)cell / MS_POWER_CELLS, e);
        double middle = ldexp(1.0 + (cell + 0.5) / MS_POWER_CELLS, e);
        compare(&w, edge, &found);
        compare(&w, nextafter(edge, 0.0), &found);
        compare(&w, nextafter(edge, 1.0), &found);
        compare(&w, middle, &found);
      }
    }
  }
  check_worst(&found, BOUND);
}

/* No jump where one cell, or one octave, hands over to the next: x^p grows by p/x times a unit, and
   the error of either side is all that may be added. */
static void test_continuous(void) {
  ms_power w;
  ms_power_setup(&w, 1.37, 1.9e-3);
  double largest = 0.0;
  for (int e = -10; e >= -70; e--) {
    for (int cell = 0; cell < MS_POWER_CELLS; cell++) {
      double edge = ldexp(1.0 + (double)cell / MS_POWER_CELLS, e);
      double jump = ms_power_eval(&w, edge) / ms_power_eval(&w, nextafter(edge, 0.0)) - 1.0;
      largest = fmax(largest, fabs(jump));
    }
  }
  CHECK_BELOW(largest, 2.0 * BOUND + 1.37 * DBL_EPSILON);
}

/* ---- outside the table ---- */

static void test_small(void) {
  worst found = { 0.0, 0.0, 0.0 };
  ms_power w;
  ms_power_setup(&w, 0.63, 6e-5);
  CHECK_NEAR(ms_power_eval(&w, 0.0), 0.0, 0.0);
  for (double x = 6e-5 * 0x1p-58; x > 1e-300; x *= 0.237) compare(&w, x, &found);
  check_worst(&found, BOUND);
  CHECK_CLOSE(ms_power_eval(&w, 5e-324), pow(5e-324, 0.63), 0.0); /* subnormal */
}

static void test_large(void) {
  worst found = { 0.0, 0.0, 0.0 };
  ms_power w;
  ms_power_setup(&w, 1.63, 6e-5);
  for (double x = 6e-5; x < 1e150; x *= 4.17) compare(&w, x, &found);
  check_worst(&found, BOUND);
  CHECK(ms_power_eval(&w, HUGE_VAL) == HUGE_VAL);
  CHECK(isnan(ms_power_eval(&w, -2.385e-5))); /* the sign bit leads out of the table */
  CHECK(isnan(ms_power_eval(&w, (double)NAN)));
}

/* Exponents that the table is not for, among them those of chi beyond 1. */
static void test_other_exponents(void) {
  static const double p[] = { 3.0000001, 3.5, 7.25, 41.7, 0.0, -0.5 };
  worst found = { 0.0, 0.0, 0.0 };
  for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
    ms_power w;
    ms_power_setup(&w, p[i], 6e-5);
    for (double x = 1e-6; x < 1e-3; x *= 1.0713) compare(&w, x, &found);
  }
  check_worst(&found, LIBM);
}

/* Ranges that do not fit into the exponents of a double. */
static void test_extreme_ranges(void) {
  static const double x_max[] = { 0.0, 5e-324, 1e-300, 1.7e308 };
  for (size_t i = 0; i < sizeof x_max / sizeof *x_max; i++) {
    ms_power w;
    ms_power_setup(&w, 0.5, x_max[i]);
    CHECK_CLOSE(ms_power_eval(&w, 2.385), sqrt(2.385), BOUND);
    CHECK_CLOSE(ms_power_eval(&w, 1e-300), 1e-150, BOUND);
    CHECK_CLOSE(ms_power_eval(&w, 1e300), 1e150, BOUND);
  }
}

int main(void) {
  TEST(test_accuracy);
  TEST(test_scales);
  TEST(test_edges);
  TEST(test_continuous);
  TEST(test_small);
  TEST(test_large);
  TEST(test_other_exponents);
  TEST(test_extreme_ranges);
  return test_finish();
}
