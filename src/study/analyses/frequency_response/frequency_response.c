/* frequency_response: periodic response to a harmonic force or base motion along frequency, by
   harmonic balance, a curve for each level. Here its options and runs. */
#include "study/analyses/frequency_response/frequency_response.h"

#include "experiment/pack.h"

typedef ms_forced_options options;
typedef ms_forced_product product;

static const ms_param refine_keys[] = {
  MS_NUMBER(options, tolerance, NULL, MS_POSITIVE, MS_DEFAULT(1e-4),
            "relative change of the peak displacement at which it has stopped moving"),
  MS_COUNT(options, harmonics, MS_FROM(1), MS_DEFAULT(31), "largest number of harmonics"),
};

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ROWS_HARMONIC,
  MS_NUMBERS(options, omega, "rad/s", MS_POSITIVE, MS_OPTIONAL,
             "range of frequency, [from, to]; downwards if from is the larger"),
  MS_NUMBERS(options, frequency, "Hz", MS_POSITIVE, MS_OPTIONAL, "or the same in Hz"),
  MS_NUMBERS(options, points, NULL, MS_POSITIVE, MS_ELSE("none"),
             "frequencies to be met exactly, in the unit of the range"),
  MS_NUMBER(options, shallow, NULL, MS_POSITIVE, MS_DEFAULT(1e-3),
            "depth of a fold, over omega, below which the run notes it: it may be a ripple of the "
            "time points"),
  MS_FLAG(options, hold, MS_DEFAULT(0),
          "levels are displacements of the first sensor, held as by a controller; what is computed "
          "is the amplitude of the load that it takes"),
  MS_MAPPING(options, refine, MS_ROWS(refine_keys), MS_ELSE("none"),
             "more harmonics at the peak of each level until it stops moving"),
};

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n; i++) ms_frequency_free(s->ctx, &p->run[i]);
  ms_free(s->ctx, &p->run);
  ms_point_table_free(s->ctx, &((options *)task->options)->harmonic.sine);
}

/* ---- options ---- */

static ms_status use_frequencies(ms_study *s, const ms_task *task, options *o,
                                 ms_frequency_plan *plan) {
  struct fy_node *omega = ms_yaml_get(task->node, "omega");
  struct fy_node *hertz = ms_yaml_get(task->node, "frequency");
  if (!omega == !hertz) {
    return ms_yaml_fail(&s->yaml, hertz ? hertz : task->node, MS_ERR_FORMAT,
                        "%s needs omega: [from, to] in rad/s or frequency: [from, to] in Hz%s",
                        task->name, hertz ? ", not both" : "");
  }
  const ms_numbers *range = hertz ? &o->frequency : &o->omega;
  const double factor = hertz ? 6.28318530717958647693 : 1.0;
  if (range->n != 2 || range->value[0] == range->value[1]) {
    return ms_yaml_fail(&s->yaml, hertz ? hertz : omega, MS_ERR_BOUNDS,
                        "%s must be [from, to], two different frequencies > 0",
                        hertz ? "frequency" : "omega");
  }
  plan->from = range->value[0] * factor;
  plan->to = range->value[1] * factor;
  plan->list = o->points.value;
  plan->n_list = o->points.n;
  for (ptrdiff_t i = 0; i < o->points.n; i++) {
    const double at = o->points.value[i] *= factor;
    if ((at - plan->from) * (at - plan->to) <= 0.0) continue;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "points"), MS_ERR_BOUNDS,
                        "point %g is outside the range", at / factor);
  }
  return MS_SUCCESS;
}

static ms_status use_refine(ms_study *s, const options *o, ms_frequency_plan *plan) {
  const int H = plan->harmonic.harmonics;
  struct fy_node *harmonics = ms_yaml_get(o->refine, "harmonics");
  if (!o->refine) return MS_SUCCESS;
  plan->refine = o->tolerance;
  plan->refine_rows = (o->harmonics - H) / 2 + 1;
  if (plan->refine_rows > 1 && plan->refine_rows <= MS_FREQUENCY_REFINED) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, harmonics ? harmonics : o->refine, MS_ERR_BOUNDS,
                      "harmonics of refine must be from %d to %d", H + 2,
                      H + 2 * MS_FREQUENCY_REFINED - 1);
}

static ms_status check(ms_study *s, ms_task *task) {
  options *o = task->options;
  ms_harmonic_options *h = &o->harmonic;
  product *p = task->product;
  p->plan = ms_frequency_default();
  MS_TRY(ms_harmonic_use_options(s, task, h, &p->plan.harmonic));
  p->plan.force = h->load.shape;
  p->plan.preload = h->preload;
  p->plan.sensor = h->sensors.dof;
  p->plan.n_sensor = h->sensors.n;
  p->plan.shallow = o->shallow;
  p->plan.hold = o->hold;
  for (ptrdiff_t i = 0; o->hold && i < h->levels.n; i++)
    h->levels.value[i] *= s->units.length / ms_load_factor(&s->units, &h->load);
  if (o->hold && (o->refine || h->measured)) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "hold"), MS_ERR_ARGUMENT,
                        "a response that is held has neither refine nor measured");
  }
  MS_TRY(use_frequencies(s, task, o, &p->plan));
  MS_TRY(use_refine(s, o, &p->plan));
  MS_TRY(ms_allocate(s->ctx, h->levels.n, sizeof *p->run, &p->run));
  for (; p->n < h->levels.n; p->n++) {
    p->run[p->n] = (ms_frequency_run) { .plan = &p->plan,
                                        .level = h->levels.value[p->n],
                                        .keep = ms_harmonic_run_kept };
  }
  return MS_SUCCESS;
}

/* ---- the run ---- */

static ms_status run_level(ms_worker *worker, ptrdiff_t job, void *user) {
  ms_frequency_run *run = &((product *)user)->run[job];
  run->user = worker;
  return ms_frequency_simulate(worker->ctx, worker->structure, run);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  const ms_jobs jobs = { .run = run_level,
                         .user = p,
                         MS_ITEMS(p->run, p->n, ms_frequency_save, ms_frequency_load) };
  return ms_pool_run_jobs(s, task->name, &jobs);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const product *p = task->product;
  const char *unit = ms_forced_unit(o);
  char text[400];
  ms_doubt doubt;
  (void)s;
  for (const ms_frequency_run *r = p->run; r < p->run + p->n; r++) {
    for (int i = 0; ms_frequency_warning(r, unit, i, &doubt, text, sizeof text); i++)
      MS_TRY(ms_result_remark(task->result, ms_task_severity(doubt), "%s", text));
  }
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_frequency_response = {
  .name = "frequency_response",
  .title = "Nonlinear frequency response",
  .meaning =
      "The periodic response to a harmonic load, by harmonic balance: a curve along frequency for "
      "each level, followed through folds. Where it is unstable a structure that is disturbed "
      "leaves it, and a test does not see it.",
  MS_KEYS(keys, options, product),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .judge = judge,
  .result = ms_forced_result,
  .close = close_product,
};
