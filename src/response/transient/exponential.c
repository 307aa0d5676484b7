/* Exponential (Duhamel) integrator: exact for the linear structure, with the force on each mode
   taken as linear over the step. With s = p - gamma d, per mode

     (q', v') = A (q, v) + B0 s_from + B1 s_to,

   from the exponential of the matrix of (q, v, s, ds/dt), which needs no case for rigid, weakly or
   strongly damped modes. For p it is the line with the mean and first moment of the loads over the
   step, which leaves an error of fourth order even where a load ends within the step. At its
   beginning gamma d = p - a - c v - omega^2 q, so the coefficients of q and v take c and omega^2
   in.
 */
#include <math.h>
#include <string.h>

#include "response/transient/impl.h"

/* Of q', v': m values of each. */
enum { Q_Q, Q_V, Q_FROM, Q_TO, V_Q, V_V, V_FROM, V_TO, PER_MODE };

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
static void mode_coefficients(double omega, double c, double dt, double k[PER_MODE]) {
  const double stiffness = omega * omega;
  matrix4 a = { { { 0.0, 1.0, 0.0, 0.0 },
                  { -stiffness * dt * dt, -c * dt, dt * dt, 0.0 },
                  { 0.0, 0.0, 0.0, 1.0 },
                  { 0.0, 0.0, 0.0, 0.0 } } };
  matrix4 e = exponential(a);
  k[Q_FROM] = e.x[0][2] - e.x[0][3];
  k[Q_TO] = e.x[0][3];
  k[V_FROM] = (e.x[1][2] - e.x[1][3]) / dt;
  k[V_TO] = e.x[1][3] / dt;
  k[Q_Q] = e.x[0][0] + k[Q_FROM] * stiffness;
  k[Q_V] = e.x[0][1] * dt + k[Q_FROM] * c;
  k[V_Q] = e.x[1][0] / dt + k[V_FROM] * stiffness;
  k[V_V] = e.x[1][1] + k[V_FROM] * c;
}

static ms_status prepare(ms_transient *run) {
  if (run->damping_full) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "the exponential method needs damping that the modes diagonalise; use newmark");
  }
  const double most = run->setting.static_above > 0.0 ? run->setting.static_above : HUGE_VAL;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    double k[PER_MODE] = { 0.0 };
    if (run->omega[r] > most) {
      k[Q_TO] = 1.0 / (run->omega[r] * run->omega[r]);
    } else {
      mode_coefficients(run->omega[r], run->damping[r], run->dt, k);
    }
    for (int i = 0; i < PER_MODE; i++) run->coefficient[r + run->m * i] = k[i];
    run->gq[r] = k[Q_TO];
    run->gv[r] = k[V_TO];
  }
  return MS_SUCCESS;
}

static void predict(ms_transient *run) {
  const ptrdiff_t m = run->m, on = run->on;
  const double *restrict q = run->q, *restrict v = run->v, *restrict a = run->a;
  const double *restrict p = run->p, *restrict from = run->p_from, *restrict to = run->p_to;
  const double *restrict k = run->coefficient;
  double *restrict qn = run->q_next, *restrict vn = run->v_next;
#pragma omp simd
  for (ptrdiff_t r = 0; r < on; r++) {
    double s = a[r] - p[r] + from[r];
    qn[r] = k[r + m * Q_Q] * q[r] + k[r + m * Q_V] * v[r] + k[r + m * Q_FROM] * s +
            k[r + m * Q_TO] * to[r];
    vn[r] = k[r + m * V_Q] * q[r] + k[r + m * V_V] * v[r] + k[r + m * V_FROM] * s +
            k[r + m * V_TO] * to[r];
  }
}

static void correct(ms_transient *run) {
  const ptrdiff_t on = run->on;
  const double *restrict w = run->omega, *restrict c = run->damping;
  const double *restrict gq = run->gq, *restrict gv = run->gv;
  const double *restrict g = run->g, *restrict p = run->p_next;
  double *restrict qn = run->q_next, *restrict vn = run->v_next, *restrict an = run->a_next;
#pragma omp simd
  for (ptrdiff_t r = 0; r < on; r++) {
    double x = qn[r] - gq[r] * g[r], y = vn[r] - gv[r] * g[r];
    qn[r] = x;
    vn[r] = y;
    an[r] = p[r] - g[r] - c[r] * y - w[r] * w[r] * x;
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
  .steps_least = 10.0, /* exact without joints; these see the motion as often */
  .divides = 1,
  .wants_line = 1,
  .coefficients = coefficients,
  .prepare = prepare,
  .predict = predict,
  .correct = correct,
  .gain = gain,
  .estimate = ms_adaptive_by_force,
};
