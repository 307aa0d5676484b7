/* Bounded memory: ring-downs of a million reversals, merged against unmerged. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

#define F_S     10.0
#define PHI_MAX 11.25

static ms_joint *joint_with(double tolerance) {
  return test_joint("iwan4", "F_S", F_S, "K_T", 1.0, "chi", -0.5, "beta", 5.0, "merge_tolerance",
                    tolerance, NULL);
}

static double force_at(ms_joint *j, double u) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out.force[0];
}

typedef double (*envelope)(double part);

static double linear_decay(double part) {
  return 1.0 - part;
}

static double exponential_decay(double part) {
  return exp(-9.0 * part);
}

static double uneven_decay(double part) { /* neighbouring teeth of different size */
  return (1.0 - part) * (1.0 - 1e-7 * sin(3e5 * part));
}

/* A ring-down, then loading back over everything remembered, in steps and with small loops. */
static void compare(envelope decay, long reversals, double tolerance, double limit_bytes) {
  ms_joint *all = joint_with(0.0), *merged = joint_with(tolerance);
  ms_joint_memory m;
  double worst = 0.0;
  for (long i = 0; i < reversals; i++) {
    double u = 0.97 * PHI_MAX * decay((double)i / (double)reversals) * (i % 2 ? -1.0 : 1.0);
    worst = fmax(worst, fabs(force_at(all, u) - force_at(merged, u)));
  }
  CHECK_OK(ms_joint_get_memory(all, &m));
  CHECK_BELOW((double)reversals / 2.0, (double)m.depth);
  CHECK_OK(ms_joint_get_memory(merged, &m));
  CHECK_BELOW((double)m.bytes, limit_bytes);
  CHECK(m.merge_error > 0.0);
  CHECK_BELOW(m.merge_error, 1.0000001 * tolerance * F_S);
  for (int i = 0; i <= 3000; i++) {
    double u = 1.2 * PHI_MAX * i / 3000.0 - (i % 7 == 3 ? 0.013 * PHI_MAX : 0.0);
    worst = fmax(worst, fabs(force_at(all, u) - force_at(merged, u)));
  }
  CHECK_BELOW(worst, tolerance * F_S);
  ms_joint_destroy(&all);
  ms_joint_destroy(&merged);
}

/* The default tolerance keeps 1e-12 of F_S; rounding of a million sums is part of it. */
static void test_million_reversals(void) {
  compare(linear_decay, 1000000, 1e-12, 64e6);
}

static void test_million_fading(void) {
  compare(exponential_decay, 1000000, 1e-12, 64e6);
}

static void test_looser_tolerance(void) {
  compare(linear_decay, 1000000, 1e-9, 4e6);
  compare(uneven_decay, 200000, 1e-9, 4e6);
  compare(exponential_decay, 200000, 1e-6, 1e6);
}

/* Steady cycling whose amplitude differs in the last bits must not fill the memory. */
static void test_rounding_loops(void) {
  ms_joint *j = joint_with(1e-12);
  ms_joint_memory m;
  for (int i = 0; i < 200000; i++) {
    double shrink = 1.0 - 0x1p-52 * (double)(i / 2);
    force_at(j, 0.37 * PHI_MAX * shrink * (i % 2 ? -1.0 : 1.0));
  }
  CHECK_OK(ms_joint_get_memory(j, &m));
  CHECK_BELOW((double)m.bytes, 1e5);
  CHECK_BELOW(m.merge_error, 1e-12 * F_S * 1.0000001);
  CHECK_NEAR(force_at(j, PHI_MAX * 1.1), F_S, 1e-14 * F_S);
  ms_joint_destroy(&j);
}

/* A slowly turning load leaves a polygon of many short segments: merging keeps it short, too. */
static void test_varying_load(void) {
  ms_joint *all = joint_with(0.0), *merged = joint_with(1e-9);
  double worst = 0.0;
  for (int i = 0; i < 20000; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output a, b;
    double t = 1e-3 * i;
    in.u[0] = 6.1 * sin(1.3 * t) + 0.9 * sin(7.7 * t);
    in.alpha = 1.0 + 0.6 * sin(0.9 * t + 0.4);
    CHECK_OK(ms_joint_step(all, &in, &a));
    CHECK_OK(ms_joint_step(merged, &in, &b));
    worst = fmax(worst, fabs(a.force[0] - b.force[0]));
  }
  CHECK_BELOW(worst, 2e-9 * F_S);
  ms_joint_destroy(&all);
  ms_joint_destroy(&merged);
}

int main(void) {
  TEST(test_million_reversals);
  TEST(test_million_fading);
  TEST(test_looser_tolerance);
  TEST(test_rounding_loops);
  TEST(test_varying_load);
  return test_finish();
}
