/* What a frequency response ends in: tables of its points, curves and loops as figures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/frequency_response/frequency_response.h"
#include "study/analyses/shared/answers.h"

static const double pi = 3.14159265358979323846;

/* ---- tables ---- */

typedef struct tables {
  ms_result_table *points, *sensors, *levels, *folds, *peaks;
  ms_result_table *harmonics, *joints, *loops; /* NULL where there are none */
} tables;

static ms_status create(ms_study *s, const ms_task *task, const char *ending, const char *columns,
                        ms_result_table **out) {
  const ms_forced_options *o = task->options;
  char text[512];
  snprintf(text, sizeof text, "level [%s],%s", ms_load_unit(&o->harmonic.load), columns);
  return ms_task_add_table(s, task, ending, text, out);
}

static ms_status create_all(ms_study *s, const ms_task *task, tables *t) {
  MS_TRY(create(s, task, "",
                "omega [rad/s],mode,q [m sqrt(kg)],phase [rad],loss [J],higher,residual,repeat,"
                "iterations,stability:word,multiplier",
                &t->points));
  MS_TRY(create(s, task, "_sensors",
                "omega [rad/s],sensor:word,displacement [m],velocity [m/s],acceleration [m/s^2],"
                "phase [rad],peak_displacement [m],peak_velocity [m/s],peak_acceleration [m/s^2]",
                &t->sensors));
  MS_TRY(create(s, task, "_levels",
                "points,complete:word,reason:word,folds,missed,evaluations,rejected,residual,"
                "peak_omega [rad/s],peak_displacement [m],peak_at:word,peaks",
                &t->levels));
  MS_TRY(create(s, task, "_folds",
                "omega [rad/s],omega_is:word,displacement [m],phase [rad],q [m sqrt(kg)],"
                "depth",
                &t->folds));
  MS_TRY(create(s, task, "_peaks",
                "omega [rad/s],displacement [m],phase [rad],q [m sqrt(kg)],loss [J],stability:word",
                &t->peaks));
  if (((const ms_forced_options *)task->options)->refine) {
    MS_TRY(create(s, task, "_harmonics",
                  "harmonics,times,omega [rad/s],peak_displacement [m],change,residual,"
                  "settled:word",
                  &t->harmonics));
  }
  if (ms_structure_count_joints(s->structure) == 0) return MS_SUCCESS;
  MS_TRY(create(s, task, "_joints", "omega [rad/s]," MS_HARMONIC_JOINT_COLUMNS, &t->joints));
  return create(s, task, "_loops", "joint:word,axis,displacement [m],force [N],force_balance [N]",
                &t->loops);
}

static ms_status add_point(ms_study *s, const tables *t, const ms_frequency_run *r, ptrdiff_t i) {
  const ms_harmonic_point *c = &r->curve.point[i];
  const ms_periodic_motion *x = r->curve.sensor + r->curve.n_sensor * i;
  MS_TRY(ms_result_table_add_row(s->ctx, t->points, r->level, c->omega, (double)(c->mode + 1), c->q,
                                 c->phase, c->D, c->higher, c->residual, c->repeat,
                                 (double)c->iterations, ms_harmonic_stability_word(c->stability),
                                 c->multiplier));
  for (ptrdiff_t k = 0; k < r->curve.n_sensor; k++) {
    const double a = x[k].amplitude;
    MS_TRY(ms_result_table_add_row(s->ctx, t->sensors, r->level, c->omega,
                                   ms_structure_get_name(s->structure, r->plan->sensor[k]), a,
                                   c->omega * a, c->omega * c->omega * a, x[k].phase, x[k].peak[0],
                                   x[k].peak[1], x[k].peak[2]));
  }
  if (c->turn & MS_HARMONIC_FOLD) {
    MS_TRY(ms_result_table_add_row(s->ctx, t->folds, r->level, c->omega,
                                   r->depth[i] < 0.0 ? "smallest" : "largest", x->amplitude,
                                   x->phase, c->q, fabs(r->depth[i])));
  }
  if (!(c->turn & MS_HARMONIC_PEAK)) return MS_SUCCESS;
  return ms_result_table_add_row(s->ctx, t->peaks, r->level, c->omega, x->amplitude, x->phase, c->q,
                                 c->D, ms_harmonic_stability_word(c->stability));
}

static ms_status add_loops(ms_study *s, const tables *t, const ms_frequency_run *r) {
  const ptrdiff_t L = MS_FREQUENCY_LOOP;
  const double *loop = r->loop;
  for (int j = 0; j < r->curve.n_joint; j++) {
    int n = ms_joint_info(ms_structure_get_joint(s->structure, j))->n_axis;
    for (int a = 0; a < n; a++, loop += 3 * L) {
      for (ptrdiff_t i = 0; i < L; i++) {
        MS_TRY(ms_result_table_add_row(s->ctx, t->loops, r->level,
                                       ms_structure_get_joint_name(s->structure, j), a + 1.0,
                                       loop[i], loop[i + L], loop[i + 2 * L]));
      }
    }
  }
  return MS_SUCCESS;
}

static ms_status add_level(ms_study *s, const tables *t, const ms_frequency_run *r) {
  const ms_periodic *c = &r->curve;
  const int some = c->n > 0;
  for (ptrdiff_t i = 0; i < r->n_refined; i++) {
    const ms_harmonic_row *row = &r->refined[i];
    const int settled = i == r->n_refined - 1 && r->settled;
    MS_TRY(ms_result_table_add_row(s->ctx, t->harmonics, r->level, (double)row->harmonics,
                                   (double)row->times, row->omega, row->peak, row->change,
                                   row->residual, settled ? "yes" : "no"));
  }
  return ms_result_table_add_row(
      s->ctx, t->levels, r->level, (double)c->n, c->complete ? "yes" : "no", c->remark,
      (double)r->folds, (double)c->missed, (double)c->evaluations, (double)c->rejected, c->worst,
      some ? c->point[r->peak].omega : 0.0, some ? c->sensor[c->n_sensor * r->peak].amplitude : 0.0,
      !some            ? "none"
      : r->peak_at_end ? "end"
                       : "maximum",
      (double)r->peaks);
}

static ms_status fill_tables(ms_study *s, const tables *t, const ms_frequency_run *r) {
  MS_TRY(add_level(s, t, r));
  if (t->loops && r->loop) MS_TRY(add_loops(s, t, r));
  for (ptrdiff_t k = 0; k < r->curve.n; k++) {
    MS_TRY(add_point(s, t, r, k));
    if (t->joints) MS_TRY(ms_harmonic_add_joints(s, t->joints, 1, &r->level, &r->curve, k));
  }
  return MS_SUCCESS;
}

/* ---- values ---- */

static void set_level(const ms_study *s, const ms_frequency_run *r, ms_result *result) {
  const ms_periodic *c = &r->curve;
  int unstable = 0;
  for (ptrdiff_t i = 0; i < c->n; i++) unstable += c->point[i].stability == MS_UNSTABLE;
  ms_result_begin(result, NULL);
  ms_result_set_number(result, "level", NULL, r->level);
  ms_result_set_integer(result, "points", c->n);
  ms_result_set_flag(result, "complete", c->complete);
  ms_result_set_text(result, "reason", c->remark);
  ms_result_set_integer(result, "folds", r->folds);
  ms_result_set_integer(result, "shallow_folds", r->shallow);
  ms_result_set_integer(result, "missed", c->missed);
  ms_result_set_integer(result, "unstable", unstable);
  ms_result_set_number(result, "residual", NULL, c->worst);
  if (c->n > 0) {
    ms_result_begin(result, "peak");
    ms_result_set_text(result, "sensor", ms_structure_get_name(s->structure, r->plan->sensor[0]));
    ms_result_set_number(result, "omega", "rad/s", c->point[r->peak].omega);
    ms_result_set_number(result, "displacement", "m", c->sensor[c->n_sensor * r->peak].amplitude);
    ms_result_set_number(result, "loss", "J", c->point[r->peak].D);
    ms_result_set_flag(result, "at_end", r->peak_at_end);
    ms_result_end(result);
  }
  if (r->plan->refine > 0.0) ms_result_set_flag(result, "settled", r->settled);
  if (r->n_refined > 0) {
    ms_result_set_integer(result, "harmonics_enough", r->refined[r->n_refined - 1].harmonics);
  }
  ms_result_end(result);
}

static void set_values(const ms_study *s, const ms_task *task) {
  const ms_forced_options *o = task->options;
  const ms_forced_product *p = task->product;
  ms_result *result = task->result;
  double worst = 0.0, repeat = 0.0;
  int partial = 0;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ms_periodic *c = &p->run[i].curve;
    partial += !c->complete;
    worst = fmax(worst, c->worst);
    for (ptrdiff_t k = 0; k < c->n; k++) repeat = fmax(repeat, c->point[k].repeat);
  }
  ms_result_set_integer(result, "harmonics", p->plan.harmonic.harmonics);
  ms_result_set_integer(result, "times", p->plan.harmonic.times);
  ms_result_set_number(result, "tolerance", NULL, p->plan.harmonic.tolerance);
  ms_result_set_text(result, "level_unit", ms_load_unit(&o->harmonic.load));
  ms_result_set_integer(result, "partial", partial);
  ms_result_begin_list(result, "levels");
  for (ptrdiff_t i = 0; i < p->n; i++) set_level(s, &p->run[i], result);
  ms_result_end(result);
  ms_result_set_number(result, "worst_residual", NULL, worst);
  ms_result_set_number(result, "repeat", NULL, repeat);
}

/* Largest responses at the highest and the lowest level. */
static void answer(const ms_study *s, const ms_task *task) {
  const ms_forced_options *o = task->options;
  const ms_forced_product *p = task->product;
  const char *unit = ms_load_unit(&o->harmonic.load);
  const char *sensor = ms_structure_get_name(s->structure, p->plan.sensor[0]);
  const int turns = ms_name_is_rotation(sensor);
  const ms_frequency_run *high = NULL, *low = NULL;
  for (const ms_frequency_run *r = p->run; r < p->run + p->n; r++) {
    if (r->curve.n == 0) continue;
    if (!high || r->level > high->level) high = r;
    if (!low || r->level < low->level) low = r;
  }
  for (int k = 0; high && k < (low != high ? 2 : 1); k++) {
    const ms_frequency_run *r = k ? low : high;
    const ms_periodic *c = &r->curve;
    ms_answer_number(task->result, MS_HEAD_PERIODIC, NULL, turns ? "rad" : "m",
                     c->sensor[c->n_sensor * r->peak].amplitude, "Largest %s of %s at %.4g %s",
                     turns ? "rotation" : "displacement", sensor, r->level, unit);
    ms_answer_number(task->result, MS_HEAD_PERIODIC, "omega", "rad/s", c->point[r->peak].omega,
                     "Frequency of the largest response at %.4g %s", r->level, unit);
  }
}

/* ---- curves ---- */

typedef enum view { AMPLITUDE, PER_LEVEL, PHASE } view;

/* Stretches that are unstable are dashed; each goes on to the first point of the next. x, y: space
   for a curve. */
static ms_status add_curve(ms_figure *figure, view v, const ms_frequency_run *r, double x_unit,
                           const char *label, int colour, double *x, double *y) {
  const ms_harmonic_point *point = r->curve.point;
  const ptrdiff_t n = r->curve.n;
  double last = -90.0; /* a curve begins with a lag from -270 to 90 degrees, and has no jumps */
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_periodic_motion *m = &r->curve.sensor[r->curve.n_sensor * i];
    const double degrees = m->phase * 180.0 / pi;
    last = degrees - 360.0 * round((degrees - last) / 360.0);
    x[i] = point[i].omega / x_unit;
    y[i] = v == AMPLITUDE ? m->amplitude : v == PER_LEVEL ? m->amplitude / r->level : last;
  }
  for (ptrdiff_t from = 0, to; from < n; from = to) {
    const int unstable = point[from].stability == MS_UNSTABLE;
    for (to = from + 1; to < n && (point[to].stability == MS_UNSTABLE) == unstable;) to++;
    const ms_series series = { .label = from == 0 ? label : NULL,
                               .x = x + from,
                               .y = y + from,
                               .n = (to < n ? to + 1 : n) - from,
                               .style = unstable ? MS_SERIES_DASHED : MS_SERIES_LINE,
                               .colour = colour };
    MS_TRY(ms_figure_add_series(figure, &series));
  }
  if (n == 0 || r->curve.complete || v != AMPLITUDE) return MS_SUCCESS;
  return ms_figure_add_note(figure, x[n - 1], y[n - 1], "stopped here");
}

static ms_status draw_curves(const ms_study *s, const ms_task *task, double *space, ptrdiff_t n,
                             ms_figure *figure) {
  const ms_forced_options *o = task->options;
  const ms_forced_product *p = task->product;
  double low, high;
  ms_frequency_find_range(p->n, p->run, &low, &high);
  const int in_hz = o->frequency.n > 0, log = low > 0.0 && high > 100.0 * low; /* two decades */
  const char *sensor = ms_structure_get_name(s->structure, p->plan.sensor[0]);
  const char *x = in_hz ? "frequency" : "omega", *x_unit = in_hz ? "Hz" : "rad/s";
  const char *unit = ms_load_unit(&o->harmonic.load);
  char label[96], per[64], level[64];
  snprintf(label, sizeof label, "%.40s, first harmonic", sensor);
  snprintf(per, sizeof per, strpbrk(unit, " /") ? "m/(%s)" : "m/%s", unit);
  const ms_panel panel[] = {
    [AMPLITUDE] = { "Amplitude", x, x_unit, label, "m", 0, log },
    [PER_LEVEL] = { "Amplitude over load", x, x_unit, label, per, 0, log },
    [PHASE] = { "Phase against the load", x, x_unit, "phase", "degrees", 0, 0 },
  };
  for (int v = AMPLITUDE; v <= PHASE; v++) {
    ms_panel shown = panel[v];
    shown.x_quantity = MS_DISPLAY_FREQUENCY;
    MS_TRY(ms_figure_add_panel(figure, &shown));
    for (ptrdiff_t i = 0; i < p->n; i++) {
      snprintf(level, sizeof level, "%.4g %s", p->run[i].level, unit);
      MS_TRY(add_curve(figure, (view)v, &p->run[i], in_hz ? 2.0 * pi : 1.0, level,
                       (int)(i % MS_PALETTE_SIZE), space, space + n));
    }
  }
  return MS_SUCCESS;
}

/* Of each joint axis, the loops of all levels; dashed as the balance has them. */
static void plot_loops(const ms_study *s, const ms_task *task, const ms_result_table *loops) {
  const ms_forced_options *o = task->options;
  enum { MOST = 12 };
  ms_plot panel[2 * MOST];
  char title[MOST][80], where[MOST][96], label[64];
  int n = 0;
  snprintf(label, sizeof label, "%%s %s", ms_load_unit(&o->harmonic.load));
  for (int j = 0; j < ms_structure_count_joints(s->structure); j++) {
    const char *joint = ms_structure_get_joint_name(s->structure, j);
    const int axes = ms_joint_info(ms_structure_get_joint(s->structure, j))->n_axis;
    for (int a = 0; a < axes && n < MOST; a++, n++) {
      snprintf(title[n], sizeof title[n], axes > 1 ? "%.50s, axis %d" : "%.50s", joint, a + 1);
      snprintf(where[n], sizeof where[n], "joint=%.64s,axis=%d", joint, a + 1);
      panel[2 * n] = (ms_plot)MS_PANEL(title[n], "displacement", "force", .by = "level", .most = 5,
                                       .label = label, .where = where[n], .style = MS_SERIES_LINE);
      panel[2 * n + 1] = panel[2 * n];
      panel[2 * n + 1].y = "force_balance";
      panel[2 * n + 1].over = 1;
      panel[2 * n + 1].style = MS_SERIES_DASHED;
      panel[2 * n + 1].label = "";
    }
  }
  ms_result_plot(task->result, "Hysteresis loops of the joints at the largest response",
                 "The area of a loop is the energy dissipated per cycle. Where the force by the "
                 "harmonics (dashed) leaves the loop, more harmonics are required.",
                 loops, 2 * n, panel);
}

/* ---- all of it ---- */

ms_status ms_forced_result(ms_study *s, ms_task *task) {
  const ms_forced_product *p = task->product;
  ms_result *result = task->result;
  tables t = { 0 };
  MS_TRY(create_all(s, task, &t));
  for (ptrdiff_t i = 0; i < p->n; i++) MS_TRY(fill_tables(s, &t, &p->run[i]));
  set_values(s, task);
  answer(s, task);
  const ptrdiff_t n = ms_result_table_rows(t.points);
  if (n > 0) {
    ms_figure *figure = NULL;
    double *space = NULL;
    ms_status status = ms_figure_create(s->ctx, "Frequency response", NULL, &figure);
    if (status == MS_SUCCESS) status = ms_allocate(s->ctx, 2 * n, sizeof *space, &space);
    if (status == MS_SUCCESS) status = draw_curves(s, task, space, n, figure);
    ms_free(s->ctx, &space);
    ms_result_fail_page(result, status);
    ms_result_take_figure(result,
                          "Peaks move to lower frequencies as joints slip. Where a curve folds "
                          "back, the response jumps; a real structure does not follow unstable "
                          "motion (dashed).",
                          &figure);
    ms_result_feature_figure(result, MS_HEAD_PERIODIC);
    if (t.loops) plot_loops(s, task, t.loops);
  }
  ms_result_show_table(result, t.levels, "Levels: largest response, folds and residuals");
  ms_result_show_table(result, t.peaks, "Peaks of the first sensor");
  ms_result_show_table(result, t.folds, "Folds: points at which a curve turns back");
  ms_result_show_table(result, t.harmonics,
                       "Convergence of the largest response with the number of harmonics");
  return MS_SUCCESS;
}
