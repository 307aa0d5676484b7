/* One V-cycle for many columns. PETSc's GAMG makes the levels: aggregates, interpolations P, and
   the matrices P^T A P. Its own cycle goes through them once for each vector; this one once for
   all.

   Smoothing is by Chebyshev's polynomial of D^-1 A, the same before and after, over the upper part
   of the spectrum: theta and delta are the middle and half the width of that part. */
#include <math.h>
#include <string.h>

#include "fem/solve/multigrid.h"

enum { DEGREE = 2 };
enum { STEPS = 10 };   /* of the estimate */
enum { COARSE = 600 }; /* rows that are solved directly */

typedef struct level {
  Mat A, P, R; /* P from the level below, R = P^T; NULL in the lowest */
  double *d;   /* 1 / diagonal, 0 where there is none */
  double theta, delta;
  Mat x, r, p, q; /* solution, residual, direction, q = A p */
  Mat down, up;   /* R r, P x */
} level;

struct ms_levels {
  ms_fem_model *m;
  PC pc;
  KSP coarse;
  Vec a, b; /* of the lowest level */
  PetscInt n, n_column;
  level *level; /* the lowest first */
};

/* ---- making ---- */

static ms_status make_hierarchy(ms_levels *s, Mat A) {
  ms_context *ctx = s->m->ctx;
  MS_PETSC(ctx, MatSetNearNullSpace(A, s->m->engine->motions));
  MS_PETSC(ctx, PCCreate(PETSC_COMM_WORLD, &s->pc));
  MS_PETSC(ctx, PCSetOperators(s->pc, A, A));
  MS_PETSC(ctx, PCSetType(s->pc, PCGAMG));
  MS_PETSC(ctx, PCGAMGSetCoarseEqLim(s->pc, COARSE));
  MS_PETSC(ctx, PCGAMGSetAggressiveLevels(s->pc, 1)); /* not its default without an options file */
  MS_PETSC(ctx, PCSetUp(s->pc));
  MS_PETSC(ctx, PCMGGetLevels(s->pc, &s->n));
  MS_PETSC(ctx, PCMGGetCoarseSolve(s->pc, &s->coarse));
  return ms_allocate(ctx, s->n, sizeof *s->level, &s->level);
}

static ms_status invert_diagonal(ms_context *ctx, level *l, Vec v) {
  PetscInt n;
  const PetscScalar *d;
  MS_PETSC(ctx, MatGetDiagonal(l->A, v));
  MS_PETSC(ctx, VecGetLocalSize(v, &n));
  MS_TRY(ms_allocate(ctx, n + 1, sizeof *l->d, &l->d));
  MS_PETSC(ctx, VecGetArrayRead(v, &d));
  for (PetscInt i = 0; i < n; i++) l->d[i] = d[i] > 0.0 ? 1.0 / d[i] : 0.0;
  MS_PETSC(ctx, VecRestoreArrayRead(v, &d));
  return MS_SUCCESS;
}

/* The largest eigenvalue of D^-1 A from some steps of Lanczos, which are those of CG. */
static ms_status estimate(ms_context *ctx, const ms_fem_tolerances *tol, level *l, KSP ksp, Vec x,
                          Vec b) {
  PC pc;
  PetscReal high, low;
  /* A vector without pattern, through A: no part where A has none. */
  PetscInt begin, end;
  PetscScalar *v;
  MS_PETSC(ctx, VecGetOwnershipRange(x, &begin, &end));
  MS_PETSC(ctx, VecGetArrayWrite(x, &v));
  for (PetscInt i = begin; i < end; i++) v[i - begin] = sin(2.3 * i + 1e-3 * i * (double)i);
  MS_PETSC(ctx, VecRestoreArrayWrite(x, &v));
  MS_PETSC(ctx, MatMult(l->A, x, b));
  MS_PETSC(ctx, KSPSetType(ksp, KSPCG));
  MS_PETSC(ctx, KSPSetOperators(ksp, l->A, l->A));
  MS_PETSC(ctx, KSPGetPC(ksp, &pc));
  MS_PETSC(ctx, PCSetType(pc, PCJACOBI));
  MS_PETSC(ctx, KSPSetComputeEigenvalues(ksp, PETSC_TRUE));
  MS_PETSC(ctx, KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, STEPS));
  MS_PETSC(ctx, KSPSolve(ksp, b, x));
  MS_PETSC(ctx, KSPComputeExtremeSingularValues(ksp, &high, &low));
  l->theta = (tol->smooth_to + tol->smooth_from) / 2 * high;
  l->delta = (tol->smooth_to - tol->smooth_from) / 2 * high;
  return high > 0.0 ? MS_SUCCESS
                    : ms_fail(ctx, MS_NOT_CONVERGED, "multigrid: a level is not positive definite");
}

static ms_status make_smoother(ms_context *ctx, const ms_fem_tolerances *tol, level *l) {
  Vec x = NULL, b = NULL;
  KSP ksp = NULL;
  PetscErrorCode code = MatCreateVecs(l->A, &x, &b);
  if (!code) code = KSPCreate(PETSC_COMM_WORLD, &ksp);
  ms_status status = code ? ms_petsc_fail(ctx, code, "KSPCreate") : invert_diagonal(ctx, l, x);
  if (status == MS_SUCCESS) status = estimate(ctx, tol, l, ksp, x, b);
  KSPDestroy(&ksp);
  VecDestroy(&x);
  VecDestroy(&b);
  return status;
}

static ms_status fill_levels(ms_levels *s) {
  ms_context *ctx = s->m->ctx;
  for (PetscInt k = 0; k < s->n; k++) {
    level *l = &s->level[k];
    KSP ksp;
    MS_PETSC(ctx, PCMGGetSmoother(s->pc, k, &ksp));
    MS_PETSC(ctx, KSPGetOperators(ksp, &l->A, NULL));
    if (k == 0) continue;
    MS_PETSC(ctx, PCMGGetInterpolation(s->pc, k, &l->P));
    MS_PETSC(ctx, MatTranspose(l->P, MAT_INITIAL_MATRIX, &l->R));
    MS_TRY(make_smoother(ctx, &s->m->settings.tol, l));
  }
  MS_PETSC(ctx, MatCreateVecs(s->level[0].A, &s->a, &s->b));
  return MS_SUCCESS;
}

ms_status ms_levels_create(ms_fem_model *m, Mat A, ms_levels **out) {
  MS_TRY(ms_allocate(m->ctx, 1, sizeof **out, out));
  (*out)->m = m;
  ms_status status = make_hierarchy(*out, A);
  if (status == MS_SUCCESS) status = fill_levels(*out);
  if (status != MS_SUCCESS) ms_levels_destroy(m, out);
  return status;
}

static void free_columns(ms_levels *s) {
  for (PetscInt k = 0; s->level && k < s->n; k++) {
    level *l = &s->level[k];
    Mat *block[] = { &l->x, &l->r, &l->p, &l->q, &l->down, &l->up };
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) MatDestroy(block[i]);
  }
}

void ms_levels_destroy(ms_fem_model *m, ms_levels **levels) {
  ms_levels *s = *levels;
  if (!s) return;
  free_columns(s);
  for (PetscInt k = 0; s->level && k < s->n; k++) {
    MatDestroy(&s->level[k].R);
    ms_free(m->ctx, &s->level[k].d);
  }
  ms_free(m->ctx, &s->level);
  VecDestroy(&s->a);
  VecDestroy(&s->b);
  PCDestroy(&s->pc);
  ms_free(m->ctx, levels);
}

/* ---- cycling ---- */

/* Room for n columns; q, down and up come with the first product. */
static ms_status reserve(ms_levels *s, PetscInt n) {
  if (n == s->n_column) return MS_SUCCESS;
  free_columns(s);
  s->n_column = 0;
  for (PetscInt k = 0; k < s->n; k++) {
    level *l = &s->level[k];
    MS_TRY(ms_columns_create(s->m->ctx, l->A, n, &l->x));
    MS_TRY(ms_columns_create(s->m->ctx, l->A, n, &l->r));
    if (k > 0) MS_TRY(ms_columns_create(s->m->ctx, l->A, n, &l->p));
  }
  s->n_column = n;
  return MS_SUCCESS;
}

typedef struct arrays {
  PetscInt n, column;
  double *x, *r, *p, *q;
} arrays;

static ms_status read_arrays(ms_context *ctx, const level *l, arrays *a) {
  ms_columns_size(l->x, &a->n, &a->column);
  MS_TRY(ms_columns_read(ctx, l->x, &a->x));
  MS_TRY(ms_columns_read(ctx, l->r, &a->r));
  MS_TRY(ms_columns_read(ctx, l->p, &a->p));
  a->q = NULL;
  return l->q ? ms_columns_read(ctx, l->q, &a->q) : MS_SUCCESS;
}

/* p = a p + b D^-1 r, x += p. */
static void advance(const level *l, const arrays *v, double a, double b) {
  for (PetscInt j = 0; j < v->column; j++) {
    ptrdiff_t at = (ptrdiff_t)v->n * j;
    double *restrict x = v->x + at, *restrict p = v->p + at;
    const double *restrict r = v->r + at, *restrict d = l->d;
    for (PetscInt i = 0; i < v->n; i++) {
      p[i] = a * p[i] + b * d[i] * r[i];
      x[i] += p[i];
    }
  }
}

/* r -= A p */
static ms_status update(ms_context *ctx, level *l) {
  arrays v;
  MS_TRY(ms_columns_multiply(ctx, l->A, l->p, &l->q));
  MS_TRY(read_arrays(ctx, l, &v));
  for (ptrdiff_t i = 0; i < (ptrdiff_t)v.n * v.column; i++) v.r[i] -= v.q[i];
  return MS_SUCCESS;
}

/* The last step leaves r as it was before it. */
static ms_status smooth(ms_context *ctx, level *l) {
  arrays v;
  double sigma = l->theta / l->delta, rho = 1.0 / sigma;
  MS_TRY(read_arrays(ctx, l, &v));
  advance(l, &v, 0.0, 1.0 / l->theta);
  for (int k = 1; k < DEGREE; k++) {
    double next = 1.0 / (2.0 * sigma - rho);
    MS_TRY(update(ctx, l));
    advance(l, &v, next * rho, 2.0 * next / l->delta);
    rho = next;
  }
  return MS_SUCCESS;
}

static ms_status solve_coarse(ms_levels *s) {
  ms_context *ctx = s->m->ctx;
  level *l = &s->level[0];
  PetscInt n, column;
  double *x, *r;
  ms_columns_size(l->x, &n, &column);
  MS_TRY(ms_columns_read(ctx, l->x, &x));
  MS_TRY(ms_columns_read(ctx, l->r, &r));
  for (PetscInt j = 0; j < column; j++) {
    MS_PETSC(ctx, VecPlaceArray(s->b, r + (ptrdiff_t)n * j));
    MS_PETSC(ctx, VecPlaceArray(s->a, x + (ptrdiff_t)n * j));
    MS_PETSC(ctx, KSPSolve(s->coarse, s->b, s->a));
    MS_PETSC(ctx, VecResetArray(s->a));
    MS_PETSC(ctx, VecResetArray(s->b));
  }
  return MS_SUCCESS;
}

/* x = P x_below, which becomes the next direction; r follows. */
static ms_status correct(ms_context *ctx, level *l, Mat below) {
  arrays v;
  double *up;
  MS_TRY(ms_columns_multiply(ctx, l->P, below, &l->up));
  MS_TRY(ms_columns_copy(ctx, l->up, l->p));
  MS_TRY(ms_columns_read(ctx, l->up, &up));
  MS_TRY(read_arrays(ctx, l, &v));
  for (ptrdiff_t i = 0; i < (ptrdiff_t)v.n * v.column; i++) v.x[i] += up[i];
  return update(ctx, l);
}

/* x from r, which is used up. */
static ms_status cycle(ms_levels *s, PetscInt k) {
  ms_context *ctx = s->m->ctx;
  level *l = &s->level[k];
  arrays v;
  if (k == 0) return solve_coarse(s);
  MS_TRY(read_arrays(ctx, l, &v));
  memset(v.x, 0, (size_t)v.n * (size_t)v.column * sizeof *v.x);
  memset(v.p, 0, (size_t)v.n * (size_t)v.column * sizeof *v.p);
  MS_TRY(smooth(ctx, l));
  MS_TRY(update(ctx, l));
  MS_TRY(ms_columns_multiply(ctx, l->R, l->r, &l->down));
  MS_TRY(ms_columns_copy(ctx, l->down, s->level[k - 1].r));
  MS_TRY(cycle(s, k - 1));
  MS_TRY(correct(ctx, l, s->level[k - 1].x));
  return smooth(ctx, l);
}

ms_status ms_levels_apply(ms_levels *s, Mat R, Mat Z) {
  PetscInt n, column;
  level *top = &s->level[s->n - 1];
  ms_columns_size(R, &n, &column);
  MS_TRY(reserve(s, column));
  MS_TRY(ms_columns_copy(s->m->ctx, R, top->r));
  MS_TRY(cycle(s, s->n - 1));
  return ms_columns_copy(s->m->ctx, top->x, Z);
}
