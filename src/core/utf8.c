#include "core/utf8.h"

#include <stddef.h>

int ms_utf8_length(const char *text) {
  static const struct {
    unsigned char first, last, low, high; /* the range of the first byte, and of the second */
    int length;
  } form[] = {
    { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 }, { 0xE1, 0xEC, 0x80, 0xBF, 3 },
    { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 }, { 0xF0, 0xF0, 0x90, 0xBF, 4 },
    { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
  };
  const unsigned char *s = (const unsigned char *)text;
  if (s[0] < 0x80) return 1;
  for (size_t i = 0; i < sizeof form / sizeof form[0]; i++) {
    if (s[0] < form[i].first || s[0] > form[i].last) continue;
    if (s[1] < form[i].low || s[1] > form[i].high) return 0;
    for (int k = 2; k < form[i].length; k++)
      if ((s[k] & 0xC0) != 0x80) return 0;
    return form[i].length;
  }
  return 0;
}
