/* Tables of oscilloscopes. Tektronix TDS write what they were set to beside the samples:

     Record Length,1.000000e+03,,  -0.125000000000,   0.07000,
     Sample Interval,5.000000e-04,,  -0.124500000000,   0.31000,
     ...
     ,,,  -0.113500000000,   0.05000,

   Every row has a key and its value in two columns, one that is empty, time and sample. Rigol write
   the grid behind the names, perhaps with the samples' numbers in front:

     X,CH1,CH2,Start,Increment,
     Sequence,Volt,Volt,-7.5e-02,2.5e-04
     0,1.7e-01,1.35e+01,
     1,3.0e-02,1.85e+01, */
#include <stdio.h>
#include <strings.h>

#include "core/internal.h"
#include "io/measured/measured.h"
#include "io/record.h"

enum { N_CELL = 5, FIRST_ROWS = 256 };

typedef struct scope {
  ms_measurement_reader *r;
  ms_lines text;
  ms_span source, unit, time_unit, model;
  double record_length; /* as the file says */
  ptrdiff_t n, room;
  double *x, *y;
  ptrdiff_t *line;
} scope;

static int take_cells(ms_span row, ms_span cell[N_CELL]) {
  for (int j = 0; j < N_CELL; j++)
    if (!ms_cell_take(&row, ',', &cell[j])) return 0;
  return 1;
}

static int is_number(ms_span cell) {
  double value;
  char used;
  return ms_cell_number(cell, 0, &value, &used) == MS_SUCCESS;
}

static int is_word(ms_span cell, const char *word) {
  return ms_io_length(cell) == strlen(word) && strncasecmp(cell.begin, word, strlen(word)) == 0;
}

static int is_beside(ms_span line) {
  ms_span cell[N_CELL];
  return take_cells(line, cell) && is_word(cell[0], "Record Length") &&
         cell[2].begin == cell[2].end && is_number(cell[3]) && is_number(cell[4]);
}

/* Columns before Start and Increment; 0: it is no such line. */
static ptrdiff_t count_named(ms_span names) {
  ms_span cell;
  ptrdiff_t n = 0;
  while (ms_cell_take(&names, ',', &cell) && !is_word(cell, "Start")) n++;
  return names.begin && ms_cell_take(&names, ',', &cell) && is_word(cell, "Increment") ? n : 0;
}

int ms_scope_knows(const char *bytes, size_t length) {
  ms_lines text = { .rest = { bytes, bytes + length } };
  ms_span line;
  ms_io_skip_mark(&text.rest);
  return ms_io_take_line(&text, &line) && (is_beside(line) || count_named(line) > 0);
}

static void take_key(scope *s, ms_span key, ms_span value) {
  const struct {
    const char *word;
    ms_span *to;
  } known[] = { { "Source", &s->source },
                { "Vertical Units", &s->unit },
                { "Horizontal Units", &s->time_unit },
                { "Model Number", &s->model } };
  char used;
  if (is_word(key, "Record Length") &&
      ms_cell_number(value, 0, &s->record_length, &used) != MS_SUCCESS)
    s->record_length = 0.0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (is_word(key, known[i].word)) *known[i].to = value;
}

static ms_status read_number(const scope *s, ms_span cell, const char *column, double *out) {
  char shown[MS_IO_EXCERPT_SIZE], used;
  if (ms_cell_number(cell, 0, out, &used) == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail(s->r->ctx, MS_ERR_FORMAT, "%s:%td: column %s: '%s' is not a finite number",
                 s->r->path, s->text.line, column, ms_io_excerpt(cell, shown));
}

static ms_status read_row(scope *s, ms_span line) {
  ms_span cell[N_CELL];
  if (!take_cells(line, cell))
    return ms_fail(s->r->ctx, MS_ERR_FORMAT,
                   "%s:%td: found fewer than %d cells; every row has a key, its value, an empty "
                   "cell, time and sample",
                   s->r->path, s->text.line, N_CELL);
  if (s->n == s->room) {
    s->room = s->room ? 2 * s->room : FIRST_ROWS;
    MS_TRY(ms_resize(s->r->ctx, s->room, sizeof *s->x, &s->x));
    MS_TRY(ms_resize(s->r->ctx, s->room, sizeof *s->y, &s->y));
    MS_TRY(ms_resize(s->r->ctx, s->room, sizeof *s->line, &s->line));
  }
  take_key(s, cell[0], cell[1]);
  MS_TRY(read_number(s, cell[3], "4", &s->x[s->n]));
  MS_TRY(read_number(s, cell[4], "5", &s->y[s->n]));
  s->line[s->n++] = s->text.line;
  return MS_SUCCESS;
}

static ms_status make_channel(scope *s) {
  ms_measurement_channel *c;
  double *values;
  MS_TRY(ms_measurement_allocate(s->r, 2 * s->n, &values));
  memcpy(values, s->x, (size_t)s->n * sizeof *values);
  memcpy(values + s->n, s->y, (size_t)s->n * sizeof *values);
  MS_TRY(ms_measurement_add(s->r, &c));
  ms_heading_copy(s->source, c->name, sizeof c->name);
  ms_heading_copy(s->source, c->id, sizeof c->id);
  ms_heading_copy(s->unit, c->unit, sizeof c->unit);
  ms_heading_copy(s->time_unit, c->x_unit, sizeof c->x_unit);
  ms_heading_copy(s->model, s->r->file->writer, sizeof s->r->file->writer);
  c->kind = ms_heading_kind(c->name);
  c->x_factor = ms_record_time_factor(c->x_unit);
  c->n = s->n, c->x = values, c->y = values + s->n;
  ms_measurement_find_uneven(c);
  if (c->uneven > 0) {
    c->uneven_line = s->line[c->uneven - 1];
  } else {
    c->x = NULL;
  }
  return MS_SUCCESS;
}

static ms_status read_beside(scope *s) {
  ms_span line;
  while (ms_io_take_line(&s->text, &line)) {
    const ms_span trimmed = ms_io_trim(line);
    if (trimmed.begin < trimmed.end) MS_TRY(read_row(s, line));
  }
  if ((double)s->n < s->record_length)
    return ms_fail(s->r->ctx, MS_ERR_FORMAT, "%s:%td: the file ends after %td of %.0f samples",
                   s->r->path, s->text.line, s->n, s->record_length);
  return make_channel(s);
}

/* ---- the grid behind the names ---- */

static ms_status read_grid_row(scope *s, ms_span line, ptrdiff_t n) {
  ms_span cell;
  char column[24];
  if (s->n == s->room) {
    s->room = s->room ? 2 * s->room : FIRST_ROWS;
    MS_TRY(ms_resize(s->r->ctx, s->room * n, sizeof *s->y, &s->y));
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    if (!ms_cell_take(&line, ',', &cell))
      return ms_fail(s->r->ctx, MS_ERR_FORMAT, "%s:%td: found %td cells, expected %td", s->r->path,
                     s->text.line, j, n);
    snprintf(column, sizeof column, "%td", j + 1);
    MS_TRY(read_number(s, cell, column, &s->y[j + n * s->n]));
  }
  s->n++;
  return MS_SUCCESS;
}

static ms_status add_column(scope *s, ms_span name, ms_span unit, ptrdiff_t j, ptrdiff_t n,
                            const double grid[2]) {
  ms_measurement_channel *c;
  double *y;
  MS_TRY(ms_measurement_allocate(s->r, s->n, &y));
  for (ptrdiff_t i = 0; i < s->n; i++) y[i] = s->y[j + n * i];
  MS_TRY(ms_measurement_add(s->r, &c));
  ms_heading_copy(name, c->name, sizeof c->name);
  ms_heading_copy(name, c->id, sizeof c->id);
  ms_heading_copy(unit, c->unit, sizeof c->unit);
  snprintf(c->x_unit, sizeof c->x_unit, "s");
  c->kind = ms_heading_kind(c->name);
  c->n = s->n, c->y = y;
  c->first = grid[0], c->step = grid[1];
  return MS_SUCCESS;
}

static ms_status read_grid(scope *s, ms_span names) {
  const ptrdiff_t n = count_named(names);
  ms_span line, units, cell, name, unit;
  double grid[2];
  if (!ms_io_take_line(&s->text, &units))
    return ms_fail(s->r->ctx, MS_ERR_FORMAT, "%s:1: no units, start and increment follow",
                   s->r->path);
  line = units;
  for (ptrdiff_t j = 0; j < n + 2; j++) {
    if (!ms_cell_take(&line, ',', &cell)) cell = (ms_span) { "", "" };
    if (j >= n) MS_TRY(read_number(s, cell, j == n ? "Start" : "Increment", &grid[j - n]));
  }
  if (!(grid[1] > 0.0))
    return ms_fail(s->r->ctx, MS_ERR_FORMAT, "%s:2: Increment %g must be > 0", s->r->path, grid[1]);
  while (ms_io_take_line(&s->text, &line)) {
    const ms_span trimmed = ms_io_trim(line);
    if (trimmed.begin < trimmed.end) MS_TRY(read_grid_row(s, line, n));
  }
  if (s->n == 0)
    return ms_fail(s->r->ctx, MS_ERR_FORMAT, "%s:%td: no rows follow", s->r->path, s->text.line);
  for (ptrdiff_t j = 0; j < n; j++) {
    if (!ms_cell_take(&names, ',', &name)) break;
    if (!ms_cell_take(&units, ',', &unit)) unit = (ms_span) { "", "" };
    if (!is_word(unit, "Sequence")) MS_TRY(add_column(s, name, unit, j, n, grid));
  }
  return MS_SUCCESS;
}

static ms_status read_all(scope *s) {
  ms_span line;
  ms_io_skip_mark(&s->text.rest);
  const ms_lines begin = s->text;
  ms_io_take_line(&s->text, &line);
  if (count_named(line) > 0) return read_grid(s, line);
  s->text = begin;
  return read_beside(s);
}

ms_status ms_scope_read(ms_measurement_reader *r, const char *bytes, size_t length) {
  static const ms_span nothing = { "", "" };
  scope s = { .r = r, .text.rest = { bytes, bytes + length } };
  s.source = s.unit = s.time_unit = s.model = nothing;
  if (r->request->rate_hz > 0.0)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has its own times: give a rate only for files without times", r->path);
  ms_status status = read_all(&s);
  ms_free(r->ctx, &s.x);
  ms_free(r->ctx, &s.y);
  ms_free(r->ctx, &s.line);
  return status;
}
