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
#include "io/uff58.h"

#include <stdarg.h>
#include <stdio.h>

ms_status ms_uff_refuse(ms_uff_reader *r, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s:%td: %s", r->name, r->text.line, text);
}

ms_status ms_uff_refuse_byte(ms_uff_reader *r, const char *at, const char *what) {
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: byte %td: %s", r->name, at - r->begin, what);
}

/* ---- life ---- */

void ms_uff58_destroy(ms_uff58 **file) {
  if (!file || !*file) return;
  ms_uff58 *f = *file;
  for (ptrdiff_t i = 0; i < f->n; i++) {
    ms_free(f->ctx, &f->x[i]);
    ms_free(f->ctx, &f->y[i]);
  }
  ms_uff_free_other(f);
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

/* ---- one function ---- */

/* Room for one more; the new one is empty and counts from now on. */
static ms_status add_function(ms_uff_reader *r, ptrdiff_t line) {
  ms_uff58 *f = r->file;
  MS_TRY(ms_resize(r->ctx, f->n + 1, sizeof *f->function, &f->function));
  MS_TRY(ms_resize(r->ctx, f->n + 1, sizeof *f->x, &f->x));
  MS_TRY(ms_resize(r->ctx, f->n + 1, sizeof *f->y, &f->y));
  f->function[f->n] = (ms_uff58_function) { .line = line };
  f->x[f->n] = f->y[f->n] = NULL;
  f->n++;
  return MS_SUCCESS;
}

static ms_status read_function(ms_uff_reader *r, const ms_uff_dataset *d) {
  MS_TRY(add_function(r, d->line));
  ptrdiff_t i = r->file->n - 1;
  ms_uff58_function *f = &r->file->function[i];
  f->is_binary = d->binary;
  MS_TRY(ms_uff_read_header(r, d, f));
  return d->binary ? ms_uff_read_binary(r, d, i) : ms_uff_read_ascii(r, i);
}

/* ---- datasets ---- */

static int take_count(ms_span *line, ptrdiff_t *out) {
  line->begin = ms_io_skip_blanks(*line);
  return ms_io_scan_integer(&line->begin, line->end, out) && *out >= 0;
}

/* What follows the b: byte order, format, lines, bytes. */
static ms_status read_binary_line(ms_uff_reader *r, ms_span line, ms_uff_dataset *d) {
  ptrdiff_t order;
  ms_span rest = line;
  char shown[MS_IO_EXCERPT_SIZE];
  if (!take_count(&rest, &order) || !take_count(&rest, &d->format) ||
      !take_count(&rest, &d->n_lines) || !take_count(&rest, &d->n_bytes) || order < 1 || order > 2)
    return ms_uff_refuse(
        r,
        "'%s' does not describe binary data; it must hold byte order (1 or 2), format "
        "(2), lines of text (11) and bytes",
        ms_io_excerpt(line, shown));
  d->big = order == 2;
  if (d->number != 58) return MS_SUCCESS;
  if (d->format != 2)
    return ms_uff_refuse(
        r, "floating-point format %td; only IEEE, 2, is read: export the file again", d->format);
  if (d->n_lines < MS_UFF_HEADER)
    return ms_uff_refuse(r, "%td lines of text before binary data; there must be %d", d->n_lines,
                         MS_UFF_HEADER);
  return MS_SUCCESS;
}

static ms_status read_dataset_line(ms_uff_reader *r, ms_uff_dataset *d) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  if (!ms_io_take_line(&r->text, &line))
    return ms_uff_refuse(r,
                         "the file ends where a dataset begins; delete the last -1 or complete it");
  *d = (ms_uff_dataset) { .line = r->text.line };
  ms_span rest = ms_io_trim(line);
  if (!take_count(&rest, &d->number))
    return ms_uff_refuse(r, "'%s' is not the number of a dataset; one must follow the opening -1",
                         ms_io_excerpt(line, shown));
  d->binary = rest.begin < rest.end && (*rest.begin == 'b' || *rest.begin == 'B');
  if (!d->binary) return MS_SUCCESS;
  rest.begin++;
  return read_binary_line(r, rest, d);
}

static void note_other(ms_uff_reader *r, ptrdiff_t number) {
  size_t used = strlen(r->others);
  if (used > MS_UFF_LISTED - 24) return;
  snprintf(r->others + used, MS_UFF_LISTED - used, "%s%td", used ? ", " : "", number);
}

static ms_status skip_dataset(ms_uff_reader *r, const ms_uff_dataset *d) {
  ms_span line;
  int taken = 0;
  note_other(r, d->number);
  if (r->any && !d->binary) MS_TRY(ms_uff_read_other(r, d, &taken));
  if (taken) return MS_SUCCESS;
  if (d->binary) {
    for (ptrdiff_t i = 0; i < d->n_lines; i++) MS_TRY(ms_uff_take_header(r, d, &line));
    if (d->n_bytes > r->text.rest.end - r->text.rest.begin)
      return ms_uff_refuse_byte(r, r->text.rest.end,
                                "binary data end too early; complete the file");
    return ms_uff_close_binary(r, d->n_bytes);
  }
  while (ms_io_take_line(&r->text, &line))
    if (ms_uff_is_delimiter(line)) return MS_SUCCESS;
  return ms_uff_refuse(
      r, "dataset %td, which begins in line %td, has no closing -1; complete the file", d->number,
      d->line);
}

/* The -1 that opens a dataset; *found is 0 at the end of the file. */
static ms_status find_dataset(ms_uff_reader *r, int *found) {
  ms_span line;
  char shown[MS_IO_EXCERPT_SIZE];
  for (*found = 0; ms_io_take_line(&r->text, &line);) {
    *found = ms_uff_is_delimiter(line);
    if (*found) return MS_SUCCESS;
    ms_span text = ms_io_trim(line);
    if (text.begin == text.end) continue;
    return ms_uff_refuse(
        r, "'%s' is outside of any dataset; a dataset opens and closes with a line -1",
        ms_io_excerpt(line, shown));
  }
  return MS_SUCCESS;
}

static ms_status read_file(ms_uff_reader *r) {
  ms_uff_dataset d;
  MS_TRY(ms_allocate(r->ctx, 1, sizeof *r->file, &r->file));
  r->file->ctx = r->ctx;
  for (int found;;) {
    MS_TRY(find_dataset(r, &found));
    if (!found) break;
    MS_TRY(read_dataset_line(r, &d));
    MS_TRY(d.number == 58 ? read_function(r, &d) : skip_dataset(r, &d));
  }
  const ms_uff58 *f = r->file;
  if (f->n > 0 || (r->any && f->n_node + f->n_trace + f->n_shape > 0)) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: holds no function; there must be a dataset 58%s%s",
                 r->name, r->others[0] ? ", but there is only " : "", r->others);
}

static ms_status parse(ms_context *ctx, const char *name, const char *bytes, size_t length, int any,
                       ms_uff58 **out) {
  ms_uff_reader r = {
    .ctx = ctx, .name = name, .begin = bytes, .text.rest = { bytes, bytes + length }, .any = any
  };
  ms_status status = read_file(&r);
  if (status != MS_SUCCESS) ms_uff58_destroy(&r.file);
  *out = r.file;
  return status;
}

ms_status ms_uff58_parse(ms_context *ctx, const char *name, const char *bytes, size_t length,
                         ms_uff58 **out) {
  return parse(ctx, name, bytes, length, 0, out);
}

ms_status ms_uff_parse_any(ms_context *ctx, const char *name, const char *bytes, size_t length,
                           ms_uff58 **out) {
  return parse(ctx, name, bytes, length, 1, out);
}

ms_status ms_uff58_read(ms_context *ctx, const char *path, ms_uff58 **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_uff58_read: needs an output pointer");
  *out = NULL;
  if (!path) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_uff58_read: needs a path");
  char *bytes;
  size_t length;
  MS_TRY(ms_io_load(ctx, path, &bytes, &length));
  ms_status status = ms_uff58_parse(ctx, path, bytes, length, out);
  ms_free(ctx, &bytes);
  return status;
}
