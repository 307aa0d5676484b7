/* sweep: a swept sine through a resonance, up and down, at several levels; frequency and damping
   from the transfer function of the relative motion. */
#include <math.h>

#include "experiment/pack.h"
#include "study/analyses/sweep/sweep.h"
#include "study/analyses/shared/time_options.h"
#include "study/file/shared_keys.h"
#include "study/analyses/shared/time_steps.h"

#define MIN_PER_PERIOD 10.0 /* steps */

typedef struct options {
  struct fy_node *at, *base, *levels;
  ptrdiff_t mode;
  const char *sensor;
  double from, to, duration, tail, step, smooth;
  int law, method;
  ms_chosen directions;
} options;

static const char *const laws[] = { "linear", "logarithmic" };

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ROW_AT(options),
  MS_ROW_BASE(options),
  MS_COUNT(options, mode, MS_FROM(1), MS_REQUIRED, "the mode that resonates"),
  MS_WORD(options, sensor, MS_ELSE("the modal coordinate"),
          "degree of freedom whose motion, relative to the base, is read"),
  MS_ROW_LEVELS(options, "amplitudes of the load, force or acceleration"),
  MS_NUMBER(options, from, "Hz", MS_POSITIVE, MS_REQUIRED, "lower end of the sweep"),
  MS_NUMBER(options, to, "Hz", MS_POSITIVE, MS_REQUIRED, "upper end of the sweep"),
  MS_NUMBER(options, duration, "s", MS_POSITIVE, MS_REQUIRED, "length of a sweep"),
  MS_NUMBER(
      options, tail, "s", MS_POSITIVE,
      MS_ELSE("7/(zeta omega), or a tenth of the duration where that is longer than the sweep"),
      "time for ringing after it"),
  MS_CHOICE(options, law, "linear|logarithmic", MS_OPTIONAL, "how the frequency changes in time"),
  MS_CHOICES(options, directions, "up|down", MS_OPTIONAL, "directions of the sweeps"),
  MS_NUMBER(options, step, "s", MS_POSITIVE, MS_REQUIRED,
            "time step; at least 10 in the shortest period"),
  MS_ROW_METHOD(options),
  MS_NUMBER(options, smooth, "Hz", MS_NOT_NEGATIVE, MS_DEFAULT(0),
            "width over which spectra are averaged, against noise; 0: none"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static void close_product(ms_study *s, ms_task *task) {
  ms_sweep_product *p = task->product;
  for (ptrdiff_t i = 0; p->run && i < p->n_run; i++) ms_sweep_run_free(s->ctx, &p->run[i]);
  ms_free(s->ctx, &p->run);
  ms_free(s->ctx, &p->level);
  ms_free(s->ctx, &p->plan.sensor);
  ms_load_free(s->ctx, &p->load);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_place(ms_study *s, ms_task *task, const options *o, ms_sweep_product *p) {
  struct fy_node *at = o->at, *base = o->base;
  ptrdiff_t n = ms_structure_get_size(s->structure);
  if (!at == !base) {
    return ms_yaml_fail(&s->yaml, at ? base : task->key, MS_ERR_FORMAT,
                        "a sweep needs one of at (force) and base (acceleration)");
  }
  p->load.name = task->name;
  p->load.place = at ? "at" : "base";
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->load.shape, &p->load.shape));
  if (at) MS_TRY(ms_read_at(s, at, p->load.shape, &p->load.moment));
  if (base) MS_TRY(ms_read_base(s, base, &p->load));
  p->plan.shape = p->load.shape;
  p->plan.settings.input = base ? MS_SWEEP_BASE : MS_SWEEP_FORCE;
  return MS_SUCCESS;
}

static ms_status check_mode(const ms_study *s, struct fy_node *node, ptrdiff_t mode) {
  MS_TRY(ms_check_mode(s, node, mode));
  if (ms_structure_get_stuck(s->structure).omega[mode - 1] > 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "mode %td is rigid and does not resonate",
                      mode);
}

static ms_status find_sensor(const ms_study *s, const ms_task *task, const char *name,
                             ms_sweep_product *p) {
  struct fy_node *node = ms_yaml_get(task->node, "sensor");
  ptrdiff_t at = MS_GROUND;
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *p->plan.sensor,
                     &p->plan.sensor));
  ms_status status = name ? ms_structure_find(s->structure, name, &at) : MS_SUCCESS;
  if (status == MS_SUCCESS && name && at == MS_GROUND) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                        "mode %d does not move at '%s': a sensor there does not see it",
                        p->mode + 1, name);
  }
  if (status == MS_SUCCESS) {
    status = ms_sweep_set_sensor(s->ctx, s->structure, p->mode, at, &p->plan);
  }
  MS_TRY(ms_yaml_fail_here(&s->yaml, node, status));
  p->placed = name != NULL;
  p->turns = name && ms_name_is_rotation(name);
  status = ms_sweep_set_participation(s->ctx, s->structure, p->mode, &p->plan);
  return ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, p->load.place), status);
}

static ms_status check_time(const ms_study *s, struct fy_node *step, const options *o,
                            ms_sweep_product *p) {
  ms_sweep_plan *plan = &p->plan;
  const double tail =
      o->tail > 0.0 ? o->tail : ms_sweep_default_tail(s->structure, p->mode, plan->duration);
  const double per_period = 1.0 / (plan->step * plan->to);
  const double steps = (plan->duration + tail) / plan->step;
  if (per_period < MIN_PER_PERIOD) {
    return ms_yaml_fail(&s->yaml, step, MS_ERR_BOUNDS,
                        "a step of %g s makes %.3g steps in a period of %g Hz; at least %g are "
                        "needed",
                        plan->step, per_period, plan->to, MIN_PER_PERIOD);
  }
  if (steps > 1e8) {
    return ms_yaml_fail(&s->yaml, step, MS_ERR_BOUNDS, "%g steps are too many to keep; at most 1e8",
                        steps);
  }
  plan->steps = (ptrdiff_t)ceil(steps);
  return MS_SUCCESS;
}

static void plan_sweep(const options *o, ms_sweep_product *p) {
  static const ms_sweep_settings usual = MS_SWEEP_DEFAULT;
  ms_sweep_plan *plan = &p->plan;
  plan->settings = usual;
  plan->settings.smooth = o->smooth;
  plan->settings.start = 0.0;
  plan->settings.end = plan->duration = o->duration;
  plan->from = o->from;
  plan->to = o->to;
  plan->step = o->step;
  plan->law = laws[o->law];
  plan->method = ms_time_methods[o->method];
  p->mode = (int)(o->mode - 1);
  p->n_way = o->directions.n;
  for (int i = 0; i < o->directions.n; i++) p->down[i] = o->directions.index[i];
}

static ms_status check(ms_study *s, ms_task *task) {
  struct fy_node *node = task->node;
  ms_sweep_product *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(ms_options_read_own(s, task, &o));
  plan_sweep(&o, p);
  MS_TRY(read_place(s, task, &o, p));
  MS_TRY(ms_check_method(s, ms_yaml_get(node, "method"), p->plan.method));
  MS_TRY(check_mode(s, ms_yaml_get(node, "mode"), o.mode));
  MS_TRY(find_sensor(s, task, o.sensor, p));
  MS_TRY(
      ms_read_amplitudes(s, o.levels, ms_load_factor(&s->units, &p->load), &p->level, &p->n_level));
  if (!(o.from < o.to)) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "to"), MS_ERR_BOUNDS,
                        "to must be above from; the direction is said by directions: [up, down]");
  }
  return check_time(s, ms_yaml_get(node, "step"), &o, p);
}

/* ---- the runs ---- */

static ms_status run_one(ms_worker *worker, ptrdiff_t job, void *user) {
  ms_sweep_product *p = user;
  return ms_sweep_simulate(worker->ctx, worker->structure, &p->run[job]);
}

static ptrdiff_t save_one(const void *user, ptrdiff_t job, double *values) {
  const ms_sweep_product *p = user;
  return ms_sweep_save(&p->run[job], values);
}

static ms_status load_one(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  ms_sweep_product *p = user;
  return ms_sweep_load(ctx, &p->run[job], values, n);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_sweep_product *p = task->product;
  ms_jobs jobs = { .run = run_one, .save = save_one, .load = load_one, .user = p };
  jobs.n = p->n_run = p->n_level * p->n_way;
  MS_TRY(ms_allocate(s->ctx, p->n_run, sizeof *p->run, &p->run));
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    p->run[i] = (ms_sweep_run) { .plan = &p->plan,
                                 .level = p->level[i / p->n_way],
                                 .down = p->down[i % p->n_way] };
  }
  return ms_pool_run_jobs(s, task->name, &jobs);
}

static const ms_transient_quality *get_quality(const void *user, ptrdiff_t i, const char **source) {
  const ms_sweep_product *p = user;
  *source = ms_sweep_direction(&p->run[i]);
  return &p->run[i].quality;
}

/* A response that cannot follow is smaller: joints are then read at another amplitude. */
static ms_status judge_rate(ms_study *s, ms_task *task, const ms_sweep_product *p) {
  double worst = 0.0;
  ptrdiff_t fast = 0, n = 0;
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    const ms_sweep *w = &p->run[i].sweep;
    n += w->n > 0;
    fast += w->n > 0 && w->severity > MS_SWEEP_LIMIT;
    if (w->n > 0) worst = fmax(worst, w->severity);
  }
  if (fast == 0 || ms_structure_count_joints(s->structure) == 0) return MS_SUCCESS;
  return ms_task_doubt(
      s, task,
      "the sweep is too fast: |df/dt|/(zeta f)^2 is up to %.3g, above %g in %td of "
      "%td resonances: amplitudes are too low and late; sweep longer",
      worst, MS_SWEEP_LIMIT, fast, n);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_sweep_product *p = task->product;
  MS_TRY(ms_steps_judge_runs(s, task, p->n_run, get_quality, p));
  return judge_rate(s, task, p);
}

const ms_analysis ms_analysis_sweep = {
  .name = "sweep",
  .meaning =
      "A swept sine through a resonance, in time, up and down and at several levels. The transfer "
      "function of the motion relative to the base, or of the motion under the force, gives "
      "frequency and total damping at the amplitude that was reached.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = judge,
  .result = ms_sweep_result,
  .close = close_product,
};
