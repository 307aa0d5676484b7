/* Iwan's uniform element: a parabola, and loops of parabolas. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

static double get(const ms_joint *j, const char *name) {
  double value = NAN;
  CHECK_OK(ms_joint_get(j, name, &value));
  return value;
}

static void test_conversion(void) {
  ms_joint *j = test_joint("iwan_uniform", "F_S", 11.7, "K_T", 2.385, NULL);
  CHECK_CLOSE(get(j, "phi_max"), 2.0 * 11.7 / 2.385, 1e-15);
  CHECK_CLOSE(get(j, "rho"), 2.385 * 2.385 / (2.0 * 11.7), 1e-15);
  ms_joint *back =
      test_joint("iwan_uniform", "rho", get(j, "rho"), "phi_max", get(j, "phi_max"), NULL);
  CHECK_CLOSE(get(back, "F_S"), 11.7, 1e-15);
  CHECK_CLOSE(get(back, "K_T"), 2.385, 1e-15);
  ms_joint_destroy(&j);
  ms_joint_destroy(&back);
}

static double parabola(double u) {
  double phi_max = 2.0 * 11.7 / 2.385;
  return fabs(u) < phi_max ? 2.385 * u - 2.385 * u * fabs(u) / (2.0 * phi_max) : copysign(11.7, u);
}

static void test_closed_forms(void) {
  ms_joint *j = test_joint("iwan_uniform", "F_S", 11.7, "K_T", 2.385, NULL);
  double phi_max = get(j, "phi_max"), rho = get(j, "rho"), F, slope;
  for (int i = 0; i < 40; i++) {
    double u = phi_max * (i + 0.37) / 25.0;
    double D = u < phi_max ? 2.0 / 3.0 * rho * u * u * u
                           : 2.0 / 3.0 * rho * pow(phi_max, 3.0) + 4.0 * 11.7 * (u - phi_max);
    ms_joint_cycle c;
    CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
    CHECK_CLOSE(F, parabola(u), 1e-14);
    CHECK_NEAR(slope, u < phi_max ? 2.385 * (1.0 - u / phi_max) : 0.0, 1e-14);
    CHECK_OK(ms_joint_run_cycle(j, u, 0.0, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.D, D, 1e-12);
  }
  ms_joint_destroy(&j);
}

/* After a reversal at (a, F_a): F_a + 2 g((u - a)/2), until the inner loop closes. */
static void test_masing(void) {
  ms_joint *j = test_joint("iwan_uniform", "F_S", 11.7, "K_T", 2.385, NULL);
  const double turn[] = { 6.3, -4.1, 3.7, -0.9 };
  double u_r = 0.0, F_r = 0.0;
  for (int k = 0; k < 4; k++) {
    double F = 0.0;
    for (int i = 1; i <= 20; i++) {
      ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
      ms_joint_output out;
      in.u[0] = u_r + (turn[k] - u_r) * i / 20.0;
      double want = k == 0 ? parabola(in.u[0]) : F_r + 2.0 * parabola(0.5 * (in.u[0] - u_r));
      CHECK_OK(ms_joint_step(j, &in, &out));
      CHECK_NEAR(out.force[0], want, 1e-13 * 11.7);
      F = out.force[0];
    }
    u_r = turn[k];
    F_r = F;
  }
  ms_joint_destroy(&j);
}

static void test_refused(void) {
  ms_joint *j = test_joint("iwan_uniform", "rho", 1.3, "phi_max", 4.1, NULL);
  CHECK_OK(ms_joint_set(j, "rho", 1e308));
  CHECK_OK(ms_joint_set(j, "phi_max", 1e308));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "outside the range of numbers");
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_conversion);
  TEST(test_closed_forms);
  TEST(test_masing);
  TEST(test_refused);
  return test_finish();
}
