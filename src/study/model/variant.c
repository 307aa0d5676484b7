#include "study/model/variant.h"

#include <stdio.h>
#include <string.h>

static int begins(const char *path, const char *with) {
  return strncmp(path, with, strlen(with)) == 0;
}

static ms_status fail_path(const ms_study *s, struct fy_node *node, const char *path) {
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                      "'%.120s' is not a path in this file; join keys by dots, and count items of "
                      "lists from 0: structure.chain.springs.0.2",
                      path);
}

ms_status ms_variant_find_number(const ms_study *s, struct fy_node *node, const char *path,
                                 double *value) {
  if (strlen(path) > 200) return fail_path(s, node, path);
  if (!begins(path, "structure.") && !begins(path, "joints.")) {
    return ms_yaml_fail(
        &s->yaml, node, MS_ERR_NAME,
        "'%.120s' is not part of the structure: give numbers below structure and joints", path);
  }
  struct fy_node *found = ms_yaml_find(&s->yaml, path);
  if (!found) return fail_path(s, node, path);
  ms_status status = ms_yaml_number(&s->yaml, found, path, value);
  if (status == MS_SUCCESS) return status;
  return ms_yaml_fail(&s->yaml, node, status, "there is no number at '%.120s'", path);
}

int ms_variant_reduces(const ms_study *s, const char *path) {
  return s->reduced && (begins(path, "structure.") || begins(path, "units")) &&
         !begins(path, "structure.damping");
}

static ms_status change(const ms_study *s, ptrdiff_t n, const ms_yaml_value *value, ms_yaml *y) {
  for (int i = 0; i < s->n_set; i++) MS_TRY(ms_yaml_override(y, s->set[i]));
  for (ptrdiff_t i = 0; i < n; i++) {
    char text[320];
    snprintf(text, sizeof text, "%.200s=%.17g", value[i].path, value[i].value);
    MS_TRY(ms_yaml_override(y, text));
  }
  return MS_SUCCESS;
}

/* The copy has what a structure is built from, and no analyses. */
ms_status ms_variant_build(const ms_study *s, ms_context *ctx, int reduces, ptrdiff_t n,
                           const ms_yaml_value *value, ms_structure **out) {
  ms_study copy = {
    .ctx = ctx, .units = s->units, .memory = s->memory, .reduced = reduces ? NULL : s->reduced
  };
  MS_TRY(ms_yaml_copy(&s->yaml, ctx, &copy.yaml));
  ms_status status = change(s, n, value, &copy.yaml);
  if (status == MS_SUCCESS && reduces) status = ms_study_reduce(&copy);
  if (status == MS_SUCCESS) status = ms_study_build(&copy, ctx, out);
  if (reduces) ms_study_close_fe(&copy);
  ms_yaml_close(&copy.yaml);
  return status;
}
