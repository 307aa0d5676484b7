/* posterior: how likely parameters are given the data. Walkers start about the best local fit; the
   steps are kept on the disk in chunks, so that a chain that was interrupted goes on where it was.
 */
#include "study/analyses/calibrate/methods/posterior.h"

#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/team.h"

enum { CHUNK = 50 }; /* steps */

/* ---- evaluation ---- */

static ms_status eval_point(ms_worker *w, const double *t, double *log_p, void *user) {
  const ms_calibrate_hand *h = w->own;
  (void)user;
  return ms_posterior_log_density(h->posterior, 1, t, log_p);
}

static ms_calibrate_round round_of(const ms_calibrate *c) {
  return (ms_calibrate_round) { 1, c->walkers, eval_point };
}

typedef struct sampler {
  ms_study *study;
  ms_calibrate *c;
  ms_team *team;
  ms_ensemble *ensemble;
  ptrdiff_t before; /* moves accepted by earlier starts */
  char what[96];
} sampler;

static ms_status density(void *user, ptrdiff_t n, const double *t, double *log_p) {
  const sampler *x = user;
  const double noise = x->c->scatter;
  MS_TRY(ms_team_map(x->team, n, t, log_p));
  for (ptrdiff_t i = 0; i < n; i++) log_p[i] /= noise * noise;
  return MS_SUCCESS;
}

/* ---- steps ---- */

static ms_status start(sampler *x) {
  const ms_calibrate *c = x->c;
  const ms_fit_problem problem = ms_calibrate_problem(c, c->main);
  const double *fit = c->solution[0].p;
  ms_posterior *posterior = NULL;
  double *t = NULL;
  MS_TRY(ms_posterior_create(x->study->ctx, &problem, c->scatter, &posterior));
  ms_status status = ms_allocate(x->study->ctx, c->n * (c->walkers + 1), sizeof *t, &t);
  if (status == MS_SUCCESS) {
    ms_posterior_scale(posterior, fit, t);
    status =
        ms_posterior_spread(posterior, fit, c->judgement.covariance, c->walkers, c->seed, t + c->n);
  }
  if (status == MS_SUCCESS) status = ms_ensemble_start_near(x->ensemble, t, t + c->n);
  ms_free(x->study->ctx, &t);
  ms_posterior_destroy(&posterior);
  return status;
}

static ptrdiff_t count_steps(const ms_calibrate *c) {
  return c->burn + c->steps;
}

/* Steps of a chunk; the last may be shorter. */
static ptrdiff_t chunk_size(const ms_calibrate *c, ptrdiff_t chunk) {
  const ptrdiff_t left = count_steps(c) - CHUNK * chunk;
  return left < CHUNK ? left : CHUNK;
}

/* What is kept of a chunk: every step, then the density of the last and the moves so far. */
static ptrdiff_t kept_size(const ms_calibrate *c, ptrdiff_t chunk) {
  return c->walkers * c->n * chunk_size(c, chunk) + c->walkers + 1;
}

static ms_status keep(sampler *x, ptrdiff_t chunk) {
  const ms_calibrate *c = x->c;
  const ptrdiff_t width = c->walkers * c->n, n = width * chunk_size(c, chunk);
  const ms_ensemble_state s = ms_ensemble_get(x->ensemble);
  double *values = NULL;
  if (!x->study->resume) return MS_SUCCESS;
  MS_TRY(ms_allocate(x->study->ctx, kept_size(c, chunk), sizeof *values, &values));
  memcpy(values, c->chain->t + width * CHUNK * chunk, (size_t)n * sizeof *values);
  memcpy(values + n, s.log_p, (size_t)c->walkers * sizeof *values);
  values[n + c->walkers] = (double)(x->before + s.accepted);
  ms_status status = ms_resume_keep(x->study->resume, x->what, chunk, values, kept_size(c, chunk));
  ms_free(x->study->ctx, &values);
  return status;
}

/* The chunks of an earlier start, as far as they follow each other. */
static ms_status restore(sampler *x, ptrdiff_t *next) {
  const ms_calibrate *c = x->c;
  const ptrdiff_t width = c->walkers * c->n;
  ms_kept kept;
  for (ptrdiff_t at = 0; ms_resume_next(x->study->resume, x->what, &at, &kept);) {
    if (kept.job != *next || chunk_size(c, *next) <= 0 || kept.n != kept_size(c, *next)) continue;
    const ptrdiff_t steps = chunk_size(c, *next);
    const double *log_p = kept.values + width * steps;
    memcpy(c->chain->t + width * CHUNK * *next, kept.values,
           (size_t)(width * steps) * sizeof *log_p);
    MS_TRY(ms_ensemble_restore(x->ensemble, CHUNK * *next + steps,
                               kept.values + width * (steps - 1), log_p));
    x->before = (ptrdiff_t)log_p[c->walkers];
    *next += 1;
  }
  return MS_SUCCESS;
}

static ms_status run_chunk(sampler *x, ptrdiff_t chunk) {
  const ms_calibrate *c = x->c;
  const ptrdiff_t width = c->walkers * c->n;
  for (ptrdiff_t k = 0; k < chunk_size(c, chunk); k++) {
    const ptrdiff_t step = CHUNK * chunk + k;
    MS_TRY(ms_ensemble_step(x->ensemble));
    memcpy(c->chain->t + width * step, ms_ensemble_get(x->ensemble).x,
           (size_t)width * sizeof *c->chain->t);
    MS_TRY(ms_progress(x->study->ctx, x->what, (double)(step + 1) / (double)count_steps(c)));
  }
  return keep(x, chunk);
}

static ms_status advance(sampler *x) {
  const ms_calibrate *c = x->c;
  ptrdiff_t next = 0;
  MS_TRY(restore(x, &next));
  if (next == 0) MS_TRY(start(x));
  x->c->made = c->walkers * (count_steps(c) - CHUNK * next);
  for (; chunk_size(c, next) > 0; next++) MS_TRY(run_chunk(x, next));
  c->chain->accepted = x->before + ms_ensemble_get(x->ensemble).accepted;
  c->chain->proposed = c->walkers * count_steps(c);
  return MS_SUCCESS;
}

static ms_status run_ensemble(sampler *x) {
  const ms_calibrate *c = x->c;
  const ms_ensemble_setting setting = { c->walkers, 2.0, c->seed };
  MS_TRY(ms_ensemble_create(x->study->ctx, c->n, density, x, &setting, &x->ensemble));
  ms_status status = advance(x);
  ms_ensemble_destroy(&x->ensemble);
  return status;
}

/* All processes agree on how it went. */
static ms_status sample(ms_study *s, const ms_task *task, ms_calibrate *c) {
  sampler x = { .study = s, .c = c };
  const ms_calibrate_round round = round_of(c);
  snprintf(x.what, sizeof x.what, "%.80s_chain", task->name);
  MS_TRY(ms_calibrate_open_team(s, c, &round, &x.team));
  ms_status status = run_ensemble(&x);
  ms_team_close(&x.team);
  return ms_context_agree(s->ctx, status);
}

/* ---- what the samples say ---- */

static ms_status reserve(ms_context *ctx, ms_calibrate *c) {
  ms_calibrate_chain *k;
  MS_TRY(ms_allocate(ctx, 1, sizeof *k, &k));
  c->chain = k;
  k->n_sample = c->walkers * c->steps;
  MS_TRY(ms_allocate(ctx, c->n * c->walkers * count_steps(c), sizeof *k->t, &k->t));
  MS_TRY(ms_allocate(ctx, c->n * k->n_sample, sizeof *k->p, &k->p));
  MS_TRY(ms_allocate(ctx, c->n, sizeof *k->report, &k->report));
  MS_TRY(ms_allocate(ctx, MS_BAND * c->n, sizeof *k->quantile, &k->quantile));
  MS_TRY(ms_allocate(ctx, c->n * c->n, sizeof *k->correlation, &k->correlation));
  return ms_allocate(ctx, c->n_target, sizeof *k->band, &k->band);
}

static ms_status describe(ms_context *ctx, ms_calibrate *c) {
  ms_calibrate_chain *k = c->chain;
  const double *t = k->t + c->n * c->walkers * c->burn;
  for (ptrdiff_t i = 0; i < k->n_sample; i++) {
    ms_calibrate_unscale(c, t + c->n * i, k->p + c->n * i);
  }
  MS_TRY(ms_chain_diagnose(ctx, c->n, c->walkers, c->steps, k->p, k->report));
  ms_chain_correlate(c->n, k->n_sample, k->p, k->correlation);
  for (ptrdiff_t j = 0; j < c->n; j++) {
    MS_TRY(ms_chain_quantiles(ctx, k->n_sample, k->p + j, c->n, MS_BAND, ms_band_part,
                              k->quantile + MS_BAND * j));
  }
  return MS_SUCCESS;
}

static ms_status prepare(ms_study *s, ms_calibrate *c) {
  MS_TRY(ms_calibrate_judge_best(s, c));
  return reserve(s->ctx, c);
}

static ms_status run(ms_study *s, const ms_task *task, ms_calibrate *c) {
  MS_TRY(ms_calibrate_run_starts(s, task, c));
  MS_TRY(ms_context_agree(s->ctx, prepare(s, c)));
  MS_TRY(sample(s, task, c));
  MS_TRY(ms_context_agree(s->ctx, describe(s->ctx, c)));
  return ms_calibrate_find_bands(s, c);
}

static ms_status help(ms_study *s, const ms_task *task, ms_calibrate *c) {
  const ms_calibrate_round round = round_of(c);
  MS_TRY(ms_calibrate_run_starts(s, task, c));
  MS_TRY(ms_context_agree(s->ctx, MS_SUCCESS));
  MS_TRY(ms_context_agree(s->ctx, ms_calibrate_serve(s, c, &round)));
  MS_TRY(ms_context_agree(s->ctx, MS_SUCCESS));
  return ms_calibrate_help_bands(s, c);
}

static void close_posterior(ms_study *s, ms_calibrate *c) {
  ms_calibrate_close_fit(s, c);
  if (!c->chain) return;
  ms_calibrate_close_bands(s, c);
  ms_free(s->ctx, &c->chain->t);
  ms_free(s->ctx, &c->chain->p);
  ms_free(s->ctx, &c->chain->report);
  ms_free(s->ctx, &c->chain->quantile);
  ms_free(s->ctx, &c->chain->correlation);
  ms_free(s->ctx, &c->chain);
}

const ms_calibrate_method ms_calibrate_posterior = {
  .name = "posterior",
  .meaning = "how likely parameters are given the data, by an ensemble of walkers",
  .run = run,
  .help = help,
  .tabulate = ms_calibrate_tabulate_samples,
  .summarise = ms_calibrate_summarise_samples,
  .report = ms_calibrate_report_samples,
  .close = close_posterior,
};
