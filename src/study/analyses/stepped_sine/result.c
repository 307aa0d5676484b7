/* What stepped_sine ends in. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/stepped_sine/stepped_sine.h"

static ms_status create(ms_study *s, const ms_task *task, const char *ending, const char *columns,
                        ms_result_table **out) {
  const ms_stepped *p = task->product;
  char text[512];
  snprintf(text, sizeof text, "mode,level [%s],omega [rad/s],%s",
           ms_harmonic_level_unit(&p->options), columns);
  return ms_task_add_table(s, task, ending, text, out);
}

static ms_status create_all(ms_study *s, const ms_task *task, ms_stepped *p) {
  char columns[256];
  snprintf(columns, sizeof columns,
           "q [m sqrt(kg)],tracked [%s],zeta,zeta_joint,zeta_viscous,loss [J],higher,residual,"
           "repeat,iterations,phase [rad],multiplier,stability:word",
           !p->weights ? "m sqrt(kg)"
           : p->turns  ? "rad"
                       : "m");
  MS_TRY(create(s, task, "", columns, &p->table));
  MS_TRY(create(s, task, "_sensors",
                "sensor:word,displacement [m],velocity [m/s],acceleration [m/s^2]", &p->sensors));
  if (ms_structure_count_joints(s->structure) == 0) return MS_SUCCESS;
  return create(s, task, "_joints", MS_HARMONIC_JOINT_COLUMNS, &p->joints);
}

static ms_status add_point(ms_study *s, const ms_stepped *p, const ms_stepped_run *r, ptrdiff_t i) {
  const ms_harmonic_point *c = &r->curve.point[i];
  const ms_periodic_motion *x = r->curve.sensor + p->plan.n_sensor * i;
  const double head[] = { r->mode + 1.0, c->level };
  MS_TRY(ms_result_table_add_row(s->ctx, p->table, r->mode + 1.0, c->level, c->omega, c->q,
                                 c->response, c->zeta, c->zeta_joint, c->zeta_viscous, c->D,
                                 c->higher, c->residual, c->repeat, (double)c->iterations, c->phase,
                                 c->multiplier, ms_harmonic_stability_word(c->stability)));
  for (ptrdiff_t k = 0; k < p->plan.n_sensor; k++) {
    MS_TRY(ms_result_table_add_row(s->ctx, p->sensors, r->mode + 1.0, c->level, c->omega,
                                   ms_structure_get_name(s->structure, p->plan.sensor[k]),
                                   x[k].amplitude, c->omega * x[k].amplitude,
                                   c->omega * c->omega * x[k].amplitude));
  }
  if (!p->joints) return MS_SUCCESS;
  return ms_harmonic_add_joints(s, p->joints, 2, head, &r->curve, i);
}

static void set_mode(ms_result *result, const ms_stepped_run *r) {
  ms_result_begin(result, NULL);
  ms_result_set_integer(result, "mode", r->mode + 1);
  ms_result_set_integer(result, "points", r->curve.n);
  ms_result_set_flag(result, "complete", r->curve.complete);
  ms_result_set_text(result, "reason", r->curve.remark);
  ms_result_begin_list(result, "missing");
  for (ptrdiff_t i = 0; i < r->plan->n_level; i++) {
    if (!ms_stepped_has_level(r, i)) ms_result_set_number(result, NULL, NULL, r->plan->level[i]);
  }
  ms_result_end(result);
  ms_result_set_number(result, "residual", NULL, r->curve.worst);
  ms_result_end(result);
}

ms_status ms_stepped_result(ms_study *s, ms_task *task) {
  static const ms_plot panel[] = {
    { .title = "Frequency",
      .x = "q",
      .y = "omega",
      .x_label = "|q|",
      .x_log = 1,
      .by = "mode",
      .label = "mode %s",
      .style = MS_SERIES_LINE_POINTS },
    { .title = "Damping",
      .x = "q",
      .y = "zeta",
      .x_label = "|q|",
      .x_log = 1,
      .y_log = 1,
      .by = "mode",
      .label = "mode %s",
      .style = MS_SERIES_LINE_POINTS },
  };
  ms_stepped *p = task->product;
  ms_result *result = task->result;
  int partial = 0;
  double worst = 0.0;
  MS_TRY(create_all(s, task, p));
  for (int m = 0; m < p->n_mode; m++) {
    const ms_stepped_run *r = &p->run[m];
    for (ptrdiff_t i = 0; i < r->curve.n; i++) MS_TRY(add_point(s, p, r, i));
    partial += !r->curve.complete;
    worst = fmax(worst, r->curve.worst);
  }
  ms_result_set_integer(result, "harmonics", p->options.setting.harmonics);
  ms_result_set_integer(result, "times", p->options.setting.times);
  ms_result_set_number(result, "tolerance", NULL, p->options.setting.tolerance);
  ms_result_set_number(result, "residual", NULL, worst);
  ms_result_set_integer(result, "levels", p->options.n_level);
  ms_result_set_integer(result, "partial", partial);
  ms_result_begin_list(result, "modes");
  for (int m = 0; m < p->n_mode; m++) set_mode(result, &p->run[m]);
  ms_result_end(result);
  ms_result_plot(result, "Tracked resonance", "A point for each level, at phase resonance.",
                 p->table, 2, panel);
  ms_result_show_table(result, p->table, "Levels");
  return MS_SUCCESS;
}
