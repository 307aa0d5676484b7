/* Points of several decays against amplitude, and between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "signal/internal.h"

static int by_amplitude(const void *a, const void *b) {
  const double x = ((const ms_decay_point *)a)->q, y = ((const ms_decay_point *)b)->q;
  return (x > y) - (x < y);
}

ms_status ms_points_gather(ms_context *ctx, ptrdiff_t n_decay, const ms_decay *const *decay,
                           ms_points *out) {
  ptrdiff_t n = 0, k = 0;
  ms_decay_point *all;
  *out = (ms_points) { .n = 0 };
  for (ptrdiff_t i = 0; i < n_decay; i++) n += decay[i]->n;
  MS_TRY(ms_allocate(ctx, n, sizeof *all, &all));
  for (ptrdiff_t i = 0; i < n_decay; k += decay[i++]->n) {
    if (decay[i]->n == 0) continue;
    memcpy(all + k, decay[i]->point, (size_t)decay[i]->n * sizeof *all);
  }
  qsort(all, (size_t)n, sizeof *all, by_amplitude);
  ms_status status = ms_allocate(ctx, 3 * n, sizeof *out->q, &out->q);
  if (status == MS_SUCCESS) *out = (ms_points) { n, out->q, out->q + n, out->q + 2 * n };
  for (k = 0; k < out->n; k++) {
    out->q[k] = all[k].q, out->omega[k] = all[k].omega, out->zeta[k] = all[k].zeta;
  }
  ms_free(ctx, &all);
  return status;
}

/* The points around amplitude q: *at and the next one, and how far between them in ln q. 0 where
   there are none. */
static int find_place(const ms_points *p, double q, ptrdiff_t *at, double *part) {
  if (p->n < 2 || q < p->q[0] || q > p->q[p->n - 1]) return 0;
  ptrdiff_t low = 0, high = p->n - 1;
  while (high - low > 1) {
    ptrdiff_t middle = low + (high - low) / 2;
    if (p->q[middle] <= q)
      low = middle;
    else
      high = middle;
  }
  double span = log(p->q[high] / p->q[low]);
  *part = span > 0.0 ? log(q / p->q[low]) / span : 0.0;
  *at = low;
  return 1;
}

double ms_points_zeta(const ms_points *p, double q) {
  ptrdiff_t i;
  double part;
  if (!find_place(p, q, &i, &part) || !(p->zeta[i] > 0.0 && p->zeta[i + 1] > 0.0)) return 0.0;
  return exp(log(p->zeta[i]) + part * log(p->zeta[i + 1] / p->zeta[i]));
}

double ms_points_omega(const ms_points *p, double q) {
  ptrdiff_t i;
  double part;
  if (!find_place(p, q, &i, &part)) return 0.0;
  return p->omega[i] + part * (p->omega[i + 1] - p->omega[i]);
}

ptrdiff_t ms_points_drop_undamped(ms_points *p) {
  const ptrdiff_t all = p->n;
  p->n = 0;
  for (ptrdiff_t i = 0; i < all; i++) {
    if (!(p->zeta[i] > 0.0)) continue;
    const ptrdiff_t k = p->n++;
    p->q[k] = p->q[i], p->omega[k] = p->omega[i], p->zeta[k] = p->zeta[i];
  }
  return all - p->n;
}
