#include "study/analyses/shared/curves.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "study/analyses/shared/time_steps.h"

void ms_curves_free(ms_context *ctx, ms_curves *c) {
  for (ptrdiff_t i = 0; c->run && i < c->n_run; i++) ms_pulse_free(ctx, &c->run[i]);
  ms_free(ctx, &c->run);
  ms_free(ctx, &c->source);
  ms_free(ctx, &c->curve);
}

ms_status ms_curves_request(ms_context *ctx, ms_curves *c, const ms_pulse_run *run,
                            const char *format, ...) {
  va_list list;
  MS_TRY(ms_resize(ctx, c->n_run + 1, sizeof *c->run, &c->run));
  MS_TRY(ms_resize(ctx, c->n_run + 1, sizeof *c->source, &c->source));
  c->run[c->n_run] = *run;
  c->run[c->n_run].keep_traces = 1;
  va_start(list, format);
  vsnprintf(c->source[c->n_run++], sizeof *c->source, format, list);
  va_end(list);
  return MS_SUCCESS;
}

ms_status ms_curves_check_steps(const ms_study *s, struct fy_node *node, const ms_curves *c) {
  const double *omega = ms_structure_get_stuck(s->structure).omega;
  for (ptrdiff_t i = 0; ms_steps_know_modes(s) && i < c->n_run; i++) {
    const ms_pulse_run *run = &c->run[i];
    for (int m = 0; m < run->n_mode; m++) {
      MS_TRY(ms_steps_check_mode(s, node, &run->time, run->mode[m], omega[run->mode[m]]));
    }
    if (!run->load) MS_TRY(ms_steps_check_pulse(s, node, &run->time, ms_pulse_length(run)));
  }
  return MS_SUCCESS;
}

static ptrdiff_t save_run(const void *user, ptrdiff_t job, double *values) {
  const ms_curves *c = user;
  return ms_pulse_save(&c->run[job], values);
}

static ms_status load_run(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  ms_curves *c = user;
  return ms_pulse_load(ctx, &c->run[job], values, n);
}

static ms_status simulate(ms_worker *w, ptrdiff_t job, void *user) {
  ms_curves *c = user;
  return ms_pulse_simulate(w->ctx, w->structure, &c->run[job]);
}

static ms_jobs jobs_of(ms_job_fn run, ms_curves *c) {
  return (ms_jobs) {
    .n = c->n_run, .run = run ? run : simulate, .save = save_run, .load = load_run, .user = c
  };
}

ms_status ms_curves_run(ms_study *study, const char *name, ms_job_fn run, ms_curves *user) {
  const ms_jobs jobs = jobs_of(run, user);
  return ms_pool_run_jobs(study, name, &jobs);
}

ms_status ms_curves_share(ms_study *study, ms_task *task) {
  const ms_jobs jobs = jobs_of(NULL, task->product);
  return ms_pool_share_jobs(study, task->name, &jobs);
}

ms_status ms_curves_run_all(ms_study *study, ms_task *task) {
  MS_TRY(ms_curves_share(study, task));
  return ms_curves_collect(study->ctx, task->product);
}

void ms_curves_add(ms_curves *curves, ptrdiff_t run, int c, int mode, const char *source) {
  ms_curve *curve = &curves->curve[curves->n_curve++];
  curve->mode = mode;
  curve->decay = &curves->run[run].decay[c];
  curve->trace = &curves->run[run].trace[c];
  snprintf(curve->source, sizeof curve->source, "%s", source);
}

ms_status ms_curves_collect(ms_context *ctx, ms_curves *c) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < c->n_run; i++) n += c->run[i].n_mode;
  ms_free(ctx, &c->curve);
  c->n_curve = 0;
  MS_TRY(ms_allocate(ctx, n, sizeof *c->curve, &c->curve));
  for (ptrdiff_t i = 0; i < c->n_run; i++) {
    const ms_pulse_run *run = &c->run[i];
    for (int m = 0; m < run->n_mode; m++) ms_curves_add(c, i, m, run->mode[m], c->source[i]);
  }
  return MS_SUCCESS;
}

/* ---- sensors ---- */

ms_status ms_read_sensor(const ms_study *study, struct fy_node *node, ptrdiff_t *sensor) {
  *sensor = MS_GROUND;
  return node ? ms_read_dof(study, node, "sensor", sensor) : MS_SUCCESS;
}

/* ---- tables ---- */

static ms_status tabulate_curve(ms_study *study, const ms_curves *c, const ms_curve *k,
                                ms_result_table *table) {
  ms_sensor at = { c->channel, MS_GROUND, 1.0 };
  if (!c->channel) at = ms_sensor_find(study->structure, c->sensor, k->mode);
  for (ptrdiff_t p = 0; p < k->decay->n; p++) {
    const ms_decay_point *d = &k->decay->point[p];
    double joint = ms_structure_get_excess_damping(study->structure, k->mode, d->omega, d->zeta);
    MS_TRY(ms_result_table_add_row(study->ctx, table, k->mode + 1.0, k->source, d->time, d->q,
                                   d->omega, d->zeta, joint, d->zeta - joint, d->velocity,
                                   d->acceleration, d->quality, at.name, at.shape * d->q,
                                   at.shape * d->velocity, at.shape * d->acceleration));
  }
  return MS_SUCCESS;
}

ms_status ms_curves_tabulate(ms_study *study, const char *name, const ms_curves *c,
                             ms_result_table **table) {
  MS_TRY(ms_result_table_create(
      study, name,
      "mode,source:word,time [s],q [m sqrt(kg)],omega [rad/s],zeta,zeta_joint,"
      "zeta_viscous,velocity [m/s sqrt(kg)],acceleration [m/s^2 sqrt(kg)],quality,"
      "sensor:word,sensor_displacement [m],sensor_velocity [m/s],"
      "sensor_acceleration [m/s^2]",
      table));
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    MS_TRY(tabulate_curve(study, c, &c->curve[i], *table));
  }
  return MS_SUCCESS;
}

static void join_remarks(const ms_pulse_run *run, char *text, size_t size) {
  size_t at = 0;
  text[0] = '\0';
  for (int c = 0; c < run->n_mode && at + 1 < size; c++) {
    if (!run->remark[c][0]) continue;
    int n = snprintf(text + at, size - at, "%smode %d: %s", at ? "; " : "", run->mode[c] + 1,
                     run->remark[c]);
    at += n > 0 ? (size_t)n : 0;
  }
}

ms_status ms_curves_tabulate_runs(ms_study *study, const char *name, const ms_curves *c,
                                  ms_result_table **table) {
  char full[96];
  snprintf(full, sizeof full, "%.80s_runs", name);
  MS_TRY(ms_result_table_create(
      study, full,
      "source:word,steps,evaluations per step,newton residual,input [J],"
      "dissipated in joints [J],viscous [J],balance / input,steps in a period,remark:word",
      table));
  const ms_curve *first = c->curve; /* of the run */
  for (ptrdiff_t i = 0; i < c->n_run; first += c->run[i].n_mode, i++) {
    const ms_pulse_run *r = &c->run[i];
    const ms_transient_energy *e = &r->energy;
    char remark[512];
    join_remarks(r, remark, sizeof remark);
    double steps = (double)r->count.steps;
    MS_TRY(ms_result_table_add_row(study->ctx, *table, first->source, steps,
                                   steps > 0.0 ? (double)r->count.evaluations / steps : 0.0,
                                   r->count.residual, e->input, e->dissipated, e->viscous,
                                   fmax(0.0, r->quality.balance),
                                   isfinite(r->quality.steps) ? r->quality.steps : 0.0, remark));
  }
  return MS_SUCCESS;
}

/* ---- points ---- */

ms_status ms_curves_gather(ms_context *ctx, const ms_curves *c, int mode, ms_points *out) {
  const ms_decay **decay;
  ptrdiff_t n = 0;
  *out = (ms_points) { .n = 0 };
  MS_TRY(ms_allocate(ctx, c->n_curve, sizeof *decay, &decay));
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    if (c->curve[i].mode == mode) decay[n++] = c->curve[i].decay;
  }
  ms_status status = ms_points_gather(ctx, n, decay, out);
  ms_free(ctx, &decay);
  return status;
}

/* ---- figures ---- */

static ms_status add_panel(ms_figure *figure, const ms_panel *panel, const ms_overlay *overlay,
                           int n, int damping) {
  MS_TRY(ms_figure_add_panel(figure, panel));
  for (int i = 0; i < n; i++) {
    const ms_overlay *o = &overlay[i];
    if (o->points->n == 0) continue;
    ms_series series = { .label = o->label,
                         .x = o->points->q,
                         .y = damping ? o->points->zeta : o->points->omega,
                         .n = o->points->n,
                         .style = o->style,
                         .colour = o->colour };
    MS_TRY(ms_figure_add_series(figure, &series));
  }
  return MS_SUCCESS;
}

static int positive(const ms_overlay *overlay, int n) {
  for (int i = 0; i < n; i++) {
    for (ptrdiff_t k = 0; k < overlay[i].points->n; k++) {
      if (!(overlay[i].points->zeta[k] > 0.0)) return 0;
    }
  }
  return 1;
}

ms_status ms_curves_figure(const ms_study *study, ms_page *page, int mode,
                           const ms_overlay *overlay, int n) {
  char title[64];
  ms_figure *figure;
  ms_panel frequency = { "Frequency", "modal amplitude |q|", "m sqrt(kg)", "omega", "rad/s", 1, 0 };
  ms_panel damping = { "Damping", "modal amplitude |q|", "m sqrt(kg)", "zeta", NULL, 1, 1 };
  damping.y_log = positive(overlay, n);
  snprintf(title, sizeof title, "Mode %d", mode + 1);
  MS_TRY(ms_figure_create(study->ctx, title, NULL, &figure));
  ms_status status = add_panel(figure, &frequency, overlay, n, 0);
  if (status == MS_SUCCESS) status = add_panel(figure, &damping, overlay, n, 1);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

/* ---- histories ---- */

/* The curve that begins largest (sign 1) or smallest (-1); NULL if none was read. */
static const ms_curve *find_extreme(const ms_curves *c, int mode, double sign) {
  const ms_curve *found = NULL;
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    const ms_curve *k = &c->curve[i];
    if (k->mode != mode || k->decay->n == 0 || !k->trace || k->trace->n == 0) continue;
    if (found && sign * k->decay->point[0].q <= sign * found->decay->point[0].q) continue;
    found = k;
  }
  return found;
}

static ms_status add_history(ms_context *ctx, ms_figure *figure, const ms_curve *c) {
  ms_trace_view view = { .trace = c->trace,
                         .decay = c->decay,
                         .kind = MS_SIGNAL_VELOCITY,
                         .scale = 1.0,
                         .title = c->source,
                         .y_label = "modal velocity",
                         .y_unit = "m/s sqrt(kg)" };
  return ms_trace_add_panel(ctx, figure, &view);
}

/* Of the runs in which the mode began largest and smallest. */
static ms_status draw_histories(const ms_study *s, const ms_curves *c, int mode,
                                ms_figure **figure) {
  const ms_curve *large = find_extreme(c, mode, 1.0), *small = find_extreme(c, mode, -1.0);
  char title[64];
  if (!large) return MS_SUCCESS;
  snprintf(title, sizeof title, "Mode %d in time", mode + 1);
  MS_TRY(ms_figure_create(s->ctx, title, NULL, figure));
  MS_TRY(add_history(s->ctx, *figure, large));
  return small != large ? add_history(s->ctx, *figure, small) : MS_SUCCESS;
}

/* ---- the result ---- */

static void plot_mode(ms_result *result, const ms_result_table *table, int mode, const char *label,
                      const ms_task *over) {
  static const struct {
    const char *title, *y;
  } view[] = { { "Frequency", "omega" }, { "Damping", "zeta" } };
  char title[32], where[32];
  ms_plot panel[4];
  int n = 0;
  snprintf(title, sizeof title, "Mode %d", mode + 1);
  snprintf(where, sizeof where, "mode=%d", mode + 1);
  for (int v = 0; v < 2; v++) {
    panel[n++] = (ms_plot) { .title = view[v].title,
                             .x = "q",
                             .y = view[v].y,
                             .x_label = "modal amplitude |q|",
                             .x_log = 1,
                             .y_log = v ? MS_LOG_IF_POSITIVE : 0,
                             .by = label ? NULL : "source",
                             .most = MS_PALETTE_SIZE,
                             .label = label,
                             .where = where,
                             .style = MS_SERIES_POINTS };
    if (!over) continue;
    panel[n] = panel[n - 1];
    panel[n].over = 1;
    panel[n].by = NULL;
    panel[n].label = over->name;
    panel[n].colour = -1;
    panel[n++].table = ms_result_find_table(over->result, "");
  }
  ms_result_plot(result, title, NULL, table, n, panel);
}

ms_status ms_curves_result(ms_study *s, ms_task *task, const int *mode, int n_mode,
                           const char *label, const ms_task *over) {
  const ms_curves *c = task->product;
  ms_result *result = task->result;
  ms_result_table *table, *runs = NULL;
  double worst = 0.0;
  MS_TRY(ms_curves_tabulate(s, task->name, c, &table));
  if (c->n_run > 0) {
    MS_TRY(ms_curves_tabulate_runs(s, task->name, c, &runs));
    for (ptrdiff_t i = 0; i < c->n_run; i++) worst = fmax(worst, c->run[i].quality.balance);
    ms_result_set_integer(result, "runs", c->n_run);
    ms_result_set_number(result, "worst_energy_balance", NULL, worst);
  }
  ms_result_set_integer(result, "points", ms_result_table_rows(table));
  for (int m = 0; m < n_mode; m++) {
    ms_figure *figure = NULL;
    plot_mode(result, table, mode[m], label, over);
    ms_result_fail_page(result, draw_histories(s, c, mode[m], &figure));
    ms_result_take_figure(result, MS_TRACE_CAPTION, &figure);
  }
  ms_result_show_table(result, runs, "Runs: energy balance and residuals");
  return MS_SUCCESS;
}
