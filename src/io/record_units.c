/* Kinds and units of records. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/units.h"
#include "io/record.h"

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

static int is_upper(const char *text) {
  int upper = 0;
  for (; *text; text++) {
    if (islower((unsigned char)*text)) return 0;
    upper |= isupper((unsigned char)*text);
  }
  return upper;
}

/* The sign of a unit that is written out, "Newtons", "meters/s"; what is behind it stays. */
static void abbreviate(char text[32]) {
  static const struct {
    const char *word, *sign;
  } known[] = {
    { "newton", "N" }, { "meter", "m" }, { "metre", "m" }, { "inche", "in" }, { "inch", "in" }
  };
  const size_t length = strcspn(text, "/");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const size_t n = strlen(known[i].word), sign = strlen(known[i].sign);
    const int plural = length == n + 1 && tolower((unsigned char)text[n]) == 's';
    if ((length != n && !plural) || strncasecmp(text, known[i].word, n) != 0) continue;
    memcpy(text, known[i].sign, sign);
    memmove(text + sign, text + length, strlen(text + length) + 1);
    return;
  }
}

/* One spelling for all: no blanks or brackets, a raised 2 as ^2, micro as u, small letters where
   all are capitals ("Mm" is not "mm"), signs for words. */
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
  abbreviate(out);
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

int ms_record_knows_unit(const char *unit, ms_record_kind *kind, double *factor) {
  char text[32];
  spell(unit, text);
  const size_t length = strcspn(text, "/");
  const double gravity = ms_unit_find(MS_UNIT_ACCELERATION, text, strlen(text));
  const double found = gravity > 0.0 ? gravity : ms_unit_find(MS_UNIT_LENGTH, text, length);
  const int order = gravity > 0.0 ? 2 : count_seconds(text + length);
  if (found == 0.0 || order < 0) return 0;
  *kind = (ms_record_kind)order;
  *factor = found;
  return 1;
}

ms_status ms_record_parse_unit(ms_context *ctx, const char *unit, ms_record_kind *kind,
                               double *factor) {
  if (ms_record_knows_unit(unit, kind, factor)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NAME,
                 "unit '%s' is not known; known are m, cm, mm, um, nm, in, ft, each over s or s^2, "
                 "and g, mg",
                 unit);
}

int ms_record_knows_force(const char *unit, double *factor) {
  char text[32];
  spell(unit, text);
  /* capitals are spelt small */
  if (strcmp(text, "n") == 0 || strcmp(text, "kn") == 0) text[strlen(text) - 1] = 'N';
  const double found = ms_unit_find(MS_UNIT_FORCE, text, strlen(text));
  if (found > 0.0) *factor = found;
  return found > 0.0;
}

ms_status ms_record_parse_force(ms_context *ctx, const char *unit, double *factor) {
  if (ms_record_knows_force(unit, factor)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NAME, "unit '%s' is not a unit of force; known are N, mN, kN, lbf",
                 unit);
}

int ms_record_says_nothing(const char *text) {
  return text[0] == '\0' || strcasecmp(text, "none") == 0 || strcasecmp(text, "unknown") == 0 ||
         strcmp(text, "-") == 0;
}

double ms_record_time_factor(const char *unit) {
  char text[32];
  if (ms_record_says_nothing(unit)) return 1.0;
  spell(unit, text);
  for (char *c = text; *c; c++) *c = (char)tolower((unsigned char)*c);
  return ms_unit_find(MS_UNIT_TIME, text, strlen(text));
}
