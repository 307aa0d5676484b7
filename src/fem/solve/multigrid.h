/* Many right-hand sides at a time by multigrid. Blocks of vectors are dense matrices of PETSc, rows
   divided as those of K: one pass through a sparse matrix serves all columns, which is four times
   cheaper than a pass for each. */
#ifndef MS_FEM_SOLVE_MULTIGRID_H
#define MS_FEM_SOLVE_MULTIGRID_H

#include "fem/solve/petsc.h"

/* ---- block_vectors.c ---- */

/* A block of n vectors for the columns of A, all zero. */
ms_status ms_columns_create(ms_context *ctx, Mat A, PetscInt n, Mat *X);
/* Its entries of this process: rows x columns, without gaps. */
ms_status ms_columns_read(ms_context *ctx, Mat X, double **x);
ms_status ms_columns_copy(ms_context *ctx, Mat from, Mat to);
/* Y = A X; Y is made the first time, and is always that of the same A and X. */
ms_status ms_columns_multiply(ms_context *ctx, Mat A, Mat X, Mat *Y);
/* c[i + n j] = X_i^T Y_j for all pairs, n the columns of X; or c[j] = X_j^T Y_j. */
ms_status ms_columns_dot_all(ms_context *ctx, Mat X, Mat Y, double *c);
ms_status ms_columns_dot(ms_context *ctx, Mat X, Mat Y, double *c);
/* Y += X c with such a c. */
ms_status ms_columns_add(ms_context *ctx, Mat X, const double *c, Mat Y);
/* The rows of this process, and the columns. */
void ms_columns_size(Mat X, PetscInt *row, PetscInt *column);

/* ---- v_cycle.c: one cycle of smoothed aggregation ---- */

typedef struct ms_levels ms_levels;

/* A is borrowed, and has K's layout. */
ms_status ms_levels_create(ms_fem_model *m, Mat A, ms_levels **out);
void ms_levels_destroy(ms_fem_model *m, ms_levels **levels);
/* Z = B R with B about A^-1, symmetric and positive definite. */
ms_status ms_levels_apply(ms_levels *levels, Mat R, Mat Z);

/* ---- multigrid.c ---- */

typedef struct ms_multigrid ms_multigrid;

/* A is borrowed. *out is to be destroyed after a failure as well. */
ms_status ms_multigrid_create(ms_fem_model *m, Mat A, ms_multigrid **out);
void ms_multigrid_destroy(ms_fem_model *m, ms_multigrid **mg);
/* Z = B R with B about A^-1, symmetric and positive definite. */
ms_status ms_multigrid_apply(ms_multigrid *mg, Mat R, Mat Z);
/* A X = B by conjugate gradients, all columns in step, each until its residual is the `tolerance`th
   of its right-hand side. X is written. MS_NOT_CONVERGED if A is not positive definite. */
ms_status ms_multigrid_solve(ms_multigrid *mg, Mat B, double tolerance, Mat X);

/* ---- conjugate_gradients.c ---- */

typedef ms_status (*ms_precondition)(void *self, Mat R, Mat Z);
ms_status ms_gradients_solve(ms_fem_model *m, Mat A, ms_precondition apply, void *self, Mat B,
                             double tolerance, Mat X);

/* ---- lobpcg.c ---- */

/* The n lowest eigenvalues mu of A x = mu M x, their residuals, and their vectors in the first
   columns of *X, orthonormal with M. *X is to be destroyed. */
ms_status ms_lobpcg_find(ms_fem_model *m, ms_multigrid *mg, Mat A, Mat M, PetscInt n, double *mu,
                         double *residual, Mat *X);

#endif
