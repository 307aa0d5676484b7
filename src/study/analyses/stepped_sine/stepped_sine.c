/* stepped_sine: resonance tracked at a list of levels. At each, the frequency is that at which the
   response lags the force by a quarter of a period; force, amplitude and frequency give the
   damping ratio. */
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/shared/curves.h"
#include "study/analyses/stepped_sine/stepped_sine.h"

typedef ms_stepped_options options;
typedef ms_stepped_product product;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ROWS_HARMONIC,
  MS_MODES(options, modes, MS_ELSE("all that are elastic"), "mode numbers from 1"),
  MS_WEIGHTS(options, track, MS_ELSE("the modal coordinate q"),
             "degree of freedom whose phase is held, or several, each with a weight"),
};

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n; i++) ms_stepped_free(s->ctx, &p->run[i]);
  ms_free(s->ctx, &p->run);
  ms_point_table_free(s->ctx, &((options *)task->options)->harmonic.sine);
}

/* ---- options ---- */

/* Rigid-body modes have no resonance: unless they were asked for they are left out. */
static ms_status check(ms_study *s, ms_task *task) {
  options *o = task->options;
  ms_harmonic_options *h = &o->harmonic;
  product *p = task->product;
  struct fy_node *modes = ms_yaml_get(task->node, "modes");
  const double *omega = ms_structure_get_stuck(s->structure).omega;
  MS_TRY(ms_harmonic_use_options(s, task, h, &p->plan.harmonic));
  ms_sort(h->levels.n, h->levels.value);
  p->plan.force = h->load.shape;
  p->plan.level = h->levels.value;
  p->plan.n_level = h->levels.n;
  p->plan.preload = h->preload;
  p->plan.sensor = h->sensors.dof;
  p->plan.n_sensor = h->sensors.n;
  p->plan.track = o->track.value;
  MS_TRY(ms_allocate(s->ctx, o->modes.n, sizeof *p->run, &p->run));
  for (int i = 0; i < o->modes.n; i++) {
    const int mode = o->modes.mode[i];
    if (!modes && !(omega[mode] > 0.0)) continue;
    p->run[p->n++] =
        (ms_stepped_run) { .plan = &p->plan, .mode = mode, .keep = ms_harmonic_run_kept };
    ms_status status = ms_stepped_check(s->ctx, s->structure, &p->plan, mode);
    MS_TRY(ms_yaml_fail_here(&s->yaml, modes ? modes : task->node, status));
  }
  return MS_SUCCESS;
}

/* ---- the jobs ---- */

static ms_status run_mode(ms_worker *worker, ptrdiff_t job, void *user) {
  ms_stepped_run *run = &((product *)user)->run[job];
  run->user = worker;
  return ms_stepped_simulate(worker->ctx, worker->structure, run);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  const ms_jobs jobs = { .run = run_mode,
                         .user = p,
                         MS_ITEMS(p->run, p->n, ms_stepped_save, ms_stepped_load) };
  return ms_pool_run_jobs(s, task->name, &jobs);
}

static ms_status judge(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const product *p = task->product;
  const char *unit = ms_load_unit(&o->harmonic.load);
  char text[400];
  ms_doubt doubt;
  (void)s;
  for (const ms_stepped_run *r = p->run; r < p->run + p->n; r++) {
    for (int i = 0; ms_stepped_warning(r, unit, i, &doubt, text, sizeof text); i++)
      MS_TRY(ms_result_remark(task->result, ms_task_severity(doubt), "%s", text));
  }
  return MS_SUCCESS;
}

/* ---- result ---- */

typedef struct tables {
  ms_result_table *points, *sensors, *joints; /* joints: NULL where there are none */
} tables;

static tables create(const ms_study *s, const ms_task *task) {
  tables t = { NULL };
  const options *o = task->options;
  const char *unit = ms_load_unit(&o->harmonic.load);
  char columns[320];
  snprintf(columns, sizeof columns,
           "mode,level [%s],omega [rad/s],q [m sqrt(kg)],tracked [%s],zeta,zeta_joint,"
           "zeta_viscous,loss [J],higher,residual,repeat,iterations,phase [rad],multiplier,"
           "stability:word",
           unit,
           !o->track.value   ? "m sqrt(kg)"
           : o->track.moment ? "rad"
                             : "m");
  t.points = ms_result_new_table(task->result, "", columns);
  snprintf(columns, sizeof columns,
           "mode,level [%s],omega [rad/s],sensor:word,displacement [m],velocity [m/s],"
           "acceleration [m/s^2]",
           unit);
  t.sensors = ms_result_new_table(task->result, "_sensors", columns);
  if (ms_structure_count_joints(s->structure) == 0) return t;
  snprintf(columns, sizeof columns, "mode,level [%s],omega [rad/s]," MS_HARMONIC_JOINT_COLUMNS,
           unit);
  t.joints = ms_result_new_table(task->result, "_joints", columns);
  return t;
}

static void add_point(const ms_study *s, const tables *t, const ms_stepped_run *r, ptrdiff_t i) {
  const ms_harmonic_point *c = &r->curve.point[i];
  const ms_periodic_motion *x = r->curve.sensor + r->curve.n_sensor * i;
  const double head[] = { r->mode + 1.0, c->level };
  ms_result_put_row(t->points, r->mode + 1.0, c->level, c->omega, c->q, c->response, c->zeta,
                    c->zeta_joint, c->zeta_viscous, c->D, c->higher, c->residual, c->repeat,
                    (double)c->iterations, c->phase, c->multiplier,
                    ms_harmonic_stability_word(c->stability));
  for (ptrdiff_t k = 0; k < r->curve.n_sensor; k++) {
    ms_result_put_row(t->sensors, r->mode + 1.0, c->level, c->omega,
                      ms_structure_get_name(s->structure, r->plan->sensor[k]), x[k].amplitude,
                      c->omega * x[k].amplitude, c->omega * c->omega * x[k].amplitude);
  }
  if (t->joints) ms_harmonic_add_joints(s, t->joints, 2, head, &r->curve, i);
}

static void set_mode(ms_result *result, const ms_stepped_run *r) {
  ms_result_begin(result, NULL);
  ms_result_set_values(result, "mode:count,points:count,complete:flag,reason:word",
                       (double)(r->mode + 1), (double)r->curve.n, (double)r->curve.complete,
                       r->curve.remark);
  ms_result_begin_list(result, "missing");
  for (ptrdiff_t i = 0; i < r->plan->n_level; i++) {
    if (!ms_stepped_has_level(r, i)) ms_result_set_number(result, NULL, NULL, r->plan->level[i]);
  }
  ms_result_end(result);
  ms_result_set_number(result, "residual", NULL, r->curve.worst);
  ms_result_end(result);
}

static ms_status result(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const product *p = task->product;
  ms_result *result = task->result;
  const tables t = create(s, task);
  int partial = 0;
  double worst = 0.0;
  for (const ms_stepped_run *r = p->run; r < p->run + p->n; r++) {
    for (ptrdiff_t i = 0; i < r->curve.n; i++) add_point(s, &t, r, i);
    partial += !r->curve.complete;
    worst = fmax(worst, r->curve.worst);
  }
  ms_result_set_values(result,
                       "harmonics:count,times:count,tolerance,residual,levels:count,"
                       "partial:count",
                       (double)p->plan.harmonic.harmonics, (double)p->plan.harmonic.times,
                       p->plan.harmonic.tolerance, worst, (double)p->plan.n_level, (double)partial);
  ms_result_begin_list(result, "modes");
  for (ptrdiff_t m = 0; m < p->n; m++) set_mode(result, &p->run[m]);
  ms_result_end(result);
  const ms_measured_sine sine = ms_harmonic_get_measured(&o->harmonic);
  ms_sine_match *match;
  ptrdiff_t n;
  MS_TRY(ms_stepped_match(s->ctx, s->structure, &sine, p->n, p->run, &n, &match));
  ms_result_table *measured = ms_harmonic_set_measured(task, &o->harmonic, n, match);
  ms_free(s->ctx, &match);
  const ms_plot curves[] = {
    { .label = "tracked resonance", .style = MS_SERIES_LINE_POINTS },
    { .label = "measured", .style = MS_SERIES_POINTS, .colour = 1, .table = measured },
  };
  const ms_modes_view view = {
    task->kind->title,
    "One point for each level, at phase resonance. A gap, or a curve that ends early, is a level "
    "without a solution.",
    t.points, MS_HEAD_PERIODIC
  };
  ms_result_answer_modes(result, t.points, NULL, o->modes.mode, o->modes.n, MS_HEAD_PERIODIC);
  ms_result_plot_modes(result, &view, o->modes.mode, o->modes.n, measured ? 2 : 1, curves);
  ms_result_show_table(result, measured,
                       "Measured resonances, with damping from the balance of power, and how far "
                       "the computed ones are from them");
  ms_result_show_table(result, t.points, "Resonances at each level");
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_stepped_sine = {
  .name = "stepped_sine",
  .title = "Resonance against load level",
  .meaning =
      "Resonance tracked at a list of levels, as in a laboratory: at each the frequency is that at "
      "which the response is a quarter of a period behind the force. The damping ratio is "
      "F/(2 omega^2 q) of the modal force F.",
  MS_KEYS(keys, options, product),
  .knows_contact = 1,
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_product,
};
