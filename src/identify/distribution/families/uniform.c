/* Bounds and nothing else. */
#include <math.h>

#include "identify/distribution/family.h"

static int in_order(const ms_distribution *d) {
  (void)d;
  return 1;
}

static double log_density(const ms_distribution *d, double x) {
  (void)x;
  return -log(d->upper - d->lower);
}

static double cdf(const ms_distribution *d, double x) {
  return (x - d->lower) / (d->upper - d->lower);
}

static double mean(const ms_distribution *d) {
  return 0.5 * (d->lower + d->upper);
}

static double variance(const ms_distribution *d) {
  return (d->upper - d->lower) * (d->upper - d->lower) / 12.0;
}

static int from_moments(ms_distribution *d, double m, double deviation) {
  (void)d, (void)m, (void)deviation;
  return 1;
}

static int from_means(ms_distribution *d, const ms_family_means *means) {
  (void)d, (void)means;
  return 1;
}

const ms_family_table ms_uniform_family = MS_FAMILY_TABLE("uniform", 1, 1, 0);
