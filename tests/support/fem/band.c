#include "support/fem/band.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/impl.h"
#include "support/check.h"

static void *need(ptrdiff_t n, size_t size) {
  void *p = calloc((size_t)(n > 0 ? n : 1), size);
  if (!p) abort();
  return p;
}

static ptrdiff_t bandwidth(const ms_mesh *mesh, int n_dof) {
  ptrdiff_t most = 0;
  for (int k = 0; k < ms_mesh_count_blocks(mesh); k++) {
    ms_mesh_block b = ms_mesh_get_block(mesh, k);
    int n = b.element->n_node;
    for (ptrdiff_t e = 0; e < b.n; e++) {
      for (int i = 0; i < n * n; i++) {
        ptrdiff_t d = b.node[n * e + i % n] - b.node[n * e + i / n];
        if (d > most) most = d;
      }
    }
  }
  return n_dof * (most + 1) - 1;
}

static void scatter(test_band *b, const int32_t *node, int n, int d, const double *A, double *to) {
  for (int c = 0; c < n * d; c++) {
    for (int r = 0; r < n * d; r++) {
      ptrdiff_t i = (ptrdiff_t)node[r / d] * b->n_dof + r % d;
      ptrdiff_t j = (ptrdiff_t)node[c / d] * b->n_dof + c % d;
      if (i >= j) to[i - j + (b->kd + 1) * j] += A[r + n * d * c];
    }
  }
}

static void assemble(test_band *b, const ms_mesh_block *block) {
  static double A[MS_ELEMENT_DOF * MS_ELEMENT_DOF];
  double x[3 * MS_ELEMENT_NODES];
  const double *nodes = ms_mesh_get_nodes(b->mesh);
  const ms_element *e = ms_element_of(block->element);
  ms_property p;
  int n = e->info.n_node, bad = 0;
  CHECK_OK(ms_property_prepare(test_context(), ms_mesh_get_part(b->mesh, block->part),
                               e->info.needs, &p));
  for (ptrdiff_t k = 0; k < block->n; k++) {
    const int32_t *node = block->node + n * k;
    for (int i = 0; i < 3 * n; i++) x[i] = nodes[3 * (ptrdiff_t)node[i / 3] + i % 3];
    bad += ms_element_make_stiffness(e, &p, x, A);
    scatter(b, node, n, e->info.n_dof, A, b->K);
    bad += ms_element_make_mass(e, &p, x, A);
    scatter(b, node, n, e->info.n_dof, A, b->M);
  }
  CHECK_EQUAL(bad, 0);
}

test_band test_band_open(const ms_mesh *mesh, int n_dof) {
  test_band b = { .mesh = mesh,
                  .n_dof = n_dof,
                  .n = n_dof * ms_mesh_count_nodes(mesh),
                  .kd = bandwidth(mesh, n_dof) };
  b.K = need((b.kd + 1) * b.n, sizeof *b.K);
  b.M = need((b.kd + 1) * b.n, sizeof *b.M);
  b.fixed = need(b.n, 1);
  for (int k = 0; k < ms_mesh_count_blocks(mesh); k++) {
    ms_mesh_block block = ms_mesh_get_block(mesh, k);
    assemble(&b, &block);
  }
  return b;
}

void test_band_close(test_band *b) {
  free(b->K);
  free(b->M);
  free(b->fixed);
  *b = (test_band) { .n = 0 };
}

void test_band_fix(test_band *b, ptrdiff_t node, int dof) {
  b->fixed[node * b->n_dof + dof] = 1;
}

void test_band_fix_set(test_band *b, const char *set, int components) {
  ms_mesh_set s;
  CHECK_OK(ms_mesh_find_set(b->mesh, MS_SET_NODES, set, &s));
  for (ptrdiff_t i = 0; i < s.n; i++) {
    for (int a = 0; a < b->n_dof; a++) {
      if (components >> a & 1) test_band_fix(b, s.index[i], a);
    }
  }
}

void test_band_multiply(const test_band *b, const double *A, const double *x, double *y) {
  cblas_dsbmv(CblasColMajor, CblasLower, (int)b->n, (int)b->kd, 1.0, A, (int)b->kd + 1, x, 1, 0.0,
              y, 1);
}

/* The factor of K + shift M, with the fixed unknowns uncoupled. */
static double *factor(const test_band *b, double shift) {
  ptrdiff_t size = (b->kd + 1) * b->n;
  double *A = need(size, sizeof *A);
  for (ptrdiff_t k = 0; k < size; k++) A[k] = b->K[k] + (shift != 0.0 ? shift * b->M[k] : 0.0);
  for (ptrdiff_t j = 0; j < b->n; j++) {
    for (ptrdiff_t i = j; i <= j + b->kd && i < b->n; i++) {
      if (b->fixed[i] || b->fixed[j]) A[i - j + (b->kd + 1) * j] = i == j;
    }
  }
  CHECK_EQUAL(LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', (int)b->n, (int)b->kd, A, (int)b->kd + 1), 0);
  return A;
}

static void solve(const test_band *b, const double *A, int n_rhs, double *x) {
  CHECK_EQUAL(LAPACKE_dpbtrs(LAPACK_COL_MAJOR, 'L', (int)b->n, (int)b->kd, n_rhs, A, (int)b->kd + 1,
                             x, (int)b->n),
              0);
}

double test_band_solve(const test_band *b, const double *f, double *u) {
  double *given = need(b->n, sizeof *given), *r = need(b->n, sizeof *r), *A = factor(b, 0.0);
  for (ptrdiff_t i = 0; i < b->n; i++) given[i] = b->fixed[i] ? u[i] : 0.0;
  test_band_multiply(b, b->K, given, r);
  for (ptrdiff_t i = 0; i < b->n; i++) u[i] = b->fixed[i] ? given[i] : f[i] - r[i];
  solve(b, A, 1, u);
  test_band_multiply(b, b->K, u, r);
  double energy = cblas_ddot((int)b->n, u, 1, r, 1);
  free(given);
  free(r);
  free(A);
  return energy;
}

/* X^T Y into small (q x q). */
static void project(const test_band *b, int q, const double *X, const double *Y, double *small) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, q, q, (int)b->n, 1.0, X, (int)b->n, Y,
              (int)b->n, 0.0, small, q);
}

void test_band_modes(const test_band *b, int n_mode, double shift, double *freq_hz, double *shape) {
  enum { MOST = 64, ROUNDS = 60 };
  int q = 2 * n_mode + 8 < MOST ? 2 * n_mode + 8 : MOST, n = (int)b->n;
  double *A = factor(b, shift), *X = need(b->n * q, sizeof *X), *Y = need(b->n * q, sizeof *Y);
  double small_k[MOST * MOST], small_m[MOST * MOST], value[MOST], last = 0.0;
  ms_random rng;
  ms_random_start(&rng, 4, 2);
  for (ptrdiff_t i = 0; i < b->n * q; i++) X[i] = b->fixed[i % b->n] ? 0.0 : ms_random_normal(&rng);
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < q; k++) { /* Y = M X, then X = (K + shift M)^-1 Y */
      test_band_multiply(b, b->M, X + b->n * k, Y + b->n * k);
      for (ptrdiff_t i = 0; i < b->n; i++) {
        if (b->fixed[i]) Y[i + b->n * k] = 0.0;
      }
    }
    memcpy(X, Y, (size_t)(b->n * q) * sizeof *X);
    solve(b, A, q, X);
    project(b, q, X, Y, small_k); /* X^T (K + shift M) X */
    for (int k = 0; k < q; k++) test_band_multiply(b, b->M, X + b->n * k, Y + b->n * k);
    project(b, q, X, Y, small_m);
    CHECK_EQUAL(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', q, small_k, q, small_m, q, value), 0);
    memcpy(Y, X, (size_t)(b->n * q) * sizeof *X);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, q, q, 1.0, Y, n, small_k, q, 0.0, X,
                n);
    if (fabs(value[n_mode - 1] - last) < 1e-13 * value[n_mode - 1]) break;
    last = value[n_mode - 1];
  }
  for (int k = 0; k < n_mode; k++) {
    freq_hz[k] = sqrt(fmax(value[k] - shift, 0.0)) / (2.0 * acos(-1.0));
  }
  if (shape) memcpy(shape, X, (size_t)(b->n * n_mode) * sizeof *shape);
  free(A);
  free(X);
  free(Y);
}
