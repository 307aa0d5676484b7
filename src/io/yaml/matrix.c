/* Square matrices in a YAML file or beside it. */
#include "io/yaml/matrix.h"

#include <string.h>

#include "io/yaml/tables.h"

/* *n is 0 at first; then sizes must agree. */
typedef struct matrix_request {
  const ms_matrix_source *from;
  const char *what; /* for messages */
  struct fy_node *node;
  ptrdiff_t *n;
  double **out;
} matrix_request;

static ms_status check_size(const matrix_request *r, ptrdiff_t rows, ptrdiff_t columns) {
  const ms_yaml *y = r->from->yaml;
  if (rows != columns) {
    return ms_yaml_fail(y, r->node, MS_ERR_FORMAT, "%s must be square, not %td x %td", r->what,
                        rows, columns);
  }
  if (*r->n && rows != *r->n) {
    return ms_yaml_fail(y, r->node, MS_ERR_FORMAT, "%s is %td x %td; it must be %td x %td", r->what,
                        rows, columns, *r->n, *r->n);
  }
  *r->n = rows;
  return MS_SUCCESS;
}

static ms_status check_rows(const matrix_request *r, ptrdiff_t n) {
  return r->from->check ? r->from->check(r->from->user, r->node, n) : MS_SUCCESS;
}

/* ---- a file ---- */

/* The size of a Matrix Market file stands in its second line, whatever is behind that. */
static ms_status read_full(const matrix_request *r, const char *path, ptrdiff_t *rows,
                           ptrdiff_t *columns) {
  ms_context *ctx = r->from->ctx;
  ms_triplets t;
  const size_t length = strlen(path);
  const int labelled = r->from->dofs && ms_matrix_has_labels(path);
  if (!labelled && (length <= 4 || strcmp(path + length - 4, ".mtx") != 0)) {
    return ms_matrix_read(ctx, path, rows, columns, r->out);
  }
  MS_TRY(labelled ? ms_triplets_read_on(ctx, path, r->from->dofs, &t)
                  : ms_triplets_read(ctx, path, &t));
  *rows = t.n_row;
  *columns = t.n_col;
  ms_status status = check_rows(r, t.n_row > t.n_col ? t.n_row : t.n_col);
  if (status == MS_SUCCESS) status = ms_triplets_to_dense(ctx, &t, r->out);
  ms_triplets_free(ctx, &t);
  return status;
}

static ms_status read_file(const matrix_request *r) {
  const ms_yaml *y = r->from->yaml;
  char *path;
  ptrdiff_t rows, columns;
  MS_TRY(ms_yaml_file(y, r->node, r->what, &path));
  ms_status status = read_full(r, path, &rows, &columns);
  ms_free(y->ctx, &path);
  if (status == MS_ERR_BOUNDS) return status; /* of the check: has its place */
  MS_TRY(ms_yaml_fail_of(y, r->from->ctx, r->node, status));
  return check_size(r, rows, columns);
}

/* ---- rows ---- */

static ms_status read_row(const matrix_request *r, struct fy_node *row, ptrdiff_t i) {
  const ms_yaml *y = r->from->yaml;
  double *values;
  ptrdiff_t count, size = *r->n;
  MS_TRY(ms_yaml_numbers(y, row, r->what, &values, &count));
  for (ptrdiff_t j = 0; count == size && j < size; j++) (*r->out)[i + size * j] = values[j];
  ms_free(y->ctx, &values);
  if (count == size) return MS_SUCCESS;
  return ms_yaml_fail(y, row, MS_ERR_FORMAT, "%s: row %td has %td numbers, not %td", r->what, i + 1,
                      count, size);
}

static ms_status read_rows(const matrix_request *r) {
  void *at = NULL, *first = NULL;
  ptrdiff_t size = ms_yaml_count(r->node), i = 0;
  MS_TRY(check_size(r, size, size));
  MS_TRY(check_rows(r, size));
  MS_TRY(ms_allocate(r->from->ctx, size * size, sizeof **r->out, r->out));
  int diagonal = ms_yaml_is_scalar(ms_yaml_next_item(r->node, &first));
  for (struct fy_node *item; (item = ms_yaml_next_item(r->node, &at)); i++) {
    MS_TRY(diagonal ? ms_yaml_number(r->from->yaml, item, r->what, &(*r->out)[i + size * i])
                    : read_row(r, item, i));
  }
  return MS_SUCCESS;
}

ms_status ms_yaml_read_matrix(const ms_matrix_source *from, struct fy_node *node, const char *what,
                              ptrdiff_t *n, double **out) {
  const matrix_request r = { from, what, node, n, out };
  *out = NULL;
  if (ms_yaml_is_scalar(node)) return read_file(&r);
  if (ms_yaml_is_sequence(node) && ms_yaml_count(node) > 0) return read_rows(&r);
  return ms_yaml_fail(from->yaml, node, MS_ERR_FORMAT,
                      "%s must be a list of rows, the diagonal as one list, or the name of a .mtx "
                      "or .csv file",
                      what);
}

/* ---- labels ---- */

ms_status ms_yaml_join_labels(const ms_yaml *y, ms_context *ctx, struct fy_node *mass,
                              struct fy_node *stiffness, ms_dofs *dofs) {
  char *first, *second;
  if (!ms_yaml_is_scalar(mass) || !ms_yaml_is_scalar(stiffness)) return MS_SUCCESS;
  MS_TRY(ms_yaml_file(y, mass, "mass", &first));
  ms_status status = ms_yaml_file(y, stiffness, "stiffness", &second);
  if (status == MS_SUCCESS) {
    if (ms_matrix_has_labels(first) && ms_matrix_has_labels(second))
      status = ms_dofs_join_files(ctx, first, second, dofs);
    ms_free(y->ctx, &second);
    status = ms_yaml_fail_of(y, ctx, mass, status);
  }
  ms_free(y->ctx, &first);
  return status;
}
