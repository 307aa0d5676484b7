/* A parameter of a law that is a table: density: {phi: [...], rho: [...]} or {file: density.csv}.
 */
#include <stdio.h>
#include <string.h>

#include "study/model/build.h"

enum { MAX_COLUMN = 8 };

typedef struct table_reader {
  const ms_builder *b;
  const ms_param *p;
  struct fy_node *node;
  double *column[MAX_COLUMN]; /* ours */
  ptrdiff_t rows[MAX_COLUMN];
  int si;           /* the numbers are in SI already */
  const char *file; /* NULL for lists */
} table_reader;

static double factor_of(const table_reader *r, int c) {
  return r->si ? 1.0 : ms_units_factor(r->b->units, r->p->table->unit[c]);
}

static const ms_param file_key = { .name = "file",
                                   .kind = MS_PARAM_PATH,
                                   .meaning = "a table whose columns have these names" };

static ms_status check_keys(const table_reader *r) {
  const ms_param_table *t = r->p->table;
  ms_param keys[MAX_COLUMN + 1] = { file_key };
  for (int c = 0; c < t->n_column; c++) {
    keys[c + 1] = (ms_param) {
      .name = t->column[c], .kind = MS_PARAM_NUMBERS, .unit = t->unit[c], .meaning = r->p->meaning
    };
  }
  MS_TRY(ms_yaml_check_keys(r->b->y, r->node, r->p->name, keys, t->n_column + 1));
  if (!ms_yaml_get(r->node, "file") || ms_yaml_count(r->node) == 1) return MS_SUCCESS;
  return ms_yaml_fail(r->b->y, r->node, MS_ERR_FORMAT, "%s: give lists or a file, not both",
                      r->p->name);
}

/* ---- lists ---- */

static ms_status read_lists(table_reader *r) {
  const ms_param_table *t = r->p->table;
  for (int c = 0; c < t->n_column; c++) {
    struct fy_node *list = ms_yaml_get(r->node, t->column[c]);
    if (list) {
      MS_TRY(ms_yaml_numbers(r->b->y, list, t->column[c], &r->column[c], &r->rows[c]));
    } else if (c < t->n_required) {
      return ms_yaml_fail(r->b->y, r->node, MS_ERR_NAME, "%s needs '%s', a list", r->p->name,
                          t->column[c]);
    }
    if (list && r->rows[c] != r->rows[0]) {
      return ms_yaml_fail(r->b->y, list, MS_ERR_FORMAT, "%td of %s and %td of %s: one for each",
                          r->rows[0], t->column[0], r->rows[c], t->column[c]);
    }
  }
  return MS_SUCCESS;
}

/* ---- a file ---- */

static ms_status take_column(table_reader *r, const ms_table *table, int c) {
  const ms_param_table *t = r->p->table;
  const ms_study *s = r->b->study;
  const double *from;
  const ptrdiff_t n = ms_table_get_rows(table);
  MS_TRY(ms_yaml_fail_here(&s->yaml, r->node, ms_table_find_column(table, t->column[c], &from)));
  if (!from && c >= t->n_required) return MS_SUCCESS;
  if (!from) {
    return ms_yaml_fail(&s->yaml, r->node, MS_ERR_NAME, "%.200s has no column '%s' of numbers",
                        r->file, t->column[c]);
  }
  /* identify_density names its columns as those of any joint */
  MS_TRY(ms_yaml_check_column(&s->yaml, r->si ? &s->units : r->b->units, r->node, table,
                              t->column[c], t->unit[c], factor_of(r, c)));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *from, &r->column[c]));
  r->rows[c] = n;
  memcpy(r->column[c], from, (size_t)n * sizeof *from);
  return MS_SUCCESS;
}

static ms_status read_file(table_reader *r, struct fy_node *file) {
  const ms_study *s = r->b->study;
  ms_table *table;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, file, "file", &r->file));
  MS_TRY(ms_yaml_open_table(&s->yaml, file, &table));
  /* A density that identify_density has written is in SI, whatever the study's units. */
  r->si = ms_table_get_column(table, "phi") && ms_table_get_column(table, "trusted");
  for (int c = 0; c < r->p->table->n_column && status == MS_SUCCESS; c++) {
    status = take_column(r, table, c);
  }
  ms_table_destroy(&table);
  return status;
}

/* ---- the law ---- */

static ms_status set_columns(table_reader *r, ms_joint *joint) {
  const ms_param_table *t = r->p->table;
  int columns = 0;
  while (columns < t->n_column && r->column[columns]) columns++;
  for (int c = 0; c < columns; c++) {
    for (ptrdiff_t i = 0; i < r->rows[c]; i++) r->column[c][i] *= factor_of(r, c);
  }
  ms_status status =
      ms_joint_set_table(joint, r->p->name, r->rows[0], columns, (const double *const *)r->column);
  if (status == MS_SUCCESS || !r->file) return ms_build_at(r->b, r->node, status);
  char what[400];
  snprintf(what, sizeof what, "%s", ms_context_message(r->b->ctx));
  return ms_yaml_fail(r->b->y, r->node, status, "%.200s: %s", r->file, what);
}

ms_status ms_build_table(const ms_builder *b, const ms_param *p, struct fy_node *node,
                         ms_joint *joint) {
  table_reader r = { .b = b, .p = p, .node = node };
  struct fy_node *file;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(b->y, node, MS_ERR_FORMAT,
                        "%s is a table: {%s: [...], %s: [...]} or {file: NAME.csv}", p->name,
                        p->table->column[0], p->table->column[p->table->n_required - 1]);
  }
  MS_TRY(check_keys(&r));
  file = ms_yaml_get(node, "file");
  ms_status status = file ? read_file(&r, file) : read_lists(&r);
  if (status == MS_SUCCESS) status = set_columns(&r, joint);
  for (int c = 0; c < MAX_COLUMN; c++) ms_free(b->study->ctx, &r.column[c]);
  return status;
}
