/* Where nodes are: the box around them, the nearest one. */
#include <math.h>

#include "fem/impl.h"
#include "fem/tolerance.h"

ms_status ms_mesh_find_box(const ms_mesh *m, const char *set, ms_mesh_box *out) {
  ms_mesh_set nodes = { .n = m->n_node };
  if (set) MS_TRY(ms_mesh_find_set(m, MS_SET_NODES, set, &nodes));
  out->size = 0.0;
  out->flat = -1;
  for (int a = 0; a < 3; a++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (ptrdiff_t i = 0; i < nodes.n; i++) {
      const double x = m->x[3 * (set ? (ptrdiff_t)nodes.index[i] : i) + a];
      low = fmin(low, x);
      high = fmax(high, x);
    }
    out->low[a] = low;
    out->high[a] = high;
    out->size = fmax(out->size, high - low);
  }
  for (int a = 0; a < 3; a++) {
    if (out->high[a] - out->low[a] <= ms_mesh_tol.flat * out->size) out->flat = a;
  }
  return MS_SUCCESS;
}

ptrdiff_t ms_mesh_find_nearest(const ms_mesh *m, int part, const double *at, double *distance) {
  ptrdiff_t best = -1;
  *distance = HUGE_VAL;
  for (int b = 0; b < ms_mesh_count_blocks(m); b++) {
    const ms_mesh_block block = ms_mesh_get_block(m, b);
    if (block.part != part) continue;
    for (ptrdiff_t i = 0; i < block.n * block.element->n_node; i++) {
      const double *y = m->x + 3 * (ptrdiff_t)block.node[i];
      const double d = hypot(hypot(y[0] - at[0], y[1] - at[1]), y[2] - at[2]);
      if (d > *distance || (d == *distance && block.node[i] >= best)) continue;
      *distance = d;
      best = block.node[i];
    }
  }
  return best;
}
