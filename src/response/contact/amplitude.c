/* The cycle that has a given amplitude. Its load p is nearly omega^2 q: secants in ln p and ln q,
   and half the way back from a load that has no equilibrium. */
#include <math.h>

#include "core/internal.h"
#include "response/contact/impl.h"

enum { TRIES = 20 };

ms_status ms_contact_find_cycle(ms_contact *c, ptrdiff_t k, double q, double *amplitude,
                                ms_contact_cycle *out, double *D) {
  double p = *amplitude, p_old = 0.0, q_old = 0.0, miss = HUGE_VAL;
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < TRIES; i++) {
    MS_TRY(ms_contact_return(c));
    status = ms_contact_run_cycle(c, k, p, out, D);
    if (status == MS_NOT_CONVERGED && p_old > 0.0) {
      p = sqrt(p * p_old);
      continue;
    }
    MS_TRY(status);
    ms_context_clear_message(c->ctx);
    const double found = 0.5 * (out->v_max - out->v_min);
    *amplitude = p;
    miss = fabs(found / q - 1.0);
    if (miss <= c->setting.tol.amplitude) return MS_SUCCESS;
    /* d ln p/d ln q: 1 while nothing slips, less where much does */
    double slope = p_old > 0.0 && found != q_old ? log(p / p_old) / log(found / q_old) : 1.0;
    slope = fmin(2.0, fmax(0.05, slope));
    p_old = p, q_old = found;
    p *= pow(q / found, slope);
  }
  if (status) return status;
  return ms_fail(c->ctx, MS_NOT_CONVERGED,
                 "no load was found whose cycle has the amplitude %.6g: the last one misses it by "
                 "%.2g",
                 q, miss);
}

/* ---- the loads at which the first point slips, and at which friction is used up ---- */

/* The smallest p > 0 of both directions with |l_t + p g_t| = mu (l_n + p g_n). */
static double slips_at(const double *l, const double *g, double mu) {
  double least = HUGE_VAL;
  const double room = mu * l[2], c = l[0] * l[0] + l[1] * l[1] - room * room;
  if (c >= 0.0) return 0.0; /* it is at its limit already */
  const double a = g[0] * g[0] + g[1] * g[1] - mu * mu * g[2] * g[2];
  const double b = l[0] * g[0] + l[1] * g[1] - mu * room * g[2];
  const double root = b * b - a * c;
  for (int sign = -1; sign < 2 && root >= 0.0; sign += 2) {
    const double p = fabs(a != 0.0 ? (-b + sign * sqrt(root)) / a : -0.5 * c / b);
    if (isfinite(p)) least = fmin(least, p);
  }
  return least;
}

/* Contact force at point i for a unit of load k, all closed points stuck; 0: it is open, glued or
 * has no friction. */
static int fill_stuck(const ms_contact *c, ptrdiff_t k, ptrdiff_t i, double *g) {
  const double *x = c->b + 3 * c->n * k + 3 * i;
  if (!c->closed[i] || c->glued[i] || !(c->point[i].mu > 0.0)) return 0;
  for (int m = 0; m < 3; m++) g[m] = ms_contact_pair_of(c, 3 * i + m).l_x * x[m];
  return 1;
}

ms_status ms_contact_find_slip(ms_contact *c, ptrdiff_t k, double *amplitude) {
  MS_TRY(ms_contact_rebase(c));
  *amplitude = HUGE_VAL;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    double g[3];
    if (!fill_stuck(c, k, i, g)) continue;
    *amplitude = fmin(*amplitude, slips_at(c->now.lambda + 3 * i, g, c->point[i].mu));
  }
  return MS_SUCCESS;
}

ms_status ms_contact_find_capacity(ms_contact *c, ptrdiff_t k, double *amplitude) {
  MS_TRY(ms_contact_rebase(c));
  *amplitude = HUGE_VAL;
  for (int group = 0; group < c->n_group; group++) {
    double friction = 0.0, shear = 0.0, g[3];
    for (ptrdiff_t i = 0; i < c->n; i++) {
      if (c->point[i].group != group || !fill_stuck(c, k, i, g)) continue;
      friction += c->point[i].mu * c->now.lambda[3 * i + 2];
      shear += hypot(g[0], g[1]);
    }
    if (friction > 0.0 && friction < *amplitude * shear) *amplitude = friction / shear;
  }
  return MS_SUCCESS;
}
