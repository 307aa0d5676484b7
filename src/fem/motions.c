/* Rigid-body motions of the unknowns, which multigrid must reproduce on every level. */
#include <string.h>

#include "fem/engine.h"

/* Motion k (three along, three about the axes) of coordinate c at x. */
static double motion(int k, int c, const double *x) {
  if (c >= 3) return (double)(k == c);
  if (k < 3) return (double)(k == c);
  int a = k - 3; /* e_a x x */
  if (c == (a + 1) % 3) return -x[(a + 2) % 3];
  if (c == (a + 2) % 3) return x[(a + 1) % 3];
  return 0.0;
}

static void fill(const ms_fem_model *m, int k, double *u) {
  memset(u, 0, (size_t)m->n * sizeof *u);
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    for (int c = 0; c < m->n_comp[i]; c++) {
      int32_t at = m->first[i] + c;
      if (m->T.row_of[at] < 0) u[at] = motion(k, c, ms_fem_place(m, i));
    }
  }
}

/* Gram and Schmidt, twice; what is left of a motion that the others contain is dropped. */
static ms_status orthogonalise(const ms_fem_model *m, Vec *v, int n, int *used) {
  PetscReal before, after;
  MS_PETSC(m->ctx, VecNorm(v[n], NORM_2, &before));
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 0; j < n; j++) {
      PetscScalar dot;
      MS_PETSC(m->ctx, VecDot(v[n], v[j], &dot));
      MS_PETSC(m->ctx, VecAXPY(v[n], -dot, v[j]));
    }
  }
  MS_PETSC(m->ctx, VecNorm(v[n], NORM_2, &after));
  if (after <= 1e-8 * before || after == 0.0) return MS_SUCCESS;
  MS_PETSC(m->ctx, VecScale(v[n], 1.0 / after));
  *used = n + 1;
  return MS_SUCCESS;
}

static ms_status make(ms_fem_model *m, Vec *v, double *u) {
  int n = 0;
  for (int k = 0; k < 6; k++) {
    fill(m, k, u);
    MS_TRY(ms_fem_put(m, u, v[n]));
    MS_TRY(orthogonalise(m, v, n, &n));
  }
  MS_PETSC(m->ctx, MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, n, v, &m->engine->motions));
  return MS_SUCCESS;
}

ms_status ms_fem_make_motions(ms_fem_model *m) {
  Vec one = NULL, *v = NULL;
  double *u = NULL;
  MS_PETSC(m->ctx, MatCreateVecs(m->engine->K, &one, NULL));
  PetscErrorCode code = VecSetBlockSize(one, 3);
  if (!code) code = VecDuplicateVecs(one, 6, &v);
  ms_status status = code ? ms_petsc_fail(m->ctx, code, "VecDuplicateVecs") : MS_SUCCESS;
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, m->n, sizeof *u, &u);
  if (status == MS_SUCCESS) status = make(m, v, u);
  VecDestroyVecs(6, &v);
  VecDestroy(&one);
  ms_free(m->ctx, &u);
  return status;
}
