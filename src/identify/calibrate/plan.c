#include "identify/calibrate/plan.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "core/internal.h"
#include "identify/calibrate/free_parameters.h"
#include "identify/fit/fit.h"
#include "structure/impl.h"
#include "identify/tolerance.h"

enum { ROUND = 64 }; /* predictions at once */

static ms_status open_calibration(const ms_calibration_plan *plan, ms_structure *structure,
                                  ms_calibration **out) {
  return ms_calibration_create(structure, plan->n, plan->free, plan->n_target, plan->target, out);
}

/* ---- starts ---- */

typedef struct start_jobs {
  const ms_calibration_plan *plan;
  ms_starts *starts;
  pthread_mutex_t lock; /* of: */
  long evaluations;
  double least; /* sum of squares */
} start_jobs;

/* Evaluations are counted: it is not known how many a start takes. */
typedef struct counted {
  ms_context *ctx;
  start_jobs *jobs;
  ms_calibration *on;
  ptrdiff_t m;
  ms_progress_fn progress; /* of the worker; levels would tell theirs far too often */
  void *user;
} counted;

/* Over all starts: how many evaluations, and the least misfit so far. */
static ms_status eval_counted(void *user, const double *p, double *r, double *jac) {
  const counted *x = user;
  start_jobs *of = x->jobs;
  char text[120];
  double sum = 0.0;
  MS_TRY(ms_calibration_eval(x->on, p, r, jac));
  for (ptrdiff_t i = 0; i < x->m; i++) sum += r[i] * r[i];
  pthread_mutex_lock(&of->lock);
  const long n = ++of->evaluations;
  if (n == 1 || sum < of->least) of->least = sum;
  const double least = of->least;
  pthread_mutex_unlock(&of->lock);
  snprintf(text, sizeof text, "%ld evaluation%s, misfit %.3g", n, n == 1 ? "" : "s",
           sqrt(least / (double)x->m));
  ms_context_set_detail(x->ctx, text);
  if (!x->progress || !x->progress(x->user, "calibrate", 0.0)) return MS_SUCCESS;
  return ms_fail(x->ctx, MS_CANCELLED, "fit: cancelled");
}

/* The structure's own values; those that are out of bounds stay as the start has them. */
static ms_status take_own(const ms_calibration_plan *plan, ms_structure *structure, double *p) {
  ms_places places;
  double *own;
  MS_TRY(ms_allocate(structure->ctx, plan->n, sizeof *own, &own));
  ms_status status = ms_places_take(structure, plan->n, plan->free, &places);
  if (status == MS_SUCCESS) status = ms_places_get(&places, own);
  for (ptrdiff_t i = 0; i < plan->n && status == MS_SUCCESS; i++)
    if (own[i] >= plan->bound[i].lower && own[i] <= plan->bound[i].upper) p[i] = own[i];
  ms_places_free(&places);
  ms_free(structure->ctx, &own);
  return status;
}

static ms_status fit_from(counted *x, ms_structure *structure, ptrdiff_t job) {
  ms_starts *starts = x->jobs->starts;
  ms_fit_problem problem = ms_calibration_problem(x->on, starts->bound);
  ms_fit_setting setting = MS_FIT_DEFAULT;
  double *p = starts->found + starts->n * job;
  x->m = problem.m;
  problem.eval = eval_counted;
  problem.user = x;
  setting.seed = x->jobs->plan->seed;
  if (!problem.has_jacobian) { /* every evaluation is a simulation of the test */
    setting.secant = ms_identify_tol.secant;
    setting.tolerance = ms_identify_tol.ended;
  }
  MS_TRY(ms_fit_get_start(x->ctx, &problem, &setting, starts->count, job, p));
  if (x->jobs->plan->begins && job == 0) MS_TRY(take_own(x->jobs->plan, structure, p));
  return ms_fit_from(x->ctx, &problem, &setting, p, &starts->local[job]);
}

static ms_status run_start(ms_worker *w, ptrdiff_t job, void *user) {
  counted x = { .ctx = w->ctx, .jobs = user };
  ms_context_get_progress(w->ctx, &x.progress, &x.user);
  ms_context_set_progress(w->ctx, NULL, NULL);
  ms_status status = open_calibration(x.jobs->plan, w->structure, &x.on);
  if (status == MS_SUCCESS) status = fit_from(&x, w->structure, job);
  ms_calibration_destroy(&x.on);
  ms_context_set_progress(w->ctx, x.progress, x.user);
  return status;
}

static ptrdiff_t save_start(const void *user, ptrdiff_t job, double *values) {
  return ms_starts_save(((const start_jobs *)user)->starts, job, values);
}

static ms_status load_start(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                            ptrdiff_t n) {
  return ms_starts_load(ctx, ((start_jobs *)user)->starts, job, values, n);
}

ms_status ms_plan_run_starts(const ms_calibration_plan *plan, ptrdiff_t count, ms_starts *out) {
  start_jobs all = { .plan = plan, .starts = out };
  const ms_jobs jobs = {
    .n = count, .run = run_start, .save = save_start, .load = load_start, .user = &all
  };
  MS_TRY(ms_starts_open(plan->crew.ctx, plan->n, count, plan->bound, out));
  pthread_mutex_init(&all.lock, NULL);
  ms_status status = ms_crew_share_jobs(&plan->crew, plan->what, &jobs);
  pthread_mutex_destroy(&all.lock);
  return status;
}

/* ---- teams: every worker has the models of all targets ---- */

typedef struct hand {
  ms_calibration *on;
  ms_posterior *posterior; /* with noise 1 */
  double *p, *f;           /* room for parameters and misfits */
} hand;

/* What its evaluations need. */
typedef struct team_work {
  const ms_calibration_plan *plan;
  ptrdiff_t n_objective;
  const ms_objective *objective;
} team_work;

static ms_status open_hand(ms_worker *w, void *user) {
  const ms_calibration_plan *plan = ((const team_work *)user)->plan;
  hand *h;
  MS_TRY(ms_allocate(w->ctx, 1, sizeof *h, &h));
  w->own = h;
  MS_TRY(ms_allocate(w->ctx, plan->n + 2 * plan->n_target, sizeof *h->p, &h->p));
  h->f = h->p + plan->n;
  MS_TRY(open_calibration(plan, w->structure, &h->on));
  const ms_fit_problem problem = ms_calibration_problem(h->on, plan->bound);
  return ms_posterior_create(w->ctx, &problem, 1.0, &h->posterior);
}

static void close_hand(ms_worker *w, void *user) {
  hand *h = w->own;
  (void)user;
  if (!h) return;
  ms_posterior_destroy(&h->posterior);
  ms_calibration_destroy(&h->on);
  ms_free(w->ctx, &h->p);
  ms_free(w->ctx, &w->own);
}

typedef ms_status eval_fn(ms_worker *worker, const double *in, double *out, void *user);

static ms_status open_team(team_work *user, eval_fn *run, ptrdiff_t n_out, ptrdiff_t most,
                           ms_team **out) {
  const ms_team_work work = { .n_in = user->plan->n,
                              .n_out = n_out,
                              .open = open_hand,
                              .close = close_hand,
                              .run = run,
                              .user = user };
  return ms_crew_open_team(&user->plan->crew, &work, most, out);
}

static ms_status map_team(void *user, ptrdiff_t n, const double *in, double *out) {
  return ms_team_map(user, n, in, out);
}

/* ---- what is kept of long runs ---- */

typedef struct store_memory {
  const ms_crew *crew;
  const char *what;
  ptrdiff_t at;
} store_memory;

static int next_part(void *user, ptrdiff_t *part, ptrdiff_t *n, const double **values) {
  store_memory *x = user;
  ms_kept kept;
  if (!x->crew->next || !x->crew->next(x->crew->owner, x->what, &x->at, &kept)) return 0;
  *part = kept.job;
  *n = kept.n;
  *values = kept.values;
  return 1;
}

static ms_status keep_part(void *user, ptrdiff_t part, ptrdiff_t n, const double *values) {
  const store_memory *x = user;
  if (!x->crew->keep) return MS_SUCCESS;
  return x->crew->keep(x->crew->owner, x->what, part, values, n);
}

/* ---- the front ---- */

/* From scaled variables to objectives and a violation: a point without an answer violates a
   constraint, the same for all. */
static ms_status eval_objectives(ms_worker *w, const double *t, double *out, void *user) {
  const team_work *x = user;
  const ms_calibration_plan *plan = x->plan;
  const hand *h = w->own;
  for (ptrdiff_t i = 0; i < plan->n; i++) h->p[i] = ms_fit_unscaled(&plan->bound[i], t[i]);
  ms_status status = ms_calibration_objectives(h->on, h->p, h->f);
  for (ptrdiff_t m = 0; m < x->n_objective; m++) {
    out[m] = status == MS_SUCCESS
                 ? ms_objective_weigh(&x->objective[m], plan->n_target, plan->target, h->f)
                 : 0.0;
  }
  out[x->n_objective] = status == MS_NOT_CONVERGED;
  if (status != MS_NOT_CONVERGED) return status;
  ms_context_clear_message(w->ctx);
  return MS_SUCCESS;
}

ms_status ms_plan_search(const ms_calibration_plan *plan, ptrdiff_t n_objective,
                         const ms_objective *objective, const ms_calibration *main,
                         const ms_front_setting *setting, ms_front *out) {
  team_work work = { plan, n_objective, objective };
  ms_front_setting own = MS_FRONT_DEFAULT;
  char what[96];
  ms_team *team = NULL;
  MS_TAKE(plan->crew.ctx, ms_front_default, setting, own);
  MS_TRY(open_team(&work, eval_objectives, n_objective + 1, setting->points, &team));
  snprintf(what, sizeof what, "%.80s_generation", plan->what);
  store_memory memory = { &plan->crew, what, 0 };
  const ms_part_store store = { next_part, keep_part, &memory };
  own.what = plan->what;
  own.seed = plan->seed;
  ms_status status = main ? ms_front_search(plan->crew.ctx, n_objective, plan->n, plan->bound,
                                            map_team, team, &own, &store, out)
                          : ms_team_serve(team);
  ms_team_close(&team);
  return status;
}

/* ---- samples ---- */

static ms_status eval_density(ms_worker *w, const double *t, double *log_p, void *user) {
  (void)user;
  return ms_posterior_log_density(((const hand *)w->own)->posterior, 1, t, log_p);
}

static ms_status eval_prediction(ms_worker *w, const double *p, double *out, void *user) {
  (void)user;
  return ms_calibration_predict(((const hand *)w->own)->on, p, out);
}

ms_status ms_plan_sample(const ms_calibration_plan *plan, ms_calibration *main, const double *p,
                         const ms_best_fit *fit, const ms_samples_setting *setting,
                         ms_samples *out) {
  team_work work = { .plan = plan };
  ms_samples_setting own = MS_SAMPLES_DEFAULT;
  char what[96];
  ms_team *team = NULL;
  ms_status status = MS_SUCCESS;
  MS_TAKE(plan->crew.ctx, ms_samples_default, setting, own);
  MS_TRY(open_team(&work, eval_density, 1, setting->walkers, &team));
  snprintf(what, sizeof what, "%.80s_chain", plan->what);
  store_memory memory = { &plan->crew, what, 0 };
  const ms_part_store store = { next_part, keep_part, &memory };
  own.what = what;
  own.seed = plan->seed;
  if (main) {
    const ms_fit_problem problem = ms_calibration_problem(main, plan->bound);
    status = ms_samples_take(plan->crew.ctx, &problem, p, fit, map_team, team, &own, &store, out);
  } else {
    status = ms_team_serve(team);
  }
  ms_team_close(&team);
  return ms_context_agree(plan->crew.ctx, status);
}

ms_status ms_plan_find_bands(const ms_calibration_plan *plan, const ms_calibration *main,
                             ptrdiff_t width, const ms_samples *samples, double **out) {
  team_work work = { .plan = plan };
  ms_team *team = NULL;
  MS_TRY(ms_context_share(plan->crew.ctx, 0, &width, sizeof width));
  MS_TRY(open_team(&work, eval_prediction, width, ROUND, &team));
  ms_status status =
      main ? ms_samples_find_bands(plan->crew.ctx, samples, width, map_team, team, out)
           : ms_team_serve(team);
  ms_team_close(&team);
  return status;
}
