/* Text files of Bruel & Kjaer PULSE: keys, then rows of number, abscissa and one value, or two of a
   complex function, then tags.

     Header Size:     14
     Data Type:       Real
     X-Axis size:     801
     X-Axis unit:     Hz
     X-Axis delta:    2.5e-001
     ...
     1      0.0e+000      1.25e-003
     TagsBegin: */
#include <stdio.h>
#include <strings.h>

#include "core/internal.h"
#include "io/measured/measured.h"
#include "io/record.h"

typedef struct pulse {
  ms_measurement_reader *r;
  ms_lines text;
  ptrdiff_t line; /* of the first row */
  int comma, is_complex, is_power;
  double size, planes, first, step;
  ms_span unit, power_unit, x_unit, function, signal, version;
} pulse;

static int begins(ms_span text, const char *word) {
  const size_t n = strlen(word);
  return ms_io_length(text) >= n && strncasecmp(text.begin, word, n) == 0;
}

int ms_pulse_knows(const char *bytes, size_t length) {
  ms_lines text = { .rest = { bytes, bytes + length } };
  ms_span line;
  ms_io_skip_mark(&text.rest);
  return ms_io_take_line(&text, &line) && begins(line, "Header Size:") &&
         ms_io_take_line(&text, &line) && begins(line, "Pulse Version:");
}

static ms_status refuse(const pulse *p, const char *what) {
  return ms_fail(p->r->ctx, MS_ERR_FORMAT, "%s:%td: %s", p->r->path, p->text.line, what);
}

static ms_status take_key(pulse *p, ms_span key, ms_span value) {
  const struct {
    const char *word;
    double *to;
  } number[] = { { "X-Axis size:", &p->size },
                 { "Z-Axis size:", &p->planes },
                 { "X-Axis first value:", &p->first },
                 { "X-Axis delta:", &p->step } };
  const struct {
    const char *word;
    ms_span *to;
  } text[] = { { "AmplitudeUnit:", &p->unit }, { "PowerUnit:", &p->power_unit },
               { "X-Axis unit:", &p->x_unit }, { "Function:", &p->function },
               { "Signal:", &p->signal },      { "Running Pulse Version:", &p->version } };
  char used;
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    if (begins(key, text[i].word)) *text[i].to = value;
  if (begins(key, "Decimal Symbol:")) p->comma = begins(value, ",");
  if (begins(key, "Data Type:")) p->is_complex = begins(value, "Complex");
  if (begins(key, "Power:")) p->is_power = begins(value, "True");
  for (size_t i = 0; i < sizeof number / sizeof *number; i++)
    if (begins(key, number[i].word) &&
        ms_cell_number(value, p->comma, number[i].to, &used) != MS_SUCCESS)
      return refuse(p, "a number must follow the key");
  return MS_SUCCESS;
}

/* Up to the first row, which begins with its number, 1. */
static ms_status read_head(pulse *p) {
  ms_span line, key, value;
  for (ms_lines before = p->text; ms_io_take_line(&p->text, &line); before = p->text) {
    if (!ms_cell_take(&line, '\t', &key)) continue;
    if (ms_io_length(key) == 1 && *key.begin == '1') {
      p->line = p->text.line;
      p->text = before;
      return MS_SUCCESS;
    }
    if (ms_cell_take(&line, '\t', &value)) MS_TRY(take_key(p, key, value));
  }
  return refuse(p, "no row of numbers follows the keys; complete the file");
}

static ms_status read_row(pulse *p, ptrdiff_t k, double *y) {
  const ptrdiff_t parts = 1 + p->is_complex;
  double value[4];
  ms_span line, cell;
  char used, shown[MS_IO_EXCERPT_SIZE];
  if (!ms_io_take_line(&p->text, &line))
    return ms_fail(p->r->ctx, MS_ERR_FORMAT, "%s:%td: the file ends after %td of %.0f rows",
                   p->r->path, p->text.line, k, p->size);
  for (ptrdiff_t j = 0; j < 2 + parts; j++) {
    if (!ms_cell_take(&line, '\t', &cell))
      return ms_fail(p->r->ctx, MS_ERR_FORMAT, "%s:%td: found %td cells, expected %td", p->r->path,
                     p->text.line, j, 2 + parts);
    if (ms_cell_number(cell, p->comma, &value[j], &used) != MS_SUCCESS)
      return ms_fail(p->r->ctx, MS_ERR_FORMAT, "%s:%td: '%s' is not a finite number", p->r->path,
                     p->text.line, ms_io_excerpt(cell, shown));
  }
  if (value[0] != (double)(k + 1))
    return ms_fail(p->r->ctx, MS_ERR_FORMAT, "%s:%td: row %g where %td is expected", p->r->path,
                   p->text.line, value[0], k + 1);
  for (ptrdiff_t j = 0; j < parts; j++) y[parts * k + j] = value[2 + j];
  return MS_SUCCESS;
}

static int type_of(const pulse *p) {
  static const struct {
    const char *word;
    int type;
  } known[] = { { "Time", 1 },      { "Autospectrum", 2 }, { "Cross", 3 }, { "Frequency Resp", 4 },
                { "Coherence", 6 }, { "H1", 4 },           { "H2", 4 },    { "Autocorr", 7 } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (begins(p->function, known[i].word)) return known[i].type;
  return begins(p->x_unit, "Hz") ? 12 : 1;
}

static ms_status make_channel(pulse *p, const double *y) {
  ms_measurement_channel *c;
  const ms_span unit = p->is_power ? p->power_unit : p->unit;
  MS_TRY(ms_measurement_add(p->r, &c));
  ms_heading_copy(p->signal, c->name, sizeof c->name);
  ms_heading_copy(p->function, c->id, sizeof c->id);
  ms_heading_copy(unit, c->unit, sizeof c->unit);
  ms_heading_copy(p->x_unit, c->x_unit, sizeof c->x_unit);
  ms_heading_copy(p->version, p->r->file->writer, sizeof p->r->file->writer);
  c->type = type_of(p);
  c->is_complex = p->is_complex;
  c->kind = ms_heading_kind(c->name);
  c->n = (ptrdiff_t)p->size;
  c->y = y;
  c->first = p->first, c->step = p->step;
  c->x_factor = c->type == 1 ? ms_record_time_factor(c->x_unit) : 1.0;
  c->line = p->line;
  return MS_SUCCESS;
}

static ms_status read_all(pulse *p) {
  double *y;
  const double room = (double)ms_io_length(p->text.rest);
  MS_TRY(read_head(p));
  if (p->planes > 1.0)
    return refuse(p, "several functions over a z axis; export one of them at a time");
  if (!(p->size >= 1.0) || p->size > room || p->size != (double)(ptrdiff_t)p->size)
    return refuse(p, "X-Axis size must be the number of rows");
  if (!(p->step > 0.0)) return refuse(p, "X-Axis delta must be > 0");
  MS_TRY(ms_measurement_allocate(p->r, (ptrdiff_t)p->size * (1 + p->is_complex), &y));
  for (ptrdiff_t k = 0; k < (ptrdiff_t)p->size; k++) MS_TRY(read_row(p, k, y));
  return make_channel(p, y);
}

ms_status ms_pulse_read(ms_measurement_reader *r, const char *bytes, size_t length) {
  static const ms_span nothing = { "", "" };
  pulse p = { .r = r, .text.rest = { bytes, bytes + length } };
  p.unit = p.power_unit = p.x_unit = p.function = p.signal = p.version = nothing;
  if (r->request->rate_hz > 0.0)
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "%s has its own abscissa: give a rate only for files without times", r->path);
  ms_io_skip_mark(&p.text.rest);
  return read_all(&p);
}
