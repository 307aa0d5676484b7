/* Measured data from universal files. Labels of units count; where there is none, a dataset 164
   says in which units the file is. */
#include <stdio.h>
#include <string.h>

#include "io/measured/measured.h"
#include "io/record.h"
#include "io/uff58.h"

/* Specific data types of an axis. */
enum { DISPLACEMENT = 8, VELOCITY = 11, ACCELERATION = 12, EXCITATION = 13, FORCE = 9, TIME = 17 };

static ms_record_kind kind_of(const ms_uff58_axis *axis) {
  switch (axis->kind) {
  case DISPLACEMENT:
    return MS_RECORD_DISPLACEMENT;
  case VELOCITY:
    return MS_RECORD_VELOCITY;
  case ACCELERATION:
    return MS_RECORD_ACCELERATION;
  case FORCE:
  case EXCITATION:
    return MS_RECORD_FORCE;
  default:
    return MS_RECORD_UNKNOWN;
  }
}

/* Where on the structure, "12+Z". */
static void name_place(int node, int direction, char text[32]) {
  static const char *const word[] = { "", "X", "Y", "Z", "RX", "RY", "RZ" };
  const int d = direction < 0 ? -direction : direction;
  snprintf(text, 32, "%d%s%s", node,
           direction < 0   ? "-"
           : direction > 0 ? "+"
                           : "",
           word[d < 7 ? d : 0]);
}

static int is_reference_word(const char *name) {
  return strcmp(name, "NONE") == 0 || name[0] == '\0';
}

/* "m/s^2/N" of a frequency response; of a history "m/s^2". */
static void join_units(const ms_uff58_function *f, char *out, size_t size) {
  const char *below = f->denominator.unit;
  const int both = !ms_record_says_nothing(below) && !ms_record_says_nothing(f->ordinate.unit) &&
                   (f->type == 4 || f->type == 5);
  if (ms_record_says_nothing(f->ordinate.unit)) {
    out[0] = '\0';
  } else if (both && !strstr(f->ordinate.unit, below)) {
    snprintf(out, size, "%.22s/(%.22s)", f->ordinate.unit, below);
  } else {
    snprintf(out, size, "%.46s", f->ordinate.unit);
  }
}

/* SI units in one of the file, as dataset 164 has it; 0 where it is not known. */
static double factor_of(const ms_uff58 *file, ms_record_kind kind) {
  if (!(file->length > 0.0) || kind == MS_RECORD_UNKNOWN) return 0.0;
  return kind == MS_RECORD_FORCE ? 1.0 / file->force : 1.0 / file->length;
}

static const char *unit_of_factor(ms_record_kind kind, double factor) {
  static const struct {
    double factor;
    const char *unit[4];
  } known[] = {
    { 1.0, { "m", "m/s", "m/s^2", "N" } },        { 1e-3, { "mm", "mm/s", "mm/s^2", "mN" } },
    { 1e-2, { "cm", "cm/s", "cm/s^2", NULL } },   { 0.0254, { "in", "in/s", "in/s^2", NULL } },
    { 0.3048, { "ft", "ft/s", "ft/s^2", NULL } }, { 4.4482216152605, { NULL, NULL, NULL, "lbf" } },
    { 1e3, { NULL, NULL, NULL, "kN" } },
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const double part = factor / known[i].factor;
    if (part > 0.9999 && part < 1.0001 && known[i].unit[kind]) return known[i].unit[kind];
  }
  return NULL;
}

/* The unit where the label says none; a remark where label and dataset differ. */
static void apply_units(ms_measurement_reader *r, const ms_uff58 *file, ms_measurement_channel *c) {
  const double factor = factor_of(file, c->kind);
  const char *unit = factor > 0.0 ? unit_of_factor(c->kind, factor) : NULL;
  if (c->unit[0] == '\0') {
    if (unit) snprintf(c->unit, sizeof c->unit, "%s", unit);
    return;
  }
  ms_measurement_find_unit(c);
  if (c->factor > 0.0 && factor > 0.0 && !(c->factor / factor > 0.99 && c->factor / factor < 1.01))
    ms_measurement_note(
        r,
        "channel %s has the label %s, but the file's dataset of units (164) means %s; "
        "the label counts",
        c->name, c->unit, unit ? unit : "another unit");
}

static ms_status take_function(ms_measurement_reader *r, const ms_uff58 *file,
                               const ms_uff58_function *f) {
  ms_measurement_channel *c;
  MS_TRY(ms_measurement_add(r, &c));
  c->type = f->type == 0 && f->abscissa.kind == TIME ? 1 : f->type;
  c->is_complex = f->is_complex;
  c->kind = kind_of(&f->ordinate);
  c->n = f->n;
  c->y = f->y;
  c->node = f->response_node, c->direction = f->response_direction;
  if (!is_reference_word(f->reference_name) || f->reference_node > 0) {
    c->reference_node = f->reference_node;
    c->reference_direction = f->reference_direction;
  }
  c->line = f->line;
  c->is_rounded = 1;
  snprintf(c->id, sizeof c->id, "%s", f->id[0]);
  snprintf(c->response_name, sizeof c->response_name, "%s", f->response_name);
  name_place(c->node, c->direction, c->place);
  const int named =
      !ms_record_says_nothing(f->response_name) && strcmp(f->response_name, c->place) != 0;
  snprintf(c->name, sizeof c->name, "%s%s%s", named ? f->response_name : "", named ? ":" : "",
           c->place);
  join_units(f, c->unit, sizeof c->unit);
  apply_units(r, file, c);
  snprintf(c->x_name, sizeof c->x_name, "%s", f->abscissa.label);
  snprintf(c->x_unit, sizeof c->x_unit, "%s", f->abscissa.unit);
  c->x_factor = c->type == 1 ? ms_record_time_factor(f->abscissa.unit) : 1.0;
  c->first = f->x_first, c->step = f->x_step;
  if (!f->is_even) {
    c->x = f->x;
    ms_measurement_find_uneven(c);
    if (c->uneven == 0) c->x = NULL;
  }
  return MS_SUCCESS;
}

/* Geometry in m. */
static ms_status take_others(ms_measurement_reader *r, ms_uff58 *file) {
  ms_measurement *f = r->file;
  f->node = file->node, f->trace = file->trace, f->shape = file->shape;
  f->n_node = file->n_node, f->n_trace = file->n_trace, f->n_shape = file->n_shape;
  file->node = NULL, file->trace = NULL, file->shape = NULL;
  const double length = file->length > 0.0 ? 1.0 / file->length : 1.0;
  for (ptrdiff_t i = 0; i < f->n_node; i++)
    for (int j = 0; j < 3; j++) f->node[i].x[j] *= length;
  if (f->n_node > 0 && !(file->length > 0.0))
    ms_measurement_note(
        r, "positions of nodes are taken as m: the file has no dataset of units (164)");
  snprintf(f->writer, sizeof f->writer, "%s", file->writer);
  return MS_SUCCESS;
}

static void find_positions(ms_measurement *f) {
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_measurement_channel *c = &f->channel[i];
    for (ptrdiff_t k = 0; k < f->n_node && c->node > 0 && !c->has_position; k++) {
      if (f->node[k].label != c->node) continue;
      memcpy(c->position, f->node[k].x, sizeof c->position);
      c->has_position = 1;
    }
  }
}

static ms_status read(ms_measurement_reader *r, const char *bytes, size_t length) {
  ms_uff58 *file;
  MS_TRY(ms_uff_parse_any(r->ctx, r->path, bytes, length, &file));
  r->file->uff = file;
  for (ptrdiff_t i = 0; i < ms_uff58_get_count(file); i++)
    MS_TRY(take_function(r, file, ms_uff58_get(file, i)));
  MS_TRY(take_others(r, file));
  find_positions(r->file);
  return MS_SUCCESS;
}

static const char *const endings[] = { ".uff", ".unv", ".uf", ".58", NULL };

const ms_measurement_format ms_measurement_uff = { .name = "uff",
                                                   .endings = endings,
                                                   .read = read };
