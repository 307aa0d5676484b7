/* Small dense algebra for the inner loops, where a call into LAPACK would cost more than the work.
 */
#ifndef MS_CORE_DENSE_H
#define MS_CORE_DENSE_H

#include <math.h>
#include <stddef.h>

/* x^T y, in two sums: one would wait for itself. */
static inline double ms_dot(ptrdiff_t n, const double *restrict x, const double *restrict y) {
  double even = 0.0, odd = 0.0;
  ptrdiff_t i = 0;
  for (; i + 1 < n; i += 2) {
    even += x[i] * y[i];
    odd += x[i + 1] * y[i + 1];
  }
  return i < n ? even + odd + x[i] * y[i] : even + odd;
}

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

/* The same steps for n = 2 and one right-hand side, without the loops that two unknowns would spend
   most of the time in. */
static inline int ms_dense_solve_two(const double A[4], double b[2]) {
  const int p = fabs(A[1]) > fabs(A[0]);
  const double inverse = 1.0 / A[p], l = A[1 - p] * inverse, last = A[3 - p] - l * A[2 + p];
  if (!(fabs(A[p]) > 0.0 && fabs(last) > 0.0)) return 1;
  const double y = (b[1 - p] - l * b[p]) * (1.0 / last);
  b[0] = (b[p] - A[2 + p] * y) * inverse;
  b[1] = y;
  return 0;
}

/* ms_dense_solve_many for one right-hand side. */
static inline int ms_dense_solve(ptrdiff_t n, double *A, double *b) {
  if (n == 2) return ms_dense_solve_two(A, b);
  return ms_dense_solve_many(n, A, 1, b);
}

/* y -= a x for `n` complex numbers, all as pairs. */
static inline void ms_dense_subtract_pairs(ptrdiff_t n, const double a[2], const double *restrict x,
                                           double *restrict y) {
  const double re = a[0], im = a[1];
  for (ptrdiff_t i = 0; i < n; i++) {
    y[2 * i] -= re * x[2 * i] - im * x[2 * i + 1];
    y[2 * i + 1] -= re * x[2 * i + 1] + im * x[2 * i];
  }
}

static inline void ms_dense_times_pair(const double a[2], double *x) {
  double re = a[0] * x[0] - a[1] * x[1];
  x[1] = a[0] * x[1] + a[1] * x[0];
  x[0] = re;
}

static inline void ms_dense_swap_pairs(double *a, double *b) {
  for (int i = 0; i < 2; i++) {
    double swap = a[i];
    a[i] = b[i];
    b[i] = swap;
  }
}

/* ms_dense_solve_many for complex numbers as pairs. */
static inline int ms_dense_solve_pairs(ptrdiff_t n, double *A, ptrdiff_t columns, double *B) {
  for (ptrdiff_t k = 0; k < n; k++) {
    double *l = A + 2 * n * k, *d = l + 2 * k;
    ptrdiff_t p = k;
    for (ptrdiff_t i = k + 1; i < n; i++) {
      if (hypot(l[2 * i], l[2 * i + 1]) > hypot(l[2 * p], l[2 * p + 1])) p = i;
    }
    double size = l[2 * p] * l[2 * p] + l[2 * p + 1] * l[2 * p + 1];
    if (!(size > 0.0)) return 1;
    for (ptrdiff_t j = k; p != k && j < n; j++) {
      ms_dense_swap_pairs(A + 2 * (k + n * j), A + 2 * (p + n * j));
    }
    d[0] = d[0] / size, d[1] = -d[1] / size; /* the inverse */
    for (ptrdiff_t i = k + 1; i < n; i++) ms_dense_times_pair(d, l + 2 * i);
    for (ptrdiff_t j = k + 1; j < n; j++) {
      double *c = A + 2 * (k + n * j);
      ms_dense_subtract_pairs(n - k - 1, c, d + 2, c + 2);
    }
    for (ptrdiff_t j = 0; j < columns; j++) {
      double *b = B + 2 * n * j;
      if (p != k) ms_dense_swap_pairs(b + 2 * k, b + 2 * p);
      ms_dense_subtract_pairs(n - k - 1, b + 2 * k, d + 2, b + 2 * k + 2);
    }
  }
  for (ptrdiff_t j = 0; j < columns; j++) {
    double *b = B + 2 * n * j;
    for (ptrdiff_t k = n - 1; k >= 0; k--) { /* along columns */
      ms_dense_times_pair(A + 2 * (k + n * k), b + 2 * k);
      ms_dense_subtract_pairs(k, b + 2 * k, A + 2 * n * k, b);
    }
  }
  return 0;
}

#endif
