#include "study/analyses/shared/curves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/tolerance.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/shared/time_steps.h"

ms_status ms_curves_check_steps(const ms_study *s, struct fy_node *node, const ms_curves *c) {
  const double *omega = ms_structure_get_stuck(s->structure).omega;
  for (ptrdiff_t i = 0; ms_study_knows_modes(s) && i < c->n_run; i++) {
    const ms_pulse_run *run = &c->run[i];
    for (int m = 0; m < run->n_mode; m++) {
      MS_TRY(ms_steps_check_mode(s, node, &run->time, run->mode[m], omega[run->mode[m]]));
    }
    if (!run->load) MS_TRY(ms_steps_check_pulse(s, node, &run->time, ms_pulse_length(run)));
  }
  return MS_SUCCESS;
}

static ms_status simulate(ms_worker *w, ptrdiff_t job, void *user) {
  ms_curves *c = user;
  return ms_pulse_simulate(w->ctx, w->structure, &c->run[job]);
}

static ms_jobs jobs_of(ms_job_fn run, ms_curves *c) {
  return (ms_jobs) { .run = run ? run : simulate,
                     .user = c,
                     MS_ITEMS(c->run, c->n_run, ms_pulse_save, ms_pulse_load) };
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

/* ---- tables ---- */

static void tabulate_curve(const ms_study *study, const ms_curves *c, const ms_curve *k,
                           ms_result_table *table) {
  ms_sensor at = { c->channel, MS_GROUND, 1.0 };
  if (!c->channel) at = ms_sensor_find(study->structure, c->sensor, k->mode);
  for (ptrdiff_t p = 0; p < k->decay->n; p++) {
    const ms_decay_point *d = &k->decay->point[p];
    double joint = ms_structure_get_excess_damping(study->structure, k->mode, d->omega, d->zeta);
    ms_result_put_row(table, k->mode + 1.0, k->source, d->time, d->q, d->omega, d->zeta, joint,
                      d->zeta - joint, d->velocity, d->acceleration, d->quality, at.name,
                      at.shape * d->q, at.shape * d->velocity, at.shape * d->acceleration);
  }
}

/* One row for every point, as it is modally and at the sensor. */
static ms_result_table *tabulate(const ms_study *study, const ms_task *task, const ms_curves *c) {
  ms_result_table *table = ms_result_new_table(
      task->result, "",
      "mode,source:word,time [s],q [m sqrt(kg)],omega [rad/s],zeta,zeta_joint,"
      "zeta_viscous,velocity [m/s sqrt(kg)],acceleration [m/s^2 sqrt(kg)],quality,"
      "sensor:word,sensor_displacement [m],sensor_velocity [m/s],"
      "sensor_acceleration [m/s^2]");
  for (ptrdiff_t i = 0; i < c->n_curve; i++) tabulate_curve(study, c, &c->curve[i], table);
  return table;
}

/* A row per run: energy balance, residual, what could not be read. */
static ms_result_table *tabulate_runs(const ms_task *task, const ms_curves *c) {
  ms_result_table *table = ms_result_new_table(
      task->result, "_runs",
      "source:word,steps,evaluations per step,newton residual,input [J],"
      "dissipated in joints [J],viscous [J],balance / input,steps in a period,remark:word");
  const ms_curve *first = c->curve; /* of the run */
  for (ptrdiff_t i = 0; i < c->n_run; first += c->run[i].n_mode, i++) {
    const ms_pulse_run *r = &c->run[i];
    const ms_transient_energy *e = &r->energy;
    char remark[512];
    ms_pulse_print_remarks(r, remark, sizeof remark);
    double steps = (double)r->count.steps;
    ms_result_put_row(table, first->source, steps,
                      steps > 0.0 ? (double)r->count.evaluations / steps : 0.0, r->count.residual,
                      e->input, e->dissipated, e->viscous, fmax(0.0, r->quality.balance),
                      isfinite(r->quality.steps) ? r->quality.steps : 0.0, remark);
  }
  return table;
}

/* ---- histories ---- */

static ms_status add_history(ms_context *ctx, ms_figure *figure, const ms_curves *all,
                             const ms_curve *c) {
  char title[160];
  ms_curves_print_title(all, c, title, sizeof title);
  const ms_trace_view view = { .trace = c->trace,
                               .decay = c->decay,
                               .kind = MS_SIGNAL_VELOCITY,
                               .scale = 1.0,
                               .title = title,
                               .y_label = "modal velocity",
                               .y_unit = "m/s sqrt(kg)",
                               .mode = c->mode + 1 };
  return ms_trace_add_panel(ctx, figure, &view);
}

enum { TOGETHER = 2 }; /* modes of a figure, which fits on a page */

/* Of each mode the runs in which it began largest and smallest. */
static ms_status draw_histories(const ms_study *s, const ms_curves *c, const int *mode, int n_mode,
                                ms_figure **figure) {
  int two = 0; /* runs of a mode, beside each other */
  for (int m = 0; m < n_mode; m++) {
    const ms_curve *large = ms_curves_find_extreme(c, mode[m], 1.0);
    const ms_curve *small = ms_curves_find_extreme(c, mode[m], -1.0);
    if (!large) continue;
    if (!*figure) {
      MS_TRY(ms_figure_create(s->ctx, "Modal velocities in time", NULL, figure));
      two = small != large;
      if (two) MS_TRY(ms_figure_set_columns(*figure, 2));
    }
    MS_TRY(add_history(s->ctx, *figure, c, large));
    if (two) {
      MS_TRY(small != large ? add_history(s->ctx, *figure, c, small)
                            : ms_figure_skip_panel(*figure));
    }
  }
  return *figure ? ms_figure_add_first_cycles(*figure) : MS_SUCCESS;
}

/* ---- the result ---- */

ms_status ms_curves_result(ms_study *s, ms_task *task, const int *mode, int n_mode,
                           const char *label, const ms_task *over, const char *caption) {
  const ms_curves *c = task->product;
  ms_result *result = task->result;
  ms_result_table *table = tabulate(s, task, c), *runs = NULL;
  ms_figure *figure = NULL;
  if (c->n_run > 0) {
    runs = tabulate_runs(task, c);
    ms_result_set_values(result, "runs:count,worst_energy_balance", (double)c->n_run,
                         ms_curves_get_balance(c));
  }
  MS_TRY(ms_result_get_status(result));
  ms_result_set_integer(result, "points", ms_result_table_rows(table));
  char only[48], words[800]; /* points that are not valid would set the axes */
  const ptrdiff_t left_out = ms_result_count_invalid(table, mode, n_mode, only, sizeof only);
  const ms_plot curves[] = {
    { .by = label ? NULL : "source",
      .only = left_out > 0 ? only : NULL,
      .most = MS_PALETTE_SIZE,
      .label = label,
      .style = MS_SERIES_POINTS },
    { .table = over ? ms_result_find_table(over->result, "") : NULL,
      .label = over ? over->name : NULL,
      .only = left_out > 0 ? only : NULL,
      .style = MS_SERIES_POINTS,
      .colour = -1 },
  };
  const ms_modes_view view = { task->kind->title, words, table, MS_HEAD_DECAY };
  size_t at = (size_t)snprintf(
      words, sizeof words, "%s",
      caption ? caption
              : "Points of all runs should lie on one curve. Where runs lie apart, other modes "
                "move the joints, too. Scatter at small amplitudes comes from reading the decay.");
  if (!label && c->n_run > MS_PALETTE_SIZE && at < sizeof words)
    at += (size_t)snprintf(words + at, sizeof words - at, " Drawn are %d of the %td runs.",
                           MS_PALETTE_SIZE, c->n_run);
  if (left_out > 0 && at < sizeof words)
    snprintf(words + at, sizeof words - at,
             " Not drawn, as not valid: %td of %td points that do not decay or whose local fit has "
             "a residual above %g %%; tables/%.80s.csv has them.",
             left_out, ms_result_table_rows(table), 100.0 * ms_report_tol.poor_residual,
             ms_result_table_name(table));
  ms_result_answer_modes(result, table, NULL, mode, n_mode, MS_HEAD_DECAY);
  ms_result_plot_modes(result, &view, mode, n_mode, over ? 2 : 1, curves);
  for (int m = 0; m < n_mode; m += TOGETHER) {
    const int left = n_mode - m;
    ms_result_fail_page(result,
                        draw_histories(s, c, mode + m, left < TOGETHER ? left : TOGETHER, &figure));
    ms_result_take_figure(result, MS_TRACE_CAPTION, &figure);
  }
  ms_result_show_table(result, runs,
                       "Runs: where the energy went, and how well the equations were solved");
  return MS_SUCCESS;
}

/* ---- what is doubtful: steps, energy, modes that could not be read ---- */

static const ms_transient_quality *get_quality(const void *user, ptrdiff_t i, const char **source) {
  const ms_curves *c = user;
  *source = ms_curves_get_first(c, i)->source;
  return &c->run[i].quality;
}

static ms_status judge_modes(ms_study *s, ms_task *task, const ms_curves *c) {
  double steps, required;
  const ms_curve *worst = ms_curves_find_coarse(c, &steps, &required);
  if (!worst) return MS_SUCCESS;
  return ms_task_doubt(
      s, task,
      "%s: the time step is too coarse: mode %d, which is read, has %.3g steps in a "
      "period; at least %g are required",
      worst->source, worst->mode + 1, steps, required);
}

/* Of runs for one mode each that mode is the result; of others some may be missing. */
static ms_status judge_unread(ms_study *s, ms_task *task, const ms_curves *c) {
  const ms_curve *curve = c->curve;
  for (ptrdiff_t i = 0; i < c->n_run; curve += c->run[i].n_mode, i++) {
    const ms_pulse_run *run = &c->run[i];
    for (int k = 0; k < run->n_mode; k++) {
      if (run->decay[k].n > 0) continue;
      const char *why = run->remark[k][0] ? run->remark[k] : "there are no rows";
      if (run->n_mode == 1) {
        MS_TRY(ms_task_give_up(s, task, "%s: mode %d could not be read: %s", curve->source,
                               curve[k].mode + 1, why));
      } else {
        MS_TRY(ms_task_note(s, task, "%s: mode %d could not be read: %s", curve->source,
                            curve[k].mode + 1, why));
      }
    }
  }
  return MS_SUCCESS;
}

ms_status ms_curves_judge_steps(ms_study *s, ms_task *task, const ms_curves *c) {
  for (ptrdiff_t i = 0; i < c->n_run; i++) {
    const ms_pulse_run *run = &c->run[i];
    MS_TRY(ms_steps_judge_pulse(s, task, &run->time, ms_pulse_length(run)));
  }
  MS_TRY(ms_steps_judge_runs(s, task, c->n_run, get_quality, c));
  return judge_modes(s, task, c);
}

ms_status ms_curves_judge(ms_study *s, ms_task *task) {
  MS_TRY(ms_curves_judge_steps(s, task, task->product));
  return judge_unread(s, task, task->product);
}
