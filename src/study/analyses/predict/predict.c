/* predict: hits of a hammer_test, simulated with the joints that calibrations found, or by modal
   models each alone, and read as the measurement was. */
#include "study/analyses/predict/predict.h"

#include <string.h>

#include "identify/calibrate/free_parameters.h"
#include "study/file/options.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  const char *test;
  struct fy_node *by;
  int form;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_WORD(options, test, MS_ELSE("the last one"), "the `hammer_test` whose impacts are predicted"),
  MS_FORMS(options, by, "word or list", MS_REQUIRED,
           "names of `calibrate` (the joints of its first solution, in the study's structure) and "
           "`fit_modal` (each mode alone, with the force on it)"),
  MS_CHOICE(options, form, "continuous|printed", MS_OPTIONAL, "of modal models"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static void close_product(ms_study *s, ms_task *task) {
  ms_prediction *p = task->product;
  for (ptrdiff_t i = 0; i < p->n_predicted; i++) {
    ms_decay *decay = p->predicted[i].decay;
    for (int m = 0; decay && m < p->n_mode; m++) ms_decay_free(s->ctx, &decay[m]);
    ms_free(s->ctx, &p->predicted[i].decay);
  }
  ms_free(s->ctx, &p->predicted);
  ms_free(s->ctx, &p->by);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static int is_kind(const ms_task *t, const char *kind) {
  return strcmp(t->kind->name, kind) == 0;
}

static ms_status read_by(const ms_study *s, const ms_task *task, struct fy_node *node,
                         ms_prediction *p) {
  const ptrdiff_t n = ms_yaml_count(node);
  struct fy_node *form = ms_yaml_get(task->node, "form");
  void *at = NULL;
  MS_TRY(ms_allocate(s->ctx, n > 0 ? n : 1, sizeof *p->by, &p->by));
  for (; p->n_by < n; p->n_by++) {
    struct fy_node *item = ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, &at) : node;
    MS_TRY(ms_study_find_task(s, task, item, NULL, &p->by[p->n_by]));
    const ms_task *by = p->by[p->n_by];
    if (is_kind(by, "calibrate")) continue;
    if (!is_kind(by, "fit_modal")) {
      return ms_yaml_fail(&s->yaml, item, MS_ERR_NAME,
                          "'%s' has no model: name a calibrate or fit_modal", by->name);
    }
    if (((const ms_fits *)by->product)->forms & (1 << p->form)) continue;
    return ms_yaml_fail(&s->yaml, form ? form : item, MS_ERR_NAME,
                        "%s does not fit the %s form; give form here or there", by->name,
                        ms_form_name[p->form]);
  }
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  ms_prediction *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(ms_options_read_own(s, task, &o));
  p->form = o.form == 0 ? MS_MODAL_CONTINUOUS : MS_MODAL_PRINTED;
  MS_TRY(ms_study_find_task(s, task, ms_yaml_get(task->node, "test"), "hammer_test", &p->test));
  return read_by(s, task, o.by, p);
}

/* ---- the runs: a hit by a model is a job ---- */

/* All modes at once, with the joints of the calibration's first solution. */
static ms_status run_joints(ms_worker *w, const ms_hammer *test, const ms_calibrate *c, ptrdiff_t h,
                            ms_predicted *out) {
  ms_places places = { .n = 0 };
  ms_status status = ms_places_take(w->structure, c->n, c->free, &places);
  if (status == MS_SUCCESS) status = ms_places_set(&places, c->solution[0].p);
  if (status == MS_SUCCESS) status = ms_structure_setup(w->structure);
  if (status == MS_SUCCESS)
    status = ms_hammer_simulate(test, w->structure, h, out->decay, NULL, &out->quality);
  ms_places_free(&places);
  ms_status after = ms_structure_setup(w->structure); /* as the next job expects it */
  return status == MS_SUCCESS ? after : status;
}

static ms_status run_modes(ms_worker *w, const ms_prediction *p, const ms_fits *fits, ptrdiff_t h,
                           ms_predicted *out) {
  const ms_hammer_product *test = ms_prediction_test(p);
  for (int m = 0; m < test->n_mode; m++) {
    const ms_fitted *fit = ms_fits_find(fits, test->mode[m], p->form);
    ms_structure *oscillator;
    ms_transient_quality quality = { .balance = 0.0 };
    if (!fit || ms_hammer_decay(test->test, h, m)->n == 0) continue;
    MS_TRY(ms_identify_modal_structure(w->ctx, &fit->model, &oscillator));
    ms_status status =
        ms_hammer_simulate_mode(test->test, oscillator, h, m, &out->decay[m], &quality);
    if (quality.mode == 0) quality.mode = test->mode[m]; /* the model has this one only */
    ms_steps_merge(&quality, &out->quality);
    ms_structure_destroy(&oscillator);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

static ms_status run_job(ms_worker *w, ptrdiff_t job, void *user) {
  ms_prediction *p = user;
  const ms_hammer_product *test = ms_prediction_test(p);
  const ptrdiff_t h = job % test->n_hit;
  const ms_task *by = p->by[job / test->n_hit];
  ms_predicted *out = &p->predicted[job];
  return is_kind(by, "calibrate") ? run_joints(w, test->test, by->product, h, out)
                                  : run_modes(w, p, by->product, h, out);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_prediction *p = task->product;
  const ms_hammer_product *test = ms_prediction_test(p);
  const ptrdiff_t n = p->n_by * test->n_hit;
  p->n_mode = test->n_mode;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->predicted, &p->predicted));
  for (; p->n_predicted < n; p->n_predicted++) {
    ms_predicted *x = &p->predicted[p->n_predicted];
    MS_TRY(ms_allocate(s->ctx, test->n_mode, sizeof *x->decay, &x->decay));
  }
  return ms_pool_run(s, task->name, n, run_job, p);
}

static const ms_transient_quality *get_quality(const void *user, ptrdiff_t i, const char **source) {
  const ms_prediction *p = user;
  const ms_hammer_product *test = ms_prediction_test(p);
  *source = test->hit[i % test->n_hit].name;
  return &p->predicted[i].quality;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_prediction *p = task->product;
  return ms_steps_judge_runs(s, task, p->n_predicted, get_quality, p);
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_prediction *p = task->product;
  for (ptrdiff_t i = 0; i < p->n_by; i++) {
    if (p->by[i] == other) return 1;
  }
  return p->test == other;
}

const ms_analysis ms_analysis_predict = {
  .needs = needs,
  .name = "predict",
  .meaning =
      "Impacts of a hammer_test, such as levels and places that were held out, simulated with "
      "their measured force by the joints that calibrations found, or by modal models each "
      "alone, and read as the measurement was: how far each model is from it.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = judge,
  .result = ms_prediction_fill_result,
  .close = close_product,
};
