/* Decaying oscillations in closed form. */
#ifndef MS_TEST_SIGNALS_H
#define MS_TEST_SIGNALS_H

#include <microslip/signal.h>

/* x = A(t) cos(psi(t) + phase) with decay rate and frequency that depend on the amplitude,
     A' = -alpha A - c A^2,   psi' = omega (1 - kappa A),   A(0) = A0.
   c = kappa = 0 is the linear oscillator. */
typedef struct test_ring {
  double A0, alpha, c, omega, kappa, phase;
} test_ring;

double test_ring_amplitude(const test_ring *ring, double t);
double test_ring_rate(const test_ring *ring, double t);  /* -A'/A */
double test_ring_omega(const test_ring *ring, double t); /* psi' */
double test_ring_value(const test_ring *ring, double t);
/* n samples from `time` on, to be freed. */
double *test_ring_samples(const test_ring *ring, ptrdiff_t n, double dt, double time);

/* Largest relative errors of rows first ... n-1-first against the closed form. */
typedef struct test_ring_error {
  double amplitude, omega, zeta;
} test_ring_error;
test_ring_error test_ring_compare(const test_ring *ring, ms_signal_kind kind, const ms_decay *decay,
                                  ptrdiff_t first);

#endif
