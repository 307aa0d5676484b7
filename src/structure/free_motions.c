/* Motions without strain in reduced models. X^T K X of a mesh has them to the rounding of the mesh,
   which may be far above that of its own entries, and not far below soft modes. With
   mass-normalised motions Z and P = 1 - Z Z^T M, K := P^T K P has them to its own rounding. */
#include <microslip/reduced.h>

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Z := Z R^-1 with R^T R = Z^T M Z, and W = M Z. 1 if the motions are dependent. */
static int normalise(const ms_reduced *r, int k, double *Z, double *W, double *R) {
  const int n = (int)r->n;
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, k, 1.0, r->M, n, Z, n, 0.0, W, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, k, n, 1.0, Z, n, W, n, 0.0, R, k);
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', k, R, k) != 0) return 1;
  double *both[] = { Z, W };
  for (int i = 0; i < 2; i++) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, n, k, 1.0, R, k,
                both[i], n);
  }
  return 0;
}

/* K := K - W (K Z)^T - (K Z) W^T + W (Z^T K Z) W^T, symmetric; Y and S are work. */
static void project(const ms_reduced *r, int k, const double *Z, const double *W, double *Y,
                    double *S) {
  const int n = (int)r->n;
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, k, 1.0, r->K, n, Z, n, 0.0, Y, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, k, n, 0.5, Z, n, Y, n, 0.0, S, k);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, k, k, -1.0, W, n, S, k, 1.0, Y, n);
  cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, n, k, -1.0, W, n, Y, n, 1.0, r->K, n);
  for (ptrdiff_t j = 0; j < r->n; j++) {
    for (ptrdiff_t i = j + 1; i < r->n; i++) r->K[j + r->n * i] = r->K[i + r->n * j];
  }
}

static ms_status set(ms_reduced *r, int k, double *Z, double *Y, double *S) {
  for (int pass = 0; pass < 2; pass++) {
    if (!normalise(r, k, Z, r->momentum, S)) continue;
    return ms_fail(r->ctx, MS_ERR_ARGUMENT,
                   "the motions without strain are dependent, or one of them moves no mass");
  }
  for (int pass = 0; pass < 2; pass++) project(r, k, Z, r->momentum, Y, S);
  return MS_SUCCESS;
}

ms_status ms_reduced_set_free(ms_reduced *r, ptrdiff_t n_free, const double *motion,
                              double rounding) {
  double *Z = NULL, *Y = NULL, *S = NULL;
  if (n_free < 0 || n_free > r->n || !(rounding >= 0.0 && rounding < HUGE_VAL)) {
    return ms_fail(r->ctx, MS_ERR_BOUNDS, "%td motions without strain for %td degrees of freedom",
                   n_free, r->n);
  }
  ms_free(r->ctx, &r->momentum);
  r->n_free = 0;
  r->rounding = rounding;
  if (n_free == 0) return MS_SUCCESS;
  ms_status status = ms_allocate(r->ctx, r->n * n_free, sizeof *r->momentum, &r->momentum);
  if (status == MS_SUCCESS) status = ms_allocate(r->ctx, r->n * n_free, sizeof *Z, &Z);
  if (status == MS_SUCCESS) status = ms_allocate(r->ctx, r->n * n_free, sizeof *Y, &Y);
  if (status == MS_SUCCESS) status = ms_allocate(r->ctx, n_free * n_free, sizeof *S, &S);
  if (status == MS_SUCCESS) {
    memcpy(Z, motion, (size_t)(r->n * n_free) * sizeof *Z);
    status = set(r, (int)n_free, Z, Y, S);
  }
  ms_free(r->ctx, &Z);
  ms_free(r->ctx, &Y);
  ms_free(r->ctx, &S);
  if (status == MS_SUCCESS) r->n_free = n_free;
  if (status != MS_SUCCESS) ms_free(r->ctx, &r->momentum);
  return status;
}
