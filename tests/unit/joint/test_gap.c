/* The elastic gap: force, slopes and energy against the formula written out here; nothing is lost.
 */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

static double formula(double u, double plus, double minus, double K) {
  if (u > plus) return K * (u - plus);
  if (u < -minus) return K * (u + minus);
  return 0.0;
}

static void test_force_and_energy(void) {
  ms_joint *j = test_joint("gap", "K", 2.385, "g_plus", 0.71, "g_minus", 1.93, NULL);
  for (int i = 0; i < 400; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    ms_joint_energy e;
    in.u[0] = 3.3 * sin(0.37 * i) + 0.9 * cos(1.7 * i);
    in.k = 1.0 + 0.6 * sin(0.91 * i);
    in.alpha = 1.0 + 0.8 * cos(0.23 * i); /* must not matter */
    double F = formula(in.u[0], 0.71, 1.93, 2.385 * in.k);
    CHECK_OK(ms_joint_step(j, &in, &out));
    CHECK_NEAR(out.force[0], F, 1e-14);
    CHECK_NEAR(out.du[0], F != 0.0 ? 2.385 * in.k : 0.0, 1e-14);
    CHECK_NEAR(out.dk[0], F / in.k, 1e-14);
    CHECK_NEAR(out.dalpha[0], 0.0, 0.0);
    CHECK_OK(ms_joint_get_energy(j, &e));
    CHECK_NEAR(e.stored, F * F / (2.0 * 2.385 * in.k), 1e-13);
    CHECK_NEAR(e.dissipated, 0.0, 0.0);
  }
  ms_joint_destroy(&j);
}

static void test_one_gap_for_both_sides(void) {
  ms_joint *j = test_joint("gap", "K", 2.385, "g", 0.83, NULL);
  double plus, minus, F, slope;
  CHECK_OK(ms_joint_get(j, "g_plus", &plus));
  CHECK_OK(ms_joint_get(j, "g_minus", &minus));
  CHECK_NEAR(plus, 0.83, 0.0);
  CHECK_NEAR(minus, 0.83, 0.0);
  CHECK_OK(ms_joint_eval_virgin(j, -1.21, &F, &slope));
  CHECK_CLOSE(F, -2.385 * 0.38, 1e-14);
  CHECK_NEAR(slope, 2.385, 0.0);
  ms_joint_destroy(&j);
}

static void test_mean_of_two_sides(void) {
  ms_joint *j = test_joint("gap", "K", 2.385, "g_plus", 0.71, "g_minus", 0.83, NULL);
  double g;
  CHECK_OK(ms_joint_get(j, "g", &g));
  CHECK_CLOSE(g, 0.77, 1e-15);
  ms_joint_destroy(&j);
}

/* One side alone says nothing about the other. */
static void test_one_side_refused(void) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "gap", &j));
  CHECK_OK(ms_joint_set(j, "K", 2.385));
  CHECK_OK(ms_joint_set(j, "g_plus", 0.71));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "g_minus");
  ms_joint_destroy(&j);
}

/* No gap at all is a spring. The gap stays where it is when the joint starts elsewhere. */
static void test_limits(void) {
  ms_joint *closed = test_joint("gap", "K", 2.385, "g", 0.0, NULL);
  ms_joint *open = test_joint("gap", "K", 2.385, "g", 0.83, NULL);
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  const double away = 5.7;
  CHECK_OK(ms_joint_start(open, &away));
  for (int i = 0; i < 9; i++) {
    in.u[0] = 0.31 * (i - 4.3);
    CHECK_OK(ms_joint_step(closed, &in, &out));
    CHECK_NEAR(out.force[0], 2.385 * in.u[0], 1e-15);
    CHECK_OK(ms_joint_step(open, &in, &out));
    CHECK_NEAR(out.force[0], formula(in.u[0], 0.83, 0.83, 2.385), 1e-15);
  }
  ms_joint_destroy(&closed);
  ms_joint_destroy(&open);
}

int main(void) {
  TEST(test_force_and_energy);
  TEST(test_one_gap_for_both_sides);
  TEST(test_mean_of_two_sides);
  TEST(test_one_side_refused);
  TEST(test_limits);
  return test_finish();
}
