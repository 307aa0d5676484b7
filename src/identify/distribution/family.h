/* What a family of distributions supplies; x is a value inside the bounds. */
#ifndef MS_IDENTIFY_DISTRIBUTION_FAMILY_H
#define MS_IDENTIFY_DISTRIBUTION_FAMILY_H

#include <microslip/distribution.h>

/* Weighted means over values: of y = x, (x - mean)^2, ln(x - lower), its square, ln(upper - x). */
typedef struct ms_family_means {
  double x, variance, ln_low, ln_low_variance, ln_high;
} ms_family_means;

typedef struct ms_family_table {
  const char *name;
  int needs_lower, needs_upper; /* 1: finite, -1: infinite, 0: either */
  int n_param;                  /* of a, b */
  /* of d: -> holds? */
  int (*in_order)(const ms_distribution *d);
  double (*log_density)(const ms_distribution *d, double x);
  double (*cdf)(const ms_distribution *d, double x);
  double (*mean)(const ms_distribution *d);
  double (*variance)(const ms_distribution *d);
  /* Fill a and b; 0 where there is no such member. */
  int (*from_moments)(ms_distribution *d, double mean, double deviation);
  int (*from_means)(ms_distribution *d, const ms_family_means *means);
} ms_family_table;

/* The table of a file whose functions have the names of the members. */
#define MS_FAMILY_TABLE(name, lower, upper, n) \
  { name, lower, upper, n, in_order, log_density, cdf, mean, variance, from_moments, from_means, }

extern const ms_family_table ms_uniform_family, ms_exponential_family, ms_normal_family,
    ms_gamma_family, ms_beta_family, ms_lognormal_family;

/* distribution.c: the table of a family of the list. */
const ms_family_table *ms_family_get(ms_family family);

#endif
