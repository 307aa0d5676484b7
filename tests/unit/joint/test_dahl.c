/* Dahl's law: loops and losses in closed form for i = 1, first loading for any i. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/paths.h"

static ms_joint *sample(double i) {
  return test_joint("dahl", "F_c", 11.7, "sigma_0", 2.385, "i", i, NULL);
}
static const double z_max = 11.7 / 2.385;

/* From F = 0: (1 - F/F_c)^(1-i) = 1 - (1 - i) u/z_max, or an exponential. */
static void test_first_loading(void) {
  static const double i[] = { 0.3, 0.5, 1.0, 1.5, 2.0, 3.7 };
  for (int k = 0; k < 6; k++) {
    ms_joint *j = sample(i[k]);
    for (int n = 0; n < 40; n++) {
      double x = 0.17 * (n + 1), left, F, slope;
      left = i[k] == 1.0 ? exp(-x) : pow(fmax(0.0, 1.0 - (1.0 - i[k]) * x), 1.0 / (1.0 - i[k]));
      CHECK_OK(ms_joint_eval_virgin(j, x * z_max, &F, &slope));
      CHECK_NEAR(F, 11.7 * (1.0 - left), 1e-13 * 11.7);
      CHECK_NEAR(slope, 2.385 * pow(left, i[k]), 1e-8);
      CHECK_OK(ms_joint_eval_virgin(j, -x * z_max, &F, &slope));
      CHECK_NEAR(F, -11.7 * (1.0 - left), 1e-13 * 11.7);
    }
    ms_joint_destroy(&j);
  }
}

/* i = 1: branches F = F_c - (F_c + F0) exp(-(u + u0)/z_max), steady with F0 = F_c tanh(u0/z_max),
   which makes D = 4 F_c z_max (a - tanh a), a = u0/z_max; a^3/3 - 2 a^5/15 + ... at small a. */
static void test_steady_loop(void) {
  ms_joint *j = sample(1.0);
  for (int n = 0; n < 25; n++) {
    enum { N = 200 };
    double a = pow(10.0, -4.0 + 0.21 * n), F[N + 1], u[N + 1], a2 = a * a;
    double part =
        a < 0.02 ? a * a2 * (1.0 / 3.0 - a2 * (2.0 / 15.0 - a2 * 17.0 / 315.0)) : a - tanh(a);
    ms_joint_cycle c;
    CHECK_OK(ms_joint_run_cycle(j, a * z_max, 1.0, N, u, F, &c));
    CHECK_CLOSE(c.F0, 11.7 * tanh(a), 1e-11);
    CHECK_CLOSE(c.D, 4.0 * 11.7 * z_max * part, 1e-9);
    for (int i = N / 2; i <= N; i += 7) {
      double branch = 11.7 - 11.7 * (1.0 + tanh(a)) * exp(-(u[i] / z_max + a));
      CHECK_NEAR(F[i], branch, 1e-11 * 11.7 * fmin(1.0, a));
    }
  }
  ms_joint_destroy(&j);
}

/* Steady loop for any i: F0 repeats with opposite sign, and the loss is the loop's area. */
static void test_steady_loop_any(void) {
  static const double i[] = { 0.4, 1.6, 2.0, 3.1 };
  for (int k = 0; k < 4; k++) {
    enum { N = 4000 };
    static double u[N + 1], F[N + 1];
    ms_joint *j = sample(i[k]);
    ms_joint_cycle c;
    double area = 0.0;
    CHECK_OK(ms_joint_run_cycle(j, 0.37 * z_max, 1.0, N, u, F, &c));
    for (int n = 0; n < N; n++) area += 0.5 * (F[n] + F[n + 1]) * (u[n + 1] - u[n]);
    CHECK_CLOSE(c.D, area, 2e-5);
    CHECK_CLOSE(F[N / 2], -F[0], 1e-11);
    ms_joint_destroy(&j);
  }
}

static double exponent;
static double slope(double u, double F, double s) {
  (void)u;
  return 2.385 * pow(1.0 - s * F / 11.7, exponent);
}

static void test_reference(void) {
  static const double i[] = { 1.0, 1.5, 2.0, 3.7 };
  for (int k = 0; k < 4; k++) {
    ms_joint *j = sample(exponent = i[k]);
    test_runge_kutta_tends(j, slope, 0.6 * z_max, exponent < 3.0,
                           1e-12); /* its error changes sign */
    ms_joint_destroy(&j);
  }
}

static void test_common(void) {
  static const double i[] = { 0.4, 1.0, 2.0, 3.1 };
  for (int k = 0; k < 4; k++) {
    ms_joint *j = sample(i[k]);
    test_subdivision(j, 1e-11);
    test_rate_independence(j);
    test_passivity(j, i[k] < 1.0 ? 1e-4 : 1e-7); /* i < 1: a corner where slip is complete */
    test_derivatives(j, 1e-5);
    test_load_scaling(j, 0.0);
    ms_joint_destroy(&j);
  }
}

/* A normal load that falls below the force lets go of it; one that rises does not change it. */
static void test_falling_load(void) {
  ms_joint *j = sample(1.0);
  ms_joint_energy before, after;
  double F = test_to(j, 1.3 * z_max);
  CHECK_NEAR(test_to_loaded(j, 1.3 * z_max, 1.9, 1.0), F, 0.0);
  CHECK_OK(ms_joint_get_energy(j, &before));
  CHECK_NEAR(test_to_loaded(j, 1.3 * z_max, 0.31, 1.0), 0.31 * 11.7, 1e-13);
  CHECK_OK(ms_joint_get_energy(j, &after));
  CHECK_CLOSE(after.stored + after.dissipated, before.stored + before.dissipated, 1e-13);
  CHECK(after.dissipated > before.dissipated);
  ms_joint_destroy(&j);
}

static void test_extreme_parameters(void) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "dahl", &j));
  CHECK_OK(ms_joint_set(j, "F_c", 1e-300));
  CHECK_OK(ms_joint_set(j, "sigma_0", 1e300));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "less extreme");
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_first_loading);
  TEST(test_steady_loop);
  TEST(test_steady_loop_any);
  TEST(test_reference);
  TEST(test_common);
  TEST(test_falling_load);
  TEST(test_extreme_parameters);
  return test_finish();
}
