/* Modes of K x = omega^2 M x by LAPACK, made deterministic. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "structure/impl.h"

/* Largest entry positive, the first where several are equally large. */
static void fix_sign(double *x, ptrdiff_t n) {
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  for (ptrdiff_t i = 0; i < n; i++) {
    if (fabs(x[i]) < (1.0 - ms_structure_tol.same_entry) * largest) continue;
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
      if (size <= best * (1.0 + ms_structure_tol.same_entry)) continue;
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
      if (omega[r + m] - omega[r] > ms_structure_tol.same_frequency * omega[r + m]) break;
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

/* ---- low modes ---- */

/* An eigenvalue is right to the rounding of the largest, which may be that of a light coordinate on
   a stiff spring and say nothing about the low ones. Those are found once more in their own
   subspace, where rounding is that of the entries of K which they move. work: 2 n m + m^2. */
static ms_status refine_low(ms_context *ctx, ptrdiff_t n, const double *K, ptrdiff_t m,
                            double *omega, double *shape, double *work) {
  const int N = (int)n, M = (int)m;
  double *KX = work, *X = work + n * m, *S = X + n * m;
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, N, M, 1.0, K, N, shape, N, 0.0, KX, N);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, M, M, N, 1.0, shape, N, KX, N, 0.0, S, M);
  lapack_int info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', M, S, M, omega);
  if (info != 0) {
    return ms_fail(ctx, MS_NOT_CONVERGED, "LAPACK found no low modes (dsyev gave %d)", (int)info);
  }
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, M, M, 1.0, shape, N, S, M, 0.0, X, N);
  memcpy(shape, X, (size_t)(n * m) * sizeof *shape);
  return MS_SUCCESS;
}

/* |x|^T |K| |x|: what rounding of x^T K x is relative to. */
static double find_scale(ptrdiff_t n, const double *K, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t j = 0; j < n; j++) {
    double column = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) column += fabs(K[i + n * j] * x[i]);
    sum += column * fabs(x[j]);
  }
  return sum;
}

/* How much of x, x^T M x = 1, is none of the motions that strain nothing: to rounding, never less.
 */
static double find_rest(ptrdiff_t n, const ms_rounding *rounding, const double *x) {
  double rest = 1.0;
  for (ptrdiff_t k = 0; k < rounding->n_free; k++) {
    double a = cblas_ddot((int)n, rounding->momentum + n * k, 1, x, 1);
    rest -= a * a;
  }
  return fmax(rest, ms_structure_tol.rest);
}

/* omega^2 below `least` is zero, below -worst it is negative. */
static void find_limits(ptrdiff_t n, const double *K, const ms_rounding *rounding, double largest,
                        const double *x, double *least, double *worst) {
  double own = ms_structure_tol.rigid * find_scale(n, K, x), doubt = rounding->doubt * largest;
  *least = *worst = fmax(own, doubt);
  if (rounding->level == 0.0) return;
  double rest = find_rest(n, rounding, x);
  *least = fmax(own, rest * fmin(doubt, rounding->level));
  *worst = fmax(own, rest * fmax(doubt, rounding->level));
}

static ms_status to_frequencies(ms_context *ctx, ptrdiff_t n, const double *K,
                                const ms_rounding *rounding, ptrdiff_t m, double *omega,
                                const double *shape) {
  const double largest = fabs(omega[n - 1]);
  for (ptrdiff_t r = 0; r < n; r++) {
    double least = 0.0, worst = 0.0;
    if (r < m) find_limits(n, K, rounding, largest, shape + n * r, &least, &worst);
    if (omega[r] < -worst) {
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "the stiffness matrix is indefinite: omega^2 = %g of mode %td is negative; a "
                     "structure at rest must be stable",
                     omega[r], r + 1);
    }
    omega[r] = omega[r] <= least ? 0.0 : sqrt(omega[r]);
  }
  return MS_SUCCESS;
}

static ms_status find_frequencies(ms_context *ctx, ptrdiff_t n, const double *K,
                                  const ms_rounding *rounding, double *omega, double *shape) {
  ptrdiff_t m = 0;
  double *work;
  while (m < n && omega[m] <= ms_structure_tol.low * fabs(omega[n - 1])) m++;
  if (m == 0) return to_frequencies(ctx, n, K, rounding, 0, omega, shape);
  MS_TRY(ms_allocate(ctx, 2 * n * m + m * m, sizeof *work, &work));
  ms_status status = refine_low(ctx, n, K, m, omega, shape, work);
  ms_free(ctx, &work);
  return status == MS_SUCCESS ? to_frequencies(ctx, n, K, rounding, m, omega, shape) : status;
}

static ms_status solve(ms_context *ctx, ptrdiff_t n, double *K, double *M, char *const *name,
                       double *omega) {
  lapack_int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', (lapack_int)n, K, (lapack_int)n,
                                   M, (lapack_int)n, omega);
  if (info == 0) return MS_SUCCESS;
  if (info > n) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, MS_MASS_NOT_DEFINITE, name[info - n - 1]);
  }
  if (info == LAPACK_WORK_MEMORY_ERROR)
    return ms_fail(ctx, MS_ERR_MEMORY, "out of memory for modes");
  return ms_fail(ctx, MS_NOT_CONVERGED, "LAPACK found no modes (dsygvd gave %d)", (int)info);
}

ms_status ms_modes_solve(ms_context *ctx, ptrdiff_t n, const double *K, const double *M,
                         const ms_rounding *rounding, char *const *name, double *omega,
                         double *shape) {
  double *mass;
  size_t bytes = (size_t)(n * n) * sizeof *mass;
  MS_TRY(ms_allocate(ctx, n * n, sizeof *mass, &mass));
  memcpy(mass, M, bytes);
  memcpy(shape, K, bytes);
  ms_status status = solve(ctx, n, shape, mass, name, omega);
  ms_free(ctx, &mass);
  if (status == MS_SUCCESS) status = find_frequencies(ctx, n, K, rounding, omega, shape);
  if (status == MS_SUCCESS) status = fix_clusters(ctx, n, omega, shape);
  return status;
}

ms_status ms_structure_find_like(const ms_structure *s, const ms_structure *reference, ptrdiff_t r,
                                 ptrdiff_t *out, double *mac) {
  const ptrdiff_t n = s->n;
  const double *phi = reference->shape + n * r; /* phi^T M phi = 1 */
  double *M_x;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *M_x, &M_x));
  *mac = -1.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    const double *x = s->shape + n * k;
    memset(M_x, 0, (size_t)n * sizeof *M_x);
    ms_structure_apply_mass(reference, 1.0, x, M_x);
    const double both = cblas_ddot((int)n, phi, 1, M_x, 1), own = cblas_ddot((int)n, x, 1, M_x, 1);
    if (both * both / own > *mac) *mac = both * both / own, *out = k;
  }
  ms_free(s->ctx, &M_x);
  return MS_SUCCESS;
}

double ms_structure_get_excess_damping(const ms_structure *structure, ptrdiff_t mode, double omega,
                                       double zeta) {
  double omega_0 = ms_structure_get_stuck(structure).omega[mode];
  return zeta - ms_structure_get_damping_ratio(structure, mode) * omega_0 / omega;
}

double ms_structure_get_modal_force(const ms_structure *s, ptrdiff_t r, const double *force,
                                    double *size) {
  const ms_modes stuck = ms_structure_get_stuck(s);
  double part = 0.0, sum = 0.0;
  for (ptrdiff_t i = 0; i < stuck.n; i++) {
    const double one = stuck.shape[i + stuck.n * r] * force[i];
    part += one;
    sum += fabs(one);
  }
  if (size) *size = sum;
  return part;
}

double ms_structure_get_effective_mass(const ms_structure *s, ptrdiff_t r, const double *M_iota) {
  const double part = ms_structure_get_modal_force(s, r, M_iota, NULL);
  return part * part;
}
