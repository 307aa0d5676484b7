/* The posterior of a least-squares problem over its scaled variables t.

   t   in (0, 1): the parameters p between their bounds
   r   residuals, m of them, normal with standard deviation s
   ln density(t) = -1/2 sum (r_k/s)^2, and minus infinity outside (0, 1) */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include <microslip/posterior.h>

#include "identify/fit/fit.h"
#include "identify/tolerance.h"

struct ms_posterior {
  ms_context *ctx;
  ms_fit_problem problem;
  double noise;
  double *p, *r;
};

ms_status ms_posterior_create(ms_context *ctx, const ms_fit_problem *problem, double noise,
                              ms_posterior **out) {
  const ms_fit_setting setting = MS_FIT_DEFAULT;
  ms_posterior *x = NULL;
  *out = NULL;
  MS_TRY(ms_fit_check(ctx, problem, &setting));
  if (!(noise > 0.0) || !isfinite(noise)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a noise of %g; it must be above 0", noise);
  }
  MS_TRY(ms_allocate(ctx, 1, sizeof *x, &x));
  *x = (ms_posterior) { .ctx = ctx, .problem = *problem, .noise = noise };
  ms_status status = ms_allocate(ctx, problem->n, sizeof *x->p, &x->p);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, problem->m, sizeof *x->r, &x->r);
  if (status != MS_SUCCESS) ms_posterior_destroy(&x);
  *out = x;
  return status;
}

void ms_posterior_destroy(ms_posterior **posterior) {
  if (!posterior || !*posterior) return;
  ms_context *ctx = (*posterior)->ctx;
  ms_free(ctx, &(*posterior)->p);
  ms_free(ctx, &(*posterior)->r);
  ms_free(ctx, posterior);
}

void ms_posterior_scale(const ms_posterior *x, const double *p, double *t) {
  for (ptrdiff_t j = 0; j < x->problem.n; j++) {
    t[j] = ms_fit_scaled(&x->problem.parameter[j], p[j]);
  }
}

void ms_posterior_unscale(const ms_posterior *x, ptrdiff_t n, const double *t, double *p) {
  const ptrdiff_t n_x = x->problem.n;
  for (ptrdiff_t i = 0; i < n * n_x; i++) {
    p[i] = ms_fit_unscaled(&x->problem.parameter[i % n_x], t[i]);
  }
}

/* ---- density ---- */

static int is_inside(ptrdiff_t n, const double *t) {
  for (ptrdiff_t j = 0; j < n; j++) {
    if (!(t[j] > 0.0 && t[j] < 1.0)) return 0;
  }
  return 1;
}

static ms_status density_of(ms_posterior *x, const double *t, double *log_p) {
  double sum = 0.0;
  *log_p = -INFINITY;
  if (!is_inside(x->problem.n, t)) return MS_SUCCESS;
  ms_posterior_unscale(x, 1, t, x->p);
  ms_status status = x->problem.eval(x->problem.user, x->p, x->r, NULL);
  if (status == MS_NOT_CONVERGED) {
    ms_context_clear_message(x->ctx);
    return MS_SUCCESS;
  }
  if (status != MS_SUCCESS) return status;
  for (ptrdiff_t k = 0; k < x->problem.m; k++) sum += pow(x->r[k] / x->noise, 2.0);
  if (isfinite(sum)) *log_p = -0.5 * sum;
  return MS_SUCCESS;
}

ms_status ms_posterior_log_density(void *user, ptrdiff_t n, const double *t, double *log_p) {
  ms_posterior *x = user;
  for (ptrdiff_t i = 0; i < n; i++) MS_TRY(density_of(x, t + x->problem.n * i, &log_p[i]));
  return MS_SUCCESS;
}

/* ---- where walkers start ---- */

/* The root L of the covariance in t, L L^T, with deviations that are neither too wide nor zero;
   scale has room for n. */
static ms_status find_root(const ms_posterior *x, const double *p, const double *covariance,
                           double *L, double *scale) {
  const ptrdiff_t n = x->problem.n;
  for (ptrdiff_t j = 0; j < n; j++) {
    const ms_fit_parameter *q = &x->problem.parameter[j];
    double slope = ms_fit_slope(q, ms_fit_scaled(q, p[j]));
    double deviation = sqrt(fmax(covariance[j + n * j], 0.0)) / slope;
    scale[j] =
        fmin(1.0, ms_identify_tol.widest / fmax(deviation, ms_identify_tol.narrowest)) / slope;
  }
  for (ptrdiff_t i = 0; i < n * n; i++) L[i] = covariance[i] * scale[i % n] * scale[i / n];
  for (ptrdiff_t j = 0; j < n; j++) {
    L[j + n * j] = fmax(L[j + n * j], ms_identify_tol.narrowest * ms_identify_tol.narrowest) *
                   (1.0 + 1e-8); /* rounding */
  }
  int info = (int)LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, L, (int)n);
  if (info == 0) return MS_SUCCESS;
  return ms_fail(x->ctx, MS_ERR_ARGUMENT,
                 "posterior: the covariance is not that of anything (LAPACK %d)", info);
}

ms_status ms_posterior_find_root(const ms_posterior *x, const double *p, const double *covariance,
                                 double *L) {
  double *scale;
  MS_TRY(ms_allocate(x->ctx, x->problem.n, sizeof *scale, &scale));
  ms_status status = find_root(x, p, covariance, L, scale);
  ms_free(x->ctx, &scale);
  return status;
}

/* Reflected at the walls. */
static double inside(double t) {
  t = fabs(t);
  t = t > 1.0 ? 2.0 - t : t;
  return fmin(fmax(t, ms_identify_tol.edge), 1.0 - ms_identify_tol.edge);
}

ms_status ms_posterior_spread(const ms_posterior *x, const double *p, const double *covariance,
                              ptrdiff_t n_walker, uint64_t seed, double *t) {
  const ptrdiff_t n = x->problem.n;
  ms_random random;
  double *L = NULL;
  MS_TRY(ms_allocate(x->ctx, n * n + 2 * n, sizeof *L, &L));
  double *z = L + n * n + n;
  ms_status status = find_root(x, p, covariance, L, L + n * n);
  ms_random_start(&random, seed, 0);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < n_walker; i++) {
    double *at = t + n * i;
    ms_posterior_scale(x, p, at);
    for (ptrdiff_t j = 0; j < n; j++) z[j] = ms_random_normal(&random);
    for (ptrdiff_t j = 0; j < n; j++) {
      for (ptrdiff_t k = 0; k <= j; k++) at[j] += L[j + n * k] * z[k];
      at[j] = inside(at[j]);
    }
  }
  ms_free(x->ctx, &L);
  return status;
}
