#include "io/yaml/places.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "io/yaml/tables.h"

static const ms_param rows[] = {
  { .name = "*",
    .kind = MS_PARAM_NUMBERS,
    .count = 3,
    .unit = "m",
    MS_ANY,
    .meaning = "where the point is" },
};
const ms_param_list ms_places_keys = MS_LIST_OF(rows);

void ms_yaml_free_places(ms_context *ctx, ptrdiff_t n, ms_yaml_place **place) {
  for (ptrdiff_t i = 0; i < n; i++) ms_free(ctx, &(*place)[i].name);
  ms_free(ctx, place);
}

static ms_status add_place(const ms_yaml *y, struct fy_node *node, const char *name,
                           const double *x, ptrdiff_t *n, ms_yaml_place **place) {
  char *own;
  MS_TRY(ms_resize(y->ctx, *n + 1, sizeof **place, place));
  MS_TRY(ms_text_copy(y->ctx, name, &own));
  (*place)[(*n)++] = (ms_yaml_place) { own, { x[0], x[1], x[2] }, node };
  return MS_SUCCESS;
}

/* A name in a table: a word, or a number without a fraction. NULL: neither. */
static const char *read_name(const ms_table *table, const char *column, ptrdiff_t row,
                             char text[32]) {
  const double *number = ms_table_get_column(table, column);
  if (!number) return ms_table_get_word(table, column, row);
  snprintf(text, 32, "%.15g", number[row]);
  return text;
}

static ms_status read_file(const ms_key_source *from, struct fy_node *node, const char *what,
                           ptrdiff_t *n, ms_yaml_place **out) {
  static const char *const axis[] = { "x", "y", "z" };
  const double l = from->units->length;
  ms_table *table;
  const double *x[3];
  char text[32];
  MS_TRY(ms_yaml_open_table(from->yaml, node, &table));
  ms_status status = MS_SUCCESS;
  for (int d = 0; d < 3 && status == MS_SUCCESS; d++) {
    x[d] = ms_table_get_column(table, axis[d]);
    if (!x[d] || !read_name(table, "name", 0, text)) {
      status = ms_yaml_fail(
          from->yaml, node, MS_ERR_FORMAT,
          "a file of %s has the columns name (words or numbers), x, y, z (numbers)", what);
    } else {
      status = ms_yaml_check_column(from->yaml, from->units, node, table, axis[d], "m", l);
    }
  }
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < ms_table_get_rows(table); i++) {
    const double at[3] = { l * x[0][i], l * x[1][i], l * x[2][i] };
    status = add_place(from->yaml, node, read_name(table, "name", i, text), at, n, out);
  }
  ms_table_destroy(&table);
  return status;
}

ms_status ms_yaml_read_places(const ms_key_source *from, struct fy_node *node, const char *what,
                              ptrdiff_t *n, ms_yaml_place **out) {
  void *at = NULL;
  const char *name;
  *n = 0;
  *out = NULL;
  if (ms_yaml_is_scalar(node)) return read_file(from, node, what, n, out);
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(from->yaml, node, MS_ERR_FORMAT,
                        "%s must be a mapping, name: [x, y, z], or the name of a file with the "
                        "columns name, x, y, z",
                        what);
  }
  for (struct fy_node *key, *item; (item = ms_yaml_next_pair(node, &at, &key));) {
    ms_few x = { 0 };
    ms_param row = rows[0];
    MS_TRY(ms_yaml_text(from->yaml, key, "a point's name", &name));
    row.name = name;
    MS_TRY(ms_as_few.read(&(ms_reading) { from->study, from->task, &row, from }, item, &x));
    MS_TRY(add_place(from->yaml, key, name, x.value, n, out));
  }
  return MS_SUCCESS;
}

static ms_status find_place(const ms_yaml *y, struct fy_node *node, const char *what, ptrdiff_t n,
                            const ms_yaml_place *place, const char *name, int32_t *out) {
  ptrdiff_t i = 0;
  while (i < n && strcmp(place[i].name, name) != 0) i++;
  *out = (int32_t)i;
  if (i < n) return MS_SUCCESS;
  return ms_yaml_fail(y, node, MS_ERR_NAME, "%s has no point '%.60s'", what, name);
}

/* So many words, which are points. */
static ms_status read_points(const ms_yaml *y, struct fy_node *list, const char *what, ptrdiff_t n,
                             const ms_yaml_place *place, int32_t *out) {
  void *at = NULL;
  const char *name;
  for (struct fy_node *item; (item = ms_yaml_next_item(list, &at)); out++) {
    MS_TRY(ms_yaml_text(y, item, "a point", &name));
    MS_TRY(find_place(y, item, what, n, place, name, out));
  }
  return MS_SUCCESS;
}

ms_status ms_yaml_read_lines(const ms_yaml *y, struct fy_node *node, const char *what, ptrdiff_t n,
                             const ms_yaml_place *place, ptrdiff_t *n_line, int32_t **line) {
  void *at = NULL;
  *n_line = 0;
  *line = NULL;
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_sequence(node))
    return ms_yaml_fail(y, node, MS_ERR_FORMAT, "lines must be a list of [point, point]");
  MS_TRY(ms_allocate(y->ctx, 2 * ms_yaml_count(node) + 1, sizeof **line, line));
  for (struct fy_node *pair; (pair = ms_yaml_next_item(node, &at)); ++*n_line) {
    if (!ms_yaml_is_sequence(pair) || ms_yaml_count(pair) != 2)
      return ms_yaml_fail(y, pair, MS_ERR_FORMAT, "a line is [point, point]");
    MS_TRY(read_points(y, pair, what, n, place, *line + 2 * *n_line));
  }
  return MS_SUCCESS;
}

/* ---- faces ---- */

static ms_status read_face_rows(const ms_yaml *y, struct fy_node *node, const char *what,
                                ptrdiff_t n, const ms_yaml_place *place, const ms_table *table,
                                ptrdiff_t *n_face, int32_t **face) {
  static const char *const column[] = { "n1", "n2", "n3", "n4" };
  const ptrdiff_t count = ms_table_get_rows(table);
  char text[32];
  MS_TRY(ms_allocate(y->ctx, 4 * count + 1, sizeof **face, face));
  for (; *n_face < count; ++*n_face) {
    for (int k = 0; k < 4; k++) {
      int32_t *out = *face + 4 * *n_face + k;
      const char *name = read_name(table, column[k], *n_face, text);
      if (!name) {
        return ms_yaml_fail(y, node, MS_ERR_FORMAT,
                            "a file of faces has the columns n1, n2, n3, n4; n4 = 0 in a triangle");
      }
      if (k == 3 && strcmp(name, "0") == 0)
        *out = -1;
      else
        MS_TRY(find_place(y, node, what, n, place, name, out));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_yaml_read_faces(const ms_yaml *y, struct fy_node *node, const char *what, ptrdiff_t n,
                             const ms_yaml_place *place, ptrdiff_t *n_face, int32_t **face) {
  void *at = NULL;
  *n_face = 0;
  *face = NULL;
  if (ms_yaml_is_scalar(node)) {
    ms_table *table;
    MS_TRY(ms_yaml_open_table(y, node, &table));
    const ms_status status = read_face_rows(y, node, what, n, place, table, n_face, face);
    ms_table_destroy(&table);
    return status;
  }
  if (!ms_yaml_is_sequence(node)) {
    return ms_yaml_fail(y, node, MS_ERR_FORMAT,
                        "faces are a list of [point, point, point, point], or a file");
  }
  MS_TRY(ms_allocate(y->ctx, 4 * ms_yaml_count(node) + 1, sizeof **face, face));
  for (struct fy_node *item; (item = ms_yaml_next_item(node, &at)); ++*n_face) {
    const ptrdiff_t count = ms_yaml_is_sequence(item) ? ms_yaml_count(item) : 0;
    if (count != 3 && count != 4)
      return ms_yaml_fail(y, item, MS_ERR_FORMAT, "a face has three or four points");
    (*face)[4 * *n_face + 3] = -1;
    MS_TRY(read_points(y, item, what, n, place, *face + 4 * *n_face));
  }
  return MS_SUCCESS;
}
