/* Decimal numbers, correctly rounded, as fast as a disk delivers them.

   A number is w 10^e with an integer w of at most 19 digits. w is exactly the sum of two doubles,
   10^k is exact for k <= 22, and a product or quotient of a double-double and a double has a
   relative error below 2^-103 (T. J. Dekker, Numer. Math. 18, 1971). So w 10^e is known to more
   than 100 bits, and rounding its leading double is right unless what remains is within a part in
   2^30 of half a unit in the last place. Those few numbers, longer ones and extreme exponents go to
   strtod.
*/
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#include "core/internal.h"
#include "io/text.h"

enum {
  MAX_DIGITS = 19,      /* so many always fit into 64 bits */
  EXACT_POWER = 22,     /* 10^22 is the last power of ten that is exactly a double */
  MAX_SCALE = 88,       /* four times that: nothing can overflow or lose bits */
  MAX_EXPONENT = 99999, /* far beyond any double; a longer exponent means the same */
  TOKEN_SIZE = 72       /* longer than ms_text_number takes */
};

typedef struct two {
  double high, low;
} two;

static const double power_of_ten[EXACT_POWER + 1] = {
  1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* a + b for |a| >= |b| or a = 0. */
static two sum(double a, double b) {
  double s = a + b;
  return (two) { s, b - (s - a) };
}

static two split(double a) {
  double t = 0x8000001p0 * a, high = t - (t - a);
  return (two) { high, a - high };
}

/* a b exactly. */
static two product(double a, double b) {
  double p = a * b;
  two x = split(a), y = split(b);
  double low = ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return (two) { p, low };
}

static two times(two a, double b) {
  two p = product(a.high, b);
  return sum(p.high, p.low + a.low * b);
}

static two over(two a, double b) {
  double q = a.high / b;
  two p = product(q, b);
  double remainder = ((a.high - p.high) - p.low) + a.low;
  return sum(q, remainder / b);
}

/* w 10^e; 0 if it takes more bits to decide how it rounds. */
static int scale(uint64_t w, int e, double *out) {
  two x = sum((double)(w & ~UINT64_C(0x7FF)), (double)(w & UINT64_C(0x7FF)));
  for (int left = abs(e), k; left > 0; left -= k) {
    k = left < EXACT_POWER ? left : EXACT_POWER;
    x = e > 0 ? times(x, power_of_ten[k]) : over(x, power_of_ten[k]);
  }
  *out = x.high;
  return x.high + x.low * (1.0 + 0x1p-30) == x.high;
}

/* ---- scanning ---- */

typedef struct decimal {
  uint64_t w;
  int e, n_digits, negative;
  int seen, point, dropped; /* any digit, a decimal point, digits that w has no room for */
  int fortran;              /* its exponent has a D or no letter at all */
} decimal;

static int is_digit(const char *p, const char *end) {
  return p < end && *p >= '0' && *p <= '9';
}

static const char *scan_sign(const char *p, const char *end, int *negative) {
  *negative = p < end && *p == '-';
  return p < end && (*p == '-' || *p == '+') ? p + 1 : p;
}

/* Digits before the point (after = 0) or after it (after = 1). */
static const char *scan_digits(const char *p, const char *end, int after, decimal *d) {
  for (; is_digit(p, end); p++) {
    d->seen = 1;
    if (d->n_digits == MAX_DIGITS) {
      d->dropped = 1;
      continue;
    }
    d->w = 10 * d->w + (uint64_t)(*p - '0');
    d->n_digits += d->w > 0; /* zeros in front are no digits */
    d->e -= after;
  }
  return p;
}

/* Whether "-100" stands here and no more: an exponent that Fortran had no room to put an E on. */
static int is_bare_exponent(const char *p, const char *end, const decimal *d) {
  if (!d->point || p == end || (*p != '+' && *p != '-')) return 0;
  const char *q = p + 1;
  while (is_digit(q, end)) q++;
  return q - p == 4 && !(q < end && *q == '.');
}

/* Behind the exponent, if there is one at p. */
static const char *scan_exponent(const char *p, const char *end, decimal *d) {
  int letter = p < end && *p != '\0' && strchr("eEdD", *p) != NULL;
  if (!letter && !is_bare_exponent(p, end, d)) return p;
  const char *q = letter ? p + 1 : p;
  int negative, value = 0;
  q = scan_sign(q, end, &negative);
  if (!is_digit(q, end)) return p; /* an E that belongs to something else */
  for (; is_digit(q, end); q++)
    if (value < MAX_EXPONENT) value = 10 * value + (*q - '0');
  d->e += negative ? -value : value;
  d->fortran = !letter || *p == 'd' || *p == 'D';
  return q;
}

static const char *scan_decimal(const char *p, const char *end, decimal *d) {
  *d = (decimal) { 0 };
  p = scan_sign(p, end, &d->negative);
  p = scan_digits(p, end, 0, d);
  if (p < end && *p == '.' && (d->seen || is_digit(p + 1, end))) {
    d->point = 1;
    p = scan_digits(p + 1, end, 1, d);
  }
  return d->seen ? scan_exponent(p, end, d) : p;
}

static int decide(const decimal *d, double *out) {
  double value = 0.0;
  if (d->dropped || d->e > MAX_SCALE || d->e < -MAX_SCALE) return 0;
  if (d->w != 0 && !scale(d->w, d->e, &value)) return 0;
  *out = d->negative ? -value : value;
  return 1;
}

/* The token in the form that strtod knows. */
static ms_status ask_strtod(ms_span token, double *out) {
  char text[TOKEN_SIZE];
  size_t n = 0;
  int exponent = 0, point = 0;
  if (ms_io_length(token) + 2 > sizeof text) return MS_ERR_FORMAT;
  for (const char *p = token.begin; p < token.end; p++) {
    int letter = strchr("eEdD", *p) != NULL;
    point |= *p == '.';
    if ((*p == '+' || *p == '-') && point && !exponent) {
      text[n++] = 'e';
      exponent = 1;
    }
    exponent |= letter;
    text[n++] = letter ? 'e' : *p;
  }
  return ms_text_number(text, n, out);
}

/* "nan" and "inf", however long they are written. */
static int is_word(const char *p, const char *end) {
  return end - p >= 3 && (strncasecmp(p, "nan", 3) == 0 || strncasecmp(p, "inf", 3) == 0);
}

ms_status ms_io_scan_number(const char **cursor, const char *end, double *out) {
  decimal d;
  const char *begin = *cursor, *p = scan_decimal(begin, end, &d);
  if (!d.seen) {
    if (!is_word(p, end)) return MS_ERR_FORMAT;
    *cursor = p + 3;
    return MS_ERR_NUMERIC;
  }
  *cursor = p;
  return decide(&d, out) ? MS_SUCCESS : ask_strtod((ms_span) { begin, p }, out);
}

int ms_io_scan_integer(const char **cursor, const char *end, ptrdiff_t *out) {
  int negative;
  const char *p = scan_sign(*cursor, end, &negative);
  if (!is_digit(p, end)) return 0;
  ptrdiff_t value = 0;
  for (; is_digit(p, end); p++) {
    if (value > (PTRDIFF_MAX - 9) / 10) return 0;
    value = 10 * value + (*p - '0');
  }
  *cursor = p;
  *out = negative ? -value : value;
  return 1;
}

ms_status ms_io_number(ms_span text, double *out) {
  decimal d;
  const char *end = scan_decimal(text.begin, text.end, &d);
  if (end == text.end && d.seen && !d.fortran && decide(&d, out)) return MS_SUCCESS;
  return ms_text_number(text.begin, ms_io_length(text), out);
}
