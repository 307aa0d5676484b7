/* Backbones from parameters: a mode that is followed is the mode of a structure set up anew, its
   derivatives are those of differences, and nothing depends on what was evaluated before. */
#include <math.h>
#include <microslip/calibrate.h>
#include <microslip/quasistatic.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

enum { N = 50, LEVELS = 12, PARAMETERS = 4, MATRIX = 1, RAYLEIGH = 2 };

/* Two joints: F_S and chi of the first, K_T of each. */
static const ms_parameter_place places[] = {
  { 0, 0, "F_S" }, { 0, 0, "K_T" }, { 1, 0, "K_T" }, { 0, 0, "chi" }, { 0, 0, "beta" }
};
static const ms_free_parameter four[PARAMETERS] = { { "F_S of first", 1, &places[0] },
                                                    { "K_T of first", 1, &places[1] },
                                                    { "K_T of second", 1, &places[2] },
                                                    { "chi of first", 1, &places[3] } };

/* Uneven, with a damping matrix of no special form. */
static void damp(ms_structure *s, int kind, ptrdiff_t n) {
  if (kind == RAYLEIGH) CHECK_OK(ms_structure_set_rayleigh_damping(s, 0.031, 2.7e-5));
  if (kind != MATRIX) return;
  double *C = calloc((size_t)(n * n), sizeof *C);
  for (ptrdiff_t i = 0; i < n; i++) {
    C[i + n * i] = 0.31 + 0.2 * sin(0.7 * (double)i);
    if (i > 0) C[i + n * (i - 1)] = C[i - 1 + n * i] = -0.07;
  }
  CHECK_OK(ms_structure_set_damping(s, C));
  free(C);
}

static ms_structure *make(const double *p, int damping) {
  static const double start[PARAMETERS] = { 2.385, 310.0, 271.0, -0.37 };
  ms_structure *s = NULL;
  double zeta[N];
  if (!p) p = start;
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  for (ptrdiff_t i = 0; i < N; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.3 + 0.4 * sin(1.7 * (double)i)));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 900.0 + 210.0 * cos(2.3 * (double)i)));
    zeta[i] = 2.3e-3 * (1.0 + 0.01 * (double)i);
  }
  for (int k = 0; k < 2; k++) {
    const ptrdiff_t from = k ? 31 : 12, to = k ? 33 : 13;
    ms_joint *j = test_joint("iwan4", "F_S", k ? 3.1 : p[0], "K_T", p[1 + k], "chi",
                             k ? -0.21 : p[3], "beta", 1.37 - 0.4 * k, NULL);
    CHECK_OK(ms_structure_take_joint(s, k ? "second" : "first", &j, &from, &to));
  }
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  damp(s, damping, N);
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static void fill_levels(double *q) {
  CHECK_OK(ms_quasistatic_space(test_context(), 0.0137, 2.93, LEVELS, q));
}

/* The mode of `s` most like mode r of `reference`; M of both is diagonal and the same. */
static ptrdiff_t find_like(const ms_structure *reference, const ms_structure *s, ptrdiff_t r,
                           double *mac) {
  ms_modes a = ms_structure_get_stuck(reference), b = ms_structure_get_stuck(s);
  const double *M = ms_structure_get_mass(s);
  ptrdiff_t best = 0;
  *mac = 0.0;
  for (ptrdiff_t k = 0; k < N; k++) {
    double dot = 0.0;
    for (ptrdiff_t i = 0; i < N; i++) dot += a.shape[i + N * r] * M[i + N * i] * b.shape[i + N * k];
    if (dot * dot > *mac) *mac = dot * dot, best = k;
  }
  return best;
}

/* Against a structure that is set up with p. */
static void compare(const ms_structure *reference, const ms_curve_values *c, const double *p,
                    ptrdiff_t r, int damping) {
  ms_structure *s = make(p, damping);
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  double mac, zeta[N];
  setting.mode = find_like(reference, s, r, &mac);
  if (setting.mode != r && damping == 0) { /* ratios belong to the reference's modes */
    for (ptrdiff_t i = 0; i < N; i++) zeta[i] = 2.3e-3 * (1.0 + 0.01 * (double)r);
    CHECK_OK(ms_structure_set_modal_damping(s, zeta));
    CHECK_OK(ms_structure_setup(s));
  }
  CHECK_CLOSE(c->mac, mac, 1e-10);
  CHECK_CLOSE(c->omega_0, ms_structure_get_stuck(s).omega[setting.mode], 1e-12);
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_quasistatic_run(run, c->n, c->q));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_quasistatic_level *level = ms_quasistatic_get_level(run, i);
    CHECK_CLOSE(c->omega[i], level->omega, 1e-10);
    CHECK_CLOSE(c->zeta[i], level->zeta, 1e-10);
    CHECK_CLOSE(c->zeta_joint[i], level->zeta_joint, 1e-10);
  }
  CHECK_BELOW(c->residual, 1e-11);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

static ms_backbone_model *make_model(ms_structure *s, const double *q, ptrdiff_t n_curve,
                                     const ptrdiff_t *mode) {
  ms_curve_request request[4];
  ms_backbone_model *model = NULL;
  for (ptrdiff_t i = 0; i < n_curve; i++) request[i] = (ms_curve_request) { mode[i], LEVELS, q };
  CHECK_OK(ms_backbone_model_create(s, PARAMETERS, four, n_curve, request, &model));
  return model;
}

/* K_T from a twentieth to thirty times the reference's. */
static void follow(int damping) {
  static const double p[][PARAMETERS] = { { 2.385, 310.0, 271.0, -0.37 },
                                          { 1.93, 287.0, 402.0, -0.21 },
                                          { 4.71, 15.3, 9000.0, -0.63 },
                                          { 0.83, 9300.0, 13.7, -0.13 } };
  const ptrdiff_t mode[4] = { 0, 2, 41, 49 };
  double q[LEVELS];
  ms_structure *s = make(NULL, damping);
  fill_levels(q);
  ms_backbone_model *model = make_model(s, q, 4, mode);
  int followed = 0, solved = 0;
  for (size_t i = 0; model && i < sizeof p / sizeof *p; i++) {
    CHECK_OK(ms_backbone_model_eval(model, p[i], 0));
    for (int k = 0; k < 4; k++) {
      ms_curve_values c = ms_backbone_model_curve(model, k);
      compare(s, &c, p[i], mode[k], damping);
      followed += c.followed;
      solved += !c.followed;
    }
  }
  CHECK(followed > 0);
  CHECK(solved > 0);
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
}

static void test_follow(void) {
  for (int damping = 0; damping < 3; damping++) follow(damping);
}

/* ---- derivatives ---- */

#define WIDTH 2e-4 /* of the wider difference, of a parameter */

/* Romberg on central differences of the curve's three functions by parameter j. */
static void differ(ms_backbone_model *model, const double *p, int j, double *out) {
  double table[2][3 * LEVELS], at[PARAMETERS];
  for (int step = 0; step < 2; step++) {
    double h = WIDTH * fabs(p[j]) / (1 + step);
    memset(table[step], 0, sizeof table[step]);
    for (int side = -1; side <= 1; side += 2) {
      memcpy(at, p, sizeof at);
      at[j] += side * h;
      CHECK_OK(ms_backbone_model_eval(model, at, 0));
      ms_curve_values c = ms_backbone_model_curve(model, 0);
      for (int i = 0; i < LEVELS; i++) {
        table[step][i] += side * c.omega[i] / (2.0 * h);
        table[step][LEVELS + i] += side * c.zeta[i] / (2.0 * h);
        table[step][2 * LEVELS + i] += side * c.zeta_joint[i] / (2.0 * h);
      }
    }
  }
  for (int i = 0; i < 3 * LEVELS; i++) out[i] = (4.0 * table[1][i] - table[0][i]) / 3.0;
}

static void differentiate(int damping, ptrdiff_t mode, const double *p) {
  double q[LEVELS], want[PARAMETERS][3 * LEVELS];
  ms_structure *s = make(NULL, damping);
  fill_levels(q);
  ms_backbone_model *model = make_model(s, q, 1, &mode);
  for (int j = 0; j < PARAMETERS; j++) differ(model, p, j, want[j]);
  CHECK_OK(ms_backbone_model_eval(model, p, 1));
  ms_curve_values c = ms_backbone_model_curve(model, 0);
  CHECK(!c.by_differences);
  for (int j = 0; j < PARAMETERS; j++) {
    /* what rounding leaves of differences where a mode does not see a joint */
    const double noise = 1e-13 / (WIDTH * fabs(p[j]));
    double size[3] = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3 * LEVELS; i++) {
      size[i / LEVELS] = fmax(size[i / LEVELS], fabs(want[j][i]));
    }
    for (int i = 0; i < LEVELS; i++) {
      CHECK_NEAR(c.omega_p[i + LEVELS * j], want[j][i], 1e-6 * size[0] + noise * c.omega[i]);
      CHECK_NEAR(c.zeta_p[i + LEVELS * j], want[j][LEVELS + i], 1e-6 * size[1] + noise * c.zeta[i]);
      CHECK_NEAR(c.zeta_joint_p[i + LEVELS * j], want[j][2 * LEVELS + i],
                 1e-6 * size[2] + noise * c.zeta[i]);
    }
  }
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
}

static void test_derivatives(void) {
  static const double near[PARAMETERS] = { 1.93, 287.0, 402.0, -0.21 };
  static const double far[PARAMETERS] = { 0.83, 9300.0, 13.7, -0.13 };
  for (int damping = 0; damping < 3; damping++) {
    differentiate(damping, 2, near);
    differentiate(damping, 6, far);
    differentiate(damping, 49, far);
  }
}

/* ---- the rest ---- */

/* A function of p alone, to the last digit. */
static void test_no_history(void) {
  static const double first[PARAMETERS] = { 1.93, 287.0, 402.0, -0.21 };
  static const double other[PARAMETERS] = { 4.71, 15.3, 9000.0, -0.63 };
  const ptrdiff_t mode[2] = { 1, 5 };
  double q[LEVELS], omega[LEVELS], zeta[LEVELS];
  ms_structure *s = make(NULL, 0);
  fill_levels(q);
  ms_backbone_model *model = make_model(s, q, 2, mode);
  CHECK_OK(ms_backbone_model_eval(model, first, 0));
  memcpy(omega, ms_backbone_model_curve(model, 1).omega, sizeof omega);
  memcpy(zeta, ms_backbone_model_curve(model, 1).zeta, sizeof zeta);
  CHECK_OK(ms_backbone_model_eval(model, other, 1));
  CHECK(memcmp(omega, ms_backbone_model_curve(model, 1).omega, sizeof omega) != 0);
  CHECK_OK(ms_backbone_model_eval(model, first, 1));
  CHECK(memcmp(omega, ms_backbone_model_curve(model, 1).omega, sizeof omega) == 0);
  CHECK(memcmp(zeta, ms_backbone_model_curve(model, 1).zeta, sizeof zeta) == 0);
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
}

/* One value in two joints: the derivative is the sum of theirs. Amplitudes may repeat. */
static void test_shared(void) {
  const ms_parameter_place both[] = { { 0, 0, "K_T" }, { 1, 0, "K_T" } };
  const ms_free_parameter shared = { "K_T", 2, both };
  const double q[] = { 0.31, 0.31, 1.27 }, K = 293.0, p[PARAMETERS] = { 2.385, K, K, -0.37 };
  const ms_curve_request request = { 3, 3, q };
  ms_backbone_model *one = NULL, *two = NULL;
  ms_structure *s = make(NULL, 0), *t = make(NULL, 0);
  CHECK_OK(ms_backbone_model_create(s, 1, &shared, 1, &request, &one));
  CHECK_OK(ms_backbone_model_create(t, PARAMETERS, four, 1, &request, &two));
  CHECK_OK(ms_backbone_model_eval(one, &K, 1));
  CHECK_OK(ms_backbone_model_eval(two, p, 1));
  ms_curve_values a = ms_backbone_model_curve(one, 0), b = ms_backbone_model_curve(two, 0);
  for (int i = 0; i < 3; i++) {
    CHECK_CLOSE(a.omega_p[i], b.omega_p[i + 3] + b.omega_p[i + 6], 1e-10);
    CHECK_CLOSE(a.zeta_p[i], b.zeta_p[i + 3] + b.zeta_p[i + 6], 1e-10);
  }
  CHECK_EQUAL(a.omega[0] == a.omega[1] && a.omega_p[0] == a.omega_p[1], 1);
  double got = 0.0;
  CHECK_OK(ms_backbone_model_get(one, &got));
  CHECK_CLOSE(got, K, 1e-15);
  ms_backbone_model_destroy(&one);
  ms_backbone_model_destroy(&two);
  CHECK_OK(ms_joint_get(ms_structure_get_joint(s, 1), "K_T", &got));
  CHECK_CLOSE(got, 271.0, 1e-15); /* as it was */
  ms_structure_destroy(&s);
  ms_structure_destroy(&t);
}

/* A spring beside an Iwan element is a member. */
static void test_members(void) {
  const ms_parameter_place spring = { 0, 1, "K" }, slip = { 0, 0, "F_S" };
  const ms_free_parameter free_two[] = { { "K", 1, &spring }, { "F_S", 1, &slip } };
  const double q[] = { 0.31, 1.27 }, p[] = { 17.3, 2.21 };
  const ms_curve_request request = { 0, 2, q };
  const ptrdiff_t from = 0, to = 2;
  ms_structure *s = NULL;
  ms_joint *pair = NULL;
  ms_joint *a = test_joint("iwan4", "F_S", 2.385, "K_T", 71.0, "chi", -0.43, "beta", 1.37, NULL);
  ms_joint *b = test_joint("linear", "K", 23.1, NULL);
  CHECK_OK(ms_joint_create_parallel(test_context(), 1, &pair));
  CHECK_OK(ms_joint_take_member(pair, &a, NULL));
  CHECK_OK(ms_joint_take_member(pair, &b, NULL));
  CHECK_OK(ms_joint_setup(pair));
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.3 + 0.2 * (double)i));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 90.0 + 7.0 * (double)i));
  }
  CHECK_OK(ms_structure_take_joint(s, "pair", &pair, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  ms_backbone_model *model = NULL;
  CHECK_OK(ms_backbone_model_create(s, 2, free_two, 1, &request, &model));
  CHECK_OK(ms_backbone_model_eval(model, p, 1));
  ms_curve_values c = ms_backbone_model_curve(model, 0);
  double slope = c.omega_p[0], up, h = 1e-3;
  CHECK_OK(ms_backbone_model_eval(model, (const double[]) { p[0] + h, p[1] }, 0));
  up = ms_backbone_model_curve(model, 0).omega[0];
  CHECK_OK(ms_backbone_model_eval(model, (const double[]) { p[0] - h, p[1] }, 0));
  CHECK_CLOSE(slope, (up - ms_backbone_model_curve(model, 0).omega[0]) / (2.0 * h), 1e-6);
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
}

/* A law without Masing's rules is cycled, and has no exact derivatives: differences take over. */
static void test_differences(void) {
  const ms_parameter_place place = { 0, 0, "F_c" };
  const ms_free_parameter one = { "F_c", 1, &place };
  const double q[] = { 0.031, 0.127 }, p = 2.385, h = 0.01;
  const ms_curve_request request = { 0, 2, q };
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  ms_joint *j = test_joint("dahl", "F_c", 2.9, "sigma_0", 83.0, NULL);
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (ptrdiff_t i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.3 + 0.2 * (double)i));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 90.0 + 7.0 * (double)i));
  }
  CHECK_OK(ms_structure_take_joint(s, "bristle", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  ms_backbone_model *model = NULL;
  CHECK_OK(ms_backbone_model_create(s, 1, &one, 1, &request, &model));
  CHECK_OK(ms_backbone_model_eval(model, &p, 1));
  ms_curve_values c = ms_backbone_model_curve(model, 0);
  CHECK(c.by_differences);
  double slope[2] = { c.omega_p[1], c.zeta_p[1] }, value[2] = { c.omega[1], c.zeta[1] }, up[2];
  CHECK_OK(ms_backbone_model_eval(model, (const double[]) { p + h }, 0));
  c = ms_backbone_model_curve(model, 0);
  up[0] = c.omega[1], up[1] = c.zeta[1];
  CHECK_OK(ms_backbone_model_eval(model, (const double[]) { p - h }, 0));
  c = ms_backbone_model_curve(model, 0);
  CHECK_CLOSE(slope[0], (up[0] - c.omega[1]) / (2.0 * h), 1e-3);
  CHECK_CLOSE(slope[1], (up[1] - c.zeta[1]) / (2.0 * h), 1e-3);
  CHECK_OK(ms_backbone_model_eval(model, &p, 0)); /* what the differences left are values at p */
  c = ms_backbone_model_curve(model, 0);
  CHECK_EQUAL(c.omega[1] == value[0] && c.zeta[1] == value[1], 1);
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
}

static void test_refusals(void) {
  const ms_parameter_place bad[] = { { 0, 0, "F_X" }, { 0, 0, "phi_max" }, { 7, 0, "K_T" } };
  const double q[] = { 0.31, 1.27 }, falls[] = { 1.27, 0.31 };
  ms_curve_request request = { 0, 2, q };
  ms_backbone_model *model = NULL;
  ms_structure *s = make(NULL, 0);
  ms_free_parameter one = { "it", 1, &bad[0] };
  CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 1, &request, &model), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "did you mean 'F_S'");
  one.place = &bad[1];
  CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 1, &request, &model), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "follows from the parameters");
  one.place = &bad[2];
  CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 1, &request, &model), MS_ERR_ARGUMENT);
  one.place = &places[1];
  request.q = falls;
  CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 1, &request, &model), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "amplitude 2 is 0.31");
  const double none[][2] = { { 0.0, 1.27 }, { NAN, 1.27 }, { 0.31, HUGE_VAL }, { -0.1, 1.27 } };
  for (int i = 0; i < 4; i++) {
    request.q = none[i];
    CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 1, &request, &model), MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(test_context()),
              i == 2 ? "amplitude 2 is inf" : "amplitude 1 is ");
  }
  request.q = q;
  request.n = 0;
  CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 1, &request, &model), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "a curve needs an amplitude");
  request.n = 2;
  CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 0, &request, &model), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "a backbone model needs a parameter and a curve");
  one.n_place = 0;
  CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 1, &request, &model), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "it belongs to no joint");
  one.n_place = 1;
  const ms_parameter_place word = { 0, 0, "spacing" };
  one.place = &word;
  CHECK_STATUS(ms_backbone_model_create(s, 1, &one, 1, &request, &model), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "it is no number that could be searched for");
  one.place = &places[1];
  CHECK_OK(ms_backbone_model_create(s, 1, &one, 1, &request, &model));
  ptrdiff_t curve = 7, point = 7;
  CHECK_STATUS(ms_backbone_model_eval(model, (const double[]) { -3.1 }, 0), MS_NOT_CONVERGED);
  ms_backbone_model_get_failure(model, &curve, &point);
  CHECK_EQUAL(curve, -1);
  CHECK_OK(ms_backbone_model_eval(model, (const double[]) { 293.0 }, 0));
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
}

static ms_status work(ms_context *ctx, void *user) {
  const double q[] = { 0.31, 1.27 }, p[PARAMETERS] = { 1.93, 9300.0, 402.0, -0.21 };
  const ms_curve_request request = { 0, 2, q };
  const ptrdiff_t from = 0, to = 1;
  ms_backbone_model *model = NULL;
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  (void)user;
  ms_status status = ms_structure_create(ctx, 3, NULL, &s);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < 3; i++) {
    status = ms_structure_add_mass(s, i, 1.3 + 0.1 * (double)i);
    if (status == MS_SUCCESS) status = ms_structure_add_spring(s, i - 1, i, 91.0);
  }
  for (int k = 0; status == MS_SUCCESS && k < 2; k++) {
    const ptrdiff_t a = from + k, b = to + k;
    status = ms_joint_create(ctx, "iwan4", &j);
    if (status == MS_SUCCESS) status = ms_joint_set_typical(j);
    if (status == MS_SUCCESS) status = ms_joint_setup(j);
    if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "j", &j, &a, &b);
  }
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) {
    status = ms_backbone_model_create(s, PARAMETERS, four, 1, &request, &model);
  }
  if (status == MS_SUCCESS) status = ms_backbone_model_eval(model, p, 1);
  ms_backbone_model_destroy(&model);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_errors(void) {
  CHECK(test_allocations(work, NULL) > 30);
}

int main(void) {
  TEST(test_follow);
  TEST(test_derivatives);
  TEST(test_no_history);
  TEST(test_shared);
  TEST(test_members);
  TEST(test_differences);
  TEST(test_refusals);
  TEST(test_memory_errors);
  return test_finish();
}
