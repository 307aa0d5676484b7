/* Dry friction as a function of velocity, with and without a viscous part: curve and losses. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;

static ms_joint_output step(ms_joint *j, double u, double v, double dt, double alpha) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  in.v[0] = v;
  in.dt = dt;
  in.alpha = alpha;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out;
}

/* tanh written with exponentials, and its derivative. */
static void test_curve(void) {
  ms_joint *j = test_joint("coulomb_viscous", "F_c", 23.85, "v_s", 0.37, "C", 1.9, NULL);
  for (int i = -40; i <= 40; i++) {
    double v = 0.113 * i + 0.017, e = exp(-2.0 * v / 0.37), alpha = 0.3 + 0.021 * (i + 40);
    double sign = (1.0 - e) / (1.0 + e);
    ms_joint_output out = step(j, 7.1 * i, v, 0.0, alpha);
    CHECK_NEAR(out.force[0], alpha * 23.85 * sign + 1.9 * v, 1e-12);
    CHECK_NEAR(out.dv[0], alpha * 23.85 / 0.37 * (1.0 - sign * sign) + 1.9, 1e-11);
    CHECK_NEAR(out.dalpha[0], 23.85 * sign, 1e-12);
    CHECK_NEAR(out.du[0], 0.0, 0.0);
  }
  ms_joint_destroy(&j);
}

/* Loss of a cycle u0 cos(omega t), F_c u0 int_0^2pi tanh(a sin t) sin t dt, by the midpoint rule
   with many points: spectrally accurate, unlike the 200 points of a cycle once a is large. */
static double loss(double F_c, double v_s, double u0, double omega) {
  enum { N = 40000 };
  double a = u0 * omega / v_s, sum = 0.0;
  for (int i = 0; i < N; i++) {
    double s = sin(2.0 * pi * (i + 0.5) / N), e = exp(-2.0 * a * fabs(s));
    sum += (1.0 - e) / (1.0 + e) * fabs(s);
  }
  return F_c * u0 * sum * 2.0 * pi / N;
}

static void test_cycle_loss(void) {
  static const double a[] = { 0.031, 0.73, 3.9, 17.0, 160.0 };
  static const double tolerance[] = { 1e-12, 1e-12, 1e-12, 2e-4, 2e-4 };
  for (int i = 0; i < 5; i++) {
    double u0 = 2.385, omega = 0.83, v_s = u0 * omega / a[i];
    ms_joint *dry = test_joint("coulomb", "F_c", 11.7, "v_s", v_s, NULL);
    ms_joint *wet = test_joint("coulomb_viscous", "F_c", 11.7, "v_s", v_s, "C", 3.3, NULL);
    ms_joint_cycle c;
    double D = loss(11.7, v_s, u0, omega);
    CHECK_OK(ms_joint_run_cycle(dry, u0, omega, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.D, D, tolerance[i]);
    CHECK_NEAR(c.F0, 0.0, 0.0);
    CHECK_OK(ms_joint_run_cycle(wet, u0, omega, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.D, D + pi * 3.3 * omega * u0 * u0, tolerance[i]);
    ms_joint_destroy(&dry);
    ms_joint_destroy(&wet);
  }
}

/* Both ends of the regularisation: 4 F_c u0 for a sharp change of sign, a dashpot F_c/v_s for a
   slow one. At v_s -> 0 the integral falls short by F_c u0 (pi/a)^2/6 at most (tanh against sgn),
   and 200 points see sin instead of |sin|: 8e-5. */
static void test_limits(void) {
  double u0 = 2.385, omega = 0.83;
  ms_joint *sharp = test_joint("coulomb", "F_c", 11.7, "v_s", 1e-5, NULL);
  ms_joint *soft = test_joint("coulomb", "F_c", 11.7, "v_s", 1e4, NULL);
  ms_joint_cycle c;
  CHECK_OK(ms_joint_run_cycle(sharp, u0, omega, 200, NULL, NULL, &c));
  CHECK_CLOSE(c.D, 4.0 * 11.7 * u0, 1e-4);
  CHECK_OK(ms_joint_run_cycle(sharp, u0, omega, 2000, NULL, NULL, &c));
  CHECK_CLOSE(c.D, 4.0 * 11.7 * u0, 1e-6);
  CHECK_OK(ms_joint_run_cycle(soft, u0, omega, 200, NULL, NULL, &c));
  CHECK_CLOSE(c.D, pi * 11.7 / 1e4 * omega * u0 * u0, 1e-7);
  ms_joint_destroy(&sharp);
  ms_joint_destroy(&soft);
}

/* Loss along u = sin(2 t): int tanh(v/v_s) v dt against many more points, second order in dt. */
static double loss_along(double dt) {
  ms_joint *j = test_joint("coulomb", "F_c", 11.7, "v_s", 0.9, NULL);
  ms_joint_energy e;
  step(j, 0.0, 2.0, 0.0, 1.0);
  for (int i = 1; i * dt < 1.3 + 0.5 * dt; i++)
    step(j, sin(2.0 * i * dt), 2.0 * cos(2.0 * i * dt), dt, 1.0);
  CHECK_OK(ms_joint_get_energy(j, &e));
  ms_joint_destroy(&j);
  return e.dissipated;
}

static void test_loss_order(void) {
  double fine = loss_along(1.3 / 100000), e1 = loss_along(1.3 / 50) - fine;
  double e2 = loss_along(1.3 / 100) - fine;
  CHECK_NEAR(log2(e1 / e2), 2.0, 0.02);
}

int main(void) {
  TEST(test_curve);
  TEST(test_cycle_loss);
  TEST(test_limits);
  TEST(test_loss_order);
  return test_finish();
}
