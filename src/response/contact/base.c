/* The base state: with z = z_x x + z_y y, lambda = l_x x + l_y y in every component, the bodies'
   equation (I - H S_0) z + H lambda = Z p - (I - H S_0) gap becomes X x + Y y = right, whence M =
   -X^-1 Y and b = X^-1 right. */
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "response/contact/impl.h"

/* Column j of (I - H S_0) z_factor + H l_factor; held components see nothing. */
static void fill_column(const ms_contact *c, ptrdiff_t j, double z_factor, double l_factor,
                        double *out) {
  const ptrdiff_t n = 3 * c->n;
  const double *h = c->H + n * j, factor = l_factor - z_factor * c->S_0[j];
  for (ptrdiff_t i = 0; i < n; i++) out[i] = c->held[i] || c->held[j] ? 0.0 : factor * h[i];
  out[j] += z_factor;
}

/* Forces among x are solved for as displacements, so that all columns of X have one unit. */
static double unit_of(const ms_contact *c, ptrdiff_t i) {
  return ms_contact_pair_of(c, i).z_y != 0.0 ? c->r[i] : 1.0;
}

static void fill_right(const ms_contact *c) {
  const ptrdiff_t n = 3 * c->n;
  double *gaps = c->b + n * c->n_load;
  memcpy(c->b, c->z_load, (size_t)(n * c->n_load) * sizeof *c->b);
  memset(gaps, 0, (size_t)n * sizeof *gaps);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const double gap = c->point[i].gap;
    if (gap == 0.0) continue;
    cblas_daxpy((int)n, c->S_0[3 * i + 2] * gap, c->H + n * (3 * i + 2), 1, gaps, 1);
    gaps[3 * i + 2] -= gap;
  }
  cblas_daxpy((int)n, 1.0, c->offset, 1, gaps, 1);
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t k = 0; c->held[i] && k < c->n_load; k++) c->b[i + n * k] = 0.0;
    if (c->held[i]) gaps[i] = c->offset[i] - (i % 3 == 2 ? c->point[i / 3].gap : 0.0);
  }
}

static ms_status factorise(ms_contact *c, ptrdiff_t n, double *X) {
  double reciprocal = 0.0;
  const double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', (int)n, (int)n, X, (int)n);
  if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, (int)n, (int)n, X, (int)n, c->pivot) == 0) {
    LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', (int)n, X, (int)n, norm, &reciprocal);
  }
  if (reciprocal > c->setting.tol.singular) return MS_SUCCESS;
  return ms_fail(
      c->ctx, MS_ERR_NUMERIC,
      "contact: the flexibility at the points is singular: the closed points leave a motion "
      "of the bodies free, or there are more points than displacements of the faces");
}

ms_status ms_contact_make_base(ms_contact *c) {
  const ptrdiff_t n = 3 * c->n;
  double *X = NULL;
  MS_TRY(ms_allocate(c->ctx, n * n, sizeof *X, &X));
  for (ptrdiff_t j = 0; j < n; j++) {
    const ms_contact_pair w = ms_contact_pair_of(c, j);
    const double unit = unit_of(c, j);
    fill_column(c, j, unit * w.z_x, unit * w.l_x, X + n * j);
    fill_column(c, j, -w.z_y, -w.l_y, c->M + n * j);
  }
  fill_right(c);
  ms_status status = factorise(c, n, X);
  if (!status) {
    const int loads = (int)c->n_load + 1;
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', (int)n, (int)n, X, (int)n, c->pivot, c->M, (int)n);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', (int)n, loads, X, (int)n, c->pivot, c->b, (int)n);
    for (ptrdiff_t i = 0; i < n; i++) {
      cblas_dscal((int)n, unit_of(c, i), c->M + i, (int)n);
      cblas_dscal(loads, unit_of(c, i), c->b + i, (int)n);
    }
  }
  ms_free(c->ctx, &X);
  return status;
}

void ms_contact_refer(ms_contact *c) {
  const ptrdiff_t n = 3 * c->n;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_contact_pair w = ms_contact_pair_of(c, i);
    const double z = c->now.z[i], lambda = c->now.lambda[i];
    c->now.y[i] = w.z_y != 0.0 ? z : lambda - w.l_x * z;
  }
  cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)n, 1.0, c->M, (int)n, c->now.y, 1, 0.0,
              c->now.m, 1);
}

ms_status ms_contact_change_base(ms_contact *c, const unsigned char *closed) {
  c->spent = 0.0;
  if (memcmp(closed, c->closed, (size_t)c->n) == 0) return MS_SUCCESS;
  memcpy(c->closed, closed, (size_t)c->n);
  MS_TRY(ms_contact_make_base(c));
  ms_contact_refer(c);
  return MS_SUCCESS;
}

static void list_closed(ms_contact *c, unsigned char *closed) {
  for (ptrdiff_t i = 0; i < c->n; i++) closed[i] = c->now.status[i] != MS_CONTACT_OPEN;
}

/* Also where it is one already: the threads of BLAS that made it may have been others, and what
   follows shall have the digits that it has after ms_contact_return. */
ms_status ms_contact_rebase(ms_contact *c) {
  c->spent = 0.0;
  list_closed(c, c->closed);
  MS_TRY(ms_contact_make_base(c));
  ms_contact_refer(c);
  return MS_SUCCESS;
}

/* A factorisation of 3 n unknowns and solutions for as many columns against the factorisations of
   Newton's method: 2 n^3/3 + 2 n^3 against 2 n^3/3 each. */
ms_status ms_contact_follow(ms_contact *c) {
  const double n = 3.0 * (double)c->n;
  if (c->tangent || !(c->spent > 4.0 * n * n * n)) return MS_SUCCESS;
  list_closed(c, c->trial);
  return ms_contact_change_base(c, c->trial);
}
