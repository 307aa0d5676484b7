/* Answers: numbers that readers of a report came for. */
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "report/number.h"

ms_status ms_answer_copy(ms_context *ctx, const ms_answer *from, ms_answer *to) {
  char *label, *symbol = NULL, *unit = NULL;
  *to = *from;
  ms_status status = ms_text_copy(ctx, from->label, &label);
  if (status == MS_SUCCESS) status = ms_text_copy(ctx, from->symbol, &symbol);
  if (status == MS_SUCCESS) status = ms_text_copy(ctx, from->unit, &unit);
  to->label = label, to->symbol = symbol, to->unit = unit;
  if (status != MS_SUCCESS) ms_answer_free(ctx, to);
  return status;
}

void ms_answer_free(ms_context *ctx, ms_answer *answer) {
  ms_free(ctx, &answer->label);
  ms_free(ctx, &answer->symbol);
  ms_free(ctx, &answer->unit);
}

/* The error, or the width of the interval. */
static double width_of(const ms_answer *a) {
  return a->high != a->low ? fabs(a->high - a->low) : fmax(a->error, 0.0);
}

int ms_answer_print(const ms_answer *a, char *text, size_t size) {
  const double width = width_of(a);
  const ms_form form = ms_number_form(a->value, width, MS_PAGE_DIGITS);
  const int open = width > 0.0 && form.exponent, interval = a->high != a->low;
  char value[400], low[400], high[400], spread[840] = "", power[16] = "";
  ms_number_print(a->value, form, value, sizeof value);
  ms_number_print(interval ? a->low : width, form, low, sizeof low);
  ms_number_print(a->high, form, high, sizeof high);
  if (interval)
    snprintf(spread, sizeof spread, " (%s to %s)", low, high);
  else if (width > 0.0)
    snprintf(spread, sizeof spread, " +- %s", low);
  if (form.exponent) snprintf(power, sizeof power, "e%d", form.exponent);
  return snprintf(text, size, "%s%s%s%s%s%s%s", open ? "(" : "", value, spread, open ? ")" : "",
                  power, a->unit ? " " : "", a->unit ? a->unit : "");
}
