/* A mean above a bound: density ~ exp(a x). With an upper bound, y = (x - lower)/L, k = a L:

     mean of y = 1/(1 - e^-k) - 1/k,    variance of y = 1/k^2 - 1/(4 sinh^2(k/2)) */
#include <math.h>

#include "identify/distribution/family.h"

static double span(const ms_distribution *d) {
  return d->upper - d->lower;
}

static int in_order(const ms_distribution *d) {
  return isfinite(d->a) && (isfinite(d->upper) || d->a < 0.0);
}

/* ln(k/(e^k - 1)), the height of the density of y at 0. */
static double log_height(double k) {
  if (fabs(k) < 1e-5) return -0.5 * k - k * k / 24.0;
  if (k > 30.0) return log(k) - k - log1p(-exp(-k));
  return log(k / expm1(k));
}

static double log_density(const ms_distribution *d, double x) {
  double rise = d->a * (x - d->lower);
  if (!isfinite(d->upper)) return log(-d->a) + rise;
  return log_height(d->a * span(d)) - log(span(d)) + rise;
}

static double cdf(const ms_distribution *d, double x) {
  double k = d->a * span(d), y = (x - d->lower) / span(d);
  if (!isfinite(d->upper)) return -expm1(d->a * (x - d->lower));
  if (fabs(k) < 1e-8) return y + 0.5 * k * y * (y - 1.0);
  if (k > 30.0) return (exp(k * (y - 1.0)) - exp(-k)) / -expm1(-k);
  return expm1(k * y) / expm1(k);
}

static double mean_of(double k) {
  if (fabs(k) < 1e-3) return 0.5 + k / 12.0 - k * k * k / 720.0;
  return -1.0 / expm1(-k) - 1.0 / k;
}

static double variance_of(double k) {
  double s = 2.0 * sinh(0.5 * k);
  if (fabs(k) < 1e-2) return 1.0 / 12.0 - k * k / 240.0 + k * k * k * k / 6048.0;
  return 1.0 / (k * k) - 1.0 / (s * s);
}

static double mean(const ms_distribution *d) {
  if (!isfinite(d->upper)) return d->lower - 1.0 / d->a;
  return d->lower + span(d) * mean_of(d->a * span(d));
}

static double variance(const ms_distribution *d) {
  if (!isfinite(d->upper)) return 1.0 / (d->a * d->a);
  return span(d) * span(d) * variance_of(d->a * span(d));
}

/* The mean of y rises with k, from 0 to 1: between -1/mean and 1/(1 - mean). */
static int from_moments(ms_distribution *d, double m, double deviation) {
  (void)deviation;
  double y = (m - d->lower) / span(d);
  if (!isfinite(d->upper)) {
    d->a = -1.0 / (m - d->lower);
    return m > d->lower;
  }
  if (!(y > 1e-4 && y < 1.0 - 1e-4)) return 0;
  double low = -1.0 / y - 1.0, high = 1.0 / (1.0 - y) + 1.0;
  for (int i = 0; i < 200 && high - low > 1e-15 * (1.0 + fabs(low)); i++) {
    double k = 0.5 * (low + high);
    if (mean_of(k) < y) {
      low = k;
    } else {
      high = k;
    }
  }
  d->a = 0.5 * (low + high) / span(d);
  return 1;
}

static int from_means(ms_distribution *d, const ms_family_means *means) {
  return from_moments(d, means->x, 0.0);
}

const ms_family_table ms_exponential_family = MS_FAMILY_TABLE("exponential", 1, 0, 1);
