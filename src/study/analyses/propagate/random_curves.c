/* Curves of frequency and damping for many values of random parameters, over the study's threads
   and processes. Points go in lots; a lot is a job, which is kept when it ends. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/propagate/random_curves.h"
#include "study/model/loads.h"
#include "study/analyses/shared/time_options.h"

enum { LOT = 16 };

/* ---- options ---- */

static ms_status read_modes(const ms_study *s, struct fy_node *node, ms_random_curves *c) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  MS_TRY(ms_read_modes(s, node, &c->mode, &c->n_mode));
  for (int i = 0; i < c->n_mode; i++) {
    if (stuck.omega[c->mode[i]] > 0.0) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "mode %d is a rigid-body mode: it has no frequency", c->mode[i] + 1);
  }
  return MS_SUCCESS;
}

static ms_status read_amplitudes(const ms_study *s, struct fy_node *node, ms_random_curves *c) {
  MS_TRY(ms_read_amplitudes(s, node, s->units.length * sqrt(s->units.mass), &c->q, &c->n_level));
  for (ptrdiff_t i = 1; i < c->n_level; i++) {
    if (c->q[i] > c->q[i - 1]) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "amplitudes must rise");
  }
  return MS_SUCCESS;
}

ms_status ms_random_check(ms_study *s, ms_task *task) {
  ms_random_options o = { 0 };
  ms_random_curves *c;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c, &c));
  task->product = c;
  MS_TRY(ms_options_read_task(s, task, &o));
  MS_TRY(ms_random_read(s, task, o.random, &c->joints));
  MS_TRY(read_modes(s, o.modes, c));
  MS_TRY(read_amplitudes(s, o.amplitudes, c));
  c->samples = o.samples;
  c->seed = (uint64_t)o.seed;
  return ms_study_refuse_curved(s, task->key, MS_QUASISTATIC_MODE);
}

void ms_random_close_task(ms_study *s, ms_task *task) {
  ms_random_curves *c = task->product;
  ms_random_close(s, &c->joints);
  ms_free(s->ctx, &c->mode);
  ms_free(s->ctx, &c->q);
  ms_free(s->ctx, &c->p);
  ms_free(s->ctx, &c->y);
  ms_free(s->ctx, &c->answered);
  ms_free(s->ctx, &task->product);
}

int ms_random_task_needs(const ms_task *task, const ms_task *other) {
  const ms_random_curves *c = task->product;
  return ms_random_needs(&c->joints, other);
}

/* ---- the run ---- */

static ptrdiff_t width(const ms_random_curves *c) {
  return 2 * c->n_level * c->n_mode;
}

const double *ms_random_value(const ms_random_curves *c, ptrdiff_t point, int mode, ptrdiff_t level,
                              int damping) {
  return c->y + width(c) * point + c->n_level * (2 * mode + damping) + level;
}

static ms_status reserve(ms_study *s, ptrdiff_t count, ms_random_curves *c) {
  c->count = count;
  MS_TRY(ms_allocate(s->ctx, c->joints.n * count, sizeof *c->p, &c->p));
  MS_TRY(ms_allocate(s->ctx, width(c) * count, sizeof *c->y, &c->y));
  return ms_allocate(s->ctx, count, sizeof *c->answered, &c->answered);
}

/* Earlier analyses have left their distributions on the first process only. */
ms_status ms_random_begin(ms_study *s, ptrdiff_t count, ms_random_curves *c) {
  ms_status status = ms_study_is_first(s) ? ms_random_gather(s, &c->joints) : MS_SUCCESS;
  MS_TRY(ms_context_agree(s->ctx, status));
  MS_TRY(ms_study_share(s, 0, c->joints.d, (size_t)c->joints.n * sizeof *c->joints.d));
  return ms_context_agree(s->ctx, reserve(s, count, c));
}

static ms_status open_model(ms_worker *w, const ms_random_curves *c, ms_backbone_model **out) {
  ms_curve_request *request;
  MS_TRY(ms_allocate(w->ctx, c->n_mode, sizeof *request, &request));
  for (int k = 0; k < c->n_mode; k++) {
    request[k] = (ms_curve_request) { c->mode[k], c->n_level, c->q };
  }
  ms_status status =
      ms_backbone_model_create(w->structure, c->joints.n, c->joints.free, c->n_mode, request, out);
  ms_free(w->ctx, &request);
  return status;
}

/* A point without an answer is left out, and counted. */
static ms_status eval_point(ms_worker *w, ms_backbone_model *model, ms_random_curves *c,
                            ptrdiff_t i) {
  const size_t bytes = (size_t)c->n_level * sizeof(double);
  ms_status status = ms_backbone_model_eval(model, c->p + c->joints.n * i, 0);
  if (status == MS_NOT_CONVERGED) ms_context_clear_message(w->ctx);
  if (status != MS_SUCCESS) return status == MS_NOT_CONVERGED ? MS_SUCCESS : status;
  for (int k = 0; k < c->n_mode; k++) {
    const ms_curve_values v = ms_backbone_model_curve(model, k);
    double *y = c->y + width(c) * i + 2 * c->n_level * k;
    memcpy(y, v.omega, bytes);
    memcpy(y + c->n_level, v.zeta, bytes);
  }
  c->answered[i] = 1;
  return MS_SUCCESS;
}

static ptrdiff_t end_of(const ms_random_curves *c, ptrdiff_t job) {
  return LOT * (job + 1) < c->count ? LOT * (job + 1) : c->count;
}

static ms_status run_lot(ms_worker *w, ptrdiff_t job, void *user) {
  ms_random_curves *c = user;
  ms_backbone_model *model = NULL;
  ms_context_set_progress(w->ctx, NULL, NULL); /* levels would tell theirs far too often */
  MS_TRY(open_model(w, c, &model));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = LOT * job; i < end_of(c, job) && status == MS_SUCCESS; i++) {
    status = eval_point(w, model, c, i);
  }
  ms_backbone_model_destroy(&model);
  return status;
}

static ptrdiff_t save_lot(const void *user, ptrdiff_t job, double *values) {
  const ms_random_curves *c = user;
  const ptrdiff_t first = LOT * job, n = end_of(c, job) - first;
  for (ptrdiff_t i = 0; values && i < n; i++) values[i] = c->answered[first + i];
  if (values) {
    memcpy(values + n, c->y + width(c) * first, (size_t)(width(c) * n) * sizeof *values);
  }
  return n * (1 + width(c));
}

static ms_status load_lot(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  ms_random_curves *c = user;
  const ptrdiff_t first = LOT * job, points = end_of(c, job) - first;
  if (n != points * (1 + width(c))) return ms_fail(ctx, MS_ERR_FORMAT, "no lot of these points");
  for (ptrdiff_t i = 0; i < points; i++) c->answered[first + i] = values[i] != 0.0;
  memcpy(c->y + width(c) * first, values + points, (size_t)(width(c) * points) * sizeof *values);
  return MS_SUCCESS;
}

ms_status ms_random_run(ms_study *s, const char *what, ms_random_curves *c) {
  const ms_jobs jobs = {
    .n = (c->count + LOT - 1) / LOT, .run = run_lot, .save = save_lot, .load = load_lot, .user = c
  };
  return ms_pool_share_jobs(s, what, &jobs);
}

/* ---- figures ---- */

static ms_status add_figure(const ms_study *s, const ms_random_curves *c, int mode,
                            const ms_panel panel[2], const char *caption, ms_random_series_fn add,
                            ms_page *page) {
  char title[64];
  ms_figure *figure;
  snprintf(title, sizeof title, "Mode %d", c->mode[mode] + 1);
  MS_TRY(ms_figure_create(s->ctx, title, NULL, &figure));
  ms_status status = MS_SUCCESS;
  for (int k = 0; k < 2 && status == MS_SUCCESS; k++) {
    status = ms_figure_add_panel(figure, &panel[k]);
    if (status == MS_SUCCESS) status = add(s, c, mode, k, figure);
  }
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, caption, figure);
  ms_figure_destroy(&figure);
  return status;
}

ms_status ms_random_figures(const ms_study *s, const ms_random_curves *c,
                            const char *const label[2], const char *const unit[2],
                            const char *caption, ms_random_series_fn add, ms_page *page) {
  const ms_panel panel[2] = {
    { "Frequency", "modal amplitude |q|", "m sqrt(kg)", label[0], unit[0], 1, 0 },
    { "Damping", "modal amplitude |q|", "m sqrt(kg)", label[1], unit[1], 1, 0 }
  };
  for (int k = 0; k < c->n_mode; k++) {
    MS_TRY(add_figure(s, c, k, panel, caption, add, page));
  }
  return MS_SUCCESS;
}
