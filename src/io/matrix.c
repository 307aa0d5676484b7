/* Matrices, dense and as triplets, from and to files of any format that holds them. */
#include <math.h>
#include <string.h>

#include "io/internal.h"

enum { MAX_DENSE = 1 << 28 }; /* values of a dense matrix: 16384 square, 2 GiB */

void ms_triplets_free(ms_context *ctx, ms_triplets *t) {
  if (!t) return;
  ms_free(ctx, &t->row);
  ms_free(ctx, &t->col);
  ms_free(ctx, &t->value);
  *t = (ms_triplets) { 0 };
}

/* ---- from one form to the other ---- */

ms_status ms_triplets_to_dense(ms_context *ctx, const ms_triplets *t, double **values) {
  *values = NULL;
  if (t->n_row > MAX_DENSE / t->n_col)
    return ms_fail(ctx, MS_ERR_OVERFLOW,
                   "a matrix of %td x %td is too large for a dense matrix; reduce the model to at "
                   "most 16384 degrees of freedom",
                   t->n_row, t->n_col);
  MS_TRY(ms_allocate(ctx, t->n_row * t->n_col, sizeof **values, values));
  double *a = *values;
  for (ptrdiff_t k = 0; k < t->n; k++) {
    a[t->row[k] + t->n_row * t->col[k]] = t->value[k];
    if (t->symmetric) a[t->col[k] + t->n_row * t->row[k]] = t->value[k];
  }
  return MS_SUCCESS;
}

static int is_symmetric(ptrdiff_t n_row, ptrdiff_t n_col, const double *a) {
  if (n_row != n_col) return 0;
  for (ptrdiff_t j = 0; j < n_col; j++)
    for (ptrdiff_t i = 0; i < j; i++)
      if (memcmp(&a[i + n_row * j], &a[j + n_row * i], sizeof *a) != 0) return 0;
  return 1;
}

/* A negative zero is kept: what is read back has the same bits. */
static int is_entry(double value) {
  return value != 0.0 || signbit(value);
}

static ms_status allocate_triplets(ms_context *ctx, ms_triplets *t) {
  MS_TRY(ms_resize(ctx, t->n, sizeof *t->row, &t->row));
  MS_TRY(ms_resize(ctx, t->n, sizeof *t->col, &t->col));
  return ms_resize(ctx, t->n, sizeof *t->value, &t->value);
}

ms_status ms_triplets_from_dense(ms_context *ctx, ptrdiff_t n_row, ptrdiff_t n_col,
                                 const double *values, ms_triplets *out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_triplets_from_dense: needs an output pointer");
  *out = (ms_triplets) { .n_row = n_row, .n_col = n_col };
  if (n_row < 1 || n_col < 1 || !values)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a matrix of %td x %td; it needs rows and columns", n_row,
                   n_col);
  out->symmetric = is_symmetric(n_row, n_col, values);
  ptrdiff_t n = 0;
  for (ptrdiff_t j = 0; j < out->n_col; j++)
    for (ptrdiff_t i = out->symmetric ? j : 0; i < out->n_row; i++)
      n += is_entry(values[i + out->n_row * j]);
  out->n = n;
  ms_status status = allocate_triplets(ctx, out);
  if (status == MS_SUCCESS) {
    ptrdiff_t k = 0;
    for (ptrdiff_t j = 0; j < out->n_col; j++) {
      for (ptrdiff_t i = out->symmetric ? j : 0; i < out->n_row; i++) {
        if (!is_entry(values[i + out->n_row * j])) continue;
        out->row[k] = i;
        out->col[k] = j;
        out->value[k++] = values[i + out->n_row * j];
      }
    }
  } else {
    ms_triplets_free(ctx, out);
  }
  return status;
}

/* ---- reading ---- */

static ms_status read_sparse(ms_context *ctx, const ms_format *format, const char *path,
                             ptrdiff_t *n_row, ptrdiff_t *n_col, double **values) {
  ms_triplets t;
  MS_TRY(format->read_triplets(ctx, path, &t));
  *n_row = t.n_row;
  *n_col = t.n_col;
  ms_status status = ms_triplets_to_dense(ctx, &t, values);
  if (status == MS_ERR_OVERFLOW) status = ms_fail_at(ctx, status, "%s", path);
  ms_triplets_free(ctx, &t);
  return status;
}

ms_status ms_matrix_read(ms_context *ctx, const char *path, ptrdiff_t *n_row, ptrdiff_t *n_col,
                         double **values) {
  if (!n_row || !n_col || !values)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_matrix_read: needs an output pointer");
  *n_row = *n_col = 0;
  *values = NULL;
  const ms_format *format;
  MS_TRY(ms_io_find_format(ctx, path, MS_IO_MATRIX, &format));
  ms_status status = format->read_matrix ? format->read_matrix(ctx, path, n_row, n_col, values)
                                         : read_sparse(ctx, format, path, n_row, n_col, values);
  if (status != MS_SUCCESS) *n_row = *n_col = 0;
  return status;
}

ms_status ms_triplets_read(ms_context *ctx, const char *path, ms_triplets *out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_triplets_read: needs an output pointer");
  *out = (ms_triplets) { 0 };
  const ms_format *format;
  MS_TRY(ms_io_find_format(ctx, path, MS_IO_MATRIX, &format));
  if (format->read_triplets) return format->read_triplets(ctx, path, out);
  ptrdiff_t n_row, n_col;
  double *values;
  MS_TRY(format->read_matrix(ctx, path, &n_row, &n_col, &values));
  ms_status status = ms_triplets_from_dense(ctx, n_row, n_col, values, out);
  ms_free(ctx, &values);
  return status;
}

/* ---- writing ---- */

static ms_status check_writable(ms_context *ctx, const ms_triplets *t) {
  if (t->n_row < 1 || t->n_col < 1 || t->n < 0 || (t->symmetric && t->n_row != t->n_col))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a matrix of %td x %td with %td entries; it needs rows and columns, equally "
                   "many if it is symmetric",
                   t->n_row, t->n_col, t->n);
  for (ptrdiff_t k = 0; k < t->n; k++) {
    int inside = t->row[k] >= 0 && t->row[k] < t->n_row && t->col[k] >= 0 && t->col[k] < t->n_col;
    if (!(inside && !(t->symmetric && t->col[k] > t->row[k]))) {
      return ms_fail(
          ctx, MS_ERR_ARGUMENT,
          "entry %td is at row %td, column %td of a %s matrix of %td x %td, counted from 0; "
          "it must be inside; in a symmetric matrix on or below the diagonal",
          k, t->row[k], t->col[k], t->symmetric ? "symmetric" : "general", t->n_row, t->n_col);
    }
    if (isfinite(t->value[k])) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC,
                   "row %td, column %td is %g; only finite numbers are written", t->row[k] + 1,
                   t->col[k] + 1, t->value[k]);
  }
  return MS_SUCCESS;
}

ms_status ms_triplets_write_mtx(ms_context *ctx, const char *path, const ms_triplets *t) {
  ms_status status = check_writable(ctx, t);
  if (status != MS_SUCCESS) return ms_fail_at(ctx, status, "%s", path ? path : "(no path)");
  ms_outfile *file;
  MS_TRY(ms_outfile_open(ctx, path, &file));
  ms_mtx_print(t, ms_outfile_stream(file));
  return ms_outfile_commit(&file);
}

ms_status ms_matrix_write_mtx(ms_context *ctx, const char *path, ptrdiff_t n_row, ptrdiff_t n_col,
                              const double *values) {
  ms_triplets t;
  MS_TRY(ms_triplets_from_dense(ctx, n_row, n_col, values, &t));
  ms_status status = ms_triplets_write_mtx(ctx, path, &t);
  ms_triplets_free(ctx, &t);
  return status;
}
