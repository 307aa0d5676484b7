#include "study/analyses/shared/variants.h"

#include <stdio.h>
#include <string.h>

#include "core/internal.h"

/* ---- names ---- */

void ms_variants_label(const void *variants, ptrdiff_t i, char *label, size_t size) {
  const ms_variants *v = variants;
  snprintf(label, size, "%.100s = %g", ms_yaml_short_path(v->path[0]), v->value[0][i]);
}

ptrdiff_t ms_variants_row(const ms_variants *v, ptrdiff_t i, double row[MS_VARIANT_HEAD]) {
  row[0] = (double)(i + 1);
  for (ptrdiff_t k = 0; k < v->n_path; k++) row[1 + k] = v->value[k][i];
  return 1 + v->n_path;
}

void ms_variants_set_values(const ms_variants *v, ms_result *result) {
  ms_result_begin(result, "values");
  for (ptrdiff_t k = 0; k < v->n_path; k++) {
    ms_result_set_numbers(result, v->path[k], NULL, v->value[k], v->n);
  }
  ms_result_end(result);
}

/* ---- one after the other ---- */

/* The message that waits, at the place of the variants: its first line, and not as if the number
   had been set on the command line. */
static ms_status blame(const ms_study *s, const ms_variants *v, ptrdiff_t i, ms_status status) {
  const char *message = ms_context_message(s->ctx);
  char label[160], what[320];
  ms_variants_label(v, i, label, sizeof label);
  if (strncmp(message, "--set: ", 7) == 0) message += 7;
  snprintf(what, sizeof what, "%.*s", (int)strcspn(message, "\n"), message);
  return ms_yaml_fail(&s->yaml, v->node, status, "variant %td, %s: %s", i + 1, label, what);
}

static ms_status visit_all(ms_study *s, const char *name, const ms_variants *v, ms_variant_fn visit,
                           void *user) {
  for (ptrdiff_t i = 0; i < v->n; i++) {
    ms_yaml_value place[MS_VARIANT_PATHS];
    ms_study view = *s;
    if (name) {
      ms_status status = ms_progress(s->ctx, name, (double)i / (double)v->n);
      MS_TRY(v->reduces ? ms_context_agree(s->ctx, status) : status);
    }
    for (ptrdiff_t k = 0; k < v->n_path; k++) {
      place[k] = (ms_yaml_value) { v->path[k], v->value[k][i] };
    }
    view.structure = NULL;
    ms_status status = ms_variant_build(s, s->ctx, v->reduces, v->n_path, place, &view.structure);
    if (status == MS_SUCCESS && visit) status = visit(&view, i, user);
    ms_structure_destroy(&view.structure);
    if (status != MS_SUCCESS) return blame(s, v, i, status);
  }
  return MS_SUCCESS;
}

/* A column for each path. */
static ms_status add_paths(ms_context *ctx, const ms_variants *v, ms_result_table *table) {
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < v->n_path && status == MS_SUCCESS; k++) {
    char *name = NULL;
    MS_TRY(ms_text_copy(ctx, v->path[k], &name));
    for (char *c = name; *c; c++) *c = strchr(",:[", *c) ? '_' : *c;
    status = ms_result_table_add_column(ctx, table, name, NULL,
                                        "value of this key of the file in the variant");
    ms_free(ctx, &name);
  }
  return status;
}

ms_status ms_variants_run(ms_study *s, const ms_task *task, const ms_variants *v,
                          const char *columns, ms_result_table **table, ms_variant_fn visit,
                          void *user) {
  if (v->n == 0) return MS_SUCCESS;
  *table = ms_result_new_table(task->result, "_variants", "variant");
  MS_TRY(add_paths(s->ctx, v, *table));
  MS_TRY(ms_result_table_add_columns(s->ctx, *table, columns));
  return visit_all(s, task->name, v, visit, user);
}

ms_status ms_variants_help(ms_study *s, const ms_task *task, const ms_variants *v) {
  return v->reduces ? visit_all(s, task->name, v, NULL, NULL) : MS_SUCCESS;
}

/* ---- reading ---- */

static ms_status read_list(ms_study *s, struct fy_node *key, struct fy_node *list, ms_variants *v) {
  const ptrdiff_t k = v->n_path;
  ptrdiff_t n;
  double now;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a path", &v->path[k]));
  MS_TRY(ms_variant_find_number(s, key, v->path[k], &now));
  if (!ms_yaml_is_sequence(list)) {
    return ms_yaml_fail(&s->yaml, list, MS_ERR_FORMAT,
                        "variants have a list of numbers for each path, one for each variant");
  }
  MS_TRY(ms_yaml_numbers(&s->yaml, list, v->path[k], &v->value[k], &n));
  v->n_path++;
  v->reduces |= ms_variant_reduces(s, v->path[k]);
  if (k == 0) v->n = n;
  if (n == v->n) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, list, MS_ERR_FORMAT,
                      "%td numbers, but '%.120s' has %td: all lists of variants have one length", n,
                      v->path[0], v->n);
}

ms_status ms_variants_read(ms_study *s, struct fy_node *node, ms_variants *v) {
  void *at = NULL;
  const ptrdiff_t n = ms_yaml_is_mapping(node) ? ms_yaml_count(node) : 0;
  *v = (ms_variants) { .node = node };
  if (!node) return MS_SUCCESS;
  if (n < 1 || n > MS_VARIANT_PATHS) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "variants are 1 to %d of path: [numbers]",
                        MS_VARIANT_PATHS);
  }
  for (struct fy_node *key, *list; (list = ms_yaml_next_pair(node, &at, &key));) {
    MS_TRY(read_list(s, key, list, v));
  }
  return v->reduces ? MS_SUCCESS : visit_all(s, NULL, v, NULL, NULL);
}

void ms_variants_free(ms_context *ctx, ms_variants *v) {
  for (ptrdiff_t k = 0; k < v->n_path; k++) ms_free(ctx, &v->value[k]);
  *v = (ms_variants) { .n = 0 };
}
