/* Short-time Fourier transform. */
#include <microslip/signal.h>

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/signals.h"

static const double pi = 3.14159265358979323846;
static const test_ring linear = { 2.385, 1.7e-3, 0.0, 2.137, 0.0, 0.713 };
static const test_ring curved = { 2.385, 1.7e-3, 1.3e-3, 2.137, 0.011, 0.713 };
static const ms_stft_settings usual = MS_STFT_DEFAULT;
static const ms_growth growths[] = { MS_GROWTH_CONSTANT, MS_GROWTH_LINEAR, MS_GROWTH_EXPONENTIAL };

static ms_decay analyse(const test_ring *ring, const ms_stft_settings *set, ms_signal_kind kind) {
  enum { N = 19000 };
  const double dt = 0.0731;
  double *x = test_ring_samples(ring, N, dt, 0.31);
  ms_signal signal = { x, N, dt, 0.31, kind };
  ms_decay decay;
  CHECK_OK(ms_signal_stft(test_context(), &signal, set, &decay));
  free(x);
  return decay;
}

static test_ring_error error_of(const test_ring *ring, const ms_stft_settings *set,
                                ptrdiff_t first) {
  ms_decay decay = analyse(ring, set, MS_SIGNAL_ACCELERATION);
  test_ring_error e = test_ring_compare(ring, MS_SIGNAL_ACCELERATION, &decay, first);
  ms_decay_free(test_context(), &decay);
  return e;
}

/* Windows that double in length must not bias the damping. What is left is the spectrum of the
   negative frequency, which falls with the third power of the window's length. */
static void test_linear(void) {
  for (int g = 0; g < 3; g++) {
    ms_stft_settings set = usual;
    set.growth = growths[g];
    set.window_first = 31.3;
    set.window_last = 62.6;
    test_ring_error e = error_of(&linear, &set, 0);
    CHECK_BELOW(e.omega, 1e-5);
    CHECK_BELOW(e.zeta, 2e-3);
    CHECK_BELOW(e.amplitude, 1e-5);
  }
}

/* Strong decay inside the windows: 2.6 e-foldings in the last. */
static void test_decay_inside(void) {
  test_ring fast = linear;
  fast.alpha = 8.5e-3;
  ms_stft_settings set = usual;
  set.growth = MS_GROWTH_EXPONENTIAL;
  set.window_first = 60.7;
  set.window_last = 300.2;
  set.segments = 10;
  test_ring_error e = error_of(&fast, &set, 0);
  CHECK_BELOW(e.omega, 1e-5);
  CHECK_BELOW(e.zeta, 1e-4);
  CHECK_BELOW(e.amplitude, 1e-4);
}

static void test_curved(void) {
  for (int g = 0; g < 3; g++) {
    ms_stft_settings set = usual;
    set.growth = growths[g];
    set.window_last = 63.7;
    test_ring_error e = error_of(&curved, &set, 2);
    CHECK_BELOW(e.omega, 5e-5);
    CHECK_BELOW(e.zeta, 6e-3);
    CHECK_BELOW(e.amplitude, 1e-3);
  }
}

/* The window's own blur is of second order in its length. */
static void test_window_order(void) {
  test_ring_error e[2];
  for (int i = 0; i < 2; i++) {
    ms_stft_settings set = usual;
    set.window_first = 70.3 * (i + 1);
    set.overlap = 1.0 - 0.1 / (i + 1); /* the same centres, the same segments */
    set.segments = 60;
    set.start = i == 0 ? 0.31 + 35.15 : 0.31;
    set.end = i == 0 ? 1388.0 - 35.15 : 1388.0;
    e[i] = error_of(&curved, &set, 4);
  }
  CHECK_NEAR(e[1].omega / e[0].omega, 4.0, 0.8);
}

/* Two modes: the band picks one. */
static void test_band(void) {
  enum { N = 19000 };
  const double dt = 0.0731;
  test_ring other = { 1.13, 0.9e-3, 0.0, 4.911, 0.0, 0.2 };
  double *x = test_ring_samples(&linear, N, dt, 0.0), *y = test_ring_samples(&other, N, dt, 0.0);
  for (int k = 0; k < N; k++) x[k] += y[k];
  ms_signal signal = { x, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_stft_settings set = usual;
  set.low = 4.0;
  set.high = 6.0;
  set.window_first = 60.3; /* room enough between the two */
  ms_decay d;
  if (CHECK_OK(ms_signal_stft(test_context(), &signal, &set, &d))) {
    test_ring_error e = test_ring_compare(&other, MS_SIGNAL_VELOCITY, &d, 0);
    CHECK_BELOW(e.omega, 1e-6);
    CHECK_BELOW(e.zeta, 1e-2);
    CHECK_BELOW(e.amplitude, 1e-4);
  }
  ms_decay_free(test_context(), &d);
  free(x);
  free(y);
}

/* Windows stay within the record, and no segment has fewer windows than asked for. */
static void test_segments(void) {
  ms_stft_settings set = usual;
  set.growth = MS_GROWTH_LINEAR;
  set.window_first = 30.1;
  set.window_last = 120.4;
  set.overlap = 0.5;
  set.segments = 1000;
  set.windows = 3;
  ms_decay d = analyse(&linear, &set, MS_SIGNAL_VELOCITY);
  double end = 0.31 + 0.0731 * 18999;
  CHECK(d.n > 5 && d.n < 20);
  CHECK(d.point[0].time > 0.31 + 15.05);
  CHECK(d.point[d.n - 1].time < end - 60.2);
  for (ptrdiff_t i = 2; i < d.n; i++) /* segments grow with the windows */
    CHECK(d.point[i].time - d.point[i - 1].time > d.point[i - 1].time - d.point[i - 2].time);
  ms_decay_free(test_context(), &d);
  set.segments = 4;
  d = analyse(&linear, &set, MS_SIGNAL_VELOCITY);
  CHECK_EQUAL(d.n, 4);
  ms_decay_free(test_context(), &d);
}

/* Overlap so near to 1 that the step would be less than a sample. */
static void test_overlap_limit(void) {
  enum { N = 300 };
  double *x = test_ring_samples(&linear, N, 0.5, 0.0);
  ms_signal signal = { x, N, 0.5, 0.0, MS_SIGNAL_VELOCITY };
  ms_stft_settings set = usual;
  set.overlap = 1.0 - 1e-16;
  set.segments = 3;
  ms_decay d;
  CHECK_OK(ms_signal_stft(test_context(), &signal, &set, &d));
  CHECK_EQUAL(d.n, 3);
  ms_decay_free(test_context(), &d);
  free(x);
}

/* ---- refusals ---- */

static void refuse(const ms_stft_settings *set, const char *part) {
  enum { N = 2000 };
  double *x = test_ring_samples(&linear, N, 0.1, 0.0);
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  ms_decay d = { 3, NULL };
  CHECK_STATUS(ms_signal_stft(test_context(), &signal, set, &d), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK_EQUAL(d.n, 0);
  ms_decay_free(test_context(), &d);
  free(x);
}

static void test_refused(void) {
  ms_stft_settings set = usual;
  set.growth = (ms_growth)5;
  refuse(&set, "growth of the windows 5");
  set = usual, set.overlap = 1.0;
  refuse(&set, "overlap of the windows is 1");
  set = usual, set.overlap = NAN;
  refuse(&set, "overlap");
  set = usual, set.window_first = -2.0;
  refuse(&set, "windows of -2 s");
  set = usual, set.window_last = NAN;
  refuse(&set, "lengths must be");
  set = usual, set.segments = 0;
  refuse(&set, "0 segments");
  set = usual, set.windows = 1;
  refuse(&set, "at least 1 windows");
  set = usual, set.low = 3.0, set.high = 2.0;
  refuse(&set, "limits");
  set = usual, set.window_first = 3.9 * 2.0 * pi / 2.137;
  refuse(&set, "3.9 periods");
  set = usual, set.window_first = 210.0;
  refuse(&set, "too short");
  set = usual, set.window_first = HUGE_VAL;
  refuse(&set, "too short");
  set = usual, set.growth = MS_GROWTH_LINEAR, set.window_last = 210.0;
  refuse(&set, "too short");
  set = usual, set.window_first = 150.0, set.overlap = 0.5;
  refuse(&set, "1 windows fit");
}

/* The oscillation dies out and another goes on outside the band. */
static void test_lost_peak(void) {
  enum { N = 4000 };
  static double x[N];
  for (int k = 0; k < N; k++)
    x[k] = k < N / 2 ? sin(2.137 * 0.1 * k) : 0.5 * sin(1.3 * 0.1 * k) + 1e-9 * k;
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  ms_stft_settings set = usual;
  ms_decay d;
  CHECK_STATUS(ms_signal_stft(test_context(), &signal, &set, &d), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "has no spectral peak between 1.49");
  ms_decay_free(test_context(), &d);
}

/* ---- noise ---- */

enum { ROWS = 8, LONG = 3000, REPEATS = 400 };

static ms_stft_settings noisy_setting(void) {
  ms_stft_settings set = usual;
  set.window_first = set.window_last = 28.3;
  set.overlap = 0.8;
  set.segments = ROWS;
  set.low = 1.7, set.high = 2.6;
  return set;
}

/* ln omega, ln q, ln zeta of the rows of x. */
static void read_rows(const ms_signal *signal, double *out) {
  const ms_stft_settings set = noisy_setting();
  ms_decay d;
  CHECK_OK(ms_signal_stft(test_context(), signal, &set, &d));
  CHECK_EQUAL(d.n, ROWS);
  ms_decay_refer(&d, signal->kind);
  for (int i = 0; i < ROWS && d.n == ROWS; i++) {
    out[i] = log(d.point[i].omega);
    out[i + ROWS] = log(d.point[i].q);
    out[i + 2 * ROWS] = log(d.point[i].zeta);
  }
  ms_decay_free(test_context(), &d);
}

/* The scatter of many records with noise against the covariance that one of them gives: standard
   deviations, and correlations of neighbours, which for frequencies are below zero. Of REPEATS a
   standard deviation is known to 3.5 %, the mean of correlations to 0.02. */
static void check_noise(ms_signal_kind kind, double alpha, double noise) {
  const ms_stft_settings set = noisy_setting();
  test_ring ring = { 2.385, alpha, 0.0, 2.137, 0.0, 0.713 };
  double *clean = test_ring_samples(&ring, LONG, 0.0731, 0.0), *x = malloc(LONG * sizeof *x), *C;
  const ms_signal signal = { x, LONG, 0.0731, 0.0, kind };
  const ms_signal still = { clean, LONG, 0.0731, 0.0, kind };
  double want[3 * ROWS], got[3 * ROWS], sum[3 * ROWS] = { 0.0 }, next[3 * ROWS] = { 0.0 };
  ms_random random;
  read_rows(&still, want);
  CHECK_OK(ms_signal_stft_noise(test_context(), &still, &set, &C));
  ms_random_start(&random, 20260, 0);
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    for (int k = 0; k < LONG; k++) x[k] = clean[k] + noise * ms_random_normal(&random);
    read_rows(&signal, got);
    for (int i = 0; i < 3 * ROWS; i++) got[i] -= want[i];
    for (int i = 0; i < 3 * ROWS; i++) {
      sum[i] += got[i] * got[i] / REPEATS;
      if (i % ROWS < ROWS - 1) next[i] += got[i] * got[i + 1] / REPEATS;
    }
  }
  for (int kinds = 0; kinds < 3; kinds++) {
    double correlation = 0.0, predicted = 0.0;
    for (int s = 0; s < ROWS; s++) {
      const int i = s + ROWS * kinds;
      const double variance = C[i + 3 * ROWS * i];
      CHECK_CLOSE(sqrt(sum[i]), noise * sqrt(variance), 0.12);
      if (s == ROWS - 1) continue;
      correlation += next[i] / sqrt(sum[i] * sum[i + 1]) / (ROWS - 1);
      predicted +=
          C[i + 3 * ROWS * (i + 1)] / sqrt(variance * C[i + 1 + 3 * ROWS * (i + 1)]) / (ROWS - 1);
    }
    CHECK_NEAR(correlation, predicted, 0.04);
    CHECK(kinds != 0 || predicted < -0.1);
  }
  ms_free(test_context(), &C);
  free(clean);
  free(x);
}

static void test_noise(void) {
  check_noise(MS_SIGNAL_DISPLACEMENT, 1.7e-3, 1e-3);
  check_noise(MS_SIGNAL_ACCELERATION, 8.5e-3, 3e-4);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_decay d;
  ms_stft_settings set = usual;
  set.segments = 5;
  ms_status status = ms_signal_stft(ctx, user, &set, &d);
  if (status == MS_SUCCESS) CHECK_EQUAL(d.n, 5);
  ms_decay_free(ctx, &d);
  if (status != MS_SUCCESS) return status;
  double *C;
  status = ms_signal_stft_noise(ctx, user, &set, &C);
  CHECK_EQUAL(status == MS_SUCCESS, C != NULL);
  ms_free(ctx, &C);
  return status;
}

static void test_memory_failures(void) {
  enum { N = 3000 };
  double *x = test_ring_samples(&linear, N, 0.1, 0.0);
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  CHECK(test_allocations(work, &signal) >= 10);
  free(x);
}

int main(void) {
  TEST(test_linear);
  TEST(test_decay_inside);
  TEST(test_curved);
  TEST(test_window_order);
  TEST(test_band);
  TEST(test_segments);
  TEST(test_overlap_limit);
  TEST(test_refused);
  TEST(test_lost_peak);
  TEST(test_noise);
  TEST(test_memory_failures);
  return test_finish();
}
