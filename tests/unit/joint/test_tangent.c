/* Tangents: branches in closed form, periods, parameters, and what goes wrong. Every law against
   differences: tests/conformance/test_tangents.c. */
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

/* ---- parameters ---- */

static void load_input(int i, double scale, int load, ms_joint_input *in) {
  *in = (ms_joint_input)MS_JOINT_INPUT_DEFAULT;
  in->u[0] = scale * (0.9 * sin(0.21 * i) + 0.6 * sin(0.07 * i + 0.4) + 0.4 * cos(0.13 * i)) *
             (0.1 + 0.008 * i);
  in->v[0] = 3.1 * cos(0.3 * i);
  if (!load) return;
  in->alpha = 1.0 + 0.6 * sin(0.11 * i);
  in->k = 1.2 + 0.5 * cos(0.083 * i);
  if (load > 1) in->u[0] += 0.31 * i * scale; /* walks away, the origin follows */
}

/* Forward and a little back under a high load, then a drop of the load that lets the strong sliders
   catch up while the weak ones hold: the joint walks away without macroslip and the origin follows.
   The steps at one load in between rely on what is stored with the segments. */
static void walk_input(int i, ms_joint_input *in) {
  static const double at[6] = { 0.31, 0.9, 1.97, 1.43, 1.44, 1.39 };
  *in = (ms_joint_input)MS_JOINT_INPUT_DEFAULT;
  in->u[0] = 1.4 * (i / 6) + at[i % 6];
  in->alpha = i % 6 == 4 ? 0.29 : 2.1;
}

enum { N_STEP = 300, WALK = 3 };

static void moved_input(int i, int load, ms_joint_input *in) {
  if (load == WALK) {
    walk_input(i, in);
  } else {
    load_input(i, 0.71, load, in);
  }
}

static void run_moved(const char *law, const char *const *name, double *value, int n, int load,
                      double *force) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), law, &j));
  for (int i = 0; i < n; i++) CHECK_OK(ms_joint_set(j, name[i], value[i]));
  CHECK_OK(ms_joint_setup(j));
  for (int i = 0; i < N_STEP; i++) {
    ms_joint_input in;
    ms_joint_output out;
    moved_input(i, load, &in);
    CHECK_OK(ms_joint_step(j, &in, &out));
    force[i] = out.force[0];
  }
  ms_joint_destroy(&j);
}

static void run_tangent(const char *law, const char *const *name, const double *value, int n,
                        int load, double dforce[N_STEP][8]) {
  ms_joint *j = NULL;
  ms_tangent *t = NULL;
  CHECK_OK(ms_joint_create(test_context(), law, &j));
  for (int i = 0; i < n; i++) CHECK_OK(ms_joint_set(j, name[i], value[i]));
  CHECK_OK(ms_joint_setup(j));
  CHECK_OK(ms_tangent_create(j, n, &t));
  for (int i = 0; i < n; i++) CHECK_OK(ms_tangent_set_parameter(t, i, name[i]));
  CHECK_OK(ms_tangent_start(t, NULL, NULL));
  for (int i = 0; i < N_STEP; i++) {
    ms_joint_input in;
    ms_joint_output out;
    moved_input(i, load, &in);
    CHECK_OK(ms_tangent_step(t, &in, &(ms_tangent_input) { .u = NULL }, &out, dforce[i]));
  }
  ms_tangent_destroy(&t);
  ms_joint_destroy(&j);
}

/* Differences of forces of size F are known to a few eps F/step only. */
#define ROUNDING (4.0 * 0x1p-52)

static void check_parameters(const char *law, const char *const *name, double *value, int n,
                             int load) {
  static double force[4][N_STEP], dforce[N_STEP][8];
  static const double at[4] = { -2.0, -1.0, 1.0, 2.0 };
  double relative = load == WALK ? 2e-5 : 2e-6; /* far from u = 0 the forces are less exact */
  run_tangent(law, name, value, n, load, dforce);
  for (int k = 0; k < n; k++) {
    double centre = value[k], step = relative * fabs(centre), worst = 0.0, largest = 0.0, F = 0.0;
    for (int p = 0; p < 4; p++) {
      value[k] = centre + at[p] * step;
      run_moved(law, name, value, n, load, force[p]);
    }
    value[k] = centre;
    for (int i = 0; i < N_STEP; i++) {
      double near = force[2][i] - force[1][i], far = force[3][i] - force[0][i];
      double difference = (8.0 * near - far) / (12.0 * step);
      worst = fmax(worst, fabs(dforce[i][k] - difference));
      largest = fmax(largest, fabs(difference));
      F = fmax(F, fabs(force[0][i]));
    }
    printf("# %s, %s, load %d: error %.2g of %.3g\n", law, name[k], load, worst / largest, largest);
    CHECK(largest > 0.0);
    CHECK_BELOW(worst, 1e-8 * largest + ROUNDING * F / step);
  }
}

static void test_parameters(void) {
  static const char *const force[] = { "F_S", "K_T", "chi", "beta" },
                           *const density[] = { "R", "S", "chi", "phi_max" },
                           *const linear[] = { "K", "C" }, *const cubic[] = { "K", "K3" },
                           *const gap[] = { "K", "g" },
                           *const sides[] = { "K", "g_plus", "g_minus" };
  double by_force[] = { F_S, K_T, CHI, BETA }, by_density[] = { 0.83, 0.39, 0.21, 1.37 };
  double two[] = { 2.385, 1.71 }, three[] = { 2.385, 0.31, 0.47 }, stop[] = { 2.385, 0.37 };
  for (int load = 0; load <= WALK; load++) {
    check_parameters("iwan4", force, by_force, 4, load);
    check_parameters("iwan4", density, by_density, 4, load);
    check_parameters("jenkins", force, two, 2, load);
    if (load > 1) continue;
    check_parameters("linear", linear, two, 2, load);
    check_parameters("cubic", cubic, two, 2, load);
    check_parameters("gap", gap, stop, 2, load);
    check_parameters("gap", sides, three, 3, load);
  }
}

/* A member's parameter, and a direction that moves two at once. */
static void test_member_parameter(void) {
  double u = 0.31, du = 0.0, dforce;
  ms_joint *whole = NULL, *a = test_joint("linear", "K", 2.385, "C", 0.47, NULL),
           *b = test_joint("cubic", "K", 1.71, "K3", 0.83, NULL);
  ms_tangent *t = NULL;
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  CHECK_OK(ms_joint_create_parallel(test_context(), 1, &whole));
  CHECK_OK(ms_joint_take_member(whole, &a, NULL));
  CHECK_OK(ms_joint_take_member(whole, &b, NULL));
  CHECK_OK(ms_joint_setup(whole));
  CHECK_OK(ms_tangent_create(whole, 1, &t));
  CHECK(ms_tangent_get_member(t, 2) == NULL && ms_tangent_get_member(t, -1) == NULL);
  CHECK_OK(ms_tangent_set_parameter(ms_tangent_get_member(t, 0), 0, "C"));
  CHECK_OK(ms_tangent_set_parameter(ms_tangent_get_member(t, 1), 0, "K"));
  CHECK_OK(ms_tangent_set_parameter(ms_tangent_get_member(t, 1), 0, "K3"));
  CHECK_OK(ms_tangent_start(t, NULL, NULL));
  in.u[0] = u;
  in.v[0] = 0.77;
  CHECK_OK(ms_tangent_step(t, &in, &(ms_tangent_input) { .u = &du }, &out, &dforce));
  CHECK_CLOSE(dforce, 0.77 + u + u * u * u, 1e-15);
  CHECK_STATUS(ms_tangent_set_parameter(t, 0, "K"), MS_ERR_NAME);
  ms_tangent_destroy(&t);
  ms_joint_destroy(&whole);
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
    status = ms_tangent_step(t, &in, &d, &out, dforce);
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
  without.carry = NULL;
  j->law = &without;
  CHECK_STATUS(ms_tangent_create(j, 3, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "law jenkins cannot carry derivatives");
  CHECK(t == NULL);
  j->law = law;
  ms_joint_destroy(&j);
  CHECK_OK(ms_joint_create(ctx, "jenkins", &j));
  CHECK_STATUS(ms_tangent_create(j, 3, &t), MS_ERR_STATE);
  ms_joint_destroy(&j);
  ms_tangent_destroy(&t);
  ms_tangent_destroy(NULL);
}

static void test_parameters_refused(void) {
  ms_context *ctx = test_context();
  ms_joint *j = make_iwan(), *dahl = test_typical("dahl"), *sliders = NULL;
  ms_tangent *t = NULL;
  CHECK_OK(ms_tangent_create(j, 3, &t));
  CHECK_STATUS(ms_tangent_set_parameter(t, 3, "F_S"), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_tangent_set_parameter(t, -1, "F_S"), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_tangent_set_parameter(t, 0, "F_T"), MS_ERR_NAME);
  CHECK_STATUS(ms_tangent_set_parameter(t, 0, "phi_max"), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "phi_max was not given");
  CHECK_STATUS(ms_tangent_set_parameter(t, 0, "merge_tolerance"), MS_ERR_ARGUMENT);
  ms_tangent_destroy(&t);
  CHECK_OK(ms_tangent_create(dahl, 3, &t));
  CHECK_STATUS(ms_tangent_set_parameter(t, 0, ms_joint_info(dahl)->param[0].name), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "no derivatives with respect to its parameter");
  ms_tangent_destroy(&t);
  sliders =
      test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", CHI, "beta", BETA, "sliders", 20.0, NULL);
  CHECK_OK(ms_tangent_create(sliders, 3, &t));
  CHECK_STATUS(ms_tangent_set_parameter(t, 0, "F_S"), MS_ERR_ARGUMENT);
  ms_tangent_destroy(&t);
  ms_joint_destroy(&sliders);
  ms_joint_destroy(&dahl);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_jenkins_by_hand);
  TEST(test_iwan_branches);
  TEST(test_given_history);
  TEST(test_periods);
  TEST(test_parameters);
  TEST(test_member_parameter);
  TEST(test_nothing_is_merged);
  TEST(test_memory_failures);
  TEST(test_lost);
  TEST(test_refused);
  TEST(test_parameters_refused);
  return test_finish();
}
