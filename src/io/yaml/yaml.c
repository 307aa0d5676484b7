#include "io/yaml/yaml.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

/* ---- messages ---- */

/* Behind the end of a line: LF, CR LF or, as YAML has it, CR alone; NULL behind the last. */
static const char *next_line(const char *text) {
  text += strcspn(text, "\r\n");
  if (!*text) return NULL;
  return text + (text[0] == '\r' && text[1] == '\n' ? 2 : 1);
}

/* The line `line` (1-based) of the file, without its end. */
static int find_line(const char *text, int line, const char **begin) {
  for (int i = 1; i < line && text; i++) text = next_line(text);
  *begin = text;
  return text ? (int)strcspn(text, "\r\n") : 0;
}

static ms_status fail_at(const ms_yaml *y, int line, int column, ms_status status,
                         const char *what) {
  const char *quote;
  int length = find_line(y->text, line, &quote);
  if (line < 1) return ms_fail(y->ctx, status, "%s: %s", y->path, what);
  if (!quote) return ms_fail(y->ctx, status, "--set: %s", what);
  char text[201]; /* a tab becomes a blank: the caret shall stand below its place */
  snprintf(text, sizeof text, "%.*s", length, quote);
  for (char *c = text; *c; c++) *c = *c == '\t' ? ' ' : *c;
  return ms_fail(y->ctx, status, "%s:%d:%d: %s\n  %s\n  %*s^", y->path, line, column, what, text,
                 column - 1, "");
}

/* The first scalar in or under a node: only scalars know where they stand. */
static struct fy_node *first_scalar(struct fy_node *node) {
  while (node && !fy_node_is_scalar(node)) {
    void *at = NULL;
    struct fy_node *key = NULL;
    if (fy_node_is_mapping(node)) {
      if (!ms_yaml_next_pair(node, &at, &key)) return NULL;
      node = key;
    } else {
      node = ms_yaml_next_item(node, &at);
    }
  }
  return node;
}

/* A node without a place of its own, such as an empty list, is reported at the key it belongs to.
 */
static struct fy_node *key_of(struct fy_node *node) {
  struct fy_node *parent = node ? fy_node_get_parent(node) : NULL;
  void *at = NULL;
  for (struct fy_node *key, *value; ms_yaml_is_mapping(parent);) {
    value = ms_yaml_next_pair(parent, &at, &key);
    if (!value) break;
    if (value == node) return key;
  }
  return parent;
}

static const struct fy_mark *mark_of(struct fy_node *scalar) {
  struct fy_token *token = scalar ? fy_node_get_scalar_token(scalar) : NULL;
  return token ? fy_token_start_mark(token) : NULL;
}

static void place_of(struct fy_node *node, int *line, int *column) {
  const struct fy_mark *mark = mark_of(first_scalar(node));
  if (!mark) mark = mark_of(first_scalar(key_of(node)));
  *line = mark ? mark->line + 1 : 0;
  *column = mark ? mark->column + 1 : 0;
}

ms_status ms_yaml_fail(const ms_yaml *y, struct fy_node *node, ms_status status, const char *format,
                       ...) {
  char what[512];
  int line, column;
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  place_of(node, &line, &column);
  return fail_at(y, line, column, status, what);
}

void ms_yaml_print_reason(const ms_yaml *y, const char *name, char *out, size_t size) {
  const char *text = ms_context_message(y->ctx);
  const size_t path = strlen(y->path), length = strlen(name);
  int line, column, n = 0;
  if (strncmp(text, y->path, path) == 0 &&
      sscanf(text + path, ":%d:%d: %n", &line, &column, &n) == 2 && n > 0) {
    text += path + (size_t)n;
  }
  if (strncmp(text, name, length) == 0 && strncmp(text + length, ": ", 2) == 0) text += length + 2;
  snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
}

ms_status ms_yaml_fail_of(const ms_yaml *y, ms_context *ctx, struct fy_node *node,
                          ms_status status) {
  char what[512];
  if (status == MS_SUCCESS) return status;
  snprintf(what, sizeof what, "%s", ms_context_message(ctx));
  return ms_yaml_fail(y, node, status, "%s", what);
}

ms_status ms_yaml_fail_here(const ms_yaml *y, struct fy_node *node, ms_status status) {
  return ms_yaml_fail_of(y, y->ctx, node, status);
}

/* ---- the file ---- */

/* The last line that has something on it, and the column behind that. */
static void find_end(const char *text, int *line, int *column) {
  *line = *column = 1;
  for (int i = 1; text; i++, text = next_line(text)) {
    const int length = (int)strcspn(text, "\r\n");
    if (strspn(text, " \t") < (size_t)length) *line = i, *column = length + 1;
  }
}

/* The first error of the parser, at its place. */
static ms_status parse_error(const ms_yaml *y, struct fy_diag *diag) {
  void *at = NULL;
  const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
  if (!error) return ms_fail(y->ctx, MS_ERR_FORMAT, "%s: is empty or not YAML", y->path);
  int line = error->line, column = error->column;
  const char *there;
  find_line(y->text, line, &there);
  if (!there || !*there) find_end(y->text, &line, &column); /* something lacks its end */
  return fail_at(y, line, column, MS_ERR_FORMAT, error->msg);
}

/* The library never prints: errors are collected, and anything else said is dropped. */
static void drop_output(struct fy_diag *diag, void *user, const char *text, size_t length) {
  (void)diag, (void)user, (void)text, (void)length;
}

struct fy_diag *ms_yaml_create_diag(void) {
  struct fy_diag_cfg config;
  fy_diag_cfg_default(&config);
  config.fp = NULL;
  config.output_fn = drop_output;
  struct fy_diag *diag = fy_diag_create(&config);
  if (diag) fy_diag_set_collect_errors(diag, true);
  return diag;
}

static ms_status build_document(ms_yaml *y, struct fy_diag *diag) {
  int line, column;
  struct fy_parse_cfg parse = { .flags = FYPCF_QUIET | FYPCF_ALLOW_DUPLICATE_KEYS, .diag = diag };
  const char *fault = ms_yaml_find_fault(y->text, diag, &line, &column);
  if (fault) return fail_at(y, line, column, MS_ERR_FORMAT, fault);
  y->document = fy_document_build_from_string(&parse, y->text, strlen(y->text));
  if (!y->document || !fy_document_root(y->document)) return parse_error(y, diag);
  return ms_yaml_check_repeated(y, fy_document_root(y->document));
}

static ms_status parse_text(ms_yaml *y) {
  struct fy_diag *diag = ms_yaml_create_diag();
  if (!diag) return ms_fail(y->ctx, MS_ERR_MEMORY, "out of memory for the study");
  ms_status status = build_document(y, diag);
  fy_diag_destroy(diag);
  return status;
}

ms_status ms_yaml_open(ms_context *ctx, const char *path, ms_yaml *y) {
  *y = (ms_yaml) { .ctx = ctx };
  ms_status status = ms_text_copy(ctx, path, &y->path);
  if (status == MS_SUCCESS) status = ms_yaml_read_text(y);
  if (status == MS_SUCCESS) status = parse_text(y);
  if (status != MS_SUCCESS) ms_yaml_close(y);
  return status;
}

ms_status ms_yaml_copy(const ms_yaml *from, ms_context *ctx, ms_yaml *y) {
  *y = (ms_yaml) { .ctx = ctx };
  ms_status status = ms_text_copy(ctx, from->path, &y->path);
  if (status == MS_SUCCESS) status = ms_text_copy(ctx, from->text, &y->text);
  if (status == MS_SUCCESS) status = parse_text(y);
  if (status != MS_SUCCESS) ms_yaml_close(y);
  return status;
}

void ms_yaml_close(ms_yaml *y) {
  if (y->document) fy_document_destroy(y->document);
  y->document = NULL;
  if (!y->ctx) return;
  ms_free(y->ctx, &y->text);
  ms_free(y->ctx, &y->path);
}

struct fy_node *ms_yaml_root(const ms_yaml *y) {
  return fy_document_root(y->document);
}

/* ---- mappings and sequences ---- */

int ms_yaml_is_mapping(struct fy_node *node) {
  return node && fy_node_is_mapping(node);
}

int ms_yaml_is_sequence(struct fy_node *node) {
  return node && fy_node_is_sequence(node);
}

int ms_yaml_is_scalar(struct fy_node *node) {
  return node && fy_node_is_scalar(node);
}

ptrdiff_t ms_yaml_count(struct fy_node *node) {
  if (ms_yaml_is_mapping(node)) return fy_node_mapping_item_count(node);
  return ms_yaml_is_sequence(node) ? fy_node_sequence_item_count(node) : 1;
}

ptrdiff_t ms_yaml_count_of(struct fy_node *node) {
  return ms_yaml_is_sequence(node) ? ms_yaml_count(node) : 1;
}

int ms_yaml_is_word(struct fy_node *node, const char *word) {
  size_t length;
  const char *text = ms_yaml_is_scalar(node) ? fy_node_get_scalar(node, &length) : NULL;
  return text && length == strlen(word) && memcmp(text, word, length) == 0;
}

/* libfyaml's own search makes a document of the key, to compare it with every other. */
struct fy_node *ms_yaml_get(struct fy_node *mapping, const char *key) {
  void *at = NULL;
  if (!ms_yaml_is_mapping(mapping)) return NULL;
  for (struct fy_node *each, *value; (value = ms_yaml_next_pair(mapping, &at, &each));) {
    if (ms_yaml_is_word(each, key)) return value;
  }
  return NULL;
}

struct fy_node *ms_yaml_get_key(struct fy_node *mapping, const ms_param *key) {
  struct fy_node *value = ms_yaml_get(mapping, key->name);
  return value || !key->was ? value : ms_yaml_get(mapping, key->was);
}

struct fy_node *ms_yaml_next_item(struct fy_node *sequence, void **at) {
  return fy_node_sequence_iterate(sequence, at);
}

struct fy_node *ms_yaml_next_of(struct fy_node *node, void **at) {
  if (ms_yaml_is_sequence(node)) return ms_yaml_next_item(node, at);
  struct fy_node *only = *at ? NULL : node;
  *at = node;
  return only;
}

struct fy_node *ms_yaml_next_pair(struct fy_node *mapping, void **at, struct fy_node **key) {
  struct fy_node_pair *pair = fy_node_mapping_iterate(mapping, at);
  if (!pair) return NULL;
  *key = fy_node_pair_key(pair);
  return fy_node_pair_value(pair);
}

static const char *key_name(const void *list, int i) {
  return ((const ms_param *)list)[i].name;
}

static ms_status unknown_key(const ms_yaml *y, struct fy_node *key, const char *what,
                             const ms_param *keys, int n) {
  const char *name = fy_node_get_scalar0(key);
  const char *near = ms_text_nearest(name ? name : "", key_name, keys, n);
  char list[320] = "";
  for (int i = 0, at = 0; i < n && at < 280; i++) {
    at += snprintf(list + at, sizeof list - (size_t)at, "%s%s", i ? ", " : "", keys[i].name);
  }
  return ms_yaml_fail(y, key, MS_ERR_NAME, "%s has no key '%s'; %s%s%s", what, name ? name : "?",
                      near ? "did you mean '" : "there are ", near ? near : list, near ? "'?" : "");
}

/* A key that is not in the list: one by its earlier name, or an error. */
static ms_status take_earlier_name(const ms_yaml *y, struct fy_node *node, struct fy_node *key,
                                   const char *what, const ms_param *keys, int n) {
  int i = 0;
  while (i < n && !(keys[i].was && ms_yaml_is_word(key, keys[i].was))) i++;
  if (i == n) return unknown_key(y, key, what, keys, n);
  if (ms_yaml_get(node, keys[i].name)) {
    return ms_yaml_fail(y, key, MS_ERR_NAME, "'%s' is the earlier name of '%s', which %s has, too",
                        keys[i].was, keys[i].name, what);
  }
  int line, column;
  place_of(key, &line, &column);
  ms_log(y->ctx, MS_LOG_INFO, "%s:%d:%d: '%s' is called '%s' now", y->path, line, column,
         keys[i].was, keys[i].name);
  return MS_SUCCESS;
}

ms_status ms_yaml_check_keys(const ms_yaml *y, struct fy_node *node, const char *what,
                             const ms_param *keys, int n) {
  if (!ms_yaml_is_mapping(node)) {
    int i = 0;
    if (keys[0].name[0] == '*') {
      return ms_yaml_fail(y, node, MS_ERR_FORMAT,
                          "%s must be a mapping, with a name for each entry", what);
    }
    while (i < n - 1 && !keys[i].required) i++;
    return ms_yaml_fail(y, node, MS_ERR_FORMAT, "%s must be a mapping with keys such as '%s'", what,
                        keys[keys[i].required ? i : 0].name);
  }
  void *at = NULL;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    int known = 0;
    for (int i = 0; i < n; i++) {
      known |= keys[i].name[0] == '*' || ms_yaml_is_word(key, keys[i].name);
    }
    if (!known) MS_TRY(take_earlier_name(y, node, key, what, keys, n));
  }
  for (int i = 0; i < n; i++) {
    if (!keys[i].required || ms_yaml_get_key(node, &keys[i])) continue;
    return ms_yaml_fail(y, node, MS_ERR_NAME, "%s needs '%s': %s", what, keys[i].name,
                        keys[i].meaning);
  }
  return MS_SUCCESS;
}

/* ---- values ---- */

ms_status ms_yaml_text(const ms_yaml *y, struct fy_node *node, const char *what, const char **out) {
  *out = ms_yaml_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
  if (*out) return MS_SUCCESS;
  return ms_yaml_fail(y, node, MS_ERR_FORMAT, "%s must be a word", what);
}

ms_status ms_yaml_number(const ms_yaml *y, struct fy_node *node, const char *what, double *out) {
  const char *text = ms_yaml_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
  if (text && ms_text_number(text, strlen(text), out) == MS_SUCCESS) return MS_SUCCESS;
  return ms_yaml_fail(y, node, MS_ERR_FORMAT, "%s must be a finite number%s%s%s", what,
                      text ? ", not '" : "", text ? text : "", text ? "'" : "");
}

ms_status ms_yaml_positive(const ms_yaml *y, struct fy_node *node, const char *what, double *out) {
  MS_TRY(ms_yaml_number(y, node, what, out));
  if (*out > 0.0) return MS_SUCCESS;
  return ms_yaml_fail(y, node, MS_ERR_BOUNDS, "%s must be > 0, not %g", what, *out);
}

ms_status ms_yaml_count_value(const ms_yaml *y, struct fy_node *node, const char *what,
                              ptrdiff_t least, ptrdiff_t *out) {
  double value;
  MS_TRY(ms_yaml_number(y, node, what, &value));
  if (value >= (double)least && value == floor(value) && value < 1e15) {
    *out = (ptrdiff_t)value;
    return MS_SUCCESS;
  }
  return ms_yaml_fail(y, node, MS_ERR_BOUNDS, "%s must be a whole number >= %td, not %g", what,
                      least, value);
}

ms_status ms_yaml_numbers(const ms_yaml *y, struct fy_node *node, const char *what, double **out,
                          ptrdiff_t *n) {
  *out = NULL;
  *n = ms_yaml_count(node);
  if (ms_yaml_is_mapping(node) || *n == 0) {
    return ms_yaml_fail(y, node, MS_ERR_FORMAT, "%s must be a number or a list of numbers", what);
  }
  MS_TRY(ms_allocate(y->ctx, *n, sizeof **out, out));
  void *at = NULL;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < *n && status == MS_SUCCESS; i++) {
    struct fy_node *item = ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, &at) : node;
    status = ms_yaml_number(y, item, what, &(*out)[i]);
  }
  if (status != MS_SUCCESS) ms_free(y->ctx, out);
  return status;
}

ms_status ms_yaml_bounds(const ms_yaml *y, struct fy_node *node, double *lower, double *upper) {
  double *value = NULL;
  ptrdiff_t n = 0;
  MS_TRY(ms_yaml_numbers(y, node, "bounds", &value, &n));
  const int valid = n == 2 && value[0] < value[1];
  if (valid) *lower = value[0], *upper = value[1];
  ms_free(y->ctx, &value);
  if (valid) return MS_SUCCESS;
  return ms_yaml_fail(y, node, MS_ERR_BOUNDS,
                      "bounds are two numbers, the lower first, e.g. [1, 100]");
}
