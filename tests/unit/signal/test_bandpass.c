/* Zero-phase band-pass. */
#include <microslip/signal.h>

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/signals.h"

enum { N = 6000 };
static const double dt = 0.0517;
static double x[2 * N], y[2 * N];

static void fill(double *z, double omega, double phase) {
  for (int k = 0; k < N; k++) z[k] = sin(omega * dt * k + phase);
}

/* Largest |y - gain x| in the middle half of the first channel. */
static double middle_error(double gain) {
  double worst = 0.0;
  for (int k = N / 4; k < 3 * N / 4; k++) worst = fmax(worst, fabs(y[k] - gain * x[k]));
  return worst;
}

/* Gain 1 inside, 0 beyond the transitions, half a cosine between; no phase anywhere. */
static void test_gain(void) {
  ms_band band = { 1.9, 3.1, 0.25 };
  const double omega[] = { 2.0, 2.37, 3.0, 0.3, 1.3, 4.2, 11.0, 40.0, 1.9 - 0.11875, 3.1 + 0.2 };
  for (int i = 0; i < 10; i++) {
    double gain = i < 3 ? 1.0 : 0.0;
    if (i == 8) gain = 0.5 * (1.0 + cos(3.14159265358979 * 0.11875 / (0.25 * 1.9)));
    if (i == 9) gain = 0.5 * (1.0 + cos(3.14159265358979 * 0.2 / (0.25 * 3.1)));
    fill(x, omega[i], 0.713);
    CHECK_OK(ms_signal_bandpass(test_context(), &band, dt, N, 1, x, y));
    CHECK_BELOW(middle_error(gain), 2e-4);
  }
}

/* A sine from zero to zero goes on by point reflection as if it had no ends. */
static void test_ends(void) {
  ms_band band = { 1.9, 3.1, 0.25 };
  double omega = 3.14159265358979 * 233 / (dt * (N - 1)), worst = 0.0; /* 2.36 */
  fill(x, omega, 0.0);
  CHECK_OK(ms_signal_bandpass(test_context(), &band, dt, N, 1, x, y));
  for (int k = 0; k < N; k++) worst = fmax(worst, fabs(y[k] - x[k]));
  CHECK_BELOW(worst, 2e-2);
}

/* One limit only; an offset passes a low-pass whole and a high-pass not at all. */
static void test_one_sided(void) {
  ms_band low = { 0.0, 3.1, 0.25 }, high = { 1.9, HUGE_VAL, 0.25 };
  fill(x, 2.37, 0.1);
  for (int k = 0; k < N; k++) x[k] += 0.7;
  CHECK_OK(ms_signal_bandpass(test_context(), &low, dt, N, 1, x, y));
  CHECK_BELOW(middle_error(1.0), 1e-3);
  CHECK_OK(ms_signal_bandpass(test_context(), &high, dt, N, 1, x, y));
  for (int k = 0; k < N; k++) x[k] -= 0.7;
  CHECK_BELOW(middle_error(1.0), 1e-3);
}

/* Channels are filtered alike, and in place. */
static void test_channels_in_place(void) {
  ms_band band = { 1.9, 3.1, 0.25 };
  fill(x, 2.2, 0.3);
  fill(x + N, 2.9, 1.1);
  CHECK_OK(ms_signal_bandpass(test_context(), &band, dt, N, 2, x, y));
  static double second[N];
  CHECK_OK(ms_signal_bandpass(test_context(), &band, dt, N, 1, x + N, second));
  for (int k = 0; k < N; k += 97) CHECK_NEAR(y[N + k], second[k], 1e-15);
  CHECK_OK(ms_signal_bandpass(test_context(), &band, dt, N, 2, x, x));
  for (int k = 0; k < 2 * N; k += 97) CHECK_NEAR(x[k], y[k], 0.0);
}

/* A ring-down out of two, in a drift: the table is that of the one alone. */
static void test_separates(void) {
  test_ring wanted = { 2.385, 3.1e-3, 0.0, 2.137, 0.0, 0.713 }, other = wanted;
  other.omega = 4.911, other.A0 = 1.7;
  for (int k = 0; k < N; k++)
    x[k] = test_ring_value(&wanted, dt * k) + test_ring_value(&other, dt * k) + 0.3 - 1e-4 * k;
  ms_band band = { 1.7, 2.6, 0.4 };
  CHECK_OK(ms_signal_bandpass(test_context(), &band, dt, N, 1, x, y));
  ms_signal signal = { y, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_hilbert_settings set = MS_HILBERT_DEFAULT;
  set.segments = 12;
  ms_decay d;
  if (CHECK_OK(ms_signal_hilbert(test_context(), &signal, &set, &d))) {
    test_ring_error e = test_ring_compare(&wanted, MS_SIGNAL_VELOCITY, &d, 2);
    CHECK_BELOW(e.omega, 5e-5);
    CHECK_BELOW(e.zeta, 3e-2);
    CHECK_BELOW(e.amplitude, 1e-3);
  }
  ms_decay_free(test_context(), &d);
}

static void refuse(ms_band band, double step, ptrdiff_t n, ptrdiff_t n_channel, ms_status status,
                   const char *part) {
  CHECK_STATUS(ms_signal_bandpass(test_context(), &band, step, n, n_channel, x, y), status);
  CHECK_HAS(ms_context_message(test_context()), part);
}

static void test_refused(void) {
  ms_band good = { 1.9, 3.1, 0.25 };
  fill(x, 2.37, 0.1);
  refuse(good, 0.0, N, 1, MS_ERR_ARGUMENT, "time step is 0");
  refuse(good, dt, 1, 1, MS_ERR_ARGUMENT, "at least 2 samples");
  refuse(good, dt, N, 0, MS_ERR_ARGUMENT, "at least 2 samples");
  refuse(good, dt, N, PTRDIFF_MAX / 2, MS_ERR_ARGUMENT, "at least 2 samples");
  refuse((ms_band) { 3.1, 1.9, 0.25 }, dt, N, 1, MS_ERR_ARGUMENT,
         "band from 0.49338 to 0.302394 Hz");
  refuse((ms_band) { -1.0, 1.9, 0.25 }, dt, N, 1, MS_ERR_ARGUMENT, "band from -0.159155 to");
  refuse((ms_band) { 0.0, HUGE_VAL, 0.25 }, dt, N, 1, MS_ERR_ARGUMENT, "one of them a limit");
  refuse((ms_band) { 1.9, 3.1, 0.0 }, dt, N, 1, MS_ERR_ARGUMENT, "width of the band's edges is 0");
  refuse((ms_band) { 1.9, 3.1, 1.1 }, dt, N, 1, MS_ERR_ARGUMENT, "width of the band's edges");
  refuse((ms_band) { 61.0, 70.0, 0.2 }, dt, N, 1, MS_ERR_ARGUMENT, "begins at 9.70845 Hz, beyond");
  x[N - 3] = NAN;
  refuse(good, dt, N, 1, MS_ERR_NUMERIC, "value 5997 is not finite");
  for (int k = 0; k < N; k++) x[k] = k % 2 ? 1.5e308 : -1.5e308;
  refuse(good, dt, N, 1, MS_ERR_NUMERIC, "filtered signal");
}

static ms_status work(ms_context *ctx, void *user) {
  return ms_signal_bandpass(ctx, user, dt, 200, 2, x, y);
}

static void test_memory_failures(void) {
  ms_band band = { 1.9, 3.1, 0.25 };
  fill(x, 2.37, 0.1);
  CHECK(test_allocations(work, &band) >= 2);
}

int main(void) {
  TEST(test_gain);
  TEST(test_ends);
  TEST(test_one_sided);
  TEST(test_channels_in_place);
  TEST(test_separates);
  TEST(test_refused);
  TEST(test_memory_failures);
  return test_finish();
}
