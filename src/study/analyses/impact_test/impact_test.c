/* impact_test: a half-sine on one coordinate excites all modes at once; each mode's curves are read
   from the filtered response and laid over those of its modal model (Procedure III). */
#include <math.h>

#include "study/analyses/shared/answers.h"
#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/rows.h"
#include "study/analyses/shared/time_steps.h"

typedef struct options {
  ms_dof_list at;
  struct fy_node *levels, *segments;
  ms_mode_list modes;
  ms_time_setting time;
  ptrdiff_t sensor;
  int pulse_mode;
  const ms_task *compare;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_DOFS(options, at, MS_REQUIRED,
          "degrees of freedom that are hit, one run for each and each level"),
  MS_FORMS(options, levels, "number, list or mapping", MS_REQUIRED,
           "heights of the pulse, force, or [height, step, steps] with a time of its own; for all "
           "degrees of freedom that are hit, or {degree of freedom: list}"),
  MS_MODE(options, pulse_mode, MS_ELSE("the last"),
          "the pulse is half a period of this stuck mode"),
  MS_MODES(options, modes, MS_ELSE("all"), "mode numbers from 1"),
  MS_TIME(options, time, MS_REQUIRED),
  MS_ROW_SEGMENTS(options),
  MS_SENSOR(options, sensor),
  MS_TASK(options, compare, "modal_iwan|modal_ringdown", MS_ELSE("none"),
          "the modal_iwan or modal_ringdown whose curves are laid over"),
};

typedef struct product {
  ms_curves curves;    /* first: see analyses/shared/curves.h */
  ptrdiff_t *segments; /* of each mode */
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  ms_curves_free(s->ctx, &p->curves);
  ms_free(s->ctx, &p->segments);
}

/* levels: {u1: [...], u2: [...]} may name no other places, and must name all. */
static ms_status check_level_keys(const ms_study *s, const options *o) {
  void *at = NULL;
  for (struct fy_node *key; ms_yaml_next_pair(o->levels, &at, &key);) {
    ptrdiff_t i, known = 0;
    MS_TRY(ms_read_dof(s, key, "a coordinate", &i));
    for (ptrdiff_t a = 0; a < o->at.n; a++) known |= o->at.dof[a] == i;
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

static ms_status request_runs(ms_study *s, ms_task *task, const ptrdiff_t *at) {
  const options *o = task->options;
  product *p = task->product;
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const char *name = ms_structure_get_name(s->structure, *at);
  const double unit = s->units.force * (ms_name_is_rotation(name) ? s->units.length : 1.0);
  struct fy_node *list;
  ms_level *level = NULL;
  ptrdiff_t n = 0;
  MS_TRY(find_levels(s, o->levels, *at, &list));
  ms_status status = ms_read_levels(s, list, &o->time, &level, &n);
  for (ptrdiff_t l = 0; l < n && status == MS_SUCCESS; l++) {
    const ms_pulse_run run = { .at = at,
                               .p = level[l].p * unit,
                               .omega = stuck.omega[o->pulse_mode],
                               .time = level[l].time,
                               .mode = o->modes.mode,
                               .n_mode = o->modes.n,
                               .segments = p->segments };
    status = ms_curves_request(s->ctx, &p->curves, &run, "%.72s p=%g", name, run.p);
  }
  ms_free(s->ctx, &level);
  return status;
}

static ms_status check(ms_study *s, ms_task *task) {
  options *o = task->options;
  product *p = task->product;
  p->curves.sensor = o->sensor;
  if (o->pulse_mode < 0) o->pulse_mode = (int)ms_structure_get_size(s->structure) - 1;
  if (!(ms_structure_get_stuck(s->structure).omega[o->pulse_mode] > 0.0)) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "pulse_mode"), MS_ERR_BOUNDS,
                        "mode %d is rigid and has no period", o->pulse_mode + 1);
  }
  MS_TRY(ms_read_segments(s, o->segments, o->modes.mode, o->modes.n, &p->segments));
  if (ms_yaml_is_mapping(o->levels)) MS_TRY(check_level_keys(s, o));
  for (ptrdiff_t a = 0; a < o->at.n; a++) MS_TRY(request_runs(s, task, &o->at.dof[a]));
  return ms_curves_check_steps(s, ms_yaml_get(task->node, "time"), &p->curves);
}

/* ---- the runs ---- */

/* Relative differences of damping, of points that are valid. */
typedef struct differences {
  double *off;
  ptrdiff_t n;
} differences;

/* Damping over that of the modal model at the same amplitude, where the model has been there. */
static ms_status compare_mode(ms_study *s, const ms_curves *curves, int mode,
                              const ms_points *model, ms_result_table *ratios, differences *valid) {
  for (ptrdiff_t i = 0; i < curves->n_curve; i++) {
    const ms_curve *c = &curves->curve[i];
    if (c->mode != mode) continue;
    for (ptrdiff_t k = 0; k < c->decay->n; k++) {
      const ms_decay_point *d = &c->decay->point[k];
      double zeta = ms_points_zeta(model, d->q);
      if (!(zeta > 0.0)) continue;
      ms_result_put_row(ratios, c->mode + 1.0, c->source, d->time, d->q, d->zeta, zeta,
                        d->zeta / zeta);
      if (!ms_result_is_valid_point(d->quality, d->zeta)) continue;
      MS_TRY(ms_resize(s->ctx, valid->n + 1, sizeof *valid->off, &valid->off));
      valid->off[valid->n++] = fabs(d->zeta / zeta - 1.0);
    }
  }
  return MS_SUCCESS;
}

static ms_status compare(ms_study *s, ms_task *task, ms_result_table *ratios, differences *valid) {
  const options *o = task->options;
  for (int m = 0; m < o->modes.n; m++) {
    ms_points model;
    MS_TRY(ms_curves_gather(s->ctx, o->compare->product, o->modes.mode[m], &model));
    ms_status status = compare_mode(s, task->product, o->modes.mode[m], &model, ratios, valid);
    ms_free(s->ctx, &model.q);
    if (status != MS_SUCCESS) return status;
  }
  return MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  const options *o = task->options;
  MS_TRY(ms_curves_result(s, task, o->modes.mode, o->modes.n, NULL, o->compare,
                          o->compare ? "Points off the modal-model curve show that other modes "
                                       "also load the joint."
                                     : NULL));
  if (!o->compare) return MS_SUCCESS;
  ms_result_table *ratios = ms_result_new_table(
      task->result, "_compare", "mode,source:word,time [s],q [m sqrt(kg)],zeta,zeta_model,ratio");
  differences valid = { 0 };
  ms_status status = compare(s, task, ratios, &valid);
  ms_result_set_integer(task->result, "compared", ms_result_table_rows(ratios));
  if (status == MS_SUCCESS && valid.n > 0) {
    /* The median: where there is hardly any damping a single ratio is one of errors. */
    ms_answer_percent(task->result, ms_median(valid.n, valid.off), MS_HEAD_DECAY,
                      "Difference of damping from %s at the same amplitude (median of the valid "
                      "points)",
                      o->compare->name);
  }
  ms_free(s->ctx, &valid.off);
  return status;
}

const ms_analysis ms_analysis_impact_test = {
  .name = "impact_test",
  .title = "Simulated impact test",
  .meaning =
      "A half-sine pulse on one degree of freedom excites every mode at once. Each mode is "
      "filtered from the response and read as in the ring-downs; where the other modes move the "
      "joints too, it differs from the modal model.",
  MS_KEYS(keys, options, product),
  .knows_contact = 1,
  .check = check,
  .run = ms_curves_run_all,
  .judge = ms_curves_judge,
  .help = ms_curves_share,
  .result = result,
  .close = close_product,
};
