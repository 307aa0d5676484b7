/* How numbers are written for people: rounded, with powers of ten in steps of three. page.js has
   the same rules. */
#ifndef MS_REPORT_NUMBER_H
#define MS_REPORT_NUMBER_H

#include <stdio.h>

#include <microslip/report.h>

/* value / 10^exponent with so many decimals. */
typedef struct ms_form {
  int exponent, decimals;
} ms_form;

/* The decimal exponent of a value that is rounded to so many digits: 1 of 9.9996 with 4. */
int ms_number_exponent(double value, int digits);
/* Of a number alone: with so many digits, less those that are zeros at the end; with an error or
   the width of an interval above 0, to two digits of that. */
ms_form ms_number_form(double value, double error, int digits);
/* Of the numbers of a column: those up to `tiny` are shown as 0, the others as value / 10^exponent
   with so many decimals, or as one of these says. Shown as 0 is what is below 1e-9 of the largest
   and has six decades without a number above it. NAN is not looked at. */
enum {
  MS_DECIMALS_OWN = -1,  /* as many as give each its digits */
  MS_DECIMALS_POWER = -2 /* each has its own power of ten: they are too different */
};
typedef struct ms_column_form {
  int exponent, decimals;
  double tiny;
} ms_column_form;
ms_column_form ms_number_column(const double *value, ptrdiff_t n, int digits);
/* One of them, with an error above 0 to two digits of that. */
ms_form ms_number_in_column(const ms_column_form *column, double value, double error, int digits);
/* value / 10^exponent, exact where the power is. */
double ms_number_scale(double value, int exponent);

/* value / 10^exponent with its decimals: a point whatever the locale, and 0 without a sign. */
void ms_number_print(double value, ms_form form, char *text, size_t size);
/* HTML: value / 10^exponent with its decimals and a true minus sign, without the power. */
void ms_number_write(FILE *out, double value, ms_form form);
/* HTML: "x10^6", nothing where the exponent is 0. */
void ms_number_write_power(FILE *out, int exponent);

/* answer.c: the texts of a copy are owned. */
ms_status ms_answer_copy(ms_context *ctx, const ms_answer *from, ms_answer *to);
void ms_answer_free(ms_context *ctx, ms_answer *answer);
/* What it is, by its symbol, unit and label. */
ms_display_quantity ms_answer_find_quantity(const ms_answer *answer);
/* As the display, which may be NULL, shows it: its unit is that of the view then. Where that has no
   number, such as Q without damping, it stays as it is. */
ms_answer ms_answer_show(const ms_display *display, ms_display_quantity quantity,
                         const ms_answer *answer, ms_display_view *view);

#endif
