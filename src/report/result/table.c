/* Tables of results: columns of numbers or words, named and with units, grown row by row. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/result/result.h"

ms_status ms_result_table_add_column(ms_context *ctx, ms_result_table *s, const char *name,
                                     const char *unit, const char *meaning) {
  MS_TRY(ms_resize(ctx, s->n + 1, sizeof *s->column, &s->column));
  ms_result_cells *c = &s->column[s->n++];
  *c = (ms_result_cells) { .meaning = meaning, .named = 1 };
  MS_TRY(ms_text_copy(ctx, name, &c->name));
  return ms_text_copy(ctx, unit, &c->unit);
}

/* One of "mode", "time [s]", "source:word", "converged:flag", "value [unit]" (in the unit that the
   column `unit` has in its row), "omega [rad/s per unit]"; the text is cut into its parts. */
static ms_status read_column(ms_context *ctx, ms_result_table *s, char *text) {
  char *word = strstr(text, ":word"), *flag = strstr(text, ":flag"), *unit = strstr(text, " [");
  int in_unit = 0;
  if (word) *word = '\0';
  if (flag) *flag = '\0';
  if (unit) {
    unit[2 + strcspn(unit + 2, "]")] = '\0';
    *unit = '\0';
    unit += 2;
    in_unit = strcmp(unit, "unit") == 0 ? 1 : strstr(unit, "unit") ? -1 : 0;
    if (in_unit > 0) unit = NULL;
  }
  MS_TRY(ms_result_table_add_column(ctx, s, text, unit,
                                    ms_column_meaning(s->result->kind, s->ending, text)));
  s->column[s->n - 1].named = 0;
  s->column[s->n - 1].words = word != NULL;
  s->column[s->n - 1].flag = flag != NULL;
  s->column[s->n - 1].in_unit = in_unit;
  return MS_SUCCESS;
}

ms_status ms_result_table_add_columns(ms_context *ctx, ms_result_table *s, const char *columns) {
  char *text = NULL;
  MS_TRY(ms_text_copy(ctx, columns, &text));
  ms_status status = MS_SUCCESS;
  for (char *next = *columns ? text : NULL; next && status == MS_SUCCESS;) {
    char *at = next;
    next = strchr(at, ',');
    if (next) *next++ = '\0';
    status = read_column(ctx, s, at);
  }
  ms_free(ctx, &text);
  return status;
}

static ms_status name_table(ms_context *ctx, ms_result_table *s, const char *ending) {
  const size_t length = strlen(s->result->name);
  MS_TRY(ms_allocate(ctx, (ptrdiff_t)(length + strlen(ending) + 1), 1, &s->name));
  strcpy(s->name, s->result->name);
  strcpy(s->name + length, ending);
  s->ending = s->name + length;
  return MS_SUCCESS;
}

ms_status ms_result_add_table(ms_result *result, const char *ending, const char *columns,
                              ms_result_table **out) {
  ms_context *ctx = result->ctx;
  ms_result_table *s;
  *out = NULL;
  MS_TRY(ms_resize(ctx, result->n_table + 1, sizeof *result->table, &result->table));
  MS_TRY(ms_allocate(ctx, 1, sizeof *s, &s));
  s->result = result;
  ms_status status = name_table(ctx, s, ending);
  if (status == MS_SUCCESS) status = ms_result_table_add_columns(ctx, s, columns);
  if (status != MS_SUCCESS) {
    ms_result_table_destroy(ctx, &s);
    return status;
  }
  result->table[result->n_table++] = s;
  *out = s;
  return MS_SUCCESS;
}

ms_result_table *ms_result_find_table(const ms_result *result, const char *ending) {
  for (int i = 0; i < result->n_table; i++) {
    if (strcmp(result->table[i]->ending, ending) == 0) return result->table[i];
  }
  return NULL;
}

int ms_result_count_tables(const ms_result *result) {
  return result->n_table;
}

ms_result_table *ms_result_get_table(const ms_result *result, int index) {
  return index >= 0 && index < result->n_table ? result->table[index] : NULL;
}

void ms_result_table_destroy(ms_context *ctx, ms_result_table **table) {
  ms_result_table *s = *table;
  if (!s) return;
  for (int c = 0; c < s->n; c++) {
    for (ptrdiff_t i = 0; s->column[c].word && i < s->rows; i++)
      ms_free(ctx, &s->column[c].word[i]);
    ms_free(ctx, &s->column[c].word);
    ms_free(ctx, &s->column[c].number);
    ms_free(ctx, &s->column[c].name);
    ms_free(ctx, &s->column[c].unit);
  }
  ms_free(ctx, &s->column);
  ms_free(ctx, &s->name);
  ms_free(ctx, table);
}

ms_status ms_result_table_reserve(ms_context *ctx, ms_result_table *s, ptrdiff_t rows) {
  if (!s || rows <= s->capacity) return MS_SUCCESS;
  for (int c = 0; c < s->n; c++) {
    ms_result_cells *k = &s->column[c];
    if (k->words) {
      MS_TRY(ms_resize(ctx, rows, sizeof *k->word, &k->word));
    } else {
      MS_TRY(ms_resize(ctx, rows, sizeof *k->number, &k->number));
    }
  }
  s->capacity = rows;
  return MS_SUCCESS;
}

static ms_status grow(ms_context *ctx, ms_result_table *s) {
  if (s->rows < s->capacity) return MS_SUCCESS;
  return ms_result_table_reserve(ctx, s, s->capacity ? 2 * s->capacity : 64);
}

void ms_result_table_clear(ms_result_table *s) {
  s->rows = 0;
}

/* A cell is one line: readers of tables, ours too, take a line for a row. */
static ms_status copy_word(ms_context *ctx, const char *text, char **out) {
  size_t length = strlen(text), at = 0;
  MS_TRY(ms_allocate(ctx, (ptrdiff_t)(2 * length + 1), 1, out));
  while (length > 0 && text[length - 1] == '\n') length--;
  for (size_t i = 0; i < length; i++) {
    (*out)[at++] = text[i] == '\n' ? ';' : text[i];
    if (text[i] == '\n') (*out)[at++] = ' ';
  }
  (*out)[at] = '\0';
  return MS_SUCCESS;
}

static ms_status set_cell(ms_context *ctx, ms_result_table *s, ms_result_cells *c, double number,
                          const char *word) {
  if (c->words) return copy_word(ctx, word ? word : "", &c->word[s->rows]);
  c->number[s->rows] = number;
  if (isfinite(number)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NUMERIC, "table %s: %s in row %td is not finite", s->name, c->name,
                 s->rows + 1);
}

/* After a failure at column c: the words of the row are given back. */
static ms_status give_up(ms_context *ctx, ms_result_table *s, int c, ms_status status) {
  for (int d = 0; d < c; d++) {
    if (s->column[d].words) ms_free(ctx, &s->column[d].word[s->rows]);
  }
  return status;
}

static ms_status add_row(ms_context *ctx, ms_result_table *s, va_list args) {
  ms_status status = grow(ctx, s);
  for (int c = 0; c < s->n && status == MS_SUCCESS; c++) {
    double number = s->column[c].words ? 0.0 : va_arg(args, double);
    const char *word = s->column[c].words ? va_arg(args, const char *) : NULL;
    status = set_cell(ctx, s, &s->column[c], number, word);
    if (status != MS_SUCCESS) give_up(ctx, s, c, status);
  }
  if (status == MS_SUCCESS) s->rows++;
  return status;
}

ms_status ms_result_table_add_row(ms_context *ctx, ms_result_table *s, ...) {
  va_list args;
  va_start(args, s);
  ms_status status = add_row(ctx, s, args);
  va_end(args);
  return status;
}

ms_status ms_result_table_add_cells(ms_context *ctx, ms_result_table *s, const double *numbers,
                                    const char *const *words) {
  MS_TRY(grow(ctx, s));
  for (int c = 0; c < s->n; c++) {
    const int is_word = s->column[c].words;
    ms_status status =
        set_cell(ctx, s, &s->column[c], is_word ? 0.0 : *numbers++, is_word ? *words++ : NULL);
    if (status != MS_SUCCESS) return give_up(ctx, s, c, status);
  }
  s->rows++;
  return MS_SUCCESS;
}

ms_status ms_result_table_add_numbers(ms_context *ctx, ms_result_table *s, const double *values) {
  return ms_result_table_add_cells(ctx, s, values, NULL);
}

/* ---- calls whose failures the result keeps ---- */

ms_result_table *ms_result_new_table(ms_result *r, const char *ending, const char *columns) {
  ms_result_table *s = NULL;
  if (r->status == MS_SUCCESS) ms_result_fail(r, ms_result_add_table(r, ending, columns, &s));
  return s;
}

static int is_open(const ms_result_table *s) {
  return s && s->result->status == MS_SUCCESS;
}

void ms_result_put_column(ms_result_table *s, const char *name, const char *unit,
                          const char *meaning) {
  if (!is_open(s)) return;
  ms_result_fail(s->result, ms_result_table_add_column(s->result->ctx, s, name, unit, meaning));
}

void ms_result_put_columns(ms_result_table *s, const char *columns) {
  if (is_open(s))
    ms_result_fail(s->result, ms_result_table_add_columns(s->result->ctx, s, columns));
}

void ms_result_put_row(ms_result_table *s, ...) {
  va_list args;
  va_start(args, s);
  if (is_open(s)) ms_result_fail(s->result, add_row(s->result->ctx, s, args));
  va_end(args);
}

void ms_result_put_cells(ms_result_table *s, const double *numbers, const char *const *words) {
  if (!is_open(s)) return;
  ms_result_fail(s->result, ms_result_table_add_cells(s->result->ctx, s, numbers, words));
}

void ms_result_put_numbers(ms_result_table *s, const double *values) {
  ms_result_put_cells(s, values, NULL);
}

/* ---- reading ---- */

const double *ms_result_table_column(const ms_result_table *s, int column) {
  return s && column >= 0 && column < s->n ? s->column[column].number : NULL;
}

const char *ms_result_table_word(const ms_result_table *s, int column, ptrdiff_t row) {
  return s->column[column].words ? s->column[column].word[row] : NULL;
}

int ms_result_table_find_column(const ms_result_table *s, const char *name) {
  for (int c = 0; s && c < s->n; c++) {
    if (strcmp(s->column[c].name, name) == 0) return c;
  }
  return -1;
}

const double *ms_result_table_find_numbers(const ms_result_table *s, const char *name) {
  return ms_result_table_column(s, ms_result_table_find_column(s, name));
}

const char *ms_result_table_name(const ms_result_table *s) {
  return s->name;
}

ptrdiff_t ms_result_table_rows(const ms_result_table *s) {
  return s ? s->rows : 0;
}

int ms_result_table_columns(const ms_result_table *s) {
  return s->n;
}

ms_result_column ms_result_table_describe(const ms_result_table *s, int column) {
  const ms_result_cells *c = &s->column[column];
  return (ms_result_column) { c->name, c->unit, c->meaning };
}
