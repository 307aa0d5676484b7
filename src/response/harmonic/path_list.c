/* Values of the parameter that a continuation is to meet exactly, and the points it leaves. */
#include <math.h>
#include <stdlib.h>

#include "response/harmonic/path.h"

typedef struct ranked {
  double value;
  ptrdiff_t index;
} ranked;

static int compare(const void *a, const void *b) {
  double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
  return (x > y) - (x < y);
}

/* order: the list rising. */
ms_status ms_path_sort_list(ms_path *p) {
  ranked *sorted;
  MS_TRY(ms_allocate(p->ctx, p->n_list, sizeof *sorted, &sorted));
  for (ptrdiff_t i = 0; i < p->n_list; i++) sorted[i] = (ranked) { p->list[i], i };
  if (p->n_list > 1) qsort(sorted, (size_t)p->n_list, sizeof *sorted, compare);
  for (ptrdiff_t i = 0; i < p->n_list; i++) p->order[i] = sorted[i].index;
  ms_free(p->ctx, &sorted);
  return MS_SUCCESS;
}

int ms_path_same(const ms_path *p, double a, double b) {
  return fabs(a - b) <= p->tol->same_parameter * (fabs(a) + fabs(b));
}

/* 1 + index of the value in the list, 0 if it is not there. */
ptrdiff_t ms_path_find_listed(const ms_path *p, double value) {
  for (ptrdiff_t i = 0; i < p->n_list; i++) {
    if (ms_path_same(p, p->list[i], value)) return i + 1;
  }
  return 0;
}

ms_status ms_path_record(ms_path *p, const double *x, double residual, int iterations, int turn) {
  ms_path_point point = { x, residual, iterations, ms_path_find_listed(p, x[p->n]), turn, 0 };
  p->points++;
  return p->record(p->self, &point);
}

/* Whether x_next is between the spots, and not on the other side of a fold. */
static int is_between(ms_path *p, ptrdiff_t i) {
  const double s = ms_path_part(p, p->x_next), margin = p->turn_tolerance;
  return p->cornered || (s >= p->spot[i].s - margin && s <= p->spot[i + 1].s + margin);
}

/* As near to a fold as that the parameter alone does not lead there, spots lead nearer first. They
   are dropped again. */
ms_status ms_path_land(ms_path *p, ptrdiff_t i, double value, int *iterations, double *error) {
  enum { MOST = 6 };
  const ptrdiff_t first = i + 1;
  ms_status status = MS_NOT_CONVERGED;
  int added = 0, landed = 0;
  while (!landed && added < MOST) {
    /* The part u of the way from spot i to the next where the parameter, as a cubic of the way, is
       `value`: by bisection, for it rises or falls all the way. */
    const ms_path_spot *a = &p->spot[i], *b = a + 1;
    const double h = b->s - a->s, way = b->value[0] - a->value[0];
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 52; k++) {
      const double u = 0.5 * (low + high), v = 1.0 - u;
      const double at = a->value[0] + u * u * (3.0 - 2.0 * u) * way +
                        h * u * v * (v * a->slope[0] - u * b->slope[0]);
      *((at - value) * way > 0.0 ? &high : &low) = u;
    }
    const double u = 0.5 * (low + high);
    ms_path_interpolate(p, i, u);
    p->x_next[p->n] = value;
    status = ms_path_correct(p, NULL, iterations, error);
    landed = status == MS_SUCCESS && is_between(p, i);
    if (landed || (status != MS_SUCCESS && status != MS_NOT_CONVERGED)) break;
    status = ms_path_add_spot(p, i, u);
    if (status != MS_SUCCESS) break;
    added++;
    if ((p->spot[i + 1].value[0] - value) * (p->spot[i].value[0] - value) > 0.0) i++;
  }
  while (added-- > 0) ms_path_drop_spot(p, first);
  return status == MS_SUCCESS && !landed ? MS_NOT_CONVERGED : status;
}

ms_status ms_path_land_between(ms_path *p, ptrdiff_t i) {
  const double from = p->spot[i].value[0], end = p->spot[i + 1].value[0], way = end - from;
  double error;
  int iterations;
  for (ptrdiff_t k = 0; k < p->n_list; k++) {
    const double value = p->list[p->order[way > 0.0 ? k : p->n_list - 1 - k]];
    if (ms_path_same(p, value, from) || ms_path_same(p, value, end)) continue;
    if ((value - from) * way <= 0.0 || (value - end) * way >= 0.0) continue;
    ms_status status = ms_path_land(p, i, value, &iterations, &error);
    if (status == MS_SUCCESS) status = ms_path_record(p, p->x_next, error, iterations, 0);
    if (status == MS_NOT_CONVERGED) p->missed++;
    if (status != MS_SUCCESS && status != MS_NOT_CONVERGED) return status;
  }
  return MS_SUCCESS;
}
