/* Measured loops of one joint: forces against Masing's branches written out here and against every
   law's own path; derivatives, refusals, cycles, a fit. */
#include <math.h>
#include <microslip/calibrate.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

enum { POINTS = 60, FREE = 4 };

static const double truth[FREE] = { 10.3, 1.07, -0.43, 4.7 },
                    away[FREE] = { 13.7, 0.83, -0.31, 3.7 };
static const ms_parameter_place lap[FREE] = {
  { 0, 0, "F_S" }, { 0, 0, "K_T" }, { 0, 0, "chi" }, { 0, 0, "beta" }
};
static const ms_free_parameter four[FREE] = { { "F_S of lap", 1, &lap[0] },
                                              { "K_T of lap", 1, &lap[1] },
                                              { "chi of lap", 1, &lap[2] },
                                              { "beta of lap", 1, &lap[3] } };

static ms_structure *attach_iwan(void) {
  return test_attachment(test_joint("iwan4", "F_S", truth[0], "K_T", truth[1], "chi", truth[2],
                                    "beta", truth[3], NULL));
}

/* ---- branches, written out ---- */

static double first_loading(const double *p, double u) {
  const double F_S = p[0], K_T = p[1], chi = p[2], beta = p[3];
  const double phi = F_S * (1 + beta) / (K_T * (beta + (chi + 1) / (chi + 2)));
  const double R = K_T * (chi + 1) / (pow(phi, chi + 1) * (1 + beta));
  if (fabs(u) > phi) return copysign(F_S, u);
  return K_T * u - R * pow(fabs(u), chi + 1) * u / ((chi + 1) * (chi + 2));
}

typedef struct record {
  double u[POINTS], force[POINTS], t[POINTS];
} record;

/* Up to A, down to -A, up to A: first loading, then Masing's branches from each turn. */
static record make_record(const double *p, double A) {
  record x;
  const int third = POINTS / 3;
  for (int i = 0; i < POINTS; i++) {
    const double s = (double)(i % third + 1) / third;
    const double turn = i < third ? 0.0 : i < 2 * third ? A : -A;
    const double F = first_loading(p, turn);
    x.u[i] = i < third ? A * s : turn * (1.0 - 2.0 * s);
    x.force[i] =
        i < third ? first_loading(p, x.u[i]) : F + 2.0 * first_loading(p, 0.5 * (x.u[i] - turn));
    x.t[i] = 0.013 * i;
  }
  return x;
}

static ms_target target_of(const record *x) {
  return (ms_target) { .kind = MS_TARGET_LOOP,
                       .name = "loop.csv",
                       .weight = { 1.7 },
                       .n = POINTS,
                       .x = x->u,
                       .y = { x->force },
                       .is.loop.cycles = 1 };
}

/* Micro- and macroslip. */
static void test_residuals(void) {
  static const double amplitude[2] = { 4.3, 21.7 };
  for (int k = 0; k < 2; k++) {
    ms_structure *s = attach_iwan();
    const record want = make_record(truth, amplitude[k]), got = make_record(away, amplitude[k]);
    const ms_target target = target_of(&want);
    ms_calibration *l = NULL;
    double r[POINTS], f[2], sum = 0.0;
    const double ends = 2.0 * first_loading(truth, amplitude[k]);
    CHECK_OK(ms_calibration_create(s, FREE, four, 1, &target, &l));
    CHECK_EQUAL(ms_calibration_count_residuals(l), POINTS);
    CHECK_OK(ms_calibration_eval(l, away, r, NULL));
    CHECK_OK(ms_calibration_objectives(l, away, f));
    const ms_target_view v = ms_calibration_view(l, 0);
    CHECK_CLOSE(v.scale[0], ends, 1e-13);
    for (int i = 0; i < POINTS; i++) {
      const double e = (got.force[i] - want.force[i]) / ends;
      CHECK_NEAR(r[i], sqrt(1.7) * e, 1e-12);
      CHECK_NEAR(v.model[0][i], got.force[i], 1e-11);
      sum += e * e / POINTS;
    }
    CHECK_CLOSE(f[0], sum, 1e-10);
    CHECK_EQUAL(ms_calibration_view(l, 0).row[3], 4);
    ms_calibration_destroy(&l);
    ms_structure_destroy(&s);
  }
}

/* A record of the steady loop alone, begun in its middle: the second lap is it. */
static void test_laps(void) {
  const record x = make_record(truth, 4.3);
  const int from = POINTS / 3 + 7, n = 2 * POINTS / 3;
  double u[POINTS], force[POINTS], f[2];
  for (int i = 0; i < n; i++) {
    const int k = (from - POINTS / 3 + i) % n + POINTS / 3;
    u[i] = x.u[k], force[i] = x.force[k];
  }
  ms_target target = target_of(&x);
  target.n = n, target.x = u, target.y[0] = force;
  for (int cycles = 1; cycles < 3; cycles++) {
    ms_structure *s = attach_iwan();
    ms_calibration *l = NULL;
    target.is.loop.cycles = cycles;
    CHECK_OK(ms_calibration_create(s, FREE, four, 1, &target, &l));
    CHECK_OK(ms_calibration_objectives(l, truth, f));
    if (cycles == 1) CHECK(f[0] > 1e-6);
    if (cycles == 2) CHECK_BELOW(f[0], 1e-24);
    ms_calibration_destroy(&l);
    ms_structure_destroy(&s);
  }
}

/* ---- derivatives ---- */

static void check_jacobian(ms_calibration *l, ptrdiff_t n, const double *at, double tolerance) {
  double J[2 * POINTS * 8], r[2 * POINTS], up[2 * POINTS], down[2 * POINTS], p[8];
  const ptrdiff_t m = ms_calibration_count_residuals(l);
  if (!CHECK_OK(ms_calibration_eval(l, at, r, J))) return;
  for (ptrdiff_t j = 0; j < n; j++) {
    const double scale = at[j] != 0.0 ? fabs(at[j]) : 1.0, h = 1e-5 * scale;
    memcpy(p, at, (size_t)n * sizeof *p);
    p[j] = at[j] + h;
    if (ms_calibration_eval(l, p, up, NULL) != MS_SUCCESS) continue; /* at a bound */
    p[j] = at[j] - h;
    if (ms_calibration_eval(l, p, down, NULL) != MS_SUCCESS) continue;
    for (ptrdiff_t i = 0; i < m; i++) {
      const double d = (up[i] - down[i]) / (2.0 * h);
      if (!CHECK_NEAR(J[i + m * j] * scale, d * scale, tolerance * (1.0 + fabs(d * scale))))
        printf("#   row %td, parameter %td\n", i, j);
    }
  }
}

static void test_jacobian(void) {
  ms_structure *s = attach_iwan();
  const record x = make_record(truth, 4.3), y = make_record(truth, 7.9);
  const ms_target target[2] = { target_of(&x), target_of(&y) };
  ms_calibration *l = NULL;
  CHECK_OK(ms_calibration_create(s, FREE, four, 2, target, &l));
  check_jacobian(l, FREE, away, 1e-8);
  CHECK_EQUAL(ms_calibration_view(l, 0).by_differences, 0);
  ms_calibration_destroy(&l);
  ms_structure_destroy(&s);
}

/* One value in two places of a joint of three members. */
static void test_members(void) {
  static const ms_parameter_place K[2] = { { 0, 1, "K" }, { 0, 2, "K" } }, F_S = { 0, 0, "F_S" };
  const ms_free_parameter two[2] = { { "K", 2, K }, { "F_S", 1, &F_S } };
  const double at[2] = { 0.317, 9.1 };
  ms_joint *whole = NULL;
  ms_joint *member[3] = {
    test_joint("iwan4", "F_S", truth[0], "K_T", truth[1], "chi", truth[2], "beta", truth[3], NULL),
    test_joint("linear", "K", 0.2, NULL), test_joint("linear", "K", 0.3, NULL)
  };
  CHECK_OK(ms_joint_create_parallel(test_context(), 1, &whole));
  for (int i = 0; i < 3; i++) CHECK_OK(ms_joint_take_member(whole, &member[i], NULL));
  CHECK_OK(ms_joint_setup(whole));
  ms_structure *s = test_attachment(whole);
  const record x = make_record(truth, 4.3);
  ms_target target = target_of(&x);
  target.y[1] = x.t; /* a spring's dashpot knows time */
  ms_calibration *l = NULL;
  double r[POINTS], p[FREE];
  memcpy(p, truth, sizeof p);
  p[0] = at[1];
  const record moved = make_record(p, 4.3);
  CHECK_OK(ms_calibration_create(s, 2, two, 1, &target, &l));
  CHECK_OK(ms_calibration_eval(l, at, r, NULL));
  for (int i = 0; i < POINTS; i++)
    CHECK_NEAR(ms_calibration_view(l, 0).model[0][i], moved.force[i] + 2.0 * at[0] * x.u[i], 1e-11);
  check_jacobian(l, 2, at, 1e-8);
  CHECK_EQUAL(ms_calibration_view(l, 0).by_differences, 0);
  ms_calibration_destroy(&l);
  ms_structure_destroy(&s);
}

/* A parameter of two joints, and one of the other joint alone: that moves nothing here. */
static void test_other_joint(void) {
  static const ms_parameter_place both[2] = { { 0, 0, "F_S" }, { 1, 0, "F_S" } },
                                  other = { 1, 0, "K_T" };
  const ms_free_parameter two[2] = { { "F_S", 2, both }, { "K_T", 1, &other } };
  const double at[2] = { 2.9, 53.0 };
  ms_structure *s = test_frame(test_frame_iwan, 2);
  const record x = make_record(truth, 0.04);
  const ms_target target = target_of(&x);
  ms_calibration *l = NULL;
  double r[POINTS], J[2 * POINTS];
  CHECK_OK(ms_calibration_create(s, 2, two, 1, &target, &l));
  check_jacobian(l, 2, at, 1e-6);
  CHECK_OK(ms_calibration_eval(l, at, r, J));
  double largest[2] = { 0.0, 0.0 };
  for (int i = 0; i < 2 * POINTS; i++) largest[i / POINTS] = fmax(largest[i / POINTS], fabs(J[i]));
  CHECK(largest[0] > 1e-3);
  CHECK_NEAR(largest[1], 0.0, 0.0);
  ms_calibration_destroy(&l);
  ms_structure_destroy(&s);
}

/* ---- every law ---- */

static void check_law(const char *law) {
  ms_joint *j = test_typical(law);
  const ms_law_info *info = ms_joint_info(j);
  const double scale = test_scale(j);
  static double zero[POINTS], other[2][POINTS];
  record x;
  for (int i = 0; i < POINTS; i++) {
    x.t[i] = 0.003 + 0.0021 * i;
    x.u[i] = scale * (0.3 * sin(19.0 * x.t[i]) + 1.1 * sin(83.0 * x.t[i]));
  }
  ms_joint_path path = { .n = POINTS, .t = x.t, .u = { x.u, zero, zero } };
  path.force[0] = x.force, path.force[1] = other[0], path.force[2] = other[1];
  CHECK_OK(ms_joint_run_path(j, &path, NULL));
  ms_parameter_place place = { 0, 0, NULL };
  double at = 0.0, r[POINTS];
  for (int i = 0; i < info->n_param && !place.param; i++) {
    const ms_param *p = &info->param[i];
    if (p->kind == MS_PARAM_NUMBER) place.param = p->name;
  }
  if (!place.param) {
    ms_joint_destroy(&j);
    return;
  }
  CHECK_OK(ms_joint_get(j, place.param, &at));
  ms_structure *s = test_attachment(j);
  const ms_free_parameter one = { place.param, 1, &place };
  ms_target target = target_of(&x);
  ms_calibration *l = NULL;
  target.y[1] = x.t;
  if (CHECK_OK(ms_calibration_create(s, 1, &one, 1, &target, &l))) {
    CHECK_OK(ms_calibration_eval(l, &at, r, NULL));
    for (int i = 0; i < POINTS; i++) CHECK_NEAR(r[i], 0.0, 1e-11);
    check_jacobian(l, 1, &at, 1e-6);
  }
  ms_calibration_destroy(&l);
  ms_structure_destroy(&s);
}

static void test_every_law(void) {
  for (int i = 0; i < ms_joint_count_laws(); i++) check_law(ms_joint_get_law(i)->name);
}

/* ---- refusals ---- */

static void refuse(const ms_target *target, ms_structure *s, ms_status want, const char *word) {
  ms_calibration *l = NULL;
  CHECK_STATUS(ms_calibration_create(s, FREE, four, 1, target, &l), want);
  CHECK(l == NULL);
  CHECK_HAS(ms_context_message(test_context()), word);
}

static void test_refusals(void) {
  static int row[POINTS];
  ms_structure *s = attach_iwan();
  record x = make_record(truth, 4.3);
  ms_target t = target_of(&x);
  for (int i = 0; i < POINTS; i++) row[i] = i + 12;
  t.n = 4;
  refuse(&t, s, MS_ERR_ARGUMENT, "loop.csv: a loop has 4 points; it takes 5");
  t.n = POINTS;
  t.is.loop.cycles = 0;
  refuse(&t, s, MS_ERR_BOUNDS, "cycles 0");
  t.is.loop.cycles = 1;
  t.weight[0] = 0.0;
  refuse(&t, s, MS_ERR_BOUNDS, "weight 0");
  t.weight[0] = 1.0;
  t.is.loop.joint = 2;
  refuse(&t, s, MS_ERR_ARGUMENT, "no joint 2");
  t.is.loop.joint = 0;
  t.y[1] = x.t;
  t.row = row;
  x.t[7] = x.t[6];
  refuse(&t, s, MS_ERR_BOUNDS, "loop.csv: time does not rise in row 19: 0.078 after 0.078");
  x.force[3] = (double)NAN;
  refuse(&t, s, MS_ERR_BOUNDS, "loop.csv: row 15 is not finite");
  t.y[1] = NULL;
  for (int i = 0; i < POINTS; i++) x.force[i] = 2.385;
  refuse(&t, s, MS_ERR_BOUNDS, "force is the same in all rows");
  for (int i = 0; i < POINTS; i++) x.u[i] = 2.385;
  refuse(&t, s, MS_ERR_BOUNDS, "displacement is the same in all rows");
  ms_structure_destroy(&s);
}

static void test_needs_time(void) {
  static const ms_parameter_place place = { 0, 0, "sigma_0" };
  const ms_free_parameter one = { "sigma_0", 1, &place };
  ms_structure *s = test_attachment(test_typical("lugre"));
  const record x = make_record(truth, 4.3);
  const ms_target t = target_of(&x);
  ms_calibration *l = NULL;
  CHECK_STATUS(ms_calibration_create(s, 1, &one, 1, &t, &l), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "law lugre knows time");
  ms_structure_destroy(&s);
}

/* ---- a fit, to macroslip: all four ---- */

static void test_finds_the_joint(void) {
  static const ms_fit_parameter bounds[FREE] = { { "F_S", 1.3, 97.0, 1, 0.0 },
                                                 { "K_T", 0.11, 9.3, 1, 0.0 },
                                                 { "chi", -0.93, -0.07, 0, 0.0 },
                                                 { "beta", 0.21, 43.0, 1, 0.0 } };
  ms_structure *s = attach_iwan();
  const record x = make_record(truth, 21.7), y = make_record(truth, 4.3);
  const ms_target target[2] = { target_of(&x), target_of(&y) };
  ms_calibration *l = NULL;
  double p[FREE] = { 23.0, 0.7, -0.3, 2.1 };
  ms_fit_local local;
  CHECK_OK(ms_calibration_create(s, FREE, four, 2, target, &l));
  const ms_fit_problem problem = { FREE, 2 * POINTS, bounds, ms_calibration_eval, l, 1 };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  for (int i = 0; i < FREE; i++) CHECK_CLOSE(p[i], truth[i], 1e-6);
  ms_calibration_destroy(&l);
  double back;
  CHECK_OK(ms_joint_get(ms_structure_get_joint(s, 0), "beta", &back));
  CHECK_NEAR(back, truth[3], 0.0);
  ms_structure_destroy(&s);
}

static ms_status work(ms_context *ctx, void *user) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  const ms_target target = target_of(user);
  ms_calibration *l = NULL;
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  double r[POINTS], J[POINTS * FREE];
  ms_status status = ms_structure_create(ctx, 1, NULL, &s);
  if (status == MS_SUCCESS) status = ms_structure_add_mass(s, 0, 1.3);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, MS_GROUND, 0, 91.0);
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "iwan4", &j);
  if (status == MS_SUCCESS) status = ms_joint_set_typical(j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "j", &j, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_calibration_create(s, FREE, four, 1, &target, &l);
  if (status == MS_SUCCESS) status = ms_calibration_eval(l, truth, r, J);
  ms_calibration_destroy(&l);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_failing_memory(void) {
  record x = make_record(truth, 4.3);
  CHECK(test_allocations(work, &x) > 25);
}

int main(void) {
  TEST(test_residuals);
  TEST(test_laps);
  TEST(test_jacobian);
  TEST(test_members);
  TEST(test_other_joint);
  TEST(test_every_law);
  TEST(test_refusals);
  TEST(test_needs_time);
  TEST(test_finds_the_joint);
  TEST(test_failing_memory);
  return test_finish();
}
