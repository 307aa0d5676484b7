/* frequency_response: periodic response to a harmonic force or base motion along frequency, by
   harmonic balance, a curve for each level. Here its options. */
#include "study/analyses/frequency_response/frequency_response.h"

#include "experiment/pack.h"

typedef struct options {
  ms_harmonic_given given; /* first: see analyses/shared/harmonic.h */
  ms_numbers omega, frequency, points;
  double shallow;
  struct fy_node *refine;
} options;

typedef struct refinement {
  double tolerance;
  ptrdiff_t harmonics;
} refinement;

static const ms_param refine_keys[] = {
  MS_NUMBER(refinement, tolerance, NULL, MS_POSITIVE, MS_DEFAULT(1e-4),
            "relative change of the peak displacement at which it has stopped moving"),
  MS_COUNT(refinement, harmonics, MS_FROM(1), MS_DEFAULT(31), "largest number of harmonics"),
};
static const ms_param_list refine_list = MS_LIST_OF(refine_keys);

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
  MS_FORMS_WITH(options, refine, "mapping", refine_list, MS_ELSE("none"),
                "more harmonics at the peak of each level until it stops moving"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static void close_product(ms_study *s, ms_task *task) {
  ms_forced_product *p = task->product;
  for (ptrdiff_t i = 0; p->run && i < p->options.n_level; i++) {
    ms_frequency_free(s->ctx, &p->run[i]);
  }
  ms_free(s->ctx, &p->run);
  ms_free(s->ctx, &p->list);
  ms_harmonic_free_options(s->ctx, &p->options);
  ms_free(s->ctx, &task->product);
}

/* The points are the product's. */
static ms_status take_points(ms_study *s, const ms_task *task, double factor, ms_numbers *points,
                             ms_forced_product *p) {
  p->plan.list = p->list = points->value;
  p->plan.n_list = points->n;
  *points = (ms_numbers) { 0 };
  for (ptrdiff_t i = 0; i < p->plan.n_list; i++) {
    double omega = p->list[i] *= factor;
    if ((omega - p->plan.from) * (omega - p->plan.to) <= 0.0) continue;
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "points"), MS_ERR_BOUNDS,
                        "point %g is outside the range", omega / factor);
  }
  return MS_SUCCESS;
}

static ms_status take_frequencies(ms_study *s, const ms_task *task, options *o,
                                  ms_forced_product *p) {
  const double two_pi = 6.28318530717958647693;
  struct fy_node *omega = ms_yaml_get(task->node, "omega");
  struct fy_node *hertz = ms_yaml_get(task->node, "frequency");
  if (!omega == !hertz) {
    return ms_yaml_fail(&s->yaml, hertz ? hertz : task->node, MS_ERR_FORMAT,
                        "%s needs omega: [from, to] in rad/s or frequency: [from, to] in Hz%s",
                        task->name, hertz ? ", not both" : "");
  }
  const ms_numbers *range = hertz ? &o->frequency : &o->omega;
  const double factor = hertz ? two_pi : 1.0;
  p->in_hz = hertz != NULL;
  if (range->n != 2 || range->value[0] == range->value[1]) {
    return ms_yaml_fail(&s->yaml, hertz ? hertz : omega, MS_ERR_BOUNDS,
                        "%s must be [from, to], two different frequencies > 0",
                        hertz ? "frequency" : "omega");
  }
  p->plan.from = range->value[0] * factor;
  p->plan.to = range->value[1] * factor;
  return take_points(s, task, factor, &o->points, p);
}

static ms_status take_refine(ms_study *s, struct fy_node *node, ms_forced_product *p) {
  const int H = p->options.setting.harmonics;
  refinement r = { 0 };
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_options_read(s, node, node, "refine", refine_keys, refine_list.n, &r));
  p->plan.refine = r.tolerance;
  p->plan.refine_rows = (r.harmonics - H) / 2 + 1;
  if (p->plan.refine_rows > 1 && p->plan.refine_rows <= MS_FREQUENCY_REFINED) return MS_SUCCESS;
  struct fy_node *harmonics = ms_yaml_get(node, "harmonics");
  return ms_yaml_fail(&s->yaml, harmonics ? harmonics : node, MS_ERR_BOUNDS,
                      "harmonics of refine must be from %d to %d", H + 2,
                      H + 2 * MS_FREQUENCY_REFINED - 1);
}

static ms_status take(ms_study *s, ms_task *task, options *o, ms_forced_product *p) {
  MS_TRY(ms_options_read_own(s, task, o));
  MS_TRY(ms_harmonic_make_options(s, task, &o->given, &p->options));
  p->plan.force = p->options.load.shape;
  p->plan.preload = p->options.preload;
  p->plan.sensor = p->options.sensor;
  p->plan.n_sensor = p->options.n_sensor;
  p->plan.harmonic = p->options.setting;
  p->plan.shallow = o->shallow;
  MS_TRY(take_frequencies(s, task, o, p));
  return take_refine(s, o->refine, p);
}

static ms_status check(ms_study *s, ms_task *task) {
  options o = { 0 };
  ms_forced_product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  p->plan = ms_frequency_default();
  ms_status status = take(s, task, &o, p);
  ms_options_free(s->ctx, keys, N_KEYS, &o);
  return status;
}

/* ---- the run ---- */

static ms_status run_level(ms_worker *worker, ptrdiff_t job, void *user) {
  ms_frequency_run *run = &((ms_forced_product *)user)->run[job];
  run->keep = ms_harmonic_run_kept;
  run->user = worker;
  return ms_frequency_simulate(worker->ctx, worker->structure, run);
}

static ptrdiff_t save_level(const void *user, ptrdiff_t job, double *values) {
  return ms_frequency_save(&((const ms_forced_product *)user)->run[job], values);
}

static ms_status load_level(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                            ptrdiff_t n) {
  return ms_frequency_load(ctx, &((ms_forced_product *)user)->run[job], values, n);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_forced_product *p = task->product;
  const ms_jobs jobs = {
    .n = p->options.n_level, .run = run_level, .save = save_level, .load = load_level, .user = p
  };
  MS_TRY(ms_allocate(s->ctx, jobs.n, sizeof *p->run, &p->run));
  for (ptrdiff_t i = 0; i < jobs.n; i++) {
    p->run[i] = (ms_frequency_run) { .plan = &p->plan, .level = p->options.level[i] };
  }
  return ms_pool_run_jobs(s, task->name, &jobs);
}

static ms_status judge_level(ms_study *s, ms_task *task, const ms_forced_product *p,
                             const ms_frequency_run *r) {
  const ms_periodic *c = &r->curve;
  const double level = r->level;
  const char *unit = ms_harmonic_level_unit(&p->options);
  if (c->n == 0) {
    return ms_task_give_up(s, task, "level %g %s has no point: %s", level, unit, c->remark);
  }
  if (!c->complete) {
    MS_TRY((c->ended ? ms_task_note : ms_task_give_up)(s, task, "the curve of level %g %s %s",
                                                       level, unit, c->remark));
  }
  if (c->missed > 0) {
    MS_TRY(ms_task_give_up(
        s, task, "level %g %s: the curve passed %td of the points without solving for them", level,
        unit, c->missed));
  }
  if (r->shallow > 0) {
    MS_TRY(ms_task_note(s, task,
                        "level %g %s: %td of the %td folds are shallow: omega turns back by less "
                        "than %g of it; with a law that has corners they may be ripples of the "
                        "time points, which more times remove",
                        level, unit, r->shallow, r->folds, p->plan.shallow));
  }
  if (r->peak_at_end) {
    MS_TRY(ms_task_note(s, task,
                        "level %g %s: the response is largest at an end of the curve, omega = %.6g "
                        "rad/s; the peak may lie beyond",
                        level, unit, c->point[r->peak].omega));
  }
  if (p->plan.refine == 0.0 || r->settled) return MS_SUCCESS;
  if (r->n_refined < 2) {
    return ms_task_doubt(
        s, task,
        "level %g %s: with more harmonics there is no solution at the frequency of the "
        "peak or beside it (refine); the curve may have too few",
        level, unit);
  }
  const ms_harmonic_row *last = &r->refined[r->n_refined - 1];
  return ms_task_doubt(s, task,
                       "level %g %s: with %d harmonics the peak still moves by %.2g (refine: "
                       "tolerance %g)",
                       level, unit, last->harmonics, last->change, p->plan.refine);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_forced_product *p = task->product;
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) {
    MS_TRY(judge_level(s, task, p, &p->run[i]));
  }
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_frequency_response = {
  .name = "frequency_response",
  .meaning =
      "The periodic response to a harmonic load, by harmonic balance: a curve along frequency for "
      "each level, followed through folds. Where it is unstable a structure that is disturbed "
      "leaves it, and a test does not see it.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = judge,
  .result = ms_forced_result,
  .close = close_product,
};
