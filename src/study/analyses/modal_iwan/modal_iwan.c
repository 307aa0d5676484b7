/* modal_iwan: the fitted modal models, hit as their modes were, and read the same way (Procedure
 * II). */
#include <stdio.h>
#include <string.h>

#include "study/analyses/fit_modal/fit_modal.h"
#include "study/file/shared_keys.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  const char *from;
  struct fy_node *time, *segments, *sensor;
  int form;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_WORD(options, from, MS_ELSE("the last one"), "the `fit_modal` whose models are simulated"),
  MS_CHOICE(options, form, "printed|continuous", MS_OPTIONAL,
            "form in which the models were fitted"),
  MS_FORMS_WITH(options, time, "mapping", ms_time_keys, MS_ELSE("as each ring-down was"),
                "how to integrate"),
  MS_ROW_SEGMENTS(options),
  MS_ROW_SENSOR(options),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

typedef struct job {
  const ms_fitted *fit;
  double p, omega;
  int mode; /* of the structure; the model has one mode, 0 */
  ptrdiff_t segments;
  char source[48];
} job;

typedef struct product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  const ms_task *from;
  ms_modal_form form;
  ms_time_setting time; /* step 0: that of each run of the ring-down */
  job *job;
  ptrdiff_t n;
  ms_result_table *table, *runs;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_free(s->ctx, &p->job);
  ms_free(s->ctx, &task->product);
}

/* Read again for each run; here for what may be wrong with them. */
static ms_status check_segments(ms_study *s, struct fy_node *node) {
  int *mode, n;
  ptrdiff_t *segments = NULL;
  MS_TRY(ms_read_modes(s, NULL, &mode, &n));
  ms_status status = ms_check_mode_keys(s, node, "segments", mode, n);
  if (status == MS_SUCCESS) status = ms_read_segments(s, node, mode, n, &segments);
  ms_free(s->ctx, &mode);
  ms_free(s->ctx, &segments);
  return status;
}

/* Pulses come from the ring-downs that were fitted, models from fits in this form. */
static ms_status check_source(const ms_study *s, const ms_task *task, const product *p) {
  struct fy_node *from = ms_yaml_get(task->node, "from"), *form = ms_yaml_get(task->node, "form");
  const ms_fits *fits = p->from->product;
  if (strcmp(fits->from->kind->name, "modal_ringdown") != 0) {
    return ms_yaml_fail(&s->yaml, from ? from : task->key, MS_ERR_ARGUMENT,
                        "%s is a measurement: it has no pulses to apply to a model",
                        fits->from->name);
  }
  if (fits->forms & (1 << p->form)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, form ? form : task->key, MS_ERR_NAME,
                      "%s does not fit the %s form; give form here or there", p->from->name,
                      ms_form_name[p->form]);
}

static ms_status check(ms_study *s, ms_task *task) {
  product *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(ms_options_read_own(s, task, &o));
  p->form = o.form == 0 ? MS_MODAL_PRINTED : MS_MODAL_CONTINUOUS;
  if (o.time) MS_TRY(ms_read_time(s, o.time, &p->time));
  MS_TRY(ms_read_sensor(s, o.sensor, &p->curves.sensor));
  MS_TRY(check_segments(s, o.segments));
  MS_TRY(ms_study_find_task(s, task, ms_yaml_get(task->node, "from"), "fit_modal", &p->from));
  return check_source(s, task, p);
}

static ms_status run_job(ms_worker *worker, ptrdiff_t k, void *user) {
  product *p = user;
  ms_structure *oscillator;
  MS_TRY(ms_identify_modal_structure(worker->ctx, &p->job[k].fit->model, &oscillator));
  ms_status status = ms_pulse_simulate(worker->ctx, oscillator, &p->curves.run[k]);
  ms_structure_destroy(&oscillator);
  return status;
}

/* ---- the runs: the levels of the ring-down that was fitted ---- */

static ms_status request_runs(ms_study *s, ms_task *task, product *p) {
  static const double unit = 1.0;
  static const int only = 0;
  const ms_fits *fits = p->from->product;
  const ms_curves *source = fits->from->product;
  ptrdiff_t *segments;
  MS_TRY(ms_allocate(s->ctx, source->n_curve, sizeof *p->job, &p->job));
  MS_TRY(ms_allocate(s->ctx, source->n_curve, sizeof *p->curves.run, &p->curves.run));
  MS_TRY(ms_allocate(s->ctx, source->n_curve, sizeof *p->curves.curve, &p->curves.curve));
  for (ptrdiff_t i = 0; i < source->n_curve; i++) {
    job *j = &p->job[p->n];
    *j = (job) { .fit = ms_fits_find(fits, source->curve[i].mode, p->form),
                 .p = source->run[i].p,
                 .omega = source->run[i].omega,
                 .mode = source->curve[i].mode };
    if (!j->fit) continue;
    if (p->time.step > 0.0) {
      MS_TRY(ms_steps_check_mode(s, ms_yaml_get(task->node, "time"), &p->time, j->mode, j->omega));
    }
    memcpy(j->source, source->curve[i].source, sizeof j->source);
    MS_TRY(ms_read_segments(s, ms_yaml_get(task->node, "segments"), &j->mode, 1, &segments));
    j->segments = *segments;
    ms_free(s->ctx, &segments);
    p->curves.run[p->n++] =
        (ms_pulse_run) { .shape = &unit,
                         .p = j->p,
                         .omega = j->omega,
                         .time = p->time.step > 0.0 ? p->time : source->run[i].time,
                         .mode = &only,
                         .n_mode = 1,
                         .segments = &j->segments };
  }
  p->curves.n_run = p->n;
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  MS_TRY(request_runs(s, task, p));
  if (p->n == 0) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: no mode has a fit in %s", task->name,
                   p->from->name);
  }
  MS_TRY(ms_curves_run(s, task->name, run_job, &p->curves));
  for (ptrdiff_t i = 0; i < p->n; i++) {
    ptrdiff_t *fastest = &p->curves.run[i].quality.mode;
    if (*fastest == 0) *fastest = p->job[i].mode; /* the model has this one only */
    ms_curves_add(&p->curves, i, 0, p->job[i].mode, p->job[i].source);
  }
  return MS_SUCCESS;
}

static ms_status report_mode(const ms_study *s, const product *p, ms_page *page, int mode) {
  const ms_fits *fits = p->from->product;
  ms_points measured = { 0 }, simulated = { 0 };
  MS_TRY(ms_curves_gather(s->ctx, fits->from->product, mode, &measured));
  ms_status status = ms_curves_gather(s->ctx, &p->curves, mode, &simulated);
  ms_overlay overlay[] = { { "ring-down", &measured, MS_SERIES_POINTS, 0 },
                           { "modal model, simulated", &simulated, MS_SERIES_LINE, 1 } };
  if (status == MS_SUCCESS) status = ms_curves_figure(s, page, mode, overlay, 2);
  ms_free(s->ctx, &measured.q);
  ms_free(s->ctx, &simulated.q);
  return status;
}

static ms_status fill_result(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_page *page = ms_result_get_page(task->result);
  int last = -1;
  MS_TRY(ms_curves_tabulate(s, task->name, &p->curves, &p->table));
  MS_TRY(ms_curves_tabulate_runs(s, task->name, &p->curves, &p->runs));
  ms_result_set_integer(task->result, "runs", p->n);
  ms_result_set_integer(task->result, "points", ms_result_table_rows(p->table));
  for (ptrdiff_t i = 0; i < p->n; i++) {
    if (p->job[i].mode == last) continue;
    last = p->job[i].mode;
    if (page) ms_result_fail_page(task->result, report_mode(s, p, page, last));
  }
  return MS_SUCCESS;
}

static int needs(const ms_task *task, const ms_task *other) {
  return ((const product *)task->product)->from == other;
}

const ms_analysis ms_analysis_modal_iwan = {
  .needs = needs,
  .name = "modal_iwan",
  .meaning =
      "The modal models are integrated in time, each by itself, with the pulses of the "
      "ring-down runs, and their decays read the same way.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = ms_curves_judge,
  .result = fill_result,
  .close = close_product,
};
