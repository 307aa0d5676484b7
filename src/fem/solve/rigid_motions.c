/* Rigid-body motions: of the unknowns, which multigrid must reproduce on every level, but for the
   references of spiders, which it does not see (multigrid.c); and what inertia sets against
   translations, which is how a moving ground acts. */
#include <string.h>

#include "fem/solve/petsc.h"

/* Motion k (three along, three about the axes) of coordinate c at x. */
static double motion(int k, int c, const double *x) {
  if (c >= 3) return (double)(k == c);
  if (k < 3) return (double)(k == c);
  int a = k - 3; /* e_a x x */
  if (c == (a + 1) % 3) return -x[(a + 2) % 3];
  if (c == (a + 2) % 3) return x[(a + 1) % 3];
  return 0.0;
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
    memset(u, 0, (size_t)m->n * sizeof *u);
    for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) {
      for (int c = 0; c < m->n_comp[i]; c++) {
        int32_t at = m->first[i] + c;
        if (m->T.row_of[at] < 0) u[at] = motion(k, c, ms_fem_place(m, i));
      }
    }
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

/* ---- inertia of translations ---- */

/* f acts on a coordinate: on itself or on those it follows, where they are of this process. */
static void add_force(const ms_fem_model *m, int32_t index, int d, double f) {
  const ms_elimination *t = &m->T;
  const ms_fem_engine_data *e = m->engine;
  int32_t r = t->row_of[index];
  if (r < 0 && index >= e->begin && index < e->end) e->inertia[d + 3 * (ptrdiff_t)index] += f;
  for (ptrdiff_t j = r < 0 ? 0 : t->start[r]; r >= 0 && j < t->start[r + 1]; j++) {
    ptrdiff_t at = t->index[j];
    if (at >= e->begin && at < e->end) e->inertia[d + 3 * at] += t->coef[j] * f;
  }
}

void ms_fem_add_inertia(ms_fem_model *m, int n, const int32_t *index, int n_dof, const double *X,
                        int counts) {
  for (int d = 0; d < 3; d++) {
    for (int i = 0; i < n; i++) {
      double f = 0.0;
      for (int k = d; k < n; k += n_dof) f += X[i + n * k];
      /* a sector moves along its axis only */
      if (!(m->mesh->sector > 0.0) || d == m->mesh->sector_axis) add_force(m, index[i], d, f);
      if (counts && d == 0 && i % n_dof == 0) m->engine->mass += f;
    }
  }
}

ms_status ms_fem_sum_inertia(ms_fem_model *m) {
  ms_fem_engine_data *e = m->engine;
  MS_PETSC(m->ctx, MPI_Allreduce(MPI_IN_PLACE, e->inertia, (int)(3 * m->n), MPI_DOUBLE, MPI_SUM,
                                 PETSC_COMM_WORLD));
  MS_PETSC(m->ctx, MPI_Allreduce(MPI_IN_PLACE, &e->mass, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  return MS_SUCCESS;
}
