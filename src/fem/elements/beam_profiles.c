/* Beam sections of common profiles.

     w, t   longer and shorter side of a rectangle
     J      its torsion constant: w t^3/3 (1 - 192/pi^5 t/w S), S = sum over odd n of
            tanh(n pi w/2t)/n^5 (S. P. Timoshenko, J. N. Goodier, Theory of Elasticity, section 109)

   Shear factors are those of Abaqus. */
#include <math.h>

#include <microslip/fem.h>

#include "core/internal.h"

static const double ODD_5 = 1.00452376279513961614; /* sum of n^-5 over odd n, 31/32 zeta(5) */
enum { LAST_N = 13 };                               /* 1 - tanh is below 1e-17 beyond, at w = t */

static double torsion_of_rectangle(double a, double b) {
  double t = fmin(a, b), w = fmax(a, b), S = ODD_5;
  for (int n = 1; n <= LAST_N; n += 2) S -= 2.0 / (1.0 + exp(n * MS_PI * w / t)) / pow(n, 5.0);
  return w * t * t * t / 3.0 * (1.0 - 192.0 / pow(MS_PI, 5.0) * t / w * S);
}

ms_beam_section ms_beam_rectangle(double width, double height) {
  return (ms_beam_section) { .A = width * height,
                             .Iy = width * height * height * height / 12.0,
                             .Iz = height * width * width * width / 12.0,
                             .J = torsion_of_rectangle(width, height),
                             .shear_y = 0.85,
                             .shear_z = 0.85 };
}

static ms_beam_section ring(double outer, double inner, double shear) {
  double I = 0.25 * MS_PI * (pow(outer, 4.0) - pow(inner, 4.0));
  return (ms_beam_section) { .A = MS_PI * (outer * outer - inner * inner),
                             .Iy = I,
                             .Iz = I,
                             .J = 2.0 * I,
                             .shear_y = shear,
                             .shear_z = shear };
}

ms_beam_section ms_beam_circle(double radius) {
  return ring(radius, 0.0, 0.89);
}

ms_beam_section ms_beam_pipe(double radius, double wall) {
  return ring(radius, radius - wall, 0.53);
}
