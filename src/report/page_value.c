/* A number in the text of a page, with its error or interval, in the units of the page. */
#include <math.h>
#include <string.h>

#include <microslip/io.h>

#include "report/number.h"
#include "report/page.h"

/* ---- symbols ---- */

int ms_page_name_view(ms_display_quantity quantity, const char *name, int number, char *text,
                      size_t size) {
  static const char *const views[MS_N_DISPLAY][4] = {
    [MS_DISPLAY_FREQUENCY] = { "f", "omega" },
    [MS_DISPLAY_DAMPING] = { "zeta", "Q" },
    [MS_DISPLAY_MODAL] = { "q", "x", "v", "a" },
  };
  char other[128];
  for (int k = 0; k < 4 && views[quantity][k]; k++) {
    const char *stem = views[quantity][k];
    const size_t n = strlen(stem);
    if (strncmp(name, stem, n) != 0 || (name[n] && name[n] != '_')) continue;
    if (number >= 4 || !views[quantity][number]) return 0;
    snprintf(other, sizeof other, "%s%.100s", views[quantity][number], name + n);
    ms_text_symbol(other, text, size);
    return 1;
  }
  return 0;
}

int ms_page_find_view(ms_display_quantity quantity, const ms_display_view *view) {
  if (quantity == MS_DISPLAY_FREQUENCY) return strcmp(view->unit, "Hz") != 0;
  if (quantity == MS_DISPLAY_DAMPING) return view->inverse;
  return quantity == MS_DISPLAY_MODAL && view->shape ? 1 + view->power : 0;
}

void ms_page_write_labels(FILE *out, ms_display_quantity quantity, const char *name) {
  char text[160];
  for (int k = 0; ms_page_name_view(quantity, name, k, text, sizeof text); k++) {
    fputs(k == 0 ? " data-labels=\"" : "|", out);
    ms_text_escape(out, text);
    if (!ms_page_name_view(quantity, name, k + 1, text, sizeof text)) fputc('"', out);
  }
}

/* ---- numbers ---- */

static void write_attribute(FILE *out, const char *name, double value) {
  char text[32];
  ms_format_double(value, text);
  fprintf(out, " data-%s=\"%s\"", name, text);
}

/* For the script, and for who points at it: the number with all digits, in SI. */
static void write_attributes(FILE *out, ms_display_quantity quantity, const ms_answer *a) {
  char all[32];
  write_attribute(out, "v", a->value);
  if (a->low != a->high) write_attribute(out, "low", a->low), write_attribute(out, "high", a->high);
  if (a->low == a->high && a->error > 0.0) write_attribute(out, "error", a->error);
  if (a->mode) fprintf(out, " data-mode=\"%d\"", a->mode);
  if (a->omega > 0.0) write_attribute(out, "omega", a->omega);
  if (quantity) fprintf(out, " data-quantity=\"%s\"", ms_display_quantity_text(quantity));
  if (a->unit) fputs(" data-unit=\"", out), ms_text_escape(out, a->unit), fputc('"', out);
  ms_format_double(a->value, all);
  fprintf(out, " title=\"%s%s", all, a->unit ? " " : "");
  ms_text_escape(out, a->unit ? a->unit : "");
  fputc('"', out);
}

void ms_page_write_value(FILE *out, const ms_display *display, ms_display_quantity quantity,
                         const ms_answer *answer, int digits) {
  ms_display_view view;
  const ms_answer a = ms_answer_show(display, quantity, answer, &view);
  const int interval = a.low != a.high;
  const double width = interval ? a.high - a.low : fmax(a.error, 0.0);
  const ms_form form = ms_number_form(a.value, fabs(width), digits ? digits : MS_PAGE_DIGITS);
  const int open = width > 0.0 && !interval && form.exponent;
  char unit[80];
  fputs("<span class=\"ms-value\"", out);
  write_attributes(out, quantity, answer);
  if (digits) fprintf(out, " data-digits=\"%d\"", digits);
  fputs(open ? ">(" : ">", out);
  ms_number_write(out, a.value, form);
  if (!interval && width > 0.0) {
    fputs(" <span class=\"ms-error\">\u00B1 ", out);
    ms_number_write(out, width, form);
    fputs("</span>", out);
  }
  if (open) fputc(')', out);
  ms_number_write_power(out, form.exponent);
  ms_text_unit(a.unit ? a.unit : "", unit, sizeof unit);
  ms_page_write_text(out, "\u00A0<span class=\"unit\">", unit, "</span>");
  if (interval) {
    fputs(" <span class=\"ms-interval\">", out), ms_number_write(out, a.low, form);
    fputs(" to ", out), ms_number_write(out, a.high, form);
    ms_number_write_power(out, form.exponent), fputs("</span>", out);
  }
  fputs("</span>", out);
}

void ms_page_write_symbol(FILE *out, const ms_display *display, const ms_answer *a) {
  const ms_display_quantity quantity = ms_answer_find_quantity(a);
  const ms_display_of of = { quantity, a->unit, a->mode > 0, a->omega > 0.0 };
  char text[160];
  if (!a->symbol) return;
  fputs(" <i", out);
  ms_page_write_labels(out, quantity, a->symbol);
  fputc('>', out);
  const ms_display_view view =
      display ? ms_display_look(display, &of) : (ms_display_view) { .factor = 1.0 };
  const int known =
      display &&
      ms_page_name_view(quantity, a->symbol, ms_page_find_view(quantity, &view), text, sizeof text);
  if (!known) ms_text_symbol(a->symbol, text, sizeof text);
  ms_text_html(out, text);
  fputs("</i>", out);
}
