/* Constraint modes Psi = -K_ii^-1 K_ib: static shapes with one boundary coordinate at 1 and the
   others at 0.

   Where the boundary leaves the body free to move, K_ii is singular. Its null space N is among the
   modes then, and loads are orthogonal to it, so that as many coordinates as N has motions may be
   held by springs of any stiffness: N^T (K_ii + E k E^T) x = 0 leaves E^T x = 0, no spring carries
   a force, and K_ii x is the load exactly. What x has of N is taken out. */
#include <math.h>
#include <string.h>

#include <cblas.h>

#include "fem/solve/petsc.h"

enum { REFINEMENTS = 20 };

typedef struct work {
  ms_fem_model *m;
  Mat Kii, Mii;
  const ms_fem_modes *modes; /* with the boundary fixed */
  ptrdiff_t n_b;
  double *X;
} work;

/* F = -K_ib, one column for each boundary coordinate. */
static ms_status fill_loads(const work *w, double *F) {
  ms_fem_model *m = w->m;
  double *E;
  MS_TRY(ms_allocate(m->ctx, w->n_b * m->n, sizeof *E, &E));
  for (ptrdiff_t j = 0; j < w->n_b; j++) E[m->kept[j].index + m->n * j] = 1.0;
  ms_status status = ms_fem_multiply(m, m->engine->K, w->n_b, E, F);
  ms_free(m->ctx, &E);
  for (ptrdiff_t j = 0; status == MS_SUCCESS && j < w->n_b; j++) {
    double *f = F + m->n * j;
    for (ptrdiff_t i = 0; i < m->n; i++) f[i] = -f[i];
    for (ptrdiff_t i = 0; i < w->n_b; i++) f[m->kept[i].index] = 0.0;
  }
  return status;
}

/* ---- bodies that the boundary does not hold ---- */

/* The largest column of D relative to X's. */
static double change(const work *w, const double *D) {
  double worst = 0.0;
  int n = (int)w->m->n;
  for (ptrdiff_t j = 0; j < w->n_b; j++) {
    double size = cblas_dnrm2(n, w->X + (ptrdiff_t)n * j, 1);
    if (size > 0.0) worst = fmax(worst, cblas_dnrm2(n, D + (ptrdiff_t)n * j, 1) / size);
  }
  return worst;
}

/* X += A^-1 (F - K_ii X) until it stands still; R and D are work. */
static ms_status refine(const work *w, ms_solver *s, const double *F, double *R, double *D) {
  ptrdiff_t n = w->n_b * w->m->n;
  double last = INFINITY, now = INFINITY;
  for (int k = 0; k < REFINEMENTS; k++) {
    MS_TRY(ms_fem_multiply(w->m, w->Kii, w->n_b, w->X, D));
    for (ptrdiff_t i = 0; i < n; i++) D[i] = F[i] - D[i];
    MS_TRY(ms_solver_solve(w->m, s, w->n_b, D));
    /* D loses its part in the free motions; R is work. */
    ms_fem_model *m = w->m;
    MS_TRY(ms_fem_multiply(m, w->Mii, w->n_b, D, R));
    for (ptrdiff_t j = 0; j < w->n_b; j++) {
      for (ptrdiff_t r = 0; r < w->modes->n_rigid; r++) {
        const double *phi = w->modes->shape + m->n * r;
        double a = cblas_ddot((int)m->n, phi, 1, R + m->n * j, 1);
        cblas_daxpy((int)m->n, -a, phi, 1, D + m->n * j, 1);
      }
    }
    for (ptrdiff_t i = 0; i < n; i++) w->X[i] += D[i];
    now = change(w, D);
    if (now < w->m->settings.tol.still || (now < w->m->settings.tol.slow && now > 0.5 * last))
      return MS_SUCCESS;
    last = now;
  }
  return ms_fail(w->m->ctx, MS_NOT_CONVERGED,
                 "the constraint modes of a free body did not converge: they still change by %.1e",
                 now);
}

/* The coordinates to hold, one for each free motion: in turn that where what the others leave of
   the motions meets the most stiffness k. R is work, n x motions. */
static void choose(const work *w, const double *k, double *R, PetscInt *pin) {
  const ptrdiff_t n = w->m->n, n_free = w->modes->n_rigid;
  for (ptrdiff_t i = 0; i < n * n_free; i++) R[i] = sqrt(k[i % n]) * w->modes->shape[i];
  for (ptrdiff_t p = 0; p < n_free; p++) {
    double most = 0.0;
    pin[p] = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
      double sum = 0.0;
      for (ptrdiff_t r = 0; r < n_free; r++) sum += R[i + n * r] * R[i + n * r];
      if (sum <= most) continue;
      most = sum;
      pin[p] = (PetscInt)i;
    }
    ptrdiff_t at = pin[p]; /* its direction is taken from all rows, its own last */
    for (ptrdiff_t i = 0; most > 0.0 && i <= n; i++) {
      ptrdiff_t row = i < n ? i : at;
      double dot = 0.0;
      if (i == at) continue;
      for (ptrdiff_t r = 0; r < n_free; r++) dot += R[row + n * r] * R[at + n * r];
      for (ptrdiff_t r = 0; r < n_free; r++) R[row + n * r] -= dot / most * R[at + n * r];
    }
  }
}

/* A = K_ii with springs, as stiff as what they hold. */
static ms_status pin_down(const work *w, double *k, double *R, PetscInt *pin, Mat *A) {
  ms_fem_model *m = w->m;
  MS_TRY(ms_fem_get_diagonal(m, w->Kii, k));
  choose(w, k, R, pin);
  MS_PETSC(m->ctx, MatDuplicate(w->Kii, MAT_COPY_VALUES, A));
  for (ptrdiff_t p = 0; p < w->modes->n_rigid; p++) {
    if (pin[p] < m->engine->begin || pin[p] >= m->engine->end) continue;
    MS_PETSC(m->ctx, MatSetValue(*A, pin[p], pin[p], k[pin[p]], ADD_VALUES));
  }
  MS_PETSC(m->ctx, MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
  MS_PETSC(m->ctx, MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
  MS_PETSC(m->ctx, MatSetBlockSize(*A, 3));
  MS_PETSC(m->ctx, MatSetOption(*A, MAT_SYMMETRIC, PETSC_TRUE));
  MS_PETSC(m->ctx, MatSetOption(*A, MAT_SPD, PETSC_TRUE));
  return MS_SUCCESS;
}

static ms_status solve_free(const work *w, ms_solver *s, const double *F) {
  ms_fem_model *m = w->m;
  ptrdiff_t n_free = w->modes->n_rigid, most = n_free > w->n_b ? n_free : w->n_b;
  double *R = NULL, *D = NULL, *k = NULL;
  PetscInt *pin = NULL;
  Mat A = NULL;
  ms_status status = ms_allocate(m->ctx, most * m->n, sizeof *R, &R);
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, w->n_b * m->n, sizeof *D, &D);
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, m->n, sizeof *k, &k);
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, n_free, sizeof *pin, &pin);
  if (status == MS_SUCCESS) status = pin_down(w, k, R, pin, &A);
  if (status == MS_SUCCESS) status = ms_solver_open(m, A, s);
  if (status == MS_SUCCESS) status = refine(w, s, F, R, D);
  MatDestroy(&A);
  ms_free(m->ctx, &R);
  ms_free(m->ctx, &D);
  ms_free(m->ctx, &k);
  ms_free(m->ctx, &pin);
  return status;
}

/* ---- the whole ---- */

static ms_status solve(const work *w, ms_solver *s, double *F) {
  ms_fem_model *m = w->m;
  MS_TRY(fill_loads(w, F));
  if (w->modes->n_rigid > 0) {
    MS_TRY(solve_free(w, s, F));
  } else {
    memcpy(w->X, F, (size_t)(w->n_b * m->n) * sizeof *F);
    MS_TRY(ms_solver_open(m, w->Kii, s));
    MS_TRY(ms_solver_solve(m, s, w->n_b, w->X));
  }
  for (ptrdiff_t j = 0; j < w->n_b; j++) w->X[m->kept[j].index + m->n * j] = 1.0;
  return MS_SUCCESS;
}

ms_status ms_constraint_modes_find(ms_fem_model *m, Mat Kii, Mat Mii, const ms_fem_modes *modes,
                                   double *X) {
  work w = { .m = m, .Kii = Kii, .Mii = Mii, .modes = modes, .n_b = m->n_kept, .X = X };
  ms_solver s = { 0 };
  double *F;
  MS_TRY(ms_allocate(m->ctx, w.n_b * m->n, sizeof *F, &F));
  ms_status status = solve(&w, &s, F);
  ms_solver_close(m, &s);
  ms_free(m->ctx, &F);
  return status;
}
