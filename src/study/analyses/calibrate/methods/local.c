/* local: least squares from many starts, the best of them judged. */
#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/shared/multistart.h"

/* The best of them is judged and made the first solution, by the first process. */
ms_status ms_calibrate_run_fit(ms_study *s, const ms_task *task, ms_calibrate *c) {
  ms_calibrate_fits *of = &c->local;
  const ms_calibration_plan plan = ms_calibrate_plan(s, task, c);
  MS_TRY(ms_plan_run_starts(&plan, of->starts, &of->fits));
  if (!c->main) return MS_SUCCESS;
  MS_TRY(ms_calibration_judge(c->main, &of->fits, of->noise, c->seed, &of->fit));
  of->judged = 1;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c->solution, &c->solution));
  return ms_calibration_solve(c->main, "fit", of->fits.found + c->n * of->fit.best,
                              &c->solution[c->n_solution++]);
}

void ms_calibrate_close_fit(ms_study *s, ms_calibrate *c) {
  ms_fit_judgement_destroy(s->ctx, &c->local.fit.judgement);
  ms_starts_close(s->ctx, &c->local.fits);
}

/* ---- result ---- */

static ms_status result(ms_study *s, ms_task *task, ms_calibrate *c) {
  const ms_best_fit *fit = &c->local.fit;
  const ms_fit_judgement *j = &fit->judgement;
  const ms_fit_local *best = &c->local.fits.local[fit->best];
  ms_result *r = task->result;
  ms_result_table *table, *starts;
  MS_TRY(ms_task_add_table(s, task, "",
                           "parameter:word,value,standard_error,unit:word,lower,upper,"
                           "determined:flag,at_bound",
                           &table));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, table, c->parameter[i].key, c->solution[0].p[i],
                                   j->standard_error[i], c->parameter[i].unit, c->bound[i].lower,
                                   c->bound[i].upper, (double)j->determined[i],
                                   (double)j->at_bound[i]));
  }
  MS_TRY(ms_calibrate_tabulate_correlation(s, task, c, j->correlation));
  MS_TRY(ms_calibrate_add_table(s, task, c, "_starts", MS_STARTS_COLUMNS, &starts));
  MS_TRY(ms_starts_tabulate(s->ctx, &c->local.fits, starts));
  ms_result_list_rows(r, "parameters", table, "parameter,value,standard_error,determined,at_bound");
  ms_result_set_number(r, "sum_of_squares", NULL, best->sum);
  ms_result_set_flag(r, "converged", best->end == MS_FIT_CONVERGED);
  ms_result_set_number(r, "gradient", NULL, best->gradient);
  ms_result_set_integer(r, "starts", c->local.starts);
  ms_result_set_integer(r, "starts_that_agree", fit->agree);
  ms_result_set_number(r, "supposed_noise", NULL, fit->supposed);
  ms_result_set_number(r, "scatter", NULL, fit->scatter);
  ms_result_set_number(r, "rms", NULL, j->rms * fit->scatter);
  ms_result_set_number(r, "condition", NULL, j->condition);
  ms_result_set_text(r, "remarks", j->remarks);
  ms_result_say(r,
                "Least squares from several starts. Residuals are logarithms of damping, and "
                "frequencies over their shift; standard errors are those of the scatter in "
                "these units.");
  ms_result_show_table(r, table,
                       "Parameters that fit (determined 0: the data do not say; at_bound -1 or 1: "
                       "at the lower or upper bound)");
  return MS_SUCCESS;
}

static ms_status judge(ms_study *s, ms_task *task, const ms_calibrate *c) {
  return ms_starts_judge_open(s, task, &c->local.fits, &c->local.fit.judgement);
}

const ms_calibrate_method ms_calibrate_local = {
  .name = "local",
  .run = ms_calibrate_run_fit,
  .result = result,
  .judge = judge,
  .close = ms_calibrate_close_fit,
};
