/* Matrices with labels: mass, stiffness and damping of Abaqus, each with its own rows, on common
   ones. */
#include <microslip/io.h>
#include <string.h>

#include "study/study.h"

static ms_status read_labels(ms_context *ctx, const char *path, ms_dofs *out) {
  ms_triplets t;
  MS_TRY(ms_triplets_read_labelled(ctx, path, &t, out));
  ms_triplets_free(ctx, &t);
  return MS_SUCCESS;
}

ms_status ms_study_join_labels(ms_context *ctx, const char *first, const char *second,
                               ms_dofs *out) {
  ms_dofs a, b;
  MS_TRY(read_labels(ctx, first, &a));
  ms_status status = read_labels(ctx, second, &b);
  if (status == MS_SUCCESS) status = ms_dofs_join(ctx, &a, &b, out);
  ms_dofs_free(ctx, &a);
  ms_dofs_free(ctx, &b);
  return status;
}

static ms_status read_on(ms_context *ctx, const char *path, const ms_dofs *dofs, ptrdiff_t *n,
                         double **values) {
  ms_triplets t;
  ms_dofs own;
  MS_TRY(ms_triplets_read_labelled(ctx, path, &t, &own));
  ms_status status = ms_triplets_relabel(ctx, &t, &own, dofs);
  *n = t.n_row;
  if (status == MS_SUCCESS) status = ms_triplets_to_dense(ctx, &t, values);
  if (status != MS_SUCCESS) status = ms_fail_at(ctx, status, "%s", path);
  ms_triplets_free(ctx, &t);
  ms_dofs_free(ctx, &own);
  return status;
}

/* The size of a Matrix Market file stands in its second line, whatever is behind that. */
static ms_status read_sparse(const ms_study *s, struct fy_node *node, ms_context *ctx,
                             const char *path, ptrdiff_t *n_row, ptrdiff_t *n_col,
                             double **values) {
  ms_triplets t;
  MS_TRY(ms_triplets_read(ctx, path, &t));
  *n_row = t.n_row;
  *n_col = t.n_col;
  double largest = (double)(t.n_row > t.n_col ? t.n_row : t.n_col);
  ms_status status = ms_memory_check_coordinates(s, node, largest);
  if (status == MS_SUCCESS) status = ms_triplets_to_dense(ctx, &t, values);
  ms_triplets_free(ctx, &t);
  return status;
}

ms_status ms_study_read_matrix(const ms_study *study, struct fy_node *node, ms_context *ctx,
                               const char *path, const ms_dofs *dofs, ptrdiff_t *n_row,
                               ptrdiff_t *n_col, double **values) {
  *values = NULL;
  size_t length = strlen(path);
  if (!dofs || !ms_matrix_has_labels(path)) {
    int sparse = length > 4 && strcmp(path + length - 4, ".mtx") == 0;
    return sparse ? read_sparse(study, node, ctx, path, n_row, n_col, values)
                  : ms_matrix_read(ctx, path, n_row, n_col, values);
  }
  MS_TRY(ms_memory_check_coordinates(study, node, (double)dofs->n));
  ms_status status = read_on(ctx, path, dofs, n_row, values);
  *n_col = *n_row;
  return status;
}
