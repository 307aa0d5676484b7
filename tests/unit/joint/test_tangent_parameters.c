/* Directions of a tangent that move a parameter of the law, against differences of the history. */
#include <math.h>
#include <stdio.h>

#include <microslip/joint.h>

#include "support/check.h"
#include "support/joints.h"

static const double F_S = 2.385, K_T = 1.71, CHI = -0.37, BETA = 0.53;

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

/* The same walk for 15 rounds, a bit further on, then back: with the strong sliders behind, the
   load drops so low that one more step forward is far away, with no slope left that the load would
   not allow. The origin follows in that step and the next ones rely on what it stored. */
static void drop_input(int i, ms_joint_input *in) {
  static const double at[4] = { 20.3, 20.4, 20.41, 20.63 };
  enum { ROUNDS = 15 * 6 };
  walk_input(i, in);
  in->u[0] += 0.4;
  if (i < ROUNDS) return;
  in->u[0] = i < ROUNDS + 4 ? at[i - ROUNDS] : 20.6 + 0.07 * sin(0.9 * i);
  in->alpha = i < ROUNDS + 2 ? 2.1 : 0.1;
}

enum { N_STEP = 300, WALK = 3, DROP };

static void moved_input(int i, int load, ms_joint_input *in) {
  if (load == WALK) {
    walk_input(i, in);
  } else if (load == DROP) {
    drop_input(i, in);
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
  double relative = load >= WALK ? 2e-5 : 2e-6; /* far from u = 0 the forces are less exact */
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

static void test_origin(void) {
  static const char *const name[] = { "F_S", "K_T", "chi", "beta" };
  double value[] = { F_S, K_T, CHI, BETA };
  check_parameters("iwan4", name, value, 4, DROP);
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

static void test_parameters_refused(void) {
  ms_context *ctx = test_context();
  ms_joint *j = test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", CHI, "beta", BETA, NULL),
           *dahl = test_typical("dahl"), *sliders = NULL;
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
  TEST(test_parameters);
  TEST(test_origin);
  TEST(test_member_parameter);
  TEST(test_parameters_refused);
  return test_finish();
}
