/* local: least squares from many starts, the best of them judged. */
#include <math.h>

#include "study/analyses/shared/answers.h"
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/shared/multistart.h"

/* The best of them is judged and made the first solution, by the first process. */
ms_status ms_local_run(ms_study *s, const ms_task *task) {
  const ms_calibrate_options *o = task->options;
  ms_calibrate *c = task->product;
  const ms_calibration_plan plan = ms_calibrate_plan(s, task);
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c->fits, &c->fits));
  MS_TRY(ms_plan_run_starts(&plan, o->starts, &c->fits->starts));
  if (!c->main) return MS_SUCCESS;
  ms_best_fit *best = &c->fits->best;
  MS_TRY(ms_calibration_judge(c->main, &c->fits->starts, o->noise > 0.0 ? o->noise : 0.0, plan.seed,
                              best));
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c->solution, &c->solution));
  return ms_calibration_solve(c->main, "fit", c->fits->starts.found + c->n * best->best,
                              &c->solution[c->n_solution++]);
}

void ms_local_close(ms_study *s, ms_calibrate *c) {
  if (!c->fits) return;
  ms_fit_judgement_destroy(s->ctx, &c->fits->best.judgement);
  ms_starts_close(s->ctx, &c->fits->starts);
  ms_free(s->ctx, &c->fits);
}

/* Of measured impacts the noise of rows is known, but not how good model and time steps are. */
static ms_status judge_noise(ms_study *s, ms_task *task) {
  const ms_calibrate *c = task->product;
  int measured = 0;
  for (ptrdiff_t k = 0; k < c->n_target; k++)
    measured |= c->is[k].kind == MS_TARGET_HIT && ms_calibrate_is_measured(&c->target[k]);
  if (!measured) return MS_SUCCESS;
  return ms_task_doubt(
      s, task,
      "standard errors suppose that the model of the measured impacts is good to "
      "%.2g; say with `noise` what you believe, such as 5e-3, and see whether `parts: "
      "4` of the hammer_test changes the result",
      c->fits->best.supposed);
}

ms_status ms_local_judge(ms_study *s, ms_task *task) {
  const ms_calibrate_options *o = task->options;
  const ms_local_fits *fits = ((const ms_calibrate *)task->product)->fits;
  char text[400];
  if (!(o->noise > 0.0)) MS_TRY(judge_noise(s, task));
  if (!(o->noise > 0.0)) MS_TRY(ms_calibrate_judge_misfit(s, task));
  for (ptrdiff_t i = 0; ms_best_fit_warning(&fits->best, &fits->starts, i, text, sizeof text); i++)
    MS_TRY(ms_task_doubt(s, task, "%s", text));
  if (fits->best.agree > 1 || fits->starts.count == 1) return MS_SUCCESS;
  return ms_task_note(s, task,
                      "only 1 of %td starts ended here: more `starts` or narrower bounds show "
                      "whether there is a better answer",
                      fits->starts.count);
}

/* ---- result ---- */

static void answer(const ms_study *s, const ms_calibrate *c, ms_result *r) {
  const ms_fit_judgement *j = &c->fits->best.judgement;
  ptrdiff_t order[MS_JOINT_PARAMETERS];
  ms_calibrate_order(c, j, order);
  for (ptrdiff_t k = 0; k < c->n && k < 4; k++) {
    const ptrdiff_t i = order[k];
    const double error = j->standard_error[i];
    ms_answer_parameter(
        s, r, (ms_answer) { .value = c->solution[0].p[i], .error = error, .weight = MS_HEAD_FIT },
        NULL, &c->parameter[i]);
  }
}

static ms_status result(ms_study *s, ms_task *task) {
  const ms_calibrate *c = task->product;
  const ms_starts *of = &c->fits->starts;
  const ms_best_fit *fit = &c->fits->best;
  const ms_fit_judgement *j = &fit->judgement;
  const ms_fit_local *best = &of->local[fit->best];
  ms_result *r = task->result;
  ms_result_table *table = ms_result_new_table(
      task->result, "",
      "parameter:word,value [unit],standard_error [unit],unit:word,lower [unit],"
      "upper [unit],"
      "determined:flag,at_bound");
  for (ptrdiff_t i = 0; i < c->n; i++) {
    ms_result_put_row(table, c->parameter[i].key, c->solution[0].p[i], j->standard_error[i],
                      c->parameter[i].unit, c->bound[i].lower, c->bound[i].upper,
                      (double)j->determined[i], (double)j->at_bound[i]);
  }
  ms_calibrate_tabulate_correlation(task, j->correlation);
  ms_starts_tabulate(of, ms_calibrate_new_table(task, "_starts", MS_STARTS_COLUMNS));
  ms_result_list_rows(r, "parameters", table, "parameter,value,standard_error,determined,at_bound");
  ms_result_set_values(r,
                       "sum_of_squares,converged:flag,gradient,starts:count,"
                       "starts_that_agree:count,supposed_noise,scatter,rms,condition,"
                       "remarks:word",
                       best->sum, (double)(best->end == MS_FIT_CONVERGED), best->gradient,
                       (double)of->count, (double)fit->agree, fit->supposed, fit->scatter,
                       j->rms * fit->scatter, j->condition, j->remarks);
  answer(s, c, r);
  ms_result_show_table(r, table,
                       "Fitted parameters. The data do not determine a parameter with determined "
                       "0; at_bound is -1 at the lower and 1 at the upper bound");
  ms_result_say(r,
                "Least squares from %td starts, of which %td ended here. Residuals are differences "
                "of the logarithm of "
                "damping, and of the frequency over its shift; standard errors follow from their "
                "scatter.",
                of->count, fit->agree);
  return MS_SUCCESS;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_local_fits *fits = ((const ms_calibrate *)task->product)->fits;
  char text[600];
  MS_TRY(ms_local_judge(s, task));
  return ms_starts_open_warning(&fits->starts, &fits->best.judgement, text, sizeof text)
             ? ms_task_doubt(s, task, "%s", text)
             : MS_SUCCESS;
}

const ms_calibrate_method ms_calibrate_local = {
  .name = "local",
  .keys = "starts",
  .run = ms_local_run,
  .result = result,
  .judge = judge,
  .close = ms_local_close,
};
