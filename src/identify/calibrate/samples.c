/* Samples of the posterior: walkers about the best fit, what their chain says, and the bands that
   they make of the targets. Steps are kept in chunks. */
#include <microslip/calibrate_methods.h>
#include <string.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"
#include "identify/fit/fit.h"

enum { CHUNK = 50, DRAWS = 400 }; /* steps; samples that bands are made of */

static const double band_part[MS_BAND] = { 0.05, 0.5, 0.95 };

typedef struct sampler {
  ms_context *ctx;
  const ms_samples_setting *setting;
  const ms_part_store *store;
  ms_map_fn *map;
  void *user;
  double noise;
  ms_samples *out;
  ms_ensemble *ensemble;
  ptrdiff_t before; /* moves accepted by earlier runs */
} sampler;

static ms_status density(void *user, ptrdiff_t n, const double *t, double *log_p) {
  const sampler *x = user;
  MS_TRY(x->map(x->user, n, t, log_p));
  for (ptrdiff_t i = 0; i < n; i++) log_p[i] /= x->noise * x->noise;
  return MS_SUCCESS;
}

/* ---- steps ---- */

static ms_status start(const sampler *x, const ms_fit_problem *problem, const double *p,
                       const ms_best_fit *fit) {
  const ptrdiff_t n = problem->n, walkers = x->setting->walkers;
  ms_posterior *posterior = NULL;
  double *t = NULL;
  MS_TRY(ms_posterior_create(x->ctx, problem, x->noise, &posterior));
  ms_status status = ms_allocate(x->ctx, n * (walkers + 1), sizeof *t, &t);
  if (status == MS_SUCCESS) {
    ms_posterior_scale(posterior, p, t);
    status = ms_posterior_spread(posterior, p, fit->judgement.covariance, walkers, x->setting->seed,
                                 t + n);
  }
  if (status == MS_SUCCESS) status = ms_ensemble_start_near(x->ensemble, t, t + n);
  ms_free(x->ctx, &t);
  ms_posterior_destroy(&posterior);
  return status;
}

static ptrdiff_t count_steps(const sampler *x) {
  return x->setting->burn + x->setting->steps;
}

/* Numbers of one step. */
static ptrdiff_t width_of(const sampler *x) {
  return x->setting->walkers * x->out->n_x;
}

/* Steps of a chunk; the last may be shorter. */
static ptrdiff_t chunk_size(const sampler *x, ptrdiff_t chunk) {
  const ptrdiff_t left = count_steps(x) - CHUNK * chunk;
  return left < CHUNK ? left : CHUNK;
}

/* What is kept of a chunk: every step, then the density of the last and the moves so far. */
static ptrdiff_t kept_size(const sampler *x, ptrdiff_t chunk) {
  return width_of(x) * chunk_size(x, chunk) + x->setting->walkers + 1;
}

static ms_status keep(const sampler *x, ptrdiff_t chunk) {
  const ptrdiff_t n = width_of(x) * chunk_size(x, chunk), walkers = x->setting->walkers;
  const ms_ensemble_state s = ms_ensemble_get(x->ensemble);
  double *values = NULL;
  if (!x->store) return MS_SUCCESS;
  MS_TRY(ms_allocate(x->ctx, kept_size(x, chunk), sizeof *values, &values));
  memcpy(values, x->out->t + width_of(x) * CHUNK * chunk, (size_t)n * sizeof *values);
  memcpy(values + n, s.log_p, (size_t)walkers * sizeof *values);
  values[n + walkers] = (double)(x->before + s.accepted);
  ms_status status = x->store->keep(x->store->user, chunk, kept_size(x, chunk), values);
  ms_free(x->ctx, &values);
  return status;
}

/* The chunks of an earlier run, as far as they follow each other. */
static ms_status restore(sampler *x, ptrdiff_t *next) {
  const ptrdiff_t width = width_of(x);
  ptrdiff_t part, n;
  const double *values;
  while (x->store && x->store->next(x->store->user, &part, &n, &values)) {
    const ptrdiff_t steps = chunk_size(x, *next);
    if (part != *next || steps <= 0 || n != kept_size(x, *next)) continue;
    const double *log_p = values + width * steps;
    memcpy(x->out->t + width * CHUNK * *next, values, (size_t)(width * steps) * sizeof *values);
    MS_TRY(ms_ensemble_restore(x->ensemble, CHUNK * *next + steps, values + width * (steps - 1),
                               log_p));
    x->before = (ptrdiff_t)log_p[x->setting->walkers];
    *next += 1;
  }
  return MS_SUCCESS;
}

static ms_status run_chunk(const sampler *x, ptrdiff_t chunk) {
  const ptrdiff_t width = width_of(x);
  for (ptrdiff_t k = 0; k < chunk_size(x, chunk); k++) {
    const ptrdiff_t step = CHUNK * chunk + k;
    MS_TRY(ms_ensemble_step(x->ensemble));
    memcpy(x->out->t + width * step, ms_ensemble_get(x->ensemble).x,
           (size_t)width * sizeof *x->out->t);
    MS_TRY(ms_progress(x->ctx, x->setting->what, (double)(step + 1) / (double)count_steps(x)));
  }
  return keep(x, chunk);
}

static ms_status advance(sampler *x, const ms_fit_problem *problem, const double *p,
                         const ms_best_fit *fit) {
  ptrdiff_t next = 0;
  MS_TRY(restore(x, &next));
  if (next == 0) MS_TRY(start(x, problem, p, fit));
  x->out->made = x->setting->walkers * (count_steps(x) - CHUNK * next);
  for (; chunk_size(x, next) > 0; next++) MS_TRY(run_chunk(x, next));
  x->out->accepted = x->before + ms_ensemble_get(x->ensemble).accepted;
  x->out->proposed = x->setting->walkers * count_steps(x);
  return MS_SUCCESS;
}

/* ---- what the samples say ---- */

static ms_status reserve(ms_context *ctx, const ms_samples_setting *setting, ptrdiff_t n_x,
                         ms_samples *out) {
  const ptrdiff_t n = setting->walkers * setting->steps;
  *out = (ms_samples) { .n_x = n_x, .n = n };
  MS_TRY(ms_allocate(ctx, n_x * setting->walkers * (setting->burn + setting->steps), sizeof *out->t,
                     &out->t));
  MS_TRY(ms_allocate(ctx, n_x * n, sizeof *out->p, &out->p));
  MS_TRY(ms_allocate(ctx, n_x, sizeof *out->report, &out->report));
  MS_TRY(ms_allocate(ctx, MS_BAND * n_x, sizeof *out->quantile, &out->quantile));
  return ms_allocate(ctx, n_x * n_x, sizeof *out->correlation, &out->correlation);
}

static ms_status describe(const sampler *x, const ms_fit_parameter *parameter) {
  ms_samples *out = x->out;
  const ptrdiff_t n_x = out->n_x, walkers = x->setting->walkers;
  const double *t = out->t + n_x * walkers * x->setting->burn;
  for (ptrdiff_t i = 0; i < n_x * out->n; i++)
    out->p[i] = ms_fit_unscaled(&parameter[i % n_x], t[i]);
  MS_TRY(ms_chain_diagnose(x->ctx, n_x, walkers, x->setting->steps, out->p, out->report));
  ms_chain_correlate(n_x, out->n, out->p, out->correlation);
  for (ptrdiff_t j = 0; j < n_x; j++) {
    MS_TRY(ms_chain_quantiles(x->ctx, out->n, out->p + j, n_x, MS_BAND, band_part,
                              out->quantile + MS_BAND * j));
  }
  return MS_SUCCESS;
}

void ms_samples_default(ms_samples_setting *setting, size_t size) {
  ms_settings_fill(&(ms_samples_setting)MS_SAMPLES_DEFAULT, setting, size);
}

ms_status ms_samples_take(ms_context *ctx, const ms_fit_problem *problem, const double *p,
                          const ms_best_fit *fit, ms_map_fn *map, void *user,
                          const ms_samples_setting *setting, const ms_part_store *store,
                          ms_samples *out) {
  ms_samples_setting own = MS_SAMPLES_DEFAULT;
  MS_TAKE(ctx, ms_samples_default, setting, own);
  sampler x = { .ctx = ctx, .setting = setting, .store = store, .map = map, .user = user };
  ms_ensemble_setting ensemble = MS_ENSEMBLE_DEFAULT;
  ensemble.n_walker = setting->walkers;
  ensemble.seed = setting->seed;
  x.noise = fit->scatter;
  x.out = out;
  MS_TRY(reserve(ctx, setting, problem->n, out));
  MS_TRY(ms_ensemble_create(ctx, problem->n, density, &x, &ensemble, &x.ensemble));
  ms_status status = advance(&x, problem, p, fit);
  ms_ensemble_destroy(&x.ensemble);
  return status == MS_SUCCESS ? describe(&x, problem->parameter) : status;
}

void ms_samples_free(ms_context *ctx, ms_samples *s) {
  ms_free(ctx, &s->t);
  ms_free(ctx, &s->p);
  ms_free(ctx, &s->report);
  ms_free(ctx, &s->quantile);
  ms_free(ctx, &s->correlation);
}

ptrdiff_t ms_samples_find_unsettled(const ms_samples *x) {
  ptrdiff_t worst = -1;
  for (ptrdiff_t j = 0; j < x->n_x; j++) {
    if (x->report[j].settled) continue;
    if (worst < 0 || x->report[j].tau > x->report[worst].tau) worst = j;
  }
  return worst;
}

/* ---- bands ---- */

ms_status ms_samples_find_bands(ms_context *ctx, const ms_samples *s, ptrdiff_t width,
                                ms_map_fn *map, void *user, double **out) {
  const ptrdiff_t n = s->n < DRAWS ? s->n : DRAWS;
  double *p = NULL, *value = NULL;
  *out = NULL;
  ms_status status = ms_allocate(ctx, s->n_x * n, sizeof *p, &p);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, width * n, sizeof *value, &value);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, MS_BAND * width, sizeof **out, out);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n; i++) { /* from all over the chain */
    const ptrdiff_t sample = (2 * i + 1) * s->n / (2 * n);
    memcpy(p + s->n_x * i, s->p + s->n_x * sample, (size_t)s->n_x * sizeof *p);
  }
  if (status == MS_SUCCESS) status = map(user, n, p, value);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < width; i++) {
    status = ms_chain_quantiles(ctx, n, value + i, width, MS_BAND, band_part, *out + MS_BAND * i);
  }
  ms_free(ctx, &p);
  ms_free(ctx, &value);
  return status;
}
