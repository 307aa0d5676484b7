/* Modal filter by pseudo-inverse. */
#include <microslip/signal.h>

#include <math.h>
#include <string.h>

#include "support/check.h"

enum { SENSORS = 5, MODES = 3, N = 40 };

static void fill(ptrdiff_t n, unsigned seed, double *z) {
  ms_random rng;
  ms_random_start(&rng, seed, 0);
  for (ptrdiff_t i = 0; i < n; i++) z[i] = ms_random_normal(&rng);
}

/* x = Phi q, x[k + N*sensor]. */
static void expand(const double *phi, ptrdiff_t m, ptrdiff_t n, const double *q, double *x) {
  for (ptrdiff_t k = 0; k < N; k++)
    for (ptrdiff_t i = 0; i < m; i++) {
      x[k + N * i] = 0.0;
      for (ptrdiff_t j = 0; j < n; j++) x[k + N * i] += phi[i + m * j] * q[k + N * j];
    }
}

static double worst(ptrdiff_t n, const double *a, const double *b) {
  double error = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) error = fmax(error, fabs(a[i] - b[i]));
  return error;
}

/* More sensors than modes: coordinates come back, and what no mode explains does not matter. */
static void test_recovers(void) {
  double phi[SENSORS * MODES], q[N * MODES], x[N * SENSORS], got[N * MODES];
  ms_modal_filter_info info;
  fill(SENSORS * MODES, 1, phi);
  fill(N * MODES, 2, q);
  expand(phi, SENSORS, MODES, q, x);
  CHECK_OK(ms_signal_modal_filter(test_context(), SENSORS, MODES, phi, 0.0, N, x, got, &info));
  CHECK_BELOW(worst(N * MODES, got, q), 1e-13);
  CHECK_EQUAL(info.rank, MODES);
  CHECK_NEAR(info.dropped, 0.0, 0.0);
  CHECK(info.condition > 1.0 && info.condition < 100.0);
}

/* The residual is orthogonal to the modes: least squares. */
static void test_least_squares(void) {
  double phi[SENSORS * MODES], x[N * SENSORS], q[N * MODES], fit[N * SENSORS];
  fill(SENSORS * MODES, 1, phi);
  fill(N * SENSORS, 3, x);
  CHECK_OK(ms_signal_modal_filter(test_context(), SENSORS, MODES, phi, 0.0, N, x, q, NULL));
  expand(phi, SENSORS, MODES, q, fit);
  for (int k = 0; k < N; k += 7)
    for (int j = 0; j < MODES; j++) {
      double dot = 0.0;
      for (int i = 0; i < SENSORS; i++)
        dot += phi[i + SENSORS * j] * (x[k + N * i] - fit[k + N * i]);
      CHECK_NEAR(dot, 0.0, 1e-13);
    }
}

static int n_warning;
static void count_warning(void *user, ms_log_level level, const char *text) {
  (void)user;
  n_warning += level == MS_LOG_WARNING && strstr(text, "tell only 2 of 3 modes apart") != NULL;
}

/* Two sensors for three modes: the signal is met, and q is the smallest that does, so orthogonal to
   the null space, the cross product of the rows. */
static void test_minimum_norm(void) {
  double phi[2 * MODES], x[N * 2], q[N * MODES], fit[N * 2];
  ms_modal_filter_info info;
  fill(2 * MODES, 4, phi);
  fill(N * 2, 5, x);
  n_warning = 0;
  ms_context_set_log(test_context(), count_warning, NULL);
  CHECK_OK(ms_signal_modal_filter(test_context(), 2, MODES, phi, 0.0, N, x, q, &info));
  ms_context_set_log(test_context(), NULL, NULL);
  CHECK_EQUAL(n_warning, 1);
  CHECK_EQUAL(info.rank, 2);
  expand(phi, 2, MODES, q, fit);
  CHECK_BELOW(worst(N * 2, fit, x), 1e-13);
  for (int k = 0; k < N; k++) {
    double dot = 0.0;
    for (int j = 0; j < 3; j++) {
      int a = (j + 1) % 3, b = (j + 2) % 3;
      double null = phi[2 * a] * phi[1 + 2 * b] - phi[2 * b] * phi[1 + 2 * a];
      dot += null * q[k + N * j];
    }
    CHECK_NEAR(dot, 0.0, 1e-13);
  }
}

/* Shapes with known singular values 3 and 0.02, in a rotated frame. */
static void test_condition_and_rank(void) {
  double c = cos(0.7), s = sin(0.7), inverse[4];
  double phi[4] = { 3.0 * c, 3.0 * s, -0.02 * s, 0.02 * c };
  ms_modal_filter_info info;
  CHECK_OK(ms_signal_invert_modes(test_context(), 2, 2, phi, 0.0, inverse, &info));
  CHECK_EQUAL(info.rank, 2);
  CHECK_CLOSE(info.condition, 150.0, 1e-12);
  CHECK_NEAR(inverse[0], c / 3.0, 1e-12); /* inverse[mode + 2*sensor] */
  CHECK_NEAR(inverse[1], -s / 0.02, 1e-12);
  CHECK_NEAR(inverse[2], s / 3.0, 1e-12);
  CHECK_NEAR(inverse[3], c / 0.02, 1e-12);
  CHECK_OK(ms_signal_invert_modes(test_context(), 2, 2, phi, 0.01, inverse, &info));
  CHECK_EQUAL(info.rank, 1);
  CHECK_CLOSE(info.condition, 1.0, 1e-12);
  CHECK_CLOSE(info.dropped, 0.02 / 3.0, 1e-12);
  CHECK_NEAR(inverse[1], 0.0, 1e-12);
}

static void refuse(ptrdiff_t m, ptrdiff_t n_mode, const double *phi, double tolerance, ptrdiff_t n,
                   const double *x, ms_status status, const char *part) {
  double q[N * MODES];
  CHECK_STATUS(ms_signal_modal_filter(test_context(), m, n_mode, phi, tolerance, n, x, q, NULL),
               status);
  CHECK_HAS(ms_context_message(test_context()), part);
}

static void test_refused(void) {
  double phi[SENSORS * MODES], x[N * SENSORS];
  fill(SENSORS * MODES, 1, phi);
  fill(N * SENSORS, 3, x);
  refuse(0, MODES, phi, 0.0, N, x, MS_ERR_ARGUMENT, "0 sensors");
  refuse(SENSORS, 0, phi, 0.0, N, x, MS_ERR_ARGUMENT, "0 modes");
  refuse((ptrdiff_t)1 << 40, 1, phi, 0.0, N, x, MS_ERR_OVERFLOW, "too many");
  refuse(SENSORS, MODES, phi, 1.0, N, x, MS_ERR_ARGUMENT, "tolerance");
  refuse(SENSORS, MODES, phi, NAN, N, x, MS_ERR_ARGUMENT, "tolerance");
  refuse(SENSORS, MODES, phi, -1e-9, N, x, MS_ERR_ARGUMENT, "values is -1e-09; it must be in");
  refuse(SENSORS, MODES, phi, 0.0, 0, x, MS_ERR_ARGUMENT, "0 samples");
  x[17] = NAN;
  refuse(SENSORS, MODES, phi, 0.0, N, x, MS_ERR_NUMERIC, "samples of the sensors: value 17");
  fill(N * SENSORS, 3, x);
  phi[4] = INFINITY;
  refuse(SENSORS, MODES, phi, 0.0, N, x, MS_ERR_NUMERIC, "mode shapes at the sensors: value 4");
  for (int i = 0; i < SENSORS * MODES; i++) phi[i] = 0.0;
  refuse(SENSORS, MODES, phi, 0.0, N, x, MS_ERR_ARGUMENT, "are zero");
  for (int i = 0; i < SENSORS * MODES; i++) phi[i] = i == 3 ? 1e-310 : 0.0;
  refuse(SENSORS, MODES, phi, 0.0, N, x, MS_ERR_NUMERIC, "inverse of the mode shapes");
  fill(SENSORS * MODES, 1, phi);
  for (int i = 0; i < N * SENSORS; i++) x[i] = 1e308;
  for (int i = 0; i < SENSORS * MODES; i++) phi[i] *= 0.01;
  refuse(SENSORS, MODES, phi, 0.0, N, x, MS_ERR_NUMERIC, "modal coordinates");
}

static ms_status work(ms_context *ctx, void *user) {
  double q[N * MODES], *x = user;
  return ms_signal_modal_filter(ctx, SENSORS, MODES, x + N * SENSORS, 0.0, N, x, q, NULL);
}

static void test_memory_failures(void) {
  double data[N * SENSORS + SENSORS * MODES];
  fill(N * SENSORS + SENSORS * MODES, 6, data);
  CHECK_EQUAL(test_allocations(work, data), 6);
}

int main(void) {
  TEST(test_recovers);
  TEST(test_least_squares);
  TEST(test_minimum_norm);
  TEST(test_condition_and_rank);
  TEST(test_refused);
  TEST(test_memory_failures);
  return test_finish();
}
