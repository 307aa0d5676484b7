/* What is said about a backbone: tables, summary, figures, and how each curve was made. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"

enum { DRAWN = 300 }; /* points of a curve, in a figure */

static const char *get_state(const ms_backbone_curve *c) {
  return c->partial ? "partial" : "complete";
}

static ms_series_style get_style(const ms_backbone_method *m) {
  if (!m->run) return MS_SERIES_POINTS;
  return strcmp(m->name, "qsma") == 0 || strcmp(m->name, "epmc") == 0 ? MS_SERIES_LINE
                                                                      : MS_SERIES_DASHED;
}

/* Smallest and largest amplitude, 0 without points. */
static void find_span(const ms_backbone_curve *curve, double *from, double *to) {
  *from = *to = curve->n > 0 ? curve->point[0].q : 0.0;
  for (ptrdiff_t i = 1; i < curve->n; i++) {
    *from = fmin(*from, curve->point[i].q);
    *to = fmax(*to, curve->point[i].q);
  }
}

/* ---- tables ---- */

static ms_status tabulate_points(ms_study *s, ms_backbone *b, const ms_backbone_curve *c) {
  const char *sensor = ms_sensor_find(s->structure, b->setting.sensor, c->mode).name;
  double H = c->method->harmonic ? b->setting.harmonic.harmonics : 0.0;
  double N = c->method->harmonic ? (double)b->setting.harmonic.times : 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_backbone_point *p = &c->point[i];
    MS_TRY(ms_result_table_add_row(s->ctx, b->table, c->mode + 1.0, c->method->name, p->q, p->omega,
                                   p->zeta, p->zeta_joint, p->zeta_viscous, sensor, p->sensor[0],
                                   p->sensor[1], p->sensor[2], p->residual, p->quality,
                                   ms_backbone_loss_name(p->loss), H, N, get_state(c)));
  }
  return MS_SUCCESS;
}

static ms_status tabulate_curve(ms_study *s, ms_backbone *b, const ms_backbone_curve *c) {
  double from, to;
  find_span(c, &from, &to);
  return ms_result_table_add_row(
      s->ctx, b->curves, c->mode + 1.0, c->method->name, (double)c->n, get_state(c),
      c->method->harmonic ? b->setting.harmonic.harmonics : 0.0,
      c->method->harmonic ? (double)b->setting.harmonic.times : 0.0, c->tolerance, c->worst,
      (double)c->evaluations, from, to, c->remark);
}

static ms_status tabulate_derivatives(ms_study *s, ms_backbone *b, const ms_backbone_curve *c) {
  for (ptrdiff_t i = 0; i < c->n_derivative; i++) {
    const ms_backbone_derivative *d = &c->derivative[i];
    MS_TRY(ms_result_table_add_row(s->ctx, b->derivatives, c->mode + 1.0, c->point[d->point].q,
                                   ms_structure_get_joint_name(s->structure, d->joint),
                                   d->member + 1.0, d->name, d->value, d->unit, d->omega,
                                   d->zeta_joint, d->zeta,
                                   !d->defined         ? "not defined"
                                   : d->by_differences ? "differences"
                                                       : "exact"));
  }
  return MS_SUCCESS;
}

static ms_status create_tables(ms_study *s, const ms_task *task, ms_backbone *b) {
  char name[96];
  MS_TRY(ms_result_table_create(
      s, task->name,
      "mode,method:word,q [m sqrt(kg)],omega [rad/s],zeta,zeta_joint,"
      "zeta_viscous,sensor:word,sensor_displacement [m],sensor_velocity [m/s],"
      "sensor_acceleration [m/s^2],residual,quality,loss:word,harmonics,"
      "time_points,status:word",
      &b->table));
  snprintf(name, sizeof name, "%.80s_curves", task->name);
  MS_TRY(
      ms_result_table_create(s, name,
                             "mode,method:word,points,status:word,harmonics,time_points,tolerance,"
                             "worst_residual,evaluations,q_from [m sqrt(kg)],q_to [m sqrt(kg)],"
                             "remark:word",
                             &b->curves));
  if (b->setting.sensitivities) {
    snprintf(name, sizeof name, "%.80s_sensitivities", task->name);
    MS_TRY(ms_result_table_create(
        s, name,
        "mode,q [m sqrt(kg)],joint:word,member,parameter:word,value,unit:word,"
        "omega [rad/s per unit],zeta_joint [1/unit],zeta [1/unit],how:word",
        &b->derivatives));
  }
  snprintf(name, sizeof name, "%.80s_differences", task->name);
  return ms_result_table_create(
      s, name,
      "mode,method:word,reference:word,omega_median,omega_max,zeta_median,"
      "zeta_max,zeta_joint_median,zeta_joint_max,points,joint_points,"
      "q_from [m sqrt(kg)],q_to [m sqrt(kg)],compares:word",
      &b->differences);
}

/* What is compared: the total, or the sum of joint part and viscous formula. */
static const char *describe(const ms_backbone_method *a, const ms_backbone_method *reference) {
  static const char *const text[2][2] = { { "sum with sum", "sum with total" },
                                          { "total with sum", "total with total" } };
  return text[a->total][reference->total];
}

/* Each method of a mode, whose curves are given, against the reference. */
static ms_status tabulate_differences(ms_study *s, ms_backbone *b, const ms_backbone_curve *curve) {
  const ms_backbone_curve *reference = curve;
  while (reference->method != b->reference) reference++;
  for (const ms_backbone_curve *c = curve; c < curve + b->n_method; c++) {
    ms_backbone_difference d;
    if (c == reference || reference->n < 2) continue;
    MS_TRY(ms_backbone_compare(s->ctx, c, reference, &d));
    if (d.n == 0) continue;
    MS_TRY(ms_result_table_add_row(s->ctx, b->differences, c->mode + 1.0, c->method->name,
                                   b->reference->name, d.omega[0], d.omega[1], d.zeta[0], d.zeta[1],
                                   d.zeta_joint[0], d.zeta_joint[1], (double)d.n, (double)d.n_joint,
                                   d.q_from, d.q_to, describe(c->method, b->reference)));
  }
  return MS_SUCCESS;
}

ms_status ms_backbone_tabulate(ms_study *s, const ms_task *task, ms_backbone *b) {
  MS_TRY(create_tables(s, task, b));
  for (ptrdiff_t i = 0; i < b->n_curve; i++) {
    MS_TRY(tabulate_points(s, b, &b->curve[i]));
    MS_TRY(tabulate_curve(s, b, &b->curve[i]));
    if (b->setting.sensitivities) MS_TRY(tabulate_derivatives(s, b, &b->curve[i]));
  }
  for (int m = 0; m < b->n_mode; m++) {
    MS_TRY(tabulate_differences(s, b, &b->curve[(ptrdiff_t)m * b->n_method]));
  }
  return MS_SUCCESS;
}

/* ---- summary ---- */

static void summarise_curve(const ms_backbone *b, const ms_backbone_curve *c, ms_json *json) {
  double from, to;
  find_span(c, &from, &to);
  ms_json_begin_object(json, NULL);
  ms_json_add_integer(json, "mode", c->mode + 1);
  ms_json_add_text(json, "method", c->method->name);
  ms_json_add_text(json, "status", get_state(c));
  if (c->remark[0]) ms_json_add_text(json, "remark", c->remark);
  ms_json_add_integer(json, "points", c->n);
  if (c->n > 0) {
    ms_json_add_number(json, "q_from", from);
    ms_json_add_number(json, "q_to", to);
  }
  if (c->method->harmonic) {
    ms_json_add_integer(json, "harmonics", b->setting.harmonic.harmonics);
    ms_json_add_integer(json, "time_points", b->setting.harmonic.times);
  }
  if (c->method->run) {
    ms_json_add_number(json, "tolerance", c->tolerance);
    ms_json_add_number(json, "worst_residual", c->worst);
    ms_json_add_integer(json, "evaluations", c->evaluations);
  }
  ms_json_end(json);
}

static void summarise_differences(const ms_backbone *b, ms_json *json) {
  static const struct {
    int column;
    const char *name;
  } number[] = { { 0, "mode" },          { 3, "omega_median" },      { 4, "omega_max" },
                 { 5, "zeta_median" },   { 6, "zeta_max" },          { 9, "points" },
                 { 10, "joint_points" }, { 7, "zeta_joint_median" }, { 8, "zeta_joint_max" } };
  enum { N_NUMBER = sizeof number / sizeof *number, N_ALWAYS = N_NUMBER - 2 };
  ms_json_begin_array(json, "differences");
  for (ptrdiff_t i = 0; i < ms_result_table_rows(b->differences); i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "method", ms_result_table_word(b->differences, 1, i));
    int n = ms_result_table_column(b->differences, 10)[i] > 0.0 ? N_NUMBER : N_ALWAYS;
    for (int k = 0; k < n; k++) {
      ms_json_add_number(json, number[k].name,
                         ms_result_table_column(b->differences, number[k].column)[i]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

void ms_backbone_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_backbone *b = task->product;
  int partial = 0;
  (void)s;
  for (ptrdiff_t i = 0; i < b->n_curve; i++) partial += b->curve[i].partial;
  ms_json_add_text(json, "reference", b->reference->name);
  ms_json_add_integer(json, "points", ms_result_table_rows(b->table));
  ms_json_add_integer(json, "partial", partial);
  ms_json_begin_array(json, "curves");
  for (ptrdiff_t i = 0; i < b->n_curve; i++) summarise_curve(b, &b->curve[i], json);
  ms_json_end(json);
  summarise_differences(b, json);
}

/* ---- report ---- */

/* Of a decay's many points every second, third, ...: a figure holds each of them twice. */
static ms_status make_points(ms_context *ctx, const ms_backbone_curve *c, ms_points *out) {
  ptrdiff_t stride = (c->n + DRAWN - 1) / DRAWN, n = stride > 0 ? (c->n + stride - 1) / stride : 0;
  *out = (ms_points) { .n = n };
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *out->q, &out->q));
  out->omega = out->q + n;
  out->zeta = out->q + 2 * n;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_backbone_point *p = &c->point[i * stride];
    out->q[i] = p->q;
    out->omega[i] = p->omega;
    out->zeta[i] = p->zeta;
  }
  return MS_SUCCESS;
}

/* Points first, so that lines lie over them. */
static ms_status fill_overlays(const ms_study *s, const ms_backbone *b,
                               const ms_backbone_curve *curve, ms_points *points,
                               ms_overlay *overlay) {
  int n = 0;
  for (int lines = 0; lines < 2; lines++) {
    for (int i = 0; i < b->n_method; i++) {
      const ms_backbone_method *m = curve[i].method;
      if ((m->run != NULL) != lines) continue;
      MS_TRY(make_points(s->ctx, &curve[i], &points[n]));
      overlay[n] = (ms_overlay) { m->name, &points[n], get_style(m), i % MS_PALETTE_SIZE };
      n++;
    }
  }
  return MS_SUCCESS;
}

static ms_status report_mode(const ms_study *s, const ms_backbone *b, ms_page *page, int m) {
  const ms_backbone_curve *curve = &b->curve[(ptrdiff_t)m * b->n_method];
  ms_points *points = NULL;
  ms_overlay *overlay = NULL;
  ms_status status = ms_allocate(s->ctx, b->n_method, sizeof *points, &points);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, b->n_method, sizeof *overlay, &overlay);
  if (status == MS_SUCCESS) status = fill_overlays(s, b, curve, points, overlay);
  if (status == MS_SUCCESS) {
    status = ms_curves_figure(s, page, b->mode[m], overlay, b->n_method);
  }
  for (int i = 0; points && i < b->n_method; i++) ms_free(s->ctx, &points[i].q);
  ms_free(s->ctx, &points);
  ms_free(s->ctx, &overlay);
  return status;
}

/* What each method is, and with which settings. */
static ms_status report_methods(const ms_backbone *b, ms_page *page) {
  const char *name[16], *meaning[16];
  char harmonic[160], quasistatic[160], drawn[160];
  int n = 0;
  for (; n < b->n_method; n++) {
    name[n] = b->method[n]->name;
    meaning[n] = b->method[n]->meaning;
  }
  snprintf(harmonic, sizeof harmonic, "%d harmonics, %td time points, tolerance %g",
           b->setting.harmonic.harmonics, b->setting.harmonic.times, b->setting.harmonic.tolerance);
  snprintf(quasistatic, sizeof quasistatic,
           "tolerance %g; a loop that is cycled: %td steps each way",
           b->setting.quasistatic.newton_tolerance, b->setting.quasistatic.cycle_steps);
  if (ms_backbone_has(b, "epmc") || ms_backbone_has(b, "stepped_sine")) {
    name[n] = "harmonic balance";
    meaning[n++] = harmonic;
  }
  if (ms_backbone_has(b, "qsma") || ms_backbone_has(b, "rqnm")) {
    name[n] = "static solutions";
    meaning[n++] = quasistatic;
  }
  snprintf(drawn, sizeof drawn,
           "of a curve with more than %d points every second or third; the "
           "tables have all",
           DRAWN);
  name[n] = "figures";
  meaning[n++] = drawn;
  return ms_page_add_facts(page, n, name, meaning);
}

/* A table without rows is left out. */
static ms_status add_table(const ms_study *s, const ms_result_table *table, const char *caption,
                           ms_page *page) {
  if (!table || ms_result_table_rows(table) == 0) return MS_SUCCESS;
  return ms_result_table_add_to_page(s->ctx, table, caption, page);
}

/* A page is no place for thousands of rows. */
static ms_status report_derivatives(const ms_study *s, const ms_backbone *b, ms_page *page) {
  enum { MOST = 400 };
  char text[200];
  if (!b->derivatives) return MS_SUCCESS;
  if (ms_result_table_rows(b->derivatives) <= MOST) {
    return add_table(s, b->derivatives,
                     "Derivatives of omega and zeta by the joints' parameters, at fixed q", page);
  }
  snprintf(
      text, sizeof text,
      "Derivatives of omega and zeta by the joints' parameters, at fixed q, are in the %td rows "
      "of tables/%.60s.csv.",
      ms_result_table_rows(b->derivatives), ms_result_table_name(b->derivatives));
  return ms_page_add_text(page, text);
}

ms_status ms_backbone_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_backbone *b = task->product;
  for (int m = 0; m < b->n_mode; m++) MS_TRY(report_mode(s, b, page, m));
  MS_TRY(
      add_table(s, b->differences,
                "Differences from the reference, relative: median, and largest in size. Sum: "
                "joint part and viscous formula; total: as it is seen. Joint parts below 1e-6 of "
                "the total are rounding and not compared (joint_points: how many are)",
                page));
  MS_TRY(add_table(s, b->curves,
                   "How each curve was made: harmonics, time points, tolerance and the largest "
                   "residual (0: has none)",
                   page));
  MS_TRY(report_methods(b, page));
  return report_derivatives(s, b, page);
}
