/* Reference numbers computed independently of this project: F_S = 10, K_T = 1, chi = -1/2, beta
 * = 5. */
#include <math.h>
#include <stddef.h>

#include "support/check.h"
#include "support/joints.h"

/* u, F, dF/du, reversals remembered; one step per row from the virgin state. */
static const double golden[][4] = {
  { 0, 0, 1, 0 },
  { 2, 1.9063, 0.929727, 0 },
  { 5, 4.62963, 0.888889, 0 },
  { 3, 2.69588, 0.95031, 1 },
  { 4, 3.67246, 0.964864, 2 },
  { 1, 0.817024, 0.929727, 1 },
  { 4.5, 4.16364, 0.934266, 2 },
  { 5.5, 5.07271, 0.883466, 0 },
  { -3, -2.8468, 0.897561, 1 },
  { 0, 0.0314812, 0.939142, 2 },
  { -2, -1.90226, 0.95031, 3 },
  { 1.5, 1.42959, 0.925464, 2 },
  { -6, -5.51314, 0.878284, 0 },
  { 12, 10, 0, 0 },
  { 10, 8.06625, 0.95031, 1 },
  { 11, 9.04283, 0.964864, 2 },
  { -12, -10, 0, 0 },
  { 13, 10, 0, 0 },
  { 0, -1.90205, 0.873314, 1 },
  { 3, 0.976231, 0.939142, 2 },
  { -1, -2.77296, 0.868532, 1 },
  { 2.5, 0.573659, 0.934266, 2 },
  { -0.5, -2.30462, 0.939142, 3 },
  { 14, 10, 0, 0 },
};
enum { N_GOLDEN = sizeof golden / sizeof *golden };

static ms_joint *reference_joint(void) {
  return test_joint("iwan4", "F_S", 10.0, "K_T", 1.0, "chi", -0.5, "beta", 5.0, NULL);
}

static ms_joint_output step_to(ms_joint *j, double u) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out;
}

static void test_path(void) {
  ms_joint *j = reference_joint();
  for (int i = 0; i < N_GOLDEN; i++) {
    ms_joint_output out = step_to(j, golden[i][0]);
    ms_joint_memory memory;
    CHECK_NEAR(out.force[0], golden[i][1], 1e-5);
    CHECK_NEAR(out.du[0], golden[i][2], 1e-5);
    CHECK_OK(ms_joint_get_memory(j, &memory));
    CHECK_EQUAL(memory.depth, golden[i][3]);
  }
  ms_joint_destroy(&j);
}

/* Points put in between change nothing at the ends. */
static void test_invariance(void) {
  ms_joint *j = reference_joint(), *fine = reference_joint();
  double from = 0.0;
  for (int i = 0; i < N_GOLDEN; i++) {
    double u = golden[i][0];
    double F = step_to(j, u).force[0];
    for (int k = 1; k < 37; k++) step_to(fine, from + (u - from) * k / 37.0);
    CHECK_NEAR(step_to(fine, u).force[0], F, 1e-12 * 10.0);
    from = u;
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&fine);
}

static void test_dissipation(void) {
  static const double ratio[] = { 0.01, 0.1, 0.5, 1.5 };
  static const double D[] = { 1.125e-4, 0.035575624, 1.9887378, 236.25 };
  ms_joint *j = reference_joint();
  for (int i = 0; i < 4; i++) {
    ms_joint_cycle c;
    CHECK_OK(ms_joint_run_cycle(j, ratio[i] * 11.25, 0.0, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.D, D[i], 2e-8);
    CHECK_CLOSE(c.D, c.D_closed_form, 1e-9);
  }
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_path);
  TEST(test_invariance);
  TEST(test_dissipation);
  return test_finish();
}
