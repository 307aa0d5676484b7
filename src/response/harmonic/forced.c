/* Forced response along frequency. Unknowns: the joints' coefficients and the master's coordinate;
   the parameter is Omega. The master is the mode nearest to Omega and changes on the way. Along the
   level at one frequency its logarithm is the parameter. Where the amplitude A of a response Y is
   held, the level over a guess of it is an unknown more, before the parameter, and

     (|Y|^2/A - A)/2 = 0. */
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
  p->h->X[nP + AT_OMEGA] = x[nP + 2 + p->by_response];
  if (p->by_response) p->h->X[nP + AT_LEVEL] = p->level_unit * x[nP + 2];
}

/* Along the level, whose logarithm is the parameter then. */
static void place_level(ms_harmonic_problem *p, const double *x) {
  const ptrdiff_t nP = p->h->n * p->h->P;
  place_motion(p->h, x);
  p->h->X[nP + AT_LEVEL] = p->level_unit * exp(x[nP + 2]);
}

/* Of a response that is held, whose logarithm is the parameter then. */
static void place_response(ms_harmonic_problem *p, const double *x) {
  const ptrdiff_t nP = p->h->n * p->h->P;
  place_motion(p->h, x);
  p->h->X[nP + AT_LEVEL] = p->level_unit * x[nP + 2];
  p->response = p->response_unit * exp(x[nP + 3]);
}

/* All rows of a column of the core. */
static void fill_column(const ms_harmonic_problem *p, const double *column, double factor,
                        double *to) {
  const ptrdiff_t n = p->h->n * p->h->P + 2;
  const double *Y = p->h->R + n, *y = column + n;
  ms_problem_column(p->h, column, factor, to);
  if (p->by_response)
    to[n] = factor * p->response_scale * (Y[0] * y[0] + Y[1] * y[1]) / p->response;
}

static ms_status eval(void *self, const double *x, double *R, double *J, double *size) {
  ms_harmonic_problem *p = self;
  ms_harmonic *h = p->h;
  const int climbs = p->place == place_level, swells = p->place == place_response;
  const ptrdiff_t nP = h->n * h->P, n = nP + 2 + p->by_response, rows = nP + 4;
  const ptrdiff_t at = nP + (climbs ? AT_LEVEL : AT_OMEGA);
  p->place(p, x);
  MS_TRY(ms_problem_eval(p));
  ms_problem_column(h, h->R, 1.0, R);
  for (ptrdiff_t i = 0; i < nP + 2; i++) {
    fill_column(p, h->J + rows * i, 1.0 / ms_problem_scale(h, i), J + n * i);
  }
  if (p->by_response) {
    const double *Y = h->R + nP + 2, A = p->response;
    fill_column(p, h->J + rows * (nP + AT_LEVEL), p->level_unit, J + n * (nP + 2));
    R[n - 1] = 0.5 * p->response_scale * ((Y[0] * Y[0] + Y[1] * Y[1]) / A - A);
  }
  fill_column(p, h->J + rows * at, swells ? 0.0 : climbs ? h->X[at] : 1.0, J + n * n);
  if (swells) {
    const double *Y = h->R + nP + 2, A = p->response;
    J[n - 1 + n * n] = -0.5 * p->response_scale * ((Y[0] * Y[0] + Y[1] * Y[1]) / A + A);
  }
  *size = ms_problem_size(nP + 2, x);
  return MS_SUCCESS;
}

/* Relative change of the motion, and twice the part of the range. Along the level half of it, and a
   decade is 1. */
static void weigh(void *self, const double *x, double *w) {
  const ms_harmonic_problem *p = self;
  const int climbs = p->place != place;
  const ptrdiff_t n = p->h->n * p->h->P + 2;
  double size = ms_problem_size(n, x);
  for (ptrdiff_t i = 0; i < n; i++) w[i] = size > 0.0 ? (climbs ? 0.5 : 1.0) / size : 1.0;
  if (p->by_response) w[n] = 0.5 / (1.0 + fabs(x[n]));
  w[n + p->by_response] = climbs ? 1.0 / log(10.0) : 2.0 / p->range;
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
  ptrdiff_t master = ms_problem_nearest(h, x[h->n * h->P + 2 + p->by_response]);
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

/* q of the master with which the stuck structure's tracked response is near[0] - i near[1]; as it
   is where the master does not move it. */
static void guess_near(const ms_harmonic *h, const double *near, double level, double *q) {
  const ms_harmonic_gain *g = &h->gain[1];
  const double *e = g->e + 2 * h->n, *H = g->h + 2 * h->n, size = e[0] * e[0] + e[1] * e[1];
  const double y[2] = { near[0] - level * H[0], -near[1] - level * H[1] };
  double most = 0.0;
  for (ptrdiff_t r = 0; r < h->m; r++) most = fmax(most, fabs(h->gamma[r + h->m * h->n]));
  if (!(sqrt(size) > h->setting.tol.node * most)) return;
  q[0] = (y[0] * e[0] + y[1] * e[1]) / size;
  q[1] = -(y[1] * e[0] - y[0] * e[1]) / size;
}

/* The stuck structure's response: G d = 0; or its motion with the tracked response `near`. */
static ms_status guess(ms_harmonic *h, double Omega, const double *near) {
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
  if (near) guess_near(h, near, level, X + nP + AT_Q);
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
  const ptrdiff_t n = path->n - p->by_response;
  for (ptrdiff_t i = 0; i < n; i++) x[i] = p->h->X[i] * ms_problem_scale(p->h, i);
  double size = ms_problem_size(n, x);
  if (p->by_response) x[n] = p->h->X[n - 2 + AT_LEVEL] / p->level_unit;
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
    MS_TRY(guess(h, omega->from, h->tracks ? omega->near : NULL));
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
  MS_TRY(guess(h, Omega, NULL));
  h->X[nP + AT_OMEGA] = Omega;
  h->X[nP + AT_ZETA] = 0.0;
  return follow(&p, &path, x, out);
}

ms_status ms_harmonic_run_level(ms_harmonic *h, double omega, const ms_harmonic_range *level,
                                ms_harmonic_curve **out) {
  const ptrdiff_t nP = h->n * h->P;
  ms_harmonic_problem p = { .h = h, .place = place_level, .finish = finish };
  ms_harmonic_range range = { .from = 0.0, .to = log(level->to / level->from) };
  double *x;
  *out = NULL;
  MS_TRY(ms_problem_check_range(h, level, "level"));
  h->tracks = h->apart = 0;
  if (level->watch) ms_problem_track(h, level->watch);
  ms_path path = ms_problem_path(&p, nP + 2, &range);
  path.title = "forced response";
  path.what = "part of the level";
  path.unit = "";
  path.show = exp;
  path.eval = eval;
  path.weigh = weigh;
  p.level_unit = h->X[nP + AT_LEVEL] = level->from;
  MS_TRY(level->start ? ms_problem_restore(h, level->start)
                      : guess(h, omega, h->tracks ? level->near : NULL));
  h->X[nP + AT_OMEGA] = omega;
  h->X[nP + AT_LEVEL] = level->from;
  h->X[nP + AT_ZETA] = 0.0;
  MS_TRY(ms_allocate(h->ctx, nP + 3, sizeof *x, &x));
  ms_status status = follow(&p, &path, x, out);
  ms_free(h->ctx, &x);
  return status;
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

/* ---- with the response held ---- */

/* The stuck structure moves so under this level. */
static ms_status guess_held(ms_harmonic_problem *p, const ms_harmonic_range *omega) {
  ms_harmonic *h = p->h;
  const ptrdiff_t nP = h->n * h->P;
  const ms_harmonic_gain *g = &h->gain[1];
  double *X = h->X, Y[2];
  X[nP + AT_LEVEL] = 1.0;
  MS_TRY(guess(h, omega->from, NULL));
  const double *e = g->e + 2 * h->n, *H = g->h + 2 * h->n, *q = X + nP + AT_Q;
  Y[0] = H[0] + e[0] * q[0] + e[1] * q[1];
  Y[1] = H[1] + e[1] * q[0] - e[0] * q[1];
  p->level_unit = X[nP + AT_LEVEL] = p->response / hypot(Y[0], Y[1]);
  return guess(h, omega->from, omega->near);
}

static ms_status follow_held(ms_harmonic_problem *p, const ms_harmonic_range *range, double *x,
                             ms_harmonic_curve **out) {
  ms_harmonic *h = p->h;
  ms_path path = ms_problem_path(p, h->n * h->P + 3, range);
  path.title = "held response";
  path.what = p->place == place ? "omega" : "part of the response";
  path.unit = p->place == place ? "rad/s" : "";
  if (p->place != place) path.show = exp;
  path.eval = eval;
  path.weigh = weigh;
  if (p->place == place) path.rebase = rebase;
  h->X[h->n * h->P + AT_ZETA] = 0.0;
  return range->resume ? ms_problem_run(p, &path, NULL, out) : follow(p, &path, x, out);
}

/* At the first frequency from a small amplitude, where little slips, up to this one. */
static ms_status swell(const ms_harmonic_problem *held, const ms_harmonic_range *omega, double *x,
                       double **state) {
  ms_harmonic_problem p = *held;
  ms_harmonic_curve *curve = NULL;
  const ms_harmonic_range range = { .from = log(p.h->setting.tol.climb_from), .to = 0.0 };
  p.place = place_response;
  p.response_unit = held->response;
  p.response = held->response * p.h->setting.tol.climb_from;
  MS_TRY(guess_held(&p, &(ms_harmonic_range) { .from = omega->from }));
  p.h->X[p.h->n * p.h->P + AT_OMEGA] = omega->from;
  ms_status status = follow_held(&p, &range, x, &curve);
  return keep_end(p.h, status, &curve, state);
}

static ms_status run_held(ms_harmonic_problem *p, const ms_harmonic_range *omega, double *x,
                          ms_harmonic_curve **out) {
  ms_harmonic_range again = *omega;
  double *state = NULL;
  MS_TRY(omega->start ? ms_problem_restore(p->h, omega->start) : guess_held(p, omega));
  ms_status status = follow_held(p, omega, x, out);
  /* The same motion against the force is none of a controller's. */
  if (status == MS_SUCCESS && (*out)->point[0].level < 0.0) {
    status = MS_NOT_CONVERGED;
    ms_harmonic_curve_destroy(out);
  }
  if (status != MS_NOT_CONVERGED || omega->start || omega->resume) return status;
  p->h->approaching = 1;
  status = swell(p, omega, x, &state);
  p->h->approaching = 0;
  again.start = state;
  if (status == MS_SUCCESS && !state) {
    status = ms_fail(p->h->ctx, MS_NOT_CONVERGED,
                     "an amplitude of %g is not reached at omega = %g "
                     "rad/s",
                     p->response, omega->from);
  }
  if (status == MS_SUCCESS) status = ms_problem_restore(p->h, state);
  if (status == MS_SUCCESS) status = follow_held(p, &again, x, out);
  ms_free(p->h->ctx, &state);
  return status;
}

ms_status ms_harmonic_run_held(ms_harmonic *h, const ms_harmonic_range *omega, double amplitude,
                               ms_harmonic_curve **out) {
  const ptrdiff_t m = h->m;
  ms_harmonic_problem p = { .h = h,
                            .place = place,
                            .finish = finish,
                            .range = fabs(omega->to - omega->from),
                            .by_response = 1,
                            .response = amplitude,
                            .level_unit = 1.0,
                            .resume = omega->resume,
                            .n_resume = omega->n_resume };
  double most = 0.0, *x;
  *out = NULL;
  MS_NEED(h->ctx, omega->watch);
  MS_TRY(ms_problem_check_range(h, omega, "omega"));
  if (!(amplitude > 0.0 && amplitude < HUGE_VAL)) {
    return ms_fail(h->ctx, MS_ERR_BOUNDS, "the amplitude %g that is held must be > 0 and finite",
                   amplitude);
  }
  h->apart = 0;
  ms_problem_track(h, omega->watch);
  for (ptrdiff_t r = 0; r < m; r++) most = fmax(most, fabs(h->gamma[r + m * h->n]));
  if (p.range == 0.0) p.range = omega->from;
  p.response_scale = h->modal.omega[ms_problem_nearest(h, omega->from)] / most;
  MS_TRY(ms_allocate(h->ctx, h->n * h->P + 4, sizeof *x, &x));
  ms_status status = run_held(&p, omega, x, out);
  ms_free(h->ctx, &x);
  return status;
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
  h->approaching = 1;
  ms_status status = approach(h, omega, level, x, &state);
  h->approaching = 0;
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
  const int given = omega->start || omega->near || omega->resume;
  if (status == MS_NOT_CONVERGED && !given && !hopeless) {
    status = h->repeat > h->setting.tol.unsettled ? refuse_memory(h)
                                                  : run_again(h, omega, level, x, out);
  }
  ms_free(h->ctx, &x);
  return status;
}
