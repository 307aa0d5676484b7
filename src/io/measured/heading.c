/* Headings and key lines of measured data: names, units, times, sampling rates. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/measured/measured.h"
#include "io/record.h"

/* Bytes of the UTF-8 character at p, 0 if there is none. */
static int utf8_length(const char *p, const char *end) {
  const unsigned char c = (unsigned char)*p;
  const int n = c < 0x80                ? 1
                : c >= 0xC2 && c < 0xE0 ? 2
                : c >= 0xE0 && c < 0xF0 ? 3
                : c >= 0xF0 && c < 0xF5 ? 4
                                        : 0;
  if (end - p < n) return 0;
  for (int i = 1; i < n; i++)
    if (((unsigned char)p[i] & 0xC0) != 0x80) return 0;
  return n;
}

void ms_heading_copy(ms_span text, char *out, size_t size) {
  const char *const end = out + size - 1;
  char *const begin = out;
  text = ms_io_trim(text);
  for (const char *p = text.begin; p < text.end;) {
    const unsigned char c = (unsigned char)*p;
    int n = utf8_length(p, text.end);
    if (end - out < (n ? n : 2)) break;
    if (n == 0) {
      *out++ = (char)(0xC0 | c >> 6);
      *out++ = (char)(0x80 | (c & 0x3F));
      p++;
    } else {
      for (; n > 0; n--, p++) *out++ = (unsigned char)*p < ' ' || *p == 0x7f ? ' ' : *p;
    }
  }
  while (out > begin && out[-1] == ' ') out--;
  *out = '\0';
}

int ms_heading_is_unit(const char *text) {
  ms_record_kind kind;
  double factor;
  if (ms_record_says_nothing(text)) return 0;
  return ms_record_time_factor(text) > 0.0 || ms_record_knows_unit(text, &kind, &factor) ||
         ms_record_knows_force(text, &factor);
}

/* ---- the quantity ---- */

/* Lower-case letters of the first word, as far as there is room. */
static void first_word(const char *text, char out[24]) {
  size_t n = 0;
  while (*text == ' ' || *text == '"') text++;
  for (; isalpha((unsigned char)*text) && n < 23; text++)
    out[n++] = (char)tolower((unsigned char)*text);
  out[n] = '\0';
}

ms_record_kind ms_heading_kind(const char *text) {
  static const struct {
    const char *word;
    ms_record_kind kind;
  } known[] = {
    { "force", MS_RECORD_FORCE },
    { "excitation", MS_RECORD_FORCE },
    { "hammer", MS_RECORD_FORCE },
    { "kraft", MS_RECORD_FORCE },
    { "acc", MS_RECORD_ACCELERATION },
    { "accel", MS_RECORD_ACCELERATION },
    { "acceleration", MS_RECORD_ACCELERATION },
    { "accelerometer", MS_RECORD_ACCELERATION },
    { "beschleunigung", MS_RECORD_ACCELERATION },
    { "vel", MS_RECORD_VELOCITY },
    { "velocity", MS_RECORD_VELOCITY },
    { "geschwindigkeit", MS_RECORD_VELOCITY },
    { "disp", MS_RECORD_DISPLACEMENT },
    { "displacement", MS_RECORD_DISPLACEMENT },
    { "deflection", MS_RECORD_DISPLACEMENT },
    { "weg", MS_RECORD_DISPLACEMENT },
  };
  char word[24];
  first_word(text, word);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(word, known[i].word) == 0) return known[i].kind;
  return MS_RECORD_UNKNOWN;
}

static int agrees(ms_record_kind kind, const char *unit) {
  ms_record_kind measured;
  double factor;
  if (kind == MS_RECORD_FORCE) return ms_record_knows_force(unit, &factor);
  return ms_record_knows_unit(unit, &measured, &factor) && measured == kind;
}

/* ---- name and unit ---- */

static void cut(char *text, size_t n) {
  while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == ',')) n--;
  text[n] = '\0';
}

/* "name [unit]", "name (unit)" where it is a unit, "Time, s". */
static void split_unit(char *text, ms_heading *out) {
  const size_t n = strlen(text);
  char *open = NULL;
  if (n > 0 && text[n - 1] == ']') open = strrchr(text, '[');
  if (n > 0 && text[n - 1] == ')') {
    open = strrchr(text, '(');
    if (open && open > text && open[-1] == '(') open--; /* ((m/s^2)) */
    for (char *p = text; p < text + n; p++) {           /* "(m/(s^2))" begins at the first */
      if (*p != '(') continue;
      char inside[160];
      snprintf(inside, sizeof inside, "%.*s", (int)(text + n - p - 2), p + 1);
      if (ms_heading_is_unit(inside)) {
        open = p;
        break;
      }
    }
  }
  const char *const comma = strrchr(text, ',');
  char inside[160];
  if (open && (open > text || *open == '[')) { /* "[s]" has no name */
    snprintf(inside, sizeof inside, "%.*s", (int)(text + n - open - 2), open + 1);
    if (*open == '(' && !ms_heading_is_unit(inside)) return;
    cut(text, (size_t)(open - text));
  } else if (comma && comma > text) {
    snprintf(inside, sizeof inside, "%s", comma + 1 + strspn(comma + 1, " "));
    if (!ms_heading_is_unit(inside)) return;
    cut(text, (size_t)(comma - text));
  } else {
    return;
  }
  ms_heading_copy((ms_span) { inside, inside + strlen(inside) }, out->unit, sizeof out->unit);
}

/* "time", "Time", "t", "Zeit", ..., also "time_ms". */
static int is_time(ms_heading *h, char *text) {
  static const char *const word[] = { "t",       "time",       "zeit",         "temps",
                                      "tempo",   "tiempo",     "elapsed time", "relative time",
                                      "x_value", "time_domain" };
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (strcasecmp(text, word[i]) == 0) return 1;
  char *const line = strrchr(text, '_');
  if (!line || ms_record_says_nothing(line + 1) || !(ms_record_time_factor(line + 1) > 0.0))
    return 0;
  *line = '\0';
  for (size_t i = 0; i < 6; i++) {
    if (strcasecmp(text, word[i]) != 0) continue;
    if (h->unit[0] == '\0') snprintf(h->unit, sizeof h->unit, "%s", line + 1);
    *line = '_';
    return 1;
  }
  *line = '_';
  return 0;
}

/* "force_N", "acc_g": only where the name says a quantity that the unit has. */
static void split_suffix(char *text, ms_heading *out) {
  char *const line = strrchr(text, '_');
  if (!line || line == text || out->kind == MS_RECORD_UNKNOWN || out->unit[0]) return;
  if (!agrees(out->kind, line + 1)) return;
  snprintf(out->unit, sizeof out->unit, "%.40s", line + 1);
  *line = '\0';
}

void ms_heading_read(ms_span span, ms_heading *out) {
  char text[160];
  *out = (ms_heading) { .kind = MS_RECORD_UNKNOWN };
  ms_heading_copy(span, text, sizeof text);
  cut(text, strlen(text)); /* "time(s)," of names that stand between commas and blanks */
  split_unit(text, out);
  out->is_time = is_time(out, text);
  out->kind = ms_heading_kind(text);
  if (!out->is_time) split_suffix(text, out);
  ms_span name = { text, text + strlen(text) };
  if (name.end - name.begin > 2 && *name.begin == '"' && name.end[-1] == '"')
    name = (ms_span) { name.begin + 1, name.end - 1 };
  ms_heading_copy(name, out->name, sizeof out->name);
}

/* ---- rates ---- */

/* Letters of the key in lower case, without what is in brackets. */
static void squeeze(ms_span key, char out[40]) {
  size_t n = 0;
  int inside = 0;
  for (const char *p = key.begin; p < key.end && n < 39; p++) {
    inside += *p == '(' || *p == '[';
    if (!inside && isalpha((unsigned char)*p)) out[n++] = (char)tolower((unsigned char)*p);
    inside -= *p == ')' || *p == ']';
  }
  out[n] = '\0';
}

static double rate_factor(const char *unit) {
  static const struct {
    const char *name;
    double hz;
  } known[] = { { "", 1.0 },    { "hz", 1.0 },  { "khz", 1e3 }, { "mhz", 1e6 },
                { "s/s", 1.0 }, { "sps", 1.0 }, { "1/s", 1.0 }, { "samples/s", 1.0 } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcasecmp(unit, known[i].name) == 0) return known[i].hz;
  return 0.0;
}

/* What stands in the brackets of the key, or behind the number. */
static void find_unit(ms_span key, ms_span rest, char out[32]) {
  const char *open = key.begin;
  while (open < key.end && *open != '(' && *open != '[') open++;
  if (open < key.end) {
    const char *close = open;
    while (close < key.end && *close != ')' && *close != ']') close++;
    rest = (ms_span) { open + 1, close };
  }
  rest = ms_io_trim(rest);
  while (rest.begin < rest.end && strchr("([", *rest.begin)) rest.begin++;
  const char *end = rest.begin;
  while (end < rest.end && !strchr(" \t,;)]\"", *end)) end++;
  rest.end = end;
  ms_heading_copy(rest, out, 32);
}

static double find_rate(ms_span key, ms_span value) {
  static const char *const rate[] = { "samplerate",
                                      "samplingrate",
                                      "samplefrequency",
                                      "samplingfrequency",
                                      "samplingfreq",
                                      "samplefreq",
                                      "fs",
                                      "scanrate",
                                      "acquisitionrate",
                                      "datarate",
                                      "samplespersecond",
                                      "timesamplerate",
                                      "abtastrate" };
  static const char *const step[] = { "sampleinterval",
                                      "samplinginterval",
                                      "samplingperiod",
                                      "sampleperiod",
                                      "timestep",
                                      "dt",
                                      "ts",
                                      "deltat",
                                      "deltax",
                                      "xincrement",
                                      "timeincrement",
                                      "timeinterval",
                                      "samplingtime" };
  char word[40], unit[32];
  double number;
  squeeze(key, word);
  value = ms_io_trim(value);
  while (value.begin < value.end && *value.begin == '"') value.begin++;
  if (ms_io_scan_number(&value.begin, value.end, &number) != MS_SUCCESS || !(number > 0.0))
    return 0.0;
  find_unit(key, value, unit);
  for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
    if (strcmp(word, rate[i]) == 0) return number * rate_factor(unit);
  for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
    if (strcmp(word, step[i]) != 0) continue;
    const double seconds = number * ms_record_time_factor(unit);
    return seconds > 0.0 ? 1.0 / seconds : 0.0;
  }
  return 0.0;
}

double ms_heading_rate(ms_span key, ms_span value) {
  const double rate = find_rate(key, value);
  return rate > 1e-9 && rate < 1e15 ? rate : 0.0;
}
