/* Stepped sine on one mass, spring and Jenkins slider. With one harmonic the slider is a stiffness
   k_1(z) and a dissipated energy D(z) = 4 F_S (z - z_s), and resonance at amplitude z is at
   omega^2 m = K + k_1 under the force F = c omega z + D/(pi z). */
#include <math.h>
#include <string.h>

#include "experiment/pack.h"
#include "support/check.h"

#define MASS  2.385
#define K     9310.0
#define K_T   2270.0
#define F_S   11.3
#define ZETA  0.0037
#define LEVEL 4

/* z/z_s; the first one sticks */
static const double ratio[LEVEL] = { 0.37, 1.3, 2.9, 7.1 };
static const double force[] = { 1.0, 0.0 };
static const ptrdiff_t sensor[] = { 0 };

/* A second mass hangs on its own, without a force: a mode that nothing drives. */
static ms_status make_structure(ms_context *ctx, ms_structure **out) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  const double zeta[] = { ZETA, ZETA };
  ms_joint *slider = NULL;
  MS_TRY(ms_structure_create(ctx, 2, NULL, out));
  MS_TRY(ms_structure_add_mass(*out, 0, MASS));
  MS_TRY(ms_structure_add_mass(*out, 1, MASS));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 0, K));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 1, 9.7 * K));
  MS_TRY(ms_joint_create(ctx, "jenkins", &slider));
  ms_status status = ms_joint_set(slider, "F_S", F_S);
  if (status == MS_SUCCESS) status = ms_joint_set(slider, "K_T", K_T);
  if (status == MS_SUCCESS) status = ms_joint_setup(slider);
  if (status == MS_SUCCESS) {
    status = ms_structure_take_joint(*out, "slider", &slider, &from, &to);
  }
  ms_joint_destroy(&slider);
  MS_TRY(status);
  MS_TRY(ms_structure_set_modal_damping(*out, zeta));
  return ms_structure_setup(*out);
}

static double find_loss(double z) {
  return z > F_S / K_T ? 4.0 * F_S * (z - F_S / K_T) : 0.0;
}

/* K_T (theta - sin(2 theta)/2)/pi, cos theta = 1 - 2 z_s/z. */
static double find_omega(double z) {
  const double theta = z > F_S / K_T ? acos(1.0 - 2.0 * F_S / K_T / z) : acos(-1.0);
  return sqrt((K + K_T * (theta - 0.5 * sin(2.0 * theta)) / acos(-1.0)) / MASS);
}

static double find_force(double z) {
  const double c = 2.0 * ZETA * sqrt((K + K_T) * MASS);
  return c * find_omega(z) * z + find_loss(z) / (acos(-1.0) * z);
}

static ms_stepped_plan make_plan(double *level) {
  ms_stepped_plan plan = ms_stepped_default();
  for (int i = 0; i < LEVEL; i++) level[i] = find_force(ratio[i] * F_S / K_T);
  plan.force = force, plan.level = level, plan.n_level = LEVEL;
  plan.sensor = sensor, plan.n_sensor = 1;
  plan.harmonic.harmonics = 1;
  return plan;
}

/* The force's first harmonic is a sum over 1024 times of a period: corners in it are 1e-5 off. */
static void test_closed_form(void) {
  const double tolerance = 1e-4;
  double level[LEVEL];
  ms_structure *s = NULL;
  const ms_stepped_plan plan = make_plan(level);
  ms_stepped_run run = { .plan = &plan, .mode = 0 };
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_stepped_simulate(test_context(), s, &run));
  CHECK(run.curve.complete && run.missing == 0 && run.curve.n == LEVEL);
  CHECK_TEXT(run.curve.remark, "");
  CHECK(run.curve.n_axis == 1 && run.curve.n_joint == 1 &&
        run.curve.worst <= plan.harmonic.tolerance);
  for (ptrdiff_t i = 0; i < run.curve.n; i++) {
    const double z = ratio[i] * F_S / K_T, omega = find_omega(z);
    CHECK_NEAR(run.curve.point[i].level, level[i], 0.0);
    CHECK_CLOSE(run.curve.point[i].omega, omega, tolerance);
    CHECK_CLOSE(run.curve.sensor[i].amplitude, z,
                10.0 * tolerance); /* dz/z is up to 10 dF/F: D/z is flat */
    CHECK_CLOSE(run.curve.point[i].zeta, level[i] / (2.0 * omega * omega * MASS * z),
                10.0 * tolerance);
    CHECK_CLOSE(run.curve.axis[i].displacement, run.curve.sensor[i].amplitude, 1e-9);
    CHECK_CLOSE(run.curve.axis[i].half_range, run.curve.sensor[i].amplitude,
                1e-4); /* seen at times of a period */
    CHECK_NEAR(run.curve.loss[i], find_loss(run.curve.sensor[i].amplitude), tolerance * F_S * z);
    CHECK_NEAR(cos(run.curve.point[i].phase), 0.0, 1e-8); /* a quarter period */
    CHECK(ms_stepped_has_level(&run, i));
  }
  ms_stepped_free(test_context(), &run);
  CHECK(!ms_stepped_has_level(&run, 0));
  ms_structure_destroy(&s);
}

/* Beyond F = 4 F_S/pi nothing but the little viscous damping holds the amplitude: a run with few
   points does not get there, and says so. */
static void test_not_reached(void) {
  double level[LEVEL];
  ms_structure *s = NULL;
  ms_stepped_plan plan = make_plan(level);
  plan.harmonic.points_max = 3;
  ms_stepped_run run = { .plan = &plan, .mode = 0 };
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_stepped_simulate(test_context(), s, &run));
  CHECK(!run.curve.complete && run.missing > 0 && run.missing + run.curve.n >= LEVEL);
  CHECK(run.curve.remark[0] != '\0');
  CHECK(!ms_stepped_has_level(&run, LEVEL - 1));
  ms_stepped_free(test_context(), &run);
  ms_structure_destroy(&s);
}

static void test_packed(void) {
  double level[LEVEL], *values = NULL;
  ms_structure *s = NULL;
  const ms_stepped_plan plan = make_plan(level);
  ms_stepped_run run = { .plan = &plan, .mode = 0 }, copy = { .plan = &plan, .mode = 0 };
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_stepped_simulate(test_context(), s, &run));
  const ptrdiff_t n = ms_stepped_save(&run, NULL);
  CHECK_OK(ms_allocate(test_context(), n, sizeof *values, &values));
  CHECK_EQUAL(ms_stepped_save(&run, values), n);
  CHECK_STATUS(ms_stepped_load(test_context(), &copy, values, n - 1), MS_ERR_FORMAT);
  CHECK(!copy.curve.point && copy.curve.n == 0);
  CHECK_OK(ms_stepped_load(test_context(), &copy, values, n));
  CHECK(copy.curve.n == run.curve.n && copy.curve.complete == run.curve.complete &&
        copy.curve.worst == run.curve.worst);
  CHECK(copy.curve.evaluations == run.curve.evaluations && copy.curve.n_axis == 1 &&
        copy.curve.n_joint == 1);
  for (ptrdiff_t i = 0; i < run.curve.n; i++) {
    const ms_harmonic_point *a = &run.curve.point[i], *b = &copy.curve.point[i];
    CHECK(a->level == b->level && a->omega == b->omega && a->q == b->q && a->zeta == b->zeta);
    CHECK(a->zeta_joint == b->zeta_joint && a->zeta_viscous == b->zeta_viscous && a->D == b->D);
    CHECK(a->response == b->response && a->higher == b->higher && a->residual == b->residual);
    CHECK(a->repeat == b->repeat && a->iterations == b->iterations && a->phase == b->phase);
    CHECK(a->multiplier == b->multiplier && a->stability == b->stability && a->listed == b->listed);
    CHECK(a->mode == b->mode && a->turn == b->turn);
    CHECK(memcmp(&run.curve.axis[i], &copy.curve.axis[i], sizeof *run.curve.axis) == 0);
    CHECK(memcmp(&run.curve.sensor[i], &copy.curve.sensor[i], sizeof *run.curve.sensor) == 0);
    CHECK(run.curve.loss[i] == copy.curve.loss[i]);
  }
  ms_free(test_context(), &values);
  ms_stepped_free(test_context(), &copy);
  ms_stepped_free(test_context(), &run);
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  double level[LEVEL];
  ms_structure *s = NULL;
  ms_stepped_plan plan = make_plan(level);
  ms_stepped_run run = { .plan = &plan, .mode = 1 };
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_STATUS(ms_stepped_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "no work on mode 2");
  run.mode = 2;
  CHECK_STATUS(ms_stepped_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "no mode 3; modes are 1 to 2");
  run.mode = 0, level[1] = 0.3 * level[0];
  CHECK_STATUS(ms_stepped_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "rise");
  plan.n_level = 0;
  CHECK_STATUS(ms_stepped_simulate(test_context(), s, &run), MS_ERR_ARGUMENT);
  plan.level = NULL;
  CHECK_STATUS(ms_stepped_simulate(test_context(), s, &run), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_stepped_simulate(test_context(), NULL, &run), MS_ERR_ARGUMENT);
  CHECK(!run.curve.point && !run.curve.sensor && !run.curve.axis && !run.curve.loss);
  ms_structure_destroy(&s);
}

static ms_status run_short(ms_context *ctx, void *user) {
  double level[LEVEL];
  ms_structure *s = NULL;
  ms_stepped_plan plan = make_plan(level);
  plan.harmonic.times = 64;
  ms_stepped_run run = { .plan = &plan };
  (void)user;
  ms_status status = make_structure(ctx, &s);
  if (status == MS_SUCCESS) status = ms_stepped_simulate(ctx, s, &run);
  ms_stepped_free(ctx, &run);
  ms_structure_destroy(&s);
  return status;
}

static void test_out_of_memory(void) {
  CHECK(test_allocations(run_short, NULL) > 10);
}

static void test_warnings(void) {
  ms_harmonic_point point[2] = { { .zeta = 0.9, .level = 2.7 }, { .zeta = 1.1, .level = 5.3 } };
  const ms_stepped_plan plan = { .n_level = 4 };
  ms_stepped_run run = { .plan = &plan, .mode = 2, .missing = 2, .curve = { .n = 2, .ended = 1 } };
  ms_doubt doubt;
  char text[200];
  run.curve.point = point;
  strcpy(run.curve.remark, "it ends");
  CHECK(ms_stepped_warning(&run, "N", 0, &doubt, text, sizeof text));
  CHECK_TEXT(text, "mode 3 has no solution at 2 of 4 levels: it ends");
  CHECK_EQUAL(doubt, MS_DOUBT_NOTE);
  CHECK(ms_stepped_warning(&run, "N", 1, &doubt, text, sizeof text));
  CHECK_HAS(text, "mode 3 has damping ratios above 1 from level 5.3 N on");
  CHECK_EQUAL(doubt, MS_DOUBT_SUSPECT);
  CHECK(!ms_stepped_warning(&run, "N", 2, &doubt, text, sizeof text));
  run.curve.n = 0;
  CHECK(ms_stepped_warning(&run, "N", 0, &doubt, text, sizeof text));
  CHECK_EQUAL(doubt, MS_DOUBT_MISSING);
  run.curve.complete = 1;
  CHECK(!ms_stepped_warning(&run, "N", 0, &doubt, text, sizeof text));
}

int main(void) {
  TEST(test_closed_form);
  TEST(test_not_reached);
  TEST(test_packed);
  TEST(test_refused);
  TEST(test_out_of_memory);
  TEST(test_warnings);
  return test_finish();
}
