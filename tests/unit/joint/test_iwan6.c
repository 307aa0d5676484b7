/* The six-parameter Iwan element: parameter sets, closed forms, the limit iwan4, the spring. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

static double get(const ms_joint *j, const char *name) {
  double value = NAN;
  CHECK_OK(ms_joint_get(j, name, &value));
  return value;
}

static double step(ms_joint *j, double u, double *slope) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  CHECK_OK(ms_joint_step(j, &in, &out));
  if (slope) *slope = out.du[0];
  return out.force[0];
}

static ms_joint *by_force(double chi, double beta, double ratio, double K_inf) {
  return test_joint("iwan6", "F_S", 11.7, "K_T", 2.385, "chi", chi, "beta", beta, "phi_ratio",
                    ratio, "K_inf", K_inf, NULL);
}

static void test_conversion_there_and_back(void) {
  static const double chi[] = { -0.97, -0.5, 0.0, 2.6 }, beta[] = { 0.0, 0.83, 47.1 };
  static const double ratio[] = { 0.0, 1e-5, 0.37, 0.9991 }, K_inf[] = { 0.0, 0.21, 2.3 };
  for (int i = 0; i < 4 * 3 * 4 * 3; i++) {
    double x = chi[i % 4], b = beta[i / 4 % 3], q = ratio[i / 12 % 4], K = K_inf[i / 48];
    ms_joint *j = by_force(x, b, q, K);
    ms_joint *back =
        test_joint("iwan6", "R", get(j, "R"), "S", get(j, "S"), "phi_1", get(j, "phi_1"), "phi_2",
                   get(j, "phi_2"), "chi", x, "K_inf", K, NULL);
    CHECK_CLOSE(get(back, "F_S"), 11.7, 1e-12);
    CHECK_CLOSE(get(back, "K_T"), 2.385, 1e-12);
    CHECK_NEAR(get(back, "beta"), b, 1e-11 * b);
    CHECK_NEAR(get(back, "phi_ratio"), q, 1e-15);
    ms_joint_destroy(&j);
    ms_joint_destroy(&back);
  }
}

/* Virgin curve and loss, integrated by hand: with n = chi + 1 and a = phi_1,
   g = K_T u - R (u^(n+1)/(n (n+1)) - a^n u/n + a^(n+1)/(n+1)),
   D = 4 R (u^(n+2)/((n+1)(n+2)) - a^(n+1) u/(n+1) + a^(n+2)/(n+2))    between phi_1 and phi_2. */
static void test_closed_forms(void) {
  static const double chi[] = { -0.83, -0.31, 0.0, 1.9 };
  for (int i = 0; i < 4; i++) {
    double n = chi[i] + 1.0, K_inf = 0.173;
    ms_joint *j = by_force(chi[i], 0.83, 0.087, K_inf);
    double R = get(j, "R"), a = get(j, "phi_1"), b = get(j, "phi_2"), F, slope;
    ms_joint_cycle c;
    for (int k = 0; k < 30; k++) {
      double u = a + (b - a) * (k + 0.37) / 30.0;
      double g = 2.385 * u - R * (pow(u, n + 1.0) / (n * (n + 1.0)) - pow(a, n) * u / n +
                                  pow(a, n + 1.0) / (n + 1.0));
      double D = 4.0 * R *
                 (pow(u, n + 2.0) / ((n + 1.0) * (n + 2.0)) - pow(a, n + 1.0) * u / (n + 1.0) +
                  pow(a, n + 2.0) / (n + 2.0));
      CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
      CHECK_CLOSE(F, g, 1e-12);
      CHECK_CLOSE(slope, 2.385 - R * (pow(u, n) - pow(a, n)) / n, 1e-11);
      CHECK_OK(ms_joint_run_cycle(j, u, 0.0, 200, NULL, NULL, &c));
      CHECK_CLOSE(c.F0, g, 1e-12);
      CHECK_NEAR(c.D, D, 1e-11 * 4.0 * 11.7 * u);
    }
    ms_joint_destroy(&j);
  }
}

/* Nothing slips and nothing is lost below phi_1; beyond phi_2 the slope is K_inf. */
static void test_both_ends(void) {
  ms_joint *j = by_force(-0.43, 0.83, 0.11, 0.173);
  double a = get(j, "phi_1"), b = get(j, "phi_2"), slope;
  ms_joint_cycle c;
  CHECK_CLOSE(step(j, 0.93 * a, &slope), 2.385 * 0.93 * a, 1e-14);
  CHECK_CLOSE(slope, 2.385, 1e-14);
  CHECK_OK(ms_joint_run_cycle(j, 0.93 * a, 0.0, 200, NULL, NULL, &c));
  CHECK_NEAR(c.D, 0.0, 0.0);
  CHECK_OK(ms_joint_start(j, NULL));
  CHECK_CLOSE(step(j, b, NULL), 11.7, 1e-13);
  CHECK_CLOSE(step(j, 3.7 * b, &slope), 11.7 + 0.173 * 2.7 * b, 1e-13);
  CHECK_CLOSE(slope, 0.173, 1e-14);
  CHECK_CLOSE(ms_joint_slip_scale(j), b, 1e-15);
  ms_joint_destroy(&j);
}

static void test_limit_is_iwan4(void) {
  ms_joint *j = by_force(-0.31, 0.83, 0.0, 0.0);
  ms_joint *four = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  test_history h = test_wander(j, 61, 1);
  CHECK_CLOSE(get(j, "phi_2"), get(four, "phi_max"), 1e-15);
  CHECK_CLOSE(get(j, "R"), get(four, "R"), 1e-14);
  for (int i = 0; i < 300; i++) {
    ms_joint_output a, b;
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(j, in, &a));
    CHECK_OK(ms_joint_step(four, in, &b));
    CHECK_NEAR(a.force[0], b.force[0], 1e-13 * 11.7);
    CHECK_NEAR(a.du[0], b.du[0], 1e-12 * 2.385);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&four);
}

/* The spring is counted from where the joint started, is scaled by k, and its energy is stored, in
   the exact and in the slider form, also after a saved state came back. */
static void check_spring(double sliders) {
  ms_joint *with = by_force(-0.31, 0.83, 0.07, 0.21);
  double R = get(with, "R"), S = get(with, "S"), a = get(with, "phi_1"), b = get(with, "phi_2");
  ms_joint *without = test_joint("iwan6", "R", R, "S", S, "phi_1", a, "phi_2", b, "chi", -0.31,
                                 "K_inf", 0.0, "sliders", sliders, NULL);
  CHECK_OK(ms_joint_set(with, "sliders", sliders));
  CHECK_OK(ms_joint_setup(with));
  const double home = 3.9;
  double buffer[400];
  test_history h = test_wander(with, 62, 1);
  ms_joint_energy ea, eb;
  CHECK_OK(ms_joint_start(with, &home));
  CHECK_OK(ms_joint_start(without, &home));
  for (int i = 0; i < 120; i++) {
    ms_joint_output p, q;
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(with, in, &p));
    CHECK_OK(ms_joint_step(without, in, &q));
    double e = in->u[0] - home;
    CHECK_NEAR(p.force[0] - q.force[0], in->k * 0.21 * e, 1e-13 * 11.7);
    CHECK_NEAR(p.dk[0] - q.dk[0], 0.21 * e, 1e-12 * 11.7);
    CHECK_OK(ms_joint_get_energy(with, &ea));
    CHECK_OK(ms_joint_get_energy(without, &eb));
    CHECK_NEAR(ea.stored - eb.stored, 0.5 * in->k * 0.21 * e * e, 1e-12 * ea.stored);
    CHECK_NEAR(ea.dissipated, eb.dissipated, 1e-13 * eb.dissipated);
    if (i != 60) continue;
    ptrdiff_t n = ms_joint_save_size(with);
    if (!CHECK(n < 400)) break;
    CHECK_OK(ms_joint_save(with, buffer));
    CHECK_OK(ms_joint_start(with, NULL));
    CHECK_OK(ms_joint_load(with, buffer, n));
  }
  ms_joint_destroy(&with);
  ms_joint_destroy(&without);
}

static void test_spring(void) {
  check_spring(0.0);
  check_spring(57.0);
}

static void test_refused(void) {
  ms_joint *j = by_force(-0.31, 0.83, 0.07, 0.21);
  CHECK_OK(ms_joint_set(j, "K_inf", 2.385));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "less than K_T");
  ms_joint_destroy(&j);
  j = test_joint("iwan6", "R", 0.3, "S", 0.1, "phi_1", 0.2, "phi_2", 4.1, "chi", -0.31, "K_inf",
                 0.0, NULL);
  CHECK_OK(ms_joint_set(j, "phi_1", 4.1));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "phi_1 = 4.1");
  CHECK_OK(ms_joint_set(j, "phi_1", 0.2));
  CHECK_OK(ms_joint_set(j, "R", 1e308));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "outside the range of numbers");
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_conversion_there_and_back);
  TEST(test_closed_forms);
  TEST(test_both_ends);
  TEST(test_limit_is_iwan4);
  TEST(test_spring);
  TEST(test_refused);
  return test_finish();
}
