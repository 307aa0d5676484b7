/* Reads the packed numbers of shapes and fields in a page (src/report/shape_data.c). */
#ifndef MS_TEST_PACKED_H
#define MS_TEST_PACKED_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* The reader's side of the coding, written anew: letters to numbers. Returns how many. */
static inline int decode(const char *at, const char *key, int stride, int *out, int room) {
  char open[32];
  snprintf(open, sizeof open, "\"%s\":", key);
  at = at ? strstr(at, open) : NULL;
  if (!CHECK(at != NULL)) return 0;
  at = strchr(at + strlen(open), '"') + 1;
  int n = 0;
  while (*at != '"' && n < room) {
    long long value = 0, bits;
    int shift = 0;
    do {
      char c = *at++;
      bits = c >= 'A' && c <= 'Z'   ? c - 'A'
             : c >= 'a' && c <= 'z' ? c - 'a' + 26
             : c >= '0' && c <= '9' ? c - '0' + 52
             : c == '-'             ? 62
                                    : 63;
      value |= (bits & 31) << shift;
      shift += 5;
    } while (bits & 32);
    out[n] = (int)(value & 1 ? -(value + 1) / 2 : value / 2) + (n < stride ? 0 : out[n - stride]);
    n++;
  }
  CHECK(*at == '"');
  return n;
}

static inline double number_after(const char *at, const char *key) {
  char open[32];
  snprintf(open, sizeof open, "\"%s\":", key);
  at = at ? strstr(at, open) : NULL;
  return CHECK(at != NULL) ? strtod(at + strlen(open) + strspn(at + strlen(open), " ["), NULL)
                           : NAN;
}

#endif
