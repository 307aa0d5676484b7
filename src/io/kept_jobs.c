/* Jobs that have ended: a stream of rows of WIDTH numbers, each with a checksum (see stream.c).

     the first                format, fingerprint of the work (two halves of 32 bits)
     each job that has ended  a row {fingerprint of the set of jobs (two halves), job, n}, then n
                              numbers in as many rows as they need

   A job whose rows are not all there counts as not run. */
#include "io/kept_jobs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/internal.h"

enum { WIDTH = 8, FORMAT = 1 };

struct ms_kept_jobs {
  ms_context *ctx;
  ms_stream *stream;
  double *rows; /* of an earlier start: whole jobs only, without the first row */
  ptrdiff_t n_row;
};

/* ---- fingerprints ---- */

uint64_t ms_fingerprint_add(uint64_t sum, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  for (; n > 0; n--, p++) sum = (sum ^ *p) * UINT64_C(0x100000001b3);
  return sum;
}

uint64_t ms_fingerprint_add_text(uint64_t sum, const char *text) {
  return ms_fingerprint_add(sum, text, strlen(text) + 1);
}

uint64_t ms_fingerprint_add_file(uint64_t sum, const char *path) {
  unsigned char bytes[4096];
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return sum;
  FILE *file = fopen(path, "rb");
  if (!file) return sum;
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;) {
    sum = ms_fingerprint_add(sum, bytes, n);
  }
  fclose(file);
  return sum;
}

/* Numbers hold 53 bits: two halves are exact. */
void ms_fingerprint_put(uint64_t sum, double halves[2]) {
  halves[0] = (double)(sum >> 32);
  halves[1] = (double)(sum & UINT32_MAX);
}

uint64_t ms_fingerprint_get(const double halves[2]) {
  return (uint64_t)halves[0] << 32 | (uint64_t)halves[1];
}

/* ---- life ---- */

static ms_status fill_new(ms_kept_jobs *k, const char *path, const char *beside,
                          uint64_t identity) {
  static const char *const names[WIDTH] = { "0", "1", "2", "3", "4", "5", "6", "7" };
  double row[WIDTH] = { FORMAT };
  ms_fingerprint_put(identity, row + 1);
  MS_TRY(ms_stream_create(k->ctx, beside, WIDTH, names, &k->stream));
  MS_TRY(ms_stream_append(k->stream, row, 1));
  MS_TRY(ms_stream_flush(k->stream));
  if (rename(beside, path) == 0) return MS_SUCCESS;
  return ms_fail(k->ctx, ms_status_of_errno(errno), "%s: %s", path, strerror(errno));
}

ms_status ms_kept_jobs_create(ms_context *ctx, const char *path, uint64_t identity,
                              ms_kept_jobs **out) {
  char *beside;
  const size_t length = strlen(path);
  *out = NULL;
  MS_TRY(ms_allocate(ctx, (ptrdiff_t)length + 5, 1, &beside));
  snprintf(beside, length + 5, "%s.new", path);
  ms_status status = ms_allocate(ctx, 1, sizeof **out, out);
  if (status == MS_SUCCESS) {
    (*out)->ctx = ctx;
    status = fill_new(*out, path, beside, identity);
  }
  ms_free(ctx, &beside);
  if (status != MS_SUCCESS) ms_kept_jobs_close(out);
  return status;
}

static ptrdiff_t rows_of(double n) {
  return ((ptrdiff_t)n + WIDTH - 1) / WIDTH;
}

/* Rows of the job whose first row is `row`, that one counted; 0 if they are not all there. */
static ptrdiff_t job_rows(const double *row, ptrdiff_t left) {
  if (left < 1 || !(row[3] >= 0.0) || row[3] > (double)WIDTH * (double)left) return 0;
  ptrdiff_t n = 1 + rows_of(row[3]);
  return n <= left ? n : 0;
}

static ms_status read_rows(ms_kept_jobs *k, ms_stream *stream, uint64_t *identity) {
  double first[WIDTH];
  ptrdiff_t rows = ms_stream_get_rows(stream) - 1;
  if (rows < 0 || ms_stream_get_columns(stream) != WIDTH)
    return ms_fail(k->ctx, MS_ERR_FORMAT, "its first row is damaged");
  MS_TRY(ms_stream_read_rows(stream, 0, 1, first));
  *identity = first[0] == FORMAT ? ms_fingerprint_get(first + 1) : 0;
  MS_TRY(ms_allocate(k->ctx, rows * WIDTH + 1, sizeof *k->rows, &k->rows));
  if (rows > 0) MS_TRY(ms_stream_read_rows(stream, 1, rows, k->rows));
  for (ptrdiff_t n; (n = job_rows(k->rows + WIDTH * k->n_row, rows - k->n_row)) > 0;) k->n_row += n;
  return MS_SUCCESS;
}

ms_status ms_kept_jobs_open(ms_context *ctx, const char *path, uint64_t *identity,
                            ms_kept_jobs **out) {
  ms_stream *stream;
  *out = NULL;
  MS_TRY(ms_stream_open(ctx, path, &stream));
  ms_status status = ms_allocate(ctx, 1, sizeof **out, out);
  if (status == MS_SUCCESS) {
    (*out)->ctx = ctx;
    status = read_rows(*out, stream, identity);
  }
  ms_stream_discard(&stream);
  if (status != MS_SUCCESS) ms_kept_jobs_close(out);
  return status;
}

ms_status ms_kept_jobs_go_on(ms_kept_jobs *k, const char *path) {
  return ms_stream_reopen(k->ctx, path, 1 + k->n_row, &k->stream);
}

void ms_kept_jobs_close(ms_kept_jobs **kept) {
  ms_kept_jobs *k = *kept;
  if (!k) return;
  ms_stream_discard(&k->stream); /* every row was flushed as it came */
  ms_free(k->ctx, &k->rows);
  ms_free(k->ctx, kept);
}

/* ---- jobs ---- */

ms_status ms_kept_jobs_add(ms_kept_jobs *k, const char *what, ptrdiff_t job, const double *values,
                           ptrdiff_t n) {
  double *rows;
  ptrdiff_t n_row = 1 + rows_of((double)n);
  MS_TRY(ms_allocate(k->ctx, n_row * WIDTH, sizeof *rows, &rows));
  ms_fingerprint_put(ms_fingerprint_add_text(MS_FINGERPRINT, what), rows);
  rows[2] = (double)job;
  rows[3] = (double)n;
  if (n > 0) memcpy(rows + WIDTH, values, (size_t)n * sizeof *rows);
  ms_status status = ms_stream_append(k->stream, rows, n_row);
  if (status == MS_SUCCESS) status = ms_stream_flush(k->stream);
  ms_free(k->ctx, &rows);
  return status;
}

int ms_kept_jobs_next(const ms_kept_jobs *k, const char *what, ptrdiff_t *at, ms_kept *out) {
  uint64_t wanted = ms_fingerprint_add_text(MS_FINGERPRINT, what);
  while (*at < k->n_row) {
    const double *row = k->rows + WIDTH * *at;
    *at += job_rows(row, k->n_row - *at);
    if (ms_fingerprint_get(row) != wanted || !(row[2] >= 0.0)) continue;
    *out = (ms_kept) { .job = (ptrdiff_t)row[2], .n = (ptrdiff_t)row[3], .values = row + WIDTH };
    return 1;
  }
  return 0;
}
