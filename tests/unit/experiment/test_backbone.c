/* Backbones of one mass on a spring and a Jenkins slider, whose frequency and damping have closed
   forms, by every method that is run; and requests that are refused. */
#include <math.h>
#include <microslip/backbone.h>
#include <string.h>

#include "support/check.h"

#define MASS  2.385
#define K     9310.0
#define K_T   2270.0
#define F_S   11.3
#define ZETA  0.0037
#define LEVEL 5

/* z/z_s: one that sticks, the others slip; q = sqrt(m) z */
static const double ratio[LEVEL] = { 0.37, 1.3, 2.9, 7.1, 23.0 };

static ms_status make_structure(ms_context *ctx, ms_structure **out) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  const double zeta = ZETA;
  ms_joint *slider = NULL;
  MS_TRY(ms_structure_create(ctx, 1, NULL, out));
  MS_TRY(ms_structure_add_mass(*out, 0, MASS));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 0, K));
  MS_TRY(ms_joint_create(ctx, "jenkins", &slider));
  ms_status status = ms_joint_set(slider, "F_S", F_S);
  if (status == MS_SUCCESS) status = ms_joint_set(slider, "K_T", K_T);
  if (status == MS_SUCCESS) status = ms_joint_setup(slider);
  if (status == MS_SUCCESS) {
    status = ms_structure_take_joint(*out, "slider", &slider, &from, &to);
  }
  ms_joint_destroy(&slider);
  MS_TRY(status);
  MS_TRY(ms_structure_set_modal_damping(*out, &zeta));
  return ms_structure_setup(*out);
}

static void fill_levels(double *q) {
  for (int i = 0; i < LEVEL; i++) q[i] = sqrt(MASS) * F_S / K_T * ratio[i];
}

/* J per cycle of a slider between +z and -z. */
static double find_loss(double z) {
  return z > F_S / K_T ? 4.0 * F_S * (z - F_S / K_T) : 0.0;
}

/* The stiffness of its force at z, for static methods. */
static double find_secant(double z) {
  return z > F_S / K_T ? F_S / z : K_T;
}

/* And of its force's first harmonic: K_T (theta - sin(2 theta)/2)/pi, cos theta = 1 - 2 z_s/z. */
static double find_harmonic(double z) {
  if (z <= F_S / K_T) return K_T;
  const double theta = acos(1.0 - 2.0 * F_S / K_T / z);
  return K_T * (theta - 0.5 * sin(2.0 * theta)) / acos(-1.0);
}

static void check_points(const ms_backbone_curve *c, double (*stiffness)(double z),
                         double tolerance) {
  const double c_0 = 2.0 * ZETA * sqrt((K + K_T) / MASS);
  CHECK_EQUAL(c->n, LEVEL);
  CHECK_EQUAL(c->partial, 0);
  CHECK_TEXT(c->remark, "");
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_backbone_point *p = &c->point[i];
    const double z = c->level[i] / sqrt(MASS), omega = sqrt((K + stiffness(z)) / MASS);
    const double joint = find_loss(z) / (2.0 * acos(-1.0) * MASS * omega * omega * z * z);
    CHECK_CLOSE(p->q, c->level[i], 1e-12);
    CHECK_CLOSE(p->omega, omega, tolerance);
    CHECK_NEAR(p->zeta_joint, joint, tolerance * (joint + ZETA));
    CHECK_CLOSE(p->zeta_viscous, c_0 / (2.0 * omega), tolerance);
    CHECK_NEAR(p->zeta, joint + c_0 / (2.0 * omega), tolerance * (joint + ZETA));
    for (int d = 0; d < 3; d++) CHECK_CLOSE(p->sensor[d], z * pow(omega, d), 3.0 * tolerance);
  }
  CHECK(c->tolerance > 0.0 && c->worst <= c->tolerance && c->evaluations > 0);
}

static void test_static(void) {
  static const char *const name[] = { "qsma", "rqnm" };
  ms_structure *s = NULL;
  double q[LEVEL];
  fill_levels(q);
  CHECK_OK(make_structure(test_context(), &s));
  for (int i = 0; i < 2; i++) {
    ms_backbone_curve c;
    CHECK_OK(ms_backbone_request(test_context(), name[i], 0, LEVEL, q, &c));
    CHECK_OK(ms_backbone_check(test_context(), s, NULL, c.method, 0));
    CHECK_OK(ms_backbone_run(test_context(), s, NULL, &c));
    check_points(&c, find_secant, 1e-9);
    CHECK_TEXT(ms_backbone_loss_name(c.point[0].loss), "own cycles");
    CHECK_EQUAL(c.n_derivative, 0);
    ms_backbone_free(test_context(), &c);
  }
  ms_structure_destroy(&s);
}

static int kept; /* how often the hook was called */

static ms_status keep(void *user, ms_harmonic *h, const ms_harmonic_range *range,
                      ms_harmonic_run_fn *run, const void *of, ms_harmonic_curve **out) {
  CHECK(user == &kept);
  kept++;
  return run(h, range, of, out);
}

/* With one harmonic; the error of the sampled force falls as 1/times^2. */
static void test_periodic(void) {
  static const char *const name[] = { "epmc", "stepped_sine" }, *const loss[] = { "period",
                                                                                  "force" };
  ms_structure *s = NULL;
  ms_backbone_setting setting;
  ms_backbone_default(&setting, sizeof setting);
  const double force = 0.7;
  double q[LEVEL];
  fill_levels(q);
  setting.harmonic.harmonics = 1;
  setting.harmonic.times = 16384;
  setting.keep = keep, setting.user = &kept;
  CHECK_OK(make_structure(test_context(), &s));
  for (int i = 0; i < 3; i++) { /* stepped_sine also with a force of its own */
    ms_backbone_curve c;
    const int by = i > 0;
    setting.force = i > 1 ? &force : NULL;
    CHECK_OK(ms_backbone_request(test_context(), name[by], 0, LEVEL, q, &c));
    CHECK_OK(ms_backbone_check(test_context(), s, &setting, c.method, 0));
    CHECK_OK(ms_backbone_run(test_context(), s, &setting, &c));
    check_points(&c, find_harmonic, 1e-6);
    CHECK_TEXT(ms_backbone_loss_name(c.point[0].loss), loss[by]);
    CHECK_EQUAL(kept, i + 1);
    ms_backbone_free(test_context(), &c);
  }
  ms_structure_destroy(&s);
}

/* omega^2 = (K + F_S/z)/m, so that d omega/d F_S = 1/(2 m omega z) where it slips. */
static void test_derivatives(void) {
  ms_structure *s = NULL;
  ms_backbone_setting setting;
  ms_backbone_default(&setting, sizeof setting);
  ms_backbone_curve c;
  double q[LEVEL];
  int found = 0;
  fill_levels(q);
  setting.sensitivities = 1;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_backbone_request(test_context(), "qsma", 0, LEVEL, q, &c));
  CHECK_OK(ms_backbone_run(test_context(), s, &setting, &c));
  for (ptrdiff_t i = 0; i < c.n_derivative; i++) {
    const ms_backbone_derivative *d = &c.derivative[i];
    if (strcmp(d->name, "F_S") != 0 || d->point == 0) continue;
    const double z = q[d->point] / sqrt(MASS);
    CHECK(d->value == F_S);
    CHECK_TEXT(d->unit, "N");
    CHECK_CLOSE(d->omega, 1.0 / (2.0 * MASS * c.point[d->point].omega * z), 1e-6);
    found++;
  }
  CHECK_EQUAL(found, LEVEL - 1);
  ms_backbone_free(test_context(), &c);
  ms_structure_destroy(&s);
}

/* It slips from z_s = F_S/K_T on. */
static void test_range(void) {
  ms_structure *s = NULL;
  double from, to;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_EQUAL(ms_backbone_find_range(s, 0, &from, &to), 1);
  CHECK_CLOSE(from, 1e-3 * sqrt(MASS) * F_S / K_T, 1e-12);
  CHECK_CLOSE(to, 10.0 * sqrt(MASS) * F_S / K_T, 1e-12);
  ms_structure_destroy(&s);
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, MASS));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, K));
  CHECK_OK(ms_structure_setup(s));
  CHECK_EQUAL(ms_backbone_find_range(s, 0, &from, &to), 0);
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_context *ctx = test_context();
  ms_structure *s = NULL;
  ms_backbone_setting setting;
  ms_backbone_default(&setting, sizeof setting);
  ms_backbone_curve c;
  double q[LEVEL];
  fill_levels(q);
  CHECK_OK(make_structure(ctx, &s));
  CHECK_STATUS(ms_backbone_request(ctx, "qmsa", 0, LEVEL, q, &c), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "did you mean 'qsma'");
  CHECK_STATUS(ms_backbone_run(ctx, s, NULL, &c), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_backbone_request(ctx, NULL, 0, LEVEL, q, &c), MS_ERR_ARGUMENT);
  CHECK_OK(ms_backbone_request(ctx, "rqnm", 1, LEVEL, q, &c));
  CHECK_STATUS(ms_backbone_run(ctx, s, NULL, &c), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "no mode 1; modes are 0 to 0");
  CHECK_STATUS(ms_backbone_check(ctx, s, NULL, c.method, -1), MS_ERR_BOUNDS);
  setting.preload = q;
  CHECK_STATUS(ms_backbone_check(ctx, s, &setting, c.method, 0), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "rqnm knows no preload");
  c.mode = 0;
  CHECK_STATUS(ms_backbone_run(ctx, s, &setting, &c), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_backbone_run(ctx, NULL, NULL, &c), MS_ERR_ARGUMENT);
  c.level = NULL;
  CHECK_STATUS(ms_backbone_run(ctx, s, NULL, &c), MS_ERR_ARGUMENT);
  c.n_level = 0;
  CHECK_STATUS(ms_backbone_run(ctx, s, NULL, &c), MS_ERR_ARGUMENT);
  c.level = q, c.n_level = LEVEL, q[2] = q[1];
  CHECK_STATUS(ms_backbone_run(ctx, s, NULL, &c), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "number 3");
  CHECK_OK(ms_backbone_request(ctx, "sweep", 0, 2, q, &c));
  CHECK_STATUS(ms_backbone_run(ctx, s, NULL, &c), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "add their decays");
  CHECK(!c.point && c.n == 0);
  CHECK(!ms_backbone_get_method(-1) && !ms_backbone_get_method(99));
  ms_structure_destroy(&s);
}

static ms_status run_all(ms_context *ctx, void *user) {
  ms_structure *s = NULL;
  ms_backbone_setting setting;
  ms_backbone_default(&setting, sizeof setting);
  ms_backbone_curve c;
  double q[2] = { 0.003, 0.02 };
  (void)user;
  setting.sensitivities = 1;
  setting.harmonic.times = 64;
  ms_status status = make_structure(ctx, &s);
  for (int i = 0; i < 3 && status == MS_SUCCESS; i++) {
    status = ms_backbone_request(ctx,
                                 i == 0   ? "qsma"
                                 : i == 1 ? "rqnm"
                                          : "stepped_sine",
                                 0, 2, q, &c);
    if (status == MS_SUCCESS) status = ms_backbone_run(ctx, s, &setting, &c);
    ms_backbone_free(ctx, &c);
  }
  ms_structure_destroy(&s);
  return status;
}

static void test_out_of_memory(void) {
  CHECK(test_allocations(run_all, NULL) > 20);
}

int main(void) {
  TEST(test_static);
  TEST(test_periodic);
  TEST(test_derivatives);
  TEST(test_range);
  TEST(test_refused);
  TEST(test_out_of_memory);
  return test_finish();
}
