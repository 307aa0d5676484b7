/* Numbers for people. */
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/tolerance.h"

enum {
  LEAST_PLAIN = -3, /* decimal exponents of numbers without a power of ten: 0.001 to 999999 */
  MOST_PLAIN = 5,
  MANY_DIGITS = 10, /* an input: zeros at its end say nothing */
  MOST_DIGITS = 15,
  LOWEST = -330, /* decimal exponents of all numbers */
  HIGHEST = 310,
  GAP = 6 /* decades without a number: what is below them is no part of what is above */
};

int ms_number_exponent(double value, int digits) {
  char text[48];
  if (value == 0.0) return 0;
  snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return atoi(strchr(text, 'e') + 1);
}

double ms_number_scale(double value, int exponent) {
  return exponent > 0 ? value / pow(10.0, exponent) : value * pow(10.0, -exponent);
}

/* The next multiple of three below. */
static int whole_step(int e) {
  return 3 * (int)floor(e / 3.0);
}

static int is_near(double value, int decimals, double tolerance) {
  const double scale = pow(10.0, decimals);
  return fabs(value - round(value * scale) / scale) <= tolerance * fabs(value);
}

static int is_exact(double value, int decimals) {
  return is_near(value, decimals, ms_report_tol.exact);
}

ms_form ms_number_form(double value, double error, int digits) {
  const double size = fmax(fabs(value), error);
  const int e = ms_number_exponent(size, digits);
  ms_form form = { .exponent = e >= LEAST_PLAIN && e <= MOST_PLAIN ? 0 : whole_step(e) };
  if (size == 0.0) return (ms_form) { 0, 0 };
  if (error > 0.0) {
    const int last = ms_number_exponent(error, 2) - 1;
    if (last > form.exponent) form.exponent = whole_step(e);
    form.decimals = form.exponent - last;
  } else {
    if (e >= digits && !is_exact(value, 0)) form.exponent = whole_step(e); /* 12.35x10^3 */
    form.decimals = digits - 1 - (e - form.exponent);
    const double scaled = ms_number_scale(value, form.exponent);
    const double half = 0.5 * pow(10.0, -form.decimals), /* of the last digit */
        tolerance = digits < MANY_DIGITS ? ms_report_tol.exact : half / fabs(scaled);
    while (form.decimals > 0 && is_near(scaled, form.decimals - 1, tolerance)) form.decimals--;
  }
  const int most = MOST_DIGITS - 1 - (e - form.exponent);
  form.decimals = form.decimals < 0 ? 0 : form.decimals > most ? most : form.decimals;
  return form;
}

/* ---- columns ---- */

static int all_exact(const double *value, ptrdiff_t n, int exponent, int decimals, double tiny) {
  for (ptrdiff_t i = 0; i < n; i++) {
    if (fabs(value[i]) > tiny && !is_exact(ms_number_scale(value[i], exponent), decimals)) return 0;
  }
  return 1;
}

/* The decade of a number above 0, which is not rounded to fewer digits. */
static int decade_of(double value) {
  return ms_number_exponent(value, MOST_DIGITS + 2);
}

/* The largest number that is nothing beside the others: below ms_report_tol.tiny of the largest,
   and below GAP empty decades. Energies of runs from small to large have no such gap; rounding
   errors have. */
static double find_tiny(const double *value, ptrdiff_t n, double largest) {
  char has[HIGHEST - LOWEST] = { 0 };
  const double limit = ms_report_tol.tiny * largest;
  double tiny = 0.0, least = INFINITY;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double size = fabs(value[i]);
    if (size > limit) least = fmin(least, size);
    if (size > 0.0 && size <= limit) has[decade_of(size) - LOWEST] = 1;
  }
  if (!(least < INFINITY)) return 0.0;
  int at = decade_of(least) - LOWEST, empty = 0; /* ends in the decade below the gap */
  while (at > 0 && empty < GAP) empty = has[--at] ? 0 : empty + 1;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double size = fabs(value[i]);
    if (size > 0.0 && size <= limit && decade_of(size) - LOWEST < at) tiny = fmax(tiny, size);
  }
  return tiny;
}

ms_column_form ms_number_column(const double *value, ptrdiff_t n, int digits) {
  ms_column_form form = { 0, 0, 0.0 };
  double least = INFINITY, largest = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, fabs(value[i]));
  form.tiny = find_tiny(value, n, largest);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (fabs(value[i]) > form.tiny) least = fmin(least, fabs(value[i]));
  }
  if (largest == 0.0) return form;
  if (largest < ms_report_tol.largest_whole && all_exact(value, n, 0, 0, form.tiny)) return form;
  const int low = ms_number_exponent(least, digits), high = ms_number_exponent(largest, digits);
  const int plain = high >= LEAST_PLAIN && high <= MOST_PLAIN;
  if (largest > ms_report_tol.spread * least) { /* small ones beside plain ones have own powers */
    const int apart = high - low > MOST_PLAIN || (plain && low < LEAST_PLAIN);
    form.decimals = apart ? MS_DECIMALS_POWER : MS_DECIMALS_OWN;
    if (!apart && !plain) form.exponent = whole_step(high);
    return form;
  }
  if (!plain || low < LEAST_PLAIN) form.exponent = whole_step(low);
  const int decimals = digits - 1 - (low - form.exponent);
  form.decimals = 0;
  while (form.decimals < decimals && !all_exact(value, n, form.exponent, form.decimals, form.tiny))
    form.decimals++;
  return form;
}

ms_form ms_number_in_column(const ms_column_form *column, double value, double error, int digits) {
  const int e = ms_number_exponent(value, digits), most = MOST_DIGITS - 1 - (e - column->exponent);
  ms_form form = { column->exponent, column->decimals };
  if (column->decimals == MS_DECIMALS_POWER) return ms_number_form(value, error, digits);
  if (error > 0.0) {
    form.decimals = column->exponent - (ms_number_exponent(error, 2) - 1);
  } else if (column->decimals == MS_DECIMALS_OWN) {
    form.decimals = digits - 1 - (e - column->exponent);
  }
  form.decimals = form.decimals < 0 ? 0 : form.decimals > most && most >= 0 ? most : form.decimals;
  return form;
}

/* ---- writing ---- */

/* Halfway between two last digits goes away from zero, as in scripts; printf goes to the even one.
 */
static double push_half(double value, int decimals) {
  const double scale = pow(10.0, decimals), in_last = fabs(value) * scale;
  const int exact = fma(fabs(value), scale, -in_last) == 0.0;
  return exact && in_last - floor(in_last) == 0.5 ? nextafter(value, value * INFINITY) : value;
}

void ms_number_print(double value, ms_form form, char *text, size_t size) {
  const int decimals = form.decimals > 0 ? form.decimals : 0;
  const double scaled = ms_number_scale(value, form.exponent);
  snprintf(text, size, "%.*f", decimals, push_half(scaled, decimals));
  if (text[strspn(text, "-0.,")] == '\0') snprintf(text, size, "%.*f", decimals, 0.0);
  char *comma = strchr(text, ',');
  if (comma) *comma = '.';
}

void ms_number_write(FILE *out, double value, ms_form form) {
  char text[400];
  ms_number_print(value, form, text, sizeof text);
  fprintf(out, "%s%s", *text == '-' ? "\u2212" : "", text + (*text == '-'));
}

void ms_number_write_power(FILE *out, int exponent) {
  if (exponent == 0) return;
  fprintf(out, "\u00D710<sup>%s%d</sup>", exponent < 0 ? "\u2212" : "", abs(exponent));
}
