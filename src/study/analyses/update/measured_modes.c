/* Measured modes from a table, a row for each, or from the study file. Coordinates are the names of
   columns; a name with .im behind it is the imaginary part there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "study/analyses/update/update.h"
#include "study/file/options.h"

#define TWO_PI 6.283185307179586

typedef struct options {
  ms_numbers frequencies, modes;
  struct fy_node *shapes;
} options;

/* Frequencies are judged with those of tables, by row. */
static const ms_param measured_keys[] = {
  MS_NUMBERS(options, frequencies, "1/s", MS_ANY, MS_REQUIRED, "of the measured modes"),
  MS_COUNTS(options, modes, MS_FROM(1),
            MS_ELSE("those that are not of a rigid body, in their order"),
            "without shapes: which modes of the structure they are"),
  MS_FORMS(options, shapes, "mapping or file", MS_OPTIONAL,
           "degree of freedom: a number for each mode; u3.im: the imaginary part at u3. Or a table "
           "with such rows: the degree of freedom in the first column, then a column for each "
           "mode"),
};
const ms_param_list ms_update_measured_keys = MS_LIST_OF(measured_keys);

void ms_update_free_measured(ms_context *ctx, ms_update *u) {
  for (ptrdiff_t i = 0; u->sensor && i < u->measured.n_sensor; i++) ms_free(ctx, &u->sensor[i]);
  ms_free(ctx, &u->sensor);
  ms_free(ctx, &u->omega);
  ms_free(ctx, &u->deviation);
  ms_free(ctx, &u->re);
  ms_free(ctx, &u->im);
  ms_free(ctx, &u->mode);
  ms_free(ctx, &u->row);
}

static ms_status allocate(ms_context *ctx, ptrdiff_t n, ms_update *u) {
  MS_TRY(ms_allocate(ctx, n, sizeof *u->omega, &u->omega));
  MS_TRY(ms_allocate(ctx, n, sizeof *u->deviation, &u->deviation));
  MS_TRY(ms_allocate(ctx, n, sizeof *u->row, &u->row));
  u->measured = (ms_measured_modes) { .n = n };
  return MS_SUCCESS;
}

static ms_status allocate_shapes(ms_context *ctx, ptrdiff_t most, ms_update *u) {
  MS_TRY(ms_allocate(ctx, most, sizeof *u->sensor, &u->sensor));
  return ms_allocate(ctx, most * u->measured.n, sizeof *u->re, &u->re);
}

/* The arrays, in the form that the library reads. */
static void point(ms_update *u) {
  ms_measured_modes *m = &u->measured;
  m->omega = u->omega;
  m->deviation = u->deviation;
  m->row = u->row;
  m->mode = u->mode;
  m->sensor = (const char *const *)u->sensor;
  m->re = u->re;
  m->im = u->im;
}

/* ---- shapes ---- */

/* "u1.im" is of u1; the length of the coordinate's name. */
static size_t split(const char *name, int *imaginary) {
  size_t length = strlen(name);
  *imaginary = length > 3 && strcmp(name + length - 3, ".im") == 0;
  return *imaginary ? length - 3 : length;
}

/* The sensor of that name, a new one if there is none yet. */
static ms_status find_sensor(ms_study *s, struct fy_node *node, const char *name, size_t length,
                             ms_update *u, ptrdiff_t *out) {
  ptrdiff_t i = 0, coordinate;
  while (i < u->measured.n_sensor &&
         (strncmp(u->sensor[i], name, length) != 0 || u->sensor[i][length] != '\0')) {
    i++;
  }
  *out = i;
  if (i < u->measured.n_sensor) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, (ptrdiff_t)length + 1, 1, &u->sensor[i]));
  memcpy(u->sensor[i], name, length);
  u->measured.n_sensor++;
  ms_status status = ms_structure_find(s->structure, u->sensor[i], &coordinate);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, node, status);
}

/* Values of one coordinate, one for each mode; room is for `most` sensors. */
static ms_status add_values(ms_study *s, struct fy_node *node, const char *name, ptrdiff_t most,
                            const double *value, ms_update *u) {
  int imaginary;
  size_t length = split(name, &imaginary);
  ptrdiff_t i, n = u->measured.n;
  MS_TRY(find_sensor(s, node, name, length, u, &i));
  if (imaginary && !u->im) MS_TRY(ms_allocate(s->ctx, most * n, sizeof *u->im, &u->im));
  for (ptrdiff_t k = 0; k < n; k++) (imaginary ? u->im : u->re)[i + most * k] = value[k];
  return MS_SUCCESS;
}

/* From room for `most` sensors to that of those there are. */
static void close_up(ms_update *u, ptrdiff_t most) {
  ptrdiff_t m = u->measured.n_sensor;
  for (ptrdiff_t k = 0; k < u->measured.n; k++) {
    for (ptrdiff_t i = 0; i < m; i++) {
      u->re[i + m * k] = u->re[i + most * k];
      if (u->im) u->im[i + m * k] = u->im[i + most * k];
    }
  }
}

/* ---- mode numbers ---- */

static ms_status take_numbers(ms_study *s, struct fy_node *node, const double *mode, ms_update *u) {
  if (!mode) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, u->measured.n, sizeof *u->mode, &u->mode));
  for (ptrdiff_t k = 0; k < u->measured.n; k++) {
    if (mode[k] != floor(mode[k]) || !(mode[k] >= 1.0 && mode[k] < 1e9)) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                          "row %d: the number of a mode is 1, 2, ..., not %g", u->row[k], mode[k]);
    }
    u->mode[k] = (ptrdiff_t)mode[k] - 1;
    for (ptrdiff_t i = 0; i < k; i++) {
      if (u->mode[i] != u->mode[k]) continue;
      return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "rows %d and %d are both mode %g",
                          u->row[i], u->row[k], mode[k]);
    }
  }
  return MS_SUCCESS;
}

/* ---- a table ---- */

static int is_own(const char *name) {
  static const char *const own[] = { "f", "omega", "mode", "deviation" };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    if (strcmp(name, own[i]) == 0) return 1;
  }
  return 0;
}

static ms_status take_frequencies(ms_study *s, struct fy_node *node, const ms_table *table,
                                  double deviation, ms_update *u) {
  const double *f = ms_table_get_column(table, "f"), *omega = ms_table_get_column(table, "omega");
  const double *own = ms_table_get_column(table, "deviation");
  if (!f == !omega) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "a table of modes has one column 'f' (Hz) or 'omega' (rad/s)");
  }
  MS_TRY(ms_units_check_column(s, &s->units, node, table, f ? "f" : "omega", f ? "Hz" : "rad/s",
                               1.0 / s->units.time));
  for (ptrdiff_t k = 0; k < u->measured.n; k++) {
    u->omega[k] = (f ? TWO_PI * f[k] : omega[k]) / s->units.time;
    u->deviation[k] = own ? own[k] : deviation;
    u->row[k] = (int)ms_table_get_line(table, k);
  }
  return MS_SUCCESS;
}

static ms_status take_table(ms_study *s, struct fy_node *node, const ms_table *table,
                            double deviation, ms_update *u) {
  ptrdiff_t columns = ms_table_get_columns(table), rows = ms_table_get_rows(table);
  if (rows == 0) return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "the table has no rows");
  MS_TRY(allocate(s->ctx, rows, u));
  MS_TRY(allocate_shapes(s->ctx, columns, u));
  MS_TRY(take_frequencies(s, node, table, deviation, u));
  MS_TRY(take_numbers(s, node, ms_table_get_column(table, "mode"), u));
  for (ptrdiff_t c = 0; c < columns; c++) {
    const char *name = ms_table_get_name(table, c);
    if (is_own(name)) continue;
    MS_TRY(add_values(s, node, name, columns, ms_table_get_column(table, name), u));
  }
  close_up(u, columns);
  return MS_SUCCESS;
}

typedef ms_status (*table_reader)(ms_context *ctx, const char *path, ms_table **out);

static ms_status open_table(ms_study *s, struct fy_node *node, table_reader read, ms_table **out) {
  const char *file;
  char *path = NULL;
  MS_TRY(ms_yaml_text(&s->yaml, node, "measured", &file));
  MS_TRY(ms_study_path(s, file, &path));
  ms_status status = read(s->ctx, path, out);
  ms_free(s->ctx, &path);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, node, status);
}

static ms_status read_table(ms_study *s, struct fy_node *node, double deviation, ms_update *u) {
  ms_table *table = NULL;
  MS_TRY(open_table(s, node, ms_table_read, &table));
  ms_status status = take_table(s, node, table, deviation, u);
  ms_table_destroy(&table);
  return status;
}

/* ---- the study file ---- */

/* A list with a number for each measured mode. */
static ms_status read_list(ms_study *s, struct fy_node *node, const char *what, ptrdiff_t n,
                           double **out) {
  ptrdiff_t count = 0;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, what, out, &count));
  if (count == n) return MS_SUCCESS;
  ms_free(s->ctx, out);
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "%.60s: %td numbers for %td modes", what,
                      count, n);
}

static ms_status read_shapes_here(ms_study *s, struct fy_node *node, ms_update *u) {
  void *at = NULL;
  ptrdiff_t most = ms_yaml_count(node);
  MS_TRY(allocate_shapes(s->ctx, most, u));
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    const char *name;
    double *numbers = NULL;
    MS_TRY(ms_yaml_text(&s->yaml, key, "a coordinate", &name));
    MS_TRY(read_list(s, value, name, u->measured.n, &numbers));
    ms_status status = add_values(s, key, name, most, numbers, u);
    ms_free(s->ctx, &numbers);
    MS_TRY(status);
  }
  close_up(u, most);
  return MS_SUCCESS;
}

/* A row for each coordinate, the word in it; the other columns are the modes in their order. */
static ms_status take_rows(ms_study *s, struct fy_node *node, const ms_table *table, ms_update *u) {
  ptrdiff_t rows = ms_table_get_rows(table), columns = ms_table_get_columns(table);
  double *value = NULL;
  const char *of = columns > 0 ? ms_table_get_name(table, 0) : "";
  if (!ms_table_get_word(table, of, 0) || columns != u->measured.n + 1) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "a table of shapes has coordinates in its first column and then a column "
                        "for each of the %td modes",
                        u->measured.n);
  }
  MS_TRY(allocate_shapes(s->ctx, rows, u));
  MS_TRY(ms_allocate(s->ctx, u->measured.n, sizeof *value, &value));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < rows && status == MS_SUCCESS; i++) {
    for (ptrdiff_t k = 0; k < u->measured.n; k++) {
      const double *column = ms_table_get_column(table, ms_table_get_name(table, k + 1));
      value[k] = column ? column[i] : (double)NAN; /* words, refused as no finite shape */
    }
    status = add_values(s, node, ms_table_get_word(table, of, i), rows, value, u);
    if (status != MS_SUCCESS) {
      ms_fail_at(s->ctx, status, "line %td of the table", ms_table_get_line(table, i));
    }
  }
  ms_free(s->ctx, &value);
  close_up(u, rows);
  return status;
}

static ms_status read_shapes_table(ms_study *s, struct fy_node *node, ms_update *u) {
  ms_table *table = NULL;
  MS_TRY(open_table(s, node, ms_table_read_words, &table));
  ms_status status = take_rows(s, node, table, u);
  ms_table_destroy(&table);
  return status;
}

static ms_status read_shapes(ms_study *s, struct fy_node *node, ms_update *u) {
  if (!node) return MS_SUCCESS;
  if (ms_yaml_is_mapping(node) && ms_yaml_count(node) > 0) return read_shapes_here(s, node, u);
  if (ms_yaml_is_scalar(node)) return read_shapes_table(s, node, u);
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                      "shapes are coordinate: [a number for each mode], or the name of a table");
}

static ms_status take_mapping(ms_study *s, struct fy_node *node, const options *o, double deviation,
                              ms_update *u) {
  const ptrdiff_t n = o->frequencies.n;
  struct fy_node *modes = ms_yaml_get(node, "modes");
  MS_TRY(allocate(s->ctx, n, u));
  for (ptrdiff_t k = 0; k < n; k++) {
    u->omega[k] = TWO_PI * o->frequencies.value[k];
    u->deviation[k] = deviation;
    u->row[k] = (int)k + 1;
  }
  if (modes && o->modes.n != n) {
    return ms_yaml_fail(&s->yaml, modes, MS_ERR_FORMAT, "modes: %td numbers for %td modes",
                        o->modes.n, n);
  }
  MS_TRY(take_numbers(s, modes, o->modes.value, u));
  return read_shapes(s, o->shapes, u);
}

static ms_status read_mapping(ms_study *s, struct fy_node *node, double deviation, ms_update *u) {
  const ms_param_list *list = &ms_update_measured_keys;
  options o = { 0 };
  ms_status status = ms_options_read(s, node, NULL, "measured", list->param, list->n, &o);
  if (status == MS_SUCCESS) status = take_mapping(s, node, &o, deviation, u);
  ms_options_free(s->ctx, list->param, list->n, &o);
  return status;
}

/* Modes without shapes or numbers are those of the model in its order, which rises. */
static ms_status check_order(const ms_study *s, struct fy_node *node, const ms_update *u) {
  for (ptrdiff_t k = 1; k < u->measured.n && u->measured.n_sensor == 0 && !u->mode; k++) {
    if (!(u->omega[k] < u->omega[k - 1]) || !(u->omega[k] > 0.0)) continue;
    return ms_yaml_fail(
        &s->yaml, node, MS_ERR_BOUNDS,
        "measured mode %td (row %d) is lower than the one before: without shapes they "
        "are paired in their order; sort them, or say which modes they are",
        k + 1, u->row[k]);
  }
  return MS_SUCCESS;
}

ms_status ms_update_read_measured(ms_study *s, struct fy_node *node, double deviation,
                                  ms_update *u) {
  MS_TRY(ms_yaml_is_mapping(node) ? read_mapping(s, node, deviation, u)
                                  : read_table(s, node, deviation, u));
  point(u);
  return check_order(s, node, u);
}
