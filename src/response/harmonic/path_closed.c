/* Closed curves: a continuation that comes back to where it has been must not go round for ever. */
#include <math.h>

#include "response/harmonic/path.h"

/* Whether the last step, d long, went by x_seen in its direction, having been elsewhere. p->b :=
   from x_seen to where it did, as far as the step is straight. */
static int passes_seen(ms_path *p) {
  for (ptrdiff_t i = 0; i <= p->n; i++) {
    p->t_old[i] = p->x[i] - p->x_last[i];
    p->b[i] = p->x[i] - p->x_seen[i];
  }
  const double d = ms_path_length(p, p->t_old),
               part = d > 0.0 ? ms_path_dot(p, p->b, p->t_old) / (d * d) : 0.0;
  const double away = p->away;
  p->away = fmax(away, ms_path_length(p, p->b));
  for (ptrdiff_t i = 0; i <= p->n; i++) p->b[i] -= part * p->t_old[i];
  return part > -p->tol->beside && part < 1.0 + p->tol->beside &&
         ms_path_length(p, p->b) < p->tol->beside * d && away > 3.0 * d &&
         ms_path_dot(p, p->t, p->t_seen) > p->tol->same_cosine * ms_path_length(p, p->t_seen);
}

/* Whether the last step passed x_seen: the curve is met again in the plane across t_seen there, and
   it is the same point. What only comes near, as the next turn of a spiral does, is another one. */
ms_status ms_path_is_closed(ms_path *p, int *closed) {
  double error;
  int iterations;
  *closed = 0;
  if (p->steps >= 2 * p->seen_at) {
    /* This point is looked out for from now on. It is taken anew after 32, 64, 128, ... steps, so
       that a closed curve is found after two rounds. */
    ms_path_move(p, p->x, p->x_seen);
    ms_path_move(p, p->t, p->t_seen);
    p->seen_at = p->steps > 16 ? p->steps : 16;
    p->seen_base = p->base;
    p->away = 0.0;
    return MS_SUCCESS;
  }
  if (p->base != p->seen_base || !passes_seen(p)) return MS_SUCCESS;
  const double part = ms_path_dot(p, p->b, p->t_seen) / ms_path_dot(p, p->t_seen, p->t_seen);
  for (ptrdiff_t i = 0; i <= p->n; i++) {
    p->x_next[i] = p->x_seen[i] + p->b[i] - part * p->t_seen[i];
  }
  ms_status status = ms_path_correct(p, p->t_seen, &iterations, &error);
  if (status == MS_NOT_CONVERGED) return MS_SUCCESS;
  MS_TRY(status);
  for (ptrdiff_t i = 0; i <= p->n; i++) p->b[i] = p->x_next[i] - p->x_seen[i];
  *closed = ms_path_length(p, p->b) < p->tol->same_point;
  return MS_SUCCESS;
}
