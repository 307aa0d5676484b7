/* Tables as delimited text: a line of column names, then rows of finite numbers.

   The header decides the separator: comma, semicolon, tab, or else any run of blanks. A heading is
   `name`, `name [unit]` or either of them in double quotes. Lines that are blank or begin with '#'
   are skipped anywhere. */
#include "io/internal.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"

#define BLANK        ' ' /* as a separator: any run of spaces and tabs */
#define FIRST_ROWS   64
#define SHOWN        40 /* bytes of the user's text that a message shows */
#define EXCERPT_SIZE (SHOWN + 4)

typedef struct span {
  const char *begin, *end;
} span;

typedef struct reader {
  ms_context *ctx;
  const char *name;
  span rest;      /* the text not yet read */
  ptrdiff_t line; /* the line read last, 1-based */
  char separator;
  ms_table *table;
  ptrdiff_t capacity; /* rows that the columns have room for */
  char *scratch;      /* a heading under work; room for the whole header line */
} reader;

/* ---- text ---- */

static int is_blank(char c) {
  return c == ' ' || c == '\t';
}

static span trim(span s) {
  while (s.begin < s.end && is_blank(*s.begin)) s.begin++;
  while (s.begin < s.end && is_blank(s.end[-1])) s.end--;
  return s;
}

static size_t span_length(span s) {
  return (size_t)(s.end - s.begin);
}

/* What a message shows of the user's text: one line, not too long, no character cut in two. */
static const char *excerpt(span s, char text[EXCERPT_SIZE]) {
  size_t n = span_length(s), cut = n > SHOWN ? SHOWN : n;
  while (cut < n && cut > 0 && ((unsigned char)s.begin[cut] & 0xC0) == 0x80) cut--;
  for (size_t i = 0; i < cut; i++) {
    unsigned char c = (unsigned char)s.begin[i];
    text[i] = c < ' ' || c == 0x7f ? '?' : (char)c;
  }
  memcpy(text + cut, n > cut ? "..." : "", n > cut ? 4 : 1);
  return text;
}

static const char *separator_text(char separator) {
  if (separator == ',') return "commas";
  if (separator == ';') return "semicolons";
  return separator == '\t' ? "tabs" : "blanks";
}

/* ---- lines ---- */

/* The next line without its end; 0 when there is none left. */
static int take_line(reader *r, span *line) {
  if (r->rest.begin == r->rest.end) return 0;
  const char *newline = memchr(r->rest.begin, '\n', span_length(r->rest));
  line->begin = r->rest.begin;
  line->end = newline ? newline : r->rest.end;
  r->rest.begin = newline ? newline + 1 : r->rest.end;
  if (line->end > line->begin && line->end[-1] == '\r') line->end--;
  r->line++;
  return 1;
}

/* The next line that is neither blank nor a comment. */
static int take_content(reader *r, span *line) {
  while (take_line(r, line)) {
    span text = trim(*line);
    if (text.begin < text.end && *text.begin != '#') return 1;
  }
  return 0;
}

/* ---- cells ---- */

/* Where the cell that begins at s.begin ends. */
typedef const char *(*find_end_fn)(span s, char separator);

static const char *number_end(span s, char separator) {
  if (separator != BLANK) {
    const char *end = memchr(s.begin, separator, span_length(s));
    return end ? end : s.end;
  }
  while (s.begin < s.end && !is_blank(*s.begin)) s.begin++;
  return s.begin;
}

static const char *skip_blanks(span s) {
  while (s.begin < s.end && is_blank(*s.begin)) s.begin++;
  return s.begin;
}

/* Whether the heading ends at s.begin. "u [m]" is one heading, also where blanks separate: then
   s->begin moves on to the blank before the bracket. */
static int heading_ends(span *s, char separator) {
  if (separator != BLANK) return *s->begin == separator;
  if (!is_blank(*s->begin)) return 0;
  const char *next = skip_blanks(*s);
  if (next == s->end || *next != '[') return 1;
  s->begin = next - 1;
  return 0;
}

/* Separators in quotes and in brackets do not separate. */
static const char *heading_end(span s, char separator) {
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

/* Takes the next cell off the row, without the blanks around it; 0 when there is none left.
   row->begin becomes NULL after the last: a separator at the end of a line has a cell after it. */
static int take_cell(span *row, char separator, find_end_fn find_end, span *cell) {
  if (!row->begin) return 0;
  if (separator == BLANK) {
    *row = trim(*row);
    if (row->begin == row->end) return 0;
  }
  const char *end = find_end(*row, separator);
  *cell = trim((span) { row->begin, end });
  row->begin = end < row->end ? end + 1 : NULL;
  return 1;
}

/* ---- the header ---- */

static char detect_separator(span header) {
  static const char candidates[] = { ',', ';', '\t' };
  header = trim(header);
  for (size_t i = 0; i < sizeof candidates; i++)
    if (heading_end(header, candidates[i]) < header.end) return candidates[i];
  return BLANK;
}

static int is_number(span s) {
  double value;
  return ms_text_number(s.begin, span_length(s), &value) != MS_ERR_FORMAT;
}

static int all_numbers(span header, char separator) {
  span cell;
  while (take_cell(&header, separator, heading_end, &cell))
    if (!is_number(cell)) return 0;
  return 1;
}

/* The heading as it stands, or between its quotes with each doubled quote made single, to scratch.
   0 if a quote is not where it should be. */
static int unquote(span heading, char *scratch) {
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
static char *terminate(char *text, span s) {
  text[s.end - text] = '\0';
  return text + (s.begin - text);
}

/* Splits "name [unit]" in place; *unit is NULL if there is none. Brackets elsewhere stay, for
   ms_table_add_column to refuse. */
static void split_unit(char *text, char **name, char **unit) {
  span all = trim((span) { text, text + strlen(text) });
  char *bracket = strchr(text, '[');
  *unit = NULL;
  if (bracket && all.end[-1] == ']') {
    span inside = trim((span) { bracket + 1, all.end - 1 });
    all = trim((span) { all.begin, bracket });
    *unit = terminate(text, inside);
    if (**unit == '\0') *unit = NULL;
  }
  *name = terminate(text, all);
}

static ms_status add_heading(reader *r, span heading) {
  char shown[EXCERPT_SIZE];
  if (heading.begin == heading.end)
    return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: column %td has no name; give it one", r->name,
                   r->line, r->table->n_column + 1);
  if (!unquote(heading, r->scratch))
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: heading %s has a stray quote; put the whole heading in quotes: "
                   "\"u [m]\"",
                   r->name, r->line, excerpt(heading, shown));
  char *name, *unit;
  split_unit(r->scratch, &name, &unit);
  ms_status status = ms_table_add_column(r->table, name, unit, NULL, 0);
  if (status != MS_ERR_ARGUMENT) return status;
  return ms_fail_at(r->ctx, MS_ERR_FORMAT, "%s:%td", r->name, r->line);
}

static ms_status read_header(reader *r) {
  span header, heading;
  if (!take_content(r, &header))
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: is empty; a table is a line of column names and then rows of numbers",
                   r->name, r->line > 0 ? r->line : 1);
  r->separator = detect_separator(header);
  if (all_numbers(header, r->separator))
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: holds numbers only; the first line must name the columns, e.g. u or "
                   "t,u",
                   r->name, r->line);
  MS_TRY(ms_resize(r->ctx, header.end - header.begin + 1, 1, &r->scratch));
  while (take_cell(&header, r->separator, heading_end, &heading)) MS_TRY(add_heading(r, heading));
  return MS_SUCCESS;
}

/* ---- the rows ---- */

static ms_status set_capacity(reader *r, ptrdiff_t rows) {
  for (ptrdiff_t j = 0; j < r->table->n_column; j++)
    MS_TRY(ms_resize(r->ctx, rows, sizeof(double), &r->table->column[j].values));
  MS_TRY(ms_resize(r->ctx, rows, sizeof *r->table->line, &r->table->line));
  r->capacity = rows;
  return MS_SUCCESS;
}

/* The commonest slips each get their own advice. */
static const char *cell_advice(span cell) {
  if (cell.begin == cell.end) return "every cell needs a finite number such as 2.4e-6";
  if (memchr(cell.begin, ',', span_length(cell)))
    return "a number has a decimal point, never a decimal comma, and rows have the header's "
           "separator";
  if (*cell.begin == '"') return "write numbers without quotes";
  return "every cell must be a finite number such as 2.4e-6";
}

static ms_status refuse_cell(reader *r, ptrdiff_t column, span cell, ms_status why) {
  const char *name = r->table->column[column].name;
  char heading[EXCERPT_SIZE], shown[EXCERPT_SIZE];
  const char *fault = why == MS_ERR_NUMERIC ? "is not finite" : "is not a number";
  if (cell.begin == cell.end) fault = "is an empty cell";
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: column %s: '%s' %s; %s", r->name, r->line,
                 excerpt((span) { name, name + strlen(name) }, heading), excerpt(cell, shown),
                 fault, cell_advice(cell));
}

static ms_status read_row(reader *r, span row) {
  ms_table *t = r->table;
  ptrdiff_t n = 0;
  for (span cell; take_cell(&row, r->separator, number_end, &cell); n++) {
    if (n >= t->n_column) continue; /* too many: go on only to say how many */
    ms_status status =
        ms_text_number(cell.begin, span_length(cell), &t->column[n].values[t->n_row]);
    if (status != MS_SUCCESS) return refuse_cell(r, n, cell, status);
  }
  if (n != t->n_column)
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: found %td cells, expected %td; every row must have one for each column "
                   "of the header, separated by %s",
                   r->name, r->line, n, t->n_column, separator_text(r->separator));
  t->line[t->n_row++] = r->line;
  return MS_SUCCESS;
}

static ms_status read_rows(reader *r) {
  span row;
  while (take_content(r, &row)) {
    if (r->table->n_row == r->capacity)
      MS_TRY(set_capacity(r, r->capacity ? 2 * r->capacity : FIRST_ROWS));
    MS_TRY(read_row(r, row));
  }
  if (r->table->n_row == 0)
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s:%td: has a header but no rows; below the names there must be numbers",
                   r->name, r->line);
  return set_capacity(r, r->table->n_row);
}

/* ---- the whole ---- */

/* Text with a NUL is another kind of file, most often UTF-16. */
static ms_status refuse_nul(const reader *r) {
  const char *nul = memchr(r->rest.begin, '\0', span_length(r->rest));
  if (!nul) return MS_SUCCESS;
  ptrdiff_t line = 1;
  for (const char *p = r->rest.begin; p < nul; p++) line += *p == '\n';
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: holds a NUL byte; save the file as UTF-8 text",
                 r->name, line);
}

static void skip_byte_order_mark(reader *r) {
  static const char mark[] = "\xEF\xBB\xBF";
  size_t n = sizeof mark - 1;
  if (span_length(r->rest) >= n && memcmp(r->rest.begin, mark, n) == 0) r->rest.begin += n;
}

static ms_status read_table(reader *r) {
  if (span_length(r->rest) > 0) MS_TRY(refuse_nul(r));
  skip_byte_order_mark(r);
  MS_TRY(ms_table_create(r->ctx, &r->table));
  MS_TRY(read_header(r));
  return read_rows(r);
}

ms_status ms_table_parse_csv(ms_context *ctx, const char *name, const char *text, size_t length,
                             ms_table **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_table_parse_csv: needs a place for the table");
  *out = NULL;
  if (!name || !text)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_table_parse_csv: needs a name and a text");
  reader r = { .ctx = ctx, .name = name, .rest = { text, text + length } };
  ms_status status = read_table(&r);
  ms_free(ctx, &r.scratch);
  if (status != MS_SUCCESS) ms_table_destroy(&r.table);
  *out = r.table;
  return status;
}

static ms_status csv_read(ms_context *ctx, const char *path, ms_table **out) {
  char *text;
  size_t length;
  MS_TRY(ms_io_load(ctx, path, &text, &length));
  ms_status status = ms_table_parse_csv(ctx, path, text, length, out);
  ms_free(ctx, &text);
  return status;
}

/* ---- writing ---- */

static ms_status check_writable(const ms_table *t) {
  if (t->n_column == 0 || t->n_row == 0)
    return ms_fail(t->ctx, MS_ERR_STATE, "the table is empty; add a column of numbers first");
  for (ptrdiff_t j = 0; j < t->n_column; j++) {
    for (ptrdiff_t i = 0; i < t->n_row; i++) {
      if (isfinite(t->column[j].values[i])) continue;
      return ms_fail(t->ctx, MS_ERR_NUMERIC,
                     "column %.*s, row %td is %g; only finite numbers are written", SHOWN,
                     t->column[j].name, i + 1, t->column[j].values[i]);
    }
  }
  return MS_SUCCESS;
}

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

static void print_heading(const ms_column *column, FILE *out) {
  const char *name = column->name, *unit = column->unit ? column->unit : "";
  int quoted =
      !is_plain(name) || !is_plain(unit) || is_number((span) { name, name + strlen(name) });
  if (quoted) fputc('"', out);
  print_quoted(name, out);
  if (column->unit) fputs(" [", out);
  print_quoted(unit, out);
  if (column->unit) fputc(']', out);
  if (quoted) fputc('"', out);
}

ms_status ms_csv_print(const ms_table *table, FILE *out) {
  MS_TRY(check_writable(table));
  for (ptrdiff_t j = 0; j < table->n_column; j++) {
    if (j > 0) fputc(',', out);
    print_heading(&table->column[j], out);
  }
  fputc('\n', out);
  for (ptrdiff_t i = 0; i < table->n_row; i++) {
    for (ptrdiff_t j = 0; j < table->n_column; j++) {
      char text[32];
      ms_format_double(table->column[j].values[i], text);
      if (j > 0) fputc(',', out);
      fputs(text, out);
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

static const char *const endings[] = { ".csv", ".tsv", ".txt", ".dat", NULL };

const ms_format ms_format_csv = {
  .name = "csv",
  .endings = endings,
  .read = csv_read,
};
