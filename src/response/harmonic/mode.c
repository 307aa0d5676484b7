/* Nonlinear modes as extended periodic motions: C - 2 zeta omega M in place of C makes the motion
   periodic. The master's coordinate is the amplitude itself, q = a exp(i tau): that is the phase
   and the amplitude condition in one. Unknowns: the joints' coefficients over a, omega over that of
   the stuck mode, zeta; the parameter is ln a. */
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

static void place(ms_harmonic_problem *p, const double *x) {
  ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P;
  const double a = exp(x[nP + 2]);
  for (ptrdiff_t i = 0; i < nP; i++) h->X[i] = a * x[i] / h->scale[i / h->P];
  h->X[nP + AT_Q] = a;
  h->X[nP + AT_Q + 1] = 0.0;
  h->X[nP + AT_OMEGA] = x[nP] * h->modal.omega[h->master];
  h->X[nP + AT_ZETA] = x[nP + 1];
}

/* R(a y)/a, so that d/d(ln a) = J_y y + R_a - R/a. */
static ms_status eval(void *self, const double *x, double *R, double *J, double *size) {
  ms_harmonic_problem *p = self;
  ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P, n = nP + 2, rows = nP + 4;
  const double omega = h->modal.omega[h->master];
  place(p, x);
  MS_TRY(ms_problem_eval(p));
  const double a = h->X[nP + AT_Q];
  double *last = J + n * n;
  ms_problem_column(h, h->R, 1.0 / a, R);
  ms_problem_column(h, h->J + rows * (nP + AT_OMEGA), omega / a, J + n * nP);
  ms_problem_column(h, h->J + rows * (nP + AT_ZETA), 1.0 / a, J + n * (nP + 1));
  ms_problem_column(h, h->J + rows * (nP + AT_Q), 1.0, last);
  for (ptrdiff_t i = 0; i < n; i++) last[i] -= R[i];
  for (ptrdiff_t j = 0; j < nP; j++) {
    ms_problem_column(h, h->J + rows * j, 1.0 / h->scale[j / h->P], J + n * j);
    for (ptrdiff_t i = 0; i < n; i++) last[i] += J[i + n * j] * x[j];
  }
  *size = hypot(ms_problem_size(nP, x), omega);
  return MS_SUCCESS;
}

/* A decade of amplitude is 1, as is a change of shape or frequency by its size. */
static void weigh(void *self, const double *x, double *w) {
  const ms_harmonic_problem *p = self;
  const ptrdiff_t nP = p->h->n * p->h->P;
  double size = ms_problem_size(nP, x);
  for (ptrdiff_t i = 0; i < nP; i++) w[i] = size > 0.0 ? 1.0 / size : 1.0;
  w[nP] = 1.0 / fabs(x[nP]);
  w[nP + 1] = 1.0;
  w[nP + 2] = 1.0 / log(10.0);
}

static void finish(ms_harmonic_problem *p, ms_harmonic_point *point) {
  point->zeta = p->h->X[p->h->n * p->h->P + AT_ZETA];
}

static void guess(ms_harmonic *h, ptrdiff_t mode, double *x) {
  const ptrdiff_t nP = h->n * h->P;
  memset(x, 0, (size_t)nP * sizeof *x);
  for (ptrdiff_t i = 0; i < h->n; i++) x[h->P * i + 1] = h->gamma[mode + h->m * i] * h->scale[i];
  x[nP] = 1.0;
  x[nP + 1] = 0.5 * h->modal.damping[mode] / h->modal.omega[mode];
}

static ms_status start(ms_harmonic *h, ptrdiff_t mode, const double *state, double *x) {
  const ptrdiff_t nP = h->n * h->P;
  guess(h, mode, x);
  if (!state) return MS_SUCCESS;
  MS_TRY(ms_problem_restore(h, state));
  if (h->master != mode || !(h->X[nP + AT_Q] > 0.0)) {
    return ms_fail(h->ctx, MS_ERR_ARGUMENT, "the start is not a point of nonlinear mode %td",
                   mode + 1);
  }
  for (ptrdiff_t i = 0; i < nP; i++) x[i] = h->X[i] / h->X[nP + AT_Q] * h->scale[i / h->P];
  x[nP] = h->X[nP + AT_OMEGA] / h->modal.omega[mode];
  x[nP + 1] = h->X[nP + AT_ZETA];
  return MS_SUCCESS;
}

/* The list in the parameter's own measure follows x in its memory. */
static ms_status run(ms_harmonic_problem *p, const ms_harmonic_range *q, double *x,
                     ms_harmonic_curve **out) {
  ms_harmonic *h = p->h;
  const ptrdiff_t n = h->n * h->P + 2, mode = h->master;
  double *list = x + n + 1;
  ms_harmonic_range range = {
    .from = log(q->from), .to = log(q->to), .list = list, .n_list = q->n_list
  };
  for (ptrdiff_t i = 0; i < q->n_list; i++) list[i] = log(q->list[i]);
  ms_path path = ms_problem_path(p, n, &range);
  path.title = "nonlinear mode";
  path.what = "amplitude";
  path.unit = "";
  path.show = exp;
  path.eval = eval;
  path.weigh = weigh;
  MS_TRY(start(h, mode, q->start, x));
  h->master = mode;
  h->X[h->n * h->P + AT_LEVEL] = 0.0;
  return ms_problem_run(p, &path, x, out);
}

ms_status ms_harmonic_run_mode(ms_harmonic *h, ptrdiff_t mode, const ms_harmonic_range *q,
                               ms_harmonic_curve **out) {
  ms_harmonic_problem p = { .h = h,
                            .place = place,
                            .finish = finish,
                            .with_zeta = 1,
                            .resume = q->resume,
                            .n_resume = q->n_resume };
  double *x;
  *out = NULL;
  MS_TRY(ms_problem_check_mode(h, mode));
  MS_TRY(ms_problem_check_range(h, q, "amplitude"));
  h->master = mode;
  h->tracks = 0;
  h->apart = 1;
  MS_TRY(ms_allocate(h->ctx, h->n * h->P + 3 + q->n_list, sizeof *x, &x));
  ms_status status = run(&p, q, x, out);
  ms_free(h->ctx, &x);
  return status;
}
