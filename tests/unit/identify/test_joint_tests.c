/* Stiffness and loss against force of one joint: against closed forms written out here and against
   cycles of every law; derivatives, what is refused and with which rows, a fit. */
#include <math.h>
#include <microslip/calibrate.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

enum { POINTS = 7, CYCLES = 3, MOST = 12 };

/* All numbers of the joint that can be free: of the first set. */
typedef struct freedom {
  ms_parameter_place place[MOST];
  ms_free_parameter free[MOST];
  double p[MOST];
  ptrdiff_t n;
} freedom;

static void free_numbers(freedom *f, const ms_joint *j, int member) {
  const ms_law_info *law = ms_joint_info(j);
  for (int i = 0; i < law->n_param && f->n < MOST; i++) {
    const ms_param *p = &law->param[i];
    if (p->kind != MS_PARAM_NUMBER || p->set > 1) continue;
    CHECK_OK(ms_joint_get(j, p->name, &f->p[f->n]));
    f->place[f->n] = (ms_parameter_place) { 0, member, p->name };
    f->free[f->n] = (ms_free_parameter) { p->name, 1, &f->place[f->n] };
    f->n++;
  }
}

/* ---- closed forms, written out ---- */

typedef struct iwan {
  double F_S, K_T, chi, beta, phi, R;
} iwan;

static iwan make_iwan(const double *p) {
  iwan m = { p[0], p[1], p[2], p[3], 0, 0 };
  m.phi = m.F_S * (1 + m.beta) / (m.K_T * (m.beta + (m.chi + 1) / (m.chi + 2)));
  m.R = m.K_T * (m.chi + 1) / (pow(m.phi, m.chi + 1) * (1 + m.beta));
  return m;
}
static double iwan_force(const iwan *m, double u) {
  return m->K_T * u - m->R * pow(u, m->chi + 2) / ((m->chi + 1) * (m->chi + 2));
}
static double iwan_loss(const iwan *m, double u) {
  return 4 * m->R * pow(u, m->chi + 3) / ((m->chi + 2) * (m->chi + 3));
}
/* By bisection. */
static double iwan_amplitude(const iwan *m, double force) {
  double low = 0.0, high = m->phi;
  for (int i = 0; i < 200; i++) {
    double u = 0.5 * (low + high);
    if (iwan_force(m, u) < force) low = u;
    if (iwan_force(m, u) >= force) high = u;
  }
  return 0.5 * (low + high);
}

static const double truth[4] = { 10.3, 1.07, -0.43, 4.7 }, away[4] = { 13.7, 0.83, -0.31, 3.7 };

typedef struct points {
  double force[POINTS], stiffness[POINTS], loss[POINTS];
} points;

/* In falling order, to see them sorted. */
static points iwan_points(const double *p) {
  const iwan m = make_iwan(p);
  points x;
  for (int i = 0; i < POINTS; i++) {
    x.force[i] = 9.1 * pow(0.43, i);
    double u = iwan_amplitude(&m, x.force[i]);
    x.stiffness[i] = x.force[i] / u;
    x.loss[i] = iwan_loss(&m, u);
  }
  return x;
}

static ms_target test_of(const points *x) {
  return (ms_target) { .kind = MS_TARGET_JOINT_TEST,
                       .name = "test.csv",
                       .weight = { 1.7, 0.6 },
                       .n = POINTS,
                       .x = x->force,
                       .y = { x->stiffness, x->loss } };
}

static ms_structure *attach_iwan(freedom *f) {
  ms_joint *j = test_joint("iwan4", "F_S", truth[0], "K_T", truth[1], "chi", truth[2], "beta",
                           truth[3], NULL);
  f->n = 0;
  free_numbers(f, j, 0);
  f->n = 4; /* beyond are merging's */
  return test_attachment(j);
}

static void test_residuals(void) {
  freedom f;
  ms_structure *s = attach_iwan(&f);
  const points want = iwan_points(truth), got = iwan_points(away);
  ms_target target = test_of(&want);
  target.low = 1.01 * want.force[POINTS - 1]; /* the last is left out */
  ms_calibration *t = NULL;
  if (!CHECK_OK(ms_calibration_create(s, f.n, f.free, 1, &target, &t))) return;
  const int n = POINTS - 1;
  double r[2 * POINTS], sum[2] = { 0, 0 }, objective[2];
  CHECK_EQUAL(ms_calibration_count_residuals(t), 2 * n);
  CHECK_EQUAL(ms_calibration_view(t, 0).row[0], n);
  CHECK_OK(ms_calibration_eval(t, away, r, NULL));
  CHECK_OK(ms_calibration_objectives(t, away, objective));
  for (int i = 0; i < n; i++) {
    const int k = n - 1 - i; /* sorted by force */
    const double ek = got.stiffness[k] / want.stiffness[k], ed = got.loss[k] / want.loss[k];
    CHECK_NEAR(r[i], sqrt(1.7) * log(ek), 1e-12);
    CHECK_NEAR(r[n + i], sqrt(0.6) * log(ed), 1e-11);
    sum[0] += (ek - 1) * (ek - 1) / n;
    sum[1] += (ed - 1) * (ed - 1) / n;
  }
  CHECK_CLOSE(objective[0], sum[0], 1e-10);
  CHECK_CLOSE(objective[1], sum[1], 1e-10);
  CHECK_BELOW(ms_calibration_view(t, 0).residual, 1e-13);
  CHECK_OK(ms_calibration_eval(t, truth, r, NULL));
  for (int i = 0; i < 2 * n; i++) CHECK_NEAR(r[i], 0.0, 1e-11);
  ms_calibration_destroy(&t);
  double back;
  CHECK_OK(ms_joint_get(ms_structure_get_joint(s, 0), "F_S", &back));
  CHECK_NEAR(back, truth[0], 0.0);
  ms_structure_destroy(&s);
}

/* ---- derivatives ---- */

/* Central differences, extrapolated once. */
static void check_jacobian(ms_calibration *t, const freedom *f, double tolerance) {
  enum { ROWS = 2 * POINTS };
  double J[ROWS * MOST], r[ROWS], up[ROWS], down[ROWS], p[MOST];
  const ptrdiff_t m = ms_calibration_count_residuals(t);
  if (!CHECK_OK(ms_calibration_eval(t, f->p, r, J))) return;
  for (ptrdiff_t j = 0; j < f->n; j++) {
    double d[2][ROWS], h = 1e-3 * (f->p[j] != 0.0 ? fabs(f->p[j]) : 1.0);
    const double scale = f->p[j] != 0.0 ? fabs(f->p[j]) : 1.0;
    int valid = 1;
    for (int k = 0; k < 2; k++, h *= 0.5) {
      memcpy(p, f->p, sizeof p);
      p[j] = f->p[j] + h;
      valid &= ms_calibration_eval(t, p, up, NULL) == MS_SUCCESS;
      p[j] = f->p[j] - h;
      valid &= ms_calibration_eval(t, p, down, NULL) == MS_SUCCESS;
      for (ptrdiff_t i = 0; i < m; i++) d[k][i] = (up[i] - down[i]) / (2.0 * h);
    }
    if (!valid) continue; /* at a bound */
    for (ptrdiff_t i = 0; i < m; i++) {
      const double want = d[1][i] + (d[1][i] - d[0][i]) / 3.0;
      if (!CHECK_NEAR(J[i + m * j] * scale, want * scale, tolerance * (fabs(want * scale) + 1e-2)))
        printf("#   row %td, by %s\n", i, f->free[j].name);
    }
  }
}

static void test_jacobian_iwan(void) {
  freedom f;
  ms_structure *s = attach_iwan(&f);
  const points want = iwan_points(truth);
  const ms_target target = test_of(&want);
  ms_calibration *t = NULL;
  CHECK_OK(ms_calibration_create(s, f.n, f.free, 1, &target, &t));
  memcpy(f.p, away, sizeof away);
  check_jacobian(t, &f, 1e-6);
  CHECK_EQUAL(ms_calibration_view(t, 0).by_differences, 0);
  ms_calibration_destroy(&t);
  ms_structure_destroy(&s);
}

/* An Iwan element with a spring and a dashpot beside it: the stiffness has K added, the loss
   pi C omega u^2. */
static void test_members(void) {
  const double K = 0.317, C = 0.0213, omega = 2.9;
  const iwan m = make_iwan(truth);
  ms_joint *whole = NULL;
  ms_joint *one = test_joint("iwan4", "F_S", truth[0], "K_T", truth[1], "chi", truth[2], "beta",
                             truth[3], NULL);
  ms_joint *two = test_joint("linear", "K", K, "C", C, NULL);
  freedom f = { .n = 0 };
  free_numbers(&f, one, 0);
  f.n = 4;
  free_numbers(&f, two, 1);
  CHECK_EQUAL(f.n, 6);
  CHECK_OK(ms_joint_create_parallel(test_context(), 1, &whole));
  CHECK_OK(ms_joint_take_member(whole, &one, NULL));
  CHECK_OK(ms_joint_take_member(whole, &two, NULL));
  CHECK_OK(ms_joint_setup(whole));
  ms_structure *s = test_attachment(whole);
  points x;
  for (int i = 0; i < POINTS; i++) {
    const double u = 0.83 * m.phi * pow(0.47, i);
    x.force[i] = iwan_force(&m, u) + K * u;
    x.stiffness[i] = x.force[i] / u;
    x.loss[i] = iwan_loss(&m, u) + acos(-1.0) * C * omega * u * u;
  }
  ms_target target = test_of(&x);
  target.is.test.omega = omega;
  ms_calibration *t = NULL;
  double r[2 * POINTS];
  CHECK_OK(ms_calibration_create(s, f.n, f.free, 1, &target, &t));
  CHECK_OK(ms_calibration_eval(t, f.p, r, NULL));
  for (int i = 0; i < 2 * POINTS; i++) CHECK_NEAR(r[i], 0.0, 1e-12);
  check_jacobian(t, &f, 1e-6);
  CHECK_EQUAL(ms_calibration_view(t, 0).by_differences, 0);
  ms_calibration_destroy(&t);
  ms_structure_destroy(&s);
}

/* Few sliders lose what they lose, not what the exact element would. */
static ms_joint *make_sliders(void) {
  ms_joint *j = NULL;
  static const char *const name[4] = { "F_S", "K_T", "chi", "beta" };
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &j));
  for (int i = 0; i < 4; i++) CHECK_OK(ms_joint_set(j, name[i], truth[i]));
  CHECK_OK(ms_joint_set_text(j, "sliders", "12"));
  CHECK_OK(ms_joint_set_text(j, "spacing", "uniform"));
  CHECK_OK(ms_joint_setup(j));
  return j;
}

static void test_sliders(void) {
  ms_joint *own = make_sliders(), *attached = make_sliders();
  freedom f = { .n = 0 };
  points x;
  free_numbers(&f, attached, 0);
  f.n = 4;
  for (int i = 0; i < 3; i++) {
    const double u = 5.3 + 1.1 * i;
    ms_joint_cycle c;
    CHECK_OK(ms_joint_run_cycle(own, u, 0.0, 256, NULL, NULL, &c));
    CHECK(fabs(c.D / c.D_closed_form - 1.0) > 1e-3);
    x.force[i] = c.F0;
    x.stiffness[i] = c.F0 / u;
    x.loss[i] = c.D;
  }
  ms_joint_destroy(&own);
  ms_structure *s = test_attachment(attached);
  ms_target target = test_of(&x);
  ms_calibration *t = NULL;
  double r[6], J[6 * 4];
  target.n = 3;
  CHECK_OK(ms_calibration_create(s, f.n, f.free, 1, &target, &t));
  CHECK_OK(ms_calibration_eval(t, f.p, r, J));
  for (int i = 0; i < 6; i++) CHECK_NEAR(r[i], 0.0, 1e-9);
  CHECK_EQUAL(ms_calibration_view(t, 0).by_differences, 1);
  ms_calibration_destroy(&t);
  ms_structure_destroy(&s);
}

/* ---- every law ---- */

/* Cycles at some amplitudes; 0 where the force at the turning points, where nothing moves, does not
   rise with them. */
static int cycle_points(const char *law, double omega, points *x) {
  ms_joint *j = test_typical(law);
  double force[257], before = 0.0;
  int rises = 1;
  for (int i = 0; i < CYCLES; i++) {
    const double u = test_scale(j) * (0.11 + 0.317 * i);
    ms_joint_cycle c;
    CHECK_OK(ms_joint_run_cycle(j, u, omega, 256, NULL, force, &c));
    x->force[i] = 0.5 * (force[256] - force[128]);
    x->stiffness[i] = x->force[i] / u;
    x->loss[i] = c.has_closed_form ? c.D_closed_form : c.D;
    rises &= x->force[i] > 1.001 * before && x->force[i] > 1e-9 * x->loss[i] / u;
    before = x->force[i];
  }
  ms_joint_destroy(&j);
  return rises;
}

/* Cycles that must be stepped take their time, and their derivatives are differences anyway: one of
   them is enough. */
static int is_quick(const char *law) {
  ms_joint *j = test_typical(law);
  double force[257];
  ms_joint_cycle c;
  CHECK_OK(ms_joint_run_cycle(j, test_scale(j), 37.0, 256, NULL, force, &c));
  ms_joint_destroy(&j);
  return c.has_closed_form || strcmp(law, "dahl") == 0;
}

static int check_law(const char *law) {
  const double omega = 37.0;
  points x;
  if (!cycle_points(law, omega, &x)) return 0;
  ms_joint *j = test_typical(law);
  freedom f = { .n = 0 };
  free_numbers(&f, j, 0);
  ms_structure *s = test_attachment(j);
  ms_target target = test_of(&x);
  ms_calibration *t = NULL;
  double r[2 * POINTS];
  target.is.test.omega = omega;
  target.n = CYCLES;
  for (int i = 0; i < CYCLES; i++) { /* springs, and laws that slip only further out */
    if (!(x.loss[i] > 0.0)) target.weight[1] = 0.0;
  }
  if (strcmp(law, "linear") && strcmp(law, "iwan4") && f.n > 2) f.n = 2;
  if (f.n > 0 && CHECK_OK(ms_calibration_create(s, f.n, f.free, 1, &target, &t))) {
    CHECK_OK(ms_calibration_eval(t, f.p, r, NULL));
    for (ptrdiff_t i = 0; i < ms_calibration_count_residuals(t); i++) CHECK_NEAR(r[i], 0.0, 1e-8);
    if (is_quick(law)) check_jacobian(t, &f, 2e-5);
  }
  ms_calibration_destroy(&t);
  ms_structure_destroy(&s);
  return f.n > 0;
}

static void test_every_law(void) {
  int n = 0;
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    const char *law = ms_joint_get_law(i)->name;
    const int done = check_law(law);
    printf("# %s: %s\n", law, done ? "checked" : "no force that rises with the amplitude");
    n += done;
  }
  CHECK(n >= 16);
}

/* ---- refusals ---- */

static void refuse(const ms_target *target, ms_status want, const char *word) {
  freedom f;
  ms_structure *s = attach_iwan(&f);
  ms_calibration *t = NULL;
  CHECK_STATUS(ms_calibration_create(s, f.n, f.free, 1, target, &t), want);
  CHECK(t == NULL);
  CHECK_HAS(ms_context_message(test_context()), word);
  ms_context_clear_message(test_context());
  CHECK_STATUS(ms_target_check(s, target), want); /* before anything is made, the same */
  CHECK_HAS(ms_context_message(test_context()), word);
  ms_structure_destroy(&s);
}

static void test_refusals(void) {
  points x = iwan_points(truth);
  ms_target t = test_of(&x);
  t.low = 2.0;
  refuse(&t, MS_ERR_ARGUMENT, "test.csv: 2 of 7 points are in the window; it takes 3");
  t = test_of(&x);
  t.is.test.joint = 3;
  refuse(&t, MS_ERR_ARGUMENT, "no joint 3");
  t = test_of(&x);
  t.is.test.omega = -2.0;
  refuse(&t, MS_ERR_BOUNDS, "frequency -2 must be");
  t = test_of(&x);
  x.loss[3] = 0.0;
  refuse(&t, MS_ERR_BOUNDS, "row 4 has dissipation 0, which must be positive (rows 4)");
  x.stiffness[1] = -1.3;
  refuse(&t, MS_ERR_BOUNDS, "row 2 has stiffness -1.3, which must be positive (rows 2, 4)");
}

static void test_needs_frequency(void) {
  freedom f = { .n = 0 };
  ms_joint *j = test_typical("lugre");
  free_numbers(&f, j, 0);
  ms_structure *s = test_attachment(j);
  const points x = iwan_points(truth);
  const ms_target target = test_of(&x);
  ms_calibration *t = NULL;
  CHECK_STATUS(ms_calibration_create(s, f.n, f.free, 1, &target, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "law lugre knows time");
  CHECK_STATUS(ms_target_check(s, &target), MS_ERR_ARGUMENT);
  ms_structure_destroy(&s);
}

/* A joint that slips before the test's largest forces. */
static void test_out_of_reach(void) {
  static const int row[POINTS] = { 12, 13, 14, 15, 16, 17, 18 };
  freedom f;
  ms_structure *s = attach_iwan(&f);
  const points x = iwan_points(truth);
  ms_target target = test_of(&x);
  ms_calibration *t = NULL;
  double p[4], r[2 * POINTS], objective[2];
  target.row = row;
  memcpy(p, truth, sizeof p);
  p[0] = 3.7;
  CHECK_OK(ms_calibration_create(s, f.n, f.free, 1, &target, &t));
  CHECK_STATUS(ms_calibration_eval(t, p, r, NULL), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()),
            "test.csv: 2 rows from row 13 (force 3.913) on are "
            "out of reach: no cycle has the force 3.913 N; the "
            "joint reaches 3.7 N");
  CHECK_STATUS(ms_calibration_objectives(t, p, objective), MS_NOT_CONVERGED);
  p[0] = -1.0;
  CHECK_STATUS(ms_calibration_eval(t, p, r, NULL), MS_NOT_CONVERGED);
  ms_calibration_destroy(&t);
  ms_structure_destroy(&s);
}

/* ---- a fit ---- */

static void test_finds_the_joint(void) {
  static const ms_fit_parameter bounds[4] = { { "F_S", 1.3, 97.0, 1, 0.0 },
                                              { "K_T", 0.11, 9.3, 1, 0.0 },
                                              { "chi", -0.93, -0.07, 0, 0.0 },
                                              { "beta", 0.21, 43.0, 1, 0.0 } };
  freedom f;
  ms_structure *s = attach_iwan(&f);
  const points x = iwan_points(truth);
  const ms_target target = test_of(&x);
  ms_calibration *t = NULL;
  double p[4] = { 23.0, 0.7, -0.3, 2.1 };
  ms_fit_local local;
  CHECK_OK(ms_calibration_create(s, f.n, f.free, 1, &target, &t));
  const ms_fit_problem problem = { 4, 2 * POINTS, bounds, ms_calibration_eval, t, 1 };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  CHECK_BELOW(local.sum, 1e-15);
  /* below macroslip force and loss know K_T, chi and R only */
  const iwan want = make_iwan(truth), found = make_iwan(p);
  CHECK_CLOSE(found.K_T, want.K_T, 1e-6);
  CHECK_CLOSE(found.chi, want.chi, 1e-5);
  CHECK_CLOSE(found.R, want.R, 1e-5);
  ms_calibration_destroy(&t);
  ms_structure_destroy(&s);
}

/* ---- memory ---- */

static ms_status work(ms_context *ctx, void *user) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  const ms_parameter_place place = { 0, 0, "F_S" };
  const ms_free_parameter one = { "F_S", 1, &place };
  const points *x = user;
  const ms_target target = test_of(x);
  ms_calibration *t = NULL;
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  double r[2 * POINTS], J[2 * POINTS];
  ms_status status = ms_structure_create(ctx, 1, NULL, &s);
  if (status == MS_SUCCESS) status = ms_structure_add_mass(s, 0, 1.3);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, MS_GROUND, 0, 91.0);
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "iwan4", &j);
  for (int i = 0; status == MS_SUCCESS && i < 4; i++) {
    static const char *const name[4] = { "F_S", "K_T", "chi", "beta" };
    status = ms_joint_set(j, name[i], truth[i]);
  }
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "j", &j, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_calibration_create(s, 1, &one, 1, &target, &t);
  if (status == MS_SUCCESS) status = ms_calibration_eval(t, &truth[0], r, J);
  ms_calibration_destroy(&t);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_failing_memory(void) {
  points x = iwan_points(truth);
  CHECK(test_allocations(work, &x) > 25);
}

int main(void) {
  TEST(test_residuals);
  TEST(test_jacobian_iwan);
  TEST(test_members);
  TEST(test_sliders);
  TEST(test_every_law);
  TEST(test_refusals);
  TEST(test_needs_frequency);
  TEST(test_out_of_reach);
  TEST(test_finds_the_joint);
  TEST(test_failing_memory);
  return test_finish();
}
