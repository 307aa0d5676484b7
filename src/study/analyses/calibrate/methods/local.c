/* local: least squares from many starts, the best of them judged. */
#include <math.h>

#include "study/analyses/shared/answers.h"
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/shared/multistart.h"

/* Residuals this many times the noise that was given are those of another model, or noise. */
static const double poor = 3.0;

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

ms_status ms_local_judge(ms_study *s, ms_task *task) {
  const ms_calibrate_options *o = task->options;
  const ms_local_fits *fits = ((const ms_calibrate *)task->product)->fits;
  const double times = fits->best.scatter / fits->best.supposed;
  if (!(o->noise > 0.0)) {
    MS_TRY(ms_calibrate_judge_misfit(s, task));
  } else if (times > poor) {
    MS_TRY(ms_task_doubt(s, task,
                         "the residual of the fit is %.3g times the noise that was given: the "
                         "model does not describe these data, or the noise is larger; standard "
                         "errors are scaled by it",
                         times));
  }
  return ms_starts_judge(s, task, &fits->starts, fits->best.best, &fits->best.judgement);
}

/* ---- result ---- */

/* Relative standard error; that of a parameter that the data do not determine is not finite. */
static double relative_error(const ms_calibrate *c, ptrdiff_t i) {
  const ms_fit_judgement *j = &c->fits->best.judgement;
  return j->determined[i] ? j->standard_error[i] / fabs(c->solution[0].p[i]) : HUGE_VAL;
}

/* The best determined first. */
static void answer(const ms_study *s, const ms_calibrate *c, ms_result *r) {
  enum { MOST = 4 };
  int told[MS_JOINT_PARAMETERS] = { 0 };
  for (ptrdiff_t k = 0; k < c->n && k < MOST; k++) {
    ptrdiff_t best = 0;
    while (told[best]) best++;
    for (ptrdiff_t i = best + 1; i < c->n; i++) {
      if (!told[i] && relative_error(c, i) < relative_error(c, best)) best = i;
    }
    told[best] = 1;
    ms_answer_parameter(s, r,
                        (ms_answer) { .value = c->solution[0].p[best],
                                      .error = c->fits->best.judgement.standard_error[best],
                                      .weight = MS_HEAD_FIT },
                        NULL, &c->parameter[best]);
  }
}

static ms_status result(ms_study *s, ms_task *task) {
  const ms_calibrate *c = task->product;
  const ms_starts *of = &c->fits->starts;
  const ms_best_fit *fit = &c->fits->best;
  const ms_fit_judgement *j = &fit->judgement;
  const ms_fit_local *best = &of->local[fit->best];
  ms_result *r = task->result;
  ms_result_table *table, *starts;
  MS_TRY(
      ms_task_add_table(s, task, "",
                        "parameter:word,value [unit],standard_error [unit],unit:word,lower [unit],"
                        "upper [unit],"
                        "determined:flag,at_bound",
                        &table));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, table, c->parameter[i].key, c->solution[0].p[i],
                                   j->standard_error[i], c->parameter[i].unit, c->bound[i].lower,
                                   c->bound[i].upper, (double)j->determined[i],
                                   (double)j->at_bound[i]));
  }
  MS_TRY(ms_calibrate_tabulate_correlation(s, task, j->correlation));
  MS_TRY(ms_calibrate_add_table(s, task, "_starts", MS_STARTS_COLUMNS, &starts));
  MS_TRY(ms_starts_tabulate(s->ctx, of, starts));
  ms_result_list_rows(r, "parameters", table, "parameter,value,standard_error,determined,at_bound");
  ms_result_set_number(r, "sum_of_squares", NULL, best->sum);
  ms_result_set_flag(r, "converged", best->end == MS_FIT_CONVERGED);
  ms_result_set_number(r, "gradient", NULL, best->gradient);
  ms_result_set_integer(r, "starts", of->count);
  ms_result_set_integer(r, "starts_that_agree", fit->agree);
  ms_result_set_number(r, "supposed_noise", NULL, fit->supposed);
  ms_result_set_number(r, "scatter", NULL, fit->scatter);
  ms_result_set_number(r, "rms", NULL, j->rms * fit->scatter);
  ms_result_set_number(r, "condition", NULL, j->condition);
  ms_result_set_text(r, "remarks", j->remarks);
  answer(s, c, r);
  ms_result_show_table(r, table,
                       "Fitted parameters. The data do not determine a parameter with determined "
                       "0; at_bound is -1 at the lower and 1 at the upper bound");
  ms_result_say(r,
                "Least squares from %td starts. Residuals are differences of the logarithm of "
                "damping, and of the frequency over its shift; standard errors follow from their "
                "scatter.",
                of->count);
  return MS_SUCCESS;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_local_fits *fits = ((const ms_calibrate *)task->product)->fits;
  MS_TRY(ms_local_judge(s, task));
  return ms_starts_judge_open(s, task, &fits->starts, &fits->best.judgement);
}

const ms_calibrate_method ms_calibrate_local = {
  .name = "local",
  .keys = "starts",
  .run = ms_local_run,
  .result = result,
  .judge = judge,
  .close = ms_local_close,
};
