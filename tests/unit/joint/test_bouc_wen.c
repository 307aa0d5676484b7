/* The law of Bouc and Wen: elementary solutions for n = 1 and 2, any n by Runge-Kutta, limits. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/paths.h"

static double K = 2.385, a = 0.13, n, A, beta, gamma_;

static ms_joint *sample(double exponent, double slope, double b, double g) {
  n = exponent, A = slope, beta = b, gamma_ = g;
  return test_joint("bouc_wen", "K", K, "a", a, "n", n, "A", A, "beta", beta, "gamma", gamma_,
                    NULL);
}

/* As in the paper, F in the place of z. */
static double slope(double u, double F, double s) {
  double z = (F - a * K * u) / ((1.0 - a) * K);
  double dz = A - beta * s * pow(fabs(z), n - 1.0) * z - gamma_ * pow(fabs(z), n);
  return a * K + (1.0 - a) * K * dz;
}

/* From z = 0 on: 1 - exp for n = 1, tanh for n = 2. */
static void test_first_loading(void) {
  for (int i = 0; i < 40; i++) {
    double u = 0.13 * (i + 1), F, tangent;
    ms_joint *one = sample(1.0, 1.0, 0.41, 0.23);
    CHECK_OK(ms_joint_eval_virgin(one, u, &F, &tangent));
    CHECK_CLOSE(F, K * (a * u + (1.0 - a) * -expm1(-0.64 * u) / 0.64), 1e-13);
    CHECK_CLOSE(tangent, K * (a + (1.0 - a) * exp(-0.64 * u)), 1e-12);
    ms_joint *two = sample(2.0, 1.7, 0.41, -0.13);
    double rate = sqrt(1.7 * 0.28);
    CHECK_OK(ms_joint_eval_virgin(two, u, &F, &tangent));
    CHECK_CLOSE(F, K * (a * u + (1.0 - a) * 1.7 / rate * tanh(rate * u)), 1e-13);
    ms_joint_destroy(&one);
    ms_joint_destroy(&two);
  }
}

/* Unloading from z_max to 0: logarithm for n = 1, arc tangent for n = 2. */
static void test_unloading(void) {
  ms_joint *one = sample(1.0, 1.0, 0.41, 0.23), *two = sample(2.0, 1.7, 0.41, -0.13);
  double z_max = 1.0 / 0.64, back = 0.41 - 0.23, far = 70.0;
  test_to(one, far);
  for (int i = 0; i < 10; i++) {
    double u = 0.137 * (i + 1), z = (z_max + 1.0 / back) * exp(-back * u) - 1.0 / back;
    CHECK_NEAR(test_to(one, far - u), K * (a * (far - u) + (1.0 - a) * z), 1e-12 * a * K * far);
  }
  z_max = sqrt(1.7 / 0.28), back = sqrt(0.54 / 1.7);
  test_to(two, far);
  for (int i = 0; i < 10; i++) {
    double u = 0.043 * (i + 1), z = tan(atan(back * z_max) - sqrt(0.54 * 1.7) * u) / back;
    CHECK_NEAR(test_to(two, far - u), K * (a * (far - u) + (1.0 - a) * z), 1e-12 * a * K * far);
  }
  ms_joint_destroy(&one);
  ms_joint_destroy(&two);
}

/* z ends at (A/(beta + gamma))^(1/n), for any n. */
static void test_ultimate_force(void) {
  static const double exponent[] = { 1.0, 1.31, 2.0, 3.7, 11.0, 100.0 };
  for (int i = 0; i < 6; i++) {
    ms_joint *j = sample(exponent[i], 1.7, 0.41, 0.23);
    double z_max = pow(1.7 / 0.64, 1.0 / n), u = 60.0, value;
    CHECK_CLOSE(test_to(j, u), K * (a * u + (1.0 - a) * z_max), 1e-13);
    CHECK_CLOSE(test_to(j, -u), -K * (a * u + (1.0 - a) * z_max), 1e-13);
    CHECK_OK(ms_joint_get(j, "z_max", &value));
    CHECK_CLOSE(value, z_max, 1e-14);
    CHECK_OK(ms_joint_get(j, "delta", &value));
    CHECK_CLOSE(value, 0.41 / 0.64, 1e-14);
    ms_joint_destroy(&j);
  }
}

/* n above 3 is smooth enough at z = 0 for Runge-Kutta to keep its order across it. */
static void test_reference(void) {
  static const double exponent[] = { 3.7, 5.0, 9.3 }, g[] = { 0.41, 0.2, 0.0, -0.2 };
  for (int i = 0; i < 12; i++) {
    ms_joint *j = sample(exponent[i % 3], 1.3, 0.41, g[i / 3]);
    test_runge_kutta_tends(j, slope, 0.51, 1, 1e-11);
    ms_joint_destroy(&j);
  }
}

/* Lower n: corners of f at z = 0 cost Runge-Kutta its order, not its limit. */
static void test_reference_rough(void) {
  static const double exponent[] = { 1.0, 1.1, 1.5, 1.93, 2.6 }, g[] = { 0.41, -0.3 };
  for (int i = 0; i < 10; i++) {
    ms_joint *j = sample(exponent[i % 5], 1.3, 0.41, g[i / 5]);
    test_runge_kutta_tends(j, slope, 1.0, 0, 1e-8);
    ms_joint_destroy(&j);
  }
}

static void test_common(void) {
  static const double exponent[] = { 1.0, 1.5, 6.3 }, g[] = { 0.41, -0.35 };
  for (int i = 0; i < 6; i++) {
    ms_joint *j = sample(exponent[i % 3], 1.3, 0.41, g[i / 3]);
    test_subdivision(j, 1e-11);
    test_rate_independence(j);
    test_passivity(j, 3e-6);
    test_derivatives(j, 1e-5);
    test_load_scaling(j, a * K);
    ms_joint_destroy(&j);
  }
}

/* n = 1 and gamma = 0 is Dahl's law beside a spring. */
static void test_dahl(void) {
  ms_joint *j = sample(1.0, 1.0, 0.64, 0.0);
  ms_joint *dahl = test_joint("dahl", "F_c", (1.0 - a) * K / 0.64, "sigma_0", (1.0 - a) * K, NULL);
  test_history h = test_wander(j, 61, 1);
  ms_joint_output x, y;
  for (int i = 0; i < 1000; i++) {
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(j, in, &x));
    CHECK_OK(ms_joint_step(dahl, in, &y));
    CHECK_NEAR(x.force[0] - in->k * a * K * in->u[0], y.force[0], 1e-12 * K / 0.64);
    CHECK_NEAR(x.dalpha[0], y.dalpha[0], 1e-10 * K / 0.64);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&dahl);
}

/* Both parameter sets say the same; A scales out. */
static void test_sets(void) {
  ms_joint *j = sample(1.5, 1.7, 0.41, 0.23);
  ms_joint *same = test_joint("bouc_wen", "K", K, "a", a, "n", 1.5, "A", 1.7, "z_max",
                              pow(1.7 / 0.64, 1.0 / 1.5), "delta", 0.41 / 0.64, NULL);
  for (int i = 0; i < 60; i++) {
    double u = 3.1 * sin(0.7 * i) * exp(-0.02 * i);
    CHECK_NEAR(test_to(j, u), test_to(same, u), 1e-12);
  }
  double got;
  CHECK_OK(ms_joint_get(same, "beta", &got));
  CHECK_CLOSE(got, 0.41, 1e-14);
  CHECK_OK(ms_joint_get(same, "gamma", &got));
  CHECK_CLOSE(got, 0.23, 1e-14);
  ms_joint_destroy(&j);
  ms_joint_destroy(&same);
}

static void test_check(void) {
  ms_joint *j = sample(1.5, 1.0, 0.41, 0.41);
  CHECK_OK(ms_joint_set(j, "gamma", 0.42)); /* a loop would give energy */
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "produces energy");
  CHECK_OK(ms_joint_set(j, "gamma", -0.41)); /* z without limit */
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_OK(ms_joint_set(j, "gamma", -0.36));
  CHECK_OK(ms_joint_setup(j));
  CHECK_OK(ms_joint_set(j, "beta", 1e308));
  CHECK_OK(ms_joint_set(j, "gamma", 1e308));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_first_loading);
  TEST(test_unloading);
  TEST(test_ultimate_force);
  TEST(test_reference);
  TEST(test_reference_rough);
  TEST(test_common);
  TEST(test_dahl);
  TEST(test_sets);
  TEST(test_check);
  return test_finish();
}
