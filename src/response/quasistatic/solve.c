/* Equilibrium of the joints, z = base + s direction - H d(z), by Newton's method on z.

   The loops over n joint axes are inline and called with n = 2 as a number where it is 2: that many
   unknowns spend more time in the loops than in the work, and loads of two numbers as a pair wait
   for the stores that wrote them one by one. */
#include "response/quasistatic/impl.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"

enum { MAX_HALVINGS = 12, SMALL = 24 };

ms_status ms_static_eval(ms_quasistatic *run, const double *z) {
  run->count.evaluations++;
  if (run->on_curve) {
    ms_static_eval_curve(run, z);
    return MS_SUCCESS;
  }
  for (int k = 0; k < run->modal.n_attachment; k++) {
    ms_static_attachment *attachment = &run->attachment[k];
    const double *u = z + attachment->first;
    /* The rate of a joint that knows one is the backward difference over a cycle's step. */
    attachment->in.dt = run->dt;
    for (int a = 0; a < attachment->n; a++) {
      attachment->in.u[a] = u[a];
      attachment->in.v[a] =
          run->dt > 0.0 ? (u[a] - run->z_old[attachment->first + a]) / run->dt : 0.0;
    }
    MS_TRY(
        ms_joint_update(attachment->joint, &attachment->in, &attachment->out, &attachment->trial));
    for (int ab = 0; run->dt > 0.0 && ab < attachment->n * attachment->n; ab++) {
      attachment->out.du[ab] += attachment->out.dv[ab] / run->dt;
    }
    for (int a = 0; a < attachment->n; a++) {
      double stuck = 0.0;
      for (int b = 0; b < attachment->n; b++)
        stuck += attachment->stuck[a + attachment->n * b] * u[b];
      run->f[attachment->first + a] = attachment->out.force[a];
      run->d[attachment->first + a] = attachment->out.force[a] - stuck;
    }
  }
  return MS_SUCCESS;
}

/* d' has a block for each joint. */
void ms_static_apply(const ms_quasistatic *run, const double *x, double *y) {
  memset(y, 0, (size_t)run->n * sizeof *y);
  for (int k = 0; k < run->modal.n_attachment; k++) {
    const ms_static_attachment *attachment = &run->attachment[k];
    for (int ab = 0; ab < attachment->n * attachment->n; ab++) {
      int a = ab % attachment->n, b = ab / attachment->n;
      y[attachment->first + a] +=
          (attachment->out.du[ab] - attachment->stuck[ab]) * x[attachment->first + b];
    }
  }
}

void ms_static_apply_transposed(const ms_quasistatic *run, const double *x, double *y) {
  memset(y, 0, (size_t)run->n * sizeof *y);
  for (int k = 0; k < run->modal.n_attachment; k++) {
    const ms_static_attachment *attachment = &run->attachment[k];
    for (int ab = 0; ab < attachment->n * attachment->n; ab++) {
      int a = ab % attachment->n, b = ab / attachment->n;
      y[attachment->first + b] +=
          (attachment->out.du[ab] - attachment->stuck[ab]) * x[attachment->first + a];
    }
  }
}

void ms_static_fill_J(ms_quasistatic *run, const double *H, double *J, ptrdiff_t ld) {
  const ptrdiff_t n = run->n;
  if (n == 2 && run->modal.n_attachment == 2) {
    /* Every joint has one axis. */
    for (ptrdiff_t j = 0; j < 2; j++) {
      const double slope = run->attachment[j].out.du[0] - run->attachment[j].stuck[0];
      for (ptrdiff_t i = 0; i < 2; i++) J[i + ld * j] = (i == j ? 1.0 : 0.0) + H[i + 2 * j] * slope;
    }
    return;
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    memset(J + ld * j, 0, (size_t)n * sizeof *J);
    J[j + ld * j] = 1.0;
  }
  for (int k = 0; k < run->modal.n_attachment; k++) {
    const ms_static_attachment *attachment = &run->attachment[k];
    for (int ab = 0; ab < attachment->n * attachment->n; ab++) {
      double slope = attachment->out.du[ab] - attachment->stuck[ab];
      const double *from = H + n * (attachment->first + ab % attachment->n);
      double *to = J + ld * (attachment->first + ab / attachment->n);
      for (ptrdiff_t i = 0; i < n; i++) to[i] += from[i] * slope;
    }
  }
}

int ms_static_linear(ms_quasistatic *run, ptrdiff_t n, double *A, double *x) {
  if (n <= SMALL) return ms_dense_solve(n, A, x);
  lapack_int m = (lapack_int)n;
  return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, m, 1, A, m, run->pivot, x, m) != 0;
}

/* Without fmax's care of NaN, which costs a call. */
static inline double larger(double a, double b) {
  return a > b ? a : b;
}

/* R := z - base - s direction + H d; relative size of it returned. */
static inline double residual_of(ms_quasistatic *run, const ptrdiff_t n, const ms_static_form *form,
                                 double s) {
  double worst = 0.0, size = run->scale, finite = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double free = form->base[i] + s * form->direction[i];
    double slip = ms_static_dot(n, form->H + n * i, run->d); /* H = H^T */
    double R = run->z[i] - free + slip;
    run->R[i] = R;
    finite += R - R; /* 0, or NaN */
    worst = larger(worst, fabs(R));
    size = larger(size, larger(fabs(run->z[i]), larger(fabs(free), fabs(slip))));
  }
  if (!(finite == 0.0)) return HUGE_VAL;
  return worst > 0.0 ? worst / size : 0.0;
}

static double residual(ms_quasistatic *run, const ms_static_form *form, double s) {
  if (run->n == 2) return residual_of(run, 2, form, s);
  return residual_of(run, run->n, form, s);
}

static inline double largest(ptrdiff_t n, const double *x) {
  double size = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) size = larger(size, fabs(x[i]));
  return size;
}

/* Non-zero if there is none. A load that slip forces cannot hold has no equilibrium, but where
   1 - H K_T should be 0 rounding leaves 1e-16. */
static inline int newton_step_of(ms_quasistatic *run, const ptrdiff_t n, const double *H) {
  for (ptrdiff_t i = 0; i < n; i++) run->step[i] = run->R[i];
  ms_static_fill_J(run, H, run->J, n);
  if (ms_static_linear(run, n, run->J, run->step)) return 1;
  if (!(largest(n, run->step) <= run->setting.tol.singular * largest(n, run->R))) return 1;
  for (ptrdiff_t i = 0; i < n; i++) run->z[i] -= run->step[i];
  return 0;
}

static int newton_step(ms_quasistatic *run, const ms_static_form *form) {
  if (run->n == 2) return newton_step_of(run, 2, form->H);
  return newton_step_of(run, run->n, form->H);
}

/* Whether the residual will do, and what it was accepted by. A guess along the virgin curves takes
   a step in any case: it has the errors of earlier points, and they must not add up. */
static int accept(ms_quasistatic *run, double error, double before, int halvings) {
  double tolerance = run->setting.newton_tolerance;
  if (run->on_curve && before == HUGE_VAL) return 0;
  run->accepted = tolerance;
  if (error <= tolerance) return 1;
  run->accepted = run->setting.tol.stalled * tolerance;
  if (error >= before && error <= run->accepted) return 1;
  run->accepted = run->setting.tol.noisy * tolerance;
  return halvings == MAX_HALVINGS && error <= run->accepted;
}

ms_status ms_static_solve(ms_quasistatic *run, const ms_static_form *form, double s) {
  const ptrdiff_t n = run->n;
  double before = HUGE_VAL, part = 1.0, error = 0.0;
  int halvings = 0;
  memcpy(run->z, run->z_next, (size_t)n * sizeof *run->z);
  for (int k = 0; k < run->setting.newton_max; k++) {
    MS_TRY(ms_check_stop(run->ctx, "equilibrium"));
    MS_TRY(ms_static_eval(run, run->z));
    run->residual = error = residual(run, form, s);
    if (accept(run, error, before, halvings)) return MS_SUCCESS;
    if (error > before && halvings < MAX_HALVINGS) { /* half of the last step back */
      halvings++;
      part *= 0.5;
      for (ptrdiff_t i = 0; i < n; i++) run->z[i] += part * run->step[i];
      continue;
    }
    if (!(error < HUGE_VAL) || newton_step(run, form)) break;
    before = error;
    part = 1.0;
    halvings = 0;
  }
  return ms_fail(run->ctx, MS_NOT_CONVERGED,
                 "the joints found no equilibrium (residual %.2g of their displacement)", error);
}

static void note_turns(ms_quasistatic *run) {
  for (ptrdiff_t i = 0; i < run->n; i++) {
    double way = run->z_old[i] - run->z_0[i], more = run->z[i] - run->z_old[i];
    if (way * more < 0.0 && fabs(more) > run->setting.tol.turn_back * fabs(way)) run->turned = 1;
  }
}

ms_status ms_static_commit(ms_quasistatic *run) {
  note_turns(run);
  for (int k = 0; k < run->modal.n_attachment; k++) {
    MS_TRY(ms_joint_commit(run->attachment[k].joint, &run->attachment[k].trial));
  }
  memcpy(run->z_old, run->z, (size_t)run->n * sizeof *run->z);
  return MS_SUCCESS;
}

static ms_status advance(ms_quasistatic *run, const ms_static_form *form, double s_0, double s,
                         int depth) {
  if (run->on_curve) {
    if (ms_static_advance_curve(run, form, s)) return MS_SUCCESS;
    MS_TRY(ms_static_leave_curve(run));
  }
  /* Onwards as the joints went so far; from rest, and after a reversal, as stuck joints would. */
  double more = run->first_loading && s_0 > 0.0 ? (s - s_0) / s_0 : 0.0;
  for (ptrdiff_t i = 0; i < run->n; i++) {
    run->z_next[i] = more > 0.0 ? run->z_old[i] + more * (run->z_old[i] - run->z_0[i])
                                : run->z_old[i] + (s - s_0) * form->direction[i];
  }
  ms_status status = ms_static_solve(run, form, s);
  if (status == MS_SUCCESS) return ms_static_commit(run);
  if (status < 0 || status == MS_CANCELLED || depth >= run->setting.divide_max) return status;
  double middle = 0.5 * (s_0 + s), dt = run->dt;
  run->count.divided++;
  run->dt = 0.5 * dt;
  status = advance(run, form, s_0, middle, depth + 1);
  if (status == MS_SUCCESS) status = advance(run, form, middle, s, depth + 1);
  run->dt = dt;
  return status;
}

ms_status ms_static_advance(ms_quasistatic *run, const ms_static_form *form, double s_0, double s) {
  return advance(run, form, s_0, s, 0);
}
