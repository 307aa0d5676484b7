/* Phase resonance along the level of the loads, or along the amplitude of the response: stepped
   sine that keeps the response a quarter period behind the force.

   With Y the response's first harmonic and phi the phase of the force on the mode,

     Re(Y exp(-i phi)) = 0   makes Omega an unknown,
     -Im(Y exp(-i phi)) = A  the level, where the amplitude A is prescribed.

   Unknowns: the joints' coefficients, the master's coordinate, Omega over that of the stuck mode,
   and the level over a guess of its largest where it is one (it is 0 where nothing is lost); the
   parameter is ln(level) or ln A. */
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

static void place(ms_harmonic_problem *p, const double *x) {
  ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P;
  for (ptrdiff_t i = 0; i < nP + 2; i++) h->X[i] = x[i] / ms_problem_scale(h, i);
  h->X[nP + AT_OMEGA] = x[nP + 2] * h->modal.omega[h->master];
  h->X[nP + AT_LEVEL] = p->by_response ? p->level_unit * x[nP + 3] : exp(x[nP + 3]);
}

/* The response against the force: in[0] in phase, in[1] behind, of a row or of a column. */
static void turn(const ms_harmonic_problem *p, const double *Y, double in[2]) {
  const double c = p->turn[0], s = p->turn[1], f = p->response_scale;
  in[0] = f * (c * Y[0] - s * Y[1]);
  in[1] = f * (s * Y[0] + c * Y[1]);
}

/* All rows of a column of the core. */
static void fill_column(const ms_harmonic_problem *p, const double *column, double factor,
                        double *to) {
  const ptrdiff_t n = p->h->n * p->h->P + 2;
  double in[2];
  ms_problem_column(p->h, column, factor, to);
  turn(p, column + n, in);
  to[n] = factor * in[0];
  if (p->by_response) to[n + 1] = factor * in[1];
}

static ms_status eval(void *self, const double *x, double *R, double *J, double *size) {
  ms_harmonic_problem *p = self;
  ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P, n = nP + 3 + p->by_response, rows = nP + 4;
  place(p, x);
  MS_TRY(ms_problem_eval(p));
  fill_column(p, h->R, 1.0, R);
  for (ptrdiff_t i = 0; i < nP + 2; i++) {
    fill_column(p, h->J + rows * i, 1.0 / ms_problem_scale(h, i), J + n * i);
  }
  fill_column(p, h->J + rows * (nP + AT_OMEGA), h->modal.omega[h->master], J + n * (nP + 2));
  fill_column(p, h->J + rows * (nP + AT_LEVEL),
              p->by_response ? p->level_unit : h->X[nP + AT_LEVEL], J + n * (nP + 3));
  if (p->by_response) {
    double A = p->response_scale * p->response_sign * exp(x[n]);
    memset(J + n * n, 0, (size_t)n * sizeof *J);
    R[n - 1] -= A;
    J[n - 1 + n * n] = -A;
  }
  *size = ms_problem_size(nP + 2, x);
  return MS_SUCCESS;
}

/* Relative change of the motion; a decade of level or response is 1. */
static void weigh(void *self, const double *x, double *w) {
  const ms_harmonic_problem *p = self;
  const ptrdiff_t nP = p->h->n * p->h->P;
  double size = ms_problem_size(nP + 2, x);
  for (ptrdiff_t i = 0; i < nP + 2; i++) w[i] = size > 0.0 ? 0.5 / size : 1.0;
  w[nP + 2] = 1.0 / fabs(x[nP + 2]);
  w[nP + 3 + p->by_response] = 1.0 / log(10.0);
  if (p->by_response) w[nP + 3] = 0.5 / (1.0 + fabs(x[nP + 3]));
}

static void finish(ms_harmonic_problem *p, ms_harmonic_point *point) {
  const double *Y = p->h->R + p->h->n * p->h->P + 2;
  point->response = hypot(Y[0], Y[1]);
  point->zeta = point->level * p->force / (2.0 * point->omega * point->omega * point->q);
}

/* ---- the beginning ---- */

/* The stuck mode in quadrature, at amplitude q of its coordinate. */
static void guess(const ms_harmonic_problem *p, double q, double *x) {
  const ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P;
  const double a = q * p->turn[1], b = q * p->turn[0];
  memset(x, 0, (size_t)nP * sizeof *x);
  for (ptrdiff_t i = 0; i < h->n; i++) {
    double e = h->gamma[h->master + h->m * i] * h->scale[i];
    x[h->P * i + 1] = e * a;
    x[h->P * i + 2] = e * b;
  }
  x[nP] = a * h->modal.omega[h->master];
  x[nP + 1] = b * h->modal.omega[h->master];
  x[nP + 2] = 1.0;
}

/* A viscous damping to begin with where there is none: that of slip, roughly. */
static double guess_damping(const ms_harmonic *h) {
  return fmax(0.5 * h->modal.damping[h->master] / h->modal.omega[h->master], 1e-3);
}

static ms_status start(ms_harmonic_problem *p, const ms_harmonic_range *range, double *x) {
  ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P, mode = h->master;
  const double w = h->modal.omega[mode], stiff = 2.0 * guess_damping(h) * w * w / p->force;
  const double q = p->by_response ? range->from * w / p->response_scale : range->from / stiff;
  guess(p, q, x);
  p->level_unit = p->enough > 0.0 ? p->enough : q * stiff * fmax(1.0, range->to / range->from);
  x[nP + 3] = p->by_response ? q * stiff / p->level_unit : log(range->from);
  if (!range->start) return MS_SUCCESS;
  MS_TRY(ms_problem_restore(h, range->start));
  if (h->master != mode) {
    return ms_fail(h->ctx, MS_ERR_ARGUMENT, "the start is not a point of mode %td", mode + 1);
  }
  for (ptrdiff_t i = 0; i < nP + 2; i++) x[i] = h->X[i] * ms_problem_scale(h, i);
  x[nP + 2] = h->X[nP + AT_OMEGA] / w;
  if (p->by_response) x[nP + 3] = h->X[nP + AT_LEVEL] / p->level_unit;
  return MS_SUCCESS;
}

/* ---- what is tracked ---- */

static ms_status set_response(ms_harmonic_problem *p, const double *weights) {
  ms_harmonic *h = p->h;
  const ptrdiff_t m = h->m, r = h->master;
  const double *column = h->gamma + m * h->n;
  double size = 0.0;
  ms_problem_track(h, weights);
  for (ptrdiff_t k = 0; k < m; k++) size = fmax(size, fabs(column[k]));
  if (!(fabs(column[r]) > h->setting.tol.node * size)) {
    return ms_fail(h->ctx, MS_ERR_ARGUMENT,
                   "mode %td does not move the response that is tracked; choose another", r + 1);
  }
  p->response_scale = h->modal.omega[r] / fabs(column[r]);
  p->response_sign = column[r] > 0.0 ? 1.0 : -1.0;
  return MS_SUCCESS;
}

static ms_status set_force(ms_harmonic_problem *p) {
  const ms_harmonic *h = p->h;
  const ptrdiff_t m = h->m, r = h->master;
  const double *F = h->load + 2 * (r + m);
  double size = 0.0;
  for (ptrdiff_t k = 0; k < m; k++) {
    size = fmax(size, hypot(h->load[2 * (k + m)], h->load[2 * (k + m) + 1]));
  }
  p->force = hypot(F[0], F[1]);
  if (!(p->force > h->setting.tol.node * size)) {
    return ms_fail(h->ctx, MS_ERR_ARGUMENT,
                   "the loads' first harmonic does not push mode %td: it has no phase resonance",
                   r + 1);
  }
  p->turn[0] = F[0] / p->force;
  p->turn[1] = F[1] / p->force;
  return MS_SUCCESS;
}

/* The list in the parameter's own measure follows x in its memory. */
static ms_status follow(ms_harmonic_problem *p, const ms_harmonic_range *given, double *x,
                        ms_harmonic_curve **out) {
  const ptrdiff_t n = p->h->n * p->h->P + 3 + p->by_response;
  double *list = x + n + 1;
  ms_harmonic_range range = {
    .from = log(given->from), .to = log(given->to), .list = list, .n_list = given->n_list
  };
  for (ptrdiff_t i = 0; i < given->n_list; i++) list[i] = log(given->list[i]);
  ms_path path = ms_problem_path(p, n, &range);
  path.title = "phase resonance";
  path.what = p->by_response ? "response" : "level";
  path.unit = "";
  path.show = exp;
  path.eval = eval;
  path.weigh = weigh;
  MS_TRY(start(p, given, x));
  return ms_problem_run(p, &path, x, out);
}

/* A level whose amplitude nobody knows, as where joints alone dissipate: from a small amplitude up,
   along which the level follows, until it is the one wanted. */
static ms_status approach(ms_harmonic_problem *p, double level, double *x, double **state) {
  const ms_harmonic_tolerances *tol = &p->h->setting.tol;
  ms_harmonic_problem up = *p;
  ms_harmonic_curve *curve = NULL;
  const double w = p->h->modal.omega[p->h->master];
  const double unit = level * p->force / (2.0 * w * w) * w / p->response_scale; /* of zeta = 1 */
  ms_harmonic_range range = { .from = unit / tol->most_damped, .to = unit / tol->least_damped };
  up.by_response = 1;
  up.enough = level;
  ms_status status = follow(&up, &range, x, &curve);
  if (status == MS_CANCELLED && ms_harmonic_curve_get_info(curve).points > 0) {
    status = ms_allocate(p->h->ctx, ms_harmonic_save_size(curve), sizeof **state, state);
    if (status == MS_SUCCESS) {
      ms_harmonic_save(curve, ms_harmonic_curve_get_info(curve).points - 1, *state);
    }
  } else if (status == MS_SUCCESS) {
    status = ms_fail(p->h->ctx, MS_NOT_CONVERGED,
                     "level %g meets no phase resonance of mode %td with damping between %g and "
                     "%g%s%s",
                     level, p->h->master + 1, tol->least_damped, tol->most_damped,
                     curve->reason[0] ? ": " : "", curve->reason);
  }
  ms_harmonic_curve_destroy(&curve);
  return status;
}

static ms_status run(ms_harmonic_problem *p, const ms_harmonic_range *range, double *x,
                     ms_harmonic_curve **out) {
  ms_harmonic_range again = *range;
  double *state = NULL;
  ms_status status = follow(p, range, x, out);
  if (status != MS_NOT_CONVERGED || p->by_response || range->start || range->resume) return status;
  p->h->approaching = 1;
  status = approach(p, range->from, x, &state);
  p->h->approaching = 0;
  again.start = state;
  if (status == MS_SUCCESS) status = follow(p, &again, x, out);
  ms_free(p->h->ctx, &state);
  return status;
}

ms_status ms_harmonic_run_resonance(ms_harmonic *h, ptrdiff_t mode, const double *weights,
                                    ms_harmonic_along along, const ms_harmonic_range *range,
                                    ms_harmonic_curve **out) {
  ms_harmonic_problem p = { .h = h,
                            .place = place,
                            .finish = finish,
                            .by_response = along == MS_HARMONIC_RESPONSE,
                            .resume = range->resume,
                            .n_resume = range->n_resume };
  double *x;
  *out = NULL;
  MS_TRY(ms_problem_check_mode(h, mode));
  MS_TRY(ms_problem_check_range(h, range, p.by_response ? "response" : "level"));
  h->master = mode;
  h->apart = 0;
  h->X[h->n * h->P + AT_ZETA] = 0.0;
  MS_TRY(set_force(&p));
  MS_TRY(set_response(&p, weights));
  MS_TRY(ms_allocate(h->ctx, h->n * h->P + 5 + range->n_list, sizeof *x, &x));
  ms_status status = run(&p, range, x, out);
  ms_free(h->ctx, &x);
  return status;
}
