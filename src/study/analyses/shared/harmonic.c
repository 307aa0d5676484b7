#include "study/analyses/shared/harmonic.h"

#include <math.h>
#include <string.h>

#include "experiment/periodic.h"

/* ---- options ---- */

static ms_status make_setting(const ms_study *s, struct fy_node *times,
                              const ms_harmonic_options *o, ms_harmonic_setting *out) {
  const ptrdiff_t least = 4 * o->harmonics + 4;
  ms_harmonic_default(out, sizeof *out);
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

ms_status ms_harmonic_use_options(const ms_study *s, const ms_task *task, ms_harmonic_options *o,
                                  ms_harmonic_setting *setting) {
  const double factor = ms_load_factor(&s->units, &o->load);
  ms_harmonic *h = NULL;
  for (ptrdiff_t i = 0; i < o->levels.n; i++) o->levels.value[i] *= factor;
  if (o->sensors.n == 0) { /* where the load pushes most, the first of them */
    MS_TRY(ms_allocate(s->ctx, 1, sizeof *o->sensors.dof, &o->sensors.dof));
    o->sensors.n = 1;
    for (ptrdiff_t i = 1; i < ms_structure_get_size(s->structure); i++) {
      if (fabs(o->load.shape[i]) > fabs(o->load.shape[o->sensors.dof[0]])) o->sensors.dof[0] = i;
    }
  }
  MS_TRY(make_setting(s, ms_yaml_get(task->node, "times"), o, setting));
  ms_status status = ms_periodic_open(s->structure, setting, o->load.shape, o->preload, &h);
  ms_harmonic_destroy(&h);
  return ms_yaml_fail_here(&s->yaml, task->node, status);
}

/* ---- tables ---- */

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
