/* predict: hits of a hammer_test, simulated with the joints that calibrations found, or by modal
   models each alone, and read as the measurement was. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/fit_modal/fit_modal.h"
#include "study/analyses/hammer_test/hammer_test.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  const ms_task *test;
  ms_task_list by;
  int form;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_LAST_TASK(options, test, "hammer_test", "the `hammer_test` whose impacts are predicted"),
  MS_TASKS(
      options, by, "calibrate|fit_modal", MS_REQUIRED,
      "names of `calibrate` (the parameters of its first solution, in the study's structure) and "
      "`fit_modal` (each mode alone, with the force on it)"),
  MS_CHOICE(options, form, "continuous|printed", MS_OPTIONAL, "of modal models"),
};

/* Hit h by model b is job h + n_hit*b; of modes alone the quality is the worst of each kind. */
typedef struct product {
  const options *o;
  ms_decay *decay; /* mode m of a job: m + n_mode*job; empty where the model or the hit has none */
  ptrdiff_t n_decay;
  ms_transient_quality *quality;
  ptrdiff_t n; /* jobs */
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n_decay; i++) ms_decay_free(s->ctx, &p->decay[i]);
  ms_free(s->ctx, &p->decay);
  ms_free(s->ctx, &p->quality);
}

static int is_calibrated(const ms_task *by) {
  return strcmp(by->kind->name, "calibrate") == 0;
}

static ms_modal_form form_of(const options *o) {
  return o->form == 0 ? MS_MODAL_CONTINUOUS : MS_MODAL_PRINTED;
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ((product *)task->product)->o = o;
  for (int i = 0; i < o->by.n; i++) {
    if (is_calibrated(o->by.task[i])) continue;
    MS_TRY(ms_fits_check_form(s, task, ms_yaml_get(task->node, "by"), o->by.task[i], form_of(o)));
  }
  return MS_SUCCESS;
}

/* ---- the runs: a hit by a model is a job ---- */

static ms_status run_modes(ms_worker *w, const options *o, const ms_fits *fits, ptrdiff_t h,
                           ms_decay *decay, ms_transient_quality *worst) {
  const ms_hammer_product *test = o->test->product;
  const ms_mode_list modes = ms_hammer_modes(o->test);
  for (int m = 0; m < modes.n; m++) {
    const ms_fitted *fit = ms_fits_find(fits, modes.mode[m], form_of(o));
    ms_structure *oscillator;
    ms_transient_quality quality = { .balance = 0.0 };
    if (!fit || ms_hammer_decay(test->test, h, m)->n == 0) continue;
    MS_TRY(ms_identify_modal_structure(w->ctx, &fit->model, &oscillator));
    ms_status status = ms_hammer_simulate_mode(test->test, oscillator, h, m, &decay[m], &quality);
    if (quality.mode == 0) quality.mode = modes.mode[m]; /* the model has this one only */
    ms_transient_quality_merge(&quality, worst);
    ms_structure_destroy(&oscillator);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

static ms_status run_job(ms_worker *w, ptrdiff_t job, void *user) {
  product *p = user;
  const ms_hammer_product *test = p->o->test->product;
  const ms_task *by = p->o->by.task[job / test->n_hit];
  const ptrdiff_t h = job % test->n_hit;
  ms_decay *decay = p->decay + p->n_decay / p->n * job;
  if (!is_calibrated(by)) return run_modes(w, p->o, by->product, h, decay, &p->quality[job]);
  /* all modes at once, with the joints of the calibration's first solution */
  const ms_calibrate *c = by->product;
  return ms_calibrated_simulate(w->ctx, w->structure, c->n, c->free, c->solution[0].p, test->test,
                                h, decay, &p->quality[job]);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  const ms_hammer_product *test = p->o->test->product;
  p->n = p->o->by.n * test->n_hit;
  MS_TRY(ms_allocate(s->ctx, p->n, sizeof *p->quality, &p->quality));
  MS_TRY(ms_allocate(s->ctx, p->n * ms_hammer_modes(p->o->test).n, sizeof *p->decay, &p->decay));
  p->n_decay = p->n * ms_hammer_modes(p->o->test).n;
  return ms_pool_run_jobs(s, task->name, &(ms_jobs) { .n = p->n, .run = run_job, .user = p });
}

static const ms_transient_quality *get_quality(const void *user, ptrdiff_t i, const char **source) {
  const product *p = user;
  const ms_hammer_product *test = p->o->test->product;
  *source = test->hit[i % test->n_hit].name;
  return &p->quality[i];
}

static ms_status judge(ms_study *s, ms_task *task) {
  const product *p = task->product;
  return ms_steps_judge_runs(s, task, p->n, get_quality, p);
}

/* ---- the result: rows of measurement and models, and how far they are apart ---- */

static void add_mode(const product *p, int by, ptrdiff_t h, int m, ms_result_table *table,
                     ms_result_table *errors) {
  const ms_hammer_product *test = p->o->test->product;
  const ms_mode_list modes = ms_hammer_modes(p->o->test);
  const ms_decay *measured = ms_hammer_decay(test->test, h, m);
  const ms_decay *model = &p->decay[m + modes.n * (h + test->n_hit * by)];
  const char *hit = test->hit[h].name, *name = p->o->by.task[by]->name;
  const double mode = modes.mode[m] + 1.0;
  if (model->n == 0) return;
  for (ptrdiff_t i = 0; i < measured->n; i++) {
    const ms_decay_point *a = &measured->point[i], *b = &model->point[i];
    if (!ms_decay_is_compared(measured, model, i)) continue;
    ms_result_put_row(table, hit, mode, name, a->time, a->q, a->omega, a->zeta, b->q, b->omega,
                      b->zeta);
  }
  const ms_decay_error e = ms_decay_find_error(measured, model);
  if (e.n == 0) return;
  ms_result_put_row(errors, hit, mode, name, (double)e.n, e.zeta_mean, e.zeta_rms, e.zeta_largest,
                    e.omega_rms, e.amplitude_rms);
}

/* Whether a calibration has this impact of the test among its targets. */
static int is_fitted(const ms_task *by, const ms_task *test, ptrdiff_t h) {
  const ms_calibrate *c = by->product;
  for (ptrdiff_t k = 0; is_calibrated(by) && k < c->n_target; k++) {
    if (c->target[k].from == test && c->is[k].kind == MS_TARGET_HIT && c->is[k].is.hit.hit == h) {
      return 1;
    }
  }
  return !is_calibrated(by) && ms_fits_source(by) == test;
}

/* Errors of a model and a mode over the impacts that the model was not fitted to; over all where
   there are none. column: of the errors. */
static void answer_mode(const ms_task *task, const ms_result_table *errors, const ms_task *by,
                        int mode, const char *what, const char *column) {
  const ms_task *of = ((const options *)task->options)->test;
  const ms_hammer_product *test = of->product;
  const double *modes = ms_result_table_column(errors, 1),
               *points = ms_result_table_column(errors, 3),
               *rms = ms_result_table_find_numbers(errors, column);
  double sum[2] = { 0.0, 0.0 }, n[2] = { 0.0, 0.0 }; /* fitted, held out */
  for (ptrdiff_t i = 0; i < ms_result_table_rows(errors); i++) {
    const ptrdiff_t h = ms_hammer_find_hit(test, ms_result_table_word(errors, 0, i));
    const int out = !is_fitted(by, of, h);
    if ((int)modes[i] != mode || strcmp(ms_result_table_word(errors, 2, i), by->name) != 0)
      continue;
    sum[out] += points[i] * rms[i] * rms[i], n[out] += points[i];
  }
  const int out = n[1] > 0.0;
  if (n[out] == 0.0) return;
  ms_answer_percent(task->result, sqrt(sum[out] / n[out]), MS_HEAD_RANDOM,
                    "Error of %s (rms) of mode %d, %s, %s impacts", what, mode, by->name,
                    out ? "held-out" : "fitted");
}

static void answer(const ms_task *task, const ms_result_table *errors) {
  const options *o = task->options;
  const ms_mode_list modes = ms_hammer_modes(o->test);
  for (int k = 0; k < o->by.n * modes.n; k++) {
    const ms_task *by = o->by.task[k / modes.n];
    const int mode = modes.mode[k % modes.n] + 1;
    answer_mode(task, errors, by, mode, "damping", "zeta_rms");
    answer_mode(task, errors, by, mode, "frequency", "omega_rms");
  }
}

/* Frequency and damping over time; the measured rows stand beside those of each model. */
static void show_mode(ms_result *r, const char *hit, int mode, const char *first_model,
                      const ms_result_table *table) {
  char title[160], of[200], first[300];
  snprintf(title, sizeof title, "Impact %.100s, mode %d", hit, mode);
  snprintf(of, sizeof of, "hit=%.150s\nmode=%d", hit, mode);
  snprintf(first, sizeof first, "%s\nby=%.80s", of, first_model);
  const ms_plot panel[] = {
    MS_PANEL("Frequency", "time", "omega", .label = "measured", .style = MS_SERIES_POINTS,
             .colour = -1, .where = first),
    MS_OVER("time", "omega_by", .by = "by", .where = of),
    MS_PANEL("Damping", "time", "zeta", .y_log = 1, .label = "measured", .style = MS_SERIES_POINTS,
             .colour = -1, .where = first),
    MS_OVER("time", "zeta_by", .y_log = 1, .by = "by", .where = of),
  };
  ms_result_plot(r, title,
                 "The models should lie on the measured points at all times. A distance that grows "
                 "with time is an error of damping that adds up.",
                 table, 4, panel);
}

static ms_status result(ms_study *s, ms_task *task) {
  const product *p = task->product;
  const options *o = task->options;
  const ms_hammer_product *test = o->test->product;
  const ms_mode_list modes = ms_hammer_modes(o->test);
  ms_result_table *table =
      ms_result_new_table(task->result, "",
                          "hit:word,mode,by:word,time [s],q [m sqrt(kg)],omega [rad/s],zeta,"
                          "q_by [m sqrt(kg)],omega_by [rad/s],zeta_by");
  ms_result_table *errors =
      ms_result_new_table(task->result, "_errors",
                          "hit:word,mode,by:word,points,zeta_mean,zeta_rms,zeta_largest,omega_rms,"
                          "amplitude_rms");
  for (ptrdiff_t k = 0; k < test->n_hit * modes.n * o->by.n; k++) {
    const ptrdiff_t h = k / (modes.n * o->by.n);
    add_mode(p, (int)(k % o->by.n), h, (int)(k / o->by.n % modes.n), table, errors);
  }
  (void)s;
  MS_TRY(ms_result_get_status(task->result));
  ms_result_list_rows(task->result, "errors", errors,
                      "hit,mode,by,zeta_mean,zeta_rms,zeta_largest,omega_rms,amplitude_rms");
  answer(task, errors);
  for (ptrdiff_t k = 0; k < test->n_hit * modes.n; k++) {
    const ptrdiff_t h = k / modes.n;
    show_mode(task->result, test->hit[h].name, modes.mode[k % modes.n] + 1, o->by.task[0]->name,
              table);
    if (!is_fitted(o->by.task[0], o->test, h)) {
      ms_result_feature_figure(task->result, MS_HEAD_RANDOM);
    }
  }
  ms_result_show_table(task->result, errors,
                       "Relative differences between models and measurement at the same times");
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_predict = {
  .name = "predict",
  .title = "Prediction of impacts",
  .meaning =
      "Impacts of a hammer_test, such as levels and places that were held out, simulated with "
      "their measured force by the joints that calibrations found, or by modal models each "
      "alone, and read as the measurement was: how far each model is from it.",
  MS_KEYS(keys, options, product),
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_product,
};
