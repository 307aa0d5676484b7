#include "core/power.h"

void ms_power_setup(ms_power *w, double p, double x_max) {
  *w = (ms_power) { .p = p };
  int top;
  frexp(x_max, &top); /* x_max < 2^top */
  w->first = (int64_t)top - 1 + 1023 - (MS_POWER_OCTAVES - 1);
  int fits = p > 0.0 && p <= 3.0 && w->first > 0 && top < 1023;
  if (!fits) w->first = INT64_C(1) << 40; /* no octave is in the table */
  for (int e = 0; fits && e < MS_POWER_OCTAVES; e++) {
    w->octave[e] = pow(ldexp(1.0, (int)w->first + e - 1023), p);
  }
  for (int i = 0; i < MS_POWER_CELLS; i++) {
    double middle = 1.0 + (i + 0.5) / MS_POWER_CELLS;
    w->cell[i] = pow(middle, p);
    w->inverse[i] = 1.0 / middle;
  }
  double b = 1.0;
  for (int k = 0; k < 6; k++) {
    b *= (p - k) / (k + 1.0);
    w->binomial[k] = b;
  }
}
