/* modal_ringdown: one mode at a time is hit by a half-sine spread as M phi and rings down; the
   Hilbert method reads frequency and damping against amplitude (Procedure I of Lacayo, Deaner,
   Allen 2017). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/shared/curves.h"
#include "study/file/shared_keys.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  struct fy_node *modes, *levels, *time, *segments, *sensor;
} options;

/* The pulses of a mode by the shape they are spread with. */
typedef struct sides {
  struct fy_node *stuck, *slipped;
} sides;

static const ms_param side_keys[] = {
  MS_FORMS(
      sides, stuck, "number or list", MS_OPTIONAL,
      "heights with the shape of the stuck mode, cleaner in microslip; a plain list means this"),
  MS_FORMS(sides, slipped, "number or list", MS_OPTIONAL,
           "heights with the shape of the slipped mode, cleaner in macroslip"),
};

static const ms_param_list side_list = MS_LIST_OF(side_keys);

/* For help and manual: any number of these. */
static const ms_param level_keys[] = {
  { .name = "MODE",
    .kind = MS_PARAM_FORMS,
    .forms = "number, list or mapping",
    .keys = &side_list,
    .meaning = "a mode by its number: heights p of its pulses, length sqrt(mass)/time^2; [p, step, "
               "steps] in a list has a time of its own" },
};
static const ms_param_list level_list = MS_LIST_OF(level_keys);

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ROW_MODES(options, MS_ELSE("all")),
  MS_FORMS_WITH(options, levels, "mapping", level_list, MS_REQUIRED, "pulses of each mode"),
  MS_ROW_TIME(options),
  MS_ROW_SEGMENTS(options),
  MS_ROW_SENSOR(options),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

/* What a run has besides its request. */
typedef struct level {
  int slipped;
  char source[48];
  double *shape;
} level;

typedef struct product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  level *level;     /* of each run */
  ms_time_setting time;
  int *mode;
  int n_mode;
  ptrdiff_t *segments;
  ms_result_table *table, *runs;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (ptrdiff_t i = 0; i < p->curves.n_run; i++) ms_free(s->ctx, &p->level[i].shape);
  ms_curves_free(s->ctx, &p->curves);
  ms_free(s->ctx, &p->level);
  ms_free(s->ctx, &p->mode);
  ms_free(s->ctx, &p->segments);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status add_levels(ms_study *s, product *p, int m, struct fy_node *list, int slipped) {
  ms_curves *c = &p->curves;
  ms_level *given;
  ptrdiff_t n;
  if (!list) return MS_SUCCESS;
  MS_TRY(ms_read_levels(s, list, &p->time, &given, &n));
  ms_status status = ms_resize(s->ctx, c->n_run + n, sizeof *p->level, &p->level);
  if (status == MS_SUCCESS) status = ms_resize(s->ctx, c->n_run + n, sizeof *c->run, &c->run);
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    level *l = &p->level[c->n_run];
    ms_pulse_run *run = &c->run[c->n_run++];
    *run = (ms_pulse_run) { .p = given[i].p * s->units.force / sqrt(s->units.mass),
                            .time = given[i].time,
                            .mode = &p->mode[m],
                            .n_mode = 1,
                            .segments = &p->segments[m],
                            .keep_traces = 1 };
    *l = (level) { .slipped = slipped };
    snprintf(l->source, sizeof l->source, "p=%g %s", run->p, slipped ? "slipped" : "stuck");
  }
  ms_free(s->ctx, &given);
  return status;
}

static ms_status read_mode_levels(ms_study *s, product *p, int m, struct fy_node *of) {
  sides given = { 0 };
  if (!ms_yaml_is_mapping(of)) return add_levels(s, p, m, of, 0);
  MS_TRY(ms_options_read(s, of, of, "levels of a mode", side_keys, side_list.n, &given));
  if (!given.stuck && !given.slipped) {
    return ms_yaml_fail(&s->yaml, of, MS_ERR_FORMAT, "mode %d needs stuck or slipped levels",
                        p->mode[m] + 1);
  }
  MS_TRY(add_levels(s, p, m, given.slipped, 1));
  return add_levels(s, p, m, given.stuck, 0);
}

static ms_status read_levels(ms_study *s, product *p, struct fy_node *levels) {
  if (!ms_yaml_is_mapping(levels)) {
    return ms_yaml_fail(&s->yaml, levels, MS_ERR_FORMAT, "levels must be {mode: [heights], ...}");
  }
  MS_TRY(ms_check_mode_keys(s, levels, "levels", p->mode, p->n_mode));
  for (int m = 0; m < p->n_mode; m++) {
    char key[16];
    snprintf(key, sizeof key, "%d", p->mode[m] + 1);
    struct fy_node *of = ms_yaml_get(levels, key);
    if (!of) {
      return ms_yaml_fail(&s->yaml, levels, MS_ERR_NAME, "levels lack mode %s", key);
    }
    MS_TRY(read_mode_levels(s, p, m, of));
  }
  return MS_SUCCESS;
}

/* Every level has its own step; the pulse is half a period. */
static ms_status check_runs(const ms_study *s, const options *o, const product *p) {
  const double *omega = ms_structure_get_stuck(s->structure).omega;
  for (ptrdiff_t i = 0; ms_steps_know_modes(s) && i < p->curves.n_run; i++) {
    const ms_pulse_run *run = &p->curves.run[i];
    const int mode = run->mode[0];
    if (!(omega[mode] > 0.0)) {
      return ms_yaml_fail(&s->yaml, o->levels, MS_ERR_ARGUMENT,
                          "mode %d is a rigid-body mode and does not ring", mode + 1);
    }
    MS_TRY(ms_steps_check_mode(s, o->time, &run->time, mode, omega[mode]));
    MS_TRY(ms_steps_check_pulse(s, o->time, &run->time, acos(-1.0) / omega[mode]));
  }
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  options o = { 0 };
  product *p;
  MS_TRY(ms_options_read_task(s, task, &o));
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(ms_read_time(s, o.time, &p->time));
  MS_TRY(ms_read_modes(s, o.modes, &p->mode, &p->n_mode));
  MS_TRY(ms_check_mode_keys(s, o.segments, "segments", p->mode, p->n_mode));
  MS_TRY(ms_read_segments(s, o.segments, p->mode, p->n_mode, &p->segments));
  MS_TRY(ms_read_sensor(s, o.sensor, &p->curves.sensor));
  MS_TRY(read_levels(s, p, o.levels));
  return check_runs(s, &o, p);
}

/* ---- the runs ---- */

/* Spread as M phi. */
static ms_status request_runs(ms_study *s, product *p) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  ms_curves *c = &p->curves;
  MS_TRY(ms_allocate(s->ctx, c->n_run, sizeof *c->curve, &c->curve));
  for (ptrdiff_t i = 0; i < c->n_run; i++) {
    const ms_modes stuck = ms_structure_get_stuck(s->structure);
    const ms_modes modes = p->level[i].slipped ? ms_structure_get_slipped(s->structure) : stuck;
    const int mode = c->run[i].mode[0];
    MS_TRY(ms_allocate(s->ctx, n, sizeof *p->level[i].shape, &p->level[i].shape));
    ms_structure_apply_mass(s->structure, 1.0, modes.shape + n * mode, p->level[i].shape);
    c->run[i].shape = p->level[i].shape;
    c->run[i].omega = stuck.omega[mode];
  }
  return MS_SUCCESS;
}

static ms_status tabulate(ms_study *s, ms_task *task, product *p) {
  for (ptrdiff_t i = 0; i < p->curves.n_run; i++) {
    ms_curves_add(&p->curves, i, 0, p->curves.run[i].mode[0], p->level[i].source);
  }
  MS_TRY(ms_curves_tabulate(s, task->name, &p->curves, &p->table));
  return ms_curves_tabulate_runs(s, task->name, &p->curves, &p->runs);
}

/* By all processes. */
static ms_status run_all(ms_study *s, ms_task *task) {
  product *p = task->product;
  MS_TRY(request_runs(s, p));
  return ms_curves_share(s, task->name, &p->curves);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  MS_TRY(run_all(s, task));
  return tabulate(s, task, p);
}

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const product *p = task->product;
  double worst = 0.0;
  (void)s;
  for (ptrdiff_t i = 0; i < p->curves.n_run; i++) {
    worst = fmax(worst, p->curves.run[i].quality.balance);
  }
  ms_json_add_integer(json, "runs", p->curves.n_run);
  ms_json_add_integer(json, "points", ms_result_table_rows(p->table));
  ms_json_add_number(json, "worst_energy_balance", worst);
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  const product *p = task->product;
  for (int m = 0; m < p->n_mode; m++) {
    ms_points points;
    MS_TRY(ms_curves_gather(s->ctx, &p->curves, p->mode[m], &points));
    ms_overlay overlay = { "ring-down", &points, MS_SERIES_POINTS, 0 };
    ms_status status = ms_curves_figure(s, page, p->mode[m], &overlay, 1);
    ms_free(s->ctx, &points.q);
    if (status != MS_SUCCESS) return status;
    MS_TRY(ms_curves_histories(s, page, &p->curves, p->mode[m]));
  }
  return ms_result_table_add_to_page(s->ctx, p->runs, "Runs: energy balance and residuals", page);
}

const ms_analysis ms_analysis_modal_ringdown = {
  .name = "modal_ringdown",
  .meaning =
      "Each mode is excited on its own by a half-sine pulse spread as M phi, and rings down. "
      "The modal velocity's envelope and phase (Hilbert transform, piecewise linear fit) give "
      "frequency and total damping against amplitude.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = ms_curves_judge,
  .help = run_all,
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
