/* shock: a load that ends, at several levels; one mode is filtered from the ringing after it and
   read as in a ring-down. */
#include "study/analyses/contact/contact.h"
#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/rows.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  ms_study_load load;
  struct fy_node *levels;
  ms_time_setting time;
  ptrdiff_t sensor, segments;
  int mode;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_LOAD(options, load, MS_REQUIRED, "one of the loads, which must end"),
  MS_ROW_LEVELS(options,
                "the load is that many times what it says; [level, step, steps] in a list has a "
                "time of its own"),
  MS_MODE(options, mode, MS_REQUIRED, "the mode that rings"),
  MS_TIME(options, time, MS_REQUIRED),
  MS_COUNT(options, segments, MS_FROM(1), MS_DEFAULT(100),
           "pieces of the piecewise linear fit to envelope and phase, about as many as rows"),
  MS_SENSOR(options, sensor),
};

static void close_product(ms_study *s, ms_task *task) {
  ms_curves_free(s->ctx, task->product);
}

/* ---- options ---- */

static ms_status read_levels(ms_study *s, const options *o, ms_level **level, ptrdiff_t *n) {
  double *value = NULL;
  if (!ms_yaml_is_mapping(o->levels)) return ms_read_levels(s, o->levels, &o->time, level, n);
  const ms_key_source from = { &s->yaml, &s->units, s, NULL };
  ms_status status = ms_keys_read_levels(&from, o->levels, 1.0, &value, n);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, *n, sizeof **level, level);
  for (ptrdiff_t i = 0; i < *n && status == MS_SUCCESS; i++) {
    (*level)[i] = (ms_level) { value[i], o->time };
  }
  ms_free(s->ctx, &value);
  return status;
}

static ms_status request_runs(ms_study *s, const options *o, ms_curves *curves) {
  const double omega = ms_structure_get_stuck(s->structure).omega[o->mode];
  ms_level *level = NULL;
  ptrdiff_t n = 0;
  ms_status status = read_levels(s, o, &level, &n);
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    const ms_pulse_run run = { .shape = o->load.shape,
                               .load = o->load.load,
                               .p = level[i].p,
                               .omega = omega,
                               .time = level[i].time,
                               .mode = &o->mode,
                               .n_mode = 1,
                               .segments = &o->segments };
    status = ms_curves_request(s->ctx, curves, &run, "%.20s x %g", o->load.name, level[i].p);
  }
  ms_free(s->ctx, &level);
  return status;
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_curves *curves = task->product;
  struct fy_node *load = ms_yaml_get(task->node, "load");
  if (!(ms_structure_get_stuck(s->structure).omega[o->mode] > 0.0)) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "mode"), MS_ERR_BOUNDS,
                        "mode %d is a rigid-body mode and does not ring", o->mode + 1);
  }
  curves->sensor = o->sensor;
  MS_TRY(request_runs(s, o, curves));
  for (ptrdiff_t i = 0; i < curves->n_run; i++) { /* every level may have its own time */
    const ms_time_setting *time = &curves->run[i].time;
    const double length = time->step * (double)time->steps;
    if (!(ms_load_end(o->load.load) < length)) {
      return ms_yaml_fail(&s->yaml, load, MS_ERR_BOUNDS,
                          "load %s must end before the run does, at %g s, so that there is ringing",
                          o->load.name, length);
    }
  }
  MS_TRY(ms_curves_check_steps(s, ms_yaml_get(task->node, "time"), curves));
  for (ptrdiff_t i = 0; i < curves->n_run; i++) {
    MS_TRY(ms_steps_check_load(s, load, &curves->run[i].time, &o->load));
  }
  return MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_result_set_integer(task->result, "mode", o->mode + 1);
  MS_TRY(ms_contact_add_laws(s, task));
  return ms_curves_result(s, task, &o->mode, 1, o->load.name, NULL, NULL);
}

const ms_analysis ms_analysis_shock = {
  .name = "shock",
  .title = "Ringing after a shock",
  .meaning =
      "A load that ends, at several levels; the mode is filtered from the ringing after it, and "
      "envelope and phase of its velocity (Hilbert transform, piecewise linear fit) give frequency "
      "and total damping against amplitude.",
  MS_KEYS(keys, options, ms_curves),
  .knows_contact = 1,
  .check = check,
  .run = ms_curves_run_all,
  .judge = ms_curves_judge,
  .help = ms_curves_share,
  .result = result,
  .close = close_product,
};
