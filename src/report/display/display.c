/* Units in which people read results: what a column is, the choice, and the conversion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/display.h>
#include <microslip/io.h>

#include "core/internal.h"
#include "core/units.h"
#include "report/internal.h"

#define TWO_PI  6.283185307179586477
#define GRAVITY 9.80665 /* m/s^2, standard */

/* ---- quantities ---- */

/* Columns without a unit that are damping ratios; others of this kind of name are relative
   differences or derivatives. */
static const char *const ratios[] = { "zeta",     "zeta_0",        "zeta_joint", "zeta_viscous",
                                      "zeta_05",  "zeta_dashpots", "zeta_model", "zeta_by",
                                      "zeta_50",  "zeta_half",     "zeta_phase", "zeta_95",
                                      "zeta_own", "zeta_measured" };

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
  int choice[N_CHOICE], named; /* named: the study names the sensor chosen first */
  sensor *sensor;
  ptrdiff_t n_sensor, at;
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
    d->named = 1;
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
  view->factor = 1.0 / GRAVITY;
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
