/* calibrate: parameters of joints from measured or simulated data, by many local fits, by a search
   over several objectives, or by samples of their posterior. */
#include "study/analyses/calibrate/calibrate.h"

#include <stdio.h>

static void close_product(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  if (c->method) c->method->close(s, c);
  for (ptrdiff_t i = 0; i < c->n_solution; i++) ms_solution_free(s->ctx, &c->solution[i]);
  ms_free(s->ctx, &c->solution);
  ms_verify_close(s, &c->verify);
  ms_calibration_destroy(&c->main);
  for (ptrdiff_t i = 0; i < c->n; i++) ms_free(s->ctx, &c->parameter[i].place);
  ms_calibrate_close_targets(s, c);
  ms_free(s->ctx, &c->parameter);
  ms_free(s->ctx, &c->bound);
  ms_free(s->ctx, &c->free);
  ms_free(s->ctx, &task->product);
}

ms_calibration_plan ms_calibrate_plan(const ms_study *s, const ms_task *task,
                                      const ms_calibrate *c) {
  return (ms_calibration_plan) { .crew = ms_study_crew(s),
                                 .what = task->name,
                                 .n = c->n,
                                 .free = c->free,
                                 .bound = c->bound,
                                 .n_target = c->n_target,
                                 .target = c->is,
                                 .seed = c->seed };
}

/* The study's own joints have their parameters back when the calibration is destroyed. */
static ms_status run(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  MS_TRY(ms_calibrate_gather(s, c));
  ms_status status =
      ms_calibration_create(s->structure, c->n, c->free, c->n_target, c->is, &c->main);
  if (status != MS_SUCCESS) return ms_fail_at(s->ctx, status, "%s", task->name);
  const double start = ms_study_clock();
  status = c->method->run(s, task, c);
  const double seconds = ms_study_clock() - start;
  if (c->made > 0 && seconds > 0.0) {
    snprintf(task->note, sizeof task->note, "%td evaluations in %.2g s, %.0f per second", c->made,
             seconds, (double)c->made / seconds);
  }
  ms_calibration_destroy(&c->main);
  return status == MS_SUCCESS ? ms_verify_run(s, task, c) : status;
}

/* The others' share of the evaluations. */
static ms_status help(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  MS_TRY(ms_calibrate_gather(s, c));
  return c->method->run(s, task, c);
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_calibrate *c = task->product;
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].from == other) return 1;
  }
  return ms_verify_needs(c->verify, other);
}

const ms_analysis ms_analysis_calibrate = {
  .needs = needs,
  .name = "calibrate",
  .meaning =
      "Parameters of joints with which the model matches the targets, such as quasi-static "
      "curves of frequency and damping against amplitude: by local fits from many starts, which "
      "also say what the data do not determine; as the Pareto front of several objectives; or "
      "as the posterior distribution given the data.",
  .keys = ms_calibrate_keys,
  .n_keys = MS_CALIBRATE_KEYS,
  .check = ms_calibrate_check,
  .run = run,
  .judge = ms_calibrate_judge,
  .help = help,
  .result = ms_calibrate_result,
  .close = close_product,
};
