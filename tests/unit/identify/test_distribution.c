/* Distributions: special functions against closed forms; for every family density, cdf, quantile,
   mean and deviation against each other by quadrature; from moments and by likelihood; refusals. */
#define _DEFAULT_SOURCE /* signgam */
#include <math.h>
#include <string.h>

#include <microslip/distribution.h>

#include "identify/distribution/special_functions.h"
#include "support/check.h"

static void test_special_functions(void) {
  CHECK_CLOSE(ms_gamma_p(1.0, 0.37), -expm1(-0.37), 1e-14);
  CHECK_CLOSE(ms_gamma_p(0.5, 2.3), erf(sqrt(2.3)), 1e-14);
  CHECK_CLOSE(ms_gamma_p(0.5, 0.04), erf(0.2), 1e-14);
  /* On both sides of where another formula takes over (the first one's exponent is 1e6 there, which
     costs it six digits), and far beyond. */
  for (int i = -4; i <= 4; i++) {
    const double z = 0.83 * i, low = 1e5 * (1.0 - 1e-9), high = 1e5 * (1.0 + 1e-9);
    CHECK_NEAR(ms_gamma_p(high, high + z * sqrt(high)), ms_gamma_p(low, low + z * sqrt(low)),
               1e-10);
    CHECK_NEAR(ms_gamma_p(1e14, 1e14 + z * 1e7), ms_normal_cdf(z), 1e-7);
  }
  CHECK_CLOSE(ms_gamma_p(3.0, 7.1), 1.0 - exp(-7.1) * (1.0 + 7.1 + 0.5 * 7.1 * 7.1), 1e-14);
  CHECK_CLOSE(ms_beta_i(2.7, 1.0, 0.31), pow(0.31, 2.7), 1e-13);
  CHECK_CLOSE(ms_beta_i(1.0, 3.4, 0.83), 1.0 - pow(0.17, 3.4), 1e-13);
  CHECK_CLOSE(ms_beta_i(2.0, 3.0, 0.62), 0.62 * 0.62 * (6.0 - 8.0 * 0.62 + 3.0 * 0.62 * 0.62),
              1e-13);
  CHECK_CLOSE(ms_beta_i(0.5, 0.5, 0.2), 2.0 / 3.141592653589793 * asin(sqrt(0.2)), 1e-13);
  CHECK_CLOSE(ms_digamma(1.0), -0.57721566490153286, 1e-14);
  CHECK_CLOSE(ms_digamma(0.5), -0.57721566490153286 - 2.0 * log(2.0), 1e-14);
  CHECK_CLOSE(ms_digamma(7.3) - ms_digamma(6.3), 1.0 / 6.3, 1e-13);
  CHECK_CLOSE(ms_trigamma(1.0), 3.141592653589793 * 3.141592653589793 / 6.0, 1e-14);
  CHECK_CLOSE(ms_trigamma(0.5), 3.141592653589793 * 3.141592653589793 / 2.0, 1e-14);
}

/* lgamma writes to signgam, which threads share. */
static void test_log_gamma(void) {
  CHECK_CLOSE(ms_log_gamma(0.5), 0.5 * log(3.141592653589793), 1e-14);
  CHECK_CLOSE(ms_log_gamma(6.0), log(120.0), 1e-14);
  CHECK_CLOSE(ms_log_gamma(8.3) - ms_log_gamma(7.3), log(7.3), 1e-13);
  signgam = 7;
  ms_gamma_p(2.4, 0.9);
  ms_gamma_p(2.4, 5.1);
  ms_beta_i(2.7, 1.3, 0.31);
  CHECK_EQUAL(signgam, 7);
}

static const ms_distribution samples[] = {
  { MS_FAMILY_UNIFORM, -1.3, 2.9, 0.0, 0.0 },
  { MS_FAMILY_EXPONENTIAL, 0.7, HUGE_VAL, -1.9, 0.0 },
  { MS_FAMILY_EXPONENTIAL, 0.7, 2.2, 3.1, 0.0 },
  { MS_FAMILY_EXPONENTIAL, 0.7, 2.2, -2.4, 0.0 },
  { MS_FAMILY_EXPONENTIAL, -0.7, 2.2, 1e-9, 0.0 },
  { MS_FAMILY_NORMAL, -HUGE_VAL, HUGE_VAL, 2.385, 0.62 },
  { MS_FAMILY_NORMAL, 0.0, HUGE_VAL, 0.4, 0.9 },
  { MS_FAMILY_NORMAL, -1.0, 0.5, -0.3, 0.7 },
  { MS_FAMILY_NORMAL, 1.0, 2.5, 0.3, 0.5 },
  { MS_FAMILY_GAMMA, 0.4, HUGE_VAL, 3.7, 0.21 },
  { MS_FAMILY_GAMMA, 0.0, HUGE_VAL, 61.0, 1.3e6 },
  { MS_FAMILY_BETA, -1.0, 0.0, 2.6, 4.3 },
  { MS_FAMILY_BETA, 0.0, 3.0, 31.0, 11.0 },
  { MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 2.1, 0.33 },
};
enum { N_SAMPLE = sizeof samples / sizeof *samples };

/* Midpoints in u: int g(x) p(x) dx = int g(x(u)) du would use the quantile, so integrate over x
   between far quantiles instead, with the density alone. */
static void quadrature(const ms_distribution *d, double *whole, double *mean, double *variance) {
  enum { N = 100000 };
  double low = ms_distribution_quantile(d, 1e-13), high = ms_distribution_quantile(d, 1.0 - 1e-13);
  double h = (high - low) / N, m = 0.0, s = 0.0, total = 0.0;
  for (int i = 0; i < N; i++) {
    double x = low + (i + 0.5) * h, p = exp(ms_distribution_log_density(d, x)) * h;
    double y = (x - low) / (high - low);
    total += p, m += p * y, s += p * y * y;
  }
  *whole = total;
  *mean = low + (high - low) * m;
  *variance = (high - low) * (high - low) * (s - m * m);
}

static void test_density_is_the_slope_of_the_cdf(void) {
  for (int i = 0; i < N_SAMPLE; i++) {
    const ms_distribution *d = &samples[i];
    CHECK_OK(ms_distribution_check(test_context(), d));
    for (double u = 0.07; u < 1.0; u += 0.17) {
      double x = ms_distribution_quantile(d, u), h = 1e-5 * ms_distribution_deviation(d);
      CHECK_NEAR(ms_distribution_cdf(d, x), u, 1e-12);
      double slope = (ms_distribution_cdf(d, x + h) - ms_distribution_cdf(d, x - h)) / (2.0 * h);
      CHECK_CLOSE(exp(ms_distribution_log_density(d, x)), slope, 1e-8);
    }
  }
}

static void test_moments_by_quadrature(void) {
  for (int i = 0; i < N_SAMPLE; i++) {
    const ms_distribution *d = &samples[i];
    double whole, mean, variance, deviation = ms_distribution_deviation(d);
    quadrature(d, &whole, &mean, &variance);
    CHECK_NEAR(whole, 1.0, 1e-8);
    CHECK_NEAR(mean, ms_distribution_mean(d), 1e-7 * deviation);
    CHECK_CLOSE(sqrt(variance), deviation, 1e-6);
  }
}

static void test_from_moments_and_back(void) {
  for (int i = 0; i < N_SAMPLE; i++) {
    const ms_distribution *d = &samples[i];
    double mean = ms_distribution_mean(d), deviation = ms_distribution_deviation(d);
    ms_distribution e = { 0 };
    CHECK_OK(ms_distribution_from_moments(test_context(), d->family, d->lower, d->upper, mean,
                                          deviation, &e));
    CHECK_NEAR(ms_distribution_mean(&e), mean, 1e-9 * deviation);
    CHECK_CLOSE(ms_distribution_deviation(&e), deviation, 1e-9);
  }
}

static void test_nothing_outside(void) {
  for (int i = 0; i < N_SAMPLE; i++) {
    const ms_distribution *d = &samples[i];
    if (isfinite(d->lower)) {
      CHECK(ms_distribution_log_density(d, d->lower - 0.1) == -HUGE_VAL);
      CHECK_NEAR(ms_distribution_cdf(d, d->lower - 0.1), 0.0, 0.0);
    }
    if (isfinite(d->upper)) {
      CHECK(ms_distribution_log_density(d, d->upper + 0.1) == -HUGE_VAL);
      CHECK_NEAR(ms_distribution_cdf(d, d->upper + 0.1), 1.0, 0.0);
    }
  }
}

enum { N_VALUE = 60 };

static void draw(const ms_distribution *d, double *x, double *w) {
  ms_random random;
  ms_random_start(&random, 41, (uint64_t)d->family);
  for (int i = 0; i < N_VALUE; i++) {
    x[i] = ms_distribution_quantile(d, ms_random_uniform(&random));
    w[i] = 0.5 + ms_random_uniform(&random);
  }
}

static double likelihood(const ms_distribution *d, const double *x, const double *w) {
  double sum = 0.0;
  for (int i = 0; i < N_VALUE; i++) sum += w[i] * ms_distribution_log_density(d, x[i]);
  return sum;
}

/* No neighbour is likelier, and the slope of the likelihood vanishes. */
static void test_fit_is_the_likeliest(void) {
  for (int i = 0; i < N_SAMPLE; i++) {
    const ms_distribution *d = &samples[i];
    double x[N_VALUE], w[N_VALUE];
    ms_distribution e = { 0 };
    draw(d, x, w);
    CHECK_OK(ms_distribution_fit(test_context(), d->family, d->lower, d->upper, N_VALUE, x, w, &e));
    double best = likelihood(&e, x, w);
    for (int k = 0; k < 4 && d->family != MS_FAMILY_UNIFORM; k++) {
      ms_distribution near = e;
      double *p = k < 2 ? &near.a : &near.b;
      if (k >= 2 && d->family == MS_FAMILY_EXPONENTIAL) continue;
      *p += (k % 2 ? 1e-3 : -1e-3) * (fabs(*p) + 1e-3);
      CHECK(likelihood(&near, x, w) < best);
      CHECK_BELOW(best - likelihood(&near, x, w), 1e-2); /* second order: it was a maximum */
    }
  }
}

static void test_names(void) {
  ms_family family;
  for (int i = 0; i < MS_FAMILY_N; i++) {
    CHECK_OK(ms_family_find(test_context(), ms_family_name((ms_family)i), &family));
    CHECK_EQUAL(family, i);
  }
  CHECK(ms_family_name(MS_FAMILY_N) == NULL);
  CHECK_STATUS(ms_family_find(test_context(), "gauss", &family), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "lognormal");
}

static void refuse(ms_family family, double lower, double upper, double mean, double deviation,
                   const char *word) {
  ms_distribution d;
  CHECK_STATUS(
      ms_distribution_from_moments(test_context(), family, lower, upper, mean, deviation, &d),
      MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), word);
}

static void test_refusals(void) {
  refuse(MS_FAMILY_BETA, 0.0, HUGE_VAL, 0.3, 0.1, "finite upper");
  refuse(MS_FAMILY_GAMMA, 0.0, 5.0, 0.3, 0.1, "no upper bound");
  refuse(MS_FAMILY_UNIFORM, 2.0, 2.0, 0.3, 0.1, "must be larger");
  refuse(MS_FAMILY_BETA, 0.0, 1.0, 0.3, 0.6, "no distribution 'beta'");
  refuse(MS_FAMILY_NORMAL, 0.0, 1.0, 0.5, 0.4, "no distribution 'normal'");
  refuse(MS_FAMILY_GAMMA, 0.0, HUGE_VAL, -0.3, 0.1, "mean -0.3");
  double same[] = { 0.7, 0.7, 0.7 }, out[] = { 0.7, 1.7 };
  ms_distribution d;
  CHECK_STATUS(ms_distribution_fit(test_context(), MS_FAMILY_BETA, 0.0, 1.0, 3, same, NULL, &d),
               MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_distribution_fit(test_context(), MS_FAMILY_BETA, 0.0, 1.0, 2, out, NULL, &d),
               MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "value 2, 1.7");
  double apart[] = { 0.3, 0.7 }, weight[] = { 1.3, -1e-9 };
  CHECK_STATUS(ms_distribution_fit(test_context(), MS_FAMILY_BETA, 0.0, 1.0, 2, apart, weight, &d),
               MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "weight 2 is -1e-09; it must be 0 or more");
  d = (ms_distribution) { (ms_family)99, 0.0, 1.0, 1.0, 2.0 };
  CHECK_STATUS(ms_distribution_check(test_context(), &d), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "family 99 of distributions");
  d = (ms_distribution) { MS_FAMILY_GAMMA, 0.0, HUGE_VAL, -1.0, 2.0 };
  CHECK_STATUS(ms_distribution_check(test_context(), &d), MS_ERR_BOUNDS);
}

int main(void) {
  TEST(test_special_functions);
  TEST(test_log_gamma);
  TEST(test_density_is_the_slope_of_the_cdf);
  TEST(test_moments_by_quadrature);
  TEST(test_from_moments_and_back);
  TEST(test_nothing_outside);
  TEST(test_fit_is_the_likeliest);
  TEST(test_names);
  TEST(test_refusals);
  return test_finish();
}
