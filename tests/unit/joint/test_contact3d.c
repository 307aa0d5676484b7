/* Contact with friction: unilateral, a slip circle that follows the normal force, lift-off. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

#define MU   0.37
#define K_N  4.1
#define K_T  2.385
#define N_0  11.7
#define TURN 6.283185307179586

static ms_joint *contact(void) {
  return test_joint("contact3d", "mu", MU, "K_n", K_N, "K_t", K_T, "N_0", N_0, NULL);
}

static ms_joint *open_contact(void) {
  return test_joint("contact3d", "mu", MU, "K_n", K_N, "K_t", K_T, "N_0", 0.0, "gap", 0.83, NULL);
}

static ms_joint_output move(ms_joint *j, double ux, double uy, double un, double alpha, double k) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = ux, in.u[1] = uy, in.u[2] = un, in.alpha = alpha, in.k = k;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out;
}

static ms_joint_energy energy(const ms_joint *j) {
  ms_joint_energy e = { NAN, NAN };
  CHECK_OK(ms_joint_get_energy(j, &e));
  return e;
}

/* ---- what holds always ---- */

static void test_no_tension(void) {
  ms_joint *j = contact();
  test_history h = test_wander(j, 3, 1);
  int open = 0, slipping = 0;
  h.scale *= 2.3;
  for (int i = 0; i < 5000; i++) {
    const ms_joint_input *in = test_next(&h);
    double N = fmax(0.0, in->alpha * N_0 + in->k * K_N * in->u[2]);
    ms_joint_output out = move(j, in->u[0], in->u[1], in->u[2], in->alpha, in->k);
    double T = hypot(out.force[0], out.force[1]);
    CHECK_NEAR(out.force[2], N, 1e-14 * N_0 * 8.0);
    CHECK(T <= MU * N * (1.0 + 1e-14));
    CHECK(N > 0.0 || T == 0.0);
    open += N == 0.0;
    slipping += N > 0.0 && T > MU * N * (1.0 - 1e-12);
  }
  CHECK(open > 300 && slipping > 300); /* the history has been everywhere */
  CHECK(5000 - open - slipping > 300);
  ms_joint_destroy(&j);
}

/* Constant normal displacement: the planar Jenkins element with F_S = mu N. */
static void test_constant_normal_force(void) {
  static const double un[] = { -1.31, 0.0, 2.9 };
  for (int i = 0; i < 3; i++) {
    ms_joint *j = contact();
    double N = N_0 + K_N * un[i];
    ms_joint *planar = test_joint("jenkins2d", "F_S", MU * N, "K_T", K_T, NULL);
    const double at[3] = { 0.0, 0.0, un[i] };
    test_history h = test_wander(planar, 8, 0);
    CHECK_OK(ms_joint_start(j, at));
    double rest = energy(j).stored;
    CHECK_CLOSE(rest, 0.5 * N * N / K_N, 1e-14);
    for (int n = 0; n < 1000; n++) {
      ms_joint_output want, got;
      const ms_joint_input *in = test_next(&h);
      CHECK_OK(ms_joint_step(planar, in, &want));
      got = move(j, in->u[0], in->u[1], un[i], 1.0, 1.0);
      for (int a = 0; a < 2; a++) CHECK_NEAR(got.force[a], want.force[a], 1e-13 * MU * N);
      CHECK_NEAR(energy(j).dissipated, energy(planar).dissipated, 1e-12 * MU * N * h.scale);
      CHECK_NEAR(energy(j).stored - rest, energy(planar).stored, 1e-12 * rest);
    }
    ms_joint_destroy(&j);
    ms_joint_destroy(&planar);
  }
}

/* ---- closed paths ---- */

/* Work of the force on a straight leg, in small steps. */
static double leg_work(ms_joint *j, const double from[2], const double to[2], double un) {
  enum { PARTS = 400 };
  ms_joint_output out, old = move(j, from[0], from[1], un, 1.0, 1.0);
  double work = 0.0;
  for (int i = 1; i <= PARTS; i++) {
    double s = (double)i / PARTS;
    out = move(j, from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1]), un, 1.0, 1.0);
    for (int a = 0; a < 2; a++) {
      work += 0.5 * (out.force[a] + old.force[a]) * (to[a] - from[a]) / PARTS;
    }
    old = out;
  }
  return work;
}

/* Random polygons, home again, at a normal displacement that does not change: the joint takes
   energy, and what it took is stored or lost. */
static void test_closed_paths(void) {
  ms_random random;
  ms_random_start(&random, 5, 1);
  for (int n = 0; n < 40; n++) {
    ms_joint *j = contact();
    double un = -2.0 + 0.17 * n, r = MU * (N_0 + K_N * un) / K_T, work = 0.0;
    double at[3] = { 0.0, 0.0, un }, to[2];
    CHECK_OK(ms_joint_start(j, at));
    ms_joint_energy before = energy(j);
    for (int leg = 0; leg < 7; leg++) {
      for (int a = 0; a < 2; a++) to[a] = leg < 6 ? 1.9 * r * ms_random_normal(&random) : 0.0;
      work += leg_work(j, at, to, un);
      at[0] = to[0], at[1] = to[1];
      CHECK(work > 0.0); /* never gives back more than it got */
    }
    ms_joint_energy after = energy(j);
    CHECK(after.dissipated > 0.0);
    CHECK_CLOSE(after.stored - before.stored + after.dissipated, work, 3e-4);
    ms_joint_destroy(&j);
  }
}

/* ---- lift-off ---- */

/* Closes half way through the step: the spring is anchored where the surfaces met. */
static void test_anchor_where_they_meet(void) {
  ms_joint *j = contact();
  double lift = -N_0 / K_N; /* un at which the surfaces part */
  move(j, 3.1, -2.2, 0.4, 1.0, 1.0);
  move(j, 3.9, -1.7, lift - 0.6, 1.0, 1.0);
  ms_joint_output out = move(j, -1.7, 5.2, lift - 0.9, 1.0, 1.0);
  for (int a = 0; a < 3; a++) CHECK_NEAR(out.force[a], 0.0, 0.0);
  for (int a = 0; a < 9; a++) CHECK_NEAR(out.du[a], 0.0, 0.0);
  double share = 3.6 / 4.5; /* of the step, after contact is made */
  out = move(j, -1.5, 5.3, lift + 3.6, 1.0, 1.0);
  CHECK_NEAR(out.force[0], K_T * share * 0.2, 1e-13);
  CHECK_NEAR(out.force[1], K_T * share * 0.1, 1e-13);
  CHECK_NEAR(out.force[2], K_N * 3.6, 1e-13);
  out = move(j, -1.5 - share * 0.2, 5.3 - share * 0.1, lift + 3.6, 1.0, 1.0);
  CHECK_NEAR(hypot(out.force[0], out.force[1]), 0.0, 1e-13);
  ms_joint_destroy(&j);
}

/* Meets while moving fast: it slips from the first touch, along the motion. */
static void test_slip_from_first_touch(void) {
  ms_joint *j = contact();
  double lift = -N_0 / K_N;
  move(j, 0.0, 0.0, lift - 1.3, 1.0, 1.0);
  ms_joint_output out = move(j, 30.0, -40.0, lift + 0.7, 1.0, 1.0);
  CHECK_NEAR(out.force[0], 0.6 * MU * K_N * 0.7, 1e-13);
  CHECK_NEAR(out.force[1], -0.8 * MU * K_N * 0.7, 1e-13);
  /* slipped: 50 * 0.7/2 less the elongation at the end, under half the final slip force */
  double r = MU * K_N * 0.7 / K_T;
  CHECK_CLOSE(energy(j).dissipated, 0.5 * MU * K_N * 0.7 * (50.0 * 0.35 - r), 1e-13);
  ms_joint_destroy(&j);
}

/* Parts while slipping straight on: the slip force falls to zero on the way to the place where the
   surfaces part, and the rest of the step costs nothing. */
static void test_slip_until_parting(void) {
  ms_joint *j = contact();
  double lift = -N_0 / K_N, r = MU * N_0 / K_T;
  move(j, 6.0, 8.0, 0.0, 1.0, 1.0);
  double before = energy(j).dissipated;
  CHECK_CLOSE(before, MU * N_0 * (10.0 - r), 1e-13);
  move(j, 9.0, 12.0, 2.5 * lift, 1.0, 1.0); /* contact for two fifths of the step */
  CHECK_CLOSE(energy(j).dissipated - before, 0.5 * MU * N_0 * (5.0 / 2.5 + r), 1e-13);
  CHECK_NEAR(energy(j).stored, 0.0, 0.0);
  ms_joint_destroy(&j);
}

/* A straight line in (ux, uy, un), cut or not, through lift-off and closing. */
static void test_cut_steps(void) {
  ms_joint *whole = contact(), *cut = contact();
  test_history h = test_wander(whole, 77, 0);
  double from[3] = { 0.0, 0.0, 0.0 };
  h.scale *= 3.1;
  for (int i = 0; i < 500; i++) {
    const double *to = test_next(&h)->u;
    ms_joint_output out = move(whole, to[0], to[1], to[2], 1.0, 1.0), part;
    for (int n = 1; n <= 41; n++) {
      double u[3];
      for (int a = 0; a < 3; a++) u[a] = n < 41 ? from[a] + n / 41.0 * (to[a] - from[a]) : to[a];
      part = move(cut, u[0], u[1], u[2], 1.0, 1.0);
    }
    for (int a = 0; a < 3; a++) CHECK_NEAR(part.force[a], out.force[a], 1e-12 * N_0);
    for (int a = 0; a < 3; a++) from[a] = to[a];
  }
  ms_joint_destroy(&whole);
  ms_joint_destroy(&cut);
}

/* Without preload: nothing until the gap is closed; alpha has nothing to scale. */
static void test_gap(void) {
  ms_joint *j = open_contact();
  ms_joint_output out = move(j, 2.0, 1.0, 0.82, 0.7, 1.3);
  for (int a = 0; a < 3; a++) CHECK_NEAR(out.force[a], 0.0, 0.0);
  out = move(j, 2.0, 1.0, 2.83, 0.7, 1.3);
  CHECK_NEAR(out.force[2], 1.3 * K_N * 2.0, 1e-13);
  CHECK_NEAR(hypot(out.force[0], out.force[1]), 0.0, 0.0);
  out = move(j, 2.0, 1.3, 2.83, 0.2, 1.3);
  CHECK_NEAR(out.force[1], 1.3 * K_T * 0.3, 1e-13);
  CHECK_NEAR(out.dalpha[1], 0.0, 0.0);
  CHECK_CLOSE(ms_joint_slip_scale(j), 0.83, 1e-15);
  ms_joint_destroy(&j);
}

static void test_preload_and_gap_refused(void) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "contact3d", &j));
  CHECK_OK(ms_joint_set_typical(j));
  CHECK_OK(ms_joint_set(j, "gap", 1e-5));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "set one of the two to 0");
  ms_joint_destroy(&j);
}

/* ---- derivatives ---- */

static ms_joint_output changed(const ms_joint *j, ms_joint_input in, int which, double d) {
  ms_joint_output out;
  ms_joint_trial trial;
  double *moving[] = { &in.u[0], &in.u[1], &in.u[2], &in.alpha, &in.k };
  *moving[which] += d;
  CHECK_OK(ms_joint_update(j, &in, &out, &trial));
  return out;
}

static void check_slopes(const ms_joint *j, double ux, double uy, double un, double alpha,
                         double k) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  in.u[0] = ux, in.u[1] = uy, in.u[2] = un, in.alpha = alpha, in.k = k;
  ms_joint_output at = changed(j, in, 0, 0.0);
  const double *wanted[] = { &at.du[0], &at.du[3], &at.du[6], at.dalpha, at.dk };
  for (int which = 0; which < 5; which++) {
    ms_joint_output high = changed(j, in, which, 1e-5), low = changed(j, in, which, -1e-5);
    for (int a = 0; a < 3; a++) {
      CHECK_NEAR(wanted[which][a], (high.force[a] - low.force[a]) / 2e-5, 1e-8 * N_0);
    }
  }
}

static void test_slopes(void) {
  ms_joint *j = contact();
  double lift = -N_0 / K_N;
  move(j, 0.31, -0.22, 0.1, 1.0, 1.0);
  check_slopes(j, 0.5, -0.6, -0.4, 0.9, 1.2);       /* sticks */
  check_slopes(j, 1.9, 2.6, -0.4, 0.9, 1.2);        /* sticks, then slips */
  check_slopes(j, 0.4, -0.3, lift + 0.1, 1.0, 1.0); /* caught by a falling normal force */
  move(j, 0.5, 0.1, lift - 0.3, 1.0, 1.0);
  check_slopes(j, 0.6, 0.3, lift + 0.9, 1.0, 1.0); /* meets, sticks */
  check_slopes(j, 2.6, 3.3, lift + 0.9, 1.1, 0.8); /* meets, slips */
  check_slopes(j, 2.6, 3.3, lift - 0.1, 1.0, 1.0); /* stays open */
  ms_joint_output out = move(j, 2.6, 3.3, lift + 0.9, 1.0, 1.0);
  CHECK(fabs(out.du[0 + 3 * 2]) > 0.1 && out.du[2 + 3 * 0] == 0.0); /* unsymmetric by nature */
  ms_joint_destroy(&j);
  j = open_contact();
  check_slopes(j, 0.3, 0.7, 1.9, 0.6, 1.3);
  ms_joint_destroy(&j);
}

/* ---- normal load in phase with the motion ---- */

enum { POINTS = 2000, CUT = 200 };

static double tangential(double turn) {
  return 7.1 * sin(TURN * turn);
}

static double normal(double un0, double turn) {
  return un0 * sin(TURN * turn + 0.3);
}

/* One axis, written out on its own: a spring whose elongation is clipped to mu N(t)/K_t, in very
   small steps. The second turn is steady; its area is returned, F gets its force at the points. */
static double reference_loop(double un0, double *F) {
  enum { N = POINTS * CUT };
  double x = 0.0, F_old = 0.0, u_old = 0.0, area = 0.0;
  for (int i = 1; i <= 2 * N; i++) {
    double turn = (double)i / N, u = tangential(turn);
    double limit = MU * fmax(0.0, N_0 + K_N * normal(un0, turn)) / K_T;
    double e = fmin(limit, fmax(-limit, u - x)), F_now = K_T * e;
    x = u - e;
    if (i > N) area += 0.5 * (F_now + F_old) * (u - u_old);
    if (i > N && i % CUT == 0) F[i / CUT - POINTS - 1] = F_now;
    F_old = F_now, u_old = u;
  }
  return area;
}

/* The law along a slanted line: loss counted in the steady turn. */
static double law_loop(double un0, double *F) {
  ms_joint *j = contact();
  const double at[3] = { 0.0, 0.0, normal(un0, 0.0) };
  double before = 0.0;
  CHECK_OK(ms_joint_start(j, at));
  for (int i = 1; i <= 2 * POINTS; i++) {
    double turn = (double)i / POINTS, u = tangential(turn);
    ms_joint_output out = move(j, 0.8 * u, -0.6 * u, normal(un0, turn), 1.0, 1.0);
    CHECK_NEAR(0.6 * out.force[0] + 0.8 * out.force[1], 0.0, 1e-13 * N_0);
    if (i == POINTS) before = energy(j).dissipated;
    if (i > POINTS) F[i - POINTS - 1] = 0.8 * out.force[0] - 0.6 * out.force[1];
  }
  double lost = energy(j).dissipated - before;
  ms_joint_destroy(&j);
  return lost;
}

static void test_load_in_phase(void) {
  static const double un0[] = { 0.9, 2.3, 4.4 }; /* the last one lifts off: N_0/K_n = 2.85 */
  for (int i = 0; i < 3; i++) {
    double want[POINTS], got[POINTS], high = 0.0, low = 0.0, error = 0.0;
    double area = reference_loop(un0[i], want), lost = law_loop(un0[i], got);
    for (int n = 0; n < POINTS; n++) {
      error = fmax(error, fabs(got[n] - want[n]));
      high = fmax(high, want[n]);
      low = fmin(low, want[n]);
    }
    CHECK_BELOW(error, 1e-5 * high);
    CHECK_CLOSE(lost, area, 1e-5);
    CHECK(high > -1.2 * low); /* asymmetric: more grip one way than the other */
  }
}

int main(void) {
  TEST(test_no_tension);
  TEST(test_constant_normal_force);
  TEST(test_closed_paths);
  TEST(test_anchor_where_they_meet);
  TEST(test_slip_from_first_touch);
  TEST(test_slip_until_parting);
  TEST(test_cut_steps);
  TEST(test_gap);
  TEST(test_preload_and_gap_refused);
  TEST(test_slopes);
  TEST(test_load_in_phase);
  return test_finish();
}
