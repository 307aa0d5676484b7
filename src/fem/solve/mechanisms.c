/* Which motions that strain nothing move the model as one rigid body, and what the others move. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "fem/solve/free_motions.h"

#define FREE  1e-12 /* eigenvalue of a Gram matrix with unit diagonal that is none */
#define WHOLE 1e-6  /* 1 - cosine^2 of a motion that is one of the model as a whole */

typedef struct work {
  const ms_fem_model *m;
  const ms_free_places *at;
} work;

/* Six motions of the model as one body, in its unknowns. */
static void fill_whole(const work *w, double *V) {
  const ms_fem_model *m = w->m;
  for (int32_t i = 0; i < m->n; i++) {
    double v[6];
    ptrdiff_t node = w->at->node[i];
    if (m->T.row_of[i] >= 0) continue;
    ms_body_fill_motions(&w->at->whole, i - m->first[node], ms_fem_place(m, node), v);
    for (int k = 0; k < 6; k++) V[i + m->n * k] = v[k];
  }
}

/* S = C^T with columns of V C orthonormal in M, from D = V^T M V; how many there are. */
static int find_basis(double *D, double *C) {
  double s[6], lambda[6];
  int n = 0;
  for (int i = 0; i < 6; i++) s[i] = D[7 * i] > 0.0 ? 1.0 / sqrt(D[7 * i]) : 0.0;
  for (int i = 0; i < 36; i++) D[i] *= s[i % 6] * s[i / 6];
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', 6, D, 6, lambda) != 0) return 0;
  for (int k = 0; k < 6; k++) {
    if (!(lambda[k] > FREE)) continue;
    for (int i = 0; i < 6; i++) C[i + 6 * n] = s[i] * D[i + 6 * k] / sqrt(lambda[k]);
    n++;
  }
  return n;
}

/* U := U L with the left singular vectors L of U^T M V: motions of the whole come first. */
static ms_status turn_to_whole(const work *w, const double *V, const double *MV,
                               ms_free_motions *out) {
  const ms_fem_model *m = w->m;
  const int rows = (int)m->n, n = (int)out->n;
  double D[36], C[36], cosine[6], *space;
  MS_TRY(ms_allocate(m->ctx, (ptrdiff_t)n * (12 + n) + m->n * n + 42, sizeof *space, &space));
  double *B = space, *BC = B + 6 * n, *L = BC + 6 * n, *U = L + n * n, *rest = U + m->n * n;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 6, 6, rows, 1.0, V, rows, MV, rows, 0.0, D,
              6);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, 6, rows, 1.0, out->u, rows, MV, rows, 0.0,
              B, n);
  int g = find_basis(D, C), info = 0;
  if (g > 0) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, g, 6, 1.0, B, n, C, 6, 0.0, BC, n);
    info = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', n, g, BC, n, cosine, L, n, NULL, 1, rest);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, n, n, 1.0, out->u, rows, L, n, 0.0,
                U, rows);
    memcpy(out->u, U, (size_t)(m->n * n) * sizeof *U);
  }
  ms_free(m->ctx, &space);
  if (info != 0) return ms_fail(m->ctx, MS_NOT_CONVERGED, "free motions: dgesvd gave %d", info);
  for (int k = 0; k < g && k < n; k++) out->whole += cosine[k] * cosine[k] > 1.0 - WHOLE;
  return MS_SUCCESS;
}

/* "part 'lid'", or the coordinate of a node outside of all bodies. */
static void describe(const work *w, int32_t index, char *text, size_t size) {
  ptrdiff_t node = w->at->node[index];
  if (w->at->loose[index] >= 0) {
    ms_fem_describe(w->m, index, text, size);
    return;
  }
  int32_t body = index - w->m->first[node] < 3 ? w->at->bodies.of[node] : w->at->bodies.turn[node];
  snprintf(text, size, "part '%s'", w->m->mesh->part_name[w->at->bodies.body[body].part]);
}

/* The coordinate that moves most, rotations at the arm of the model's size. */
static int32_t find_most(const work *w, const double *u) {
  int32_t at = 0;
  double most = -1.0;
  for (int32_t i = 0; i < w->m->n; i++) {
    double size = fabs(u[i]) * (i - w->m->first[w->at->node[i]] < 3 ? 1.0 : w->at->whole.size);
    if (size <= most) continue;
    most = size;
    at = i;
  }
  return at;
}

static void name_mechanisms(const work *w, ms_free_motions *out) {
  for (ptrdiff_t k = out->whole; k < out->n; k++) {
    char text[96];
    size_t at = strlen(out->moves);
    describe(w, find_most(w, out->u + w->m->n * k), text, sizeof text);
    if (strstr(out->moves, text) || at + strlen(text) + 3 > sizeof out->moves) continue;
    snprintf(out->moves + at, sizeof out->moves - at, "%s%s", at ? ", " : "", text);
  }
}

ms_status ms_free_motions_split(ms_fem_model *m, Mat M, const ms_free_places *at,
                                ms_free_motions *out) {
  const work w = { m, at };
  double *V, *MV = NULL;
  MS_TRY(ms_allocate(m->ctx, 6 * m->n, sizeof *V, &V));
  ms_status status = ms_allocate(m->ctx, 6 * m->n, sizeof *MV, &MV);
  if (status == MS_SUCCESS) {
    fill_whole(&w, V);
    status = ms_fem_multiply(m, M, 6, V, MV);
  }
  if (status == MS_SUCCESS) status = turn_to_whole(&w, V, MV, out);
  ms_free(m->ctx, &V);
  ms_free(m->ctx, &MV);
  if (status == MS_SUCCESS) name_mechanisms(&w, out);
  return status;
}
