/* Exponential (Duhamel) integrator: exact for the linear structure, with the force on each mode
   taken as linear over the step. With s = p - gamma d, per mode

     (q', v') = A (q, v) + B0 s_begin + B1 s_end,

   from the exponential of the matrix of (q, v, s, ds/dt), which needs no case for rigid, weakly or
   strongly damped modes. */
#include <math.h>
#include <string.h>

#include "response/transient/impl.h"

enum { PER_MODE = 8 }; /* A 2x2, B0 2, B1 2 */

static ptrdiff_t coefficients(const ms_transient *run) {
  return PER_MODE * run->m;
}

typedef struct matrix4 {
  double x[4][4];
} matrix4;

static matrix4 product(const matrix4 *a, const matrix4 *b) {
  matrix4 c = { { { 0.0 } } };
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < 4; j++) c.x[i][j] += a->x[i][k] * b->x[k][j];
    }
  }
  return c;
}

/* Scaling and squaring of the Taylor series; scaled to a norm below 1/8, 14 terms reach 1e-17. */
static matrix4 exponential(matrix4 a) {
  double norm = 0.0;
  int squarings = 0;
  for (int i = 0; i < 16; i++) norm = fmax(norm, fabs(a.x[i / 4][i % 4]));
  while (norm > 0.03125) norm *= 0.5, squarings++;
  for (int i = 0; i < 16; i++) a.x[i / 4][i % 4] = ldexp(a.x[i / 4][i % 4], -squarings);
  matrix4 sum = { { { 0.0 } } };
  for (int i = 0; i < 4; i++) sum.x[i][i] = 1.0;
  matrix4 term = sum;
  for (int k = 1; k <= 14; k++) {
    term = product(&term, &a);
    for (int i = 0; i < 16; i++) {
      term.x[i / 4][i % 4] /= k;
      sum.x[i / 4][i % 4] += term.x[i / 4][i % 4];
    }
  }
  for (int s = 0; s < squarings; s++) sum = product(&sum, &sum);
  return sum;
}

/* In units of the step: tau = t/dt, velocities times dt, so that stiff and slow modes scale alike.
 */
static void mode_coefficients(double omega, double c, double dt, double *k) {
  matrix4 a = { { { 0.0, 1.0, 0.0, 0.0 },
                  { -omega * omega * dt * dt, -c * dt, dt * dt, 0.0 },
                  { 0.0, 0.0, 0.0, 1.0 },
                  { 0.0, 0.0, 0.0, 0.0 } } };
  matrix4 e = exponential(a);
  k[0] = e.x[0][0];
  k[1] = e.x[0][1] * dt;
  k[2] = e.x[1][0] / dt;
  k[3] = e.x[1][1];
  k[4] = e.x[0][2] - e.x[0][3];
  k[5] = (e.x[1][2] - e.x[1][3]) / dt;
  k[6] = e.x[0][3];
  k[7] = e.x[1][3] / dt;
}

static ms_status prepare(ms_transient *run) {
  if (run->damping_full) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "the exponential method needs damping that the modes diagonalise; use newmark");
  }
  for (ptrdiff_t r = 0; r < run->m; r++) {
    double *k = run->coefficient + PER_MODE * r;
    mode_coefficients(run->omega[r], run->damping[r], run->dt, k);
    run->gq[r] = k[6];
    run->gv[r] = k[7];
  }
  return MS_SUCCESS;
}

/* The acceleration holds the force at the beginning of the step: s = a + c v + omega^2 q. */
static void predict(ms_transient *run) {
  for (ptrdiff_t r = 0; r < run->m; r++) {
    const double *k = run->coefficient + PER_MODE * r;
    double q = run->q[r], v = run->v[r], w = run->omega[r];
    double s = run->a[r] + run->damping[r] * v + w * w * q, p = run->p_next[r];
    run->q_next[r] = k[0] * q + k[1] * v + k[4] * s + k[6] * p;
    run->v_next[r] = k[2] * q + k[3] * v + k[5] * s + k[7] * p;
  }
}

static void correct(ms_transient *run) {
  for (ptrdiff_t r = 0; r < run->m; r++) {
    double g = run->g[r], w = run->omega[r];
    run->q_next[r] -= run->gq[r] * g;
    run->v_next[r] -= run->gv[r] * g;
    run->a_next[r] = run->p_next[r] - g - run->damping[r] * run->v_next[r] - w * w * run->q_next[r];
  }
}

static void gain(const ms_transient *run, const double *column, double *for_q, double *for_v) {
  for (ptrdiff_t r = 0; r < run->m; r++) {
    for_q[r] = run->gq[r] * column[r];
    for_v[r] = run->gv[r] * column[r];
  }
}

const ms_integrator ms_integrator_exponential = {
  .name = "exponential",
  .coefficients = coefficients,
  .prepare = prepare,
  .predict = predict,
  .correct = correct,
  .gain = gain,
  .estimate = ms_adaptive_by_force,
};
