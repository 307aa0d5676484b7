/* About A^-1, by multigrid and an exact coarse space for the references of spiders.

   A rigid spider couples its reference to all neighbours of its patch. Such rows, thousands of
   entries long, would make aggregates and coarse matrices dense, so multigrid gets A without them,
   A_i: the body with its references held. With E the unit vectors of the references and
   W = E - A_i^-1 A E (static shapes, to a rough tolerance),

     B = B_i + W S^-1 W^T,    S = W^T A W,

   which is exact in W and, where W is exact, has the spectrum of B_i A_i and 1. */
#include <math.h>

#include <lapacke.h>

#include "fem/solve/multigrid.h"

struct ms_multigrid {
  ms_fem_model *m;
  Mat A, inner; /* the whole, and without references */
  ms_levels *levels;
  PetscInt n_ref, *ref;  /* all references' coordinates that are unknowns */
  unsigned char *is_ref; /* of all coordinates */
  Mat W;
  double *S, *c; /* Cholesky factor; room for coefficients */
  ptrdiff_t n_c;
  Mat scratch; /* R without what acts on references */
};

/* ---- the matrix without references ---- */

static ms_status find_references(ms_multigrid *g) {
  ms_fem_model *m = g->m;
  ptrdiff_t most = 6 * (m->n_node - m->mesh->n_node);
  MS_TRY(ms_allocate(m->ctx, most + 1, sizeof *g->ref, &g->ref));
  MS_TRY(ms_allocate(m->ctx, m->n, sizeof *g->is_ref, &g->is_ref));
  for (ptrdiff_t i = m->mesh->n_node; i < m->n_node; i++) {
    for (int c = 0; m->first[i] >= 0 && c < m->n_comp[i]; c++) {
      int32_t at = m->first[i] + c;
      if (m->T.row_of[at] >= 0) continue;
      g->ref[g->n_ref++] = at;
      g->is_ref[at] = 1;
    }
  }
  return MS_SUCCESS;
}

/* Entries that count: not zero, and with no reference but on its diagonal. */
static int counts(const ms_multigrid *g, PetscInt i, PetscInt j, double a) {
  return i == j || (a != 0.0 && !g->is_ref[i] && !g->is_ref[j]);
}

/* Numbers of entries in each row, in the columns of this process and in others. */
static ms_status count_entries(ms_multigrid *g, PetscInt *inside, PetscInt *away) {
  PetscInt begin = g->m->engine->begin, end = g->m->engine->end;
  for (PetscInt i = begin; i < end; i++) {
    PetscInt n;
    const PetscInt *col;
    const PetscScalar *a;
    MS_PETSC(g->m->ctx, MatGetRow(g->A, i, &n, &col, &a));
    for (PetscInt k = 0; k < n; k++) {
      PetscInt *count = col[k] >= begin && col[k] < end ? inside : away;
      count[i - begin] += counts(g, i, col[k], a[k]);
    }
    MS_PETSC(g->m->ctx, MatRestoreRow(g->A, i, &n, &col, &a));
  }
  return MS_SUCCESS;
}

static ms_status copy_entries(ms_multigrid *g, PetscInt *col, PetscScalar *value) {
  for (PetscInt i = g->m->engine->begin; i < g->m->engine->end; i++) {
    PetscInt n, kept = 0;
    const PetscInt *c;
    const PetscScalar *a;
    MS_PETSC(g->m->ctx, MatGetRow(g->A, i, &n, &c, &a));
    for (PetscInt k = 0; k < n; k++) {
      if (!counts(g, i, c[k], a[k])) continue;
      col[kept] = c[k];
      value[kept++] = a[k];
    }
    MS_PETSC(g->m->ctx, MatRestoreRow(g->A, i, &n, &c, &a));
    MS_PETSC(g->m->ctx, MatSetValues(g->inner, 1, &i, kept, col, value, INSERT_VALUES));
  }
  MS_PETSC(g->m->ctx, MatAssemblyBegin(g->inner, MAT_FINAL_ASSEMBLY));
  MS_PETSC(g->m->ctx, MatAssemblyEnd(g->inner, MAT_FINAL_ASSEMBLY));
  return MS_SUCCESS;
}

static ms_status create_inner(ms_multigrid *g, PetscInt *inside, PetscInt *away) {
  ms_context *ctx = g->m->ctx;
  PetscInt n = g->m->engine->end - g->m->engine->begin;
  MS_TRY(count_entries(g, inside, away));
  MS_PETSC(ctx, MatCreate(PETSC_COMM_WORLD, &g->inner));
  MS_PETSC(ctx, MatSetSizes(g->inner, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  MS_PETSC(ctx, MatSetBlockSize(g->inner, 3));
  MS_PETSC(ctx, MatSetType(g->inner, MATAIJ));
  MS_PETSC(ctx, MatXAIJSetPreallocation(g->inner, 1, inside, away, NULL, NULL));
  MS_PETSC(ctx, MatSetOption(g->inner, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  MS_PETSC(ctx, MatSetOption(g->inner, MAT_SPD, PETSC_TRUE));
  return MS_SUCCESS;
}

static ms_status make_inner(ms_multigrid *g) {
  ms_context *ctx = g->m->ctx;
  PetscInt n = g->m->engine->end - g->m->engine->begin, *inside = NULL, *away = NULL, *col = NULL;
  double *value = NULL;
  ms_status status = ms_allocate(ctx, n + 1, sizeof *inside, &inside);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, n + 1, sizeof *away, &away);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, g->m->n, sizeof *col, &col);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, g->m->n, sizeof *value, &value);
  if (status == MS_SUCCESS) status = create_inner(g, inside, away);
  if (status == MS_SUCCESS) status = copy_entries(g, col, value);
  ms_free(ctx, &inside);
  ms_free(ctx, &away);
  ms_free(ctx, &col);
  ms_free(ctx, &value);
  return status;
}

/* ---- references ---- */

/* Rows of references, of this process, become zero; with `unit` their own column becomes 1. */
static ms_status set_references(ms_multigrid *g, Mat X, int unit) {
  PetscInt n, column, begin = g->m->engine->begin;
  double *x;
  ms_columns_size(X, &n, &column);
  MS_TRY(ms_columns_read(g->m->ctx, X, &x));
  for (PetscInt k = 0; k < g->n_ref; k++) {
    PetscInt i = g->ref[k] - begin;
    if (i < 0 || i >= n) continue;
    for (PetscInt j = 0; j < column; j++) x[i + (ptrdiff_t)n * j] = 0.0;
    if (unit) x[i + (ptrdiff_t)n * k] = 1.0;
  }
  return MS_SUCCESS;
}

static ms_status apply_inner(void *self, Mat R, Mat Z) {
  return ms_levels_apply(self, R, Z);
}

/* W = E - A_i^-1 A E */
static ms_status find_shapes(ms_multigrid *g, Mat E, Mat *AE) {
  ms_context *ctx = g->m->ctx;
  double *w;
  PetscInt n, column;
  MS_TRY(set_references(g, E, 1));
  MS_TRY(ms_columns_multiply(ctx, g->A, E, AE));
  MS_TRY(set_references(g, *AE, 0));
  MS_TRY(ms_gradients_solve(g->m, g->inner, apply_inner, g->levels, *AE, g->m->settings.tol.rough,
                            g->W));
  ms_columns_size(g->W, &n, &column);
  MS_TRY(ms_columns_read(ctx, g->W, &w));
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * column; i++) w[i] = -w[i];
  return set_references(g, g->W, 1);
}

static ms_status factor(ms_multigrid *g, Mat *AW) {
  int n = g->n_ref;
  MS_TRY(ms_columns_multiply(g->m->ctx, g->A, g->W, AW));
  MS_TRY(ms_columns_dot_all(g->m->ctx, g->W, *AW, g->S));
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, g->S, n) == 0) return MS_SUCCESS;
  return ms_fail(g->m->ctx, MS_NOT_CONVERGED,
                 "the spiders are not supported: is there a part that can move freely?");
}

/* ---- the whole ---- */

ms_status ms_multigrid_create(ms_fem_model *m, Mat A, ms_multigrid **out) {
  MS_TRY(ms_allocate(m->ctx, 1, sizeof **out, out));
  ms_multigrid *g = *out;
  g->m = m;
  g->A = A;
  MS_TRY(find_references(g));
  MS_TRY(make_inner(g));
  MS_TRY(ms_levels_create(m, g->inner, &g->levels));
  ms_context *ctx = g->m->ctx;
  Mat E = NULL, AE = NULL, AW = NULL;
  if (g->n_ref == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, (ptrdiff_t)g->n_ref * g->n_ref, sizeof *g->S, &g->S));
  MS_TRY(ms_columns_create(ctx, g->A, g->n_ref, &g->W));
  ms_status status = ms_columns_create(ctx, g->A, g->n_ref, &E);
  if (status == MS_SUCCESS) status = find_shapes(g, E, &AE);
  if (status == MS_SUCCESS) status = factor(g, &AW);
  MatDestroy(&E);
  MatDestroy(&AE);
  MatDestroy(&AW);
  return status;
}

void ms_multigrid_destroy(ms_fem_model *m, ms_multigrid **mg) {
  ms_multigrid *g = *mg;
  if (!g) return;
  ms_levels_destroy(m, &g->levels);
  MatDestroy(&g->inner);
  MatDestroy(&g->W);
  MatDestroy(&g->scratch);
  ms_free(m->ctx, &g->ref);
  ms_free(m->ctx, &g->is_ref);
  ms_free(m->ctx, &g->S);
  ms_free(m->ctx, &g->c);
  ms_free(m->ctx, mg);
}

/* scratch = R, without what acts on references */
static ms_status mask(ms_multigrid *g, Mat R) {
  PetscInt n, column, have = 0;
  ms_columns_size(R, &n, &column);
  if (g->scratch) ms_columns_size(g->scratch, &n, &have);
  if (have != column) {
    MatDestroy(&g->scratch);
    MS_TRY(ms_columns_create(g->m->ctx, g->A, column, &g->scratch));
  }
  MS_TRY(ms_columns_copy(g->m->ctx, R, g->scratch));
  return MS_SUCCESS;
}

ms_status ms_multigrid_apply(ms_multigrid *g, Mat R, Mat Z) {
  MS_TRY(mask(g, R));
  if (g->n_ref > 0) {
    /* c = S^-1 W^T R, n_ref x columns of R. */
    PetscInt n, column, n_ref = g->n_ref;
    ms_columns_size(g->scratch, &n, &column);
    if (g->n_c < column) {
      MS_TRY(ms_resize(g->m->ctx, (ptrdiff_t)n_ref * column, sizeof *g->c, &g->c));
      g->n_c = column;
    }
    MS_TRY(ms_columns_dot_all(g->m->ctx, g->W, g->scratch, g->c));
    LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n_ref, column, g->S, n_ref, g->c, n_ref);
  }
  MS_TRY(set_references(g, g->scratch, 0));
  MS_TRY(ms_levels_apply(g->levels, g->scratch, Z));
  return g->n_ref > 0 ? ms_columns_add(g->m->ctx, g->W, g->c, Z) : MS_SUCCESS;
}

static ms_status apply(void *self, Mat R, Mat Z) {
  return ms_multigrid_apply(self, R, Z);
}

ms_status ms_multigrid_solve(ms_multigrid *g, Mat B, double tolerance, Mat X) {
  return ms_gradients_solve(g->m, g->A, apply, g, B, tolerance, X);
}
