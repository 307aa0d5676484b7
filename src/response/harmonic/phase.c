/* The phase of a motion. The forces of a motion that is later by an angle are later by that angle
   too, but those found at N time points are so only if it is a whole number of steps between them:
   else a slider changes over at one time point and then at the next, and along a resonance, where
   the phase changes by pi, the curve has N/2 ripples. So the time points are counted from the phase
   theta of the joints' first harmonics, c = a + i b of the axes, each with its scale w,

     S = sum (w c)^2,   theta = arg(S)/2,   z = R Z: the motion a time theta/Omega later,
     F = R^-1 f(z),

   and with G = dR/dtheta at 0, which is k b_k on a_k and -k a_k on b_k,

     dF/dZ = R^-1 df/dz R,   dF/dtheta = dF/dZ G Z - G F,   dtheta = Im(sum w^2 c dc / S).

   Squares, because axes that move against each other have one phase. That of a single mode would
   swing where the mode stands still between two resonances; S is zero only where axes of equal
   energy are a quarter of a period apart. A nonlinear mode's phase is fixed, and stays where a
   joint's first harmonic goes through zero, which S would not. Contact between solids remembers
   where its period began, so that one of two phases will not do: its theta is that of the master
   mode, arg(c). */
#include <cblas.h>
#include <complex.h>
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

/* Whether the phase is told by axis a, among others. */
static int tells(const ms_harmonic *h, ptrdiff_t a) {
  return !h->contact || h->modal.gamma[h->master + h->m * a] != 0.0;
}

static double complex fill_square(const ms_harmonic *h, const double *Z) {
  double complex S = 0.0;
  for (ptrdiff_t a = 0; a < h->n; a++) {
    if (!tells(h, a)) continue;
    const double complex c = h->scale[a] * (Z[h->P * a + 1] + I * Z[h->P * a + 2]);
    S += c * c;
  }
  return S;
}

/* Where a period begins must not matter: theta is one of two that are pi apart, and only joints
   without memory and those of Masing's kind end in one and the same motion from all of them. */
void ms_phase_open(ms_harmonic *h) {
  h->has_phase = h->setting.own_phase && h->N % 2 == 0;
  for (int i = 0; i < h->n_attachment; i++) {
    const int alike = h->attachment[i].memoryless || h->attachment[i].twice || h->contact;
    h->has_phase = h->has_phase && alike && h->attachment[i].n_curved == 0;
  }
}

static double find_phase(const ms_harmonic *h, const double *Z) {
  double phase = 0.5 * carg(fill_square(h, Z));
  for (ptrdiff_t a = 0; h->contact && a < h->n; a++) {
    if (tells(h, a)) phase = carg(Z[h->P * a + 1] + I * Z[h->P * a + 2]);
  }
  return phase;
}

void ms_phase_remove(ms_harmonic *h, const double *Z) {
  h->phase = ms_phase_counts(h) ? find_phase(h, Z) : 0.0;
  memcpy(h->later, Z, (size_t)(h->n * h->P) * sizeof *Z);
  if (!ms_phase_counts(h)) return;
  for (ptrdiff_t k = 0; k <= h->H; k++) {
    h->circle[2 * k] = cos((double)k * h->phase);
    h->circle[2 * k + 1] = sin((double)k * h->phase);
  }
  for (ptrdiff_t a = 0; a < h->n; a++) turn(h, h->P, 1, 1.0, h->later + h->P * a);
}

/* dtheta/da and dtheta/db of each axis. */
void ms_phase_fill_slope(const ms_harmonic *h, const double *Z, double *slope) {
  const double complex S = fill_square(h, Z);
  for (ptrdiff_t a = 0; a < h->n; a++) {
    const double complex c = Z[h->P * a + 1] + I * Z[h->P * a + 2];
    const double complex by = S == 0.0 || !tells(h, a) ? 0.0 : h->scale[a] * h->scale[a] * c / S;
    slope[2 * a] = cimag(by);
    slope[2 * a + 1] = creal(by);
  }
}

static void restore_attachment(const ms_harmonic *h, ms_harmonic_attachment *s) {
  const ptrdiff_t P = h->P, wide = ms_harmonic_wide(s), own = P * wide;
  for (ptrdiff_t a = 0; a < wide; a++) {
    for (ptrdiff_t c = 0; c <= own; c++) turn(h, P, 1, -1.0, s->DF + P * a + own * c);
    for (ptrdiff_t r = 0; r < own; r++) turn(h, P, own, -1.0, s->DF + r + own * P * a);
  }
}

void ms_phase_restore(ms_harmonic *h) {
  if (!ms_phase_counts(h)) return;
  for (ptrdiff_t a = 0; a < h->n; a++) turn(h, h->P, 1, -1.0, h->force + h->P * a);
  for (int i = 0; i < h->n_attachment; i++) restore_attachment(h, &h->attachment[i]);
}

double *ms_phase_fill_change(ms_harmonic *h) {
  const ptrdiff_t P = h->P, n = h->n;
  double *by_phase = h->later, *GZ = by_phase + n * P;
  differentiate(n, P, h->difference, by_phase);
  differentiate(n, P, h->X, GZ);
  for (ptrdiff_t i = 0; i < n * P; i++) by_phase[i] = -by_phase[i];
  for (int i = 0; i < h->n_attachment; i++) {
    const ms_harmonic_attachment *s = &h->attachment[i];
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
