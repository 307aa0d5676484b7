/* A positive quantity whose mean and mean logarithm are known: shape a, scale b,

     density = y^(a-1) e^(-y/b) / (b^a Gamma(a)),   y = x - lower;   likeliest where
     mean y = a b,  ln a - psi(a) = ln(mean y) - mean ln y */
#include <math.h>

#include "identify/distribution/family.h"
#include "identify/distribution/special_functions.h"

static int in_order(const ms_distribution *d) {
  return d->a > 0.0 && d->b > 0.0 && isfinite(d->a) && isfinite(d->b);
}

static double log_density(const ms_distribution *d, double x) {
  double y = (x - d->lower) / d->b;
  return (d->a - 1.0) * log(y) - y - ms_log_gamma(d->a) - log(d->b);
}

static double cdf(const ms_distribution *d, double x) {
  return ms_gamma_p(d->a, (x - d->lower) / d->b);
}

static double mean(const ms_distribution *d) {
  return d->lower + d->a * d->b;
}

static double variance(const ms_distribution *d) {
  return d->a * d->b * d->b;
}

static int from_moments(ms_distribution *d, double m, double deviation) {
  double y = m - d->lower;
  d->a = y * y / (deviation * deviation);
  d->b = deviation * deviation / y;
  return y > 0.0 && deviation > 0.0;
}

/* s = ln a - psi(a) falls from infinity to 0: Newton in ln a, from the estimate of Minka. */
static int from_means(ms_distribution *d, const ms_family_means *means) {
  double y = means->x - d->lower, s = log(y) - means->ln_low;
  if (!(s > 1e-12)) return 0;
  double a = (3.0 - s + sqrt((s - 3.0) * (s - 3.0) + 24.0 * s)) / (12.0 * s);
  for (int i = 0; i < 100; i++) {
    double error = log(a) - ms_digamma(a) - s, slope = 1.0 - a * ms_trigamma(a);
    double step = fmax(fmin(-error / slope, 1.0), -1.0);
    a *= exp(step);
    if (fabs(step) < 1e-14) break;
  }
  d->a = a, d->b = y / a;
  return in_order(d);
}

const ms_family_table ms_gamma_family = MS_FAMILY_TABLE("gamma", 1, -1, 2);
