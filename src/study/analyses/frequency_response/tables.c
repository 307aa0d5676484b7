/* Tables and summary of a frequency response. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/frequency_response/frequency_response.h"

/* A table of the analysis; %s in the columns stands for the unit of a level. */
static ms_status create(ms_study *s, const ms_task *task, const char *ending, const char *columns,
                        ms_result_table **out) {
  const ms_forced_product *p = task->product;
  char name[96], text[512];
  snprintf(name, sizeof name, "%.80s%s", task->name, ending);
  snprintf(text, sizeof text, "level [%s],%s", ms_harmonic_level_unit(&p->options), columns);
  return ms_result_table_create(s, name, text, out);
}

static ms_status create_all(ms_study *s, const ms_task *task, ms_forced_product *p) {
  MS_TRY(create(s, task, "",
                "omega [rad/s],mode,q [m sqrt(kg)],phase [rad],loss [J],higher,residual,repeat,"
                "iterations,stability:word,multiplier",
                &p->points));
  MS_TRY(create(s, task, "_sensors",
                "omega [rad/s],sensor:word,displacement [m],velocity [m/s],acceleration [m/s^2],"
                "phase [rad],peak_displacement [m],peak_velocity [m/s],peak_acceleration [m/s^2]",
                &p->sensors));
  MS_TRY(create(s, task, "_levels",
                "points,complete:word,reason:word,folds,missed,evaluations,rejected,residual,"
                "peak_omega [rad/s],peak_displacement [m],peak_at:word,peaks",
                &p->levels));
  MS_TRY(create(s, task, "_folds",
                "omega [rad/s],omega_is:word,displacement [m],phase [rad],q [m sqrt(kg)],"
                "depth",
                &p->folds));
  MS_TRY(create(s, task, "_peaks",
                "omega [rad/s],displacement [m],phase [rad],q [m sqrt(kg)],loss [J],stability:word",
                &p->peaks));
  if (p->refine > 0.0) {
    MS_TRY(create(s, task, "_harmonics",
                  "harmonics,times,omega [rad/s],peak_displacement [m],change,residual,"
                  "settled:word",
                  &p->harmonics));
  }
  if (p->n_joint == 0) return MS_SUCCESS;
  MS_TRY(create(s, task, "_joints",
                "omega [rad/s],joint:word,axis,displacement [m],peak_displacement [m],force [N],"
                "loss [J],amplitude [m]",
                &p->joints));
  return create(s, task, "_loops", "joint:word,axis,displacement [m],force [N],force_balance [N]",
                &p->loops);
}

/* ---- rows ---- */

static ms_status add_point(ms_study *s, const ms_forced_product *p, double level, const double *c) {
  return ms_result_table_add_row(
      s->ctx, p->points, level, c[MS_FORCED_OMEGA], c[MS_FORCED_MODE], c[MS_FORCED_Q],
      c[MS_FORCED_PHASE], c[MS_FORCED_D], c[MS_FORCED_HIGHER], c[MS_FORCED_RESIDUAL],
      c[MS_FORCED_REPEAT], c[MS_FORCED_ITERATIONS],
      ms_harmonic_stability_word((ms_stability)(int)c[MS_FORCED_STABILITY]),
      c[MS_FORCED_MULTIPLIER]);
}

static ms_status add_sensors(ms_study *s, const ms_forced_product *p, double level,
                             const double *point) {
  double omega = point[MS_FORCED_OMEGA];
  for (ptrdiff_t k = 0; k < p->options.n_sensor; k++) {
    const double *x = ms_forced_sensor(p, point, k);
    const char *name = ms_structure_get_name(s->structure, p->options.sensor[k]);
    MS_TRY(ms_result_table_add_row(s->ctx, p->sensors, level, omega, name, x[0], omega * x[0],
                                   omega * omega * x[0], x[1], x[2], x[3], x[4]));
  }
  return MS_SUCCESS;
}

/* The loss is the whole joint's: it stands with the first axis. */
static ms_status add_joints(ms_study *s, const ms_forced_product *p, double level,
                            const double *point) {
  int axis = 0;
  for (int j = 0; j < p->n_joint; j++) {
    int n = ms_joint_info(ms_structure_get_joint(s->structure, j))->n_axis;
    for (int a = 0; a < n; a++, axis++) {
      const double *z = ms_forced_axis(p, point, axis);
      MS_TRY(ms_result_table_add_row(s->ctx, p->joints, level, point[MS_FORCED_OMEGA],
                                     ms_structure_get_joint_name(s->structure, j), a + 1.0, z[0],
                                     z[1], z[3], a == 0 ? ms_forced_loss(p, point, j) : 0.0, z[2]));
    }
  }
  return MS_SUCCESS;
}

static ms_status add_loops(ms_study *s, const ms_forced_product *p, double level,
                           const double *loop) {
  const ptrdiff_t L = MS_FORCED_LOOP;
  for (int j = 0; j < p->n_joint; j++) {
    int n = ms_joint_info(ms_structure_get_joint(s->structure, j))->n_axis;
    for (int a = 0; a < n; a++, loop += 3 * L) {
      for (ptrdiff_t i = 0; i < L; i++) {
        MS_TRY(ms_result_table_add_row(s->ctx, p->loops, level,
                                       ms_structure_get_joint_name(s->structure, j), a + 1.0,
                                       loop[i], loop[i + L], loop[i + 2 * L]));
      }
    }
  }
  return MS_SUCCESS;
}

static ms_status add_refinement(ms_study *s, const ms_forced_product *p, double level,
                                const ms_forced_level *l) {
  int n = (int)l->count[MS_FORCED_REFINED];
  for (int i = 0; i < n; i++) {
    const ms_harmonic_row *r = &l->refined[i];
    int settled = i == n - 1 && l->count[MS_FORCED_SETTLED] != 0.0;
    MS_TRY(ms_result_table_add_row(s->ctx, p->harmonics, level, (double)r->harmonics,
                                   (double)r->times, r->omega, r->peak, r->change, r->residual,
                                   settled ? "yes" : "no"));
  }
  return MS_SUCCESS;
}

static ms_status add_turn(ms_study *s, const ms_forced_product *p, ptrdiff_t level, ptrdiff_t k) {
  const double *point = ms_forced_point(p, level, k), *sensor = ms_forced_sensor(p, point, 0);
  const double omega = point[MS_FORCED_OMEGA], load = p->options.level[level];
  const int turn = (int)point[MS_FORCED_TURN];
  if (turn & MS_HARMONIC_FOLD) {
    const double depth = point[MS_FORCED_DEPTH];
    MS_TRY(ms_result_table_add_row(s->ctx, p->folds, load, omega,
                                   depth < 0.0 ? "smallest" : "largest", sensor[0], sensor[1],
                                   point[MS_FORCED_Q], fabs(depth)));
  }
  if (!(turn & MS_HARMONIC_PEAK)) return MS_SUCCESS;
  return ms_result_table_add_row(
      s->ctx, p->peaks, load, omega, sensor[0], sensor[1], point[MS_FORCED_Q], point[MS_FORCED_D],
      ms_harmonic_stability_word((ms_stability)(int)point[MS_FORCED_STABILITY]));
}

static ms_status add_level(ms_study *s, const ms_forced_product *p, ptrdiff_t i) {
  const ms_forced_level *l = &p->level[i];
  const double *c = l->count;
  const int some = c[MS_FORCED_POINTS] > 0.0;
  const double *peak = some ? ms_forced_point(p, i, (ptrdiff_t)c[MS_FORCED_PEAK]) : NULL;
  return ms_result_table_add_row(
      s->ctx, p->levels, p->options.level[i], c[MS_FORCED_POINTS],
      c[MS_FORCED_COMPLETE] != 0.0 ? "yes" : "no", l->reason, c[MS_FORCED_FOLDS],
      c[MS_FORCED_MISSED], c[MS_FORCED_EVALUATIONS], c[MS_FORCED_REJECTED], c[MS_FORCED_WORST],
      some ? peak[MS_FORCED_OMEGA] : 0.0, some ? ms_forced_sensor(p, peak, 0)[0] : 0.0,
      !some                          ? "none"
      : ms_forced_peaks_at_end(p, i) ? "end"
                                     : "maximum",
      c[MS_FORCED_PEAKS]);
}

ms_status ms_forced_tabulate(ms_study *s, ms_task *task) {
  ms_forced_product *p = task->product;
  MS_TRY(create_all(s, task, p));
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) {
    const ms_forced_level *l = &p->level[i];
    double level = p->options.level[i];
    MS_TRY(add_level(s, p, i));
    if (p->harmonics) MS_TRY(add_refinement(s, p, level, l));
    if (p->loops && l->loop) MS_TRY(add_loops(s, p, level, l->loop));
    for (ptrdiff_t k = 0; k < (ptrdiff_t)l->count[MS_FORCED_POINTS]; k++) {
      const double *point = ms_forced_point(p, i, k);
      MS_TRY(add_point(s, p, level, point));
      MS_TRY(add_sensors(s, p, level, point));
      MS_TRY(add_turn(s, p, i, k));
      if (p->joints) MS_TRY(add_joints(s, p, level, point));
    }
  }
  return MS_SUCCESS;
}

/* ---- summary.json ---- */

static int count_unstable(const ms_forced_product *p, ptrdiff_t level) {
  int n = 0;
  for (ptrdiff_t k = 0; k < (ptrdiff_t)p->level[level].count[MS_FORCED_POINTS]; k++) {
    n += (int)ms_forced_point(p, level, k)[MS_FORCED_STABILITY] == MS_UNSTABLE;
  }
  return n;
}

static void summarise_level(const ms_study *s, const ms_forced_product *p, ptrdiff_t i,
                            ms_json *json) {
  const ms_forced_level *l = &p->level[i];
  const double *c = l->count;
  ms_json_begin_object(json, NULL);
  ms_json_add_number(json, "level", p->options.level[i]);
  ms_json_add_integer(json, "points", (long long)c[MS_FORCED_POINTS]);
  ms_json_add_bool(json, "complete", c[MS_FORCED_COMPLETE] != 0.0);
  ms_json_add_text(json, "reason", l->reason);
  ms_json_add_integer(json, "folds", (long long)c[MS_FORCED_FOLDS]);
  ms_json_add_integer(json, "shallow_folds", (long long)c[MS_FORCED_SHALLOW]);
  ms_json_add_integer(json, "missed", (long long)c[MS_FORCED_MISSED]);
  ms_json_add_integer(json, "unstable", count_unstable(p, i));
  ms_json_add_number(json, "residual", c[MS_FORCED_WORST]);
  if (c[MS_FORCED_POINTS] > 0.0) {
    const double *peak = ms_forced_point(p, i, (ptrdiff_t)c[MS_FORCED_PEAK]);
    ms_json_begin_object(json, "peak");
    ms_json_add_text(json, "sensor", ms_structure_get_name(s->structure, p->options.sensor[0]));
    ms_json_add_number(json, "omega", peak[MS_FORCED_OMEGA]);
    ms_json_add_number(json, "displacement", ms_forced_sensor(p, peak, 0)[0]);
    ms_json_add_number(json, "loss", peak[MS_FORCED_D]);
    ms_json_add_bool(json, "at_end", ms_forced_peaks_at_end(p, i));
    ms_json_end(json);
  }
  if (p->refine > 0.0) {
    ms_json_add_bool(json, "settled", c[MS_FORCED_SETTLED] != 0.0);
    int n = (int)c[MS_FORCED_REFINED];
    if (n > 0) ms_json_add_integer(json, "harmonics_enough", l->refined[n - 1].harmonics);
  }
  ms_json_end(json);
}

void ms_forced_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_forced_product *p = task->product;
  const ms_harmonic_setting *setting = &p->options.setting;
  double worst = 0.0;
  int partial = 0;
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) {
    partial += p->level[i].count[MS_FORCED_COMPLETE] == 0.0;
  }
  ms_json_add_integer(json, "harmonics", setting->harmonics);
  ms_json_add_integer(json, "times", setting->times);
  ms_json_add_number(json, "tolerance", setting->tolerance);
  ms_json_add_text(json, "level_unit", ms_harmonic_level_unit(&p->options));
  ms_json_add_integer(json, "partial", partial);
  ms_json_begin_array(json, "levels");
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) {
    double residual = p->level[i].count[MS_FORCED_WORST];
    if (residual > worst) worst = residual;
    summarise_level(s, p, i, json);
  }
  ms_json_end(json);
  ms_json_add_number(json, "worst_residual", worst);
}
