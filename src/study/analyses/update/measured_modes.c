/* Measured modes from a table, a row for each, or from the study file. Coordinates are the names of
   columns; a name with .im behind it is the imaginary part there. */
#include <math.h>

#include "core/internal.h"
#include "study/analyses/update/update.h"

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

/* Values at one coordinate, which the model must have. */
static ms_status add_values(const ms_study *s, struct fy_node *node, const char *name,
                            const double *value, ms_measured_table *m) {
  ptrdiff_t coordinate, last = m->is.n_sensor;
  ms_status status = ms_measured_set_sensor(m, name, value);
  if (status == MS_SUCCESS && m->is.n_sensor > last) {
    status = ms_structure_find(s->structure, m->sensor[last], &coordinate);
  }
  return ms_yaml_fail_here(&s->yaml, node, status);
}

/* ---- a table ---- */

static ms_status take_table(const ms_study *s, struct fy_node *node, const ms_table *table,
                            double deviation, ms_measured_table *m) {
  const double *f = ms_table_get_column(table, "f"), *omega = ms_table_get_column(table, "omega");
  const double *given = ms_table_get_column(table, "deviation");
  const double *mode = ms_table_get_column(table, "mode");
  const ptrdiff_t rows = ms_table_get_rows(table);
  if (rows == 0) return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "the table has no rows");
  if (!f == !omega) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "a table of modes has one column 'f' (Hz) or 'omega' (rad/s)");
  }
  MS_TRY(ms_yaml_check_column(&s->yaml, &s->units, node, table, f ? "f" : "omega",
                              f ? "Hz" : "rad/s", 1.0 / s->units.time));
  MS_TRY(ms_measured_create(s->ctx, rows, m));
  for (ptrdiff_t k = 0; k < rows; k++) {
    m->omega[k] = (f ? 2.0 * MS_PI * f[k] : omega[k]) / s->units.time;
    m->deviation[k] = given ? given[k] : deviation;
    m->row[k] = (int)ms_table_get_line(table, k);
  }
  if (mode) MS_TRY(ms_yaml_fail_here(&s->yaml, node, ms_measured_set_modes(m, mode)));
  for (ptrdiff_t c = 0; c < ms_table_get_columns(table); c++) {
    const char *name = ms_table_get_name(table, c);
    const double *value = ms_table_get_column(table, name);
    if (value == f || value == omega || value == mode || value == given) continue;
    MS_TRY(add_values(s, node, name, value, m));
  }
  return MS_SUCCESS;
}

/* ---- the study file ---- */

static ms_status read_shapes_here(const ms_study *s, struct fy_node *node, ms_measured_table *m) {
  void *at = NULL;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    const char *name;
    double *numbers = NULL;
    ptrdiff_t count = 0;
    MS_TRY(ms_yaml_text(&s->yaml, key, "a coordinate", &name));
    MS_TRY(ms_yaml_numbers(&s->yaml, value, name, &numbers, &count));
    ms_status status = count == m->is.n
                           ? add_values(s, key, name, numbers, m)
                           : ms_yaml_fail(&s->yaml, value, MS_ERR_FORMAT,
                                          "%.60s: %td numbers for %td modes", name, count, m->is.n);
    ms_free(s->ctx, &numbers);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

/* A row for each coordinate, the word in it; the other columns are the modes in their order. */
static ms_status take_rows(const ms_study *s, struct fy_node *node, const ms_table *table,
                           ms_measured_table *m) {
  const ptrdiff_t columns = ms_table_get_columns(table), n = m->is.n;
  const char *of = columns > 0 ? ms_table_get_name(table, 0) : "";
  double *value;
  if (!ms_table_get_word(table, of, 0) || columns != n + 1) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "a table of shapes has coordinates in its first column and then a column "
                        "for each of the %td modes",
                        n);
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *value, &value));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < ms_table_get_rows(table) && status == MS_SUCCESS; i++) {
    for (ptrdiff_t k = 0; k < n; k++) {
      const double *column = ms_table_get_column(table, ms_table_get_name(table, k + 1));
      value[k] = column ? column[i] : (double)NAN; /* words, refused as no finite shape */
    }
    status = add_values(s, node, ms_table_get_word(table, of, i), value, m);
    if (status) ms_fail_at(s->ctx, status, "line %td of the table", ms_table_get_line(table, i));
  }
  ms_free(s->ctx, &value);
  return status;
}

static ms_status take_mapping(const ms_study *s, struct fy_node *node, const options *o,
                              double deviation, ms_measured_table *m) {
  const ptrdiff_t n = o->frequencies.n;
  struct fy_node *modes = ms_yaml_get(node, "modes");
  ms_table *table = NULL;
  MS_TRY(ms_measured_create(s->ctx, n, m));
  for (ptrdiff_t k = 0; k < n; k++) {
    m->omega[k] = 2.0 * MS_PI * o->frequencies.value[k];
    m->deviation[k] = deviation;
  }
  if (modes && o->modes.n != n) {
    return ms_yaml_fail(&s->yaml, modes, MS_ERR_FORMAT, "modes: %td numbers for %td modes",
                        o->modes.n, n);
  }
  if (modes) MS_TRY(ms_yaml_fail_here(&s->yaml, modes, ms_measured_set_modes(m, o->modes.value)));
  if (!o->shapes) return MS_SUCCESS;
  if (ms_yaml_is_mapping(o->shapes) && ms_yaml_count(o->shapes) > 0) {
    return read_shapes_here(s, o->shapes, m);
  }
  if (!ms_yaml_is_scalar(o->shapes)) {
    return ms_yaml_fail(&s->yaml, o->shapes, MS_ERR_FORMAT,
                        "shapes are coordinate: [a number for each mode], or the name of a table");
  }
  MS_TRY(ms_yaml_open_table(&s->yaml, o->shapes, &table));
  ms_status status = take_rows(s, o->shapes, table, m);
  ms_table_destroy(&table);
  return status;
}

ms_status ms_update_read_measured(const ms_study *s, struct fy_node *node, double deviation,
                                  ms_measured_table *m) {
  const ms_param_list *list = &ms_update_measured_keys;
  options o = { 0 };
  ms_table *table = NULL;
  char *path = NULL;
  ms_status status;
  if (ms_yaml_is_mapping(node)) {
    status = ms_options_read_mapping(s, &s->units, node, "measured", list, &o);
    if (status == MS_SUCCESS) status = take_mapping(s, node, &o, deviation, m);
    ms_keys_free(s->ctx, list->param, list->n, &o);
  } else {
    MS_TRY(ms_yaml_file(&s->yaml, node, "measured", &path));
    status = ms_yaml_fail_here(&s->yaml, node, ms_table_read(s->ctx, path, &table));
    if (status == MS_SUCCESS) status = take_table(s, node, table, deviation, m);
    ms_table_destroy(&table);
    ms_free(s->ctx, &path);
  }
  MS_TRY(status);
  return ms_yaml_fail_here(&s->yaml, node, ms_measured_check_order(m));
}
