/* Mean a and deviation b of ln(x - lower). */
#include <math.h>

#include "identify/distribution/family.h"
#include "identify/distribution/special_functions.h"

static int in_order(const ms_distribution *d) {
  return isfinite(d->a) && d->b > 0.0 && isfinite(d->b);
}

static double log_density(const ms_distribution *d, double x) {
  double t = log(x - d->lower), y = (t - d->a) / d->b;
  return -0.5 * y * y - 0.9189385332046727 - log(d->b) - t;
}

static double cdf(const ms_distribution *d, double x) {
  return ms_normal_cdf((log(x - d->lower) - d->a) / d->b);
}

static double mean(const ms_distribution *d) {
  return d->lower + exp(d->a + 0.5 * d->b * d->b);
}

static double variance(const ms_distribution *d) {
  return expm1(d->b * d->b) * exp(2.0 * d->a + d->b * d->b);
}

static int from_moments(ms_distribution *d, double m, double deviation) {
  double y = m - d->lower, ratio = deviation / y;
  if (!(y > 0.0) || !(deviation > 0.0)) return 0;
  d->b = sqrt(log1p(ratio * ratio));
  d->a = log(y) - 0.5 * d->b * d->b;
  return in_order(d);
}

static int from_means(ms_distribution *d, const ms_family_means *means) {
  d->a = means->ln_low;
  d->b = sqrt(means->ln_low_variance);
  return in_order(d);
}

const ms_family_table ms_lognormal_family = MS_FAMILY_TABLE("lognormal", 1, -1, 2);
