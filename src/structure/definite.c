/* Whether mass and stiffness are those of a structure at rest, without its modes: by Cholesky's
   factors, within the band where matrices have one.

   M must be positive definite, and so must

     K + tau R + mu M,   R the row sums of |K| on the diagonal,

   where tau and mu are as much as rounding may take from K: of x^T K x less than tau x^T R x, which
   is not less than tau |x|^T |K| |x|, and mu of an omega^2. Where it is not definite, K has a mode
   that ms_modes_solve refuses, too. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "structure/impl.h"

/* How far from the diagonal there are entries. */
static ptrdiff_t find_band(ptrdiff_t n, const double *A) {
  ptrdiff_t band = 0;
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = n - 1; i > j + band; i--) {
      if (A[i + n * j] != 0.0) band = i - j;
    }
  }
  return band;
}

/* 0, or 1 + the coordinate up to which A, symmetric, is not definite; below 0: no memory. Of A the
   lower part is read. */
static lapack_int factor(ms_context *ctx, ptrdiff_t n, const double *A) {
  const ptrdiff_t band = find_band(n, A);
  const int full = band >= n / 4; /* dense factors take less time */
  const ptrdiff_t rows = full ? n : band + 1;
  double *L;
  if (ms_allocate(ctx, rows * n, sizeof *L, &L) != MS_SUCCESS) return LAPACK_WORK_MEMORY_ERROR;
  for (ptrdiff_t j = 0; j < n; j++) {
    const ptrdiff_t m = full || n - j < rows ? n - j : rows;
    memcpy(L + rows * j + (full ? j : 0), A + n * j + j, (size_t)m * sizeof *L);
  }
  lapack_int info =
      full ? LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, L, (lapack_int)n)
           : LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, (lapack_int)band, L,
                                 (lapack_int)rows);
  ms_free(ctx, &L);
  return info;
}

ms_status ms_modes_check_mass(ms_context *ctx, ptrdiff_t n, const double *M, char *const *name) {
  const lapack_int info = factor(ctx, n, M);
  if (info == 0) return MS_SUCCESS;
  if (info < 0) return ms_fail(ctx, MS_ERR_MEMORY, "out of memory for factors");
  return ms_fail(ctx, MS_ERR_ARGUMENT, MS_MASS_NOT_DEFINITE, name[info - 1]);
}

ms_status ms_modes_check_stiffness(ms_context *ctx, ptrdiff_t n, double *K, const double *M,
                                   const ms_rounding *rounding, char *const *name) {
  const double tau =
      fmax(ms_structure_tol.rigid, 4.0 * (double)(find_band(n, K) + 1) * DBL_EPSILON);
  double highest = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) highest = fmax(highest, K[i + n * i] / M[i + n * i]);
  const double known = fmax(ms_structure_tol.highest * rounding->doubt * highest, rounding->level);
  const double mu = fmax(known, highest > 0.0 ? ms_structure_tol.unheld * highest : 1.0);
  /* K := K + tau R + mu M. */
  for (ptrdiff_t j = 0; j < n; j++) {
    double sum = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) sum += fabs(K[i + n * j]);
    K[j + n * j] += tau * sum; /* the columns that follow have their own diagonal */
  }
  for (ptrdiff_t k = 0; k < n * n; k++) K[k] += mu * M[k];
  const lapack_int info = factor(ctx, n, K);
  if (info == 0) return MS_SUCCESS;
  if (info < 0) return ms_fail(ctx, MS_ERR_MEMORY, "out of memory for factors");
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "the stiffness matrix is indefinite, among the degrees of freedom up to '%s'; a "
                 "structure at rest must be stable",
                 name[info - 1]);
}
