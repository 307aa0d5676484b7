#include "io/yaml/modes.h"

#include <math.h>
#include <stdio.h>

ms_status ms_yaml_read_modes(const ms_yaml *y, struct fy_node *node, ptrdiff_t size, int **mode,
                             int *n) {
  ptrdiff_t count = size;
  double *given = NULL;
  *mode = NULL;
  if (node) MS_TRY(ms_yaml_numbers(y, node, "modes", &given, &count));
  ms_status status = ms_allocate(y->ctx, count, sizeof **mode, mode);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < count; i++) {
    double r = given ? given[i] : (double)(i + 1);
    if (r < 1.0 || r > (double)size || r != floor(r)) {
      status =
          ms_yaml_fail(y, node, MS_ERR_BOUNDS, "there is no mode %g; modes are 1 to %td", r, size);
      break;
    }
    (*mode)[i] = (int)r - 1;
    for (ptrdiff_t k = 0; k < i && status == MS_SUCCESS; k++) {
      if ((*mode)[k] != (*mode)[i]) continue;
      status = ms_yaml_fail(y, node, MS_ERR_NAME, "modes name mode %g twice", r);
    }
  }
  ms_free(y->ctx, &given);
  if (status != MS_SUCCESS) ms_free(y->ctx, mode);
  *n = (int)count;
  return status;
}

ms_status ms_yaml_check_mode_keys(const ms_yaml *y, struct fy_node *mapping, const char *what,
                                  const int *mode, int n) {
  void *at = NULL;
  if (!ms_yaml_is_mapping(mapping)) return MS_SUCCESS;
  for (struct fy_node *key; ms_yaml_next_pair(mapping, &at, &key);) {
    ptrdiff_t number;
    int known = 0;
    MS_TRY(ms_yaml_count_value(y, key, "a mode", 1, &number));
    for (int i = 0; i < n; i++) known |= mode[i] == number - 1;
    if (known) continue;
    return ms_yaml_fail(y, key, MS_ERR_NAME, "%s for mode %td, which is not looked at", what,
                        number);
  }
  return MS_SUCCESS;
}

ms_status ms_yaml_read_mode_counts(const ms_yaml *y, struct fy_node *node, const char *what,
                                   ptrdiff_t least, const int *mode, int n, ptrdiff_t *out) {
  MS_TRY(ms_yaml_check_mode_keys(y, node, what, mode, n));
  for (int i = 0; i < n; i++) {
    char key[16];
    struct fy_node *value = node;
    snprintf(key, sizeof key, "%d", mode[i] + 1);
    if (ms_yaml_is_mapping(node)) value = ms_yaml_get(node, key);
    if (value) MS_TRY(ms_yaml_count_value(y, value, what, least, &out[i]));
  }
  return MS_SUCCESS;
}
