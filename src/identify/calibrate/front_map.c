/* The map of what a search has seen: every point that ever belonged to a generation, once. */
#include <math.h>
#include <microslip/calibrate_methods.h>

#include "core/internal.h"
#include "identify/fit/fit.h"
#include "identify/tolerance.h"

/* How alike the planes of components a and b are: their correlation over the nodes. */
static double correlate(const ms_som_map *m, ptrdiff_t a, ptrdiff_t b) {
  const ptrdiff_t n = m->columns * m->rows;
  const double *p = m->plane + n * a, *q = m->plane + n * b;
  double mp = 0.0, mq = 0.0, pp = 0.0, qq = 0.0, pq = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) mp += p[k] / (double)n, mq += q[k] / (double)n;
  for (ptrdiff_t k = 0; k < n; k++) {
    pp += (p[k] - mp) * (p[k] - mp);
    qq += (q[k] - mq) * (q[k] - mq);
    pq += (p[k] - mp) * (q[k] - mq);
  }
  return pp * qq > 0.0 ? pq / sqrt(pp * qq) : 0.0;
}

/* Some points, evenly over the search; objectives by their logarithm. */
static ms_status train(ms_context *ctx, const ms_front *front, ms_front_map *out) {
  const ptrdiff_t width = front->n_f + front->n_x;
  double *data;
  MS_TRY(ms_allocate(ctx, out->points * width, sizeof *data, &data));
  for (ptrdiff_t k = 0; k < out->points; k++) {
    const double *row = front->seen + width * (k * front->n_seen / out->points);
    for (ptrdiff_t j = 0; j < width; j++) {
      data[j + width * k] =
          j < front->n_f ? log(fmax(row[j], ms_identify_tol.least_objective)) : row[j];
    }
  }
  ms_status status = ms_som_create(ctx, out->points, width, data, NULL, &out->som);
  ms_free(ctx, &data);
  return status;
}

ms_status ms_front_map_make(ms_context *ctx, const ms_front *front,
                            const ms_fit_parameter *parameter, ms_front_map *out) {
  const ptrdiff_t width = front->n_f + front->n_x;
  *out = (ms_front_map) { .som = NULL };
  if (front->n_seen < MS_FRONT_MAP_LEAST) return MS_SUCCESS;
  out->points = front->n_seen < MS_FRONT_MAP_MOST ? front->n_seen : MS_FRONT_MAP_MOST;
  MS_TRY(train(ctx, front, out));
  const ms_som_map m = ms_som_get(out->som);
  const ptrdiff_t nodes = m.columns * m.rows;
  MS_TRY(ms_allocate(ctx, nodes * width, sizeof *out->plane, &out->plane));
  for (ptrdiff_t i = 0; i < nodes * width; i++) {
    const ptrdiff_t j = i / nodes - front->n_f;
    out->plane[i] = j < 0 ? exp(m.plane[i]) : ms_fit_unscaled(&parameter[j], m.plane[i]);
  }
  if (front->n_f > 1) out->alike = correlate(&m, 0, 1);
  return MS_SUCCESS;
}

void ms_front_map_free(ms_context *ctx, ms_front_map *map) {
  ms_som_destroy(&map->som);
  ms_free(ctx, &map->plane);
}
