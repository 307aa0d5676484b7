#include "fem/solve/rayleigh_ritz.h"

#include <math.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

enum { PANEL = 2048 }; /* rows that are combined at a time */

typedef ms_ritz work;
typedef ms_ritz_block block;

/* ---- memory ---- */

ms_status ms_ritz_open(ms_ritz *w) {
  ms_context *ctx = w->m->ctx;
  ptrdiff_t b = w->n_block;
  MS_TRY(ms_allocate(ctx, b, sizeof *w->active, &w->active));
  MS_TRY(ms_allocate(ctx, b, sizeof *w->mu, &w->mu));
  MS_TRY(ms_allocate(ctx, b, sizeof *w->size, &w->size));
  MS_TRY(ms_allocate(ctx, 9 * b * b, sizeof *w->GA, &w->GA));
  MS_TRY(ms_allocate(ctx, 9 * b * b, sizeof *w->GM, &w->GM));
  MS_TRY(ms_allocate(ctx, b * b + 3 * b, sizeof *w->scratch, &w->scratch));
  return ms_allocate(ctx, 2 * PANEL * b, sizeof *w->panel, &w->panel);
}

void ms_ritz_close(ms_ritz *w) {
  ms_context *ctx = w->m->ctx;
  ms_ritz_free_block(&w->x);
  ms_ritz_free_block(&w->w);
  ms_ritz_free_block(&w->p);
  ms_free(ctx, &w->active);
  ms_free(ctx, &w->mu);
  ms_free(ctx, &w->size);
  ms_free(ctx, &w->GA);
  ms_free(ctx, &w->GM);
  ms_free(ctx, &w->scratch);
  ms_free(ctx, &w->panel);
}

ms_status ms_ritz_break_down(const ms_ritz *w) {
  return ms_fail(w->m->ctx, MS_NOT_CONVERGED, "the iteration for modes broke down");
}

void ms_ritz_free_block(ms_ritz_block *b) {
  MatDestroy(&b->X);
  MatDestroy(&b->AX);
  MatDestroy(&b->MX);
}

static ms_status make_block(work *w, PetscInt n, block *b) {
  ms_context *ctx = w->m->ctx;
  ms_ritz_free_block(b);
  MS_TRY(ms_columns_create(ctx, w->A, n, &b->X));
  MS_TRY(ms_columns_create(ctx, w->A, n, &b->AX));
  return ms_columns_create(ctx, w->A, n, &b->MX);
}

/* ---- orthonormal blocks ---- */

/* X = X C, C columns x n, in the first n columns of X. */
static ms_status rotate(work *w, Mat X, PetscInt n, const double *C) {
  double *x, *t = w->panel;
  PetscInt rows, column;
  ms_columns_size(X, &rows, &column);
  MS_TRY(ms_columns_read(w->m->ctx, X, &x));
  for (PetscInt i = 0; i < rows; i += PANEL) {
    PetscInt k = rows - i < PANEL ? rows - i : PANEL;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k, n, column, 1.0, x + i, rows, C,
                column, 0.0, t, PANEL);
    for (PetscInt j = 0; j < n; j++) {
      memcpy(x + i + (ptrdiff_t)rows * j, t + (ptrdiff_t)PANEL * j, (size_t)k * sizeof *x);
    }
  }
  return MS_SUCCESS;
}

ms_status ms_ritz_shrink(work *w, block *b, const unsigned char *keep, PetscInt n) {
  Mat *from[] = { &b->X, &b->AX, &b->MX };
  for (int k = 0; k < 3; k++) {
    Mat to = NULL;
    double *a, *c;
    PetscInt rows, column, at = 0;
    if (!*from[k]) continue;
    MS_TRY(ms_columns_create(w->m->ctx, w->A, n, &to));
    ms_columns_size(*from[k], &rows, &column);
    MS_TRY(ms_columns_read(w->m->ctx, *from[k], &a));
    MS_TRY(ms_columns_read(w->m->ctx, to, &c));
    for (PetscInt j = 0; j < column; j++) {
      if (keep ? !keep[j] : j >= n) continue;
      memcpy(c + (ptrdiff_t)rows * at++, a + (ptrdiff_t)rows * j, (size_t)rows * sizeof *c);
    }
    MatDestroy(from[k]);
    *from[k] = to;
  }
  return MS_SUCCESS;
}

/* C = S V D^-1/2 from the eigenvectors V of S G S, S making its diagonal 1; directions that hardly
   are any are left out. G is column x column, and C takes its place. */
static PetscInt find_basis(double least, PetscInt column, double *G, double *s, double *d) {
  PetscInt n = 0;
  for (PetscInt j = 0; j < column; j++) {
    double square = G[j + (ptrdiff_t)column * j];
    s[j] = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
  }
  for (PetscInt j = 0; j < column; j++) {
    for (PetscInt i = 0; i < column; i++) G[i + (ptrdiff_t)column * j] *= s[i] * s[j];
  }
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', column, G, column, d) != 0) return 0;
  for (PetscInt j = 0; j < column; j++) {
    if (!(d[j] > least)) continue;
    double *to = G + (ptrdiff_t)column * n++, *from = G + (ptrdiff_t)column * j;
    for (PetscInt i = 0; i < column; i++) to[i] = s[i] * from[i] / sqrt(d[j]);
  }
  return n;
}

ms_status ms_ritz_orthonormalise(work *w, block *b, PetscInt *left) {
  PetscInt n, column;
  Mat *kind[] = { &b->X, &b->AX, &b->MX };
  ms_columns_size(b->X, &n, &column);
  MS_TRY(ms_columns_dot_all(w->m->ctx, b->X, b->MX, w->GM));
  *left =
      find_basis(w->m->settings.tol.independent, column, w->GM, w->scratch, w->scratch + column);
  for (int k = 0; k < 3; k++) {
    if (*kind[k]) MS_TRY(rotate(w, *kind[k], *left, w->GM));
  }
  return *left > 0 && *left < column ? ms_ritz_shrink(w, b, NULL, *left) : MS_SUCCESS;
}

ms_status ms_ritz_project(work *w) {
  ms_context *ctx = w->m->ctx;
  MS_TRY(ms_columns_dot_all(ctx, w->x.MX, w->w.X, w->scratch));
  for (ptrdiff_t i = 0; i < (ptrdiff_t)w->n_block * w->n_active; i++)
    w->scratch[i] = -w->scratch[i];
  MS_TRY(ms_columns_add(ctx, w->x.X, w->scratch, w->w.X));
  return ms_columns_add(ctx, w->x.MX, w->scratch, w->w.MX);
}

/* ---- Rayleigh and Ritz ---- */

/* G (ld x ld) gets X^T Y at row r and column c, and its transpose. */
static ms_status put_dots(work *w, Mat X, Mat Y, PetscInt ld, PetscInt r, PetscInt c, double *G) {
  PetscInt n, n_x, n_y;
  ms_columns_size(X, &n, &n_x);
  ms_columns_size(Y, &n, &n_y);
  MS_TRY(ms_columns_dot_all(w->m->ctx, X, Y, w->scratch));
  for (PetscInt j = 0; j < n_y; j++) {
    for (PetscInt i = 0; i < n_x; i++) {
      double value = w->scratch[i + (ptrdiff_t)n_x * j];
      G[r + i + (ptrdiff_t)ld * (c + j)] = value;
      G[c + j + (ptrdiff_t)ld * (r + i)] = value;
    }
  }
  return MS_SUCCESS;
}

/* X^T A X and X^T M X over k blocks. */
static ms_status fill_grams(work *w, int k, PetscInt ld) {
  const block *b[] = { &w->x, &w->w, &w->p };
  PetscInt at[] = { 0, w->n_block, w->n_block + w->n_w };
  for (int i = 0; i < k; i++) {
    for (int j = i; j < k; j++) {
      MS_TRY(put_dots(w, b[i]->X, b[j]->AX, ld, at[i], at[j], w->GA));
      MS_TRY(put_dots(w, b[i]->X, b[j]->MX, ld, at[i], at[j], w->GM));
    }
  }
  return MS_SUCCESS;
}

/* Coefficients in GA, n rows; without P if it spoils the matrices. */
static ms_status find_coefficients(work *w, PetscInt *n) {
  for (int k = w->p.X ? 3 : 2; k >= 2; k--) {
    *n = w->n_block + w->n_w + (k == 3 ? w->n_p : 0);
    MS_TRY(fill_grams(w, k, *n));
    if (LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', *n, w->GA, *n, w->GM, *n, w->scratch) == 0) {
      memcpy(w->mu, w->scratch, (size_t)w->n_block * sizeof *w->mu);
      return MS_SUCCESS;
    }
    ms_ritz_free_block(&w->p);
    w->n_p = 0;
  }
  return ms_ritz_break_down(w);
}

/* ---- new vectors ---- */

/* Rows i ... of t = W C_w + P C_p and X = X C_x + t; t's active columns into N. */
static void combine_rows(work *w, double *const a[4], PetscInt ld, PetscInt i, PetscInt rows,
                         PetscInt n) {
  const double *C = w->GA;
  double *t = w->panel, *x = t + (ptrdiff_t)PANEL * w->n_block;
  int b = w->n_block;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, b, w->n_w, 1.0, a[1] + i, ld, C + b,
              n, 0.0, t, PANEL);
  if (w->n_p > 0) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, b, w->n_p, 1.0, a[2] + i, ld,
                C + b + w->n_w, n, 1.0, t, PANEL);
  }
  memcpy(x, t, (size_t)PANEL * (size_t)b * sizeof *x);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, b, b, 1.0, a[0] + i, ld, C, n, 1.0,
              x, PANEL);
  for (int j = 0; j < b; j++) {
    memcpy(a[0] + i + (ptrdiff_t)ld * j, x + (ptrdiff_t)PANEL * j, (size_t)rows * sizeof *x);
  }
  for (PetscInt j = 0; j < w->n_active; j++) {
    memcpy(a[3] + i + (ptrdiff_t)ld * j, t + (ptrdiff_t)PANEL * w->active[j],
           (size_t)rows * sizeof *t);
  }
}

/* One of the three kinds of a block: X, AX or MX. */
static ms_status combine(work *w, Mat X, Mat W, Mat P, Mat N, PetscInt n) {
  double *a[4] = { NULL };
  PetscInt rows, column;
  ms_columns_size(X, &rows, &column);
  MS_TRY(ms_columns_read(w->m->ctx, X, &a[0]));
  MS_TRY(ms_columns_read(w->m->ctx, W, &a[1]));
  if (P) MS_TRY(ms_columns_read(w->m->ctx, P, &a[2]));
  MS_TRY(ms_columns_read(w->m->ctx, N, &a[3]));
  for (PetscInt i = 0; i < rows; i += PANEL) {
    combine_rows(w, a, rows, i, rows - i < PANEL ? rows - i : PANEL, n);
  }
  return MS_SUCCESS;
}

ms_status ms_ritz_settle(work *w) {
  int b = w->n_block;
  MS_TRY(fill_grams(w, 1, b));
  if (LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', b, w->GA, b, w->GM, b, w->mu) != 0) {
    return ms_ritz_break_down(w);
  }
  MS_TRY(rotate(w, w->x.X, b, w->GA));
  MS_TRY(rotate(w, w->x.AX, b, w->GA));
  return rotate(w, w->x.MX, b, w->GA);
}

ms_status ms_ritz_improve(ms_ritz *w) {
  PetscInt n;
  MS_TRY(find_coefficients(w, &n));
  block next = { 0 };
  ms_status status = make_block(w, w->n_active, &next);
  if (status == MS_SUCCESS) status = combine(w, w->x.X, w->w.X, w->p.X, next.X, n);
  if (status == MS_SUCCESS) status = combine(w, w->x.AX, w->w.AX, w->p.AX, next.AX, n);
  if (status == MS_SUCCESS) status = combine(w, w->x.MX, w->w.MX, w->p.MX, next.MX, n);
  ms_ritz_free_block(&w->p);
  w->p = next;
  w->n_p = w->n_active;
  return status;
}
