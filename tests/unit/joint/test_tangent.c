/* Tangents: branches in closed form, periods, and what goes wrong. Every law against differences:
   tests/conformance/test_tangents.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint/impl.h"
#include "support/check.h"
#include "support/joints.h"

/* ---- closed forms ---- */

/* One step with a displacement that is a direction of its own: du = e_at. */
static double step_to(ms_tangent *t, double u, int at, int n, double *dforce) {
  double du[8] = { 0.0 };
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out = { .force = { NAN } };
  in.u[0] = u;
  if (at < n) du[at] = 1.0;
  CHECK_OK(ms_tangent_step(t, &in, &(ms_tangent_input) { .u = du }, &out, dforce));
  return out.force[0];
}

/* Slip to 3.1, back by less than 2 F_S/K_T: F = F_S - K_T (3.1 - u), whatever happened before. */
static void test_jenkins_by_hand(void) {
  enum { N = 4 };
  double F_S = 2.385, K_T = 1.71, dforce[N], start = 0.3, d_start[N] = { 0.0, 0.0, 0.0, 1.0 };
  ms_joint *j = test_joint("jenkins", "F_S", F_S, "K_T", K_T, NULL);
  ms_tangent *t = NULL;
  CHECK_OK(ms_tangent_create(j, N, &t));
  CHECK_OK(ms_tangent_start(t, &start, d_start));
  CHECK_CLOSE(step_to(t, 0.7, 0, N, dforce), K_T * 0.4, 1e-15);
  CHECK_CLOSE(dforce[0], K_T, 1e-15);
  CHECK_CLOSE(dforce[3], -K_T, 1e-15); /* the anchor starts at u */
  CHECK_CLOSE(step_to(t, 3.1, 1, N, dforce), F_S, 1e-15);
  for (int k = 0; k < N; k++) CHECK_NEAR(dforce[k], 0.0, 0.0);
  CHECK_CLOSE(step_to(t, 2.2, 2, N, dforce), F_S - K_T * 0.9, 1e-14);
  const double want[N] = { 0.0, -K_T, K_T, 0.0 };
  for (int k = 0; k < N; k++) CHECK_NEAR(dforce[k], want[k], 1e-15);
  ms_tangent_destroy(&t);
  CHECK(t == NULL);
  ms_joint_destroy(&j);
}

/* Slope of the virgin curve of the four-parameter element, written out. */
static const double F_S = 2.385, K_T = 1.71, CHI = -0.37, BETA = 0.53;

static double virgin_slope(double u) {
  double phi_max = F_S * (1.0 + BETA) / (K_T * (BETA + (CHI + 1.0) / (CHI + 2.0)));
  if (fabs(u) >= phi_max) return 0.0;
  return K_T * (1.0 - pow(fabs(u) / phi_max, CHI + 1.0) / (1.0 + BETA));
}

static ms_joint *make_iwan(void) {
  return test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", CHI, "beta", BETA, NULL);
}

/* Masing: loading to a, back to b, up to c inside the loop: F = g(a) + 2 g((b-a)/2) + 2 g((c-b)/2),
   each turning point with its own derivative; then past a, where the loop closes and both go. */
static void test_iwan_branches(void) {
  enum { N = 4 };
  double a = 0.81, b = -0.22, c = 0.34, d = 1.13, dforce[N];
  ms_joint *j = make_iwan();
  ms_tangent *t = NULL;
  CHECK_OK(ms_tangent_create(j, N, &t));
  step_to(t, a, 0, N, dforce);
  CHECK_CLOSE(dforce[0], virgin_slope(a), 1e-13);
  step_to(t, b, 1, N, dforce);
  double ab = virgin_slope((b - a) / 2.0), bc = virgin_slope((c - b) / 2.0);
  CHECK_CLOSE(dforce[0], virgin_slope(a) - ab, 1e-13);
  CHECK_CLOSE(dforce[1], ab, 1e-13);
  step_to(t, c, 2, N, dforce);
  const double want[N] = { virgin_slope(a) - ab, ab - bc, bc, 0.0 };
  for (int k = 0; k < N; k++) CHECK_NEAR(dforce[k], want[k], 1e-13);
  step_to(t, d, 3, N, dforce);
  const double closed[N] = { 0.0, 0.0, 0.0, virgin_slope(d) };
  for (int k = 0; k < N; k++) CHECK_NEAR(dforce[k], closed[k], 1e-13);
  ms_tangent_destroy(&t);
  ms_joint_destroy(&j);
}

/* What the joint remembers when the tangent is made has no derivatives. */
static void test_given_history(void) {
  double dforce[1];
  ms_joint *j = make_iwan();
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_tangent *t = NULL;
  in.u[0] = 0.81;
  CHECK_OK(ms_joint_step(j, &in, &out));
  in.u[0] = -0.22;
  CHECK_OK(ms_joint_step(j, &in, &out));
  CHECK_OK(ms_tangent_create(j, 1, &t));
  step_to(t, 0.34, 0, 1, dforce);
  CHECK_CLOSE(dforce[0], virgin_slope((0.34 + 0.22) / 2.0), 1e-13);
  ms_tangent_destroy(&t);
  ms_joint_destroy(&j);
}

/* At rest the same: nothing that happened before has a derivative, and the force is as it was. */
static void test_rest(void) {
  double dforce[2], d_ahead[2];
  ms_joint *j = make_iwan();
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_tangent *t = NULL;
  CHECK_OK(ms_tangent_create(j, 2, &t));
  step_to(t, 0.81, 0, 2, dforce);
  step_to(t, -0.22, 0, 2, dforce);
  in.u[0] = 0.34;
  CHECK_OK(ms_tangent_look(t, &in, &out, d_ahead));
  double before = out.force[0];
  CHECK_CLOSE(d_ahead[0], virgin_slope(0.81) - virgin_slope(0.28), 1e-13);
  ms_tangent_rest(t);
  CHECK_OK(ms_tangent_look(t, &in, &out, d_ahead));
  CHECK_NEAR(d_ahead[0], 0.0, 0.0);
  CHECK_CLOSE(step_to(t, 0.34, 1, 2, dforce), before, 1e-15);
  CHECK_NEAR(dforce[0], 0.0, 0.0);
  CHECK_CLOSE(dforce[1], virgin_slope(0.28), 1e-13);
  ms_tangent_destroy(&t);
  ms_joint_destroy(&j);
}

/* ---- periods ---- */

enum { HARMONICS = 7, N_COEFFICIENT = 2 * HARMONICS + 1, POINTS = 256, PERIODS = 3 };

static void fill_basis(int i, double *basis) {
  basis[0] = 1.0;
  for (int h = 1; h <= HARMONICS; h++) {
    double t = 2.0 * acos(-1.0) * h * i / POINTS;
    basis[2 * h - 1] = cos(t);
    basis[2 * h] = sin(t);
  }
}

static double motion(const double *q, const double *basis) {
  double u = 0.0;
  for (int k = 0; k < N_COEFFICIENT; k++) u += q[k] * basis[k];
  return u;
}

static void run_period(ms_joint *j, const double *q, double *force) {
  double basis[N_COEFFICIENT];
  CHECK_OK(ms_joint_start(j, NULL));
  for (int i = 0; i < PERIODS * POINTS; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    fill_basis(i % POINTS, basis);
    in.u[0] = motion(q, basis);
    CHECK_OK(ms_joint_step(j, &in, &out));
    force[i] = out.force[0];
  }
}

/* Fourth-order central differences against the tangent over three periods; error over the largest
   derivative. */
static double period_error(double amplitude) {
  static double force[4][PERIODS * POINTS], dforce[PERIODS * POINTS][N_COEFFICIENT];
  static const double at[4] = { -2.0, -1.0, 1.0, 2.0 };
  double q[N_COEFFICIENT] = { 0.11, 0.8, 0.31, 0.07, -0.13, 0.21, 0.17, 0.05, 0.02, -0.04 };
  double basis[N_COEFFICIENT], worst = 0.0, largest = 0.0, step = 1e-6 * amplitude;
  ms_joint *j = make_iwan();
  ms_tangent *t = NULL;
  for (int k = 0; k < N_COEFFICIENT; k++) q[k] *= amplitude;
  CHECK_OK(ms_tangent_create(j, N_COEFFICIENT, &t));
  CHECK_OK(ms_tangent_start(t, NULL, NULL));
  for (int i = 0; i < PERIODS * POINTS; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    fill_basis(i % POINTS, basis);
    in.u[0] = motion(q, basis);
    CHECK_OK(ms_tangent_step(t, &in, &(ms_tangent_input) { .u = basis }, &out, dforce[i]));
  }
  ms_tangent_destroy(&t);
  for (int k = 0; k < N_COEFFICIENT; k++) {
    double centre = q[k];
    for (int p = 0; p < 4; p++) {
      q[k] = centre + at[p] * step;
      run_period(j, q, force[p]);
    }
    q[k] = centre;
    for (int i = 0; i < PERIODS * POINTS; i++) {
      double near = force[2][i] - force[1][i], far = force[3][i] - force[0][i];
      double difference = (8.0 * near - far) / (12.0 * step);
      worst = fmax(worst, fabs(dforce[i][k] - difference));
      largest = fmax(largest, fabs(difference));
    }
  }
  ms_joint_destroy(&j);
  printf("# amplitude %g: error %.2g of the largest derivative %.3g\n", amplitude, worst / largest,
         largest);
  return worst / largest;
}

static void test_periods(void) {
  CHECK_BELOW(period_error(0.31), 1e-7); /* microslip */
  CHECK_BELOW(period_error(1.9), 1e-7);  /* microslip, at its end */
  CHECK_BELOW(period_error(7.3), 1e-7);  /* macroslip */
}

/* ---- memory ---- */

/* Reversals that decay: merging would shorten the list, a tangent keeps it. */
static void test_nothing_is_merged(void) {
  enum { N = 3000 };
  ms_joint *j = make_iwan(), *twin = make_iwan();
  ms_tangent *t = NULL;
  ms_joint_memory kept, merged;
  CHECK_OK(ms_tangent_create(j, 1, &t));
  for (int i = 0; i < N; i++) {
    double dforce, u = 0.2 * (i % 2 ? -1.0 : 1.0) * (1.0 - 1e-7 * i);
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    in.u[0] = u;
    CHECK_OK(ms_tangent_step(t, &in, &(ms_tangent_input) { .u = &u }, &out, &dforce));
    CHECK_OK(ms_joint_step(twin, &in, &out));
  }
  CHECK_OK(ms_joint_get_memory(j, &kept));
  CHECK_OK(ms_joint_get_memory(twin, &merged));
  CHECK_EQUAL(kept.depth, N - 1);
  CHECK(merged.depth < N / 2);
  CHECK_NEAR(kept.merge_error, 0.0, 0.0);
  ms_tangent_destroy(&t);
  ms_joint_destroy(&j);
  ms_joint_destroy(&twin);
}

static ms_status make_parallel(ms_context *ctx, ms_joint **whole) {
  static const char *const laws[] = { "iwan4", "iwan5", "contact3d" };
  MS_TRY(ms_joint_create_parallel(ctx, 3, whole));
  for (int i = 0; i < 3; i++) {
    ms_joint *member = NULL;
    ms_status status = ms_joint_create(ctx, laws[i], &member);
    if (status == MS_SUCCESS) status = ms_joint_set_typical(member);
    if (status == MS_SUCCESS) status = ms_joint_setup(member);
    if (status == MS_SUCCESS) status = ms_joint_take_member(*whole, &member, NULL);
    ms_joint_destroy(&member);
    MS_TRY(status);
  }
  return ms_joint_setup(*whole);
}

static ms_status ring(ms_tangent *t) {
  ms_status status = MS_SUCCESS;
  for (int i = 0; status == MS_SUCCESS && i < 150; i++) {
    double dforce[6], du[6] = { 1.0, 0.3, 0.2, 0.7, -0.2, 0.1 }, alpha[2] = { 0.1, 0.2 };
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    for (int a = 0; a < 3; a++) in.u[a] = 5e-5 * (i % 2 ? -1.0 : 1.0) * pow(0.99, i);
    if (i > 100) in.alpha = 1.0 + 0.1 * sin(i);
    ms_tangent_input d = { .u = du, .v = du, .alpha = alpha };
    if (i % 7 == 0) status = ms_tangent_look(t, &in, &out, dforce);
    if (status == MS_SUCCESS) status = ms_tangent_step(t, &in, &d, &out, dforce);
  }
  return status;
}

static ms_status live_through(ms_context *ctx, void *user) {
  double u[3] = { 1e-5, 2e-5, 0.0 }, du[6] = { 1.0, 0.3, 0.2, 0.7, -0.2, 0.1 };
  ms_joint *whole = NULL;
  ms_tangent *t = NULL;
  (void)user;
  ms_status status = make_parallel(ctx, &whole);
  if (status == MS_SUCCESS) status = ms_tangent_create(whole, 2, &t);
  if (status == MS_SUCCESS) {
    status = ms_tangent_set_parameter(ms_tangent_get_member(t, 0), 1, "F_S");
  }
  if (status == MS_SUCCESS) status = ms_tangent_start(t, u, du);
  if (status == MS_SUCCESS) status = ring(t);
  ms_tangent_destroy(&t);
  ms_joint_destroy(&whole);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(live_through, NULL) >= 20);
}

/* A commit that fails leaves rows and history apart: said until the next start. */
static ms_status fail_commit(ms_context *ctx, const void *model, void *state,
                             const ms_joint_trial *trial) {
  (void)model, (void)state, (void)trial;
  return ms_fail(ctx, MS_ERR_MEMORY, "no memory, for a test");
}

static void test_lost(void) {
  double dforce[1];
  ms_joint *j = test_typical("jenkins");
  ms_tangent *t = NULL;
  ms_law broken = *j->law;
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_tangent_input none = { .u = NULL };
  broken.commit = fail_commit;
  CHECK_OK(ms_tangent_create(j, 1, &t));
  const ms_law *law = j->law;
  j->law = &broken;
  CHECK_STATUS(ms_tangent_step(t, &in, &none, &out, dforce), MS_ERR_MEMORY);
  j->law = law;
  CHECK_STATUS(ms_tangent_step(t, &in, &none, &out, dforce), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "start it");
  CHECK_OK(ms_tangent_start(t, NULL, NULL));
  CHECK_OK(ms_tangent_step(t, &in, &none, &out, dforce));
  in.u[0] = NAN; /* refused before anything happened: goes on */
  CHECK_STATUS(ms_tangent_step(t, &in, &none, &out, dforce), MS_ERR_NUMERIC);
  in.u[0] = 1e-5;
  CHECK_OK(ms_tangent_step(t, &in, &none, &out, dforce));
  ms_tangent_destroy(&t);
  ms_joint_destroy(&j);
}

/* ---- refused ---- */

static void test_refused(void) {
  ms_context *ctx = test_context();
  ms_joint *j = test_typical("jenkins");
  ms_tangent *t = NULL;
  CHECK_STATUS(ms_tangent_create(j, 0, &t), MS_ERR_ARGUMENT);
  CHECK(t == NULL);
  const ms_law *law = j->law;
  ms_law without = *law;
  without.sensitivity = NULL;
  j->law = &without;
  CHECK_STATUS(ms_tangent_create(j, 3, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "law jenkins has no derivatives");
  CHECK(t == NULL);
  j->law = law;
  ms_joint_destroy(&j);
  CHECK_OK(ms_joint_create(ctx, "jenkins", &j));
  CHECK_STATUS(ms_tangent_create(j, 3, &t), MS_ERR_STATE);
  ms_joint_destroy(&j);
  ms_tangent_destroy(&t);
  ms_tangent_destroy(NULL);
}

int main(void) {
  TEST(test_jenkins_by_hand);
  TEST(test_iwan_branches);
  TEST(test_given_history);
  TEST(test_rest);
  TEST(test_periods);
  TEST(test_nothing_is_merged);
  TEST(test_memory_failures);
  TEST(test_lost);
  TEST(test_refused);
  return test_finish();
}
