/* Tables as delimited text: a line of column names, then rows of finite numbers, and of words where
   the caller takes them.

   The header decides the separator: comma, semicolon, tab, or else any run of blanks. A heading is
   `name`, `name [unit]` or either of them in double quotes. Lines that are blank or begin with '#'
   are skipped anywhere, except that the last of those before rows without names has the names if it
   has as many, as numpy.savetxt writes them. A word is a cell as it stands or in double quotes; a
   column whose first cell is no number holds words. */
#include "io/internal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/internal.h"
#include "io/text.h"

#define BLANK ' ' /* as a separator: any run of spaces and tabs */
enum { FIRST_ROWS = 64 };

typedef struct reader {
  ms_context *ctx;
  const char *name;
  ms_lines text;
  char separator;
  ms_table *table;
  ptrdiff_t capacity; /* rows that the columns have room for */
  ptrdiff_t letters;  /* of words that the table has room for */
  char *scratch;      /* a heading under work; room for the whole header line */
  int bare;           /* a matrix: the line of names may be missing */
  int words;          /* columns of words are taken */
} reader;

/* ---- text ---- */

static const char *separator_text(char separator) {
  if (separator == ',') return "commas";
  if (separator == ';') return "semicolons";
  return separator == '\t' ? "tabs" : "blanks";
}

/* ---- lines ---- */

/* The next line that is neither blank nor a comment. */
static int take_content(reader *r, ms_span *line) {
  while (ms_io_take_line(&r->text, line)) {
    ms_span text = ms_io_trim(*line);
    if (text.begin < text.end && *text.begin != '#') return 1;
  }
  return 0;
}

/* ---- cells ---- */

/* Where the cell that begins at s.begin ends. */
typedef const char *(*find_end_fn)(ms_span s, char separator);

static const char *number_end(ms_span s, char separator) {
  if (separator != BLANK) {
    const char *end = memchr(s.begin, separator, ms_io_length(s));
    return end ? end : s.end;
  }
  while (s.begin < s.end && !ms_io_is_blank(*s.begin)) s.begin++;
  return s.begin;
}

/* Whether the heading ends at s.begin. "u [m]" is one heading, also where blanks separate: then
   s->begin moves on to the blank before the bracket. */
static int heading_ends(ms_span *s, char separator) {
  if (separator != BLANK) return *s->begin == separator;
  if (!ms_io_is_blank(*s->begin)) return 0;
  const char *next = ms_io_skip_blanks(*s);
  if (next == s->end || *next != '[') return 1;
  s->begin = next - 1;
  return 0;
}

/* Separators in quotes and in brackets do not separate. */
static const char *heading_end(ms_span s, char separator) {
  char closing = '\0';
  for (; s.begin < s.end; s.begin++) {
    if (closing) {
      if (*s.begin == closing) closing = '\0';
    } else if (*s.begin == '"') {
      closing = '"';
    } else if (*s.begin == '[') {
      closing = ']';
    } else if (heading_ends(&s, separator)) {
      return s.begin;
    }
  }
  return s.end;
}

/* Separators in quotes do not separate words. */
static const char *word_end(ms_span s, char separator) {
  int inside = 0;
  s.begin = ms_io_skip_blanks(s);
  if (s.begin == s.end || *s.begin != '"') return number_end(s, separator);
  for (; s.begin < s.end; s.begin++) {
    if (*s.begin == '"') inside = !inside;
    if (!inside && *s.begin != '"') return number_end(s, separator);
  }
  return s.end;
}

/* Takes the next cell off the row, without the blanks around it; 0 when there is none left.
   row->begin becomes NULL after the last: a separator at the end of a line has a cell after it. */
static int take_cell(ms_span *row, char separator, find_end_fn find_end, ms_span *cell) {
  if (!row->begin) return 0;
  if (separator == BLANK) {
    *row = ms_io_trim(*row);
    if (row->begin == row->end) return 0;
  }
  const char *end = find_end(*row, separator);
  *cell = ms_io_trim((ms_span) { row->begin, end });
  row->begin = end < row->end ? end + 1 : NULL;
  return 1;
}

/* ---- the header ---- */

static ptrdiff_t count_cells(ms_span row, char separator, find_end_fn find_end) {
  ptrdiff_t n = 0;
  for (ms_span cell; take_cell(&row, separator, find_end, &cell);) n++;
  return n;
}

static char detect_separator(ms_span header) {
  static const char candidates[] = { ',', ';', '\t' };
  header = ms_io_trim(header);
  for (size_t i = 0; i < sizeof candidates; i++)
    if (heading_end(header, candidates[i]) < header.end) return candidates[i];
  return BLANK;
}

static int is_number(ms_span s) {
  double value;
  return ms_text_number(s.begin, ms_io_length(s), &value) != MS_ERR_FORMAT;
}

static int all_numbers(ms_span header, char separator) {
  ms_span cell;
  while (take_cell(&header, separator, heading_end, &cell))
    if (!is_number(cell)) return 0;
  return 1;
}

/* The heading as it stands, or between its quotes with each doubled quote made single, to scratch.
   0 if a quote is not where it should be. */
static int unquote(ms_span heading, char *scratch) {
  int quoted = heading.begin < heading.end && *heading.begin == '"';
  if (quoted) {
    heading.begin++;
    if (heading.begin == heading.end || *--heading.end != '"') return 0;
  }
  for (const char *p = heading.begin; p < heading.end; p++) {
    if (*p == '"' && (!quoted || ++p == heading.end || *p != '"')) return 0;
    *scratch++ = *p;
  }
  *scratch = '\0';
  return 1;
}

/* Makes the end of a span in writable text the end of a string. */
static char *terminate(char *text, ms_span s) {
  text[s.end - text] = '\0';
  return text + (s.begin - text);
}

static ms_status add_heading(reader *r, ms_span heading) {
  char shown[MS_IO_EXCERPT_SIZE];
  if (heading.begin == heading.end)
    return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: column %td has no name; give it one", r->name,
                   r->text.line, r->table->n_column + 1);
  if (!unquote(heading, r->scratch))
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: heading %s has a stray quote; put the whole heading in quotes: "
                   "\"u [m]\"",
                   r->name, r->text.line, ms_io_excerpt(heading, shown));
  char *name, *unit;
  /* Splits "name [unit]" in place; *unit is NULL if there is none. Brackets elsewhere stay, for
     ms_table_add_column to refuse. */
  ms_span all = ms_io_trim((ms_span) { r->scratch, r->scratch + strlen(r->scratch) });
  char *bracket = strchr(r->scratch, '[');
  unit = NULL;
  if (bracket && all.end[-1] == ']') {
    ms_span inside = ms_io_trim((ms_span) { bracket + 1, all.end - 1 });
    all = ms_io_trim((ms_span) { all.begin, bracket });
    unit = terminate(r->scratch, inside);
    if (*unit == '\0') unit = NULL;
  }
  name = terminate(r->scratch, all);
  ms_status status = ms_table_add_column(r->table, name, unit, NULL, 0);
  if (status != MS_ERR_ARGUMENT) return status;
  return ms_fail_at(r->ctx, MS_ERR_FORMAT, "%s:%td", r->name, r->text.line);
}

/* The first line of a matrix is a row already; its columns are called 1, 2, 3, ... */
static ms_status number_columns(reader *r, ms_span row, ms_lines start) {
  char name[32];
  ms_span cell;
  for (int n = 1; take_cell(&row, r->separator, number_end, &cell); n++) {
    snprintf(name, sizeof name, "%d", n);
    MS_TRY(ms_table_add_column(r->table, name, NULL, NULL, 0));
  }
  r->text = start;
  return MS_SUCCESS;
}

/* The last comment before the first row, as names of its columns; 0 if it has not as many. */
static int find_comment(reader *r, ms_lines start, ms_span row, ms_span *header) {
  const char separator = r->separator;
  ms_lines before = start, at = start;
  header->begin = NULL;
  for (ms_span line; ms_io_take_line(&before, &line) && line.begin < row.begin;) {
    const ms_span text = ms_io_trim(line);
    if (text.begin == text.end) continue;
    *header = ms_io_trim((ms_span) { text.begin + 1, text.end });
    at = before;
  }
  if (!header->begin || header->begin == header->end) return 0;
  const ptrdiff_t n = count_cells(row, separator, number_end);
  if (n < 2 || count_cells(*header, separator, heading_end) != n) return 0;
  if (all_numbers(*header, separator)) return 0;
  r->text = at; /* whose line messages name */
  return 1;
}

static ms_status read_header(reader *r) {
  ms_lines start = r->text;
  ms_span header, heading, names;
  if (!take_content(r, &header))
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: is empty; a table is a line of column names and then rows of numbers",
                   r->name, r->text.line > 0 ? r->text.line : 1);
  r->separator = detect_separator(header);
  int numbers = all_numbers(header, r->separator);
  if (numbers && r->bare) return number_columns(r, header, start);
  if (numbers && find_comment(r, start, header, &names)) {
    header = names;
  } else if (numbers) {
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: has only numbers; the first line must name the columns, e.g. u or "
                   "t,u",
                   r->name, r->text.line);
  }
  MS_TRY(ms_resize(r->ctx, header.end - header.begin + 1, 1, &r->scratch));
  while (take_cell(&header, r->separator, heading_end, &heading)) MS_TRY(add_heading(r, heading));
  return MS_SUCCESS;
}

/* ---- the rows ---- */

static ms_status set_capacity(reader *r, ptrdiff_t rows) {
  for (ptrdiff_t j = 0; j < r->table->n_column; j++) {
    ms_column *c = &r->table->column[j];
    MS_TRY(c->word ? ms_resize(r->ctx, rows, sizeof *c->word, &c->word)
                   : ms_resize(r->ctx, rows, sizeof *c->values, &c->values));
  }
  MS_TRY(ms_resize(r->ctx, rows, sizeof *r->table->line, &r->table->line));
  r->capacity = rows;
  return MS_SUCCESS;
}

/* The commonest slips each get their own advice. */
static const char *cell_advice(ms_span cell) {
  if (cell.begin == cell.end) return "every cell needs a finite number such as 2.4e-6";
  if (memchr(cell.begin, ',', ms_io_length(cell)))
    return "numbers need a decimal point, not a decimal comma, and rows need the header's "
           "separator";
  if (*cell.begin == '"') return "write numbers without quotes";
  return "every cell must be a finite number such as 2.4e-6";
}

static ms_status refuse_cell(reader *r, ptrdiff_t column, ms_span cell, ms_status why) {
  const char *name = r->table->column[column].name;
  char heading[MS_IO_EXCERPT_SIZE], shown[MS_IO_EXCERPT_SIZE];
  const char *fault = why == MS_ERR_NUMERIC ? "is not finite" : "is not a number";
  if (cell.begin == cell.end) fault = "is an empty cell";
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: column %s: '%s' %s; %s", r->name, r->text.line,
                 ms_io_excerpt((ms_span) { name, name + strlen(name) }, heading),
                 ms_io_excerpt(cell, shown), fault, cell_advice(cell));
}

static ms_status read_word(reader *r, ptrdiff_t column, ms_span cell) {
  ms_table *t = r->table;
  const ptrdiff_t needs = t->n_letter + (ptrdiff_t)ms_io_length(cell) + 1;
  char shown[MS_IO_EXCERPT_SIZE];
  if (needs > r->letters) {
    r->letters = needs > 2 * r->letters ? needs : 2 * r->letters;
    MS_TRY(ms_resize(r->ctx, r->letters, 1, &t->letter));
  }
  if (!unquote(cell, t->letter + t->n_letter))
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: column %.*s: %s has a stray quote; put the whole word in quotes",
                   r->name, r->text.line, MS_IO_SHOWN, t->column[column].name,
                   ms_io_excerpt(cell, shown));
  t->column[column].word[t->n_row] = t->n_letter;
  t->n_letter += (ptrdiff_t)strlen(t->letter + t->n_letter) + 1;
  return MS_SUCCESS;
}

static ms_status read_cell(reader *r, ptrdiff_t column, ms_span cell) {
  ms_table *t = r->table;
  ms_column *c = &t->column[column];
  if (c->word) return read_word(r, column, cell);
  ms_status status = ms_io_number(cell, &c->values[t->n_row]);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  if (!r->words || t->n_row > 0 || status == MS_ERR_NUMERIC)
    return refuse_cell(r, column, cell, status);
  /* The column becomes one of words; no row has been read yet. */
  ms_free(r->ctx, &c->values);
  MS_TRY(ms_resize(r->ctx, r->capacity, sizeof *c->word, &c->word));
  return read_word(r, column, cell);
}

static ms_status read_row(reader *r, ms_span row) {
  ms_table *t = r->table;
  ptrdiff_t n = 0;
  for (ms_span cell; take_cell(&row, r->separator, r->words ? word_end : number_end, &cell); n++) {
    if (n >= t->n_column) continue; /* too many: go on only to say how many */
    MS_TRY(read_cell(r, n, cell));
  }
  if (n != t->n_column)
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: found %td cells, expected %td; every row must have one for each column "
                   "of the header, separated by %s",
                   r->name, r->text.line, n, t->n_column, separator_text(r->separator));
  t->line[t->n_row++] = r->text.line;
  return MS_SUCCESS;
}

/* ---- the whole ---- */

static ms_status read_table(reader *r) {
  MS_TRY(ms_io_refuse_nul(r->ctx, r->name, r->text.rest));
  ms_io_skip_mark(&r->text.rest);
  MS_TRY(ms_table_create(r->ctx, &r->table));
  MS_TRY(ms_text_copy(r->ctx, r->name, &r->table->source));
  MS_TRY(read_header(r));
  ms_span row;
  while (take_content(r, &row)) {
    if (r->table->n_row == r->capacity)
      MS_TRY(set_capacity(r, r->capacity ? 2 * r->capacity : FIRST_ROWS));
    MS_TRY(read_row(r, row));
  }
  if (r->table->n_row == 0)
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: has a header but no rows; numbers must follow the names", r->name,
                   r->text.line);
  return set_capacity(r, r->table->n_row);
}

static ms_status parse(reader *r, ms_table **out) {
  ms_status status = read_table(r);
  ms_free(r->ctx, &r->scratch);
  if (status != MS_SUCCESS) ms_table_destroy(&r->table);
  *out = r->table;
  return status;
}

static ms_status parse_table(ms_context *ctx, const char *name, const char *text, size_t length,
                             int words, ms_table **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_table_parse_csv: needs an output pointer");
  *out = NULL;
  if (!name || !text)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_table_parse_csv: needs a name and a text");
  reader r = { .ctx = ctx, .name = name, .text.rest = { text, text + length }, .words = words };
  return parse(&r, out);
}

ms_status ms_table_parse_csv(ms_context *ctx, const char *name, const char *text, size_t length,
                             ms_table **out) {
  return parse_table(ctx, name, text, length, 0, out);
}

ms_status ms_table_parse_words(ms_context *ctx, const char *name, const char *text, size_t length,
                               ms_table **out) {
  return parse_table(ctx, name, text, length, 1, out);
}

static ms_status csv_read(ms_context *ctx, const char *path, int words, ms_table **out) {
  char *text;
  size_t length;
  MS_TRY(ms_io_load(ctx, path, &text, &length));
  ms_status status = parse_table(ctx, path, text, length, words, out);
  ms_free(ctx, &text);
  return status;
}

/* ---- matrices ---- */

static ms_status copy_values(ms_context *ctx, const ms_table *t, double **values) {
  if (t->n_row > PTRDIFF_MAX / t->n_column)
    return ms_fail(ctx, MS_ERR_OVERFLOW, "%td x %td values do not fit in memory", t->n_row,
                   t->n_column);
  MS_TRY(ms_resize(ctx, t->n_row * t->n_column, sizeof **values, values));
  for (ptrdiff_t j = 0; j < t->n_column; j++)
    memcpy(*values + t->n_row * j, t->column[j].values, (size_t)t->n_row * sizeof **values);
  return MS_SUCCESS;
}

ms_status ms_csv_parse_matrix(ms_context *ctx, const char *name, const char *text, size_t length,
                              ptrdiff_t *n_row, ptrdiff_t *n_col, double **values) {
  ms_table *table;
  *values = NULL;
  reader r = { .ctx = ctx, .name = name, .text.rest = { text, text + length }, .bare = 1 };
  MS_TRY(parse(&r, &table));
  *n_row = table->n_row;
  *n_col = table->n_column;
  ms_status status = copy_values(ctx, table, values);
  ms_table_destroy(&table);
  return status;
}

static ms_status csv_read_matrix(ms_context *ctx, const char *path, ptrdiff_t *n_row,
                                 ptrdiff_t *n_col, double **values) {
  char *text;
  size_t length;
  MS_TRY(ms_io_load(ctx, path, &text, &length));
  ms_status status = ms_csv_parse_matrix(ctx, path, text, length, n_row, n_col, values);
  ms_free(ctx, &text);
  return status;
}

static const char *const endings[] = { ".csv", ".tsv", ".txt", ".dat", NULL };

const ms_format ms_format_csv = {
  .name = "csv",
  .endings = endings,
  .read = csv_read,
  .read_matrix = csv_read_matrix,
};
