/* The run of `force_state`: every record mapped, its loop beside the joint's own where that was
   recorded. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/force_state/force_state.h"
#include "study/analyses/transient/transient.h"

enum { POINTS = 256 }; /* of a loop */

/* ---- one record ---- */

/* Into *found, or with found NULL only as far as it can be told before there are samples. */
static ms_status map(ms_study *s, const ms_force_state_product *p, const ms_force_state_run *r,
                     ms_force_state *found) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  ms_force_state_sensor sensor[MS_FORCE_STATE_SENSORS];
  ms_force_state_setting setting = p->setting;
  for (int i = 0; i < p->n_sensor; i++) {
    sensor[i] = (ms_force_state_sensor) { p->weights + n * i, r->kind[i], 0.0 };
  }
  const ms_force_state_request request = { p->joint_index, r->place, p->n_sensor, sensor };
  const ms_force_state_record record = { r->n, r->dt, r->time, r->channel[0], r->channel + 1 };
  setting.omega = r->omega;
  ms_status status = found ? ms_force_state_map(s->structure, &request, &record, &setting, found)
                           : ms_force_state_check(s->structure, &request, r->n, r->dt, &setting);
  if (status == MS_SUCCESS) return status;
  status = ms_fail_at(s->ctx, status, "%s", r->name);
  return ms_yaml_fail_here(&s->yaml, r->node, status);
}

ms_status ms_force_state_check_run(ms_study *s, const ms_force_state_product *p,
                                   const ms_force_state_run *r) {
  return map(s, p, r, NULL);
}

/* ---- the joint's own loop ---- */

static ms_signal own_signal(const ms_force_state_product *p, const ms_force_state_run *r,
                            char which) {
  const ms_transient_product *t = r->from->product;
  char name[80];
  const double *x = NULL;
  snprintf(name, sizeof name, "%.64s.%c", p->joint, which);
  for (int c = 0; c < t->channels.n; c++) {
    if (strcmp(t->channels.channel[c].name, name) == 0) x = ms_result_table_column(t->table, c + 1);
  }
  return (ms_signal) { x, r->n, r->dt, r->time, MS_SIGNAL_DISPLACEMENT };
}

/* Difference of coefficients over their own. */
static double find_error(int n, const double *found, const double *own) {
  double error = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) {
    error += (found[i] - own[i]) * (found[i] - own[i]);
    size += own[i] * own[i];
  }
  return size > 0.0 ? sqrt(error / size) : 0.0;
}

/* Amplitude and secant stiffness of the own loop as those of the mapped one. */
static void measure_own(ms_force_state_run *r) {
  double low = HUGE_VAL, high = -HUGE_VAL, f_low = 0.0, f_high = 0.0;
  for (int i = 0; i < 16 * POINTS; i++) {
    double z, f;
    ms_hysteresis_eval(&r->own, 6.28318530717958647693 * i / (16 * POINTS) / r->own.omega, &z, &f);
    if (z < low) low = z, f_low = f;
    if (z > high) high = z, f_high = f;
  }
  r->own_amplitude = 0.5 * (high - low);
  r->own_stiffness = high > low ? (f_high - f_low) / (high - low) : 0.0;
}

static ms_status compare(ms_study *s, const ms_force_state_product *p, ms_force_state_run *r) {
  const ms_force_state *found = &r->found;
  const ms_hysteresis_setting setting = { .omega = found->omega,
                                          .periods = p->setting.periods,
                                          .harmonics = found->harmonics };
  const ms_signal z = own_signal(p, r, 'z'), f = own_signal(p, r, 'f');
  MS_TRY(ms_signal_loop(s->ctx, &z, &f, &setting, &r->own));
  r->z_error = find_error(2 * found->harmonics, found->z, r->own.z);
  r->f_error = find_error(2 * found->harmonics, found->f, r->own.f);
  measure_own(r);
  return MS_SUCCESS;
}

/* ---- tables ---- */

static ms_status create_tables(ms_study *s, const ms_task *task, ms_force_state_product *p) {
  char columns[640], name[96];
  snprintf(columns, sizeof columns,
           "source:word,frequency [Hz],force [N],amplitude [m],amplitude_deviation [m],loss [J],"
           "loss_deviation [J],stiffness [N/m],stiffness_deviation [N/m],K_T [N/m],"
           "force_deviation [N],residual,mismatch,misfit,condition,harmonics,axes,stored [J],"
           "stored_deviation [J],stiffened [N/m],drift%s%s",
           p->has_normal ? ",N_min [N],N_max [N],N_deviation [N]" : "",
           p->has_own ? ",own_amplitude [m],own_loss [J],own_stiffness [N/m],"
                        "displacement_error,force_error"
                      : "");
  MS_TRY(ms_result_table_create(s, task->name, columns, &p->table));
  snprintf(name, sizeof name, "%.80s_loops", task->name);
  MS_TRY(ms_result_table_create(
      s, name,
      p->has_normal ? "source:word,time [s],displacement [m],force [N],normal_load [N]"
                    : "source:word,time [s],displacement [m],force [N]",
      &p->loops));
  if (!p->has_own) return MS_SUCCESS;
  snprintf(name, sizeof name, "%.80s_own_loops", task->name);
  return ms_result_table_create(s, name, "source:word,time [s],displacement [m],force [N]",
                                &p->own_loops);
}

/* What every table of this analysis has, then the columns that some have. */
static ms_status add_row(ms_study *s, const ms_force_state_product *p,
                         const ms_force_state_run *r) {
  const ms_force_state *m = &r->found;
  double more[8];
  int n = 0;
  if (p->has_normal) {
    more[n++] = m->N_min.value;
    more[n++] = m->N_max.value;
    more[n++] = m->N_max.deviation;
  }
  if (p->has_own) {
    more[n++] = r->own_amplitude;
    more[n++] = r->own.loss;
    more[n++] = r->own_stiffness;
    more[n++] = r->z_error;
    more[n++] = r->f_error;
  }
  while (n < 8) more[n++] = 0.0;
  return ms_result_table_add_row(
      s->ctx, p->table, r->name, m->omega / 6.28318530717958647693, m->force, m->amplitude.value,
      m->amplitude.deviation, m->loss.value, m->loss.deviation, m->stiffness.value,
      m->stiffness.deviation, m->K_T, m->f_deviation, m->residual, m->mismatch, m->misfit,
      m->condition[0], (double)m->n_used, (double)m->axes, m->stored.value, m->stored.deviation,
      m->stiffened.value, m->drift, more[0], more[1], more[2], more[3], more[4], more[5], more[6],
      more[7]);
}

/* One period of the loops, closed, from the first sample that was used on. */
static ms_status add_loops(ms_study *s, const ms_force_state_product *p, ms_force_state_run *r) {
  const ms_force_state *m = &r->found;
  ms_joint_contact contact = { .N_0 = 0.0 };
  if (p->has_normal) {
    (void)ms_joint_get_contact(ms_structure_get_joint(s->structure, p->joint_index), &contact);
  }
  r->first_row = ms_result_table_rows(p->loops);
  r->rows = POINTS + 1;
  for (int i = 0; i <= POINTS; i++) {
    const double t = m->start + 6.28318530717958647693 * i / (POINTS * m->omega);
    double z, f, N;
    ms_force_state_eval(m, m->n_axis - 1, t, &z, &N);
    ms_force_state_eval(m, 0, t, &z, &f);
    MS_TRY(ms_result_table_add_row(s->ctx, p->loops, r->name, t, z, f, contact.N_0 + N));
    if (!p->has_own) continue;
    ms_hysteresis_eval(&r->own, t, &z, &f);
    MS_TRY(ms_result_table_add_row(s->ctx, p->own_loops, r->name, t, z, f));
  }
  return MS_SUCCESS;
}

ms_status ms_force_state_analysis_run(ms_study *s, ms_task *task) {
  ms_force_state_product *p = task->product;
  MS_TRY(create_tables(s, task, p));
  for (ptrdiff_t i = 0; i < p->n; i++) {
    ms_force_state_run *r = &p->run[i];
    ms_force_state_gather(p, r);
    MS_TRY(map(s, p, r, &r->found));
    if (p->has_own) MS_TRY(compare(s, p, r));
    MS_TRY(add_row(s, p, r));
    MS_TRY(add_loops(s, p, r));
  }
  return MS_SUCCESS;
}
