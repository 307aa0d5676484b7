/* With the basis W of the six motions V of one body, orthonormal in M, the singular values of
   U^T M W are the cosines between the two spaces: 1 for a motion that both have.

   W = V C,   C from the eigenvectors of V^T M V,   U^T M W = L Sigma R^T,   U := U L */
#include "structure/whole_body.h"

#include <math.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "structure/tolerance.h"

/* C (6 x n) with V C orthonormal in M, from D = V^T M V; n. */
static int find_basis(double *D, double *C) {
  double s[6], lambda[6];
  int n = 0;
  for (int i = 0; i < 6; i++) s[i] = D[7 * i] > 0.0 ? 1.0 / sqrt(D[7 * i]) : 0.0;
  for (int i = 0; i < 36; i++) D[i] *= s[i % 6] * s[i / 6];
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', 6, D, 6, lambda) != 0) return 0;
  for (int k = 0; k < 6; k++) {
    if (!(lambda[k] > ms_structure_tol.gram)) continue;
    for (int i = 0; i < 6; i++) C[i + 6 * n] = s[i] * D[i + 6 * k] / sqrt(lambda[k]);
    n++;
  }
  return n;
}

ms_status ms_whole_body_split(ms_context *ctx, ptrdiff_t n, ptrdiff_t k, const double *V,
                              const double *MV, double *U, ptrdiff_t *whole) {
  const int rows = (int)n, m = (int)k;
  double D[36], C[36], cosine[6], *space;
  *whole = 0;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 6, 6, rows, 1.0, V, rows, MV, rows, 0.0, D,
              6);
  const int g = find_basis(D, C);
  if (g == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, k * (12 + k) + n * k + 42, sizeof *space, &space));
  double *B = space, *BC = B + 6 * k, *L = BC + 6 * k, *UL = L + k * k, *rest = UL + n * k;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, 6, rows, 1.0, U, rows, MV, rows, 0.0, B,
              m);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, g, 6, 1.0, B, m, C, 6, 0.0, BC, m);
  const int info =
      LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', m, g, BC, m, cosine, L, m, NULL, 1, rest);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, m, m, 1.0, U, rows, L, m, 0.0, UL,
              rows);
  memcpy(U, UL, (size_t)(n * k) * sizeof *U);
  ms_free(ctx, &space);
  if (info != 0) return ms_fail(ctx, MS_NOT_CONVERGED, "rigid-body motions: dgesvd gave %d", info);
  for (int i = 0; i < g && i < m; i++)
    *whole += cosine[i] * cosine[i] > 1.0 - ms_structure_tol.whole;
  return MS_SUCCESS;
}
