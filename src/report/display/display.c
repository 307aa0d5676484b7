/* Units in which people read results: what a column is, the choice, and the conversion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/display.h>
#include <microslip/result.h>

#include "core/internal.h"
#include "core/units.h"
#include "report/internal.h"

#define TWO_PI 6.283185307179586477

/* ---- quantities ---- */

/* Columns without a unit that are damping ratios; others of this kind of name are relative
   differences or derivatives. */
static const char *const ratios[] = { "zeta",     "zeta_0",        "zeta_joint", "zeta_viscous",
                                      "zeta_05",  "zeta_dashpots", "zeta_model", "zeta_by",
                                      "zeta_50",  "zeta_half",     "zeta_phase", "zeta_95",
                                      "zeta_own", "zeta_measured", "zeta_target" };

static const char *const names[MS_N_DISPLAY] = {
  "", "frequency", "damping", "damping difference", "modal", "modal velocity", "modal acceleration"
};

ms_display_quantity ms_display_find_quantity(const char *name, const char *unit,
                                             const char *meaning) {
  static const char *const modal[] = { "m sqrt(kg)", "m/s sqrt(kg)", "m/s^2 sqrt(kg)" };
  for (int k = 0; unit && k < 3; k++) {
    if (strcmp(unit, modal[k]) == 0) return (ms_display_quantity)((int)MS_DISPLAY_MODAL + k);
  }
  if (unit && strcmp(unit, "Hz") == 0) return MS_DISPLAY_FREQUENCY;
  if (unit && strcmp(unit, "rad/s") == 0 && strstr(name, "omega")) return MS_DISPLAY_FREQUENCY;
  if (unit || (meaning && strncmp(meaning, "correlation", 11) == 0)) return MS_DISPLAY_PLAIN;
  if (strcmp(name, "zeta_error") == 0) return MS_DISPLAY_DAMPING_DIFFERENCE;
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
    if (strcmp(name, ratios[i]) == 0) return MS_DISPLAY_DAMPING;
  }
  return MS_DISPLAY_PLAIN;
}

int ms_display_rank_omega(const char *name, const char *unit) {
  static const char *const name_of[] = { "f_0", "omega_0", "f", "omega" };
  for (int i = 0; unit && i < 4; i++) {
    const int fits = strcmp(unit, "rad/s") == 0 || strcmp(unit, "Hz") == 0;
    if (fits && strcmp(name, name_of[i]) == 0) return i + 1;
  }
  return 0;
}

double ms_display_omega(const char *unit, double value) {
  return strcmp(unit, "Hz") == 0 ? TWO_PI * value : value;
}

const char *ms_display_quantity_text(ms_display_quantity quantity) {
  return names[quantity];
}

/* ---- the choice ---- */

enum { FREQUENCY, DAMPING, AMPLITUDE, UNITS, N_CHOICE };
enum { HZ, RAD };
enum { PERCENT, RATIO, Q };
enum { MODAL, DISPLACEMENT, VELOCITY, ACCELERATION, G };
enum { SI, STUDY };

/* Each word belongs to one choice; its value counts from 0. */
static const struct word {
  const char *text;
  int choice, value;
} words[] = {
  { "hz", FREQUENCY, HZ },
  { "rad", FREQUENCY, RAD },
  { "percent", DAMPING, PERCENT },
  { "ratio", DAMPING, RATIO },
  { "q", DAMPING, Q },
  { "modal", AMPLITUDE, MODAL },
  { "displacement", AMPLITUDE, DISPLACEMENT },
  { "velocity", AMPLITUDE, VELOCITY },
  { "acceleration", AMPLITUDE, ACCELERATION },
  { "g", AMPLITUDE, G },
  { "si", UNITS, SI },
  { "study", UNITS, STUDY },
};
enum { N_WORD = sizeof words / sizeof *words };

typedef struct sensor {
  char *name;
  double *shape;
  ptrdiff_t n_mode;
} sensor;

struct ms_display {
  ms_context *ctx;
  ms_units units;
  int choice[N_CHOICE];
  sensor *sensor;
  ptrdiff_t n_sensor, at, named; /* named: the first that the study names, from 1; 0: none */
  char *text;
};

ms_status ms_display_create(ms_context *ctx, ms_display **out) {
  MS_MAKE(ctx, out, 1);
  ms_display *d;
  MS_TRY(ms_allocate(ctx, 1, sizeof *d, &d));
  *d = (ms_display) { .ctx = ctx, .units = { 1.0, 1.0, 1.0, 1.0, 1.0, "SI", 0 } };
  *out = d;
  return MS_SUCCESS;
}

void ms_display_destroy(ms_display **display) {
  if (!display || !*display) return;
  ms_display *d = *display;
  for (ptrdiff_t i = 0; i < d->n_sensor; i++) {
    ms_free(d->ctx, &d->sensor[i].name);
    ms_free(d->ctx, &d->sensor[i].shape);
  }
  ms_free(d->ctx, &d->sensor);
  ms_free(d->ctx, &d->text);
  ms_free(d->ctx, display);
}

void ms_display_set_units(ms_display *d, const ms_display_units *units) {
  d->units.length = units->length;
  d->units.mass = units->mass;
  d->units.time = units->time;
  d->units.force = units->force;
}

ms_display_units ms_display_get_units(const ms_display *d) {
  return (ms_display_units) { d->units.length, d->units.mass, d->units.time, d->units.force };
}

ms_status ms_display_add_sensor(ms_display *d, const char *name, int named, ptrdiff_t n_mode,
                                const double *shape) {
  sensor new = { .n_mode = n_mode };
  ms_status status = ms_resize(d->ctx, d->n_sensor + 1, sizeof *d->sensor, &d->sensor);
  if (status == MS_SUCCESS) status = ms_text_copy(d->ctx, name, &new.name);
  if (status == MS_SUCCESS) status = ms_allocate(d->ctx, n_mode, sizeof *shape, &new.shape);
  if (status != MS_SUCCESS) {
    ms_free(d->ctx, &new.name);
    return status;
  }
  for (ptrdiff_t m = 0; m < n_mode; m++) new.shape[m] = fabs(shape[m]);
  d->sensor[d->n_sensor++] = new;
  if (named && !d->named) {
    d->named = d->n_sensor;
    d->choice[AMPLITUDE] = DISPLACEMENT;
    d->at = d->n_sensor - 1;
  }
  return MS_SUCCESS;
}

ptrdiff_t ms_display_count_sensors(const ms_display *d) {
  return d->n_sensor;
}

const char *ms_display_get_sensor(const ms_display *d, ptrdiff_t index) {
  return index >= 0 && index < d->n_sensor ? d->sensor[index].name : NULL;
}

const char *ms_display_get_chosen_sensor(const ms_display *d) {
  return d->choice[AMPLITUDE] == MODAL ? NULL : ms_display_get_sensor(d, d->at);
}

static const char *get_word(const void *list, int i) {
  (void)list;
  return words[i].text;
}

static const char *get_sensor(const void *list, int i) {
  return ms_display_get_sensor(list, i);
}

/* One word, "g" or "g@u3", into a copy of the choice. */
static ms_status read_word(const ms_display *d, char *word, int choice[N_CHOICE], ptrdiff_t *at) {
  char *name = strchr(word, '@');
  int i = 0;
  if (name) *name++ = '\0';
  while (i < N_WORD && strcmp(words[i].text, word) != 0) i++;
  if (i == N_WORD) {
    const char *near = ms_text_nearest(word, get_word, NULL, N_WORD);
    return ms_fail(d->ctx, MS_ERR_NAME,
                   "display: there is no '%s'%s%s%s; there are hz, rad; percent, ratio, q; modal, "
                   "displacement, velocity, acceleration, g; si, study",
                   word, near ? "; did you mean '" : "", near ? near : "", near ? "'" : "");
  }
  choice[words[i].choice] = words[i].value;
  const int moves = words[i].choice == AMPLITUDE && words[i].value != MODAL;
  if (moves && d->n_sensor == 0) {
    return ms_fail(d->ctx, MS_ERR_ARGUMENT,
                   "display: '%s' is the motion of a sensor; this run has no modes at sensors",
                   word);
  }
  if (!name) return MS_SUCCESS;
  if (!moves) {
    return ms_fail(d->ctx, MS_ERR_ARGUMENT, "display: '%s' has no sensor; write '%s' alone", word,
                   word);
  }
  for (*at = 0; *at < d->n_sensor; *at += 1) {
    if (strcmp(d->sensor[*at].name, name) == 0) return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, get_sensor, d, (int)d->n_sensor);
  return ms_fail(d->ctx, MS_ERR_NAME, "display: there is no sensor '%s'; %s '%s'", name,
                 near ? "did you mean" : "there is, for example,", near ? near : d->sensor[0].name);
}

ms_status ms_display_choose(ms_display *d, const char *text) {
  int choice[N_CHOICE];
  ptrdiff_t at = d->at;
  char *copy;
  MS_TRY(ms_text_copy(d->ctx, text, &copy));
  memcpy(choice, d->choice, sizeof choice);
  ms_status status = MS_SUCCESS;
  for (char *next = copy; next && status == MS_SUCCESS;) {
    char *word = next;
    next = strchr(word, ',');
    if (next) *next++ = '\0';
    status = read_word(d, word, choice, &at);
  }
  ms_free(d->ctx, &copy);
  if (status != MS_SUCCESS) return status;
  memcpy(d->choice, choice, sizeof choice);
  d->at = at;
  return MS_SUCCESS;
}

static const char *get_chosen(const ms_display *d, int choice) {
  int i = 0;
  while (words[i].choice != choice || words[i].value != d->choice[choice]) i++;
  return words[i].text;
}

static ms_status print_words(ms_context *ctx, const void *user, FILE *out) {
  const ms_display *d = user;
  (void)ctx;
  fprintf(out, "%s,%s,%s", get_chosen(d, FREQUENCY), get_chosen(d, DAMPING),
          get_chosen(d, AMPLITUDE));
  if (d->choice[AMPLITUDE] != MODAL) fprintf(out, "@%s", d->sensor[d->at].name);
  fprintf(out, ",%s", get_chosen(d, UNITS));
  return MS_SUCCESS;
}

const char *ms_display_get_words(ms_display *d) {
  size_t length;
  ms_free(d->ctx, &d->text);
  return ms_print_text(d->ctx, print_words, d, &d->text, &length) == MS_SUCCESS ? d->text : "";
}

/* ---- converting ---- */

/* From a modal amplitude, velocity or acceleration (base 0, 1, 2) to the motion of the sensor. */
static const char *look_at_sensor(const ms_display *d, const ms_display_of *of,
                                  ms_display_view *view) {
  static const char *const unit[] = { "m", "m/s", "m/s^2" };
  const int base = (int)(of->quantity - MS_DISPLAY_MODAL);
  const int g = d->choice[AMPLITUDE] == G;
  int target = g ? 2 : d->choice[AMPLITUDE] - DISPLACEMENT;
  if (!of->omega) target = base;
  view->shape = 1;
  view->power = target - base;
  if (!g || target != 2) return unit[target];
  view->factor = 1.0 / MS_GRAVITY;
  return "g";
}

ms_display_view ms_display_look(const ms_display *d, const ms_display_of *of) {
  ms_display_view view = { .factor = 1.0 };
  const char *unit = of->unit ? of->unit : "";
  if (of->quantity == MS_DISPLAY_FREQUENCY) {
    const int from = strcmp(unit, "Hz") == 0 ? HZ : RAD, to = d->choice[FREQUENCY];
    if (from != to) view.factor = to == RAD ? TWO_PI : 1.0 / TWO_PI;
    snprintf(view.unit, sizeof view.unit, "%s", to == RAD ? "rad/s" : "Hz");
    return view;
  }
  if (of->quantity == MS_DISPLAY_DAMPING || of->quantity == MS_DISPLAY_DAMPING_DIFFERENCE) {
    const int ratio = d->choice[DAMPING] == RATIO;
    view.inverse = d->choice[DAMPING] == Q && of->quantity == MS_DISPLAY_DAMPING;
    if (!ratio && !view.inverse) {
      view.factor = 100.0;
      snprintf(view.unit, sizeof view.unit, "%%");
    }
    return view;
  }
  if (of->quantity != MS_DISPLAY_PLAIN && d->choice[AMPLITUDE] != MODAL && of->mode) {
    unit = look_at_sensor(d, of, &view);
  }
  const double si =
      d->choice[UNITS] == STUDY ? ms_units_name(&d->units, unit, view.unit, sizeof view.unit) : 0.0;
  if (si > 0.0 && strcmp(unit, "g") != 0) {
    view.factor /= si;
  } else {
    snprintf(view.unit, sizeof view.unit, "%s", unit);
  }
  return view;
}

ms_display_quantity ms_display_find_beside(const char *name, const char *unit) {
  const char *dot = strrchr(name, '.');
  const int none = !*unit || strcmp(unit, "-") == 0;
  const ms_display_quantity quantity =
      ms_display_find_quantity(dot ? dot + 1 : name, none ? NULL : unit, NULL);
  return quantity == MS_DISPLAY_DAMPING ? MS_DISPLAY_DAMPING_DIFFERENCE : quantity;
}

ms_display_view ms_display_look_beside(const ms_display *d, const char *name, const char *unit) {
  return ms_display_look(
      d, &(ms_display_of) { .quantity = ms_display_find_beside(name, unit), .unit = unit });
}

double ms_display_map(const ms_display *d, const ms_display_view *view, double value, int mode,
                      double omega) {
  if (view->inverse) return value > 0.0 ? 0.5 / value : NAN;
  value *= view->factor;
  if (view->shape) {
    const sensor *s = &d->sensor[d->at];
    if (mode < 1 || mode > s->n_mode) return NAN;
    value *= s->shape[mode - 1];
  }
  for (int k = view->power; k > 0; k--) value *= omega;
  for (int k = view->power; k < 0; k++) value /= omega;
  return isfinite(value) ? value : NAN;
}

/* ---- for the script of a page ---- */

static void print_unit(ms_json *json, const ms_display *d, const char *si) {
  char text[64];
  const double factor = ms_units_name(&d->units, si, text, sizeof text);
  if (factor == 0.0) return; /* no name: it stays SI */
  ms_json_begin_object(json, si);
  ms_json_add_text(json, "name", text);
  ms_json_add_number(json, "factor", factor);
  ms_json_end(json);
}

ms_status ms_display_print(const ms_display *d, FILE *out) {
  static const char *const base[] = { "m", "kg", "s", "N" };
  ms_json *json;
  MS_TRY(ms_json_create(d->ctx, out, &json));
  ms_json_escape_markup(json);
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "frequency", get_chosen(d, FREQUENCY));
  ms_json_add_text(json, "damping", get_chosen(d, DAMPING));
  ms_json_add_text(json, "amplitude", get_chosen(d, AMPLITUDE));
  ms_json_add_text(json, "units", get_chosen(d, UNITS));
  ms_json_add_integer(json, "sensor", d->at);
  ms_json_begin_object(json, "study");
  for (int i = 0; i < 4; i++) print_unit(json, d, base[i]);
  ms_json_end(json);
  ms_json_begin_array(json, "sensors");
  for (ptrdiff_t i = 0; i < d->n_sensor; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "name", d->sensor[i].name);
    ms_json_add_numbers(json, "shape", d->sensor[i].shape, d->sensor[i].n_mode);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_json_end(json);
  return ms_json_close(&json);
}

/* ---- in results.h5 ---- */

static ms_status write_sensors(const ms_display *d, ms_results *results, const char *group) {
  ptrdiff_t all = 0;
  const char **name;
  double *shape = NULL;
  int64_t *modes = NULL;
  for (ptrdiff_t i = 0; i < d->n_sensor; i++) all += d->sensor[i].n_mode;
  MS_TRY(ms_allocate(d->ctx, d->n_sensor, sizeof *name, &name));
  ms_status status = ms_allocate(d->ctx, d->n_sensor, sizeof *modes, &modes);
  if (status == MS_SUCCESS) status = ms_allocate(d->ctx, all, sizeof *shape, &shape);
  double *at = shape;
  for (ptrdiff_t i = 0; i < d->n_sensor && status == MS_SUCCESS; i++) {
    const sensor *s = &d->sensor[i];
    name[i] = s->name, modes[i] = s->n_mode;
    for (ptrdiff_t m = 0; m < s->n_mode; m++) *at++ = s->shape[m];
  }
  char path[256];
  snprintf(path, sizeof path, "%.200s/sensors", group);
  if (status == MS_SUCCESS) status = ms_results_write_texts(results, path, d->n_sensor, name);
  if (status == MS_SUCCESS)
    status = ms_results_set_number(results, path, "named", (double)d->named);
  snprintf(path, sizeof path, "%.200s/modes", group);
  if (status == MS_SUCCESS) status = ms_results_write_integers(results, path, d->n_sensor, modes);
  snprintf(path, sizeof path, "%.200s/shape", group);
  if (status == MS_SUCCESS) status = ms_results_write_vector(results, path, all, shape);
  if (status == MS_SUCCESS) status = ms_results_set_text(results, path, "unit", "1/sqrt(kg)");
  ms_free(d->ctx, &name);
  ms_free(d->ctx, &modes);
  ms_free(d->ctx, &shape);
  return status;
}

ms_status ms_display_write_results(const ms_display *d, ms_results *results, const char *group) {
  const double units[] = { d->units.length, d->units.mass, d->units.time, d->units.force };
  char path[256];
  snprintf(path, sizeof path, "%.200s/units", group);
  MS_TRY(ms_results_write_vector(results, path, 4, units));
  return d->n_sensor > 0 ? write_sensors(d, results, group) : MS_SUCCESS;
}

/* What a file has of the sensors. */
typedef struct kept {
  ptrdiff_t n, n_modes, all;
  char **name;
  int64_t *modes;
  double *shape, named;
} kept;

static ms_status read_sensors(ms_results *results, const char *group, kept *k) {
  char path[256];
  ptrdiff_t columns;
  snprintf(path, sizeof path, "%.200s/sensors", group);
  MS_TRY(ms_results_read_texts(results, path, &k->n, &k->name));
  MS_TRY(ms_results_get_number(results, path, "named", &k->named));
  snprintf(path, sizeof path, "%.200s/modes", group);
  MS_TRY(ms_results_read_integers(results, path, &k->n_modes, &k->modes));
  snprintf(path, sizeof path, "%.200s/shape", group);
  MS_TRY(ms_results_read_matrix(results, path, &k->all, &columns, &k->shape));
  k->all *= columns;
  return MS_SUCCESS;
}

static ms_status add_sensors(ms_display *d, const kept *k, const char *group) {
  ptrdiff_t at = 0;
  for (ptrdiff_t i = 0; i < k->n; i++) {
    if (k->n_modes != k->n || k->modes[i] < 0 || k->modes[i] > k->all - at)
      return ms_fail(d->ctx, MS_ERR_FORMAT, "%s: the sensors and their shapes do not match", group);
    MS_TRY(ms_display_add_sensor(d, k->name[i], k->named == (double)i + 1.0, (ptrdiff_t)k->modes[i],
                                 k->shape + at));
    at += (ptrdiff_t)k->modes[i];
  }
  return MS_SUCCESS;
}

static ms_status read_units(ms_display *d, ms_results *results, const char *group) {
  char path[256];
  double *v;
  ptrdiff_t n, columns;
  snprintf(path, sizeof path, "%.200s/units", group);
  MS_TRY(ms_results_read_matrix(results, path, &n, &columns, &v));
  if (n * columns == 4) ms_display_set_units(d, &(ms_display_units) { v[0], v[1], v[2], v[3] });
  ms_free(d->ctx, &v);
  return MS_SUCCESS;
}

ms_status ms_display_read_results(ms_context *ctx, ms_results *results, const char *group,
                                  ms_display **out) {
  MS_MAKE(ctx, out, results && group);
  ms_results_kind kind;
  char path[256];
  kept k = { 0 };
  MS_TRY(ms_results_get_kind(results, group, &kind));
  MS_TRY(ms_display_create(ctx, out));
  if (kind != MS_RESULTS_GROUP) return MS_SUCCESS; /* of an earlier version */
  snprintf(path, sizeof path, "%.200s/sensors", group);
  ms_status status = read_units(*out, results, group);
  if (status == MS_SUCCESS) status = ms_results_get_kind(results, path, &kind);
  if (status == MS_SUCCESS && kind == MS_RESULTS_TEXTS) {
    status = read_sensors(results, group, &k);
    if (status == MS_SUCCESS) status = add_sensors(*out, &k, group);
  }
  ms_free(ctx, &k.name);
  ms_free(ctx, &k.modes);
  ms_free(ctx, &k.shape);
  if (status != MS_SUCCESS) ms_display_destroy(out);
  return status;
}
