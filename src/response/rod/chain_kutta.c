/* The classical Runge-Kutta method with a regularised friction, for comparison. */
#include <math.h>
#include <string.h>

#include "response/rod/chain.h"

static double clip(double x, double limit) {
  return fmax(-limit, fmin(limit, x));
}

static double friction(const ms_rod_chain *c, ptrdiff_t i, double pull, double v) {
  const double psi = c->psi[i];
  if (c->is.method == MS_ROD_RAMP) return -psi * clip(v / c->is.ramp, 1.0);
  return clip(-pull - v / (2.0 * c->is.step), psi);
}

/* Slopes of u and v, and the power of friction. */
static double slopes(ms_rod_chain *c, const double *u, const double *v, double F, double *du,
                     double *dv) {
  const ptrdiff_t n = c->is.n;
  double power = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double pull = ms_chain_pull(n, u, i, F), G = friction(c, i, pull, v[i]);
    du[i] = v[i];
    dv[i] = pull + G;
    power += G * v[i] / (double)n;
    c->G[i] = G;
  }
  return power;
}

void ms_chain_step_kutta(ms_rod_chain *c, const double F[3]) {
  static const double ahead[4] = { 0.0, 0.5, 0.5, 1.0 }, weight[4] = { 1, 2, 2, 1 };
  static const int load[4] = { 0, 1, 1, 2 };
  const ptrdiff_t n = c->is.n;
  const double h = c->is.step;
  double *stage = c->k + 8 * n, power = 0.0;
  for (int s = 0; s < 4; s++) {
    const double *du = c->k + 2 * n * (s - 1), *dv = du + n;
    for (ptrdiff_t i = 0; i < n; i++) {
      stage[i] = s ? c->u[i] + ahead[s] * h * du[i] : c->u[i];
      stage[n + i] = s ? c->v[i] + ahead[s] * h * dv[i] : c->v[i];
    }
    power += weight[s] / 6.0 *
             slopes(c, stage, stage + n, F[load[s]], c->k + 2 * n * s, c->k + 2 * n * s + n);
  }
  for (int s = 0; s < 4; s++) {
    const double *du = c->k + 2 * n * s, *dv = du + n;
    for (ptrdiff_t i = 0; i < n; i++) {
      c->u[i] += h * weight[s] / 6.0 * du[i];
      c->v[i] += h * weight[s] / 6.0 * dv[i];
    }
  }
  c->power = power;
  c->work += h * power;
}
