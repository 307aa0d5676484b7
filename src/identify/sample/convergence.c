/* What a chain of walkers says about itself.

   rho(k)  autocorrelation at lag k, averaged over the walkers
   tau     1 + 2 sum rho(k) up to the first window M with M >= 5 tau (Sokal)
   r_hat   with each walker's chain split in two: variance between the halves' means and inside */
#include <math.h>

#include <microslip/posterior.h>

#include "core/internal.h"

typedef struct chain {
  ptrdiff_t n_x, n_walker, n_step, j;
  const double *x;
  double mean, variance;
} chain;

static double value(const chain *c, ptrdiff_t i, ptrdiff_t t) {
  return c->x[c->j + c->n_x * (i + c->n_walker * t)];
}

static double mean_of(const chain *c, ptrdiff_t i, ptrdiff_t from, ptrdiff_t n) {
  double sum = 0.0;
  for (ptrdiff_t t = from; t < from + n; t++) sum += value(c, i, t);
  return sum / (double)n;
}

static double variance_of(const chain *c, ptrdiff_t i, ptrdiff_t from, ptrdiff_t n, double mean) {
  double sum = 0.0;
  for (ptrdiff_t t = from; t < from + n; t++) sum += pow(value(c, i, t) - mean, 2.0);
  return sum / (double)(n - 1);
}

static void moments(chain *c) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < c->n_walker; i++) sum += mean_of(c, i, 0, c->n_step);
  c->mean = sum / (double)c->n_walker, sum = 0.0;
  for (ptrdiff_t i = 0; i < c->n_walker; i++) {
    sum += variance_of(c, i, 0, c->n_step, c->mean) * (double)(c->n_step - 1);
  }
  c->variance = sum / (double)(c->n_walker * c->n_step - 1);
}

static double covariance_at(const chain *c, ptrdiff_t lag) {
  double sum = 0.0;
  for (ptrdiff_t t = 0; t + lag < c->n_step; t++) {
    for (ptrdiff_t i = 0; i < c->n_walker; i++) {
      sum += (value(c, i, t) - c->mean) * (value(c, i, t + lag) - c->mean);
    }
  }
  return sum / (double)(c->n_walker * c->n_step);
}

static double autocorrelation_time(const chain *c) {
  double tau = 1.0, whole = covariance_at(c, 0);
  if (!(whole > 0.0)) return (double)c->n_step; /* nobody moved: one sample */
  for (ptrdiff_t lag = 1; lag < c->n_step && (double)lag < 5.0 * tau; lag++) {
    tau += 2.0 * covariance_at(c, lag) / whole;
  }
  return fmax(tau, 1.0 / (double)c->n_walker);
}

static double potential_reduction(const chain *c) {
  ptrdiff_t n = c->n_step / 2, m = 2 * c->n_walker;
  double inside = 0.0, between = 0.0;
  for (ptrdiff_t i = 0; i < m; i++) {
    ptrdiff_t from = i % 2 ? c->n_step - n : 0;
    double mean = mean_of(c, i / 2, from, n);
    inside += variance_of(c, i / 2, from, n, mean);
    between += pow(mean - c->mean, 2.0);
  }
  inside /= (double)m, between /= (double)(m - 1);
  if (!(inside > 0.0)) return between > 0.0 ? 1e9 : 1.0;
  return sqrt(((double)(n - 1) / (double)n * inside + between) / inside);
}

ms_status ms_chain_diagnose(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n_walker, ptrdiff_t n_step,
                            const double *x, ms_chain_report *report) {
  if (n_x < 1 || n_walker < 1 || n_step < 4) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a chain of %td steps of %td walkers; four steps are the least", n_step,
                   n_walker);
  }
  for (ptrdiff_t j = 0; j < n_x; j++) {
    chain c = { .n_x = n_x, .n_walker = n_walker, .n_step = n_step, .j = j, .x = x };
    moments(&c);
    ms_chain_report *r = report + j;
    r->mean = c.mean, r->deviation = sqrt(c.variance);
    r->tau = autocorrelation_time(&c);
    r->effective = (double)(n_walker * n_step) / r->tau;
    r->error = r->deviation / sqrt(r->effective);
    r->r_hat = potential_reduction(&c);
    r->settled = (double)n_step >= 50.0 * r->tau && r->r_hat < 1.05;
  }
  return MS_SUCCESS;
}

/* ---- samples ---- */

ms_status ms_chain_quantiles(ms_context *ctx, ptrdiff_t n, const double *x, ptrdiff_t stride,
                             ptrdiff_t n_u, const double *u, double *out) {
  double *sorted = NULL;
  if (n < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "quantiles of %td numbers", n);
  MS_TRY(ms_allocate(ctx, n, sizeof *sorted, &sorted));
  for (ptrdiff_t i = 0; i < n; i++) sorted[i] = x[stride * i];
  ms_sort(n, sorted);
  for (ptrdiff_t k = 0; k < n_u; k++) {
    double at = fmin(fmax(u[k], 0.0), 1.0) * (double)(n - 1);
    ptrdiff_t i = (ptrdiff_t)at, next = i + 1 < n ? i + 1 : i;
    out[k] = sorted[i] + (at - (double)i) * (sorted[next] - sorted[i]);
  }
  ms_free(ctx, &sorted);
  return MS_SUCCESS;
}

static double mean_of_column(ptrdiff_t n_x, ptrdiff_t n, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) sum += x[n_x * i];
  return sum / (double)n;
}

void ms_chain_correlate(ptrdiff_t n_x, ptrdiff_t n, const double *x, double *correlation) {
  for (ptrdiff_t j = 0; j < n_x; j++) {
    for (ptrdiff_t k = 0; k <= j; k++) {
      double a = mean_of_column(n_x, n, x + j), b = mean_of_column(n_x, n, x + k);
      double aa = 0.0, ab = 0.0, bb = 0.0;
      for (ptrdiff_t i = 0; i < n; i++) {
        double p = x[j + n_x * i] - a, q = x[k + n_x * i] - b;
        aa += p * p, ab += p * q, bb += q * q;
      }
      double r = j == k ? 1.0 : aa > 0.0 && bb > 0.0 ? ab / sqrt(aa * bb) : 0.0;
      correlation[j + n_x * k] = correlation[k + n_x * j] = r;
    }
  }
}
