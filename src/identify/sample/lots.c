#include "identify/sample/lots.h"

#include <string.h>

enum { LOT = 16 };

ptrdiff_t ms_random_curves_count_lots(const ms_random_curves *c) {
  return (c->count + LOT - 1) / LOT;
}

static ptrdiff_t end_of(const ms_random_curves *c, ptrdiff_t lot) {
  return LOT * (lot + 1) < c->count ? LOT * (lot + 1) : c->count;
}

ms_status ms_random_curves_eval_lot(ms_structure *structure, ptrdiff_t lot, ms_random_curves *c) {
  return ms_random_curves_eval(structure, LOT * lot, end_of(c, lot), c);
}

ptrdiff_t ms_random_curves_save_lot(const void *curves, ptrdiff_t lot, double *values) {
  const ms_random_curves *c = curves;
  const ptrdiff_t first = LOT * lot, n = end_of(c, lot) - first, width = ms_random_curves_width(c);
  for (ptrdiff_t i = 0; values && i < n; i++) values[i] = c->answered[first + i];
  if (values) memcpy(values + n, c->y + width * first, (size_t)(width * n) * sizeof *values);
  return n * (1 + width);
}

ms_status ms_random_curves_load_lot(ms_context *ctx, void *curves, ptrdiff_t lot,
                                    const double *values, ptrdiff_t n) {
  ms_random_curves *c = curves;
  const ptrdiff_t first = LOT * lot, m = end_of(c, lot) - first, width = ms_random_curves_width(c);
  if (n != m * (1 + width)) return ms_fail(ctx, MS_ERR_FORMAT, "no lot of these points");
  for (ptrdiff_t i = 0; i < m; i++) c->answered[first + i] = values[i] != 0.0;
  memcpy(c->y + width * first, values + m, (size_t)(width * m) * sizeof *values);
  return MS_SUCCESS;
}
