/* A swept sine through the resonance of one mass: frequency and damping of its transfer function.
 */
#include <math.h>

#include <microslip/experiment.h>

#include "support/check.h"

/* Smallest distance of the lines kept within 2 % of the resonance, Hz. */
static double finest(const ms_sweep_run *run) {
  double least = HUGE_VAL;
  for (ptrdiff_t k = 0; k + 1 < run->n_line; k++) {
    const double *at = run->line + 3 * k, f = run->sweep.omega_phase / (2.0 * acos(-1.0));
    if (fabs(at[0] - f) < 0.02 * f) least = fmin(least, at[3] - at[0]);
  }
  return least;
}

static void test_linear(void) {
  static const char *const names[] = { "u" };
  const double m = 2.385, k = 9310.0, zeta = 0.021;
  double shape[] = { 1.0 }, sensor[] = { 0.0 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, names, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, m));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, k));
  CHECK_OK(ms_structure_set_modal_damping(s, &zeta));
  CHECK_OK(ms_structure_setup(s));
  const double omega = sqrt(k / m);
  sensor[0] = ms_structure_get_stuck(s).shape[0]; /* the motion of the mass itself */
  ms_sweep_plan plan = { .shape = shape,
                         .sensor = sensor,
                         .from = 5.0,
                         .to = 16.0,
                         .duration = 120.0,
                         .step = 2e-3,
                         .steps = 62000,
                         .law = "linear",
                         .method = "exponential",
                         .unit = sensor[0],
                         .settings = MS_SWEEP_DEFAULT };
  plan.settings.input = MS_SWEEP_FORCE;
  plan.settings.participation = sensor[0] * sensor[0];
  plan.settings.end = plan.duration;
  for (int down = 0; down < 2; down++) {
    ms_sweep_run run = { .plan = &plan, .level = 3.1, .down = down };
    CHECK_OK(ms_sweep_simulate(test_context(), s, &run));
    CHECK_TEXT(run.remark, "");
    CHECK(run.sweep.n > 0 && run.n_line > 100 && run.n_row > 10);
    CHECK(finest(&run) < 0.5 * (run.line[3] - run.line[0])); /* denser than at the ends */
    CHECK_NEAR(run.sweep.omega_phase, omega, 1e-3 * omega);
    CHECK_NEAR(run.sweep.zeta_peak, zeta, 1e-2 * zeta);
    const ms_decay_point at = ms_sweep_get_resonance(&run);
    CHECK(at.omega == run.sweep.omega_phase && at.zeta == run.sweep.zeta_peak);
    CHECK_CLOSE(at.q, 3.1 * sensor[0] / (2.0 * zeta * omega * omega), 1e-2);
    CHECK(run.has_energy && fabs(run.energy.balance) < 1e-6 * fabs(run.energy.input));
    ms_sweep_run_free(test_context(), &run);
  }
  ms_structure_destroy(&s);
}

/* Two masses side by side: the second hangs on its own, and neither sees the other. */
static void test_plan(void) {
  const double zeta[] = { 0.021, 0.0037 };
  double shape[] = { 1.7, 0.0 }, sensor[2];
  ms_sweep_plan plan = { .shape = shape, .sensor = sensor, .settings = MS_SWEEP_DEFAULT };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_mass(s, 1, 3.1));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 9310.0));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 1, 79310.0));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  plan.settings.input = MS_SWEEP_FORCE;
  CHECK_OK(ms_sweep_set_sensor(test_context(), s, 0, MS_GROUND, &plan));
  CHECK(plan.unit == 1.0 && sensor[0] == 1.0 && sensor[1] == 0.0);
  CHECK_OK(ms_sweep_set_sensor(test_context(), s, 0, 0, &plan));
  CHECK_CLOSE(plan.unit, 1.0 / sqrt(2.385), 1e-12);
  CHECK_OK(ms_sweep_set_participation(test_context(), s, 0, &plan));
  CHECK_CLOSE(plan.settings.participation, 1.7 / 2.385, 1e-12);
  plan.settings.input = MS_SWEEP_BASE;
  CHECK_OK(ms_sweep_set_participation(test_context(), s, 0, &plan));
  CHECK_CLOSE(plan.settings.participation, -1.7 / 2.385, 1e-12);
  CHECK_STATUS(ms_sweep_set_sensor(test_context(), s, 0, 1, &plan), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "mode 1 does not move at 'u2'");
  CHECK_STATUS(ms_sweep_set_participation(test_context(), s, 1, &plan), MS_ERR_ARGUMENT);
  CHECK_CLOSE(ms_sweep_default_tail(s, 0, 100.0), 7.0 / (0.021 * sqrt(9310.0 / 2.385)), 1e-12);
  CHECK_CLOSE(ms_sweep_default_tail(s, 0, 1.3), 0.13, 1e-12);
  ms_sweep_plan timed = { .from = 3.1, .to = 7.3, .duration = 1.3, .step = 0.01 };
  CHECK_OK(ms_sweep_set_steps(test_context(), s, 0, 0.0, &timed));
  CHECK_EQUAL(timed.steps, 143); /* 1.3 s and a tenth */
  CHECK_OK(ms_sweep_set_steps(test_context(), s, 0, 0.555, &timed));
  CHECK_EQUAL(timed.steps, 186);
  timed.step = 1.0 / (10.05 * 7.3);
  CHECK_OK(ms_sweep_set_steps(test_context(), s, 0, 0.0, &timed));
  timed.step = 1.0 / (9.95 * 7.3);
  CHECK_STATUS(ms_sweep_set_steps(test_context(), s, 0, 0.0, &timed), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "9.95 steps in a period of 7.3 Hz; at least 10");
  timed.step = 1e-9;
  CHECK_STATUS(ms_sweep_set_steps(test_context(), s, 0, 0.0, &timed), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "too many to keep");
  timed.to = 3.1;
  CHECK_STATUS(ms_sweep_set_steps(test_context(), s, 0, 0.0, &timed), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "to must be above from");
  ms_structure_destroy(&s);
}

static void test_too_fast(void) {
  ms_sweep_run run[2] = { { .sweep = { .n = 1, .severity = 3.5 } },
                          { .sweep = { .n = 1, .severity = 3.7 } } };
  char text[240];
  CHECK(!ms_sweep_warning(1, run, text, sizeof text));
  CHECK(ms_sweep_warning(2, run, text, sizeof text));
  CHECK_HAS(text, "is up to 3.7, above 3.6 in 1 of 2 resonances");
}

int main(void) {
  TEST(test_linear);
  TEST(test_plan);
  TEST(test_too_fast);
  return test_finish();
}
