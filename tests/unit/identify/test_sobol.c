/* Sobol's indices against two functions whose indices are known. */
#include <math.h>
#include <stdlib.h>

#include <microslip/sobol.h>

#include "support/check.h"

static const double pi = 3.141592653589793;

typedef double function(const double *u);

/* Ishigami and Homma: sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1, x in (-pi, pi). */
static double ishigami(const double *u) {
  double x[3];
  for (int j = 0; j < 3; j++) x[j] = pi * (2.0 * u[j] - 1.0);
  return sin(x[0]) + 7.0 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
}

/* Sum of a_j (u_j - 1/2): first and total are a_j^2 / sum a^2. */
static double linear(const double *u) {
  return 2.3 * u[0] - 0.9 * u[1] + 0.4 * u[2] + 17.0;
}

static void indices_of(function *f, ptrdiff_t n, ms_sobol_index *out) {
  ptrdiff_t count = ms_sobol_count(3, n);
  double *u = malloc((size_t)(3 * count) * sizeof *u), *y = malloc((size_t)count * sizeof *y);
  CHECK_OK(ms_sobol_points(test_context(), 3, n, 12, u));
  for (ptrdiff_t i = 0; i < count; i++) y[i] = f(u + 3 * i);
  CHECK_OK(ms_sobol_indices(test_context(), 3, n, y, out));
  free(u), free(y);
}

static void check_index(ms_sobol_index got, double first, double total) {
  CHECK_NEAR(got.first, first, 4.0 * got.first_error);
  CHECK_NEAR(got.total, total, 4.0 * got.total_error);
  CHECK_BELOW(got.first_error, 0.05);
  CHECK_BELOW(got.total_error, 0.05);
}

static void test_ishigami(void) {
  ms_sobol_index s[3];
  double V1 = 0.5 * pow(1.0 + 0.1 * pow(pi, 4.0) / 5.0, 2.0), V2 = 49.0 / 8.0;
  double V13 = 0.01 * pow(pi, 8.0) * (1.0 / 18.0 - 1.0 / 50.0), V = V1 + V2 + V13;
  indices_of(ishigami, 4000, s);
  check_index(s[0], V1 / V, (V1 + V13) / V);
  check_index(s[1], V2 / V, V2 / V);
  check_index(s[2], 0.0, V13 / V);
}

static void test_linear(void) {
  ms_sobol_index s[3];
  double sum = 2.3 * 2.3 + 0.9 * 0.9 + 0.4 * 0.4;
  indices_of(linear, 3000, s);
  check_index(s[0], 2.3 * 2.3 / sum, 2.3 * 2.3 / sum);
  check_index(s[1], 0.9 * 0.9 / sum, 0.9 * 0.9 / sum);
  check_index(s[2], 0.4 * 0.4 / sum, 0.4 * 0.4 / sum);
}

/* The error that is stated falls with the root of the sample. */
static void test_error_falls(void) {
  ms_sobol_index few[3], many[3];
  indices_of(ishigami, 500, few);
  indices_of(ishigami, 8000, many);
  CHECK_CLOSE(few[0].total_error / many[0].total_error, 4.0, 0.4);
}

static double constant(const double *u) {
  (void)u;
  return 2.385;
}

static void test_nothing_varies(void) {
  ms_sobol_index s[3];
  indices_of(constant, 16, s);
  for (int j = 0; j < 3; j++) {
    CHECK_NEAR(s[j].first, 0.0, 0.0);
    CHECK_NEAR(s[j].total, 0.0, 0.0);
  }
}

static void test_refusals(void) {
  double u[3 * 8 * 5], y[8 * 5] = { 0.0 };
  ms_sobol_index s[3];
  CHECK_STATUS(ms_sobol_points(test_context(), 3, 7, 1, u), MS_ERR_ARGUMENT);
  y[11] = NAN;
  CHECK_STATUS(ms_sobol_indices(test_context(), 3, 8, y, s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "value 12");
}

static ms_status all_at_once(ms_context *ctx, void *user) {
  double u[3 * 8 * 5], y[8 * 5];
  (void)user;
  MS_TRY(ms_sobol_points(ctx, 3, 8, 1, u));
  for (int i = 0; i < 40; i++) y[i] = linear(u + 3 * i);
  ms_sobol_index s[3];
  return ms_sobol_indices(ctx, 3, 8, y, s);
}

static void test_failing_memory(void) {
  CHECK(test_allocations(all_at_once, NULL) >= 2);
}

int main(void) {
  TEST(test_ishigami);
  TEST(test_linear);
  TEST(test_error_falls);
  TEST(test_nothing_varies);
  TEST(test_refusals);
  TEST(test_failing_memory);
  return test_finish();
}
