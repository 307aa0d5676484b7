/* The exact element against a hundred thousand sliders, on histories without any pattern. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

static void compare(unsigned seed, int load, double chi, double beta) {
  ms_joint *exact = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", chi, "beta", beta, NULL);
  ms_joint *many = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", chi, "beta", beta,
                              "sliders", 100000.0, NULL);
  test_history h = test_wander(exact, seed, load);
  double worst = 0.0, peak = 0.0;
  for (int i = 0; i < 400; i++) {
    ms_joint_output a, b;
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(exact, in, &a));
    CHECK_OK(ms_joint_step(many, in, &b));
    worst = fmax(worst, fabs(a.force[0] - b.force[0]));
    peak = fmax(peak, fabs(b.force[0]));
  }
  CHECK_BELOW(worst / peak, 1e-6);
  ms_joint_energy ea, eb;
  CHECK_OK(ms_joint_get_energy(exact, &ea));
  CHECK_OK(ms_joint_get_energy(many, &eb));
  CHECK_CLOSE(ea.stored, eb.stored, 1e-5);
  CHECK_CLOSE(ea.dissipated, eb.dissipated, 1e-6);
  ms_joint_destroy(&exact);
  ms_joint_destroy(&many);
}

static void test_displacement(void) {
  compare(1, 0, -0.31, 0.83);
  compare(2, 0, -0.71, 0.02);
  compare(3, 0, 0.57, 3.9);
}

static void test_displacement_load_stiffness(void) {
  compare(4, 1, -0.31, 0.83);
  compare(5, 1, -0.71, 0.02);
  compare(6, 1, 0.57, 3.9);
}

/* Smooth histories of three frequencies, long enough for the list to fill and empty again. */
static void test_smooth_load(void) {
  ms_joint *exact = test_joint("iwan4", "F_S", 10.0, "K_T", 1.0, "chi", -0.5, "beta", 5.0, NULL);
  ms_joint *many = test_joint("iwan4", "F_S", 10.0, "K_T", 1.0, "chi", -0.5, "beta", 5.0, "sliders",
                              100000.0, NULL);
  double worst = 0.0, peak = 0.0;
  ptrdiff_t depth = 0;
  for (int i = 0; i < 1000; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output a, b;
    ms_joint_memory memory;
    double t = 0.02 * i;
    in.u[0] = 7.1 * sin(2.0 * t) + 4.3 * sin(4.7 * t) + 2.9 * cos(11.3 * t) - 2.9;
    in.alpha = 1.0 + 0.5 * sin(3.1 * t) + 0.4 * cos(1.7 * t);
    in.k = 1.0 + 0.3 * sin(5.0 * t + 1.0) + 0.3 * sin(t);
    CHECK_OK(ms_joint_step(exact, &in, &a));
    CHECK_OK(ms_joint_step(many, &in, &b));
    CHECK_OK(ms_joint_get_memory(exact, &memory));
    worst = fmax(worst, fabs(a.force[0] - b.force[0]));
    peak = fmax(peak, fabs(b.force[0]));
    depth = memory.depth > depth ? memory.depth : depth;
  }
  CHECK_BELOW(worst / peak, 1e-6);
  CHECK(depth >= 5 && depth <= 60);
  ms_joint_destroy(&exact);
  ms_joint_destroy(&many);
}

int main(void) {
  TEST(test_displacement);
  TEST(test_displacement_load_stiffness);
  TEST(test_smooth_load);
  return test_finish();
}
