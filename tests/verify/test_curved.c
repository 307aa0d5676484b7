/* Runs in time of structures whose joints have curvature, against an integration of the test's own
   (support/curved.h): motion, order of the steps, energy. */
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/curved.h"
#include "support/joints.h"

enum { N = TEST_CURVED_SIZE };

static ms_joint *make_spring(void) {
  return test_joint("linear", "K", 5.19, NULL);
}

static ms_joint *make_dashpot(void) {
  return test_joint("linear", "K", 5.19, "C", 0.37, NULL);
}

static ms_joint *make_loaded(void) {
  return test_loaded(test_curved_iwan(), 0);
}

static ms_joint *make_jenkins(void) {
  return test_joint("jenkins", "F_S", 0.71, "K_T", 3.13, NULL);
}

static const double G_1[1] = { 1.7 };

static test_curved pendulum = {
  .n = 1,
  .n_joint = 1,
  .m = { 2.385 },
  .k = { 7.13 },
  .u0 = { 0.61 },
  .v0 = { -0.83 },
  .attachment = { { .make = make_spring, .n_axis = 1, .b = { { 0.71 } }, .G = { G_1 } } }
};

static test_curved_state simulate(test_curved *c, const char *method, double time, long steps,
                                  ptrdiff_t modes) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  setting.method = method;
  setting.step = time / (double)steps;
  ms_structure *s = test_curved_structure(c, modes);
  ms_transient *run = test_curved_run(c, s, &setting);
  CHECK_OK(ms_transient_run(run, steps, 1, NULL, NULL));
  test_curved_state end = test_curved_now(c, run);
  ms_transient_count count = ms_transient_get_count(run);
  CHECK_BELOW(count.residual, setting.newton_tolerance * 1.0001);
  /* Newton's own order: from the last force to rounding takes two corrections, seldom three. */
  CHECK_BELOW((double)count.evaluations, 3.7 * (double)count.steps);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  return end;
}

/* The fastest stuck mode of the three masses has 4.2 rad/s, and Newmark is late in it by
   omega^3 dt^2 t/12 = 2.8e-4 rad after 9 s of 4000 steps. */
#define WITHIN 3e-4

/* Motion and energy with steps of one length and a quarter of it. Laws with corners keep their
   order only on the whole: hence `slack`. */
static void check_order(test_curved *c, const char *what, const char *method, double time,
                        long steps, const test_curved_state *want, double slack) {
  test_curved_state coarse = simulate(c, method, time, steps, 0);
  test_curved_state fine = simulate(c, method, time, 4 * steps, 0);
  double off = test_curved_distance(c, &coarse, want), less = test_curved_distance(c, &fine, want);
  printf("# %s, %s: motion off by %.3g, %.3g of it: order %.3f; energy by %.3g, %.3g: order %.3f\n",
         what, method, off, less, log(off / less) / log(4.0), coarse.balance / coarse.energy,
         fine.balance / fine.energy, log(fabs(coarse.balance / fine.balance)) / log(4.0));
  CHECK_NEAR(log(off / less) / log(4.0), 2.0, slack);
  CHECK_BELOW(less, WITHIN);
  for (int k = 0; k < c->attachment[0].n_axis; k++) {
    CHECK_NEAR(fine.z[k], want->z[k], WITHIN);
    CHECK_NEAR(fine.f[k], want->f[k], 10.0 * WITHIN);
  }
  CHECK_BELOW(fabs(fine.balance), 1e-5 * fine.energy);
  CHECK(log(fabs(coarse.balance / fine.balance)) / log(4.0) > 2.0 - 2.0 * slack);
}

/* The reference against itself with half the steps. */
static test_curved_state reference(const test_curved *c, const char *what, double time, long steps,
                                   double within) {
  test_curved_state half = test_curved_reference(c, time, steps / 2, 1);
  test_curved_state whole = test_curved_reference(c, time, steps, 1);
  double off = test_curved_distance(c, &half, &whole);
  printf("# %s: reference off by %.2g, its energy by %.2g\n", what, off,
         whole.balance / whole.energy);
  CHECK_BELOW(off, within);
  CHECK_BELOW(fabs(whole.balance), within * whole.energy);
  return whole;
}

/* Free vibration in the potential k u^2/2 + K (b u + g u^2/2)^2/2. */
static void test_pendulum(void) {
  test_curved *c = &pendulum;
  test_curved_state want = reference(c, "pendulum", 12.0, 24000, 1e-10);
  double z = 0.71 * want.u[0] + 0.5 * 1.7 * want.u[0] * want.u[0];
  CHECK_NEAR(want.z[0], z, 1e-14);
  check_order(c, "pendulum", "newmark", 12.0, 1500, &want, 0.05);
  check_order(c, "pendulum", "exponential", 12.0, 1500, &want, 0.05);
}

/* No linear part at all: u" + a u^3 = 0, a = K g^2/(2 m). Of amplitude A its period is
   4 K_e(1/sqrt 2)/(A sqrt a), K_e the complete elliptic integral of the first kind. */
static void test_pure(void) {
  const double A = 0.61, K_e = 1.85407467730137192, a = 0.5 * 5.19 * 1.7 * 1.7 / 2.385;
  const double period = 4.0 * K_e / (A * sqrt(a));
  test_curved c = pendulum;
  c.k[0] = c.v0[0] = c.attachment[0].b[0][0] = 0.0;
  CHECK_CLOSE(simulate(&c, "exponential", period, 800, 0).u[0], A, 1e-9);
  double quarter = simulate(&c, "exponential", 0.25 * period, 3200, 0).v[0];
  CHECK_CLOSE(quarter, -A * A * sqrt(0.5 * a), 1e-7);
  test_curved_state want = reference(&c, "quartic", 2.2 * period, 24000, 1e-10);
  check_order(&c, "quartic", "exponential", 2.2 * period, 1500, &want, 0.05);
  check_order(&c, "quartic", "newmark", 2.2 * period, 1500, &want, 0.05);
}

static void test_iwan(void) {
  test_curved c = test_curved_three(test_curved_iwan, 1);
  test_curved_state want = reference(&c, "iwan4", 9.0, 36000, 1e-7);
  check_order(&c, "iwan4", "newmark", 9.0, 1000, &want, 0.2);
  check_order(&c, "iwan4", "exponential", 9.0, 1000, &want, 0.2);
}

/* A dashpot in the joint feels dz/dt, which curvature changes too. */
static void test_dashpot(void) {
  test_curved c = test_curved_three(make_dashpot, 1);
  test_curved_state want = reference(&c, "dashpot", 9.0, 36000, 1e-8);
  check_order(&c, "dashpot", "newmark", 9.0, 1000, &want, 0.05);
  check_order(&c, "dashpot", "exponential", 9.0, 1000, &want, 0.05);
}

/* Two axes: along, with curvature, and normal to it, without or with. */
static void test_two_axes(void) {
  test_curved c = test_curved_three(make_loaded, 2);
  for (int both = 0; both < 2; both++) {
    const char *what = both ? "both axes curved" : "one axis of two";
    c.attachment[0].G[1] = both ? test_curved_G_across : NULL;
    test_curved_state want = reference(&c, what, 9.0, 36000, 1e-6);
    check_order(&c, what, "newmark", 9.0, 1000, &want, 0.2);
  }
}

/* A second joint beside it: a straight one, and one with a curvature of its own. */
static void test_two_joints(void) {
  static const double other[N * N] = { -0.31, 0.19, 0.0, 0.19, 0.53, 0.23, 0.0, 0.23, 0.47 };
  test_curved c = test_curved_three(test_curved_iwan, 1);
  c.n_joint = 2;
  c.attachment[1] =
      (test_curved_attachment) { .make = make_jenkins, .n_axis = 1, .b = { { 0.3, -1.1, 0.2 } } };
  for (int both = 0; both < 2; both++) {
    const char *what = both ? "two curved joints" : "a curved joint and a straight one";
    c.attachment[1].G[0] = both ? other : NULL;
    test_curved_state want = reference(&c, what, 9.0, 36000, 1e-6);
    check_order(&c, what, "newmark", 9.0, 1000, &want, 0.35);
  }
}

/* Curvature of the two lowest modes alone: G is P^T G P, P = Phi_2 Phi_2^T M. */
static void test_few_modes(void) {
  enum { MODES = 2 };
  double P[N * N] = { 0.0 }, G[N * N] = { 0.0 };
  test_curved c = test_curved_three(test_curved_iwan, 1), few = c;
  ms_structure *s = test_curved_structure(&c, 0);
  ms_modes modes = ms_structure_get_stuck(s);
  for (int ij = 0; ij < N * N; ij++) {
    for (int r = 0; r < MODES; r++) {
      P[ij] += modes.shape[ij % N + N * r] * modes.shape[ij / N + N * r] * c.m[ij / N];
    }
  }
  for (int ij = 0; ij < N * N; ij++) {
    for (int kl = 0; kl < N * N; kl++) {
      G[ij] += P[kl % N + N * (ij % N)] * test_curved_G[kl] * P[kl / N + N * (ij / N)];
    }
  }
  few.attachment[0].G[0] = G;
  test_curved_state want = test_curved_reference(&few, 9.0, 36000, 1);
  test_curved_state all = test_curved_reference(&c, 9.0, 36000, 1);
  test_curved_state got = simulate(&c, "newmark", 9.0, 8000, MODES);
  printf("# two modes of three: off by %.3g; all three would be %.3g from it\n",
         test_curved_distance(&c, &got, &want), test_curved_distance(&c, &all, &want));
  CHECK_BELOW(test_curved_distance(&c, &got, &want), WITHIN);
  CHECK(test_curved_distance(&c, &all, &want) > 0.01);
  ms_structure_destroy(&s);
}

/* Without the forces G u f no step is short enough: energy comes from nowhere or is lost. */
static void test_conjugate_force(void) {
  test_curved c = test_curved_three(test_curved_iwan, 1);
  test_curved_state with = test_curved_reference(&c, 9.0, 36000, 1);
  test_curved_state without = test_curved_reference(&c, 9.0, 36000, 0);
  test_curved_state finer = test_curved_reference(&c, 9.0, 72000, 0);
  printf("# with the conjugate force: %.3g J in, balance %.3g; without: %.3g J, %.3g and %.3g\n",
         with.energy, with.balance, without.energy, without.balance, finer.balance);
  CHECK_BELOW(fabs(with.balance), 1e-6 * with.energy);
  CHECK(fabs(without.balance) > 0.02 * without.energy);
  CHECK_CLOSE(finer.balance, without.balance, 1e-4);
}

int main(void) {
  TEST(test_pendulum);
  TEST(test_pure);
  TEST(test_iwan);
  TEST(test_dashpot);
  TEST(test_two_axes);
  TEST(test_two_joints);
  TEST(test_few_modes);
  TEST(test_conjugate_force);
  return test_finish();
}
