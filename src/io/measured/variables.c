/* Channels from named arrays, as MATLAB and NumPy files have them. A vector t or time says the
   times, fs, dt and the like the rate, f or freq the frequencies; arrays of that length are
   channels. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/internal.h"
#include "io/measured/measured.h"
#include "io/record.h"

enum { MOST_VARIABLES = 4096, MOST_CHANNELS = 4096 };

typedef struct variables_taker {
  ms_measurement_reader *r;
  const ms_variables *v;
  const ms_variable *time, *frequency, *axis; /* axis: one of them, or NULL */
  int is_frequency;
  ms_heading heading; /* of the axis */
  double rate;        /* 0: none */
  ptrdiff_t length;   /* of a channel */
  ptrdiff_t taken;
} variables_taker;

ms_status ms_variables_add(ms_measurement_reader *r, ms_variables *v, const char *name,
                           ms_variable **out) {
  if (v->n >= MOST_VARIABLES)
    return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: more than %d variables; split the file", r->path,
                   MOST_VARIABLES);
  MS_TRY(ms_resize(r->ctx, v->n + 1, sizeof *v->of, &v->of));
  *out = &v->of[v->n++];
  **out = (ms_variable) { .n_row = 0 };
  ms_heading_copy((ms_span) { name, name + strlen(name) }, (*out)->name, sizeof(*out)->name);
  return MS_SUCCESS;
}

void ms_variables_free(ms_context *ctx, ms_variables *v) {
  for (ptrdiff_t i = 0; i < v->n; i++) ms_free(ctx, &v->of[i].text);
  ms_free(ctx, &v->of);
  v->n = 0;
}

static const char *leaf_of(const ms_variable *v) {
  const char *dot = strrchr(v->name, '.');
  return dot ? dot + 1 : v->name;
}

static ptrdiff_t longer(const ms_variable *v) {
  return v->n_row > v->n_col ? v->n_row : v->n_col;
}

static int is_vector(const ms_variable *v) {
  return v->value && (v->n_row == 1 || v->n_col == 1) && longer(v) > 1;
}

static int is_one_of(const char *text, const char *const *word) {
  for (; *word; word++)
    if (strcasecmp(text, *word) == 0) return 1;
  return 0;
}

static ms_span span_of(const char *text) {
  return (ms_span) { text, text + strlen(text) };
}

/* Rising from 0 on: a vector f may as well be a force. */
static int is_rising(const ms_variable *v) {
  for (ptrdiff_t k = 1; k < longer(v); k++)
    if (!(v->value[k] > v->value[k - 1])) return 0;
  return v->value[0] >= 0.0;
}

static void find_axis(variables_taker *t) {
  static const char *const frequency[] = { "f",           "freq",    "freqs",
                                           "frequency",   "freq_hz", "freq_domain",
                                           "frequencies", "f_hz",    NULL };
  for (ptrdiff_t i = 0; i < t->v->n; i++) {
    const ms_variable *v = &t->v->of[i];
    char text[32];
    if (v->value && !v->is_complex && longer(v) == 1) {
      snprintf(text, sizeof text, "%.17g", v->value[0]);
      const double rate = ms_heading_rate(span_of(leaf_of(v)), span_of(text));
      if (rate > 0.0 && t->rate > 0.0 && fabs(rate / t->rate - 1.0) > 1e-3)
        ms_measurement_note(t->r,
                            "%s says %.6g samples per second, another variable %.6g: that counts",
                            v->name, rate, t->rate);
      if (rate > 0.0 && t->rate == 0.0) t->rate = rate;
    }
    if (!is_vector(v) || v->is_complex) continue;
    ms_heading h;
    ms_heading_read(span_of(leaf_of(v)), &h);
    if (h.is_time && !t->time) {
      t->time = v;
      t->heading = h;
    } else if (!t->frequency && is_one_of(leaf_of(v), frequency) && is_rising(v)) {
      t->frequency = v;
    }
  }
}

static ptrdiff_t find_longest(const ms_variables *v) {
  ptrdiff_t most = 0;
  for (ptrdiff_t i = 0; i < v->n; i++)
    if (v->of[i].value && longer(&v->of[i]) > most) most = longer(&v->of[i]);
  return most;
}

static ms_status check_finite(const variables_taker *t, const ms_variable *v) {
  const ptrdiff_t n = v->n_row * v->n_col * (1 + v->is_complex);
  for (ptrdiff_t k = 0; k < n; k++) {
    if (isfinite(v->value[k])) continue;
    return ms_fail(t->r->ctx, MS_ERR_FORMAT,
                   "%s: variable %s: value %td is not finite; every sample must be a finite number",
                   t->r->path, v->name, k + 1);
  }
  return MS_SUCCESS;
}

/* Times that were added up in single precision stray from the grid, though each step is right; a
   rate in the file tells what it is. */
static int follows_rate(const variables_taker *t, const ms_measurement_channel *c) {
  if (!(t->rate > 0.0) || t->is_frequency) return 0;
  for (ptrdiff_t k = 1; k < c->n; k++)
    if (!(fabs(t->rate * c->x_factor * (c->x[k] - c->x[k - 1]) - 1.0) <= MS_RECORD_SLACK)) return 0;
  return 1;
}

static void set_axis(const variables_taker *t, ms_measurement_channel *c) {
  const double asked = t->r->request->rate_hz;
  if (t->is_frequency) c->type = c->is_complex ? 4 : 12;
  if (t->axis) {
    c->x = t->axis->value;
    c->x_factor = t->is_frequency ? 1.0 : ms_record_time_factor(t->heading.unit);
    snprintf(c->x_name, sizeof c->x_name, "%.40s", t->axis->name);
    snprintf(c->x_unit, sizeof c->x_unit, "%.40s", t->is_frequency ? "Hz" : t->heading.unit);
    ms_measurement_find_uneven(c);
    if (c->uneven > 0 && c->x_factor > 0.0 && follows_rate(t, c)) {
      c->uneven = 0;
      c->step = 1.0 / (t->rate * c->x_factor);
    }
    if (c->uneven == 0) c->x = NULL;
  } else {
    const double rate = asked > 0.0 ? asked : t->rate;
    if (rate > 0.0) c->step = 1.0 / rate;
    snprintf(c->x_unit, sizeof c->x_unit, "s");
  }
}

/* Columns of the length, or rows if it is the columns that are as many. */
static ms_status take_variable(variables_taker *t, const ms_variable *v) {
  const int across = v->n_row != t->length, parts = 1 + v->is_complex;
  const ptrdiff_t n = across ? v->n_row : v->n_col;
  double *turned = v->value;
  if (n > MOST_CHANNELS || t->r->file->n > MOST_CHANNELS)
    return ms_fail(t->r->ctx, MS_ERR_FORMAT, "%s: variable %s: more than %d channels", t->r->path,
                   v->name, MOST_CHANNELS);
  MS_TRY(check_finite(t, v));
  if (across && n > 1) {
    MS_TRY(ms_measurement_allocate(t->r, t->length * n * parts, &turned));
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t k = 0; k < t->length; k++)
        memcpy(turned + parts * (k + t->length * j), v->value + parts * (j + n * k),
               (size_t)parts * sizeof *turned);
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    ms_measurement_channel *c;
    ms_heading h;
    MS_TRY(ms_measurement_add(t->r, &c));
    ms_heading_read(span_of(leaf_of(v)), &h);
    c->kind = h.kind;
    snprintf(c->unit, sizeof c->unit, "%s", h.unit);
    if (n > 1) {
      snprintf(c->name, sizeof c->name, "%.48s %td", v->name, j + 1);
    } else {
      snprintf(c->name, sizeof c->name, "%.60s", v->name);
    }
    snprintf(c->id, sizeof c->id, "%s", v->name);
    c->is_complex = v->is_complex;
    c->type = v->is_complex ? 0 : 1;
    c->n = t->length;
    c->y = turned + parts * t->length * j;
    set_axis(t, c);
  }
  return MS_SUCCESS;
}

/* Lines of a text, one for each channel. */
static void take_words(const variables_taker *t, const ms_variable *v) {
  static const char *const units[] = { "unit", "units", NULL };
  static const char *const names[] = { "name",          "names",        "channel", "channels",
                                       "channel_names", "channelnames", "labels",  NULL };
  ms_measurement *f = t->r->file;
  ptrdiff_t lines = 1;
  const int is_unit = is_one_of(leaf_of(v), units), is_name = is_one_of(leaf_of(v), names);
  if (!v->text || !(is_unit || is_name)) return;
  for (const char *p = v->text; *p; p++) lines += *p == '\n';
  if (lines != f->n) return;
  const char *line = v->text;
  for (ptrdiff_t i = 0; i < f->n; i++) {
    const char *end = line + strcspn(line, "\n");
    ms_measurement_channel *c = &f->channel[i];
    char word[64];
    ms_heading_copy((ms_span) { line, end }, word, sizeof word);
    if (is_unit) snprintf(c->unit, sizeof c->unit, "%.46s", word);
    if (is_name && word[0]) {
      ms_heading h;
      ms_heading_read(span_of(word), &h);
      memcpy(c->name, h.name, sizeof h.name);
      if (h.unit[0] && !c->unit[0]) memcpy(c->unit, h.unit, sizeof h.unit);
      if (c->kind == MS_RECORD_UNKNOWN) c->kind = h.kind;
    }
    line = *end ? end + 1 : end;
  }
}

/* The channels of an axis, or of the longest arrays. */
static ms_status take_axis(variables_taker *t, const ms_variable *axis) {
  t->axis = axis;
  t->is_frequency = axis && axis == t->frequency;
  t->length = axis ? longer(axis) : find_longest(t->v);
  if (axis) MS_TRY(check_finite(t, axis));
  const ptrdiff_t other = t->is_frequency && t->time ? longer(t->time) : 0;
  for (ptrdiff_t i = 0; i < t->v->n; i++) {
    const ms_variable *v = &t->v->of[i];
    if (!v->value || v == t->time || v == t->frequency || longer(v) < 2) continue;
    if (other > 0 && (v->n_row == other || v->n_col == other)) continue;
    if (v->n_row != t->length && v->n_col != t->length) continue;
    MS_TRY(take_variable(t, v));
    t->taken++;
  }
  return MS_SUCCESS;
}

/* ---- signals with their own abscissa: x_values and y_values, as Test.Lab writes them ---- */

static const char increment[] = ".x_values.increment";

/* The variable of a signal, by what follows its name. */
static const ms_variable *find_part(const variables_taker *t, const char *signal, int n,
                                    const char *part) {
  for (ptrdiff_t i = 0; i < t->v->n; i++) {
    const char *name = t->v->of[i].name;
    if (strncmp(name, signal, (size_t)n) == 0 && strcmp(name + n, part) == 0) return &t->v->of[i];
  }
  return NULL;
}

/* Line i of a text, or its only one. */
static void copy_line(const ms_variable *v, ptrdiff_t i, char *out, size_t size) {
  out[0] = '\0';
  if (!v || !v->text) return;
  const char *line = v->text;
  for (; i > 0 && strchr(line, '\n'); i--) line = strchr(line, '\n') + 1;
  if (i > 0 && line != v->text) return;
  ms_heading_copy((ms_span) { line, line + strcspn(line, "\n") }, out, size);
}

static ms_status take_signal(variables_taker *t, const ms_variable *step) {
  const int n = (int)(strlen(step->name) - strlen(increment));
  const ms_variable *values = find_part(t, step->name, n, ".y_values.values");
  const ms_variable *start = find_part(t, step->name, n, ".x_values.start_value");
  const ms_variable *names = find_part(t, step->name, n, ".function_record.name");
  const ms_variable *unit = find_part(t, step->name, n, ".y_values.quantity.label");
  const ms_variable *x_unit = find_part(t, step->name, n, ".x_values.quantity.label");
  ms_measurement *f = t->r->file;
  const ptrdiff_t before = f->n;
  if (!values || !values->value || longer(values) < 2 || longer(step) != 1 || !step->value ||
      !(step->value[0] > 0.0) || !isfinite(step->value[0]))
    return MS_SUCCESS;
  t->length = longer(values);
  MS_TRY(take_variable(t, values));
  for (ptrdiff_t i = before; i < f->n; i++) {
    ms_measurement_channel *c = &f->channel[i];
    char word[64];
    copy_line(names, i - before, word, sizeof word);
    if (f->n - before > 1 && !word[0])
      snprintf(c->name, sizeof c->name, "%.*s %td", n < 48 ? n : 48, step->name, i - before + 1);
    else if (!word[0])
      snprintf(c->name, sizeof c->name, "%.*s", n < 60 ? n : 60, step->name);
    else
      memcpy(c->name, word, sizeof word);
    c->kind = ms_heading_kind(c->name);
    copy_line(unit, i - before, c->unit, sizeof c->unit);
    copy_line(x_unit, 0, c->x_unit, sizeof c->x_unit);
    if (strcmp(c->x_unit, "Hz") == 0) c->type = c->is_complex ? 4 : 12;
    if (c->x_unit[0] == '\0') snprintf(c->x_unit, sizeof c->x_unit, "s");
    c->x_factor = c->type == 1 ? ms_record_time_factor(c->x_unit) : 1.0;
    c->first = start && start->value && isfinite(start->value[0]) ? start->value[0] : 0.0;
    c->step = step->value[0];
  }
  return MS_SUCCESS;
}

static ms_status take_signals(variables_taker *t) {
  for (ptrdiff_t i = 0; i < t->v->n; i++) {
    const char *name = t->v->of[i].name;
    const size_t n = strlen(name), tail = strlen(increment);
    if (n > tail && strcmp(name + n - tail, increment) == 0) MS_TRY(take_signal(t, &t->v->of[i]));
  }
  return MS_SUCCESS;
}

ms_status ms_variables_take(ms_measurement_reader *r, const ms_variables *v) {
  variables_taker t = { .r = r, .v = v };
  ptrdiff_t arrays = 0;
  MS_TRY(take_signals(&t));
  if (r->file->n > 0) {
    if (!(r->request->rate_hz > 0.0)) return MS_SUCCESS;
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has its own times: give a rate only for files without times", r->path);
  }
  find_axis(&t);
  if (find_longest(v) < 2)
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s: none of its %td variables is an array of numbers; there must be one with "
                   "samples",
                   r->path, v->n);
  if (t.time && r->request->rate_hz > 0.0)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has its times in %s: give a rate only for files without times", r->path,
                   t.time->name);
  if (t.time || !t.frequency) MS_TRY(take_axis(&t, t.time));
  if (t.frequency) MS_TRY(take_axis(&t, t.frequency));
  for (ptrdiff_t i = 0; i < v->n; i++) {
    take_words(&t, &v->of[i]);
    arrays += v->of[i].value && longer(&v->of[i]) > 1;
  }
  arrays -= t.taken + (t.time != NULL) + (t.frequency != NULL);
  if (arrays > 0) ms_measurement_note(r, "left out: %td arrays of other lengths", arrays);
  return MS_SUCCESS;
}
