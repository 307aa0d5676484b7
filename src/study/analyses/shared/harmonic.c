#include "study/analyses/shared/harmonic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/periodic.h"

void ms_harmonic_free_options(ms_context *ctx, ms_harmonic_options *o) {
  ms_load_free(ctx, &o->load);
  ms_free(ctx, &o->preload);
  ms_free(ctx, &o->level);
  ms_free(ctx, &o->sensor);
}

/* ---- options ---- */

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
    MS_TRY(ms_read_dof(s, item, "a sensor", &o->sensor[i]));
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
  ms_status status = ms_periodic_open(s->structure, &o->setting, o->load.shape, o->preload, &h);
  ms_harmonic_destroy(&h);
  return ms_yaml_fail_here(&s->yaml, task->node, status);
}

ms_status ms_harmonic_make_options(const ms_study *s, const ms_task *task,
                                   const ms_harmonic_given *given, ms_harmonic_options *out) {
  double factor;
  *out = (ms_harmonic_options) { .setting = MS_HARMONIC_DEFAULT };
  MS_TRY(ms_read_place(s, given->load, task->name, &out->load, &factor));
  MS_TRY(ms_read_amplitudes(s, given->levels, factor, &out->level, &out->n_level));
  MS_TRY(ms_read_preload(s, given->preload, &out->preload));
  MS_TRY(read_sensors(s, given->sensors, out));
  MS_TRY(read_setting(s, ms_yaml_get(task->node, "times"), given, &out->setting));
  return try_out(s, task, out);
}

const char *ms_harmonic_level_unit(const ms_harmonic_options *o) {
  return ms_load_unit(&o->load);
}

const char *ms_harmonic_stability_word(ms_stability stability) {
  return stability == MS_STABLE ? "stable" : stability == MS_UNSTABLE ? "unstable" : "unknown";
}

/* The loss is the whole joint's: it stands with the first axis. */
ms_status ms_harmonic_add_joints(ms_study *s, ms_result_table *table, int n_head,
                                 const double *head, const ms_periodic *c, ptrdiff_t i) {
  const ms_harmonic_axis_motion *z = c->axis + c->n_axis * i;
  double row[MS_HARMONIC_HEAD + 7];
  double *at = row + n_head;
  memcpy(row, head, (size_t)n_head * sizeof *head);
  at[0] = c->point[i].omega;
  for (int j = 0; j < c->n_joint; j++) {
    const char *name = ms_structure_get_joint_name(s->structure, j);
    const int n = ms_joint_info(ms_structure_get_joint(s->structure, j))->n_axis;
    for (int a = 0; a < n; a++, z++) {
      const double values[] = { a + 1.0,
                                z->displacement,
                                z->peak,
                                z->force,
                                a == 0 ? c->loss[j + c->n_joint * i] : 0.0,
                                z->half_range };
      memcpy(at + 1, values, sizeof values);
      MS_TRY(ms_result_table_add_cells(s->ctx, table, row, &name));
    }
  }
  return MS_SUCCESS;
}
