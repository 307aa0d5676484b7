/* Mode r after the joints got other parameters, without a new eigenproblem. In the modes of the
   structure as it was set up (the reference: omega_j, gamma_j) the stuck stiffness is

     Lambda + Gamma dK Gamma^T,      Lambda = diag(omega_j^2),

   dK the change of the joints' own, n x n. With F(mu) = sum_{j != r} gamma_j gamma_j^T/(omega_j^2 -
   mu) mode r, scaled to v_r = 1, is

     s = (I + F dK)^-1 g,   v_j = -gamma_j^T dK s/(omega_j^2 - mu),   mu = omega_r^2 + g^T dK s,

   s = Gamma^T v. Newton's method on the last equation has the slope -|v|^2 and costs O(modes n^2) a
   step. It always begins at omega_r^2: the answer depends on the parameters, not on the way there.

   Of all modes it is the one most like reference mode r, MAC = v_r^2/|v|^2. The MAC of all modes
   add to one, so above one half there is no other; else the whole eigenproblem is solved.

   Flexibility by Woodbury, with the reference's H_0:  H = (I + H_0 dK)^-1 H_0,  H_r = H - g g^T/mu.
 */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "response/quasistatic/impl.h"

enum { NEWTON_MAX = 30 };

/* ---- life ---- */

void ms_static_free_tuning(ms_quasistatic *run) {
  ms_free(run->ctx, &run->tuning.store);
  ms_free(run->ctx, &run->tuning.whole);
  run->tuning = (ms_static_tuning) { 0 };
}

static ms_status make(ms_quasistatic *run) {
  ms_static_tuning *t = &run->tuning;
  const ptrdiff_t m = run->modal.m, n = run->n, square = n * n;
  MS_TRY(ms_allocate(run->ctx, 5 * square + 2 * n + 4 * m, sizeof(double), &t->store));
  t->H_0 = t->store;
  t->dK = t->H_0 + square;
  t->F = t->dK + square;
  t->A = t->F + square;
  t->B = t->A + square;
  t->s = t->B + square;
  t->push = t->s + n;
  t->v = t->push + n;
  t->b = t->v + m;
  t->y = t->b + m;
  t->w2 = t->y + m;
  memcpy(t->H_0, run->by_load.H, (size_t)square * sizeof *t->H_0);
  for (ptrdiff_t j = 0; j < m; j++) t->w2[j] = run->modal.omega[j] * run->modal.omega[j];
  return MS_SUCCESS;
}

/* ---- the joints ---- */

/* K_T of the joint as it is now; a force at rest would need other modes. */
static ms_status take_stuck(ms_quasistatic *run, int k) {
  ms_static_attachment *attachment = &run->attachment[k];
  const ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  MS_TRY(ms_joint_start(attachment->joint, NULL));
  MS_TRY(ms_joint_update(attachment->joint, &in, &attachment->out, &attachment->trial));
  for (int a = 0; a < attachment->n; a++) {
    if (attachment->out.force[a] != 0.0) {
      return ms_fail(run->ctx, MS_NOT_CONVERGED, "joint %s has a force at rest",
                     run->modal.attachment[k].name);
    }
    for (int b = 0; b < attachment->n; b++) {
      int ab = a + attachment->n * b;
      attachment->own[ab] =
          0.5 * (attachment->out.du[ab] + attachment->out.du[b + attachment->n * a]);
    }
  }
  attachment->stuck = attachment->own;
  return MS_SUCCESS;
}

/* ---- the mode, followed ---- */

/* A := I + X dK */
static void fill_A(ptrdiff_t n, const double *X, const double *dK, double *A) {
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      double sum = i == j ? 1.0 : 0.0;
      for (ptrdiff_t k = 0; k < n; k++) sum += X[i + n * k] * dK[k + n * j];
      A[i + n * j] = sum;
    }
  }
}

/* F(mu) over elastic modes but `skip`. */
static void fill_F(ms_quasistatic *run, double mu, ptrdiff_t skip) {
  ms_static_tuning *t = &run->tuning;
  const ptrdiff_t m = run->modal.m, n = run->n;
  for (ptrdiff_t j = 0; j < m; j++) {
    t->b[j] = j == skip || t->w2[j] == 0.0 ? 0.0 : 1.0 / (t->w2[j] - mu);
  }
  for (ptrdiff_t a = 0; a < n; a++) {
    const double *ga = run->modal.gamma + m * a;
    for (ptrdiff_t b = 0; b <= a; b++) {
      const double *gb = run->modal.gamma + m * b;
      double sum = 0.0;
      for (ptrdiff_t j = 0; j < m; j++) sum += t->b[j] * ga[j] * gb[j];
      t->F[a + n * b] = t->F[b + n * a] = sum;
    }
  }
}

/* v from the push dK s, v_r = 1; |v|^2 returned. b still has the weights of F. */
static double fill_v(ms_quasistatic *run) {
  ms_static_tuning *t = &run->tuning;
  const ptrdiff_t m = run->modal.m;
  double norm2 = 1.0;
  memset(t->v, 0, (size_t)m * sizeof *t->v);
  for (ptrdiff_t a = 0; a < run->n; a++) {
    const double *gamma = run->modal.gamma + m * a;
    for (ptrdiff_t j = 0; j < m; j++) t->v[j] -= t->push[a] * gamma[j];
  }
  for (ptrdiff_t j = 0; j < m; j++) {
    t->v[j] *= t->b[j];
    norm2 += t->v[j] * t->v[j];
  }
  t->v[run->r] = 1.0;
  return norm2;
}

/* One step on mu; non-zero where there is none. *norm2: |v|^2. */
static int newton(ms_quasistatic *run, double *mu, double *step, double *norm2) {
  ms_static_tuning *t = &run->tuning;
  const ptrdiff_t m = run->modal.m, n = run->n;
  double pull = 0.0;
  fill_F(run, *mu, run->r);
  fill_A(n, t->F, t->dK, t->A);
  for (ptrdiff_t i = 0; i < n; i++) t->s[i] = run->modal.gamma[run->r + m * i];
  if (ms_static_linear(run, n, t->A, t->s)) return 1;
  for (ptrdiff_t i = 0; i < n; i++) {
    t->push[i] = ms_static_dot(n, t->dK + n * i, t->s); /* dK = dK^T */
    pull += run->modal.gamma[run->r + m * i] * t->push[i];
  }
  *norm2 = fill_v(run);
  *step = (t->w2[run->r] + pull - *mu) / *norm2;
  *mu += *step;
  return !(*mu > 0.0 && isfinite(*norm2));
}

/* Whether mode r was followed; mu, v (|v| = 1) and g are then those of it. */
static int follow(ms_quasistatic *run, double *mu) {
  ms_static_tuning *t = &run->tuning;
  double step = 0.0, norm2 = 1.0;
  int settled = 0;
  *mu = t->w2[run->r];
  for (int k = 0; k < NEWTON_MAX; k++) {
    if (newton(run, mu, &step, &norm2)) return 0;
    if (settled) break;
    settled = fabs(step) <= run->setting.tol.settled * *mu;
  }
  if (!settled || !(1.0 / norm2 > run->setting.tol.alone)) return 0;
  double scale = 1.0 / sqrt(norm2);
  for (ptrdiff_t j = 0; j < run->modal.m; j++) t->v[j] *= scale;
  for (ptrdiff_t i = 0; i < run->n; i++) run->g[i] = t->s[i] * scale;
  return 1;
}

/* ---- the mode, from the whole eigenproblem ---- */

static void fill_whole(ms_quasistatic *run, double *K, double *M) {
  const ms_static_tuning *t = &run->tuning;
  const ptrdiff_t m = run->modal.m, n = run->n;
  memset(K, 0, (size_t)(m * m) * sizeof *K);
  memset(M, 0, (size_t)(m * m) * sizeof *M);
  for (ptrdiff_t j = 0; j < m; j++) K[j + m * j] = t->w2[j], M[j + m * j] = 1.0;
  for (ptrdiff_t ab = 0; ab < n * n; ab++) {
    const double *a = run->modal.gamma + m * (ab % n), *b = run->modal.gamma + m * (ab / n);
    for (ptrdiff_t j = 0; t->dK[ab] != 0.0 && j < m; j++) {
      for (ptrdiff_t i = 0; i < m; i++) K[i + m * j] += a[i] * t->dK[ab] * b[j];
    }
  }
}

static ms_status solve_whole(ms_quasistatic *run, double *mu) {
  ms_static_tuning *t = &run->tuning;
  const ptrdiff_t m = run->modal.m, r = run->r;
  if (!t->whole) MS_TRY(ms_allocate(run->ctx, 3 * m * m + m, sizeof(double), &t->whole));
  double *K = t->whole, *M = K + m * m, *V = M + m * m, *omega = V + m * m;
  ptrdiff_t best = 0;
  const ms_rounding rounding = { .doubt = run->structure->rounding.doubt };
  fill_whole(run, K, M);
  MS_TRY(ms_modes_solve(run->ctx, m, K, M, &rounding, run->structure->name, omega, V));
  for (ptrdiff_t k = 1; k < m; k++) {
    if (fabs(V[r + m * k]) > fabs(V[r + m * best])) best = k;
  }
  double sign = V[r + m * best] < 0.0 ? -1.0 : 1.0;
  for (ptrdiff_t j = 0; j < m; j++) t->v[j] = sign * V[j + m * best];
  for (ptrdiff_t i = 0; i < run->n; i++) {
    run->g[i] = ms_static_dot(m, run->modal.gamma + m * i, t->v);
  }
  *mu = omega[best] * omega[best];
  if (*mu > 0.0) return MS_SUCCESS;
  return ms_fail(run->ctx, MS_NOT_CONVERGED, "mode %td has no frequency", r + 1);
}

/* ---- what follows from it ---- */

/* H_r into by_q; the joints' flexibility must stay one. */
static ms_status fill_flexibility(ms_quasistatic *run, double mu) {
  ms_static_tuning *t = &run->tuning;
  const ptrdiff_t n = run->n;
  double *H = run->by_q.H;
  fill_A(n, t->H_0, t->dK, t->A);
  memcpy(t->B, t->H_0, (size_t)(n * n) * sizeof *t->B);
  if (ms_dense_solve_many(n, t->A, n, t->B)) {
    return ms_fail(run->ctx, MS_NOT_CONVERGED, "the joints hold the structure no more");
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t k = 0; k < n; k++) {
      double both = 0.5 * (t->B[i + n * k] + t->B[k + n * i]);
      H[i + n * k] = both - run->g[i] * run->g[k] / mu;
    }
  }
  return MS_SUCCESS;
}

/* Ratios are those of reference mode r, C in coordinates stays. */
static double find_damping(const ms_quasistatic *run, double mu) {
  const ms_structure *s = run->structure;
  switch (s->damping) {
  case MS_DAMPING_MODAL:
    return 2.0 * s->zeta[run->r + run->tuning.ratio] * sqrt(mu);
  case MS_DAMPING_RAYLEIGH:
    return s->rayleigh[0] + s->rayleigh[1] * mu;
  case MS_DAMPING_MATRIX:
    return ms_static_damp(&run->modal, run->tuning.v);
  case MS_DAMPING_NONE:
    break;
  }
  return 0.0;
}

static void take_reference(ms_quasistatic *run, double *mu) {
  ms_static_tuning *t = &run->tuning;
  const ptrdiff_t m = run->modal.m;
  memset(t->v, 0, (size_t)m * sizeof *t->v);
  t->v[run->r] = 1.0;
  for (ptrdiff_t i = 0; i < run->n; i++) run->g[i] = run->modal.gamma[run->r + m * i];
  *mu = t->w2[run->r];
}

ms_status ms_static_retune(ms_quasistatic *run) {
  ms_static_tuning *t = &run->tuning;
  double mu = 0.0;
  int changed = 0;
  if (!(run->setting.kind == MS_QUASISTATIC_QSMA && !run->p && !run->basis)) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "mode %td cannot be followed through other joint parameters: %s", run->r + 1,
                   run->p ? "the joints have forces at rest" : "that is for qsma");
  }
  if (!t->store) MS_TRY(make(run));
  /* Is any stuck stiffness another than the reference's? */
  double *dK = t->dK;
  memset(dK, 0, (size_t)(run->n * run->n) * sizeof *dK);
  for (int k = 0; k < run->modal.n_attachment; k++) {
    const ms_static_attachment *attachment = &run->attachment[k];
    MS_TRY(take_stuck(run, k));
    for (int ab = 0; ab < attachment->n * attachment->n; ab++) {
      ptrdiff_t i = attachment->first + ab % attachment->n,
                j = attachment->first + ab / attachment->n;
      dK[i + run->n * j] = attachment->own[ab] - run->modal.attachment[k].stuck[ab];
      changed |= dK[i + run->n * j] != 0.0;
    }
  }
  ms_free(run->ctx, &run->G);
  t->followed = 1;
  if (!changed) {
    take_reference(run, &mu);
  } else if (!follow(run, &mu)) {
    t->followed = 0;
    MS_TRY(solve_whole(run, &mu));
  }
  MS_TRY(fill_flexibility(run, mu));
  run->omega_r = sqrt(mu);
  run->c_r = find_damping(run, mu);
  t->mac = t->v[run->r] * t->v[run->r];
  ms_static_set_forms(run);
  return MS_SUCCESS;
}

/* ---- sums over the other modes, for sensitivities ---- */

static ptrdiff_t find_pivot(const ms_quasistatic *run) {
  ptrdiff_t p = 0;
  for (ptrdiff_t j = 1; j < run->modal.m; j++) {
    if (fabs(run->tuning.v[j]) > fabs(run->tuning.v[p])) p = j;
  }
  return p;
}

static void remove_mode(ptrdiff_t m, const double *v, double *x) {
  double part = ms_static_dot(m, v, x);
  for (ptrdiff_t j = 0; j < m; j++) x[j] -= part * v[j];
}

/* y := sum over the other modes k of v_k (v_k^T y)/(mu_k - mu), that is (K - mu)^+ y. The equation
   of the largest v_j follows from the others: y_j is free there, and what is chosen is taken out
   as a multiple of v. */
static int resolve(ms_quasistatic *run, double *y) {
  ms_static_tuning *t = &run->tuning;
  const ptrdiff_t m = run->modal.m, n = run->n, p = find_pivot(run);
  remove_mode(m, t->v, y);
  fill_F(run, run->omega_r * run->omega_r, p);
  fill_A(n, t->F, t->dK, t->A);
  for (ptrdiff_t j = 0; j < m; j++) y[j] *= t->b[j];
  for (ptrdiff_t i = 0; i < n; i++) t->s[i] = ms_static_dot(m, run->modal.gamma + m * i, y);
  if (ms_static_linear(run, n, t->A, t->s)) return 1;
  for (ptrdiff_t i = 0; i < n; i++) t->push[i] = ms_static_dot(n, t->dK + n * i, t->s);
  for (ptrdiff_t i = 0; i < n; i++) {
    const double *gamma = run->modal.gamma + m * i;
    for (ptrdiff_t j = 0; j < m; j++) y[j] -= t->b[j] * gamma[j] * t->push[i];
  }
  remove_mode(m, t->v, y);
  return 0;
}

/* 1/(w^2 (mu - w^2)) = (1/w^2 - 1/(w^2 - mu))/mu: G = (H_r - Gamma^T (K - mu)^+ Gamma)/mu. */
ms_status ms_static_retuned_G(ms_quasistatic *run) {
  const ptrdiff_t m = run->modal.m, n = run->n;
  const double mu = run->omega_r * run->omega_r;
  double *y = run->tuning.y;
  for (ptrdiff_t k = 0; k < n; k++) {
    memcpy(y, run->modal.gamma + m * k, (size_t)m * sizeof *y);
    if (resolve(run, y)) {
      return ms_fail(run->ctx, MS_ERR_STATE,
                     "mode %td shares its frequency with another: its shape has no derivatives",
                     run->r + 1);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
      double R = ms_static_dot(m, run->modal.gamma + m * i, y);
      run->G[i + n * k] = (run->by_q.H[i + n * k] - R) / mu;
    }
  }
  return MS_SUCCESS;
}

void ms_static_retuned_y(ms_quasistatic *run, double *out) {
  const ms_modal *modal = &run->modal;
  const ptrdiff_t m = modal->m;
  ms_static_tuning *t = &run->tuning;
  for (ptrdiff_t j = 0; j < m; j++) {
    t->y[j] = modal->damping_full ? ms_static_dot(m, modal->damping_full + m * j, t->v)
                                  : modal->damping[j] * t->v[j];
  }
  if (resolve(run, t->y)) return; /* G has said so */
  for (ptrdiff_t i = 0; i < run->n; i++) {
    out[i] = -ms_static_dot(m, modal->gamma + m * i, t->y);
  }
}
