/* Pseudo-arc-length continuation: predictor along the tangent t, corrector by Newton's method in
   the plane across it,

     R(x) = 0,   sum w^2 t (x - x_predicted) = 0,

   step control by the number of iterations and the turn of the tangent. path.h names the parts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "response/harmonic/path.h"

enum { EASY = 4, HARD = 7 };

/* ---- life ---- */

ms_status ms_path_open(ms_path *p) {
  static const ms_harmonic_tolerances standard = MS_HARMONIC_TOLERANCES_DEFAULT;
  const ptrdiff_t n = p->n + 1;
  double **vector[] = { &p->x_seen, &p->t_seen, &p->x_last, &p->x,     &p->t,     &p->w,
                        &p->x_next, &p->x_try,  &p->t_next, &p->t_old, &p->R,     &p->b,
                        &p->best,   &p->right,  &p->x_keep, &p->chord, &p->across };
  if (!p->tol) p->tol = &standard;
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    MS_TRY(ms_allocate(p->ctx, n, sizeof(double), vector[i]));
  }
  MS_TRY(ms_allocate(p->ctx, n * n, sizeof *p->J, &p->J));
  MS_TRY(ms_allocate(p->ctx, n * n, sizeof *p->A, &p->A));
  MS_TRY(ms_allocate(p->ctx, MS_PATH_WORK * n, sizeof *p->work, &p->work));
  MS_TRY(ms_allocate(p->ctx, MS_PATH_PASSED * n, sizeof *p->passed, &p->passed));
  MS_TRY(ms_allocate(p->ctx, MS_PATH_PASSED, sizeof *p->passed_base, &p->passed_base));
  MS_TRY(ms_allocate(p->ctx, n, sizeof *p->pivot, &p->pivot));
  MS_TRY(ms_allocate(p->ctx, 2 * MS_PATH_SPOTS * n, sizeof *p->spot_store, &p->spot_store));
  for (ptrdiff_t i = 0; i < MS_PATH_SPOTS; i++) {
    p->spot[i].x = p->spot_store + 2 * n * i;
    p->spot[i].t = p->spot[i].x + n;
  }
  return ms_allocate(p->ctx, p->n_list, sizeof *p->order, &p->order);
}

void ms_path_close(ms_path *p) {
  double **part[] = { &p->x_seen, &p->t_seen, &p->x_last, &p->x,         &p->t,    &p->w,
                      &p->x_next, &p->x_try,  &p->t_next, &p->t_old,     &p->R,    &p->b,
                      &p->J,      &p->A,      &p->best,   &p->right,     &p->work, &p->x_keep,
                      &p->chord,  &p->passed, &p->across, &p->spot_store };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) ms_free(p->ctx, part[i]);
  ms_free(p->ctx, &p->passed_base);
  ms_free(p->ctx, &p->pivot);
  ms_free(p->ctx, &p->order);
}

/* ---- steps ---- */

static double shown(const ms_path *p, double parameter) {
  return p->show ? p->show(parameter) : parameter;
}

static ms_status give_up(ms_path *p, const char *why) {
  snprintf(p->reason, sizeof p->reason, "stopped at %s = %.9g%s%s: %s", p->what,
           shown(p, p->x[p->n]), p->unit[0] ? " " : "", p->unit, why);
  return MS_SUCCESS;
}

/* There is nothing beyond. */
static ms_status end_here(ms_path *p, const char *why) {
  p->ended = 1;
  return give_up(p, why);
}

/* Coordinates, weights and direction for the step that begins at x. */
static ms_status look_round(ms_path *p) {
  int changed = 0;
  double error;
  if (p->rebase) MS_TRY(p->rebase(p->self, p->x, p->t, &changed));
  p->weigh(p->self, p->x, p->w);
  if (changed) {
    MS_TRY(ms_path_measure(p, p->x, &error));
    ms_path_next_tangent(p);
    ms_path_move(p, p->t_next, p->t);
    if (p->watch) p->watch(p->self, p->t, &p->height, &p->slope);
    p->base = changed;
    ms_path_move(p, p->x, p->x_last); /* which has the old coordinates */
  }
  p->slope /= ms_path_length(p, p->t);
  ms_path_normalise(p, p->t);
  return MS_SUCCESS;
}

/* The new point b becomes the last one. */
static ms_status settle(ms_path *p, int *done) {
  int closed = 0;
  ms_path_move(p, p->x, p->x_last);
  ms_path_move(p, p->b, p->x);
  ms_path_move(p, p->t_next, p->t);
  p->height = p->height_next;
  p->slope = p->slope_next;
  MS_TRY(look_round(p));
  ms_path_pass(p);
  if (ms_path_norm(p->n, p->x) > p->tol->unbounded * p->first_size) {
    *done = 1;
    return give_up(p, "the motion grows without bound");
  }
  MS_TRY(ms_path_is_closed(p, &closed));
  if (closed) {
    *done = 1;
    return end_here(p, "the curve is closed: it came back to where it had been");
  }
  if ((p->x[p->n] - p->from) * (p->to - p->from) >= 0.0) return MS_SUCCESS;
  *done = 1;
  return end_here(p, "the curve turned back and left its range where it began");
}

static int is_over(const ms_path *p, ptrdiff_t spot) {
  return (p->spot[spot].value[0] - p->to) * (p->to - p->from) >= 0.0;
}

/* The end of the range in place of spot `last`, which is beyond. */
static ms_status end_at(ms_path *p, ptrdiff_t last) {
  double error = 0.0;
  int iterations;
  ms_status status = ms_path_land(p, last - 1, p->to, &iterations, &error);
  if (status == MS_SUCCESS) status = ms_path_fill_spot(p, &p->spot[last], iterations, error);
  return status == MS_NOT_CONVERGED ? ms_path_refuse(p, MS_PATH_END, error) : status;
}

/* Goes to the new point in x_next, by the turns and the values of the list between; *done when it
   was the last. MS_STEP_REJECTED, with nothing changed, if the end of the range cannot be met from
   here. */
static ms_status advance(ms_path *p, int iterations, double error, int *done) {
  ptrdiff_t last = 1;
  ms_path_move(p, p->x_next, p->b);
  MS_TRY(ms_path_find_turns(p, iterations, error));
  while (last < p->n_spot - 1 && !is_over(p, last)) last++;
  const int over = is_over(p, last);
  if (over) MS_TRY(end_at(p, last));
  if (p->spot[0].turn) {
    MS_TRY(p->record(p->self, &(ms_path_point) { .x = p->x, .turn = p->spot[0].turn, .again = 1 }));
  }
  for (ptrdiff_t i = 1; i <= last; i++) {
    const ms_path_spot *spot = &p->spot[i];
    MS_TRY(ms_path_land_between(p, i - 1));
    if (i < last && !spot->turn) continue;
    MS_TRY(ms_path_record(p, spot->x, spot->residual, spot->iterations, spot->turn));
  }
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
  if (p->fault == MS_PATH_RETRACED) {
    return give_up(p, "beyond a corner only the way it came was found, which is not taken twice");
  }
  if (p->fault == MS_PATH_BACK) {
    return end_here(p, "the curve ends: what lies next leads back along it");
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

/* Between two steps: how far it is, and what the problem keeps of it. */
static ms_status look(ms_path *p) {
  double part = p->approaching ? 0.0 : (p->x[p->n] - p->from) / (p->to - p->from);
  ms_status status = ms_progress(p->ctx, p->title, fmin(fmax(part, 0.0), 1.0));
  if (p->look) MS_TRY(p->look(p->self, p, status != MS_SUCCESS));
  p->began = ms_clock();
  return status;
}

static ms_status step(ms_path *p, int *done) {
  double error;
  int iterations;
  if (p->ds >= p->step_min) p->fault = MS_PATH_BACK; /* of the shortest step and of corners */
  p->cornered = p->ds < p->step_min;
  MS_TRY(p->cornered ? ms_path_turn_corners(p, &iterations, &error)
                     : ms_path_attempt(p, p->ds, &iterations, &error));
  p->steps++;
  MS_TRY(advance(p, iterations, error, done));
  p->ds = next_step(p, fmax(p->ds, p->step_min), iterations);
  return *done ? MS_SUCCESS : look(p);
}

static ms_status follow(ms_path *p) {
  int done = 0;
  while (!done) {
    if (p->points >= p->points_max) return give_up(p, "as many points as a curve may have");
    ms_status status = step(p, &done);
    if (status == MS_SUCCESS) continue;
    if (status == MS_CANCELLED) give_up(p, "cancelled");
    if (status != MS_STEP_REJECTED) return status;
    p->rejected++;
    int tried_all = p->ds < p->step_min;
    p->ds *= 0.5;
    if (tried_all) return explain(p);
  }
  return MS_SUCCESS;
}

static ms_status begin(ms_path *p, const double *x) {
  double error = 0.0;
  int iterations;
  ms_path_move(p, x, p->x_next);
  p->x_next[p->n] = p->from;
  p->weigh(p->self, p->x_next, p->w);
  ms_status status = ms_path_correct(p, NULL, &iterations, &error);
  if (status != MS_SUCCESS) {
    return ms_fail_at(p->ctx, status, "first point, %s = %.9g%s%s", p->what, shown(p, p->from),
                      p->unit[0] ? " " : "", p->unit);
  }
  ms_path_move(p, p->x_next, p->x);
  p->first_size = ms_path_norm(p->n, p->x);
  p->ds = p->step;
  MS_TRY(ms_path_first_tangent(p));
  if (p->watch) p->watch(p->self, p->t, &p->height, &p->slope);
  MS_TRY(ms_path_record(p, p->x, error, iterations, 0));
  p->complete = ms_path_same(p, p->from, p->to);
  if (p->complete) return MS_SUCCESS;
  MS_TRY(look_round(p));
  ms_path_pass(p);
  return MS_SUCCESS;
}

ms_status ms_path_run(ms_path *p, const double *x) {
  p->began = ms_clock();
  MS_TRY(ms_path_sort_list(p));
  MS_TRY(begin(p, x));
  return p->complete ? MS_SUCCESS : follow(p);
}

ms_status ms_path_go_on(ms_path *p, const double *state) {
  p->began = ms_clock();
  MS_TRY(ms_path_sort_list(p));
  MS_TRY(ms_path_load(p, state));
  return follow(p);
}
