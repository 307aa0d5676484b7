/* Slider densities rho(phi) of Iwan elements and their moments

     m[j](phi) = int_0^phi psi^j rho(psi) dpsi,   j = 0, 1, 2,

   deltas at phi included. m[0] is stiffness, m[1] force, m[2] twice an energy. Today: the power law
   rho = R phi^chi on (0, phi_max) with S delta(phi - phi_max). */
#ifndef MS_JOINT_DENSITY_H
#define MS_JOINT_DENSITY_H

#include <math.h>

#include "core/power.h"

typedef struct ms_density {
  double phi_max;
  ms_power power;  /* phi^(chi + 1) */
  double scale[3]; /* R/(chi+1), R/(chi+2), R/(chi+3) */
  double total[3]; /* moments up to and with phi_max: K_T, F_S, ... */
} ms_density;

static inline ms_density ms_density_power_law(double R, double S, double chi, double phi_max) {
  ms_density d = { .phi_max = phi_max };
  ms_power_setup(&d.power, chi + 1.0, phi_max);
  double p = pow(phi_max, chi + 1.0), s = S;
  for (int j = 0; j < 3; j++) {
    d.scale[j] = R / (chi + 1.0 + j);
    d.total[j] = d.scale[j] * p + s;
    p *= phi_max;
    s *= phi_max;
  }
  return d;
}

static inline void ms_density_moments(const ms_density *d, double phi, double m[3]) {
  if (phi >= d->phi_max) {
    m[0] = d->total[0], m[1] = d->total[1], m[2] = d->total[2];
    return;
  }
  double p = ms_power_eval(&d->power, phi);
  m[0] = d->scale[0] * p;
  m[1] = d->scale[1] * p * phi;
  m[2] = d->scale[2] * p * phi * phi;
}

#endif
