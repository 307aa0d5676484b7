/* Random numbers, and the text of a study in any units. */
#include "trials/random_studies/trial.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const trial_dimension TRIAL_NONE = { 0, 0, 0 }, TRIAL_LENGTH = { 1, 0, 0 },
                      TRIAL_MASS = { 0, 1, 0 }, TRIAL_TIME = { 0, 0, 1 },
                      TRIAL_FORCE = { 1, 1, -2 }, TRIAL_STIFFNESS = { 0, 1, -2 },
                      TRIAL_VELOCITY = { 1, 0, -1 }, TRIAL_ACCELERATION = { 1, 0, -2 },
                      TRIAL_DAMPING = { 0, 1, -1 }, TRIAL_MODAL = { 1, 0.5, 0 },
                      TRIAL_MODAL_FORCE = { 1, 0.5, -2 };

const trial_units trial_si = { "SI", 1.0, 1.0, 1.0 };

const trial_units *trial_other_units(trial *t) {
  static const trial_units others[] = {
    { "{length: mm, mass: tonne, force: N, time: s}", 1e-3, 1e3, 1.0 },
    { "{length: mm, mass: kg, force: kN, time: ms}", 1e-3, 1.0, 1e-3 },
    { "{length: cm, mass: g, time: s}", 1e-2, 1e-3, 1.0 },
    { "{length: in, mass: slinch, force: lbf}", 0.0254, 4.4482216152605 / 0.0254, 1.0 },
    { "{length: ft, mass: slug, force: lbf, time: s}", 0.3048, 4.4482216152605 / 0.3048, 1.0 },
  };
  return &others[trial_pick(t, sizeof others / sizeof others[0])];
}

int trial_judge(trial *t, trial_verdict verdict, const char *format, ...) {
  if (verdict > t->verdict) {
    va_list args;
    va_start(args, format);
    vsnprintf(t->reason, sizeof t->reason, format, args);
    va_end(args);
    for (char *c = t->reason; *c; c++)
      if (*c == '\n') *c = c[1] ? ' ' : '\0';
    t->verdict = verdict;
  }
  return verdict == TRIAL_FAILED;
}

double trial_uniform(trial *t, double low, double high) {
  return low + (high - low) * ms_random_uniform(&t->random);
}

double trial_log(trial *t, double low, double high) {
  return low * pow(high / low, ms_random_uniform(&t->random));
}

int trial_pick(trial *t, int n) {
  return (int)(ms_random_uniform(&t->random) * n);
}

int trial_chance(trial *t, double probability) {
  return ms_random_uniform(&t->random) < probability;
}

const char *trial_word(trial *t, int n, const char *const *words) {
  return words[trial_pick(t, n)];
}

const char *trial_coordinate(trial *t) {
  return t->name[trial_pick(t, t->n)];
}

/* ---- text: a marked number is \1 value length mass time \2 ---- */

void trial_put(trial *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(t->stream, format, args);
  va_end(args);
}

const char *trial_number(double value, trial_dimension d) {
  static char text[32][120];
  static int next;
  next = (next + 1) % 32;
  snprintf(text[next], sizeof text[next], "\1%.17g %.17g %.17g %.17g\2", value, d.length, d.mass,
           d.time);
  return text[next];
}

void trial_begin(trial *t) {
  if (t->stream) fclose(t->stream);
  free(t->text);
  t->text = NULL;
  t->stream = open_memstream(&t->text, &t->length);
  if (!t->stream) abort();
}

size_t trial_mark(trial *t) {
  fflush(t->stream);
  return t->length;
}

void trial_rewind(trial *t, size_t mark) {
  fflush(t->stream);
  t->text[mark] = '\0';
  fseek(t->stream, (long)mark, SEEK_SET);
}

/* A factor next to 1 that depends on the number alone: what is symmetric stays so. */
static double nudge_of(const trial *t, double value) {
  ms_random random;
  uint64_t bits;
  value = fabs(value);
  memcpy(&bits, &value, sizeof bits);
  ms_random_start(&random, bits, (uint64_t)t->nudged);
  return 1.0 + t->nudge * (2.0 * ms_random_uniform(&random) - 1.0);
}

int trial_render(trial *t, const trial_units *units, const char *file) {
  char path[TRIAL_PATH + 64];
  snprintf(path, sizeof path, "%s/%s", t->folder, file);
  fflush(t->stream);
  t->text[t->length] = '\0'; /* something longer may have stood there */
  FILE *out = fopen(path, "w");
  if (!out) return 0;
  fprintf(out, "microslip: 1\ntitle: random study %llu\nunits: %s\n", (unsigned long long)t->seed,
          units->text);
  for (char *p = t->text; *p;) {
    if (*p != '\1') {
      fputc(*p++, out);
      continue;
    }
    double value = strtod(p + 1, &p), length = strtod(p, &p), mass = strtod(p, &p),
           time = strtod(p, &p);
    double unit = pow(units->length, length) * pow(units->mass, mass) * pow(units->time, time);
    if (t->nudge > 0.0) value *= nudge_of(t, value);
    fprintf(out, "%.17g", value / unit);
    p++;
  }
  return fclose(out) == 0;
}
