/* Curves of frequency and damping at many values of random parameters. */
#include <microslip/posterior.h>
#include <microslip/propagate.h>
#include <microslip/scatter.h>
#include <string.h>

#include "structure/impl.h"

ptrdiff_t ms_random_curves_width(const ms_random_curves *c) {
  return 2 * c->n_level * c->n_mode;
}

void ms_random_curves_destroy(ms_context *ctx, ms_random_curves *c) {
  ms_free(ctx, &c->p);
  ms_free(ctx, &c->y);
  ms_free(ctx, &c->answered);
}

static ms_status reserve(ms_context *ctx, ptrdiff_t samples, ptrdiff_t count, ms_random_curves *c) {
  ms_random_curves_destroy(ctx, c);
  c->samples = samples, c->count = count;
  MS_TRY(ms_allocate(ctx, c->n * count, sizeof *c->p, &c->p));
  MS_TRY(ms_allocate(ctx, ms_random_curves_width(c) * count, sizeof *c->y, &c->y));
  return ms_allocate(ctx, count, sizeof *c->answered, &c->answered);
}

ms_status ms_random_curves_draw(ms_context *ctx, ptrdiff_t samples, uint64_t seed,
                                ms_random_curves *c) {
  MS_TRY(reserve(ctx, samples, samples, c));
  return ms_scatter_draw_correlated(ctx, c->n, c->distribution, c->correlation, c->count, seed,
                                    c->p);
}

ms_status ms_random_curves_draw_sobol(ms_context *ctx, ptrdiff_t samples, uint64_t seed,
                                      ms_random_curves *c) {
  MS_TRY(reserve(ctx, samples, ms_sobol_count(c->n, samples), c));
  MS_TRY(ms_sobol_points(ctx, c->n, samples, seed, c->p));
  for (ptrdiff_t i = 0; i < c->n * c->count; i++) {
    c->p[i] = ms_distribution_quantile(&c->distribution[i % c->n], c->p[i]);
  }
  return MS_SUCCESS;
}

static ms_status eval_point(ms_context *ctx, ms_backbone_model *model, ptrdiff_t i,
                            ms_random_curves *c) {
  const size_t bytes = (size_t)c->n_level * sizeof(double);
  ms_status status = ms_backbone_model_eval(model, c->p + c->n * i, 0);
  if (status == MS_NOT_CONVERGED) ms_context_clear_message(ctx);
  if (status != MS_SUCCESS) return status == MS_NOT_CONVERGED ? MS_SUCCESS : status;
  for (int k = 0; k < c->n_mode; k++) {
    const ms_curve_values v = ms_backbone_model_curve(model, k);
    double *y = c->y + ms_random_curves_width(c) * i + 2 * c->n_level * k;
    memcpy(y, v.omega, bytes);
    memcpy(y + c->n_level, v.zeta, bytes);
  }
  c->answered[i] = 1;
  return MS_SUCCESS;
}

ms_status ms_random_curves_eval(ms_structure *structure, ptrdiff_t first, ptrdiff_t end,
                                ms_random_curves *c) {
  ms_context *ctx = structure->ctx;
  ms_backbone_model *model = NULL;
  ms_curve_request *request;
  MS_TRY(ms_allocate(ctx, c->n_mode, sizeof *request, &request));
  for (int k = 0; k < c->n_mode; k++) {
    request[k] = (ms_curve_request) { c->mode[k], c->n_level, c->q };
  }
  ms_status status =
      ms_backbone_model_create(structure, c->n, c->parameter, c->n_mode, request, &model);
  for (ptrdiff_t i = first; i < end && status == MS_SUCCESS; i++) {
    status = eval_point(ctx, model, i, c);
  }
  ms_backbone_model_destroy(&model);
  ms_free(ctx, &request);
  return status;
}

ptrdiff_t ms_random_curves_count_answers(const ms_random_curves *c) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < c->count; i++) n += c->answered[i];
  return n;
}

/* One number of every point that has an answer; how many. */
static ptrdiff_t gather(const ms_random_curves *c, int mode, ptrdiff_t level, int damping,
                        double *out) {
  const double *y = c->y + c->n_level * (2 * mode + damping) + level;
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < c->count; i++) {
    if (c->answered[i]) out[n++] = y[ms_random_curves_width(c) * i];
  }
  return n;
}

ms_status ms_random_curves_quantiles(ms_context *ctx, const ms_random_curves *c, int mode,
                                     ptrdiff_t level, int damping, ptrdiff_t n_part,
                                     const double *part, double *out) {
  double *y;
  MS_TRY(ms_allocate(ctx, c->count, sizeof *y, &y));
  const ptrdiff_t n = gather(c, mode, level, damping, y);
  ms_status status = ms_chain_quantiles(ctx, n, y, 1, n_part, part, out);
  ms_free(ctx, &y);
  return status;
}

ms_status ms_random_curves_indices(ms_context *ctx, const ms_random_curves *c, int mode,
                                   ptrdiff_t level, int damping, ms_sobol_index *out) {
  double *y;
  MS_TRY(ms_allocate(ctx, c->count, sizeof *y, &y));
  const ptrdiff_t n = gather(c, mode, level, damping, y);
  ms_status status = n == c->count ? ms_sobol_indices(ctx, c->n, c->samples, y, out)
                                   : ms_fail(ctx, MS_NOT_CONVERGED,
                                             "%td of %td points have no answer at one of the "
                                             "amplitudes; take smaller amplitudes, or "
                                             "distributions with bounds",
                                             c->count - n, c->count);
  ms_free(ctx, &y);
  return status;
}
