/* Blocks of vectors: what PETSc's dense matrices do not do in one go. */
#include <string.h>

#include <cblas.h>

#include "fem/solve/multigrid.h"

ms_status ms_columns_create(ms_context *ctx, Mat A, PetscInt n, Mat *X) {
  PetscInt row;
  MS_PETSC(ctx, MatGetLocalSize(A, NULL, &row));
  MS_PETSC(ctx, MatCreateDense(PETSC_COMM_WORLD, row, PETSC_DECIDE, PETSC_DETERMINE, n, NULL, X));
  MS_PETSC(ctx, MatAssemblyBegin(*X, MAT_FINAL_ASSEMBLY));
  MS_PETSC(ctx, MatAssemblyEnd(*X, MAT_FINAL_ASSEMBLY));
  return MS_SUCCESS;
}

void ms_columns_size(Mat X, PetscInt *row, PetscInt *column) {
  MatGetLocalSize(X, row, NULL);
  MatGetSize(X, NULL, column);
}

ms_status ms_columns_read(ms_context *ctx, Mat X, double **x) {
  PetscScalar *array = NULL;
  *x = NULL;
  MS_PETSC(ctx, MatDenseGetArray(X, &array));
  *x = array; /* stays valid: the memory is the matrix's own */
  MS_PETSC(ctx, MatDenseRestoreArray(X, &array));
  return MS_SUCCESS;
}

/* Blocks of SLEPc may have gaps between columns. */
ms_status ms_columns_copy(ms_context *ctx, Mat from, Mat to) {
  double *a, *b;
  PetscInt n, column, ld_a, ld_b;
  ms_columns_size(from, &n, &column);
  MS_PETSC(ctx, MatDenseGetLDA(from, &ld_a));
  MS_PETSC(ctx, MatDenseGetLDA(to, &ld_b));
  MS_TRY(ms_columns_read(ctx, from, &a));
  MS_TRY(ms_columns_read(ctx, to, &b));
  for (PetscInt j = 0; j < column; j++) {
    memcpy(b + (ptrdiff_t)ld_b * j, a + (ptrdiff_t)ld_a * j, (size_t)n * sizeof *b);
  }
  return MS_SUCCESS;
}

ms_status ms_columns_multiply(ms_context *ctx, Mat A, Mat X, Mat *Y) {
  MatReuse reuse = *Y ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX;
  MS_PETSC(ctx, MatMatMult(A, X, reuse, PETSC_DEFAULT, Y));
  return MS_SUCCESS;
}

static ms_status sum(ms_context *ctx, PetscInt n, double *c) {
  MS_PETSC(ctx, MPI_Allreduce(MPI_IN_PLACE, c, (int)n, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  return MS_SUCCESS;
}

ms_status ms_columns_dot_all(ms_context *ctx, Mat X, Mat Y, double *c) {
  double *x, *y;
  PetscInt n, n_x, n_y;
  ms_columns_size(X, &n, &n_x);
  ms_columns_size(Y, &n, &n_y);
  MS_TRY(ms_columns_read(ctx, X, &x));
  MS_TRY(ms_columns_read(ctx, Y, &y));
  int ld = n > 0 ? n : 1;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n_x, n_y, n, 1.0, x, ld, y, ld, 0.0, c, n_x);
  return sum(ctx, n_x * n_y, c);
}

/* SLEPc's blocks may have gaps between their columns. */
ms_status ms_columns_add(ms_context *ctx, Mat X, const double *c, Mat Y) {
  double *x, *y;
  PetscInt n, n_x, n_y, ld_y;
  ms_columns_size(X, &n, &n_x);
  ms_columns_size(Y, &n, &n_y);
  MS_PETSC(ctx, MatDenseGetLDA(Y, &ld_y));
  MS_TRY(ms_columns_read(ctx, X, &x));
  MS_TRY(ms_columns_read(ctx, Y, &y));
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n_y, n_x, 1.0, x, n > 0 ? n : 1, c, n_x,
              1.0, y, ld_y > 0 ? ld_y : 1);
  return MS_SUCCESS;
}

ms_status ms_columns_dot(ms_context *ctx, Mat X, Mat Y, double *c) {
  double *x, *y;
  PetscInt n, column;
  ms_columns_size(X, &n, &column);
  MS_TRY(ms_columns_read(ctx, X, &x));
  MS_TRY(ms_columns_read(ctx, Y, &y));
  for (PetscInt j = 0; j < column; j++) {
    c[j] = cblas_ddot(n, x + (ptrdiff_t)n * j, 1, y + (ptrdiff_t)n * j, 1);
  }
  return sum(ctx, column, c);
}
