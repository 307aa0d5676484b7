/* Tables of a page: checking, copying, and what of a table is shown where. */
#include "report/page.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "report/tolerance.h"

enum { MOST_DIGITS = 15 };

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

/* ---- what is shown where ---- */

int ms_cells_are_numbers(const ms_cells *cells, ptrdiff_t row) {
  return cells->numbers && !(cells->texts && cells->texts[row]);
}

static int all_numbers(const ms_cells *c, ptrdiff_t n_row) {
  for (ptrdiff_t i = 0; i < n_row; i++) {
    if (!ms_cells_are_numbers(c, i)) return 0;
  }
  return c->numbers != NULL;
}

static int is_named(const ms_cells *c, const char *name) {
  return strcmp(c->heading, name) == 0;
}

static int same_unit(const ms_cells *a, const ms_cells *b) {
  if (a->in_unit != b->in_unit) return 0;
  return a->unit && b->unit ? strcmp(a->unit, b->unit) == 0 : !a->unit && !b->unit;
}

/* The column of the standard errors of column j: "q_error" of "q", "standard_error" after "value".
   -1: there is none. */
static ptrdiff_t find_errors(const ms_page_block *block, ptrdiff_t j) {
  const ms_cells *c = &block->column[j];
  const size_t n = strlen(c->heading);
  if (!all_numbers(c, block->n_row) || c->flag) return -1;
  for (ptrdiff_t k = 0; k < block->n_column; k++) {
    const ms_cells *e = &block->column[k];
    const int own =
        strncmp(e->heading, c->heading, n) == 0 && strcmp(e->heading + n, "_error") == 0;
    const int next = k == j + 1 && is_named(e, "standard_error") && is_named(c, "value");
    if (k != j && (own || next) && same_unit(c, e) && all_numbers(e, block->n_row)) return k;
  }
  return -1;
}

/* The same frequency in Hz that another column has in rad/s. */
static int is_twin(const ms_page_block *block, const ms_cells *c) {
  if (!c->unit || strcmp(c->unit, "Hz") != 0 || !all_numbers(c, block->n_row)) return 0;
  for (ptrdiff_t k = 0; k < block->n_column; k++) {
    const ms_cells *o = &block->column[k];
    ptrdiff_t i = 0;
    if (o->quantity != MS_DISPLAY_FREQUENCY || strcmp(o->unit, "rad/s") != 0) continue;
    if (!all_numbers(o, block->n_row)) continue;
    while (i < block->n_row && fabs(o->numbers[i] - 2.0 * MS_PI * c->numbers[i]) <=
                                   ms_report_tol.twin * fabs(o->numbers[i]))
      i++;
    if (i == block->n_row) return 1;
  }
  return 0;
}

static int is_constant(const ms_cells *c, ptrdiff_t n_row) {
  for (ptrdiff_t i = 0; i < n_row; i++) {
    const char *first = c->texts ? c->texts[0] : NULL, *text = c->texts ? c->texts[i] : NULL;
    if ((first == NULL) != (text == NULL) || (first && strcmp(first, text) != 0)) return 0;
    if (!first && c->numbers && c->numbers[i] != c->numbers[0]) return 0;
  }
  return 1;
}

static int is_remark(const ms_cells *c) {
  static const char *const name[] = { "remark", "remarks", "reason", "reasons", "note", "notes" };
  for (size_t i = 0; !c->numbers && i < sizeof name / sizeof *name; i++) {
    if (is_named(c, name[i])) return 1;
  }
  return 0;
}

/* What is the same in every row is said once, unless nothing else were left. A modal amplitude is
   not the same motion in other modes, nor a number in the unit of its row the same there. */
static void place_constants(ms_page_block *block) {
  ptrdiff_t left = 0;
  if (block->n_row < 2) return;
  for (int pass = 0; pass < 2; pass++) {
    for (ptrdiff_t j = 0; j < block->n_column; j++) {
      ms_cells *c = &block->column[j];
      const int once = c->place == MS_CELLS_SHOWN && c->error < 0 && !c->in_unit &&
                       !is_named(c, "unit") && c->quantity < MS_DISPLAY_MODAL &&
                       is_constant(c, block->n_row);
      left += pass == 0 && c->place == MS_CELLS_SHOWN && !once;
      if (pass == 1 && once && left > 0) c->place = MS_CELLS_ONCE;
    }
  }
}

static void place_columns(ms_page_block *block) {
  for (ptrdiff_t j = 0; j < block->n_column; j++) {
    ms_cells *c = &block->column[j];
    if (is_remark(c)) c->place = MS_CELLS_REMARK;
    if (is_twin(block, c)) c->place = MS_CELLS_TWIN;
  }
  for (ptrdiff_t j = 0; j < block->n_column; j++) {
    ms_cells *c = &block->column[j];
    if (c->place == MS_CELLS_SHOWN) c->error = find_errors(block, j);
    if (c->error >= 0) block->column[c->error].place = MS_CELLS_ERROR;
  }
  place_constants(block);
}

/* ---- copying ---- */

static int ends_with(const char *text, const char *end) {
  const size_t n = text ? strlen(text) : 0, m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static ms_status copy_cells(ms_context *ctx, const ms_page_column *from, ptrdiff_t n_row,
                            ms_cells *to) {
  to->digits = from->digits ? from->digits : MS_PAGE_DIGITS;
  to->flag = from->flag;
  to->named = from->named;
  to->in_unit = from->in_unit;
  to->zero_is_none = from->numbers && ends_with(from->meaning, "; 0: none");
  to->error = -1;
  if (from->numbers && !from->flag && !from->named && !from->in_unit)
    to->quantity = ms_display_find_quantity(from->heading, from->unit, from->meaning);
  MS_TRY(ms_text_copy(ctx, from->heading, &to->heading));
  MS_TRY(ms_text_copy(ctx, from->unit, &to->unit));
  MS_TRY(ms_text_copy(ctx, from->meaning, &to->meaning));
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
  MS_TRY(ms_text_copy(ctx, table->name, &block->name));
  MS_TRY(ms_text_copy(ctx, table->folded, &block->folded));
  block->n_folded = block->folded ? table->n_folded : 0;
  for (ptrdiff_t i = 0; i < table->n_column; i++)
    MS_TRY(copy_cells(ctx, &table->column[i], table->n_row, &block->column[i]));
  if (!block->shaded) place_columns(block);
  return MS_SUCCESS;
}

static void free_cells(ms_context *ctx, ms_cells *cells, ptrdiff_t n_row) {
  for (ptrdiff_t i = 0; cells->texts && i < n_row; i++) ms_free(ctx, &cells->texts[i]);
  ms_free(ctx, &cells->texts);
  ms_free(ctx, &cells->numbers);
  ms_free(ctx, &cells->meaning);
  ms_free(ctx, &cells->unit);
  ms_free(ctx, &cells->heading);
}

void ms_block_free_table(ms_context *ctx, ms_page_block *block) {
  for (ptrdiff_t i = 0; i < block->n_column; i++) free_cells(ctx, &block->column[i], block->n_row);
  ms_free(ctx, &block->column);
  ms_free(ctx, &block->folded);
}
