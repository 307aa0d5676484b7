/* Names and numbers as text. */
#include "core/internal.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 48 };

/* Edit distance (insert, delete, replace; letters without regard to case); names longer than
   MAX_NAME are compared by their beginning. */
static int edit_distance(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > MAX_NAME) na = MAX_NAME;
  if (nb > MAX_NAME) nb = MAX_NAME;
  int row[MAX_NAME + 1];
  for (size_t j = 0; j <= nb; j++) row[j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      int best = diagonal + !same;
      diagonal = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[nb];
}

const char *ms_text_nearest(const char *name, const char *(*item)(const void *list, int i),
                            const void *list, int n) {
  const char *nearest = NULL;
  size_t length = strlen(name);
  if (length > MAX_NAME) length = MAX_NAME;
  int best = (int)length / 2 + 1; /* farther than this is another word, not a slip */
  for (int i = 0; i < n; i++) {
    int d = edit_distance(name, item(list, i));
    if (d > best || (nearest && d == best)) continue;
    best = d;
    nearest = item(list, i);
  }
  return nearest;
}

ms_status ms_text_copy(ms_context *ctx, const char *text, char **out) {
  *out = NULL;
  if (!text) return MS_SUCCESS;
  size_t bytes = strlen(text) + 1;
  MS_TRY(ms_allocate(ctx, (ptrdiff_t)bytes, 1, out));
  memcpy(*out, text, bytes);
  return MS_SUCCESS;
}

ms_status ms_text_number(const char *text, size_t length, double *out) {
  while (length > 0 && isspace((unsigned char)*text)) text++, length--;
  while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
  char buffer[64]; /* no sensible number is longer; strtod needs its terminator */
  if (length == 0 || length >= sizeof buffer) return MS_ERR_FORMAT;
  memcpy(buffer, text, length);
  buffer[length] = '\0';
  if (strpbrk(buffer, "xXpP")) return MS_ERR_FORMAT; /* hexadecimal is more likely a mistake */
  const char *point =
      localeconv()->decimal_point; /* files use '.', whatever the program's locale */
  char *dot = strchr(buffer, '.');
  if (point[0] != '.' && point[1] == '\0') {
    if (strchr(buffer, point[0])) return MS_ERR_FORMAT;
    if (dot) *dot = point[0];
  }
  char *end;
  double value = strtod(buffer, &end);
  if (end != buffer + length) return MS_ERR_FORMAT;
  if (!isfinite(value)) return MS_ERR_NUMERIC;
  *out = value;
  return MS_SUCCESS;
}

void ms_text_print_word(FILE *out, const char *word) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:/@%";
  if (*word && word[strspn(word, plain)] == '\0') {
    fputs(word, out);
    return;
  }
  fputc('\'', out);
  for (; *word; word++) *word == '\'' ? fputs("'\\''", out) : fputc(*word, out);
  fputc('\'', out);
}
