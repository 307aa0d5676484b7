/* Newmark's method, solved for the acceleration:

     q_p = q + dt v + (1/2 - beta) dt^2 a,      v_p = v + (1 - gamma) dt a,
     e = 1/(1 + gamma dt c + beta dt^2 omega^2),   a' = e (p - c v_p - omega^2 q_p - gamma d),
     q' = q_p + beta dt^2 a',                   v' = v_p + gamma dt a'.

   For a damping matrix that the modes do not diagonalise 1/e is a matrix, factored once. Otherwise
   the coefficients are e, e c and e omega^2, m of each. Loops over the modes are marked as safe for
   vectors; the compiler cannot know. */
#include <string.h>

#include "response/transient/impl.h"

/* After the headers above: LAPACKE's complex types define I. */
#include <lapacke.h>

static ptrdiff_t coefficients(const ms_transient *run) {
  return run->damping_full ? run->m * run->m : 3 * run->m;
}

static ms_status prepare_full(ms_transient *run) {
  double b = run->setting.beta * run->dt * run->dt, g = run->setting.gamma * run->dt;
  ptrdiff_t m = run->m;
  double *A = run->coefficient;
  for (ptrdiff_t i = 0; i < m * m; i++) A[i] = g * run->damping_full[i];
  for (ptrdiff_t r = 0; r < m; r++) A[r + m * r] += 1.0 + b * run->omega[r] * run->omega[r];
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)m, A, (lapack_int)m) == 0)
    return MS_SUCCESS;
  return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                 "the damping matrix feeds energy in: it must be positive semi-definite");
}

static ms_status prepare(ms_transient *run) {
  double b = run->setting.beta * run->dt * run->dt, g = run->setting.gamma * run->dt;
  if (run->damping_full) return prepare_full(run);
  for (ptrdiff_t r = 0; r < run->m; r++) {
    double c = run->damping[r], k = run->omega[r] * run->omega[r];
    double e = 1.0 / (1.0 + g * c + b * k);
    run->coefficient[r] = e;
    run->coefficient[r + run->m] = e * c;
    run->coefficient[r + 2 * run->m] = e * k;
    run->gq[r] = b * e;
    run->gv[r] = g * e;
  }
  return MS_SUCCESS;
}

static void solve_full(const ms_transient *run, double *x) {
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)run->m, 1, run->coefficient,
                      (lapack_int)run->m, x, (lapack_int)run->m);
}

/* a_next := what a would be with d = 0, from predictors already in q_next, v_next. */
static void free_acceleration_full(ms_transient *run) {
  ptrdiff_t m = run->m;
  for (ptrdiff_t r = 0; r < m; r++) {
    double sum = run->p_next[r] - run->omega[r] * run->omega[r] * run->q_next[r];
    for (ptrdiff_t k = 0; k < m; k++) sum -= run->damping_full[r + m * k] * run->v_next[k];
    run->a_next[r] = sum;
  }
  solve_full(run, run->a_next);
}

static void predict(ms_transient *run) {
  if (run->damping_full) {
    const double dt = run->dt, b = run->setting.beta * dt * dt, g = run->setting.gamma * dt;
    const double b0 = (0.5 - run->setting.beta) * dt * dt, g0 = dt - g;
    for (ptrdiff_t r = 0; r < run->m; r++) {
      run->q_next[r] = run->q[r] + dt * run->v[r] + b0 * run->a[r];
      run->v_next[r] = run->v[r] + g0 * run->a[r];
    }
    free_acceleration_full(run);
    for (ptrdiff_t r = 0; r < run->m; r++) {
      run->q_next[r] += b * run->a_next[r];
      run->v_next[r] += g * run->a_next[r];
    }
    return;
  }
  const double dt = run->dt, b = run->setting.beta * dt * dt, g = run->setting.gamma * dt;
  const double b0 = 0.5 * dt * dt - b, g0 = dt - g;
  const ptrdiff_t m = run->m;
  const double *restrict q = run->q, *restrict v = run->v, *restrict a = run->a;
  const double *restrict p = run->p_next, *restrict e = run->coefficient;
  const double *restrict ec = e + m, *restrict ek = ec + m;
  double *restrict qn = run->q_next, *restrict vn = run->v_next, *restrict an = run->a_next;
#pragma omp simd
  for (ptrdiff_t r = 0; r < m; r++) {
    double q_p = q[r] + dt * v[r] + b0 * a[r], v_p = v[r] + g0 * a[r];
    double a_free = e[r] * p[r] - ec[r] * v_p - ek[r] * q_p;
    qn[r] = q_p + b * a_free;
    vn[r] = v_p + g * a_free;
    an[r] = a_free;
  }
}

static void correct(ms_transient *run) {
  if (run->damping_full) {
    const double b = run->setting.beta * run->dt * run->dt, g = run->setting.gamma * run->dt;
    solve_full(run, run->g);
    for (ptrdiff_t r = 0; r < run->m; r++) {
      run->a_next[r] -= run->g[r];
      run->q_next[r] -= b * run->g[r];
      run->v_next[r] -= g * run->g[r];
    }
    return;
  }
  const double b = run->setting.beta * run->dt * run->dt, g = run->setting.gamma * run->dt;
  const double *restrict e = run->coefficient, *restrict d = run->g;
  double *restrict qn = run->q_next, *restrict vn = run->v_next, *restrict an = run->a_next;
#pragma omp simd
  for (ptrdiff_t r = 0; r < run->m; r++) {
    double da = e[r] * d[r];
    an[r] -= da;
    qn[r] -= b * da;
    vn[r] -= g * da;
  }
}

static void gain(const ms_transient *run, const double *column, double *for_q, double *for_v) {
  const double b = run->setting.beta * run->dt * run->dt, g = run->setting.gamma * run->dt;
  memcpy(for_q, column, (size_t)run->m * sizeof *for_q);
  if (run->damping_full) {
    solve_full(run, for_q);
  } else {
    for (ptrdiff_t r = 0; r < run->m; r++) for_q[r] *= run->coefficient[r];
  }
  for (ptrdiff_t r = 0; r < run->m; r++) {
    for_v[r] = g * for_q[r];
    for_q[r] *= b;
  }
}

const ms_integrator ms_integrator_newmark = {
  .name = "newmark",
  .steps_least = 20.0, /* lowers a frequency by (omega dt)^2/12, 0.8 % */
  .coefficients = coefficients,
  .prepare = prepare,
  .predict = predict,
  .correct = correct,
  .gain = gain,
  .estimate = ms_adaptive_by_acceleration,
};
