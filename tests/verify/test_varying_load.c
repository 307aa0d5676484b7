/* Loops under a varying normal load, against reference values: uniform density 0.2 on [0, 5], which
   is iwan4 with chi = 0, S = 0; u = 3 sin(2 pi t). */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

enum { N = 40000, PERIODS = 3 };

typedef struct loop {
  double area, low, high;
} loop;

typedef struct load {
  double k_sin, k_cos, alpha_sin, alpha_cos;
} load;

static loop steady_loop(const load *l) {
  ms_joint *j = test_joint("iwan4", "R", 0.2, "S", 0.0, "phi_max", 5.0, "chi", 0.0, NULL);
  loop result = { 0.0, HUGE_VAL, -HUGE_VAL };
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  double u_old = 0.0, F_old = 0.0;
  for (int i = 0; i <= PERIODS * N; i++) {
    double angle = 2.0 * acos(-1.0) * (double)(i % N) / N;
    ms_joint_output out;
    in.u[0] = 3.0 * sin(angle);
    in.k = 1.0 + l->k_sin * sin(angle) + l->k_cos * cos(angle);
    in.alpha = 1.0 + l->alpha_sin * sin(angle) + l->alpha_cos * cos(angle);
    CHECK_OK(ms_joint_step(j, &in, &out));
    if (i > (PERIODS - 1) * N) {
      result.area += 0.5 * (out.force[0] + F_old) * (in.u[0] - u_old);
      result.low = fmin(result.low, out.force[0]);
      result.high = fmax(result.high, out.force[0]);
    }
    u_old = in.u[0];
    F_old = out.force[0];
  }
  ms_joint_destroy(&j);
  return result;
}

static void check_loop(load l, double area, double low, double high) {
  loop got = steady_loop(&l);
  CHECK_CLOSE(got.area, area, 1e-6);
  CHECK_NEAR(got.low, low, 1e-6 * high);
  CHECK_NEAR(got.high, high, 1e-6 * high);
}

static void test_in_phase(void) {
  check_loop((load) { .k_sin = 0.5, .alpha_sin = 0.5 }, 3.6, -1.1074274, 3.15);
}

static void test_in_quadrature(void) {
  check_loop((load) { .k_cos = 0.5, .alpha_cos = 0.5 }, 3.6, -2.2580233, 2.4139630);
}

static void test_load_alone(void) {
  check_loop((load) { .alpha_cos = 0.1 }, 3.616297, -2.096982, 2.103381);
}

int main(void) {
  TEST(test_in_phase);
  TEST(test_in_quadrature);
  TEST(test_load_alone);
  return test_finish();
}
