/* A pulse on linear structures: the decay has the frequency and damping of each mode, and the
 * answer survives being packed. */
#include <math.h>
#include <string.h>

#include "experiment/pack.h"
#include "support/check.h"

/* Two masses on springs; omega^2 m = k of each mode by hand. */
static ms_structure *make_structure(double zeta) {
  static const char *const names[] = { "u1", "u2" };
  const double ratio[] = { zeta, 1.7 * zeta };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, names, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_mass(s, 1, 1.14));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 9310.0));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 2270.0));
  CHECK_OK(ms_structure_set_modal_damping(s, ratio));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_pulse_run make_request(const ms_structure *s) {
  static const double shape[] = { 1.0, 0.4 };
  static const int mode[] = { 0, 1 };
  static const ptrdiff_t segments[] = { 30, 30 };
  ms_pulse_run run = { .shape = shape,
                       .p = 87.0,
                       .omega = ms_structure_get_stuck(s).omega[1],
                       .time = ms_time_default(),
                       .mode = mode,
                       .n_mode = 2,
                       .segments = segments,
                       .keep_traces = 1 };
  run.time.method = "exponential"; /* exact for a linear structure */
  run.time.step = 1.3e-3;
  run.time.steps = 6000;
  return run;
}

static void test_linear(void) {
  const double zeta = 0.0037;
  ms_structure *s = make_structure(zeta);
  ms_modes stuck = ms_structure_get_stuck(s);
  ms_pulse_run run = make_request(s);
  CHECK_NEAR(ms_pulse_length(&run), acos(-1.0) / stuck.omega[1], 1e-15);
  CHECK_OK(ms_pulse_simulate(test_context(), s, &run));
  CHECK_EQUAL(run.count.steps, 6000);
  CHECK(run.has_energy && fabs(run.energy.balance) < 1e-6 * run.energy.input);
  for (int r = 0; r < 2; r++) {
    const double own = (r == 0 ? 1.0 : 1.7) * zeta;
    CHECK_TEXT(run.remark[r], "");
    CHECK(run.decay[r].n >= 8);
    const ms_decay_point *d = &run.decay[r].point[run.decay[r].n / 2];
    /* the Hilbert transform sees the damped frequency */
    CHECK_NEAR(d->omega, stuck.omega[r] * sqrt(1.0 - own * own), 1e-4 * stuck.omega[r]);
    CHECK_NEAR(d->zeta, own, 1e-2 * own);
    CHECK_NEAR(ms_structure_get_excess_damping(s, r, d->omega, d->zeta), 0.0, 2e-2 * own);
    CHECK(run.trace[r].n > 100);
  }
  ms_pulse_free(test_context(), &run);
  ms_structure_destroy(&s);
}

/* Only along the second mode's node: the first one is not in the response. */
static void test_not_excited(void) {
  ms_structure *s = make_structure(0.004);
  ms_modes stuck = ms_structure_get_stuck(s);
  ms_pulse_run run = make_request(s);
  double shape[2] = { stuck.shape[3] * 1.0, -stuck.shape[2] }; /* no work on mode 2 */
  run.shape = shape;
  run.keep_traces = 0;
  CHECK_OK(ms_pulse_simulate(test_context(), s, &run));
  CHECK(run.decay[0].n > 0);
  CHECK_EQUAL(run.decay[1].n, 0);
  CHECK_HAS(run.remark[1], "does not excite");
  CHECK_EQUAL(run.trace[0].n, 0);
  ms_pulse_free(test_context(), &run);
  ms_structure_destroy(&s);
}

static void test_packed(void) {
  ms_structure *s = make_structure(0.004);
  ms_pulse_run run = make_request(s), copy = make_request(s);
  CHECK_OK(ms_pulse_simulate(test_context(), s, &run));
  ptrdiff_t n = ms_pulse_save(&run, NULL);
  double *values = NULL;
  CHECK_OK(ms_allocate(test_context(), n, sizeof *values, &values));
  CHECK_EQUAL(ms_pulse_save(&run, values), n);
  CHECK_OK(ms_pulse_load(test_context(), &copy, values, n));
  CHECK_EQUAL(copy.decay[1].n, run.decay[1].n);
  CHECK_NEAR(copy.decay[1].point[3].zeta, run.decay[1].point[3].zeta, 0.0);
  CHECK_NEAR(copy.trace[0].x[7], run.trace[0].x[7], 0.0);
  CHECK_NEAR(copy.energy.input, run.energy.input, 0.0);
  ms_pulse_free(test_context(), &copy);
  CHECK_STATUS(ms_pulse_load(test_context(), &copy, values, n - 1), MS_ERR_FORMAT);
  ms_free(test_context(), &values);
  ms_pulse_free(test_context(), &run);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_linear);
  TEST(test_not_excited);
  TEST(test_packed);
  return test_finish();
}
