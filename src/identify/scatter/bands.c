/* Random joints from distributions: values, synthetic tests, bands. */
#include <math.h>
#include <string.h>

#include <microslip/posterior.h>

#include "identify/scatter/scatter.h"

enum { LEAST_SAMPLES = 8 };

void ms_scatter_draw(ptrdiff_t n, const ms_distribution *d, ptrdiff_t n_specimen, uint64_t seed,
                     double *p) {
  for (ptrdiff_t k = 0; k < n_specimen; k++) {
    ms_random random;
    ms_random_start(&random, seed, (uint64_t)k);
    for (ptrdiff_t i = 0; i < n; i++) {
      p[i + n * k] = ms_distribution_quantile(&d[i], ms_random_uniform(&random));
    }
  }
}

/* A distribution as likely as the one found, seen from N specimens: as the mean and deviation of a
   normal distribution, s' = s sqrt(N/(N-1)) exp(e_s z), m' = m + e_m (s'/s) z. Where the family has
   no such member, the one found. */
static ms_distribution vary(ms_context *ctx, const ms_scatter_parameter *q,
                            const ms_scatter_result *r, ptrdiff_t i, ms_random *random) {
  const double N = (double)r->n_specimen, s = r->deviation[i];
  const double z = ms_random_normal(random), y = ms_random_normal(random);
  const double grown = r->seen[i] ? sqrt(N / (N - 1.0)) * exp(r->deviation_error[i] / s * z) : 1.0;
  ms_distribution d;
  if (ms_distribution_from_moments(ctx, q->family, q->lower, q->upper,
                                   r->mean[i] + r->mean_error[i] * grown * y, grown * s,
                                   &d) == MS_SUCCESS) {
    return d;
  }
  ms_context_clear_message(ctx);
  return r->distribution[i];
}

void ms_scatter_predict(const ms_scatter *s, const ms_scatter_result *r, ptrdiff_t n_specimen,
                        uint64_t seed, double *p) {
  for (ptrdiff_t k = 0; k < n_specimen; k++) {
    ms_random random;
    ms_random_start(&random, seed, (uint64_t)k);
    for (ptrdiff_t i = 0; i < s->n; i++) {
      const ms_distribution d = vary(s->ctx, &s->parameter[i], r, i, &random);
      p[i + s->n * k] = ms_distribution_quantile(&d, ms_random_uniform(&random));
    }
  }
}

/* Noise comes from streams beyond those of the values. */
static void start_noise(ms_random *random, uint64_t seed, ptrdiff_t specimen) {
  ms_random_start(random, seed, (UINT64_C(1) << 32) + (uint64_t)specimen);
}

static void add_noise(ms_random *random, const double noise[2], double *stiffness, double *loss) {
  *stiffness *= exp(noise[0] * ms_random_normal(random));
  *loss *= exp(noise[1] * ms_random_normal(random));
}

ms_status ms_scatter_simulate(ms_scatter *s, const ms_scatter_data *like, const double *p,
                              const double noise[2], uint64_t seed, double *stiffness,
                              double *loss) {
  for (ptrdiff_t i = 0, end; i < like->n; i = end) {
    const ptrdiff_t k = like->specimen[i];
    ptrdiff_t reached;
    ms_random random;
    for (end = i; end < like->n && like->specimen[end] == k; end++) stiffness[end] = loss[end] = 0;
    ms_status status = ms_scatter_eval_until(s, p + s->n * k, end - i, like->force + i,
                                             stiffness + i, loss + i, &reached);
    if (status != MS_SUCCESS && status != MS_NOT_CONVERGED) return status;
    if (status == MS_NOT_CONVERGED) ms_context_clear_message(s->ctx);
    start_noise(&random, seed, k);
    for (ptrdiff_t j = i; j < i + reached; j++) add_noise(&random, noise, &stiffness[j], &loss[j]);
  }
  return MS_SUCCESS;
}

/* ---- bands ---- */

void ms_scatter_bands_destroy(ms_context *ctx, ms_scatter_bands *bands) {
  ms_free(ctx, &bands->stiffness);
  ms_free(ctx, &bands->loss);
  ms_free(ctx, &bands->reach);
  *bands = (ms_scatter_bands) { 0 };
}

/* Values of all samples: stiffness of those that reach the first force, room for `samples`, of the
   second force, ...; then loss. */
typedef struct crowd {
  ptrdiff_t samples;
  double *all, *stiffness, *loss; /* the latter two: of one sample */
} crowd;

/* Forces rise: where one is not reached, neither are those beyond. */
static ms_status sample(ms_scatter *s, const double *p, ptrdiff_t k, const double noise[2],
                        uint64_t seed, const double *force, const crowd *c, ms_scatter_bands *out) {
  ptrdiff_t reached;
  ms_random random;
  start_noise(&random, seed, k);
  ms_status status =
      ms_scatter_eval_until(s, p, out->n_force, force, c->stiffness, c->loss, &reached);
  if (status != MS_SUCCESS && status != MS_NOT_CONVERGED) return status;
  if (status == MS_NOT_CONVERGED) ms_context_clear_message(s->ctx);
  for (ptrdiff_t f = 0; f < reached; f++) {
    const ptrdiff_t at = out->reach[f]++ + c->samples * f;
    add_noise(&random, noise, &c->stiffness[f], &c->loss[f]);
    c->all[at] = c->stiffness[f];
    c->all[at + c->samples * out->n_force] = c->loss[f];
  }
  return MS_SUCCESS;
}

static ms_status find_bands(ms_scatter *s, const double *force, const double *level, const crowd *c,
                            ms_scatter_bands *out) {
  const ptrdiff_t samples = c->samples;
  for (ptrdiff_t f = 0; f < out->n_force; f++) {
    if (out->reach[f] < LEAST_SAMPLES) {
      return ms_fail(s->ctx, MS_NOT_CONVERGED, "%td of %td random joints reach %g N: no band there",
                     out->reach[f], samples, force[f]);
    }
    const ptrdiff_t at = samples * f;
    MS_TRY(ms_chain_quantiles(s->ctx, out->reach[f], c->all + at, 1, out->n_level, level,
                              out->stiffness + out->n_level * f));
    MS_TRY(ms_chain_quantiles(s->ctx, out->reach[f], c->all + at + samples * out->n_force, 1,
                              out->n_level, level, out->loss + out->n_level * f));
  }
  return MS_SUCCESS;
}

ms_status ms_scatter_make_bands(ms_scatter *s, ptrdiff_t samples, const double *p,
                                const double noise[2], ptrdiff_t n_force, const double *force,
                                ptrdiff_t n_level, const double *level, uint64_t seed,
                                ms_scatter_bands *out) {
  ms_context *ctx = s->ctx;
  crowd c = { .samples = samples };
  *out = (ms_scatter_bands) { .n_force = n_force, .n_level = n_level };
  MS_TRY(ms_allocate(ctx, n_force * n_level, sizeof(double), &out->stiffness));
  MS_TRY(ms_allocate(ctx, n_force * n_level, sizeof(double), &out->loss));
  MS_TRY(ms_allocate(ctx, n_force, sizeof *out->reach, &out->reach));
  MS_TRY(ms_allocate(ctx, 2 * n_force * (samples + 1), sizeof *c.all, &c.all));
  c.stiffness = c.all + 2 * n_force * samples;
  c.loss = c.stiffness + n_force;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < samples && status == MS_SUCCESS; k++) {
    status = sample(s, p + s->n * k, k, noise, seed, force, &c, out);
  }
  if (status == MS_SUCCESS) status = find_bands(s, force, level, &c, out);
  ms_free(ctx, &c.all);
  return status;
}
