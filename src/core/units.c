#include "core/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- by name ---- */

static const struct unit {
  ms_dimension dimension;
  const char *name;
  double factor;
} table[] = {
  { MS_UNIT_LENGTH, "m", 1.0 },
  { MS_UNIT_LENGTH, "cm", 1e-2 },
  { MS_UNIT_LENGTH, "mm", 1e-3 },
  { MS_UNIT_LENGTH, "um", 1e-6 },
  { MS_UNIT_LENGTH, "nm", 1e-9 },
  { MS_UNIT_LENGTH, "in", 0.0254 },
  { MS_UNIT_LENGTH, "ft", 0.3048 },
  { MS_UNIT_MASS, "kg", 1.0 },
  { MS_UNIT_MASS, "g", 1e-3 },
  { MS_UNIT_MASS, "tonne", 1e3 },
  { MS_UNIT_MASS, "lb", 0.45359237 },
  { MS_UNIT_MASS, "slug", 14.593902937206364 },
  { MS_UNIT_MASS, "slinch", 175.12683524647636 },
  { MS_UNIT_TIME, "s", 1.0 },
  { MS_UNIT_TIME, "sec", 1.0 },
  { MS_UNIT_TIME, "second", 1.0 },
  { MS_UNIT_TIME, "seconds", 1.0 },
  { MS_UNIT_TIME, "ms", 1e-3 },
  { MS_UNIT_TIME, "us", 1e-6 },
  { MS_UNIT_FORCE, "N", 1.0 },
  { MS_UNIT_FORCE, "mN", 1e-3 },
  { MS_UNIT_FORCE, "kN", 1e3 },
  { MS_UNIT_FORCE, "lbf", 4.4482216152605 },
  { MS_UNIT_ACCELERATION, "m/s^2", 1.0 },
  { MS_UNIT_ACCELERATION, "g", MS_GRAVITY },
  { MS_UNIT_ACCELERATION, "mg", 1e-3 * MS_GRAVITY },
};

double ms_unit_find(ms_dimension dimension, const char *name, size_t length) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const struct unit *u = &table[i];
    if (u->dimension == dimension && strlen(u->name) == length &&
        memcmp(u->name, name, length) == 0) {
      return u->factor;
    }
  }
  return 0.0;
}

/* ---- products ---- */

static double base_factor(const ms_units *u, char letter) {
  switch (letter) {
  case 'm':
    return u->length;
  case 's':
    return u->time;
  case 'N':
    return u->force;
  default:
    return 0.0;
  }
}

/* Products and quotients of m, s, N, kg with whole exponents, and sqrt(kg): "N s/m", "N/m^2",
   "m/s sqrt(kg)", where a space begins a new quotient; "-" has none. */
double ms_units_factor(const ms_units *u, const char *unit) {
  double factor = 1.0;
  int below = 0;
  if (strcmp(unit, "-") == 0 || strcmp(u->text, "SI") == 0) return 1.0;
  for (const char *c = unit; *c; c++) {
    if (*c == '1') continue;
    if (*c == ' ' || *c == '/') {
      below = *c == '/';
      continue;
    }
    const int root = strncmp(c, "sqrt(kg)", 8) == 0, kilogram = strncmp(c, "kg", 2) == 0;
    double base = root ? sqrt(u->mass) : kilogram ? u->mass : base_factor(u, *c);
    c += root ? 7 : kilogram;
    if (base == 0.0 || isalpha((unsigned char)c[1])) return 0.0;
    long exponent = 1;
    if (c[1] == '^') {
      char *end;
      exponent = strtol(c + 2, &end, 10);
      if (end == c + 2) return 0.0;
      c = end - 1;
    }
    factor *= pow(base, (double)(below ? -exponent : exponent));
  }
  return factor;
}

/* ---- names ---- */

/* The name of the unit of this factor; NULL: it has none. */
static const char *find_name(ms_dimension dimension, double factor) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const struct unit *u = &table[i];
    if (u->dimension == dimension && fabs(u->factor / factor - 1.0) < 1e-6) return u->name;
  }
  return NULL;
}

/* A word of an SI unit ("m", "N", "sqrt(kg)"), what it is in these units, and its factor; NULL
   where it has no name. */
static const char *name_word(const ms_units *u, const char *word, size_t length, double *factor) {
  static const char *const same[] = { "rad", "deg", "Hz", "dB", "steps" };
  const struct {
    const char *word;
    ms_dimension dimension;
    double factor;
  } base[] = {
    { "m", MS_UNIT_LENGTH, u->length },
    { "kg", MS_UNIT_MASS, u->mass },
    { "s", MS_UNIT_TIME, u->time },
    { "N", MS_UNIT_FORCE, u->force },
  };
  for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
    if (strlen(base[i].word) != length || memcmp(word, base[i].word, length) != 0) continue;
    *factor = base[i].factor;
    return find_name(base[i].dimension, base[i].factor);
  }
  *factor = 1.0;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    if (strlen(same[i]) == length && memcmp(word, same[i], length) == 0) return same[i];
  }
  return NULL;
}

double ms_units_name(const ms_units *u, const char *si, char *text, size_t size) {
  static const char *const alias[][2] = { { "J", "N m" }, { "W", "N m/s" }, { "Pa", "N/m^2" } };
  double factor = 1.0;
  size_t at = 0;
  int below = 0, outside = 0; /* whether it divides; what the brackets around it do */
  text[0] = '\0';
  for (size_t i = 0; i < sizeof alias / sizeof *alias; i++) {
    if (strcmp(si, alias[i][0]) == 0) si = alias[i][1];
  }
  for (const char *c = si; *c;) {
    if (!isalpha((unsigned char)*c)) {
      if (*c == '(' || *c == ')') outside = *c == '(' && below;
      below = *c == '/';
      at += (size_t)snprintf(text + at, size - at, "%c", *c++);
    } else {
      const int root = strncmp(c, "sqrt(", 5) == 0;
      const char *word = c + (root ? 5 : 0), *end = word;
      double of_word, power = root ? 0.5 : 1.0;
      while (isalpha((unsigned char)*end)) end++;
      const char *name = name_word(u, word, (size_t)(end - word), &of_word);
      if (!name || at + strlen(name) + 8 > size) {
        text[0] = '\0';
        return 0.0;
      }
      at += (size_t)snprintf(text + at, size - at, root ? "sqrt(%s)" : "%s", name);
      c = end + (root && *end == ')');
      if (*c == '^') power *= strtod(c + 1, NULL);
      factor *= pow(of_word, below != outside ? -power : power);
    }
    if (at + 2 > size) {
      text[0] = '\0';
      return 0.0;
    }
  }
  return factor;
}

/* ---- about an axis ---- */

ms_units ms_units_about(const ms_units *u) {
  ms_units about = *u;
  about.force *= u->length;
  about.length = 1.0;
  about.about = 1;
  return about;
}

/* What m, N and their quotients are of an angle and a moment; all others stay. */
const char *ms_units_name_si(const ms_units *units, const char *si) {
  static const char *const pair[][2] = {
    { "m", "rad" },
    { "N", "N m" },
    { "N/m", "N m/rad" },
    { "N/m^2", "N m/rad^2" },
  };
  for (size_t i = 0; units->about && i < sizeof pair / sizeof *pair; i++) {
    if (strcmp(pair[i][0], si) == 0) return pair[i][1];
  }
  return si;
}

int ms_units_is_si(const ms_units *units, const char *unit, const char *si) {
  si = ms_units_name_si(units, si);
  return strcmp(unit, si) == 0 || (strcmp(si, "J") == 0 && strcmp(unit, "N m") == 0);
}
