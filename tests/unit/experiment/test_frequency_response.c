/* Frequency response of one mass, spring and Jenkins slider. Stuck it is linear, of stiffness
   K + K_T; and at any amplitude z the peak of the response is near resonance, where
   F = c omega z + 4 F_S (z - z_s)/(pi z) with one harmonic. */
#include <math.h>
#include <string.h>

#include "experiment/pack.h"
#include "support/check.h"

#define MASS 2.385
#define K    9310.0
#define K_T  2270.0
#define F_S  11.3
#define ZETA 0.0037

static const double force[] = { 1.0 };
static const ptrdiff_t sensor[] = { 0 };

static ms_status make_structure(ms_context *ctx, ms_structure **out) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  const double zeta[] = { ZETA };
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
  MS_TRY(ms_structure_set_modal_damping(*out, zeta));
  return ms_structure_setup(*out);
}

static double stuck_omega(void) {
  return sqrt((K + K_T) / MASS);
}

static ms_frequency_plan make_plan(void) {
  ms_frequency_plan plan = ms_frequency_default();
  plan.force = force, plan.sensor = sensor, plan.n_sensor = 1;
  plan.from = 0.83 * stuck_omega(), plan.to = 1.07 * stuck_omega();
  plan.harmonic.harmonics = 1;
  return plan;
}

/* z = F/sqrt((k - omega^2 m)^2 + (c omega)^2) at every point, and at the peak F/(c sqrt(k/m)) but
   for ZETA^2. */
static void test_linear(void) {
  const double c = 2.0 * ZETA * stuck_omega() * MASS, level = 0.31 * F_S / K_T * c * stuck_omega();
  const ms_frequency_plan plan = make_plan();
  ms_frequency_run run = { .plan = &plan, .level = level };
  ms_structure *s = NULL;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_frequency_simulate(test_context(), s, &run));
  CHECK(run.curve.complete && run.curve.n > 10 && run.folds == 0 && run.peaks == 1);
  CHECK(!run.peak_at_end && run.n_refined == 0 && run.curve.remark[0] == '\0');
  for (ptrdiff_t i = 0; i < run.curve.n; i++) {
    const double w = run.curve.point[i].omega, k = K + K_T - w * w * MASS;
    const ms_periodic_motion *x = &run.curve.sensor[i];
    CHECK_CLOSE(x->amplitude, level / hypot(k, c * w), 1e-7);
    CHECK_NEAR(cos(x->phase), k / hypot(k, c * w), 1e-7);
    CHECK_CLOSE(x->peak[2], w * w * x->amplitude, 1e-4); /* seen at times of a period */
    CHECK(run.depth[i] == 0.0);
  }
  CHECK_CLOSE(run.curve.sensor[run.peak].amplitude, 0.31 * F_S / K_T, 2.0 * ZETA * ZETA);
  ms_frequency_free(test_context(), &run);
  CHECK(!run.depth && !run.loop && run.curve.n == 0);
  ms_structure_destroy(&s);
}

/* In phase with the velocity, first harmonic, at an amplitude z beyond the slip. */
static double slip_force(double z) {
  return 4.0 * F_S * (z - F_S / K_T) / (3.14159265358979 * z);
}

/* Held, the force is z |(k - omega^2 m) + i c omega| at every point, least near the resonance;
   where the slider slips, at the peak what a forced run with that level reaches. */
static void test_held(void) {
  const double c = 2.0 * ZETA * stuck_omega() * MASS, z = 0.31 * F_S / K_T;
  ms_frequency_plan plan = make_plan();
  plan.hold = 1;
  ms_frequency_run run = { .plan = &plan, .level = z };
  ms_structure *s = NULL;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_frequency_simulate(test_context(), s, &run));
  CHECK(run.curve.complete && run.curve.n > 10 && run.peaks == 1 && !run.peak_at_end);
  double least = HUGE_VAL;
  for (ptrdiff_t i = 0; i < run.curve.n; i++) {
    const double w = run.curve.point[i].omega, k = K + K_T - w * w * MASS;
    CHECK_CLOSE(run.curve.sensor[i].amplitude, z, 1e-9);
    CHECK_CLOSE(run.curve.point[i].level, z * hypot(k, c * w), 1e-7);
    least = fmin(least, run.curve.point[i].level);
  }
  CHECK(run.curve.point[run.peak].level == least);
  ms_frequency_free(test_context(), &run);
  run = (ms_frequency_run) { .plan = &plan, .level = 3.7 * F_S / K_T };
  CHECK_OK(ms_frequency_simulate(test_context(), s, &run));
  CHECK(run.curve.complete && run.folds == 0);
  const double w = run.curve.point[run.peak].omega;
  ms_frequency_plan forced = make_plan();
  forced.list = &w, forced.n_list = 1;
  ms_frequency_run other = { .plan = &forced, .level = run.curve.point[run.peak].level };
  CHECK_OK(ms_frequency_simulate(test_context(), s, &other));
  double nearest = HUGE_VAL;
  for (ptrdiff_t i = 0; i < other.curve.n; i++) {
    if (other.curve.point[i].omega == w)
      nearest = fmin(nearest, fabs(other.curve.sensor[i].amplitude / run.level - 1.0));
  }
  CHECK_BELOW(nearest, 1e-8);
  CHECK_CLOSE(run.curve.point[run.peak].level, c * w * run.level + slip_force(run.level), 1e-4);
  ms_frequency_free(test_context(), &other);
  ms_frequency_free(test_context(), &run);
  plan.refine = 1e-3, plan.refine_rows = 2;
  CHECK_STATUS(ms_frequency_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  ms_structure_destroy(&s);
}

/* The loop of the law at the peak has the area that the balance says is lost. */
static void test_slip(void) {
  const ms_frequency_plan plan = make_plan();
  ms_frequency_run run = { .plan = &plan, .level = 7.9 };
  ms_structure *s = NULL;
  double area = 0.0;
  const ptrdiff_t L = MS_FREQUENCY_LOOP;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_frequency_simulate(test_context(), s, &run));
  CHECK(run.curve.complete && run.curve.n_axis == 1 && run.curve.n_joint == 1);
  const double z = run.curve.sensor[run.peak].amplitude, w = run.curve.point[run.peak].omega;
  const double c = 2.0 * ZETA * stuck_omega() * MASS, loss = 4.0 * F_S * (z - F_S / K_T);
  CHECK(z > 1.3 * F_S / K_T);
  CHECK_CLOSE(c * w * z + loss / (acos(-1.0) * z), run.level, 1e-2); /* a peak of z, not of phase */
  CHECK_CLOSE(run.curve.loss[run.peak], loss, 1e-3);
  for (ptrdiff_t i = 1; i < L; i++) {
    area += 0.5 * (run.loop[L + i] + run.loop[L + i - 1]) * (run.loop[i] - run.loop[i - 1]);
  }
  CHECK_CLOSE(fabs(area), loss, 1e-3);
  CHECK_CLOSE(run.loop[0], run.loop[L - 1], 1e-12);
  ms_frequency_free(test_context(), &run);
  ms_structure_destroy(&s);
}

/* Downwards from the peak the response is largest at the end. */
static void test_peak_at_end(void) {
  ms_frequency_plan plan = make_plan();
  plan.to = 1.003 * stuck_omega(), plan.from = 1.07 * stuck_omega();
  ms_frequency_run run = { .plan = &plan, .level = 0.0123 };
  ms_structure *s = NULL;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_frequency_simulate(test_context(), s, &run));
  CHECK(run.peak == run.curve.n - 1 && run.peak_at_end && run.peaks == 0);
  ms_frequency_free(test_context(), &run);
  ms_structure_destroy(&s);
}

static void test_packed(void) {
  ms_frequency_plan plan = make_plan();
  plan.refine = 1e-3, plan.refine_rows = 7;
  ms_frequency_run run = { .plan = &plan, .level = 7.9 }, copy = { .plan = &plan, .level = 7.9 };
  ms_structure *s = NULL;
  double *values = NULL;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_frequency_simulate(test_context(), s, &run));
  CHECK(run.settled && run.n_refined > 1);
  const ptrdiff_t n = ms_frequency_save(&run, NULL);
  CHECK_OK(ms_allocate(test_context(), n, sizeof *values, &values));
  CHECK_EQUAL(ms_frequency_save(&run, values), n);
  for (ptrdiff_t less = 1; less < n; less += n / 7) {
    CHECK_STATUS(ms_frequency_load(test_context(), &copy, values, n - less), MS_ERR_FORMAT);
    CHECK(!copy.depth && !copy.loop && !copy.curve.point);
  }
  CHECK_OK(ms_frequency_load(test_context(), &copy, values, n));
  CHECK(copy.folds == run.folds && copy.shallow == run.shallow && copy.peaks == run.peaks);
  CHECK(copy.peak == run.peak && copy.peak_at_end == run.peak_at_end && copy.settled);
  CHECK(copy.n_refined == run.n_refined && copy.curve.n == run.curve.n);
  CHECK(memcmp(copy.depth, run.depth, (size_t)run.curve.n * sizeof *run.depth) == 0);
  CHECK(memcmp(copy.loop, run.loop, 3 * MS_FREQUENCY_LOOP * sizeof *run.loop) == 0);
  for (ptrdiff_t i = 0; i < run.n_refined; i++) {
    CHECK(copy.refined[i].peak == run.refined[i].peak && copy.refined[i].harmonics > 0);
  }
  ms_free(test_context(), &values);
  ms_frequency_free(test_context(), &copy);
  ms_frequency_free(test_context(), &run);
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_frequency_plan plan = make_plan();
  ms_frequency_run run = { .plan = &plan, .level = 1.0 };
  ms_structure *s = NULL;
  CHECK_OK(make_structure(test_context(), &s));
  plan.n_sensor = 0;
  CHECK_STATUS(ms_frequency_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  plan = make_plan(), plan.force = NULL;
  CHECK_STATUS(ms_frequency_simulate(test_context(), s, &run), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_frequency_simulate(test_context(), NULL, &run), MS_ERR_ARGUMENT);
  ms_structure_destroy(&s);
}

static ms_status run_short(ms_context *ctx, void *user) {
  ms_frequency_plan plan = make_plan();
  ms_frequency_run run = { .plan = &plan, .level = 7.9 };
  ms_structure *s = NULL;
  plan.harmonic.times = 64;
  (void)user;
  ms_status status = make_structure(ctx, &s);
  if (status == MS_SUCCESS) status = ms_frequency_simulate(ctx, s, &run);
  ms_frequency_free(ctx, &run);
  ms_structure_destroy(&s);
  return status;
}

static void test_out_of_memory(void) {
  CHECK(test_allocations(run_short, NULL) > 10);
}

/* Sentences in their order; a curve without points has one only. */
static void test_warnings(void) {
  static const char *const part[] = { "the curve of level 2.7 N stopped", "passed 3 of the points",
                                      "2 of the 5 folds are shallow", "the peak may lie beyond",
                                      "with 9 harmonics the peak still moves by 0.013" };
  static const ms_doubt severity[] = { MS_DOUBT_MISSING, MS_DOUBT_MISSING, MS_DOUBT_NOTE,
                                       MS_DOUBT_NOTE, MS_DOUBT_SUSPECT };
  ms_harmonic_point point = { .omega = 31.7 };
  ms_frequency_plan plan = make_plan();
  ms_frequency_run run = { .plan = &plan,
                           .level = 2.7,
                           .folds = 5,
                           .shallow = 2,
                           .peak_at_end = 1,
                           .n_refined = 2,
                           .curve = { .n = 1, .missed = 3 } };
  ms_doubt doubt;
  char text[400];
  plan.refine = 1e-4;
  run.curve.point = &point;
  run.refined[1] = (ms_harmonic_row) { .harmonics = 9, .change = 0.013 };
  strcpy(run.curve.remark, "stopped");
  for (int i = 0; i < 5; i++) {
    CHECK(ms_frequency_warning(&run, "N", i, &doubt, text, sizeof text));
    CHECK_HAS(text, part[i]);
    CHECK_EQUAL(doubt, severity[i]);
  }
  CHECK(!ms_frequency_warning(&run, "N", 5, &doubt, text, sizeof text));
  run.curve.ended = 1;
  CHECK(ms_frequency_warning(&run, "N", 0, &doubt, text, sizeof text) && doubt == MS_DOUBT_NOTE);
  run.n_refined = 1;
  CHECK(ms_frequency_warning(&run, "N", 4, &doubt, text, sizeof text));
  CHECK_HAS(text, "with more harmonics there is no solution");
  run.curve.n = 0;
  CHECK(ms_frequency_warning(&run, "N", 0, &doubt, text, sizeof text));
  CHECK_TEXT(text, "level 2.7 N has no point: stopped");
  CHECK(!ms_frequency_warning(&run, "N", 1, &doubt, text, sizeof text));
}

int main(void) {
  TEST(test_linear);
  TEST(test_held);
  TEST(test_slip);
  TEST(test_peak_at_end);
  TEST(test_packed);
  TEST(test_refused);
  TEST(test_out_of_memory);
  TEST(test_warnings);
  return test_finish();
}
