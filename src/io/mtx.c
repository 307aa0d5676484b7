/* Matrix Market files (R. F. Boisvert, R. Pozo, K. Remington, NISTIR 5935, 1996).

     %%MatrixMarket matrix coordinate real symmetric
     % comments
     n_row n_col n_entry
     row col value           rows and columns count from 1

   or `array` for `coordinate`: then "n_row n_col" and every value, column by column, of a symmetric
   matrix the lower triangle only. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/internal.h"
#include "io/text.h"

enum {
  SHORTEST_ENTRY = 6, /* bytes of "1 1 1\n" */
  SHORTEST_VALUE = 2  /* bytes of "1\n" */
};
#define BANNER "%%MatrixMarket matrix coordinate real symmetric"

typedef struct reader {
  ms_context *ctx;
  const char *name;
  ms_lines text;
  int array, integer, symmetric;
  ptrdiff_t n_row, n_col, n_entry;
  ptrdiff_t size_line;
  ms_lines entries; /* where they begin, to find the line of one of them again */
} reader;

/* ---- the banner ---- */

static int is_word(ms_span word, const char *text) {
  return ms_io_length(word) == strlen(text) && strncasecmp(word.begin, text, strlen(text)) == 0;
}

static ms_status refuse_word(reader *r, ms_span word, const char *right) {
  char shown[MS_IO_EXCERPT_SIZE];
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: '%s' in the first line; it must be %s", r->name,
                 r->text.line, ms_io_excerpt(word, shown), right);
}

static ms_status read_field(reader *r, ms_span word) {
  if (is_word(word, "real") || is_word(word, "double")) return MS_SUCCESS;
  r->integer = is_word(word, "integer");
  if (r->integer) return MS_SUCCESS;
  if (is_word(word, "pattern"))
    return refuse_word(r, word, "real or integer: a pattern has no values to compute with");
  if (is_word(word, "complex"))
    return refuse_word(r, word, "real or integer: write damping as a separate matrix");
  return refuse_word(r, word, "real or integer");
}

static ms_status read_symmetry(reader *r, ms_span word) {
  r->symmetric = is_word(word, "symmetric");
  if (r->symmetric || is_word(word, "general")) return MS_SUCCESS;
  return refuse_word(r, word, "general or symmetric");
}

/* Numbers from the first line on: Abaqus writes that, too. */
static ms_status fail_banner(reader *r, ms_span line) {
  int numbers = line.begin < line.end && *line.begin >= '0' && *line.begin <= '9';
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s:1: is not a Matrix Market file; the first line must be '%s' or similar%s",
                 r->name, BANNER,
                 numbers
                     ? ". From Abaqus, take FORMAT=MATRIX INPUT: FORMAT=COORDINATE does not say "
                       "what its rows are"
                     : "");
}

static ms_status read_banner(reader *r) {
  ms_span line = { 0 };
  ms_io_skip_mark(&r->text.rest);
  ms_io_take_line(&r->text, &line);
  ms_span words = line;
  if (!line.begin || !is_word(ms_io_take_word(&words), "%%MatrixMarket") ||
      !is_word(ms_io_take_word(&words), "matrix"))
    return fail_banner(r, line);
  line = words;
  ms_span format = ms_io_take_word(&line);
  r->array = is_word(format, "array");
  if (!r->array && !is_word(format, "coordinate"))
    return refuse_word(r, format, "coordinate or array");
  MS_TRY(read_field(r, ms_io_take_word(&line)));
  return read_symmetry(r, ms_io_take_word(&line));
}

/* ---- lines of numbers ---- */

/* The next line that is neither blank nor a comment, without blanks around it. */
static int take_content(ms_lines *text, ms_span *line) {
  while (ms_io_take_line(text, line)) {
    *line = ms_io_trim(*line);
    if (line->begin < line->end && *line->begin != '%') return 1;
  }
  return 0;
}

/* An integer off the front of the line, with a blank or nothing behind it. */
static int take_integer(ms_span *line, ptrdiff_t *out) {
  line->begin = ms_io_skip_blanks(*line);
  if (!ms_io_scan_integer(&line->begin, line->end, out)) return 0;
  return line->begin == line->end || ms_io_is_blank(*line->begin);
}

/* ---- the size ---- */

static ms_status refuse_size(const reader *r, ms_span line) {
  char shown[MS_IO_EXCERPT_SIZE];
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: '%s' is not the size; this line must hold %s",
                 r->name, r->text.line, ms_io_excerpt(line, shown),
                 r->array ? "two positive integers: rows and columns"
                          : "three integers: rows, columns and number of entries");
}

/* Number of values of an array; PTRDIFF_MAX, which no file holds, if it overflows. */
static ptrdiff_t count_values(const reader *r) {
  if (r->n_row > PTRDIFF_MAX / r->n_col) return PTRDIFF_MAX;
  if (!r->symmetric) return r->n_row * r->n_col;
  return r->n_row % 2 ? (r->n_row + 1) / 2 * r->n_row : r->n_row / 2 * (r->n_row + 1);
}

static ms_status read_size(reader *r) {
  ms_span line;
  if (!take_content(&r->text, &line))
    return ms_fail(
        r->ctx, MS_ERR_FORMAT,
        "%s:%td: ends before the size; a line with rows and columns must follow the comments",
        r->name, r->text.line);
  ms_span rest = line;
  int right = take_integer(&rest, &r->n_row) && take_integer(&rest, &r->n_col);
  if (right && !r->array) right = take_integer(&rest, &r->n_entry);
  rest = ms_io_trim(rest);
  if (!right || rest.begin < rest.end || r->n_row < 1 || r->n_col < 1 || r->n_entry < 0)
    return refuse_size(r, line);
  if (r->symmetric && r->n_row != r->n_col)
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: a symmetric matrix of %td x %td; it must be "
                   "square, or general",
                   r->name, r->text.line, r->n_row, r->n_col);
  if (r->array) r->n_entry = count_values(r);
  r->size_line = r->text.line;
  r->entries = r->text;
  /* A file that announces more than it has room for is refused before memory is asked for. */
  ptrdiff_t remaining =
      r->text.rest.end - r->text.rest.begin + 1; /* the last line may lack its LF */
  ptrdiff_t shortest = r->array ? SHORTEST_VALUE : SHORTEST_ENTRY;
  if (r->n_entry <= remaining / shortest) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s:%td: says %td %s, more than the rest of the file can hold; correct the number "
                 "or complete the file",
                 r->name, r->size_line, r->n_entry, r->array ? "values" : "entries");
}

/* ---- the entries ---- */

static ms_status refuse_value(const reader *r, ms_span word, ms_status why) {
  char shown[MS_IO_EXCERPT_SIZE];
  const char *fault = why == MS_ERR_NUMERIC ? "is not finite" : "is not a number";
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s:%td: '%s' %s; a value must be a finite number such as "
                 "2.4e-6",
                 r->name, r->text.line, ms_io_excerpt(word, shown), fault);
}

/* The value that ends the line. */
static ms_status read_value(const reader *r, ms_span line, double *value) {
  line.begin = ms_io_skip_blanks(line);
  const char *p = line.begin;
  ms_status status = ms_io_scan_number(&p, line.end, value);
  if (status == MS_ERR_NUMERIC) return refuse_value(r, line, status);
  if (status != MS_SUCCESS || p != line.end) return refuse_value(r, line, MS_ERR_FORMAT);
  if (r->integer && *value != floor(*value))
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: %g in a matrix of integers; the first line must "
                   "say real, or the value be whole",
                   r->name, r->text.line, *value);
  return MS_SUCCESS;
}

static ms_status refuse_count(const reader *r, ptrdiff_t found) {
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: the file ends after %td %s; line %td says %td",
                 r->name, r->text.line, found, r->array ? "values" : "entries", r->size_line,
                 r->n_entry);
}

static ms_status refuse_more(reader *r) {
  ms_span line;
  if (!take_content(&r->text, &line)) return MS_SUCCESS;
  return ms_fail(
      r->ctx, MS_ERR_FORMAT,
      "%s:%td: more than the %td %s that line %td says; correct the number or delete the excess",
      r->name, r->text.line, r->n_entry, r->array ? "values" : "entries", r->size_line);
}

static ms_status read_values(reader *r, double *value) {
  ms_span line;
  for (ptrdiff_t k = 0; k < r->n_entry; k++) {
    if (!take_content(&r->text, &line)) return refuse_count(r, k);
    MS_TRY(read_value(r, line, &value[k]));
  }
  return refuse_more(r);
}

static ms_status refuse_index(const reader *r, const char *what, ptrdiff_t index, ptrdiff_t n) {
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s:%td: %s %td is outside the matrix; it must be from 1 to "
                 "%td",
                 r->name, r->text.line, what, index, n);
}

/* Line k of the triplets; of a symmetric matrix they keep the lower triangle. */
static ms_status read_entry(const reader *r, ms_span line, ms_triplets *t, ptrdiff_t k) {
  ms_span rest = line;
  ptrdiff_t i, j;
  char shown[MS_IO_EXCERPT_SIZE];
  if (!take_integer(&rest, &i) || !take_integer(&rest, &j) || rest.begin == rest.end)
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: '%s' is not an entry; a line must hold row, column "
                   "and value",
                   r->name, r->text.line, ms_io_excerpt(line, shown));
  if (i < 1 || i > r->n_row) return refuse_index(r, "row", i, r->n_row);
  if (j < 1 || j > r->n_col) return refuse_index(r, "column", j, r->n_col);
  int swap = r->symmetric && j > i;
  t->row[k] = (swap ? j : i) - 1;
  t->col[k] = (swap ? i : j) - 1;
  return read_value(r, rest, &t->value[k]);
}

/* ---- every entry once ---- */

typedef struct place {
  ptrdiff_t row, col, k;
} place;

static int compare(ptrdiff_t a, ptrdiff_t b) {
  return (a > b) - (a < b);
}

static int compare_places(const void *a, const void *b) {
  const place *x = a, *y = b;
  int order = compare(x->col, y->col);
  if (!order) order = compare(x->row, y->row);
  return order ? order : compare(x->k, y->k);
}

/* Most files are sorted by columns, or by rows: then no entry can be there twice. */
static int is_sorted(const ptrdiff_t *major, const ptrdiff_t *minor, ptrdiff_t n) {
  for (ptrdiff_t k = 1; k < n; k++) {
    if (major[k] < major[k - 1] || (major[k] == major[k - 1] && minor[k] <= minor[k - 1])) return 0;
  }
  return 1;
}

static ptrdiff_t line_of_entry(const reader *r, ptrdiff_t k) {
  ms_lines text = r->entries;
  ms_span line;
  for (ptrdiff_t i = 0; i <= k; i++) take_content(&text, &line);
  return text.line;
}

static ms_status refuse_twice(const reader *r, const place *first, const place *second) {
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s:%td: the entry of row %td, column %td was already given in line %td; give "
                 "every entry once%s",
                 r->name, line_of_entry(r, second->k), second->row + 1, second->col + 1,
                 line_of_entry(r, first->k),
                 r->symmetric ? ", of a symmetric matrix on one side of the diagonal" : "");
}

static ms_status find_twice(const reader *r, const place *sorted) {
  for (ptrdiff_t k = 1; k < r->n_entry; k++) {
    const place *a = &sorted[k - 1], *b = &sorted[k];
    if (a->row == b->row && a->col == b->col) return refuse_twice(r, a, b);
  }
  return MS_SUCCESS;
}

/* ---- the two forms ---- */

static ms_status allocate_triplets(ms_context *ctx, ptrdiff_t n, ms_triplets *t) {
  MS_TRY(ms_resize(ctx, n, sizeof *t->row, &t->row));
  MS_TRY(ms_resize(ctx, n, sizeof *t->col, &t->col));
  MS_TRY(ms_resize(ctx, n, sizeof *t->value, &t->value));
  t->n = n;
  return MS_SUCCESS;
}

static ms_status read_triplets(reader *r, ms_triplets *t) {
  ms_span line;
  MS_TRY(allocate_triplets(r->ctx, r->n_entry, t));
  for (ptrdiff_t k = 0; k < r->n_entry; k++) {
    if (!take_content(&r->text, &line)) return refuse_count(r, k);
    MS_TRY(read_entry(r, line, t, k));
  }
  MS_TRY(refuse_more(r));
  if (is_sorted(t->col, t->row, t->n) || is_sorted(t->row, t->col, t->n)) return MS_SUCCESS;
  place *places;
  MS_TRY(ms_allocate(r->ctx, t->n, sizeof *places, &places));
  for (ptrdiff_t k = 0; k < t->n; k++) places[k] = (place) { t->row[k], t->col[k], k };
  qsort(places, (size_t)t->n, sizeof *places, compare_places);
  ms_status status = find_twice(r, places);
  ms_free(r->ctx, &places);
  return status;
}

/* Values column by column to triplets, without the zeros. */
static ms_status pack_values(const reader *r, const double *value, ms_triplets *t) {
  ptrdiff_t n = 0, k = 0;
  for (ptrdiff_t i = 0; i < r->n_entry; i++) n += value[i] != 0.0;
  MS_TRY(allocate_triplets(r->ctx, n, t));
  n = 0;
  for (ptrdiff_t j = 0; j < r->n_col; j++) {
    for (ptrdiff_t i = r->symmetric ? j : 0; i < r->n_row; i++, k++) {
      if (value[k] == 0.0) continue;
      t->row[n] = i;
      t->col[n] = j;
      t->value[n++] = value[k];
    }
  }
  return MS_SUCCESS;
}

static ms_status read_packed(reader *r, ms_triplets *t) {
  double *value = NULL;
  MS_TRY(ms_resize(r->ctx, r->n_entry, sizeof *value, &value));
  ms_status status = read_values(r, value);
  if (status == MS_SUCCESS) status = pack_values(r, value, t);
  ms_free(r->ctx, &value);
  return status;
}

static ms_status read_any(reader *r, ms_triplets *t) {
  MS_TRY(ms_io_refuse_nul(r->ctx, r->name, r->text.rest));
  MS_TRY(read_banner(r));
  MS_TRY(read_size(r));
  t->n_row = r->n_row;
  t->n_col = r->n_col;
  t->symmetric = r->symmetric;
  return r->array ? read_packed(r, t) : read_triplets(r, t);
}

ms_status ms_mtx_parse(ms_context *ctx, const char *name, const char *text, size_t length,
                       ms_triplets *out) {
  *out = (ms_triplets) { 0 };
  reader r = { .ctx = ctx, .name = name, .text.rest = { text, text + length } };
  ms_status status = read_any(&r, out);
  if (status != MS_SUCCESS) ms_triplets_free(ctx, out);
  return status;
}

/* Labels, if it has any, are not asked for. */
static ms_status mtx_read(ms_context *ctx, const char *path, ms_triplets *out) {
  ms_dofs dofs;
  ms_status status = ms_mtx_read_any(ctx, path, out, &dofs);
  ms_dofs_free(ctx, &dofs);
  return status;
}

/* ---- writing ---- */

void ms_mtx_print(const ms_triplets *t, FILE *out) {
  fprintf(out, "%%%%MatrixMarket matrix coordinate real %s\n%td %td %td\n",
          t->symmetric ? "symmetric" : "general", t->n_row, t->n_col, t->n);
  for (ptrdiff_t k = 0; k < t->n; k++) {
    char text[32];
    ms_format_double(t->value[k], text);
    fprintf(out, "%td %td %s\n", t->row[k] + 1, t->col[k] + 1, text);
  }
}

static const char *const endings[] = { ".mtx", ".mm", NULL };

const ms_format ms_format_mtx = {
  .name = "Matrix Market",
  .endings = endings,
  .read_triplets = mtx_read,
};
