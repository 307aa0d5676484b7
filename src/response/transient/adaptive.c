/* Steps chosen by their error: parts of a step (substeps.c), an attempt at which commits no joint,
   so that a rejected one costs no more than its evaluations.

   The local error of a part, in the norm |x| = sqrt(sum (w q)^2 + v^2) with w = omega (of
   rigid-body modes the lowest elastic one), must stay below tolerance times the norm of the state
   at its end. Of both methods it is of third order. Nothing is estimated better at the finest
   level: there a step is accepted as it is. */
#include <math.h>
#include <string.h>

#include "response/transient/impl.h"

enum { FINEST = MS_MAX_PART - 1 };

struct ms_adaptive {
  double *p_mid, *q_mid, *v_mid, *d_mid; /* for the estimate */
  double *weight;
};

/* ---- life ---- */

ms_status ms_adaptive_open(ms_transient *run) {
  ms_adaptive *a;
  MS_TRY(ms_allocate(run->ctx, 1, sizeof *a, &a));
  run->adaptive = a;
  double **modal[] = { &a->p_mid, &a->q_mid, &a->v_mid, &a->weight };
  for (int i = 0; i < 4; i++) MS_TRY(ms_allocate(run->ctx, run->m, sizeof(double), modal[i]));
  MS_TRY(ms_allocate(run->ctx, run->n, sizeof(double), &a->d_mid));
  double lowest = 0.0;
  for (ptrdiff_t r = run->m - 1; r >= 0 && run->omega[r] > 0.0; r--) lowest = run->omega[r];
  if (!(lowest > 0.0)) lowest = 1.0 / run->setting.step;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    run->adaptive->weight[r] = fmax(run->omega[r], lowest);
  }
  return ms_parts_open(run, MS_MAX_PART);
}

void ms_adaptive_close(ms_transient *run) {
  ms_adaptive *a = run->adaptive;
  if (!a) return;
  double **part[] = { &a->p_mid, &a->q_mid, &a->v_mid, &a->weight, &a->d_mid };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) ms_free(run->ctx, part[i]);
  ms_free(run->ctx, &run->adaptive);
}

/* ---- the error of an attempt ---- */

/* sqrt(sum (w e_q)^2 + e_v^2) for e_q = cq e, e_v = cv e. */
static double norm_of(const ms_transient *run, const double *e, double cq, double cv) {
  double sum = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    double x = run->adaptive->weight[r] * cq * e[r], y = cv * e[r];
    sum += x * x + y * y;
  }
  return sqrt(sum);
}

static double size_of_state(const ms_transient *run) {
  double sum = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    double x = run->adaptive->weight[r] * run->q_next[r], y = run->v_next[r];
    sum += x * x + y * y;
  }
  return sqrt(sum);
}

/* Newmark: q is off by (1/6 - beta) dt^2 (a' - a); the error of v is about omega times that. */
ms_status ms_adaptive_by_acceleration(ms_transient *run, double *error) {
  double c = (1.0 / 6.0 - run->setting.beta) * run->dt * run->dt, *e = run->adaptive->q_mid;
  for (ptrdiff_t r = 0; r < run->m; r++) e[r] = run->a_next[r] - run->a[r];
  *error = 1.4142135623730951 * norm_of(run, e, c, 0.0);
  return MS_SUCCESS;
}

/* Exponential: the force is off the straight line by e in the middle of the step, so that q is off
   by dt^2 e/3 and v by 2 dt e/3. */
ms_status ms_adaptive_by_force(ms_transient *run, double *error) {
  ms_adaptive *a = run->adaptive;
  double h = run->dt, *e = a->p_mid;
  for (ptrdiff_t r = 0; r < run->m; r++) { /* cubic through both ends */
    a->q_mid[r] = 0.5 * (run->q[r] + run->q_next[r]) + 0.125 * h * (run->v[r] - run->v_next[r]);
    a->v_mid[r] = 1.5 / h * (run->q_next[r] - run->q[r]) - 0.25 * (run->v[r] + run->v_next[r]);
  }
  if (!ms_transient_eval_loads(run, run->t + 0.5 * h, a->p_mid)) {
    memset(a->p_mid, 0, (size_t)run->m * sizeof *a->p_mid);
  }
  for (ptrdiff_t r = 0; run->loaded > 0 && r < run->m; r++) {
    e[r] -= 0.5 * (run->p[r] + run->p_next[r]);
  }
  MS_TRY(ms_transient_probe_joints(run, a->q_mid, a->v_mid, 0.5 * h, a->d_mid));
  for (ptrdiff_t j = 0; j < run->n; j++) {
    const double *gamma = run->gamma + run->m * j;
    double off = a->d_mid[j] - 0.5 * (run->d_begin[j] + run->d[j]);
    for (ptrdiff_t r = 0; r < run->m; r++) e[r] -= off * gamma[r];
  }
  *error = norm_of(run, e, h * h / 3.0, 2.0 * h / 3.0);
  return MS_SUCCESS;
}

/* ---- steps ---- */

/* Error over tolerance of a step from here. */
static ms_status attempt(ms_transient *run, double *ratio) {
  double error = 0.0;
  MS_TRY(ms_transient_attempt(run));
  MS_TRY(run->method->estimate(run, &error));
  double size = run->setting.tolerance * size_of_state(run);
  *ratio = error > 0.0 ? (size > 0.0 ? error / size : HUGE_VAL) : 0.0;
  if (isfinite(error)) return MS_SUCCESS;
  return ms_fail(run->ctx, MS_NOT_CONVERGED, "the response is not finite at t = %g",
                 run->t + run->dt);
}

/* A part from here, as long as its error allows; *ratio is its error over the tolerance. */
static ms_status take_part(ms_transient *run, double *ratio) {
  int loaded = run->loaded;
  ms_parts_keep(run);
  for (;;) {
    ms_status status = attempt(run, ratio);
    if (status == MS_SUCCESS && (*ratio <= 1.0 || run->level == FINEST)) {
      return ms_transient_accept(run);
    }
    ms_parts_put_back(run, loaded);
    if (status < 0 || (status != MS_SUCCESS && run->level == FINEST)) return status;
    double deeper = status == MS_SUCCESS ? ceil(log2(fmin(*ratio, 1e6)) / 3.0) : 2.0;
    MS_TRY(ms_parts_use(run, (int)fmin(FINEST, run->level + fmax(1.0, deeper))));
  }
}

ms_status ms_adaptive_step(ms_transient *run) {
  const long whole = 1L << FINEST;
  ptrdiff_t step = run->step;
  double end = run->t + run->setting.step, ratio = 0.0;
  for (long at = 0; at < whole;) {
    ms_status status = take_part(run, &ratio);
    if (status != MS_SUCCESS) {
      run->step = step;
      return status;
    }
    at += whole >> run->level;
    if (ratio < run->setting.tol.grow && run->level > 0 && at % (whole >> (run->level - 1)) == 0) {
      MS_TRY(ms_parts_use(run, run->level - 1));
    }
  }
  run->t = end;
  run->step = step + 1;
  return MS_SUCCESS;
}
