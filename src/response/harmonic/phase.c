/* The phase of a motion. The forces of a motion that is later by an angle are later by that angle
   too, but those found at N time points are so only if it is a whole number of steps between them:
   else a slider changes over at one time point and then at the next, and along a resonance, where
   the phase changes by pi, the curve has N/2 ripples. So the time points are counted from the phase
   theta of the master's coordinate q = (a, b),

     theta = atan2(b, a),   z = R Z: the motion a time theta/Omega later,   F = R^-1 f(z),

   and with G = dR/dtheta at 0, which is k b_k on a_k and -k a_k on b_k,

     dF/dZ = R^-1 df/dz R,   dF/dtheta = dF/dZ G Z - G F,   dtheta/dq = (-b, a)/(a^2 + b^2). */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

/* x := R x, or R^-1 x for `sign` -1: P coefficients, `next` apart. */
static void turn(const ms_harmonic *h, ptrdiff_t P, ptrdiff_t next, double sign, double *x) {
  for (ptrdiff_t k = 1; 2 * k < P; k++) {
    double *a = x + next * (2 * k - 1), *b = a + next;
    const double c = h->circle[2 * k], s = sign * h->circle[2 * k + 1], was = *a;
    *a = c * was + s * *b;
    *b = c * *b - s * was;
  }
}

/* y := G x of all axes. */
static void differentiate(ptrdiff_t n, ptrdiff_t P, const double *x, double *y) {
  for (ptrdiff_t a = 0; a < n; a++, x += P, y += P) {
    y[0] = 0.0;
    for (ptrdiff_t k = 1; 2 * k < P; k++) {
      y[2 * k - 1] = (double)k * x[2 * k];
      y[2 * k] = -(double)k * x[2 * k - 1];
    }
  }
}

/* Roots of energy: the master's first harmonic, and the largest of a joint's. */
static int has_phase(const ms_harmonic *h, const double *Z) {
  const double *q = Z + h->n * h->P + AT_Q;
  double most = 0.0;
  for (ptrdiff_t i = 0; i < h->n * h->P; i++) {
    if (i % h->P > 0) most = fmax(most, fabs(Z[i]) * h->scale[i / h->P]);
  }
  return hypot(q[0], q[1]) * h->modal.omega[h->master] > h->setting.phase_least * most;
}

void ms_phase_remove(ms_harmonic *h, const double *Z) {
  const double *q = Z + h->n * h->P + AT_Q;
  h->phase = has_phase(h, Z) ? atan2(q[1], q[0]) : 0.0;
  memcpy(h->later, Z, (size_t)(h->n * h->P) * sizeof *Z);
  if (h->phase == 0.0) return;
  for (ptrdiff_t k = 0; k <= 2 * h->H; k++) {
    h->circle[2 * k] = cos((double)k * h->phase);
    h->circle[2 * k + 1] = sin((double)k * h->phase);
  }
  for (ptrdiff_t a = 0; a < h->n; a++) turn(h, h->P, 1, 1.0, h->later + h->P * a);
}

static void restore_seat(const ms_harmonic *h, ms_harmonic_seat *s) {
  const ptrdiff_t P = h->P, wide = ms_harmonic_wide(s), own = P * wide;
  for (ptrdiff_t a = 0; a < wide; a++) {
    for (ptrdiff_t c = 0; c <= own; c++) turn(h, P, 1, -1.0, s->DF + P * a + own * c);
    for (ptrdiff_t r = 0; r < own; r++) turn(h, P, own, -1.0, s->DF + r + own * P * a);
  }
  for (int a = 0; s->motion && a < s->n; a++) turn(h, s->P, 1, -1.0, s->motion + s->P * a);
}

void ms_phase_restore(ms_harmonic *h) {
  if (h->phase == 0.0) return;
  for (ptrdiff_t a = 0; a < h->n; a++) turn(h, h->P, 1, -1.0, h->force + h->P * a);
  for (int i = 0; i < h->modal.n_seat; i++) restore_seat(h, &h->seat[i]);
}

double *ms_phase_fill_change(ms_harmonic *h) {
  const ptrdiff_t P = h->P, n = h->n;
  double *by_phase = h->later, *GZ = by_phase + n * P;
  differentiate(n, P, h->difference, by_phase);
  differentiate(n, P, h->X, GZ);
  for (ptrdiff_t i = 0; i < n * P; i++) by_phase[i] = -by_phase[i];
  for (int i = 0; i < h->modal.n_seat; i++) {
    const ms_harmonic_seat *s = &h->seat[i];
    const ptrdiff_t wide = ms_harmonic_wide(s), own = P * wide;
    for (ptrdiff_t ab = 0; ab < wide * wide; ab++) {
      const ptrdiff_t a = ms_harmonic_axis(s, ab % wide), b = ms_harmonic_axis(s, ab / wide);
      cblas_dgemv(CblasColMajor, CblasNoTrans, (int)P, (int)P, 1.0,
                  s->DF + P * (ab % wide) + own * P * (ab / wide), (int)own, GZ + P * b, 1, 1.0,
                  by_phase + P * a, 1);
    }
  }
  return by_phase;
}
