/* Options and run of `propagate` and `sobol`: points over the study's threads and processes. They
   go in lots; a lot is a job, which is kept when it ends. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/propagate/random_curves.h"
#include "study/model/loads.h"
#include "study/analyses/shared/time_options.h"

enum { LOT = 16 };

/* ---- options ---- */

ms_status ms_random_check(ms_study *s, ms_task *task) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  ms_random_options o = { 0 };
  ms_random_task *t;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *t, &t));
  task->product = t;
  ms_random_curves *c = &t->curves;
  MS_TRY(ms_options_read_own(s, task, &o));
  MS_TRY(ms_random_read(s, task, o.random, &t->joints));
  MS_TRY(ms_read_modes(s, o.modes, &t->mode, &c->n_mode));
  for (int i = 0; i < c->n_mode; i++) {
    if (stuck.omega[t->mode[i]] > 0.0) continue;
    return ms_yaml_fail(&s->yaml, o.modes, MS_ERR_BOUNDS,
                        "mode %d is a rigid-body mode: it has no frequency", t->mode[i] + 1);
  }
  MS_TRY(ms_read_amplitudes(s, o.amplitudes, s->units.length * sqrt(s->units.mass), &t->q,
                            &c->n_level));
  for (ptrdiff_t i = 1; i < c->n_level; i++) {
    if (t->q[i] > t->q[i - 1]) continue;
    return ms_yaml_fail(&s->yaml, o.amplitudes, MS_ERR_BOUNDS, "amplitudes must rise");
  }
  c->n = t->joints.n;
  c->parameter = t->joints.free;
  c->distribution = t->joints.d;
  c->mode = t->mode;
  c->q = t->q;
  t->samples = o.samples;
  t->seed = (uint64_t)o.seed;
  return ms_study_refuse_curved(s, task->key, MS_QUASISTATIC_MODE);
}

void ms_random_close_task(ms_study *s, ms_task *task) {
  ms_random_task *t = task->product;
  ms_random_curves_destroy(s->ctx, &t->curves);
  ms_random_close(s, &t->joints);
  ms_free(s->ctx, &t->mode);
  ms_free(s->ctx, &t->q);
  ms_free(s->ctx, &task->product);
}

int ms_random_task_needs(const ms_task *task, const ms_task *other) {
  const ms_random_task *t = task->product;
  return ms_random_needs(&t->joints, other);
}

/* ---- the run ---- */

static ptrdiff_t end_of(const ms_random_curves *c, ptrdiff_t job) {
  return LOT * (job + 1) < c->count ? LOT * (job + 1) : c->count;
}

static ms_status run_lot(ms_worker *w, ptrdiff_t job, void *user) {
  ms_context_set_progress(w->ctx, NULL, NULL); /* levels would tell theirs far too often */
  return ms_random_curves_eval(w->structure, LOT * job, end_of(user, job), user);
}

static ptrdiff_t save_lot(const void *user, ptrdiff_t job, double *values) {
  const ms_random_curves *c = user;
  const ptrdiff_t first = LOT * job, n = end_of(c, job) - first, width = ms_random_curves_width(c);
  for (ptrdiff_t i = 0; values && i < n; i++) values[i] = c->answered[first + i];
  if (values) memcpy(values + n, c->y + width * first, (size_t)(width * n) * sizeof *values);
  return n * (1 + width);
}

static ms_status load_lot(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  ms_random_curves *c = user;
  const ptrdiff_t first = LOT * job, m = end_of(c, job) - first, width = ms_random_curves_width(c);
  if (n != m * (1 + width)) return ms_fail(ctx, MS_ERR_FORMAT, "no lot of these points");
  for (ptrdiff_t i = 0; i < m; i++) c->answered[first + i] = values[i] != 0.0;
  memcpy(c->y + width * first, values + m, (size_t)(width * m) * sizeof *values);
  return MS_SUCCESS;
}

/* Earlier analyses have left their distributions on the first process only. */
ms_status ms_random_evaluate(ms_study *s, ms_task *task, ms_random_draw_fn draw) {
  ms_random_task *t = task->product;
  ms_random_curves *c = &t->curves;
  ms_status status = ms_study_is_first(s) ? ms_random_gather(s, &t->joints) : MS_SUCCESS;
  MS_TRY(ms_context_agree(s->ctx, status));
  MS_TRY(ms_study_share(s, 0, t->joints.d, (size_t)t->joints.n * sizeof *t->joints.d));
  MS_TRY(ms_context_agree(s->ctx, draw(s->ctx, t->samples, t->seed, c)));
  const ms_jobs jobs = {
    .n = (c->count + LOT - 1) / LOT, .run = run_lot, .save = save_lot, .load = load_lot, .user = c
  };
  return ms_pool_share_jobs(s, task->name, &jobs);
}

void ms_random_plot(const ms_random_task *t, ms_result *result, const ms_result_table *table,
                    const char *caption, int n, const ms_plot *panel) {
  enum { MOST = 4 };
  ms_plot of[MOST];
  char where[MOST][64], title[32];
  for (int k = 0; k < t->curves.n_mode; k++) {
    const int mode = t->mode[k] + 1;
    for (int i = 0; i < n && i < MOST; i++) {
      of[i] = panel[i];
      snprintf(where[i], sizeof where[i], "mode=%d%s%s", mode, panel[i].where ? "\n" : "",
               panel[i].where ? panel[i].where : "");
      of[i].where = where[i];
      of[i].x = "q";
      of[i].x_label = "modal amplitude |q|";
      of[i].x_log = 1;
    }
    snprintf(title, sizeof title, "Mode %d", mode);
    ms_result_plot(result, title, caption, table, n, of);
  }
}
