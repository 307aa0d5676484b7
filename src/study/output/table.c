/* Tables of results: columns of numbers or words, named and with units, grown row by row. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "study/study.h"

enum { DATASET = 256, NAME_LIMIT = 128 }; /* lengths of names in HDF5 */

typedef struct table_column {
  char *name, *unit;   /* unit: NULL, none */
  const char *meaning; /* of columns.def, or of who adds it; never freed */
  int words;
  double *number;
  char **word;
} table_column;

struct ms_result_table {
  char *name;
  const char *analysis; /* that makes it; owned by the study */
  const char *kind;     /* its kind, */
  const char *ending;   /* and what the table's name has after that of the analysis */
  table_column *column;
  int n;
  ptrdiff_t rows, room;
};

ms_status ms_result_table_add_column(ms_context *ctx, ms_result_table *s, const char *name,
                                     const char *unit, const char *meaning) {
  MS_TRY(ms_resize(ctx, s->n + 1, sizeof *s->column, &s->column));
  table_column *c = &s->column[s->n++];
  *c = (table_column) { .meaning = meaning };
  MS_TRY(ms_text_copy(ctx, name, &c->name));
  return ms_text_copy(ctx, unit, &c->unit);
}

/* One of "mode", "time [s]", "source:word"; the text is cut into its parts. */
static ms_status read_column(ms_context *ctx, ms_result_table *s, char *text) {
  char *word = strstr(text, ":word"), *unit = strstr(text, " [");
  if (word) *word = '\0';
  if (unit) {
    unit[2 + strcspn(unit + 2, "]")] = '\0';
    *unit = '\0';
  }
  MS_TRY(ms_result_table_add_column(ctx, s, text, unit ? unit + 2 : NULL,
                                    ms_column_meaning(s->kind, s->ending, text)));
  s->column[s->n - 1].words = word != NULL;
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

ms_status ms_result_table_create(ms_study *study, const char *name, const char *columns,
                                 ms_result_table **out) {
  ms_result_table *s;
  *out = NULL;
  for (int i = 0; i < study->n_table; i++) {
    if (strcmp(study->table[i]->name, name) != 0) continue;
    ms_status status =
        ms_fail(study->ctx, MS_ERR_NAME,
                "two tables are called '%s'; give one of the analyses another name", name);
    return study->running ? ms_yaml_fail_here(&study->yaml, study->running->key, status) : status;
  }
  MS_TRY(ms_resize(study->ctx, study->n_table + 1, sizeof *study->table, &study->table));
  MS_TRY(ms_allocate(study->ctx, 1, sizeof *s, &s));
  const ms_task *task = study->running;
  s->analysis = task ? task->name : name;
  s->kind = task ? task->kind->name : "";
  ms_status status = ms_text_copy(study->ctx, name, &s->name);
  const size_t length = strlen(s->analysis);
  s->ending = s->name && strncmp(s->name, s->analysis, length) == 0 ? s->name + length : "";
  if (status == MS_SUCCESS) status = ms_result_table_add_columns(study->ctx, s, columns);
  if (status != MS_SUCCESS) {
    ms_result_table_destroy(study->ctx, &s);
    return status;
  }
  study->table[study->n_table++] = s;
  *out = s;
  return MS_SUCCESS;
}

void ms_result_table_drop(ms_study *study, const char *analysis) {
  int n = 0;
  for (int i = 0; i < study->n_table; i++) {
    ms_result_table *s = study->table[i];
    if (strcmp(s->analysis, analysis) == 0) {
      ms_result_table_destroy(study->ctx, &s);
    } else {
      study->table[n++] = s;
    }
  }
  study->n_table = n;
}

const char *ms_result_table_analysis(const ms_result_table *table) {
  return table->analysis;
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

ms_status ms_result_table_reserve(ms_context *ctx, ms_result_table *s, ptrdiff_t room) {
  if (room <= s->room) return MS_SUCCESS;
  for (int c = 0; c < s->n; c++) {
    table_column *k = &s->column[c];
    if (k->words) {
      MS_TRY(ms_resize(ctx, room, sizeof *k->word, &k->word));
    } else {
      MS_TRY(ms_resize(ctx, room, sizeof *k->number, &k->number));
    }
  }
  s->room = room;
  return MS_SUCCESS;
}

static ms_status grow(ms_context *ctx, ms_result_table *s) {
  if (s->rows < s->room) return MS_SUCCESS;
  return ms_result_table_reserve(ctx, s, s->room ? 2 * s->room : 64);
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

static ms_status set_cell(ms_context *ctx, ms_result_table *s, table_column *c, double number,
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

ms_status ms_result_table_add_row(ms_context *ctx, ms_result_table *s, ...) {
  va_list args;
  MS_TRY(grow(ctx, s));
  va_start(args, s);
  ms_status status = MS_SUCCESS;
  for (int c = 0; c < s->n && status == MS_SUCCESS; c++) {
    double number = s->column[c].words ? 0.0 : va_arg(args, double);
    const char *word = s->column[c].words ? va_arg(args, const char *) : NULL;
    status = set_cell(ctx, s, &s->column[c], number, word);
    if (status != MS_SUCCESS) give_up(ctx, s, c, status);
  }
  va_end(args);
  if (status == MS_SUCCESS) s->rows++;
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

const double *ms_result_table_column(const ms_result_table *s, int column) {
  return column >= 0 && column < s->n ? s->column[column].number : NULL;
}

const char *ms_result_table_word(const ms_result_table *s, int column, ptrdiff_t row) {
  return s->column[column].words ? s->column[column].word[row] : NULL;
}

static void write_word(FILE *out, const char *word) {
  if (!strpbrk(word, ",\"\n")) {
    fputs(word, out);
    return;
  }
  fputc('"', out);
  for (; *word; word++) {
    if (*word == '"') fputc('"', out);
    fputc(*word, out);
  }
  fputc('"', out);
}

/* "omega [rad/s]" */
static void write_heading(FILE *out, const table_column *c) {
  char heading[2 * DATASET];
  const int fits = snprintf(heading, sizeof heading, "%s [%s]", c->name, c->unit ? c->unit : "");
  write_word(out, c->unit && fits < (int)sizeof heading ? heading : c->name);
}

static void write_rows(const ms_result_table *s, FILE *out) {
  for (int c = 0; c < s->n; c++) {
    if (c > 0) fputc(',', out);
    write_heading(out, &s->column[c]);
  }
  fputc('\n', out);
  for (ptrdiff_t i = 0; i < s->rows; i++) {
    for (int c = 0; c < s->n; c++) {
      char text[32];
      if (c) fputc(',', out);
      if (s->column[c].words) {
        write_word(out, s->column[c].word[i]);
      } else {
        ms_format_double(s->column[c].number[i], text);
        fputs(text, out);
      }
    }
    fputc('\n', out);
  }
}

ms_status ms_result_table_write_csv(ms_context *ctx, const ms_result_table *s, const char *path) {
  ms_outfile *file;
  MS_TRY(ms_outfile_open(ctx, path, &file));
  write_rows(s, ms_outfile_stream(file));
  return ms_outfile_commit(&file);
}

/* A name for HDF5, where a slash parts groups: "balance / input" becomes "balance over input".
   Columns may be named by the user, ".", twice the same or too long: these get their number. */
static void name_dataset(const ms_result_table *s, int c, char *name, size_t size) {
  const char *from = s->column[c].name;
  size_t n = 0;
  int twice = strcmp(from, ".") == 0 || strcmp(from, "..") == 0 || !*from ||
              strlen(from) > DATASET / 2; /* a slash may become four letters */
  for (; *from && n + 12 < size; from++) {
    int apart = n > 0 && from[-1] == ' ' && from[1] == ' ';
    const char *word = *from != '/' ? NULL : apart ? "over" : "_";
    if (!word) {
      name[n++] = *from;
      continue;
    }
    n += (size_t)snprintf(name + n, size - n, "%s", word);
  }
  name[n] = '\0';
  for (int d = 0; d < c; d++) twice |= strcmp(s->column[d].name, s->column[c].name) == 0;
  if (twice) snprintf(name + n, size - n, "_%d", c + 1);
}

static ms_status write_column(const ms_result_table *s, int column, ms_results *results) {
  char path[2 * NAME_LIMIT + 2 * DATASET], name[DATASET];
  const table_column *c = &s->column[column];
  name_dataset(s, column, name, sizeof name);
  snprintf(path, sizeof path, "analyses/%.*s/%.*s/%s", NAME_LIMIT - 1, s->analysis, NAME_LIMIT - 1,
           s->name, name);
  if (c->words) {
    MS_TRY(ms_results_write_texts(results, path, s->rows, (const char *const *)c->word));
  } else {
    MS_TRY(ms_results_write_vector(results, path, s->rows, c->number));
  }
  if (c->unit) MS_TRY(ms_results_set_text(results, path, "unit", c->unit));
  return *c->meaning ? ms_results_set_text(results, path, "description", c->meaning) : MS_SUCCESS;
}

ms_status ms_result_table_write_results(const ms_result_table *s, ms_results *results) {
  for (int c = 0; c < s->n; c++) MS_TRY(write_column(s, c, results));
  return MS_SUCCESS;
}

void ms_result_table_print_columns(const ms_result_table *s, FILE *out) {
  for (int c = 0; c < s->n; c++) {
    const table_column *k = &s->column[c];
    const char *cell[] = { s->name, k->name, k->unit ? k->unit : "", k->meaning };
    for (int i = 0; i < 4; i++) {
      if (i > 0) fputc(',', out);
      write_word(out, cell[i]);
    }
    fputc('\n', out);
  }
}

ms_result_table *ms_result_table_find(const ms_study *study, const ms_task *task,
                                      const char *ending) {
  char name[96];
  snprintf(name, sizeof name, "%.80s%s", task->name, ending);
  for (int i = 0; i < study->n_table; i++) {
    if (strcmp(study->table[i]->name, name) == 0) return study->table[i];
  }
  return NULL;
}

int ms_result_table_find_column(const ms_result_table *s, const char *name) {
  for (int c = 0; c < s->n; c++) {
    if (strcmp(s->column[c].name, name) == 0) return c;
  }
  return -1;
}

const char *ms_result_table_name(const ms_result_table *s) {
  return s->name;
}

ptrdiff_t ms_result_table_rows(const ms_result_table *s) {
  return s->rows;
}

int ms_result_table_columns(const ms_result_table *s) {
  return s->n;
}

ms_status ms_result_table_add_to_page(ms_context *ctx, const ms_result_table *s,
                                      const char *caption, ms_page *page) {
  ms_page_column *column;
  MS_TRY(ms_allocate(ctx, s->n, sizeof *column, &column));
  ms_page_table table = { .n_row = s->rows, .n_column = s->n, .column = column };
  for (int c = 0; c < s->n; c++) {
    column[c].heading = s->column[c].name;
    column[c].unit = s->column[c].unit;
    if (s->column[c].words) {
      column[c].texts = (const char *const *)s->column[c].word;
    } else {
      column[c].numbers = s->column[c].number;
    }
  }
  ms_status status = ms_page_add_table(page, caption, &table);
  ms_free(ctx, &column);
  return status;
}
