/* Tables and other files that a YAML file names. */
#include "io/yaml/tables.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/internal.h"

ms_status ms_yaml_path(const ms_yaml *y, const char *file, char **out) {
  const char *slash = strrchr(y->path, '/');
  char *folder;
  if (file[0] == '/') return ms_text_copy(y->ctx, file, out);
  if (!slash) return ms_folder_path(y->ctx, "", file, out);
  ptrdiff_t length = slash - y->path;
  MS_TRY(ms_allocate(y->ctx, length + 2, 1, &folder));
  memcpy(folder, y->path, (size_t)(length > 0 ? length : 1));
  ms_status status = ms_folder_path(y->ctx, folder, file, out);
  ms_free(y->ctx, &folder);
  return status;
}

ms_status ms_yaml_file(const ms_yaml *y, struct fy_node *node, const char *what, char **out) {
  const char *name;
  MS_TRY(ms_yaml_text(y, node, what, &name));
  return ms_yaml_path(y, name, out);
}

static ms_status is_named(const ms_yaml *y, struct fy_node *node, const struct stat *file,
                          int *found) {
  char *path;
  struct stat info;
  const char *text = fy_node_get_scalar0(node);
  if (!text || !*text) return MS_SUCCESS;
  MS_TRY(ms_yaml_path(y, text, &path));
  *found = stat(path, &info) == 0 && info.st_dev == file->st_dev && info.st_ino == file->st_ino;
  ms_free(y->ctx, &path);
  return MS_SUCCESS;
}

/* In or under a node. */
static ms_status is_below(const ms_yaml *y, struct fy_node *node, const struct stat *file,
                          int *found) {
  void *at = NULL;
  struct fy_node *key, *value;
  if (ms_yaml_is_scalar(node)) return is_named(y, node, file, found);
  while (ms_yaml_is_sequence(node) && !*found && (value = ms_yaml_next_item(node, &at)))
    MS_TRY(is_below(y, value, file, found));
  while (ms_yaml_is_mapping(node) && !*found && (value = ms_yaml_next_pair(node, &at, &key)))
    MS_TRY(is_below(y, value, file, found));
  return MS_SUCCESS;
}

ms_status ms_yaml_names_file(const ms_yaml *y, const struct stat *file, int *found) {
  return is_below(y, ms_yaml_root(y), file, found);
}

ms_status ms_yaml_open_table(const ms_yaml *y, struct fy_node *file, ms_table **out) {
  char *path = NULL;
  *out = NULL;
  MS_TRY(ms_yaml_file(y, file, "a table", &path));
  ms_status status = ms_table_read_words(y->ctx, path, out);
  ms_free(y->ctx, &path);
  return ms_yaml_fail_here(y, file, status);
}

ms_status ms_yaml_check_column(const ms_yaml *y, const ms_units *units, struct fy_node *node,
                               const ms_table *table, const char *name, const char *si,
                               double factor) {
  const char *unit = NULL;
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table); c++) {
    if (strcmp(ms_table_get_name(table, c), name) == 0) unit = ms_table_get_unit(table, c);
  }
  if (!unit || ms_units_is_si(units, unit, si) == (factor == 1.0)) return MS_SUCCESS;
  return ms_yaml_fail(y, node, MS_ERR_BOUNDS,
                      "column '%.40s' is in [%.20s]; expected: %s; convert the numbers", name, unit,
                      factor != 1.0          ? "the units of the study"
                      : strcmp(si, "-") == 0 ? "parts of one"
                                             : ms_units_name_si(units, si));
}

int ms_table_is_ours(const ms_table *table) {
  return (ms_table_get_word(table, "sensor", 0) && ms_table_get_column(table, "zeta_viscous")) ||
         (ms_table_get_word(table, "source", 0) &&
          (ms_table_get_column(table, "joint_force") || ms_table_get_column(table, "joint_loss") ||
           ms_table_get_column(table, "loss_deviation"))) ||
         (ms_table_get_word(table, "joint", 0) &&
          ms_table_get_column(table, "peak_displacement")) ||
         (ms_table_get_word(table, "joint", 0) && ms_table_get_column(table, "specimen"));
}

/* ---- points ---- */

ms_status ms_point_table_reserve(ms_context *ctx, ptrdiff_t n, ms_point_table *t) {
  t->capacity = n > 0 ? n : 1;
  MS_TRY(ms_allocate(ctx, 3 * t->capacity, sizeof *t->column, &t->column));
  return ms_allocate(ctx, t->capacity, sizeof *t->row, &t->row);
}

void ms_point_table_add(ms_point_table *t, int row, double x, double y, double z) {
  const ptrdiff_t k = t->n++;
  t->row[k] = row;
  t->column[k] = x;
  t->column[k + t->capacity] = y;
  t->column[k + 2 * t->capacity] = z;
}

void ms_point_table_free(ms_context *ctx, ms_point_table *t) {
  ms_free(ctx, &t->column);
  ms_free(ctx, &t->row);
}

/* ---- columns ---- */

static ms_status fail_column(const ms_yaml *y, struct fy_node *node, const char *key,
                             const char *name, const ms_table *table) {
  const char *word = ms_table_get_word(table, name, 0);
  char columns[240] = "";
  size_t at = 0;
  if (word) {
    return ms_yaml_fail(y, node, MS_ERR_NAME,
                        "line %td: column '%.40s' has '%.40s' instead of a number",
                        ms_table_get_line(table, 0), name, word);
  }
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table) && at + 44 < sizeof columns; c++) {
    at += (size_t)snprintf(columns + at, sizeof columns - at, "%s%.40s", c ? ", " : "",
                           ms_table_get_name(table, c));
  }
  return ms_yaml_fail(y, node, MS_ERR_NAME,
                      "the table has no column '%.40s', but %s; say which it is with columns: {%s: "
                      "...}",
                      name, columns, key);
}

/* A column and its factor to SI; a table without it is refused. */
static ms_status find_column(const ms_yaml *y, struct fy_node *mapping, const ms_units *own_units,
                             const ms_units *units, const ms_point_column *c, const ms_table *table,
                             int *instead, const double **values, double *factor) {
  struct fy_node *names = ms_yaml_get(mapping, "columns");
  struct fy_node *given = names ? ms_yaml_get(names, c->key) : NULL;
  struct fy_node *other = names && c->instead ? ms_yaml_get(names, c->instead) : NULL;
  const char *key = other ? c->instead : c->key, *name = c->name;
  const int ours = ms_table_is_ours(table);
  *instead = other != NULL;
  const double own = ours ? 1.0 : other ? c->instead_factor : c->factor;
  *factor = other ? own * c->scale : own;
  if (given && other) {
    return ms_yaml_fail(y, other, MS_ERR_NAME, "give %s or %s, not both", c->key, c->instead);
  }
  if (other) given = other;
  struct fy_node *node = given ? given : mapping;
  if (c->optional && !given) {
    ms_status status = ms_table_find_column(table, name, values);
    return status == MS_SUCCESS ? status : ms_yaml_fail_here(y, node, status);
  }
  if (given) MS_TRY(ms_yaml_text(y, given, key, &name));
  *values = ms_table_get_column(table, name);
  if (!*values) return fail_column(y, node, key, name, table);
  /* ours say m and N about an axis too */
  return ms_yaml_check_column(y, ours ? own_units : units, node, table, name,
                              other ? c->instead_unit : c->unit, own);
}

/* ---- rows ---- */

static int is_chosen(const ms_table *table, const char *column, const char *word, ptrdiff_t i) {
  return !word || strcmp(ms_table_get_word(table, column, i), word) == 0;
}

/* `what`, and every word of the column once. */
static ms_status fail_choice(const ms_yaml *y, struct fy_node *node, const char *column,
                             const ms_table *table, const char *what) {
  char words[240] = "";
  size_t at = 0;
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table) && at + 44 < sizeof words; i++) {
    const char *word = ms_table_get_word(table, column, i);
    ptrdiff_t k = 0;
    while (k < i && strcmp(ms_table_get_word(table, column, k), word) != 0) k++;
    if (k == i)
      at += (size_t)snprintf(words + at, sizeof words - at, "%s%.40s", at ? ", " : "", word);
  }
  return ms_yaml_fail(y, node, MS_ERR_NAME, "%s: column '%s' has %s", what, column, words);
}

static ms_status choose(const ms_yaml *y, struct fy_node *mapping, const char *key,
                        const char *column, const ms_table *table, const char **out) {
  struct fy_node *node = ms_yaml_get(mapping, key);
  const char *first = ms_table_get_word(table, column, 0);
  const ptrdiff_t rows = ms_table_get_rows(table);
  ptrdiff_t n = 0;
  char what[120];
  *out = NULL;
  if (node) MS_TRY(ms_yaml_text(y, node, key, out));
  if (node && !first) {
    return ms_yaml_fail(y, node, MS_ERR_NAME, "the table has no words in a column '%s'", column);
  }
  for (ptrdiff_t i = 0; first && i < rows; i++)
    n += is_chosen(table, column, *out ? *out : first, i);
  if (!first || (*out ? n > 0 : n == rows)) return MS_SUCCESS;
  snprintf(what, sizeof what, *out ? "there is no %s '%.60s'" : "say which with %s: ...", key,
           *out ? *out : "");
  return fail_choice(y, node ? node : mapping, column, table, what);
}

static ms_status take_rows(const ms_yaml *y, const ms_units *units, struct fy_node *node,
                           const ms_point_choice *r, const ms_table *table, ms_point_table *t) {
  const double *column[3], *mode = NULL;
  const char *word = NULL;
  double factor[3];
  for (int c = 0; c < 3; c++) {
    MS_TRY(find_column(y, node, units, r->units, &r->column[c], table, &t->instead[c], &column[c],
                       &factor[c]));
    t->missing[c] = !column[c];
  }
  if (r->key) MS_TRY(choose(y, node, r->key, r->words, table, &word));
  ms_status status = r->mode > 0.0 ? ms_table_find_column(table, "mode", &mode) : MS_SUCCESS;
  if (status != MS_SUCCESS) return ms_yaml_fail_here(y, node, status);
  const int decays = r->mode > 0.0 && ms_table_get_word(table, "source", 0);
  MS_TRY(ms_point_table_reserve(y->ctx, ms_table_get_rows(table), t));
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table); i++) {
    if (mode && mode[i] != r->mode) continue;
    if (!is_chosen(table, r->words, word, i)) continue;
    if (decays && !(column[2][i] > 0.0)) {
      t->left_out++;
      continue;
    }
    ms_point_table_add(t, (int)ms_table_get_line(table, i), factor[0] * column[0][i],
                       factor[1] * column[1][i], column[2] ? factor[2] * column[2][i] : 0.0);
  }
  return MS_SUCCESS;
}

ms_status ms_point_table_read(const ms_yaml *y, const ms_units *units, struct fy_node *node,
                              struct fy_node *file, const ms_point_choice *choice,
                              ms_point_table *t) {
  ms_table *table;
  MS_TRY(ms_yaml_open_table(y, file, &table));
  ms_status status = take_rows(y, units, node, choice, table, t);
  ms_table_destroy(&table);
  return status;
}
