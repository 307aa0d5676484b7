/* Kinds and units of records. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "io/record.h"

#define GRAVITY 9.80665 /* m/s^2, standard */

static const char *const kind_text[] = { "displacement", "velocity", "acceleration", "force" };

const char *ms_record_kind_text(ms_record_kind kind) {
  return kind >= MS_RECORD_DISPLACEMENT && kind <= MS_RECORD_FORCE ? kind_text[kind] : NULL;
}

ms_status ms_record_parse_kind(ms_context *ctx, const char *word, ms_record_kind *out) {
  for (int i = 0; i < 3; i++) {
    if (strcmp(word, kind_text[i]) != 0) continue;
    *out = (ms_record_kind)i;
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME, "kind '%s' must be displacement, velocity or acceleration",
                 word);
}

static const struct unit {
  const char *name;
  ms_record_kind kind;
  double factor;
} lengths[] = {
  { "m", MS_RECORD_DISPLACEMENT, 1.0 },     { "cm", MS_RECORD_DISPLACEMENT, 1e-2 },
  { "mm", MS_RECORD_DISPLACEMENT, 1e-3 },   { "um", MS_RECORD_DISPLACEMENT, 1e-6 },
  { "nm", MS_RECORD_DISPLACEMENT, 1e-9 },   { "in", MS_RECORD_DISPLACEMENT, 0.0254 },
  { "ft", MS_RECORD_DISPLACEMENT, 0.3048 },
}, forces[] = {
  { "N", MS_RECORD_FORCE, 1.0 },   { "mN", MS_RECORD_FORCE, 1e-3 },
  { "kN", MS_RECORD_FORCE, 1e3 },  { "n", MS_RECORD_FORCE, 1.0 }, /* in capitals, spelt small */
  { "kn", MS_RECORD_FORCE, 1e3 }, { "lbf", MS_RECORD_FORCE, 4.4482216152605 },
}, gravities[] = {
  { "g", MS_RECORD_ACCELERATION, GRAVITY }, { "mg", MS_RECORD_ACCELERATION, 1e-3 * GRAVITY },
};

static int is_upper(const char *text) {
  int upper = 0;
  for (; *text; text++) {
    if (islower((unsigned char)*text)) return 0;
    upper |= isupper((unsigned char)*text);
  }
  return upper;
}

/* One spelling for all: no blanks or brackets, a raised 2 as ^2, micro as u, small letters where
   all are capitals ("Mm" is not "mm"). */
static void spell(const char *unit, char out[32]) {
  static const char *const micro[] = { "\xc2\xb5", "\xce\xbc" };
  int lower = is_upper(unit);
  size_t n = 0;
  while (*unit && n < 28) {
    if (strncmp(unit, micro[0], 2) == 0 || strncmp(unit, micro[1], 2) == 0) {
      out[n++] = 'u';
      unit += 2;
    } else if (strncmp(unit, "\xc2\xb2", 2) == 0) {
      out[n++] = '2';
      unit += 2;
    } else {
      int skip = *unit == ' ' || *unit == '(' || *unit == ')' || *unit == '^' || *unit == '*';
      if (!skip) out[n++] = lower ? (char)tolower((unsigned char)*unit) : *unit;
      unit++;
    }
  }
  out[n] = '\0';
}

static const struct unit *find_unit(const struct unit *list, size_t n, const char *name,
                                    size_t length) {
  for (size_t i = 0; i < n; i++) {
    if (strlen(list[i].name) == length && memcmp(list[i].name, name, length) == 0) return &list[i];
  }
  return NULL;
}

/* How often a unit is divided by seconds, by what stands after the length: 0, 1, 2; -1 unknown. */
static int count_seconds(const char *rest) {
  static const char *const over[][3] = { { "", "", "" },
                                         { "/s", "/sec", "/s1" },
                                         { "/s2", "/sec2", "/s/s" } };
  for (int d = 0; d < 3; d++) {
    for (int i = 0; i < 3; i++) {
      if (strcmp(rest, over[d][i]) == 0) return d;
    }
  }
  return -1;
}

/* Whether the unit is known; kind and factor if so. */
static int read_unit(const char *unit, ms_record_kind *kind, double *factor) {
  char text[32];
  spell(unit, text);
  size_t length = strcspn(text, "/");
  const struct unit *u = find_unit(gravities, 2, text, strlen(text));
  if (!u) u = find_unit(lengths, sizeof lengths / sizeof *lengths, text, length);
  if (!u) return 0;
  int order = u->kind == MS_RECORD_ACCELERATION ? 2 : count_seconds(text + length);
  if (order < 0) return 0;
  *kind = (ms_record_kind)order;
  *factor = u->factor;
  return 1;
}

ms_status ms_record_parse_unit(ms_context *ctx, const char *unit, ms_record_kind *kind,
                               double *factor) {
  if (read_unit(unit, kind, factor)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NAME,
                 "unit '%s' is not known; known are m, cm, mm, um, nm, in, ft, each over s or s^2, "
                 "and g, mg",
                 unit);
}

ms_status ms_record_parse_force(ms_context *ctx, const char *unit, double *factor) {
  char text[32];
  spell(unit, text);
  const struct unit *u = find_unit(forces, sizeof forces / sizeof *forces, text, strlen(text));
  if (!u) {
    return ms_fail(ctx, MS_ERR_NAME, "unit '%s' is not a unit of force; known are N, mN, kN, lbf",
                   unit);
  }
  *factor = u->factor;
  return MS_SUCCESS;
}

int ms_record_says_nothing(const char *text) {
  return text[0] == '\0' || strcasecmp(text, "none") == 0 || strcasecmp(text, "unknown") == 0 ||
         strcmp(text, "-") == 0;
}

double ms_record_time_factor(const char *unit) {
  static const char *const name[] = { "s", "sec", "second", "seconds", "ms", "us" };
  static const double factor[] = { 1.0, 1.0, 1.0, 1.0, 1e-3, 1e-6 };
  char text[32];
  if (ms_record_says_nothing(unit)) return 1.0;
  spell(unit, text);
  for (int i = 0; i < 6; i++) {
    if (strcasecmp(text, name[i]) == 0) return factor[i];
  }
  return 0.0;
}
