/* Zero crossings and logarithmic decrement. */
#include <microslip/signal.h>

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/signals.h"

static const test_ring linear = { 2.385, 1.7e-3, 0.0, 2.137, 0.0, 0.713 };
static const test_ring curved = { 2.385, 1.7e-3, 1.3e-3, 2.137, 0.011, 0.713 };
static const ms_crossing_settings usual = MS_CROSSING_DEFAULT;

static test_ring_error error_of(const test_ring *ring, double dt, ptrdiff_t cycles,
                                ms_signal_kind kind) {
  ptrdiff_t n = (ptrdiff_t)(1400.0 / dt);
  double *x = test_ring_samples(ring, n, dt, 0.31);
  ms_signal signal = { x, n, dt, 0.31, kind };
  ms_crossing_settings set = usual;
  set.cycles = cycles;
  ms_decay decay;
  CHECK_OK(ms_signal_zero_crossings(test_context(), &signal, &set, &decay));
  test_ring_error e = test_ring_compare(ring, kind, &decay, 0);
  ms_decay_free(test_context(), &decay);
  free(x);
  return e;
}

static void test_linear(void) {
  test_ring_error fine = error_of(&linear, 0.0203, 10, MS_SIGNAL_DISPLACEMENT);
  CHECK_BELOW(fine.omega, 1e-8);
  CHECK_BELOW(fine.zeta, 1e-5);
  CHECK_BELOW(fine.amplitude, 1e-6);
  test_ring_error coarse = error_of(&linear, 0.307, 10, MS_SIGNAL_ACCELERATION);
  CHECK_BELOW(coarse.omega, 1e-6);
  CHECK_BELOW(coarse.zeta, 2e-3);
  CHECK_BELOW(coarse.amplitude, 2e-5);
}

/* Ten percent of damping: zeta is the damping ratio, not the rate over the damped frequency. */
static void test_strong_damping(void) {
  enum { N = 6000 };
  test_ring strong = linear;
  strong.alpha = 0.2137;
  double *x = test_ring_samples(&strong, N, 0.00713, 0.0);
  ms_signal signal = { x, N, 0.00713, 0.0, MS_SIGNAL_DISPLACEMENT };
  ms_crossing_settings set = usual;
  set.cycles = 3;
  ms_decay d;
  if (CHECK_OK(ms_signal_zero_crossings(test_context(), &signal, &set, &d))) {
    test_ring_error e = test_ring_compare(&strong, MS_SIGNAL_DISPLACEMENT, &d, 0);
    CHECK_BELOW(e.omega, 1e-6);
    CHECK_BELOW(e.zeta, 1e-4); /* 5e-3 between the two */
    CHECK_BELOW(e.amplitude, 1e-2);
  }
  ms_decay_free(test_context(), &d);
  free(x);
}

/* Straight lines through a curve: second order in the number of cycles. The worst row is the first,
   whose middle moves on to smaller amplitudes as it gets longer, hence ratios below 4. */
static void test_order(void) {
  test_ring_error e[3];
  for (int i = 0; i < 3; i++)
    e[i] = error_of(&curved, 0.0203, (ptrdiff_t)4 << i, MS_SIGNAL_VELOCITY);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(e[i + 1].omega / e[i].omega, 4.0, 0.8);
    CHECK_NEAR(e[i + 1].zeta / e[i].zeta, 4.0, 0.8);
    CHECK_NEAR(e[i + 1].amplitude / e[i].amplitude, 4.0, 0.8);
  }
  CHECK_BELOW(e[0].zeta, 5e-4);
}

/* Noise that crosses zero to and fro: with hysteresis every crossing counts once. */
static void test_noise(void) {
  enum { N = 40000 };
  const double dt = 0.02005, noise = 0.04;
  double *x = test_ring_samples(&linear, N, dt, 0.0);
  ms_random rng;
  ms_random_start(&rng, 11, 2);
  for (int k = 0; k < N; k++) x[k] += noise * ms_random_normal(&rng);
  ms_signal signal = { x, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_crossing_settings set = usual;
  ms_decay d;
  if (CHECK_OK(ms_signal_zero_crossings(test_context(), &signal, &set, &d))) {
    CHECK_EQUAL(d.n, 27); /* 272.8 cycles */
    for (ptrdiff_t i = 0; i < d.n; i++) {
      double A = test_ring_amplitude(&linear, d.point[i].time);
      CHECK_CLOSE(d.point[i].omega, 2.137, 3e-3 / A);
      CHECK_BELOW(d.point[i].quality, 3.0 * noise / A);
      CHECK(d.point[i].quality > 0.3 * noise / A);
    }
  }
  ms_decay_free(test_context(), &d);
  set.hysteresis = 0.0;
  if (CHECK_OK(ms_signal_zero_crossings(test_context(), &signal, &set, &d))) CHECK(d.n > 27);
  ms_decay_free(test_context(), &d);
  free(x);
}

/* Samples that are exactly zero, at the start and at every crossing. */
static void test_exact_zeros(void) {
  enum { N = 400 };
  double x[N];
  const double wave[8] = { 0, 0.5, 0.7, 0.5, 0, -0.5, -0.7, -0.5 };
  for (int k = 0; k < N; k++) x[k] = wave[k % 8];
  ms_signal signal = { x, N, 0.25, 3.0, MS_SIGNAL_VELOCITY };
  ms_crossing_settings set = usual;
  set.cycles = 4;
  ms_decay d;
  if (CHECK_OK(ms_signal_zero_crossings(test_context(), &signal, &set, &d))) {
    CHECK_EQUAL(d.n, 12);
    CHECK_CLOSE(d.point[5].omega, 3.14159265358979, 1e-12);
    CHECK_NEAR(d.point[5].zeta, 0.0, 1e-12);
    CHECK_NEAR(d.point[5].velocity, 0.7, 1e-12);
    CHECK_NEAR(d.point[0].time, 3.0 + 1.0 + 4.0, 1e-9); /* crossings at 4, 5, ... 12 */
  }
  ms_decay_free(test_context(), &d);
}

static void refuse(const ms_crossing_settings *set, double shift, const char *part) {
  enum { N = 2000 };
  double *x = test_ring_samples(&linear, N, 0.1, 0.0);
  for (int k = 0; k < N; k++) x[k] += shift;
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  ms_decay d = { 3, NULL };
  CHECK_STATUS(ms_signal_zero_crossings(test_context(), &signal, set, &d), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK_EQUAL(d.n, 0);
  ms_decay_free(test_context(), &d);
  free(x);
}

static void test_refused(void) {
  ms_crossing_settings set = usual;
  set.cycles = 1;
  refuse(&set, 0.0, "1 cycles to a row");
  set.cycles = PTRDIFF_MAX;
  refuse(&set, 0.0, "cycles to a row");
  set = usual, set.hysteresis = 1.0;
  refuse(&set, 0.0, "hysteresis is 1");
  set = usual, set.hysteresis = -0.1;
  refuse(&set, 0.0, "hysteresis is -0.1");
  set = usual, set.cycles = 100;
  refuse(&set, 0.0, "a row needs 100");
  refuse(&usual, 7.1, "crosses zero 0 times");
}

static ms_status work(ms_context *ctx, void *user) {
  ms_decay d;
  ms_status status = ms_signal_zero_crossings(ctx, user, &usual, &d);
  if (status == MS_SUCCESS) CHECK_EQUAL(d.n, 10);
  ms_decay_free(ctx, &d);
  return status;
}

static void test_memory_failures(void) {
  enum { N = 3000 };
  double *x = test_ring_samples(&linear, N, 0.1, 0.0);
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  CHECK(test_allocations(work, &signal) >= 6);
  free(x);
}

int main(void) {
  TEST(test_linear);
  TEST(test_strong_damping);
  TEST(test_order);
  TEST(test_noise);
  TEST(test_exact_zeros);
  TEST(test_refused);
  TEST(test_memory_failures);
  return test_finish();
}
