/* Tables of joint tests. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/analyses/calibrate/targets/tables.h"
#include "study/analyses/scatter/scatter.h"

typedef struct column_names {
  const char *specimen, *force, *stiffness, *dissipation;
} column_names;

static const ms_param column_keys[] = {
  MS_WORD(column_names, specimen, MS_ELSE("specimen"), "its number"),
  MS_WORD(column_names, force, MS_ELSE("force"), "force amplitude"),
  MS_WORD(column_names, stiffness, MS_ELSE("stiffness"),
          "force over displacement between the turning points"),
  MS_WORD(column_names, dissipation, MS_ELSE("dissipation"), "energy dissipated per cycle"),
};
const ms_param_list ms_scatter_columns = MS_LIST_OF(column_keys);
enum { N_COLUMNS = sizeof column_keys / sizeof *column_keys };

ms_status ms_test_table_reserve(ms_context *ctx, ptrdiff_t n, ms_test_table *t) {
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *t->force, &t->force));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->specimen, &t->specimen));
  MS_TRY(ms_allocate(ctx, n, sizeof *t->row, &t->row));
  t->stiffness = t->force + n;
  t->loss = t->force + 2 * n;
  return ms_allocate(ctx, n, sizeof *t->id, &t->id);
}

void ms_test_table_free(ms_context *ctx, ms_test_table *t) {
  ms_free(ctx, &t->force);
  ms_free(ctx, &t->specimen);
  ms_free(ctx, &t->row);
  ms_free(ctx, &t->id);
}

ms_status ms_test_table_copy(ms_context *ctx, const ms_test_table *from, ms_test_table *out) {
  const size_t n = (size_t)from->n;
  MS_TRY(ms_test_table_reserve(ctx, from->n, out));
  out->n = from->n, out->n_specimen = from->n_specimen;
  memcpy(out->force, from->force, n * sizeof *out->force);
  memcpy(out->stiffness, from->stiffness, n * sizeof *out->force);
  memcpy(out->loss, from->loss, n * sizeof *out->force);
  memcpy(out->specimen, from->specimen, n * sizeof *out->specimen);
  memcpy(out->row, from->row, n * sizeof *out->row);
  memcpy(out->id, from->id, (size_t)from->n_specimen * sizeof *out->id);
  return MS_SUCCESS;
}

void ms_test_table_shorten(ms_test_table *t) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < t->n; i++) {
    if (!(t->stiffness[i] > 0.0)) continue;
    t->specimen[n] = t->specimen[i];
    t->force[n] = t->force[i], t->stiffness[n] = t->stiffness[i], t->loss[n] = t->loss[i];
    t->row[n++] = t->row[i];
  }
  t->n = n;
}

ms_scatter_data ms_test_table_view(const ms_test_table *t) {
  return (ms_scatter_data) { t->n,         t->n_specimen, t->specimen, t->force,
                             t->stiffness, t->loss,       t->row };
}

/* ---- reading ---- */

typedef struct test_row {
  double id, force, stiffness, loss;
  int row;
} test_row;

static int by_specimen(const void *a, const void *b) {
  const test_row *x = a, *y = b;
  if (x->id != y->id) return x->id < y->id ? -1 : 1;
  if (x->force != y->force) return x->force < y->force ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static void take_sorted(ptrdiff_t n, const test_row *row, ms_test_table *t) {
  for (ptrdiff_t i = 0; i < n; i++) {
    if (i == 0 || row[i].id != row[i - 1].id) t->id[t->n_specimen++] = row[i].id;
    t->specimen[i] = t->n_specimen - 1;
    t->force[i] = row[i].force, t->stiffness[i] = row[i].stiffness, t->loss[i] = row[i].loss;
    t->row[i] = row[i].row;
  }
  t->n = n;
}

static ms_status read_names(const ms_study *s, struct fy_node *node, const char *name[N_COLUMNS]) {
  column_names o = { 0 };
  MS_TRY(ms_options_read(s, node, NULL, "columns", column_keys, N_COLUMNS, &o));
  const char *const given[N_COLUMNS] = { o.specimen, o.force, o.stiffness, o.dissipation };
  for (int i = 0; i < N_COLUMNS; i++) name[i] = given[i] ? given[i] : column_keys[i].name;
  return MS_SUCCESS;
}

static ms_status take_rows(const ms_study *s, struct fy_node *file, const ms_table *table,
                           int joint, const char *const name[N_COLUMNS], ms_test_table *t) {
  const ms_units units = ms_study_joint_units(s, joint);
  const int ours = ms_target_is_ours(table);
  const double force = ours ? 1.0 : units.force, length = ours ? 1.0 : units.length;
  const double *column[N_COLUMNS];
  const ptrdiff_t n = ms_table_get_rows(table);
  test_row *row;
  for (int i = 0; i < N_COLUMNS; i++) {
    column[i] = ms_table_get_column(table, name[i]);
    if (column[i]) continue;
    return ms_yaml_fail(&s->yaml, file, MS_ERR_NAME,
                        "the table has no column '%s'; name the columns with columns: {specimen: "
                        "..., force: ..., stiffness: ..., dissipation: ...}",
                        name[i]);
  }
  MS_TRY(ms_test_table_reserve(s->ctx, n, t));
  MS_TRY(ms_allocate(s->ctx, n, sizeof *row, &row));
  for (ptrdiff_t i = 0; i < n; i++) {
    row[i] = (test_row) { column[0][i], force * column[1][i], force / length * column[2][i],
                          force * length * column[3][i], (int)ms_table_get_line(table, i) };
  }
  qsort(row, (size_t)n, sizeof *row, by_specimen);
  take_sorted(n, row, t);
  ms_free(s->ctx, &row);
  return MS_SUCCESS;
}

ms_status ms_test_table_read(const ms_study *s, struct fy_node *file, struct fy_node *columns,
                             int joint, ms_test_table *out) {
  const char *text, *name[N_COLUMNS];
  char *path = NULL;
  ms_table *table = NULL;
  MS_TRY(ms_yaml_text(&s->yaml, file, "from", &text));
  MS_TRY(read_names(s, columns, name));
  MS_TRY(ms_study_path(s, text, &path));
  ms_status status = ms_table_read_words(s->ctx, path, &table);
  if (status != MS_SUCCESS) status = ms_yaml_fail_here(&s->yaml, file, status);
  if (status == MS_SUCCESS) status = take_rows(s, file, table, joint, name, out);
  if (status == MS_SUCCESS) {
    const ms_scatter_data data = ms_test_table_view(out);
    status = ms_scatter_check_data(s->ctx, &data);
    if (status != MS_SUCCESS) status = ms_yaml_fail_here(&s->yaml, file, status);
  }
  ms_table_destroy(&table);
  ms_free(s->ctx, &path);
  return status;
}

/* ---- options that both analyses have ---- */

ms_status ms_scatter_read_joint(const ms_study *s, struct fy_node *node, int *joint) {
  MS_TRY(ms_study_find_joint(s, node, joint));
  const ms_joint *j = ms_structure_get_joint(s->structure, *joint);
  if (ms_joint_count_members(j) == 0 && ms_joint_info(j)->n_axis == 1) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT, "joint '%.60s' is not one law on one axis",
                      ms_structure_get_joint_name(s->structure, *joint));
}

ms_status ms_scatter_read_param(const ms_study *s, struct fy_node *key, int joint,
                                const ms_param **param, double *factor) {
  const ms_joint *j = ms_structure_get_joint(s->structure, joint);
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a parameter", &name));
  *param = ms_calibrate_find_param(j, name);
  if (!*param) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_NAME, "law %s has no parameter '%.40s'",
                        ms_joint_info(j)->name, name);
  }
  const ms_units units = ms_study_joint_units(s, joint);
  *factor = ms_units_factor(&units, (*param)->unit);
  if (*factor != 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, key, MS_ERR_ARGUMENT,
                      "%s is in %s, which is not converted: use SI units", name, (*param)->unit);
}

ms_status ms_scatter_take_noise(const ms_study *s, struct fy_node *node, const ms_numbers *given,
                                double noise[2]) {
  if (given->n > 2) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "noise is one number, or [of stiffness, of dissipation]");
  }
  if (given->n > 0) noise[0] = given->value[0], noise[1] = given->value[given->n - 1];
  return MS_SUCCESS;
}
