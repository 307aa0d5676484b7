/* Modes by multigrid: Knyazev's locally optimal block preconditioned conjugate gradients. In every
   step Rayleigh and Ritz find the best vectors in the span of

     X  the modes so far, R = A X - M X mu their residuals,
     W  B R, B about A^-1,
     P  the last change of X,

   for A x = mu M x, A positive definite. Products with A and M are kept beside each block and
   change with it, so that a step costs one of each for a vector, and one cycle of multigrid. No
   system is solved inside. A vector that has converged stays in X but gets no more W and P. (Why it
   is not SLEPc's: docs/decisions/0009-petsc.md.) */
#include <math.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "fem/multigrid.h"

#define GUARD    8     /* vectors beyond those asked for: the last converge slowly */
#define FIRST    2e-9  /* |B R|_M, about, that counts as converged at first */
#define ENOUGH   8e-9  /* residual that is wanted, as ms_fem_modes has it */
#define ESTIMATE 0.05  /* how exactly residuals are found */
#define LEAST    1e-10 /* eigenvalue of a Gram matrix with unit diagonal that still counts */
#define STEPS    500
#define ROUNDS   4
#define PANEL    2048 /* rows that are combined at a time */

/* A block with its products. */
typedef struct block {
  Mat X, AX, MX;
} block;

typedef struct work {
  ms_fem_model *m;
  ms_multigrid *mg;
  Mat A, M;
  block x, w, p;
  PetscInt n, n_block;         /* modes wanted; columns of X */
  PetscInt n_active, n_w, n_p; /* vectors that go on; columns of W and of P */
  PetscInt *active;            /* columns of X that go on */
  double *mu, *size;           /* n_block: eigenvalues, and |B R| of active ones */
  double *GA, *GM, *room;      /* matrices of Rayleigh and Ritz */
  double *panel;
} work;

static ms_status break_down(const work *w) {
  return ms_fail(w->m->ctx, MS_NOT_CONVERGED, "the iteration for modes broke down");
}

static void free_block(block *b) {
  MatDestroy(&b->X);
  MatDestroy(&b->AX);
  MatDestroy(&b->MX);
}

static ms_status make_block(work *w, PetscInt n, block *b) {
  ms_context *ctx = w->m->ctx;
  free_block(b);
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

/* The columns to keep, n of them, in new matrices; keep NULL: the first. */
static ms_status shrink(work *w, block *b, const unsigned char *keep, PetscInt n) {
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
static PetscInt find_basis(PetscInt column, double *G, double *s, double *d) {
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
    if (!(d[j] > LEAST)) continue;
    double *to = G + (ptrdiff_t)column * n++, *from = G + (ptrdiff_t)column * j;
    for (PetscInt i = 0; i < column; i++) to[i] = s[i] * from[i] / sqrt(d[j]);
  }
  return n;
}

/* X^T M X = I, with fewer columns where some depend on the others. */
static ms_status orthonormalise(work *w, block *b, PetscInt *left) {
  PetscInt n, column;
  Mat *kind[] = { &b->X, &b->AX, &b->MX };
  ms_columns_size(b->X, &n, &column);
  MS_TRY(ms_columns_dot_all(w->m->ctx, b->X, b->MX, w->GM));
  *left = find_basis(column, w->GM, w->room, w->room + column);
  for (int k = 0; k < 3; k++) {
    if (*kind[k]) MS_TRY(rotate(w, *kind[k], *left, w->GM));
  }
  return *left > 0 && *left < column ? shrink(w, b, NULL, *left) : MS_SUCCESS;
}

/* W loses its part in X. */
static ms_status project(work *w) {
  ms_context *ctx = w->m->ctx;
  MS_TRY(ms_columns_dot_all(ctx, w->x.MX, w->w.X, w->room));
  for (ptrdiff_t i = 0; i < (ptrdiff_t)w->n_block * w->n_active; i++) w->room[i] = -w->room[i];
  MS_TRY(ms_columns_add(ctx, w->x.X, w->room, w->w.X));
  return ms_columns_add(ctx, w->x.MX, w->room, w->w.MX);
}

/* ---- Rayleigh and Ritz ---- */

/* G (ld x ld) gets X^T Y at row r and column c, and its transpose. */
static ms_status put_dots(work *w, Mat X, Mat Y, PetscInt ld, PetscInt r, PetscInt c, double *G) {
  PetscInt n, n_x, n_y;
  ms_columns_size(X, &n, &n_x);
  ms_columns_size(Y, &n, &n_y);
  MS_TRY(ms_columns_dot_all(w->m->ctx, X, Y, w->room));
  for (PetscInt j = 0; j < n_y; j++) {
    for (PetscInt i = 0; i < n_x; i++) {
      double value = w->room[i + (ptrdiff_t)n_x * j];
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
    if (LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', *n, w->GA, *n, w->GM, *n, w->room) == 0) {
      memcpy(w->mu, w->room, (size_t)w->n_block * sizeof *w->mu);
      return MS_SUCCESS;
    }
    free_block(&w->p);
    w->n_p = 0;
  }
  return break_down(w);
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

static ms_status combine_all(work *w, PetscInt n) {
  block next = { 0 };
  ms_status status = make_block(w, w->n_active, &next);
  if (status == MS_SUCCESS) status = combine(w, w->x.X, w->w.X, w->p.X, next.X, n);
  if (status == MS_SUCCESS) status = combine(w, w->x.AX, w->w.AX, w->p.AX, next.AX, n);
  if (status == MS_SUCCESS) status = combine(w, w->x.MX, w->w.MX, w->p.MX, next.MX, n);
  free_block(&w->p);
  w->p = next;
  w->n_p = w->n_active;
  return status;
}

/* ---- steps ---- */

/* R = A X - M X mu of active vectors into W. */
static ms_status fill_residuals(work *w, PetscInt n, const PetscInt *which, Mat R) {
  double *r, *ax, *mx;
  PetscInt rows, column;
  ms_columns_size(w->x.X, &rows, &column);
  MS_TRY(ms_columns_read(w->m->ctx, R, &r));
  MS_TRY(ms_columns_read(w->m->ctx, w->x.AX, &ax));
  MS_TRY(ms_columns_read(w->m->ctx, w->x.MX, &mx));
  for (PetscInt j = 0; j < n; j++) {
    ptrdiff_t at = (ptrdiff_t)rows * (which ? which[j] : j);
    double mu = w->mu[which ? which[j] : j], *to = r + (ptrdiff_t)rows * j;
    for (PetscInt i = 0; i < rows; i++) to[i] = ax[at + i] - mu * mx[at + i];
  }
  return MS_SUCCESS;
}

/* W = B R, and its size for each vector. */
static ms_status precondition(work *w) {
  ms_context *ctx = w->m->ctx;
  Mat R = NULL;
  free_block(&w->w);
  MS_TRY(ms_columns_create(ctx, w->A, w->n_active, &w->w.X));
  ms_status status = ms_columns_create(ctx, w->A, w->n_active, &R);
  if (status == MS_SUCCESS) status = fill_residuals(w, w->n_active, w->active, R);
  if (status == MS_SUCCESS) status = ms_multigrid_apply(w->mg, R, w->w.X);
  if (status == MS_SUCCESS) status = ms_columns_multiply(ctx, w->M, w->w.X, &w->w.MX);
  if (status == MS_SUCCESS) status = ms_columns_dot(ctx, w->w.X, w->w.MX, w->size);
  for (PetscInt j = 0; j < w->n_active; j++) w->size[j] = sqrt(fmax(w->size[j], 0.0));
  MatDestroy(&R);
  return status;
}

static int is_converged(const work *w, double tolerance) {
  for (PetscInt j = 0; j < w->n_active; j++) {
    if (w->active[j] < w->n && w->size[j] > tolerance) return 0;
  }
  return 1;
}

/* Vectors that are done leave W and P. */
static ms_status deactivate(work *w, double tolerance) {
  unsigned char *keep = (unsigned char *)w->panel; /* free between steps */
  PetscInt n = 0;
  for (PetscInt j = 0; j < w->n_active; j++) keep[j] = w->size[j] > tolerance;
  for (PetscInt j = 0; j < w->n_active; j++) n += keep[j];
  if (n == w->n_active || n == 0) return MS_SUCCESS;
  MS_TRY(shrink(w, &w->w, keep, n));
  if (w->p.X) MS_TRY(shrink(w, &w->p, keep, n));
  PetscInt at = 0;
  for (PetscInt j = 0; j < w->n_active; j++) {
    if (keep[j]) w->active[at++] = w->active[j];
  }
  if (w->p.X) w->n_p = n;
  w->n_active = n;
  return MS_SUCCESS;
}

static ms_status improve(work *w) {
  ms_context *ctx = w->m->ctx;
  PetscInt n;
  for (int k = 0; k < 2; k++) MS_TRY(project(w)); /* free motions are large in B R: twice */
  MS_TRY(orthonormalise(w, &w->w, &w->n_w));
  if (w->n_w == 0) return break_down(w);
  MS_TRY(ms_columns_multiply(ctx, w->A, w->w.X, &w->w.AX));
  if (w->p.X) MS_TRY(orthonormalise(w, &w->p, &w->n_p));
  if (w->n_p == 0) free_block(&w->p);
  MS_TRY(find_coefficients(w, &n));
  return combine_all(w, n);
}

static ms_status iterate(work *w, double tolerance) {
  for (int k = 0; k < STEPS; k++) {
    MS_TRY(precondition(w));
    if (is_converged(w, tolerance)) return MS_SUCCESS;
    MS_TRY(deactivate(w, tolerance));
    MS_TRY(improve(w));
    MS_TRY(ms_progress(w->m->ctx, "modes", (double)k / STEPS));
  }
  return ms_fail(w->m->ctx, MS_NOT_CONVERGED, "%d modes did not converge in %d steps", (int)w->n,
                 STEPS);
}

/* ---- the start ---- */

/* The same on any number of processes, and nothing in dependent coordinates, where it stays so. */
static ms_status fill_start(work *w, Mat X) {
  double *x;
  PetscInt n, column, begin = w->m->engine->begin;
  ms_columns_size(X, &n, &column);
  MS_TRY(ms_columns_read(w->m->ctx, X, &x));
  for (PetscInt j = 0; j < column; j++) {
    for (PetscInt i = 0; i < n; i++) {
      double k = begin + i, noise = sin((2.3 + 0.17 * j) * k + 1e-3 * (1 + j) * k * k);
      x[i + (ptrdiff_t)n * j] = w->m->T.row_of[begin + i] < 0 ? noise : 0.0;
    }
  }
  return MS_SUCCESS;
}

/* Rayleigh and Ritz in X alone. */
static ms_status settle(work *w) {
  int b = w->n_block;
  MS_TRY(fill_grams(w, 1, b));
  if (LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', b, w->GA, b, w->GM, b, w->mu) != 0) {
    return break_down(w);
  }
  MS_TRY(rotate(w, w->x.X, b, w->GA));
  MS_TRY(rotate(w, w->x.AX, b, w->GA));
  return rotate(w, w->x.MX, b, w->GA);
}

static void activate_all(work *w) {
  for (PetscInt j = 0; j < w->n_block; j++) w->active[j] = j;
  w->n_active = w->n_block;
}

static ms_status find_first(work *w) {
  ms_context *ctx = w->m->ctx;
  PetscInt b = w->n_block;
  MS_TRY(ms_columns_create(ctx, w->A, b, &w->x.X));
  MS_TRY(fill_start(w, w->x.X));
  MS_TRY(ms_columns_multiply(ctx, w->M, w->x.X, &w->x.MX));
  for (int k = 0; k < 2; k++) {
    MS_TRY(orthonormalise(w, &w->x, &w->n_block));
    if (w->n_block < w->n) return break_down(w);
  }
  MS_TRY(ms_columns_multiply(ctx, w->A, w->x.X, &w->x.AX));
  activate_all(w);
  return settle(w);
}

/* ---- results ---- */

/* |A^-1 R|_M, which is what ms_fem_modes means by a residual, to ESTIMATE. */
static ms_status find_residuals(work *w, Mat R, Mat Z, Mat *MZ, double *residual) {
  ms_context *ctx = w->m->ctx;
  MS_TRY(fill_residuals(w, w->n, NULL, R));
  MS_TRY(ms_multigrid_solve(w->mg, R, ESTIMATE, Z));
  MS_TRY(ms_columns_multiply(ctx, w->M, Z, MZ));
  MS_TRY(ms_columns_dot(ctx, Z, *MZ, residual));
  for (PetscInt j = 0; j < w->n; j++) residual[j] = sqrt(fmax(residual[j], 0.0));
  return MS_SUCCESS;
}

static ms_status measure(work *w, double *residual, double *worst) {
  ms_context *ctx = w->m->ctx;
  Mat R = NULL, Z = NULL, MZ = NULL;
  ms_status status = ms_columns_create(ctx, w->A, w->n, &R);
  if (status == MS_SUCCESS) status = ms_columns_create(ctx, w->A, w->n, &Z);
  if (status == MS_SUCCESS) status = find_residuals(w, R, Z, &MZ, residual);
  MatDestroy(&R);
  MatDestroy(&Z);
  MatDestroy(&MZ);
  *worst = 0.0;
  for (PetscInt j = 0; j < w->n && status == MS_SUCCESS; j++) *worst = fmax(*worst, residual[j]);
  return status;
}

/* Fresh products: those kept have gathered rounding. */
static ms_status refresh(work *w) {
  MatDestroy(&w->x.AX);
  MatDestroy(&w->x.MX);
  free_block(&w->w);
  free_block(&w->p);
  w->n_p = 0;
  MS_TRY(ms_columns_multiply(w->m->ctx, w->A, w->x.X, &w->x.AX));
  MS_TRY(ms_columns_multiply(w->m->ctx, w->M, w->x.X, &w->x.MX));
  return settle(w);
}

static ms_status solve(work *w, double *residual) {
  double tolerance = FIRST, worst;
  MS_TRY(find_first(w));
  for (int k = 0; k < ROUNDS; k++) {
    MS_TRY(iterate(w, tolerance));
    MS_TRY(refresh(w));
    MS_TRY(measure(w, residual, &worst));
    if (worst <= ENOUGH) return MS_SUCCESS;
    tolerance *= 0.3 * ENOUGH / worst;
    activate_all(w);
  }
  return MS_SUCCESS; /* the residuals say how far it came */
}

static ms_status make_room(work *w) {
  ms_context *ctx = w->m->ctx;
  ptrdiff_t b = w->n_block;
  MS_TRY(ms_allocate(ctx, b, sizeof *w->active, &w->active));
  MS_TRY(ms_allocate(ctx, b, sizeof *w->mu, &w->mu));
  MS_TRY(ms_allocate(ctx, b, sizeof *w->size, &w->size));
  MS_TRY(ms_allocate(ctx, 9 * b * b, sizeof *w->GA, &w->GA));
  MS_TRY(ms_allocate(ctx, 9 * b * b, sizeof *w->GM, &w->GM));
  MS_TRY(ms_allocate(ctx, b * b + 3 * b, sizeof *w->room, &w->room));
  return ms_allocate(ctx, 2 * PANEL * b, sizeof *w->panel, &w->panel);
}

ms_status ms_lobpcg_find(ms_fem_model *m, ms_multigrid *mg, Mat A, Mat M, PetscInt n, double *mu,
                         double *residual, Mat *X) {
  PetscInt most = (PetscInt)ms_fem_count_unknowns(m), b = n + GUARD + n / 5;
  work w = { .m = m, .mg = mg, .A = A, .M = M, .n = n, .n_block = b < most ? b : most };
  ms_status status = make_room(&w);
  if (status == MS_SUCCESS) status = solve(&w, residual);
  if (status == MS_SUCCESS) {
    memcpy(mu, w.mu, (size_t)n * sizeof *mu);
    *X = w.x.X;
    w.x.X = NULL;
  }
  free_block(&w.x);
  free_block(&w.w);
  free_block(&w.p);
  ms_free(m->ctx, &w.active);
  ms_free(m->ctx, &w.mu);
  ms_free(m->ctx, &w.size);
  ms_free(m->ctx, &w.GA);
  ms_free(m->ctx, &w.GM);
  ms_free(m->ctx, &w.room);
  ms_free(m->ctx, &w.panel);
  return status;
}
