/* Forced response along frequency. Unknowns: the joints' coefficients and the master's coordinate;
   the parameter is Omega. The master is the mode nearest to Omega and changes on the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "response/harmonic/impl.h"

static const double least_size = 1e-140; /* root of an energy whose square is still a number */

static void place_motion(ms_harmonic *h, const double *x) {
  for (ptrdiff_t i = 0; i < h->n * h->P + 2; i++) h->X[i] = x[i] / ms_problem_scale(h, i);
}

static void place(ms_harmonic_problem *p, const double *x) {
  const ptrdiff_t nP = p->h->n * p->h->P;
  place_motion(p->h, x);
  p->h->X[nP + AT_OMEGA] = x[nP + 2];
}

/* For the first point along the level, whose logarithm is the parameter then. */
static void place_level(ms_harmonic_problem *p, const double *x) {
  const ptrdiff_t nP = p->h->n * p->h->P;
  place_motion(p->h, x);
  p->h->X[nP + AT_LEVEL] = p->level_unit * exp(x[nP + 2]);
}

static ms_status eval(void *self, const double *x, double *R, double *J, double *size) {
  ms_harmonic_problem *p = self;
  ms_harmonic *h = p->h;
  const int climbs = p->place == place_level;
  const ptrdiff_t nP = h->n * h->P, n = nP + 2, rows = nP + 4;
  const ptrdiff_t at = nP + (climbs ? AT_LEVEL : AT_OMEGA);
  p->place(p, x);
  MS_TRY(ms_problem_eval(p));
  ms_problem_column(h, h->R, 1.0, R);
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_problem_column(h, h->J + rows * i, 1.0 / ms_problem_scale(h, i), J + n * i);
  }
  ms_problem_column(h, h->J + rows * at, climbs ? h->X[at] : 1.0, J + n * n);
  *size = ms_problem_size(n, x);
  return MS_SUCCESS;
}

/* Relative change of the motion, and twice the part of the range. Along the level half of it, and a
   decade is 1. */
static void weigh(void *self, const double *x, double *w) {
  const ms_harmonic_problem *p = self;
  const int climbs = p->place == place_level;
  const ptrdiff_t n = p->h->n * p->h->P + 2;
  double size = ms_problem_size(n, x);
  for (ptrdiff_t i = 0; i < n; i++) w[i] = size > 0.0 ? (climbs ? 0.5 : 1.0) / size : 1.0;
  w[n] = climbs ? 1.0 / log(10.0) : 2.0 / p->range;
}

/* Amplitude of the watched displacement, first harmonic, and its change along t. */
static void watch(void *self, const double *t, double *value, double *slope) {
  const ms_harmonic_problem *p = self;
  const ms_harmonic *h = p->h;
  const ptrdiff_t n = h->n * h->P + 2, rows = n + 2;
  const double *Y = h->R + n, *by_omega = h->J + rows * n + n;
  double change[2] = { by_omega[0] * t[n], by_omega[1] * t[n] };
  for (ptrdiff_t i = 0; i < n; i++) {
    const double *column = h->J + rows * i + n, way = t[i] / ms_problem_scale(h, i);
    for (int c = 0; c < 2; c++) change[c] += column[c] * way;
  }
  *value = hypot(Y[0], Y[1]);
  *slope = *value > 0.0 ? Y[0] / *value * change[0] + Y[1] / *value * change[1] : 0.0;
}

static void finish(ms_harmonic_problem *p, ms_harmonic_point *point) {
  const double *Y = p->h->R + p->h->n * p->h->P + 2;
  if (p->h->tracks) point->response = hypot(Y[0], Y[1]);
}

static ms_status rebase(void *self, double *x, double *t, int *changed) {
  ms_harmonic_problem *p = self;
  ms_harmonic *h = p->h;
  ptrdiff_t master = ms_problem_nearest(h, x[h->n * h->P + 2]);
  if (master == h->master) return MS_SUCCESS;
  *changed = 1 + (int)master;
  place(p, x);
  h->X_done[h->n * h->P + AT_OMEGA] = 0.0;
  /* The same motion with another mode's coordinate as an unknown. */
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

/* ---- runs ---- */

/* From the motion in h->X. */
static ms_status follow(ms_harmonic_problem *p, ms_path *path, double *x, ms_harmonic_curve **out) {
  for (ptrdiff_t i = 0; i < path->n; i++) x[i] = p->h->X[i] * ms_problem_scale(p->h, i);
  double size = ms_problem_size(path->n, x);
  if (size > 0.0 && size < least_size) {
    return ms_fail(p->h->ctx, MS_NOT_CONVERGED,
                   "level %g moves the structure so little that its energy is below the smallest "
                   "number; give larger ones or other units",
                   p->h->X[p->h->n * p->h->P + AT_LEVEL]);
  }
  return ms_problem_run(p, path, x, out);
}

static ms_status run(ms_harmonic *h, const ms_harmonic_range *omega, double level, double *x,
                     ms_harmonic_curve **out) {
  const ptrdiff_t nP = h->n * h->P;
  ms_harmonic_problem p = { .h = h,
                            .place = place,
                            .finish = finish,
                            .range = fabs(omega->to - omega->from),
                            .resume = omega->resume,
                            .n_resume = omega->n_resume };
  ms_path path = ms_problem_path(&p, nP + 2, omega);
  path.title = "forced response";
  path.what = "omega";
  path.unit = "rad/s";
  path.eval = eval;
  path.weigh = weigh;
  path.rebase = rebase;
  if (h->tracks) path.watch = watch;
  if (p.range == 0.0) p.range = omega->from;
  h->X[nP + AT_LEVEL] = level;
  if (omega->start) {
    MS_TRY(ms_problem_restore(h, omega->start));
  } else if (!omega->resume) {
    MS_TRY(guess(h, omega->from));
  }
  h->X[nP + AT_LEVEL] = level;
  h->X[nP + AT_ZETA] = 0.0;
  if (omega->resume) return ms_problem_run(&p, &path, NULL, out);
  return follow(&p, &path, x, out);
}

/* At the frequency Omega from a small level, where little slips and most gaps are as they were, up
   to this one. */
static ms_status climb(ms_harmonic *h, double Omega, double level, double *x,
                       ms_harmonic_curve **out) {
  const ptrdiff_t nP = h->n * h->P;
  ms_harmonic_problem p = { .h = h, .place = place_level, .level_unit = level };
  ms_harmonic_range range = { .from = log(h->setting.tol.climb_from), .to = 0.0 };
  ms_path path = ms_problem_path(&p, nP + 2, &range);
  path.title = "forced response";
  path.what = "part of the level";
  path.unit = "";
  path.show = exp;
  path.eval = eval;
  path.weigh = weigh;
  h->X[nP + AT_LEVEL] = level * h->setting.tol.climb_from;
  MS_TRY(guess(h, Omega));
  h->X[nP + AT_OMEGA] = Omega;
  h->X[nP + AT_ZETA] = 0.0;
  return follow(&p, &path, x, out);
}

/* The last point of a curve that came to its end; NULL of one that did not, which is no failure. */
static ms_status keep_end(ms_harmonic *h, ms_status status, ms_harmonic_curve **curve,
                          double **state) {
  if (status == MS_SUCCESS && (*curve)->info.complete) {
    status = ms_allocate(h->ctx, ms_harmonic_save_size(*curve), sizeof **state, state);
    if (status == MS_SUCCESS) ms_harmonic_save(*curve, (*curve)->count - 1, *state);
  }
  ms_harmonic_curve_destroy(curve);
  return status == MS_NOT_CONVERGED ? MS_SUCCESS : status;
}

/* Where Newton's method does not find the first point from the stuck structure's response: along
   the level, else along frequency from outside the range. */
static ms_status approach(ms_harmonic *h, const ms_harmonic_range *omega, double level, double *x,
                          double **state) {
  static const double outside[] = { 0.8, 0.5, 0.25 };
  ms_harmonic_curve *curve = NULL;
  ms_status status = climb(h, omega->from, level, x, &curve);
  MS_TRY(keep_end(h, status, &curve, state));
  for (size_t i = 0; !*state && i < sizeof outside / sizeof *outside; i++) {
    double part = omega->to >= omega->from ? outside[i] : 1.0 / outside[i];
    ms_harmonic_range way = { .from = part * omega->from, .to = omega->from };
    status = run(h, &way, level, x, &curve);
    MS_TRY(keep_end(h, status, &curve, state));
  }
  return MS_SUCCESS;
}

/* A joint whose forces still change from period to period has no balance to be found, and every
   evaluation marches repeat_max periods. */
static ms_status refuse_memory(ms_harmonic *h) {
  char why[200];
  snprintf(why, sizeof why, "%.150s", ms_context_message(h->ctx));
  return ms_fail(h->ctx, MS_NOT_CONVERGED,
                 "%s; the forces of a joint still change by %.2g of their size after %d periods: "
                 "its memory is too long for harmonic balance",
                 why, h->repeat, h->setting.repeat_max);
}

/* With the message of the first attempt where none succeeds. */
static ms_status run_again(ms_harmonic *h, const ms_harmonic_range *omega, double level, double *x,
                           ms_harmonic_curve **out) {
  ms_harmonic_range again = *omega;
  double *state = NULL;
  char why[240];
  snprintf(why, sizeof why, "%.200s", ms_context_message(h->ctx));
  h->aside = 1;
  ms_status status = approach(h, omega, level, x, &state);
  h->aside = 0;
  again.start = state;
  if (status == MS_SUCCESS && !state) {
    status = ms_fail(h->ctx, MS_NOT_CONVERGED,
                     "%s; nor is it met along the level or from outside the range", why);
  } else if (status == MS_SUCCESS) {
    status = run(h, &again, level, x, out);
  }
  ms_free(h->ctx, &state);
  return status;
}

ms_status ms_harmonic_run_forced(ms_harmonic *h, const ms_harmonic_range *omega, double level,
                                 ms_harmonic_curve **out) {
  double *x;
  *out = NULL;
  MS_TRY(ms_problem_check_range(h, omega, "omega"));
  if (!isfinite(level)) return ms_fail(h->ctx, MS_ERR_NUMERIC, "the level is not finite");
  h->tracks = 0;
  h->apart = 0;
  if (omega->watch) ms_problem_track(h, omega->watch);
  MS_TRY(ms_allocate(h->ctx, h->n * h->P + 3, sizeof *x, &x));
  ms_status status = run(h, omega, level, x, out);
  const int hopeless = ms_problem_size(h->n * h->P + 2, x) < least_size;
  if (status == MS_NOT_CONVERGED && !omega->start && !omega->resume && !hopeless) {
    status = h->repeat > h->setting.tol.unsettled ? refuse_memory(h)
                                                  : run_again(h, omega, level, x, out);
  }
  ms_free(h->ctx, &x);
  return status;
}
