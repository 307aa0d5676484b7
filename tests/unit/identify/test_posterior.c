/* The posterior of a least-squares problem: its density by its definition, the linear problem whose
   posterior is normal, where walkers start; quantiles and correlations of samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/posterior.h>

#include "support/check.h"

enum { N = 2, M = 4 };
#define NOISE 0.37

/* r_k = a_k x_0 + b_k x_1 - y_k with x = p, or x_0 = ln p_0 where the scale is logarithmic. */
static const double a[M] = { 1.3, -0.4, 2.2, 0.7 }, b[M] = { 0.9, 1.7, -0.3, 1.1 };
static const double y[M] = { 2.71, 1.13, 1.94, 2.05 };

static const ms_fit_parameter straight[N] = { { "A", -9.0, 13.0, 0, 0.0 },
                                              { "B", -11.0, 8.0, 0, 0.0 } };
static const ms_fit_parameter curved[N] = { { "A", 0.2, 37.0, 1, 0.0 },
                                            { "B", -11.0, 8.0, 0, 0.0 } };

static ms_status linear(void *user, const double *p, double *r, double *jac) {
  const int logarithmic = user != NULL;
  (void)jac;
  if (p[1] > 7.5) return MS_NOT_CONVERGED;
  if (p[1] < -10.5) return MS_ERR_STATE;
  for (int k = 0; k < M; k++) {
    r[k] = a[k] * (logarithmic ? log(p[0]) : p[0]) + b[k] * p[1] - y[k];
  }
  return MS_SUCCESS;
}

static ms_posterior *make(const ms_fit_parameter *parameter, int logarithmic) {
  static int yes;
  const ms_fit_problem problem = { N, M, parameter, linear, logarithmic ? &yes : NULL, 0 };
  ms_posterior *x = NULL;
  CHECK_OK(ms_posterior_create(test_context(), &problem, NOISE, &x));
  return x;
}

/* The normal equations of the linear problem. */
static void exact(double mean[N], double cov[N][N]) {
  double aa = 0.0, ab = 0.0, bb = 0.0, ay = 0.0, by = 0.0;
  for (int k = 0; k < M; k++) {
    aa += a[k] * a[k], ab += a[k] * b[k], bb += b[k] * b[k];
    ay += a[k] * y[k], by += b[k] * y[k];
  }
  const double det = aa * bb - ab * ab, s = NOISE * NOISE / det;
  mean[0] = (bb * ay - ab * by) / det, mean[1] = (aa * by - ab * ay) / det;
  cov[0][0] = s * bb, cov[1][1] = s * aa, cov[0][1] = cov[1][0] = -s * ab;
}

static void test_density(void) {
  const double t[3 * N] = { 0.43, 0.61, 1.07, 0.3, 0.2, 0.98 };
  double log_p[3], p[N], sum = 0.0;
  ms_posterior *x = make(curved, 1);
  CHECK_OK(ms_posterior_log_density(x, 3, t, log_p));
  const double ln = log(0.2) + 0.43 * log(37.0 / 0.2), second = -11.0 + 0.61 * 19.0;
  for (int k = 0; k < M; k++) sum += pow((a[k] * ln + b[k] * second - y[k]) / NOISE, 2.0);
  CHECK_CLOSE(log_p[0], -0.5 * sum, 1e-12);
  CHECK(log_p[1] == -INFINITY); /* outside */
  CHECK(log_p[2] == -INFINITY); /* no answer */
  const double wrong[N] = { 0.5, 0.01 };
  CHECK_STATUS(ms_posterior_log_density(x, 1, wrong, log_p), MS_ERR_STATE);
  ms_posterior_unscale(x, 1, t, p);
  CHECK_CLOSE(p[0], exp(ln), 1e-12);
  CHECK_CLOSE(p[1], second, 1e-12);
  ms_posterior_scale(x, p, p);
  for (int j = 0; j < N; j++) CHECK_CLOSE(p[j], t[j], 1e-12);
  ms_posterior_destroy(&x);
  CHECK(x == NULL);
}

/* Mean, covariance and the 5 % and 95 % quantiles of a normal density, within their Monte Carlo
   errors. */
static void check_sampled(const ms_fit_parameter *parameter, int logarithmic) {
  enum { WALKERS = 20, BURN = 200, STEPS = 4000 };
  const double u[2] = { 0.05, 0.95 };
  double mean[N], cov[N][N], t[N * WALKERS], fit[N], centre[N], quantile[2];
  ms_ensemble_setting setting = MS_ENSEMBLE_DEFAULT;
  ms_chain_report r[N];
  ms_ensemble *e = NULL;
  ms_posterior *x = make(parameter, logarithmic);
  exact(mean, cov);
  double spread[N * N] = { cov[0][0], cov[1][0], cov[0][1], cov[1][1] };
  memcpy(fit, mean, sizeof fit);
  if (logarithmic) {
    fit[0] = exp(mean[0]);
    spread[0] *= fit[0] * fit[0], spread[1] *= fit[0], spread[2] *= fit[0];
  }
  setting.n_walker = WALKERS;
  CHECK_OK(ms_posterior_spread(x, fit, spread, WALKERS, 5, t));
  CHECK_OK(ms_ensemble_create(test_context(), N, ms_posterior_log_density, x, &setting, &e));
  ms_posterior_scale(x, fit, centre);
  CHECK_OK(ms_ensemble_start_near(e, centre, t));
  double *chain = malloc(sizeof *chain * N * WALKERS * STEPS);
  for (int k = -BURN; k < STEPS; k++) {
    CHECK_OK(ms_ensemble_step(e));
    if (k >= 0) memcpy(chain + (ptrdiff_t)N * WALKERS * k, ms_ensemble_get(e).x, sizeof t);
  }
  ms_posterior_unscale(x, (ptrdiff_t)WALKERS * STEPS, chain, chain);
  for (int i = 0; logarithmic && i < WALKERS * STEPS; i++) chain[N * i] = log(chain[N * i]);
  CHECK_OK(ms_chain_diagnose(test_context(), N, WALKERS, STEPS, chain, r));
  for (int j = 0; j < N; j++) {
    const double s = sqrt(cov[j][j]);
    CHECK(r[j].settled);
    CHECK_NEAR(r[j].mean, mean[j], 4.0 * s / sqrt(r[j].effective));
    CHECK_NEAR(r[j].deviation, s, 4.0 * s / sqrt(2.0 * r[j].effective));
    CHECK_OK(ms_chain_quantiles(test_context(), (ptrdiff_t)WALKERS * STEPS, chain + j, N, 2, u,
                                quantile));
    /* standard error of a quantile: sqrt(u (1 - u)/n)/density */
    const double error = s * sqrt(0.05 * 0.95 / r[j].effective) / 0.1031;
    CHECK_NEAR(quantile[0], mean[j] - 1.6449 * s, 4.0 * error);
    CHECK_NEAR(quantile[1], mean[j] + 1.6449 * s, 4.0 * error);
  }
  double correlation[N * N], rho = cov[0][1] / sqrt(cov[0][0] * cov[1][1]);
  ms_chain_correlate(N, (ptrdiff_t)WALKERS * STEPS, chain, correlation);
  CHECK_NEAR(correlation[1], rho, 4.0 * (1.0 - rho * rho) / sqrt(r[0].effective));
  CHECK(correlation[1] == correlation[2] && correlation[0] == 1.0 && correlation[3] == 1.0);
  free(chain);
  ms_ensemble_destroy(&e);
  ms_posterior_destroy(&x);
}

static void test_linear_gaussian(void) {
  check_sampled(straight, 0);
}

static void test_logarithmic_scale(void) {
  check_sampled(curved, 1);
}

/* Moments of where walkers start: 40000 have their covariance within 4 standard errors. */
static void test_spread(void) {
  enum { MANY = 40000 };
  const double p[N] = { 1.7, -2.3 }, cov[N * N] = { 0.31, -0.22, -0.22, 0.47 };
  double *t = malloc(sizeof *t * N * MANY), sum[3] = { 0 };
  ms_posterior *x = make(straight, 0);
  CHECK_OK(ms_posterior_spread(x, p, cov, MANY, 3, t));
  for (int i = 0; i < MANY; i++) {
    double d0 = -9.0 + 22.0 * t[N * i] - p[0], d1 = -11.0 + 19.0 * t[N * i + 1] - p[1];
    sum[0] += d0 * d0 / MANY, sum[1] += d0 * d1 / MANY, sum[2] += d1 * d1 / MANY;
  }
  const double se = 4.0 * sqrt(2.0 / MANY);
  CHECK_NEAR(sum[0], cov[0], se * cov[0]);
  CHECK_NEAR(sum[1], cov[1], se * sqrt(cov[0] * cov[3]));
  CHECK_NEAR(sum[2], cov[3], se * cov[3]);
  /* far too wide, and at a bound: a tenth of the range, inside */
  const double wide[N * N] = { 3e6, 1e2, 1e2, 4e5 }, corner[N] = { -9.0, 8.0 };
  int outside = 0;
  memset(sum, 0, sizeof sum);
  CHECK_OK(ms_posterior_spread(x, corner, wide, MANY, 3, t));
  for (int i = 0; i < N * MANY; i++) outside += !(t[i] > 0.0 && t[i] < 1.0);
  for (int i = 0; i < MANY; i++) {
    for (int j = 0; j < N; j++) sum[j] += pow(t[N * i + j] - (j ? 1.0 : 0.0), 2.0) / MANY;
  }
  CHECK_EQUAL(outside, 0);
  for (int j = 0; j < N; j++) CHECK_CLOSE(sum[j], 0.01, se);
  const double none[N * N] = { 0.31, 0.9, 0.9, 0.47 };
  CHECK_STATUS(ms_posterior_spread(x, p, none, MANY, 3, t), MS_ERR_ARGUMENT);
  free(t);
  ms_posterior_destroy(&x);
}

/* Walkers where the model has no answer (t_1 above 0.974) come nearer until it has one. */
static void test_start_near(void) {
  enum { WALKERS = 12 };
  ms_ensemble_setting setting = MS_ENSEMBLE_DEFAULT;
  const double centre[N] = { 0.41, 0.57 };
  double t[N * WALKERS];
  ms_ensemble *e = NULL;
  ms_posterior *x = make(straight, 0);
  setting.n_walker = WALKERS;
  for (int i = 0; i < WALKERS; i++) {
    t[N * i] = 0.31 + 0.013 * i, t[N * i + 1] = 0.7 + 0.027 * i + 0.001 * (i % 3);
  }
  CHECK_OK(ms_ensemble_create(test_context(), N, ms_posterior_log_density, x, &setting, &e));
  CHECK_STATUS(ms_ensemble_start(e, t), MS_ERR_ARGUMENT);
  CHECK_OK(ms_ensemble_start_near(e, centre, t));
  const ms_ensemble_state s = ms_ensemble_get(e);
  CHECK_NEAR(s.x[1], t[1], 0.0);
  CHECK_NEAR(s.x[N * 11 + 1], 0.5 * (t[N * 11 + 1] + centre[1]), 1e-15);
  CHECK_NEAR(s.x[N * 11], 0.5 * (t[N * 11] + centre[0]), 1e-15);
  const double bad[N] = { 0.41, 0.999 };
  for (int i = 0; i < WALKERS; i++) t[N * i + 1] = 0.98 + 0.001 * i;
  CHECK_STATUS(ms_ensemble_start_near(e, bad, t), MS_ERR_ARGUMENT);
  ms_ensemble_destroy(&e);
  ms_posterior_destroy(&x);
}

static void test_quantiles(void) {
  /* every second number: 7.1 -3.2 4.4 0.6 2.9 */
  const double x[] = { 7.1, 9, -3.2, 9, 4.4, 9, 0.6, 9, 2.9, 9 };
  const double u[] = { 0.0, 0.25, 0.5, 0.9, 1.0, 1.7 }, want[] = { -3.2, 0.6, 2.9, 6.02, 7.1, 7.1 };
  double got[6];
  CHECK_OK(ms_chain_quantiles(test_context(), 5, x, 2, 6, u, got));
  for (int i = 0; i < 6; i++) CHECK_NEAR(got[i], want[i], 1e-12);
  CHECK_STATUS(ms_chain_quantiles(test_context(), 0, x, 1, 6, u, got), MS_ERR_ARGUMENT);
  const double still[] = { 1.7, 0.3, 1.7, 0.9, 1.7, 0.4 };
  double correlation[4];
  ms_chain_correlate(2, 3, still, correlation);
  CHECK(correlation[0] == 1.0 && correlation[1] == 0.0 && correlation[3] == 1.0);
}

static void test_refusals(void) {
  const ms_fit_problem problem = { N, M, straight, linear, NULL, 0 };
  ms_posterior *x = NULL;
  CHECK_STATUS(ms_posterior_create(test_context(), &problem, 0.0, &x), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_posterior_create(test_context(), &problem, INFINITY, &x), MS_ERR_ARGUMENT);
  CHECK(x == NULL);
  ms_posterior_destroy(&x);
}

static ms_status work(ms_context *ctx, void *user) {
  const ms_fit_problem problem = { N, M, straight, linear, NULL, 0 };
  const double p[N] = { 1.7, -2.3 }, cov[N * N] = { 0.31, -0.22, -0.22, 0.47 }, u = 0.3;
  double t[N * 6], q;
  ms_posterior *x = NULL;
  (void)user;
  MS_TRY(ms_posterior_create(ctx, &problem, NOISE, &x));
  ms_status status = ms_posterior_spread(x, p, cov, 6, 3, t);
  if (status == MS_SUCCESS) status = ms_chain_quantiles(ctx, 6, t, N, 1, &u, &q);
  ms_posterior_destroy(&x);
  return status;
}

static void test_failing_memory(void) {
  CHECK(test_allocations(work, NULL) >= 5);
}

int main(void) {
  TEST(test_density);
  TEST(test_linear_gaussian);
  TEST(test_logarithmic_scale);
  TEST(test_spread);
  TEST(test_start_near);
  TEST(test_quantiles);
  TEST(test_refusals);
  TEST(test_failing_memory);
  return test_finish();
}
