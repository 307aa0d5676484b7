/* Numbers as text. */
#include <microslip/io.h>

#include <stdlib.h>
#include <string.h>

enum {
  NUMBER_SIZE = 32,  /* what the header asks of the caller */
  FIRST_DIGITS = 15, /* every decimal of so many digits survives a double ... */
  LAST_DIGITS = 17   /* ... and every double survives so many digits */
};

void ms_format_double(double value, char *text) {
  for (int digits = FIRST_DIGITS; digits <= LAST_DIGITS; digits++) {
    snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  char *comma = strchr(text, ','); /* the program's locale must not change our files */
  if (comma) *comma = '.';
}
