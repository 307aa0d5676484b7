/* Names that the file chooses: a word, a list of words, or a mapping. */
#include "io/yaml/keys.h"

static ms_status read_entries(const ms_reading *r, struct fy_node *node, void *value) {
  const ms_yaml *y = r->from->yaml;
  ms_entry_list *list = value;
  const int is_mapping = ms_yaml_is_mapping(node);
  const ptrdiff_t n = is_mapping ? ms_yaml_count(node) : node ? ms_yaml_count_of(node) : 0;
  void *at = NULL;
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(y->ctx, n, sizeof *list->entry, &list->entry));
  for (; list->n < n; list->n++) {
    ms_entry *e = &list->entry[list->n];
    if (is_mapping) e->value = ms_yaml_next_pair(node, &at, &e->key);
    if (!is_mapping) e->key = ms_yaml_next_of(node, &at);
    MS_TRY(ms_yaml_text(y, e->key, r->row->name, &e->name));
    if (!e->value || !ms_yaml_is_scalar(e->value)) continue;
    MS_TRY(ms_yaml_text(y, e->value, e->name, &e->text));
  }
  return MS_SUCCESS;
}

static void free_entries(ms_context *ctx, void *value) {
  ms_free(ctx, &((ms_entry_list *)value)->entry);
}

const ms_param_reader ms_as_entries = { .read = read_entries, .free = free_entries };
