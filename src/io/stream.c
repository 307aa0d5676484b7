/* Streams: an append-only file of rows with a checksum each.

     8 bytes   89 M S R O W CR LF   (a transfer as text would change it)
     uint32    version, 1
     uint32    0x01020304, to recognise another byte order
     uint32    number of columns
     uint32    bytes of names, each ended by NUL, filled up with NUL to a multiple of 8
     names
     uint32    0
     uint32    CRC-32 of all of the above
     rows      n_column doubles, uint32 row number (from 0, low 32 bits), uint32 CRC-32 of the rest

   Everything is in the machine's byte order. All rows have the same size, so row k is found at once
   and a half row at the end is seen as such; the number in each row keeps old bytes of a file
   system that lost its length from passing as rows. Rows go to the file in whole blocks by pwrite
   at the place where they belong: after a failed write the same place is written again. */
#include <microslip/io.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "io/crc32.h"

enum { VERSION = 1 };
#define ORDER_MARK UINT32_C(0x01020304)
enum {
  FIXED_SIZE = 24, /* bytes of the header before the names */
  CHECK_SIZE = 8,  /* bytes behind the names, and behind the values of a row */
  MAX_COLUMNS = 65536,
  MAX_NAMES = 1 << 24,  /* bytes */
  BUFFER_SIZE = 262144, /* bytes that are gathered before they are written */
  SHOWN = 40,
  FILE_MODE = 0666
};

static const unsigned char magic[8] = { 0x89, 'M', 'S', 'R', 'O', 'W', '\r', '\n' };

struct ms_stream {
  ms_context *ctx;
  char *path;
  int fd, writable;
  ptrdiff_t n_column, n_row; /* n_row counts rows in the buffer too */
  char *names;               /* each ended by NUL */
  uint32_t names_size;
  off_t header_size;
  size_t row_size;
  unsigned char *buffer; /* of `capacity` rows; `pending` of them wait to be written */
  ptrdiff_t capacity, pending;
  ms_crc32 crc;
};

static ms_status fail_file(const ms_stream *s, const char *what, int error) {
  return ms_fail(s->ctx, ms_status_of_errno(error), "%s: cannot be %s: %s", s->path, what,
                 strerror(error));
}

static void release(ms_stream **stream) {
  ms_stream *s = *stream;
  if (s->fd >= 0) close(s->fd);
  ms_free(s->ctx, &s->buffer);
  ms_free(s->ctx, &s->names);
  ms_free(s->ctx, &s->path);
  ms_free(s->ctx, stream);
}

/* ---- reading and writing at a place ---- */

static ms_status write_at(const ms_stream *s, const void *bytes, size_t n, off_t at) {
  const char *p = bytes;
  while (n > 0) {
    ssize_t done = pwrite(s->fd, p, n, at);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail_file(s, "written", errno);
    p += done;
    n -= (size_t)done;
    at += done;
  }
  return MS_SUCCESS;
}

/* *got is less than n only at the end of the file. */
static ms_status read_at(const ms_stream *s, void *bytes, size_t n, off_t at, size_t *got) {
  *got = 0;
  while (*got < n) {
    ssize_t done = pread(s->fd, (char *)bytes + *got, n - *got, at + (off_t)*got);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail_file(s, "read", errno);
    if (done == 0) break;
    *got += (size_t)done;
  }
  return MS_SUCCESS;
}

static off_t row_offset(const ms_stream *s, ptrdiff_t row) {
  return s->header_size + (off_t)row * (off_t)s->row_size;
}

/* ---- rows ---- */

static uint32_t get32(const unsigned char *p) {
  uint32_t value;
  memcpy(&value, p, sizeof value);
  return value;
}

static void put32(unsigned char *p, uint32_t value) {
  memcpy(p, &value, sizeof value);
}

/* Number and checksum of a row whose values stand in p. */
static void seal_row(const ms_stream *s, unsigned char *p, ptrdiff_t row) {
  size_t n = s->row_size - sizeof(uint32_t);
  put32(p + s->row_size - CHECK_SIZE, (uint32_t)row);
  put32(p + n, ms_crc32_add(&s->crc, 0, p, n));
}

static int is_valid(const ms_stream *s, const unsigned char *p, ptrdiff_t row) {
  size_t n = s->row_size - sizeof(uint32_t);
  return get32(p + s->row_size - CHECK_SIZE) == (uint32_t)row &&
         get32(p + n) == ms_crc32_add(&s->crc, 0, p, n);
}

/* As many of n rows from `first` on as fit into the buffer; *got whole rows are there. */
static ms_status load_rows(const ms_stream *s, ptrdiff_t first, ptrdiff_t n, ptrdiff_t *got) {
  size_t bytes;
  if (n > s->capacity) n = s->capacity;
  MS_TRY(read_at(s, s->buffer, (size_t)n * s->row_size, row_offset(s, first), &bytes));
  *got = (ptrdiff_t)(bytes / s->row_size);
  return MS_SUCCESS;
}

/* Counts the valid rows from the beginning on, `limit` at most. */
static ms_status count_rows(ms_stream *s, ptrdiff_t limit) {
  for (ptrdiff_t got; s->n_row < limit;) {
    MS_TRY(load_rows(s, s->n_row, limit - s->n_row, &got));
    ptrdiff_t good = 0;
    while (good < got && is_valid(s, s->buffer + (size_t)good * s->row_size, s->n_row + good))
      good++;
    s->n_row += good;
    if (good < got || got == 0) break;
  }
  return MS_SUCCESS;
}

/* ---- life ---- */

static ms_status make_stream(ms_context *ctx, const char *path, ms_stream **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "a stream needs an output pointer");
  *out = NULL;
  if (!path || !*path) return ms_fail(ctx, MS_ERR_ARGUMENT, "a stream needs a path");
  MS_TRY(ms_allocate(ctx, 1, sizeof **out, out));
  (*out)->ctx = ctx;
  (*out)->fd = -1;
  ms_crc32_setup(&(*out)->crc);
  ms_status status = ms_text_copy(ctx, path, &(*out)->path);
  if (status != MS_SUCCESS) release(out);
  return status;
}

static ms_status open_file(ms_stream *s, int flags) {
  s->fd = open(s->path, flags | O_CLOEXEC, FILE_MODE);
  return s->fd >= 0 ? MS_SUCCESS : fail_file(s, "opened", errno);
}

/* What follows from the columns. */
static ms_status set_layout(ms_stream *s) {
  s->header_size = FIXED_SIZE + (off_t)s->names_size + CHECK_SIZE;
  s->row_size = (size_t)s->n_column * sizeof(double) + CHECK_SIZE;
  s->capacity = (ptrdiff_t)(BUFFER_SIZE / s->row_size);
  if (s->capacity < 1) s->capacity = 1;
  return ms_resize(s->ctx, s->capacity, s->row_size, &s->buffer);
}

/* ---- a new stream ---- */

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static ms_status find_twice(ms_context *ctx, const char **sorted, ptrdiff_t n) {
  qsort(sorted, (size_t)n, sizeof *sorted, compare_names);
  for (ptrdiff_t j = 1; j < n; j++) {
    if (strcmp(sorted[j - 1], sorted[j]) != 0) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "two columns are named '%.*s'; every column needs its own name", SHOWN,
                   sorted[j]);
  }
  return MS_SUCCESS;
}

static ms_status copy_names(ms_stream *s, const char *const *names) {
  size_t bytes = 0;
  const char **sorted = NULL;
  for (ptrdiff_t j = 0; j < s->n_column; j++)
    if (!names[j] || !*names[j])
      return ms_fail(s->ctx, MS_ERR_ARGUMENT, "column %td has no name; give it one", j + 1);
  MS_TRY(ms_resize(s->ctx, s->n_column, sizeof *sorted, &sorted));
  memcpy(sorted, names, (size_t)s->n_column * sizeof *sorted);
  ms_status status = find_twice(s->ctx, sorted, s->n_column);
  ms_free(s->ctx, &sorted);
  MS_TRY(status);
  for (ptrdiff_t j = 0; j < s->n_column; j++) {
    bytes += strlen(names[j]) + 1;
    if (bytes > MAX_NAMES) return ms_fail(s->ctx, MS_ERR_ARGUMENT, "the names are too long");
  }
  s->names_size = (uint32_t)(bytes + 7) / 8 * 8;
  MS_TRY(ms_allocate(s->ctx, (ptrdiff_t)s->names_size, 1, &s->names));
  char *p = s->names;
  for (ptrdiff_t j = 0; j < s->n_column; j++) {
    size_t n = strlen(names[j]) + 1;
    memcpy(p, names[j], n);
    p += n;
  }
  return MS_SUCCESS;
}

static ms_status create(ms_stream *s, ptrdiff_t n_column, const char *const *names) {
  if (n_column < 1 || n_column > MAX_COLUMNS || !names)
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "a stream of %td columns; it must have 1 to %d",
                   n_column, MAX_COLUMNS);
  s->n_column = n_column;
  s->writable = 1;
  MS_TRY(copy_names(s, names));
  MS_TRY(set_layout(s));
  MS_TRY(open_file(s, O_RDWR | O_CREAT | O_TRUNC));
  unsigned char fixed[FIXED_SIZE], check[CHECK_SIZE] = { 0 };
  memcpy(fixed, magic, sizeof magic);
  put32(fixed + 8, VERSION);
  put32(fixed + 12, ORDER_MARK);
  put32(fixed + 16, (uint32_t)s->n_column);
  put32(fixed + 20, s->names_size);
  uint32_t crc = ms_crc32_add(&s->crc, 0, fixed, sizeof fixed);
  crc = ms_crc32_add(&s->crc, crc, s->names, s->names_size);
  put32(check + 4, ms_crc32_add(&s->crc, crc, check, 4));
  MS_TRY(write_at(s, fixed, sizeof fixed, 0));
  MS_TRY(write_at(s, s->names, s->names_size, FIXED_SIZE));
  MS_TRY(write_at(s, check, sizeof check, FIXED_SIZE + (off_t)s->names_size));
  return ms_stream_flush(s);
}

ms_status ms_stream_create(ms_context *ctx, const char *path, ptrdiff_t n_column,
                           const char *const *names, ms_stream **out) {
  MS_TRY(make_stream(ctx, path, out));
  ms_status status = create(*out, n_column, names);
  if (status != MS_SUCCESS) release(out);
  return status;
}

/* ---- an existing stream ---- */

static ms_status refuse_header(const ms_stream *s, const char *what) {
  return ms_fail(s->ctx, MS_ERR_FORMAT, "%s: %s", s->path, what);
}

static ms_status check_fixed(const ms_stream *s, const unsigned char *fixed, size_t got) {
  size_t known = got < sizeof magic ? got : sizeof magic;
  if (memcmp(fixed, magic, known) != 0)
    return refuse_header(s, "is not a stream of rows; give a file that a run has written");
  if (got < FIXED_SIZE)
    return refuse_header(s,
                         "ends within its header; the run was stopped before its first row, "
                         "start it anew");
  if (get32(fixed + 12) != ORDER_MARK)
    return refuse_header(s,
                         "is damaged or from a machine with another byte order; read it where it "
                         "was written");
  if (get32(fixed + 8) != VERSION)
    return ms_fail(s->ctx, MS_ERR_FORMAT, "%s: is of version %u; this program reads version %d",
                   s->path, (unsigned)get32(fixed + 8), VERSION);
  uint32_t columns = get32(fixed + 16), names = get32(fixed + 20);
  if (columns < 1 || columns > MAX_COLUMNS || names > MAX_NAMES + 8 || names % 8 != 0)
    return refuse_header(s, "has a damaged header; start the run again");
  return MS_SUCCESS;
}

/* Names, zero and checksum, into s->names. */
static ms_status check_names(ms_stream *s, const unsigned char *fixed) {
  size_t got, n = (size_t)s->names_size + CHECK_SIZE;
  MS_TRY(ms_resize(s->ctx, (ptrdiff_t)n, 1, &s->names));
  MS_TRY(read_at(s, s->names, n, FIXED_SIZE, &got));
  if (got < n)
    return refuse_header(s,
                         "ends within its header; the run was stopped before its first row, "
                         "start it anew");
  uint32_t crc = ms_crc32_add(&s->crc, 0, fixed, FIXED_SIZE);
  crc = ms_crc32_add(&s->crc, crc, s->names, n - 4);
  ptrdiff_t ends = 0;
  for (size_t i = 0; i < s->names_size; i++) ends += s->names[i] == '\0';
  if (crc != get32((const unsigned char *)s->names + n - 4) || ends < s->n_column)
    return refuse_header(s, "has a damaged header; start the run again");
  return MS_SUCCESS;
}

static ms_status read_header(ms_stream *s) {
  unsigned char fixed[FIXED_SIZE];
  size_t got;
  MS_TRY(read_at(s, fixed, sizeof fixed, 0, &got));
  MS_TRY(check_fixed(s, fixed, got));
  s->n_column = (ptrdiff_t)get32(fixed + 16);
  s->names_size = get32(fixed + 20);
  MS_TRY(check_names(s, fixed));
  return set_layout(s);
}

static ms_status open_to_read(ms_stream *s) {
  MS_TRY(open_file(s, O_RDONLY));
  MS_TRY(read_header(s));
  return count_rows(s, PTRDIFF_MAX);
}

ms_status ms_stream_open(ms_context *ctx, const char *path, ms_stream **out) {
  MS_TRY(make_stream(ctx, path, out));
  ms_status status = open_to_read(*out);
  if (status != MS_SUCCESS) release(out);
  return status;
}

static ms_status open_to_write(ms_stream *s, ptrdiff_t rows) {
  if (rows < 0)
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: cannot continue after row %td", s->path, rows);
  s->writable = 1;
  MS_TRY(open_file(s, O_RDWR));
  MS_TRY(read_header(s));
  MS_TRY(count_rows(s, rows));
  if (s->n_row < rows)
    return ms_fail(s->ctx, MS_ERR_FORMAT,
                   "%s: has %td valid rows but the checkpoint has %td; the file was changed, start "
                   "the run again",
                   s->path, s->n_row, rows);
  if (ftruncate(s->fd, row_offset(s, rows)) != 0) return fail_file(s, "written", errno);
  return MS_SUCCESS;
}

ms_status ms_stream_reopen(ms_context *ctx, const char *path, ptrdiff_t rows, ms_stream **out) {
  MS_TRY(make_stream(ctx, path, out));
  ms_status status = open_to_write(*out, rows);
  if (status != MS_SUCCESS) release(out);
  return status;
}

/* ---- appending ---- */

/* Row s->n_row - s->pending is the first that the file lacks. */
static ms_status write_pending(ms_stream *s) {
  if (s->pending == 0) return MS_SUCCESS;
  off_t at = row_offset(s, s->n_row - s->pending);
  MS_TRY(write_at(s, s->buffer, (size_t)s->pending * s->row_size, at));
  s->pending = 0;
  return MS_SUCCESS;
}

static ms_status check_writable(const ms_stream *s) {
  if (s->writable) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_STATE, "%s: is open for reading; reopen it to append", s->path);
}

ms_status ms_stream_append(ms_stream *s, const double *rows, ptrdiff_t n) {
  MS_TRY(check_writable(s));
  if (n < 0 || (n > 0 && !rows))
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: %td rows cannot be appended", s->path, n);
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t j = 0; j < s->n_column; j++) {
      double value = rows[j + s->n_column * i];
      if (isfinite(value)) continue;
      return ms_fail(s->ctx, MS_ERR_NUMERIC,
                     "%s: column %.*s, row %td is %g; only finite numbers are written", s->path,
                     SHOWN, ms_stream_get_name(s, j), s->n_row + i + 1, value);
    }
  }
  size_t values = (size_t)s->n_column * sizeof(double);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (s->pending == s->capacity) MS_TRY(write_pending(s));
    unsigned char *p = s->buffer + (size_t)s->pending * s->row_size;
    memcpy(p, rows + s->n_column * i, values);
    seal_row(s, p, s->n_row);
    s->n_row++;
    s->pending++;
  }
  return MS_SUCCESS;
}

ms_status ms_stream_flush(ms_stream *s) {
  MS_TRY(check_writable(s));
  MS_TRY(write_pending(s));
  if (fsync(s->fd) != 0 && errno != EINVAL) return fail_file(s, "written", errno);
  return MS_SUCCESS; /* EINVAL: this file system has nothing to wait for */
}

ms_status ms_stream_close(ms_stream **stream) {
  if (!stream || !*stream) return MS_SUCCESS;
  ms_status status = (*stream)->writable ? ms_stream_flush(*stream) : MS_SUCCESS;
  release(stream);
  return status;
}

void ms_stream_discard(ms_stream **stream) {
  if (stream && *stream) release(stream);
}

/* ---- getters ---- */

ptrdiff_t ms_stream_get_rows(const ms_stream *stream) {
  return stream->n_row;
}

ptrdiff_t ms_stream_get_columns(const ms_stream *stream) {
  return stream->n_column;
}

const char *ms_stream_get_name(const ms_stream *stream, ptrdiff_t column) {
  if (column < 0 || column >= stream->n_column) return NULL;
  const char *name = stream->names;
  for (; column > 0; column--) name += strlen(name) + 1;
  return name;
}

/* ---- reading ---- */

static ms_status check_range(const ms_stream *s, ptrdiff_t first, ptrdiff_t n) {
  if (s->writable)
    return ms_fail(s->ctx, MS_ERR_STATE, "%s: is open for writing; open it again to read", s->path);
  if (first >= 0 && n >= 0 && first <= s->n_row && n <= s->n_row - first) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: there are no rows %td to %td; there are %td",
                 s->path, first + 1, first + n, s->n_row);
}

/* Columns `column` to column + width - 1 of the rows. */
static ms_status read_part(ms_stream *s, ptrdiff_t column, ptrdiff_t width, ptrdiff_t first,
                           ptrdiff_t n, double *out) {
  for (ptrdiff_t done = 0, got; done < n; done += got) {
    MS_TRY(load_rows(s, first + done, n - done, &got));
    if (got == 0)
      return ms_fail(s->ctx, MS_ERR_DISK, "%s: became shorter while it was read", s->path);
    for (ptrdiff_t i = 0; i < got; i++) {
      const unsigned char *p = s->buffer + (size_t)i * s->row_size;
      memcpy(out + width * (done + i), p + (size_t)column * sizeof(double),
             (size_t)width * sizeof(double));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_stream_read_rows(ms_stream *s, ptrdiff_t first, ptrdiff_t n, double *rows) {
  MS_TRY(check_range(s, first, n));
  return read_part(s, 0, s->n_column, first, n, rows);
}

ms_status ms_stream_read_column(ms_stream *s, ptrdiff_t column, ptrdiff_t first, ptrdiff_t n,
                                double *values) {
  MS_TRY(check_range(s, first, n));
  if (column < 0 || column >= s->n_column)
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: there is no column %td; there are %td", s->path,
                   column + 1, s->n_column);
  return read_part(s, column, 1, first, n, values);
}
