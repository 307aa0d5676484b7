/* The Stribeck curve: its values, slopes, regimes, and losses. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

static ms_joint_output at_velocity(const ms_joint *j, double v, double alpha) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_joint_trial trial;
  in.v[0] = v;
  in.alpha = alpha;
  CHECK_OK(ms_joint_update(j, &in, &out, &trial));
  return out;
}

static ms_joint *sample(double delta) {
  return test_joint("stribeck", "F_c", 11.7, "F_s", 17.3, "v_s", 0.0031, "v_st", 0.23, "delta",
                    delta, "C", 1.9, NULL);
}

static double curve(double v, double delta, double alpha) {
  double fall = exp(-pow(fabs(v) / 0.23, delta)), e = exp(-2.0 * fabs(v) / 0.0031);
  return copysign(alpha * (11.7 + (17.3 - 11.7) * fall) * (1.0 - e) / (1.0 + e), v) + 1.9 * v;
}

static void test_curve(void) {
  static const double delta[] = { 0.5, 1.0, 2.0, 7.3 };
  for (int d = 0; d < 4; d++) {
    ms_joint *j = sample(delta[d]);
    for (int i = 0; i < 60; i++) {
      double v = (i % 2 ? -1.0 : 1.0) * pow(10.0, -4.0 + 0.09 * i), alpha = 0.2 + 0.03 * i;
      double h = 1e-5 * fabs(v);
      ms_joint_output out = at_velocity(j, v, alpha);
      CHECK_CLOSE(out.force[0], curve(v, delta[d], alpha), 1e-12);
      double slope = (curve(v + h, delta[d], alpha) - curve(v - h, delta[d], alpha)) / (2.0 * h);
      CHECK_NEAR(out.dv[0], slope, 1e-6 * fabs(slope) + 1e-8 * 17.3 / fabs(v));
    }
    CHECK_NEAR(at_velocity(j, 0.0, 1.0).force[0], 0.0, 0.0);
    ms_joint_destroy(&j);
  }
}

/* Four regimes: at rest, a peak close to F_s, a minimum, a viscous rise. */
static void test_regimes(void) {
  ms_joint *j = sample(2.0);
  double peak = 0.0, v_peak = 0.0, low = HUGE_VAL, v_low = 0.0;
  for (int i = 0; i < 4000; i++) {
    double v = 1e-3 * pow(1.002, i), F = at_velocity(j, v, 1.0).force[0];
    if (v < 0.1 && F > peak) peak = F, v_peak = v;
    if (v > v_peak && v < 3.0 && F < low) low = F, v_low = v;
  }
  CHECK_CLOSE(peak, 17.3, 0.005);
  CHECK(v_peak > 0.003 && v_peak < 0.03 && v_low > 0.23);
  CHECK(low > 11.7 && low < 13.0);
  CHECK_CLOSE(at_velocity(j, 90.0, 1.0).force[0], 11.7 + 1.9 * 90.0, 1e-12);
  CHECK_CLOSE(at_velocity(j, 1e30, 1.0).force[0], 1.9e30, 1e-12);
  ms_joint_destroy(&j);
}

/* Steady cycle, slow and fast, against the integral of F v with many points. */
static void test_cycle_loss(void) {
  ms_joint *j =
      test_joint("stribeck", "F_c", 11.7, "F_s", 17.3, "v_s", 0.031, "v_st", 0.23, "C", 1.9, NULL);
  for (int k = 0; k < 5; k++) {
    enum { N = 20000 };
    double u0 = 0.0385, omega = 0.31 * pow(1.9, k), D = 0.0;
    ms_joint_cycle c;
    for (int i = 0; i < N; i++) {
      double v = u0 * omega * sin(6.283185307179586 * (i + 0.5) / N), x = v / 0.23;
      D += ((11.7 + 5.6 * exp(-x * x)) * tanh(v / 0.031) + 1.9 * v) * v;
    }
    D *= 6.283185307179586 / omega / N;
    CHECK_OK(ms_joint_run_cycle(j, u0, omega, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.D, D, 1e-9);
  }
  ms_joint_destroy(&j);
}

/* F_s = F_c: nothing falls, the curve is that of coulomb_viscous. */
static void test_no_fall(void) {
  ms_joint *j =
      test_joint("stribeck", "F_c", 11.7, "F_s", 11.7, "v_s", 0.0031, "v_st", 0.23, "C", 1.9, NULL);
  ms_joint *flat = test_joint("coulomb_viscous", "F_c", 11.7, "v_s", 0.0031, "C", 1.9, NULL);
  for (double v = -0.91; v < 1.0; v += 0.0217) {
    ms_joint_output out = at_velocity(j, v, 1.3), want = at_velocity(flat, v, 1.3);
    CHECK_CLOSE(out.force[0], 1.3 * 11.7 * tanh(v / 0.0031) + 1.9 * v, 1e-13);
    CHECK_CLOSE(out.force[0], want.force[0], 1e-15);
    CHECK_CLOSE(out.dv[0], want.dv[0], 1e-15);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&flat);
}

static void test_check(void) {
  ms_joint *j = sample(2.0);
  CHECK_OK(ms_joint_set(j, "F_s", 11.6));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "at least F_c");
  CHECK_OK(ms_joint_set(j, "F_s", 11.8));
  CHECK_OK(ms_joint_set(j, "v_st", 0.003));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "more than v_s");
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_curve);
  TEST(test_regimes);
  TEST(test_cycle_loss);
  TEST(test_no_fall);
  TEST(test_check);
  return test_finish();
}
