/* levels: how large a load is, run by run: a list, or {from, to, count} in equal ratios. */
#include <math.h>

#include "study/loads.h"

static const ms_param keys[] = {
  MS_KEY("from", "number", "first level", 1),
  MS_KEY("to", "number", "last level", 1),
  MS_KEY("count", "number", "of levels, in equal ratios", 1),
};

static ms_status spread(const ms_study *s, struct fy_node *node, double **level, ptrdiff_t *n) {
  double from, to;
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "levels", keys, 3));
  MS_TRY(ms_yaml_positive(&s->yaml, ms_yaml_get(node, "from"), "from", &from));
  MS_TRY(ms_yaml_positive(&s->yaml, ms_yaml_get(node, "to"), "to", &to));
  MS_TRY(ms_yaml_count_value(&s->yaml, ms_yaml_get(node, "count"), "count", 2, n));
  MS_TRY(ms_allocate(s->ctx, *n, sizeof **level, level));
  for (ptrdiff_t i = 0; i < *n; i++) {
    (*level)[i] = from * pow(to / from, (double)i / (double)(*n - 1));
  }
  (*level)[*n - 1] = to;
  return MS_SUCCESS;
}

ms_status ms_read_amplitudes(const ms_study *s, struct fy_node *node, double factor, double **level,
                             ptrdiff_t *n) {
  if (ms_yaml_is_mapping(node)) {
    MS_TRY(spread(s, node, level, n));
  } else {
    MS_TRY(ms_yaml_numbers(&s->yaml, node, "levels", level, n));
  }
  for (ptrdiff_t i = 0; i < *n; i++) {
    if (!((*level)[i] > 0.0)) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "level %g must be > 0", (*level)[i]);
    }
    (*level)[i] *= factor;
  }
  if (*n > 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "levels must name at least one");
}
