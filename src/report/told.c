/* Numbers with a unit in a text, "at 4.893 N", "2 to 5 Hz": as a display shows them. plot.js has
   the same for pages. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/internal.h"

enum { LEAST_DIGITS = 4, UNIT = 64 };

static int is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static size_t skip_digits(const char *at) {
  size_t n = 0;
  while (isdigit((unsigned char)at[n])) n++;
  return n;
}

/* The length of the number that begins here; 0: none. */
static size_t find_number(const char *at) {
  size_t n = *at == '-', d = skip_digits(at + n);
  if (d == 0) return 0;
  n += d;
  if (at[n] == '.' && (d = skip_digits(at + n + 1)) > 0) n += 1 + d;
  if (at[n] == 'e') {
    const size_t sign = at[n + 1] == '-' || at[n + 1] == '+';
    if ((d = skip_digits(at + n + 1 + sign)) > 0) n += 1 + sign + d;
  }
  return n;
}

/* One word of a unit, such as m^2. */
static size_t find_word(const char *at) {
  static const char *const words[] = {
    "sqrt(kg)", "Hz", "rad", "kg", "Pa", "m", "N", "s", "J", "W"
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i]);
    if (strncmp(at, words[i], n) != 0) continue;
    if (at[n] == '^') {
      const size_t sign = at[n + 1] == '-';
      if (isdigit((unsigned char)at[n + 1 + sign])) n += 2 + sign;
    }
    return n;
  }
  return 0;
}

static int can_end(char next) {
  return !is_word(next) && !strchr("(^/", next ? next : ' ');
}

/* The length of the unit that begins here; 0: none. */
static size_t find_unit(const char *at) {
  size_t n = strncmp(at, "1/", 2) == 0 ? 2 : 0, word = find_word(at + n), end = 0;
  while (word > 0) {
    n += word;
    if (can_end(at[n])) end = n;
    word = at[n] == ' ' || at[n] == '/' ? find_word(at + n + 1) : 0;
    if (word > 0) n++;
  }
  return end;
}

/* "2 to 5": the length of all numbers up to the blank before the unit. */
static size_t find_numbers(const char *at) {
  static const char *const between[] = { " to ", " and ", " or " };
  size_t n = find_number(at), more = n;
  while (more > 0) {
    more = 0;
    for (int i = 0; i < 3 && more == 0; i++) {
      const size_t gap = strlen(between[i]);
      if (strncmp(at + n, between[i], gap) != 0) continue;
      const size_t next = find_number(at + n + gap);
      if (next > 0) more = gap + next;
    }
    n += more;
  }
  return n;
}

typedef struct writer {
  char *out;
  size_t n, size;
} writer;

static void put(writer *w, const char *text, size_t length) {
  if (w->n + 1 >= w->size) return;
  if (length > w->size - 1 - w->n) length = w->size - 1 - w->n;
  memcpy(w->out + w->n, text, length);
  w->out[w->n += length] = '\0';
}

/* With as many digits as it had, four at least. */
static void put_number(writer *w, const ms_display *display, const ms_display_view *view,
                       const char *at, size_t length) {
  char text[64];
  int digits = 0;
  for (size_t i = 0; i < length && at[i] != 'e'; i++) digits += isdigit((unsigned char)at[i]) != 0;
  snprintf(text, sizeof text, "%.*g", digits > LEAST_DIGITS ? digits : LEAST_DIGITS,
           ms_display_map(display, view, strtod(at, NULL), 0, 0.0));
  put(w, text, strlen(text));
}

static void put_told(writer *w, const ms_display *display, const char *at, size_t numbers,
                     size_t length) {
  char unit[UNIT], people[2 * UNIT];
  snprintf(unit, sizeof unit, "%.*s", (int)length, at + numbers + 1);
  const int frequency = strcmp(unit, "Hz") == 0 || strcmp(unit, "rad/s") == 0;
  const ms_display_of of = { frequency ? MS_DISPLAY_FREQUENCY : MS_DISPLAY_PLAIN, unit, 0, 0 };
  const ms_display_view view = ms_display_look(display, &of);
  if (strcmp(view.unit, unit) == 0) {
    put(w, at, numbers);
  } else {
    for (size_t i = 0; i < numbers;) {
      const size_t n = find_number(at + i);
      if (n > 0) put_number(w, display, &view, at + i, n);
      if (n == 0) put(w, at + i, 1);
      i += n > 0 ? n : 1;
    }
  }
  put(w, " ", 1);
  ms_text_unit(view.unit, people, sizeof people);
  put(w, people, strlen(people));
}

void ms_text_tell(const ms_display *display, const char *text, char *out, size_t size) {
  writer w = { out, 0, size };
  out[0] = '\0';
  for (const char *at = text; *at;) {
    const int free = at == text || !(is_word(at[-1]) || strchr(".^-", at[-1]));
    const size_t numbers = free ? find_numbers(at) : 0;
    const size_t unit = numbers > 0 && at[numbers] == ' ' ? find_unit(at + numbers + 1) : 0;
    if (unit > 0 && unit < UNIT) {
      put_told(&w, display, at, numbers, unit);
      at += numbers + 1 + unit;
    } else {
      put(&w, at, numbers > 0 ? numbers : 1);
      at += numbers > 0 ? numbers : 1;
    }
  }
}
