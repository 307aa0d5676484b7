/* A cylinder on a plane (K. L. Johnson, Contact Mechanics, 1985, section 4.2 and eq. 4.58).

     p = P/l          load per length
     E* = E/(2 (1 - nu^2))
     a^2 = 4 p r/(pi E*)                             half width squared
     c = (1 - nu^2)/(pi E)
     d = c p (2 ln(4 r/a) - 1)                       approach
     d' = c (2 ln(4 r/a) - 2)                        its slope over p: a^2 is in proportion to p */
#include <math.h>
#include <microslip/hertz.h>

#include "core/internal.h"

/* With t = load/P and B = 2 ln(4 r/a) - 1 at P the approach is c p t (B - ln t); integrals of t^2
   (B - ln t) and t^2 (B - ln t)^2 over t from 0 to 1 are B/3 + 1/9 and B^2/3 + 2 B/9 + 2/27. */
static double fit_line(double B) {
  return (9.0 * B + 3.0) / (9.0 * B * B + 6.0 * B + 2.0);
}

ms_status ms_hertz_line_at(ms_context *ctx, const ms_hertz_line *h, double load,
                           ms_hertz_answer *out) {
  const double pi = acos(-1.0);
  const struct bound {
    const char *name;
    double value;
  } positive[] = {
    { "radius", h->radius }, { "length", h->length }, { "E", h->E }, { "load", load }
  };
  for (size_t i = 0; i < sizeof positive / sizeof *positive; i++) {
    if (positive[i].value > 0.0 && positive[i].value < HUGE_VAL) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "line contact: %s = %g must be > 0", positive[i].name,
                   positive[i].value);
  }
  if (!(h->nu > -1.0 && h->nu <= 0.5)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "line contact: nu = %g must be above -1 and at most 0.5",
                   h->nu);
  }
  double p = load / h->length, c = (1.0 - h->nu * h->nu) / (pi * h->E);
  double a = sqrt(8.0 * p * h->radius * c); /* 1/(pi E*) = 2 c */
  if (!(a < h->radius)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "line contact: at %g N the half width %g m is not below the radius %g m", load,
                   a, h->radius);
  }
  double B = 2.0 * log(4.0 * h->radius / a) - 1.0, k = h->length / c;
  *out = (ms_hertz_answer) { .half_width = a,
                             .approach = c * p * B,
                             .secant = k / B,
                             .tangent = k / (B - 1.0),
                             .fitted = k * fit_line(B) };
  return MS_SUCCESS;
}
