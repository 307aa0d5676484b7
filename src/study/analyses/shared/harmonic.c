#include "study/analyses/shared/harmonic.h"

#include <cblas.h>
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
  const ms_key_source from = ms_options_source(s);
  ms_harmonic *h = NULL;
  for (ptrdiff_t i = 0; i < o->levels.n; i++) o->levels.value[i] *= factor;
  if (o->sensors.n == 0) { /* where the load pushes most, the first of them */
    MS_TRY(ms_allocate(s->ctx, 1, sizeof *o->sensors.dof, &o->sensors.dof));
    o->sensors.n = 1;
    o->sensors.dof[0] =
        (ptrdiff_t)cblas_idamax((int)ms_structure_get_size(s->structure), o->load.shape, 1);
  }
  MS_TRY(make_setting(s, ms_yaml_get(task->node, "times"), o, setting));
  if (o->measured && (strcmp(o->load.place, "at") != 0 || o->load.moment)) {
    return ms_yaml_fail(&s->yaml, o->measured, MS_ERR_ARGUMENT,
                        "what was measured is the response to a force: the load needs at");
  }
  if (o->measured) MS_TRY(ms_sine_read(&from, o->measured, "file", 1, &o->sine));
  ms_status status = ms_periodic_open(s->structure, setting, o->load.shape, o->preload, &h);
  ms_harmonic_destroy(&h);
  return ms_yaml_fail_here(&s->yaml, task->node, status);
}

ms_measured_sine ms_harmonic_get_measured(const ms_harmonic_options *o) {
  const double *x = o->sine.column;
  const ptrdiff_t n = o->sine.capacity;
  return (ms_measured_sine) { o->sine.n, x, x + 3 * n, x + n, x + 2 * n };
}

#define COMMON \
  "level [N],points,omega [rad/s],displacement [m],omega_difference,displacement_difference"

ms_result_table *ms_harmonic_set_measured(ms_task *task, const ms_harmonic_options *o, ptrdiff_t n,
                                          const ms_sine_match *match) {
  const ms_measured_sine all = ms_harmonic_get_measured(o);
  ms_result *r = task->result;
  double omega = 0.0, amplitude = 0.0;
  if (!o->measured) return NULL;
  ms_result_table *t = ms_result_new_table(
      r, "_measured", match->mode == 0 ? COMMON : COMMON ",mode,q [m sqrt(kg)],zeta,purity");
  for (const ms_sine_match *m = match; m < match + n; m++) {
    if (m->rows == 0 || isnan(m->omega_error)) continue;
    ms_result_put_row(t, m->level, (double)m->rows, m->omega, m->amplitude, m->omega_error,
                      m->amplitude_error, (double)m->mode, m->q, m->zeta, m->purity);
    omega = fmax(omega, fabs(m->omega_error));
    amplitude = fmax(amplitude, fabs(m->amplitude_error));
  }
  ms_result_begin(r, "measured");
  ms_result_set_values(r,
                       "resonances:count,other_levels:count,largest_omega_difference,"
                       "largest_displacement_difference",
                       (double)ms_result_table_rows(t),
                       (double)(ms_measured_count_other(&all, o->levels.n, o->levels.value)), omega,
                       amplitude);
  ms_result_end(r);
  return t;
}

/* ---- tables ---- */

const char *ms_harmonic_stability_word(ms_stability stability) {
  return stability == MS_STABLE ? "stable" : stability == MS_UNSTABLE ? "unstable" : "unknown";
}

/* The loss is the whole joint's: it stands with the first axis. */
void ms_harmonic_add_joints(const ms_study *s, ms_result_table *table, int n_head,
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
      ms_result_put_cells(table, row, &name);
    }
  }
}
