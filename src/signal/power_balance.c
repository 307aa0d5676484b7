/* Damping of a mode from the power that keeps it going. */
#include <math.h>

#include "core/internal.h"
#include "signal/internal.h"

ms_power_balance ms_signal_power_balance(int harmonics, double omega, const double *force,
                                         const double *x, double q) {
  double power = 0.0, f = 0.0, v = 0.0;
  for (int k = 1; k <= harmonics; k++) {
    const double fa = force[2 * k - 1], fb = force[2 * k];
    const double va = k * omega * x[2 * k], vb = -k * omega * x[2 * k - 1];
    power += 0.5 * (fa * va + fb * vb);
    f += 0.5 * (fa * fa + fb * fb);
    v += 0.5 * (va * va + vb * vb);
  }
  const double energy = 0.5 * omega * omega * q * q;
  return (ms_power_balance) { .power = power,
                              .energy = energy,
                              .zeta = energy > 0.0 ? power / (2.0 * omega * energy) : 0.0,
                              .purity = f > 0.0 && v > 0.0 ? power / sqrt(f * v) : 0.0 };
}

double ms_signal_mode_indicator(ptrdiff_t n, const double *re, const double *im) {
  double in_phase = 0.0, all = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double size = hypot(re[i], im[i]);
    in_phase += fabs(re[i]) * size;
    all += size * size;
  }
  return all > 0.0 ? 1.0 - in_phase / all : 0.0;
}
