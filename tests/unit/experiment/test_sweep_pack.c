/* A sweep's run in time, and what is kept of it for a resumed study. */
#include "experiment/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/structures.h"

static double shape[3] = { 0.0, 0.0, 1.3 };
static double sensor[3] = { 0.0, 1.0, 0.0 };

static ms_sweep_plan plan_of(double from, double to) {
  ms_sweep_plan plan = { .shape = shape,
                         .sensor = sensor,
                         .from = from,
                         .to = to,
                         .duration = 2000.0,
                         .step = 0.23,
                         .steps = 11000,
                         .law = "linear",
                         .method = "exponential",
                         .unit = 1.0,
                         .settings = MS_SWEEP_DEFAULT };
  plan.settings.input = MS_SWEEP_FORCE;
  plan.settings.start = 0.0;
  plan.settings.end = plan.duration;
  return plan;
}

static ms_sweep_run run_of(const ms_sweep_plan *plan, int down) {
  ms_sweep_run run = { .plan = plan, .level = 0.0117, .down = down };
  ms_structure *s = test_three_mass(0.0213);
  CHECK_OK(ms_sweep_simulate(test_context(), s, &run));
  ms_structure_destroy(&s);
  return run;
}

static void check_same(const ms_sweep_run *a, const ms_sweep_run *b) {
  CHECK_EQUAL(a->n_line, b->n_line);
  CHECK_EQUAL(a->n_row, b->n_row);
  CHECK_EQUAL(a->sweep.n, b->sweep.n);
  CHECK_EQUAL(a->count.steps, b->count.steps);
  CHECK_EQUAL(a->count.evaluations, b->count.evaluations);
  CHECK_EQUAL(a->has_energy, b->has_energy);
  CHECK(memcmp(&a->energy, &b->energy, sizeof a->energy) == 0); /* numbers alone */
  const ms_transient_quality *q = &a->quality, *r = &b->quality;
  CHECK(q->balance == r->balance && q->mode == r->mode && q->omega == r->omega);
  CHECK(q->share == r->share && q->steps == r->steps && q->steps_least == r->steps_least);
  CHECK_EQUAL(q->coarse, r->coarse);
  CHECK_TEXT(a->remark, b->remark);
  CHECK(a->sweep.zeta_half == b->sweep.zeta_half && a->sweep.severity == b->sweep.severity);
  CHECK(a->sweep.point.q == b->sweep.point.q && a->sweep.point.quality == b->sweep.point.quality);
  CHECK(a->energy.balance == b->energy.balance && a->count.residual == b->count.residual);
  CHECK(a->n_line == 0 || memcmp(a->line, b->line, 3 * (size_t)a->n_line * sizeof *a->line) == 0);
  CHECK(a->n_row == 0 || memcmp(a->row, b->row, 2 * (size_t)a->n_row * sizeof *a->row) == 0);
}

/* Saved and loaded: the same numbers. A tape that is cut off or too long is refused, and the run is
   left as before. */
static void check_kept(const ms_sweep_run *run) {
  ptrdiff_t n = ms_sweep_save(run, NULL);
  double *tape = malloc((size_t)(n + 1) * sizeof *tape);
  ms_sweep_run again = { .plan = run->plan, .level = run->level, .down = run->down };
  CHECK_EQUAL(ms_sweep_save(run, tape), n);
  tape[n] = 0.0;
  CHECK_STATUS(ms_sweep_load(test_context(), &again, tape, n - 1), MS_ERR_FORMAT);
  CHECK_STATUS(ms_sweep_load(test_context(), &again, tape, n + 1), MS_ERR_FORMAT);
  CHECK_STATUS(ms_sweep_load(test_context(), &again, tape, 5), MS_ERR_FORMAT);
  CHECK(again.line == NULL && again.sweep.omega_phase == 0.0 && again.level == run->level);
  CHECK_OK(ms_sweep_load(test_context(), &again, tape, n));
  check_same(&again, run);
  ms_sweep_run_free(test_context(), &again);
  free(tape);
}

static void test_found(void) {
  ms_sweep_plan plan = plan_of(0.16, 0.23);
  for (int down = 0; down < 2; down++) {
    ms_sweep_run run = run_of(&plan, down);
    CHECK_TEXT(run.remark, "");
    CHECK_CLOSE(run.sweep.omega_phase, 1.2156841452833735, 1e-3);
    CHECK_CLOSE(run.sweep.zeta_half, 0.0213, 0.02);
    CHECK((run.sweep.rate < 0.0) == down);
    CHECK(run.n_line > 50 && run.n_row > 20 && run.has_energy);
    check_kept(&run);
    run.quality = (ms_transient_quality) { 0.0137, 1, 31.7, 0.29, 17.3, 20.0, 3 };
    check_kept(&run);
    run.quality.mode = -1, run.quality.steps = HUGE_VAL; /* nothing moved */
    check_kept(&run);
    ms_sweep_run_free(test_context(), &run);
  }
}

static void test_not_found(void) {
  ms_sweep_plan plan = plan_of(0.09, 0.16);
  ms_sweep_run run = run_of(&plan, 0);
  CHECK_EQUAL(run.sweep.n, 0);
  CHECK_HAS(run.remark, "no resonance");
  CHECK_TEXT(ms_context_message(test_context()), "");
  check_kept(&run);
  ms_sweep_run_free(test_context(), &run);
}

int main(void) {
  TEST(test_found);
  TEST(test_not_found);
  return test_finish();
}
