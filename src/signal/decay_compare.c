/* A model's decay beside a measured one. */
#include <math.h>
#include <microslip/signal.h>

int ms_decay_is_compared(const ms_decay *measured, const ms_decay *model, ptrdiff_t row) {
  return row < model->n && measured->point[row].zeta > 0.0;
}

ms_decay_error ms_decay_find_error(const ms_decay *measured, const ms_decay *model) {
  ms_decay_error e = { .n = 0 };
  for (ptrdiff_t i = 0; i < measured->n; i++) {
    const ms_decay_point *a = &measured->point[i], *b = &model->point[i];
    if (!ms_decay_is_compared(measured, model, i)) continue;
    const double zeta = b->zeta / a->zeta - 1.0, omega = b->omega / a->omega - 1.0;
    const double amplitude = b->q / a->q - 1.0;
    e.n++;
    e.zeta_mean += zeta;
    e.zeta_rms += zeta * zeta;
    e.zeta_largest = fmax(e.zeta_largest, fabs(zeta));
    e.omega_rms += omega * omega;
    e.amplitude_rms += amplitude * amplitude;
  }
  if (e.n == 0) return e;
  e.zeta_mean /= (double)e.n;
  e.zeta_rms = sqrt(e.zeta_rms / (double)e.n);
  e.omega_rms = sqrt(e.omega_rms / (double)e.n);
  e.amplitude_rms = sqrt(e.amplitude_rms / (double)e.n);
  return e;
}
