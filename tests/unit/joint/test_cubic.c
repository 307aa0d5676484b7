/* Linear and cubic spring: closed forms, potential, softening. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

static ms_joint_output move(ms_joint *j, double u, double alpha, double k) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u, in.alpha = alpha, in.k = k;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out;
}

static double stored(const ms_joint *j) {
  ms_joint_energy e = { NAN, NAN };
  CHECK_OK(ms_joint_get_energy(j, &e));
  CHECK_NEAR(e.dissipated, 0.0, 0.0);
  return e.stored;
}

/* Numbers worked out by hand: K = 2, K3 = 0.5 at u = 3 is 6 + 13.5, slope 2 + 13.5, energy 9 +
   10.125; no influence of the normal load. */
static void test_values(void) {
  ms_joint *j = test_joint("cubic", "K", 2.0, "K3", 0.5, NULL);
  ms_joint_output out = move(j, -3.0, 0.2, 1.4);
  CHECK_CLOSE(out.force[0], -1.4 * 19.5, 1e-15);
  CHECK_CLOSE(out.du[0], 1.4 * 15.5, 1e-15);
  CHECK_CLOSE(out.dk[0], -19.5, 1e-15);
  CHECK_NEAR(out.dalpha[0], 0.0, 0.0);
  CHECK_CLOSE(stored(j), 1.4 * 19.125, 1e-15);
  ms_joint_destroy(&j);
}

/* Simpson's rule is exact for a cubic: work of the force = growth of the potential. */
static void test_potential(void) {
  static const double K3[] = { 0.713, -0.713, 0.0 };
  for (int i = 0; i < 3; i++) {
    ms_joint *j = test_joint("cubic", "K", 2.385, "K3", K3[i], NULL);
    double a = 0.37, E = (move(j, a, 1.0, 1.0), stored(j));
    for (int n = 1; n < 30; n++) {
      double b = 2.9 * sin(1.7 * n);
      double F_a = move(j, a, 1.0, 1.0).force[0], F_m = move(j, 0.5 * (a + b), 1.0, 1.0).force[0];
      double F_b = move(j, b, 1.0, 1.0).force[0], work = (b - a) * (F_a + 4.0 * F_m + F_b) / 6.0;
      CHECK_NEAR(stored(j) - E, work, 1e-13);
      a = b, E = stored(j);
    }
    ms_joint_destroy(&j);
  }
}

/* A steady cycle loses nothing: neither counted nor as the area of its loop. */
static void test_cycle(void) {
  ms_joint *j = test_joint("cubic", "K", 2.385, "K3", 0.713, NULL);
  double u[201], F[201], area = 0.0;
  ms_joint_cycle c;
  CHECK_OK(ms_joint_run_cycle(j, 1.9, 3.1, 200, u, F, &c));
  for (int i = 0; i < 200; i++) area += 0.5 * (F[i] + F[i + 1]) * (u[i + 1] - u[i]);
  CHECK_NEAR(area, 0.0, 1e-13);
  CHECK(c.has_closed_form);
  CHECK_NEAR(c.D, 0.0, 0.0);
  CHECK_NEAR(c.D_closed_form, 0.0, 0.0);
  CHECK_CLOSE(c.F0, 2.385 * 1.9 + 0.713 * 1.9 * 1.9 * 1.9, 1e-15);
  ms_joint_destroy(&j);
}

/* K3 < 0 is allowed: slope 0 at sqrt(-K/(3 K3)), force 0 and falling potential past sqrt(-K/K3). */
static void test_softening(void) {
  ms_joint *j = test_joint("cubic", "K", 2.385, "K3", -0.713, NULL);
  double top = sqrt(2.385 / (3.0 * 0.713)), F, slope;
  CHECK_OK(ms_joint_eval_virgin(j, top, &F, &slope));
  CHECK_NEAR(slope, 0.0, 1e-14);
  CHECK_CLOSE(F, 2.0 / 3.0 * 2.385 * top, 1e-14);
  CHECK_NEAR(move(j, top * sqrt(3.0), 1.0, 1.0).force[0], 0.0, 1e-13);
  CHECK_CLOSE(stored(j), 2.385 * 2.385 / (4.0 * 0.713), 1e-14); /* the barrier */
  CHECK(move(j, 3.0 * top, 1.0, 1.0).force[0] < 0.0);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_values);
  TEST(test_potential);
  TEST(test_cycle);
  TEST(test_softening);
  return test_finish();
}
