/* Rayleigh-quotient nonlinear modes: K x + B f(B^T x) = lambda M x with x^T M x = q^2. In modal
   coordinates (omega_j^2 - lambda) q_j = -gamma_j^T d. All modes but r are summed,

     H(lambda) = sum over j != r of gamma_j gamma_j^T/(omega_j^2 - lambda),

   and the one whose denominator vanishes keeps its coordinate q_r as an unknown:

     R1 = z - q_r g + H d,   R2 = (omega_r^2 - lambda) q_r + g^T d,   R3 = q_r^2 + d^T H' d - q^2.

   Unknowns z, lambda, q_r: n + 2, whatever the number of modes, though H takes a sum over them.
   z and d count from rest: in this file d is d - d_0. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

enum { MAX_HALVINGS = 12 };

/* H and H' at lambda, H' d, H'' d. */
ms_status ms_static_sum_rqnm(ms_quasistatic *run) {
  const ms_modal *m = &run->modal;
  const ptrdiff_t n = run->n;
  memset(run->H_l, 0, (size_t)(n * n) * sizeof(double));
  memset(run->Hp_l, 0, (size_t)(n * n) * sizeof(double));
  memset(run->Hp_d, 0, (size_t)n * sizeof(double));
  memset(run->Hpp_d, 0, (size_t)n * sizeof(double));
  for (ptrdiff_t j = 0; j < m->m; j++) {
    double w = 1.0 / (m->omega[j] * m->omega[j] - run->lambda), drive = 0.0;
    if (run->still[j]) continue;
    if (!isfinite(w)) {
      return ms_fail(run->ctx, MS_NOT_CONVERGED, "the mode meets stuck mode %td", j + 1);
    }
    for (ptrdiff_t i = 0; i < n; i++) drive += m->gamma[j + m->m * i] * run->d[i];
    for (ptrdiff_t i = 0; i < n; i++) {
      double g = m->gamma[j + m->m * i];
      run->Hp_d[i] += g * w * w * drive;
      run->Hpp_d[i] += 2.0 * g * w * w * w * drive;
      for (ptrdiff_t k = 0; k < n; k++) {
        double gg = g * m->gamma[j + m->m * k];
        run->H_l[k + n * i] += gg * w;
        run->Hp_l[k + n * i] += gg * w * w;
      }
    }
  }
  run->count.mode_terms += m->m;
  return MS_SUCCESS;
}

/* R, and its size relative to that of its terms. */
static double residual(ms_quasistatic *run, double q) {
  const ptrdiff_t n = run->n;
  double w2 = run->omega_r * run->omega_r, worst = 0.0, size = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double free = run->q_mode * run->g[i];
    double z = run->z[i] - run->z_0[i];
    run->R[i] = z - free + ms_static_dot(n, run->H_l + n * i, run->d);
    worst = fmax(worst, fabs(run->R[i]));
    size = fmax(size, fmax(fabs(z), fabs(free)));
  }
  double R2 = (w2 - run->lambda) * run->q_mode + ms_static_dot(n, run->g, run->d);
  double R3 = run->q_mode * run->q_mode + ms_static_dot(n, run->d, run->Hp_d) - q * q;
  run->R[n] = R2;
  run->R[n + 1] = R3;
  double error = worst > 0.0 ? worst / size : 0.0;
  error = fmax(error, fmax(fabs(R2) / (w2 * q), fabs(R3) / (q * q)));
  return isfinite(R2) && isfinite(R3) && isfinite(error) ? error : HUGE_VAL;
}

void ms_static_fill_rqnm(ms_quasistatic *run, double *J) {
  const ptrdiff_t n = run->n, ld = n + 2;
  double *row = run->step; /* free until J is solved */
  ms_static_fill_J(run, run->H_l, J, ld);
  ms_static_apply_transposed(run, run->g, row);
  for (ptrdiff_t i = 0; i < n; i++) J[n + ld * i] = row[i];
  ms_static_apply_transposed(run, run->Hp_d, row);
  for (ptrdiff_t i = 0; i < n; i++) {
    J[n + 1 + ld * i] = 2.0 * row[i];
    J[i + ld * n] = run->Hp_d[i];
    J[i + ld * (n + 1)] = -run->g[i];
  }
  J[n + ld * n] = -run->q_mode;
  J[n + 1 + ld * n] = ms_static_dot(n, run->d, run->Hpp_d);
  J[n + ld * (n + 1)] = run->omega_r * run->omega_r - run->lambda;
  J[n + 1 + ld * (n + 1)] = 2.0 * run->q_mode;
}

static void move(ms_quasistatic *run, double part) {
  for (ptrdiff_t i = 0; i < run->n; i++) run->z[i] += part * run->step[i];
  run->lambda += part * run->step[run->n];
  run->q_mode += part * run->step[run->n + 1];
}

ms_status ms_static_solve_rqnm(ms_quasistatic *run, double q) {
  double before = HUGE_VAL, part = 1.0, error = 0.0, tolerance = run->setting.newton_tolerance;
  int halvings = 0;
  memcpy(run->z, run->z_next, (size_t)run->n * sizeof *run->z);
  for (int k = 0; k < run->setting.newton_max; k++) {
    MS_TRY(ms_check_stop(run->ctx, "nonlinear mode"));
    MS_TRY(ms_static_eval(run, run->z));
    for (ptrdiff_t i = 0; i < run->n; i++) run->d[i] -= run->d_0[i];
    ms_status status = ms_static_sum_rqnm(run);
    error = status == MS_SUCCESS ? residual(run, q) : HUGE_VAL;
    if (status < 0) return status;
    run->residual = error;
    run->accepted = error <= tolerance ? tolerance : run->setting.tol.stalled * tolerance;
    if (error <= tolerance || (error >= before && error <= run->accepted)) {
      return ms_static_check_repeated(run, q);
    }
    if (error > before && halvings < MAX_HALVINGS) {
      halvings++;
      part *= 0.5;
      move(run, part);
      continue;
    }
    if (!(error < HUGE_VAL)) break;
    ms_static_fill_rqnm(run, run->J);
    memcpy(run->step, run->R, (size_t)(run->n + 2) * sizeof *run->step);
    if (ms_static_linear(run, run->n + 2, run->J, run->step)) break;
    before = error;
    part = 1.0;
    halvings = 0;
    move(run, -1.0);
  }
  return ms_fail(run->ctx, MS_NOT_CONVERGED, "no nonlinear mode found (residual %.2g)", error);
}
