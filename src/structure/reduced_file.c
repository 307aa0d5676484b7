/* Reduced models in HDF5: names, mass, stiffness; translations, motions that strain nothing and the
   basis if they are there. */
#include <math.h>
#include <string.h>

#include <microslip/io.h>
#include <microslip/reduced.h>

#include "core/internal.h"
#include "structure/tolerance.h"

#define KIND "microslip reduced model 1"

/* ---- writing ---- */

static ms_status write_all(const ms_reduced *r, ms_results *file) {
  const char *const *name = (const char *const *)r->name;
  int64_t boundary = r->n_boundary;
  MS_TRY(ms_results_set_text(file, "", "kind", KIND));
  MS_TRY(ms_results_write_texts(file, "names", r->n, name));
  MS_TRY(ms_results_write_integers(file, "boundary", 1, &boundary));
  MS_TRY(ms_results_write_matrix(file, "mass", r->n, r->n, r->M));
  MS_TRY(ms_results_write_matrix(file, "stiffness", r->n, r->n, r->K));
  if (r->inertia) {
    MS_TRY(ms_results_write_matrix(file, "inertia", 3, r->n, r->inertia));
    MS_TRY(ms_results_write_matrix(file, "follow", 3, r->n, r->follow));
    MS_TRY(ms_results_write_vector(file, "total_mass", 1, &r->mass));
  }
  if (r->turn) MS_TRY(ms_results_write_matrix(file, "turn", 3, r->n, r->turn));
  if (r->rounding > 0.0) MS_TRY(ms_results_write_vector(file, "rounding", 1, &r->rounding));
  if (r->n_free > 0) {
    MS_TRY(ms_results_write_matrix(file, "momentum", r->n, r->n_free, r->momentum));
  }
  if (r->n_row == 0) return MS_SUCCESS;
  return ms_results_write_matrix(file, "basis", r->n_row, r->n, r->basis);
}

ms_status ms_reduced_write(const ms_reduced *r, const char *path) {
  ms_results *file;
  MS_TRY(ms_results_create(r->ctx, path, &file));
  ms_status status = write_all(r, file);
  if (status == MS_SUCCESS) return ms_results_commit(&file);
  ms_results_close(&file);
  return status;
}

/* ---- reading ---- */

static ms_status check_kind(ms_context *ctx, const char *path, ms_results *file) {
  char *kind = NULL;
  ms_status status = ms_results_get_text(file, "", "kind", &kind);
  int right = status == MS_SUCCESS && strcmp(kind, KIND) == 0;
  ms_free(ctx, &kind);
  if (right || status == MS_ERR_MEMORY) return status;
  return ms_fail(ctx, MS_ERR_FORMAT, "%s: this is not a reduced model (kind '" KIND "')", path);
}

/* A matrix of finite numbers in place of *to; any number of rows will do if *n_row is negative. */
static ms_status read_matrix(const ms_reduced *r, const char *path, ms_results *file,
                             const char *name, ptrdiff_t *n_row, double **to) {
  ptrdiff_t rows, columns;
  double *values;
  MS_TRY(ms_results_read_matrix(file, name, &rows, &columns, &values));
  int right = columns == r->n && (*n_row < 0 || rows == *n_row);
  for (ptrdiff_t i = 0; right && i < rows * columns; i++) right = isfinite(values[i]);
  if (!right) {
    ms_free(r->ctx, &values);
    return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: %s must have %td columns%s of finite numbers", path,
                   name, r->n,
                   *n_row < 0    ? ""
                   : *n_row == 3 ? ", three rows,"
                                 : ", as many rows,");
  }
  ms_free(r->ctx, to);
  *to = values;
  *n_row = rows;
  return MS_SUCCESS;
}

static ms_status read_square(const ms_reduced *r, const char *path, ms_results *file,
                             const char *name, double **to) {
  ptrdiff_t n = r->n;
  double largest = 0.0, rest = 0.0;
  MS_TRY(read_matrix(r, path, file, name, &n, to));
  for (ptrdiff_t i = 0; i < n * n; i++) {
    largest = fmax(largest, fabs((*to)[i]));
    rest = fmax(rest, fabs((*to)[i] - (*to)[i / n + n * (i % n)]));
  }
  if (rest <= ms_structure_tol.symmetry * largest) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: %s is not symmetric", path, name);
}

static ms_status read_number(const ms_reduced *r, const char *path, ms_results *file,
                             const char *name, double *to) {
  ptrdiff_t rows, columns;
  double *value;
  MS_TRY(ms_results_read_matrix(file, name, &rows, &columns, &value));
  int right = rows == 1 && columns == 1 && isfinite(*value) && *value >= 0.0;
  if (right) *to = *value;
  ms_free(r->ctx, &value);
  if (right) return MS_SUCCESS;
  return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: %s must be one number, not negative", path, name);
}

static ms_status read_translations(ms_reduced *r, const char *path, ms_results *file) {
  ms_results_kind kind;
  ptrdiff_t n = 3;
  MS_TRY(ms_results_get_kind(file, "inertia", &kind));
  if (kind == MS_RESULTS_NOTHING) return MS_SUCCESS;
  MS_TRY(read_matrix(r, path, file, "inertia", &n, &r->inertia));
  MS_TRY(read_matrix(r, path, file, "follow", &n, &r->follow));
  return read_number(r, path, file, "total_mass", &r->mass);
}

/* Files of versions without them have neither; then nothing is known of the motions. */
static ms_status read_free(ms_reduced *r, const char *path, ms_results *file) {
  ms_results_kind kind;
  ptrdiff_t rows, columns, three = 3;
  double *values;
  MS_TRY(ms_results_get_kind(file, "turn", &kind));
  if (kind != MS_RESULTS_NOTHING) {
    MS_TRY(read_matrix(r, path, file, "turn", &three, &r->turn));
  }
  MS_TRY(ms_results_get_kind(file, "rounding", &kind));
  if (kind != MS_RESULTS_NOTHING) MS_TRY(read_number(r, path, file, "rounding", &r->rounding));
  MS_TRY(ms_results_get_kind(file, "momentum", &kind));
  if (kind == MS_RESULTS_NOTHING) return MS_SUCCESS;
  MS_TRY(ms_results_read_matrix(file, "momentum", &rows, &columns, &values));
  int right = rows == r->n && columns <= r->n;
  for (ptrdiff_t i = 0; right && i < rows * columns; i++) right = isfinite(values[i]);
  if (!right) {
    ms_free(r->ctx, &values);
    return ms_fail(r->ctx, MS_ERR_FORMAT,
                   "%s: momentum must have %td rows of at most as many finite numbers", path, r->n);
  }
  r->momentum = values;
  r->n_free = columns;
  return MS_SUCCESS;
}

static ms_status read_basis(ms_reduced *r, const char *path, ms_results *file) {
  ms_results_kind kind;
  ptrdiff_t n_row = -1;
  MS_TRY(ms_results_get_kind(file, "basis", &kind));
  if (kind == MS_RESULTS_NOTHING) return MS_SUCCESS;
  MS_TRY(read_matrix(r, path, file, "basis", &n_row, &r->basis));
  r->n_row = n_row;
  return MS_SUCCESS;
}

static ms_status read_names(ms_context *ctx, const char *path, ms_results *file, ms_reduced **out) {
  ptrdiff_t n = 0, n_number = 0;
  char **name = NULL;
  int64_t *boundary = NULL;
  ms_status status = ms_results_read_texts(file, "names", &n, &name);
  if (status == MS_SUCCESS)
    status = ms_results_read_integers(file, "boundary", &n_number, &boundary);
  if (status == MS_SUCCESS && n_number != 1) {
    status = ms_fail(ctx, MS_ERR_FORMAT, "%s: boundary must be one number", path);
  }
  if (status == MS_SUCCESS) {
    status = ms_reduced_create(ctx, n, (ptrdiff_t)*boundary, (const char *const *)name, 0, out);
    if (status != MS_SUCCESS) ms_fail_at(ctx, status, "%s", path);
  }
  ms_free(ctx, &name);
  ms_free(ctx, &boundary);
  return status;
}

static ms_status read_all(ms_context *ctx, const char *path, ms_results *file, ms_reduced **out) {
  MS_TRY(check_kind(ctx, path, file));
  MS_TRY(read_names(ctx, path, file, out));
  MS_TRY(read_square(*out, path, file, "mass", &(*out)->M));
  MS_TRY(read_square(*out, path, file, "stiffness", &(*out)->K));
  MS_TRY(read_translations(*out, path, file));
  MS_TRY(read_free(*out, path, file));
  return read_basis(*out, path, file);
}

ms_status ms_reduced_read(ms_context *ctx, const char *path, ms_reduced **out) {
  ms_results *file;
  MS_MAKE(ctx, out, path);
  MS_TRY(ms_results_open(ctx, path, &file));
  ms_status status = read_all(ctx, path, file, out);
  ms_results_close(&file);
  if (status != MS_SUCCESS) ms_reduced_destroy(out);
  return status;
}
