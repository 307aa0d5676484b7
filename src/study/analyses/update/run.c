/* The search of `update`: fits from several starts, the first at the file's own numbers. Starts are
   jobs for threads and processes. Where every evaluation reduces finite elements anew they follow
   each other, and the other processes do their part in each reduction. */
#include <string.h>

#include "study/analyses/update/update.h"

/* ---- the model ---- */

/* What a model of one thread needs. */
typedef struct builder {
  const ms_study *study;
  const ms_update *update;
  ms_context *ctx;
  ptrdiff_t start, builds; /* for progress, where structures are reduced anew */
} builder;

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
  ms_yaml_value value[MS_UPDATE_PLACES];
  for (ptrdiff_t i = 0; i < u->n_place; i++) {
    const ms_update_place *place = &u->place[i];
    value[i] = (ms_yaml_value) { place->path, place->ratio * p[place->unknown] };
  }
  if (u->reduces) ms_context_join(ctx); /* also after an evaluation that has failed */
  return ms_variant_build(s, ctx, u->reduces, u->n_place, value, out);
}

static ms_status build_variant(void *user, const double *p, ms_structure **out) {
  builder *b = user;
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

static ms_status fit_start(ms_updating *on, ptrdiff_t job, ms_update *u) {
  const ms_update_options *o = u->task->options;
  return ms_updating_fit_start(on, u->reduces, (uint64_t)o->seed, u->start, job, &u->fits);
}

static ms_status run_start(ms_worker *w, ptrdiff_t job, void *user) {
  ms_update *u = user;
  builder b = { .study = w->study, .update = u, .ctx = w->ctx, .start = job };
  const ms_update_model model = { u->n, u->bound, build_variant, &b };
  ms_updating *own = NULL;
  MS_TRY(ms_updating_create(w->ctx, &model, &u->measured.is, u->start, &own));
  ms_status status = fit_start(own, job, u);
  ms_updating_destroy(&own);
  return status;
}

static ptrdiff_t save_start(const void *user, ptrdiff_t job, double *values) {
  return ms_starts_save(&((const ms_update *)user)->fits, job, values);
}

static ms_status load_start(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                            ptrdiff_t n) {
  return ms_starts_load(ctx, &((ms_update *)user)->fits, job, values, n);
}

/* By all processes, where they have no reduction to do together. */
static ms_status share_starts(ms_study *s, ms_update *u) {
  const ms_jobs jobs = {
    .n = u->starts, .run = run_start, .save = save_start, .load = load_start, .user = u
  };
  MS_TRY(ms_starts_open(s->ctx, u->n, u->starts, u->bound, &u->fits));
  return ms_pool_share_jobs(s, u->task->name, &jobs);
}

static ms_status run_in_turn(ms_study *s, ms_update *u, ms_updating *on, builder *b) {
  MS_TRY(ms_starts_open(s->ctx, u->n, u->starts, u->bound, &u->fits));
  for (b->start = 0; b->start < u->starts; b->start++) {
    b->builds = 0;
    MS_TRY(fit_start(on, b->start, u));
  }
  return ms_progress(s->ctx, u->task->name, 1.0);
}

/* Where structures are reduced anew, the other processes do their part in each reduction. */
ms_status ms_update_help(ms_study *s, ms_task *task) {
  ms_update *u = task->product;
  double p[MS_UPDATE_UNKNOWNS];
  ms_allocator allocator = ms_context_get_allocator(s->ctx);
  if (!u->reduces) return share_starts(s, u);
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

/* ---- the best ---- */

const double *ms_update_best(const ms_update *u) {
  return u->fits.found + u->n * u->fit.best;
}

ms_status ms_update_run(ms_study *s, ms_task *task) {
  ms_update *u = task->product;
  ms_allocator allocator = ms_context_get_allocator(s->ctx);
  builder b = { .study = s, .update = u };
  const ms_update_model model = { u->n, u->bound, build_variant, &b };
  ms_updating *on = NULL;
  double none[MS_UPDATE_UNKNOWNS];
  int go = 0;
  if (ms_context_create(&allocator, &u->ctx) != MS_SUCCESS) {
    return ms_fail(s->ctx, MS_ERR_MEMORY, "out of memory for a model");
  }
  b.ctx = u->ctx;
  ms_status status = ms_updating_create(u->ctx, &model, &u->measured.is, u->start, &on);
  if (!status) status = ms_updating_keep_look(on, u->start, &u->look[0]);
  if (!status) status = u->reduces ? run_in_turn(s, u, on, &b) : share_starts(s, u);
  if (!status) status = ms_updating_judge(on, u->reduces, &u->fits, &u->fit);
  if (!status) status = ms_updating_keep_look(on, ms_update_best(u), &u->look[1]);
  ms_updating_destroy(&on);
  if (status != MS_SUCCESS && *ms_context_message(u->ctx)) {
    ms_fail(s->ctx, status, "%s", ms_context_message(u->ctx));
  }
  ms_status told = call(s, u, &go, none);
  return status == MS_SUCCESS ? told : status;
}
