#include "study/analyses/shared/curves.h"

#include <math.h>
#include <stdio.h>

void ms_curves_free(ms_context *ctx, ms_curves *c) {
  for (ptrdiff_t i = 0; c->run && i < c->n_run; i++) ms_pulse_free(ctx, &c->run[i]);
  ms_free(ctx, &c->run);
  ms_free(ctx, &c->curve);
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

ms_status ms_curves_share(ms_study *study, const char *name, ms_curves *user) {
  const ms_jobs jobs = jobs_of(NULL, user);
  return ms_pool_share_jobs(study, name, &jobs);
}

void ms_curves_add(ms_curves *curves, ptrdiff_t run, int c, int mode, const char *source) {
  ms_curve *curve = &curves->curve[curves->n_curve++];
  curve->mode = mode;
  curve->decay = &curves->run[run].decay[c];
  curve->trace = &curves->run[run].trace[c];
  snprintf(curve->source, sizeof curve->source, "%s", source);
}

/* ---- sensors ---- */

ms_status ms_read_sensor(const ms_study *study, struct fy_node *node, ptrdiff_t *sensor) {
  const char *name;
  *sensor = MS_GROUND;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&study->yaml, node, "sensor", &name));
  ms_status status = ms_structure_find(study->structure, name, sensor);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&study->yaml, node, status);
  if (*sensor != MS_GROUND) return MS_SUCCESS;
  return ms_yaml_fail(&study->yaml, node, MS_ERR_NAME,
                      "the ground does not move; sensor must be one of the coordinates");
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

ms_status ms_curves_histories(const ms_study *study, ms_page *page, const ms_curves *c, int mode) {
  const ms_curve *large = find_extreme(c, mode, 1.0), *small = find_extreme(c, mode, -1.0);
  char title[64];
  ms_figure *figure;
  if (!large) return MS_SUCCESS;
  snprintf(title, sizeof title, "Mode %d in time", mode + 1);
  MS_TRY(ms_figure_create(study->ctx, title, NULL, &figure));
  ms_status status = add_history(study->ctx, figure, large);
  if (status == MS_SUCCESS && small != large) status = add_history(study->ctx, figure, small);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, MS_TRACE_CAPTION, figure);
  ms_figure_destroy(&figure);
  return status;
}
