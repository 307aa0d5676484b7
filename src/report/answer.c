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

ms_display_quantity ms_answer_find_quantity(const ms_answer *a) {
  return ms_display_find_quantity(a->symbol ? a->symbol : "", a->unit, a->label);
}

ms_answer ms_answer_show(const ms_display *display, ms_display_quantity quantity,
                         const ms_answer *a, ms_display_view *view) {
  const ms_display_of of = { quantity, a->unit, a->mode > 0, a->omega > 0.0 };
  ms_answer shown = *a;
  *view = (ms_display_view) { .factor = 1.0 };
  if (!display) return shown;
  const ms_display_view seen = ms_display_look(display, &of);
  const double value = ms_display_map(display, &seen, a->value, a->mode, a->omega);
  if (!isfinite(value)) return shown;
  *view = seen;
  shown.value = value;
  shown.unit = view->unit[0] ? view->unit : NULL;
  shown.error = a->value != 0.0 ? fabs(value / a->value) * a->error
                                : fabs(ms_display_map(display, view, a->error, a->mode, a->omega));
  const double low = ms_display_map(display, view, a->low, a->mode, a->omega),
               high = ms_display_map(display, view, a->high, a->mode, a->omega);
  if (a->low == a->high || !isfinite(low) || !isfinite(high)) {
    shown.low = shown.high = 0.0;
  } else {
    shown.low = fmin(low, high), shown.high = fmax(low, high);
  }
  return shown;
}

/* The error, or the width of the interval. */
static double width_of(const ms_answer *a) {
  return a->high != a->low ? fabs(a->high - a->low) : fmax(a->error, 0.0);
}

int ms_answer_print(const ms_answer *answer, const ms_display *display, char *text, size_t size) {
  ms_display_view view;
  const ms_answer shown = ms_answer_show(display, ms_answer_find_quantity(answer), answer, &view);
  const ms_answer *a = &shown;
  const double width = width_of(a);
  const ms_form form = ms_number_form(a->value, width, MS_ANSWER_DIGITS);
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
  const char *unit = view.inverse ? "(Q)" : a->unit ? a->unit : "";
  const char *sensor = view.shape ? ms_display_get_chosen_sensor(display) : NULL;
  return snprintf(text, size, "%s%s%s%s%s%s%s%s%s", open ? "(" : "", value, spread, open ? ")" : "",
                  power, *unit ? " " : "", unit, sensor ? ", " : "", sensor ? sensor : "");
}
