/* Valanis' law: asymptotes, implicit closed form, Dahl's law as a special case. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/paths.h"

static double E_0 = 2.385, E_t, lambda = 0.31, kappa;

static ms_joint *sample(double stiffness, double knee) {
  E_t = stiffness, kappa = knee;
  return test_joint("valanis", "E_0", E_0, "E_t", E_t, "lambda", lambda, "kappa", kappa, NULL);
}

/* As printed by Gaul and Lenz. */
static double slope(double u, double F, double s) {
  double w = s * lambda / E_0 * (E_t * u - F);
  return E_0 * (1.0 + w) / (1.0 + kappa * w);
}

static void test_reference(void) {
  static const double t[] = { 0.0, 0.11, 0.9 }, k[] = { 0.0, 0.37, 0.83 };
  for (int i = 0; i < 9; i++) {
    ms_joint *j = sample(t[i % 3], k[i / 3]);
    test_runge_kutta_tends(j, slope, 2.9, 1, 1e-11);
    ms_joint_destroy(&j);
  }
}

/* Slope E_0 at first, then the line E_t u + F_0 (1 - E_t/E_0) with F_0 = E_0/(lambda (1 - kappa
   E_t/E_0)), and the same line below after a reversal. */
static void test_asymptotes(void) {
  static const double t[] = { 0.0, 0.11, 0.9 }, k[] = { 0.0, 0.37, 0.83, 0.999 };
  for (int i = 0; i < 12; i++) {
    ms_joint *j = sample(t[i % 3], k[i / 3]);
    double F_0 = E_0 / (lambda * (1.0 - kappa * E_t / E_0)), F, start;
    double line = F_0 * (1.0 - E_t / E_0), u = 400.0;
    CHECK_OK(ms_joint_eval_virgin(j, 1e-9, &F, &start));
    CHECK_CLOSE(start, E_0, 1e-6);
    CHECK_OK(ms_joint_start(j, NULL));
    CHECK_CLOSE(test_to(j, u), E_t * u + line, 1e-13);
    CHECK_NEAR(test_to(j, -u), -E_t * u - line, 1e-13 * F_0);
    ms_joint_destroy(&j);
  }
}

/* From w = 0 the law integrates to u as a function of F: with w = lambda/E_0 (F - E_t u),
   p = 1 - E_t/E_0, q = 1 - kappa E_t/E_0 one has E_0 u lambda/E_0 = int (1 - kappa w)/(p - q w) dw.
 */
static void test_first_loading(void) {
  static const double t[] = { 0.0, 0.11, 0.9 }, k[] = { 0.0, 0.37, 0.83 };
  for (int i = 0; i < 9; i++) {
    ms_joint *j = sample(t[i % 3], k[i / 3]);
    double p = 1.0 - E_t / E_0, q = 1.0 - kappa * E_t / E_0;
    for (int n = 0; n < 20; n++) {
      double w = p / q * (0.0213 + 0.049 * n), F, tangent;
      double u = (kappa / q * w - (1.0 - kappa * p / q) / q * log(1.0 - q * w / p)) / lambda;
      CHECK_OK(ms_joint_eval_virgin(j, u, &F, &tangent));
      CHECK_CLOSE(F, E_t * u + w * E_0 / lambda, 1e-12);
      CHECK_CLOSE(tangent, E_0 * (1.0 - w) / (1.0 - kappa * w), 1e-10);
    }
    ms_joint_destroy(&j);
  }
}

/* kappa = E_t = 0 is Dahl's law with F_c = E_0/lambda. */
static void test_dahl(void) {
  ms_joint *j = sample(0.0, 0.0);
  ms_joint *dahl = test_joint("dahl", "F_c", E_0 / lambda, "sigma_0", E_0, NULL);
  test_history h = test_wander(j, 61, 1);
  ms_joint_output a, b;
  for (int i = 0; i < 1000; i++) {
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(j, in, &a));
    CHECK_OK(ms_joint_step(dahl, in, &b));
    CHECK_NEAR(a.force[0], b.force[0], 1e-12 * E_0 / lambda);
    CHECK_NEAR(a.dalpha[0], b.dalpha[0], 1e-11 * E_0 / lambda);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&dahl);
}

static void test_common(void) {
  static const double t[] = { 0.0, 0.31 }, k[] = { 0.0, 0.6, 0.97 };
  for (int i = 0; i < 6; i++) {
    ms_joint *j = sample(t[i % 2], k[i / 2]);
    test_subdivision(j, 1e-11);
    test_rate_independence(j);
    test_passivity(j, kappa > 0.9 ? 1e-4 : 1e-7);
    test_derivatives(j, 1e-5);
    test_load_scaling(j, E_t);
    ms_joint_destroy(&j);
  }
}

/* Steady loops exist at every amplitude; the loss is the loop's area. */
static void test_cycles(void) {
  enum { N = 4000 };
  static double u[N + 1], F[N + 1];
  ms_joint *j = sample(0.11, 0.6);
  for (int i = 0; i < 12; i++) {
    ms_joint_cycle c;
    double area = 0.0, u0 = pow(10.0, -4.0 + 0.5 * i);
    CHECK_OK(ms_joint_run_cycle(j, u0, 0.0, N, u, F, &c));
    for (int n = 0; n < N; n++) area += 0.5 * (F[n] + F[n + 1]) * (u[n + 1] - u[n]);
    CHECK_CLOSE(c.D, area, 1e-5);
  }
  ms_joint_destroy(&j);
}

static void test_check(void) {
  ms_joint *j = sample(0.11, 0.6);
  CHECK_OK(ms_joint_set(j, "E_t", E_0)); /* a spring, in which nothing slips */
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_OK(ms_joint_set(j, "E_t", 2.39));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "less than E_0");
  CHECK_OK(ms_joint_set(j, "E_t", 0.1));
  CHECK_OK(ms_joint_set(j, "lambda", 1e-310));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "less extreme");
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_reference);
  TEST(test_asymptotes);
  TEST(test_first_loading);
  TEST(test_dahl);
  TEST(test_common);
  TEST(test_cycles);
  TEST(test_check);
  return test_finish();
}
