/* Between two bounds, the mean logarithms of the distances to both known: with y = (x - lower)/L,

     density = y^(a-1) (1-y)^(b-1) / (L B(a, b));   likeliest where
     psi(a) - psi(a+b) = mean ln y,   psi(b) - psi(a+b) = mean ln(1-y) */
#include <math.h>

#include "identify/distribution/family.h"
#include "identify/distribution/special_functions.h"

static double span(const ms_distribution *d) {
  return d->upper - d->lower;
}

static int in_order(const ms_distribution *d) {
  return d->a > 0.0 && d->b > 0.0 && isfinite(d->a) && isfinite(d->b);
}

static double log_density(const ms_distribution *d, double x) {
  double y = (x - d->lower) / span(d), z = (d->upper - x) / span(d);
  return (d->a - 1.0) * log(y) + (d->b - 1.0) * log(z) + ms_log_gamma(d->a + d->b) -
         ms_log_gamma(d->a) - ms_log_gamma(d->b) - log(span(d));
}

static double cdf(const ms_distribution *d, double x) {
  return ms_beta_i(d->a, d->b, (x - d->lower) / span(d));
}

static double mean(const ms_distribution *d) {
  return d->lower + span(d) * d->a / (d->a + d->b);
}

static double variance(const ms_distribution *d) {
  double sum = d->a + d->b;
  return span(d) * span(d) * d->a * d->b / (sum * sum * (sum + 1.0));
}

static int from_moments(ms_distribution *d, double m, double deviation) {
  double y = (m - d->lower) / span(d), v = deviation / span(d);
  double sum = y * (1.0 - y) / (v * v) - 1.0;
  d->a = y * sum, d->b = (1.0 - y) * sum;
  return in_order(d);
}

/* Newton in (ln a, ln b): the likelihood is concave in (a, b). */
static int from_means(ms_distribution *d, const ms_family_means *means) {
  double want[2] = { means->ln_low - log(span(d)), means->ln_high - log(span(d)) };
  if (!from_moments(d, means->x, sqrt(means->variance))) return 0;
  for (int i = 0; i < 200; i++) {
    double a = d->a, b = d->b, both = ms_digamma(a + b), slope = ms_trigamma(a + b);
    double e[2] = { ms_digamma(a) - both - want[0], ms_digamma(b) - both - want[1] };
    double J[4] = { a * (ms_trigamma(a) - slope), -a * slope, -b * slope,
                    b * (ms_trigamma(b) - slope) };
    double det = J[0] * J[3] - J[1] * J[2];
    double step[2] = { (-J[3] * e[0] + J[2] * e[1]) / det, (J[1] * e[0] - J[0] * e[1]) / det };
    if (!isfinite(step[0]) || !isfinite(step[1])) return 0;
    d->a *= exp(fmax(fmin(step[0], 1.0), -1.0));
    d->b *= exp(fmax(fmin(step[1], 1.0), -1.0));
    if (fabs(step[0]) + fabs(step[1]) < 1e-13) break;
  }
  return in_order(d);
}

const ms_family_table ms_beta_family = MS_FAMILY_TABLE("beta", 1, 1, 2);
