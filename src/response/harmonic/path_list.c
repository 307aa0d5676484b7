/* Values of the parameter that a continuation is to meet exactly, and the points it leaves. */
#include <math.h>
#include <stdlib.h>

#include "response/harmonic/path.h"

#define SAME 1e-12 /* parameters that count as one, relative */

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

int ms_path_same(double a, double b) {
  return fabs(a - b) <= SAME * (fabs(a) + fabs(b));
}

/* 1 + index of the value in the list, 0 if it is not there. */
ptrdiff_t ms_path_find_listed(const ms_path *p, double value) {
  for (ptrdiff_t i = 0; i < p->n_list; i++) {
    if (ms_path_same(p->list[i], value)) return i + 1;
  }
  return 0;
}

ms_status ms_path_record(ms_path *p, const double *x, double residual, int iterations,
                         ptrdiff_t listed) {
  ms_path_point point = { x, residual, iterations, listed };
  p->points++;
  return p->record(p->self, &point);
}

/* x_next := the curve at `value`, between the last point x and the one just found, b. */
ms_status ms_path_land(ms_path *p, double value, int *iterations, double *error) {
  const ptrdiff_t n = p->n;
  double part = (value - p->x[n]) / (p->b[n] - p->x[n]);
  for (ptrdiff_t i = 0; i <= n; i++) p->x_next[i] = p->x[i] + part * (p->b[i] - p->x[i]);
  p->x_next[n] = value;
  return ms_path_correct(p, NULL, iterations, error);
}

/* Every value of the list between the last point and the new one, p->b, in the order passed. */
ms_status ms_path_land_between(ms_path *p, double end) {
  const double from = p->x[p->n], way = end - from;
  double error;
  int iterations;
  for (ptrdiff_t k = 0; k < p->n_list; k++) {
    ptrdiff_t i = p->order[way > 0.0 ? k : p->n_list - 1 - k];
    double value = p->list[i];
    if (ms_path_same(value, from) || ms_path_same(value, end)) continue;
    if ((value - from) * way <= 0.0 || (value - end) * way >= 0.0) continue;
    ms_status status = ms_path_land(p, value, &iterations, &error);
    if (status == MS_SUCCESS) status = ms_path_record(p, p->x_next, error, iterations, i + 1);
    if (status == MS_NOT_CONVERGED) p->missed++;
    if (status != MS_SUCCESS && status != MS_NOT_CONVERGED) return status;
  }
  return MS_SUCCESS;
}
