/* What the methods of force-state mapping share: small complex least squares by singular values,
   and the force from z and d. */
#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/force_state/force_state.h"

enum { MOST = 64 }; /* unknowns */

/* Columns to length 1; 0 if one of them is zero. */
static int scale_columns(int n_row, int n_column, double complex *A, double *length) {
  for (int c = 0; c < n_column; c++) {
    double complex *a = A + (ptrdiff_t)n_row * c;
    length[c] = cblas_dznrm2(n_row, a, 1);
    if (!(length[c] > 0.0 && isfinite(length[c]))) return 0;
    for (int r = 0; r < n_row; r++) a[r] /= length[c];
  }
  return 1;
}

ms_status ms_force_state_invert(ms_context *ctx, int n_row, int n_column, double complex *A,
                                double complex *scratch, double complex *inverse,
                                double *condition) {
  double length[MOST], s[MOST];
  double complex *U = scratch, *Vt = scratch + (ptrdiff_t)n_row * n_column;
  *condition = 1.0 / DBL_EPSILON;
  memset(inverse, 0, (size_t)n_row * (size_t)n_column * sizeof *inverse);
  if (n_column > MOST || n_row < n_column) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%d unknowns of %d equations", n_column, n_row);
  }
  if (!scale_columns(n_row, n_column, A, length)) return MS_SUCCESS;
  if (LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'S', n_row, n_column, A, n_row, s, U, n_row, Vt, n_column) !=
      0) {
    return ms_fail(ctx, MS_ERR_NUMERIC, "singular values of %d equations not found", n_row);
  }
  if (!(s[n_column - 1] > DBL_EPSILON * s[0])) return MS_SUCCESS;
  *condition = s[0] / s[n_column - 1];
  for (int c = 0; c < n_column; c++) {
    for (int r = 0; r < n_row; r++) {
      double complex sum = 0.0;
      for (int i = 0; i < n_column; i++) {
        sum += conj(Vt[i + n_column * c]) * conj(U[r + n_row * i]) / s[i];
      }
      inverse[c + n_column * r] = sum / length[c];
    }
  }
  return MS_SUCCESS;
}

void ms_force_state_multiply(int n, int m, int p, const double complex *A, const double complex *B,
                             double complex *C) {
  const double complex one = 1.0, zero = 0.0;
  cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, p, m, &one, A, n, B, m, &zero, C, n);
}

void ms_force_state_fill_forces(const ms_force_state_work *w, int k, double dashpot,
                                const double complex *d, int ld) {
  const ms_attachment *attachment = w->attachment;
  const int n = w->n_axis;
  const ms_force_state_rows *to = &w->rows[k];
  for (int j = 0; j < w->R; j++) {
    for (int a = 0; a < n; a++) {
      double complex f = a < w->axes ? d[a + ld * j] : 0.0;
      for (int b = 0; b < n; b++) {
        const double K = attachment->stuck[a + n * b], C = dashpot * attachment->dashpot[a + n * b];
        f += (K + I * w->w[k] * C) * to->z[b + n * j];
      }
      to->f[a + n * j] = f;
    }
  }
}
