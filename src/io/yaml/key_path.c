/* Places in a study by their path: keys with points between, items of lists by their number from 0.
   A key may have points itself: joints.bolt.1.K_T is K_T of bolt.1 if there is such a joint. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/yaml/yaml.h"

/* ---- finding ---- */

static struct fy_node *walk(struct fy_node *node, const char *path);

/* What is left of the path behind the key, NULL if it does not begin with it. */
static const char *behind(const char *path, struct fy_node *key) {
  const char *name = ms_yaml_is_scalar(key) ? fy_node_get_scalar0(key) : NULL;
  size_t length = name ? strlen(name) : 0;
  if (length == 0 || strncmp(path, name, length) != 0) return NULL;
  if (path[length] == '.') return path + length + 1;
  return path[length] ? NULL : path + length;
}

static struct fy_node *walk_item(struct fy_node *sequence, const char *path) {
  char *end;
  if (*path < '0' || *path > '9') return NULL;
  long i = strtol(path, &end, 10);
  if ((*end && *end != '.') || i >= ms_yaml_count(sequence)) return NULL;
  return walk(fy_node_sequence_get_by_index(sequence, (int)i), *end ? end + 1 : end);
}

static struct fy_node *walk(struct fy_node *node, const char *path) {
  void *at = NULL;
  if (!*path) return node;
  if (ms_yaml_is_sequence(node)) return walk_item(node, path);
  if (!ms_yaml_is_mapping(node)) return NULL;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    const char *rest = behind(path, key);
    struct fy_node *found = rest ? walk(value, rest) : NULL;
    if (found) return found;
  }
  return NULL;
}

struct fy_node *ms_yaml_find(const ms_yaml *y, const char *path) {
  return *path ? walk(ms_yaml_root(y), path) : NULL;
}

/* ---- where it stands ---- */

int ms_yaml_get_span(const ms_yaml *y, struct fy_node *node, ms_yaml_span *out) {
  struct fy_token *token = ms_yaml_is_scalar(node) ? fy_node_get_scalar_token(node) : NULL;
  const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL;
  const struct fy_mark *end = token ? fy_token_end_mark(token) : NULL;
  int lines = 1;
  for (const char *c = y->text; (c = strchr(c, '\n')); c++) lines++;
  if (!start || !end || start->line >= lines) return 0;
  *out = (ms_yaml_span) { start->line + 1, (ptrdiff_t)start->input_pos, (ptrdiff_t)end->input_pos };
  return 1;
}

/* ---- setting ---- */

/* Is it YAML? Asked before the text goes into a document, which would keep the errors for ever. */
static int is_yaml(const char *text) {
  struct fy_diag *diag = ms_yaml_create_diag();
  if (!diag) return 0;
  struct fy_parse_cfg parse = { .flags = FYPCF_QUIET, .diag = diag };
  int line, column, fault = ms_yaml_find_fault(text, diag, &line, &column) != NULL;
  struct fy_document *document = fault ? NULL : fy_document_build_from_string(&parse, text, FY_NT);
  int good = document && fy_document_root(document);
  if (document) fy_document_destroy(document);
  fy_diag_destroy(diag);
  return good;
}

/* A node whose line lies beyond the last line of the file: messages then name no line. */
static struct fy_node *build_beyond(const ms_yaml *y, const char *entry) {
  size_t lines = 2, length = strlen(entry);
  for (const char *c = y->text; (c = strchr(c, '\n')); c++) lines++;
  char *kept = malloc(lines + length + 1); /* the document takes it over */
  if (!kept) return NULL;
  memset(kept, '\n', lines);
  memcpy(kept + lines, entry, length + 1);
  return fy_node_build_from_malloc_string(y->document, kept, lines + length);
}

/* Puts the value under the key. libfyaml would join lists and mappings to those that are there; it
   replaces only where a scalar meets anything, so a scalar goes first. */
static int insert_entry(const ms_yaml *y, struct fy_node *parent, const char *key,
                        const char *value) {
  char text[2][2304];
  snprintf(text[0], sizeof text[0], "%s: 0", key);
  snprintf(text[1], sizeof text[1], "%s: %s", key, value);
  int inserted = is_yaml(text[1]);
  for (int i = 0; i < 2 && inserted; i++) {
    struct fy_node *node = build_beyond(y, text[i]);
    inserted = node && fy_node_insert(parent, node) == 0; /* a copy of it */
    if (node) fy_node_free(node);
  }
  return inserted;
}

static int replace_item(const ms_yaml *y, struct fy_node *sequence, struct fy_node *item,
                        const char *value) {
  struct fy_node *node = is_yaml(value) ? build_beyond(y, value) : NULL;
  if (!node) return 0;
  if (fy_node_sequence_insert_after(sequence, item, node) != 0) {
    fy_node_free(node);
    return 0;
  }
  fy_node_free(fy_node_sequence_remove(sequence, item));
  return 1;
}

/* The key of a mapping's value, as the file has it. */
static const char *name_of(struct fy_node *mapping, const struct fy_node *value) {
  void *at = NULL;
  for (struct fy_node *key, *each; (each = ms_yaml_next_pair(mapping, &at, &key));) {
    if (each == value) return fy_node_get_scalar0(key);
  }
  return "";
}

static int replace(const ms_yaml *y, struct fy_node *node, const char *value) {
  struct fy_node *parent = fy_node_get_parent(node);
  char key[256];
  if (ms_yaml_is_sequence(parent)) return replace_item(y, parent, node, value);
  snprintf(key, sizeof key, "%s", name_of(parent, node)); /* which is gone in between */
  return insert_entry(y, parent, key, value);
}

/* A key that is not there yet, in a mapping that is. */
static ms_status add(const ms_yaml *y, const char *assignment, char *path, const char *value,
                     int *done) {
  char *last = strrchr(path, '.');
  if (last) *last = '\0';
  struct fy_node *parent = last ? ms_yaml_find(y, path) : ms_yaml_root(y);
  if (!ms_yaml_is_mapping(parent)) {
    return ms_fail(y->ctx, MS_ERR_NAME, "--set %s: the study has no '%s' to set it in", assignment,
                   last ? path : "top level");
  }
  *done = insert_entry(y, parent, last ? last + 1 : path, value);
  return MS_SUCCESS;
}

ms_status ms_yaml_override(ms_yaml *y, const char *assignment) {
  const char *equals = strchr(assignment, '=');
  char path[256];
  if (!equals || equals == assignment || equals[-1] == '.' || !equals[1] ||
      equals - assignment > 200 || strlen(assignment) > 2000) {
    return ms_fail(y->ctx, MS_ERR_ARGUMENT,
                   "write --set KEY.KEY=VALUE, e.g. joints.lap.beta=3, not "
                   "'%.200s'",
                   assignment);
  }
  snprintf(path, sizeof path, "%.*s", (int)(equals - assignment), assignment);
  struct fy_node *node = ms_yaml_find(y, path);
  int done = 0;
  if (node) {
    done = replace(y, node, equals + 1);
  } else {
    MS_TRY(add(y, assignment, path, equals + 1, &done));
  }
  if (done) return MS_SUCCESS;
  return ms_fail(y->ctx, MS_ERR_FORMAT, "--set %s: '%s' is no YAML value", assignment, equals + 1);
}

/* ---- in words ---- */

/* The beginning of the key before the one at `key`. */
static const char *step_back(const char *path, const char *key) {
  if (key > path) key--;
  while (key > path && key[-1] != '.') key--;
  return key;
}

const char *ms_yaml_short_path(const char *path) {
  const char *key = step_back(path, step_back(path, path + strlen(path)));
  while (key > path && *key >= '0' && *key <= '9') key = step_back(path, key);
  return key;
}
