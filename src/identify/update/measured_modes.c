/* Measured modes from a table, a row for each, or from the study file. Coordinates are the names of
   columns; a name with .im behind it is the imaginary part there. */
#include <math.h>

#include <microslip/measurement.h>

#include "core/internal.h"
#include "identify/update/measured_modes.h"
#include "io/yaml/tables.h"

typedef struct options {
  const char *file;
  ms_entry_list sensors;
  ms_numbers frequencies, modes;
  struct fy_node *shapes;
} options;

/* Frequencies are judged with those of tables, by row. */
static const ms_param measured_keys[] = {
  MS_PATH(options, file, MS_OPTIONAL,
          "in place of the others: a universal file of modes (.uff, .unv), or a table"),
  MS_ENTRIES(options, sensors, "mapping", NULL, MS_OPTIONAL,
             "of a universal file, degree of freedom: its node and direction there, 12+Z; 12-Z is "
             "against it"),
  MS_NUMBERS(options, frequencies, "1/s", MS_ANY, MS_ELSE("those of the file"),
             "of the measured modes"),
  MS_COUNTS(options, modes, MS_FROM(1),
            MS_ELSE("those that are not of a rigid body, in their order"),
            "without shapes: which modes of the structure they are"),
  MS_FORMS(options, shapes, "mapping or file", MS_OPTIONAL,
           "degree of freedom: a number for each mode; u3.im: the imaginary part at u3. Or a table "
           "with such rows: the degree of freedom in the first column, then a column for each "
           "mode"),
};
const ms_param_list ms_measured_keys = MS_LIST_OF(measured_keys);

/* ---- the study file ---- */

static ms_status read_shapes_here(const ms_key_source *from, const ms_structure *structure,
                                  struct fy_node *node, ms_measured_table *m) {
  void *at = NULL;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(node, &at, &key));) {
    const char *name;
    double *numbers = NULL;
    ptrdiff_t count = 0;
    MS_TRY(ms_yaml_text(from->yaml, key, "a coordinate", &name));
    MS_TRY(ms_yaml_numbers(from->yaml, value, name, &numbers, &count));
    ms_status status =
        count == m->is.n
            ? ms_yaml_fail_here(from->yaml, key, ms_measured_add(structure, name, numbers, m))
            : ms_yaml_fail(from->yaml, value, MS_ERR_FORMAT, "%.60s: %td numbers for %td modes",
                           name, count, m->is.n);
    ms_free(from->yaml->ctx, &numbers);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

static ms_status take_mapping(const ms_key_source *from, const ms_structure *structure,
                              struct fy_node *node, const options *o, double deviation,
                              ms_measured_table *m) {
  const ptrdiff_t n = o->frequencies.n;
  struct fy_node *modes = ms_yaml_get(node, "modes");
  ms_table *table = NULL;
  ms_columns all;
  MS_TRY(ms_measured_create(from->yaml->ctx, n, m));
  for (ptrdiff_t k = 0; k < n; k++) {
    m->omega[k] = 2.0 * MS_PI * o->frequencies.value[k];
    m->deviation[k] = deviation;
  }
  if (modes && o->modes.n != n) {
    return ms_yaml_fail(from->yaml, modes, MS_ERR_FORMAT, "modes: %td numbers for %td modes",
                        o->modes.n, n);
  }
  if (modes) MS_TRY(ms_yaml_fail_here(from->yaml, modes, ms_measured_set_modes(m, o->modes.value)));
  if (!o->shapes) return MS_SUCCESS;
  if (ms_yaml_is_mapping(o->shapes) && ms_yaml_count(o->shapes) > 0) {
    return read_shapes_here(from, structure, o->shapes, m);
  }
  if (!ms_yaml_is_scalar(o->shapes)) {
    return ms_yaml_fail(from->yaml, o->shapes, MS_ERR_FORMAT,
                        "shapes are coordinate: [a number for each mode], or the name of a table");
  }
  MS_TRY(ms_yaml_open_table(from->yaml, o->shapes, &table));
  ms_status status = ms_table_get_all(table, &all);
  if (status == MS_SUCCESS) status = ms_measured_take_shapes(structure, &all, m);
  ms_table_destroy(&table);
  return ms_yaml_fail_here(from->yaml, o->shapes, status);
}

/* A universal file is in Hz, a table in units of the study. */
static ms_status take_file(const ms_key_source *from, const ms_structure *structure,
                           struct fy_node *node, const ms_entry_list *sensors, double deviation,
                           ms_measured_table *m) {
  ms_modes_sensor *sensor = NULL;
  ms_table *table = NULL;
  ms_columns all;
  char *path = NULL;
  MS_TRY(ms_allocate(from->yaml->ctx, sensors->n + 1, sizeof *sensor, &sensor));
  for (ptrdiff_t i = 0; i < sensors->n; i++)
    sensor[i] = (ms_modes_sensor) { sensors->entry[i].name, sensors->entry[i].text };
  ms_status status = ms_yaml_file(from->yaml, node, "measured", &path);
  const int universal = path && ms_modes_is_universal(path);
  if (status == MS_SUCCESS)
    status = ms_modes_read(from->yaml->ctx, path, sensors->n, sensor, &table);
  const int hertz = table && ms_table_get_column(table, "f");
  if (status == MS_SUCCESS && !universal) {
    status = ms_yaml_check_column(from->yaml, from->units, node, table, hertz ? "f" : "omega",
                                  hertz ? "Hz" : "rad/s", 1.0 / from->units->time);
  }
  if (status == MS_SUCCESS) status = ms_table_get_all(table, &all);
  if (status == MS_SUCCESS) {
    status =
        ms_measured_take_table(structure, &all, universal ? 1.0 : from->units->time, deviation, m);
  }
  ms_table_destroy(&table);
  ms_free(from->yaml->ctx, &path);
  ms_free(from->yaml->ctx, &sensor);
  return ms_yaml_fail_here(from->yaml, node, status);
}

ms_status ms_measured_read(const ms_key_source *from, const ms_structure *structure,
                           struct fy_node *node, double deviation, ms_measured_table *m) {
  const ms_param_list *list = &ms_measured_keys;
  options o = { 0 };
  ms_status status = MS_SUCCESS;
  const int mapping = ms_yaml_is_mapping(node);
  if (mapping) status = ms_keys_read_mapping(from, node, "measured", list, &o);
  if (status == MS_SUCCESS && mapping && !o.file == !o.frequencies.n) {
    status = ms_yaml_fail(from->yaml, node, MS_ERR_NAME, "measured has frequencies or a file");
  }
  struct fy_node *file = mapping ? ms_yaml_get(node, "file") : node;
  if (status == MS_SUCCESS) {
    status = file ? take_file(from, structure, file, &o.sensors, deviation, m)
                  : take_mapping(from, structure, node, &o, deviation, m);
  }
  ms_keys_free(from->yaml->ctx, list->param, list->n, &o);
  MS_TRY(status);
  return ms_yaml_fail_here(from->yaml, node, ms_measured_check_order(m));
}
