/* The values of a dataset 58, as text or as IEEE numbers. */
#include "io/uff58.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { SHORTEST_VALUE = 2 }; /* bytes of "1 " */

/* ---- values ---- */

/* Where sample values go as they come: x (if uneven), real part, imaginary part (if complex). */
typedef struct sink {
  double *x, *y;
  int per_sample, per_y;
} sink;

static void put_value(const sink *s, ptrdiff_t k, double value) {
  ptrdiff_t sample = k / s->per_sample, part = k % s->per_sample;
  if (s->x && part == 0) {
    s->x[sample] = value;
  } else {
    s->y[sample * s->per_y + part - (s->x != NULL)] = value;
  }
}

static ms_status make_sink(ms_uff_reader *r, ptrdiff_t i, sink *s) {
  ms_uff58 *file = r->file;
  ms_uff58_function *f = &file->function[i];
  *s = (sink) { .per_y = 1 + f->is_complex, .per_sample = 1 + f->is_complex + !f->is_even };
  MS_TRY(ms_resize(r->ctx, f->n, (size_t)s->per_y * sizeof(double), &file->y[i]));
  if (!f->is_even) MS_TRY(ms_resize(r->ctx, f->n, sizeof(double), &file->x[i]));
  s->x = file->x[i];
  s->y = file->y[i];
  f->x = s->x;
  f->y = s->y;
  return MS_SUCCESS;
}

static ms_status refuse_missing(ms_uff_reader *r, ptrdiff_t have, ptrdiff_t want) {
  return ms_uff_refuse(
      r, "the data end after %td of %td values; complete them or correct the count", have, want);
}

/* Values past the count: zeros only fill up a line. */
static ms_status check_filler(ms_uff_reader *r, ptrdiff_t want, double value) {
  if (value == 0.0) return MS_SUCCESS;
  return ms_uff_refuse(r, "more than the %td values given in the header; correct the count", want);
}

static ms_status read_line_of_values(ms_uff_reader *r, ms_span line, const sink *s, ptrdiff_t want,
                                     ptrdiff_t *k) {
  char shown[MS_IO_EXCERPT_SIZE];
  for (line = ms_io_trim(line); line.begin < line.end; line.begin = ms_io_skip_blanks(line)) {
    double value;
    ms_span rest = line;
    ms_status status = ms_io_scan_number(&line.begin, line.end, &value);
    int apart = line.begin == line.end || (*line.begin && strchr(" \t+-", *line.begin));
    if (status == MS_ERR_NUMERIC)
      return ms_uff_refuse(r, "'%s' is not finite; every value must be a finite number",
                           ms_io_excerpt(rest, shown));
    if (status != MS_SUCCESS || !apart)
      return ms_uff_refuse(r, "'%s' is not a number; values are written as 1.25000E+00",
                           ms_io_excerpt(rest, shown));
    if (*k < want) {
      put_value(s, (*k)++, value);
    } else {
      MS_TRY(check_filler(r, want, value));
    }
  }
  return MS_SUCCESS;
}

/* A count that the rest of the file cannot hold is refused before memory is asked for. */
static ms_status check_remaining(ms_uff_reader *r, const ms_uff58_function *f) {
  ptrdiff_t per_sample = 1 + f->is_complex + !f->is_even;
  ptrdiff_t remaining = (r->text.rest.end - r->text.rest.begin + 1) / SHORTEST_VALUE;
  if (f->n <= remaining / per_sample) return MS_SUCCESS;
  return ms_uff_refuse(r,
                       "%td samples are more than the rest of the file can hold; complete the file "
                       "or correct the count",
                       f->n);
}

ms_status ms_uff_read_ascii(ms_uff_reader *r, ptrdiff_t i) {
  ms_uff58_function *f = &r->file->function[i];
  sink s;
  MS_TRY(check_remaining(r, f));
  MS_TRY(make_sink(r, i, &s));
  /* Lines of values until the line that closes the dataset. */
  ptrdiff_t want = f->n * s.per_sample;
  ms_span line;
  ptrdiff_t k = 0;
  while (ms_io_take_line(&r->text, &line)) {
    if (ms_uff_is_delimiter(line)) return k == want ? MS_SUCCESS : refuse_missing(r, k, want);
    MS_TRY(read_line_of_values(r, line, &s, want, &k));
  }
  if (k < want) return refuse_missing(r, k, want);
  return ms_uff_refuse(r, "the file ends without the closing -1 of the dataset; complete it");
}

/* ---- binary values ---- */

static double get_float(const unsigned char *p, int big) {
  uint32_t bits = 0;
  float value;
  for (int i = 0; i < 4; i++) bits |= (uint32_t)p[big ? 3 - i : i] << 8 * i;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double get_double(const unsigned char *p, int big) {
  uint64_t bits = 0;
  double value;
  for (int i = 0; i < 8; i++) bits |= (uint64_t)p[big ? 7 - i : i] << 8 * i;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Behind the -1 that closes binary data ending at p, perhaps on a line of its own; NULL if it is
   not there. */
static const char *find_close(const char *p, const char *end) {
  if (p < end && *p == '\r') p++;
  if (p < end && *p == '\n') p++;
  ms_lines rest = { .rest = { p, end } };
  ms_span line;
  return ms_io_take_line(&rest, &line) && ms_uff_is_delimiter(line) ? rest.rest.begin : NULL;
}

/* Bytes of one sample, with a single or a double abscissa where that is open. */
static ptrdiff_t sample_size(const ms_uff58_function *f, int double_x) {
  ptrdiff_t y = (f->is_double ? 8 : 4) * (1 + f->is_complex);
  if (f->is_even) return y;
  return y + (f->is_double && double_x ? 8 : 4);
}

/* Which abscissa the data have: what the count of bytes says if it fits, else where the data end.
   -1 if neither does. */
static int find_abscissa(const ms_uff_reader *r, const ms_uff_dataset *d,
                         const ms_uff58_function *f) {
  const char *p = r->text.rest.begin, *end = r->text.rest.end;
  for (int double_x = 0; double_x < 2; double_x++) {
    ptrdiff_t bytes = sample_size(f, double_x);
    if (f->n <= (end - p) / bytes && f->n * bytes == d->n_bytes) return double_x;
  }
  for (int double_x = 0; double_x < 2; double_x++) {
    ptrdiff_t bytes = sample_size(f, double_x);
    if (f->n <= (end - p) / bytes && find_close(p + f->n * bytes, end)) return double_x;
  }
  return -1;
}

static ms_status refuse_size(ms_uff_reader *r, const ms_uff_dataset *d,
                             const ms_uff58_function *f) {
  char text[256];
  const char *p = r->text.rest.begin, *end = r->text.rest.end;
  snprintf(text, sizeof text,
           "%td samples take %td bytes, the dataset says %td and the file has %td left; correct "
           "the counts or complete the file",
           f->n, f->n * sample_size(f, 0), d->n_bytes, end - p);
  return ms_uff_refuse_byte(r, p, text);
}

static ms_status read_samples(ms_uff_reader *r, const ms_uff_dataset *d, const ms_uff58_function *f,
                              const sink *s, int double_x) {
  const unsigned char *p = (const unsigned char *)r->text.rest.begin;
  for (ptrdiff_t k = 0; k < f->n * s->per_sample; k++) {
    int is_x = s->x && k % s->per_sample == 0;
    int wide = is_x ? f->is_double && double_x : f->is_double;
    double value = wide ? get_double(p, d->big) : get_float(p, d->big);
    if (!isfinite(value))
      return ms_uff_refuse_byte(r, (const char *)p,
                                "a value is not finite; is the byte order right?");
    put_value(s, k, value);
    p += wide ? 8 : 4;
  }
  return MS_SUCCESS;
}

ms_status ms_uff_close_binary(ms_uff_reader *r, ptrdiff_t bytes) {
  const char *data = r->text.rest.begin, *behind = find_close(data + bytes, r->text.rest.end);
  if (!behind)
    return ms_uff_refuse_byte(r, data + bytes,
                              "the dataset has no closing -1 here; are the counts right?");
  for (const char *p = data; p < behind; p++) r->text.line += *p == '\n';
  r->text.rest.begin = behind;
  return MS_SUCCESS;
}

ms_status ms_uff_read_binary(ms_uff_reader *r, const ms_uff_dataset *d, ptrdiff_t i) {
  ms_uff58_function *f = &r->file->function[i];
  int double_x = find_abscissa(r, d, f);
  if (double_x < 0) return refuse_size(r, d, f);
  sink s;
  MS_TRY(make_sink(r, i, &s));
  MS_TRY(read_samples(r, d, f, &s, double_x));
  return ms_uff_close_binary(r, f->n * sample_size(f, double_x));
}
