/* Writing a table of a page. A cell shows a rounded number in the units of the page and has the SI
   value with all its digits as an attribute, from which the script makes other units and the file
   that can be downloaded; that has the columns that are not shown, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "report/number.h"
#include "report/page.h"

enum {
  FULL_SHADE = 55, /* %, of the colour in a shaded cell */
  MOST_KEYS = 6,   /* rows that a remark names */
  KEY_COLUMNS = 3  /* that name a row */
};

/* A column in the units of the page. */
typedef struct shown {
  ms_display_view view;
  ms_column_form form;
  double *value; /* NAN where there is no number */
} shown;

typedef struct writer {
  FILE *out;
  const ms_display *display; /* NULL: numbers as they are */
  const ms_page_block *block;
  const ms_cells *mode, *omega; /* columns that units may depend on; NULL: none */
  const ms_cells *unit, *name;  /* of the numbers in a row */
  shown *shown;                 /* one for each column */
} writer;

/* ---- units ---- */

static void find_columns(writer *w) {
  int best = 0, in_unit = 0;
  for (ptrdiff_t j = 0; j < w->block->n_column; j++) {
    const ms_cells *c = &w->block->column[j];
    const int number = c->numbers && !c->texts && !c->named;
    const int rank = number ? ms_display_rank_omega(c->heading, c->unit) : 0;
    if (rank > best) w->omega = c, best = rank;
    if (number && strcmp(c->heading, "mode") == 0) w->mode = c;
    if (!c->numbers && strcmp(c->heading, "unit") == 0) w->unit = c;
    if (!c->numbers && strcmp(c->heading, "parameter") == 0) w->name = c;
    in_unit |= c->in_unit;
  }
  if (!in_unit) w->unit = NULL;
}

static double omega_of(const writer *w, ptrdiff_t row) {
  return w->omega ? ms_display_omega(w->omega->unit, w->omega->numbers[row]) : 0.0;
}

/* The unit of the numbers in a row, and what they are. */
static const char *unit_of(const writer *w, ptrdiff_t row) {
  return w->unit->texts[row] ? w->unit->texts[row] : "";
}

static const char *name_of(const writer *w, ptrdiff_t row) {
  return w->name && w->name->texts[row] ? w->name->texts[row] : "";
}

static ms_display_view look(const writer *w, const ms_cells *c) {
  ms_display_view view = { .factor = 1.0 };
  const ms_display_of of = { c->quantity, c->unit, w->mode != NULL, w->omega != NULL };
  if (w->display && !c->flag) return ms_display_look(w->display, &of);
  snprintf(view.unit, sizeof view.unit, "%s", c->unit ? c->unit : "");
  return view;
}

static double map(const writer *w, const ms_cells *c, const ms_display_view *view, double value,
                  ptrdiff_t row) {
  if (!w->display) return value;
  if (c->in_unit && w->unit)
    return value * pow(ms_display_look_beside(w->display, name_of(w, row), unit_of(w, row)).factor,
                       c->in_unit);
  const int mode = w->mode ? (int)w->mode->numbers[row] : 0;
  return ms_display_map(w->display, view, value, mode, omega_of(w, row));
}

static void prepare_column(const writer *w, const ms_cells *c, shown *s) {
  const ptrdiff_t n = w->block->n_row;
  s->view = look(w, c);
  for (ptrdiff_t i = 0; i < n; i++) {
    const int none = !ms_cells_are_numbers(c, i) || (c->zero_is_none && c->numbers[i] == 0.0);
    s->value[i] = none ? NAN : map(w, c, &s->view, c->numbers[i], i);
  }
  s->form = ms_number_column(s->value, n, c->digits);
  if (c->in_unit) s->form = (ms_column_form) { 0, MS_DECIMALS_POWER, 0.0 }; /* no common scale */
}

/* ---- headings ---- */

/* Names of columns that say too little alone. */
static const char *find_words(const char *heading) {
  static const char *const words[][2] = {
    { "deviation", "std. dev." },
    { "deviation_low", "std. dev. low" },
    { "deviation_high", "std. dev. high" },
    { "covered", "intervals containing it" },
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(heading, words[i][0]) == 0) return words[i][1];
  }
  return NULL;
}

static void find_label(const ms_cells *c, const ms_display_view *view, char *text, size_t size) {
  const char *words = find_words(c->heading);
  if (c->named || words)
    snprintf(text, size, "%s", words && !c->named ? words : c->heading);
  else if (!ms_page_name_view(c->quantity, c->heading, ms_page_find_view(c->quantity, view), text,
                              size))
    ms_text_symbol(c->heading, text, size);
}

static void write_attribute(FILE *out, const char *name, const char *text) {
  fprintf(out, " %s=\"", name);
  ms_text_escape(out, text);
  fputc('"', out);
}

static void write_heading_attributes(const writer *w, const ms_cells *c) {
  if (c->meaning && *c->meaning) write_attribute(w->out, "title", c->meaning);
  if (!c->numbers || c->flag) return;
  if (c->quantity) write_attribute(w->out, "data-quantity", ms_display_quantity_text(c->quantity));
  if (c->unit) write_attribute(w->out, "data-unit", c->unit);
  if (c->zero_is_none) write_attribute(w->out, "data-none", "0");
  if (c == w->mode) write_attribute(w->out, "data-role", "mode");
  if (c == w->omega) write_attribute(w->out, "data-role", "omega");
  if (c->digits != MS_PAGE_DIGITS) fprintf(w->out, " data-digits=\"%d\"", c->digits);
  if (c->in_unit) fprintf(w->out, " data-in-unit=\"%d\"", c->in_unit);
  ms_page_write_labels(w->out, c->quantity, c->heading);
}

static int is_hidden(const writer *w, const ms_cells *c) {
  return c->place != MS_CELLS_SHOWN && !(c->place == MS_CELLS_TWIN && !w->display);
}

static void write_heading(const writer *w, ptrdiff_t j) {
  const ms_cells *c = &w->block->column[j];
  const shown *s = &w->shown[j];
  char label[300], unit[80];
  FILE *out = w->out;
  fprintf(out, "<th scope=\"col\"%s%s data-name=\"", c->numbers && !c->flag ? " class=\"n\"" : "",
          is_hidden(w, c) ? " hidden" : "");
  ms_text_escape(out, c->heading);
  if (c->unit) fputs(" [", out), ms_text_escape(out, c->unit), fputc(']', out);
  fputc('"', out);
  write_heading_attributes(w, c);
  if (s->form.exponent) fprintf(out, " data-factor=\"1e%d\"", s->form.exponent);
  fputc('>', out);
  find_label(c, &s->view, label, sizeof label);
  (c->named ? ms_text_escape : ms_text_html)(out, label);
  ms_text_unit(s->view.unit, unit, sizeof unit);
  if (s->form.exponent || *unit) {
    fputs(" <span class=\"unit\">", out);
    if (s->form.exponent)
      fprintf(out, "10<sup>%s%d</sup>%s", s->form.exponent < 0 ? "\u2212" : "",
              abs(s->form.exponent), *unit ? " " : "");
    ms_text_html(out, unit);
    fputs("</span>", out);
  }
  fputs("</th>", out);
}

/* ---- cells ---- */

/* Never so full that the number could not be read on it. */
static void write_shade(FILE *out, double value) {
  double part = fmin(fmax(value, 0.0), 1.0);
  fprintf(out, " style=\"background: color-mix(in srgb, var(--c0) %d%%, transparent)\"",
          (int)lround(FULL_SHADE * part));
}

static void write_number(FILE *out, const shown *s, ptrdiff_t row, double error, int digits) {
  const double value = s->value[row];
  const ms_form form = ms_number_in_column(&s->form, value, error, digits);
  const int own = s->form.decimals == MS_DECIMALS_POWER && form.exponent, open = own && error > 0.0;
  if (open) fputc('(', out);
  ms_number_write(out, value, form);
  if (error > 0.0) fputs(" \u00B1 ", out), ms_number_write(out, error, form);
  if (open) fputc(')', out);
  if (own) ms_number_write_power(out, form.exponent);
}

/* The error of a number in the units in which that is shown. */
static double find_error(const writer *w, const ms_cells *c, const shown *s, ptrdiff_t row) {
  if (c->error < 0 || isnan(s->value[row])) return 0.0;
  const double error = w->block->column[c->error].numbers[row], value = c->numbers[row];
  return value != 0.0 ? fabs(s->value[row] / value) * error : fabs(map(w, c, &s->view, error, row));
}

static void write_number_cell(const writer *w, ptrdiff_t j, ptrdiff_t row) {
  const ms_cells *c = &w->block->column[j];
  const shown *s = &w->shown[j];
  const double error = find_error(w, c, s, row);
  const int zero = fabs(s->value[row]) <= s->form.tiny && !(error > 0.0);
  char all[32];
  ms_format_double(c->numbers[row], all);
  fprintf(w->out, "<td class=\"n\"%s data-v=\"%s\"", is_hidden(w, c) ? " hidden" : "", all);
  if (zero && c->numbers[row] != 0.0) fprintf(w->out, " title=\"%s\"", all);
  if (c->error >= 0) {
    ms_format_double(w->block->column[c->error].numbers[row], all);
    fprintf(w->out, " data-e=\"%s\"", all);
  }
  if (w->block->shaded) write_shade(w->out, c->numbers[row]);
  fputc('>', w->out);
  if (w->block->shaded)
    ms_number_write(w->out, c->numbers[row], (ms_form) { 0, 2 });
  else if (isnan(s->value[row]))
    fputs("\u2013", w->out);
  else if (zero)
    fputc('0', w->out);
  else
    write_number(w->out, s, row, error, c->digits);
}

/* A unit of numbers in this row, as these are shown. */
static void write_unit_cell(const writer *w, ptrdiff_t row) {
  const char *name = name_of(w, row), *unit = unit_of(w, row);
  const ms_display_quantity quantity = ms_display_find_beside(name, unit);
  char text[80];
  fputs("<td", w->out);
  write_attribute(w->out, "data-v", unit);
  if (quantity) write_attribute(w->out, "data-quantity", ms_display_quantity_text(quantity));
  fputc('>', w->out);
  ms_text_unit(w->display ? ms_display_look_beside(w->display, name, unit).unit : unit, text,
               sizeof text);
  ms_text_escape(w->out, text);
}

static void write_cell(const writer *w, ptrdiff_t j, ptrdiff_t row) {
  const ms_cells *c = &w->block->column[j];
  const char *hidden = is_hidden(w, c) ? " hidden" : "";
  if (c == w->unit) {
    write_unit_cell(w, row);
  } else if (!ms_cells_are_numbers(c, row)) {
    fprintf(w->out, "<td%s%s>", c->numbers ? " class=\"n\"" : "", hidden);
    if (c->texts[row]) ms_text_escape(w->out, c->texts[row]);
  } else if (c->flag) {
    fprintf(w->out, "<td%s data-v=\"%g\">%s", hidden, c->numbers[row],
            c->numbers[row] != 0.0 ? "yes" : "no");
  } else {
    write_number_cell(w, j, row);
  }
  fputs("</td>", w->out);
}

/* ---- around the rows ---- */

/* "In every row: mode 2, method qsma." */
static void write_constants(const writer *w) {
  int n = 0;
  for (ptrdiff_t j = 0; j < w->block->n_column; j++) {
    const ms_cells *c = &w->block->column[j];
    char label[300];
    if (c->place != MS_CELLS_ONCE) continue;
    if (!ms_cells_are_numbers(c, 0) && !(c->texts[0] && *c->texts[0])) continue;
    if (ms_cells_are_numbers(c, 0) && c->zero_is_none && c->numbers[0] == 0.0) continue;
    fputs(n++ == 0 ? "<p class=\"ms-same\">In every row: " : "; ", w->out);
    find_label(c, &w->shown[j].view, label, sizeof label);
    if (c->quantity) {
      fputs("<span", w->out), ms_page_write_labels(w->out, c->quantity, c->heading),
          fputc('>', w->out);
    }
    ms_text_html(w->out, label);
    fputs(c->quantity ? "</span> " : " ", w->out);
    if (!ms_cells_are_numbers(c, 0)) {
      ms_text_escape(w->out, c->texts[0]);
    } else if (c->flag) {
      fputs(c->numbers[0] != 0.0 ? "yes" : "no", w->out);
    } else {
      ms_page_write_value(w->out, w->display, c->quantity,
                          &(ms_answer) { .unit = c->unit, .value = c->numbers[0] }, 0);
    }
  }
  if (n > 0) fputs(".</p>\n", w->out);
}

static int is_whole(const ms_cells *c, ptrdiff_t n_row) {
  for (ptrdiff_t i = 0; i < n_row; i++) {
    if (!ms_cells_are_numbers(c, i) || c->numbers[i] != floor(c->numbers[i])) return 0;
  }
  return 1;
}

/* "mode 2, qsma": the words and whole numbers in the first columns; else "row 5". */
static void write_key(const writer *w, ptrdiff_t row) {
  int n = 0;
  for (ptrdiff_t j = 0; j < w->block->n_column && n < KEY_COLUMNS; j++) {
    const ms_cells *c = &w->block->column[j];
    if (c->place != MS_CELLS_SHOWN) continue;
    if (c->numbers && (c->unit || c->flag || !is_whole(c, w->block->n_row))) break;
    if (!c->numbers && !(c->texts[row] && *c->texts[row])) continue;
    if (n++ > 0) fputs(", ", w->out);
    if (c->numbers) {
      char label[300];
      find_label(c, &w->shown[j].view, label, sizeof label);
      ms_text_html(w->out, label);
      fprintf(w->out, " %.0f", c->numbers[row]);
    } else {
      ms_text_escape(w->out, c->texts[row]);
    }
  }
  if (n == 0) fprintf(w->out, "row %td", row + 1);
}

static int is_same(const ms_cells *c, ptrdiff_t a, ptrdiff_t b) {
  return c->texts[a] && c->texts[b] && strcmp(c->texts[a], c->texts[b]) == 0;
}

/* A remark once, with the rows that have it. */
static void write_remark(const writer *w, const ms_cells *c, ptrdiff_t row) {
  int n = 0;
  fputs("<li><b>", w->out);
  for (ptrdiff_t i = row; i < w->block->n_row; i++) {
    if (!is_same(c, row, i) || n++ >= MOST_KEYS) continue;
    if (n > 1) fputs("; ", w->out);
    write_key(w, i);
  }
  if (n > MOST_KEYS) fprintf(w->out, " and %d more", n - MOST_KEYS);
  fputs("</b>: ", w->out);
  ms_text_html(w->out, c->texts[row]);
  fputs("</li>\n", w->out);
}

static void write_remarks(const writer *w) {
  int n = 0;
  for (ptrdiff_t j = 0; j < w->block->n_column; j++) {
    const ms_cells *c = &w->block->column[j];
    for (ptrdiff_t i = 0; c->place == MS_CELLS_REMARK && i < w->block->n_row; i++) {
      ptrdiff_t first = 0;
      if (!c->texts[i] || !*c->texts[i]) continue;
      while (!is_same(c, first, i)) first++;
      if (first < i) continue;
      if (n++ == 0) fputs("<ul class=\"ms-remarks\">\n", w->out);
      write_remark(w, c, i);
    }
  }
  if (n > 0) fputs("</ul>\n", w->out);
}

static void write_table(const writer *w, int number) {
  const ms_page_block *block = w->block;
  FILE *out = w->out;
  fprintf(out, "<figure class=\"ms-table%s\" id=\"table-%d\"", block->shaded ? " ms-shaded" : "",
          number);
  if (block->name) write_attribute(out, "data-table", block->name);
  if (block->n_folded > 0) write_attribute(out, "data-folded", block->folded);
  fprintf(out, ">\n<figcaption><b>Table %d</b>", number);
  ms_page_write_text(out, "<span class=\"caption\"> ", block->text, "</span>");
  fputs("</figcaption>\n", out);
  write_constants(w);
  fprintf(out,
          "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table %d\"><table>\n",
          number);
  fputs("<thead><tr>", out);
  for (ptrdiff_t j = 0; j < block->n_column; j++) write_heading(w, j);
  fputs("</tr></thead>\n<tbody>\n", out);
  for (ptrdiff_t i = 0; i < block->n_row; i++) {
    fputs(i < block->n_folded ? "<tr class=\"fold\">" : "<tr>", out);
    for (ptrdiff_t j = 0; j < block->n_column; j++) write_cell(w, j, i);
    fputs("</tr>\n", out);
  }
  fputs("</tbody>\n</table></div>\n", out);
  write_remarks(w);
  fputs("</figure>\n", out);
}

ms_status ms_block_write_table(FILE *out, ms_context *ctx, const ms_display *display,
                               const ms_page_block *block, int number) {
  writer w = { .out = out, .display = block->shaded ? NULL : display, .block = block };
  double *value = NULL;
  find_columns(&w);
  ms_status status = ms_allocate(ctx, block->n_column, sizeof *w.shown, &w.shown);
  if (status == MS_SUCCESS)
    status = ms_allocate(ctx, block->n_column * block->n_row, sizeof *value, &value);
  if (status == MS_SUCCESS) {
    for (ptrdiff_t j = 0; j < block->n_column; j++) {
      w.shown[j].value = value + j * block->n_row;
      prepare_column(&w, &block->column[j], &w.shown[j]);
      if (block->shaded) w.shown[j].form.exponent = 0; /* all have the same two decimals */
    }
    write_table(&w, number);
  }
  ms_free(ctx, &value);
  ms_free(ctx, &w.shown);
  return status;
}
