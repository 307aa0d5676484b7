#include "identify/update/search.h"

#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/tolerance.h"

/* ---- the model ---- */

/* What a model of one thread needs. */
typedef struct builder {
  const ms_update_plan *plan;
  ms_context *ctx;
  ptrdiff_t start, builds; /* for progress, where models are work of all processes */
} builder;

/* With several processes: the numbers at which all build, or that it is over. */
static ms_status call(const ms_update_plan *plan, int *go, double *p) {
  const ms_communicator *comm = ms_context_get_communicator(plan->crew.ctx);
  if (!plan->together || comm->size == 1) return MS_SUCCESS;
  ms_status status = comm->broadcast(comm->self, go, sizeof *go, 0);
  if (status == MS_SUCCESS && *go) {
    status = comm->broadcast(comm->self, p, (size_t)plan->n * sizeof *p, 0);
  }
  if (status == MS_SUCCESS) return status;
  return ms_fail(plan->crew.ctx, status, "the processes have lost each other");
}

static ms_status build(const ms_update_plan *plan, ms_context *ctx, const double *p,
                       ms_structure **out) {
  if (plan->together) ms_context_join(ctx); /* also after an evaluation that has failed */
  return plan->build(plan->user, ctx, p, out);
}

static ms_status build_model(void *user, const double *p, ms_structure **out) {
  builder *b = user;
  const ms_update_plan *plan = b->plan;
  double copy[MS_UPDATE_UNKNOWNS];
  int go = 1;
  if (plan->together) {
    double part = (double)b->builds / (double)(b->builds + 20); /* it is not known how many */
    b->builds++;
    ms_status status =
        ms_progress(plan->crew.ctx, plan->what, ((double)b->start + part) / (double)plan->starts);
    if (status != MS_SUCCESS) return ms_fail(b->ctx, status, "stopped");
  }
  memcpy(copy, p, (size_t)plan->n * sizeof *p);
  MS_TRY(call(plan, &go, copy));
  return build(plan, b->ctx, p, out);
}

static ms_status open_updating(builder *b, ms_updating **out) {
  const ms_update_plan *plan = b->plan;
  const ms_update_model model = { plan->n, plan->bound, build_model, b };
  return ms_updating_create(b->ctx, &model, plan->measured, plan->start, out);
}

/* ---- starts ---- */

typedef struct search {
  const ms_update_plan *plan;
  ms_starts *fits;
} search;

static ms_status fit_start(const search *s, ms_updating *on, ptrdiff_t k) {
  return ms_updating_fit_start(on, s->plan->together, s->plan->seed, s->plan->start, k, s->fits);
}

static ms_status run_start(ms_worker *w, ptrdiff_t job, void *user) {
  const search *s = user;
  builder b = { .plan = s->plan, .ctx = w->ctx, .start = job };
  ms_updating *own = NULL;
  MS_TRY(open_updating(&b, &own));
  ms_status status = fit_start(s, own, job);
  ms_updating_destroy(&own);
  return status;
}

static ptrdiff_t save_start(const void *user, ptrdiff_t job, double *values) {
  return ms_starts_save(((const search *)user)->fits, job, values);
}

static ms_status load_start(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                            ptrdiff_t n) {
  return ms_starts_load(ctx, ((search *)user)->fits, job, values, n);
}

/* By all processes, where they have no model to build together. */
static ms_status share_starts(search *s) {
  const ms_update_plan *plan = s->plan;
  const ms_jobs jobs = {
    .n = plan->starts, .run = run_start, .save = save_start, .load = load_start, .user = s
  };
  MS_TRY(ms_starts_open(plan->crew.ctx, plan->n, plan->starts, plan->bound, s->fits));
  return ms_crew_share_jobs(&plan->crew, plan->what, &jobs);
}

static ms_status run_in_turn(const search *s, ms_updating *on, builder *b) {
  const ms_update_plan *plan = s->plan;
  MS_TRY(ms_starts_open(plan->crew.ctx, plan->n, plan->starts, plan->bound, s->fits));
  for (b->start = 0; b->start < plan->starts; b->start++) {
    b->builds = 0;
    MS_TRY(fit_start(s, on, b->start));
  }
  return ms_progress(plan->crew.ctx, plan->what, 1.0);
}

/* ---- all of it ---- */

static ms_status create_context(ms_context *of, ms_context **out) {
  ms_allocator allocator = ms_context_get_allocator(of);
  if (ms_context_create(&allocator, out) == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail(of, MS_ERR_MEMORY, "out of memory for a model");
}

ms_status ms_update_assist(const ms_update_plan *plan, ms_update_found *found) {
  double p[MS_UPDATE_UNKNOWNS];
  if (!plan->together) return share_starts(&(search) { plan, &found->fits });
  for (int go = 1;;) {
    ms_context *ctx = NULL;
    ms_structure *structure = NULL;
    MS_TRY(call(plan, &go, p));
    if (!go) return MS_SUCCESS;
    MS_TRY(create_context(plan->crew.ctx, &ctx));
    build(plan, ctx, p, &structure); /* whether it failed the first process judges */
    ms_structure_destroy(&structure);
    ms_context_destroy(&ctx);
  }
}

ms_status ms_update_search(const ms_update_plan *plan, ms_update_found *f) {
  builder b = { .plan = plan };
  search s = { plan, &f->fits };
  ms_updating *on = NULL;
  double none[MS_UPDATE_UNKNOWNS];
  int go = 0;
  MS_TRY(create_context(plan->crew.ctx, &f->ctx));
  b.ctx = f->ctx;
  ms_status status = open_updating(&b, &on);
  if (!status) status = ms_updating_keep_look(on, plan->start, &f->look[0]);
  if (!status) status = plan->together ? run_in_turn(&s, on, &b) : share_starts(&s);
  if (!status) status = ms_updating_judge(on, plan->together, &f->fits, &f->fit);
  if (!status) status = ms_updating_keep_look(on, ms_update_best(f), &f->look[1]);
  ms_updating_destroy(&on);
  if (status != MS_SUCCESS && *ms_context_message(f->ctx)) {
    ms_fail(plan->crew.ctx, status, "%s", ms_context_message(f->ctx));
  }
  ms_status told = call(plan, &go, none);
  return status == MS_SUCCESS ? told : status;
}

const double *ms_update_best(const ms_update_found *f) {
  return f->fits.found + f->fits.n * f->fit.best;
}

void ms_update_found_destroy(ms_context *ctx, ms_update_found *f) {
  ms_starts_close(ctx, &f->fits);
  if (!f->ctx) return;
  ms_fit_judgement_destroy(f->ctx, &f->fit.judgement);
  for (int i = 0; i < 2; i++) ms_update_look_destroy(f->ctx, &f->look[i]);
  ms_context_destroy(&f->ctx);
}

/* ---- what is doubtful ---- */

/* Frequencies alone often have several answers. */
static int warn_other(const ms_update_found *f, char *text, size_t size) {
  const ms_starts *s = &f->fits;
  char other[400];
  int at = 0;
  if (f->fit.other < 0) return 0;
  for (ptrdiff_t i = 0; i < s->n && at < 280; i++) {
    at += snprintf(other + at, sizeof other - (size_t)at, "%s %.80s = %.5g", i ? "," : "",
                   s->bound[i].name, s->found[i + s->n * f->fit.other]);
  }
  snprintf(text, size,
           "another answer fits the measured modes as well:%s; the one shown began nearest to the "
           "file",
           other);
  return 1;
}

int ms_update_warning(const ms_update_found *f, const ms_measured_modes *m, ptrdiff_t i, char *text,
                      size_t size) {
  const ms_fit_judgement *j = &f->fit.judgement;
  const double misfit = j->rms * f->fit.scatter;
  ptrdiff_t n = 0;
  while (ms_starts_warning(&f->fits, f->fit.best, j, n, text, size)) {
    if (n++ == i) return 1;
  }
  if (ms_starts_open_warning(&f->fits, j, text, size) && n++ == i) return 1;
  if (warn_other(f, text, size) && n++ == i) return 1;
  if (misfit > ms_identify_tol.poor && n++ == i) {
    snprintf(text, size,
             "the frequencies differ by %.3g standard deviations (rms) from those measured",
             misfit);
    return 1;
  }
  for (ptrdiff_t k = 0; f->look[0].mac && k < m->n; k++) {
    if (ms_mode_pair_warning(&f->look[1].pair[k], k, m->omega[k], text, size) && n++ == i) return 1;
  }
  return 0;
}
