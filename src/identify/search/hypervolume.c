/* The volume that a set of points dominates up to a reference point, by slices (Zitzler; While et
   al. 2006): with the points sorted so that the last coordinate p_d falls,

     V_d(p_1..p_n) = sum over i of (p_{i,d} - p_{i+1,d}) V_{d-1}(p_1..p_i),   p_{n+1,d} = 0

   where p = reference - f counts from the reference, larger being better. */
#include <math.h>
#include <string.h>

#include "identify/search/pareto.h"

/* Each dimension sorts the points its own way, in a column of its own. */
typedef struct volume {
  ptrdiff_t n_f, n;
  double *p;         /* n_f x n */
  ptrdiff_t *sorted; /* n x n_f: points of dimension d from n (d - 1) on */
} volume;

/* Adds point i to the m points that are sorted by coordinate d, largest first. */
static void insert(const volume *w, ptrdiff_t *sorted, ptrdiff_t m, ptrdiff_t d, ptrdiff_t i) {
  double key = w->p[d + w->n_f * i];
  ptrdiff_t k = m;
  for (; k > 0 && w->p[d + w->n_f * sorted[k - 1]] < key; k--) sorted[k] = sorted[k - 1];
  sorted[k] = i;
}

/* In two coordinates the slices are the steps of a stair. */
static double area(const volume *w, const ptrdiff_t *sorted, ptrdiff_t m) {
  double sum = 0.0, reached = 0.0;
  for (ptrdiff_t k = 0; k < m; k++) {
    const double *p = w->p + w->n_f * sorted[k];
    if (p[0] <= reached) continue;
    sum += (p[0] - reached) * p[1];
    reached = p[0];
  }
  return sum;
}

/* In the first d + 1 coordinates of m points, which stand sorted by coordinate d. */
static double measure(const volume *w, ptrdiff_t d, ptrdiff_t m) {
  const ptrdiff_t *sorted = w->sorted + w->n * d;
  ptrdiff_t *below = w->sorted + w->n * (d - 1);
  double sum = 0.0;
  if (d == 0) return m > 0 ? w->p[w->n_f * sorted[0]] : 0.0;
  if (d == 1) return area(w, sorted, m);
  for (ptrdiff_t k = 0; k < m; k++) {
    insert(w, below, k, d - 1, sorted[k]);
    double top = w->p[d + w->n_f * sorted[k]];
    double bottom = k + 1 < m ? w->p[d + w->n_f * sorted[k + 1]] : 0.0;
    if (top > bottom) sum += (top - bottom) * measure(w, d - 1, k + 1);
  }
  return sum;
}

/* Points better than the reference in every objective, counted from it. */
static ptrdiff_t take_points(volume *w, const double *f, const double *reference) {
  ptrdiff_t taken = 0;
  for (ptrdiff_t i = 0; i < w->n; i++) {
    double *p = w->p + w->n_f * taken;
    int inside = 1;
    for (ptrdiff_t m = 0; m < w->n_f; m++) {
      p[m] = reference[m] - f[m + w->n_f * i];
      inside &= p[m] > 0.0;
    }
    taken += inside;
  }
  return taken;
}

ms_status ms_pareto_hypervolume(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_f, const double *f,
                                const double *reference, double *out) {
  MS_TRY(ms_pareto_check(ctx, n, n_f, f, NULL));
  volume w = { .n_f = n_f, .n = n };
  ms_status status = ms_allocate(ctx, n_f * (n + 1), sizeof *w.p, &w.p);
  if (!status) status = ms_allocate(ctx, n_f * (n + 1), sizeof *w.sorted, &w.sorted);
  if (!status) {
    ptrdiff_t taken = take_points(&w, f, reference);
    for (ptrdiff_t i = 0; i < taken; i++) insert(&w, w.sorted + n * (n_f - 1), i, n_f - 1, i);
    *out = measure(&w, n_f - 1, taken);
  }
  ms_free(ctx, &w.p);
  ms_free(ctx, &w.sorted);
  return status;
}
