/* The search of `update`: fits from several starts, the first at the file's own numbers. Starts are
   jobs for threads and processes. Where every evaluation reduces finite elements anew they follow
   each other, and the other processes do their part in each reduction. */
#include <math.h>
#include <string.h>

#include "study/analyses/update/update.h"

#define EQUAL   1e-6 /* sums of squares that differ by less are the same */
#define AS_GOOD 1.0  /* sums of squares that differ by less cannot be told apart by the data */

/* ---- the model ---- */

/* With several processes: the numbers at which all reduce, or that it is over. */
static ms_status call(const ms_study *s, const ms_update *u, int *go, double *p) {
  const ms_communicator *comm = ms_context_get_communicator(s->ctx);
  if (!u->reduces || comm->size == 1) return MS_SUCCESS;
  ms_status status = comm->broadcast(comm->self, go, sizeof *go, 0);
  if (status == MS_SUCCESS && *go) {
    status = comm->broadcast(comm->self, p, (size_t)u->n * sizeof *p, 0);
  }
  if (status == MS_SUCCESS) return status;
  return ms_fail(s->ctx, status, "the processes have lost each other");
}

static ms_status build(const ms_study *s, const ms_update *u, ms_context *ctx, const double *p,
                       ms_structure **out) {
  ms_place_value value[MS_UPDATE_PLACES];
  for (ptrdiff_t i = 0; i < u->n_place; i++) {
    const ms_update_place *place = &u->place[i];
    value[i] = (ms_place_value) { place->path, place->ratio * p[place->unknown] };
  }
  if (u->reduces) ms_context_join(ctx); /* also after an evaluation that has failed */
  return ms_variant_build(s, ctx, u->reduces, u->n_place, value, out);
}

ms_status ms_update_build_variant(void *user, const double *p, ms_structure **out) {
  ms_update_builder *b = user;
  const ms_update *u = b->update;
  double copy[MS_UPDATE_UNKNOWNS];
  int go = 1;
  if (u->reduces) {
    double part = (double)b->builds / (double)(b->builds + 20); /* it is not known how many */
    b->builds++;
    ms_status status =
        ms_progress(b->study->ctx, u->task->name, ((double)b->start + part) / (double)u->starts);
    if (status != MS_SUCCESS) return ms_fail(b->ctx, status, "stopped");
  }
  memcpy(copy, p, (size_t)u->n * sizeof *p);
  MS_TRY(call(b->study, u, &go, copy));
  return build(b->study, u, b->ctx, p, out);
}

/* ---- starts ---- */

static ms_update_model model_of(const ms_update *u, ms_update_builder *builder) {
  return (ms_update_model) { u->n, u->bound, ms_update_build_variant, builder };
}

static ms_fit_problem problem_of(const ms_update *u, ms_updating *on) {
  return (ms_fit_problem) { .n = u->n,
                            .m = ms_updating_count_residuals(on),
                            .parameter = u->bound,
                            .eval = ms_updating_eval,
                            .user = on,
                            .has_jacobian = !u->reduces };
}

/* Solvers of finite elements leave a residual that a small step would magnify. */
static ms_fit_setting setting_of(const ms_update *u) {
  ms_fit_setting setting = MS_FIT_DEFAULT;
  setting.seed = u->seed;
  if (u->reduces) {
    setting.step = 1e-4;
    setting.tolerance = 1e-8;
    setting.max_evaluations = 100;
  }
  return setting;
}

static ms_status fit_from(ms_context *ctx, ms_update *u, ms_updating *on, ptrdiff_t job) {
  const ms_fit_problem problem = problem_of(u, on);
  const ms_fit_setting setting = setting_of(u);
  double *p = u->fits.found + u->n * job;
  memcpy(p, u->start, (size_t)u->n * sizeof *p);
  if (job > 0) MS_TRY(ms_fit_get_start(ctx, &problem, &setting, u->starts - 1, job - 1, p));
  return ms_fit_from(ctx, &problem, &setting, p, &u->fits.local[job]);
}

static ms_status run_start(ms_worker *w, ptrdiff_t job, void *user) {
  ms_update *u = user;
  ms_update_builder builder = { .study = w->study, .update = u, .ctx = w->ctx, .start = job };
  ms_update_model model = model_of(u, &builder);
  ms_updating *own = NULL;
  MS_TRY(ms_updating_create(w->ctx, &model, &u->measured, u->start, &own));
  ms_status status = fit_from(w->ctx, u, own, job);
  ms_updating_destroy(&own);
  return status;
}

static ptrdiff_t save_start(const void *user, ptrdiff_t job, double *values) {
  const ms_update *u = user;
  return ms_starts_save(&u->fits, job, values);
}

static ms_status load_start(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                            ptrdiff_t n) {
  ms_update *u = user;
  return ms_starts_load(ctx, &u->fits, job, values, n);
}

static ms_status run_in_turn(ms_study *s, ms_update *u, ms_update_builder *builder) {
  MS_TRY(ms_starts_open(s->ctx, u->n, u->starts, u->bound, &u->fits));
  for (ptrdiff_t job = 0; job < u->starts; job++) {
    builder->start = job;
    builder->builds = 0;
    MS_TRY(fit_from(u->ctx, u, u->main, job));
  }
  return ms_progress(s->ctx, u->task->name, 1.0);
}

/* By all processes, where they have no reduction to do together. */
static ms_status share_starts(ms_study *s, ms_update *u) {
  const ms_jobs jobs = {
    .n = u->starts, .run = run_start, .save = save_start, .load = load_start, .user = u
  };
  MS_TRY(ms_starts_open(s->ctx, u->n, u->starts, u->bound, &u->fits));
  return ms_pool_share_jobs(s, u->task->name, &jobs);
}

static ms_status help_reduce(ms_study *s, const ms_update *u) {
  double p[MS_UPDATE_UNKNOWNS];
  ms_allocator allocator = ms_context_get_allocator(s->ctx);
  for (int go = 1;;) {
    ms_context *ctx = NULL;
    ms_structure *structure = NULL;
    MS_TRY(call(s, u, &go, p));
    if (!go) return MS_SUCCESS;
    if (ms_context_create(&allocator, &ctx) != MS_SUCCESS) {
      return ms_fail(s->ctx, MS_ERR_MEMORY, "out of memory for a model");
    }
    build(s, u, ctx, p, &structure); /* whether it failed the first process judges */
    ms_structure_destroy(&structure);
    ms_context_destroy(&ctx);
  }
}

ms_status ms_update_help(ms_study *s, ms_task *task) {
  ms_update *u = task->product;
  return u->reduces ? help_reduce(s, u) : share_starts(s, u);
}

/* ---- the best ---- */

const double *ms_update_best(const ms_update *u) {
  return u->fits.found + u->n * u->best;
}

/* Of equals the first, which began nearest to the file's numbers. */
static ms_status find_best(ms_update *u) {
  const ms_fit_local *l = u->fits.local;
  u->best = ms_starts_find_best(&u->fits, EQUAL);
  if (u->best < 0) {
    return ms_fail_at(u->ctx, MS_NOT_CONVERGED, "none of %td starts could be evaluated", u->starts);
  }
  u->agree = ms_starts_count_agreeing(&u->fits, u->best);
  for (ptrdiff_t k = 0; k < u->starts && u->other < 0; k++) {
    if (l[k].end != MS_FIT_CONVERGED || ms_starts_agree(&u->fits, k, u->best)) continue;
    if (l[k].sum < l[u->best].sum + AS_GOOD) u->other = k;
  }
  return MS_SUCCESS;
}

/* ---- judged, with residuals in units of what they scatter by ---- */

static ms_status eval_scaled(void *user, const double *p, double *r, double *jac) {
  const ms_update *u = user;
  ptrdiff_t m = ms_updating_count_residuals(u->main);
  MS_TRY(ms_updating_eval(u->main, p, r, jac));
  for (ptrdiff_t i = 0; i < m; i++) r[i] /= u->scatter;
  for (ptrdiff_t i = 0; jac && i < m * u->n; i++) jac[i] /= u->scatter;
  return MS_SUCCESS;
}

static ms_status judge(ms_update *u) {
  ms_fit_problem problem = problem_of(u, u->main);
  ms_fit_setting setting = setting_of(u);
  ptrdiff_t rest = problem.m > u->n ? problem.m - u->n : 1;
  u->scatter = fmax(1.0, sqrt(u->fits.local[u->best].sum / (double)rest));
  problem.eval = eval_scaled;
  problem.user = u;
  setting.known_noise = 1;
  return ms_fit_judge(u->ctx, &problem, &setting, ms_update_best(u), &u->judgement);
}

/* ---- before and after ---- */

static ms_status keep_look(ms_update *u, const double *p, int after, ms_mode_pair **pair) {
  MS_TRY(ms_allocate(u->ctx, u->measured.n, sizeof **pair, pair));
  MS_TRY(ms_updating_look(u->main, p, *pair));
  ms_mac_view view = ms_updating_get_mac(u->main);
  u->n_mac[after] = view.n_column;
  MS_TRY(ms_allocate(u->ctx, view.n_column, sizeof(double), &u->model_omega[after]));
  memcpy(u->model_omega[after], view.omega, (size_t)view.n_column * sizeof(double));
  if (!view.mac) return MS_SUCCESS;
  ptrdiff_t size = view.n_row * view.n_column;
  MS_TRY(ms_allocate(u->ctx, size, sizeof(double), &u->mac[after]));
  memcpy(u->mac[after], view.mac, (size_t)size * sizeof(double));
  return MS_SUCCESS;
}

static ms_status search(ms_study *s, ms_update *u) {
  ms_update_builder builder = { .study = s, .update = u, .ctx = u->ctx };
  ms_update_model model = model_of(u, &builder);
  MS_TRY(ms_updating_create(u->ctx, &model, &u->measured, u->start, &u->main));
  ms_status status = keep_look(u, u->start, 0, &u->before);
  if (status == MS_SUCCESS) status = u->reduces ? run_in_turn(s, u, &builder) : share_starts(s, u);
  if (status == MS_SUCCESS) status = find_best(u);
  if (status == MS_SUCCESS) status = judge(u);
  if (status == MS_SUCCESS) status = keep_look(u, ms_update_best(u), 1, &u->after);
  ms_updating_destroy(&u->main);
  return status;
}

ms_status ms_update_search(ms_study *s, ms_task *task) {
  ms_update *u = task->product;
  ms_allocator allocator = ms_context_get_allocator(s->ctx);
  double none[MS_UPDATE_UNKNOWNS];
  int go = 0;
  if (ms_context_create(&allocator, &u->ctx) != MS_SUCCESS) {
    return ms_fail(s->ctx, MS_ERR_MEMORY, "out of memory for a model");
  }
  ms_status status = search(s, u);
  if (status != MS_SUCCESS && *ms_context_message(u->ctx)) {
    ms_fail(s->ctx, status, "%s", ms_context_message(u->ctx));
  }
  ms_status told = call(s, u, &go, none);
  return status == MS_SUCCESS ? told : status;
}
