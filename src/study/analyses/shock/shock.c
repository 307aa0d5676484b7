/* shock: a load that ends, at several levels; one mode is filtered from the ringing after it and
   read as in a ring-down. */
#include "study/analyses/shared/curves.h"
#include "study/model/loads.h"
#include "study/file/shared_keys.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  struct fy_node *load, *levels, *time, *sensor;
  ptrdiff_t mode, segments;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_FORMS(options, load, "word", MS_REQUIRED, "one of the loads, which must end"),
  MS_ROW_LEVELS(options,
                "the load is that many times what it says; [level, step, steps] in a list has a "
                "time of its own"),
  MS_COUNT(options, mode, MS_FROM(1), MS_REQUIRED, "the mode that rings"),
  MS_ROW_TIME(options),
  MS_COUNT(options, segments, MS_FROM(1), MS_DEFAULT(100),
           "pieces of the piecewise linear fit to envelope and phase, about as many as rows"),
  MS_ROW_SENSOR(options),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

typedef struct product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  ms_study_load load;
  ptrdiff_t segments;
  ms_time_setting time;
  int mode; /* 0-based */
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_load_free(s->ctx, &p->load);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_load(ms_study *s, struct fy_node *node, product *p) {
  MS_TRY(ms_read_load(s, node, &p->load));
  double end = ms_load_end(p->load.load), length = p->time.step * (double)p->time.steps;
  if (end < length) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "load %s must end before the run does, at %g s, so that there is ringing",
                      p->load.name, length);
}

static ms_status check_mode(const ms_study *s, struct fy_node *node, ptrdiff_t mode) {
  MS_TRY(ms_check_mode(s, node, mode));
  if (ms_structure_get_stuck(s->structure).omega[mode - 1] > 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "mode %td is a rigid-body mode and does not ring", mode);
}

static ms_status read_list(ms_study *s, struct fy_node *node, const product *p, ms_level **level,
                           ptrdiff_t *n) {
  double *value = NULL;
  if (!ms_yaml_is_mapping(node)) return ms_read_levels(s, node, &p->time, level, n);
  ms_status status = ms_read_amplitudes(s, node, 1.0, &value, n);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, *n, sizeof **level, level);
  for (ptrdiff_t i = 0; i < *n && status == MS_SUCCESS; i++) {
    (*level)[i] = (ms_level) { value[i], p->time };
  }
  ms_free(s->ctx, &value);
  return status;
}

static ms_status read_levels(ms_study *s, struct fy_node *node, product *p) {
  const double omega = ms_structure_get_stuck(s->structure).omega[p->mode];
  ms_level *level = NULL;
  ptrdiff_t n = 0;
  ms_status status = read_list(s, node, p, &level, &n);
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    const ms_pulse_run run = { .shape = p->load.shape,
                               .load = p->load.load,
                               .p = level[i].p,
                               .omega = omega,
                               .time = level[i].time,
                               .mode = &p->mode,
                               .n_mode = 1,
                               .segments = &p->segments };
    status = ms_curves_request(s->ctx, &p->curves, &run, "%.20s x %g", p->load.name, level[i].p);
  }
  ms_free(s->ctx, &level);
  return status;
}

/* Every level has its own step. */
static ms_status check_steps(const ms_study *s, const options *o, const product *p) {
  MS_TRY(ms_curves_check_steps(s, o->time, &p->curves));
  for (ptrdiff_t i = 0; i < p->curves.n_run; i++) {
    MS_TRY(ms_steps_check_load(s, o->load, &p->curves.run[i].time, &p->load));
  }
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  options o = { 0 };
  product *p;
  MS_TRY(ms_options_read_task(s, task, &o));
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  p->segments = o.segments;
  MS_TRY(ms_read_time(s, o.time, &p->time));
  MS_TRY(read_load(s, o.load, p));
  MS_TRY(check_mode(s, ms_yaml_get(task->node, "mode"), o.mode));
  p->mode = (int)o.mode - 1;
  MS_TRY(read_levels(s, o.levels, p));
  MS_TRY(check_steps(s, &o, p));
  return ms_read_sensor(s, o.sensor, &p->curves.sensor);
}

/* ---- the runs ---- */

/* By all processes. */
static ms_status run_all(ms_study *s, ms_task *task) {
  return ms_curves_share(s, task->name, task->product);
}

static ms_status run(ms_study *s, ms_task *task) {
  MS_TRY(run_all(s, task));
  return ms_curves_collect(s->ctx, task->product);
}

static ms_status result(ms_study *s, ms_task *task) {
  const product *p = task->product;
  ms_result_set_integer(task->result, "mode", p->mode + 1);
  return ms_curves_result(s, task, &p->mode, 1, p->load.name, NULL);
}

const ms_analysis ms_analysis_shock = {
  .name = "shock",
  .meaning =
      "A load that ends, at several levels; the mode is filtered from the ringing after it, and "
      "envelope and phase of its velocity (Hilbert transform, piecewise linear fit) give frequency "
      "and total damping against amplitude.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = ms_curves_judge,
  .help = run_all,
  .result = result,
  .close = close_product,
};
