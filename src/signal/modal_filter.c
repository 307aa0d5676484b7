/* Modal filter for measurements: x = Phi q at the sensors, so with Phi = U S V^T

     q = Phi^+ x,   Phi^+ = V S^+ U^T,

   the least-squares solution, and the smallest where the sensors leave a choice. */
#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <limits.h>
#include <string.h>

#include "signal/internal.h"

typedef struct svd {
  lapack_int m, n, k;      /* sensors, modes, the smaller of them */
  double *phi, *u, *s, *v; /* u: m x k, v: the transpose, k x n */
  double *work;
  lapack_int n_work;
} svd;

static void close_svd(ms_context *ctx, svd *w) {
  ms_free(ctx, &w->phi);
  ms_free(ctx, &w->u);
  ms_free(ctx, &w->s);
  ms_free(ctx, &w->v);
  ms_free(ctx, &w->work);
}

static ms_status open_svd(ms_context *ctx, svd *w) {
  ptrdiff_t m = w->m, n = w->n, k = w->k;
  MS_TRY(ms_allocate(ctx, m * n, sizeof(double), &w->phi));
  MS_TRY(ms_allocate(ctx, m * k, sizeof(double), &w->u));
  MS_TRY(ms_allocate(ctx, k, sizeof(double), &w->s));
  MS_TRY(ms_allocate(ctx, k * n, sizeof(double), &w->v));
  w->n_work = (lapack_int)(5 * (m + n)); /* dgesvd asks for max(3k + max(m, n), 5k) */
  return ms_allocate(ctx, w->n_work, sizeof(double), &w->work);
}

static ms_status decompose(ms_context *ctx, const double *phi, svd *w) {
  memcpy(w->phi, phi, (size_t)w->m * (size_t)w->n * sizeof *phi);
  lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'S', 'S', w->m, w->n, w->phi, w->m, w->s,
                                        w->u, w->m, w->v, w->k, w->work, w->n_work);
  if (info == 0 && w->s[0] > 0.0 && isfinite(w->s[0])) return MS_SUCCESS;
  if (info == 0)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "mode shapes at the sensors are zero or too large: largest singular value %g",
                   w->s[0]);
  return ms_fail(ctx, MS_NOT_CONVERGED, "singular values of the mode shapes did not converge");
}

static ms_modal_filter_info judge(const svd *w, double tolerance) {
  ms_modal_filter_info info = { .rank = 0 };
  while (info.rank < w->k && w->s[info.rank] > tolerance * w->s[0]) info.rank++;
  info.condition = w->s[0] / w->s[info.rank - 1];
  if (info.rank < w->k) info.dropped = w->s[info.rank] / w->s[0];
  return info;
}

static ms_status check_shapes(ms_context *ctx, ptrdiff_t n_sensor, ptrdiff_t n_mode,
                              const double *phi, double tolerance) {
  if (n_sensor < 1 || n_mode < 1 || !phi)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td sensors and %td modes; at least 1 of each is needed",
                   n_sensor, n_mode);
  if (n_sensor > INT_MAX / 20 || n_mode > INT_MAX / 20)
    return ms_fail(ctx, MS_ERR_OVERFLOW, "%td sensors and %td modes are too many", n_sensor,
                   n_mode);
  if (!(tolerance >= 0.0 && tolerance < 1.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "tolerance for singular values is %g; it must be in [0, 1)", tolerance);
  return ms_signal_check_finite(ctx, "mode shapes at the sensors", n_sensor * n_mode, phi);
}

ms_status ms_signal_invert_modes(ms_context *ctx, ptrdiff_t n_sensor, ptrdiff_t n_mode,
                                 const double *phi, double tolerance, double *inverse,
                                 ms_modal_filter_info *info) {
  MS_TRY(check_shapes(ctx, n_sensor, n_mode, phi, tolerance));
  svd w = { .m = (lapack_int)n_sensor, .n = (lapack_int)n_mode };
  w.k = w.m < w.n ? w.m : w.n;
  ms_status status = open_svd(ctx, &w);
  if (status == MS_SUCCESS) status = decompose(ctx, phi, &w);
  if (status == MS_SUCCESS) {
    double usual = DBL_EPSILON * (double)(w.m > w.n ? w.m : w.n);
    ms_modal_filter_info found = judge(&w, tolerance > 0.0 ? tolerance : usual);
    /* inverse = V S^+ U^T, n x m. */
    for (ptrdiff_t r = 0; r < found.rank; r++) cblas_dscal(w.m, 1.0 / w.s[r], w.u + r * w.m, 1);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasTrans, w.n, w.m, (int)found.rank, 1.0, w.v, w.k,
                w.u, w.m, 0.0, inverse, w.n);
    status = ms_signal_check_finite(ctx, "inverse of the mode shapes", n_sensor * n_mode, inverse);
    if (found.rank < n_mode)
      ms_log(ctx, MS_LOG_WARNING,
             "%td sensors tell only %td of %td modes apart; the smallest coordinates are given",
             n_sensor, found.rank, n_mode);
    if (info) *info = found;
  }
  close_svd(ctx, &w);
  return status;
}

ms_status ms_signal_modal_filter(ms_context *ctx, ptrdiff_t n_sensor, ptrdiff_t n_mode,
                                 const double *phi, double tolerance, ptrdiff_t n, const double *x,
                                 double *q, ms_modal_filter_info *info) {
  MS_TRY(check_shapes(ctx, n_sensor, n_mode, phi, tolerance));
  if (n < 1 || n > INT_MAX || !x || !q)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td samples to filter; 1 to %d are possible", n, INT_MAX);
  MS_TRY(ms_signal_check_finite(ctx, "samples of the sensors", n * n_sensor, x));
  double *inverse;
  MS_TRY(ms_allocate(ctx, n_sensor * n_mode, sizeof *inverse, &inverse));
  ms_status status = ms_signal_invert_modes(ctx, n_sensor, n_mode, phi, tolerance, inverse, info);
  if (status == MS_SUCCESS) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)n, (int)n_mode, (int)n_sensor, 1.0, x,
                (int)n, inverse, (int)n_mode, 0.0, q, (int)n);
    status = ms_signal_check_finite(ctx, "modal coordinates", n * n_mode, q);
  }
  ms_free(ctx, &inverse);
  return status;
}
