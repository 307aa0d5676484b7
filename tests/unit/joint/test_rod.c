/* A rod on friction with a spring in series: its curve is known the other way round, u(f). */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/paths.h"

static const double F_S = 11.7, K_T = 2.385, K_rod = 0.83, beta = 1.63;

static ms_joint *make(void) {
  return test_joint("rod", "F_S", F_S, "K_T", K_T, "K_rod", K_rod, "beta", beta, NULL);
}

/* Document 003 eq (28), with units and a spring. */
static double displacement(double f) {
  return f / K_T + F_S / K_rod * beta / (beta + 1.0) * pow(f / F_S, 1.0 + 1.0 / beta);
}

static double end(void) {
  return displacement(F_S);
}

static void test_first_loading(void) {
  ms_joint *j = make();
  double F, slope;
  for (int i = 0; i < 60; i++) {
    double f = F_S * pow(10.0, -0.13 * i), l = pow(f / F_S, 1.0 / beta);
    CHECK_OK(ms_joint_eval_virgin(j, displacement(f) * (i ? 1.0 : 1.0 - 1e-15), &F, &slope));
    CHECK_CLOSE(F, f, 1e-12);
    CHECK_CLOSE(slope, 1.0 / (1.0 / K_T + l / K_rod), 1e-12);
  }
  CHECK_OK(ms_joint_eval_virgin(j, 1.7 * end(), &F, &slope));
  CHECK_CLOSE(F, F_S, 1e-14);
  CHECK_EQUAL(slope == 0.0, 1);
  ms_joint_destroy(&j);
}

/* The spring loses nothing: D = 4 beta/((beta+1)(2 beta+1)) F_S^2/K_rod (f/F_S)^(2+1/beta). */
static void test_loss(void) {
  ms_joint *j = make();
  for (int i = 0; i < 30; i++) {
    double f = F_S * pow(10.0, -0.11 * (i + 0.3)), u = displacement(f);
    double D = 4.0 * beta / ((beta + 1.0) * (2.0 * beta + 1.0)) * F_S * F_S / K_rod *
               pow(f / F_S, 2.0 + 1.0 / beta);
    ms_joint_cycle c;
    CHECK_OK(ms_joint_run_cycle(j, u, 0.0, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.D, D, 1e-11);
    CHECK_CLOSE(c.D_closed_form, D, 1e-11);
  }
  ms_joint_destroy(&j);
}

/* u - u_r = 2 U((f - f_r)/2) after a reversal; closing an inner loop goes on along the outer one.
 */
static void test_reversals(void) {
  ms_joint *j = make();
  double f[] = { 7.3, -3.9, 4.1, 0.6, 3.3 }, u = displacement(f[0]);
  CHECK_CLOSE(test_to(j, u), f[0], 1e-13);
  for (int i = 1; i < 5; i++) {
    u += copysign(2.0 * displacement(0.5 * fabs(f[i] - f[i - 1])), f[i] - f[i - 1]);
    CHECK_CLOSE(test_to(j, u), f[i], 1e-12);
  }
  CHECK_CLOSE(test_to(j, displacement(8.8)), 8.8, 1e-12);
  ms_joint_destroy(&j);
}

static void test_common(void) {
  ms_joint *j = make();
  test_subdivision(j, 1e-12);
  test_rate_independence(j);
  test_passivity(j, 1e-5);
  test_load_scaling(j, 0.0);
  test_derivatives(j, 1e-6);
  ms_joint_destroy(&j);
}

/* A stiff spring and a soft one: the slip length is found over the whole range. What is left of a
   stiff spring is a difference of moments, which costs the digits of K_T/K_rod. */
static void test_extremes(void) {
  const double K[] = { 1e-9, 1e4 }, b[] = { 0.07, 60.0 };
  for (int i = 0; i < 4; i++) {
    const double k = K[i % 2], e = b[i / 2];
    ms_joint *j = test_joint("rod", "F_S", F_S, "K_T", k, "K_rod", K_rod, "beta", e, NULL);
    for (double f = F_S * 0.93; f > 1e-9; f *= 0.031) {
      double u = f / k + F_S / K_rod * e / (e + 1.0) * pow(f / F_S, 1.0 + 1.0 / e), F, slope;
      CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
      CHECK_CLOSE(F, f, 1e-11);
    }
    ms_joint_destroy(&j);
  }
}

int main(void) {
  TEST(test_first_loading);
  TEST(test_loss);
  TEST(test_reversals);
  TEST(test_common);
  TEST(test_extremes);
  return test_finish();
}
