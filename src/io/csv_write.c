/* Tables as delimited text: writing. */
#include "io/internal.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "io/text.h"

/* Anything but these could be taken for a separator, a comment or a byte order mark. */
static int is_plain(const char *word) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-*/^%()";
  return word[strspn(word, plain)] == '\0';
}

static void print_quoted(const char *word, FILE *out) {
  for (; *word; word++) {
    if (*word == '"') fputc('"', out);
    fputc(*word, out);
  }
}

/* Whether a word would be taken for a number, or for none at all. */
static int is_number(const char *word) {
  double value;
  return ms_text_number(word, strlen(word), &value) != MS_ERR_FORMAT;
}

static void print_word(const char *word, FILE *out) {
  int quoted = !*word || !is_plain(word) || is_number(word);
  if (quoted) fputc('"', out);
  print_quoted(word, out);
  if (quoted) fputc('"', out);
}

static void print_heading(const ms_column *column, FILE *out) {
  const char *name = column->name, *unit = column->unit ? column->unit : "";
  int quoted = !is_plain(name) || !is_plain(unit) || is_number(name);
  if (quoted) fputc('"', out);
  print_quoted(name, out);
  if (column->unit) fputs(" [", out);
  print_quoted(unit, out);
  if (column->unit) fputc(']', out);
  if (quoted) fputc('"', out);
}

static void print_cell(const ms_table *table, ptrdiff_t i, ptrdiff_t j, FILE *out) {
  const ms_column *c = &table->column[j];
  char text[32];
  if (c->word) {
    print_word(table->letter + c->word[i], out);
    return;
  }
  ms_format_double(c->values[i], text);
  fputs(text, out);
}

ms_status ms_csv_print(const ms_table *table, FILE *out) {
  if (table->n_column == 0 || table->n_row == 0)
    return ms_fail(table->ctx, MS_ERR_STATE, "the table is empty; add a column of numbers first");
  for (ptrdiff_t j = 0; j < table->n_column; j++) {
    for (ptrdiff_t i = 0; i < table->n_row && !table->column[j].word; i++) {
      if (isfinite(table->column[j].values[i])) continue;
      return ms_fail(table->ctx, MS_ERR_NUMERIC,
                     "column %.*s, row %td is %g; only finite numbers are written", MS_IO_SHOWN,
                     table->column[j].name, i + 1, table->column[j].values[i]);
    }
  }
  for (ptrdiff_t j = 0; j < table->n_column; j++) {
    if (j > 0) fputc(',', out);
    print_heading(&table->column[j], out);
  }
  fputc('\n', out);
  for (ptrdiff_t i = 0; i < table->n_row; i++) {
    for (ptrdiff_t j = 0; j < table->n_column; j++) {
      if (j > 0) fputc(',', out);
      print_cell(table, i, j, out);
    }
    fputc('\n', out);
  }
  return MS_SUCCESS;
}

ms_status ms_table_write_csv(const ms_table *table, const char *path) {
  ms_outfile *file;
  MS_TRY(ms_outfile_open(table->ctx, path, &file));
  ms_status status = ms_csv_print(table, ms_outfile_stream(file));
  if (status == MS_SUCCESS) return ms_outfile_commit(&file);
  ms_outfile_discard(&file);
  return ms_fail_at(table->ctx, status, "%s", path);
}
