/* sweep: a swept sine through a resonance, up and down, at several levels; frequency and damping
   from the transfer function of the relative motion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/pack.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/time_steps.h"
#include "study/analyses/sweep/sweep.h"

typedef ms_sweep_options options;
typedef ms_sweep_product product;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_AT_OR_BASE(options, load),
  MS_MODE(options, mode, MS_REQUIRED, "the mode that resonates"),
  MS_DOF(options, sensor, MS_ELSE("the modal coordinate"),
         "degree of freedom whose motion, relative to the base, is read"),
  MS_AMPLITUDES(options, levels, NULL, MS_REQUIRED,
                "amplitudes of the load, force or acceleration"),
  MS_NUMBER(options, from, "Hz", MS_POSITIVE, MS_REQUIRED, "lower end of the sweep"),
  MS_NUMBER(options, to, "Hz", MS_POSITIVE, MS_REQUIRED, "upper end of the sweep"),
  MS_NUMBER(options, duration, "s", MS_POSITIVE, MS_REQUIRED, "length of a sweep"),
  MS_NUMBER(
      options, tail, "s", MS_POSITIVE,
      MS_ELSE("7/(zeta omega), or a tenth of the duration where that is longer than the sweep"),
      "time for ringing after it"),
  MS_CHOICE(options, law, "linear|logarithmic", MS_OPTIONAL, "how the frequency changes in time"),
  MS_CHOICES(options, directions, "up|down", MS_OPTIONAL, "directions of the sweeps"),
  MS_NUMBER(options, step, "s", MS_POSITIVE, MS_REQUIRED,
            "time step; at least 10 in the shortest period"),
  MS_ROW_METHOD(options),
  MS_MAPPING(options, measured, ms_measured_sine_keys, MS_ELSE("none"),
             "a swept sine measured at the sensor, drawn over the envelopes"),
  MS_NUMBER(options, smooth, "Hz", MS_NOT_NEGATIVE, MS_DEFAULT(0),
            "width over which spectra are averaged, against noise; 0: none"),
};

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n_run; i++) ms_sweep_run_free(s->ctx, &p->run[i]);
  ms_free(s->ctx, &p->run);
  ms_free(s->ctx, &p->plan.sensor);
  ms_point_table_free(s->ctx, &p->measured);
}

/* ---- options ---- */

enum { MODAL, PLACE, ROTATION };

static int kind_of(const ms_study *s, const options *o) {
  if (o->sensor == MS_GROUND) return MODAL;
  return ms_name_is_rotation(ms_structure_get_name(s->structure, o->sensor)) ? ROTATION : PLACE;
}

static ms_status check(ms_study *s, ms_task *task) {
  static const char *const laws[] = { "linear", "logarithmic" };
  static const ms_sweep_settings usual = MS_SWEEP_DEFAULT;
  const options *o = task->options;
  product *p = task->product;
  ms_sweep_plan *plan = &p->plan;
  const ms_key_source source = ms_options_source(s);
  const int n_way = o->directions.n;
  const double factor = ms_load_factor(&s->units, &o->load);
  *plan = (ms_sweep_plan) { .shape = o->load.shape,
                            .from = o->from,
                            .to = o->to,
                            .duration = o->duration,
                            .step = o->step,
                            .law = laws[o->law],
                            .method = ms_time_methods[o->method],
                            .settings = usual };
  plan->settings.smooth = o->smooth;
  plan->settings.start = 0.0;
  plan->settings.end = o->duration;
  plan->settings.input = o->load.iota ? MS_SWEEP_BASE : MS_SWEEP_FORCE;
  MS_TRY(ms_check_method(s, ms_yaml_get(task->node, "method"), plan->method));
  if (!(ms_structure_get_stuck(s->structure).omega[o->mode] > 0.0)) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "mode"), MS_ERR_BOUNDS,
                        "mode %d is rigid and does not resonate", o->mode + 1);
  }
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *plan->sensor,
                     &plan->sensor));
  ms_status status = ms_sweep_set_sensor(s->ctx, s->structure, o->mode, o->sensor, plan);
  MS_TRY(ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, "sensor"), status));
  status = ms_sweep_set_participation(s->ctx, s->structure, o->mode, plan);
  MS_TRY(ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, o->load.place), status));
  status = ms_sweep_set_steps(s->ctx, s->structure, o->mode, o->tail, plan);
  MS_TRY(ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, o->from < o->to ? "step" : "to"),
                           status));
  if (o->measured && kind_of(s, o) != PLACE) {
    return ms_yaml_fail(&s->yaml, o->measured, MS_ERR_ARGUMENT,
                        "what was measured is a translation: name its degree of freedom as sensor");
  }
  if (o->measured) MS_TRY(ms_sine_read(&source, o->measured, "file", 0, &p->measured));
  MS_TRY(ms_allocate(s->ctx, o->levels.n * n_way, sizeof *p->run, &p->run));
  for (ptrdiff_t i = 0; i < o->levels.n * n_way; i++) {
    p->run[p->n_run++] = (ms_sweep_run) { .plan = plan,
                                          .level = factor * o->levels.value[i / n_way],
                                          .down = o->directions.index[i % n_way] };
  }
  return MS_SUCCESS;
}

/* ---- the runs ---- */

static ms_status run_one(ms_worker *worker, ptrdiff_t job, void *user) {
  return ms_sweep_simulate(worker->ctx, worker->structure, &((product *)user)->run[job]);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  const ms_jobs jobs = { .run = run_one,
                         .user = p,
                         MS_ITEMS(p->run, p->n_run, ms_sweep_save, ms_sweep_load) };
  return ms_pool_run_jobs(s, task->name, &jobs);
}

static const char *direction_of(const ms_sweep_run *run) {
  return run->down ? "down" : "up";
}

static const ms_transient_quality *get_quality(const void *user, ptrdiff_t i, const char **source) {
  const product *p = user;
  *source = direction_of(&p->run[i]);
  return &p->run[i].quality;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const product *p = task->product;
  char text[240];
  MS_TRY(ms_steps_judge_runs(s, task, p->n_run, get_quality, p));
  if (ms_structure_count_joints(s->structure) == 0) return MS_SUCCESS;
  const int fast = ms_sweep_warning(p->n_run, p->run, text, sizeof text);
  return fast ? ms_task_doubt(s, task, "%s", text) : MS_SUCCESS;
}

/* ---- units ---- */

/* Acceleration of the response over the load: on a base, a moment, a force. */
static const char *const response_unit[] = { "m sqrt(kg)", "m", "rad" };
static const char *const transfer_unit[3][3] = {
  [MODAL] = { " [sqrt(kg)]", " [1/(m sqrt(kg))]", " [1/sqrt(kg)]" },
  [PLACE] = { "", " [1/(kg m)]", " [1/kg]" },
  [ROTATION] = { " [rad/m]", " [rad/(kg m^2)]", " [rad/(kg m)]" },
};

/* ---- tables ---- */

typedef struct tables {
  ms_result_table *points, *transfer, *envelope, *runs, *measured; /* measured: NULL if none is */
} tables;

static void create(ms_study *s, const ms_task *task, tables *t) {
  const options *o = task->options;
  const int kind = kind_of(s, o);
  const char *unit = ms_load_unit(&o->load), *response = response_unit[kind];
  const char *transfer = transfer_unit[kind][o->load.iota ? 0 : o->load.moment ? 1 : 2];
  char columns[400];
  snprintf(columns, sizeof columns,
           "mode,level [%s],direction:word,time [s],q [m sqrt(kg)],omega [rad/s],zeta,zeta_joint,"
           "zeta_viscous,zeta_half,zeta_phase,omega_half [rad/s],omega_peak [rad/s],height%s,"
           "response [%s],rate [Hz/s],severity,quality",
           unit, transfer, response);
  t->points = ms_result_new_table(task->result, "", columns);
  snprintf(columns, sizeof columns, "level [%s],direction:word,f [Hz],magnitude%s,phase [deg]",
           unit, transfer);
  t->transfer = ms_result_new_table(task->result, "_transfer", columns);
  snprintf(columns, sizeof columns, "level [%s],direction:word,f [Hz],response [%s]", unit,
           response);
  t->envelope = ms_result_new_table(task->result, "_envelope", columns);
  snprintf(columns, sizeof columns,
           "level [%s],direction:word,steps,evaluations per step,newton residual,input [J],"
           "dissipated in joints [J],viscous [J],balance / input,remark:word",
           unit);
  t->runs = ms_result_new_table(task->result, "_runs", columns);
  t->measured = NULL;
  if (!o->measured) return;
  t->measured = ms_result_new_table(task->result, "_measured",
                                    "f [Hz],direction:word,level [N],response [m],phase [rad]");
  const ms_point_table *m = &((const product *)task->product)->measured;
  const double *x = m->column;
  const ptrdiff_t c = m->capacity;
  for (ptrdiff_t i = 0; i < m->n; i++) {
    const ptrdiff_t next = i + 1 < m->n ? i + 1 : i;
    const int down = x[next] < x[next > 0 ? next - 1 : 0];
    ms_result_put_row(t->measured, x[i] / 6.28318530717958647693, down ? "down" : "up",
                      x[i + 3 * c], x[i + c], x[i + 2 * c]);
  }
}

static void add_run(ms_study *s, const ms_sweep_run *r, int mode, const tables *t) {
  const ms_transient_energy *e = &r->energy;
  const ms_sweep *w = &r->sweep;
  const char *way = direction_of(r);
  const double steps = (double)r->count.steps;
  for (ptrdiff_t i = 0; i < r->n_line; i++) {
    const double *line = r->line + 3 * i;
    ms_result_put_row(t->transfer, r->level, way, line[0], line[1], line[2]);
  }
  for (ptrdiff_t i = 0; i < r->n_row; i++) {
    const double *row = r->row + 2 * i;
    ms_result_put_row(t->envelope, r->level, way, row[0], row[1]);
  }
  ms_result_put_row(t->runs, r->level, way, steps,
                    steps > 0.0 ? (double)r->count.evaluations / steps : 0.0, r->count.residual,
                    e->input, e->dissipated, e->viscous,
                    e->input != 0.0 ? e->balance / e->input : 0.0, r->remark);
  if (w->n == 0) return;
  const ms_decay_point at = ms_sweep_get_resonance(r);
  const double joint = ms_structure_get_excess_damping(s->structure, mode, at.omega, at.zeta);
  ms_result_put_row(t->points, mode + 1.0, r->level, way, at.time, at.q, at.omega, at.zeta, joint,
                    at.zeta - joint, w->zeta_half, w->zeta_phase, w->omega_half, w->omega_peak,
                    w->height, w->point.q, w->rate, w->severity, w->point.quality);
}

/* ---- figures ---- */

/* Curves of one direction, by level. */
static ms_plot plot_runs(const char *title, const char *y, const char *label, int down) {
  return (ms_plot)MS_PANEL(title, "f", y, .x_label = "frequency",
                           .y_label = strcmp(y, "magnitude") == 0 ? "|G|" : NULL,
                           .y_log = strcmp(y, "phase") != 0, .by = "level", .most = MS_PALETTE_SIZE,
                           .label = label, .where = down ? "direction=down" : "direction=up",
                           .style = down ? MS_SERIES_DASHED : MS_SERIES_LINE);
}

static void plot(const ms_task *task, const tables *t) {
  static const ms_plot curves = { .by = "direction", .style = MS_SERIES_LINE_POINTS };
  const options *o = task->options;
  const ms_modes_view view = {
    task->kind->title,
    "Sweeps up and down should give the same points. Where they lie apart, the sweep is too fast, "
    "or the resonance jumps.",
    t->points, MS_HEAD_DECAY
  };
  char label[2][48];
  ms_plot envelope[4], transfer[4];
  const int n = o->directions.n, each = t->measured ? 2 : 1;
  for (int w = 0; w < n; w++) {
    const int down = o->directions.index[w];
    snprintf(label[w], sizeof label[w], "%%s %s, %s", ms_load_unit(&o->load), down ? "down" : "up");
    envelope[each * w] = plot_runs(down ? "Down" : "Up", "response", label[w], down);
    envelope[each * w].x_label = "sweep frequency";
    if (t->measured) {
      ms_plot *m = &envelope[each * w + 1];
      *m = envelope[each * w];
      m->table = t->measured, m->by = NULL, m->over = 1;
      m->label = "measured", m->style = MS_SERIES_POINTS, m->colour = -1;
    }
    transfer[w] = plot_runs("Magnitude", "magnitude", label[w], down);
    transfer[n + w] = plot_runs("Phase", "phase", label[w], down);
    transfer[w].over = transfer[n + w].over = w > 0;
  }
  ms_result_answer_modes(task->result, t->points, NULL, &o->mode, 1, MS_HEAD_DECAY);
  ms_result_plot_modes(task->result, &view, &o->mode, 1, 1, &curves);
  ms_result_plot(task->result, "Amplitude of the response during the sweep",
                 "The peak moves to lower frequencies as the level rises: the joints soften.",
                 t->envelope, each * n, envelope);
  ms_result_plot(task->result, "Transfer function of the relative motion",
                 "Of a linear structure all curves would be one. The frequency is read where the "
                 "phase is 90 degrees, the damping from the height there.",
                 t->transfer, 2 * n, transfer);
}

static ms_status result(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const product *p = task->product;
  ms_result *r = task->result;
  ptrdiff_t n, fast;
  const double worst = ms_sweep_find_fastest(p->n_run, p->run, &n, &fast);
  tables t;
  create(s, task, &t);
  for (ptrdiff_t i = 0; i < p->n_run; i++) add_run(s, &p->run[i], o->mode, &t);
  ms_result_set_values(r,
                       "mode:count,method:word,step [s],steps:count,runs:count,points:count,"
                       "participation,severity,too_fast:flag",
                       (double)(o->mode + 1), p->plan.method, p->plan.step, (double)p->plan.steps,
                       (double)p->n_run, (double)ms_result_table_rows(t.points),
                       p->plan.settings.participation, worst, (double)(fast > 0));
  if (ms_result_table_rows(t.points) == 0) {
    ms_result_say(r, "No run has a resonance that can be read; see the remarks of the runs.");
  } else {
    plot(task, &t);
    ms_result_say(
        r,
        "Sweep rate: |df/dt|/(zeta f)^2 is %.3g at most; %s. zeta is read from the height "
        "of the transfer function, zeta_half from its half-power points, zeta_phase from "
        "the slope of its phase: of a linear mode all three agree, with friction they "
        "do not.",
        worst,
        fast > 0 ? "above 3.6 the response cannot follow, and amplitudes are too low and "
                   "late; take a longer sweep"
                 : "below 3.6 the response follows the sweep closely");
  }
  ms_result_show_table(r, t.points, "Resonances at each level and direction");
  ms_result_show_table(r, t.runs,
                       "Runs: where the energy went, and how well the equations were solved");
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_sweep = {
  .name = "sweep",
  .title = "Swept sine through a resonance",
  .meaning =
      "A swept sine through a resonance, in time, up and down and at several levels. The transfer "
      "function of the motion relative to the base, or of the motion under the force, gives "
      "frequency and total damping at the amplitude that was reached.",
  MS_KEYS(keys, options, product),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_product,
};
