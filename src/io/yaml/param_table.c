/* A parameter that is a table: density: {phi: [...], rho: [...]} or {file: density.csv}. */
#include <string.h>

#include "io/yaml/tables.h"

typedef struct table_reader {
  const ms_yaml *y;
  const ms_units *units, *own;
  const ms_param *p;
  struct fy_node *node;
  ms_param_columns *out;
  ptrdiff_t rows[MS_PARAM_COLUMNS];
  int si; /* the numbers are in SI already */
} table_reader;

static double factor_of(const table_reader *r, int c) {
  return r->si ? 1.0 : ms_units_factor(r->units, r->p->table->unit[c]);
}

static const ms_param file_key = { .name = "file",
                                   .kind = MS_PARAM_PATH,
                                   .meaning = "a table whose columns have these names" };

static ms_status check_keys(const table_reader *r) {
  const ms_param_table *t = r->p->table;
  ms_param keys[MS_PARAM_COLUMNS + 1] = { file_key };
  for (int c = 0; c < t->n_column; c++) {
    keys[c + 1] = (ms_param) {
      .name = t->column[c], .kind = MS_PARAM_NUMBERS, .unit = t->unit[c], .meaning = r->p->meaning
    };
  }
  MS_TRY(ms_yaml_check_keys(r->y, r->node, r->p->name, keys, t->n_column + 1));
  if (!ms_yaml_get(r->node, "file") || ms_yaml_count(r->node) == 1) return MS_SUCCESS;
  return ms_yaml_fail(r->y, r->node, MS_ERR_FORMAT, "%s: give lists or a file, not both",
                      r->p->name);
}

/* ---- lists ---- */

static ms_status read_lists(table_reader *r) {
  const ms_param_table *t = r->p->table;
  for (int c = 0; c < t->n_column; c++) {
    struct fy_node *list = ms_yaml_get(r->node, t->column[c]);
    if (list) {
      MS_TRY(ms_yaml_numbers(r->y, list, t->column[c], &r->out->column[c], &r->rows[c]));
    } else if (c < t->n_required) {
      return ms_yaml_fail(r->y, r->node, MS_ERR_NAME, "%s needs '%s', a list", r->p->name,
                          t->column[c]);
    }
    if (list && r->rows[c] != r->rows[0]) {
      return ms_yaml_fail(r->y, list, MS_ERR_FORMAT, "%td of %s and %td of %s: one for each",
                          r->rows[0], t->column[0], r->rows[c], t->column[c]);
    }
  }
  return MS_SUCCESS;
}

/* ---- a file ---- */

static ms_status take_column(table_reader *r, const ms_table *table, int c) {
  const ms_param_table *t = r->p->table;
  const double *from;
  const ptrdiff_t n = ms_table_get_rows(table);
  MS_TRY(ms_yaml_fail_here(r->y, r->node, ms_table_find_column(table, t->column[c], &from)));
  if (!from && c >= t->n_required) return MS_SUCCESS;
  if (!from) {
    return ms_yaml_fail(r->y, r->node, MS_ERR_NAME, "%.200s has no column '%s' of numbers",
                        r->out->file, t->column[c]);
  }
  /* identify_density names its columns as those of any joint */
  MS_TRY(ms_yaml_check_column(r->y, r->si ? r->own : r->units, r->node, table, t->column[c],
                              t->unit[c], factor_of(r, c)));
  MS_TRY(ms_allocate(r->y->ctx, n, sizeof *from, &r->out->column[c]));
  r->rows[c] = n;
  memcpy(r->out->column[c], from, (size_t)n * sizeof *from);
  return MS_SUCCESS;
}

static ms_status read_file(table_reader *r, struct fy_node *file) {
  ms_table *table;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_yaml_text(r->y, file, "file", &r->out->file));
  MS_TRY(ms_yaml_open_table(r->y, file, &table));
  /* A density that identify_density has written is in SI, whatever the study's units. */
  r->si = ms_table_get_column(table, "phi") && ms_table_get_column(table, "trusted");
  for (int c = 0; c < r->p->table->n_column && status == MS_SUCCESS; c++) {
    status = take_column(r, table, c);
  }
  ms_table_destroy(&table);
  return status;
}

/* ---- lists beside a file ---- */

static ms_status take_columns(const ms_yaml *y, const ms_units *units, struct fy_node *file,
                              const ms_param_table *t, ms_numbers *const *column) {
  ms_table *table;
  MS_TRY(ms_yaml_open_table(y, file, &table));
  ms_status status = MS_SUCCESS;
  for (int c = 0; c < t->n_column && c < ms_table_get_columns(table) && !status; c++) {
    const double *from = ms_table_get_column(table, t->column[c]);
    if (column[c]->value) continue;
    if (!from) from = ms_table_get_column(table, ms_table_get_name(table, c));
    if (!from) {
      status = ms_yaml_fail(y, file, MS_ERR_NAME, "the table has no column '%s' of numbers",
                            t->column[c]);
      break;
    }
    column[c]->n = ms_table_get_rows(table);
    status = ms_allocate(y->ctx, column[c]->n, sizeof *from, &column[c]->value);
    const double factor = ms_keys_factor(units, t->unit[c]);
    for (ptrdiff_t i = 0; i < column[c]->n && !status; i++) column[c]->value[i] = factor * from[i];
  }
  ms_table_destroy(&table);
  return status;
}

ms_status ms_yaml_fill_columns(const ms_yaml *y, const ms_units *units, struct fy_node *node,
                               struct fy_node *key, const ms_param_table *t,
                               ms_numbers *const *column, ptrdiff_t *rows, int *columns) {
  struct fy_node *file = ms_yaml_get(node, "file");
  *rows = *columns = 0;
  if (file) MS_TRY(take_columns(y, units, file, t, column));
  for (int c = 0; c < t->n_column; c++) {
    if (column[c]->n > *rows) *rows = column[c]->n;
    if (column[c]->value) *columns = c + 1;
  }
  for (int c = 0; c < *columns; c++) {
    const ptrdiff_t n = column[c]->n;
    if (n != *rows && n != 1) {
      return ms_yaml_fail(y, key, MS_ERR_FORMAT, "%s has %td values, others have %td", t->column[c],
                          n, *rows);
    }
    if (n == *rows) continue;
    MS_TRY(ms_resize(y->ctx, *rows, sizeof *column[c]->value, &column[c]->value));
    for (ptrdiff_t i = 1; i < *rows; i++) column[c]->value[i] = column[c]->value[0];
    column[c]->n = *rows;
  }
  return MS_SUCCESS;
}

/* ---- either ---- */

ms_status ms_param_columns_read(const ms_yaml *y, const ms_units *own, const ms_units *units,
                                struct fy_node *node, const ms_param *p, ms_param_columns *out) {
  table_reader r = { .y = y, .units = units, .own = own, .p = p, .node = node, .out = out };
  const ms_param_table *t = p->table;
  *out = (ms_param_columns) { .n = 0 };
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(y, node, MS_ERR_FORMAT,
                        "%s is a table: {%s: [...], %s: [...]} or {file: NAME.csv}", p->name,
                        t->column[0], t->column[t->n_required - 1]);
  }
  MS_TRY(check_keys(&r));
  struct fy_node *file = ms_yaml_get(node, "file");
  MS_TRY(file ? read_file(&r, file) : read_lists(&r));
  out->rows = r.rows[0];
  while (out->n < t->n_column && out->column[out->n]) out->n++;
  for (int c = 0; c < t->n_column; c++) {
    for (ptrdiff_t i = 0; out->column[c] && i < out->rows; i++)
      out->column[c][i] *= factor_of(&r, c);
  }
  return MS_SUCCESS;
}

void ms_param_columns_free(ms_context *ctx, ms_param_columns *columns) {
  for (int c = 0; c < MS_PARAM_COLUMNS; c++) ms_free(ctx, &columns->column[c]);
}
