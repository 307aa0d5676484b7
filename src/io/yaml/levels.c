/* levels: how large a load is, run by run: a list, or {from, to, count} in equal ratios. */
#include <math.h>

#include "io/yaml/keys.h"

typedef struct ratios {
  double from, to;
  ptrdiff_t count;
} ratios;

static const ms_param keys[] = {
  MS_NUMBER(ratios, from, NULL, MS_POSITIVE, MS_REQUIRED, "first level"),
  MS_NUMBER(ratios, to, NULL, MS_POSITIVE, MS_REQUIRED, "last level"),
  MS_COUNT(ratios, count, MS_FROM(2), MS_REQUIRED, "number of levels, logarithmically spaced"),
};

const ms_param_list ms_level_keys = MS_LIST_OF(keys);

ms_status ms_keys_read_levels(const ms_key_source *from, struct fy_node *node, double factor,
                              double **level, ptrdiff_t *n) {
  const ms_yaml *y = from->yaml;
  ratios o = { 0 };
  if (ms_yaml_is_mapping(node)) {
    MS_TRY(ms_keys_read(from, node, node, "levels", keys, ms_level_keys.n, &o));
    MS_TRY(ms_allocate(y->ctx, o.count, sizeof **level, level));
    *n = o.count;
    for (ptrdiff_t i = 0; i < *n - 1; i++) {
      (*level)[i] = o.from * pow(o.to / o.from, (double)i / (double)(*n - 1));
    }
    (*level)[*n - 1] = o.to;
  } else {
    MS_TRY(ms_yaml_numbers(y, node, "levels", level, n));
  }
  for (ptrdiff_t i = 0; i < *n; i++) {
    if (!((*level)[i] > 0.0)) {
      return ms_yaml_fail(y, node, MS_ERR_BOUNDS, "level %g must be > 0", (*level)[i]);
    }
    (*level)[i] *= factor;
  }
  return MS_SUCCESS;
}
