/* Steps of a continuation: tangents, one attempt, and corners, where a slider begins to slip. There
   the turn of the tangent cannot be made small by small steps: below a length of turn_step it is
   not asked for. */
#include <math.h>
#include <string.h>

#include "response/harmonic/path.h"

void ms_path_normalise(const ms_path *p, double *t) {
  double size = ms_path_length(p, t);
  for (ptrdiff_t i = 0; i <= p->n; i++) t[i] /= size;
}

/* The first direction: towards `to`. */
ms_status ms_path_first_tangent(ms_path *p) {
  memset(p->t, 0, (size_t)(p->n + 1) * sizeof *p->t);
  p->t[p->n] = p->to > p->from ? 1.0 : -1.0;
  MS_TRY(ms_path_solve(p, NULL, p->t));
  p->weigh(p->self, p->x, p->w);
  ms_path_normalise(p, p->t);
  return MS_SUCCESS;
}

/* t_next at the new point from its J; returns the cosine to t. */
double ms_path_next_tangent(ms_path *p) {
  memset(p->t_next, 0, (size_t)(p->n + 1) * sizeof *p->t);
  p->t_next[p->n] = 1.0;
  if (ms_path_solve(p, p->t, p->t_next) != MS_SUCCESS) {
    memcpy(p->t_next, p->t, (size_t)(p->n + 1) * sizeof *p->t);
    return 1.0;
  }
  double size = ms_path_length(p, p->t_next);
  ms_path_normalise(p, p->t_next);
  return 1.0 / size;
}

ms_status ms_path_refuse(ms_path *p, ms_path_fault fault, double error) {
  if (fault > p->fault) p->fault = fault;
  if (fault == MS_PATH_UNSOLVED || fault == MS_PATH_END) p->fault_error = error;
  return MS_STEP_REJECTED;
}

/* Whether the chord b from x to x_next leaves the curve between: an arc makes half its turn with
   its chord at both ends, a step to another branch more than that. `cosine` is that of the turn. */
static int leaves_chord(const ms_path *p, double cosine) {
  const double length = ms_path_length(p, p->b);
  const double least = fmin(ms_path_dot(p, p->b, p->t), ms_path_dot(p, p->b, p->t_next)) / length;
  return acos(fmin(least, 1.0)) >
         fmax(p->tol->chord_part * acos(fmin(cosine, 1.0)), p->tol->chord_angle);
}

/* x_next, t_next a length ds ahead, wherever that is. */
static ms_status reach(ms_path *p, double ds, int *iterations, double *error) {
  for (ptrdiff_t i = 0; i <= p->n; i++) p->x_next[i] = p->x[i] + ds * p->t[i];
  ms_status status = ms_path_correct(p, p->t, iterations, error);
  if (status == MS_NOT_CONVERGED) return ms_path_refuse(p, MS_PATH_UNSOLVED, *error);
  MS_TRY(status);
  for (ptrdiff_t i = 0; i <= p->n; i++) p->b[i] = p->x_next[i] - p->x[i];
  if (ms_path_length(p, p->b) > fmax(1.5 * ds, p->tol->jump))
    return ms_path_refuse(p, MS_PATH_JUMP, *error);
  double cosine = ms_path_next_tangent(p);
  if (p->watch) p->watch(p->self, p->t_next, &p->height_next, &p->slope_next);
  if (ds <= p->tol->turn_step) return MS_SUCCESS;
  return cosine < p->tol->turn_cosine || leaves_chord(p, cosine) ? MS_STEP_REJECTED : MS_SUCCESS;
}

/* MS_STEP_REJECTED if x_next, t_next go back over a part that has been passed. */
static ms_status refuse_retraced(ms_path *p, double error) {
  int retraced = 0;
  MS_TRY(ms_path_is_retraced(p, &retraced));
  return retraced ? ms_path_refuse(p, MS_PATH_RETRACED, error) : MS_SUCCESS;
}

ms_status ms_path_attempt(ms_path *p, double ds, int *iterations, double *error) {
  MS_TRY(reach(p, ds, iterations, error));
  return refuse_retraced(p, *error);
}

/* p->t := the tangent beyond the corner that lies ahead within `ahead`, where J is another. */
static ms_status tangent_beyond(ms_path *p, double ahead) {
  double error;
  for (ptrdiff_t i = 0; i <= p->n; i++) p->x_next[i] = p->x[i] + ahead * p->t[i];
  MS_TRY(ms_path_measure(p, p->x_next, &error));
  if (error == HUGE_VAL) return MS_STEP_REJECTED;
  ms_path_next_tangent(p);
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
  return sum / ms_path_length(p, p->b);
}

/* Round a corner along the tangent beyond it or, `sign` being -1, against it; t_old is the one
   before. What comes back along the curve is not taken. */
static ms_status go_round(ms_path *p, double ahead, double sign, int *iterations, double *error) {
  MS_TRY(tangent_beyond(p, ahead));
  for (ptrdiff_t i = 0; i <= p->n; i++) p->t[i] *= sign;
  MS_TRY(reach(p, ahead, iterations, error));
  if (way_cosine(p, p->t_old) < -p->tol->back_cosine) return MS_STEP_REJECTED;
  double on = way_cosine(p, p->t_next) < 0.0 ? -1.0 : 1.0;
  for (ptrdiff_t i = 0; i <= p->n; i++) p->t_next[i] *= on; /* on, not back */
  p->slope_next *= on;
  return refuse_retraced(p, *error);
}

/* A corner so sharp that the curve goes on backwards across t: both directions of the tangent
   beyond it are tried. */
static ms_status turn_corner(ms_path *p, double ahead, int *iterations, double *error) {
  ms_path_move(p, p->t, p->t_old);
  ms_status status = go_round(p, ahead, 1.0, iterations, error);
  if (status != MS_STEP_REJECTED) return status;
  ms_path_move(p, p->t_old, p->t);
  status = go_round(p, ahead, -1.0, iterations, error);
  if (status == MS_STEP_REJECTED) ms_path_move(p, p->t_old, p->t);
  return status;
}

ms_status ms_path_turn_corners(ms_path *p, int *iterations, double *error) {
  ms_status status = MS_STEP_REJECTED;
  double ahead = fmax(1e-5, p->step_min);
  for (; ahead < 2e-3 && status == MS_STEP_REJECTED; ahead *= 10.0) {
    status = turn_corner(p, ahead, iterations, error);
  }
  return status;
}
