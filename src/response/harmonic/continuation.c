/* Pseudo-arc-length continuation: predictor along the tangent t, corrector by Newton's method in
   the plane across it,

     R(x) = 0,   sum w^2 t (x - x_predicted) = 0,

   step control by the number of iterations and the turn of the tangent. Near a corner of the curve,
   where a slider begins to slip, the turn cannot be made small by small steps: below a length of
   TURN_STEP it is not asked for. */
#include "response/harmonic/continuation.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/dense.h"

#define TURN_COSINE 0.7
#define TURN_STEP   1e-2
#define NEAR        2e-2  /* moves that are no jump to another branch, however short the step */
#define BACK_COSINE -0.9  /* of a way that is the curve backwards */
#define BESIDE      0.3   /* of a step: how far off its straight line the curve may be */
#define SAME_COSINE 0.9   /* of directions, and */
#define SAME_POINT  1e-6  /* length between points, where a curve comes back to itself */
#define UNBOUNDED   1e12  /* times the size of the first point */
#define SAME        1e-12 /* parameters that count as one, relative */
enum { SMALL = 150 };     /* systems that LAPACK's threads would wait for each other over */
enum { EASY = 4, HARD = 7, MAX_HALVINGS = 5 };

/* ---- life ---- */

ms_status ms_path_open(ms_path *p) {
  const ptrdiff_t n = p->n + 1;
  double **vector[] = { &p->x_seen, &p->t_seen, &p->x_last, &p->x, &p->t, &p->w,   &p->x_next,
                        &p->x_try,  &p->t_next, &p->t_old,  &p->R, &p->b, &p->best };
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    MS_TRY(ms_allocate(p->ctx, n, sizeof(double), vector[i]));
  }
  MS_TRY(ms_allocate(p->ctx, n * n, sizeof *p->J, &p->J));
  MS_TRY(ms_allocate(p->ctx, n * n, sizeof *p->A, &p->A));
  MS_TRY(ms_allocate(p->ctx, n, sizeof *p->pivot, &p->pivot));
  return ms_allocate(p->ctx, p->n_list, sizeof *p->order, &p->order);
}

void ms_path_close(ms_path *p) {
  double **part[] = { &p->x_seen, &p->t_seen, &p->x_last, &p->x,      &p->t,
                      &p->w,      &p->x_next, &p->x_try,  &p->t_next, &p->t_old,
                      &p->R,      &p->b,      &p->J,      &p->A,      &p->best };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) ms_free(p->ctx, part[i]);
  ms_free(p->ctx, &p->pivot);
  ms_free(p->ctx, &p->order);
}

/* ---- linear algebra ---- */

/* Without squares that could vanish. */
static double norm(ptrdiff_t n, const double *x) {
  return cblas_dnrm2((int)n, x, 1);
}

/* Products of weight and unknown are of the order of a step, however small the motion is. */
static double dot(const ms_path *p, const double *a, const double *b) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i <= p->n; i++) sum += (p->w[i] * a[i]) * (p->w[i] * b[i]);
  return sum;
}

static double length(const ms_path *p, const double *x) {
  return sqrt(dot(p, x, x));
}

/* Of unknown j; one without a weight stays as it is. */
static double unit_of(const ms_path *p, ptrdiff_t j) {
  return p->w[j] > 0.0 ? 1.0 / p->w[j] : 1.0;
}

/* Largest entry of J in the weighted unknowns. */
static double largest(const ms_path *p) {
  double most = 0.0;
  for (ptrdiff_t j = 0; j <= p->n; j++) {
    for (ptrdiff_t i = 0; i < p->n; i++)
      most = fmax(most, fabs(p->J[i + p->n * j]) * unit_of(p, j));
  }
  return most > 0.0 && isfinite(most) ? most : 1.0;
}

/* b := (J; row)^-1 b; row NULL: that of the parameter. In the weighted unknowns, J over its largest
   entry: pivots are then chosen alike whatever the size of the motion. */
static ms_status solve(ms_path *p, const double *row, double *b) {
  const ptrdiff_t n = p->n, N = n + 1;
  const double unit = largest(p);
  for (ptrdiff_t j = 0; j < N; j++) {
    for (ptrdiff_t i = 0; i < n; i++) p->A[i + N * j] = p->J[i + n * j] * unit_of(p, j) / unit;
    p->A[n + N * j] = row ? p->w[j] * row[j] : j == n ? 1.0 : 0.0;
  }
  for (ptrdiff_t i = 0; i < n; i++) b[i] /= unit;
  if (!row) b[n] /= unit_of(p, n);
  int singular = N <= SMALL ? ms_dense_solve(N, p->A, b)
                            : LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)N, 1, p->A, (lapack_int)N,
                                            p->pivot, b, (lapack_int)N) != 0;
  if (singular) return ms_fail(p->ctx, MS_NOT_CONVERGED, "the Jacobian is singular");
  for (ptrdiff_t j = 0; j < N; j++) b[j] *= unit_of(p, j);
  return MS_SUCCESS;
}

/* ---- Newton ---- */

static int out_of_reach(ms_status status) {
  return status > 0 || status == MS_ERR_NUMERIC;
}

/* R and J at x; the error is R's size, HUGE_VAL where x is out of reach. */
static ms_status measure(ms_path *p, const double *x, double *error) {
  double size = 0.0;
  ms_status status = p->eval(p->self, x, p->R, p->J, &size);
  *error = HUGE_VAL;
  if (status == MS_CANCELLED) return status;
  p->unreached = out_of_reach(status);
  if (p->unreached) return MS_SUCCESS;
  MS_TRY(status);
  double r = norm(p->n, p->R);
  if (isfinite(r)) *error = r > 0.0 ? r / size : 0.0;
  return MS_SUCCESS;
}

/* From p->x_next to the curve, in the plane across `row` through there (NULL: at this parameter).
   R and J are those of the result. */
static ms_status correct(ms_path *p, const double *row, int *iterations, double *error) {
  const ptrdiff_t N = p->n + 1;
  double before = HUGE_VAL, part = 1.0;
  int halvings = 0;
  memcpy(p->x_try, p->x_next, (size_t)N * sizeof *p->x);
  for (*iterations = 1; *iterations <= p->newton_max; ++*iterations) {
    MS_TRY(measure(p, p->x_next, error));
    if (*error <= p->tolerance) return MS_SUCCESS;
    if (isfinite(before) && *error >= before &&
        halvings < MAX_HALVINGS) { /* shorter along the same direction */
      halvings++;
      part *= 0.5;
      for (ptrdiff_t i = 0; i < N; i++) p->x_next[i] += part * p->best[i];
      continue;
    }
    if (*error == HUGE_VAL) break;
    before = *error;
    part = 1.0;
    halvings = 0;
    memcpy(p->best, p->R, (size_t)p->n * sizeof *p->R);
    p->best[p->n] = 0.0;
    for (ptrdiff_t i = 0; row && i < N; i++) {
      p->best[p->n] += (p->w[i] * row[i]) * (p->w[i] * (p->x_next[i] - p->x_try[i]));
    }
    if (solve(p, row, p->best) != MS_SUCCESS) break;
    for (ptrdiff_t i = 0; i < N; i++) p->x_next[i] -= p->best[i];
  }
  if (p->unreached) return MS_NOT_CONVERGED; /* with the message of eval */
  return ms_fail(p->ctx, MS_NOT_CONVERGED, "no solution in %d iterations (residual %.2g)",
                 p->newton_max, *error);
}

/* ---- the list ---- */

typedef struct ranked {
  double value;
  ptrdiff_t index;
} ranked;

static int compare(const void *a, const void *b) {
  double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
  return (x > y) - (x < y);
}

/* order: the list rising. */
static ms_status sort_list(ms_path *p) {
  ranked *sorted;
  MS_TRY(ms_allocate(p->ctx, p->n_list, sizeof *sorted, &sorted));
  for (ptrdiff_t i = 0; i < p->n_list; i++) sorted[i] = (ranked) { p->list[i], i };
  if (p->n_list > 1) qsort(sorted, (size_t)p->n_list, sizeof *sorted, compare);
  for (ptrdiff_t i = 0; i < p->n_list; i++) p->order[i] = sorted[i].index;
  ms_free(p->ctx, &sorted);
  return MS_SUCCESS;
}

static int same(double a, double b) {
  return fabs(a - b) <= SAME * (fabs(a) + fabs(b));
}

/* 1 + index of the value in the list, 0 if it is not there. */
static ptrdiff_t find_listed(const ms_path *p, double value) {
  for (ptrdiff_t i = 0; i < p->n_list; i++) {
    if (same(p->list[i], value)) return i + 1;
  }
  return 0;
}

static ms_status record(ms_path *p, const double *x, double residual, int iterations,
                        ptrdiff_t listed) {
  ms_path_point point = { x, residual, iterations, listed };
  double way = p->to - p->from, part = way != 0.0 ? (x[p->n] - p->from) / way : 1.0;
  p->points++;
  MS_TRY(p->record(p->self, &point));
  return ms_progress(p->ctx, p->title, fmin(fmax(part, 0.0), 1.0));
}

/* x_next := the curve at `value`, between the last point x and the one just found, b. */
static ms_status land(ms_path *p, double value, int *iterations, double *error) {
  const ptrdiff_t n = p->n;
  double part = (value - p->x[n]) / (p->b[n] - p->x[n]);
  for (ptrdiff_t i = 0; i <= n; i++) p->x_next[i] = p->x[i] + part * (p->b[i] - p->x[i]);
  p->x_next[n] = value;
  return correct(p, NULL, iterations, error);
}

/* Every value of the list between the last point and the new one, p->b, in the order passed. */
static ms_status land_between(ms_path *p, double end) {
  const double from = p->x[p->n], way = end - from;
  double error;
  int iterations;
  for (ptrdiff_t k = 0; k < p->n_list; k++) {
    ptrdiff_t i = p->order[way > 0.0 ? k : p->n_list - 1 - k];
    double value = p->list[i];
    if (same(value, from) || same(value, end)) continue;
    if ((value - from) * way <= 0.0 || (value - end) * way >= 0.0) continue;
    ms_status status = land(p, value, &iterations, &error);
    if (status == MS_SUCCESS) status = record(p, p->x_next, error, iterations, i + 1);
    if (status == MS_NOT_CONVERGED) p->missed++;
    if (status != MS_SUCCESS && status != MS_NOT_CONVERGED) return status;
  }
  return MS_SUCCESS;
}

/* ---- steps ---- */

static double shown(const ms_path *p, double parameter) {
  return p->show ? p->show(parameter) : parameter;
}

static void normalise(const ms_path *p, double *t) {
  double size = length(p, t);
  for (ptrdiff_t i = 0; i <= p->n; i++) t[i] /= size;
}

/* The first direction: towards `to`. */
static ms_status first_tangent(ms_path *p) {
  memset(p->t, 0, (size_t)(p->n + 1) * sizeof *p->t);
  p->t[p->n] = p->to > p->from ? 1.0 : -1.0;
  MS_TRY(solve(p, NULL, p->t));
  p->weigh(p->self, p->x, p->w);
  normalise(p, p->t);
  return MS_SUCCESS;
}

/* t_next at the new point from its J; returns the cosine to t. */
static double next_tangent(ms_path *p) {
  memset(p->t_next, 0, (size_t)(p->n + 1) * sizeof *p->t);
  p->t_next[p->n] = 1.0;
  if (solve(p, p->t, p->t_next) != MS_SUCCESS) {
    memcpy(p->t_next, p->t, (size_t)(p->n + 1) * sizeof *p->t);
    return 1.0;
  }
  double size = length(p, p->t_next);
  normalise(p, p->t_next);
  return 1.0 / size;
}

static ms_status refuse(ms_path *p, ms_path_fault fault, double error) {
  if (fault > p->fault) p->fault = fault;
  if (fault == MS_PATH_UNSOLVED || fault == MS_PATH_END) p->fault_error = error;
  return MS_STEP_REJECTED;
}

/* One attempt of length ds: x_next, t_next. MS_STEP_REJECTED: take a shorter one. */
static ms_status attempt(ms_path *p, double ds, int *iterations, double *error) {
  for (ptrdiff_t i = 0; i <= p->n; i++) p->x_next[i] = p->x[i] + ds * p->t[i];
  ms_status status = correct(p, p->t, iterations, error);
  if (status == MS_NOT_CONVERGED) return refuse(p, MS_PATH_UNSOLVED, *error);
  MS_TRY(status);
  for (ptrdiff_t i = 0; i <= p->n; i++) p->b[i] = p->x_next[i] - p->x[i];
  if (length(p, p->b) > fmax(1.5 * ds, NEAR)) return refuse(p, MS_PATH_JUMP, *error);
  double cosine = next_tangent(p);
  return cosine < TURN_COSINE && ds > TURN_STEP ? MS_STEP_REJECTED : MS_SUCCESS;
}

/* p->t := the tangent beyond the corner that lies ahead within `ahead`, where J is another. */
static ms_status tangent_beyond(ms_path *p, double ahead) {
  double error;
  for (ptrdiff_t i = 0; i <= p->n; i++) p->x_next[i] = p->x[i] + ahead * p->t[i];
  MS_TRY(measure(p, p->x_next, &error));
  if (error == HUGE_VAL) return MS_STEP_REJECTED;
  next_tangent(p);
  memcpy(p->t, p->t_next, (size_t)(p->n + 1) * sizeof *p->t);
  return MS_SUCCESS;
}

/* Cosine between the way from x to x_next and the direction t. */
static double way_cosine(ms_path *p, const double *t) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i <= p->n; i++) {
    p->b[i] = p->x_next[i] - p->x[i];
    sum += (p->w[i] * p->b[i]) * (p->w[i] * t[i]);
  }
  return sum / length(p, p->b);
}

/* Round a corner so sharp that the curve goes on backwards across t: both directions of the tangent
   beyond it are tried, and what comes back along the curve is not taken. */
static ms_status turn_corner(ms_path *p, double ahead, int *iterations, double *error) {
  ms_status status = MS_STEP_REJECTED;
  memcpy(p->t_old, p->t, (size_t)(p->n + 1) * sizeof *p->t);
  for (int k = 0; k < 2 && status == MS_STEP_REJECTED; k++) {
    memcpy(p->t, p->t_old, (size_t)(p->n + 1) * sizeof *p->t);
    status = tangent_beyond(p, ahead);
    for (ptrdiff_t i = 0; k > 0 && i <= p->n; i++) p->t[i] = -p->t[i];
    if (status == MS_SUCCESS) status = attempt(p, ahead, iterations, error);
    if (status == MS_SUCCESS && way_cosine(p, p->t_old) < BACK_COSINE) status = MS_STEP_REJECTED;
  }
  double sign = status == MS_SUCCESS && way_cosine(p, p->t_next) < 0.0 ? -1.0 : 1.0;
  for (ptrdiff_t i = 0; i <= p->n; i++) p->t_next[i] *= sign; /* on, not back */
  if (status == MS_STEP_REJECTED) memcpy(p->t, p->t_old, (size_t)(p->n + 1) * sizeof *p->t);
  return status;
}

static ms_status turn_corners(ms_path *p, int *iterations, double *error) {
  ms_status status = MS_STEP_REJECTED;
  double ahead = fmax(1e-5, p->step_min);
  for (; ahead < 2e-3 && status == MS_STEP_REJECTED; ahead *= 10.0) {
    status = turn_corner(p, ahead, iterations, error);
  }
  return status;
}

static ms_status give_up(ms_path *p, const char *why) {
  snprintf(p->reason, sizeof p->reason, "stopped at %s = %.9g%s%s: %s", p->what,
           shown(p, p->x[p->n]), p->unit[0] ? " " : "", p->unit, why);
  return MS_SUCCESS;
}

static void move_to(ms_path *p, const double *x, double *y) {
  memcpy(y, x, (size_t)(p->n + 1) * sizeof *x);
}

/* Coordinates, weights and direction for the step that begins at x. */
static ms_status look_round(ms_path *p) {
  int changed = 0;
  double error;
  if (p->rebase) MS_TRY(p->rebase(p->self, p->x, p->t, &changed));
  p->weigh(p->self, p->x, p->w);
  if (changed) {
    MS_TRY(measure(p, p->x, &error));
    next_tangent(p);
    move_to(p, p->t_next, p->t);
    p->base = changed;
    move_to(p, p->x, p->x_last); /* which has the old coordinates */
  }
  normalise(p, p->t);
  return MS_SUCCESS;
}

/* ---- closed curves ---- */

/* This point is looked out for from now on. It is taken anew after 32, 64, 128, ... steps, so that
   a closed curve is found after two rounds. */
static void remember(ms_path *p) {
  move_to(p, p->x, p->x_seen);
  move_to(p, p->t, p->t_seen);
  p->seen_at = p->steps > 16 ? p->steps : 16;
  p->seen_base = p->base;
  p->away = 0.0;
}

/* Whether the last step, d long, went by x_seen in its direction, having been elsewhere. p->b :=
   from x_seen to where it did, as far as the step is straight. */
static int passes_seen(ms_path *p) {
  for (ptrdiff_t i = 0; i <= p->n; i++) {
    p->t_old[i] = p->x[i] - p->x_last[i];
    p->b[i] = p->x[i] - p->x_seen[i];
  }
  const double d = length(p, p->t_old), part = d > 0.0 ? dot(p, p->b, p->t_old) / (d * d) : 0.0;
  const double away = p->away;
  p->away = fmax(away, length(p, p->b));
  for (ptrdiff_t i = 0; i <= p->n; i++) p->b[i] -= part * p->t_old[i];
  return part > -BESIDE && part < 1.0 + BESIDE && length(p, p->b) < BESIDE * d && away > 3.0 * d &&
         dot(p, p->t, p->t_seen) > SAME_COSINE * length(p, p->t_seen);
}

/* Whether the last step passed x_seen: the curve is met again in the plane across t_seen there, and
   it is the same point. What only comes near, as the next turn of a spiral does, is another one. */
static ms_status is_closed(ms_path *p, int *closed) {
  double error;
  int iterations;
  *closed = 0;
  if (p->steps >= 2 * p->seen_at) {
    remember(p);
    return MS_SUCCESS;
  }
  if (p->base != p->seen_base || !passes_seen(p)) return MS_SUCCESS;
  const double part = dot(p, p->b, p->t_seen) / dot(p, p->t_seen, p->t_seen);
  for (ptrdiff_t i = 0; i <= p->n; i++) {
    p->x_next[i] = p->x_seen[i] + p->b[i] - part * p->t_seen[i];
  }
  ms_status status = correct(p, p->t_seen, &iterations, &error);
  if (status == MS_NOT_CONVERGED) return MS_SUCCESS;
  MS_TRY(status);
  for (ptrdiff_t i = 0; i <= p->n; i++) p->b[i] = p->x_next[i] - p->x_seen[i];
  *closed = length(p, p->b) < SAME_POINT;
  return MS_SUCCESS;
}

/* The new point b becomes the last one. */
static ms_status settle(ms_path *p, int *done) {
  int closed = 0;
  move_to(p, p->x, p->x_last);
  move_to(p, p->b, p->x);
  move_to(p, p->t_next, p->t);
  MS_TRY(look_round(p));
  if (norm(p->n, p->x) > UNBOUNDED * p->first_size) {
    *done = 1;
    return give_up(p, "the motion grows without bound");
  }
  MS_TRY(is_closed(p, &closed));
  if (closed) {
    *done = 1;
    return give_up(p, "the curve is closed: it came back to where it had been");
  }
  if ((p->x[p->n] - p->from) * (p->to - p->from) >= 0.0) return MS_SUCCESS;
  *done = 1;
  return give_up(p, "the curve turned back and left its range where it began");
}

/* Goes to the new point in x_next, by the values of the list between; *done when it was the last.
   MS_STEP_REJECTED, with nothing changed, if the end of the range cannot be met from here. */
static ms_status advance(ms_path *p, int iterations, double error, int *done) {
  const int over = (p->x_next[p->n] - p->to) * (p->to - p->from) >= 0.0;
  move_to(p, p->x_next, p->b);
  if (over) {
    ms_status status = land(p, p->to, &iterations, &error);
    if (status == MS_NOT_CONVERGED) return refuse(p, MS_PATH_END, error);
    MS_TRY(status);
    move_to(p, p->x_next, p->b);
  }
  MS_TRY(land_between(p, p->b[p->n]));
  MS_TRY(record(p, p->b, error, iterations, find_listed(p, p->b[p->n])));
  if (!over) return settle(p, done);
  *done = p->complete = 1;
  return MS_SUCCESS;
}

static double next_step(const ms_path *p, double ds, int iterations) {
  if (iterations <= EASY) ds *= 1.6;
  if (iterations >= HARD) ds *= 0.6;
  return fmin(ds, p->step_max);
}

/* Why no step, however short, and no corner leads on: by the shortest step and the corners. */
static ms_status explain(ms_path *p) {
  char why[160];
  if (p->fault == MS_PATH_JUMP) {
    return give_up(p, "what lies next is on another branch: the forces jump here");
  }
  if (p->fault == MS_PATH_BACK) {
    return give_up(p, "the curve ends: what lies next leads back along it");
  }
  if (!isfinite(p->fault_error)) return give_up(p, "beyond, nothing can be computed");
  if (p->fault == MS_PATH_END) {
    snprintf(why, sizeof why, "the end of the range is not met (residual %.2g)", p->fault_error);
  } else {
    snprintf(why, sizeof why, "steps below %g do not converge (residual %.2g)", p->step_min,
             p->fault_error);
  }
  return give_up(p, why);
}

static ms_status follow(ms_path *p) {
  double ds = p->step, error;
  int iterations, done = 0;
  while (!done) {
    if (p->points >= p->points_max) return give_up(p, "as many points as a curve may have");
    if (ds >= p->step_min) p->fault = MS_PATH_BACK; /* of the shortest step and of corners */
    ms_status status = ds >= p->step_min ? attempt(p, ds, &iterations, &error)
                                         : turn_corners(p, &iterations, &error);
    if (status == MS_SUCCESS) {
      p->steps++;
      status = advance(p, iterations, error, &done);
      if (status == MS_SUCCESS) ds = next_step(p, fmax(ds, p->step_min), iterations);
    }
    if (status == MS_SUCCESS) continue;
    if (status == MS_CANCELLED) give_up(p, "cancelled");
    if (status != MS_STEP_REJECTED) return status;
    p->rejected++;
    int tried_all = ds < p->step_min;
    ds *= 0.5;
    if (!tried_all) continue;
    return explain(p);
  }
  return MS_SUCCESS;
}

ms_status ms_path_run(ms_path *p, const double *x) {
  double error = 0.0;
  int iterations;
  MS_TRY(sort_list(p));
  memcpy(p->x_next, x, (size_t)(p->n + 1) * sizeof *x);
  p->x_next[p->n] = p->from;
  p->weigh(p->self, p->x_next, p->w);
  ms_status status = correct(p, NULL, &iterations, &error);
  if (status != MS_SUCCESS) {
    return ms_fail_at(p->ctx, status, "first point, %s = %.9g%s%s", p->what, shown(p, p->from),
                      p->unit[0] ? " " : "", p->unit);
  }
  memcpy(p->x, p->x_next, (size_t)(p->n + 1) * sizeof *p->x);
  p->first_size = norm(p->n, p->x);
  MS_TRY(first_tangent(p));
  MS_TRY(record(p, p->x, error, iterations, find_listed(p, p->from)));
  if (same(p->from, p->to)) {
    p->complete = 1;
    return MS_SUCCESS;
  }
  MS_TRY(look_round(p));
  return follow(p);
}
