/* The header of a dataset 58: eleven lines of fixed columns. */
#include "io/uff58.h"

#include <limits.h>
#include <math.h>

enum { N_ID = 5, MAX_NUMBERS = 6 };

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

void ms_uff_copy_text(ms_span text, char *out) {
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

ms_status ms_uff_take_header(ms_uff_reader *r, const ms_uff_dataset *d, ms_span *line) {
  if (ms_io_take_line(&r->text, line)) return MS_SUCCESS;
  return ms_uff_refuse(
      r, "the file ends in the header of the dataset that begins in line %td; complete it",
      d->line);
}

/* In its columns: I5,I10,I5,I10, then for response and reference 1X,10A1,I10,I4. */
static int read_dof_columns(ms_span line, ms_uff58_function *f) {
  ms_uff_copy_text(columns(line, 31, 10), f->response_name);
  ms_uff_copy_text(columns(line, 56, 10), f->reference_name);
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
  ms_uff_copy_text(word, out);
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

static ms_status read_dof(ms_uff_reader *r, const ms_uff_dataset *d, ms_uff58_function *f) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  MS_TRY(ms_uff_take_header(r, d, &line));
  if (read_dof_columns(line, f) || read_dof_words(line, f)) return MS_SUCCESS;
  return ms_uff_refuse(
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

static ms_status read_layout(ms_uff_reader *r, const ms_uff_dataset *d, ms_uff58_function *f) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  double number[MAX_NUMBERS];
  MS_TRY(ms_uff_take_header(r, d, &line));
  if (!read_numbers(line, number))
    return ms_uff_refuse(
        r,
        "'%s' does not describe the data; it must hold kind, count, spacing, first "
        "abscissa, step and z",
        ms_io_excerpt(line, shown));
  double kind = number[0];
  if (kind != 2.0 && kind != 4.0 && kind != 5.0 && kind != 6.0)
    return ms_uff_refuse(r,
                         "data of kind %g; it must be 2 (real), 4 (real double), 5 (complex) or 6 "
                         "(complex double)",
                         kind);
  if (!is_count(number[1]))
    return ms_uff_refuse(r, "%g samples; their number must be a positive integer", number[1]);
  if (number[2] != 0.0 && number[2] != 1.0)
    return ms_uff_refuse(r, "spacing %g; it must be 0 (uneven) or 1 (even)", number[2]);
  f->is_complex = kind == 5.0 || kind == 6.0;
  f->is_double = kind == 4.0 || kind == 6.0;
  f->n = (ptrdiff_t)number[1];
  f->is_even = number[2] == 1.0;
  f->x_first = f->is_even ? number[3] : 0.0;
  f->x_step = f->is_even ? number[4] : 0.0;
  f->z = number[5];
  if (f->is_even && f->n > 1 && f->x_step == 0.0)
    return ms_uff_refuse(
        r,
        "even spacing with a step of 0; give the step, or spacing 0 and an abscissa "
        "with every value");
  return MS_SUCCESS;
}

static ms_status read_axis(ms_uff_reader *r, const ms_uff_dataset *d, ms_uff58_axis *axis) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  int *const number[] = { &axis->kind, &axis->length, &axis->force, &axis->temperature };
  MS_TRY(ms_uff_take_header(r, d, &line));
  ms_uff_copy_text(columns(line, 26, 20), axis->label);
  ms_uff_copy_text(columns(line, 47, 20), axis->unit);
  ms_span rest = columns(line, 0, 26);
  for (int i = 0; i < 4; i++) {
    if (is_integer(ms_io_take_word(&rest), number[i])) continue;
    return ms_uff_refuse(
        r,
        "'%s' does not describe an axis; it must begin with four integers: kind and "
        "exponents of length, force and temperature",
        ms_io_excerpt(line, shown));
  }
  return MS_SUCCESS;
}

ms_status ms_uff_read_header(ms_uff_reader *r, const ms_uff_dataset *d, ms_uff58_function *f) {
  ms_uff58_axis *const axis[] = { &f->abscissa, &f->ordinate, &f->denominator, &f->z_axis };
  for (int i = 0; i < N_ID; i++) {
    ms_span line;
    MS_TRY(ms_uff_take_header(r, d, &line));
    ms_uff_copy_text(columns(line, 0, 80), f->id[i]);
  }
  MS_TRY(read_dof(r, d, f));
  MS_TRY(read_layout(r, d, f));
  for (int i = 0; i < 4; i++) MS_TRY(read_axis(r, d, axis[i]));
  ms_span line;
  for (ptrdiff_t i = MS_UFF_HEADER; d->binary && i < d->n_lines; i++)
    MS_TRY(ms_uff_take_header(r, d, &line));
  return MS_SUCCESS;
}
