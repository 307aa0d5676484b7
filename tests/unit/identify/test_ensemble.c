/* The ensemble of walkers: a normal density in mean and covariance, bounds, affine invariance,
   seeds, restart, refusals; what chains with known correlation say about themselves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/posterior.h>

#include "support/check.h"

enum { N_X = 3, N_WALKER = 24 };

/* Linear-Gaussian: four observations y = A x + noise of deviations s; a normal prior. The posterior
   is normal with precision P = prior^-1 + A^T S^-2 A and mean P^-1 (A^T S^-2 y). */
static const double A[4][N_X] = {
  { 1.3, -0.4, 0.2 }, { 0.7, 2.1, -0.9 }, { -0.3, 0.8, 1.7 }, { 2.2, 0.1, 0.6 }
};
static const double y[4] = { 2.31, -0.74, 3.12, 4.05 }, s[4] = { 0.31, 0.52, 0.23, 0.77 };
static const double prior[N_X] = { 4.0, 3.0, 5.0 };

static ms_status normal(void *user, ptrdiff_t n, const double *x, double *log_p) {
  double scale = user ? *(double *)user : 1.0; /* of the last coordinate */
  for (ptrdiff_t i = 0; i < n; i++, x += N_X) {
    double sum = 0.0, p[N_X] = { x[0], x[1], x[2] / scale };
    for (int j = 0; j < N_X; j++) sum += pow(p[j] / prior[j], 2.0);
    for (int k = 0; k < 4; k++) {
      double model = A[k][0] * p[0] + A[k][1] * p[1] + A[k][2] * p[2];
      sum += pow((model - y[k]) / s[k], 2.0);
    }
    log_p[i] = -0.5 * sum;
  }
  return MS_SUCCESS;
}

/* Mean and covariance by Cramer's rule on the 3 x 3 precision. */
static void exact(double mean[N_X], double cov[N_X][N_X]) {
  double P[N_X][N_X] = { { 0 } }, b[N_X] = { 0 };
  for (int i = 0; i < N_X; i++) {
    P[i][i] = 1.0 / (prior[i] * prior[i]);
    for (int k = 0; k < 4; k++) {
      b[i] += A[k][i] * y[k] / (s[k] * s[k]);
      for (int j = 0; j < N_X; j++) P[i][j] += A[k][i] * A[k][j] / (s[k] * s[k]);
    }
  }
  double det = 0.0;
  for (int i = 0; i < N_X; i++) {
    for (int j = 0; j < N_X; j++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      cov[j][i] = P[i1][j1] * P[i2][j2] - P[i1][j2] * P[i2][j1];
    }
  }
  for (int j = 0; j < N_X; j++) det += P[0][j] * cov[j][0];
  for (int i = 0; i < N_X; i++) {
    mean[i] = 0.0;
    for (int j = 0; j < N_X; j++) cov[i][j] /= det, mean[i] += cov[i][j] * b[j];
  }
}

static ms_ensemble *ensemble_of(ms_log_density *density, void *user, uint64_t seed) {
  ms_ensemble_setting setting = MS_ENSEMBLE_DEFAULT;
  ms_ensemble *e = NULL;
  setting.n_walker = N_WALKER;
  setting.seed = seed;
  CHECK_OK(ms_ensemble_create(test_context(), N_X, density, user, &setting, &e));
  return e;
}

static void spread(double *x, double scale) {
  ms_random random;
  ms_random_start(&random, 91, 0);
  for (int i = 0; i < N_WALKER * N_X; i++) {
    x[i] = (0.5 + ms_random_uniform(&random)) * (i % N_X == N_X - 1 ? scale : 1.0);
  }
}

/* n_step steps after `skip`; the caller frees. */
static double *chain_of(ms_ensemble *e, int skip, int n_step) {
  double *chain = malloc((size_t)(n_step * N_WALKER * N_X) * sizeof *chain);
  for (int t = -skip; t < n_step; t++) {
    CHECK_OK(ms_ensemble_step(e));
    if (t < 0) continue;
    memcpy(chain + (ptrdiff_t)t * N_WALKER * N_X, ms_ensemble_get(e).x,
           (size_t)(N_WALKER * N_X) * sizeof *chain);
  }
  return chain;
}

static void test_linear_gaussian(void) {
  enum { STEPS = 5000 };
  double start[N_WALKER * N_X], mean[N_X], cov[N_X][N_X];
  ms_chain_report r[N_X];
  ms_ensemble *e = ensemble_of(normal, NULL, 5);
  spread(start, 1.0);
  CHECK_OK(ms_ensemble_start(e, start));
  double *x = chain_of(e, 500, STEPS);
  CHECK_OK(ms_chain_diagnose(test_context(), N_X, N_WALKER, STEPS, x, r));
  exact(mean, cov);
  for (int i = 0; i < N_X; i++) {
    CHECK(r[i].settled);
    CHECK_NEAR(r[i].mean, mean[i], 4.0 * sqrt(cov[i][i] / r[i].effective));
    for (int j = 0; j < N_X; j++) { /* variance of a sample covariance: (C_ii C_jj + C_ij^2)/n */
      double sum = 0.0, worth = fmin(r[i].effective, r[j].effective);
      for (ptrdiff_t k = 0; k < STEPS * N_WALKER; k++) {
        sum += (x[i + N_X * k] - mean[i]) * (x[j + N_X * k] - mean[j]);
      }
      CHECK_NEAR(sum / (STEPS * N_WALKER), cov[i][j],
                 4.0 * sqrt((cov[i][i] * cov[j][j] + cov[i][j] * cov[i][j]) / worth));
    }
  }
  ms_ensemble_state state = ms_ensemble_get(e);
  CHECK_EQUAL(state.proposed, (STEPS + 500) * N_WALKER);
  CHECK_NEAR((double)state.accepted / (double)state.proposed, 0.6, 0.15);
  free(x);
  ms_ensemble_destroy(&e);
  CHECK(e == NULL);
}

/* A coordinate in other units gives the same chain in those units (a power of two: exactly). */
static void test_units_do_not_matter(void) {
  double start[N_WALKER * N_X], scale = 1024.0;
  ms_ensemble *a = ensemble_of(normal, NULL, 7), *b = ensemble_of(normal, &scale, 7);
  spread(start, 1.0);
  CHECK_OK(ms_ensemble_start(a, start));
  spread(start, scale);
  CHECK_OK(ms_ensemble_start(b, start));
  double *x = chain_of(a, 0, 40), *z = chain_of(b, 0, 40);
  int differ = 0;
  for (int k = 0; k < 40 * N_WALKER * N_X; k++) {
    differ += x[k] * (k % N_X == N_X - 1 ? scale : 1.0) != z[k];
  }
  CHECK_EQUAL(differ, 0);
  free(x), free(z);
  ms_ensemble_destroy(&a), ms_ensemble_destroy(&b);
}

/* Uniform on a box: no walker leaves it, mean and variance of each side. */
static ms_status box(void *user, ptrdiff_t n, const double *x, double *log_p) {
  (void)user;
  for (ptrdiff_t i = 0; i < n; i++, x += N_X) {
    int inside = 1;
    for (int j = 0; j < N_X; j++) inside &= x[j] > 0.4 && x[j] < 1.9;
    log_p[i] = inside ? 0.0 : -INFINITY;
  }
  return MS_SUCCESS;
}

static void test_bounds(void) {
  enum { STEPS = 3000 };
  double start[N_WALKER * N_X];
  ms_chain_report r[N_X];
  ms_ensemble *e = ensemble_of(box, NULL, 11);
  spread(start, 1.0);
  CHECK_OK(ms_ensemble_start(e, start));
  double *x = chain_of(e, 200, STEPS);
  int outside = 0;
  for (int k = 0; k < STEPS * N_WALKER * N_X; k++) outside += !(x[k] > 0.4 && x[k] < 1.9);
  CHECK_EQUAL(outside, 0);
  CHECK_OK(ms_chain_diagnose(test_context(), N_X, N_WALKER, STEPS, x, r));
  for (int j = 0; j < N_X; j++) {
    CHECK_NEAR(r[j].mean, 1.15, 4.0 * r[j].error);
    CHECK_CLOSE(r[j].deviation, 1.5 / sqrt(12.0), 0.03);
  }
  free(x);
  ms_ensemble_destroy(&e);
}

static void test_restored_chain_goes_on_the_same(void) {
  double start[N_WALKER * N_X];
  ms_ensemble *a = ensemble_of(normal, NULL, 3), *b = ensemble_of(normal, NULL, 3);
  spread(start, 1.0);
  CHECK_OK(ms_ensemble_start(a, start));
  free(chain_of(a, 0, 9));
  ms_ensemble_state half = ms_ensemble_get(a);
  CHECK_OK(ms_ensemble_restore(b, half.step, half.x, half.log_p));
  double *x = chain_of(a, 0, 30), *z = chain_of(b, 0, 30);
  CHECK(!memcmp(x, z, (size_t)(30 * N_WALKER * N_X) * sizeof *x));
  CHECK_EQUAL(ms_ensemble_get(b).step, 39);
  free(x), free(z);
  ms_ensemble_destroy(&a), ms_ensemble_destroy(&b);
}

static int left; /* calls that go well */

static ms_status stops(void *user, ptrdiff_t n, const double *x, double *log_p) {
  if (left-- == 0) return MS_CANCELLED;
  return normal(user, n, x, log_p);
}

/* Stopped in the second half of a step, the walkers stand where they stood before it. */
static void test_stop_and_again(void) {
  double start[N_WALKER * N_X];
  ms_ensemble *a = ensemble_of(normal, NULL, 3), *b = ensemble_of(stops, NULL, 3);
  spread(start, 1.0);
  left = 6;
  CHECK_OK(ms_ensemble_start(a, start));
  CHECK_OK(ms_ensemble_start(b, start));
  free(chain_of(a, 0, 4));
  free(chain_of(b, 0, 2));
  CHECK_STATUS(ms_ensemble_step(b), MS_CANCELLED);
  CHECK_EQUAL(ms_ensemble_get(b).step, 2);
  left = 100;
  free(chain_of(b, 0, 2));
  CHECK(!memcmp(ms_ensemble_get(a).x, ms_ensemble_get(b).x, sizeof start));
  ms_ensemble_destroy(&a), ms_ensemble_destroy(&b);
}

static ms_status not_a_number(void *user, ptrdiff_t n, const double *x, double *log_p) {
  (void)user, (void)x;
  for (ptrdiff_t i = 0; i < n; i++) log_p[i] = i == 3 ? NAN : -1.2;
  return MS_SUCCESS;
}

static void test_refusals(void) {
  double start[N_WALKER * N_X];
  ms_ensemble_setting setting = MS_ENSEMBLE_DEFAULT;
  ms_ensemble *e = NULL;
  setting.n_walker = 6;
  CHECK_STATUS(ms_ensemble_create(test_context(), N_X, normal, NULL, &setting, &e),
               MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "at least 8");
  setting.n_walker = N_WALKER, setting.stretch = 1.0;
  CHECK_STATUS(ms_ensemble_create(test_context(), N_X, normal, NULL, &setting, &e),
               MS_ERR_ARGUMENT);
  e = ensemble_of(normal, NULL, 1);
  CHECK_STATUS(ms_ensemble_step(e), MS_ERR_STATE);
  spread(start, 1.0);
  for (int i = 0; i < N_WALKER; i++) start[2 + N_X * i] = 0.7 * start[N_X * i] - 0.2;
  CHECK_STATUS(ms_ensemble_start(e, start), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "one plane");
  ms_ensemble_destroy(&e);
  e = ensemble_of(box, NULL, 1);
  spread(start, 1.0);
  start[3 * N_X] = 2.3;
  CHECK_STATUS(ms_ensemble_start(e, start), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "walker 4");
  ms_ensemble_destroy(&e);
  e = ensemble_of(not_a_number, NULL, 1);
  CHECK_STATUS(ms_ensemble_start(e, start), MS_ERR_NUMERIC);
  ms_ensemble_destroy(&e);
}

/* x_t = phi x_{t-1} + noise has rho(k) = phi^k: tau = (1 + phi)/(1 - phi). */
static void test_known_autocorrelation(void) {
  enum { STEPS = 12000, WALKERS = 8 };
  double phi = 0.83, *x = malloc(STEPS * WALKERS * sizeof *x);
  ms_chain_report r;
  ms_random random;
  ms_random_start(&random, 4, 1);
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < WALKERS; i++) {
      double noise = ms_random_normal(&random);
      x[i + WALKERS * t] =
          t ? phi * x[i + WALKERS * (t - 1)] + noise : noise / sqrt(1.0 - phi * phi);
    }
  }
  CHECK_OK(ms_chain_diagnose(test_context(), 1, WALKERS, STEPS, x, &r));
  CHECK_CLOSE(r.tau, (1.0 + phi) / (1.0 - phi), 0.05);
  CHECK_CLOSE(r.deviation, 1.0 / sqrt(1.0 - phi * phi), 0.03);
  CHECK_BELOW(r.r_hat, 1.01);
  CHECK(r.settled);
  for (int t = 0; t < STEPS; t++) x[3 + WALKERS * t] += 6.0; /* one walker elsewhere */
  CHECK_OK(ms_chain_diagnose(test_context(), 1, WALKERS, STEPS, x, &r));
  CHECK(r.r_hat > 1.1);
  CHECK(!r.settled);
  CHECK_STATUS(ms_chain_diagnose(test_context(), 1, WALKERS, 3, x, &r), MS_ERR_ARGUMENT);
  free(x);
}

static ms_status create_and_step(ms_context *ctx, void *user) {
  ms_ensemble_setting setting = MS_ENSEMBLE_DEFAULT;
  ms_ensemble *e = NULL;
  setting.n_walker = N_WALKER;
  MS_TRY(ms_ensemble_create(ctx, N_X, normal, NULL, &setting, &e));
  ms_status status = ms_ensemble_start(e, user);
  if (!status) status = ms_ensemble_step(e);
  ms_ensemble_destroy(&e);
  return status;
}

static void test_failing_memory(void) {
  double start[N_WALKER * N_X];
  spread(start, 1.0);
  CHECK(test_allocations(create_and_step, start) >= 9);
}

int main(void) {
  TEST(test_linear_gaussian);
  TEST(test_units_do_not_matter);
  TEST(test_bounds);
  TEST(test_restored_chain_goes_on_the_same);
  TEST(test_stop_and_again);
  TEST(test_refusals);
  TEST(test_known_autocorrelation);
  TEST(test_failing_memory);
  return test_finish();
}
