/* Targets of `calibrate` that are curves of frequency and damping against amplitude: tables, or
   what earlier analyses leave. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "study/analyses/backbone/backbone.h"
#include "study/analyses/calibrate/calibrate.h"

typedef struct options {
  ms_numbers weight;
  const char *from, *curve;
  struct fy_node *columns, *units;
  ptrdiff_t sensor;
  int mode, damping; /* damping 1: joint */
  double window[2];
} options;

static const ms_param curve_keys[] = {
  MS_MODE(options, mode, MS_REQUIRED, "which mode of the structure as the study has it"),
  MS_WORD(options, from, MS_REQUIRED,
          "an earlier `backbone`, `modal_ringdown`, `ringdown` or `hammer_test`, or a table; of a "
          "table with a column `mode` the rows of that mode"),
  MS_WORD(options, curve, MS_ELSE("of a backbone its reference"),
          "method of a backbone, or of a table with a column `method` of words"),
  MS_MAPPING(options, columns, ms_curve_columns, MS_OPTIONAL, "names of a table's columns"),
  MS_MAPPING(options, units, ms_curve_units, MS_ELSE("their headings"),
             "units of a table's columns whose headings say none"),
  MS_DOF(options, sensor, MS_ELSE("they are modal"),
         "degree of freedom at which a table's amplitudes were measured: a displacement, velocity "
         "or acceleration, as its unit says"),
  MS_CHOICE(options, damping, "total|joint", MS_OPTIONAL,
            "damping of the curve; joint: without the viscous part"),
  MS_PAIR(options, window, "m sqrt(kg)", MS_POSITIVE, MS_ELSE("all"),
          "modal amplitudes that count; with `sensor` in the unit of the table's column"),
  MS_ROW_WEIGHTS(options, "[of frequency, of damping]"),
};
const ms_param_list ms_target_curves_keys = MS_LIST_OF(curve_keys);

/* ---- earlier analyses ---- */

static int is_kind(const ms_task *t, const char *kind) {
  return strcmp(t->kind->name, kind) == 0;
}

/* The method whose curve is meant. */
static const char *method_of(const ms_calibrate_target *t) {
  const options *o = t->options;
  return o->curve ? o->curve : ((const ms_backbone *)t->from->product)->reference->name;
}

/* Of methods that go by amplitudes that are given, how many of them the window holds is known. */
static ms_status check_backbone(const ms_study *s, const ms_calibrate_target *t) {
  const ms_backbone *b = t->from->product;
  const options *o = t->options;
  const char *method = method_of(t);
  struct fy_node *window = ms_yaml_get(t->node, "window");
  ptrdiff_t inside = 0;
  if (!ms_backbone_find(b->n_curve, b->curve, o->mode, NULL)) {
    return ms_yaml_fail(&s->yaml, t->node, MS_ERR_BOUNDS, "%s has no curve of mode %d",
                        t->from->name, o->mode + 1);
  }
  const ms_backbone_curve *c = ms_backbone_find(b->n_curve, b->curve, o->mode, method);
  if (!c) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(t->node, "curve"), MS_ERR_NAME,
                        "%s has no method '%.40s'", t->from->name, method);
  }
  if (strcmp(method, "qsma") != 0 && strcmp(method, "rqnm") != 0 && strcmp(method, "epmc") != 0) {
    return MS_SUCCESS;
  }
  for (ptrdiff_t k = 0; k < c->n_level; k++) {
    inside += isnan(o->window[0]) || (c->level[k] >= o->window[0] && c->level[k] <= o->window[1]);
  }
  if (inside >= MS_TARGET_LEAST) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, window ? window : t->node, MS_ERR_BOUNDS,
                      "%td of the %td amplitudes of %s are in the window; it takes %d", inside,
                      c->n_level, t->from->name, MS_TARGET_LEAST);
}

static ms_status check_source(const ms_study *s, const ms_calibrate_target *t) {
  const ms_task *from = t->from;
  struct fy_node *node = ms_yaml_get(t->node, "from");
  if (is_kind(from, "backbone")) return check_backbone(s, t);
  if (!is_kind(from, "modal_ringdown") && !is_kind(from, "ringdown") &&
      !is_kind(from, "hammer_test")) {
    return ms_yaml_fail(
        &s->yaml, node, MS_ERR_NAME,
        "%s has no curves: from is a backbone, modal_ringdown, ringdown, hammer_test or a "
        "table",
        from->name);
  }
  if (((const ms_curves *)from->product)->channel) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                        "%s does not say where its record was measured, and its amplitude is not "
                        "that of a mode; give it at",
                        from->name);
  }
  if (!t->is->is.curve.joint_part) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(t->node, "damping"), MS_ERR_NAME,
                      "a ring-down sees the total damping");
}

static ms_status gather_backbone(const ms_study *s, ms_calibrate_target *t) {
  const ms_backbone *b = t->from->product;
  const ms_curve_option *o = &t->is->is.curve;
  const ms_backbone_curve *c = ms_backbone_find(b->n_curve, b->curve, o->mode, method_of(t));
  const ptrdiff_t n = c ? c->n : 0;
  MS_TRY(ms_point_table_reserve(s->ctx, n, &t->points));
  for (ptrdiff_t k = 0; k < n; k++) {
    const ms_backbone_point *p = &c->point[k];
    ms_point_table_add(&t->points, (int)k + 1, p->q, p->omega,
                       o->joint_part ? p->zeta_joint : p->zeta);
  }
  return MS_SUCCESS;
}

/* Noise makes some points of a decay grow: they are left out, and counted. */
static ms_status gather(ms_study *s, ms_calibrate_target *t) {
  ms_points all;
  if (is_kind(t->from, "backbone")) return gather_backbone(s, t);
  MS_TRY(ms_curves_gather(s->ctx, t->from->product, (int)t->is->is.curve.mode, &all));
  ms_status status = ms_point_table_reserve(s->ctx, all.n, &t->points);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < all.n; i++) {
    if (all.zeta[i] > 0.0) {
      ms_point_table_add(&t->points, (int)i + 1, all.q[i], all.omega[i], all.zeta[i]);
    } else {
      t->points.left_out++;
    }
  }
  ms_free(s->ctx, &all.q);
  return status;
}

/* ---- options ---- */

/* Amplitudes at a sensor become modal ones. */
static ms_status use_sensor(const ms_study *s, ms_calibrate_target *t) {
  const options *o = t->options;
  ms_point_table *p = &t->points;
  struct fy_node *sensor = ms_yaml_get(t->node, "sensor");
  if (p->motion != (sensor != NULL)) {
    return ms_yaml_fail(&s->yaml, sensor ? sensor : t->node, MS_ERR_ARGUMENT,
                        p->motion ? "amplitudes are those of a displacement, velocity or "
                                    "acceleration: say with sensor: where they were measured"
                                  : "the amplitudes at a sensor need a unit, in the heading of "
                                    "their column, as in a [g], or by units: {q: g}");
  }
  if (!sensor) return MS_SUCCESS;
  t->is->low = t->is->high = 0.0; /* the window is over them */
  return ms_yaml_fail_here(
      &s->yaml, sensor,
      ms_sensor_use_amplitudes(s->ctx, s->structure, o->sensor, o->mode, (ms_signal_kind)p->kind,
                               p->n, p->column + p->capacity, p->column));
}

static ms_status read_table(const ms_study *s, ms_calibrate_target *t) {
  const ms_units *u = &s->units;
  const options *o = t->options;
  const double modal = u->length * sqrt(u->mass);
  const double window[2] = { o->window[0] / modal, o->window[1] / modal };
  const ms_point_choice choice = {
    .column = { { "q", "q", "m sqrt(kg)", .factor = modal, .measures = MS_MEASURES_MOTION },
                { "omega", "omega", "rad/s", .factor = 1.0 / u->time, .instead = "frequency",
                  .instead_unit = "Hz", .instead_factor = 1.0 / u->time, .scale = 2.0 * MS_PI,
                  .measures = MS_MEASURES_FREQUENCY },
                { "zeta", t->is->is.curve.joint_part ? "zeta_joint" : "zeta", "-", .factor = 1.0,
                  .measures = MS_MEASURES_RATIO } },
    .key = "curve",
    .words = "method",
    .mode = (double)t->is->is.curve.mode + 1.0,
    .window = isnan(window[0]) ? NULL : window,
    .units = u
  };
  MS_TRY(ms_point_table_read(&s->yaml, &s->units, t->node, ms_yaml_get(t->node, "from"), &choice,
                             &t->points));
  return use_sensor(s, t);
}

/* An analysis of that name, or else a table. Two windows of one curve are two targets. */
static ms_status read_target(ms_study *s, const ms_task *task, ms_calibrate_target *t) {
  const options *o = t->options;
  MS_TRY(ms_study_refuse_curved(s, t->node, MS_QUASISTATIC_MODE));
  if (!(ms_structure_get_stuck(s->structure).omega[o->mode] > 0.0)) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(t->node, "mode"), MS_ERR_BOUNDS,
                        "mode %d is a rigid-body mode: it has no frequency", o->mode + 1);
  }
  t->is->is.curve = (ms_curve_option) { o->mode, o->damping };
  const int n = snprintf(t->name, sizeof t->name, "mode %d of %.200s", o->mode + 1, o->from);
  if (!isnan(o->window[0])) {
    t->is->low = o->window[0], t->is->high = o->window[1];
    snprintf(t->name + n, sizeof t->name - (size_t)n, " %.3g-%.3g", t->is->low, t->is->high);
  }
  t->from = ms_find_earlier(s, task, o->from);
  if (t->from && (o->units || ms_yaml_get(t->node, "sensor"))) {
    return ms_yaml_fail(&s->yaml, t->node, MS_ERR_ARGUMENT,
                        "sensor and units are those of tables; %s has modal amplitudes in SI",
                        t->from->name);
  }
  if (t->from) return check_source(s, t);
  if (strchr(o->from, '.')) return read_table(s, t);
  return ms_yaml_fail(&s->yaml, ms_yaml_get(t->node, "from"), MS_ERR_NAME,
                      "there is no analysis '%.60s' before this one, and it is no file", o->from);
}

const ms_target_source ms_target_curves = {
  .name = "curves",
  .is = MS_TARGET_CURVE,
  .mark = "from",
  .keys = &ms_target_curves_keys,
  .size = sizeof(options),
  .table = "curves",
  .x = "q [m sqrt(kg)]",
  .y = { "omega [rad/s]", "zeta" },
  .x_log = 1,
  .y_log = { 0, 1 },
  .read = read_target,
  .gather = gather,
};
