/* Views of targets, kept. */
#include <math.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"

ms_status ms_view_keep(ms_context *ctx, const ms_target_view *view, ms_kept_view *out) {
  const ptrdiff_t n = view->n;
  const double *from[5] = { view->x, view->target[0], view->target[1], view->model[0],
                            view->model[1] };
  MS_TRY(ms_allocate(ctx, 5 * n, sizeof *out->store, &out->store));
  MS_TRY(ms_allocate(ctx, n, sizeof *out->row, &out->row));
  for (int i = 0; i < 5; i++) {
    if (from[i]) memcpy(out->store + n * i, from[i], (size_t)n * sizeof *out->store);
  }
  memcpy(out->row, view->row, (size_t)n * sizeof *out->row);
  out->is = *view;
  out->is.x = out->store;
  out->is.row = out->row;
  for (int i = 0; i < 2; i++) {
    out->is.target[i] = view->target[i] ? out->store + n * (1 + i) : NULL;
    out->is.model[i] = view->model[i] ? out->store + n * (3 + i) : NULL;
  }
  return MS_SUCCESS;
}

void ms_view_free(ms_context *ctx, ms_kept_view *view) {
  ms_free(ctx, &view->store);
  ms_free(ctx, &view->row);
}

double ms_view_largest(const ms_target_view *view, int i) {
  double worst = 0.0;
  for (ptrdiff_t k = 0; k < view->n; k++) {
    double scale = view->scale[i] > 0.0 ? view->scale[i] : fabs(view->target[i][k]);
    worst = fmax(worst, fabs(view->model[i][k] - view->target[i][k]) / scale);
  }
  return worst;
}
