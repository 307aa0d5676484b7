/* stepped_sine: resonance tracked at a list of levels. At each, the frequency is that at which the
   response lags the force by a quarter of a period; force, amplitude and frequency give the
   damping ratio. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/analyses/stepped_sine/stepped_sine.h"
#include "study/analyses/shared/time_options.h"

typedef struct options {
  ms_harmonic_given given; /* first: see analyses/shared/harmonic.h */
  struct fy_node *modes, *track;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_ROWS_HARMONIC,
  MS_ROW_MODES(options, MS_ELSE("all that are elastic")),
  MS_FORMS(options, track, "word, list or mapping", MS_ELSE("the modal coordinate q"),
           "degree of freedom whose phase is held, or several, each with a weight"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static void close_product(ms_study *s, ms_task *task) {
  ms_stepped *p = task->product;
  for (int i = 0; p->track && i < p->n_mode; i++) ms_free(s->ctx, &p->track[i].row);
  ms_free(s->ctx, &p->track);
  ms_free(s->ctx, &p->weights);
  ms_free(s->ctx, &p->mode);
  ms_harmonic_free_options(s->ctx, &p->options);
  ms_free(s->ctx, &task->product);
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

static ms_status check_modes(const ms_study *s, struct fy_node *node, const ms_stepped *p) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  ms_modes stuck = ms_structure_get_stuck(s->structure);
  for (int i = 0; i < p->n_mode; i++) {
    double force = 0.0, size = 0.0;
    for (ptrdiff_t k = 0; k < n; k++) {
      double part = stuck.shape[k + n * p->mode[i]] * p->options.load.shape[k];
      force += part;
      size += fabs(part);
    }
    if (stuck.omega[p->mode[i]] == 0.0) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                          "mode %d is a rigid-body mode and has no resonance", p->mode[i] + 1);
    }
    if (fabs(force) <= 1e-9 * size || size == 0.0) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "the load does no work on mode %d",
                          p->mode[i] + 1);
    }
  }
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  options o = { 0 };
  ms_stepped *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  MS_TRY(ms_options_read_task(s, task, &o));
  MS_TRY(ms_harmonic_make_options(s, task, &o.given, &p->options));
  qsort(p->options.level, (size_t)p->options.n_level, sizeof *p->options.level, compare);
  MS_TRY(ms_read_modes(s, o.modes, &p->mode, &p->n_mode));
  if (!o.modes) leave_out_rigid(s, p);
  MS_TRY(check_modes(s, o.modes ? o.modes : task->node, p));
  if (!o.track) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *p->weights, &p->weights));
  return ms_read_at(s, o.track, p->weights, &p->turns);
}

/* ---- the jobs ---- */

static ms_status read_sensors(const ms_stepped *p, ms_context *ctx, ptrdiff_t n, ms_harmonic *h,
                              const ms_harmonic_curve *curve, ptrdiff_t i, double *row) {
  const ms_harmonic_options *o = &p->options;
  const ptrdiff_t P = 2 * (ptrdiff_t)o->setting.harmonics + 1;
  double *weights;
  MS_TRY(ms_allocate(ctx, n + P, sizeof *weights, &weights));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < o->n_sensor && status == MS_SUCCESS; k++) {
    weights[o->sensor[k]] = 1.0;
    status = ms_harmonic_recover(h, curve, i, weights, weights + n);
    row[k] = ms_harmonic_amplitude(weights + n);
    weights[o->sensor[k]] = 0.0;
  }
  ms_free(ctx, &weights);
  return status;
}

static void read_point(const ms_harmonic_point *c, double *row) {
  const double values[MS_TRACK_POINT] = { c->level,        c->omega,      c->q,
                                          c->response,     c->zeta,       c->zeta_joint,
                                          c->zeta_viscous, c->D,          c->higher,
                                          c->residual,     c->repeat,     c->iterations,
                                          c->phase,        c->multiplier, (double)c->stability };
  memcpy(row, values, sizeof values);
}

int ms_stepped_is_met(const ms_stepped *p, const ms_track *t, ptrdiff_t i) {
  for (ptrdiff_t k = 0; k < t->n; k++) {
    if (t->row[p->width * k] == p->options.level[i]) return 1;
  }
  return 0;
}

ptrdiff_t ms_stepped_count_missing(const ms_stepped *p, const ms_track *t) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < p->options.n_level; i++) n += !ms_stepped_is_met(p, t, i);
  return n;
}

/* A track may come to its end and have missed levels on its way. */
static void explain(const ms_stepped *p, const ms_harmonic_curve_info *info, ms_track *t) {
  const ptrdiff_t missing = ms_stepped_count_missing(p, t);
  t->complete = info->complete && missing == 0;
  t->ended = info->ended;
  snprintf(t->reason, sizeof t->reason, "%s", info->reason);
  if (!info->complete || missing == 0) return;
  snprintf(t->reason, sizeof t->reason, "%td levels were passed but not solved", missing);
}

/* Only the levels of the list: a laboratory has no others. */
static ms_status read_curve(const ms_stepped *p, ms_worker *w, ms_harmonic *h,
                            const ms_harmonic_curve *curve, ms_track *t) {
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  t->evaluations = (double)info.evaluations;
  t->worst = info.worst;
  MS_TRY(ms_allocate(w->ctx, p->width * info.points, sizeof *t->row, &t->row));
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *c = ms_harmonic_curve_get_point(curve, i);
    double *row = t->row + p->width * t->n;
    if (c->listed == 0) continue;
    read_point(c, row);
    row[0] = p->options.level[c->listed - 1]; /* the logarithm has rounded it */
    MS_TRY(read_sensors(p, w->ctx, ms_structure_get_size(w->structure), h, curve, i,
                        row + MS_TRACK_POINT));
    ms_harmonic_read_joints(w->structure, p->options.setting.harmonics, curve, i,
                            row + MS_TRACK_POINT + p->options.n_sensor);
    t->n++;
  }
  explain(p, &info, t);
  return MS_SUCCESS;
}

/* What one run tracks. */
typedef struct target {
  int mode;
  const double *weights;
} target;

static ms_status follow(ms_harmonic *h, const ms_harmonic_range *level, const void *user,
                        ms_harmonic_curve **out) {
  const target *t = user;
  return ms_harmonic_run_resonance(h, t->mode, t->weights, MS_HARMONIC_LEVEL, level, out);
}

static ms_status run_mode(ms_worker *worker, ptrdiff_t job, void *user) {
  ms_stepped *p = user;
  const ms_harmonic_options *o = &p->options;
  ms_harmonic_range range = {
    .from = o->level[0], .to = o->level[o->n_level - 1], .list = o->level, .n_list = o->n_level
  };
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  ms_status status = ms_harmonic_open(worker->structure, o, &h);
  if (status == MS_SUCCESS) {
    const target t = { p->mode[job], p->weights };
    status = ms_harmonic_run_kept(worker, h, &range, follow, &t, &curve);
  }
  if (status == MS_NOT_CONVERGED && !curve) {
    snprintf(p->track[job].reason, MS_TRACK_REASON, "%.230s", ms_context_message(worker->ctx));
    ms_context_clear_message(worker->ctx);
    status = MS_SUCCESS;
  } else if (status == MS_SUCCESS) {
    status = read_curve(p, worker, h, curve, &p->track[job]);
  }
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  return status;
}

/* ---- what is kept of a job ---- */

enum { N_HEAD = 5 };

static ptrdiff_t save_track(const void *user, ptrdiff_t job, double *to) {
  const ms_stepped *p = user;
  const ms_track *t = &p->track[job];
  ptrdiff_t size = N_HEAD + MS_TRACK_REASON + p->width * t->n;
  if (!to) return size;
  const double head[N_HEAD] = { (double)t->n, t->complete, t->evaluations, t->worst, t->ended };
  memcpy(to, head, sizeof head);
  for (int i = 0; i < MS_TRACK_REASON; i++) to[N_HEAD + i] = t->reason[i];
  if (t->n > 0)
    memcpy(to + N_HEAD + MS_TRACK_REASON, t->row, (size_t)(p->width * t->n) * sizeof *to);
  return size;
}

static ms_status load_track(ms_context *ctx, void *user, ptrdiff_t job, const double *from,
                            ptrdiff_t n) {
  ms_stepped *p = user;
  ms_track t = { .n = 0 };
  ptrdiff_t rest = n - N_HEAD - MS_TRACK_REASON;
  if (rest < 0 || from[0] * (double)p->width != (double)rest) {
    return ms_fail(ctx, MS_ERR_FORMAT, "it is of another run");
  }
  t = (ms_track) { .n = (ptrdiff_t)from[0],
                   .complete = from[1] != 0.0,
                   .ended = from[4] != 0.0,
                   .evaluations = from[2],
                   .worst = from[3] };
  for (int i = 0; i < MS_TRACK_REASON - 1; i++) t.reason[i] = (char)from[N_HEAD + i];
  if (t.n > 0) MS_TRY(ms_allocate(ctx, rest, sizeof *t.row, &t.row));
  if (t.n > 0) memcpy(t.row, from + N_HEAD + MS_TRACK_REASON, (size_t)rest * sizeof *from);
  p->track[job] = t;
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_stepped *p = task->product;
  ms_jobs jobs = {
    .n = p->n_mode, .run = run_mode, .save = save_track, .load = load_track, .user = p
  };
  p->n_axis = ms_harmonic_count_axes(s->structure);
  p->width = MS_TRACK_POINT + p->options.n_sensor + MS_HARMONIC_AXIS * (ptrdiff_t)p->n_axis +
             ms_structure_count_joints(s->structure);
  MS_TRY(ms_allocate(s->ctx, p->n_mode, sizeof *p->track, &p->track));
  MS_TRY(ms_pool_run_jobs(s, task->name, &jobs));
  return ms_stepped_tabulate(s, task);
}

/* ---- how it ended ---- */

/* The lowest level where the motion does not oscillate any more; 0 if there is none. */
static double find_overdamped(const ms_stepped *p, const ms_track *t) {
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (t->row[p->width * i + MS_TRACK_ZETA] > 1.0) return t->row[p->width * i];
  }
  return 0.0;
}

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_stepped *p = task->product;
  for (int m = 0; m < p->n_mode; m++) {
    const ms_track *t = &p->track[m];
    const ptrdiff_t missing = ms_stepped_count_missing(p, t);
    const double overdamped = find_overdamped(p, t);
    if (!t->complete) {
      MS_TRY((t->ended && t->n > 0 ? ms_task_note : ms_task_give_up)(
          s, task, "mode %d has no solution at %td of %td levels: %s", p->mode[m] + 1, missing,
          p->options.n_level, t->reason));
    }
    if (overdamped == 0.0) continue;
    MS_TRY(ms_task_doubt(s, task,
                         "mode %d has damping ratios above 1 from level %g %s on: the motion does "
                         "not oscillate",
                         p->mode[m] + 1, overdamped, ms_harmonic_level_unit(&p->options)));
  }
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_stepped_sine = {
  .name = "stepped_sine",
  .meaning =
      "Resonance tracked at a list of levels, as in a laboratory: at each the frequency is that at "
      "which the response is a quarter of a period behind the force. The damping ratio is "
      "F/(2 omega^2 q) of the modal force F.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = judge,
  .summarise = ms_stepped_summarise,
  .report = ms_stepped_report,
  .close = close_product,
};
