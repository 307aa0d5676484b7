/* Keys that a mapping has twice. libfyaml compares every key with all before it, which takes
   seconds for thousands of masses or joints; sorted keys are compared with their neighbours. */
#include <stdlib.h>
#include <string.h>

#include "io/yaml/yaml.h"

typedef struct named {
  const char *text;
  size_t length;
  struct fy_node *key;
  ptrdiff_t at; /* in the mapping */
} named;

static int compare_text(const named *a, const named *b) {
  const size_t n = a->length < b->length ? a->length : b->length;
  const int order = n > 0 ? memcmp(a->text, b->text, n) : 0;
  return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static int compare(const void *x, const void *y) {
  const named *a = x, *b = y;
  const int order = compare_text(a, b);
  return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

/* The first key that was there before; keys that are no words are refused by who reads them. */
static ms_status check_mapping(const ms_yaml *y, struct fy_node *mapping) {
  const named *again = NULL;
  named *list;
  ptrdiff_t n = 0;
  void *at = NULL;
  MS_TRY(ms_allocate(y->ctx, ms_yaml_count(mapping), sizeof *list, &list));
  for (struct fy_node *key; ms_yaml_next_pair(mapping, &at, &key);) {
    size_t length;
    const char *text = ms_yaml_is_scalar(key) ? fy_node_get_scalar(key, &length) : NULL;
    if (text) list[n] = (named) { text, length, key, n }, n++;
  }
  if (n > 1) qsort(list, (size_t)n, sizeof *list, compare);
  for (ptrdiff_t i = 1; i < n; i++) {
    if (compare_text(&list[i], &list[i - 1]) != 0) continue;
    if (!again || list[i].at < again->at) again = &list[i];
  }
  ms_status status = MS_SUCCESS;
  if (again) {
    status = ms_yaml_fail(y, again->key, MS_ERR_FORMAT, "duplicate key '%.*s'; write it once",
                          again->length < 100 ? (int)again->length : 100, again->text);
  }
  ms_free(y->ctx, &list);
  return status;
}

ms_status ms_yaml_check_repeated(const ms_yaml *y, struct fy_node *node) {
  void *at = NULL;
  if (ms_yaml_is_sequence(node)) {
    for (struct fy_node *item; (item = ms_yaml_next_item(node, &at));) {
      MS_TRY(ms_yaml_check_repeated(y, item));
    }
  }
  if (!ms_yaml_is_mapping(node)) return MS_SUCCESS;
  MS_TRY(check_mapping(y, node));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    MS_TRY(ms_yaml_check_repeated(y, value));
  }
  return MS_SUCCESS;
}
