/* impact_test: a half-sine on one coordinate excites all modes at once; each mode's curves are read
   from the filtered response and laid over those of its modal model (Procedure III). */
#include <math.h>
#include <stdio.h>
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

/* A coordinate that is hit, and its runs. */
typedef struct hit_place {
  ptrdiff_t at, first, n_level;
  ms_level *level;
} hit_place;

typedef struct product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  ms_time_setting time;
  hit_place *place;
  ptrdiff_t n_at, pulse_mode;
  int *mode;
  int n_mode;
  ptrdiff_t *segments;
  const ms_task *compare;
  double *shape; /* n values for each place */
  char (*source)[96];
  ms_result_table *table, *runs, *ratios;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  for (ptrdiff_t a = 0; p->place && a < p->n_at; a++) ms_free(s->ctx, &p->place[a].level);
  ms_free(s->ctx, &p->place);
  ms_free(s->ctx, &p->mode);
  ms_free(s->ctx, &p->segments);
  ms_free(s->ctx, &p->shape);
  ms_free(s->ctx, &p->source);
  ms_free(s->ctx, &task->product);
}

static ms_status read_places(ms_study *s, struct fy_node *list, product *p) {
  void *at = NULL;
  p->n_at = ms_yaml_count(list);
  MS_TRY(ms_allocate(s->ctx, p->n_at, sizeof *p->place, &p->place));
  for (ptrdiff_t i = 0; i < p->n_at; i++) {
    struct fy_node *item = ms_yaml_is_sequence(list) ? ms_yaml_next_item(list, &at) : list;
    const char *name;
    MS_TRY(ms_yaml_text(&s->yaml, item, "a coordinate", &name));
    ms_status status = ms_structure_find(s->structure, name, &p->place[i].at);
    if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, item, status);
    if (p->place[i].at == MS_GROUND) {
      return ms_yaml_fail(&s->yaml, item, MS_ERR_NAME, "the ground does not feel a hit");
    }
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
    const char *name;
    ptrdiff_t i, known = 0;
    MS_TRY(ms_yaml_text(&s->yaml, key, "a coordinate", &name));
    ms_status status = ms_structure_find(s->structure, name, &i);
    if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, key, status);
    for (ptrdiff_t a = 0; a < p->n_at; a++) known |= p->place[a].at == i;
    if (known) continue;
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "levels for %s, which is not hit", name);
  }
  return MS_SUCCESS;
}

/* The levels of a place: the list, or that under its name. */
static ms_status find_levels(const ms_study *s, struct fy_node *node, const hit_place *place,
                             struct fy_node **out) {
  void *at = NULL;
  *out = node;
  if (!ms_yaml_is_mapping(node)) return MS_SUCCESS;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    const char *name;
    ptrdiff_t i;
    MS_TRY(ms_yaml_text(&s->yaml, key, "a coordinate", &name));
    MS_TRY(ms_structure_find(s->structure, name, &i));
    *out = value;
    if (i == place->at) return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "levels lack %s",
                      ms_structure_get_name(s->structure, place->at));
}

static ms_status read_levels(ms_study *s, struct fy_node *node, product *p) {
  ptrdiff_t first = 0;
  if (ms_yaml_is_mapping(node)) MS_TRY(check_level_keys(s, node, p));
  for (ptrdiff_t a = 0; a < p->n_at; a++) {
    hit_place *place = &p->place[a];
    struct fy_node *list;
    MS_TRY(find_levels(s, node, place, &list));
    MS_TRY(ms_read_levels(s, list, &p->time, &place->level, &place->n_level));
    place->first = first;
    first += place->n_level;
  }
  return MS_SUCCESS;
}

/* Every level has its own step. */
static ms_status check_steps(const ms_study *s, struct fy_node *node, const product *p) {
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  for (ptrdiff_t a = 0; ms_steps_know_modes(s) && a < p->n_at; a++) {
    for (ptrdiff_t l = 0; l < p->place[a].n_level; l++) {
      const ms_time_setting *time = &p->place[a].level[l].time;
      MS_TRY(ms_steps_check_pulse(s, node, time, acos(-1.0) / stuck.omega[p->pulse_mode - 1]));
      for (int m = 0; m < p->n_mode; m++) {
        MS_TRY(ms_steps_check_mode(s, node, time, p->mode[m], stuck.omega[p->mode[m]]));
      }
    }
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
  MS_TRY(ms_options_read_task(s, task, &o));
  MS_TRY(read_places(s, o.at, p));
  MS_TRY(ms_read_time(s, o.time, &p->time));
  MS_TRY(read_levels(s, o.levels, p));
  p->pulse_mode = o.pulse_mode > 0 ? o.pulse_mode : ms_structure_get_size(s->structure);
  MS_TRY(check_pulse(s, ms_yaml_get(task->node, "pulse_mode"), p));
  MS_TRY(ms_read_modes(s, o.modes, &p->mode, &p->n_mode));
  MS_TRY(check_steps(s, o.time, p));
  MS_TRY(ms_check_mode_keys(s, o.segments, "segments", p->mode, p->n_mode));
  MS_TRY(ms_read_segments(s, o.segments, p->mode, p->n_mode, &p->segments));
  MS_TRY(ms_curves_read_sensor(s, o.sensor, &p->curves));
  return find_compared(s, task, o.compare, p);
}

/* ---- the runs ---- */

static void request_place(const ms_study *s, product *p, const hit_place *place,
                          const double *shape) {
  const double omega = ms_structure_get_stuck(s->structure).omega[p->pulse_mode - 1];
  const char *name = ms_structure_get_name(s->structure, place->at);
  const double unit = s->units.force * (ms_name_is_rotation(name) ? s->units.length : 1.0);
  for (ptrdiff_t l = 0; l < place->n_level; l++) {
    ptrdiff_t i = place->first + l;
    snprintf(p->source[i], sizeof p->source[i], "%.72s p=%g", name, place->level[l].p * unit);
    p->curves.run[i] = (ms_pulse_run) { .shape = shape,
                                        .p = place->level[l].p * unit,
                                        .omega = omega,
                                        .time = place->level[l].time,
                                        .mode = p->mode,
                                        .n_mode = p->n_mode,
                                        .segments = p->segments,
                                        .keep_traces = 1 };
  }
}

static ms_status request_runs(ms_study *s, product *p) {
  ptrdiff_t n = ms_structure_get_size(s->structure), runs = 0;
  for (ptrdiff_t a = 0; a < p->n_at; a++) runs += p->place[a].n_level;
  MS_TRY(ms_allocate(s->ctx, runs, sizeof *p->curves.run, &p->curves.run));
  MS_TRY(ms_allocate(s->ctx, runs * p->n_mode, sizeof *p->curves.curve, &p->curves.curve));
  MS_TRY(ms_allocate(s->ctx, n * p->n_at, sizeof *p->shape, &p->shape));
  MS_TRY(ms_allocate(s->ctx, runs, sizeof *p->source, &p->source));
  p->curves.n_run = runs;
  for (ptrdiff_t a = 0; a < p->n_at; a++) {
    p->shape[p->place[a].at + n * a] = 1.0;
    request_place(s, p, &p->place[a], p->shape + n * a);
  }
  return MS_SUCCESS;
}

static ms_status run_hit(ms_worker *worker, ptrdiff_t job, void *user) {
  product *p = user;
  return ms_pulse_simulate(worker->ctx, worker->structure, &p->curves.run[job]);
}

static void collect(product *p) {
  for (ptrdiff_t i = 0; i < p->curves.n_run; i++) {
    for (int m = 0; m < p->n_mode; m++) {
      ms_curves_add(&p->curves, i, m, p->mode[m], p->source[i]);
    }
  }
}

/* Damping over that of the modal model at the same amplitude, where the model has been there. */
static ms_status compare_mode(ms_study *s, product *p, int m, const ms_points *model) {
  for (ptrdiff_t i = m; i < p->curves.n_curve; i += p->n_mode) {
    const ms_curve *c = &p->curves.curve[i];
    for (ptrdiff_t k = 0; k < c->decay->n; k++) {
      const ms_decay_point *d = &c->decay->point[k];
      double zeta = ms_points_zeta(model, d->q);
      if (!(zeta > 0.0)) continue;
      MS_TRY(ms_result_table_add_row(s->ctx, p->ratios, c->mode + 1.0, c->source, d->time, d->q,
                                     d->zeta, zeta, d->zeta / zeta));
    }
  }
  return MS_SUCCESS;
}

static ms_status compare(ms_study *s, ms_task *task, product *p) {
  char name[96];
  if (!p->compare) return MS_SUCCESS;
  snprintf(name, sizeof name, "%.80s_compare", task->name);
  MS_TRY(ms_result_table_create(
      s, name, "mode,source:word,time [s],q [m sqrt(kg)],zeta,zeta_model,ratio", &p->ratios));
  for (int m = 0; m < p->n_mode; m++) {
    ms_points model;
    MS_TRY(ms_curves_gather(s->ctx, p->compare->product, p->mode[m], &model));
    ms_status status = compare_mode(s, p, m, &model);
    ms_free(s->ctx, &model.q);
    if (status != MS_SUCCESS) return status;
  }
  return MS_SUCCESS;
}

static ms_status tabulate(ms_study *s, ms_task *task, product *p) {
  MS_TRY(ms_curves_tabulate(s, task->name, &p->curves, &p->table));
  MS_TRY(ms_curves_tabulate_runs(s, task->name, &p->curves, &p->runs));
  return compare(s, task, p);
}

/* By all processes. */
static ms_status run_all(ms_study *s, ms_task *task) {
  product *p = task->product;
  MS_TRY(request_runs(s, p));
  return ms_curves_share(s, task->name, run_hit, &p->curves);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  MS_TRY(run_all(s, task));
  collect(p);
  return tabulate(s, task, p);
}

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const product *p = task->product;
  (void)s;
  ms_json_add_integer(json, "runs", p->curves.n_run);
  ms_json_add_integer(json, "points", ms_result_table_rows(p->table));
  if (p->ratios) ms_json_add_integer(json, "compared", ms_result_table_rows(p->ratios));
}

/* One series for each place that was hit, over the modal model. */
static ms_status report_mode(const ms_study *s, const product *p, ms_page *page, int mode) {
  enum { MOST = MS_PALETTE_SIZE };
  ms_points points[MOST + 1];
  ms_overlay overlay[MOST + 1];
  int n = 0;
  ms_status status = MS_SUCCESS;
  memset(points, 0, sizeof points);
  memset(overlay, 0, sizeof overlay);
  for (ptrdiff_t a = 0; a < p->n_at && n < MOST && status == MS_SUCCESS; a++) {
    const hit_place *place = &p->place[a];
    ms_curves part = { .curve = p->curves.curve + place->first * p->n_mode,
                       .n_curve = place->n_level * p->n_mode };
    status = ms_curves_gather(s->ctx, &part, mode, &points[n]);
    overlay[n] = (ms_overlay) { ms_structure_get_name(s->structure, place->at), &points[n],
                                MS_SERIES_POINTS, (int)a };
    n++;
  }
  if (p->compare && status == MS_SUCCESS) {
    status = ms_curves_gather(s->ctx, p->compare->product, mode, &points[n]);
    overlay[n] = (ms_overlay) { p->compare->name, &points[n], MS_SERIES_LINE, -1 };
    n++;
  }
  if (status == MS_SUCCESS) status = ms_curves_figure(s, page, mode, overlay, n);
  for (int i = 0; i < n; i++) ms_free(s->ctx, &points[i].q);
  return status;
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  const product *p = task->product;
  for (int m = 0; m < p->n_mode; m++) {
    MS_TRY(report_mode(s, p, page, p->mode[m]));
    MS_TRY(ms_curves_histories(s, page, &p->curves, p->mode[m]));
  }
  return ms_result_table_add_to_page(s->ctx, p->runs, "Runs: energy balance and residuals", page);
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
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
