/* Spectrogram: amplitudes of steady tones, the ridge of a chirp, what is refused. */
#include <microslip/signal.h>

#include <math.h>

#include "support/check.h"

enum { N = 6000 };

static const double dt = 0.0371, begin = 0.31;

static ms_signal make(double (*x)(double)) {
  static double values[N];
  for (int k = 0; k < N; k++) values[k] = x(begin + dt * k);
  return (ms_signal) { values, N, dt, begin, MS_SIGNAL_ACCELERATION };
}

static double two_tones(double t) {
  return 2.385 * cos(7.13 * t + 0.4) + 0.0713 * sin(19.7 * t);
}

/* 7.13 + 2 * 0.041 t rad/s */
static double chirp(double t) {
  return 1.7 * sin(7.13 * t + 0.041 * t * t);
}

static ms_spectrogram_settings usual(void) {
  ms_spectrogram_settings set = MS_SPECTROGRAM_DEFAULT;
  set.window = 17.3;
  set.low = 2.0;
  set.high = 40.0;
  return set;
}

/* The largest amplitude near omega, over all windows the smallest of these and the largest. */
static void check_tone(const ms_spectrogram *s, double omega, double want, double tolerance) {
  for (ptrdiff_t i = 0; i < s->n_time; i += 7) {
    double most = 0.0;
    for (ptrdiff_t j = 0; j < s->n_line; j++) {
      if (fabs(s->omega[j] - omega) < 1.0) most = fmax(most, s->amplitude[j + s->n_line * i]);
    }
    CHECK_CLOSE(most, want, tolerance);
  }
}

/* A line is at most 1/64 of a window's own spacing from the tone: the Hann window's lobe has fallen
   by (pi^2/6 - 1) (1/64)^2 = 1.6e-4 there; the other tone's lobe is far below. */
static void test_tones(void) {
  ms_signal signal = make(two_tones);
  ms_spectrogram_settings set = usual();
  ms_spectrogram s;
  set.padding = 32;
  CHECK_OK(ms_signal_spectrogram(test_context(), &signal, &set, &s));
  CHECK(s.n_time > 40 && s.n_line > 100);
  if (s.n_time > 0) {
    CHECK_CLOSE(s.time[0], begin + 0.5 * 17.3, 2e-3);
    CHECK(s.omega[0] >= 2.0 && s.omega[s.n_line - 1] <= 40.0);
    check_tone(&s, 7.13, 2.385, 2e-4);
    check_tone(&s, 19.7, 0.0713, 4e-4);
    CHECK_CLOSE(ms_spectrogram_find_peak(&s, 3).freq_hz, 7.13 / (2.0 * acos(-1.0)), 1e-4);
    CHECK_CLOSE(ms_spectrogram_find_peak(&s, 3).amplitude, 2.385, 2e-4);
  }
  ms_spectrogram_free(test_context(), &s);
}

/* In a window about t a linear chirp is symmetric: its peak is at the frequency there. */
static void test_chirp(void) {
  ms_signal signal = make(chirp);
  ms_spectrogram_settings set = usual();
  ms_spectrogram s;
  set.window = 7.9;
  CHECK_OK(ms_signal_spectrogram(test_context(), &signal, &set, &s));
  for (ptrdiff_t i = 0; i < s.n_time; i += 11) {
    const double *a = s.amplitude + s.n_line * i;
    ptrdiff_t best = 0;
    for (ptrdiff_t j = 0; j < s.n_line; j++) best = a[j] > a[best] ? j : best;
    CHECK_NEAR(s.omega[best], 7.13 + 0.082 * s.time[i], 0.6 * (s.omega[1] - s.omega[0]));
  }
  ms_spectrogram_free(test_context(), &s);
}

static void test_refused(void) {
  ms_signal signal = make(chirp);
  ms_spectrogram s;
  for (int k = 0; k < 6; k++) {
    ms_spectrogram_settings set = usual();
    if (k == 0) set.window = 0.0;
    if (k == 1) set.window = 1e4;
    if (k == 2) set.overlap = 1.0;
    if (k == 3) set.padding = 0;
    if (k == 4) set.high = set.low;
    if (k == 5) set.low = 39.99, set.high = 39.991;
    CHECK_STATUS(ms_signal_spectrogram(test_context(), &signal, &set, &s), MS_ERR_ARGUMENT);
    CHECK(s.n_time == 0 && !s.time);
  }
}

static ms_status work(ms_context *ctx, void *user) {
  ms_spectrogram_settings set = usual();
  ms_spectrogram s;
  ms_status status = ms_signal_spectrogram(ctx, user, &set, &s);
  ms_spectrogram_free(ctx, &s);
  return status;
}

static void test_memory_fails(void) {
  ms_signal signal = make(chirp);
  CHECK(test_allocations(work, &signal) >= 4);
}

int main(void) {
  TEST(test_tones);
  TEST(test_chirp);
  TEST(test_refused);
  TEST(test_memory_fails);
  return test_finish();
}
