/* The discrete rod. Letters: docs/theory/rod.md. */
#ifndef MS_RESPONSE_ROD_CHAIN_H
#define MS_RESPONSE_ROD_CHAIN_H

#include "response/rod/impl.h"

struct ms_rod_chain {
  ms_context *ctx;
  ms_rod_chain_setting is;
  double *x, *psi, *u, *v, *G;
  double time, work, power, residual;
  ptrdiff_t steps, solves, rescued;
  /* a step: Moreau */
  double *b, *w, *pivot, *trial_G;
  signed char *sign, *before; /* of slip; 0 sticks */
  /* a step: Runge-Kutta */
  double *k; /* four slopes of u and v, and a stage */
  double *memory;
};

/* The elastic force of the rod on mass i, over 1/n: n^2 (u_(i+1) - 2 u_i + u_(i-1)), with the load
   F at the first mass, and the last held at x = 1 by a parabola. */
static inline double ms_chain_pull(ptrdiff_t n, const double *u, ptrdiff_t i, double F) {
  const double n2 = (double)n * (double)n;
  if (i == 0) return n2 * ((n > 1 ? u[1] : 0.0) - u[0]) - (double)n * F;
  if (i + 1 < n) return n2 * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
  return n2 * (4.0 / 3.0 * u[i - 1] - 4.0 * u[i]);
}

/* chain_moreau.c, chain_kutta.c: one step; the state changes only on success. */
ms_status ms_chain_step_moreau(ms_rod_chain *c, const double F[3]);
void ms_chain_step_kutta(ms_rod_chain *c, const double F[3]);

#endif
