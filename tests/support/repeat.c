#include "support/repeat.h"

#include <math.h>
#include <string.h>

#include <microslip/quasistatic.h>

/* ---- the truth ---- */

static ptrdiff_t count_points(const repeat *r) {
  return r->is.n_mode * r->is.n_point;
}

static ms_status find_truth(repeat *r) {
  const repeat_case *is = &r->is;
  const ptrdiff_t n = is->n_point;
  ms_curve_request request[REPEAT_MOST];
  ms_backbone_model *model = NULL;
  for (ptrdiff_t m = 0; m < is->n_mode; m++) {
    MS_TRY(ms_quasistatic_space(r->ctx, is->low[m], is->high[m], n, r->q + n * m));
    request[m] = (ms_curve_request) { is->mode[m], n, r->q + n * m };
  }
  MS_TRY(
      ms_backbone_model_create(is->structure, is->n, is->parameter, is->n_mode, request, &model));
  ms_status status = ms_backbone_model_get(model, r->truth);
  if (status == MS_SUCCESS) status = ms_backbone_model_eval(model, r->truth, 0);
  for (ptrdiff_t m = 0; status == MS_SUCCESS && m < is->n_mode; m++) {
    const ms_curve_values v = ms_backbone_model_curve(model, m);
    memcpy(r->curve + 2 * n * m, v.omega, (size_t)n * sizeof *v.omega);
    memcpy(r->curve + 2 * n * m + n, v.zeta, (size_t)n * sizeof *v.zeta);
  }
  ms_backbone_model_destroy(&model);
  return status;
}

ms_status repeat_open(ms_context *ctx, const repeat_case *which, repeat *r) {
  *r = (repeat) { .ctx = ctx, .is = *which };
  r->n_value = 2 * count_points(r);
  MS_TRY(ms_allocate(ctx, count_points(r), sizeof *r->q, &r->q));
  MS_TRY(ms_allocate(ctx, r->n_value, sizeof *r->curve, &r->curve));
  MS_TRY(ms_allocate(ctx, r->n_value, sizeof *r->data, &r->data));
  MS_TRY(ms_allocate(ctx, which->n * which->n_walker * (which->n_step + 1), sizeof *r->sample,
                     &r->sample));
  return find_truth(r);
}

void repeat_close(repeat *r) {
  ms_calibration_destroy(&r->on);
  ms_free(r->ctx, &r->q);
  ms_free(r->ctx, &r->curve);
  ms_free(r->ctx, &r->data);
  ms_free(r->ctx, &r->sample);
}

/* ---- data ---- */

/* Every mode draws from a stream of its own. */
static void add_noise(repeat *r, ptrdiff_t m, uint64_t seed) {
  const ptrdiff_t n = r->is.n_point;
  double *omega = r->data + 2 * n * m, *zeta = omega + n;
  const double shift = omega[0] - omega[n - 1], s = r->is.noise;
  ms_random random;
  ms_random_start(&random, seed, (uint64_t)m + 1);
  for (ptrdiff_t i = 0; i < n; i++) {
    omega[i] += s * shift * ms_random_normal(&random);
    zeta[i] *= 1.0 + s * ms_random_normal(&random);
  }
}

ms_status repeat_make(repeat *r, uint64_t seed) {
  const ptrdiff_t n = r->is.n_point;
  ms_target target[REPEAT_MOST];
  memcpy(r->data, r->curve, (size_t)r->n_value * sizeof *r->data);
  for (ptrdiff_t m = 0; m < r->is.n_mode; m++) {
    add_noise(r, m, seed);
    target[m] = (ms_target) { .weight = { 1.0, 1.0 },
                              .n = n,
                              .x = r->q + n * m,
                              .y = { r->data + 2 * n * m, r->data + 2 * n * m + n },
                              .is.curve.mode = r->is.mode[m] };
  }
  ms_calibration_destroy(&r->on);
  return ms_calibration_create(r->is.structure, r->is.n, r->is.parameter, r->is.n_mode, target,
                               &r->on);
}

/* ---- fit ---- */

typedef struct scaled {
  repeat *r;
  double noise;
} scaled;

/* Residuals in units of the noise. */
static ms_status eval(void *user, const double *p, double *res, double *jac) {
  const scaled *x = user;
  const ptrdiff_t m = x->r->n_value;
  MS_TRY(ms_calibration_eval(x->r->on, p, res, jac));
  for (ptrdiff_t i = 0; i < m; i++) res[i] /= x->noise;
  for (ptrdiff_t i = 0; jac && i < m * x->r->is.n; i++) jac[i] /= x->noise;
  return MS_SUCCESS;
}

static ms_fit_problem problem_of(scaled *x) {
  const repeat *r = x->r;
  return (ms_fit_problem) { r->is.n, r->n_value, r->is.bound, eval, x, 1 };
}

static ms_status find_best(repeat *r, const ms_fit_problem *problem,
                           const ms_fit_setting *setting) {
  double best = HUGE_VAL, p[REPEAT_MOST];
  ms_fit_local local;
  for (ptrdiff_t k = 0; k < REPEAT_STARTS; k++) {
    MS_TRY(ms_fit_get_start(r->ctx, problem, setting, REPEAT_STARTS, k, p));
    MS_TRY(ms_fit_from(r->ctx, problem, setting, p, &local));
    if (local.end == MS_FIT_FAILED || !(local.sum < best)) continue;
    best = local.sum;
    memcpy(r->p, p, sizeof p);
  }
  if (best < HUGE_VAL) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_NOT_CONVERGED, "no start could be evaluated");
}

ms_status repeat_fit(repeat *r, double noise) {
  const ptrdiff_t n = r->is.n;
  scaled x = { r, noise };
  const ms_fit_problem problem = problem_of(&x);
  ms_fit_setting setting = MS_FIT_DEFAULT;
  ms_fit_judgement judgement;
  setting.known_noise = 1;
  MS_TRY(find_best(r, &problem, &setting));
  MS_TRY(ms_fit_judge(r->ctx, &problem, &setting, r->p, &judgement));
  memcpy(r->error, judgement.standard_error, (size_t)n * sizeof *r->error);
  memcpy(r->covariance, judgement.covariance, (size_t)(n * n) * sizeof *r->covariance);
  ms_fit_judgement_destroy(r->ctx, &judgement);
  return MS_SUCCESS;
}

/* ---- samples ---- */

static ms_status run_chain(repeat *r, const ms_posterior *posterior, ms_ensemble *e,
                           uint64_t seed) {
  const ptrdiff_t n = r->is.n, width = n * r->is.n_walker;
  double centre[REPEAT_MOST];
  MS_TRY(ms_posterior_spread(posterior, r->p, r->covariance, r->is.n_walker, seed, r->sample));
  ms_posterior_scale(posterior, r->p, centre);
  MS_TRY(ms_ensemble_start_near(e, centre, r->sample));
  for (ptrdiff_t k = -r->is.burn; k < r->is.n_step; k++) {
    MS_TRY(ms_ensemble_step(e));
    if (k < 0) continue;
    memcpy(r->sample + width * k, ms_ensemble_get(e).x, (size_t)width * sizeof *r->sample);
  }
  ms_posterior_unscale(posterior, r->is.n_walker * r->is.n_step, r->sample, r->sample);
  return MS_SUCCESS;
}

ms_status repeat_sample(repeat *r, double noise, uint64_t seed) {
  static const double part[2] = { 0.025, 0.975 };
  scaled x = { r, noise };
  const ms_fit_problem problem = problem_of(&x);
  const ms_ensemble_setting setting = { sizeof(ms_ensemble_setting), r->is.n_walker, 2.0, seed };
  ms_posterior *posterior = NULL;
  ms_ensemble *e = NULL;
  MS_TRY(ms_posterior_create(r->ctx, &problem, 1.0, &posterior));
  ms_status status =
      ms_ensemble_create(r->ctx, r->is.n, ms_posterior_log_density, posterior, &setting, &e);
  if (status == MS_SUCCESS) status = run_chain(r, posterior, e, seed);
  for (ptrdiff_t j = 0; status == MS_SUCCESS && j < r->is.n; j++) {
    status = ms_chain_quantiles(r->ctx, r->is.n_walker * r->is.n_step, r->sample + j, r->is.n, 2,
                                part, r->interval[j]);
  }
  ms_ensemble_destroy(&e);
  ms_posterior_destroy(&posterior);
  return status;
}

ms_status repeat_curves(repeat *r, const double *p, double *value) {
  const ptrdiff_t n = r->is.n_point;
  double f[2 * REPEAT_MOST];
  MS_TRY(ms_calibration_objectives(r->on, p, f));
  for (ptrdiff_t m = 0; m < r->is.n_mode; m++) {
    const ms_curve_values v = ms_calibration_curve(r->on, m);
    memcpy(value + 2 * n * m, v.omega, (size_t)n * sizeof *value);
    memcpy(value + 2 * n * m + n, v.zeta, (size_t)n * sizeof *value);
  }
  return MS_SUCCESS;
}
