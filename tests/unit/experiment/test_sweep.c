/* A swept sine through the resonance of one mass: frequency and damping of its transfer function.
 */
#include <math.h>

#include <microslip/experiment.h>

#include "support/check.h"

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
    CHECK_NEAR(run.sweep.omega_phase, omega, 1e-3 * omega);
    CHECK_NEAR(run.sweep.zeta_peak, zeta, 1e-2 * zeta);
    CHECK(run.has_energy && fabs(run.energy.balance) < 1e-6 * fabs(run.energy.input));
    ms_sweep_run_free(test_context(), &run);
  }
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_linear);
  return test_finish();
}
