/* Forced response along frequency. Unknowns: the joints' coefficients and the master's coordinate;
   the parameter is Omega. The master is the mode nearest to Omega and changes on the way. */
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

static void place(ms_harmonic_problem *p, const double *x) {
  ms_harmonic *h = p->h;
  const ptrdiff_t n = h->n * h->P + 2;
  for (ptrdiff_t i = 0; i < n; i++) h->X[i] = x[i] / ms_problem_scale(h, i);
  h->X[h->n * h->P + AT_OMEGA] = x[n];
}

static ms_status eval(void *self, const double *x, double *R, double *J, double *size) {
  ms_harmonic_problem *p = self;
  ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P, n = nP + 2, rows = nP + 4;
  place(p, x);
  MS_TRY(ms_problem_eval(p));
  ms_problem_column(h, h->R, 1.0, R);
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_problem_column(h, h->J + rows * i, 1.0 / ms_problem_scale(h, i), J + n * i);
  }
  ms_problem_column(h, h->J + rows * (nP + AT_OMEGA), 1.0, J + n * n);
  *size = ms_problem_size(n, x);
  return MS_SUCCESS;
}

/* Relative change of the motion, and twice the part of the range. */
static void weigh(void *self, const double *x, double *w) {
  const ms_harmonic_problem *p = self;
  const ptrdiff_t n = p->h->n * p->h->P + 2;
  double size = ms_problem_size(n, x);
  for (ptrdiff_t i = 0; i < n; i++) w[i] = size > 0.0 ? 1.0 / size : 1.0;
  w[n] = 2.0 / p->range;
}

/* The same motion with another mode's coordinate as an unknown. */
static ms_status change_master(ms_harmonic *h, ptrdiff_t master, double *x, double *t) {
  const ptrdiff_t nP = h->n * h->P;
  MS_TRY(ms_aft_eval(h, h->X, h->X[nP + AT_OMEGA]));
  MS_TRY(ms_linear_recover(h, h->X, h->force, h->modal_motion));
  h->master = master;
  for (int c = 0; c < 2; c++) {
    h->X[nP + AT_Q + c] = h->modal_motion[h->P * master + 1 + c];
    x[nP + c] = h->X[nP + AT_Q + c] * ms_problem_scale(h, nP);
    t[nP + c] = 0.0;
  }
  return MS_SUCCESS;
}

static ms_status rebase(void *self, double *x, double *t, int *changed) {
  ms_harmonic_problem *p = self;
  ptrdiff_t master = ms_problem_nearest(p->h, x[p->h->n * p->h->P + 2]);
  if (master == p->h->master) return MS_SUCCESS;
  *changed = 1 + (int)master;
  place(p, x);
  p->h->X_done[p->h->n * p->h->P + AT_OMEGA] = 0.0;
  return change_master(p->h, master, x, t);
}

/* The stuck structure's response: G d = 0. */
static ms_status guess(ms_harmonic *h, double Omega) {
  const ptrdiff_t nP = h->n * h->P;
  double *X = h->X;
  memset(X, 0, (size_t)nP * sizeof *X);
  memset(h->force, 0, (size_t)nP * sizeof *X);
  h->master = ms_problem_nearest(h, Omega);
  MS_TRY(ms_linear_eval(h, Omega, 0.0, 0));
  const ms_harmonic_gain *g = &h->gain[1];
  double size = g->a[0] * g->a[0] + g->a[1] * g->a[1], level = X[nP + AT_LEVEL];
  if (size > 0.0) { /* q = F b/a */
    X[nP + AT_Q] = level * (g->b[0] * g->a[0] + g->b[1] * g->a[1]) / size;
    X[nP + AT_Q + 1] = -level * (g->b[1] * g->a[0] - g->b[0] * g->a[1]) / size;
  }
  for (ptrdiff_t i = 0; i < h->n; i++) {
    X[h->P * i] = h->gain[0].h[2 * i];
    for (ptrdiff_t k = 1; k <= h->H; k++) {
      X[h->P * i + 2 * k - 1] = level * h->gain[k].h[2 * i];
      X[h->P * i + 2 * k] = -level * h->gain[k].h[2 * i + 1];
    }
    double e[2] = { g->e[2 * i], g->e[2 * i + 1] }, *q = X + nP + AT_Q;
    X[h->P * i + 1] += e[0] * q[0] + e[1] * q[1];
    X[h->P * i + 2] += e[0] * q[1] - e[1] * q[0];
  }
  return MS_SUCCESS;
}

static ms_status run(ms_harmonic_problem *p, const ms_harmonic_range *omega, double *x,
                     ms_harmonic_curve **out) {
  ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P, n = nP + 2;
  ms_path path = ms_problem_path(p, n, omega);
  path.title = "forced response";
  path.what = "omega";
  path.unit = "rad/s";
  path.eval = eval;
  path.weigh = weigh;
  path.rebase = rebase;
  for (ptrdiff_t i = 0; i < n; i++) x[i] = h->X[i] * ms_problem_scale(h, i);
  return ms_problem_run(p, &path, x, out);
}

ms_status ms_harmonic_run_forced(ms_harmonic *h, const ms_harmonic_range *omega, double level,
                                 ms_harmonic_curve **out) {
  const ptrdiff_t nP = h->n * h->P;
  ms_harmonic_problem p = { .h = h, .place = place, .range = fabs(omega->to - omega->from) };
  double *x;
  *out = NULL;
  MS_TRY(ms_problem_check_range(h, omega, "omega"));
  if (!isfinite(level)) return ms_fail(h->ctx, MS_ERR_NUMERIC, "the level is not finite");
  if (p.range == 0.0) p.range = omega->from;
  h->X[nP + AT_LEVEL] = level;
  h->tracks = 0;
  if (omega->start) {
    MS_TRY(ms_problem_restore(h, omega->start));
  } else {
    MS_TRY(guess(h, omega->from));
  }
  h->X[nP + AT_LEVEL] = level;
  h->X[nP + AT_ZETA] = 0.0;
  MS_TRY(ms_allocate(h->ctx, nP + 3, sizeof *x, &x));
  ms_status status = run(&p, omega, x, out);
  ms_free(h->ctx, &x);
  return status;
}
