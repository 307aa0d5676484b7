/* calibrate: parameters of joints from measured or simulated data, by many local fits, by a search
   over several objectives, or by samples of their posterior. */
#include "study/analyses/calibrate/calibrate.h"

#include <stdio.h>
#include <string.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/methods/posterior.h"

static void free_solution(ms_study *s, const ms_calibrate *c, ms_calibrate_solution *x) {
  for (ptrdiff_t k = 0; x->view && k < c->n_target; k++) ms_view_free(s->ctx, &x->view[k]);
  ms_free(s->ctx, &x->view);
  ms_free(s->ctx, &x->p);
}

static void close_product(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  if (c->method) c->method->close(s, c);
  for (ptrdiff_t i = 0; i < c->n_solution; i++) free_solution(s, c, &c->solution[i]);
  ms_free(s->ctx, &c->solution);
  ms_verify_close(s, &c->verify);
  ms_evaluator_close(&c->main);
  for (ptrdiff_t i = 0; i < c->n; i++) ms_free(s->ctx, &c->parameter[i].place);
  ms_calibrate_close_targets(s, c);
  ms_free(s->ctx, &c->parameter);
  ms_free(s->ctx, &c->bound);
  ms_free(s->ctx, &c->free);
  ms_free(s->ctx, &task->product);
}

void ms_calibrate_unscale(const ms_calibrate *c, const double *t, double *p) {
  for (ptrdiff_t i = 0; i < c->n; i++) p[i] = ms_fit_unscaled(&c->bound[i], t[i]);
}

ms_status ms_calibrate_add_solution(ms_study *s, ms_calibrate *c, const char *name,
                                    const double *p) {
  MS_TRY(ms_resize(s->ctx, c->n_solution + 1, sizeof *c->solution, &c->solution));
  ms_calibrate_solution *x = &c->solution[c->n_solution++];
  *x = (ms_calibrate_solution) { .view = NULL };
  snprintf(x->name, sizeof x->name, "%s", name);
  MS_TRY(ms_allocate(s->ctx, c->n + 2 * c->n_target, sizeof *x->p, &x->p));
  x->f = x->p + c->n;
  memcpy(x->p, p, (size_t)c->n * sizeof *p);
  MS_TRY(ms_evaluator_misfit(c->main, p, x->f));
  MS_TRY(ms_allocate(s->ctx, c->n_target, sizeof *x->view, &x->view));
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    const ms_target_view view = ms_evaluator_view(c->main, k);
    MS_TRY(ms_view_keep(s->ctx, &view, &x->view[k]));
  }
  return MS_SUCCESS;
}

static void take_note(ms_task *task, const ms_calibrate *c, double seconds) {
  if (c->made == 0 || !(seconds > 0.0)) return;
  snprintf(task->note, sizeof task->note, "%td evaluations in %.2g s, %.0f per second", c->made,
           seconds, (double)c->made / seconds);
}

/* The study's own joints have their parameters back when the evaluator is closed. */
static ms_status run(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  MS_TRY(ms_calibrate_gather(s, c));
  ms_status status = ms_evaluator_open(s->ctx, c, s->structure, &c->main);
  if (status != MS_SUCCESS) return ms_fail_at(s->ctx, status, "%s", task->name);
  const double start = ms_study_clock();
  status = c->method->run(s, task, c);
  take_note(task, c, ms_study_clock() - start);
  if (status == MS_SUCCESS) status = ms_calibrate_tabulate(s, task, c);
  ms_evaluator_close(&c->main);
  return status == MS_SUCCESS ? ms_verify_run(s, task, c) : status;
}

/* The others' share of the evaluations. */
static ms_status help(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  MS_TRY(ms_calibrate_gather(s, c));
  return c->method->help(s, task, c);
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
  .summarise = ms_calibrate_summarise,
  .report = ms_calibrate_report,
  .close = close_product,
};
