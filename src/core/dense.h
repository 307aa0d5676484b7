/* Small dense algebra for the inner loops, where a call into LAPACK would cost more than the work.
 */
#ifndef MS_CORE_DENSE_H
#define MS_CORE_DENSE_H

#include <math.h>
#include <stddef.h>

/* Solves A X = B in place by elimination with row exchange; A (n x n) and B (n x columns), column-
   major, are overwritten, B with X. Returns 0, or 1 if A is singular to working precision. */
static inline int ms_dense_solve_many(ptrdiff_t n, double *A, ptrdiff_t columns, double *B) {
  for (ptrdiff_t k = 0; k < n; k++) {
    ptrdiff_t p = k;
    for (ptrdiff_t i = k + 1; i < n; i++) {
      if (fabs(A[i + n * k]) > fabs(A[p + n * k])) p = i;
    }
    if (!(fabs(A[p + n * k]) > 0.0)) return 1;
    for (ptrdiff_t j = k; p != k && j < n; j++) {
      double swap = A[k + n * j];
      A[k + n * j] = A[p + n * j];
      A[p + n * j] = swap;
    }
    A[k + n * k] = 1.0 / A[k + n * k];
    const double *restrict l = A + n * k;
    for (ptrdiff_t i = k + 1; i < n; i++) A[i + n * k] *= l[k];
    for (ptrdiff_t j = k + 1; j < n; j++) { /* along columns: vectors, where there is much to do */
      double *restrict c = A + n * j;
      for (ptrdiff_t i = k + 1; i < n; i++) c[i] -= l[i] * c[k];
    }
    for (ptrdiff_t j = 0; j < columns; j++) {
      double *restrict b = B + n * j, swap = b[k];
      b[k] = b[p];
      b[p] = swap;
      for (ptrdiff_t i = k + 1; i < n; i++) b[i] -= l[i] * b[k];
    }
  }
  for (ptrdiff_t j = 0; j < columns; j++) {
    double *restrict b = B + n * j;
    for (ptrdiff_t k = n - 1; k >= 0; k--) {
      for (ptrdiff_t i = k + 1; i < n; i++) b[k] -= A[k + n * i] * b[i];
      b[k] *= A[k + n * k];
    }
  }
  return 0;
}

/* The same for one right-hand side. */
static inline int ms_dense_solve(ptrdiff_t n, double *A, double *b) {
  return ms_dense_solve_many(n, A, 1, b);
}

#endif
