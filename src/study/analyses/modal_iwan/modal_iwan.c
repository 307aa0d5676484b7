/* modal_iwan: the fitted modal models, hit as their modes were, and read the same way (Procedure
 * II). */
#include <string.h>

#include "study/analyses/fit_modal/fit_modal.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  const ms_task *from;
  ms_time_setting time; /* step 0: that of each run of the ring-down */
  struct fy_node *segments;
  ptrdiff_t sensor;
  int form; /* ms_modal_form */
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_LAST_TASK(options, from, "fit_modal", "the `fit_modal` whose models are simulated"),
  MS_CHOICE(options, form, "printed|continuous", MS_OPTIONAL,
            "form in which the models were fitted"),
  MS_TIME(options, time, MS_ELSE("as each ring-down was")),
  MS_ROW_SEGMENTS(options),
  MS_SENSOR(options, sensor),
};

/* Run i is that of curve i. */
typedef struct product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  const options *o;
  ptrdiff_t *segments; /* of each mode of the structure */
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_free(s->ctx, &p->segments);
}

/* Pulses come from the ring-downs that were fitted, models from fits in this form. */
static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const ms_task *source = ms_fits_source(o->from);
  struct fy_node *from = ms_yaml_get(task->node, "from");
  product *p = task->product;
  int *mode, n;
  p->o = o;
  p->curves.sensor = o->sensor;
  MS_TRY(ms_yaml_read_modes(&s->yaml, NULL, ms_structure_get_size(s->structure), &mode, &n));
  ms_status status = ms_read_segments(s, o->segments, mode, n, &p->segments);
  ms_free(s->ctx, &mode);
  MS_TRY(status);
  if (strcmp(source->kind->name, "modal_ringdown") != 0) {
    return ms_yaml_fail(&s->yaml, from ? from : task->key, MS_ERR_ARGUMENT,
                        "%s is a measurement: it has no pulses to apply to a model", source->name);
  }
  return ms_fits_check_form(s, task, task->key, o->from, (ms_modal_form)o->form);
}

/* ---- the runs: the levels of the ring-down that was fitted ---- */

static const ms_fitted *find_fit(const product *p, int mode) {
  return ms_fits_find(p->o->from->product, mode, (ms_modal_form)p->o->form);
}

static ms_status run_job(ms_worker *worker, ptrdiff_t k, void *user) {
  product *p = user;
  ms_structure *oscillator;
  const ms_fitted *fit = find_fit(p, p->curves.curve[k].mode);
  MS_TRY(ms_identify_modal_structure(worker->ctx, &fit->model, &oscillator));
  ms_status status = ms_pulse_simulate(worker->ctx, oscillator, &p->curves.run[k]);
  ms_structure_destroy(&oscillator);
  return status;
}

static ms_status request_runs(ms_study *s, const ms_task *task, product *p) {
  static const double unit = 1.0;
  static const int only = 0;
  const options *o = task->options;
  const ms_curves *source = ms_fits_source(o->from)->product;
  const int own = o->time.step > 0.0;
  ms_curves *c = &p->curves;
  MS_TRY(ms_allocate(s->ctx, source->n_curve, sizeof *c->run, &c->run));
  MS_TRY(ms_allocate(s->ctx, source->n_curve, sizeof *c->curve, &c->curve));
  for (ptrdiff_t i = 0; i < source->n_curve; i++) {
    const ms_pulse_run *from = &source->run[i];
    const int mode = source->curve[i].mode;
    if (!find_fit(p, mode)) continue;
    if (own) {
      struct fy_node *time = ms_yaml_get(task->node, "time");
      MS_TRY(ms_steps_check_mode(s, time, &o->time, mode, from->omega));
    }
    c->curve[c->n_run].mode = mode;
    memcpy(c->curve[c->n_run].source, source->curve[i].source, sizeof c->curve->source);
    c->run[c->n_run++] = (ms_pulse_run) { .shape = &unit,
                                          .p = from->p,
                                          .omega = from->omega,
                                          .time = own ? o->time : from->time,
                                          .mode = &only,
                                          .n_mode = 1,
                                          .segments = &p->segments[mode] };
  }
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves *c = &p->curves;
  MS_TRY(request_runs(s, task, p));
  if (c->n_run == 0) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: no mode has a fit in %s", task->name,
                   p->o->from->name);
  }
  MS_TRY(ms_curves_run(s, task->name, run_job, c));
  for (; c->n_curve < c->n_run; c->n_curve++) {
    ms_pulse_run *r = &c->run[c->n_curve];
    c->curve[c->n_curve].decay = r->decay;
    c->curve[c->n_curve].trace = r->trace;
    if (r->quality.mode == 0) r->quality.mode = c->curve[c->n_curve].mode; /* of the one it has */
  }
  return MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  const product *p = task->product;
  const ms_curves *c = &p->curves;
  int *mode, n = 0;
  MS_TRY(ms_allocate(s->ctx, c->n_run, sizeof *mode, &mode));
  for (ptrdiff_t i = 0; i < c->n_run; i++)
    if (n == 0 || mode[n - 1] != c->curve[i].mode) mode[n++] = c->curve[i].mode;
  ms_status status = ms_curves_result(
      s, task, mode, n, "modal model", ms_fits_source(p->o->from),
      "The simulated modal model should lie on the ring-down that it was fitted to. Where it does "
      "not, the closed form of the fit does not hold.");
  ms_free(s->ctx, &mode);
  return status;
}

const ms_analysis ms_analysis_modal_iwan = {
  .name = "modal_iwan",
  .title = "Ring-downs of the modal models",
  .meaning =
      "The modal models are integrated in time, each by itself, with the pulses of the "
      "ring-down runs, and their decays read the same way.",
  MS_KEYS(keys, options, product),
  .check = check,
  .run = run,
  .judge = ms_curves_judge,
  .result = result,
  .close = close_product,
};
