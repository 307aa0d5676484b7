/* Noise against Miles' equation: a base acceleration of the density G drives an oscillator of the
   frequency f and the quality Q to the rms sqrt(pi/2 f Q G)/(2 pi f)^2, if its lines are close
   enough; and how many are. */
#include <math.h>

#include <microslip/response.h>

#include "support/check.h"

static const double pi = 3.14159265358979, f = 403.1, zeta = 1.07e-3, G = 3.85;

static ms_structure *make_oscillator(void) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 2.385 * pow(2.0 * pi * f, 2.0)));
  CHECK_OK(ms_structure_set_modal_damping(s, &zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_load *make_noise(double low, double high, double lines) {
  ms_load *load = NULL;
  CHECK_OK(ms_load_create(test_context(), "noise", &load));
  CHECK_OK(ms_load_set(load, "rms", sqrt(G * (high - low))));
  CHECK_OK(ms_load_set(load, "low", low));
  CHECK_OK(ms_load_set(load, "high", high));
  CHECK_OK(ms_load_set(load, "seed", 11.0));
  if (lines > 0.0) CHECK_OK(ms_load_set(load, "lines", lines));
  CHECK_OK(ms_load_setup(load));
  return load;
}

typedef struct average {
  double from, sum, n;
} average;

static int add(void *user, const ms_transient *run) {
  average *a = user;
  double u;
  if (ms_transient_get_time(run) < a->from) return 0;
  ms_transient_get_coordinates(run, &u, NULL, NULL);
  a->sum += u * u;
  a->n++;
  return 0;
}

/* Over one period 1/df after the beginning has died away the mean is exact; what is left is the
   straight line in a step, (omega h)^2/12 of the load, and what Miles counts outside the band. */
static void test_miles(void) {
  const double low = 300.0, high = 500.0, lines = 800.0, h = 5e-5,
               decay = 6.9 / (zeta * 2.0 * pi * f);
  const double shape = -2.385;
  ms_structure *s = make_oscillator();
  ms_load *load = make_noise(low, high, lines);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  average a = { .from = decay };
  const ptrdiff_t steps = (ptrdiff_t)((decay + lines / (high - low)) / h);
  double wanted;
  CHECK_EQUAL(ms_load_find_unresolved(load, s, &shape, &wanted), -1);
  setting.method = "exponential";
  setting.step = h;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, &shape, ms_load_time_fn, load, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, steps, 1, add, &a));
  CHECK_CLOSE(sqrt(a.sum / a.n), sqrt(0.5 * pi * f / (2.0 * zeta) * G) / pow(2.0 * pi * f, 2.0),
              5e-3);
  ms_transient_destroy(&run);
  ms_load_destroy(&load);
  ms_structure_destroy(&s);
}

/* 256 lines are 7.7 Hz apart; the half-power width is 0.86 Hz, of which half is asked for. */
static void test_unresolved(void) {
  const double shape = -2.385, nothing = 0.0;
  ms_structure *s = make_oscillator();
  ms_load *coarse = make_noise(20.0, 2000.0, 256.0), *above = make_noise(500.0, 2000.0, 256.0);
  ms_load *usual = make_noise(20.0, 2000.0, 0.0);
  double wanted = 0.0;
  CHECK_EQUAL(ms_load_find_unresolved(coarse, s, &shape, &wanted), 0);
  CHECK_NEAR(wanted, ceil(1980.0 / (zeta * f)), 0.0);
  for (int less = 0; less < 2; less++) { /* so many are enough, one less is not */
    ms_load *just = make_noise(20.0, 2000.0, ceil(1980.0 / (zeta * f)) - less);
    CHECK_EQUAL(ms_load_find_unresolved(just, s, &shape, &wanted), less ? 0 : -1);
    ms_load_destroy(&just);
  }
  CHECK_EQUAL(ms_load_find_unresolved(coarse, s, &nothing, &wanted), -1);
  CHECK_EQUAL(ms_load_find_unresolved(above, s, &shape, &wanted), -1);
  CHECK_EQUAL(ms_load_find_unresolved(usual, s, &shape, &wanted), -1);
  ms_load_destroy(&usual);
  ms_load_destroy(&above);
  ms_load_destroy(&coarse);
  ms_structure_destroy(&s);
}

/* Two equal halves: of two modes that lines leave out the one that takes more of them is told; a
   mode that is not pushed takes none. */
static ms_structure *make_pair(double first, double second) {
  const double damping[2] = { first, second };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.3));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, 1031.0));
  }
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 514.0));
  CHECK_OK(ms_structure_set_modal_damping(s, damping));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static void test_two_modes(void) {
  const double one[2] = { 0.0, 1.7 }, both[2] = { 1.7, 1.7 };
  const double f1 = sqrt(1031.0 / 1.3) / (2.0 * pi), f2 = sqrt(2059.0 / 1.3) / (2.0 * pi);
  const double lines[2] = { ceil(20.0 / (0.02 * f1)), ceil(20.0 / (0.005 * f2)) };
  ms_structure *s = make_pair(0.02, 0.005), *free = make_pair(0.02, 0.0);
  ms_load *few = make_noise(1.0, 21.0, 100.0), *more = make_noise(1.0, 21.0, 400.0);
  double wanted;
  CHECK_EQUAL(ms_load_find_unresolved(few, s, one, &wanted), 1);
  CHECK_NEAR(wanted, lines[1], 0.0);
  CHECK_EQUAL(ms_load_find_unresolved(more, s, one, &wanted), 1);
  CHECK_EQUAL(ms_load_find_unresolved(few, s, both, &wanted), 0);
  CHECK_NEAR(wanted, lines[0], 0.0);
  CHECK_EQUAL(ms_load_find_unresolved(more, s, both, &wanted), -1);
  CHECK_EQUAL(ms_load_find_unresolved(few, free, one, &wanted), 1);
  CHECK(wanted == HUGE_VAL);
  ms_load_destroy(&more);
  ms_load_destroy(&few);
  ms_structure_destroy(&free);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_miles);
  TEST(test_unresolved);
  TEST(test_two_modes);
  return test_finish();
}
