/* Tables of a page. A cell shows a rounded number and carries all its digits in an attribute, from
   which the script makes the file that can be downloaded. */
#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "report/tolerance.h"

enum {
  MOST_DIGITS = 15,
  FULL_SHADE = 55 /* %, of the colour in a shaded cell */
};

/* ---- checking ---- */

static ms_status check_number(ms_context *ctx, const ms_page_column *column, ptrdiff_t row) {
  if (!column->numbers || (column->texts && column->texts[row])) return MS_SUCCESS;
  double value = column->numbers[row];
  if (isfinite(value)) return MS_SUCCESS;
  return ms_fail(
      ctx, MS_ERR_NUMERIC,
      "column '%s', row %td is %g; a number must be finite, or a text stand in its place",
      column->heading, row + 1, value);
}

static ms_status check_column(ms_context *ctx, const ms_page_column *column, ptrdiff_t number,
                              ptrdiff_t n_row) {
  if (!column->heading) return ms_fail(ctx, MS_ERR_ARGUMENT, "column %td has no heading", number);
  if (n_row > 0 && !column->numbers && !column->texts)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "column '%s' has neither numbers nor texts",
                   column->heading);
  if (column->digits < 0 || column->digits > MOST_DIGITS)
    return ms_fail(ctx, MS_ERR_BOUNDS, "column '%s': %d digits; give 1 to %d, or 0 for %d",
                   column->heading, column->digits, MOST_DIGITS, (int)MS_PAGE_DIGITS);
  for (ptrdiff_t i = 0; i < n_row; i++) MS_TRY(check_number(ctx, column, i));
  return MS_SUCCESS;
}

/* ---- what a column shows ---- */

static int is_number(const ms_cells *cells, ptrdiff_t row) {
  return cells->numbers && !(cells->texts && cells->texts[row]);
}

/* Are all numbers of the column exact with so many decimals? */
static int suffices(const ms_cells *cells, ptrdiff_t n_row, int decimals) {
  double scale = pow(10.0, decimals);
  for (ptrdiff_t i = 0; i < n_row; i++) {
    double value = cells->numbers[i];
    if (is_number(cells, i) &&
        fabs(value - round(value * scale) / scale) > ms_report_tol.exact * fabs(value))
      return 0;
  }
  return 1;
}

/* The decimals that the numbers of a column share, so that its least has all digits and none ends
   in zeros only; or that they are so different that each must have its own, or its power of ten. */
static int shared_decimals(const ms_cells *cells, ptrdiff_t n_row) {
  double least = INFINITY, largest = 0.0;
  for (ptrdiff_t i = 0; cells->numbers && i < n_row; i++) {
    if (!is_number(cells, i) || cells->numbers[i] == 0.0) continue;
    least = fmin(least, fabs(cells->numbers[i]));
    largest = fmax(largest, fabs(cells->numbers[i]));
  }
  if (largest == 0.0 || (largest < ms_report_tol.largest_whole && suffices(cells, n_row, 0)))
    return 0;
  if (largest >= ms_report_tol.largest_plain || least < ms_report_tol.least_plain)
    return MS_DECIMALS_POWER;
  if (largest > ms_report_tol.spread * least) return MS_DECIMALS_OWN;
  int decimals = cells->digits - 1 - (int)floor(log10(least)), d = 0;
  while (d < decimals && !suffices(cells, n_row, d)) d++;
  return d;
}

/* ---- copying ---- */

static ms_status copy_cells(ms_context *ctx, const ms_page_column *from, ptrdiff_t n_row,
                            ms_cells *to) {
  to->digits = from->digits ? from->digits : MS_PAGE_DIGITS;
  MS_TRY(ms_text_copy(ctx, from->heading, &to->heading));
  MS_TRY(ms_text_copy(ctx, from->unit, &to->unit));
  if (from->numbers) {
    MS_TRY(ms_allocate(ctx, n_row, sizeof *to->numbers, &to->numbers));
    if (n_row > 0) memcpy(to->numbers, from->numbers, (size_t)n_row * sizeof *to->numbers);
  }
  if (!from->texts) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, n_row, sizeof *to->texts, &to->texts));
  for (ptrdiff_t i = 0; i < n_row; i++) MS_TRY(ms_text_copy(ctx, from->texts[i], &to->texts[i]));
  return MS_SUCCESS;
}

ms_status ms_block_copy_table(ms_context *ctx, const ms_page_table *table, ms_page_block *block) {
  if (!table) return ms_fail(ctx, MS_ERR_ARGUMENT, "the table is NULL");
  if (table->n_column < 1 || !table->column || table->n_row < 0)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "needs at least one column and n_row >= 0; there are %td columns and %td rows",
                   table->n_column, table->n_row);
  for (ptrdiff_t i = 0; i < table->n_column; i++)
    MS_TRY(check_column(ctx, &table->column[i], i + 1, table->n_row));
  MS_TRY(ms_allocate(ctx, table->n_column, sizeof *block->column, &block->column));
  block->n_column = table->n_column;
  block->n_row = table->n_row;
  for (ptrdiff_t i = 0; i < table->n_column; i++)
    MS_TRY(copy_cells(ctx, &table->column[i], table->n_row, &block->column[i]));
  for (ptrdiff_t i = 0; i < table->n_column; i++)
    block->column[i].decimals = shared_decimals(&block->column[i], table->n_row);
  return MS_SUCCESS;
}

static void free_cells(ms_context *ctx, ms_cells *cells, ptrdiff_t n_row) {
  for (ptrdiff_t i = 0; cells->texts && i < n_row; i++) ms_free(ctx, &cells->texts[i]);
  ms_free(ctx, &cells->texts);
  ms_free(ctx, &cells->numbers);
  ms_free(ctx, &cells->unit);
  ms_free(ctx, &cells->heading);
}

void ms_block_free_table(ms_context *ctx, ms_page_block *block) {
  for (ptrdiff_t i = 0; i < block->n_column; i++) free_cells(ctx, &block->column[i], block->n_row);
  ms_free(ctx, &block->column);
}

/* ---- numbers ---- */

/* With a true minus sign, and a point whatever the locale. */
static void put_plain(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '-')
      fputs("\u2212", out);
    else
      fputc(*text == ',' ? '.' : *text, out);
  }
}

static void put_fixed(FILE *out, double value, int decimals) {
  char text[48];
  if (decimals < 0 || decimals > MOST_DIGITS + 3) decimals = decimals < 0 ? 0 : MOST_DIGITS + 3;
  snprintf(text, sizeof text, "%.*f", decimals, value);
  put_plain(out, text);
}

void ms_page_number(FILE *out, double value, int digits, int decimals) {
  char text[48];
  if (digits < 1 || digits > MOST_DIGITS) digits = MS_PAGE_DIGITS;
  snprintf(text, sizeof text, "%.*e", digits - 1, value); /* rounds: 9.9996 becomes 1.000e1 */
  char *mark = strchr(text, 'e');
  int e = atoi(mark + 1);
  if (value == 0.0) {
    put_fixed(out, 0.0, decimals);
  } else if (decimals != MS_DECIMALS_POWER) {
    put_fixed(out, value, decimals == MS_DECIMALS_OWN ? digits - 1 - e : decimals);
  } else {
    *mark = '\0';
    put_plain(out, text);
    snprintf(text, sizeof text, "%d", e);
    fputs("\u00D710<sup>", out), put_plain(out, text), fputs("</sup>", out);
  }
}

/* ---- writing ---- */

static void write_heading(FILE *out, const ms_cells *cells) {
  fprintf(out, "<th scope=\"col\"%s data-name=\"", cells->numbers ? " class=\"n\"" : "");
  ms_text_escape(out, cells->heading);
  if (cells->unit) fputs(" [", out), ms_text_escape(out, cells->unit), fputc(']', out);
  fputs("\">", out);
  ms_text_html(out, cells->heading);
  if (cells->unit) {
    fputs(" <span class=\"unit\">", out);
    ms_text_html(out, cells->unit);
    fputs("</span>", out);
  }
  fputs("</th>", out);
}

/* Never so full that the number could not be read on it. */
static void write_shade(FILE *out, double value) {
  double part = fmin(fmax(value, 0.0), 1.0);
  fprintf(out, " style=\"background: color-mix(in srgb, var(--c0) %d%%, transparent)\"",
          (int)lround(FULL_SHADE * part));
}

static void write_cell(FILE *out, const ms_cells *cells, ptrdiff_t row, int shaded) {
  if (is_number(cells, row)) {
    char all[32];
    ms_format_double(cells->numbers[row], all);
    fprintf(out, "<td class=\"n\" data-v=\"%s\"", all);
    if (shaded) write_shade(out, cells->numbers[row]);
    fputc('>', out);
    ms_page_number(out, cells->numbers[row], cells->digits, shaded ? 2 : cells->decimals);
  } else {
    fputs(cells->numbers ? "<td class=\"n\">" : "<td>", out);
    if (cells->texts[row]) ms_text_escape(out, cells->texts[row]);
  }
  fputs("</td>", out);
}

void ms_block_write_table(FILE *out, const ms_page_block *block, int number) {
  fprintf(out, "<figure class=\"ms-table\" id=\"table-%d\">\n<figcaption><b>Table %d</b>", number,
          number);
  if (block->text)
    fputs("<span class=\"caption\"> ", out), ms_text_html(out, block->text), fputs("</span>", out);
  fputs("</figcaption>\n<div class=\"scroll\"><table>\n<thead><tr>", out);
  for (ptrdiff_t j = 0; j < block->n_column; j++) write_heading(out, &block->column[j]);
  fputs("</tr></thead>\n<tbody>\n", out);
  for (ptrdiff_t i = 0; i < block->n_row; i++) {
    fputs("<tr>", out);
    for (ptrdiff_t j = 0; j < block->n_column; j++) {
      write_cell(out, &block->column[j], i, block->shaded);
    }
    fputs("</tr>\n", out);
  }
  fputs("</tbody>\n</table></div>\n</figure>\n", out);
}
