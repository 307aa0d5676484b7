/* Universal files, dataset 58: functions at nodal degrees of freedom (SDRC; UC-SDRL for binary).

     bbbb-1                                   opens a dataset; b is a blank
     bbbb58                                   its number
     5 lines of text
     2(I5,I10),2(1X,10A1,I10,I4)              type, number, version, load case, response, reference
     3I10,3E13.5                              kind of data, count, spacing, x_first, x_step, z
     4 lines I10,3I5,2(1X,20A1)               abscissa, ordinate, denominator, z axis
     values                                   6E13.5, 4E20.12, 2(E13.5,E20.12) or E13.5,2E20.12
     bbbb-1                                   closes it

   A binary one has the number 58b and, I6,A1,2I6,2I12: byte order, floating-point format, lines of
   text to follow (11) and bytes of data after them; its values are IEEE numbers without a gap, and
   the closing line follows them at once. Where the abscissa is uneven and the data double, the
   standard's abscissa is single (E13.5), but programs write it double as well: the count of bytes
   tells which. Real files deviate in small ways: a line end before the closing -1 of binary data,
   zeros that fill up the last line of ASCII data, numbers that are not in their columns. These are
   read; what could change a value is not guessed. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "io/internal.h"
#include "io/text.h"

#define N_ID           5
#define N_HEADER       11 /* lines before the values */
#define MAX_NUMBERS    6
#define SHORTEST_VALUE 2  /* bytes of "1 " */
#define LISTED         96 /* bytes of the list of other datasets in a message */

struct ms_uff58 {
  ms_context *ctx;
  ms_uff58_function *function;
  double **x, **y; /* what function[i].x and .y show */
  ptrdiff_t n;
};

/* What the line after -1 says. */
typedef struct dataset {
  ptrdiff_t number, line; /* of the file */
  int binary, big;        /* big: most significant byte first */
  ptrdiff_t format, n_lines, n_bytes;
} dataset;

typedef struct reader {
  ms_context *ctx;
  const char *name;
  const char *begin; /* of the file, for byte offsets */
  ms_lines text;
  ms_uff58 *file;
  char others[LISTED]; /* numbers of the datasets that were skipped */
} reader;

MS_PRINTF(2, 3)
static ms_status refuse(reader *r, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: %s", r->name, r->text.line, text);
}

/* ---- life ---- */

void ms_uff58_destroy(ms_uff58 **file) {
  if (!file || !*file) return;
  ms_uff58 *f = *file;
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_free(f->ctx, &f->x[i]);
    ms_free(f->ctx, &f->y[i]);
  }
  ms_free(f->ctx, &f->x);
  ms_free(f->ctx, &f->y);
  ms_free(f->ctx, &f->function);
  ms_free(f->ctx, file);
}

ptrdiff_t ms_uff58_get_count(const ms_uff58 *file) {
  return file->n;
}

const ms_uff58_function *ms_uff58_get(const ms_uff58 *file, ptrdiff_t index) {
  return index >= 0 && index < file->n ? &file->function[index] : NULL;
}

const char *ms_uff58_type_text(int type) {
  static const char *const text[] = {
    "general",
    "time response",
    "auto spectrum",
    "cross spectrum",
    "frequency response",
    "transmissibility",
    "coherence",
    "auto correlation",
    "cross correlation",
    "power spectral density",
    "energy spectral density",
    "probability density function",
    "spectrum",
  };
  int known = type >= 0 && type < (int)(sizeof text / sizeof text[0]);
  return known ? text[type] : "unknown";
}

/* ---- text of fixed columns ---- */

/* Bytes of the UTF-8 character at p, 0 if there is none. */
static int utf8_length(const char *p, const char *end) {
  unsigned char c = (unsigned char)*p;
  int n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
  if (c >= 0x80 && c < 0xC2) n = 0;
  if (end - p < n) return 0;
  for (int i = 1; i < n; i++)
    if (((unsigned char)p[i] & 0xC0) != 0x80) return 0;
  return n;
}

/* Copies text to out, which has twice its bytes and one: what is not UTF-8 is taken as Latin-1, as
   older programs write it, and control characters become blanks. */
static void copy_text(ms_span text, char *out) {
  text = ms_io_trim(text);
  for (const char *p = text.begin; p < text.end;) {
    int n = utf8_length(p, text.end);
    unsigned char c = (unsigned char)*p;
    if (n == 0) {
      *out++ = (char)(0xC0 | c >> 6);
      *out++ = (char)(0x80 | (c & 0x3F));
      p++;
    } else {
      for (; n > 0; n--, p++) *out++ = (unsigned char)*p < ' ' || *p == 0x7f ? ' ' : *p;
    }
  }
  *out = '\0';
}

/* Columns first to first + width - 1, as far as the line has them. */
static ms_span columns(ms_span line, ptrdiff_t first, ptrdiff_t width) {
  ptrdiff_t length = line.end - line.begin;
  if (first > length) first = length;
  if (width > length - first) width = length - first;
  return (ms_span) { line.begin + first, line.begin + first + width };
}

/* The whole of the text as an integer; blank is 0. */
static int is_integer(ms_span text, int *out) {
  ptrdiff_t value = 0;
  text = ms_io_trim(text);
  if (text.begin < text.end && !ms_io_scan_integer(&text.begin, text.end, &value)) return 0;
  if (text.begin < text.end || value > INT_MAX || value < -INT_MAX) return 0;
  *out = (int)value;
  return 1;
}

/* ---- lines ---- */

static int is_delimiter(ms_span line) {
  line = ms_io_trim(line);
  return ms_io_length(line) == 2 && memcmp(line.begin, "-1", 2) == 0;
}

static ms_status take_header(reader *r, const dataset *d, ms_span *line) {
  if (ms_io_take_line(&r->text, line)) return MS_SUCCESS;
  return refuse(r,
                "the file ends in the header of the dataset that begins in line %td; complete it",
                d->line);
}

static ms_status read_ids(reader *r, const dataset *d, ms_uff58_function *f) {
  for (int i = 0; i < N_ID; i++) {
    ms_span line;
    MS_TRY(take_header(r, d, &line));
    copy_text(columns(line, 0, 80), f->id[i]);
  }
  return MS_SUCCESS;
}

/* In its columns: I5,I10,I5,I10, then for response and reference 1X,10A1,I10,I4. */
static int read_dof_columns(ms_span line, ms_uff58_function *f) {
  copy_text(columns(line, 31, 10), f->response_name);
  copy_text(columns(line, 56, 10), f->reference_name);
  return is_integer(columns(line, 0, 5), &f->type) &&
         is_integer(columns(line, 5, 10), &f->number) &&
         is_integer(columns(line, 15, 5), &f->version) &&
         is_integer(columns(line, 20, 10), &f->load_case) &&
         is_integer(columns(line, 41, 10), &f->response_node) &&
         is_integer(columns(line, 51, 4), &f->response_direction) &&
         is_integer(columns(line, 66, 10), &f->reference_node) &&
         is_integer(columns(line, 76, 4), &f->reference_direction);
}

static int take_name(ms_span *line, char *out) {
  ms_span word = ms_io_take_word(line);
  if (ms_io_length(word) == 0 || ms_io_length(word) > 10) return 0;
  copy_text(word, out);
  return 1;
}

static int take_integer(ms_span *line, int *out) {
  ms_span word = ms_io_take_word(line);
  return ms_io_length(word) > 0 && is_integer(word, out);
}

/* Out of its columns, but ten words with blanks between. */
static int read_dof_words(ms_span line, ms_uff58_function *f) {
  return take_integer(&line, &f->type) && take_integer(&line, &f->number) &&
         take_integer(&line, &f->version) && take_integer(&line, &f->load_case) &&
         take_name(&line, f->response_name) && take_integer(&line, &f->response_node) &&
         take_integer(&line, &f->response_direction) && take_name(&line, f->reference_name) &&
         take_integer(&line, &f->reference_node) && take_integer(&line, &f->reference_direction);
}

static ms_status read_dof(reader *r, const dataset *d, ms_uff58_function *f) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  MS_TRY(take_header(r, d, &line));
  if (read_dof_columns(line, f) || read_dof_words(line, f)) return MS_SUCCESS;
  return refuse(
      r,
      "'%s' does not name the function; it must hold type, number, version and load case, "
      "then name, node and direction of response and of reference",
      ms_io_excerpt(line, shown));
}

/* ---- what data there are ---- */

/* Six numbers with blanks between, or in their columns where a blank is 0. */
static int read_numbers(ms_span line, double number[MAX_NUMBERS]) {
  static const ptrdiff_t first[] = { 0, 10, 20, 30, 43, 56 }, width[] = { 10, 10, 10, 13, 13, 13 };
  ms_span rest = line;
  int n = 0;
  for (; n < MAX_NUMBERS; n++) {
    ms_span word = ms_io_take_word(&rest);
    const char *p = word.begin;
    if (ms_io_scan_number(&p, word.end, &number[n]) != MS_SUCCESS || p != word.end) break;
  }
  if (n == MAX_NUMBERS) return 1;
  for (n = 0; n < MAX_NUMBERS; n++) {
    ms_span field = ms_io_trim(columns(line, first[n], width[n]));
    const char *p = field.begin;
    number[n] = 0.0;
    if (p == field.end) continue;
    if (ms_io_scan_number(&p, field.end, &number[n]) != MS_SUCCESS || p != field.end) return 0;
  }
  return 1;
}

static int is_count(double value) {
  return value >= 1.0 && value <= 0x1p52 && value == floor(value);
}

static ms_status read_layout(reader *r, const dataset *d, ms_uff58_function *f) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  double number[MAX_NUMBERS];
  MS_TRY(take_header(r, d, &line));
  if (!read_numbers(line, number))
    return refuse(r,
                  "'%s' does not describe the data; it must hold kind, count, spacing, first "
                  "abscissa, step and z",
                  ms_io_excerpt(line, shown));
  double kind = number[0];
  if (kind != 2.0 && kind != 4.0 && kind != 5.0 && kind != 6.0)
    return refuse(r,
                  "data of kind %g; it must be 2 (real), 4 (real double), 5 (complex) or 6 "
                  "(complex double)",
                  kind);
  if (!is_count(number[1]))
    return refuse(r, "%g samples; their number must be a positive integer", number[1]);
  if (number[2] != 0.0 && number[2] != 1.0)
    return refuse(r, "spacing %g; it must be 0 (uneven) or 1 (even)", number[2]);
  f->is_complex = kind == 5.0 || kind == 6.0;
  f->is_double = kind == 4.0 || kind == 6.0;
  f->n = (ptrdiff_t)number[1];
  f->is_even = number[2] == 1.0;
  f->x_first = f->is_even ? number[3] : 0.0;
  f->x_step = f->is_even ? number[4] : 0.0;
  f->z = number[5];
  if (f->is_even && f->n > 1 && f->x_step == 0.0)
    return refuse(r,
                  "even spacing with a step of 0; give the step, or spacing 0 and an abscissa "
                  "with every value");
  return MS_SUCCESS;
}

static ms_status read_axis(reader *r, const dataset *d, ms_uff58_axis *axis) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  int *const number[] = { &axis->kind, &axis->length, &axis->force, &axis->temperature };
  MS_TRY(take_header(r, d, &line));
  copy_text(columns(line, 26, 20), axis->label);
  copy_text(columns(line, 47, 20), axis->unit);
  ms_span rest = columns(line, 0, 26);
  for (int i = 0; i < 4; i++) {
    if (is_integer(ms_io_take_word(&rest), number[i])) continue;
    return refuse(r,
                  "'%s' does not describe an axis; it must begin with four integers: kind and "
                  "exponents of length, force and temperature",
                  ms_io_excerpt(line, shown));
  }
  return MS_SUCCESS;
}

static ms_status read_header(reader *r, const dataset *d, ms_uff58_function *f) {
  ms_uff58_axis *const axis[] = { &f->abscissa, &f->ordinate, &f->denominator, &f->z_axis };
  MS_TRY(read_ids(r, d, f));
  MS_TRY(read_dof(r, d, f));
  MS_TRY(read_layout(r, d, f));
  for (int i = 0; i < 4; i++) MS_TRY(read_axis(r, d, axis[i]));
  ms_span line;
  for (ptrdiff_t i = N_HEADER; d->binary && i < d->n_lines; i++) MS_TRY(take_header(r, d, &line));
  return MS_SUCCESS;
}

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

static ms_status make_sink(reader *r, ptrdiff_t i, sink *s) {
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

static ms_status refuse_missing(reader *r, ptrdiff_t have, ptrdiff_t want) {
  return refuse(r, "the data end after %td of %td values; complete them or correct the count", have,
                want);
}

/* Values past the count: zeros only fill up a line. */
static ms_status check_filler(reader *r, ptrdiff_t want, double value) {
  if (value == 0.0) return MS_SUCCESS;
  return refuse(r, "more than the %td values that the header announces; correct the count", want);
}

static ms_status read_line_of_values(reader *r, ms_span line, const sink *s, ptrdiff_t want,
                                     ptrdiff_t *k) {
  char shown[MS_IO_EXCERPT_SIZE];
  for (line = ms_io_trim(line); line.begin < line.end; line.begin = ms_io_skip_blanks(line)) {
    double value;
    ms_span rest = line;
    ms_status status = ms_io_scan_number(&line.begin, line.end, &value);
    int apart = line.begin == line.end || (*line.begin && strchr(" \t+-", *line.begin));
    if (status == MS_ERR_NUMERIC)
      return refuse(r, "'%s' is not finite; every value must be a finite number",
                    ms_io_excerpt(rest, shown));
    if (status != MS_SUCCESS || !apart)
      return refuse(r, "'%s' is not a number; values are written as 1.25000E+00",
                    ms_io_excerpt(rest, shown));
    if (*k < want) {
      put_value(s, (*k)++, value);
    } else {
      MS_TRY(check_filler(r, want, value));
    }
  }
  return MS_SUCCESS;
}

/* Lines of values until the line that closes the dataset. */
static ms_status read_ascii(reader *r, const sink *s, ptrdiff_t want) {
  ms_span line;
  ptrdiff_t k = 0;
  while (ms_io_take_line(&r->text, &line)) {
    if (is_delimiter(line)) return k == want ? MS_SUCCESS : refuse_missing(r, k, want);
    MS_TRY(read_line_of_values(r, line, s, want, &k));
  }
  if (k < want) return refuse_missing(r, k, want);
  return refuse(r, "the file ends without the -1 that closes the dataset; complete it");
}

/* ---- binary values ---- */

static ms_status refuse_byte(reader *r, const char *at, const char *what) {
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: byte %td: %s", r->name, at - r->begin, what);
}

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
  return ms_io_take_line(&rest, &line) && is_delimiter(line) ? rest.rest.begin : NULL;
}

/* Bytes of one sample, with a single or a double abscissa where that is open. */
static ptrdiff_t sample_size(const ms_uff58_function *f, int double_x) {
  ptrdiff_t y = (f->is_double ? 8 : 4) * (1 + f->is_complex);
  if (f->is_even) return y;
  return y + (f->is_double && double_x ? 8 : 4);
}

/* Which abscissa the data have: what the count of bytes says if it fits, else where the data end.
   -1 if neither does. */
static int find_abscissa(const reader *r, const dataset *d, const ms_uff58_function *f) {
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

static ms_status refuse_size(reader *r, const dataset *d, const ms_uff58_function *f) {
  char text[256];
  const char *p = r->text.rest.begin, *end = r->text.rest.end;
  snprintf(text, sizeof text,
           "%td samples take %td bytes, the dataset announces %td and the file has %td left; "
           "correct the counts or complete the file",
           f->n, f->n * sample_size(f, 0), d->n_bytes, end - p);
  return refuse_byte(r, p, text);
}

static ms_status read_samples(reader *r, const dataset *d, const ms_uff58_function *f,
                              const sink *s, int double_x) {
  const unsigned char *p = (const unsigned char *)r->text.rest.begin;
  for (ptrdiff_t k = 0; k < f->n * s->per_sample; k++) {
    int is_x = s->x && k % s->per_sample == 0;
    int wide = is_x ? f->is_double && double_x : f->is_double;
    double value = wide ? get_double(p, d->big) : get_float(p, d->big);
    if (!isfinite(value))
      return refuse_byte(r, (const char *)p, "a value is not finite; is the byte order right?");
    put_value(s, k, value);
    p += wide ? 8 : 4;
  }
  return MS_SUCCESS;
}

/* Lines go on to be counted behind the data. */
static ms_status close_binary(reader *r, ptrdiff_t bytes) {
  const char *data = r->text.rest.begin, *behind = find_close(data + bytes, r->text.rest.end);
  if (!behind)
    return refuse_byte(r, data + bytes, "no -1 closes the dataset here; are the counts right?");
  for (const char *p = data; p < behind; p++) r->text.line += *p == '\n';
  r->text.rest.begin = behind;
  return MS_SUCCESS;
}

static ms_status read_binary(reader *r, const dataset *d, ptrdiff_t i) {
  ms_uff58_function *f = &r->file->function[i];
  int double_x = find_abscissa(r, d, f);
  if (double_x < 0) return refuse_size(r, d, f);
  sink s;
  MS_TRY(make_sink(r, i, &s));
  MS_TRY(read_samples(r, d, f, &s, double_x));
  return close_binary(r, f->n * sample_size(f, double_x));
}

/* ---- one function ---- */

/* Room for one more; the new one is empty and counts from now on. */
static ms_status add_function(reader *r, ptrdiff_t line) {
  ms_uff58 *f = r->file;
  MS_TRY(ms_resize(r->ctx, f->n + 1, sizeof *f->function, &f->function));
  MS_TRY(ms_resize(r->ctx, f->n + 1, sizeof *f->x, &f->x));
  MS_TRY(ms_resize(r->ctx, f->n + 1, sizeof *f->y, &f->y));
  f->function[f->n] = (ms_uff58_function) { .line = line };
  f->x[f->n] = f->y[f->n] = NULL;
  f->n++;
  return MS_SUCCESS;
}

/* A count that the rest of the file cannot hold is refused before memory is asked for. */
static ms_status check_room(reader *r, const ms_uff58_function *f) {
  ptrdiff_t per_sample = 1 + f->is_complex + !f->is_even;
  ptrdiff_t room = (r->text.rest.end - r->text.rest.begin + 1) / SHORTEST_VALUE;
  if (f->n <= room / per_sample) return MS_SUCCESS;
  return refuse(r,
                "%td samples are announced, more than the rest of the file can hold; complete "
                "the file or correct the count",
                f->n);
}

static ms_status read_function(reader *r, const dataset *d) {
  MS_TRY(add_function(r, d->line));
  ptrdiff_t i = r->file->n - 1;
  ms_uff58_function *f = &r->file->function[i];
  f->is_binary = d->binary;
  MS_TRY(read_header(r, d, f));
  if (d->binary) return read_binary(r, d, i);
  MS_TRY(check_room(r, f));
  sink s;
  MS_TRY(make_sink(r, i, &s));
  return read_ascii(r, &s, f->n * s.per_sample);
}

/* ---- datasets ---- */

static int take_count(ms_span *line, ptrdiff_t *out) {
  line->begin = ms_io_skip_blanks(*line);
  return ms_io_scan_integer(&line->begin, line->end, out) && *out >= 0;
}

/* What follows the b: byte order, format, lines, bytes. */
static ms_status read_binary_line(reader *r, ms_span line, dataset *d) {
  ptrdiff_t order;
  ms_span rest = line;
  char shown[MS_IO_EXCERPT_SIZE];
  if (!take_count(&rest, &order) || !take_count(&rest, &d->format) ||
      !take_count(&rest, &d->n_lines) || !take_count(&rest, &d->n_bytes) || order < 1 || order > 2)
    return refuse(r,
                  "'%s' does not describe binary data; it must hold byte order (1 or 2), format "
                  "(2), lines of text (11) and bytes",
                  ms_io_excerpt(line, shown));
  d->big = order == 2;
  if (d->number != 58) return MS_SUCCESS;
  if (d->format != 2)
    return refuse(r, "floating-point format %td; only IEEE, 2, is read: export the file anew",
                  d->format);
  if (d->n_lines < N_HEADER)
    return refuse(r, "%td lines of text before binary data; there must be %d", d->n_lines,
                  N_HEADER);
  return MS_SUCCESS;
}

static ms_status read_dataset_line(reader *r, dataset *d) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  if (!ms_io_take_line(&r->text, &line))
    return refuse(r, "the file ends where a dataset begins; delete the last -1 or complete it");
  *d = (dataset) { .line = r->text.line };
  ms_span rest = ms_io_trim(line);
  if (!take_count(&rest, &d->number))
    return refuse(r, "'%s' is no number of a dataset; after the -1 that opens it there must be one",
                  ms_io_excerpt(line, shown));
  d->binary = rest.begin < rest.end && (*rest.begin == 'b' || *rest.begin == 'B');
  if (!d->binary) return MS_SUCCESS;
  rest.begin++;
  return read_binary_line(r, rest, d);
}

static void note_other(reader *r, ptrdiff_t number) {
  size_t used = strlen(r->others);
  if (used > LISTED - 24) return;
  snprintf(r->others + used, LISTED - used, "%s%td", used ? ", " : "", number);
}

static ms_status skip_dataset(reader *r, const dataset *d) {
  ms_span line;
  note_other(r, d->number);
  if (d->binary) {
    for (ptrdiff_t i = 0; i < d->n_lines; i++) MS_TRY(take_header(r, d, &line));
    if (d->n_bytes > r->text.rest.end - r->text.rest.begin)
      return refuse_byte(r, r->text.rest.end, "binary data end too early; complete the file");
    return close_binary(r, d->n_bytes);
  }
  while (ms_io_take_line(&r->text, &line))
    if (is_delimiter(line)) return MS_SUCCESS;
  return refuse(r, "no -1 closes dataset %td, which begins in line %td; complete the file",
                d->number, d->line);
}

/* The -1 that opens a dataset; *found is 0 at the end of the file. */
static ms_status find_dataset(reader *r, int *found) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  for (*found = 0; ms_io_take_line(&r->text, &line);) {
    *found = is_delimiter(line);
    if (*found) return MS_SUCCESS;
    ms_span text = ms_io_trim(line);
    if (text.begin == text.end) continue;
    return refuse(r, "'%s' is outside of any dataset; a dataset opens and closes with a line -1",
                  ms_io_excerpt(line, shown));
  }
  return MS_SUCCESS;
}

static ms_status read_file(reader *r) {
  dataset d;
  MS_TRY(ms_allocate(r->ctx, 1, sizeof *r->file, &r->file));
  r->file->ctx = r->ctx;
  for (int found;;) {
    MS_TRY(find_dataset(r, &found));
    if (!found) break;
    MS_TRY(read_dataset_line(r, &d));
    MS_TRY(d.number == 58 ? read_function(r, &d) : skip_dataset(r, &d));
  }
  if (r->file->n > 0) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: holds no function; there must be a dataset 58%s%s",
                 r->name, r->others[0] ? ", but there is only " : "", r->others);
}

ms_status ms_uff58_parse(ms_context *ctx, const char *name, const char *bytes, size_t length,
                         ms_uff58 **out) {
  reader r = { .ctx = ctx, .name = name, .begin = bytes, .text.rest = { bytes, bytes + length } };
  ms_status status = read_file(&r);
  if (status != MS_SUCCESS) ms_uff58_destroy(&r.file);
  *out = r.file;
  return status;
}

ms_status ms_uff58_read(ms_context *ctx, const char *path, ms_uff58 **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_uff58_read: needs a place for the functions");
  *out = NULL;
  if (!path) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_uff58_read: needs a path");
  char *bytes;
  size_t length;
  MS_TRY(ms_io_load(ctx, path, &bytes, &length));
  ms_status status = ms_uff58_parse(ctx, path, bytes, length, out);
  ms_free(ctx, &bytes);
  return status;
}
