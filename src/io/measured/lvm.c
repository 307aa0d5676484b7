/* LabVIEW measurement files: text, with a head for the file and one for each segment.

     LabVIEW Measurement                  keys and values; these count: Separator,
   Decimal_Separator,
     ***End_of_Header***                  X_Columns
     Channels      2                      a segment, with a cell for each channel
     Samples       4096      4096
     Y_Unit_Label  Newtons   m/s^2
     X_Dimension   Time      Time
     X0            0.0E+0    0.0E+0
     Delta_X       2.5E-4    2.5E-4
     ***End_of_Header***
     X_Value       hammer    tip  Comment
     0.000000      0.17      0.2          rows

   With X_Columns Multi each channel has a column of x before its own, and the cells of the head
   stand over the first of the two; else there is one column of x, which is empty with X_Columns No.
   Channels with fewer samples end earlier. The x are printed with few digits: X0 and Delta_X count,
   as long as every x is nearest to its own sample. */
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "core/internal.h"
#include "io/measured/measured.h"
#include "io/tolerance.h"

enum { MOST_CHANNELS = 2048, FIRST_ROWS = 64 };

typedef struct lvm_channel {
  ms_span name, unit, dimension;
  double first, step, samples; /* of the head; 0: not there */
  ptrdiff_t n;
} lvm_channel;

typedef struct lvm {
  ms_measurement_reader *r;
  ms_lines text;
  char separator;
  int comma; /* decimal */
  int multi; /* X_Columns */
  int segment;
  lvm_channel *channel;
  ptrdiff_t n_channel, n_column, names_line;
  ptrdiff_t n, room; /* rows */
  double *row;       /* row[j + n_column*i]; INFINITY: an empty cell, NAN: one that says so */
  ptrdiff_t *line;
} lvm;

static const char signature[] = "LabVIEW Measurement", end_of_head[] = "***End_of_Header***";

static int begins(ms_span line, const char *word) {
  const size_t n = strlen(word);
  return ms_io_length(line) >= n && memcmp(line.begin, word, n) == 0;
}

int ms_lvm_knows(const char *bytes, size_t length) {
  ms_span text = { bytes, bytes + length };
  ms_io_skip_mark(&text);
  return begins(text, signature);
}

static int is_word(ms_span cell, const char *word) {
  return ms_io_length(cell) == strlen(word) && strncasecmp(cell.begin, word, strlen(word)) == 0;
}

static ms_status refuse(const lvm *m, ptrdiff_t line, const char *what) {
  return ms_fail(m->r->ctx, MS_ERR_FORMAT, "%s:%td: %s", m->r->path, line, what);
}

/* The next line with anything in it but separators. */
static int take_line(lvm *m, ms_span *line) {
  while (ms_io_take_line(&m->text, line))
    for (const char *p = line->begin; p < line->end; p++)
      if (!ms_io_is_blank(*p) && *p != m->separator) return 1;
  return 0;
}

/* ---- heads ---- */

static ms_status read_head(lvm *m) {
  ms_span line, key, value;
  ms_io_take_line(&m->text, &line);
  const ms_span rest = { line.begin + sizeof signature - 1, line.end };
  m->separator = begins(rest, ",") ? ',' : '\t';
  while (take_line(m, &line)) {
    if (begins(line, end_of_head)) return MS_SUCCESS;
    ms_cell_take(&line, m->separator, &key);
    if (!ms_cell_take(&line, m->separator, &value)) continue;
    if (is_word(key, "Decimal_Separator")) m->comma = is_word(value, ",");
    if (is_word(key, "X_Columns")) m->multi = is_word(value, "Multi");
    if (is_word(key, "Writer_Version"))
      snprintf(m->r->file->writer, sizeof m->r->file->writer, "%s, version %.*s", signature,
               (int)(ms_io_length(value) < 40 ? ms_io_length(value) : 40), value.begin);
  }
  return refuse(m, m->text.line, "the file ends in its head; complete it");
}

static ms_status make_channels(lvm *m, ms_span value) {
  double n;
  char used;
  if (ms_cell_number(value, m->comma, &n, &used) != MS_SUCCESS || n != floor(n) || !(n >= 1.0) ||
      n > MOST_CHANNELS)
    return ms_fail(m->r->ctx, MS_ERR_FORMAT, "%s:%td: Channels must be a number from 1 to %d",
                   m->r->path, m->text.line, MOST_CHANNELS);
  MS_TRY(ms_resize(m->r->ctx, (ptrdiff_t)n, sizeof *m->channel, &m->channel));
  m->n_channel = (ptrdiff_t)n;
  m->n_column = (m->multi ? 2 : 1) * m->n_channel + !m->multi;
  for (ptrdiff_t i = 0; i < m->n_channel; i++) m->channel[i] = (lvm_channel) { .n = 0 };
  return MS_SUCCESS;
}

/* The number of a key for one channel. */
static ms_status read_key_number(const lvm *m, ms_span key, ms_span cell, double *out) {
  char used, shown[2][MS_IO_EXCERPT_SIZE];
  if (ms_cell_number(cell, m->comma, out, &used) == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail(m->r->ctx, MS_ERR_FORMAT, "%s:%td: %s: '%s' is not a finite number", m->r->path,
                 m->text.line, ms_io_excerpt(key, shown[0]), ms_io_excerpt(cell, shown[1]));
}

/* Short steps are often printed with six decimals, 0.000977 for 1/1024. */
static void note_digits(lvm *m, ms_span cell, double step) {
  const char *point = cell.begin;
  while (point < cell.end && *point != '.' && *point != ',') point++;
  const ptrdiff_t decimals = cell.end - point - 1;
  const double part = 0.5 * pow(10.0, -(double)decimals) / step;
  for (const char *p = point; p < cell.end; p++)
    if (*p == 'E' || *p == 'e') return;
  if (decimals < 1 || !(step > 0.0) || part <= ms_io_tol.rate) return;
  ms_measurement_note(m->r,
                      "line %td: Delta_X is printed with %td decimals: the rate is known to %.1g "
                      "of itself only",
                      m->text.line, decimals, part);
}

static ms_status read_key(lvm *m, ms_span key, ms_span rest) {
  ms_span cell;
  for (ptrdiff_t j = 0; ms_cell_take(&rest, m->separator, &cell); j++) {
    const ptrdiff_t i = m->multi ? j / 2 : j;
    if (i >= m->n_channel || cell.begin == cell.end || (m->multi && j % 2)) continue;
    lvm_channel *c = &m->channel[i];
    if (is_word(key, "Y_Unit_Label")) c->unit = cell;
    if (is_word(key, "X_Dimension")) c->dimension = cell;
    if (is_word(key, "Samples")) MS_TRY(read_key_number(m, key, cell, &c->samples));
    if (is_word(key, "X0")) MS_TRY(read_key_number(m, key, cell, &c->first));
    if (!is_word(key, "Delta_X")) continue;
    MS_TRY(read_key_number(m, key, cell, &c->step));
    if (i == 0) note_digits(m, cell, c->step);
  }
  return MS_SUCCESS;
}

static ms_status read_names(lvm *m) {
  ms_span line, cell;
  ptrdiff_t j = 0;
  if (!ms_io_take_line(&m->text, &line))
    return refuse(m, m->text.line, "no names of columns follow; complete the file");
  m->names_line = m->text.line;
  for (; j < m->n_column && ms_cell_take(&line, m->separator, &cell); j++) {
    const int is_x = m->multi ? j % 2 == 0 : j == 0;
    if (!is_x) m->channel[m->multi ? j / 2 : j - 1].name = cell;
  }
  if (j == m->n_column) return MS_SUCCESS;
  return ms_fail(m->r->ctx, MS_ERR_FORMAT, "%s:%td: found %td names, expected %td for %td channels",
                 m->r->path, m->names_line, j, m->n_column, m->n_channel);
}

/* *found is 0 at the end of the file. */
static ms_status read_segment_head(lvm *m, int *found) {
  ms_span line, key, value;
  m->n_channel = 0;
  for (*found = 0; take_line(m, &line);) {
    if (begins(line, end_of_head)) {
      *found = m->n_channel > 0;
      if (*found) return read_names(m);
      return refuse(m, m->text.line, "a segment needs a line Channels with their number");
    }
    ms_cell_take(&line, m->separator, &key);
    if (!is_word(key, "Channels")) {
      MS_TRY(read_key(m, key, line));
    } else {
      if (!ms_cell_take(&line, m->separator, &value)) value = key;
      MS_TRY(make_channels(m, value));
    }
  }
  if (m->n_channel == 0) return MS_SUCCESS;
  return refuse(m, m->text.line, "the file ends in the head of a segment; complete it");
}

/* ---- rows ---- */

static void name_column(const lvm *m, ptrdiff_t j, char text[MS_IO_EXCERPT_SIZE]) {
  const int is_x = m->multi ? j % 2 == 0 : j == 0;
  if (is_x) {
    snprintf(text, MS_IO_EXCERPT_SIZE, "X_Value");
  } else {
    ms_io_excerpt(m->channel[m->multi ? j / 2 : j - 1].name, text);
  }
}

static ms_status refuse_cell(const lvm *m, ptrdiff_t line, ptrdiff_t j, ms_span cell,
                             const char *why) {
  char name[MS_IO_EXCERPT_SIZE], shown[MS_IO_EXCERPT_SIZE];
  name_column(m, j, name);
  return ms_fail(m->r->ctx, MS_ERR_FORMAT, "%s:%td: column %s: '%s' %s", m->r->path, line, name,
                 ms_io_excerpt(cell, shown), why);
}

static ms_status read_cell(const lvm *m, ptrdiff_t j, ms_span cell, double *out) {
  char used;
  *out = INFINITY;
  if (cell.begin == cell.end) return MS_SUCCESS;
  const ms_status status = ms_cell_number(cell, m->comma, out, &used);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  if (status == MS_ERR_NUMERIC && is_word(cell, "nan")) {
    *out = NAN;
    return MS_SUCCESS;
  }
  return refuse_cell(m, m->text.line, j, cell,
                     "is not a finite number with the decimal sign that the head of the file says");
}

static ms_status read_row(lvm *m, ms_span line) {
  ms_span cell;
  ptrdiff_t j = 0;
  if (m->n == m->room) {
    m->room = m->room ? 2 * m->room : FIRST_ROWS;
    MS_TRY(ms_resize(m->r->ctx, m->room, sizeof *m->line, &m->line));
    MS_TRY(ms_resize(m->r->ctx, m->room * m->n_column, sizeof *m->row, &m->row));
  }
  double *const value = m->row + m->n_column * m->n;
  for (; j < m->n_column && ms_cell_take(&line, m->separator, &cell); j++)
    MS_TRY(read_cell(m, j, cell, &value[j]));
  if (j < m->n_column)
    return ms_fail(m->r->ctx, MS_ERR_FORMAT,
                   "%s:%td: found %td cells, expected %td, one below each name in line %td",
                   m->r->path, m->text.line, j, m->n_column, m->names_line);
  m->line[m->n++] = m->text.line;
  return MS_SUCCESS;
}

static ms_status read_rows(lvm *m) {
  ms_span line;
  m->n = m->room = 0;
  for (ms_lines before = m->text; take_line(m, &line); before = m->text) {
    if (begins(line, "Channels")) {
      m->text = before; /* another segment */
      return MS_SUCCESS;
    }
    MS_TRY(read_row(m, line));
  }
  return MS_SUCCESS;
}

/* ---- channels ---- */

static ptrdiff_t column_of(const lvm *m, ptrdiff_t i) {
  return m->multi ? 2 * i + 1 : i + 1;
}

/* Samples that a channel has; *is_void: it has none, or none that is a number. */
static ms_status count_samples(lvm *m, ptrdiff_t i, int *is_void) {
  static const char nan_text[] = "NaN";
  static const ms_span nothing = { "", "" };
  const ptrdiff_t j = column_of(m, i);
  ptrdiff_t n = m->n, nans = 0, nan_line = 0;
  while (n > 0 && isinf(m->row[j + m->n_column * (n - 1)])) n--;
  for (ptrdiff_t k = 0; k < n; k++) {
    const double value = m->row[j + m->n_column * k];
    if (isinf(value))
      return refuse_cell(m, m->line[k], j, nothing, "is an empty cell before others of its column");
    if (isnan(value) && nans++ == 0) nan_line = m->line[k];
  }
  *is_void = nans == n;
  m->channel[i].n = n;
  if (nans == 0 || nans == n) return MS_SUCCESS;
  return refuse_cell(m, nan_line, j, (ms_span) { nan_text, nan_text + 3 },
                     "is not finite; every sample must be a finite number");
}

/* Channels of as many samples, as the head has it, end in the same row. */
static ms_status check_end(const lvm *m) {
  for (ptrdiff_t i = 1; i < m->n_channel; i++) {
    const lvm_channel *a = &m->channel[0], *c = &m->channel[i];
    if (c->samples != a->samples || c->n == a->n || c->n == 0 || a->n == 0) continue;
    const ptrdiff_t k = c->n < a->n ? c->n : a->n;
    return refuse_cell(m, m->line[k], column_of(m, c->n < a->n ? i : 0), (ms_span) { "", "" },
                       "is an empty cell, but the columns have as many samples; complete the row");
  }
  return MS_SUCCESS;
}

/* Whether every x that is there is nearest to its own sample. */
static int follows_grid(const lvm *m, const lvm_channel *c, ptrdiff_t column) {
  for (ptrdiff_t k = 0; k < c->n; k++) {
    const double x = m->row[column + m->n_column * k];
    if (isfinite(x) && !(fabs(x - (c->first + c->step * (double)k)) < 0.5 * c->step)) return 0;
  }
  return 1;
}

static ms_status set_x(lvm *m, ptrdiff_t i, ms_measurement_channel *out) {
  const lvm_channel *c = &m->channel[i];
  const ptrdiff_t column = m->multi ? 2 * i : 0;
  const int own = m->multi || c->step == m->channel[0].step;
  double *x;
  out->first = c->first, out->step = c->step > 0.0 ? c->step : 0.0;
  if (!own || (c->step > 0.0 && follows_grid(m, c, column))) return MS_SUCCESS;
  for (ptrdiff_t k = 0; k < c->n; k++)
    if (!isfinite(m->row[column + m->n_column * k])) return MS_SUCCESS;
  MS_TRY(ms_measurement_allocate(m->r, c->n, &x));
  for (ptrdiff_t k = 0; k < c->n; k++) x[k] = m->row[column + m->n_column * k];
  out->x = x;
  ms_measurement_find_uneven(out);
  if (out->uneven > 0) {
    out->uneven_line = m->line[out->uneven - 1];
  } else {
    out->x = NULL;
  }
  return MS_SUCCESS;
}

static void set_dimension(const lvm_channel *c, ms_measurement_channel *out) {
  const int frequency = is_word(c->dimension, "Frequency");
  const int time = is_word(c->dimension, "Time") || c->dimension.begin == c->dimension.end;
  out->type = frequency ? 12 : time ? 1 : 0;
  out->x_factor = frequency || time ? 1.0 : 0.0;
  snprintf(out->x_unit, sizeof out->x_unit, "%s", frequency ? "Hz" : time ? "s" : "");
  ms_heading_copy(c->dimension, out->x_name, sizeof out->x_name);
}

static ms_status add_channel(lvm *m, ptrdiff_t i) {
  const lvm_channel *c = &m->channel[i];
  ms_measurement_channel *out;
  ms_heading h;
  double *y;
  MS_TRY(ms_measurement_allocate(m->r, c->n, &y));
  for (ptrdiff_t k = 0; k < c->n; k++) y[k] = m->row[column_of(m, i) + m->n_column * k];
  MS_TRY(ms_measurement_add(m->r, &out));
  ms_heading_read(c->name, &h);
  snprintf(out->name, sizeof out->name, "%.48s", h.name);
  if (m->segment > 1) snprintf(out->name, sizeof out->name, "%.40s segment %d", h.name, m->segment);
  ms_heading_copy(c->name, out->id, sizeof out->id);
  snprintf(out->unit, sizeof out->unit, "%s", h.unit);
  if (c->unit.begin < c->unit.end) ms_heading_copy(c->unit, out->unit, sizeof out->unit);
  out->kind = h.kind;
  out->n = c->n, out->y = y, out->line = m->names_line;
  set_dimension(c, out);
  return set_x(m, i, out);
}

static ms_status read_segment(lvm *m) {
  ptrdiff_t left_out = 0, fewer = -1;
  m->segment++;
  MS_TRY(read_rows(m));
  for (ptrdiff_t i = 0; i < m->n_channel; i++) {
    int is_void = 0;
    MS_TRY(count_samples(m, i, &is_void));
    if (is_void) m->channel[i].n = 0;
    left_out += is_void;
  }
  MS_TRY(check_end(m));
  for (ptrdiff_t i = 0; i < m->n_channel; i++) {
    if (m->channel[i].n == 0) continue;
    MS_TRY(add_channel(m, i));
    if (fewer < 0 && (double)m->channel[i].n < m->channel[i].samples) fewer = i;
  }
  if (left_out > 0)
    ms_measurement_note(m->r, "left out: %td channels without samples in the segment of line %td",
                        left_out, m->names_line);
  if (fewer >= 0)
    ms_measurement_note(m->r, "the segment of line %td has %td samples, its head says %.0f",
                        m->names_line, m->channel[fewer].n, m->channel[fewer].samples);
  return MS_SUCCESS;
}

static ms_status read_all(lvm *m) {
  int found;
  MS_TRY(read_head(m));
  for (;;) {
    MS_TRY(read_segment_head(m, &found));
    if (!found) break;
    MS_TRY(read_segment(m));
  }
  if (m->r->file->n > 0) return MS_SUCCESS;
  return refuse(m, m->text.line, "the file has no samples");
}

ms_status ms_lvm_read(ms_measurement_reader *r, const char *bytes, size_t length) {
  lvm m = { .r = r, .text.rest = { bytes, bytes + length } };
  if (r->request->rate_hz > 0.0)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has its own times: give a rate only for files without times", r->path);
  ms_io_skip_mark(&m.text.rest);
  ms_status status = read_all(&m);
  ms_free(r->ctx, &m.channel);
  ms_free(r->ctx, &m.row);
  ms_free(r->ctx, &m.line);
  return status;
}
