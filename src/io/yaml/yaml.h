/* Reading YAML: nodes with their place in the file, so that every complaint can point at it. */
#ifndef MS_IO_YAML_YAML_H
#define MS_IO_YAML_YAML_H

#include <libfyaml.h>
#include <microslip/context.h>
#include <microslip/param.h>

typedef struct ms_yaml {
  ms_context *ctx;
  char *path;
  char *text; /* the file, for quoting lines */
  struct fy_document *document;
} ms_yaml;

ms_status ms_yaml_open(ms_context *ctx, const char *path, ms_yaml *yaml);
/* The same text, read again: as the file was, without what was set since. */
ms_status ms_yaml_copy(const ms_yaml *from, ms_context *ctx, ms_yaml *yaml);
void ms_yaml_close(ms_yaml *yaml);
/* text.c: the whole file in yaml->text; what a study may not have, or NULL, and its place. */
ms_status ms_yaml_read_text(ms_yaml *yaml);
const char *ms_yaml_find_fault(const char *text, struct fy_diag *diag, int *line, int *column);
/* repeated_keys.c: no mapping in the node or below has a key twice. */
ms_status ms_yaml_check_repeated(const ms_yaml *yaml, struct fy_node *node);
struct fy_node *ms_yaml_root(const ms_yaml *yaml);
/* A parser's diagnostics that print nothing and are kept; NULL without memory. */
struct fy_diag *ms_yaml_create_diag(void);

/* key_path.c: "joints.lap.beta=3", as if the file said so. */
ms_status ms_yaml_override(ms_yaml *yaml, const char *assignment);
/* What stands at "joints.lap.beta" or, items of lists counted from 0,
   "structure.chain.springs.0.2"; NULL if nothing does. */
struct fy_node *ms_yaml_find(const ms_yaml *yaml, const char *path);
/* The last two keys of a path, or more where the first of them is the number of an item. */
const char *ms_yaml_short_path(const char *path);
/* A scalar's line (from 1) and its bytes in the text; 0 if it is not from the file. */
typedef struct ms_yaml_span {
  int line;
  ptrdiff_t begin, end;
} ms_yaml_span;
int ms_yaml_get_span(const ms_yaml *yaml, struct fy_node *node, ms_yaml_span *out);
/* changed_lines.c: the lines of the file with these numbers in place of its own, each under its
   line number; what the file does not have as --set path=number. *out is the caller's. */
typedef struct ms_yaml_value {
  const char *path;
  double value;
} ms_yaml_value;
ms_status ms_yaml_write_changes(const ms_yaml *yaml, ptrdiff_t n, const ms_yaml_value *value,
                                char **out);

/* "file:line:column: what", then the line and a caret under the node. */
ms_status ms_yaml_fail(const ms_yaml *yaml, struct fy_node *node, ms_status status,
                       const char *format, ...) MS_PRINTF(4, 5);
/* The message that waits in the context, put at the node's place; success is returned as it is. */
ms_status ms_yaml_fail_here(const ms_yaml *yaml, struct fy_node *node, ms_status status);
/* That message without a place in this file and `name: `, which are said elsewhere, and without the
   line that it shows. */
void ms_yaml_print_reason(const ms_yaml *yaml, const char *name, char *out, size_t size);
/* The same of a message in another context, a worker's. */
ms_status ms_yaml_fail_of(const ms_yaml *yaml, ms_context *ctx, struct fy_node *node,
                          ms_status status);

/* The node must be a mapping with no other keys than these, and all required ones. */
ms_status ms_yaml_check_keys(const ms_yaml *yaml, struct fy_node *node, const char *what,
                             const ms_param *keys, int n);
/* NULL where the key is absent. */
struct fy_node *ms_yaml_get(struct fy_node *mapping, const char *key);
/* By its name or its earlier one. */
struct fy_node *ms_yaml_get_key(struct fy_node *mapping, const ms_param *key);
/* Iteration; *at is NULL at first, NULL is returned at the end. */
struct fy_node *ms_yaml_next_item(struct fy_node *sequence, void **at);
/* The same; what is no list is one item. */
struct fy_node *ms_yaml_next_of(struct fy_node *node, void **at);
struct fy_node *ms_yaml_next_pair(struct fy_node *mapping, void **at, struct fy_node **key);
int ms_yaml_is_mapping(struct fy_node *node);
int ms_yaml_is_sequence(struct fy_node *node);
int ms_yaml_is_scalar(struct fy_node *node);
/* A scalar of exactly this text? */
int ms_yaml_is_word(struct fy_node *node, const char *word);
/* Number of items or pairs. */
ptrdiff_t ms_yaml_count(struct fy_node *node);
/* Of what ms_yaml_next_of goes through. */
ptrdiff_t ms_yaml_count_of(struct fy_node *node);

/* Values; the text is owned by the document. */
ms_status ms_yaml_text(const ms_yaml *yaml, struct fy_node *node, const char *what,
                       const char **out);
ms_status ms_yaml_number(const ms_yaml *yaml, struct fy_node *node, const char *what, double *out);
ms_status ms_yaml_positive(const ms_yaml *yaml, struct fy_node *node, const char *what,
                           double *out);
ms_status ms_yaml_count_value(const ms_yaml *yaml, struct fy_node *node, const char *what,
                              ptrdiff_t least, ptrdiff_t *out);
/* A number or a list of numbers; *out is the caller's to ms_free. */
ms_status ms_yaml_numbers(const ms_yaml *yaml, struct fy_node *node, const char *what, double **out,
                          ptrdiff_t *n);
/* [lower, upper]. */
ms_status ms_yaml_bounds(const ms_yaml *yaml, struct fy_node *node, double *lower, double *upper);

#endif
