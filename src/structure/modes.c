/* Modes of K x = omega^2 M x by LAPACK, made deterministic. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "structure/impl.h"

#define RIGID   1e-11 /* of the largest omega^2: below it a mode is rigid */
#define CLUSTER 1e-9  /* relative distance of frequencies that count as one */
#define SAME    1e-8  /* entries of a shape that count as equally large */

/* Largest entry positive, the first where several are equally large. */
static void fix_sign(double *x, ptrdiff_t n) {
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (fabs(x[i]) < (1.0 - SAME) * largest) continue;
    if (x[i] < 0.0) {
      for (ptrdiff_t k = 0; k < n; k++) x[k] = -x[k];
    }
    return;
  }
}

/* Within a cluster of m mass-normalised modes any rotation is as good. The chosen basis: the first
   vector is the subspace's strongest answer to a single coordinate, the next the same in what is
   left. In the cluster's own coordinates a coordinate i is the row (x_1[i], ..., x_m[i]). */
static void fix_cluster(double *x, ptrdiff_t n, ptrdiff_t m, double *work) {
  double *Q = work;             /* m x m rotation, columns are the new vectors */
  double *fresh = work + m * m; /* n x m */
  for (ptrdiff_t c = 0; c < m; c++) {
    double best = -1.0, *q = Q + m * c;
    for (ptrdiff_t i = 0; i < n; i++) {
      double row[64], size = 0.0;
      for (ptrdiff_t k = 0; k < m; k++) row[k] = x[i + n * k];
      for (ptrdiff_t p = 0; p < c; p++) {
        double dot = 0.0;
        for (ptrdiff_t k = 0; k < m; k++) dot += row[k] * Q[k + m * p];
        for (ptrdiff_t k = 0; k < m; k++) row[k] -= dot * Q[k + m * p];
      }
      for (ptrdiff_t k = 0; k < m; k++) size += row[k] * row[k];
      if (size <= best * (1.0 + SAME)) continue;
      best = size;
      for (ptrdiff_t k = 0; k < m; k++) q[k] = row[k] / sqrt(size > 0.0 ? size : 1.0);
    }
  }
  for (ptrdiff_t c = 0; c < m; c++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      double sum = 0.0;
      for (ptrdiff_t k = 0; k < m; k++) sum += x[i + n * k] * Q[k + m * c];
      fresh[i + n * c] = sum;
    }
  }
  memcpy(x, fresh, (size_t)(n * m) * sizeof *x);
}

static ms_status fix_clusters(ms_context *ctx, ptrdiff_t n, const double *omega, double *shape) {
  enum { MAX_CLUSTER = 64 };
  for (ptrdiff_t r = 0, m; r < n; r += m) {
    for (m = 1; r + m < n && m < MAX_CLUSTER; m++) {
      if (omega[r + m] - omega[r] > CLUSTER * omega[r + m]) break;
    }
    if (m == 1) continue;
    double *work;
    MS_TRY(ms_allocate(ctx, m * m + n * m, sizeof *work, &work));
    fix_cluster(shape + n * r, n, m, work);
    ms_free(ctx, &work);
  }
  for (ptrdiff_t r = 0; r < n; r++) fix_sign(shape + n * r, n);
  return MS_SUCCESS;
}

static ms_status to_frequencies(ms_context *ctx, ptrdiff_t n, double *omega) {
  double largest = fabs(omega[n - 1]);
  for (ptrdiff_t r = 0; r < n; r++) {
    if (omega[r] < -RIGID * largest) {
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "the stiffness matrix is indefinite: omega^2 = %g of mode %td is negative; a "
                     "structure at rest is stable",
                     omega[r], r + 1);
    }
    omega[r] = omega[r] <= RIGID * largest ? 0.0 : sqrt(omega[r]);
  }
  return MS_SUCCESS;
}

static ms_status solve(ms_context *ctx, ptrdiff_t n, double *K, double *M, char *const *name,
                       double *omega) {
  lapack_int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', (lapack_int)n, K, (lapack_int)n,
                                   M, (lapack_int)n, omega);
  if (info == 0) return MS_SUCCESS;
  if (info > n) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the mass matrix is not positive definite: see coordinate '%s', which needs a "
                   "mass of its own",
                   name[info - n - 1]);
  }
  if (info == LAPACK_WORK_MEMORY_ERROR)
    return ms_fail(ctx, MS_ERR_MEMORY, "out of memory for modes");
  return ms_fail(ctx, MS_NOT_CONVERGED, "LAPACK found no modes (dsygvd gave %d)", (int)info);
}

ms_status ms_modes_solve(ms_context *ctx, ptrdiff_t n, const double *K, const double *M,
                         char *const *name, double *omega, double *shape) {
  double *mass;
  size_t bytes = (size_t)(n * n) * sizeof *mass;
  MS_TRY(ms_allocate(ctx, n * n, sizeof *mass, &mass));
  memcpy(mass, M, bytes);
  memcpy(shape, K, bytes);
  ms_status status = solve(ctx, n, shape, mass, name, omega);
  ms_free(ctx, &mass);
  if (status == MS_SUCCESS) status = to_frequencies(ctx, n, omega);
  if (status == MS_SUCCESS) status = fix_clusters(ctx, n, omega, shape);
  return status;
}
