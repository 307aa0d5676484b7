#include "study/analyses/shared/harmonic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ms_harmonic_free_options(ms_context *ctx, ms_harmonic_options *o) {
  ms_load_free(ctx, &o->load);
  ms_free(ctx, &o->preload);
  ms_free(ctx, &o->level);
  ms_free(ctx, &o->sensor);
}

/* ---- options ---- */

static ms_status read_preload(const ms_study *s, struct fy_node *node, ms_harmonic_options *o) {
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "preload must be {degree of freedom: force}");
  }
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *o->preload, &o->preload));
  return ms_read_forces(s, node, o->preload);
}

static ms_status read_sensor(const ms_study *s, struct fy_node *node, ptrdiff_t *out) {
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, node, "a sensor", &name));
  ms_status status = ms_structure_find(s->structure, name, out);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, node, status);
  if (*out != MS_GROUND) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "the ground does not move");
}

/* Absent: the coordinate that the load pushes most, the first of them where several are equal. */
static ms_status read_sensors(const ms_study *s, struct fy_node *node, ms_harmonic_options *o) {
  void *at = NULL;
  o->n_sensor = node ? ms_yaml_count(node) : 1;
  if (o->n_sensor == 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "sensors must name at least one");
  }
  MS_TRY(ms_allocate(s->ctx, o->n_sensor, sizeof *o->sensor, &o->sensor));
  for (ptrdiff_t i = 0; node && i < o->n_sensor; i++) {
    struct fy_node *item = ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, &at) : node;
    MS_TRY(read_sensor(s, item, &o->sensor[i]));
  }
  for (ptrdiff_t i = 1; !node && i < ms_structure_get_size(s->structure); i++) {
    if (fabs(o->load.shape[i]) > fabs(o->load.shape[o->sensor[0]])) o->sensor[0] = i;
  }
  return MS_SUCCESS;
}

static ms_status read_setting(const ms_study *s, struct fy_node *times, const ms_harmonic_given *o,
                              ms_harmonic_setting *out) {
  const ptrdiff_t least = 4 * o->harmonics + 4;
  out->harmonics = (int)o->harmonics;
  out->own_phase = o->times_from == 0;
  out->tolerance = o->tolerance;
  out->step_max = o->step;
  out->step = fmin(out->step, out->step_max);
  if (!o->stability) out->stability_modes = 0;
  if (!times) {
    while (out->times < 16 * o->harmonics) out->times *= 2;
    return MS_SUCCESS;
  }
  out->times = o->times;
  if (out->times >= least) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, times, MS_ERR_BOUNDS,
                      "times must be a whole number >= %td for %td harmonics, not %td", least,
                      o->harmonics, o->times);
}

/* What the structure's joints do not allow is said before anything runs. */
static ms_status try_out(const ms_study *s, const ms_task *task, const ms_harmonic_options *o) {
  ms_harmonic *h = NULL;
  ms_status status = ms_harmonic_open(s->structure, o, &h);
  ms_harmonic_destroy(&h);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, task->node, status);
}

ms_status ms_harmonic_make_options(const ms_study *s, const ms_task *task,
                                   const ms_harmonic_given *given, ms_harmonic_options *out) {
  double factor;
  *out = (ms_harmonic_options) { .setting = MS_HARMONIC_DEFAULT };
  MS_TRY(ms_read_place(s, given->load, task->name, &out->load, &factor));
  MS_TRY(ms_read_amplitudes(s, given->levels, factor, &out->level, &out->n_level));
  MS_TRY(read_preload(s, given->preload, out));
  MS_TRY(read_sensors(s, given->sensors, out));
  MS_TRY(read_setting(s, ms_yaml_get(task->node, "times"), given, &out->setting));
  return try_out(s, task, out);
}

const char *ms_harmonic_level_unit(const ms_harmonic_options *o) {
  return ms_load_unit(&o->load);
}

/* ---- a balance ---- */

ms_status ms_harmonic_open(ms_structure *structure, const ms_harmonic_options *o,
                           ms_harmonic **out) {
  MS_TRY(ms_harmonic_create(structure, &o->setting, out));
  MS_TRY(ms_harmonic_add_load(*out, o->load.shape, 1, 1.0, 0.0));
  if (!o->preload) return MS_SUCCESS;
  return ms_harmonic_add_load(*out, o->preload, 0, 1.0, 0.0);
}

double ms_harmonic_amplitude(const double *x) {
  return hypot(x[1], x[2]);
}

double ms_harmonic_phase(const double *x) {
  return atan2(-x[2], x[1]);
}

const char *ms_harmonic_stability_word(ms_stability stability) {
  return stability == MS_STABLE ? "stable" : stability == MS_UNSTABLE ? "unstable" : "unknown";
}

/* ---- joints ---- */

int ms_harmonic_count_axes(const ms_structure *s) {
  int n = 0;
  for (int j = 0; j < ms_structure_count_joints(s); j++) {
    n += ms_joint_info(ms_structure_get_joint(s, j))->n_axis;
  }
  return n;
}

void ms_harmonic_read_joints(const ms_structure *s, const ms_harmonic_curve *curve, ptrdiff_t i,
                             double *row) {
  const int n_axis = ms_harmonic_count_axes(s);
  for (int a = 0; a < n_axis; a++, row += MS_HARMONIC_AXIS) {
    const ms_harmonic_axis_motion z = ms_harmonic_curve_get_axis(curve, i, a);
    const double values[MS_HARMONIC_AXIS] = { z.displacement, z.peak, z.half_range, z.force };
    memcpy(row, values, sizeof values);
  }
  for (int j = 0; j < ms_structure_count_joints(s); j++) {
    row[j] = ms_harmonic_curve_get_loss(curve, i, j);
  }
}
