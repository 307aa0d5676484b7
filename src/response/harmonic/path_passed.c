/* Retraced curves: round a corner a continuation may come upon a part that it has passed before,
   and would walk it backwards to where it began. The last points are kept for this. */
#include <math.h>

#include "response/harmonic/path.h"

static double *at(const ms_path *p, ptrdiff_t k) {
  return p->passed + (k % MS_PATH_PASSED) * (p->n + 1);
}

static ptrdiff_t base_of(const ms_path *p, ptrdiff_t k) {
  return p->passed_base[k % MS_PATH_PASSED];
}

void ms_path_pass(ms_path *p) {
  const ptrdiff_t last = p->n_passed - 1;
  if (last >= 0 && base_of(p, last) == p->base) {
    for (ptrdiff_t i = 0; i <= p->n; i++) p->chord[i] = p->x[i] - at(p, last)[i];
    if (ms_path_length(p, p->chord) < p->tol->apart) return;
  }
  ms_path_move(p, p->x, at(p, p->n_passed));
  p->passed_base[p->n_passed % MS_PATH_PASSED] = p->base;
  p->n_passed++;
}

/* Whether x_next lies beside the chord from point k to the next, and goes on against it. p->chord
   := that chord, d long; p->x_next := the point of it that is nearest, p->x_keep := x_next. */
static int is_beside(ms_path *p, ptrdiff_t k, double *d) {
  const double *a = at(p, k), *b = at(p, k + 1);
  for (ptrdiff_t i = 0; i <= p->n; i++) {
    p->chord[i] = b[i] - a[i];
    p->b[i] = p->x_keep[i] - a[i];
  }
  *d = ms_path_length(p, p->chord);
  const double part = ms_path_dot(p, p->b, p->chord) / (*d * *d);
  if (!(part >= 0.0 && part <= 1.0)) return 0;
  for (ptrdiff_t i = 0; i <= p->n; i++) {
    p->b[i] -= part * p->chord[i];
    p->x_next[i] = a[i] + part * p->chord[i];
  }
  return ms_path_length(p, p->b) < p->tol->beside * *d &&
         ms_path_dot(p, p->t_next, p->chord) <
             -p->tol->back_cosine * *d * ms_path_length(p, p->t_next);
}

/* Whether the curve, met from the chord in the plane across it, is x_keep: a branch that only runs
   close by is farther away from the chord than the curve that the chord is of. */
static ms_status meets(ms_path *p, double d, int *same) {
  double error;
  int iterations;
  for (ptrdiff_t i = 0; i <= p->n; i++) p->chord[i] /= d;
  ms_status status = ms_path_correct(p, p->chord, &iterations, &error);
  if (status == MS_NOT_CONVERGED) return MS_SUCCESS;
  MS_TRY(status);
  for (ptrdiff_t i = 0; i <= p->n; i++) p->b[i] = p->x_next[i] - p->x_keep[i];
  *same = ms_path_length(p, p->b) < fmin(p->tol->same_point, p->tol->same_part * d);
  return MS_SUCCESS;
}

ms_status ms_path_is_retraced(ms_path *p, int *retraced) {
  const ptrdiff_t last = p->n_passed - 1;
  const ptrdiff_t first = p->n_passed > MS_PATH_PASSED ? p->n_passed - MS_PATH_PASSED : 0;
  ms_status status = MS_SUCCESS;
  *retraced = 0;
  ms_path_move(p, p->x_next, p->x_keep);
  for (ptrdiff_t k = last - 1; k >= first && status == MS_SUCCESS && !*retraced; k--) {
    double d;
    if (base_of(p, k) != p->base || base_of(p, k + 1) != p->base) continue;
    if (is_beside(p, k, &d)) status = meets(p, d, retraced);
  }
  ms_path_move(p, p->x_keep, p->x_next);
  return status;
}
