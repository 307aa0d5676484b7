/* Modes: (K - s M) phi = (lambda - s) M phi with a shift s a little below zero, so that the matrix
   is positive definite although the body may be free. Krylov-Schur on its inverse finds the lowest.
   Motions that strain nothing are known beforehand (free_motions.c) and kept out of the
   iteration, which would find them to rounding only; the others are orthogonal to them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "fem/solve/free_motions.h"
#include "fem/solve/multigrid.h"
#include "fem/tolerance.h"

enum { SPARE = 3 }; /* modes beyond those asked for: a gap is wanted for the count */
enum { MORE = 6 };  /* times as many where the count says that some were missed */
enum { TRIES = 3 };

/* One problem under way. */
typedef struct work {
  ms_fem_model *m;
  Mat K, M, A;                 /* A = K - s M */
  const ms_free_motions *free; /* the first modes */
  double s;
  ms_solver solver;
  EPS eps;           /* by a factor: all but free motions */
  Mat X;             /* by multigrid: the shapes */
  PetscInt n, spare; /* modes found, free motions and spare ones included */
  double *lambda;
  double *residual; /* on the route of multigrid */
} work;

/* ---- counting ---- */

/* The inertia of a symmetric matrix from MUMPS: the number of its negative eigenvalues. */
static ms_status count_negative(ms_fem_model *m, Mat B, Mat *F, ptrdiff_t *n) {
  MatFactorInfo info;
  PetscInt negative, zero, positive;
  MS_PETSC(m->ctx, MatGetFactor(B, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, F));
  MS_PETSC(m->ctx, MatMumpsSetIcntl(*F, 13, 1));  /* the root too is factored with its inertia */
  MS_PETSC(m->ctx, MatMumpsSetIcntl(*F, 14, 60)); /* per cent of spare memory for pivoting */
  MS_PETSC(m->ctx, MatMumpsSetIcntl(*F, 24, 1));  /* a pivot that vanishes is told */
  MS_PETSC(m->ctx, MatFactorInfoInitialize(&info));
  MS_PETSC(m->ctx, MatCholeskyFactorSymbolic(*F, B, NULL, &info));
  MS_PETSC(m->ctx, MatCholeskyFactorNumeric(*F, B, &info));
  MS_PETSC(m->ctx, MatGetInertia(*F, &negative, &zero, &positive));
  if (negative + zero + positive != m->n) {
    return ms_fail(m->ctx, MS_NOT_CONVERGED, "the factor for a Sturm count failed");
  }
  *n = negative;
  return MS_SUCCESS;
}

/* The pattern of M is inside that of K. */
ms_status ms_modes_shift(ms_fem_model *m, Mat K, Mat M, double lambda, Mat *B) {
  MS_PETSC(m->ctx, MatDuplicate(K, MAT_COPY_VALUES, B));
  MS_PETSC(m->ctx, MatAXPY(*B, -lambda, M, SUBSET_NONZERO_PATTERN));
  MS_PETSC(m->ctx, MatSetOption(*B, MAT_SYMMETRIC, PETSC_TRUE));
  return MS_SUCCESS;
}

ms_status ms_modes_count(ms_fem_model *m, Mat K, Mat M, double lambda, ptrdiff_t *n) {
  Mat B = NULL, F = NULL;
  ms_status status = ms_modes_shift(m, K, M, lambda, &B);
  if (status == MS_SUCCESS) status = count_negative(m, B, &F, n);
  MatDestroy(&F);
  MatDestroy(&B);
  return status;
}

ms_status ms_fem_count_modes(ms_fem_model *m, double freq_hz, ptrdiff_t *n) {
  double omega = 2.0 * MS_PI * freq_hz;
  if (!m->engine) return ms_fail(m->ctx, MS_ERR_STATE, "the model is not set up");
  return ms_modes_count(m, m->engine->K, m->engine->M, omega * omega, n);
}

/* ---- the eigenvalue solver ---- */

/* The same vector on any number of processes, without a part where there is no mass. */
static ms_status set_start(work *w) {
  Vec v = NULL;
  double *u;
  MS_TRY(ms_allocate(w->m->ctx, w->m->n, sizeof *u, &u));
  for (ptrdiff_t i = 0; i < w->m->n; i++)
    u[i] = 1.0 + sin(2.3 * (double)i + 1e-3 * (double)i * (double)i);
  PetscErrorCode code = MatCreateVecs(w->M, &v, NULL);
  ms_status status =
      code ? ms_petsc_fail(w->m->ctx, code, "MatCreateVecs") : ms_fem_put(w->m, u, v);
  Vec f = NULL;
  if (!code) code = VecDuplicate(v, &f);
  if (!code) code = MatMult(w->M, v, f);
  if (!code && status == MS_SUCCESS) code = KSPSolve(w->solver.ksp, f, v);
  if (!code && status == MS_SUCCESS) code = EPSSetInitialSpace(w->eps, 1, &v);
  if (code && status == MS_SUCCESS) status = ms_petsc_fail(w->m->ctx, code, "EPSSetInitialSpace");
  VecDestroy(&f);
  VecDestroy(&v);
  ms_free(w->m->ctx, &u);
  return status;
}

static ms_status set_deflation(work *w) {
  Vec one = NULL, *v = NULL;
  PetscInt n = (PetscInt)w->free->n;
  if (n == 0) return MS_SUCCESS;
  PetscErrorCode code = MatCreateVecs(w->M, &one, NULL);
  if (!code) code = VecDuplicateVecs(one, n, &v);
  ms_status status = code ? ms_petsc_fail(w->m->ctx, code, "VecDuplicateVecs") : MS_SUCCESS;
  for (PetscInt k = 0; k < n && status == MS_SUCCESS; k++) {
    status = ms_fem_put(w->m, w->free->u + w->m->n * k, v[k]);
  }
  if (status == MS_SUCCESS && (code = EPSSetDeflationSpace(w->eps, n, v)) != 0) {
    status = ms_petsc_fail(w->m->ctx, code, "EPSSetDeflationSpace");
  }
  VecDestroyVecs(n, &v);
  VecDestroy(&one);
  return status;
}

static ms_status prepare(work *w, PetscInt n) {
  ms_context *ctx = w->m->ctx;
  ST st;
  MS_PETSC(ctx, EPSCreate(PETSC_COMM_WORLD, &w->eps));
  MS_PETSC(ctx, EPSSetOperators(w->eps, w->A, w->M));
  MS_PETSC(ctx, EPSSetProblemType(w->eps, EPS_GHEP));
  MS_PETSC(ctx, EPSSetType(w->eps, EPSKRYLOVSCHUR));
  MS_PETSC(ctx, EPSSetDimensions(w->eps, n, 2 * n + 10 < w->m->n ? 2 * n + 10 : PETSC_DEFAULT,
                                 PETSC_DEFAULT));
  MS_PETSC(ctx, EPSSetTolerances(w->eps, w->m->settings.tol.eigen, 500));
  MS_PETSC(ctx, EPSSetWhichEigenpairs(w->eps, EPS_TARGET_MAGNITUDE));
  MS_PETSC(ctx, EPSSetTarget(w->eps, 0.0));
  MS_PETSC(ctx, EPSSetPurify(w->eps, PETSC_FALSE));
  MS_PETSC(ctx, EPSGetST(w->eps, &st));
  MS_PETSC(ctx, STSetType(st, STSINVERT));
  MS_PETSC(ctx, STSetKSP(st, w->solver.ksp));
  MS_TRY(set_deflation(w));
  return set_start(w);
}

/* By a factor; n modes, free motions included. */
static ms_status run_direct(work *w, PetscInt n) {
  ms_context *ctx = w->m->ctx;
  PetscInt found = 0, wanted = n - (PetscInt)w->free->n;
  if (wanted > 0) {
    MS_TRY(prepare(w, wanted));
    MS_PETSC(ctx, EPSSolve(w->eps));
    MS_PETSC(ctx, EPSGetConverged(w->eps, &found));
  }
  if (found < wanted) {
    return ms_fail(ctx, MS_NOT_CONVERGED, "only %d of %d modes converged", (int)found, (int)wanted);
  }
  w->n = (PetscInt)w->free->n + found;
  MS_TRY(ms_allocate(ctx, w->n, sizeof *w->lambda, &w->lambda));
  for (PetscInt i = 0; i < found; i++) {
    MS_PETSC(ctx, EPSGetEigenvalue(w->eps, i, &w->lambda[w->free->n + i], NULL));
  }
  return MS_SUCCESS;
}

static ms_status run(work *w, PetscInt n) {
  ms_context *ctx = w->m->ctx;
  ms_free(ctx, &w->lambda);
  ms_free(ctx, &w->residual);
  if (!w->solver.mg) {
    MS_TRY(run_direct(w, n));
  } else {
    w->n = n;
    MS_TRY(ms_allocate(ctx, n, sizeof *w->lambda, &w->lambda));
    MS_TRY(ms_allocate(ctx, n, sizeof *w->residual, &w->residual));
    MS_TRY(ms_lobpcg_find(w->m, w->solver.mg, w->A, w->M, n, w->lambda, w->residual, &w->X));
  }
  for (PetscInt i = 0; i < w->n; i++) w->lambda[i] = i < w->free->n ? 0.0 : w->lambda[i] + w->s;
  return MS_SUCCESS;
}

/* All below a cut-off: their number comes from a count on the direct route, else by trying. */
static ms_status run_below(work *w, double cutoff, ptrdiff_t *n) {
  ptrdiff_t most = ms_fem_count_unknowns(w->m);
  if (w->solver.plan.route == MS_FEM_DIRECT) {
    MS_TRY(ms_modes_count(w->m, w->K, w->M, cutoff, n));
    if (*n == 0) return MS_SUCCESS;
    ptrdiff_t ask = *n + w->spare < most ? *n + w->spare : *n;
    return run(w, (PetscInt)ask);
  }
  for (ptrdiff_t ask = 12; ask < most; ask *= 2) {
    MS_TRY(run(w, (PetscInt)ask));
    for (*n = 0; *n < w->n && w->lambda[*n] < cutoff;) (*n)++;
    if (*n < w->n) return MS_SUCCESS;
    MS_PETSC(w->m->ctx, EPSDestroy(&w->eps));
    MS_PETSC(w->m->ctx, MatDestroy(&w->X));
  }
  return ms_fail(w->m->ctx, MS_ERR_BOUNDS, "the cut-off is above all modes");
}

/* ---- results ---- */

/* b loses what rounding gave it of the free motions, to which modes are orthogonal; a and c are
 * work. */
static ms_status remove_free(work *w, Vec a, Vec b, Vec c) {
  ms_context *ctx = w->m->ctx;
  MS_PETSC(ctx, MatMult(w->M, b, a));
  for (ptrdiff_t k = 0; k < w->free->n; k++) {
    PetscScalar share;
    MS_TRY(ms_fem_put(w->m, w->free->u + w->m->n * k, c));
    MS_PETSC(ctx, VecDot(c, a, &share));
    MS_PETSC(ctx, VecAXPY(b, -share, c));
  }
  return MS_SUCCESS;
}

/* || (lambda - s) A^-1 M phi - phi || in the norm of M, relative to phi's; and phi's norm. */
static ms_status find_residual(work *w, double lambda, Vec phi, Vec a, Vec b, Vec c, double *norm,
                               double *residual) {
  ms_context *ctx = w->m->ctx;
  PetscScalar square, rest;
  MS_PETSC(ctx, MatMult(w->M, phi, a));
  MS_PETSC(ctx, VecDot(phi, a, &square));
  *norm = sqrt(square);
  if (w->residual || !residual) return MS_SUCCESS; /* known already */
  MS_PETSC(ctx, KSPSolve(w->solver.ksp, a, b));
  MS_PETSC(ctx, VecAYPX(b, -(lambda - w->s), phi));
  MS_TRY(remove_free(w, a, b, c));
  MS_PETSC(ctx, MatMult(w->M, b, a));
  MS_PETSC(ctx, VecDot(b, a, &rest));
  *residual = sqrt(fmax(rest, 0.0) / square);
  return MS_SUCCESS;
}

static ms_status get_vector(work *w, PetscInt r, Vec v) {
  if (r < w->free->n) return ms_fem_put(w->m, w->free->u + w->m->n * r, v);
  if (w->X) {
    MS_PETSC(w->m->ctx, MatGetColumnVector(w->X, v, r));
  } else {
    MS_PETSC(w->m->ctx, EPSGetEigenvector(w->eps, r - (PetscInt)w->free->n, v, NULL));
  }
  return MS_SUCCESS;
}

static ms_status take_modes(work *w, Vec *v, ms_fem_modes *out) {
  ms_fem_model *m = w->m;
  for (ptrdiff_t r = 0; r < out->n; r++) {
    double norm = 1.0, *shape = out->shape + m->n * r, lambda = w->lambda[r];
    MS_TRY(get_vector(w, (PetscInt)r, v[0]));
    if (w->residual) out->residual[r] = w->residual[r];
    int free = r < w->free->n; /* known exactly: no residual */
    if (free) out->residual[r] = 0.0;
    MS_TRY(
        find_residual(w, lambda, v[0], v[1], v[2], v[3], &norm, free ? NULL : &out->residual[r]));
    MS_TRY(ms_fem_get(m, v[0], shape));
    /* Mass-normalised, and the largest entry positive; of several that are equal but for rounding,
       the first decides. */
    double largest = 0.0;
    ptrdiff_t at = 0;
    for (ptrdiff_t i = 0; i < m->n; i++) {
      if (fabs(shape[i]) <= largest * (1.0 + ms_mesh_tol.larger)) continue;
      largest = fabs(shape[i]);
      at = i;
    }
    double scale = (shape[at] < 0.0 ? -1.0 : 1.0) / norm;
    for (ptrdiff_t i = 0; i < m->n; i++) shape[i] *= scale;
    int rigid = free || lambda < m->engine->rounding;
    out->omega[r] = rigid ? 0.0 : sqrt(lambda);
    out->n_rigid += rigid;
    if (!isfinite(lambda) || !isfinite(norm) || !isfinite(out->residual[r])) {
      return ms_fail(m->ctx, MS_ERR_NUMERIC, "mode %td is not finite", r + 1);
    }
  }
  return MS_SUCCESS;
}

static int is_gap(const work *w, PetscInt k) {
  return w->lambda[k] - w->lambda[k - 1] > w->m->settings.tol.gap * fabs(w->lambda[k]) &&
         w->lambda[k] > w->m->engine->rounding;
}

/* Counts below the first gap behind the modes asked for, or below the last gap before it. */
static ms_status check_count(work *w, ms_fem_modes *out, int *missed) {
  PetscInt k = (PetscInt)out->n;
  *missed = 0;
  while (k < w->n && !is_gap(w, k)) k++;
  if (k == w->n) k--;
  while (k > 0 && !is_gap(w, k)) k--;
  if (k == 0) return MS_SUCCESS;
  double lambda = (w->lambda[k] + fmax(w->lambda[k - 1], 0.0)) / 2;
  MS_TRY(ms_modes_count(w->m, w->K, w->M, lambda, &out->n_below));
  out->omega_count = sqrt(lambda);
  *missed = out->n_below != k;
  if (!*missed) return MS_SUCCESS;
  return ms_fail(w->m->ctx, MS_NOT_CONVERGED,
                 "below %.6g rad/s there are %td modes, but %d were found", out->omega_count,
                 out->n_below, (int)k);
}

static void describe(const work *w, const ms_fem_modes *out) {
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < out->n; i++) worst = fmax(worst, out->residual[i]);
  int at = snprintf(w->m->line, sizeof w->m->line, "%s; %td modes, residuals below %.1e",
                    w->solver.plan.text, out->n, worst);
  if (out->omega_count > 0.0 && at > 0 && (size_t)at < sizeof w->m->line) {
    snprintf(w->m->line + at, sizeof w->m->line - (size_t)at,
             "; Sturm count below %.6g rad/s: %td, all found", out->omega_count, out->n_below);
  }
}

static void let_go(work *w) {
  EPSDestroy(&w->eps);
  MatDestroy(&w->X);
  ms_solver_close(w->m, &w->solver);
  MatDestroy(&w->A);
}

static ms_status solve(work *w, ptrdiff_t n, double cutoff_hz, ms_fem_modes *out, int *missed) {
  ms_fem_model *m = w->m;
  double cutoff = 4.0 * MS_PI * MS_PI * cutoff_hz * cutoff_hz;
  MS_TRY(ms_solver_choose(m, w->K, &w->solver.plan));
  int direct = w->solver.plan.route == MS_FEM_DIRECT;
  w->s = direct ? m->engine->shift : m->engine->far_shift;
  MS_TRY(ms_modes_shift(m, w->K, w->M, w->s, &w->A));
  MS_PETSC(m->ctx, MatSetBlockSize(w->A, 3));
  MS_PETSC(m->ctx, MatSetOption(w->A, MAT_SPD, PETSC_TRUE));
  MS_TRY(ms_solver_follow(m, w->A, &w->solver));
  out->n = n;
  if (n == 0) MS_TRY(run_below(w, cutoff, &out->n));
  if (n > 0) {
    ptrdiff_t most = ms_fem_count_unknowns(m);
    ptrdiff_t spare = w->solver.mg ? 0 : w->spare; /* for the count, which multigrid cannot make */
    MS_TRY(run(w, (PetscInt)(n + spare < most ? n + spare : n)));
  }
  ms_context *ctx = w->m->ctx;
  Vec *v = NULL, one = NULL;
  MS_TRY(ms_allocate(ctx, out->n + 1, sizeof *out->omega, &out->omega));
  MS_TRY(ms_allocate(ctx, out->n + 1, sizeof *out->residual, &out->residual));
  MS_TRY(ms_allocate(ctx, out->n * w->m->n + 1, sizeof *out->shape, &out->shape));
  MS_PETSC(ctx, MatCreateVecs(w->M, &one, NULL));
  PetscErrorCode code = VecDuplicateVecs(one, 4, &v);
  ms_status status = code ? ms_petsc_fail(ctx, code, "VecDuplicateVecs") : take_modes(w, v, out);
  VecDestroyVecs(4, &v);
  VecDestroy(&one);
  MS_TRY(status);
  let_go(w); /* a count needs the memory */
  if (m->settings.check_count && w->solver.plan.route == MS_FEM_DIRECT && out->n > 0) {
    MS_TRY(check_count(w, out, missed));
  }
  describe(w, out);
  return MS_SUCCESS;
}

ms_status ms_modes_find(ms_fem_model *m, Mat K, Mat M, const ms_free_motions *free, ptrdiff_t n,
                        double cutoff_hz, ms_fem_modes *out) {
  work w = { .m = m, .K = K, .M = M, .free = free };
  *out = (ms_fem_modes) { 0 };
  if (n < 0 || n > ms_fem_count_unknowns(m) || (n == 0 && !(cutoff_hz > 0.0))) {
    return ms_fail(m->ctx, MS_ERR_BOUNDS,
                   "%td modes of a model with %td unknowns, cut-off %g Hz: one must be above zero",
                   n, ms_fem_count_unknowns(m), cutoff_hz);
  }
  /* The second of two equal modes shows only late: symmetric bodies may need a larger space. */
  ms_status status = MS_SUCCESS;
  int missed = 1;
  for (int i = 0; i < TRIES && missed; i++) {
    w.spare = i == 0 ? SPARE : MORE * w.spare;
    missed = 0;
    status = solve(&w, n, cutoff_hz, out, &missed);
    let_go(&w);
    if (status != MS_SUCCESS) ms_fem_modes_free(m->ctx, out);
  }
  ms_free(m->ctx, &w.lambda);
  ms_free(m->ctx, &w.residual);
  return status;
}

void ms_fem_modes_free(ms_context *ctx, ms_fem_modes *modes) {
  ms_free(ctx, &modes->omega);
  ms_free(ctx, &modes->residual);
  ms_free(ctx, &modes->shape);
  *modes = (ms_fem_modes) { 0 };
}

ms_status ms_fem_find_modes(ms_fem_model *m, ptrdiff_t n, double cutoff_hz, ms_fem_modes *out) {
  *out = (ms_fem_modes) { 0 };
  if (!m->engine) return ms_fail(m->ctx, MS_ERR_STATE, "the model is not set up");
  ms_free_motions free;
  ms_status status = ms_free_motions_find(m, m->engine->M, 0, &free);
  if (status == MS_SUCCESS) {
    status = ms_modes_find(m, m->engine->K, m->engine->M, &free, n, cutoff_hz, out);
  }
  if (status == MS_SUCCESS && free.n > free.whole) {
    out->n_mechanism = free.n - free.whole;
    snprintf(out->moves, sizeof out->moves, "%s", free.moves);
  }
  ms_free_motions_free(m->ctx, &free);
  MS_TRY(status);
  out->n_unknown = ms_fem_count_unknowns(m);
  snprintf(out->line, sizeof out->line, "%s", ms_fem_get_line(m));
  for (ptrdiff_t r = 0; r < out->n; r++) ms_fem_expand(m, out->shape + m->n * r, 0);
  return MS_SUCCESS;
}
