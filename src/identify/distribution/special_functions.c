/* Incomplete gamma and beta functions by series and by Lentz's evaluation of their continued
   fractions, each where it converges fast; psi functions by recurrence and asymptotic series.
   Formulas: Abramowitz and Stegun 6.5.29, 6.5.31, 26.5.8, 6.3.18, 6.4.12. */
#define _DEFAULT_SOURCE /* lgamma_r */
#include "identify/distribution/special_functions.h"

#include <float.h>
#include <math.h>

double ms_normal_cdf(double x) {
  return 0.5 * erfc(-x * sqrt(0.5));
}

/* Newton's method on the logarithm of the tail, which is concave: no step goes astray. */
double ms_normal_quantile(double p) {
  const double tail = fmin(p, 1.0 - p), root_two_pi = 2.50662827463100050242;
  double x = 0.0;
  for (int i = 0; i < 100; i++) {
    double now = ms_normal_cdf(x), slope = exp(-0.5 * x * x) / root_two_pi / now;
    double step = (log(now) - log(tail)) / slope;
    x -= step;
    if (fabs(step) <= 1e-15 * fmax(fabs(x), 1.0)) break;
  }
  return p < 0.5 ? x : -x;
}

/* lgamma leaves the sign in a variable that all threads share. */
double ms_log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

static double gamma_series(double a, double x) {
  double term = 1.0 / a, sum = term;
  for (double k = a + 1.0; term > sum * DBL_EPSILON * 0.1; k += 1.0) {
    term *= x / k;
    sum += term;
  }
  return sum * exp(a * log(x) - x - ms_log_gamma(a));
}

/* A number that may divide. */
static double not_zero(double x) {
  return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* Q(a, x) = x^a e^-x/Gamma(a) * 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))) */
static double gamma_fraction(double a, double x) {
  double b = x + 1.0 - a, c = 1e300, d = 1.0 / not_zero(b), h = d;
  for (int i = 1; i < 100000; i++) {
    double an = -i * (i - a);
    b += 2.0;
    d = 1.0 / not_zero(an * d + b);
    c = not_zero(b + an / c);
    h *= d * c;
    if (fabs(d * c - 1.0) < DBL_EPSILON) break;
  }
  return h * exp(a * log(x) - x - ms_log_gamma(a));
}

/* x - ln(1 + x) without loss of digits. */
static double less_log1p(double x) {
  double sum = 0.0, power = x * x;
  if (fabs(x) > 0.05) return x - log1p(x);
  for (int k = 2; k < 16; k++, power *= -x) sum += power / k;
  return sum;
}

/* Temme's expansion for large a, where series and fraction take too many terms:
     P = erfc(-eta sqrt(a/2))/2 - e^(-a eta^2/2)/sqrt(2 pi a) (c0 + c1/a),  eta^2/2 = mu - ln(1 +
   mu) with mu = x/a - 1; behind the exponential only small eta count. */
static double gamma_large(double a, double x) {
  const double mu = (x - a) / a, half = less_log1p(mu), eta = copysign(sqrt(2.0 * half), mu);
  const double c0 = -1.0 / 3 + eta * (1.0 / 12 + eta * (-2.0 / 135 + eta * (1.0 / 864)));
  const double c1 = -1.0 / 540 - eta / 288, two_pi = 6.28318530717958647693;
  return 0.5 * erfc(-eta * sqrt(0.5 * a)) - exp(-a * half) / sqrt(two_pi * a) * (c0 + c1 / a);
}

double ms_gamma_p(double a, double x) {
  if (!(x > 0.0)) return 0.0;
  if (!isfinite(x)) return 1.0;
  if (a > 1e5) return gamma_large(a, x);
  return x < a + 1.0 ? gamma_series(a, x) : 1.0 - gamma_fraction(a, x);
}

static double beta_fraction(double a, double b, double x) {
  double c = 1.0, d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0)), h = d;
  for (int m = 1; m < 100000; m++) {
    double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    d = 1.0 / not_zero(1.0 + even * d);
    c = not_zero(1.0 + even / c);
    h *= d * c;
    d = 1.0 / not_zero(1.0 + odd * d);
    c = not_zero(1.0 + odd / c);
    h *= d * c;
    if (fabs(d * c - 1.0) < DBL_EPSILON) break;
  }
  return h;
}

double ms_beta_i(double a, double b, double x) {
  if (!(x > 0.0)) return 0.0;
  if (!(x < 1.0)) return 1.0;
  double front =
      exp(ms_log_gamma(a + b) - ms_log_gamma(a) - ms_log_gamma(b) + a * log(x) + b * log1p(-x));
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
  return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double ms_digamma(double x) {
  double shift = 0.0;
  for (; x < 12.0; x += 1.0) shift -= 1.0 / x;
  double w = 1.0 / (x * x);
  double tail = w * (1.0 / 12 - w * (1.0 / 120 - w * (1.0 / 252 - w * (1.0 / 240 - w / 132))));
  return shift + log(x) - 0.5 / x - tail;
}

double ms_trigamma(double x) {
  double shift = 0.0;
  for (; x < 12.0; x += 1.0) shift += 1.0 / (x * x);
  double w = 1.0 / (x * x);
  double tail = w * (1.0 / 6 - w * (1.0 / 30 - w * (1.0 / 42 - w * (1.0 / 30 - w * 5.0 / 66))));
  return shift + 1.0 / x + 0.5 * w + tail / x;
}
