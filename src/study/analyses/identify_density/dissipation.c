/* Losses against amplitude for identify_density: from a table, or from an earlier analysis. */
#include <string.h>

#include "io/yaml/tables.h"
#include "study/analyses/identify_density/identify_density.h"

/* Samples of both. */
typedef struct samples {
  ptrdiff_t n;
  double *A, *D, *deviation;
} samples;

static ms_status reserve(ms_context *ctx, ptrdiff_t n, samples *x) {
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *x->A, &x->A));
  x->D = x->A + n;
  x->deviation = x->A + 2 * n;
  return MS_SUCCESS;
}

/* As the joint has them, or the study. */
ms_units ms_losses_units(const ms_study *s, const ms_density_options *o) {
  return o->joint < 0 ? s->units : ms_study_joint_units(s, o->joint);
}

static ms_status take(const ms_study *s, const ms_density_options *o, struct fy_node *node,
                      const samples *x, int has_deviation, ms_losses *losses) {
  const double length = ms_losses_units(s, o).length;
  const double window[2] = { isnan(o->window[0]) ? 0.0 : length * o->window[0],
                             isnan(o->window[1]) ? HUGE_VAL : length * o->window[1] };
  ms_status status = ms_losses_create(s->ctx, x->n, x->A, x->D, has_deviation ? x->deviation : NULL,
                                      window, losses);
  return ms_yaml_fail_here(&s->yaml, node, status);
}

/* ---- a file ---- */

enum { AMPLITUDE, LOSS, DEVIATION, N_COLUMN };

/* The columns that the keys mean; the deviation may be NULL. */
static ms_status find_columns(const ms_study *s, const ms_density_options *o, struct fy_node *file,
                              const ms_table *table, const ms_units *units,
                              const double *column[N_COLUMN]) {
  static const char *const key[N_COLUMN] = { "amplitude", "loss", "deviation" };
  const char *const named[N_COLUMN] = { o->amplitude, o->loss, o->deviation };
  if (o->deviation && o->noise > 0.0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(o->columns, "deviation"), MS_ERR_FORMAT,
                        "give a column of deviations or noise, the same for all losses, not both");
  }
  for (int c = 0; c < N_COLUMN; c++) {
    const char *name = named[c] ? named[c] : key[c];
    struct fy_node *node = named[c] ? ms_yaml_get(o->columns, key[c]) : file;
    ms_status status = ms_table_find_column(table, name, &column[c]);
    MS_TRY(ms_yaml_fail_here(&s->yaml, node, status));
    if (!column[c] && c == DEVIATION && !named[c]) continue;
    if (!column[c]) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                          "the table has no column '%.40s' of numbers; say which it is with "
                          "columns: {%s: ...}",
                          name, key[c]);
    }
    MS_TRY(ms_yaml_check_column(&s->yaml, units, node, table, name, c == AMPLITUDE ? "m" : "J",
                                c == AMPLITUDE ? units->length : units->force * units->length));
  }
  if (o->noise > 0.0) column[DEVIATION] = NULL;
  return MS_SUCCESS;
}

/* Of a table of several joints, as our own may be, the rows of the one that the study names. */
static ms_status fill_samples(const ms_study *s, const ms_density_options *o, struct fy_node *file,
                              const ms_table *table, const ms_units *units,
                              const double *const column[N_COLUMN], samples *x) {
  const double energy = units->force * units->length;
  const char *joint = o->joint < 0 ? ms_table_get_word(table, "joint", 0)
                                   : ms_structure_get_joint_name(s->structure, o->joint);
  for (; x->n < ms_table_get_rows(table); x->n++) {
    const ptrdiff_t i = x->n, line = ms_table_get_line(table, i);
    const char *own = ms_table_get_word(table, "joint", i);
    if (own && strcmp(own, joint) != 0) {
      if (o->joint >= 0) continue; /* no loss */
      return ms_yaml_fail(&s->yaml, file, MS_ERR_ARGUMENT,
                          "%.200s:%td: the table has losses of '%.40s' and of '%.40s': say which "
                          "with joint, or keep the rows of one",
                          o->file, line, joint, own);
    }
    x->A[i] = units->length * column[AMPLITUDE][i], x->D[i] = energy * column[LOSS][i];
    if (column[DEVIATION]) x->deviation[i] = energy * column[DEVIATION][i];
    const int bad = column[DEVIATION] && x->D[i] > 0.0 && !(x->deviation[i] > 0.0);
    if (x->A[i] >= 0.0 && !bad) continue;
    return ms_yaml_fail(&s->yaml, file, MS_ERR_BOUNDS, "%.200s:%td: the %s must be positive",
                        o->file, line, x->A[i] < 0.0 ? "amplitude" : "deviation");
  }
  return MS_SUCCESS;
}

ms_status ms_losses_read(const ms_study *s, const ms_task *task, ms_losses *losses) {
  const ms_density_options *o = task->options;
  struct fy_node *file = ms_yaml_get(task->node, "file");
  ms_units units = ms_losses_units(s, o);
  const double *column[N_COLUMN];
  ms_table *table = NULL;
  samples x = { 0 };
  MS_TRY(ms_yaml_open_table(&s->yaml, file, &table));
  if (ms_table_is_ours(table)) units = (ms_units) { 1.0, 1.0, 1.0, 1.0, 1.0, "", units.about };
  ms_status status = find_columns(s, o, file, table, &units, column);
  if (!status) status = reserve(s->ctx, ms_table_get_rows(table), &x);
  if (!status) status = fill_samples(s, o, file, table, &units, column, &x);
  if (!status) status = take(s, o, file, &x, column[DEVIATION] != NULL, losses);
  ms_free(s->ctx, &x.A);
  ms_table_destroy(&table);
  MS_TRY(status);
  if (losses->n >= 6) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, file, MS_ERR_BOUNDS,
                      "%td losses; a density needs six (%td without a loss or outside the window)",
                      losses->n, losses->left_out);
}

/* ---- an earlier analysis ---- */

int ms_losses_need_joint(const ms_task *from) {
  return strcmp(from->kind->name, "stepped_sine") == 0 ||
         strcmp(from->kind->name, "frequency_response") == 0;
}

static const double *column_of(const ms_result_table *table, const char *name) {
  const int c = ms_result_table_find_column(table, name);
  return c < 0 ? NULL : ms_result_table_column(table, c);
}

/* The joint's own rows: of its first axis, where the loss stands, and of one mode. */
static int is_chosen(const ms_study *s, const ms_density_options *o, const ms_result_table *table,
                     ptrdiff_t i) {
  const double *axis = column_of(table, "axis"), *mode = column_of(table, "mode");
  const int joint = ms_result_table_find_column(table, "joint");
  if (joint < 0) return 1;
  const char *name = ms_structure_get_joint_name(s->structure, o->joint);
  return strcmp(ms_result_table_word(table, joint, i), name) == 0 && axis[i] == 1.0 &&
         (!mode || mode[i] == (o->mode > 0 ? (double)o->mode : mode[0]));
}

/* Resonance is where the joint moves most: of a level, which may have several rows, the one with
   the largest amplitude. Deviations count where all losses have one. */
ms_status ms_losses_gather(const ms_study *s, const ms_task *task, ms_losses *losses) {
  const ms_density_options *o = task->options;
  const ms_result_table *table =
      ms_result_table_find(s, o->from, ms_losses_need_joint(o->from) ? "_joints" : "");
  struct fy_node *node = ms_yaml_get(task->node, "from");
  samples x = { 0 };
  if (!table) return ms_yaml_fail(&s->yaml, node, MS_ERR_STATE, "%s has no losses", o->from->name);
  const double *A = column_of(table, "amplitude"), *D = column_of(table, "loss");
  const double *deviation = column_of(table, "loss_deviation"), *level = column_of(table, "level");
  double last = 0.0;
  int known = deviation && !(o->noise > 0.0);
  MS_TRY(reserve(s->ctx, ms_result_table_rows(table) + 1, &x));
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (!is_chosen(s, o, table, i)) continue;
    const int same = level && x.n > 0 && level[i] == last;
    if (!same) x.n++;
    if (level) last = level[i];
    if (same && !(A[i] > x.A[x.n - 1])) continue;
    x.A[x.n - 1] = A[i], x.D[x.n - 1] = D[i];
    if (deviation) x.deviation[x.n - 1] = deviation[i];
  }
  for (ptrdiff_t i = 0; i < x.n; i++) {
    known &= x.deviation[i] > 0.0 || !(x.A[i] > 0.0 && x.D[i] > 0.0);
  }
  ms_status status = take(s, o, node, &x, known, losses);
  ms_free(s->ctx, &x.A);
  return status;
}
