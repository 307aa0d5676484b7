/* Special functions of the distributions, to 1e-13 or so. */
#ifndef MS_IDENTIFY_DISTRIBUTION_SPECIAL_FUNCTIONS_H
#define MS_IDENTIFY_DISTRIBUTION_SPECIAL_FUNCTIONS_H

double ms_normal_cdf(double x);
double ms_normal_quantile(double p); /* 0 < p < 1 */
double ms_log_gamma(double x);       /* x > 0; for threads, which lgamma is not */
/* P(a, x) = int_0^x t^(a-1) e^-t dt / Gamma(a), a > 0, x >= 0. */
double ms_gamma_p(double a, double x);
/* I_x(a, b), a, b > 0, 0 <= x <= 1. */
double ms_beta_i(double a, double b, double x);
double ms_digamma(double x);  /* x > 0 */
double ms_trigamma(double x); /* x > 0 */

#endif
