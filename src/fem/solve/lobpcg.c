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

#include "fem/solve/rayleigh_ritz.h"

enum { GUARD = 8 }; /* vectors beyond those asked for: the last converge slowly */
enum { STEPS = 500 };
enum { ROUNDS = 4 };

typedef ms_ritz work;

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
  MS_TRY(ms_ritz_shrink(w, &w->w, keep, n));
  if (w->p.X) MS_TRY(ms_ritz_shrink(w, &w->p, keep, n));
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
  for (int k = 0; k < 2; k++) MS_TRY(ms_ritz_project(w)); /* free motions are large in B R: twice */
  MS_TRY(ms_ritz_orthonormalise(w, &w->w, &w->n_w));
  if (w->n_w == 0) return ms_ritz_break_down(w);
  MS_TRY(ms_columns_multiply(ctx, w->A, w->w.X, &w->w.AX));
  if (w->p.X) MS_TRY(ms_ritz_orthonormalise(w, &w->p, &w->n_p));
  if (w->n_p == 0) ms_ritz_free_block(&w->p);
  return ms_ritz_improve(w);
}

static ms_status iterate(work *w, double tolerance) {
  for (int k = 0; k < STEPS; k++) {
    /* W = B R, and its size for each vector. */
    ms_context *ctx = w->m->ctx;
    Mat R = NULL;
    ms_ritz_free_block(&w->w);
    MS_TRY(ms_columns_create(ctx, w->A, w->n_active, &w->w.X));
    ms_status status = ms_columns_create(ctx, w->A, w->n_active, &R);
    if (status == MS_SUCCESS) status = fill_residuals(w, w->n_active, w->active, R);
    if (status == MS_SUCCESS) status = ms_multigrid_apply(w->mg, R, w->w.X);
    if (status == MS_SUCCESS) status = ms_columns_multiply(ctx, w->M, w->w.X, &w->w.MX);
    if (status == MS_SUCCESS) status = ms_columns_dot(ctx, w->w.X, w->w.MX, w->size);
    for (PetscInt j = 0; j < w->n_active; j++) w->size[j] = sqrt(fmax(w->size[j], 0.0));
    MatDestroy(&R);
    MS_TRY(status);
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
    MS_TRY(ms_ritz_orthonormalise(w, &w->x, &w->n_block));
    if (w->n_block < w->n) return ms_ritz_break_down(w);
  }
  MS_TRY(ms_columns_multiply(ctx, w->A, w->x.X, &w->x.AX));
  activate_all(w);
  return ms_ritz_settle(w);
}

/* ---- results ---- */

/* |A^-1 R|_M, which is what ms_fem_modes means by a residual, to tol.estimate. */
static ms_status find_residuals(work *w, Mat R, Mat Z, Mat *MZ, double *residual) {
  ms_context *ctx = w->m->ctx;
  MS_TRY(fill_residuals(w, w->n, NULL, R));
  MS_TRY(ms_multigrid_solve(w->mg, R, w->m->settings.tol.estimate, Z));
  MS_TRY(ms_columns_multiply(ctx, w->M, Z, MZ));
  MS_TRY(ms_columns_dot(ctx, Z, *MZ, residual));
  for (PetscInt j = 0; j < w->n; j++) residual[j] = sqrt(fmax(residual[j], 0.0));
  return MS_SUCCESS;
}

static ms_status solve(work *w, double *residual) {
  double tolerance = w->m->settings.tol.converged_first, worst;
  MS_TRY(find_first(w));
  for (int k = 0; k < ROUNDS; k++) {
    MS_TRY(iterate(w, tolerance));
    /* Fresh products: those kept have gathered rounding. */
    MatDestroy(&w->x.AX);
    MatDestroy(&w->x.MX);
    ms_ritz_free_block(&w->w);
    ms_ritz_free_block(&w->p);
    w->n_p = 0;
    MS_TRY(ms_columns_multiply(w->m->ctx, w->A, w->x.X, &w->x.AX));
    MS_TRY(ms_columns_multiply(w->m->ctx, w->M, w->x.X, &w->x.MX));
    MS_TRY(ms_ritz_settle(w));
    ms_context *ctx = w->m->ctx;
    Mat R = NULL, Z = NULL, MZ = NULL;
    ms_status status = ms_columns_create(ctx, w->A, w->n, &R);
    if (status == MS_SUCCESS) status = ms_columns_create(ctx, w->A, w->n, &Z);
    if (status == MS_SUCCESS) status = find_residuals(w, R, Z, &MZ, residual);
    MatDestroy(&R);
    MatDestroy(&Z);
    MatDestroy(&MZ);
    worst = 0.0;
    for (PetscInt j = 0; j < w->n && status == MS_SUCCESS; j++) worst = fmax(worst, residual[j]);
    MS_TRY(status);
    if (worst <= w->m->settings.tol.converged) return MS_SUCCESS;
    tolerance *= 0.3 * w->m->settings.tol.converged / worst;
    activate_all(w);
  }
  return MS_SUCCESS; /* the residuals say how far it came */
}

ms_status ms_lobpcg_find(ms_fem_model *m, ms_multigrid *mg, Mat A, Mat M, PetscInt n, double *mu,
                         double *residual, Mat *X) {
  PetscInt most = (PetscInt)ms_fem_count_unknowns(m), b = n + GUARD + n / 5;
  work w = { .m = m, .mg = mg, .A = A, .M = M, .n = n, .n_block = b < most ? b : most };
  ms_status status = ms_ritz_open(&w);
  if (status == MS_SUCCESS) status = solve(&w, residual);
  if (status == MS_SUCCESS) {
    memcpy(mu, w.mu, (size_t)n * sizeof *mu);
    *X = w.x.X;
    w.x.X = NULL;
  }
  ms_ritz_close(&w);
  return status;
}
