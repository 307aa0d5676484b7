/* Tables as acquisition systems and spreadsheets write them.

   Rows of numbers begin where two lines of numbers follow each other, or one has a number for each
   name before it. What stands before them is comments (#, %, //, !), lines of a key and a value, of
   which a sampling rate counts, the names of the columns, and perhaps their units in a row of their
   own. The first row decides what separates: semicolon, tab, comma or blanks. Where it is not the
   comma, and in quotes, numbers may have a decimal comma; a file has commas or points, not both. */
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "core/internal.h"
#include "io/measured/measured.h"
#include "io/record.h"

enum { MOST_COLUMNS = 4096, FIRST_ROWS = 64 };

typedef struct csv {
  ms_measurement_reader *r;
  ms_lines text;
  char separator;
  ptrdiff_t n_column, first_line;
  ms_span names, units; /* rows; begin NULL: none */
  ptrdiff_t names_line;
  double rate;           /* of a key line, 0 for none */
  ptrdiff_t rate_column; /* or of this column; -1: none */
  ptrdiff_t n, room;     /* rows */
  double *row;           /* row[j + n_column*i] */
  ptrdiff_t *line;
  int commas, points;        /* seen in numbers */
  struct grouping *grouping; /* of each column */
  int decimals;              /* a number whose sign does not part thousands was seen */
  int trailing;              /* rows end in a separator */
} csv;

/* "155.888" beside "17": thousandths, or thousands? */
typedef struct grouping {
  ptrdiff_t line; /* the first such number, 0 for none */
  ms_span cell;
  int whole, longer; /* whole numbers below 1000, and above */
} grouping;

/* ---- lines and cells ---- */

static int is_comment(ms_span s) {
  return *s.begin == '#' || *s.begin == '%' || *s.begin == '!' ||
         (ms_io_length(s) > 1 && s.begin[0] == '/' && s.begin[1] == '/');
}

/* The next line that is not blank, without blanks around it; tabs that separate stay. */
static int take_line(ms_lines *text, ms_span *line) {
  while (ms_io_take_line(text, line)) {
    while (line->end > line->begin && line->end[-1] == '\r') line->end--;
    const ms_span trimmed = ms_io_trim(*line);
    if (trimmed.begin < trimmed.end) return 1;
  }
  return 0;
}

static int is_number(ms_span cell, int comma) {
  double value;
  char used;
  return ms_cell_number(cell, comma, &value, &used) != MS_ERR_FORMAT;
}

/* Whether a row is one of numbers, perhaps with a separator behind the last. */
static int is_row(ms_span row, char separator) {
  ptrdiff_t numbers = 0, empty = 0;
  for (ms_span cell; ms_cell_take(&row, separator, &cell);) {
    const int quoted = cell.end < row.end && *cell.end == '"';
    if (cell.begin == cell.end) {
      empty++;
    } else if (empty > 0 || !is_number(cell, separator != ',' || quoted)) {
      return 0;
    } else {
      numbers++;
    }
  }
  return numbers > 0 && empty <= 1;
}

/* What separates a row of numbers; 0 if it is none. */
static char find_separator(ms_span row) {
  static const char known[] = { ';', '\t', ',' };
  const size_t n = ms_io_length(row);
  for (size_t i = 0; i < sizeof known; i++)
    if (memchr(row.begin, known[i], n) && is_row(row, known[i])) return known[i];
  return is_row(row, MS_CELL_BLANK) ? MS_CELL_BLANK : '\0';
}

/* ---- before the rows ---- */

/* A name may have commas in brackets; a row of one number may belong to names with separators. */
static char widen(ms_span names, char separator) {
  static const char known[] = { ';', '\t', ',' };
  for (size_t i = 0; separator == MS_CELL_BLANK && names.begin && i < sizeof known; i++)
    if (ms_cell_count(names, known[i]) > 1) return known[i];
  return separator;
}

/* Where rows begin: *start is before the first. */
static int find_rows(csv *c, ms_lines *start) {
  ms_lines text = c->text;
  ms_span line, last = { NULL, NULL };
  for (ms_lines before = text; take_line(&text, &line); before = text) {
    const char separator = is_comment(ms_io_trim(line)) ? '\0' : find_separator(line);
    if (!separator) {
      last = line;
      continue;
    }
    ms_lines after = text;
    ms_span next;
    const ptrdiff_t n = ms_cell_count(line, separator);
    int follows = 1; /* also at the end of the file */
    while (take_line(&after, &next)) {
      if (is_comment(ms_io_trim(next))) continue;
      follows = find_separator(next) == separator && ms_cell_count(next, separator) == n;
      break;
    }
    if (!follows && (!last.begin || ms_cell_count(last, separator) != n)) {
      last = line;
      continue;
    }
    c->separator = separator;
    c->first_line = text.line;
    c->n_column = n;
    *start = before;
    return 1;
  }
  return 0;
}

/* "Sample rate: 51200 Hz", "fs = 1000", "Sample Interval,4e-06". */
static void read_keys(csv *c, ms_span line) {
  ms_span piece, before = { NULL, NULL };
  const char separator = c->separator == MS_CELL_BLANK ? ',' : c->separator;
  line = ms_io_trim(line);
  while (line.begin < line.end && strchr("#%!/ \t", *line.begin)) line.begin++;
  while (c->rate == 0.0 && ms_cell_take(&line, separator, &piece)) {
    const char *split = piece.begin;
    while (split < piece.end && *split != '=') split++;
    if (split == piece.end)
      for (split = piece.begin; split < piece.end && *split != ':';) split++;
    if (split < piece.end) {
      ms_span key = { piece.begin, split };
      for (const char *p = key.begin; p < key.end; p++)
        if (*p == ':') key.begin = p + 1;
      c->rate = ms_heading_rate(key, (ms_span) { split + 1, piece.end });
    } else if (before.begin) {
      c->rate = ms_heading_rate(before, piece);
    }
    before = piece;
  }
}

/* Units of what is not motion or force. */
static int is_other_unit(const char *text) {
  static const char *const known[] = { "V",  "mV", "volt", "volts", "A", "amp", "ampere",
                                       "Pa", "Hz", "%",    "degC",  "C", "rad", "deg/s" };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcasecmp(text, known[i]) == 0) return 1;
  return 0;
}

/* A row of units: nothing but units that are known and empty cells, in brackets or not. */
static int is_units(ms_span row, char separator) {
  int units = 0;
  for (ms_span cell; ms_cell_take(&row, separator, &cell);) {
    char text[48];
    const ptrdiff_t n = cell.end - cell.begin;
    const int bracket = n > 1 && ((*cell.begin == '[' && cell.end[-1] == ']') ||
                                  (*cell.begin == '(' && cell.end[-1] == ')'));
    if (bracket) cell = (ms_span) { cell.begin + 1, cell.end - 1 };
    ms_heading_copy(cell, text, sizeof text);
    if (ms_heading_is_unit(text) || strcasecmp(text, "Hz") == 0) {
      units++;
    } else if (!bracket && !ms_record_says_nothing(text) && !is_other_unit(text)) {
      return 0;
    }
  }
  return units > 0;
}

static int starts_with_number(ms_span row, char separator) {
  ms_span cell;
  return ms_cell_take(&row, separator, &cell) && cell.begin < cell.end &&
         is_number(cell, separator != ',');
}

typedef struct csv_rows {
  ms_span row[2]; /* the last one and the one before */
  ptrdiff_t line[2];
} csv_rows;

static void keep_row(csv_rows *rows, ms_span row, ptrdiff_t line) {
  rows->row[1] = rows->row[0], rows->line[1] = rows->line[0];
  rows->row[0] = row, rows->line[0] = line;
}

/* Names, and units below them, from the last rows or the last comments; 0: there are none. */
static int choose_names(csv *c, const csv_rows *rows) {
  const char separator = c->separator;
  if (!rows->row[0].begin) return 0;
  c->names = rows->row[0], c->names_line = rows->line[0];
  if (!is_units(rows->row[0], separator) || !rows->row[1].begin ||
      ms_cell_count(rows->row[1], separator) != ms_cell_count(rows->row[0], separator))
    return 1;
  c->units = rows->row[0];
  c->names = rows->row[1], c->names_line = rows->line[1];
  return 1;
}

static ms_status refuse_cell(csv *c, ptrdiff_t line, ptrdiff_t column, ms_span cell,
                             const char *why) {
  char shown[MS_IO_EXCERPT_SIZE], where[96];
  ms_span names = c->names, name = { NULL, NULL };
  for (ptrdiff_t j = 0; j <= column && names.begin; j++)
    if (!ms_cell_take(&names, c->separator, &name)) break;
  snprintf(where, sizeof where, "column %td", column + 1);
  if (name.begin && name.begin < name.end) {
    ms_heading h;
    ms_heading_read(name, &h);
    snprintf(where, sizeof where, "column %.40s", h.name);
  }
  return ms_fail(c->r->ctx, MS_ERR_FORMAT, "%s:%td: %s: '%s' %s", c->r->path, line, where,
                 ms_io_excerpt(cell, shown), why);
}

/* A row that was taken for names begins with a number: a cell of it is damaged. */
static ms_status check_names(csv *c, const csv_rows *rows) {
  const char separator = c->separator;
  ms_span row = rows->row[0], cell;
  if (!rows->row[1].begin || !starts_with_number(row, separator) ||
      starts_with_number(rows->row[1], separator))
    return MS_SUCCESS;
  c->names = rows->row[1];
  for (ptrdiff_t j = 0; ms_cell_take(&row, separator, &cell); j++) {
    if (is_number(cell, separator != ',')) continue;
    return refuse_cell(c, rows->line[0], j, cell,
                       cell.begin == cell.end ? "is an empty cell; every cell needs a finite number"
                                              : "is not a number; every cell must be a finite "
                                                "number such as 2.4e-6");
  }
  return MS_SUCCESS;
}

static ms_status check_count(csv *c) {
  char shown[MS_IO_EXCERPT_SIZE];
  if (c->n_column == 1) c->separator = widen(c->names, c->separator);
  const ptrdiff_t named = ms_cell_count(c->names, c->separator);
  if (named == c->n_column) return MS_SUCCESS;
  if (named == c->n_column - 1 && c->trailing) return MS_SUCCESS;
  return ms_fail(
      c->r->ctx, MS_ERR_FORMAT,
      "%s:%td: found %td cells, expected %td, one for each name in line %td, '%s'%s", c->r->path,
      c->first_line, c->n_column, named, c->names_line, ms_io_excerpt(ms_io_trim(c->names), shown),
      c->separator == ',' ? "; numbers with decimal commas need semicolons or tabs between them"
                          : "");
}

/* Whether the first row ends in a separator. */
static int ends_empty(ms_lines start, char separator) {
  ms_span row, cell = { NULL, NULL };
  take_line(&start, &row);
  while (ms_cell_take(&row, separator, &cell)) {
  }
  return cell.begin == cell.end && separator != MS_CELL_BLANK;
}

static ms_status refuse_bare(csv *c) {
  return ms_fail(c->r->ctx, MS_ERR_FORMAT,
                 "%s:%td: has only numbers; a line before them must name the columns, e.g. 't "
                 "[s],u [m]', or a channel table, or the rate must be given in samples per second",
                 c->r->path, c->first_line);
}

/* Times of day, dates: a row that begins with a digit, below one that does not. */
static ms_status check_times(csv *c, const csv_rows *rows) {
  ms_span row = rows->row[0], cell;
  if (!rows->row[1].begin || !ms_cell_take(&row, c->separator, &cell) || cell.begin == cell.end ||
      *cell.begin < '0' || *cell.begin > '9' || is_number(cell, c->separator != ','))
    return MS_SUCCESS;
  c->names = rows->row[1];
  return refuse_cell(c, rows->line[0], 0, cell,
                     "is not a number; times must be counted in s, ms or us");
}

/* No row of numbers: the first line that begins with one says why. */
static ms_status refuse_text(csv *c) {
  ms_lines text = c->text;
  ms_span line;
  csv_rows rows = { .row = { { NULL, NULL } } };
  c->separator = ',';
  while (take_line(&text, &line)) {
    static const char known[] = { ';', '\t', ',', MS_CELL_BLANK };
    if (is_comment(ms_io_trim(line))) continue;
    for (size_t i = 0; i < sizeof known; i++) {
      c->separator = known[i];
      if (known[i] == MS_CELL_BLANK || memchr(line.begin, known[i], ms_io_length(line))) break;
    }
    keep_row(&rows, line, text.line);
    MS_TRY(check_names(c, &rows));
    MS_TRY(check_times(c, &rows));
  }
  return ms_fail(c->r->ctx, MS_ERR_FORMAT,
                 "%s:%td: %s; a table is a line of column names and then rows of numbers",
                 c->r->path, text.line > 0 ? text.line : 1,
                 text.line > 0 ? "no rows of numbers follow" : "is empty");
}

static ms_status read_preamble(csv *c, ms_lines start) {
  csv_rows rows = { .row = { { NULL, NULL } } }, comments = rows;
  ms_span line;
  while (c->text.rest.begin < start.rest.begin && take_line(&c->text, &line)) {
    const ms_span text = ms_io_trim(line);
    if (line.begin >= start.rest.begin) break;
    read_keys(c, line);
    if (!is_comment(text)) {
      if (text.end[-1] != ':') keep_row(&rows, line, c->text.line); /* a key without a value */
    } else {
      const ms_span inside = ms_io_trim((ms_span) { text.begin + 1, text.end });
      if (inside.begin < inside.end && ms_cell_count(inside, c->separator) == c->n_column &&
          c->n_column > 1)
        keep_row(&comments, inside, c->text.line);
    }
  }
  c->text = start;
  MS_TRY(check_names(c, &rows));
  /* A line of a key and its value names no columns. */
  const int key =
      rows.row[0].begin && c->rate > 0.0 && ms_cell_count(rows.row[0], c->separator) != c->n_column;
  if (!key && choose_names(c, &rows)) return check_count(c);
  if (choose_names(c, &comments)) return MS_SUCCESS;
  if (c->rate > 0.0 || c->r->request->rate_hz > 0.0) return MS_SUCCESS;
  return ms_measurement_has_table(c->r) ? MS_SUCCESS : refuse_bare(c);
}

/* ---- the rows ---- */

static ms_status grow(csv *c) {
  if (c->n < c->room) return MS_SUCCESS;
  c->room = c->room ? 2 * c->room : FIRST_ROWS;
  MS_TRY(ms_resize(c->r->ctx, c->room * c->n_column, sizeof *c->row, &c->row));
  return ms_resize(c->r->ctx, c->room, sizeof *c->line, &c->line);
}

/* Whether the sign may part thousands: one to three digits before it, no zero first, three behind.
 */
static int may_group(ms_span cell) {
  ptrdiff_t before = 0, behind = 0;
  const char *p = cell.begin;
  while (p < cell.end && (*p == '-' || *p == '+')) p++;
  const int zero = p < cell.end && *p == '0';
  while (p < cell.end && *p >= '0' && *p <= '9') before++, p++;
  for (p++; p < cell.end && *p >= '0' && *p <= '9'; p++) behind++;
  return !zero && before >= 1 && before <= 3 && behind == 3 && p == cell.end;
}

static void look_at_sign(csv *c, ptrdiff_t j, ms_span cell, char used) {
  grouping *g = &c->grouping[j];
  if (c->decimals) return;
  if (used && !may_group(cell)) {
    c->decimals = 1;
  } else if (used && g->line == 0) {
    g->line = c->text.line;
    g->cell = cell;
  } else if (!used) {
    *(cell.end - cell.begin - (*cell.begin == '-') <= 3 ? &g->whole : &g->longer) = 1;
  }
}

/* A column of whole numbers below 1000, and of others with three digits behind a sign, in a file
   without any other number of digits. */
static ms_status check_grouping(csv *c) {
  for (ptrdiff_t j = 0; j < c->n_column && !c->decimals; j++) {
    const grouping *g = &c->grouping[j];
    if (g->line == 0 || !g->whole || g->longer) continue;
    return refuse_cell(c, g->line, j, g->cell,
                       "may be thousands or thousandths beside the whole numbers of this column; "
                       "write numbers without a sign between thousands, or all with decimals");
  }
  return MS_SUCCESS;
}

static ms_status read_cell(csv *c, ptrdiff_t j, ms_span cell, int quoted) {
  char used;
  double *const value = &c->row[j + c->n_column * c->n];
  const ms_status status = ms_cell_number(cell, c->separator != ',' || quoted, value, &used);
  const ptrdiff_t line = c->text.line;
  if (status == MS_ERR_NUMERIC)
    return refuse_cell(c, line, j, cell, "is not finite; every cell must be a finite number");
  if (cell.begin == cell.end && j == c->rate_column && c->n > 0) {
    *value = 0.0;
    return MS_SUCCESS;
  }
  if (cell.begin == cell.end)
    return refuse_cell(c, line, j, cell, "is an empty cell; every cell needs a finite number");
  if (status != MS_SUCCESS)
    return refuse_cell(c, line, j, cell,
                       memchr(cell.begin, ',', ms_io_length(cell))
                           ? "is not a number; there may be one decimal point or comma, and none "
                             "between thousands"
                           : "is not a number; every cell must be a finite number such as 2.4e-6");
  c->commas |= used == ',', c->points |= used == '.';
  look_at_sign(c, j, cell, used);
  if (c->commas && c->points)
    return refuse_cell(c, line, j, cell,
                       "has another decimal sign than the numbers before it; use the point or the "
                       "comma throughout");
  return MS_SUCCESS;
}

static ms_status read_row(csv *c, ms_span row) {
  ptrdiff_t n = 0, empty = 0;
  MS_TRY(grow(c));
  for (ms_span cell; ms_cell_take(&row, c->separator, &cell); n++) {
    if (c->trailing && n == c->n_column && cell.begin == cell.end) {
      empty = 1;
      continue;
    }
    const int quoted = cell.end < c->text.rest.end && *cell.end == '"';
    if (n < c->n_column) MS_TRY(read_cell(c, n, cell, quoted));
  }
  if (n - empty != c->n_column) {
    return ms_fail(c->r->ctx, MS_ERR_FORMAT,
                   "%s:%td: found %td cells, expected %td; every row must have as many as the "
                   "first, in line %td",
                   c->r->path, c->text.line, n - empty, c->n_column, c->first_line);
  }
  c->line[c->n++] = c->text.line;
  return MS_SUCCESS;
}

static ms_status read_rows(csv *c) {
  ms_span line;
  MS_TRY(ms_allocate(c->r->ctx, c->n_column, sizeof *c->grouping, &c->grouping));
  while (take_line(&c->text, &line))
    if (!is_comment(ms_io_trim(line))) MS_TRY(read_row(c, line));
  return check_grouping(c);
}

/* ---- channels ---- */

static void take_heading(csv *c, ptrdiff_t j, ms_span *names, ms_span *units, ms_heading *h,
                         char *id, size_t size) {
  ms_span cell;
  *h = (ms_heading) { .kind = MS_RECORD_UNKNOWN };
  if (names->begin && ms_cell_take(names, c->separator, &cell)) {
    ms_heading_read(cell, h);
    ms_heading_copy(cell, id, size);
  }
  if (h->name[0] == '\0') snprintf(h->name, sizeof h->name, "%td", j + 1);
  if (!units->begin || !ms_cell_take(units, c->separator, &cell)) return;
  const ptrdiff_t n = cell.end - cell.begin;
  const int one = n > 1 && !memchr(cell.begin, *cell.begin == '[' ? ']' : ')', (size_t)n - 1);
  if (one && strchr("[(", *cell.begin) && strchr("])", cell.end[-1]))
    cell = (ms_span) { cell.begin + 1, cell.end - 1 };
  if (h->unit[0] == '\0') ms_heading_copy(cell, h->unit, sizeof h->unit);
}

static ms_status add_channel(csv *c, const ms_heading *h, const char *id, const double *y) {
  ms_measurement_channel *channel;
  MS_TRY(ms_measurement_add(c->r, &channel));
  snprintf(channel->name, sizeof channel->name, "%s", h->name);
  snprintf(channel->unit, sizeof channel->unit, "%s", h->unit);
  snprintf(channel->id, sizeof channel->id, "%s", id);
  channel->kind = h->kind;
  channel->n = c->n;
  channel->y = y;
  return MS_SUCCESS;
}

/* The last digit that times are printed with: the largest power of ten that all are multiples of.
 */
static double find_digit(ptrdiff_t n, const double *t) {
  double digit = 1.0;
  for (int power = 0; power < 12; power++, digit *= 0.1) {
    ptrdiff_t k = 0;
    while (k < n && fabs(t[k] / digit - nearbyint(t[k] / digit)) < 1e-4) k++;
    if (k == n) return digit;
  }
  return 0.0;
}

/* Times that are rounded are even if none is farther from the grid than rounding makes it. A sample
   that is missing makes half a step at least. */
static void forgive_rounding(csv *c, ms_measurement_channel *times) {
  const double digit = find_digit(times->n, times->x), dt = times->step;
  if (times->uneven == 0 || !(digit > 0.0 && digit <= 0.3 * dt)) return;
  for (ptrdiff_t k = 0; k < times->n; k++)
    if (fabs(times->x[k] - times->x[0] - dt * (double)k) > digit * (1.0 + 1e-6)) return;
  times->uneven = 0;
  ms_measurement_note(c->r,
                      "times are rounded to %g: they are taken as even, and the rate is known to "
                      "%.2g of itself",
                      digit, digit / (dt * (double)(times->n - 1)));
}

/* Times of all channels, from their column. */
static void set_times(csv *c, const ms_heading *h, const double *t) {
  ms_measurement *f = c->r->file;
  ms_measurement_channel times = { .x = t, .n = c->n };
  ms_measurement_find_uneven(&times);
  if (times.uneven > 0) forgive_rounding(c, &times);
  const double rate = 1.0 / (times.step * ms_record_time_factor(h->unit));
  if (times.uneven == 0 && c->rate > 0.0 && isfinite(rate) && fabs(rate / c->rate - 1.0) > 1e-3) {
    ms_measurement_note(c->r,
                        "%.6g samples per second before the rows, %.6g by the times: they count",
                        c->rate, rate);
  }
  if (times.uneven > 0) times.uneven_line = c->line[times.uneven - 1];
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_measurement_channel *channel = &f->channel[i];
    channel->x = times.uneven > 0 ? t : NULL;
    channel->first = t[0], channel->step = times.step;
    channel->uneven = times.uneven, channel->uneven_line = times.uneven_line;
    snprintf(channel->x_name, sizeof channel->x_name, "%.40s", h->name);
    channel->x_factor = ms_record_time_factor(h->unit);
    snprintf(channel->x_unit, sizeof channel->x_unit, "%.40s", h->unit);
  }
}

static ms_status set_rate(csv *c) {
  ms_measurement *f = c->r->file;
  const double asked = c->r->request->rate_hz, rate = asked > 0.0 ? asked : c->rate;
  if (asked > 0.0 && c->rate > 0.0 && !(fabs(asked / c->rate - 1.0) <= 1e-4)) {
    return ms_fail(c->r->ctx, MS_ERR_ARGUMENT,
                   "%s has %.6g samples per second, not %.6g; leave the rate out", c->r->path,
                   c->rate, asked);
  }
  for (ptrdiff_t i = 0; i < f->n && rate > 0.0; i++) {
    f->channel[i].step = 1.0 / rate;
    snprintf(f->channel[i].x_unit, sizeof f->channel[i].x_unit, "s");
  }
  return MS_SUCCESS;
}

/* The column that channels stand over: the one called times, else the first if its unit is one of
   time or frequency; n_column if there is none. */
static ptrdiff_t find_axis(const csv *c, const ms_heading *heading, int *is_frequency) {
  *is_frequency = 0;
  for (ptrdiff_t j = 0; j < c->n_column; j++)
    if (heading[j].is_time) return j;
  *is_frequency = strcasecmp(heading[0].unit, "Hz") == 0;
  const int is_time =
      !ms_record_says_nothing(heading[0].unit) && ms_record_time_factor(heading[0].unit) > 0.0;
  return *is_frequency || is_time ? 0 : c->n_column;
}

static int is_named(const ms_heading *h, const char *word) {
  return strncasecmp(h->name, word, strlen(word)) == 0;
}

/* Columns of real and imaginary parts beside each other are one frequency response. */
static ms_status add_response(csv *c, const ms_heading *h, const char *id, const double *parts) {
  ms_measurement_channel *channel;
  double *y;
  MS_TRY(ms_measurement_allocate(c->r, 2 * c->n, &y));
  for (ptrdiff_t i = 0; i < c->n; i++) y[2 * i] = parts[i], y[2 * i + 1] = parts[i + c->n];
  MS_TRY(add_channel(c, h, id, y));
  channel = &c->r->file->channel[c->r->file->n - 1];
  channel->is_complex = 1;
  snprintf(channel->name, sizeof channel->name, "frequency response");
  return MS_SUCCESS;
}

static ms_status add_channels(csv *c, const ms_heading *heading, char (*id)[162], ptrdiff_t axis,
                              int is_frequency, const double *column) {
  for (ptrdiff_t j = 0; j < c->n_column; j++) {
    const double *const y = column + c->n * j;
    if (j == axis || j == c->rate_column) continue;
    if (is_frequency && j + 1 < c->n_column && is_named(&heading[j], "real") &&
        is_named(&heading[j + 1], "imag")) {
      MS_TRY(add_response(c, &heading[j], id[j], y));
      j++;
    } else {
      MS_TRY(add_channel(c, &heading[j], id[j], y));
    }
  }
  return MS_SUCCESS;
}

static ms_status make_from(csv *c, ms_heading *heading, char (*id)[162]) {
  double *column;
  ms_span names = c->names, units = c->units;
  int is_frequency;
  MS_TRY(ms_measurement_allocate(c->r, c->n * c->n_column, &column));
  for (ptrdiff_t j = 0; j < c->n_column; j++) {
    take_heading(c, j, &names, &units, &heading[j], id[j], sizeof id[j]);
    for (ptrdiff_t i = 0; i < c->n; i++) column[i + c->n * j] = c->row[j + c->n_column * i];
  }
  const ptrdiff_t axis = find_axis(c, heading, &is_frequency);
  if (axis < c->n_column && c->r->request->rate_hz > 0.0) {
    return ms_fail(c->r->ctx, MS_ERR_ARGUMENT,
                   "%s has its times in column %s: give a rate only for files without times",
                   c->r->path, heading[axis].name);
  }
  MS_TRY(add_channels(c, heading, id, axis, is_frequency, column));
  if (axis == c->n_column) return set_rate(c);
  set_times(c, &heading[axis], column + c->n * axis);
  for (ptrdiff_t i = 0; i < c->r->file->n && is_frequency; i++) {
    ms_measurement_channel *channel = &c->r->file->channel[i];
    channel->type = channel->is_complex ? 4 : 12;
    channel->x_factor = 1.0;
  }
  return MS_SUCCESS;
}

static ms_status make_channels(csv *c) {
  ms_heading *heading = NULL;
  char(*id)[162] = NULL;
  ms_status status = ms_allocate(c->r->ctx, c->n_column, sizeof *heading, &heading);
  if (status == MS_SUCCESS) status = ms_allocate(c->r->ctx, c->n_column, sizeof *id, &id);
  if (status == MS_SUCCESS) status = make_from(c, heading, id);
  ms_free(c->r->ctx, &heading);
  ms_free(c->r->ctx, &id);
  return status;
}

/* A rate in a column of its own: its name, a value in the first row, and empty cells below. */
static void find_rate_column(csv *c, ms_lines start) {
  ms_span names = c->names, row, next, name, cell, below;
  c->rate_column = -1;
  if (!names.begin || c->rate > 0.0 || !take_line(&start, &row) || !take_line(&start, &next))
    return;
  for (ptrdiff_t j = 0; j < c->n_column; j++) {
    if (!ms_cell_take(&names, c->separator, &name) || !ms_cell_take(&row, c->separator, &cell) ||
        !ms_cell_take(&next, c->separator, &below))
      return;
    if (below.begin < below.end || !(ms_heading_rate(name, cell) > 0.0)) continue;
    c->rate = ms_heading_rate(name, cell);
    c->rate_column = j;
    return;
  }
}

static ms_status read_all(csv *c) {
  ms_lines start;
  ms_io_skip_mark(&c->text.rest);
  if (!find_rows(c, &start)) return refuse_text(c);
  c->trailing = ends_empty(start, c->separator);
  c->n_column -= c->trailing;
  if (c->n_column > MOST_COLUMNS) {
    return ms_fail(c->r->ctx, MS_ERR_FORMAT, "%s:%td: more than %d columns; split the table",
                   c->r->path, c->first_line, MOST_COLUMNS);
  }
  c->n_column += c->trailing; /* names may end likewise */
  MS_TRY(read_preamble(c, start));
  c->n_column -= c->trailing;
  find_rate_column(c, start);
  MS_TRY(read_rows(c));
  return make_channels(c);
}

/* A file whose lines end in CR alone, as spreadsheets of older Macintoshes write them. */
static ms_status end_lines(csv *c, char **lines) {
  const ms_span text = c->text.rest;
  const size_t n = ms_io_length(text);
  if (n == 0 || memchr(text.begin, '\n', n) || !memchr(text.begin, '\r', n)) return MS_SUCCESS;
  MS_TRY(ms_resize(c->r->ctx, (ptrdiff_t)n, 1, lines));
  for (size_t i = 0; i < n; i++) (*lines)[i] = text.begin[i] == '\r' ? '\n' : text.begin[i];
  c->text.rest = (ms_span) { *lines, *lines + n };
  return MS_SUCCESS;
}

static ms_status read(ms_measurement_reader *r, const char *bytes, size_t length) {
  csv c = { .r = r, .text.rest = { bytes, bytes + length } };
  MS_TRY(ms_io_refuse_nul(r->ctx, r->path, c.text.rest));
  if (ms_lvm_knows(bytes, length)) return ms_lvm_read(r, bytes, length);
  if (ms_scope_knows(bytes, length)) return ms_scope_read(r, bytes, length);
  if (ms_pulse_knows(bytes, length)) return ms_pulse_read(r, bytes, length);
  char *lines = NULL;
  ms_status status = end_lines(&c, &lines);
  if (status == MS_SUCCESS) status = read_all(&c);
  ms_free(r->ctx, &lines);
  ms_free(r->ctx, &c.row);
  ms_free(r->ctx, &c.line);
  ms_free(r->ctx, &c.grouping);
  return status;
}

static const char *const endings[] = { ".csv", ".tsv", ".txt", ".dat", ".lvm", ".asc", NULL };

const ms_measurement_format ms_measurement_csv = { .name = "csv",
                                                   .endings = endings,
                                                   .read = read };
