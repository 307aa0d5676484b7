/* Records: even sampling, main frequency, and what every method refuses. */
#include <microslip/signal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "signal/internal.h"
#include "support/check.h"
#include "support/signals.h"

enum { N = 4000 };
static const double dt = 0.0517;
static const test_ring ring = { 2.385, 3.1e-3, 0.0, 2.137, 0.0, 0.713 };

/* ---- even sampling ---- */

static void fill_times(double *t, double jitter) {
  for (int k = 0; k < N; k++) t[k] = 0.317 + dt * k + (k % 7 == 3 ? jitter : 0.0);
}

static void test_borrow(void) {
  static double t[N], x[N];
  ms_signal s;
  fill_times(t, 0.9e-3 * dt);
  CHECK_OK(ms_signal_borrow(test_context(), N, t, x, MS_SIGNAL_ACCELERATION, 1e-3, &s));
  CHECK(s.x == x);
  CHECK_EQUAL(s.n, N);
  CHECK_EQUAL(s.kind, MS_SIGNAL_ACCELERATION);
  CHECK_CLOSE(s.dt, dt, 1e-12);
  CHECK_NEAR(s.time, 0.317, 0.0);
}

static void refuse_times(ptrdiff_t n, const double *t, double tolerance, ms_status status,
                         const char *part) {
  ms_signal s;
  CHECK_STATUS(ms_signal_borrow(test_context(), n, t, t, MS_SIGNAL_VELOCITY, tolerance, &s),
               status);
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK(s.x == NULL);
}

static void test_borrow_refused(void) {
  static double t[N];
  fill_times(t, 1.1e-3 * dt);
  refuse_times(N, t, 1e-3, MS_ERR_ARGUMENT, "not even: sample 3 ");
  refuse_times(N, t, -1.0, MS_ERR_ARGUMENT, "tolerance");
  refuse_times(1, t, 1e-3, MS_ERR_ARGUMENT, "at least 2 times; it has 1");
  t[17] = t[16];
  refuse_times(N, t, 1e-3, MS_ERR_ARGUMENT, "does not increase from sample 16");
  t[17] = NAN;
  refuse_times(N, t, 1e-3, MS_ERR_NUMERIC, "value 17 is not finite");
}

/* ---- main frequency ---- */

static void test_frequency(void) {
  double *x = test_ring_samples(&ring, N, dt, 0.0), omega;
  ms_signal s = { x, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  for (int k = 0; k < N; k++) x[k] += 17.3 + 0.4 * sin(5.119 * dt * k + 0.2);
  CHECK_OK(ms_signal_find_frequency(test_context(), &s, 0.0, HUGE_VAL, &omega));
  CHECK_CLOSE(omega, 2.137, 1e-3);
  CHECK_OK(ms_signal_find_frequency(test_context(), &s, 4.1, 6.2, &omega));
  CHECK_CLOSE(omega, 5.119, 1e-3);
  free(x);
}

static void refuse_frequency(const ms_signal *s, double low, double high, const char *part) {
  double omega = 1.0;
  CHECK_STATUS(ms_signal_find_frequency(test_context(), s, low, high, &omega), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK_NEAR(omega, 0.0, 0.0);
}

static void test_frequency_refused(void) {
  double *x = test_ring_samples(&ring, N, dt, 0.0);
  ms_signal s = { x, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  refuse_frequency(&s, 2.5, 2.1, "limits");
  refuse_frequency(&s, -2.5, 2.1, "limits");
  refuse_frequency(&s, 2.3, 2.9, "no peak between 2.3 and 2.9");
  refuse_frequency(&s, 1e9, 2e9, "no peak");
  s.n = 200; /* 3.5 periods */
  refuse_frequency(&s, 0.0, HUGE_VAL, "too short");
  for (int k = 0; k < N; k++) x[k] = test_ring_value(&ring, 1.0 * k);
  s = (ms_signal) { x, N, 1.0, 0.0, MS_SIGNAL_VELOCITY }; /* 2.9 samples in a period */
  refuse_frequency(&s, 0.0, HUGE_VAL, "too coarse");
  for (int k = 0; k < N; k++) x[k] = exp(-0.01 * k);
  refuse_frequency(&s, 0.0, HUGE_VAL, "does not oscillate");
  for (int k = 0; k < N; k++) x[k] = 2.75; /* the mean, taken away, leaves nothing at all */
  refuse_frequency(&s, 0.0, HUGE_VAL, "does not oscillate");
  free(x);
}

/* ---- what every method refuses ---- */

typedef ms_status method(const ms_signal *s, double start, double end, ms_decay *out);

static ms_status hilbert(const ms_signal *s, double start, double end, ms_decay *out) {
  ms_hilbert_settings set = MS_HILBERT_DEFAULT;
  set.start = start, set.end = end;
  return ms_signal_hilbert(test_context(), s, &set, out);
}

static ms_status stft(const ms_signal *s, double start, double end, ms_decay *out) {
  ms_stft_settings set = MS_STFT_DEFAULT;
  set.start = start, set.end = end;
  return ms_signal_stft(test_context(), s, &set, out);
}

static ms_status crossings(const ms_signal *s, double start, double end, ms_decay *out) {
  ms_crossing_settings set = MS_CROSSING_DEFAULT;
  set.start = start, set.end = end;
  return ms_signal_zero_crossings(test_context(), s, &set, out);
}

static method *const methods[] = { hilbert, stft, crossings };

static void refuse(const ms_signal *s, double start, double end, ms_status status,
                   const char *part) {
  for (int m = 0; m < 3; m++) {
    ms_decay decay = { 7, NULL };
    CHECK_STATUS(methods[m](s, start, end, &decay), status);
    CHECK_HAS(ms_context_message(test_context()), part);
    CHECK_EQUAL(decay.n, 0);
    CHECK(decay.point == NULL);
  }
}

static void test_refused(void) {
  double *x = test_ring_samples(&ring, N, dt, 0.0);
  const ms_signal good = { x, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_signal s = good;
  s.x = NULL;
  refuse(&s, -HUGE_VAL, HUGE_VAL, MS_ERR_ARGUMENT, "no samples");
  s = good, s.dt = -0.01;
  refuse(&s, -HUGE_VAL, HUGE_VAL, MS_ERR_ARGUMENT, "time step is -0.01");
  s = good, s.time = NAN;
  refuse(&s, -HUGE_VAL, HUGE_VAL, MS_ERR_ARGUMENT, "first sample is not finite");
  s = good, s.kind = (ms_signal_kind)3;
  refuse(&s, -HUGE_VAL, HUGE_VAL, MS_ERR_ARGUMENT, "kind of signal 3");
  refuse(&good, 3.0, 2.0, MS_ERR_ARGUMENT, "between start 3 s and end 2 s");
  refuse(&good, NAN, 2.0, MS_ERR_ARGUMENT, "between start");
  refuse(&good, 1e30, HUGE_VAL, MS_ERR_ARGUMENT, "0 samples of the record");
  refuse(&good, -HUGE_VAL, -1e30, MS_ERR_ARGUMENT, "0 samples of the record");
  refuse(&good, 5.0, 5.5, MS_ERR_ARGUMENT, "10 samples of the record");
  refuse(&good, 5.0, 12.0, MS_ERR_ARGUMENT, "too short");
  free(x);
}

static void test_bad_samples(void) {
  double *x = test_ring_samples(&ring, N, dt, 0.0);
  const ms_signal s = { x, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  x[N - 1] = INFINITY;
  refuse(&s, -HUGE_VAL, HUGE_VAL, MS_ERR_NUMERIC, "value 3999 is not finite");
  for (int k = 0; k < N; k++) x[k] = k < 100 ? 1.0 : 0.0;
  refuse(&s, 100 * dt, HUGE_VAL, MS_ERR_ARGUMENT, "is zero");
  for (int k = 0; k < N; k++) x[k] = exp(-0.002 * k);
  refuse(&s, -HUGE_VAL, HUGE_VAL, MS_ERR_ARGUMENT, "oscillate");
  free(x);
}

/* start on a sample takes it, in spite of rounding. */
static void test_cut(void) {
  double *x = test_ring_samples(&ring, N, dt, 0.0);
  ms_signal s = { x, N, dt, 0.317, MS_SIGNAL_VELOCITY };
  ms_part part;
  for (int k = 1; k < 300; k++) {
    CHECK_OK(ms_part_cut(test_context(), &s, 0.317 + k * dt, 0.317 + (100 + k) * dt, &part));
    CHECK_EQUAL(part.x - x, k);
    CHECK_EQUAL(part.n, 101);
    CHECK_NEAR(part.time, 0.317 + k * dt, 1e-12);
  }
  CHECK_OK(ms_part_cut(test_context(), &s, 0.317 + 22.01 * dt, 0.317 + 122.99 * dt, &part));
  CHECK(part.x == x + 23);
  CHECK_EQUAL(part.n, 100);
  free(x);
}

/* ---- FFT sizes ---- */

static void test_good_size(void) {
  const ptrdiff_t n[] = { 0, 1, 2, 3, 11, 22, 97, 1009, 30011 };
  const ptrdiff_t want[] = { 2, 2, 2, 4, 12, 24, 98, 1024, 30240 };
  for (int i = 0; i < 8; i++) CHECK_EQUAL(ms_fft_good_size(n[i]), want[i]);
  CHECK_BELOW((double)ms_fft_good_size(n[8]), 30011 * 1.02);
}

static void test_fft_too_long(void) {
  ms_fft fft;
  CHECK_STATUS(ms_fft_open(test_context(), (ptrdiff_t)1 << 40, &fft), MS_ERR_OVERFLOW);
  CHECK_HAS(ms_context_message(test_context()), "decimate first");
}

int main(void) {
  TEST(test_borrow);
  TEST(test_borrow_refused);
  TEST(test_frequency);
  TEST(test_frequency_refused);
  TEST(test_refused);
  TEST(test_bad_samples);
  TEST(test_cut);
  TEST(test_good_size);
  TEST(test_fft_too_long);
  return test_finish();
}
