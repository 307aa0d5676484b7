/* [identify] Random parameters: distributions that assume no more than is known. Of all densities
   on [lower, upper] with the stated moments each family has the largest entropy
   (docs/theory/distributions.md).

     uniform      bounds                                      nothing else is known
     exponential  lower, mean (upper may be finite)           density ~ exp(a x)
     normal       mean, deviation; bounds may be finite       density ~ exp(a x + b x^2)
     gamma        lower, E[x - lower], E[ln(x - lower)]       density falls to zero at the bound, or
                                                              not faster than it must
     beta         lower, upper, E of the two logarithms
     lognormal    lower, E and variance of ln(x - lower) */
#ifndef MICROSLIP_DISTRIBUTION_H
#define MICROSLIP_DISTRIBUTION_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ms_family {
  MS_FAMILY_UNIFORM,
  MS_FAMILY_EXPONENTIAL, /* a = rate, any sign where upper is finite, < 0 else */
  MS_FAMILY_NORMAL,      /* a = place, b = width of the normal curve that is cut at the bounds */
  MS_FAMILY_GAMMA,       /* a = shape, b = scale */
  MS_FAMILY_BETA,        /* a, b = exponents + 1 at lower and upper */
  MS_FAMILY_LOGNORMAL,   /* a, b = mean and deviation of ln(x - lower) */
  MS_FAMILY_N
} ms_family;

typedef struct ms_distribution {
  ms_family family;
  double lower, upper; /* may be infinite where the family allows */
  double a, b;
} ms_distribution;

MS_API const char *ms_family_name(ms_family family); /* NULL outside the list */
/* MS_ERR_NAME lists the names there are. */
MS_API ms_status ms_family_find(ms_context *ctx, const char *name, ms_family *out);

/* The distribution with this mean and standard deviation (uniform: both unused; exponential: the
   deviation is). MS_ERR_BOUNDS where no member of the family has them. */
MS_API ms_status ms_distribution_from_moments(ms_context *ctx, ms_family family, double lower,
                                              double upper, double mean, double deviation,
                                              ms_distribution *out);
/* The member of the family under which n values, all inside the bounds, with weights w (NULL:
   equal) are likeliest. Fails for fewer than two different values. */
MS_API ms_status ms_distribution_fit(ms_context *ctx, ms_family family, double lower, double upper,
                                     ptrdiff_t n, const double *x, const double *w,
                                     ms_distribution *out);
MS_API ms_status ms_distribution_check(ms_context *ctx, const ms_distribution *d);

/* For a distribution that is in order: */
MS_API double ms_distribution_log_density(const ms_distribution *d, double x); /* -inf outside */
MS_API double ms_distribution_cdf(const ms_distribution *d, double x);
/* x with cdf(x) = u, u in (0, 1): a sample where u is uniform. */
MS_API double ms_distribution_quantile(const ms_distribution *d, double u);
MS_API double ms_distribution_mean(const ms_distribution *d);
MS_API double ms_distribution_deviation(const ms_distribution *d);

#ifdef __cplusplus
}
#endif
#endif
