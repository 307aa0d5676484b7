#include "identify/sample/lots.h"

#include <string.h>

enum { LOT = 16 };

static ptrdiff_t end_of(const ms_random_curves *c, ptrdiff_t lot) {
  return LOT * (lot + 1) < c->count ? LOT * (lot + 1) : c->count;
}

static ms_status run_lot(ms_worker *w, ptrdiff_t lot, void *user) {
  ms_random_curves *c = user;
  ms_context_set_progress(w->ctx, NULL, NULL); /* levels would tell theirs far too often */
  return ms_random_curves_eval(w->structure, LOT * lot, end_of(c, lot), c);
}

static ptrdiff_t save_lot(const void *curves, ptrdiff_t lot, double *values) {
  const ms_random_curves *c = curves;
  const ptrdiff_t first = LOT * lot, n = end_of(c, lot) - first, width = ms_random_curves_width(c);
  for (ptrdiff_t i = 0; values && i < n; i++) values[i] = c->answered[first + i];
  if (values) memcpy(values + n, c->y + width * first, (size_t)(width * n) * sizeof *values);
  return n * (1 + width);
}

static ms_status load_lot(ms_context *ctx, void *curves, ptrdiff_t lot, const double *values,
                          ptrdiff_t n) {
  ms_random_curves *c = curves;
  const ptrdiff_t first = LOT * lot, m = end_of(c, lot) - first, width = ms_random_curves_width(c);
  if (n != m * (1 + width)) return ms_fail(ctx, MS_ERR_FORMAT, "no lot of these points");
  for (ptrdiff_t i = 0; i < m; i++) c->answered[first + i] = values[i] != 0.0;
  memcpy(c->y + width * first, values + m, (size_t)(width * m) * sizeof *values);
  return MS_SUCCESS;
}

ms_status ms_random_curves_share(const ms_crew *crew, const char *what, ms_random_curves *c) {
  const ms_jobs jobs = {
    .n = (c->count + LOT - 1) / LOT, .run = run_lot, .save = save_lot, .load = load_lot, .user = c
  };
  return ms_crew_share_jobs(crew, what, &jobs);
}
