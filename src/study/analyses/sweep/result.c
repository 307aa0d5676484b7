/* What a sweep ends in: resonances, transfer functions and envelopes of its runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/sweep/sweep.h"

/* ---- units ---- */

enum { MODAL, PLACE, ROTATION };

static int kind_of(const ms_sweep_product *p) {
  return !p->placed ? MODAL : p->turns ? ROTATION : PLACE;
}

static const char *response_unit(const ms_sweep_product *p) {
  static const char *const unit[] = { [MODAL] = "m sqrt(kg)", [PLACE] = "m", [ROTATION] = "rad" };
  return unit[kind_of(p)];
}

/* Acceleration of the response over the load: on a base, a modal one, a moment, a force. */
static const char *transfer_unit(const ms_sweep_product *p) {
  static const char *const unit[3][4] = {
    [MODAL] = { "sqrt(kg)", NULL, "1/(m sqrt(kg))", "1/sqrt(kg)" },
    [PLACE] = { NULL, "1/sqrt(kg)", "1/(kg m)", "1/kg" },
    [ROTATION] = { "rad/m", "rad/(m sqrt(kg))", "rad/(kg m^2)", "rad/(kg m)" },
  };
  const int load = p->load.iota                         ? 0
                   : strcmp(p->load.place, "mode") == 0 ? 1
                   : p->load.moment                     ? 2
                                                        : 3;
  return unit[kind_of(p)][load];
}

/* ---- tables ---- */

typedef struct tables {
  ms_result_table *points, *transfer, *envelope, *runs;
} tables;

static ms_status create(ms_study *s, const ms_task *task, tables *t) {
  const ms_sweep_product *p = task->product;
  const char *unit = ms_load_unit(&p->load), *response = response_unit(p), *of = transfer_unit(p);
  char columns[400], transfer[32];
  snprintf(transfer, sizeof transfer, of ? " [%s]" : "%s", of ? of : "");
  snprintf(columns, sizeof columns,
           "mode,level [%s],direction:word,time [s],q [m sqrt(kg)],omega [rad/s],zeta,zeta_joint,"
           "zeta_viscous,zeta_half,zeta_phase,omega_half [rad/s],omega_peak [rad/s],height%s,"
           "response [%s],rate [Hz/s],severity,quality",
           unit, transfer, response);
  MS_TRY(ms_task_add_table(s, task, "", columns, &t->points));
  snprintf(columns, sizeof columns, "level [%s],direction:word,f [Hz],magnitude%s,phase [deg]",
           unit, transfer);
  MS_TRY(ms_task_add_table(s, task, "_transfer", columns, &t->transfer));
  snprintf(columns, sizeof columns, "level [%s],direction:word,f [Hz],response [%s]", unit,
           response);
  MS_TRY(ms_task_add_table(s, task, "_envelope", columns, &t->envelope));
  snprintf(columns, sizeof columns,
           "level [%s],direction:word,steps,evaluations per step,newton residual,input [J],"
           "dissipated in joints [J],viscous [J],balance / input,remark:word",
           unit);
  return ms_task_add_table(s, task, "_runs", columns, &t->runs);
}

static ms_status add_run(ms_study *s, const ms_sweep_product *p, const ms_sweep_run *r,
                         const tables *t) {
  const ms_transient_energy *e = &r->energy;
  const ms_sweep *w = &r->sweep;
  const char *way = ms_sweep_direction(r);
  const double steps = (double)r->count.steps;
  for (ptrdiff_t i = 0; i < r->n_line; i++) {
    const double *line = r->line + 3 * i;
    MS_TRY(ms_result_table_add_row(s->ctx, t->transfer, r->level, way, line[0], line[1], line[2]));
  }
  for (ptrdiff_t i = 0; i < r->n_row; i++) {
    const double *row = r->row + 2 * i;
    MS_TRY(ms_result_table_add_row(s->ctx, t->envelope, r->level, way, row[0], row[1]));
  }
  MS_TRY(ms_result_table_add_row(s->ctx, t->runs, r->level, way, steps,
                                 steps > 0.0 ? (double)r->count.evaluations / steps : 0.0,
                                 r->count.residual, e->input, e->dissipated, e->viscous,
                                 e->input != 0.0 ? e->balance / e->input : 0.0, r->remark));
  if (w->n == 0) return MS_SUCCESS;
  const ms_decay_point at = ms_sweep_get_resonance(r);
  const double joint = ms_structure_get_excess_damping(s->structure, p->mode, at.omega, at.zeta);
  return ms_result_table_add_row(s->ctx, t->points, p->mode + 1.0, r->level, way, at.time, at.q,
                                 at.omega, at.zeta, joint, at.zeta - joint, w->zeta_half,
                                 w->zeta_phase, w->omega_half, w->omega_peak, w->height, w->point.q,
                                 w->rate, w->severity, w->point.quality);
}

/* ---- figures ---- */

/* Curves of one direction, by level. */
static ms_plot plot_runs(const char *title, const char *y, const char *label, int down) {
  return (ms_plot) { .title = title,
                     .x = "f",
                     .y = y,
                     .x_label = "frequency",
                     .y_label = strcmp(y, "magnitude") == 0 ? "|G|" : NULL,
                     .y_log = strcmp(y, "phase") != 0,
                     .by = "level",
                     .most = MS_PALETTE_SIZE,
                     .label = label,
                     .where = down ? "direction=down" : "direction=up",
                     .style = down ? MS_SERIES_DASHED : MS_SERIES_LINE };
}

static void plot(const ms_sweep_product *p, const tables *t, ms_result *result) {
  static const ms_plot mode[] = {
    { .title = "Frequency",
      .x = "q",
      .y = "omega",
      .x_label = "modal amplitude |q|",
      .x_log = 1,
      .by = "direction",
      .style = MS_SERIES_LINE_POINTS },
    { .title = "Damping",
      .x = "q",
      .y = "zeta",
      .x_label = "modal amplitude |q|",
      .x_log = 1,
      .y_log = MS_LOG_IF_POSITIVE,
      .by = "direction",
      .style = MS_SERIES_LINE_POINTS },
  };
  char label[2][48], title[32];
  ms_plot envelope[2], transfer[4];
  const int n = (int)p->n_way;
  for (int w = 0; w < n; w++) {
    const int down = p->down[w];
    snprintf(label[w], sizeof label[w], "%%s %s, %s", ms_load_unit(&p->load), down ? "down" : "up");
    envelope[w] = plot_runs(down ? "Down" : "Up", "response", label[w], down);
    envelope[w].x_label = "sweep frequency";
    transfer[w] = plot_runs("Magnitude", "magnitude", label[w], down);
    transfer[n + w] = plot_runs("Phase", "phase", label[w], down);
    transfer[w].over = transfer[n + w].over = w > 0;
  }
  snprintf(title, sizeof title, "Mode %d", p->mode + 1);
  ms_result_plot(result, "Envelope of the response", NULL, t->envelope, n, envelope);
  ms_result_plot(result, "Transfer function of the relative motion", NULL, t->transfer, 2 * n,
                 transfer);
  ms_result_plot(result, title, NULL, t->points, 2, mode);
}

ms_status ms_sweep_result(ms_study *s, ms_task *task) {
  const ms_sweep_product *p = task->product;
  ms_result *r = task->result;
  double worst = 0.0;
  tables t;
  MS_TRY(create(s, task, &t));
  for (ptrdiff_t i = 0; i < p->n_run; i++) {
    MS_TRY(add_run(s, p, &p->run[i], &t));
    if (p->run[i].sweep.n > 0) worst = fmax(worst, p->run[i].sweep.severity);
  }
  ms_result_set_integer(r, "mode", p->mode + 1);
  ms_result_set_text(r, "method", p->plan.method);
  ms_result_set_number(r, "step", "s", p->plan.step);
  ms_result_set_integer(r, "steps", p->plan.steps);
  ms_result_set_integer(r, "runs", p->n_run);
  ms_result_set_integer(r, "points", ms_result_table_rows(t.points));
  ms_result_set_number(r, "participation", NULL, p->plan.settings.participation);
  ms_result_set_number(r, "severity", NULL, worst);
  ms_result_set_flag(r, "too_fast", worst > MS_SWEEP_LIMIT);
  if (ms_result_table_rows(t.points) == 0) {
    ms_result_say(r, "No run has a resonance that can be read; the table of runs says why.");
  } else {
    ms_result_say(
        r,
        "Sweep rate: |df/dt|/(zeta f)^2 is %.3g at most; %s. Frequencies are where the transfer "
        "function's phase is 90 degrees; zeta is from its height there, zeta_half from its "
        "half-power points, zeta_phase from the slope of its phase: of a linear mode all three "
        "agree, and friction parts them.",
        worst,
        worst > MS_SWEEP_LIMIT
            ? "above 3.6 the response cannot follow: amplitudes come out too low and late, sweep "
              "longer"
            : "below 3.6 the response follows the sweep closely");
    plot(p, &t, r);
  }
  ms_result_show_table(r, t.points, "Resonances");
  ms_result_show_table(r, t.runs, "Runs: energy balance and residuals");
  return MS_SUCCESS;
}
