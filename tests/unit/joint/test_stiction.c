/* Stiction: break-away, weakening, sliding, sticking again; losses in closed form. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/paths.h"

/* F_s = 17, F_c = 11, K_T = 2.5, d_c: slip begins at 6.8, goes on at 4.4; h = 2.4/d_c. */
static ms_joint *sample(double d_c) {
  return test_joint("stiction", "F_s", 17.0, "F_c", 11.0, "K_T", 2.5, "d_c", d_c, NULL);
}

static double step(ms_joint *j, double u, double alpha, double k) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  in.alpha = alpha;
  in.k = k;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out.force[0];
}

/* First loading: up to F_s with slope K_T, down to F_c while the slider goes d_c, that is while u
   goes d_c - 2.4; then constant. */
static double first_loading(double u, double d_c) {
  if (u <= 6.8) return 2.5 * u;
  double way = u - 6.8, whole = d_c - 2.4;
  return way < whole ? 17.0 - 6.0 * way / whole : 11.0;
}

static void test_first_loading(void) {
  static const double d_c[] = { 2.5, 3.7, 5.9, 40.0 };
  for (int d = 0; d < 4; d++) {
    ms_joint *one = sample(d_c[d]), *many = sample(d_c[d]), *back = sample(d_c[d]);
    for (int i = 0; i < 97; i++) {
      double u = 0.231 * i, F = first_loading(u, d_c[d]);
      CHECK_OK(ms_joint_start(one, NULL));
      CHECK_NEAR(step(one, u, 1.0, 1.0), F, 1e-12 * 17.0);
      CHECK_NEAR(step(many, u, 1.0, 1.0), F, 1e-10 * 17.0); /* steps add up to one */
      CHECK_NEAR(step(back, -u, 1.0, 1.0), -F, 1e-10 * 17.0);
    }
    ms_joint_destroy(&one);
    ms_joint_destroy(&many);
    ms_joint_destroy(&back);
  }
}

/* Sliding sticks as soon as the spring gives way, and holds F_s again, either way. */
static void test_sticks_again(void) {
  ms_joint *j = sample(3.7);
  CHECK_NEAR(step(j, 23.85, 1.0, 1.0), 11.0, 1e-12);
  CHECK_NEAR(step(j, 23.85, 1.0, 1.0), 11.0, 1e-12); /* no step is no rest */
  CHECK_NEAR(step(j, 24.9, 1.0, 1.0), 11.0, 1e-12);
  CHECK_NEAR(step(j, 24.7, 1.0, 1.0), 11.0 - 0.5, 1e-12);
  CHECK_NEAR(step(j, 27.2, 1.0, 1.0), 11.0 + 5.75, 1e-11); /* stuck beyond F_c */
  CHECK_NEAR(step(j, 60.0, 1.0, 1.0), 11.0, 1e-12);
  CHECK_NEAR(step(j, 60.0 - 4.4 - 6.7, 1.0, 1.0), -2.5 * 6.7, 1e-11);
  CHECK_NEAR(step(j, 30.0, 1.0, 1.0), -11.0, 1e-12);
  CHECK_NEAR(step(j, 60.0, 1.0, 1.0), 11.0, 1e-12); /* from sliding to sliding in one step */
  ms_joint_destroy(&j);
}

/* Each half of a steady cycle slips by xi with 2 u0 = 2 L(xi)/K_T + xi; the loss is the area under
   L. Solved here by bisection; d_c = 3.7 breaks away at once (h > 1/2), 40 gradually. */
static double loss(double u0, double d_c) {
  double low = 0.0, high = 2.0 * u0;
  if (u0 <= 6.8) return 0.0;
  if (2.0 * (u0 - 4.4) < d_c) {
    for (int i = 0; i < 200; i++) {
      double xi = 0.5 * (low + high), L = 17.0 - 6.0 * fmin(1.0, xi / d_c);
      if (2.0 * L / 2.5 + xi < 2.0 * u0)
        low = xi;
      else
        high = xi;
    }
  } else {
    low = 2.0 * (u0 - 4.4);
  }
  double weak = fmin(low, d_c);
  return 2.0 * (17.0 * weak - 3.0 * weak * weak / d_c + 11.0 * (low - weak));
}

static void test_cycle_loss(void) {
  static const double d_c[] = { 3.7, 5.9, 40.0 };
  for (int d = 0; d < 3; d++) {
    ms_joint *j = sample(d_c[d]);
    for (int i = 0; i < 30; i++) {
      double u0 = 0.93 * (i + 1);
      ms_joint_cycle c;
      CHECK_OK(ms_joint_run_cycle(j, u0, 0.0, 200, NULL, NULL, &c));
      CHECK_NEAR(c.D, loss(u0, d_c[d]), 1e-9 * c.D);
      CHECK_NEAR(c.D_closed_form, loss(u0, d_c[d]), 1e-9 * c.D);
    }
    ms_joint_destroy(&j);
  }
}

/* With F_s = F_c it is a Jenkins element, under any load. */
static void test_jenkins(void) {
  ms_joint *j = test_joint("stiction", "F_s", 11.7, "F_c", 11.7, "K_T", 2.385, "d_c", 3.1, NULL);
  ms_joint *jenkins = test_joint("jenkins", "F_S", 11.7, "K_T", 2.385, NULL);
  test_history h = test_wander(jenkins, 71, 1);
  ms_joint_output a, b;
  for (int i = 0; i < 2000; i++) {
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(j, in, &a));
    CHECK_OK(ms_joint_step(jenkins, in, &b));
    CHECK_NEAR(a.force[0], b.force[0], 1e-12 * 11.7);
    CHECK_NEAR(a.dalpha[0], b.dalpha[0], 1e-12 * 11.7);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&jenkins);
}

/* alpha and k in proportion: the same displacements, k times the force. An open joint forgets. */
static void test_load(void) {
  ms_joint *j = sample(5.9), *still = sample(5.9);
  for (int i = 0; i < 500; i++) {
    double k = 1.0 + 0.7 * sin(0.37 * i), u = 9.0 * sin(0.11 * i) + 5.0 * cos(0.31 * i);
    CHECK_NEAR(step(j, u, k, k), k * step(still, u, 1.0, 1.0), 1e-11 * 17.0);
  }
  CHECK_NEAR(step(j, 4.1, 0.0, 1.0), 0.0, 0.0);
  CHECK_NEAR(step(j, 6.2, 0.0, 1.3), 0.0, 0.0);
  CHECK_NEAR(step(j, 6.7, 1.0, 1.0), 2.5 * 0.5, 1e-12);
  ms_joint_destroy(&j);
  ms_joint_destroy(&still);
}

static void test_common(void) {
  static const double d_c[] = { 2.9, 5.9, 40.0 };
  for (int d = 0; d < 3; d++) {
    ms_joint *j = sample(d_c[d]);
    test_subdivision(j, 1e-9);
    test_rate_independence(j);
    test_passivity(j, 1e-4);
    test_derivatives(j, 1e-5);
    ms_joint_destroy(&j);
  }
}

static void test_check(void) {
  ms_joint *j = sample(5.9);
  CHECK_CLOSE(ms_joint_slip_scale(j), 6.8, 1e-15);
  CHECK_OK(ms_joint_set(j, "d_c", 2.39));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "2.4");
  CHECK_OK(ms_joint_set(j, "d_c", 2.4)); /* there the force falls at once */
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_OK(ms_joint_set(j, "F_c", 17.1));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "at least F_c");
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_first_loading);
  TEST(test_sticks_again);
  TEST(test_cycle_loss);
  TEST(test_jenkins);
  TEST(test_load);
  TEST(test_common);
  TEST(test_check);
  return test_finish();
}
