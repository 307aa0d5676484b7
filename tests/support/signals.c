#include "support/signals.h"

#include <math.h>
#include <stdlib.h>

/* int_0^t A */
static double integral(const test_ring *r, double t) {
  double e = -expm1(-r->alpha * t) / r->alpha;
  return r->c == 0.0 ? r->A0 * e : log1p(r->c * r->A0 * e) / r->c;
}

double test_ring_amplitude(const test_ring *r, double t) {
  double e = -expm1(-r->alpha * t) / r->alpha;
  return r->A0 * exp(-r->alpha * t) / (1.0 + r->c * r->A0 * e);
}

double test_ring_rate(const test_ring *r, double t) {
  return r->alpha + r->c * test_ring_amplitude(r, t);
}

double test_ring_omega(const test_ring *r, double t) {
  return r->omega * (1.0 - r->kappa * test_ring_amplitude(r, t));
}

double test_ring_value(const test_ring *r, double t) {
  double psi = r->omega * (t - r->kappa * integral(r, t));
  return test_ring_amplitude(r, t) * cos(psi + r->phase);
}

double *test_ring_samples(const test_ring *r, ptrdiff_t n, double dt, double time) {
  double *x = malloc((size_t)n * sizeof *x);
  for (ptrdiff_t k = 0; x && k < n; k++) x[k] = test_ring_value(r, time + dt * (double)k);
  return x;
}

static double worse(double error, double value, double want) {
  return fmax(error, fabs(value / want - 1.0));
}

test_ring_error test_ring_compare(const test_ring *r, ms_signal_kind kind, const ms_decay *decay,
                                  ptrdiff_t first) {
  test_ring_error e = { decay->n > 2 * first ? 0.0 : NAN, 0.0, 0.0 };
  for (ptrdiff_t i = first; i < decay->n - first; i++) {
    const ms_decay_point *p = &decay->point[i];
    double omega = test_ring_omega(r, p->time), alpha = test_ring_rate(r, p->time);
    const double amplitude[] = { p->q, p->velocity, p->acceleration };
    e.amplitude = worse(e.amplitude, amplitude[kind], test_ring_amplitude(r, p->time));
    e.omega = worse(e.omega, p->omega, omega);
    e.zeta = worse(e.zeta, p->zeta, alpha / hypot(omega, alpha));
  }
  return e;
}
