/* Targets: residuals, their derivatives and objectives as they are defined, what is refused and
   with which rows, and a fit that finds the joints the targets were made with. */
#include <math.h>
#include <microslip/calibrate.h>
#include <microslip/quasistatic.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

enum { POINTS = 9, FREE = 4 };

static const ms_parameter_place lap[FREE] = {
  { 0, 0, "F_S" }, { 0, 0, "K_T" }, { 0, 0, "chi" }, { 0, 0, "beta" }
};
static const ms_free_parameter four[FREE] = { { "F_S of lap", 1, &lap[0] },
                                              { "K_T of lap", 1, &lap[1] },
                                              { "chi of lap", 1, &lap[2] },
                                              { "beta of lap", 1, &lap[3] } };
static const double away[FREE] = { 13.7, 0.83, -0.31, 3.7 };

/* Points of a mode, by quasi-static modes directly. */
typedef struct points {
  double q[POINTS], omega[POINTS], zeta[POINTS], zeta_joint[POINTS];
} points;

static points make_points(ms_structure *s, ptrdiff_t mode, double low, double high) {
  points p;
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  setting.mode = mode;
  CHECK_OK(ms_quasistatic_space(test_context(), low, high, POINTS, p.q));
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_quasistatic_run(run, POINTS, p.q));
  for (int i = 0; i < POINTS; i++) {
    const ms_quasistatic_level *level = ms_quasistatic_get_level(run, i);
    p.omega[i] = level->omega, p.zeta[i] = level->zeta, p.zeta_joint[i] = level->zeta_joint;
  }
  ms_quasistatic_destroy(&run);
  return p;
}

static ms_target target_of(const points *p, ptrdiff_t mode) {
  return (ms_target) { .weight = { 1.7, 0.6 },
                       .n = POINTS,
                       .x = p->q,
                       .y = { p->omega, p->zeta },
                       .is.curve.mode = mode };
}

/* The same masses and springs set up with the other joint. */
static points make_away(ptrdiff_t mode, const points *at) {
  ms_structure *t = NULL;
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &t));
  const double zeta[3] = { 1.3e-4, 1.3e-4, 1.3e-4 };
  const ptrdiff_t from = 1, to = 2;
  ms_joint *own = NULL;
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &own));
  for (int i = 0; i < FREE; i++) CHECK_OK(ms_joint_set(own, lap[i].param, away[i]));
  CHECK_OK(ms_joint_setup(own));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(t, i, 10.0));
    CHECK_OK(ms_structure_add_spring(t, i - 1, i, 9.0));
  }
  CHECK_OK(ms_structure_take_joint(t, "lap", &own, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(t, zeta));
  CHECK_OK(ms_structure_setup(t));
  points p = make_points(t, mode, at->q[0], at->q[POINTS - 1]);
  ms_structure_destroy(&t);
  return p;
}

/* By their definition, each with another weight and window. */
static void test_residuals(void) {
  ms_structure *s = test_three_mass(1.3e-4);
  points want = make_points(s, 1, 0.137, 61.3), got = make_away(1, &want);
  ms_target target = target_of(&want, 1);
  target.low = 0.9 * want.q[2];
  ms_calibration *c = NULL;
  CHECK_OK(ms_calibration_create(s, FREE, four, 1, &target, &c));
  CHECK_EQUAL(ms_calibration_count_residuals(c), 2 * (POINTS - 2));
  CHECK_EQUAL(ms_calibration_view(c, 0).row[0], 3);
  double r[2 * POINTS], f[2], shift = want.omega[2] - want.omega[POINTS - 1], sum[2] = { 0, 0 };
  CHECK_OK(ms_calibration_eval(c, away, r, NULL));
  CHECK_OK(ms_calibration_objectives(c, away, f));
  for (int i = 2; i < POINTS; i++) {
    double e = got.omega[i] / want.omega[i] - 1.0, z = got.zeta[i] / want.zeta[i];
    CHECK_CLOSE(r[i - 2], sqrt(1.7) * (got.omega[i] - want.omega[i]) / shift, 1e-9);
    CHECK_CLOSE(r[POINTS - 4 + i], sqrt(0.6) * log(z), 1e-9);
    sum[0] += e * e / (POINTS - 2);
    sum[1] += (z - 1.0) * (z - 1.0) / (POINTS - 2);
  }
  CHECK_CLOSE(f[0], sum[0], 1e-9);
  CHECK_CLOSE(f[1], sum[1], 1e-9);
  ms_calibration_destroy(&c);
  ms_structure_destroy(&s);
}

/* Against central differences, for total damping and the joints' part. */
static void test_jacobian(void) {
  for (int joint_part = 0; joint_part < 2; joint_part++) {
    ms_structure *s = test_three_mass(1.3e-4);
    points want = make_points(s, 1, 0.137, 61.3);
    ms_target target = target_of(&want, 1);
    target.is.curve.joint_part = joint_part;
    ms_calibration *c = NULL;
    CHECK_OK(ms_calibration_create(s, FREE, four, 1, &target, &c));
    double r[2 * POINTS], J[2 * POINTS * FREE], up[2 * POINTS], down[2 * POINTS], p[FREE];
    CHECK_OK(ms_calibration_eval(c, away, r, J));
    for (int j = 0; j < FREE; j++) {
      double h = 1e-5 * fabs(away[j]);
      memcpy(p, away, sizeof p);
      p[j] = away[j] + h;
      CHECK_OK(ms_calibration_eval(c, p, up, NULL));
      p[j] = away[j] - h;
      CHECK_OK(ms_calibration_eval(c, p, down, NULL));
      for (int i = 0; i < 2 * POINTS; i++) {
        double d = (up[i] - down[i]) / (2.0 * h);
        CHECK_NEAR(J[i + 2 * POINTS * j], d, 1e-6 * fabs(d) + 1e-8 / fabs(away[j]));
      }
    }
    ms_calibration_destroy(&c);
    ms_structure_destroy(&s);
  }
}

/* Modes 2 and 3, from the middle of the bounds: the joint that made them. */
static void test_finds_the_joint(void) {
  static const ms_fit_parameter bounds[FREE] = { { "F_S", 1.3, 97.0, 1, 0.0 },
                                                 { "K_T", 0.11, 9.3, 1, 0.0 },
                                                 { "chi", -0.93, -0.07, 0, 0.0 },
                                                 { "beta", 0.21, 43.0, 1, 0.0 } };
  static const double truth[FREE] = { 10.0, 1.0, -0.5, 5.0 };
  ms_structure *s = test_three_mass(1.3e-4);
  points two = make_points(s, 1, 0.137, 161.3), three = make_points(s, 2, 0.137, 161.3);
  ms_target target[2] = { target_of(&two, 1), target_of(&three, 2) };
  ms_calibration *c = NULL;
  CHECK_OK(ms_calibration_create(s, FREE, four, 2, target, &c));
  ms_fit_problem problem = { FREE,   ms_calibration_count_residuals(c),
                             bounds, ms_calibration_eval,
                             c,      1 };
  double p[FREE] = { 23.0, 0.7, -0.3, 2.1 };
  ms_fit_local local;
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  CHECK_BELOW(local.sum, 1e-15);
  for (int i = 0; i < FREE; i++) CHECK_CLOSE(p[i], truth[i], 1e-6);
  ms_calibration_destroy(&c);
  ms_structure_destroy(&s);
}

/* ---- what is of no joint ---- */

/* The damping ratio of mode 2 beside the joint: derivatives, and found from both modes' curves. The
   structure has its own back. */
static void test_damping_ratio(void) {
  enum { FIVE = FREE + 1, ROWS = 4 * POINTS };
  static const ms_fit_parameter bounds[FIVE] = { { "F_S", 1.3, 97.0, 1, 0.0 },
                                                 { "K_T", 0.11, 9.3, 1, 0.0 },
                                                 { "chi", -0.93, -0.07, 0, 0.0 },
                                                 { "beta", 0.21, 43.0, 1, 0.0 },
                                                 { "damping", 1e-5, 1e-2, 1, 0.0 } };
  static const double truth[FIVE] = { 10.0, 1.0, -0.5, 5.0, 1.3e-4 };
  const ms_parameter_place ratio = { MS_PLACE_DAMPING, 1, NULL };
  double p[FIVE] = { 23.0, 0.7, -0.3, 2.1, 9e-4 }, r[ROWS], J[ROWS * FIVE], up[ROWS], down[ROWS];
  ms_structure *s = test_three_mass(1.3e-4);
  points two = make_points(s, 1, 0.137, 161.3), three = make_points(s, 2, 0.137, 161.3);
  ms_target target[2] = { target_of(&two, 1), target_of(&three, 2) };
  ms_free_parameter five[FIVE];
  ms_calibration *c = NULL;
  ms_fit_local local;
  memcpy(five, four, sizeof four);
  five[FREE] = (ms_free_parameter) { "damping of mode.2", 1, &ratio };
  CHECK_OK(ms_calibration_create(s, FIVE, five, 2, target, &c));
  CHECK_EQUAL(ms_calibration_count_residuals(c), ROWS);
  CHECK_OK(ms_calibration_eval(c, p, r, J));
  const double h = 1e-4 * p[FREE];
  p[FREE] += h;
  CHECK_OK(ms_calibration_eval(c, p, up, NULL));
  p[FREE] -= 2.0 * h;
  CHECK_OK(ms_calibration_eval(c, p, down, NULL));
  p[FREE] += h;
  for (int i = 0; i < ROWS; i++) {
    const double d = (up[i] - down[i]) / (2.0 * h);
    CHECK_NEAR(J[i + ROWS * FREE], d, 1e-6 * fabs(d) + 1e-8 / p[FREE]);
    CHECK((d != 0.0) == (i >= POINTS && i < 2 * POINTS)); /* the damping of mode 2 */
  }
  ms_fit_problem problem = { FIVE, ROWS, bounds, ms_calibration_eval, c, 1 };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  for (int i = 0; i < FIVE; i++) CHECK_CLOSE(p[i], truth[i], 1e-6);
  p[FREE] = 1.0;
  CHECK_STATUS(ms_calibration_eval(c, p, r, NULL), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "damping of mode.2");
  p[FREE] = 0.01;
  CHECK_OK(ms_calibration_eval(c, p, r, NULL));
  ms_calibration_destroy(&c);
  CHECK_NEAR(ms_structure_get_damping_ratio(s, 1), 1.3e-4, 1e-18);
  const ms_parameter_place none = { MS_PLACE_DAMPING, 3, NULL }, tip = { MS_PLACE_GAIN, 2, NULL };
  five[FREE].place = &none;
  CHECK_STATUS(ms_calibration_create(s, FIVE, five, 2, target, &c), MS_ERR_ARGUMENT);
  five[FREE] = (ms_free_parameter) { "gain of sensor.u3", 1, &tip };
  CHECK_STATUS(ms_calibration_create(s, FIVE, five, 2, target, &c), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "gain of sensor.u3: gains are those of a hammer");
  ms_structure_destroy(&s);
}

/* Masses and springs of the three-mass chain with its joint. */
static ms_structure *make_chain(double F_S, double m_2, double k_1, double k_3) {
  const double m[3] = { 10.0, m_2, 10.0 }, k[3] = { k_1, 9.0, k_3 };
  const double zeta[3] = { 1.3e-4, 2.7e-4, 4.1e-4 };
  const ptrdiff_t from = 1, to = 2;
  ms_structure *s = NULL;
  ms_joint *j = test_joint("iwan4", "F_S", F_S, "K_T", 1.0, "chi", -0.5, "beta", 5.0, NULL);
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_named_spring(s, i == 2 ? "tip" : NULL, i - 1, i, k[i]));
  }
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* A slip force, a mass and two springs: curves are those of a structure that is made with them, in
   any order of evaluations; they are found; the structure keeps its own. */
static void test_matrices(void) {
  enum { N = 4, ROWS = 6 * POINTS };
  static const ms_parameter_place at[N] = { { 0, 0, "F_S" },
                                            { MS_PLACE_MASS, 1, NULL },
                                            { MS_PLACE_SPRING, 0, NULL },
                                            { MS_PLACE_SPRING, 2, NULL } };
  static const ms_free_parameter parameter[N] = { { "F_S", 1, &at[0] },
                                                  { "mass.u2", 1, &at[1] },
                                                  { "spring.1", 1, &at[2] },
                                                  { "spring.tip", 1, &at[3] } };
  static const ms_fit_parameter bounds[N] = { { "F_S", 1.3, 97.0, 1, 0.0 },
                                              { "mass.u2", 2.0, 30.0, 1, 0.0 },
                                              { "spring.1", 3.0, 21.0, 0, 0.0 },
                                              { "spring.tip", 3.0, 21.0, 0, 0.0 } };
  static const double truth[N] = { 13.7, 11.9, 7.3, 10.6 };
  double p[N] = { 10.0, 10.0, 9.0, 9.0 }, r[ROWS], again[ROWS], omega[3];
  ms_structure *s = make_chain(p[0], p[1], p[2], p[3]);
  ms_structure *t = make_chain(truth[0], truth[1], truth[2], truth[3]);
  points point[3];
  ms_target target[3];
  ms_calibration *c = NULL;
  ms_fit_local local;
  for (int k = 0; k < 3; k++) {
    point[k] = make_points(t, k, 0.137, 161.3);
    target[k] = target_of(&point[k], k);
    omega[k] = ms_structure_get_stuck(s).omega[k];
  }
  CHECK_OK(ms_calibration_create(s, N, parameter, 3, target, &c));
  CHECK_OK(ms_calibration_eval(c, truth, r, NULL));
  for (int i = 0; i < ROWS; i++) CHECK_NEAR(r[i], 0.0, 1e-9);
  CHECK_EQUAL(ms_calibration_curve(c, 0).mac < 1.0, 1);
  CHECK_OK(ms_calibration_eval(c, p, r, NULL));
  p[1] = 0.0;
  CHECK_STATUS(ms_calibration_eval(c, p, again, NULL), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "mass.u2");
  p[1] = 10.0;
  CHECK_OK(ms_calibration_eval(c, p, again, NULL));
  CHECK(memcmp(r, again, sizeof r) == 0);
  const ms_fit_problem problem = ms_calibration_problem(c, bounds);
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  for (int i = 0; i < N; i++) CHECK_CLOSE(p[i], truth[i], 1e-6);
  ms_calibration_destroy(&c);
  for (int k = 0; k < 3; k++) CHECK(ms_structure_get_stuck(s).omega[k] == omega[k]);
  ms_structure_destroy(&t);
  ms_structure_destroy(&s);
}

/* Two oscillators, hardly connected: with a stiffer spring the first is the second mode. It is the
   same curve, with its own damping ratio. */
static void test_modes_change_places(void) {
  const ms_parameter_place at = { MS_PLACE_SPRING, 0, NULL };
  const ms_free_parameter parameter = { "spring.1", 1, &at };
  const double q[2] = { 1e-4, 3e-4 }, zeta[2] = { 1.3e-3, 5.9e-3 }, p = 4.7;
  const ms_curve_request request = { 0, 2, q };
  const ptrdiff_t from = 0, to = 1;
  ms_backbone_model *model = NULL;
  ms_structure *s = NULL;
  ms_joint *j = test_joint("iwan4", "F_S", 10.0, "K_T", 1e-3, "chi", -0.5, "beta", 5.0, NULL);
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (ptrdiff_t i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.0));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, 1.1 + 0.8 * (double)i));
  }
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_backbone_model_create(s, 1, &parameter, 1, &request, &model));
  CHECK_OK(ms_backbone_model_eval(model, &p, 1));
  const ms_curve_values c = ms_backbone_model_curve(model, 0);
  CHECK_CLOSE(c.omega[0], sqrt(4.7 + 1e-3), 1e-5);
  CHECK_CLOSE(c.zeta[0] - c.zeta_joint[0], 1.3e-3, 1e-5);
  CHECK_CLOSE(c.omega_p[0], 0.5 / c.omega[0], 1e-5);
  CHECK_CLOSE(c.mac, 1.0, 1e-4);
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
}

static void check_places(const ms_structure *s, const char *pattern, const char *param, int kind,
                         ptrdiff_t n, const int *member) {
  ms_parameter_place *place = NULL;
  ptrdiff_t found = 0;
  CHECK_OK(ms_parameter_find_places(s, pattern, param, &found, &place));
  CHECK_EQUAL(found, n);
  for (ptrdiff_t i = 0; i < found && i < n; i++) {
    CHECK_EQUAL(place[i].joint, kind);
    CHECK_EQUAL(place[i].member, member[i]);
    if (kind > MS_PLACE_SPRING) {
      CHECK(strcmp(ms_parameter_place_param(s, &place[i])->name, param) == 0);
    }
  }
  ms_free(test_context(), &place);
}

static void test_names(void) {
  static const int three[3] = { 0, 1, 2 }, hammer[1] = { MS_PLACE_HAMMER };
  static const double C[9] = { 2.0, -1.0, 0.0, -1.0, 2.0, 0.0, 0.0, 0.0, 1.3 };
  ms_structure *s = test_three_mass(1.3e-4);
  ms_parameter_place *place = NULL;
  ptrdiff_t n = 0;
  check_places(s, "lap", "F_S", 0, 1, three);
  check_places(s, "mode.2", "damping", MS_PLACE_DAMPING, 1, three + 1);
  check_places(s, "mode.*", "damping", MS_PLACE_DAMPING, 3, three);
  check_places(s, "mode.4", "damping", 0, 0, NULL);
  check_places(s, "hammer", "gain", MS_PLACE_GAIN, 1, hammer);
  check_places(s, "sensor.u3", "gain", MS_PLACE_GAIN, 1, three + 2);
  check_places(s, "sensor.u4", "gain", 0, 0, NULL);
  check_places(s, "spring", "2", MS_PLACE_SPRING, 1, three + 1);
  check_places(s, "spring", "*", MS_PLACE_SPRING, 3, three);
  check_places(s, "mass", "u2", MS_PLACE_MASS, 1, three + 1);
  check_places(s, "mass", "u4", 0, 0, NULL);
  check_places(s, "spring", "4", 0, 0, NULL);
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_setup(s));
  CHECK_STATUS(ms_parameter_find_places(s, "mode.2", "damping", &n, &place), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "the structure's damping is not modal");
  ms_free(test_context(), &place);
  ms_structure_destroy(&s);
}

static void refuse(const ms_target *target, ms_status want, const char *word) {
  ms_structure *s = test_three_mass(1.3e-4);
  ms_calibration *c = NULL;
  CHECK_STATUS(ms_calibration_create(s, FREE, four, 1, target, &c), want);
  CHECK(c == NULL);
  CHECK_HAS(ms_context_message(test_context()), word);
  ms_structure_destroy(&s);
}

static void test_refusals(void) {
  static const int row[POINTS] = { 12, 13, 14, 15, 16, 17, 18, 19, 20 };
  ms_structure *s = test_three_mass(1.3e-4);
  points p = make_points(s, 1, 0.137, 61.3);
  ms_structure_destroy(&s);
  ms_target t = target_of(&p, 1);
  t.name = "measured.csv";
  t.row = row;
  t.low = 0.99 * p.q[POINTS - 2];
  refuse(&t, MS_ERR_ARGUMENT, "measured.csv: 2 of 9 points are in the window; it takes 3");
  t.low = 0.0;
  t.weight[0] = t.weight[1] = 0.0;
  refuse(&t, MS_ERR_BOUNDS, "not both 0");
  t.weight[1] = 1.0;
  p.zeta[3] = -2.3e-4;
  p.zeta[7] = 0.0;
  refuse(&t, MS_ERR_BOUNDS, "row 15 has damping -0.00023, which must be positive (rows 15, 19)");
  p.q[1] = -p.q[1];
  refuse(&t, MS_ERR_BOUNDS, "row 13 has amplitude");
  p.q[1] = (double)NAN;
  refuse(&t, MS_ERR_BOUNDS, "row 13 has amplitude");
  t.n = 1;
  refuse(&t, MS_ERR_ARGUMENT, "1 of 1 points");
}

/* Damping that is not looked at may be anything; points outside the window too. */
static void test_left_out(void) {
  ms_structure *s = test_three_mass(1.3e-4);
  points p = make_points(s, 1, 0.137, 61.3);
  ms_target t = target_of(&p, 1);
  double r[2 * POINTS], J[2 * POINTS * FREE], f[2];
  ms_calibration *c = NULL;
  t.weight[1] = 0.0;
  p.zeta[3] = -2.3e-4;
  CHECK_OK(ms_calibration_create(s, FREE, four, 1, &t, &c));
  CHECK_OK(ms_calibration_eval(c, away, r, J));
  for (int i = 0; i < POINTS; i++) CHECK_EQUAL(r[POINTS + i] == 0.0 && J[POINTS + i] == 0.0, 1);
  CHECK_OK(ms_calibration_objectives(c, away, f));
  CHECK(f[0] > 0.0 && f[1] == 0.0);
  ms_calibration_destroy(&c);
  t.weight[1] = 1.0;
  t.low = 1.01 * p.q[3];
  CHECK_OK(ms_calibration_create(s, FREE, four, 1, &t, &c));
  ms_calibration_destroy(&c);
  ms_structure_destroy(&s);
}

/* No joint holds an amplitude that no number holds; the rows from there on are named. */
static void test_out_of_reach(void) {
  ms_structure *s = test_three_mass(1.3e-4);
  points p = make_points(s, 1, 0.137, 61.3);
  const int row[POINTS] = { 12, 13, 14, 15, 16, 17, 18, 19, 20 };
  ms_target t = target_of(&p, 1);
  t.name = "measured.csv";
  t.row = row;
  p.q[6] = 1.3e307, p.q[7] = 1.4e307, p.q[8] = 1.5e307;
  ms_calibration *c = NULL;
  double f[2];
  CHECK_OK(ms_calibration_create(s, FREE, four, 1, &t, &c));
  CHECK_STATUS(ms_calibration_objectives(c, away, f), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()),
            "measured.csv: 3 rows from row 18 (q = 1.3e+307) on are out of reach");
  ms_calibration_destroy(&c);
  ms_structure_destroy(&s);
}

static ms_status work(ms_context *ctx, void *user) {
  const double q[] = { 0.31, 1.27, 2.9 }, omega[] = { 9.1, 9.0, 8.7 },
               zeta[] = { 1e-3, 2e-3, 3e-3 };
  const ms_target target = { .weight = { 1.0, 1.0 }, .n = 3, .x = q, .y = { omega, zeta } };
  const ptrdiff_t from = 0, to = 1;
  ms_calibration *c = NULL;
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  double f[2];
  (void)user;
  ms_status status = ms_structure_create(ctx, 2, NULL, &s);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < 2; i++) {
    status = ms_structure_add_mass(s, i, 1.3);
    if (status == MS_SUCCESS) status = ms_structure_add_spring(s, i - 1, i, 91.0);
  }
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "iwan4", &j);
  if (status == MS_SUCCESS) status = ms_joint_set_typical(j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "j", &j, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_calibration_create(s, FREE, four, 1, &target, &c);
  if (status == MS_SUCCESS) status = ms_calibration_objectives(c, away, f);
  ms_calibration_destroy(&c);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_failing_memory(void) {
  CHECK(test_allocations(work, NULL) > 30);
}

int main(void) {
  TEST(test_residuals);
  TEST(test_jacobian);
  TEST(test_finds_the_joint);
  TEST(test_damping_ratio);
  TEST(test_matrices);
  TEST(test_modes_change_places);
  TEST(test_names);
  TEST(test_refusals);
  TEST(test_left_out);
  TEST(test_out_of_reach);
  TEST(test_failing_memory);
  return test_finish();
}
