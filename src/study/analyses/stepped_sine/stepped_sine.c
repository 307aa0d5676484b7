/* stepped_sine: resonance tracked at a list of levels. At each, the frequency is that at which the
   response lags the force by a quarter of a period; force, amplitude and frequency give the
   damping ratio. */
#include <stdlib.h>

#include "experiment/pack.h"
#include "study/analyses/stepped_sine/stepped_sine.h"

typedef struct options {
  ms_harmonic_given given; /* first: see analyses/shared/harmonic.h */
  ms_mode_list modes;
  struct fy_node *track;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ROWS_HARMONIC,
  MS_MODES(options, modes, MS_ELSE("all that are elastic"), "mode numbers from 1"),
  MS_FORMS(options, track, "word, list or mapping", MS_ELSE("the modal coordinate q"),
           "degree of freedom whose phase is held, or several, each with a weight"),
};

static void close_product(ms_study *s, ms_task *task) {
  ms_stepped *p = task->product;
  for (int i = 0; p->run && i < p->n_mode; i++) ms_stepped_free(s->ctx, &p->run[i]);
  ms_free(s->ctx, &p->run);
  ms_free(s->ctx, &p->weights);
  ms_harmonic_free_options(s->ctx, &p->options);
}

/* ---- options ---- */

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Rigid-body modes have no resonance: unless they were asked for they are left out. */
static void leave_out_rigid(const ms_study *s, ms_stepped *p) {
  const double *omega = ms_structure_get_stuck(s->structure).omega;
  int n = 0;
  for (int i = 0; i < p->n_mode; i++) {
    if (omega[p->mode[i]] > 0.0) p->mode[n++] = p->mode[i];
  }
  p->n_mode = n;
}

static void plan(ms_stepped *p) {
  const ms_harmonic_options *o = &p->options;
  p->plan = (ms_stepped_plan) { .force = o->load.shape,
                                .level = o->level,
                                .n_level = o->n_level,
                                .preload = o->preload,
                                .sensor = o->sensor,
                                .n_sensor = o->n_sensor,
                                .track = p->weights,
                                .harmonic = o->setting };
}

static ms_status read_track(const ms_study *s, struct fy_node *node, ms_stepped *p) {
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *p->weights, &p->weights));
  return ms_read_at(s, node, p->weights, &p->turns);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  ms_stepped *p = task->product;
  struct fy_node *modes = ms_yaml_get(task->node, "modes");
  MS_TRY(ms_harmonic_make_options(s, task, &o->given, &p->options));
  qsort(p->options.level, (size_t)p->options.n_level, sizeof *p->options.level, compare);
  p->mode = o->modes.mode;
  p->n_mode = o->modes.n;
  if (!modes) leave_out_rigid(s, p);
  MS_TRY(read_track(s, o->track, p));
  plan(p);
  for (int i = 0; i < p->n_mode; i++) {
    ms_status status = ms_stepped_check(s->ctx, s->structure, &p->plan, p->mode[i]);
    if (status == MS_SUCCESS) continue;
    return ms_yaml_fail_here(&s->yaml, modes ? modes : task->node, status);
  }
  return MS_SUCCESS;
}

/* ---- the jobs ---- */

static ms_status run_mode(ms_worker *worker, ptrdiff_t job, void *user) {
  ms_stepped *p = user;
  p->run[job].keep = ms_harmonic_run_kept;
  p->run[job].user = worker;
  return ms_stepped_simulate(worker->ctx, worker->structure, &p->run[job]);
}

static ptrdiff_t save_run(const void *user, ptrdiff_t job, double *values) {
  return ms_stepped_save(&((const ms_stepped *)user)->run[job], values);
}

static ms_status load_run(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  return ms_stepped_load(ctx, &((ms_stepped *)user)->run[job], values, n);
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_stepped *p = task->product;
  const ms_jobs jobs = {
    .n = p->n_mode, .run = run_mode, .save = save_run, .load = load_run, .user = p
  };
  MS_TRY(ms_allocate(s->ctx, p->n_mode, sizeof *p->run, &p->run));
  for (int m = 0; m < p->n_mode; m++) {
    p->run[m] = (ms_stepped_run) { .plan = &p->plan, .mode = p->mode[m] };
  }
  return ms_pool_run_jobs(s, task->name, &jobs);
}

/* ---- how it ended ---- */

/* The lowest level where the motion does not oscillate any more; 0 if there is none. */
static double find_overdamped(const ms_stepped_run *run) {
  for (ptrdiff_t i = 0; i < run->curve.n; i++) {
    if (run->curve.point[i].zeta > 1.0) return run->curve.point[i].level;
  }
  return 0.0;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_stepped *p = task->product;
  for (int m = 0; m < p->n_mode; m++) {
    const ms_stepped_run *r = &p->run[m];
    const double overdamped = find_overdamped(r);
    if (!r->curve.complete) {
      MS_TRY((r->curve.ended && r->curve.n > 0 ? ms_task_note : ms_task_give_up)(
          s, task, "mode %d has no solution at %td of %td levels: %s", r->mode + 1, r->missing,
          p->plan.n_level, r->curve.remark));
    }
    if (overdamped == 0.0) continue;
    MS_TRY(ms_task_doubt(s, task,
                         "mode %d has damping ratios above 1 from level %g %s on: the motion does "
                         "not oscillate",
                         r->mode + 1, overdamped, ms_harmonic_level_unit(&p->options)));
  }
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_stepped_sine = {
  .name = "stepped_sine",
  .meaning =
      "Resonance tracked at a list of levels, as in a laboratory: at each the frequency is that at "
      "which the response is a quarter of a period behind the force. The damping ratio is "
      "F/(2 omega^2 q) of the modal force F.",
  MS_KEYS(keys, options),
  .product_size = sizeof(ms_stepped),
  .check = check,
  .run = run,
  .judge = judge,
  .result = ms_stepped_result,
  .close = close_product,
};
