/* Distributions through their family's table: checks, samples, fits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/distribution/family.h"

static const ms_family_table *const families[MS_FAMILY_N] = {
  [MS_FAMILY_UNIFORM] = &ms_uniform_family, [MS_FAMILY_EXPONENTIAL] = &ms_exponential_family,
  [MS_FAMILY_NORMAL] = &ms_normal_family,   [MS_FAMILY_GAMMA] = &ms_gamma_family,
  [MS_FAMILY_BETA] = &ms_beta_family,       [MS_FAMILY_LOGNORMAL] = &ms_lognormal_family,
};

const ms_family_table *ms_family_get(ms_family family) {
  return families[family];
}

const char *ms_family_name(ms_family family) {
  return (int)family >= 0 && family < MS_FAMILY_N ? families[family]->name : NULL;
}

ms_status ms_family_find(ms_context *ctx, const char *name, ms_family *out) {
  char list[200] = "";
  for (int i = 0; i < MS_FAMILY_N; i++) {
    if (!strcmp(families[i]->name, name)) {
      *out = (ms_family)i;
      return MS_SUCCESS;
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
             families[i]->name);
  }
  return ms_fail(ctx, MS_ERR_NAME, "no distribution is called '%s'; there are %s", name, list);
}

/* ---- checks ---- */

static ms_status check_bound(ms_context *ctx, const ms_family_table *t, const char *side, int needs,
                             double bound) {
  if (isnan(bound) || (needs == 1 && !isfinite(bound))) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "a distribution '%s' needs a finite %s bound", t->name,
                   side);
  }
  if (needs == -1 && isfinite(bound)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "a distribution '%s' has no %s bound (here %g); beta has two, normal any",
                   t->name, side, bound);
  }
  return MS_SUCCESS;
}

static ms_status check_bounds(ms_context *ctx, const ms_distribution *d) {
  if (!ms_family_name(d->family)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "family %d of distributions", (int)d->family);
  }
  const ms_family_table *t = families[d->family];
  MS_TRY(check_bound(ctx, t, "lower", t->needs_lower, d->lower));
  MS_TRY(check_bound(ctx, t, "upper", t->needs_upper, d->upper));
  if (d->lower < d->upper) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "a distribution from %g to %g: the upper bound must be larger",
                 d->lower, d->upper);
}

ms_status ms_distribution_check(ms_context *ctx, const ms_distribution *d) {
  MS_TRY(check_bounds(ctx, d));
  if (families[d->family]->in_order(d)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "a distribution '%s' with parameters %g, %g does not exist",
                 families[d->family]->name, d->a, d->b);
}

/* ---- values ---- */

static int is_inside(const ms_distribution *d, double x) {
  return x > d->lower && x < d->upper;
}

double ms_distribution_log_density(const ms_distribution *d, double x) {
  return is_inside(d, x) ? families[d->family]->log_density(d, x) : -HUGE_VAL;
}

double ms_distribution_cdf(const ms_distribution *d, double x) {
  if (!is_inside(d, x)) return x <= d->lower ? 0.0 : 1.0;
  return fmin(fmax(families[d->family]->cdf(d, x), 0.0), 1.0);
}

double ms_distribution_mean(const ms_distribution *d) {
  return families[d->family]->mean(d);
}

double ms_distribution_deviation(const ms_distribution *d) {
  return sqrt(families[d->family]->variance(d));
}

/* A finite interval that holds the quantile: mean -+ deviations until it does. */
static void bracket(const ms_distribution *d, double u, double *low, double *high) {
  double mean = ms_distribution_mean(d), width = ms_distribution_deviation(d);
  *low = d->lower, *high = d->upper;
  for (double k = 4.0; !isfinite(*low); k *= 2.0) {
    if (ms_distribution_cdf(d, mean - k * width) <= u) *low = mean - k * width;
  }
  for (double k = 4.0; !isfinite(*high); k *= 2.0) {
    if (ms_distribution_cdf(d, mean + k * width) >= u) *high = mean + k * width;
  }
}

/* Newton on the cdf, held inside an interval that shrinks. */
double ms_distribution_quantile(const ms_distribution *d, double u) {
  double low, high;
  bracket(d, u, &low, &high);
  double x = 0.5 * (low + high);
  for (int i = 0; i < 400; i++) {
    double error = ms_distribution_cdf(d, x) - u;
    if (error > 0.0) {
      high = x;
    } else {
      low = x;
    }
    double next = x - error * exp(-ms_distribution_log_density(d, x));
    if (!(next > low && next < high) || i % 3 == 2) next = 0.5 * (low + high);
    double move = fabs(next - x);
    x = next;
    if (move <= 1e-15 * (fabs(x) + high - low) || high - low <= 1e-15 * fabs(x)) break;
  }
  return x;
}

/* ---- from what is known ---- */

ms_status ms_distribution_from_moments(ms_context *ctx, ms_family family, double lower,
                                       double upper, double mean, double deviation,
                                       ms_distribution *out) {
  ms_distribution d = { .family = family, .lower = lower, .upper = upper };
  MS_TRY(check_bounds(ctx, &d));
  int n = families[family]->n_param;
  if ((n == 0 || is_inside(&d, mean)) && (n < 2 || deviation > 0.0) &&
      families[family]->from_moments(&d, mean, deviation)) {
    *out = d;
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "no distribution '%s' between %g and %g has mean %g and deviation %g",
                 families[family]->name, lower, upper, mean, deviation);
}

static ms_status check_values(ms_context *ctx, const ms_distribution *d, ptrdiff_t n,
                              const double *x, const double *w) {
  double total = 0.0;
  int differ = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!is_inside(d, x[i])) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "value %td, %g, is not between the bounds %g and %g",
                     i + 1, x[i], d->lower, d->upper);
    }
    if (w && !(w[i] >= 0.0 && isfinite(w[i]))) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "weight %td is %g; it must be 0 or more", i + 1, w[i]);
    }
    total += w ? w[i] : 1.0;
    differ |= x[i] != x[0] && (!w || w[i] > 0.0);
  }
  if (differ && total > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "%td values, not two of them different: no distribution", n);
}

static double weighted(ptrdiff_t n, const double *x, const double *w,
                       double (*term)(const ms_distribution *d, double x, double about),
                       const ms_distribution *d, double about) {
  double sum = 0.0, total = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double weight = w ? w[i] : 1.0;
    if (weight > 0.0) sum += weight * term(d, x[i], about);
    total += weight;
  }
  return sum / total;
}

static double itself(const ms_distribution *d, double x, double about) {
  (void)d, (void)about;
  return x;
}

static double square(const ms_distribution *d, double x, double about) {
  (void)d;
  return (x - about) * (x - about);
}

static double log_low(const ms_distribution *d, double x, double about) {
  return log(x - d->lower) - about;
}

static double log_low_square(const ms_distribution *d, double x, double about) {
  return log_low(d, x, about) * log_low(d, x, about);
}

static double log_high(const ms_distribution *d, double x, double about) {
  return log(d->upper - x) - about;
}

static ms_family_means means_of(const ms_distribution *d, ptrdiff_t n, const double *x,
                                const double *w) {
  ms_family_means m = { .x = weighted(n, x, w, itself, d, 0.0) };
  m.variance = weighted(n, x, w, square, d, m.x);
  if (isfinite(d->lower)) {
    m.ln_low = weighted(n, x, w, log_low, d, 0.0);
    m.ln_low_variance = weighted(n, x, w, log_low_square, d, m.ln_low);
  }
  if (isfinite(d->upper)) m.ln_high = weighted(n, x, w, log_high, d, 0.0);
  return m;
}

ms_status ms_distribution_fit(ms_context *ctx, ms_family family, double lower, double upper,
                              ptrdiff_t n, const double *x, const double *w, ms_distribution *out) {
  ms_distribution d = { .family = family, .lower = lower, .upper = upper };
  MS_TRY(check_bounds(ctx, &d));
  MS_TRY(check_values(ctx, &d, n, x, w));
  ms_family_means means = means_of(&d, n, x, w);
  if (families[family]->from_means(&d, &means)) {
    *out = d;
    return MS_SUCCESS;
  }
  return ms_fail(
      ctx, MS_NOT_CONVERGED,
      "no distribution '%s' between %g and %g fits %td values of mean %g and deviation %g",
      families[family]->name, lower, upper, n, means.x, sqrt(means.variance));
}
