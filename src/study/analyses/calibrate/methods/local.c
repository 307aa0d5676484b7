/* local: least squares from many starts, the best of them judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/calibrate.h"

#define LEAST_NOISE 0.01 /* of damping, and of the frequency shift: no measurement is better */

ms_fit_problem ms_calibrate_problem(const ms_calibrate *c, ms_evaluator *on) {
  return (ms_fit_problem) { .n = c->n,
                            .m = ms_evaluator_count(on),
                            .parameter = c->bound,
                            .eval = ms_evaluator_eval,
                            .user = on,
                            .has_jacobian = ms_evaluator_has_jacobian(on) };
}

static ms_fit_setting setting_of(const ms_calibrate *c) {
  ms_fit_setting setting = MS_FIT_DEFAULT;
  setting.seed = c->seed;
  return setting;
}

/* ---- evaluations are counted: it is not known how many a start takes ---- */

typedef struct counted {
  ms_context *ctx;
  ms_calibrate *c;
  ms_evaluator *on;
  ptrdiff_t m;
  ms_progress_fn progress; /* of the worker; levels would tell theirs far too often */
  void *user;
} counted;

/* Over all starts: how many evaluations, and the least misfit so far. */
static void count(counted *x, const double *r) {
  char text[120];
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < x->m; i++) sum += r[i] * r[i];
  pthread_mutex_lock(&x->c->tally.lock);
  const long n = ++x->c->tally.evaluations;
  if (n == 1 || sum < x->c->tally.least) x->c->tally.least = sum;
  const double least = x->c->tally.least;
  pthread_mutex_unlock(&x->c->tally.lock);
  snprintf(text, sizeof text, "%ld evaluation%s, misfit %.3g", n, n == 1 ? "" : "s",
           sqrt(least / (double)x->m));
  ms_context_set_detail(x->ctx, text);
}

static ms_status eval_counted(void *user, const double *p, double *r, double *jac) {
  counted *x = user;
  MS_TRY(ms_evaluator_eval(x->on, p, r, jac));
  count(x, r);
  if (!x->progress || !x->progress(x->user, "calibrate", 0.0)) return MS_SUCCESS;
  return ms_fail(x->ctx, MS_CANCELLED, "fit: cancelled");
}

/* ---- starts, one a job ---- */

static ms_status fit_from(counted *x, ptrdiff_t job) {
  ms_context *ctx = x->ctx;
  ms_calibrate *c = x->c;
  ms_fit_problem problem = ms_calibrate_problem(c, x->on);
  const ms_fit_setting setting = setting_of(c);
  double *p = c->fits.found + c->n * job;
  x->m = problem.m;
  problem.eval = eval_counted;
  problem.user = x;
  MS_TRY(ms_fit_get_start(ctx, &problem, &setting, c->starts, job, p));
  return ms_fit_from(ctx, &problem, &setting, p, &c->fits.local[job]);
}

static ms_status run_start(ms_worker *w, ptrdiff_t job, void *user) {
  counted x = { .ctx = w->ctx, .c = user };
  ms_context_get_progress(w->ctx, &x.progress, &x.user);
  ms_context_set_progress(w->ctx, NULL, NULL);
  ms_status status = ms_evaluator_open(w->ctx, x.c, w->structure, &x.on);
  if (status == MS_SUCCESS) status = fit_from(&x, job);
  ms_evaluator_close(&x.on);
  ms_context_set_progress(w->ctx, x.progress, x.user);
  return status;
}

static ptrdiff_t save_start(const void *user, ptrdiff_t job, double *values) {
  const ms_calibrate *c = user;
  return ms_starts_save(&c->fits, job, values);
}

static ms_status load_start(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                            ptrdiff_t n) {
  ms_calibrate *c = user;
  return ms_starts_load(ctx, &c->fits, job, values, n);
}

/* ---- the best ---- */

/* A start without an answer says why, if the model still knows. */
static ms_status fail_all(const ms_study *s, ms_calibrate *c) {
  double *f;
  MS_TRY(ms_allocate(s->ctx, 2 * c->n_target, sizeof *f, &f));
  ms_status status = ms_evaluator_misfit(c->main, c->fits.found, f);
  ms_free(s->ctx, &f);
  if (status == MS_SUCCESS) ms_fail(s->ctx, MS_NOT_CONVERGED, "the model has no answer there");
  return ms_fail_at(s->ctx, MS_NOT_CONVERGED, "none of %td starts could be evaluated", c->starts);
}

static ms_status find_best(const ms_study *s, ms_calibrate *c) {
  c->best = ms_starts_find_best(&c->fits, 0.0);
  if (c->best < 0) return fail_all(s, c);
  c->agree = ms_starts_count_agreeing(&c->fits, c->best);
  return MS_SUCCESS;
}

/* ---- judged, with residuals in units of their scatter ---- */

typedef struct scaled_problem {
  ms_evaluator *on;
  ptrdiff_t m, n;
  double scale;
} scaled_problem;

static ms_status eval_scaled(void *user, const double *p, double *r, double *jac) {
  const scaled_problem *x = user;
  MS_TRY(ms_evaluator_eval(x->on, p, r, jac));
  for (ptrdiff_t i = 0; i < x->m; i++) r[i] *= x->scale;
  for (ptrdiff_t i = 0; jac && i < x->m * x->n; i++) jac[i] *= x->scale;
  return MS_SUCCESS;
}

/* A model that leaves more than the noise that was given is not right to that noise, and neither
   are its parameters: errors grow with what is left. */
static ms_status judge(const ms_study *s, ms_calibrate *c) {
  ms_fit_problem problem = ms_calibrate_problem(c, c->main);
  ms_fit_setting setting = setting_of(c);
  const ptrdiff_t data = ms_evaluator_count_data(c->main), rest = data > c->n ? data - c->n : 1;
  if (data < c->n) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "%td numbers that have a weight do not determine %td parameters", data, c->n);
  }
  double left = sqrt(c->fits.local[c->best].sum / (double)rest);
  c->supposed = c->noise > 0.0 ? c->noise : fmax(left, LEAST_NOISE);
  c->scatter = fmax(left, c->supposed);
  scaled_problem scaled = { c->main, problem.m, c->n, 1.0 / c->scatter };
  problem.eval = eval_scaled;
  problem.user = &scaled;
  setting.known_noise = 1;
  MS_TRY(ms_fit_judge(s->ctx, &problem, &setting, c->fits.found + c->n * c->best, &c->judgement));
  c->judged = 1;
  return MS_SUCCESS;
}

ms_status ms_calibrate_run_starts(ms_study *s, const ms_task *task, ms_calibrate *c) {
  const ms_jobs jobs = {
    .n = c->starts, .run = run_start, .save = save_start, .load = load_start, .user = c
  };
  MS_TRY(ms_starts_open(s->ctx, c->n, c->starts, c->bound, &c->fits));
  pthread_mutex_init(&c->tally.lock, NULL);
  ms_status status = ms_pool_share_jobs(s, task->name, &jobs);
  pthread_mutex_destroy(&c->tally.lock);
  return status;
}

ms_status ms_calibrate_judge_best(ms_study *s, ms_calibrate *c) {
  MS_TRY(find_best(s, c));
  MS_TRY(ms_calibrate_add_solution(s, c, "fit", c->fits.found + c->n * c->best));
  MS_TRY(judge(s, c));
  return ms_calibrate_weigh_rivals(s, c);
}

static ms_status run(ms_study *s, const ms_task *task, ms_calibrate *c) {
  MS_TRY(ms_calibrate_run_starts(s, task, c));
  return ms_calibrate_judge_best(s, c);
}

void ms_calibrate_close_fit(ms_study *s, ms_calibrate *c) {
  if (c->judged) ms_fit_judgement_destroy(s->ctx, &c->judgement);
  ms_starts_close(s->ctx, &c->fits);
}

/* ---- tables ---- */

static ms_status tabulate_parameters(ms_study *s, const ms_task *task, ms_calibrate *c) {
  const ms_fit_judgement *j = &c->judgement;
  MS_TRY(
      ms_result_table_create(s, task->name,
                             "parameter:word,value,standard_error,unit:word,lower,upper,determined,"
                             "at_bound",
                             &c->table));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, c->table, c->parameter[i].key, c->solution[0].p[i],
                                   j->standard_error[i], c->parameter[i].unit, c->bound[i].lower,
                                   c->bound[i].upper, (double)j->determined[i],
                                   (double)j->at_bound[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_tabulate_correlation(ms_study *s, const ms_task *task, const ms_calibrate *c,
                                            const double *correlation) {
  char name[96];
  ms_result_table *table;
  snprintf(name, sizeof name, "%.80s_correlation", task->name);
  MS_TRY(ms_result_table_create(s, name, "parameter:word,with:word,correlation", &table));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    for (ptrdiff_t k = 0; k < i; k++) {
      MS_TRY(ms_result_table_add_row(s->ctx, table, c->parameter[i].key, c->parameter[k].key,
                                     correlation[i + c->n * k]));
    }
  }
  return MS_SUCCESS;
}

static ms_status tabulate_starts(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  ms_result_table *table;
  MS_TRY(ms_calibrate_table(s, task, c, "starts", MS_STARTS_COLUMNS, &table));
  return ms_starts_tabulate(s->ctx, &c->fits, table);
}

static ms_status tabulate(ms_study *s, const ms_task *task, ms_calibrate *c) {
  MS_TRY(tabulate_parameters(s, task, c));
  MS_TRY(ms_calibrate_tabulate_correlation(s, task, c, c->judgement.correlation));
  return tabulate_starts(s, task, c);
}

/* ---- summary and report ---- */

static void summarise(const ms_calibrate *c, ms_json *json) {
  const ms_fit_judgement *j = &c->judgement;
  ms_json_begin_array(json, "parameters");
  for (ptrdiff_t i = 0; i < c->n; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "name", c->parameter[i].key);
    ms_json_add_number(json, "value", c->solution[0].p[i]);
    ms_json_add_number(json, "standard_error", j->standard_error[i]);
    ms_json_add_bool(json, "determined", j->determined[i]);
    ms_json_add_integer(json, "at_bound", j->at_bound[i]);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_json_add_number(json, "sum_of_squares", c->fits.local[c->best].sum);
  ms_json_add_bool(json, "converged", c->fits.local[c->best].end == MS_FIT_CONVERGED);
  ms_json_add_number(json, "gradient", c->fits.local[c->best].gradient);
  ms_json_add_integer(json, "starts", c->starts);
  ms_json_add_integer(json, "starts_that_agree", c->agree);
  ms_json_add_number(json, "supposed_noise", c->supposed);
  ms_json_add_number(json, "scatter", c->scatter);
  ms_json_add_number(json, "condition", j->condition);
  ms_json_add_text(json, "remarks", j->remarks);
}

static ms_status report(const ms_study *s, const ms_calibrate *c, ms_page *page) {
  const ms_fit_local *l = &c->fits.local[c->best];
  char text[512];
  snprintf(
      text, sizeof text,
      "Least squares from %td starts; %td of them came to the same point, whose residuals have "
      "an rms of %.3g (damping: logarithm; frequency: over its shift)%s. Standard errors "
      "are those of a scatter of %.3g in these units. The condition of the fit is %.2g.",
      c->starts, c->agree, c->judgement.rms * c->scatter,
      l->end == MS_FIT_CONVERGED ? "" : "; the best one is unfinished", c->scatter,
      c->judgement.condition);
  MS_TRY(ms_page_add_text(page, text));
  MS_TRY(ms_result_table_add_to_page(
      s->ctx, c->table,
      "Parameters that fit (determined 0: the data do not say; at_bound "
      "-1 or 1: at the lower or upper bound)",
      page));
  return ms_remarks_report(c->judgement.remarks, page);
}

const ms_calibrate_method ms_calibrate_local = {
  .name = "local",
  .meaning = "bounded least squares from many starts",
  .run = run,
  .help = ms_calibrate_run_starts,
  .tabulate = tabulate,
  .summarise = summarise,
  .report = report,
  .close = ms_calibrate_close_fit,
};
