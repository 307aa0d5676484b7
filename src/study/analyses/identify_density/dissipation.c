/* Losses against amplitude for identify_density: from a table, or from an earlier analysis. */
#include <string.h>

#include "study/file/point_table.h"
#include "study/analyses/identify_density/identify_density.h"
#include "study/file/options.h"

/* Samples of both; room for so many. */
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

static ms_status take(const ms_study *s, struct fy_node *node, samples *x, int has_deviation,
                      ms_identified *p) {
  ms_status status = ms_losses_create(s->ctx, x->n, x->A, x->D, has_deviation ? x->deviation : NULL,
                                      p->window, &p->losses);
  return status ? ms_yaml_fail_here(&s->yaml, node, status) : status;
}

/* ---- a file ---- */

typedef struct column_names {
  const char *amplitude, *loss, *deviation;
} column_names;

static const ms_param column_keys[] = {
  MS_WORD(column_names, amplitude, MS_ELSE("amplitude"), "of the displacement"),
  MS_WORD(column_names, loss, MS_ELSE("loss"), "energy dissipated per cycle"),
  MS_WORD(column_names, deviation, MS_ELSE("deviation, which a table need not have"),
          "standard deviation of the energy, in its unit"),
};
const ms_param_list ms_losses_columns = MS_LIST_OF(column_keys);
enum { AMPLITUDE, LOSS, DEVIATION, N_COLUMN };

/* The columns that the keys mean; the deviation may be NULL. */
static ms_status find_columns(const ms_study *s, const ms_task *task, struct fy_node *file,
                              const ms_table *table, const ms_units *units,
                              const double *column[N_COLUMN]) {
  struct fy_node *columns = ms_yaml_get(task->node, "columns");
  column_names o = { 0 };
  MS_TRY(ms_options_read(s, columns, NULL, "columns", column_keys, N_COLUMN, &o));
  const char *const named[N_COLUMN] = { o.amplitude, o.loss, o.deviation };
  if (o.deviation && ms_yaml_get(task->node, "noise")) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(columns, "deviation"), MS_ERR_FORMAT,
                        "give a column of deviations or noise, the same for all losses, not both");
  }
  for (int c = 0; c < N_COLUMN; c++) {
    const char *name = named[c] ? named[c] : column_keys[c].name;
    struct fy_node *node = named[c] ? ms_yaml_get(columns, column_keys[c].name) : file;
    ms_status status = ms_table_find_column(table, name, &column[c]);
    MS_TRY(ms_yaml_fail_here(&s->yaml, node, status));
    if (!column[c] && c == DEVIATION && !named[c]) continue;
    if (!column[c]) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                          "the table has no column '%.40s' of numbers; say which it is with "
                          "columns: {%s: ...}",
                          name, column_keys[c].name);
    }
    MS_TRY(ms_units_check_column(s, units, node, table, name, c == AMPLITUDE ? "m" : "J",
                                 c == AMPLITUDE ? units->length : units->force * units->length));
  }
  return MS_SUCCESS;
}

/* Of a table of several joints, as our own may be, the rows of the one that the study names. */
static ms_status choose_row(const ms_study *s, const ms_task *task, struct fy_node *file,
                            const ms_table *table, ptrdiff_t i, int *taken) {
  struct fy_node *given = ms_yaml_get(task->node, "joint");
  const char *joint = ms_table_get_word(table, "joint", 0);
  const char *own = ms_table_get_word(table, "joint", i), *name;
  if (given) MS_TRY(ms_yaml_text(&s->yaml, given, "joint", &joint));
  *taken = !own || strcmp(own, joint) == 0;
  if (*taken || given) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, file, "file", &name));
  return ms_yaml_fail(&s->yaml, file, MS_ERR_ARGUMENT,
                      "%.200s:%td: the table has losses of '%.40s' and of '%.40s': say which with "
                      "joint, or keep the rows of one",
                      name, ms_table_get_line(table, i), joint, own);
}

static ms_status fill_samples(const ms_study *s, const ms_task *task, struct fy_node *file,
                              const ms_table *table, const ms_units *units,
                              const double *const column[N_COLUMN], samples *x) {
  const double energy = units->force * units->length;
  const char *name = "";
  MS_TRY(ms_yaml_text(&s->yaml, file, "file", &name));
  for (; x->n < ms_table_get_rows(table); x->n++) {
    const ptrdiff_t i = x->n;
    int taken;
    MS_TRY(choose_row(s, task, file, table, i, &taken));
    if (!taken) continue; /* no loss */
    x->A[i] = units->length * column[AMPLITUDE][i], x->D[i] = energy * column[LOSS][i];
    if (column[DEVIATION]) x->deviation[i] = energy * column[DEVIATION][i];
    const int bad = column[DEVIATION] && x->D[i] > 0.0 && !(x->deviation[i] > 0.0);
    if (x->A[i] >= 0.0 && !bad) continue;
    return ms_yaml_fail(&s->yaml, file, MS_ERR_BOUNDS, "%.200s:%td: the %s must be positive", name,
                        ms_table_get_line(table, i), x->A[i] < 0.0 ? "amplitude" : "deviation");
  }
  return MS_SUCCESS;
}

ms_status ms_losses_read(const ms_study *s, const ms_task *task, struct fy_node *file,
                         const ms_units *units, ms_identified *p) {
  const ms_units si = { 1.0, 1.0, 1.0, 1.0, 1.0, "", units->about };
  const double *column[N_COLUMN];
  ms_table *table = NULL;
  samples x = { 0 };
  MS_TRY(ms_study_open_table(s, file, &table));
  if (ms_table_is_ours(table)) units = &si;
  ms_status status = find_columns(s, task, file, table, units, column);
  if (ms_yaml_get(task->node, "noise")) column[DEVIATION] = NULL;
  if (!status) status = reserve(s->ctx, ms_table_get_rows(table), &x);
  if (!status) status = fill_samples(s, task, file, table, units, column, &x);
  if (!status) status = take(s, file, &x, column[DEVIATION] != NULL, p);
  ms_free(s->ctx, &x.A);
  ms_table_destroy(&table);
  return status;
}

/* ---- an earlier analysis ---- */

/* Where its losses stand: the ending of the table's name and, if there is one, the column of the
   loss's deviation. With `joint` there are rows for each joint and axis, with `level` several for a
   level. */
static const struct source {
  const char *kind, *ending, *deviation;
  int joint, level;
} sources[] = {
  { "stepped_sine", "_joints", NULL, 1, 1 },
  { "frequency_response", "_joints", NULL, 1, 1 },
  { "hysteresis", "", NULL, 0, 0 },
  { "force_state", "", "loss_deviation", 0, 0 },
};

static const struct source *find_source(const ms_task *from) {
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    if (strcmp(sources[i].kind, from->kind->name) == 0) return &sources[i];
  }
  return NULL;
}

int ms_losses_has(const ms_task *from, int *needs_joint) {
  const struct source *source = find_source(from);
  *needs_joint = source && source->joint;
  return source != NULL;
}

static const double *column_of(const ms_result_table *table, const char *name) {
  const int c = ms_result_table_find_column(table, name);
  return c < 0 ? NULL : ms_result_table_column(table, c);
}

/* The joint's own rows: of its first axis, where the loss stands, and of one mode. */
static int is_chosen(const ms_study *s, const ms_identified *p, const ms_result_table *table,
                     ptrdiff_t i) {
  const double *axis = column_of(table, "axis"), *mode = column_of(table, "mode");
  const int joint = ms_result_table_find_column(table, "joint");
  if (joint < 0) return 1;
  const char *name = ms_structure_get_joint_name(s->structure, p->joint);
  return strcmp(ms_result_table_word(table, joint, i), name) == 0 && axis[i] == 1.0 &&
         (!mode || mode[i] == (p->mode > 0 ? (double)p->mode : mode[0]));
}

/* Resonance is where the joint moves most: of a level the row with the largest amplitude. Returns
   whether all have a deviation. */
static int choose_samples(const ms_study *s, const ms_identified *p, const ms_result_table *table,
                          samples *x) {
  const struct source *source = find_source(p->from);
  const double *A = column_of(table, "amplitude"), *D = column_of(table, "loss");
  const double *deviation = source->deviation ? column_of(table, source->deviation) : NULL;
  const double *level = source->level ? column_of(table, "level") : NULL;
  double last = 0.0;
  int known = deviation != NULL;
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (!is_chosen(s, p, table, i)) continue;
    const int same = level && x->n > 0 && level[i] == last;
    if (!same) x->n++;
    if (level) last = level[i];
    if (same && !(A[i] > x->A[x->n - 1])) continue;
    x->A[x->n - 1] = A[i], x->D[x->n - 1] = D[i];
    if (deviation) x->deviation[x->n - 1] = deviation[i];
  }
  for (ptrdiff_t i = 0; i < x->n; i++) {
    known &= x->deviation[i] > 0.0 || !(x->A[i] > 0.0 && x->D[i] > 0.0);
  }
  return known && !(p->setting.noise > 0.0);
}

ms_status ms_losses_gather(const ms_study *s, const ms_task *task, ms_identified *p) {
  const ms_result_table *table = ms_result_table_find(s, p->from, find_source(p->from)->ending);
  struct fy_node *node = ms_yaml_get(task->node, "from");
  samples x = { 0 };
  if (!table) return ms_yaml_fail(&s->yaml, node, MS_ERR_STATE, "%s has no losses", p->from->name);
  MS_TRY(reserve(s->ctx, ms_result_table_rows(table) + 1, &x));
  const int known = choose_samples(s, p, table, &x);
  ms_status status = take(s, node, &x, known, p);
  ms_free(s->ctx, &x.A);
  return status;
}
