/* impact_test: a half-sine on one coordinate excites all modes at once; each mode's curves are read
   from the filtered response and laid over those of its modal model (Procedure III). */
#include <string.h>

#include "study/analyses/shared/curves.h"
#include "study/file/shared_keys.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  struct fy_node *at, *levels, *modes, *time, *segments, *sensor, *compare;
  ptrdiff_t pulse_mode;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_FORMS(options, at, "word or list", MS_REQUIRED,
           "degrees of freedom that are hit, one run for each and each level"),
  MS_FORMS(options, levels, "number, list or mapping", MS_REQUIRED,
           "heights of the pulse, force, or [height, step, steps] with a time of its own; for all "
           "degrees of freedom that are hit, or {degree of freedom: list}"),
  MS_COUNT(options, pulse_mode, MS_FROM(1), MS_ELSE("the last"),
           "the pulse is half a period of this stuck mode"),
  MS_ROW_MODES(options, MS_ELSE("all")),
  MS_ROW_TIME(options),
  MS_ROW_SEGMENTS(options),
  MS_ROW_SENSOR(options),
  MS_FORMS(options, compare, "word", MS_ELSE("none"),
           "the modal_iwan or modal_ringdown whose curves are laid over"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

typedef struct product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  ms_time_setting time;
  ptrdiff_t *at, n_at; /* degrees of freedom that are hit */
  ptrdiff_t pulse_mode;
  int *mode;
  int n_mode;
  ptrdiff_t *segments;
  const ms_task *compare;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_free(s->ctx, &p->at);
  ms_free(s->ctx, &p->mode);
  ms_free(s->ctx, &p->segments);
  ms_free(s->ctx, &task->product);
}

static ms_status read_places(ms_study *s, struct fy_node *list, product *p) {
  void *at = NULL;
  p->n_at = ms_yaml_count(list);
  MS_TRY(ms_allocate(s->ctx, p->n_at, sizeof *p->at, &p->at));
  for (ptrdiff_t i = 0; i < p->n_at; i++) {
    struct fy_node *item = ms_yaml_is_sequence(list) ? ms_yaml_next_item(list, &at) : list;
    MS_TRY(ms_read_dof(s, item, "a coordinate", &p->at[i]));
  }
  return MS_SUCCESS;
}

static ms_status check_pulse(const ms_study *s, struct fy_node *node, const product *p) {
  MS_TRY(ms_check_mode(s, node, p->pulse_mode));
  if (ms_structure_get_stuck(s->structure).omega[p->pulse_mode - 1] > 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "mode %td is rigid and has no period",
                      p->pulse_mode);
}

/* levels: {u1: [...], u2: [...]} may name no other places, and must name all. */
static ms_status check_level_keys(const ms_study *s, struct fy_node *node, const product *p) {
  void *at = NULL;
  for (struct fy_node *key; ms_yaml_next_pair(node, &at, &key);) {
    ptrdiff_t i, known = 0;
    MS_TRY(ms_read_dof(s, key, "a coordinate", &i));
    for (ptrdiff_t a = 0; a < p->n_at; a++) known |= p->at[a] == i;
    if (known) continue;
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "levels for %s, which is not hit",
                        ms_structure_get_name(s->structure, i));
  }
  return MS_SUCCESS;
}

/* The levels of a place: the list, or that under its name. */
static ms_status find_levels(const ms_study *s, struct fy_node *node, ptrdiff_t place,
                             struct fy_node **out) {
  void *at = NULL;
  *out = node;
  if (!ms_yaml_is_mapping(node)) return MS_SUCCESS;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    ptrdiff_t i;
    MS_TRY(ms_read_dof(s, key, "a coordinate", &i));
    *out = value;
    if (i == place) return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "levels lack %s",
                      ms_structure_get_name(s->structure, place));
}

static ms_status request_runs(ms_study *s, product *p, const ptrdiff_t *at, struct fy_node *list) {
  const double omega = ms_structure_get_stuck(s->structure).omega[p->pulse_mode - 1];
  const char *name = ms_structure_get_name(s->structure, *at);
  const double unit = s->units.force * (ms_name_is_rotation(name) ? s->units.length : 1.0);
  ms_level *level = NULL;
  ptrdiff_t n = 0;
  ms_status status = ms_read_levels(s, list, &p->time, &level, &n);
  for (ptrdiff_t l = 0; l < n && status == MS_SUCCESS; l++) {
    const ms_pulse_run run = { .at = at,
                               .p = level[l].p * unit,
                               .omega = omega,
                               .time = level[l].time,
                               .mode = p->mode,
                               .n_mode = p->n_mode,
                               .segments = p->segments };
    status = ms_curves_request(s->ctx, &p->curves, &run, "%.72s p=%g", name, run.p);
  }
  ms_free(s->ctx, &level);
  return status;
}

static ms_status read_levels(ms_study *s, struct fy_node *node, product *p) {
  if (ms_yaml_is_mapping(node)) MS_TRY(check_level_keys(s, node, p));
  for (ptrdiff_t a = 0; a < p->n_at; a++) {
    struct fy_node *list;
    MS_TRY(find_levels(s, node, p->at[a], &list));
    MS_TRY(request_runs(s, p, &p->at[a], list));
  }
  return MS_SUCCESS;
}

static ms_status find_compared(const ms_study *s, const ms_task *task, struct fy_node *node,
                               product *p) {
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_study_find_task(s, task, node, NULL, &p->compare));
  if (strcmp(p->compare->kind->name, "modal_iwan") == 0 ||
      strcmp(p->compare->kind->name, "modal_ringdown") == 0) {
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                      "'%s' has no curves to compare with; name a modal_iwan or modal_ringdown",
                      p->compare->name);
}

static ms_status check(ms_study *s, ms_task *task) {
  options o = { 0 };
  product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(ms_options_read_own(s, task, &o));
  MS_TRY(read_places(s, o.at, p));
  MS_TRY(ms_read_time(s, o.time, &p->time));
  p->pulse_mode = o.pulse_mode > 0 ? o.pulse_mode : ms_structure_get_size(s->structure);
  MS_TRY(check_pulse(s, ms_yaml_get(task->node, "pulse_mode"), p));
  MS_TRY(ms_read_modes(s, o.modes, &p->mode, &p->n_mode));
  MS_TRY(ms_check_mode_keys(s, o.segments, "segments", p->mode, p->n_mode));
  MS_TRY(ms_read_segments(s, o.segments, p->mode, p->n_mode, &p->segments));
  MS_TRY(read_levels(s, o.levels, p));
  MS_TRY(ms_curves_check_steps(s, o.time, &p->curves));
  MS_TRY(ms_read_sensor(s, o.sensor, &p->curves.sensor));
  return find_compared(s, task, o.compare, p);
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

/* Damping over that of the modal model at the same amplitude, where the model has been there. */
static ms_status compare_mode(ms_study *s, const product *p, int m, const ms_points *model,
                              ms_result_table *ratios) {
  for (ptrdiff_t i = m; i < p->curves.n_curve; i += p->n_mode) {
    const ms_curve *c = &p->curves.curve[i];
    for (ptrdiff_t k = 0; k < c->decay->n; k++) {
      const ms_decay_point *d = &c->decay->point[k];
      double zeta = ms_points_zeta(model, d->q);
      if (!(zeta > 0.0)) continue;
      MS_TRY(ms_result_table_add_row(s->ctx, ratios, c->mode + 1.0, c->source, d->time, d->q,
                                     d->zeta, zeta, d->zeta / zeta));
    }
  }
  return MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  const product *p = task->product;
  ms_result_table *ratios;
  MS_TRY(ms_curves_result(s, task, p->mode, p->n_mode, NULL, p->compare));
  if (!p->compare) return MS_SUCCESS;
  MS_TRY(ms_task_add_table(s, task, "_compare",
                           "mode,source:word,time [s],q [m sqrt(kg)],zeta,zeta_model,ratio",
                           &ratios));
  for (int m = 0; m < p->n_mode; m++) {
    ms_points model;
    MS_TRY(ms_curves_gather(s->ctx, p->compare->product, p->mode[m], &model));
    ms_status status = compare_mode(s, p, m, &model, ratios);
    ms_free(s->ctx, &model.q);
    if (status != MS_SUCCESS) return status;
  }
  ms_result_set_integer(task->result, "compared", ms_result_table_rows(ratios));
  return MS_SUCCESS;
}

static int needs(const ms_task *task, const ms_task *other) {
  return ((const product *)task->product)->compare == other;
}

const ms_analysis ms_analysis_impact_test = {
  .needs = needs,
  .name = "impact_test",
  .meaning =
      "A half-sine pulse on one degree of freedom excites every mode at once. Each mode is "
      "filtered from the response and read as in the ring-downs; where the other modes move the "
      "joints too, it differs from the modal model.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = ms_curves_judge,
  .help = run_all,
  .result = result,
  .close = close_product,
};
