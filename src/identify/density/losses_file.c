/* Losses against amplitude from a table. */
#include "identify/density/losses_file.h"

#include <string.h>

ms_status ms_losses_reserve(ms_context *ctx, ptrdiff_t n, ms_loss_samples *x) {
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *x->A, &x->A));
  x->D = x->A + n;
  x->deviation = x->A + 2 * n;
  return MS_SUCCESS;
}

enum { AMPLITUDE, LOSS, DEVIATION, N_COLUMN };

/* The columns that the keys mean; the deviation may be NULL. */
static ms_status find_columns(const ms_yaml *y, const ms_losses_file *o, struct fy_node *file,
                              const ms_table *table, const ms_units *units,
                              const double *column[N_COLUMN]) {
  static const char *const key[N_COLUMN] = { "amplitude", "loss", "deviation" };
  if (o->column[DEVIATION] && o->same_noise) {
    return ms_yaml_fail(y, ms_yaml_get(o->columns, "deviation"), MS_ERR_FORMAT,
                        "give a column of deviations or noise, the same for all losses, not both");
  }
  for (int c = 0; c < N_COLUMN; c++) {
    const char *name = o->column[c] ? o->column[c] : key[c];
    struct fy_node *node = o->column[c] ? ms_yaml_get(o->columns, key[c]) : file;
    ms_status status = ms_table_find_column(table, name, &column[c]);
    MS_TRY(ms_yaml_fail_here(y, node, status));
    if (!column[c] && c == DEVIATION && !o->column[c]) continue;
    if (!column[c]) {
      return ms_yaml_fail(y, node, MS_ERR_NAME,
                          "the table has no column '%.40s' of numbers; say which it is with "
                          "columns: {%s: ...}",
                          name, key[c]);
    }
    MS_TRY(ms_yaml_check_column(y, units, node, table, name, c == AMPLITUDE ? "m" : "J",
                                c == AMPLITUDE ? units->length : units->force * units->length));
  }
  if (o->same_noise) column[DEVIATION] = NULL;
  return MS_SUCCESS;
}

/* Of a table of several joints, as our own may be, the rows of the one that the study names. */
static ms_status fill_samples(const ms_yaml *y, const ms_losses_file *o, struct fy_node *file,
                              const ms_table *table, const ms_units *units,
                              const double *const column[N_COLUMN], ms_loss_samples *x) {
  const double energy = units->force * units->length;
  const char *joint = o->joint ? o->joint : ms_table_get_word(table, "joint", 0);
  for (; x->n < ms_table_get_rows(table); x->n++) {
    const ptrdiff_t i = x->n, line = ms_table_get_line(table, i);
    const char *own = ms_table_get_word(table, "joint", i);
    if (own && strcmp(own, joint) != 0) {
      if (o->joint) continue; /* no loss */
      return ms_yaml_fail(y, file, MS_ERR_ARGUMENT,
                          "%.200s:%td: the table has losses of '%.40s' and of '%.40s': say which "
                          "with joint, or keep the rows of one",
                          o->file, line, joint, own);
    }
    x->A[i] = units->length * column[AMPLITUDE][i], x->D[i] = energy * column[LOSS][i];
    if (column[DEVIATION]) x->deviation[i] = energy * column[DEVIATION][i];
    const int bad = column[DEVIATION] && x->D[i] > 0.0 && !(x->deviation[i] > 0.0);
    if (x->A[i] >= 0.0 && !bad) continue;
    return ms_yaml_fail(y, file, MS_ERR_BOUNDS, "%.200s:%td: the %s must be positive", o->file,
                        line, x->A[i] < 0.0 ? "amplitude" : "deviation");
  }
  return MS_SUCCESS;
}

ms_status ms_losses_read_file(const ms_yaml *y, struct fy_node *file, const ms_losses_file *o,
                              ms_loss_samples *x, int *has_deviation) {
  ms_units units = *o->units;
  const double *column[N_COLUMN] = { NULL };
  ms_table *table = NULL;
  MS_TRY(ms_yaml_open_table(y, file, &table));
  if (ms_table_is_ours(table)) units = (ms_units) { 1.0, 1.0, 1.0, 1.0, 1.0, "", units.about };
  ms_status status = find_columns(y, o, file, table, &units, column);
  if (!status) status = ms_losses_reserve(y->ctx, ms_table_get_rows(table), x);
  if (!status) status = fill_samples(y, o, file, table, &units, column, x);
  *has_deviation = !status && column[DEVIATION];
  ms_table_destroy(&table);
  return status;
}
