/* Loads J whose displacements are held, of a problem that has them as loads. With s = lambda - S_0
   z and A = load_load, in changes,

     z = Z_F p + Z_J r - H s,   0 = A_JF p + A_JJ r - Z_J^T s

   gives the forces r = A_JJ^-1 (Z_J^T s - A_JF p), and a problem of the other loads with

     H' = H - Z_J A_JJ^-1 Z_J^T,   Z' = Z_F - Z_J A_JJ^-1 A_JF,   A' = A_FF - A_FJ A_JJ^-1 A_JF */
#include "response/contact/preload.h"

#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "core/internal.h"

/* Z_J and A_J, the held columns, over the root L of A_JJ = L L^T: of m held loads. */
typedef struct roots {
  ptrdiff_t m;
  double *L;       /* m x m */
  double *Z_T, *A; /* L^-1 Z_J^T, m x 3 n; L^-1 A_J, m x n_load */
} roots;

static ms_status find_roots(ms_context *ctx, const ms_contact_problem *p, const ptrdiff_t *held,
                            roots *r) {
  const ptrdiff_t m = r->m, n = 3 * p->n_point;
  MS_TRY(ms_allocate(ctx, m * (m + n + p->n_load) + 1, sizeof *r->L, &r->L));
  if (m == 0) return MS_SUCCESS;
  r->Z_T = r->L + m * m;
  r->A = r->Z_T + m * n;
  for (ptrdiff_t j = 0; j < m; j++) {
    const double *A = p->load_load + p->n_load * held[j];
    for (ptrdiff_t i = 0; i < m; i++) r->L[i + m * j] = A[held[i]];
    for (ptrdiff_t i = 0; i < n; i++) r->Z_T[j + m * i] = p->z_load[i + n * held[j]];
    for (ptrdiff_t i = 0; i < p->n_load; i++) r->A[j + m * i] = A[i];
  }
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)m, r->L, (int)m) != 0) {
    return ms_fail(ctx, MS_ERR_NUMERIC,
                   "contact: loads whose displacements are held have no flexibility of their own");
  }
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)m,
              (int)(n + p->n_load), 1.0, r->L, (int)m, r->Z_T, (int)m);
  return MS_SUCCESS;
}

/* The problem with its loads mixed by W (n_load x n_out), which is 0 for those held. */
static ms_status mix(ms_context *ctx, const ms_contact_problem *p, ptrdiff_t n_out, const double *W,
                     ms_contact_held *out) {
  const int n = 3 * (int)p->n_point, loads = (int)p->n_load, k = (int)n_out;
  double *A_W;
  MS_TRY(ms_allocate(ctx, p->n_load * n_out, sizeof *A_W, &A_W));
  memcpy(out->H, p->H, (size_t)n * (size_t)n * sizeof *out->H);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, k, loads, 1.0, p->z_load, n, W, loads,
              0.0, out->z_load, n);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, loads, k, loads, 1.0, p->load_load, loads,
              W, loads, 0.0, A_W, loads);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, k, loads, 1.0, W, loads, A_W, loads, 0.0,
              out->load_load, k);
  ms_free(ctx, &A_W);
  return MS_SUCCESS;
}

/* What the held loads take away from it, and their forces. */
static void hold(const ms_contact_problem *p, const roots *r, ptrdiff_t n_out, const double *W,
                 ms_contact_held *out) {
  const int n = 3 * (int)p->n_point, m = (int)r->m, loads = (int)p->n_load, k = (int)n_out;
  double *of = out->by_load; /* L^-1 A_JF W at first */
  if (m == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, k, loads, 1.0, r->A, m, W, loads, 0.0,
              of, m);
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, n, m, -1.0, r->Z_T, m, 1.0, out->H, n);
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < j; i++) out->H[j + n * i] = out->H[i + n * j];
  }
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, k, m, -1.0, r->Z_T, m, of, m, 1.0,
              out->z_load, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, k, m, -1.0, of, m, of, m, 1.0,
              out->load_load, k);
  memcpy(out->by_point, r->Z_T, (size_t)m * (size_t)n * sizeof *of);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, m, k, -1.0, r->L, m,
              out->by_load, m);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, m, n, 1.0, r->L, m,
              out->by_point, m);
}

static ms_status reserve(ms_context *ctx, ptrdiff_t n, ptrdiff_t m, ptrdiff_t n_out,
                         ms_contact_held *out) {
  MS_TRY(ms_allocate(ctx, n * n + (n + n_out) * (n_out + m), sizeof *out->H, &out->H));
  out->z_load = out->H + n * n;
  out->load_load = out->z_load + n * n_out;
  out->by_point = out->load_load + n_out * n_out;
  out->by_load = out->by_point + m * n;
  return MS_SUCCESS;
}

ms_status ms_contact_hold_loads(ms_context *ctx, const ms_contact_problem *p,
                                const unsigned char *held, ptrdiff_t n_out, const double *W,
                                ms_contact_held *out) {
  roots r = { 0 };
  ptrdiff_t *which;
  *out = (ms_contact_held) { 0 };
  MS_TRY(ms_allocate(ctx, p->n_load, sizeof *which, &which));
  for (ptrdiff_t k = 0; k < p->n_load; k++) {
    if (held[k]) which[r.m++] = k;
  }
  out->n = r.m;
  ms_status status = reserve(ctx, 3 * p->n_point, r.m, n_out, out);
  if (!status) status = find_roots(ctx, p, which, &r);
  if (!status) status = mix(ctx, p, n_out, W, out);
  if (!status) hold(p, &r, n_out, W, out);
  out->problem = (ms_contact_problem) { p->n_point, n_out,       p->point,       out->H,
                                        p->S_0,     out->z_load, out->load_load, p->group };
  ms_free(ctx, &which);
  ms_free(ctx, &r.L);
  if (status) ms_contact_held_free(ctx, out);
  return status;
}

void ms_contact_held_free(ms_context *ctx, ms_contact_held *held) {
  ms_free(ctx, &held->H);
}

void ms_contact_add_reactions(const ms_contact_held *h, const ms_contact *c, double factor,
                              double *r) {
  const ms_contact_problem *p = &h->problem;
  const ms_contact_state state = ms_contact_get(c);
  for (ptrdiff_t i = 0; i < 3 * p->n_point; i++) {
    const double z = state.z[i] + (i % 3 == 2 ? p->point[i / 3].gap : 0.0);
    const double s = state.lambda[i] - (p->S_0 ? p->S_0[i] * z : 0.0);
    cblas_daxpy((int)h->n, factor * s, h->by_point + h->n * i, 1, r, 1);
  }
}

void ms_contact_add_loads(const ms_contact_held *h, const double *p, double *r) {
  if (h->n == 0) return;
  cblas_dgemv(CblasColMajor, CblasNoTrans, (int)h->n, (int)h->problem.n_load, 1.0, h->by_load,
              (int)h->n, p, 1, 1.0, r, 1);
}
