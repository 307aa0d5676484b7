/* Tables: equally long columns of numbers or words, each with a name and perhaps a unit. */
#include "io/internal.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "core/internal.h"

enum {
  MAX_COLUMNS = 16384, /* as many as a spreadsheet has; names are compared pairwise */
  SHOWN = 40,          /* bytes of a name that a message shows */
  NUMBER_SIZE = 32,
  GAP = 2 /* blanks between printed columns */
};

/* ---- life ---- */

ms_status ms_table_create(ms_context *ctx, ms_table **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_table_create: needs an output pointer");
  MS_TRY(ms_allocate(ctx, 1, sizeof **out, out));
  (*out)->ctx = ctx;
  return MS_SUCCESS;
}

static void free_column(ms_context *ctx, ms_column *column) {
  ms_free(ctx, &column->name);
  ms_free(ctx, &column->unit);
  ms_free(ctx, &column->values);
  ms_free(ctx, &column->word);
}

void ms_table_destroy(ms_table **table) {
  if (!table || !*table) return;
  ms_table *t = *table;
  for (ptrdiff_t j = 0; j < t->n_column; j++) free_column(t->ctx, &t->column[j]);
  ms_free(t->ctx, &t->column);
  ms_free(t->ctx, &t->letter);
  ms_free(t->ctx, &t->line);
  ms_free(t->ctx, &t->source);
  ms_free(t->ctx, &t->all.name);
  ms_free(t->ctx, &t->all.value);
  ms_free(t->ctx, &t->all.word);
  ms_free(t->ctx, &t->all.row);
  ms_free(t->ctx, table);
}

/* ---- adding columns ---- */

static const ms_column *find_column(const ms_table *table, const char *name) {
  for (ptrdiff_t j = 0; j < table->n_column; j++)
    if (strcmp(table->column[j].name, name) == 0) return &table->column[j];
  return NULL;
}

static int is_control(char c) {
  return (unsigned char)c < ' ' || c == 0x7f;
}

/* Refuses what a heading "name [unit]" in a file could not carry there and back. */
static ms_status check_word(ms_context *ctx, const char *what, const char *word) {
  size_t n = strlen(word);
  if (n == 0) return ms_fail(ctx, MS_ERR_ARGUMENT, "a column has an empty %s; give it one", what);
  for (size_t i = 0; i < n; i++) {
    if (is_control(word[i])) {
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "a column %s holds the control character 0x%02x; use plain text (in a file, "
                     "lines end in LF or CRLF)",
                     what, (unsigned)(unsigned char)word[i]);
    }
  }
  if (strpbrk(word, "[]"))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "column %s '%.*s' has a stray bracket; a heading is a name and optionally one "
                   "unit in brackets: u [m]",
                   what, SHOWN, word);
  if (word[0] == ' ' || word[n - 1] == ' ')
    return ms_fail(ctx, MS_ERR_ARGUMENT, "column %s '%.*s' has blanks around it; leave them out",
                   what, SHOWN, word);
  return MS_SUCCESS;
}

static ms_status fill_column(ms_context *ctx, ms_column *column, const char *name, const char *unit,
                             const double *values, ptrdiff_t n) {
  MS_TRY(ms_text_copy(ctx, name, &column->name));
  MS_TRY(ms_text_copy(ctx, unit, &column->unit));
  MS_TRY(ms_resize(ctx, n, sizeof *values, &column->values));
  if (n > 0) memcpy(column->values, values, (size_t)n * sizeof *values);
  return MS_SUCCESS;
}

ms_status ms_table_add_column(ms_table *table, const char *name, const char *unit,
                              const double *values, ptrdiff_t n) {
  if (!name) return ms_fail(table->ctx, MS_ERR_ARGUMENT, "a column needs a name");
  MS_TRY(check_word(table->ctx, "name", name));
  if (unit) MS_TRY(check_word(table->ctx, "unit", unit));
  if (find_column(table, name))
    return ms_fail(table->ctx, MS_ERR_ARGUMENT,
                   "two columns are named '%.*s'; every column needs its own name", SHOWN, name);
  if (table->n_column >= MAX_COLUMNS)
    return ms_fail(table->ctx, MS_ERR_ARGUMENT, "more than %d columns; split the table",
                   MAX_COLUMNS);
  if (n < 0 || (n > 0 && !values))
    return ms_fail(table->ctx, MS_ERR_ARGUMENT, "column '%.*s' has no values", SHOWN, name);
  if (table->n_column > 0 && n != table->n_row)
    return ms_fail(table->ctx, MS_ERR_ARGUMENT,
                   "column '%.*s' has %td values but the table has %td rows; columns must have the "
                   "same length",
                   SHOWN, name, n, table->n_row);
  ms_column fresh = { 0 };
  ms_status status = fill_column(table->ctx, &fresh, name, unit, values, n);
  if (status == MS_SUCCESS)
    status = ms_resize(table->ctx, table->n_column + 1, sizeof fresh, &table->column);
  if (status != MS_SUCCESS) {
    free_column(table->ctx, &fresh);
    return status;
  }
  table->column[table->n_column++] = fresh;
  table->n_row = n;
  return MS_SUCCESS;
}

/* ---- getters ---- */

ptrdiff_t ms_table_get_rows(const ms_table *table) {
  return table->n_row;
}

ptrdiff_t ms_table_get_columns(const ms_table *table) {
  return table->n_column;
}

static const ms_column *column_at(const ms_table *table, ptrdiff_t column) {
  return column >= 0 && column < table->n_column ? &table->column[column] : NULL;
}

const char *ms_table_get_name(const ms_table *table, ptrdiff_t column) {
  const ms_column *c = column_at(table, column);
  return c ? c->name : NULL;
}

const char *ms_table_get_unit(const ms_table *table, ptrdiff_t column) {
  const ms_column *c = column_at(table, column);
  return c ? c->unit : NULL;
}

const double *ms_table_get_column(const ms_table *table, const char *name) {
  const ms_column *c = find_column(table, name);
  return c ? c->values : NULL;
}

/* Whether a heading means `name`: in capitals or small letters, or with a unit in round brackets.
 */
static int resembles(const char *heading, const char *name) {
  const size_t n = strlen(name);
  if (strncasecmp(heading, name, n) != 0) return 0;
  heading += n + strspn(heading + n, " ");
  return *heading == '\0' || *heading == '(';
}

/* Words come from files alone, and begin in the first row. */
static ms_status refuse_words(const ms_table *t, const ms_column *c) {
  return ms_fail(t->ctx, MS_ERR_FORMAT, "%s:%td: column '%.*s' has '%.*s' instead of a number",
                 t->source, t->line[0], SHOWN, c->name, SHOWN, t->letter + c->word[0]);
}

ms_status ms_table_find_column(const ms_table *table, const char *name, const double **out) {
  const ms_column *c = find_column(table, name);
  *out = c ? c->values : NULL;
  if (c) return c->word ? refuse_words(table, c) : MS_SUCCESS;
  for (ptrdiff_t j = 0; j < table->n_column; j++) {
    const char *heading = table->column[j].name;
    if (!resembles(heading, name)) continue;
    return ms_fail(table->ctx, MS_ERR_NAME,
                   "%s: column '%.*s' is not '%.*s': write %.*s, with a unit %.*s [unit]",
                   table->source ? table->source : "table", SHOWN, heading, SHOWN, name, SHOWN,
                   name, SHOWN, name);
  }
  return MS_SUCCESS;
}

const char *ms_table_get_word(const ms_table *table, const char *name, ptrdiff_t row) {
  const ms_column *c = find_column(table, name);
  return c && c->word && row >= 0 && row < table->n_row ? table->letter + c->word[row] : NULL;
}

ptrdiff_t ms_table_get_line(const ms_table *table, ptrdiff_t row) {
  return table->line && row >= 0 && row < table->n_row ? table->line[row] : 0;
}

ms_status ms_table_get_all(ms_table *t, ms_columns *out) {
  ms_columns *all = &t->all;
  const ptrdiff_t n = all->n = t->n_column, rows = all->rows = t->n_row;
  const int words = n > 0 && t->column[0].word;
  ms_free(t->ctx, &all->word);
  MS_TRY(ms_resize(t->ctx, n, sizeof *all->name, &all->name));
  MS_TRY(ms_resize(t->ctx, n, sizeof *all->value, &all->value));
  MS_TRY(ms_resize(t->ctx, rows, sizeof *all->row, &all->row));
  if (words) MS_TRY(ms_allocate(t->ctx, rows, sizeof *all->word, &all->word));
  for (ptrdiff_t j = 0; j < n; j++) {
    all->name[j] = t->column[j].name;
    all->value[j] = t->column[j].word ? NULL : t->column[j].values;
  }
  for (ptrdiff_t i = 0; i < rows; i++) {
    all->row[i] = t->line ? (int)t->line[i] : (int)i + 1;
    if (words) all->word[i] = t->letter + t->column[0].word[i];
  }
  *out = *all;
  return MS_SUCCESS;
}

/* ---- printing ---- */

/* Characters, not bytes: what comes after the first byte of a UTF-8 character takes no room. */
static int text_width(const char *text) {
  int width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

static int heading_width(const ms_column *column) {
  int brackets = 3; /* " [" and "]" */
  return text_width(column->name) + (column->unit ? text_width(column->unit) + brackets : 0);
}

/* A word, or the number as text. */
static const char *cell_text(const ms_table *table, ptrdiff_t i, ptrdiff_t j,
                             char text[NUMBER_SIZE]) {
  const ms_column *c = &table->column[j];
  if (c->word) return table->letter + c->word[i];
  snprintf(text, NUMBER_SIZE, "%.9g", c->values[i]);
  return text;
}

static int column_width(const ms_table *table, ptrdiff_t j) {
  int width = heading_width(&table->column[j]);
  char text[NUMBER_SIZE];
  for (ptrdiff_t i = 0; i < table->n_row; i++) {
    int n = text_width(cell_text(table, i, j, text));
    if (n > width) width = n;
  }
  return width;
}

static void print_blanks(int n, FILE *out) {
  fprintf(out, "%*s", n, "");
}

static void print_row(const ms_table *table, ptrdiff_t i, const int *width, FILE *out) {
  char text[NUMBER_SIZE];
  for (ptrdiff_t j = 0; j < table->n_column; j++) {
    const char *cell = cell_text(table, i, j, text);
    print_blanks((j > 0 ? GAP : 0) + width[j] - text_width(cell), out);
    fputs(cell, out);
  }
  fputc('\n', out);
}

ms_status ms_table_print(const ms_table *table, FILE *out) {
  if (table->n_column == 0)
    return ms_fail(table->ctx, MS_ERR_STATE, "the table has no columns; add one before printing");
  int *width;
  MS_TRY(ms_allocate(table->ctx, table->n_column, sizeof *width, &width));
  for (ptrdiff_t j = 0; j < table->n_column; j++) width[j] = column_width(table, j);
  for (ptrdiff_t j = 0; j < table->n_column; j++) {
    const ms_column *column = &table->column[j];
    print_blanks((j > 0 ? GAP : 0) + width[j] - heading_width(column), out);
    fputs(column->name, out);
    if (column->unit) fprintf(out, " [%s]", column->unit);
  }
  fputc('\n', out);
  for (ptrdiff_t i = 0; i < table->n_row; i++) print_row(table, i, width, out);
  ms_free(table->ctx, &width);
  int failed = fflush(out) != 0 || ferror(out);
  if (!failed) return MS_SUCCESS;
  return ms_fail(table->ctx, MS_ERR_DISK, "the table cannot be printed: %s", strerror(errno));
}
