/* From the file to loads: a function of time, and where it acts. */
#include "study/model/loads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "core/param.h"
#include "study/file/model_keys.h"

typedef struct place {
  struct fy_node *at, *base;
  ptrdiff_t mode;
  int shape;
} place;

static const ms_param place_keys[] = {
  MS_FORMS(place, at, "word, list of words or mapping of numbers", MS_OPTIONAL,
           "degree of freedom on which the force acts, a list, or degree of freedom: weight"),
  MS_COUNT(place, mode, MS_FROM(1), MS_ELSE("optional"), "or the force is M phi of this mode"),
  MS_CHOICE(place, shape, "stuck|slipped", MS_OPTIONAL, "shape of the mode"),
  MS_FORMS(place, base, "true, word, list of words or mapping of numbers", MS_OPTIONAL,
           "or acceleration of the ground along x, y or z; true: all degrees of freedom follow it; "
           "or a list of those that do"),
};

enum { N_PLACE = sizeof place_keys / sizeof *place_keys };

static const ms_param_list place_list = MS_LIST_OF(place_keys);
static const ms_param load_row[] = { MS_EACH(
    "mapping", &place_list,
    "a load: where it acts, and its function of time, {half_sine: {...}, at: u2}") };

const ms_param_list ms_loads_keys = MS_LIST_OF(load_row);

/* ---- weights over the coordinates ---- */

ms_status ms_read_dof(const ms_study *s, struct fy_node *node, const char *what, ptrdiff_t *out) {
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, node, what, &name));
  MS_TRY(ms_yaml_fail_here(&s->yaml, node, ms_structure_find(s->structure, name, out)));
  if (*out != MS_GROUND) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "the ground does not move");
}

static ms_status add_weight(const ms_study *s, struct fy_node *node, double value, double about,
                            double *x) {
  ptrdiff_t i;
  MS_TRY(ms_read_dof(s, node, "a degree of freedom", &i));
  x[i] += ms_name_is_rotation(ms_structure_get_name(s->structure, i)) ? about : value;
  return MS_SUCCESS;
}

ms_status ms_read_weights(const ms_study *s, struct fy_node *node, const char *what, double factor,
                          double about, double *x) {
  void *at = NULL;
  double value;
  const int weighted = ms_yaml_is_mapping(node);
  for (struct fy_node *item; !weighted && (item = ms_yaml_next_of(node, &at));) {
    MS_TRY(add_weight(s, item, factor, about, x));
  }
  for (struct fy_node *key, *item; weighted && (item = ms_yaml_next_pair(node, &at, &key));) {
    MS_TRY(ms_yaml_number(&s->yaml, item, what, &value));
    MS_TRY(add_weight(s, key, value * factor, value * about, x));
  }
  return MS_SUCCESS;
}

ms_status ms_read_preload(const ms_study *s, struct fy_node *node, double **out) {
  const ms_units *u = &s->units;
  if (!node) return MS_SUCCESS;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "preload must be {degree of freedom: force}");
  }
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof **out, out));
  return ms_read_weights(s, node, "preload", u->force, u->force * u->length, *out);
}

ms_status ms_read_at(const ms_study *s, struct fy_node *node, double *x, int *moment) {
  *moment = ms_names_are_rotations(node);
  return ms_read_weights(s, node, "a weight", 1.0, *moment ? 1.0 : s->units.length, x);
}

/* ---- where it acts ---- */

/* M phi. */
static ms_status place_on_mode(const ms_study *s, struct fy_node *node, const place *o,
                               double *shape) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  if (o->mode > n) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(node, "mode"), MS_ERR_BOUNDS,
                        "there is no mode %td; modes are 1 to %td", o->mode, n);
  }
  ms_modes modes =
      o->shape == 0 ? ms_structure_get_stuck(s->structure) : ms_structure_get_slipped(s->structure);
  ms_structure_apply_mass(s->structure, 1.0, modes.shape + n * (o->mode - 1), shape);
  return MS_SUCCESS;
}

/* A load has a function of time beside the keys of its place: they are read value by value. */
static ms_status read_place(const ms_study *s, struct fy_node *key, struct fy_node *node,
                            ms_study_load *out) {
  place o = { .at = ms_yaml_get(node, "at"), .base = ms_yaml_get(node, "base"), .mode = -1 };
  struct fy_node *mode = ms_yaml_get(node, "mode"), *shape = ms_yaml_get(node, "shape");
  if (mode) MS_TRY(ms_options_read_value(s, mode, "mode", &place_keys[1], &o.mode));
  if (shape) MS_TRY(ms_options_read_value(s, shape, "shape", &place_keys[2], &o.shape));
  if (shape && !mode) return ms_yaml_fail(&s->yaml, shape, MS_ERR_FORMAT, "shape needs mode");
  if (!!o.at + (o.mode > 0) + !!o.base != 1) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_FORMAT, "load %s needs one of at, mode and base",
                        out->name);
  }
  out->place = o.at ? "at" : o.base ? "base" : "mode";
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure), sizeof *out->shape, &out->shape));
  if (o.base) return ms_read_base(s, o.base, out);
  if (o.at) return ms_read_at(s, o.at, out->shape, &out->moment);
  return place_on_mode(s, node, &o, out->shape);
}

double ms_load_factor(const ms_units *u, const ms_study_load *load) {
  if (load->iota) return u->acceleration;
  if (load->moment) return u->force * u->length;
  return strcmp(load->place, "mode") == 0 ? u->force / sqrt(u->mass) : u->force;
}

const char *ms_load_unit(const ms_study_load *load) {
  if (load->iota) return "m/s^2";
  if (load->moment) return "N m";
  return strcmp(load->place, "mode") == 0 ? "N/sqrt(kg)" : "N";
}

ms_status ms_read_place(const ms_study *s, struct fy_node *node, const char *name,
                        ms_study_load *out, double *factor) {
  *out = (ms_study_load) { .name = name };
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "load", place_keys, N_PLACE));
  MS_TRY(read_place(s, node, node, out));
  *factor = ms_load_factor(&s->units, out);
  return MS_SUCCESS;
}

/* Hz and rad/s are what they say in any system of units. */
static double factor_of(const ms_study *s, const ms_study_load *load, const char *unit) {
  double own = ms_load_factor(&s->units, load);
  if (strcmp(unit, "load") == 0) return own;
  if (strcmp(unit, "load^2/Hz") == 0) return own * own;
  return strcmp(unit, "s") == 0 ? s->units.time : 1.0;
}

/* ---- the function of time ---- */

enum { MAX_COLUMN = 4 };

/* The file's columns of the table's names, or its first ones. */
static ms_status read_file(const ms_study *s, const ms_param_table *t, struct fy_node *node,
                           ms_numbers *list) {
  ms_table *file = NULL;
  char *path;
  MS_TRY(ms_yaml_file(&s->yaml, node, "file", &path));
  ms_status status = ms_table_read(s->ctx, path, &file);
  ms_free(s->ctx, &path);
  MS_TRY(ms_yaml_fail_here(&s->yaml, node, status));
  ptrdiff_t n = ms_table_get_rows(file), columns = ms_table_get_columns(file);
  for (int c = 0; c < t->n_column && c < columns && status == MS_SUCCESS; c++) {
    const double *values = ms_table_get_column(file, t->column[c]);
    if (!values) values = ms_table_get_column(file, ms_table_get_name(file, c));
    status = ms_allocate(s->ctx, n, sizeof *values, &list[c].value);
    if (status != MS_SUCCESS) break;
    memcpy(list[c].value, values, (size_t)n * sizeof *values);
    list[c].n = n;
  }
  ms_table_destroy(&file);
  return status;
}

static ms_status set_columns(const ms_study *s, struct fy_node *node, const ms_study_load *load,
                             ms_numbers *list) {
  const ms_param_table *t = ms_load_get_info(load->load)->table;
  const double *column[MAX_COLUMN];
  ptrdiff_t rows = 0;
  int columns = 0;
  for (int c = 0; c < t->n_column; c++) {
    if (list[c].n > rows) rows = list[c].n;
    if (list[c].value) columns = c + 1;
  }
  for (int c = 0; c < columns; c++) {
    double factor = factor_of(s, load, t->unit[c]);
    if (list[c].n != rows && list[c].n != 1) {
      return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "%s has %td values, others have %td",
                          t->column[c], list[c].n, rows);
    }
    if (list[c].n < rows) { /* one for all */
      MS_TRY(ms_resize(s->ctx, rows, sizeof *list[c].value, &list[c].value));
      for (ptrdiff_t i = 1; i < rows; i++) list[c].value[i] = list[c].value[0];
    }
    for (ptrdiff_t i = 0; i < rows; i++) list[c].value[i] *= factor;
    column[c] = list[c].value;
  }
  if (columns == 0) return MS_SUCCESS;
  return ms_yaml_fail_here(&s->yaml, node, ms_load_set_table(load->load, rows, columns, column));
}

/* pulse_mode: omega is that of this stuck mode. */
static ms_status set_mode_omega(const ms_study *s, struct fy_node *value, ms_load *load) {
  ptrdiff_t n = ms_structure_get_size(s->structure), mode;
  MS_TRY(ms_yaml_count_value(&s->yaml, value, "pulse_mode", 1, &mode));
  double omega = mode <= n ? ms_structure_get_stuck(s->structure).omega[mode - 1] : 0.0;
  if (!(omega > 0.0)) {
    return ms_yaml_fail(&s->yaml, value, MS_ERR_BOUNDS,
                        mode <= n ? "mode %td is rigid and has no period"
                                  : "there is no mode %td; modes are 1 to %td",
                        mode, n);
  }
  return ms_yaml_fail_here(&s->yaml, value, ms_load_set(load, "omega", omega));
}

static ms_status set_number(const ms_study *s, const ms_study_load *load, const ms_param *p,
                            struct fy_node *value) {
  double number;
  ms_status status;
  if (p->kind == MS_PARAM_CHOICE) {
    const char *text;
    MS_TRY(ms_yaml_text(&s->yaml, value, p->name, &text));
    status = ms_load_set_text(load->load, p->name, text);
  } else {
    MS_TRY(ms_yaml_number(&s->yaml, value, p->name, &number));
    status = ms_load_set(load->load, p->name, number * factor_of(s, load, p->unit));
  }
  return ms_yaml_fail_here(&s->yaml, value, status);
}

static ms_status set_parameter(const ms_study *s, ms_study_load *load, struct fy_node *key,
                               struct fy_node *value, ms_numbers *list) {
  const ms_load_info *info = ms_load_get_info(load->load);
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a parameter", &name));
  for (int c = 0; info->table && c < info->table->n_column; c++) {
    if (strcmp(info->table->column[c], name) != 0) continue;
    ms_free(s->ctx, &list[c].value);
    return ms_yaml_numbers(&s->yaml, value, name, &list[c].value, &list[c].n);
  }
  if (info->table && strcmp(name, "file") == 0) return read_file(s, info->table, value, list);
  const int i = ms_param_find(info->param, info->n_param, name);
  if (i >= 0) return set_number(s, load, &info->param[i], value);
  const int has_omega = ms_param_find(info->param, info->n_param, "omega") >= 0;
  if (has_omega && strcmp(name, "pulse_mode") == 0) {
    load->of_mode = 1;
    return set_mode_omega(s, value, load->load);
  }
  return ms_yaml_fail_here(&s->yaml, key, ms_load_set(load->load, name, 0.0)); /* there is none */
}

static ms_status read_function(const ms_study *s, struct fy_node *key, struct fy_node *node,
                               ms_study_load *out) {
  ms_numbers list[MAX_COLUMN] = { { 0 } };
  const char *kind;
  void *at = NULL;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a kind of load", &kind));
  MS_TRY(ms_yaml_fail_here(&s->yaml, key, ms_load_create(s->ctx, kind, &out->load)));
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_FORMAT, "%s must be a mapping of its parameters",
                        kind);
  }
  ms_status status = MS_SUCCESS;
  for (struct fy_node *name, *value;
       status == MS_SUCCESS && (value = ms_yaml_next_pair(node, &at, &name));) {
    status = set_parameter(s, out, name, value, list);
  }
  if (status == MS_SUCCESS && ms_load_get_info(out->load)->table) {
    status = set_columns(s, key, out, list);
  }
  for (int c = 0; c < MAX_COLUMN; c++) ms_free(s->ctx, &list[c].value);
  MS_TRY(status);
  return ms_yaml_fail_here(&s->yaml, key, ms_load_setup(out->load));
}

/* ---- the whole ---- */

static int is_place(struct fy_node *key) {
  for (int i = 0; i < N_PLACE; i++) {
    if (ms_yaml_is_word(key, place_keys[i].name)) return 1;
  }
  return 0;
}

static ms_status read_load(const ms_study *s, struct fy_node *key, struct fy_node *node,
                           ms_study_load *out) {
  void *at = NULL;
  struct fy_node *kind = NULL, *options = NULL;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a load's name", &out->name));
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_FORMAT,
                        "load %s must be a mapping, e.g. {half_sine: {amplitude: 10, duration: "
                        "1e-3}, at: u2}",
                        out->name);
  }
  for (struct fy_node *name, *value; (value = ms_yaml_next_pair(node, &at, &name));) {
    if (is_place(name)) continue;
    if (kind) {
      return ms_yaml_fail(
          &s->yaml, name, MS_ERR_FORMAT,
          "load %s has a function of time already; other keys are at, mode, shape and base",
          out->name);
    }
    kind = name;
    options = value;
  }
  if (!kind) {
    return ms_yaml_fail(&s->yaml, key, MS_ERR_FORMAT,
                        "load %s needs a function of time, e.g. half_sine: {amplitude: 10, "
                        "duration: 1e-3}",
                        out->name);
  }
  MS_TRY(read_place(s, key, node, out));
  return read_function(s, kind, options, out);
}

ms_status ms_read_load(const ms_study *s, struct fy_node *name, ms_study_load *out) {
  struct fy_node *loads = ms_yaml_get(ms_yaml_root(&s->yaml), "loads"), *node;
  const char *text;
  *out = (ms_study_load) { .name = NULL };
  MS_TRY(ms_yaml_text(&s->yaml, name, "a load", &text));
  node = ms_yaml_get(loads, text);
  if (!node) {
    return ms_yaml_fail(&s->yaml, name, MS_ERR_NAME, "there is no load '%s' in this study", text);
  }
  return read_load(s, name, node, out);
}

void ms_load_free(ms_context *ctx, ms_study_load *load) {
  ms_load_destroy(&load->load);
  ms_free(ctx, &load->shape);
  ms_free(ctx, &load->iota);
}

ms_status ms_check_loads(const ms_study *s) {
  struct fy_node *loads = ms_yaml_get(ms_yaml_root(&s->yaml), "loads");
  void *at = NULL;
  if (!loads) return MS_SUCCESS;
  for (struct fy_node *key, *value; (value = ms_yaml_next_pair(loads, &at, &key));) {
    ms_study_load load = { .name = NULL };
    ms_status status = read_load(s, key, value, &load);
    ms_load_free(s->ctx, &load);
    if (status != MS_SUCCESS) return status;
  }
  return MS_SUCCESS;
}

ms_status ms_load_judge(ms_study *s, ms_task *task, const ms_study_load *load, double until) {
  char text[300];
  for (int i = 0, doubtful; ms_load_warning(load->load, s->structure, load->shape, until, i,
                                            &doubtful, text, sizeof text);
       i++) {
    MS_TRY(ms_result_remark(task->result, doubtful ? MS_OUTCOME_SUSPECT : MS_OUTCOME_COMPLETE,
                            "load %s: %s", load->name, text));
  }
  return MS_SUCCESS;
}
