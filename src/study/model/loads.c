/* From the file to loads: a function of time, and where it acts. */
#include "study/model/loads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "io/yaml/tables.h"
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

static const ms_param load_row[] = { MS_EACH(
    "mapping", &MS_ROWS(place_keys),
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
                        ms_study_load *out) {
  *out = (ms_study_load) { .name = name };
  MS_TRY(ms_yaml_check_keys(&s->yaml, node, "load", place_keys, N_PLACE));
  return read_place(s, node, node, out);
}

/* ---- the function of time ---- */

/* Its keys, and what stands behind each. */
typedef struct function {
  struct fy_node *node;
  int n;
  ms_param key[MS_LOAD_MAX_KEYS];
  union {
    double number;
    ptrdiff_t count;
    int choice;
    const char *file;
    ms_numbers list;
  } value[MS_LOAD_MAX_KEYS];
} function;

/* A unit that is the load's own; the reader of keys converts all others. */
static double factor_of(const ms_study *s, const ms_study_load *load, const char *unit) {
  const double own = ms_load_factor(&s->units, load);
  if (!unit || strncmp(unit, "load", 4) != 0) return 1.0;
  return strcmp(unit, "load") == 0 ? own : own * own; /* load^2/Hz */
}

static ms_status set_number(const ms_study *s, const ms_study_load *load, const function *f,
                            int i) {
  const ms_param *p = &f->key[i];
  struct fy_node *node = ms_yaml_get(f->node, p->name);
  if (!node) return MS_SUCCESS;
  const double value = p->kind == MS_PARAM_COUNT    ? (double)f->value[i].count
                       : p->kind == MS_PARAM_CHOICE ? (double)f->value[i].choice
                                                    : f->value[i].number;
  return ms_yaml_fail_here(&s->yaml, node,
                           ms_load_set(load->load, p->name, value * factor_of(s, load, p->unit)));
}

static ms_status set_table(const ms_study *s, const ms_study_load *load, function *f,
                           struct fy_node *key) {
  const ms_load_info *info = ms_load_get_info(load->load);
  const double *column[MS_LOAD_MAX_KEYS];
  ms_numbers *list[MS_LOAD_MAX_KEYS];
  ptrdiff_t rows;
  int columns;
  if (!info->table) return MS_SUCCESS;
  for (int c = 0; c < info->table->n_column; c++) list[c] = &f->value[info->n_param + c].list;
  MS_TRY(
      ms_yaml_fill_columns(&s->yaml, &s->units, f->node, key, info->table, list, &rows, &columns));
  for (int c = 0; c < columns; c++) {
    const double factor = factor_of(s, load, info->table->unit[c]);
    for (ptrdiff_t i = 0; i < rows; i++) list[c]->value[i] *= factor;
    column[c] = list[c]->value;
  }
  if (columns == 0) return MS_SUCCESS;
  return ms_yaml_fail_here(&s->yaml, key, ms_load_set_table(load->load, rows, columns, column));
}

/* pulse_mode: omega is that of this stuck mode. */
static ms_status set_mode_omega(const ms_study *s, const function *f, ms_study_load *load) {
  struct fy_node *node = ms_yaml_get(f->node, "pulse_mode");
  const ptrdiff_t mode = f->value[f->n - 1].count, n = ms_structure_get_size(s->structure);
  if (!node) return MS_SUCCESS;
  const double omega = mode <= n ? ms_structure_get_stuck(s->structure).omega[mode - 1] : 0.0;
  load->of_mode = 1;
  if (!(omega > 0.0)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        mode <= n ? "mode %td is rigid and has no period"
                                  : "there is no mode %td; modes are 1 to %td",
                        mode, n);
  }
  return ms_yaml_fail_here(&s->yaml, node, ms_load_set(load->load, "omega", omega));
}

static ms_status set_values(const ms_study *s, struct fy_node *key, function *f,
                            ms_study_load *load) {
  for (int i = 0; i < ms_load_get_info(load->load)->n_param; i++) {
    MS_TRY(set_number(s, load, f, i));
  }
  MS_TRY(set_mode_omega(s, f, load));
  MS_TRY(set_table(s, load, f, key));
  return ms_yaml_fail_here(&s->yaml, key, ms_load_setup(load->load));
}

/* What is missing the load says: one set of keys or another must be there. */
static ms_status read_function(const ms_study *s, struct fy_node *key, struct fy_node *node,
                               ms_study_load *out) {
  function f = { .node = node };
  const char *kind;
  MS_TRY(ms_yaml_text(&s->yaml, key, "a kind of load", &kind));
  MS_TRY(ms_yaml_fail_here(&s->yaml, key, ms_load_create(s->ctx, kind, &out->load)));
  f.n = ms_load_list_keys(ms_load_get_info(out->load), f.key);
  for (int i = 0; i < f.n; i++) {
    f.key[i].offset = (size_t)i * sizeof *f.value + 1;
    f.key[i].required = 0;
  }
  ms_status status = ms_options_read(s, node, key, kind, f.key, f.n, f.value);
  if (status == MS_SUCCESS) status = set_values(s, key, &f, out);
  ms_keys_free(s->ctx, f.key, f.n, f.value);
  return status;
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
