/* Losses against amplitude for identify_density: from a table, or from an earlier analysis. */
#include <stdlib.h>
#include <string.h>

#include "study/analyses/calibrate/targets/tables.h"
#include "study/analyses/identify_density/identify_density.h"
#include "study/file/options.h"

typedef struct sample {
  double A, D, deviation;
} sample;

static int by_amplitude(const void *a, const void *b) {
  const sample *x = a, *y = b;
  return (x->A > y->A) - (x->A < y->A);
}

/* In rising order, those without a loss left out. */
static ms_status take_samples(const ms_study *s, struct fy_node *node, ptrdiff_t n, sample *x,
                              ms_losses *out) {
  MS_TRY(ms_allocate(s->ctx, 3 * n, sizeof *out->A, &out->A));
  out->D = out->A + n;
  out->deviation = out->A + 2 * n;
  qsort(x, (size_t)n, sizeof *x, by_amplitude);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!(x[i].A > 0.0 && x[i].D > 0.0)) continue;
    const ptrdiff_t k = out->n++;
    out->A[k] = x[i].A, out->D[k] = x[i].D, out->deviation[k] = x[i].deviation;
    if (k == 0 || out->A[k] > out->A[k - 1]) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "amplitude %g m stands twice: give the mean of its losses", x[i].A);
  }
  out->left_out = n - out->n;
  return MS_SUCCESS;
}

void ms_losses_cut(ms_losses *l, const double window[2]) {
  const ptrdiff_t all = l->n;
  l->n = 0;
  for (ptrdiff_t i = 0; i < all; i++) {
    if (l->A[i] < window[0] || l->A[i] > window[1]) continue;
    const ptrdiff_t k = l->n++;
    l->A[k] = l->A[i], l->D[k] = l->D[i], l->deviation[k] = l->deviation[i];
  }
  l->left_out += all - l->n;
}

void ms_losses_free(ms_context *ctx, ms_losses *losses) {
  ms_free(ctx, &losses->A);
  *losses = (ms_losses) { .n = 0 };
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

static ms_status read_columns(const ms_study *s, struct fy_node *options,
                              const char *name[N_COLUMN]) {
  struct fy_node *node = ms_yaml_get(options, "columns");
  column_names o = { 0 };
  MS_TRY(ms_options_read(s, node, NULL, "columns", column_keys, N_COLUMN, &o));
  name[AMPLITUDE] = o.amplitude;
  name[LOSS] = o.loss;
  name[DEVIATION] = o.deviation;
  if (!o.deviation || !ms_yaml_get(options, "noise")) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "deviation"), MS_ERR_FORMAT,
                      "give a column of deviations or noise, the same for all losses, not both");
}

/* The column that a key means; *out is NULL where an optional one is not there. */
static ms_status find_column(const ms_study *s, const ms_task *task, struct fy_node *file,
                             const char *name, const ms_table *table, const ms_units *units, int c,
                             const double **out) {
  struct fy_node *given = ms_yaml_get(ms_yaml_get(task->node, "columns"), column_keys[c].name);
  const double factor = c == AMPLITUDE ? units->length : units->force * units->length;
  if (!name) name = column_keys[c].name;
  ms_status status = ms_table_find_column(table, name, out);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, given ? given : file, status);
  if (!*out && c == DEVIATION && !given) return MS_SUCCESS;
  if (!*out) {
    return ms_yaml_fail(&s->yaml, given ? given : file, MS_ERR_NAME,
                        "the table has no column '%.40s' of numbers; say which it is with "
                        "columns: {%s: ...}",
                        name, column_keys[c].name);
  }
  return ms_units_check_column(s, units, given ? given : file, table, name,
                               c == AMPLITUDE ? "m" : "J", factor);
}

/* A row that cannot be meant, at its line of the table. */
static ms_status check_row(const ms_study *s, struct fy_node *file, ptrdiff_t line, const sample *x,
                           int has_deviation) {
  const char *name, *what = x->A < 0.0 ? "amplitude" : "deviation";
  if (x->A >= 0.0 && !(has_deviation && x->D > 0.0 && !(x->deviation > 0.0))) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, file, "file", &name));
  return ms_yaml_fail(&s->yaml, file, MS_ERR_BOUNDS, "%.200s:%td: the %s must be positive", name,
                      line, what);
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

static ms_status take_table(const ms_study *s, const ms_task *task, struct fy_node *file,
                            const ms_units *units, const ms_table *table, ms_losses *out) {
  const char *name[N_COLUMN];
  const double length = units->length, energy = units->force * units->length;
  const ptrdiff_t n = ms_table_get_rows(table);
  const double *column[N_COLUMN];
  sample *x;
  MS_TRY(read_columns(s, task->node, name));
  for (int c = 0; c < N_COLUMN; c++) {
    MS_TRY(find_column(s, task, file, name[c], table, units, c, &column[c]));
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *x, &x));
  ms_status status = MS_SUCCESS;
  out->has_deviation = column[DEVIATION] && !ms_yaml_get(task->node, "noise");
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    int taken;
    status = choose_row(s, task, file, table, i, &taken);
    if (status != MS_SUCCESS || !taken) continue; /* no loss */
    x[i] = (sample) { length * column[AMPLITUDE][i], energy * column[LOSS][i],
                      out->has_deviation ? energy * column[DEVIATION][i] : 0.0 };
    status = check_row(s, file, ms_table_get_line(table, i), &x[i], out->has_deviation);
  }
  if (status == MS_SUCCESS) status = take_samples(s, file, n, x, out);
  ms_free(s->ctx, &x);
  return status;
}

ms_status ms_losses_read(const ms_study *s, const ms_task *task, struct fy_node *file,
                         const ms_units *units, ms_losses *out) {
  const ms_units si = { 1.0, 1.0, 1.0, 1.0, 1.0, "", units->about };
  const char *name;
  char *path;
  ms_table *table = NULL;
  MS_TRY(ms_yaml_text(&s->yaml, file, "file", &name));
  MS_TRY(ms_study_path(s, name, &path));
  ms_status status = ms_table_read_words(s->ctx, path, &table);
  ms_free(s->ctx, &path);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, file, status);
  status = take_table(s, task, file, ms_target_is_ours(table) ? &si : units, table, out);
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

/* Resonance is where the joint moves most: of a level the row with the largest amplitude. */
static ptrdiff_t choose_samples(const ms_study *s, const ms_identified *p,
                                const ms_result_table *table, sample *x) {
  const struct source *source = find_source(p->from);
  const double *A = column_of(table, "amplitude"), *D = column_of(table, "loss");
  const double *deviation = source->deviation ? column_of(table, source->deviation) : NULL;
  const double *level = source->level ? column_of(table, "level") : NULL;
  double last = 0.0;
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (!is_chosen(s, p, table, i)) continue;
    const int same = level && n > 0 && level[i] == last;
    if (!same) n++;
    if (!same || A[i] > x[n - 1].A)
      x[n - 1] = (sample) { A[i], D[i], deviation ? deviation[i] : 0.0 };
    if (level) last = level[i];
  }
  return n;
}

ms_status ms_losses_gather(const ms_study *s, const ms_task *task, ms_losses *out) {
  const ms_identified *p = task->product;
  const ms_result_table *table = ms_result_table_find(s, p->from, find_source(p->from)->ending);
  struct fy_node *node = ms_yaml_get(task->node, "from");
  sample *x;
  if (!table) return ms_yaml_fail(&s->yaml, node, MS_ERR_STATE, "%s has no losses", p->from->name);
  MS_TRY(ms_allocate(s->ctx, ms_result_table_rows(table) + 1, sizeof *x, &x));
  const ptrdiff_t n = choose_samples(s, p, table, x);
  ms_status status = take_samples(s, node, n, x, out);
  out->has_deviation = out->n > 0;
  for (ptrdiff_t i = 0; i < out->n; i++) out->has_deviation &= out->deviation[i] > 0.0;
  ms_free(s->ctx, &x);
  return status;
}
