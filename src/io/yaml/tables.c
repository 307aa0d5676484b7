/* Tables and other files that a YAML file names. */
#include "io/yaml/tables.h"

#include <microslip/shaker.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/internal.h"
#include "io/record.h"
#include "core/jobs.h"

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

typedef struct visitor {
  const ms_yaml *y;
  ms_yaml_visit_fn *visit;
  void *user;
  int enough;
} visitor;

static ms_status visit_value(visitor *v, struct fy_node *node) {
  char *path;
  const char *text = fy_node_get_scalar0(node);
  if (!text || !*text) return MS_SUCCESS;
  MS_TRY(ms_yaml_path(v->y, text, &path));
  v->enough = v->visit(v->user, path);
  ms_free(v->y->ctx, &path);
  return MS_SUCCESS;
}

/* In or under a node. */
static ms_status visit_below(visitor *v, struct fy_node *node) {
  void *at = NULL;
  struct fy_node *key, *value;
  if (ms_yaml_is_scalar(node)) return visit_value(v, node);
  while (ms_yaml_is_sequence(node) && !v->enough && (value = ms_yaml_next_item(node, &at)))
    MS_TRY(visit_below(v, value));
  while (ms_yaml_is_mapping(node) && !v->enough && (value = ms_yaml_next_pair(node, &at, &key)))
    MS_TRY(visit_below(v, value));
  return MS_SUCCESS;
}

ms_status ms_yaml_visit_paths(const ms_yaml *y, ms_yaml_visit_fn *visit, void *user) {
  return visit_below(&(visitor) { y, visit, user, 0 }, ms_yaml_root(y));
}

typedef struct wanted {
  const struct stat *file;
  int *found;
} wanted;

static int is_wanted(void *user, const char *path) {
  const wanted *w = user;
  struct stat info;
  *w->found =
      stat(path, &info) == 0 && info.st_dev == w->file->st_dev && info.st_ino == w->file->st_ino;
  return *w->found;
}

ms_status ms_yaml_names_file(const ms_yaml *y, const struct stat *file, int *found) {
  return ms_yaml_visit_paths(y, is_wanted, &(wanted) { file, found });
}

ms_status ms_yaml_open_table(const ms_yaml *y, struct fy_node *file, ms_table **out) {
  char *path = NULL;
  *out = NULL;
  MS_TRY(ms_yaml_file(y, file, "a table", &path));
  ms_status status = ms_table_read_words(y->ctx, path, out);
  ms_free(y->ctx, &path);
  return ms_yaml_fail_here(y, file, status);
}

ms_status ms_yaml_read_record(const ms_yaml *y, struct fy_node *node, const char *file,
                              const ms_record_request *request, ms_record *out) {
  char *path = NULL;
  MS_TRY(ms_yaml_path(y, file, &path));
  ms_status status = ms_record_read(y->ctx, path, request, out);
  ms_free(y->ctx, &path);
  return ms_yaml_fail_here(y, node, status);
}

/* Where the study names the channel that the message misses. */
static struct fy_node *find_named(const ms_yaml *y, const ms_entry_list *sensors,
                                  struct fy_node *node) {
  for (ptrdiff_t i = 0; sensors && i < sensors->n; i++) {
    const ms_entry *e = &sensors->entry[i];
    char text[120];
    snprintf(text, sizeof text, "no channel '%.100s'", e->text ? e->text : e->name);
    if (strstr(ms_context_message(y->ctx), text)) return e->value ? e->value : e->key;
  }
  return node;
}

ms_status ms_yaml_read_record_set(const ms_yaml *y, struct fy_node *node, const char *file,
                                  ptrdiff_t n, const ms_record_request *request,
                                  const ms_entry_list *sensors, ms_record_set *out,
                                  ms_record_kind *kind) {
  char *path = NULL;
  MS_TRY(ms_yaml_path(y, file, &path));
  ms_status status = ms_record_read_set(y->ctx, path, n, request, out, kind);
  ms_free(y->ctx, &path);
  if (status == MS_ERR_NAME) node = find_named(y, sensors, node);
  return ms_yaml_fail_here(y, node, status);
}

static const char *unit_of(const ms_table *table, const char *name) {
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table); c++) {
    if (strcmp(ms_table_get_name(table, c), name) == 0) return ms_table_get_unit(table, c);
  }
  return NULL;
}

ms_status ms_yaml_check_column(const ms_yaml *y, const ms_units *units, struct fy_node *node,
                               const ms_table *table, const char *name, const char *si,
                               double factor) {
  const char *unit = unit_of(table, name);
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
  MS_TRY(ms_allocate(ctx, 4 * t->capacity, sizeof *t->column, &t->column));
  return ms_allocate(ctx, t->capacity, sizeof *t->row, &t->row);
}

void ms_point_table_add(ms_point_table *t, int row, double x, double y, double z) {
  const ptrdiff_t k = t->n++;
  t->row[k] = row;
  t->column[k] = x;
  t->column[k + t->capacity] = y;
  t->column[k + 2 * t->capacity] = z;
}

ms_status ms_point_table_share(ms_context *ctx, ms_point_table *t) {
  ptrdiff_t n[2] = { t->capacity, t->n };
  MS_TRY(ms_context_share(ctx, 0, n, sizeof n));
  if (!t->column) MS_TRY(ms_point_table_reserve(ctx, n[0], t));
  t->n = n[1];
  MS_TRY(ms_context_share(ctx, 0, t->column, (size_t)(3 * n[0]) * sizeof *t->column));
  return ms_context_share(ctx, 0, t->row, (size_t)n[0] * sizeof *t->row);
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

/* What a unit is in SI, of those in which such a column may be; 0: none of them. */
static double find_factor(ms_column_measures measures, const char *unit, ms_record_kind *kind) {
  static const struct {
    ms_column_measures measures;
    const char *unit;
    double factor;
  } known[] = {
    { MS_MEASURES_FREQUENCY, "Hz", 2.0 * MS_PI }, { MS_MEASURES_FREQUENCY, "kHz", 2e3 * MS_PI },
    { MS_MEASURES_FREQUENCY, "rad/s", 1.0 },      { MS_MEASURES_RATIO, "%", 0.01 },
    { MS_MEASURES_RATIO, "percent", 0.01 },       { MS_MEASURES_RATIO, "-", 1.0 }
  };
  double factor = 0.0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i].measures == measures && strcmp(known[i].unit, unit) == 0) return known[i].factor;
  }
  if (measures == MS_MEASURES_MOTION) ms_record_knows_unit(unit, kind, &factor);
  return factor;
}

/* The unit that the heading or the key `units` says, where it is one in which such a column may be:
 *factor, else 0. */
static ms_status find_unit(const ms_yaml *y, struct fy_node *mapping, const ms_point_column *c,
                           const char *key, const ms_table *table, const char *name,
                           ms_point_table *t, double *factor) {
  static const char *const expected[] = { "", "Hz, kHz or rad/s", "% or -",
                                          "m, mm, m/s, m/s^2, g and the like" };
  struct fy_node *units = ms_yaml_get(mapping, "units");
  struct fy_node *node = units ? ms_yaml_get(units, key) : NULL;
  const char *heading = unit_of(table, name), *unit = heading;
  ms_record_kind kind = MS_RECORD_DISPLACEMENT;
  *factor = 0.0;
  if (c->measures == MS_MEASURES_NOTHING) return MS_SUCCESS;
  if (node) MS_TRY(ms_yaml_text(y, node, key, &unit));
  if (unit) *factor = find_factor(c->measures, unit, &kind);
  if (node && heading && strcmp(heading, unit) != 0) {
    return ms_yaml_fail(y, node, MS_ERR_BOUNDS,
                        "column '%.40s' says that it is in [%.20s]; leave units: {%s: ...} out",
                        name, heading, key);
  }
  if (node && *factor == 0.0) {
    return ms_yaml_fail(y, node, MS_ERR_BOUNDS, "unit '%.20s' is not known; expected: %s", unit,
                        expected[c->measures]);
  }
  if (c->measures == MS_MEASURES_MOTION && *factor > 0.0) t->motion = 1, t->kind = kind;
  return MS_SUCCESS;
}

/* A column and its factor to SI; a table without it is refused. */
static ms_status find_column(const ms_yaml *y, struct fy_node *mapping, const ms_units *own_units,
                             const ms_units *units, const ms_point_column *c, const ms_table *table,
                             ms_point_table *t, int *instead, const double **values,
                             double *factor) {
  struct fy_node *names = ms_yaml_get(mapping, "columns");
  struct fy_node *given = names ? ms_yaml_get(names, c->key) : NULL;
  struct fy_node *other = names && c->instead ? ms_yaml_get(names, c->instead) : NULL;
  const int ours = ms_table_is_ours(table);
  const int alone = c->measures == MS_MEASURES_FREQUENCY && !given && !other && c->instead &&
                    !ms_table_get_column(table, c->name) && ms_table_get_column(table, c->instead);
  const int is_other = other || alone;
  const char *key = is_other ? c->instead : c->key, *name = alone ? c->instead : c->name;
  *instead = is_other;
  const double own = ours ? 1.0 : is_other ? c->instead_factor : c->factor;
  *factor = is_other ? own * c->scale : own;
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
  double said;
  MS_TRY(find_unit(y, mapping, c, key, table, name, t, &said));
  if (said > 0.0) *factor = said;
  if (said > 0.0) return MS_SUCCESS;
  /* ours say m and N about an axis too */
  return ms_yaml_check_column(y, ours ? own_units : units, node, table, name,
                              is_other ? c->instead_unit : c->unit, own);
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
    MS_TRY(find_column(y, node, units, r->units, &r->column[c], table, t, &t->instead[c],
                       &column[c], &factor[c]));
    t->missing[c] = !column[c];
  }
  if (r->key) MS_TRY(choose(y, node, r->key, r->words, table, &word));
  ms_status status = r->mode > 0.0 ? ms_table_find_column(table, "mode", &mode) : MS_SUCCESS;
  if (status != MS_SUCCESS) return ms_yaml_fail_here(y, node, status);
  const int decays = r->mode > 0.0 && ms_table_get_word(table, "source", 0);
  const double *window = t->motion ? r->window : NULL;
  MS_TRY(ms_point_table_reserve(y->ctx, ms_table_get_rows(table), t));
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table); i++) {
    if (mode && mode[i] != r->mode) continue;
    if (!is_chosen(table, r->words, word, i)) continue;
    if (window && !(column[0][i] >= window[0] && column[0][i] <= window[1])) continue;
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

static const ms_param curve_columns[] = {
  MS_ROW_COLUMN("q", "q", "modal amplitude, or with `sensor` the amplitude there"),
  MS_ROW_COLUMN("omega", "omega", "frequency, rad/time where its heading does not say"),
  MS_ROW_COLUMN("frequency", "`omega` is read, frequency where there is none",
                "frequency, cycles/time where its heading does not say, in place of `omega`"),
  MS_ROW_COLUMN("zeta", "zeta, or zeta_joint with damping: joint", "damping ratio"),
};
const ms_param_list ms_curve_columns = MS_LIST_OF(curve_columns);

static const ms_param curve_units[] = {
  MS_ROW_COLUMN("q", "its heading", "at a sensor: g, m/s^2, mm/s, um and the like"),
  MS_ROW_COLUMN("omega", "its heading", "Hz, kHz or rad/s"),
  MS_ROW_COLUMN("frequency", "its heading", "Hz, kHz or rad/s"),
  MS_ROW_COLUMN("zeta", "its heading", "% or -"),
};
const ms_param_list ms_curve_units = MS_LIST_OF(curve_units);

static const ms_param sine_columns[] = {
  MS_ROW_COLUMN("frequency", "frequency", "in Hz, kHz or rad/s"),
  MS_ROW_COLUMN("force", "force", "amplitude of the force, in N, mN, kN or lbf"),
  MS_ROW_COLUMN("amplitude", "amplitude",
                "of a displacement, velocity or acceleration, as its unit says"),
  MS_ROW_COLUMN("phase", "phase", "of it against the force, in deg or rad"),
};
const ms_param_list ms_sine_columns = MS_LIST_OF(sine_columns);

ms_status ms_point_table_read_sine(const ms_yaml *y, struct fy_node *node, const char *key,
                                   ms_point_table *t) {
  static const char *const names[] = { "frequency", "force", "amplitude", "phase" };
  struct fy_node *file = ms_yaml_get(node, key), *columns = ms_yaml_get(node, "columns");
  const char *name[4] = { NULL };
  ms_shaker_table table;
  char *path = NULL;
  for (int i = 0; i < 4; i++) {
    struct fy_node *given = columns ? ms_yaml_get(columns, names[i]) : NULL;
    if (given) MS_TRY(ms_yaml_text(y, given, names[i], &name[i]));
  }
  MS_TRY(ms_yaml_file(y, file, key, &path));
  const ms_shaker_columns own = { name[0], name[1], name[2], name[3] };
  ms_status status = ms_shaker_read(y->ctx, path, &own, &table);
  ms_free(y->ctx, &path);
  MS_TRY(ms_yaml_fail_here(y, file, status));
  status = ms_point_table_reserve(y->ctx, table.n, t);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < table.n; i++) {
    ms_point_table_add(t, table.row[i], table.omega[i], table.amplitude[i], table.phase[i]);
    t->column[i + 3 * t->capacity] = table.force[i];
  }
  ms_shaker_free(y->ctx, &table);
  return status;
}

ms_status ms_yaml_read_column(const ms_yaml *y, struct fy_node *node, const char *what,
                              const char *column, double **out, ptrdiff_t *n) {
  ms_table *table;
  if (!ms_yaml_is_scalar(node)) return ms_yaml_numbers(y, node, what, out, n);
  MS_TRY(ms_yaml_open_table(y, node, &table));
  const double *x = ms_table_get_column(table, column);
  *n = ms_table_get_rows(table);
  ms_status status =
      x ? ms_allocate(y->ctx, *n, sizeof **out, out)
        : ms_yaml_fail(y, node, MS_ERR_FORMAT, "a file of %s has the column %s", what, column);
  if (!status) memcpy(*out, x, (size_t)*n * sizeof *x);
  ms_table_destroy(&table);
  return status;
}
