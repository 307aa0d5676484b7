/* Modes from frequency responses in closed form: without noise exactly, modes outside of the band
   and two close modes included; with noise within the standard errors that are stated; what is
   refused. */
#include <complex.h>
#include <math.h>
#include <microslip/frf_fit.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { LINES = 800, SENSORS = 3, MODES = 6 };
#define PI 3.14159265358979323846

/* The first is below the band and the last above it; the third and fourth are close. */
static const double freq[MODES] = { 17.3, 61.9, 137.4, 141.2, 203.7, 391.0 };
static const double zeta[MODES] = { 0.011, 0.0031, 0.0047, 0.0062, 0.0213, 0.008 };
static const double phi[SENSORS * MODES] = { 0.31,  0.52,  0.77, 0.83, 0.41, -0.38,
                                             0.66,  -0.47, 0.58, 0.29, 0.71, 0.63,
                                             -0.55, 0.81,  0.49, 0.35, -0.6, 0.73 };
static const double low = 40.0, high = 260.0;
static double f[LINES], H[2 * LINES * SENSORS], decay;

/* Sensor 0 is at the force. */
static ms_frf_set make(int derivative, double noise, uint64_t seed, int outside) {
  ms_random random;
  ms_random_start(&random, seed, 7);
  for (int o = 0; o < SENSORS; o++) {
    double sum = 0.0;
    for (int k = 0; k < LINES; k++) {
      f[k] = 20.0 + 260.0 * k / (LINES - 1.0);
      const double complex s = 2.0 * PI * I * f[k] + decay;
      double complex h = 0.0;
      for (int r = !outside; r < MODES - !outside; r++) {
        const double w_r = 2.0 * PI * freq[r];
        h +=
            phi[SENSORS * r] * phi[o + SENSORS * r] / (w_r * w_r + s * s + 2.0 * zeta[r] * w_r * s);
      }
      h *= cpow(s, derivative);
      H[2 * (k + LINES * o)] = creal(h), H[2 * (k + LINES * o) + 1] = cimag(h);
      sum += creal(h) * creal(h) + cimag(h) * cimag(h);
    }
    const double size = noise * sqrt(sum / LINES);
    for (int k = 0; k < 2 * LINES; k++) H[k + 2 * LINES * o] += size * ms_random_normal(&random);
  }
  return (ms_frf_set) { LINES, SENSORS, f, H, derivative, decay };
}

static ms_frf_fit_settings in_band(void) {
  ms_frf_fit_settings s = MS_FRF_FIT_DEFAULT;
  s.low = low, s.high = high;
  return s;
}

/* Modes outside are undamped to the fit, and the first terms of their series only. */
static void check_exact(int derivative, int outside) {
  const double of_f = outside ? 2e-5 : 1e-9, of_zeta = outside ? 2e-3 : 1e-7;
  const double of_shape = outside ? 3e-3 : 1e-7;
  const ms_frf_set set = make(derivative, 0.0, 1, outside);
  const ms_frf_fit_settings s = in_band();
  double shape[SENSORS * MODES], value[2];
  ms_frf_fit fit;
  CHECK_OK(ms_frf_fit_modes(test_context(), &set, &s, &fit));
  CHECK_EQUAL(fit.n_mode, 4);
  CHECK_OK(ms_frf_fit_real_shapes(test_context(), &fit, 0, shape));
  for (ptrdiff_t r = 0; r < fit.n_mode && r < 4; r++) {
    const int k = (int)r + 1;
    CHECK_CLOSE(fit.mode[r].freq_hz, freq[k], of_f);
    CHECK_CLOSE(fit.mode[r].zeta, zeta[k], of_zeta);
    CHECK_CLOSE(fit.mode[r].collinearity, 1.0, of_shape);
    CHECK(fit.mode[r].found >= s.part && fit.mode[r].found <= 1.0);
    for (int o = 0; o < SENSORS; o++) {
      const double want = phi[o + SENSORS * k] * (phi[SENSORS * k] < 0.0 ? -1.0 : 1.0);
      CHECK_NEAR(shape[o + SENSORS * r], want, of_shape);
      CHECK_NEAR(fit.shape[2 * (o + SENSORS * r)], phi[SENSORS * k] * phi[o + SENSORS * k],
                 of_shape);
    }
  }
  for (int o = 0; o < SENSORS; o++) CHECK_BELOW(fit.error[o], outside ? 1e-3 : 1e-8);
  /* at a resonance that mode is nearly all */
  ms_frf_fit_eval(&fit, 0, derivative, 61.9, value);
  const double w = 2.0 * PI * 61.9;
  CHECK_CLOSE(hypot(value[0], value[1]), /* alone */
              phi[SENSORS] * phi[SENSORS] / (2.0 * zeta[1] * w * w) * pow(w, derivative), 0.02);
  /* of the largest order the modes are among the poles */
  int stable = 0;
  for (ptrdiff_t i = 0; i < fit.n_pole; i++) {
    if (fit.pole[i].order == s.orders) stable += fit.pole[i].stable;
  }
  CHECK(stable >= 4);
  ms_frf_fit_free(test_context(), &fit);
}

/* Records that faded: damping ratios are those without. */
static void test_faded(void) {
  decay = 2.3;
  check_exact(0, 0);
  check_exact(2, 1);
  decay = 0.0;
}

static void test_exact(void) {
  for (int d = 0; d < 6; d++) check_exact(d % 3, d / 3);
}

/* Noise of 2 % of the rms: 20 times four modes within four standard errors, two thirds within
   one. */
static void test_noise(void) {
  enum { TIMES = 20 };
  const ms_frf_fit_settings s = in_band();
  int inside[2] = { 0, 0 }, all = 0;
  for (int t = 0; t < TIMES; t++) {
    const ms_frf_set set = make(2, 0.02, 100 + (uint64_t)t, 1);
    ms_frf_fit fit;
    CHECK_OK(ms_frf_fit_modes(test_context(), &set, &s, &fit));
    CHECK_EQUAL(fit.n_mode, 4);
    for (ptrdiff_t r = 0; r < fit.n_mode && fit.n_mode == 4; r++, all++) {
      const ms_frf_mode *m = &fit.mode[r];
      const double e[2] = { (m->freq_hz - freq[r + 1]) / m->freq_error,
                            (m->zeta - zeta[r + 1]) / m->zeta_error };
      CHECK_BELOW(fabs(e[0]), 4.0);
      CHECK_BELOW(fabs(e[1]), 4.0);
      CHECK_BELOW(m->zeta_error / m->zeta, 0.05);
      for (int i = 0; i < 2; i++) inside[i] += fabs(e[i]) < 1.0;
    }
    for (int o = 0; o < SENSORS; o++) CHECK_CLOSE(fit.error[o], 0.02 * sqrt(2.0), 0.3);
    ms_frf_fit_free(test_context(), &fit);
  }
  printf("# of %d frequencies %d within one standard error, of damping ratios %d\n", all, inside[0],
         inside[1]);
  for (int i = 0; i < 2; i++)
    CHECK_NEAR((double)inside[i] / all, 0.683, 3.5 * sqrt(0.683 * 0.317 / all));
}

/* Those that come back most often; a band with one mode. */
static void test_choice(void) {
  const ms_frf_set set = make(1, 0.01, 5, 1);
  ms_frf_fit_settings s = in_band();
  ms_frf_fit fit;
  s.modes = 2;
  CHECK_OK(ms_frf_fit_modes(test_context(), &set, &s, &fit));
  CHECK_EQUAL(fit.n_mode, 2);
  CHECK(fit.mode[0].freq_hz < fit.mode[1].freq_hz);
  ms_frf_fit_free(test_context(), &fit);
  s = in_band();
  s.high = 100.0;
  CHECK_OK(ms_frf_fit_modes(test_context(), &set, &s, &fit));
  CHECK_EQUAL(fit.n_mode, 1);
  CHECK_CLOSE(fit.mode[0].freq_hz, freq[1], 1e-3);
  double shape[SENSORS];
  CHECK_OK(ms_frf_fit_real_shapes(test_context(), &fit, -1, shape));
  CHECK_NEAR(shape[0], 0.83 / 0.83, 0.02);
  CHECK_NEAR(shape[2], -0.38 / 0.83, 0.02);
  for (int q = 0; q < 2 * SENSORS; q++) fit.shape[q] *= -1.0;
  CHECK_STATUS(ms_frf_fit_real_shapes(test_context(), &fit, 0, shape), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "begins against it");
  ms_frf_fit_free(test_context(), &fit);
}

static void refuses(const ms_frf_set *set, const ms_frf_fit_settings *s, ms_status status,
                    const char *text) {
  ms_frf_fit fit;
  CHECK_STATUS(ms_frf_fit_modes(test_context(), set, s, &fit), status);
  CHECK_HAS(ms_context_message(test_context()), text);
  ms_frf_fit_free(test_context(), &fit);
}

static void test_refused(void) {
  ms_frf_set set = make(2, 0.0, 1, 1);
  ms_frf_fit_settings s = in_band();
  s.high = 43.0;
  refuses(&set, &s, MS_ERR_BOUNDS, "lines from 40 to 43 Hz; a fit needs 16");
  s = in_band();
  s.orders = 3;
  refuses(&set, &s, MS_ERR_BOUNDS, "orders = 3");
  s = in_band();
  set.derivative = 3;
  refuses(&set, &s, MS_ERR_ARGUMENT, "displacement, velocity or acceleration");
  set.derivative = 2;
  H[2 * (200 + LINES)] = (double)NAN;
  refuses(&set, &s, MS_ERR_NUMERIC, "the response of sensor 2 at 85.08");
  memset(H, 0, sizeof H);
  refuses(&set, &s, MS_ERR_NUMERIC, "the response of sensor 1 is zero");
  ms_random random;
  ms_random_start(&random, 3, 3);
  for (int k = 0; k < 2 * LINES * SENSORS; k++) H[k] = ms_random_normal(&random);
  s.part = 0.8;
  refuses(&set, &s, MS_NOT_CONVERGED, "no mode from 40");
  f[100] = f[99];
  refuses(&set, &s, MS_ERR_ARGUMENT, "line 101 at 52.2");
}

static ms_status work(ms_context *ctx, void *user) {
  ms_frf_fit_settings s = in_band();
  ms_frf_fit fit;
  s.high = 100.0, s.orders = 10;
  ms_status status = ms_frf_fit_modes(ctx, user, &s, &fit);
  ms_frf_fit_free(ctx, &fit);
  return status;
}

static void test_failing_memory(void) {
  ms_frf_set set = make(2, 0.01, 1, 1);
  CHECK(test_allocations(work, &set) > 8);
}

int main(void) {
  TEST(test_exact);
  TEST(test_faded);
  TEST(test_noise);
  TEST(test_choice);
  TEST(test_refused);
  TEST(test_failing_memory);
  return test_finish();
}
