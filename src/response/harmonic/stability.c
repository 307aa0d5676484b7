/* Stability of a periodic motion by Floquet's multipliers. A small disturbance x of the modes obeys

     x" + C(t) x' + K(t) x = 0,   K = omega^2 + Gamma (df/dz - K_T) Gamma^T,   C = c + Gamma df/dv
   Gamma^T

   with the joints' slopes along the motion. The trapezoidal rule takes it round the period, from
   every unit state; the eigenvalues of the outcome are the multipliers. For joints without memory
   that is the linearised motion; for the others it leaves out how the disturbance changes what they
   remember, and is an approximation. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "response/harmonic/impl.h"

#define MARGIN 1e-6 /* beyond 1: what rounding and the rule's error may do */

static const double pi = 3.14159265358979323846;

typedef struct floquet {
  ptrdiff_t m;
  double *K, *C, *K_next, *C_next, *A; /* m x m */
  double *q, *v, *r;                   /* m x 2m: displacement, velocity from every unit state */
  double *M, *re, *im, *work;          /* 2m x 2m, 2m, 2m, 16m */
} floquet;

static floquet view(const ms_harmonic *h) {
  const ptrdiff_t m = h->m, square = m * m;
  double *at = h->floquet;
  return (floquet) { .m = m,
                     .K = at,
                     .C = at + square,
                     .K_next = at + 2 * square,
                     .C_next = at + 3 * square,
                     .A = at + 4 * square,
                     .q = at + 5 * square,
                     .v = at + 7 * square,
                     .r = at + 9 * square,
                     .M = at + 11 * square,
                     .re = at + 15 * square,
                     .im = at + 15 * square + 2 * m,
                     .work = at + 15 * square + 4 * m };
}

ms_status ms_stability_open(ms_harmonic *h) {
  if (h->m > h->setting.stability_modes) return MS_SUCCESS;
  return ms_allocate(h->ctx, 15 * h->m * h->m + 20 * h->m, sizeof *h->floquet, &h->floquet);
}

/* to += s a b^T. */
static void add_outer(ptrdiff_t m, double s, const double *a, const double *b, double *to) {
  for (ptrdiff_t j = 0; s != 0.0 && j < m; j++) {
    for (ptrdiff_t i = 0; i < m; i++) to[i + m * j] += s * a[i] * b[j];
  }
}

static void fill_at(const ms_harmonic *h, ptrdiff_t time, double *K, double *C) {
  const ptrdiff_t m = h->m;
  memset(K, 0, (size_t)(m * m) * sizeof *K);
  memset(C, 0, (size_t)(m * m) * sizeof *C);
  if (h->modal.damping_full) memcpy(C, h->modal.damping_full, (size_t)(m * m) * sizeof *C);
  for (ptrdiff_t r = 0; r < m; r++) {
    K[r + m * r] = h->modal.omega[r] * h->modal.omega[r];
    if (!h->modal.damping_full) C[r + m * r] = h->modal.damping[r];
  }
  for (int i = 0; i < h->modal.n_seat; i++) {
    const ms_harmonic_seat *s = &h->seat[i];
    for (int ab = 0; ab < s->n * s->n; ab++) {
      const double *a = h->modal.gamma + m * (s->first + ab % s->n);
      const double *b = h->modal.gamma + m * (s->first + ab / s->n);
      add_outer(m, s->du[time + h->N * ab] - s->stuck[ab], a, b, K);
      if (s->rate) add_outer(m, s->dv[time + h->N * ab], a, b, C);
    }
  }
}

/* y += s A x, all 2m columns. */
static void add_product(ptrdiff_t m, double s, const double *A, const double *x, double *y) {
  for (ptrdiff_t c = 0; c < 2 * m; c++) {
    for (ptrdiff_t j = 0; j < m; j++) {
      double f = s * x[j + m * c];
      for (ptrdiff_t i = 0; i < m; i++) y[i + m * c] += f * A[i + m * j];
    }
  }
}

/* One step: q' = q + g (v + v'), v' + g (C' v' + K' q') = v - g (C v + K q), g = dt/2. */
static int step(floquet *f, double g) {
  const ptrdiff_t m = f->m, all = 2 * m * m;
  memcpy(f->r, f->v, (size_t)all * sizeof *f->r);
  add_product(m, -g, f->C, f->v, f->r);
  add_product(m, -g, f->K, f->q, f->r);
  for (ptrdiff_t i = 0; i < all; i++) f->q[i] += g * f->v[i];
  add_product(m, -g, f->K_next, f->q, f->r);
  for (ptrdiff_t i = 0; i < m * m; i++) f->A[i] = g * f->C_next[i] + g * g * f->K_next[i];
  for (ptrdiff_t i = 0; i < m; i++) f->A[i + m * i] += 1.0;
  if (ms_dense_solve_many(m, f->A, 2 * m, f->r)) return 1;
  memcpy(f->v, f->r, (size_t)all * sizeof *f->v);
  for (ptrdiff_t i = 0; i < all; i++) f->q[i] += g * f->v[i];
  return 0;
}

static int go_round(const ms_harmonic *h, floquet *f, double Omega) {
  const ptrdiff_t m = f->m;
  memset(f->q, 0, (size_t)(2 * m * m) * sizeof *f->q);
  memset(f->v, 0, (size_t)(2 * m * m) * sizeof *f->v);
  for (ptrdiff_t r = 0; r < m; r++) f->q[r + m * r] = f->v[r + m * (m + r)] = 1.0;
  fill_at(h, 0, f->K, f->C);
  for (ptrdiff_t j = 1; j <= h->N; j++) {
    fill_at(h, j % h->N, f->K_next, f->C_next);
    if (step(f, pi / ((double)h->N * Omega))) return 1;
    memcpy(f->K, f->K_next, (size_t)(m * m) * sizeof *f->K);
    memcpy(f->C, f->C_next, (size_t)(m * m) * sizeof *f->C);
  }
  return 0;
}

ms_status ms_stability_eval(ms_harmonic *h, ms_harmonic_point *point) {
  const lapack_int n = (lapack_int)(2 * h->m), m = (lapack_int)h->m;
  double largest = 0.0;
  if (!h->floquet) return MS_SUCCESS;
  floquet f = view(h);
  if (go_round(h, &f, point->omega)) return MS_SUCCESS;
  for (ptrdiff_t c = 0; c < n; c++) {
    memcpy(f.M + n * c, f.q + m * c, (size_t)m * sizeof *f.M);
    memcpy(f.M + n * c + m, f.v + m * c, (size_t)m * sizeof *f.M);
  }
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++) { /* LAPACK would print */
    if (!(fabs(f.M[i]) < 1e150)) return MS_SUCCESS;
  }
  if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, f.M, n, f.re, f.im, NULL, 1, NULL, 1,
                         f.work, 8 * n) != 0) {
    return MS_SUCCESS;
  }
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, hypot(f.re[i], f.im[i]));
  point->multiplier = largest;
  point->stability = largest > 1.0 + MARGIN ? MS_UNSTABLE : MS_STABLE;
  return MS_SUCCESS;
}
