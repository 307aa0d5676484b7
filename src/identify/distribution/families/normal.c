/* Mean and deviation, between bounds: the normal curve of place a and width b, cut. With
   p = (lower - a)/b, q = (upper - a)/b and Z = Phi(q) - Phi(p),

     mean = a + b (phi(p) - phi(q))/Z
     variance = b^2 (1 + (p phi(p) - q phi(q))/Z - ((phi(p) - phi(q))/Z)^2) */
#include <math.h>

#include "identify/distribution/family.h"
#include "identify/distribution/special_functions.h"

static double curve(double x) {
  return isfinite(x) ? 0.3989422804014327 * exp(-0.5 * x * x) : 0.0;
}

/* Phi(q) - Phi(p) without cancellation in the upper tail. */
static double between(double p, double q) {
  return p > 0.0 ? ms_normal_cdf(-p) - ms_normal_cdf(-q) : ms_normal_cdf(q) - ms_normal_cdf(p);
}

static double low_of(const ms_distribution *d) {
  return (d->lower - d->a) / d->b;
}

static double high_of(const ms_distribution *d) {
  return (d->upper - d->a) / d->b;
}

static int in_order(const ms_distribution *d) {
  return isfinite(d->a) && d->b > 0.0 && isfinite(d->b) && between(low_of(d), high_of(d)) > 1e-200;
}

static double log_density(const ms_distribution *d, double x) {
  double y = (x - d->a) / d->b;
  return -0.5 * y * y - 0.9189385332046727 - log(d->b * between(low_of(d), high_of(d)));
}

static double cdf(const ms_distribution *d, double x) {
  return between(low_of(d), (x - d->a) / d->b) / between(low_of(d), high_of(d));
}

static double times_curve(double x) {
  return isfinite(x) ? x * curve(x) : 0.0;
}

static double mean(const ms_distribution *d) {
  double p = low_of(d), q = high_of(d);
  return d->a + d->b * (curve(p) - curve(q)) / between(p, q);
}

static double variance(const ms_distribution *d) {
  double p = low_of(d), q = high_of(d), Z = between(p, q), shift = (curve(p) - curve(q)) / Z;
  return d->b * d->b * (1.0 + (times_curve(p) - times_curve(q)) / Z - shift * shift);
}

/* Errors of mean and deviation, in deviations; 0 where they cannot be told. */
static int errors(const ms_distribution *d, double m, double deviation, double e[2]) {
  if (!in_order(d)) return 0;
  double v = variance(d);
  e[0] = (mean(d) - m) / deviation;
  e[1] = v > 0.0 ? log(v / (deviation * deviation)) : HUGE_VAL;
  return isfinite(e[0]) && isfinite(e[1]);
}

/* Newton's step of (a, ln b) by differences. */
static int newton(const ms_distribution *d, double m, double deviation, const double e[2],
                  double step[2]) {
  double J[4], h = 1e-6;
  for (int j = 0; j < 2; j++) {
    double up[2], down[2];
    ms_distribution high = *d, low = *d;
    if (j == 0) high.a += h * deviation, low.a -= h * deviation;
    if (j == 1) high.b *= exp(h), low.b *= exp(-h);
    if (!errors(&high, m, deviation, up) || !errors(&low, m, deviation, down)) return 0;
    for (int i = 0; i < 2; i++) J[i + 2 * j] = (up[i] - down[i]) / (2.0 * h);
  }
  double det = J[0] * J[3] - J[1] * J[2];
  if (!(fabs(det) > 0.0)) return 0;
  step[0] = (-J[3] * e[0] + J[2] * e[1]) / det;
  step[1] = (J[1] * e[0] - J[0] * e[1]) / det;
  return 1;
}

/* Damped until the errors fall. A normal curve that must be all but a straight or an exponential
   one is not found: the member does not exist, or is as good as not there. */
static int from_moments(ms_distribution *d, double m, double deviation) {
  double e[2], step[2];
  d->a = m, d->b = deviation;
  if (!(deviation > 0.0) || !errors(d, m, deviation, e)) return 0;
  for (int i = 0; i < 300; i++) {
    double size = hypot(e[0], e[1]), damp = 1.0;
    if (size < 1e-11) return 1;
    if (!newton(d, m, deviation, e, step)) return 0;
    ms_distribution next;
    double f[2];
    for (;; damp *= 0.5) {
      if (damp < 1e-9) return size < 1e-8;
      next = *d;
      next.a += damp * step[0] * deviation;
      next.b *= exp(fmax(fmin(damp * step[1], 1.0), -1.0));
      if (errors(&next, m, deviation, f) && hypot(f[0], f[1]) < size) break;
    }
    *d = next, e[0] = f[0], e[1] = f[1];
  }
  return 0;
}

static int from_means(ms_distribution *d, const ms_family_means *means) {
  return from_moments(d, means->x, sqrt(means->variance));
}

const ms_family_table ms_normal_family = MS_FAMILY_TABLE("normal", 0, 0, 2);
