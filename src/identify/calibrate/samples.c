/* Samples of the posterior: walkers or chains about the best fit, what they say, and the bands that
   they make of the targets. Steps are kept in chunks. */
#include <math.h>
#include <microslip/calibrate_methods.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/calibrate/residuals.h"
#include "identify/fit/fit.h"
#include "identify/sample/chains.h"

enum { CHUNK = 50, DRAWS = 400 }; /* steps; samples that bands are made of */
/* Of chains: steps of a chunk, most chunks before those that count, fewest chunks that do. */
enum { PIECE = 24, WARM = 12, LEAST = 4 };

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
  ms_chains *chains;
  double expected; /* steps of chains that count, until they have settled */
  const ms_fit_parameter *parameter;
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
  const int until = setting->steps <= 0;
  const ptrdiff_t steps = until ? setting->most + PIECE : setting->steps;
  const ptrdiff_t burn = until ? WARM * PIECE : setting->burn, n = setting->walkers * steps;
  *out = (ms_samples) { .n_x = n_x, .n = n, .steps = steps, .burn = burn, .until = until };
  MS_TRY(ms_allocate(ctx, n_x * setting->walkers * (burn + steps), sizeof *out->t, &out->t));
  MS_TRY(ms_allocate(ctx, n_x * n, sizeof *out->p, &out->p));
  MS_TRY(ms_allocate(ctx, n_x, sizeof *out->report, &out->report));
  MS_TRY(ms_allocate(ctx, MS_BAND * n_x, sizeof *out->quantile, &out->quantile));
  return ms_allocate(ctx, n_x * n_x, sizeof *out->correlation, &out->correlation);
}

static ms_status diagnose(const sampler *x) {
  ms_samples *out = x->out;
  const ptrdiff_t n_x = out->n_x, walkers = x->setting->walkers;
  const double *t = out->t + n_x * walkers * out->burn;
  out->n = walkers * out->steps;
  for (ptrdiff_t i = 0; i < n_x * out->n; i++)
    out->p[i] = ms_fit_unscaled(&x->parameter[i % n_x], t[i]);
  return ms_chain_diagnose(x->ctx, n_x, walkers, out->steps, out->p, out->report);
}

static ms_status describe(const sampler *x) {
  ms_samples *out = x->out;
  const ptrdiff_t n_x = out->n_x;
  MS_TRY(diagnose(x));
  ms_chain_correlate(n_x, out->n, out->p, out->correlation);
  for (ptrdiff_t j = 0; j < n_x; j++) {
    MS_TRY(ms_chain_quantiles(x->ctx, out->n, out->p + j, n_x, MS_BAND, band_part,
                              out->quantile + MS_BAND * j));
  }
  return MS_SUCCESS;
}

/* ---- until they have settled ---- */

static ms_status aim_at_fit(const sampler *x, const ms_fit_problem *problem, const double *p,
                            const ms_best_fit *fit, int begins) {
  const ptrdiff_t n = problem->n, walkers = x->setting->walkers;
  ms_posterior *posterior = NULL;
  double *t = NULL;
  MS_TRY(ms_posterior_create(x->ctx, problem, x->noise, &posterior));
  ms_status status = ms_allocate(x->ctx, n * (walkers + 1 + n), sizeof *t, &t);
  if (status == MS_SUCCESS) {
    ms_posterior_scale(posterior, p, t);
    status = ms_posterior_find_root(posterior, p, fit->judgement.covariance, t + n);
  }
  if (status == MS_SUCCESS) {
    ms_chains_aim(x->chains, t, t + n);
    status = ms_posterior_spread(posterior, p, fit->judgement.covariance, walkers, x->setting->seed,
                                 t + n * (n + 1));
  }
  if (status == MS_SUCCESS && begins) status = ms_chains_start(x->chains, t + n * (n + 1));
  ms_free(x->ctx, &t);
  ms_posterior_destroy(&posterior);
  return status;
}

/* What is kept of a piece: every step, then the density of the last, all moves so far, and the part
   of independent moves of this piece. */
static ptrdiff_t piece_size(const sampler *x) {
  return width_of(x) * PIECE + x->setting->walkers + 2;
}

static ms_status run_piece(sampler *x, ptrdiff_t piece, double *values) {
  const ptrdiff_t width = width_of(x), walkers = x->setting->walkers, tail = width * PIECE;
  const ms_chains_state before = ms_chains_get(x->chains);
  for (ptrdiff_t k = 0; k < PIECE; k++) {
    MS_TRY(ms_chains_step(x->chains));
    memcpy(values + width * k, ms_chains_get(x->chains).x, (size_t)width * sizeof *values);
    const double part = (double)(PIECE * piece + k + 1) / ((double)x->out->burn + x->expected);
    MS_TRY(ms_progress(x->ctx, x->setting->what, part < 1.0 ? part : 1.0));
  }
  const ms_chains_state now = ms_chains_get(x->chains);
  memcpy(values + tail, now.log_p, (size_t)walkers * sizeof *values);
  values[tail + walkers] = (double)(x->before + now.accepted);
  values[tail + walkers + 1] =
      (double)(now.taken - before.taken) / (double)(now.asked - before.asked);
  x->out->made += walkers * PIECE;
  if (!x->store) return MS_SUCCESS;
  return x->store->keep(x->store->user, piece, piece_size(x), values);
}

/* As an earlier run left it; 0: it has no such piece. */
static int find_piece(const sampler *x, ptrdiff_t piece, double *values) {
  const double *kept;
  ptrdiff_t part, n;
  while (x->store && x->store->next(x->store->user, &part, &n, &kept)) {
    if (part != piece || n != piece_size(x)) continue;
    memcpy(values, kept, (size_t)n * sizeof *values);
    return 1;
  }
  return 0;
}

/* Before the steps that count proposals are aimed at the samples so far, for as long as fewer than
   half of the independent moves are taken. */
static int warms_up(const sampler *x, ptrdiff_t piece, double taken) {
  const ptrdiff_t steps = PIECE * (piece + 1), half = steps / 2;
  if (taken >= 0.5) return 0;
  ms_chains_aim_at(x->chains, x->setting->walkers * (steps - half), x->out->t + width_of(x) * half);
  return piece + 1 < WARM;
}

static ms_status is_settled(sampler *x, ptrdiff_t *check, int *settled) {
  ms_samples *out = x->out;
  char text[80];
  double r_hat = 0.0;
  *settled = 0;
  if (out->steps < *check) return MS_SUCCESS;
  MS_TRY(diagnose(x));
  *settled = ms_samples_find_unsettled(out) < 0;
  *check = out->steps + out->steps / 8;
  x->expected = (double)*check;
  for (ptrdiff_t j = 0; j < out->n_x; j++) {
    r_hat = fmax(out->report[j].r_hat, r_hat);
    x->expected = fmax(x->expected, 50.0 * out->report[j].tau);
  }
  snprintf(text, sizeof text, "R-hat %.3f after %td steps", r_hat, out->steps);
  ms_context_set_detail(x->ctx, text);
  return MS_SUCCESS;
}

static ms_status settle(sampler *x, const ms_fit_problem *problem, const double *p,
                        const ms_best_fit *fit) {
  ms_samples *out = x->out;
  const ptrdiff_t width = width_of(x), walkers = x->setting->walkers;
  ptrdiff_t check = PIECE * LEAST;
  int warm = 1, settled = 0, found = 1;
  double *values;
  MS_TRY(ms_allocate(x->ctx, piece_size(x), sizeof *values, &values));
  out->steps = out->burn = 0;
  x->expected = (double)check;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t piece = 0; !settled && out->steps < x->setting->most; piece++) {
    found = found && find_piece(x, piece, values);
    if (piece == 0) status = aim_at_fit(x, problem, p, fit, !found);
    if (status == MS_SUCCESS && !found) status = run_piece(x, piece, values);
    if (status != MS_SUCCESS) break;
    const double *log_p = values + width * PIECE;
    memcpy(out->t + width * PIECE * piece, values, (size_t)(width * PIECE) * sizeof *values);
    if (found) {
      ms_chains_restore(x->chains, PIECE * (piece + 1), log_p - width, log_p);
      x->before = (ptrdiff_t)log_p[walkers];
    }
    out->accepted = (ptrdiff_t)log_p[walkers];
    out->proposed = walkers * PIECE * (piece + 1);
    if (warm) {
      warm = warms_up(x, piece, log_p[walkers + 1]);
      out->burn += PIECE;
      continue;
    }
    out->steps += PIECE;
    status = is_settled(x, &check, &settled);
    if (status != MS_SUCCESS) break;
  }
  ms_free(x->ctx, &values);
  return status;
}

void ms_samples_default(ms_samples_setting *setting, size_t size) {
  ms_settings_fill(&(ms_samples_setting)MS_SAMPLES_DEFAULT, setting, size);
}

static ms_status take_ensemble(sampler *x, const ms_fit_problem *problem, const double *p,
                               const ms_best_fit *fit) {
  ms_ensemble_setting ensemble = MS_ENSEMBLE_DEFAULT;
  ensemble.n_walker = x->setting->walkers;
  ensemble.seed = x->setting->seed;
  MS_TRY(ms_ensemble_create(x->ctx, problem->n, density, x, &ensemble, &x->ensemble));
  ms_status status = advance(x, problem, p, fit);
  ms_ensemble_destroy(&x->ensemble);
  return status;
}

static ms_status take_chains(sampler *x, const ms_fit_problem *problem, const double *p,
                             const ms_best_fit *fit) {
  MS_TRY(ms_chains_create(x->ctx, problem->n, x->setting->walkers, density, x, x->setting->seed,
                          &x->chains));
  ms_status status = settle(x, problem, p, fit);
  ms_chains_destroy(&x->chains);
  return status;
}

ms_status ms_samples_take(ms_context *ctx, const ms_fit_problem *problem, const double *p,
                          const ms_best_fit *fit, ms_map_fn *map, void *user,
                          const ms_samples_setting *setting, const ms_part_store *store,
                          ms_samples *out) {
  ms_samples_setting own = MS_SAMPLES_DEFAULT;
  MS_TAKE(ctx, ms_samples_default, setting, own);
  sampler x = { .ctx = ctx, .setting = setting, .store = store, .map = map, .user = user };
  x.noise = fit->scatter;
  x.out = out;
  x.parameter = problem->parameter;
  MS_TRY(reserve(ctx, setting, problem->n, out));
  MS_TRY(out->until ? take_chains(&x, problem, p, fit) : take_ensemble(&x, problem, p, fit));
  return describe(&x);
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

int ms_samples_warning(const ms_samples *x, const ms_fit_parameter *parameter, char *text,
                       size_t size) {
  const ptrdiff_t j = ms_samples_find_unsettled(x);
  if (j < 0) return 0;
  snprintf(text, size,
           "the chain has not settled: for %.200s its %td steps are %.0f autocorrelation times "
           "(50 are required), and R-hat is %.3f (at most 1.05); intervals and bands may be too "
           "narrow or shifted. %s",
           parameter[j].name, x->steps, (double)x->steps / x->report[j].tau, x->report[j].r_hat,
           x->until ? "The density is far from a normal one: narrower bounds, other data or a "
                      "parameter less may help"
                    : "Take more steps, or leave `steps` out");
  return 1;
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
