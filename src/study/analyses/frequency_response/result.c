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

static ms_result_table *create(const ms_task *task, const char *ending, const char *columns) {
  const ms_forced_options *o = task->options;
  char text[512];
  snprintf(text, sizeof text, "level [%s],%s", ms_forced_unit(o), columns);
  return ms_result_new_table(task->result, ending, text);
}

static tables create_all(const ms_study *s, const ms_task *task) {
  tables t = { NULL };
#define POINTS                                                                     \
  "omega [rad/s],mode,q [m sqrt(kg)],phase [rad],loss [J],higher,residual,repeat," \
  "iterations,stability:word,multiplier"
  t.points =
      create(task, "", ((const ms_forced_options *)task->options)->hold ? POINTS ",load" : POINTS);
  t.sensors =
      create(task, "_sensors",
             "omega [rad/s],sensor:word,displacement [m],velocity [m/s],acceleration [m/s^2],"
             "phase [rad],peak_displacement [m],peak_velocity [m/s],peak_acceleration [m/s^2]");
  t.levels = create(task, "_levels",
                    "points,complete:word,reason:word,folds,missed,evaluations,rejected,residual,"
                    "peak_omega [rad/s],peak_displacement [m],peak_at:word,peaks");
  t.folds = create(task, "_folds",
                   "omega [rad/s],omega_is:word,displacement [m],phase [rad],q [m sqrt(kg)],depth");
  t.peaks =
      create(task, "_peaks",
             "omega [rad/s],displacement [m],phase [rad],q [m sqrt(kg)],loss [J],stability:word");
  if (((const ms_forced_options *)task->options)->refine)
    t.harmonics = create(task, "_harmonics",
                         "harmonics,times,omega [rad/s],peak_displacement [m],change,residual,"
                         "settled:word");
  if (ms_structure_count_joints(s->structure) == 0) return t;
  t.joints = create(task, "_joints", "omega [rad/s]," MS_HARMONIC_JOINT_COLUMNS);
  t.loops = create(task, "_loops", "joint:word,axis,displacement [m],force [N],force_balance [N]");
  return t;
}

static void add_point(ms_study *s, const tables *t, const ms_frequency_run *r, ptrdiff_t i) {
  const ms_harmonic_point *c = &r->curve.point[i];
  const ms_periodic_motion *x = r->curve.sensor + r->curve.n_sensor * i;
  ms_result_put_row(t->points, r->level, c->omega, (double)(c->mode + 1), c->q, c->phase, c->D,
                    c->higher, c->residual, c->repeat, (double)c->iterations,
                    ms_harmonic_stability_word(c->stability), c->multiplier, c->level);
  for (ptrdiff_t k = 0; k < r->curve.n_sensor; k++) {
    const double a = x[k].amplitude;
    ms_result_put_row(t->sensors, r->level, c->omega,
                      ms_structure_get_name(s->structure, r->plan->sensor[k]), a, c->omega * a,
                      c->omega * c->omega * a, x[k].phase, x[k].peak[0], x[k].peak[1],
                      x[k].peak[2]);
  }
  if (c->turn & MS_HARMONIC_FOLD) {
    ms_result_put_row(t->folds, r->level, c->omega, r->depth[i] < 0.0 ? "smallest" : "largest",
                      x->amplitude, x->phase, c->q, fabs(r->depth[i]));
  }
  if (!(c->turn & MS_HARMONIC_PEAK)) return;
  ms_result_put_row(t->peaks, r->level, c->omega, x->amplitude, x->phase, c->q, c->D,
                    ms_harmonic_stability_word(c->stability));
}

static void add_loops(ms_study *s, const tables *t, const ms_frequency_run *r) {
  const ptrdiff_t L = MS_FREQUENCY_LOOP;
  const double *loop = r->loop;
  for (int j = 0; j < r->curve.n_joint; j++) {
    int n = ms_joint_info(ms_structure_get_joint(s->structure, j))->n_axis;
    for (int a = 0; a < n; a++, loop += 3 * L) {
      for (ptrdiff_t i = 0; i < L; i++) {
        ms_result_put_row(t->loops, r->level, ms_structure_get_joint_name(s->structure, j), a + 1.0,
                          loop[i], loop[i + L], loop[i + 2 * L]);
      }
    }
  }
}

static void add_level(const tables *t, const ms_frequency_run *r) {
  const ms_periodic *c = &r->curve;
  const int some = c->n > 0;
  for (ptrdiff_t i = 0; i < r->n_refined; i++) {
    const ms_harmonic_row *row = &r->refined[i];
    const int settled = i == r->n_refined - 1 && r->settled;
    ms_result_put_row(t->harmonics, r->level, (double)row->harmonics, (double)row->times,
                      row->omega, row->peak, row->change, row->residual, settled ? "yes" : "no");
  }
  ms_result_put_row(t->levels, r->level, (double)c->n, c->complete ? "yes" : "no", c->remark,
                    (double)r->folds, (double)c->missed, (double)c->evaluations,
                    (double)c->rejected, c->worst, some ? c->point[r->peak].omega : 0.0,
                    some ? c->sensor[c->n_sensor * r->peak].amplitude : 0.0,
                    !some            ? "none"
                    : r->peak_at_end ? "end"
                                     : "maximum",
                    (double)r->peaks);
}

static void fill_tables(ms_study *s, const tables *t, const ms_frequency_run *r) {
  add_level(t, r);
  if (t->loops && r->loop) add_loops(s, t, r);
  for (ptrdiff_t k = 0; k < r->curve.n; k++) {
    add_point(s, t, r, k);
    if (t->joints) ms_harmonic_add_joints(s, t->joints, 1, &r->level, &r->curve, k);
  }
}

/* ---- values ---- */

static void set_level(const ms_study *s, const ms_frequency_run *r, ms_result *result) {
  const ms_periodic *c = &r->curve;
  int unstable = 0;
  for (ptrdiff_t i = 0; i < c->n; i++) unstable += c->point[i].stability == MS_UNSTABLE;
  ms_result_begin(result, NULL);
  ms_result_set_values(result,
                       "level,points:count,complete:flag,reason:word,folds:count,"
                       "shallow_folds:count,missed:count,unstable:count,residual",
                       r->level, (double)c->n, (double)c->complete, c->remark, (double)r->folds,
                       (double)r->shallow, (double)c->missed, (double)unstable, c->worst);
  if (c->n > 0) {
    ms_result_begin(result, "peak");
    ms_result_set_values(result, "sensor:word,omega [rad/s],displacement [m],loss [J],at_end:flag",
                         ms_structure_get_name(s->structure, r->plan->sensor[0]),
                         c->point[r->peak].omega, c->sensor[c->n_sensor * r->peak].amplitude,
                         c->point[r->peak].D, (double)r->peak_at_end);
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
  ms_result_set_values(result,
                       "harmonics:count,times:count,tolerance,level_unit:word,partial:count",
                       (double)p->plan.harmonic.harmonics, (double)p->plan.harmonic.times,
                       p->plan.harmonic.tolerance, ms_forced_unit(o), (double)partial);
  ms_result_begin_list(result, "levels");
  for (ptrdiff_t i = 0; i < p->n; i++) set_level(s, &p->run[i], result);
  ms_result_end(result);
  ms_result_set_values(result, "worst_residual,repeat", worst, repeat);
}

/* Largest responses at the highest and the lowest level. */
static void answer(const ms_study *s, const ms_task *task) {
  const ms_forced_options *o = task->options;
  const ms_forced_product *p = task->product;
  const char *unit = ms_forced_unit(o);
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
    if (o->hold) {
      ms_answer_number(task->result, MS_HEAD_PERIODIC, NULL, ms_load_unit(&o->harmonic.load),
                       c->point[r->peak].level, "Least load that holds %s at %.4g m", sensor,
                       r->level);
    } else {
      ms_answer_number(task->result, MS_HEAD_PERIODIC, NULL, turns ? "rad" : "m",
                       c->sensor[c->n_sensor * r->peak].amplitude, "Largest %s of %s at %.4g %s",
                       turns ? "rotation" : "displacement", sensor, r->level, unit);
    }
    ms_answer_number(task->result, MS_HEAD_PERIODIC, "omega", "rad/s", c->point[r->peak].omega,
                     "Frequency of the %s at %.4g %s", o->hold ? "least load" : "largest response",
                     r->level, unit);
  }
}

/* ---- curves ---- */

typedef enum view { AMPLITUDE, PER_LEVEL, PHASE } view;

/* Stretches that are unstable are dashed. x: space for a curve. */
static ms_status add_curve(ms_figure *figure, view v, const ms_frequency_run *r, double x_unit,
                           const char *label, int colour, double *x) {
  const ms_harmonic_point *point = r->curve.point;
  const ptrdiff_t n = r->curve.n;
  double *y = x + n;
  char *unstable = (char *)(y + n);
  double last = -90.0; /* a curve begins with a lag from -270 to 90 degrees, and has no jumps */
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_periodic_motion *m = &r->curve.sensor[r->curve.n_sensor * i];
    const double degrees = m->phase * 180.0 / pi;
    last = degrees - 360.0 * round((degrees - last) / 360.0);
    x[i] = point[i].omega / x_unit;
    const int hold = r->plan->hold;
    y[i] = v == AMPLITUDE   ? (hold ? point[i].level : m->amplitude)
           : v == PER_LEVEL ? m->amplitude / (hold ? point[i].level : r->level)
                            : last;
    unstable[i] = point[i].stability == MS_UNSTABLE;
  }
  const ms_series curve = { .label = label, .x = x, .y = y, .n = n, .colour = colour };
  MS_TRY(ms_figure_add_stretches(figure, &curve, unstable));
  if (n == 0 || r->curve.complete || v != AMPLITUDE) return MS_SUCCESS;
  return ms_figure_add_note(figure, x[n - 1], y[n - 1], "stopped here");
}

static ms_status draw_curves(const ms_study *s, const ms_task *task, double *space,
                             ms_figure *figure) {
  const ms_forced_options *o = task->options;
  const ms_forced_product *p = task->product;
  const ms_measured_sine measured = ms_harmonic_get_measured(&o->harmonic);
  double low, high;
  ms_frequency_find_range(p->n, p->run, &low, &high);
  const int in_hz = o->frequency.n > 0, log = low > 0.0 && high > 100.0 * low; /* two decades */
  const char *sensor = ms_structure_get_name(s->structure, p->plan.sensor[0]);
  const char *x = in_hz ? "frequency" : "omega", *x_unit = in_hz ? "Hz" : "rad/s";
  const char *unit = ms_forced_unit(o), *load = ms_load_unit(&o->harmonic.load);
  char label[96], per[64], level[64];
  snprintf(label, sizeof label, "%.40s, first harmonic", sensor);
  snprintf(per, sizeof per, strpbrk(load, " /") ? "m/(%s)" : "m/%s", load);
  const ms_panel panel[] = {
    [AMPLITUDE] = { o->hold ? "Load" : "Amplitude", x, x_unit, o->hold ? "load" : label,
                    o->hold ? load : "m", 0, log },
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
                       (int)(i % MS_PALETTE_SIZE), space));
      const ptrdiff_t n = ms_measured_take(&measured, p->run[i].level, (ms_sine_what)v,
                                           in_hz ? 2.0 * pi : 1.0, space, space + measured.n);
      snprintf(level, sizeof level, "%.4g %s, measured", p->run[i].level, unit);
      const ms_series points = {
        level, space, space + measured.n, n, MS_SERIES_POINTS, (int)(i % MS_PALETTE_SIZE)
      };
      if (n > 0) MS_TRY(ms_figure_add_series(figure, &points));
    }
  }
  return MS_SUCCESS;
}

/* ---- all of it ---- */

ms_status ms_forced_result(ms_study *s, ms_task *task) {
  const ms_forced_options *o = task->options;
  const ms_forced_product *p = task->product;
  ms_result *result = task->result;
  const tables t = create_all(s, task);
  for (ptrdiff_t i = 0; i < p->n; i++) fill_tables(s, &t, &p->run[i]);
  MS_TRY(ms_result_get_status(result));
  set_values(s, task);
  answer(s, task);
  const ms_measured_sine measured = ms_harmonic_get_measured(&o->harmonic);
  ms_sine_match *match;
  MS_TRY(ms_frequency_match(s->ctx, &measured, p->n, p->run, &match));
  ms_result_table *resonances = ms_harmonic_set_measured(task, &o->harmonic, p->n, match);
  ms_free(s->ctx, &match);
  const ptrdiff_t n = ms_result_table_rows(t.points);
  if (n > 0) {
    ms_figure *figure = NULL;
    double *space = NULL;
    ms_status status = ms_figure_create(s->ctx, "Frequency response", NULL, &figure);
    if (status == MS_SUCCESS)
      status = ms_allocate(s->ctx, 3 * n + 2 * o->harmonic.sine.n, sizeof *space, &space);
    if (status == MS_SUCCESS) status = draw_curves(s, task, space, figure);
    ms_free(s->ctx, &space);
    ms_result_fail_page(result, status);
    ms_result_take_figure(result,
                          "Peaks move to lower frequencies as joints slip. Where a curve folds "
                          "back, the response jumps; a real structure does not follow unstable "
                          "motion (dashed).",
                          &figure);
    ms_result_feature_figure(result, MS_HEAD_PERIODIC);
    if (t.loops) ms_result_plot_loops(result, t.loops, ms_forced_unit(o));
  }
  ms_result_show_table(result, t.levels, "Levels: largest response, folds and residuals");
  ms_result_show_table(result, t.peaks, "Peaks of the first sensor");
  ms_result_show_table(result, resonances,
                       "Measured: largest responses of the first sensor, and "
                       "how far the computed ones are from them");
  ms_result_show_table(result, t.folds, "Folds: points at which a curve turns back");
  ms_result_show_table(result, t.harmonics,
                       "Convergence of the largest response with the number of harmonics");
  return MS_SUCCESS;
}
