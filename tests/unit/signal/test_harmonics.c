/* Harmonics of records by least squares. */
#include <math.h>
#include <microslip/signal.h>

#include "support/check.h"

enum { N = 900, H = 4, P = 2 * H + 1, CHANNELS = 2 };

static const double pi = 3.14159265358979323846;
static const ms_harmonics_setting usual = { .omega = 61.7, .periods = 6, .harmonics = H };
static const double truth[CHANNELS][P] = {
  { 0.37, 2.1, -1.3, 0.0, 0.41, 0.23, -0.07, 0.019, 0.011 },
  { -5.3, 0.7, 3.9, -0.61, 0.0, 0.13, 0.17, -0.029, 0.005 },
};
static const double time_0 = 0.713;

static double step(void) {
  return 2.0 * pi / usual.omega / 83.3;
}

static double sample(const double *x, double t) {
  double sum = x[0];
  for (int k = 1; k <= H; k++) {
    sum += x[2 * k - 1] * cos(k * usual.omega * t) + x[2 * k] * sin(k * usual.omega * t);
  }
  return sum;
}

static void fill(double noise, double x[CHANNELS][N]) {
  ms_random random;
  ms_random_start(&random, 41, 0);
  for (int c = 0; c < CHANNELS; c++) {
    for (int i = 0; i < N; i++) {
      x[c][i] = sample(truth[c], time_0 + i * step()) + noise * ms_random_normal(&random);
    }
  }
}

static ms_status fit(ms_context *ctx, double x[CHANNELS][N], const ms_harmonics_setting *setting,
                     ms_harmonics *out) {
  const ms_signal grid = { NULL, N, step(), time_0, MS_SIGNAL_ACCELERATION };
  const double *const channel[CHANNELS] = { x[0], x[1] };
  return ms_signal_fit_harmonics(ctx, &grid, CHANNELS, channel, setting, out);
}

static void test_closed_form(void) {
  static double x[CHANNELS][N];
  ms_harmonics h;
  fill(0.0, x);
  CHECK_OK(fit(test_context(), x, &usual, &h));
  CHECK_EQUAL(h.n, 500); /* 6 periods of 83.3 samples */
  CHECK_CLOSE(h.end, time_0 + (N - 1) * step(), 1e-12);
  CHECK_CLOSE(h.start, time_0 + (N - 500) * step(), 1e-12);
  for (int c = 0; c < CHANNELS; c++) {
    double square = 0.0;
    for (int i = 0; i < P; i++) CHECK_NEAR(h.x[i + P * c], truth[c][i], 1e-12);
    for (int i = N - 500; i < N; i++) square += x[c][i] * x[c][i] / 500.0;
    CHECK_CLOSE(h.rms[c], sqrt(square), 1e-12);
    CHECK_BELOW(h.deviation[c], 1e-12);
  }
  ms_harmonics_free(test_context(), &h);
  CHECK(!h.x);
}

/* What is left over is the noise, and tells how good coefficients are. */
static void test_noise(void) {
  static double x[CHANNELS][N];
  const double noise = 0.083;
  ms_harmonics h;
  fill(noise, x);
  CHECK_OK(fit(test_context(), x, &usual, &h));
  for (int c = 0; c < CHANNELS; c++) {
    double square = 0.0;
    CHECK_CLOSE(h.deviation[c], noise, 0.1); /* three times 1/sqrt(2 500) */
    for (int i = 1; i < P; i++) square += pow(h.x[i + P * c] - truth[c][i], 2.0) / (P - 1);
    CHECK_CLOSE(sqrt(square), noise * sqrt(2.0 / 500.0), 0.75); /* three times 1/sqrt(2 8) */
  }
  ms_harmonics_free(test_context(), &h);
}

static void test_complaints(void) {
  static double x[CHANNELS][N];
  ms_context *ctx = test_context();
  ms_harmonics h;
  ms_harmonics_setting s = usual;
  fill(0.0, x);
  s.harmonics = 41;
  CHECK_STATUS(fit(ctx, x, &s, &h), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "do not hold 41 harmonics");
  s = usual;
  s.periods = 11;
  CHECK_STATUS(fit(ctx, x, &s, &h), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "10.8 periods, not 11");
  s = usual;
  s.periods = 0;
  CHECK_STATUS(fit(ctx, x, &s, &h), MS_ERR_BOUNDS);
  s = usual;
  s.harmonics = 0;
  CHECK_STATUS(fit(ctx, x, &s, &h), MS_ERR_BOUNDS);
  s = usual;
  s.omega = -1.0;
  CHECK_STATUS(fit(ctx, x, &s, &h), MS_ERR_BOUNDS);
  x[1][7] = INFINITY;
  CHECK_STATUS(fit(ctx, x, &usual, &h), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(ctx), "record 2");
  CHECK(!h.x);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_harmonics h = { .x = NULL };
  ms_status status = fit(ctx, user, &usual, &h);
  ms_harmonics_free(ctx, &h);
  return status;
}

static void test_memory_runs_out(void) {
  static double x[CHANNELS][N];
  fill(0.0, x);
  CHECK(test_allocations(work, x) >= 2);
}

int main(void) {
  TEST(test_closed_form);
  TEST(test_noise);
  TEST(test_complaints);
  TEST(test_memory_runs_out);
  return test_finish();
}
