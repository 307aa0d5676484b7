/* What backbone ends in. */
#include <math.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/shared/answers.h"
#include "study/model/fe/fe.h"

enum { DRAWN = 300, MOST_ROWS = 400 }; /* points of a curve in a figure, rows of a table there */

static const char *get_state(const ms_backbone_curve *c) {
  return c->partial ? "partial" : "complete";
}

/* ---- tables ---- */

typedef struct tables {
  ms_result_table *points, *curves, *differences, *derivatives; /* derivatives: NULL without */
} tables;

static ms_status add_curve(ms_study *s, const ms_backbone_setting *setting,
                           const ms_backbone_curve *c, const tables *t) {
  const char *sensor = ms_sensor_find(s->structure, setting->sensor, c->mode).name;
  const double H = c->method->harmonic ? setting->harmonic.harmonics : 0.0;
  const double N = c->method->harmonic ? (double)setting->harmonic.times : 0.0;
  double from = c->n > 0 ? c->point[0].q : 0.0, to = from;
  ptrdiff_t thin = -1;
  if (c->contact) MS_TRY(ms_backbone_find_thin(s->ctx, &s->solids->rest, c, &thin));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_backbone_point *p = &c->point[i];
    const ms_contact_cycle *k = c->contact ? &c->contact[i].cycle : NULL;
    const int doubted = k && (i <= thin || !k->steady || !k->balanced);
    ms_result_put_row(t->points, c->mode + 1.0, c->method->name, p->q, p->omega, p->zeta,
                      p->zeta_joint, p->zeta_viscous, sensor, p->sensor[0], p->sensor[1],
                      p->sensor[2], p->residual, p->quality, ms_backbone_loss_name(p->loss), H, N,
                      doubted ? "suspect" : get_state(c));
    from = fmin(from, p->q);
    to = fmax(to, p->q);
  }
  ms_result_put_row(t->curves, c->mode + 1.0, c->method->name, (double)c->n, get_state(c), H, N,
                    c->tolerance, c->worst, (double)c->evaluations, from, to, c->remark);
  for (ptrdiff_t i = 0; i < c->n_derivative; i++) {
    const ms_backbone_derivative *d = &c->derivative[i];
    ms_result_put_row(t->derivatives, c->mode + 1.0, c->point[d->point].q,
                      ms_structure_get_joint_name(s->structure, d->joint), d->member + 1.0, d->name,
                      d->value, d->unit, d->omega, d->zeta_joint, d->zeta,
                      !d->defined         ? "not defined"
                      : d->by_differences ? "differences"
                                          : "exact");
  }
  return MS_SUCCESS;
}

static void create_tables(const ms_task *task, int sensitivities, tables *t) {
  t->points =
      ms_result_new_table(task->result, "",
                          "mode,method:word,q [m sqrt(kg)],omega [rad/s],zeta,zeta_joint,"
                          "zeta_viscous,sensor:word,sensor_displacement [m],sensor_velocity [m/s],"
                          "sensor_acceleration [m/s^2],residual,quality,loss:word,harmonics,"
                          "time_points,status:word");
  t->curves =
      ms_result_new_table(task->result, "_curves",
                          "mode,method:word,points,status:word,harmonics,time_points,tolerance,"
                          "worst_residual,evaluations,q_from [m sqrt(kg)],q_to [m sqrt(kg)],"
                          "remark:word");
  if (sensitivities) {
    t->derivatives = ms_result_new_table(
        task->result, "_sensitivities",
        "mode,q [m sqrt(kg)],joint:word,member,parameter:word,value [unit],unit:word,"
        "omega [rad/s per unit],zeta_joint [1/unit],zeta [1/unit],how:word");
  }
  t->differences =
      ms_result_new_table(task->result, "_differences",
                          "mode,method:word,reference:word,omega_median,omega_max,zeta_median,"
                          "zeta_max,zeta_joint_median,zeta_joint_max,points,joint_points,"
                          "q_from [m sqrt(kg)],q_to [m sqrt(kg)],compares:word");
}

/* What is compared: the total, or the sum of joint part and viscous formula. */
static const char *describe(const ms_backbone_method *a, const ms_backbone_method *reference) {
  static const char *const text[2][2] = { { "sum with sum", "sum with total" },
                                          { "total with sum", "total with total" } };
  return text[a->total][reference->total];
}

/* Each method of a mode against the reference. */
static ms_status add_differences(ms_study *s, const ms_backbone *b, ms_result_table *table) {
  for (const ms_backbone_curve *c = b->curve; c < b->curve + b->n_curve; c++) {
    const ms_backbone_curve *reference =
        ms_backbone_find(b->n_curve, b->curve, c->mode, b->reference->name);
    ms_backbone_difference d;
    if (c == reference || reference->n < 2) continue;
    MS_TRY(ms_backbone_compare(s->ctx, c, reference, &d));
    if (d.n == 0) continue;
    ms_result_put_row(table, c->mode + 1.0, c->method->name, b->reference->name, d.omega[0],
                      d.omega[1], d.zeta[0], d.zeta[1], d.zeta_joint[0], d.zeta_joint[1],
                      (double)d.n, (double)d.n_joint, d.q_from, d.q_to,
                      describe(c->method, b->reference));
  }
  return MS_SUCCESS;
}

/* ---- report ---- */

/* What each method is, and with which settings. */
static void say_methods(ms_result *r, const ms_backbone_options *o, const ms_backbone *b) {
  const ms_harmonic_setting *h = &b->setting.harmonic;
  const ms_quasistatic_setting *q = &b->setting.quasistatic;
  for (int i = 0; i < o->methods.n; i++) {
    const ms_backbone_method *m = ms_backbone_get_method(o->methods.index[i]);
    ms_result_say(r, "%s: %s", m->name, m->meaning);
  }
  if (ms_backbone_has(o, "epmc") || ms_backbone_has(o, "stepped_sine")) {
    ms_result_say(r, "Harmonic balance: %d harmonics, %td time points, tolerance %g.", h->harmonics,
                  h->times, h->tolerance);
  }
  if (ms_backbone_has(o, "qsma") || ms_backbone_has(o, "rqnm")) {
    ms_result_say(r, "Static solutions: tolerance %g, %td steps in each half of a cycled loop.",
                  q->newton_tolerance, q->cycle_steps);
  }
}

ms_status ms_backbone_result(ms_study *s, ms_task *task) {
  const ms_backbone_options *o = task->options;
  const ms_backbone *b = task->product;
  ms_result *r = task->result;
  tables t = { 0 };
  int partial = 0;
  static const ms_plot curves = { .by = "method,method", .label = "%s", .points = DRAWN };
  create_tables(task, o->sensitivities, &t);
  const ms_modes_view view = {
    task->kind->title,
    "Methods should lie on each other: where one leaves the others, its assumptions fail. Damping "
    "rises in microslip and has its maximum where the joints begin to slip completely.",
    t.points, MS_HEAD_BACKBONE
  };
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    MS_TRY(add_curve(s, &b->setting, &b->curve[i], &t));
    partial += b->curve[i].partial;
  }
  MS_TRY(add_differences(s, b, t.differences));
  MS_TRY(ms_result_get_status(r));
  ms_result_set_values(r, "reference:word,points:count,partial:count", b->reference->name,
                       (double)ms_result_table_rows(t.points), (double)partial);
  ms_result_list_rows(r, "curves", t.curves,
                      "mode,method,status,remark?remark,points,q_from?points,q_to?points,"
                      "harmonics?harmonics,time_points?harmonics,tolerance?tolerance,"
                      "worst_residual?tolerance,evaluations?tolerance");
  ms_result_list_rows(r, "differences", t.differences,
                      "mode,method,omega_median,omega_max,zeta_median,zeta_max,points,joint_points,"
                      "zeta_joint_median?joint_points,zeta_joint_max?joint_points");
  ms_result_answer_modes(r, t.points, b->reference->name, o->modes.mode, o->modes.n,
                         MS_HEAD_BACKBONE);
  ms_result_answer_differences(r, t.differences, b->reference->name, MS_HEAD_BACKBONE);
  ms_result_plot_modes(r, &view, o->modes.mode, o->modes.n, 1, &curves);
  ms_result_show_table(
      r, t.differences,
      "Relative differences from the reference method: median, and largest in "
      "magnitude. Joint parts of the damping below 1e-6 of the total are rounding "
      "errors and are not compared. Compares: damping as the sum of joint and viscous "
      "parts (sum), or as the total that the method finds (total), of the method "
      "with that of the reference");
  ms_result_show_table(r, t.curves, "Curves: range, settings and largest residual (0: none)");
  MS_TRY(ms_backbone_result_contact(s, task));
  say_methods(r, o, b);
  ms_result_show_short_table(
      r, t.derivatives,
      "Derivatives of omega and zeta with respect to the joints' parameters, at constant q",
      MOST_ROWS);
  return MS_SUCCESS;
}
