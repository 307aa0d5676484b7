/* Hurty and Craig-Bampton: u = Psi u_b + Phi q.

   Psi are the static shapes with one boundary coordinate at 1 and the others at 0, Phi the modes
   with the boundary fixed; M and K of the reduced model are X^T M X and X^T K X with X = [Psi Phi].
   The boundary keeps its rows in the matrices, emptied but for a diagonal. A boundary that leaves
   the body free to move would make the interior singular; it is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cblas.h>

#include "fem/engine.h"

#define REFINEMENTS 60
#define STILL       1e-13 /* relative change of a constraint mode that is none */
#define SLOW        1e-8  /* below this, a change that no longer falls is rounding */

typedef struct work {
  ms_fem_model *m;
  Mat Kii, Mii;
  double *X; /* n x (boundary + modes) */
  ptrdiff_t n_b, n_q;
  ms_fem_modes modes;
} work;

/* The interior's matrices. */
static ms_status cut(work *w) {
  ms_fem_model *m = w->m;
  ms_fem_engine_data *e = m->engine;
  PetscInt *row, n = 0;
  MS_TRY(ms_allocate(m->ctx, m->n_kept, sizeof *row, &row));
  for (int i = 0; i < m->n_kept; i++) {
    if (m->kept[i].index >= e->begin && m->kept[i].index < e->end) row[n++] = m->kept[i].index;
  }
  PetscErrorCode code = MatDuplicate(e->K, MAT_COPY_VALUES, &w->Kii);
  if (!code) code = MatDuplicate(e->M, MAT_COPY_VALUES, &w->Mii);
  if (!code) code = MatSetOption(w->Kii, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE);
  if (!code) code = MatSetOption(w->Mii, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE);
  if (!code) code = MatZeroRowsColumns(w->Kii, n, row, e->diagonal, NULL, NULL);
  if (!code) code = MatZeroRowsColumns(w->Mii, n, row, 0.0, NULL, NULL);
  ms_free(m->ctx, &row);
  return code ? ms_petsc_fail(m->ctx, code, "MatZeroRowsColumns") : MS_SUCCESS;
}

/* Y = A X, whole vectors, one column after the other. */
static ms_status multiply(ms_fem_model *m, Mat A, ptrdiff_t n, const double *X, double *Y) {
  Vec a = NULL, b = NULL;
  PetscErrorCode code = MatCreateVecs(A, &a, &b);
  ms_status status = code ? ms_petsc_fail(m->ctx, code, "MatCreateVecs") : MS_SUCCESS;
  for (ptrdiff_t j = 0; j < n && status == MS_SUCCESS; j++) {
    status = ms_fem_put(m, X + m->n * j, a);
    if (status == MS_SUCCESS && (code = MatMult(A, a, b)) != 0) {
      status = ms_petsc_fail(m->ctx, code, "MatMult");
    }
    if (status == MS_SUCCESS) status = ms_fem_get(m, b, Y + m->n * j);
  }
  VecDestroy(&a);
  VecDestroy(&b);
  return status;
}

/* F = -K_ib, one column for each boundary coordinate. */
static ms_status fill_loads(work *w, double *F) {
  ms_fem_model *m = w->m;
  double *E;
  MS_TRY(ms_allocate(m->ctx, w->n_b * m->n, sizeof *E, &E));
  for (ptrdiff_t j = 0; j < w->n_b; j++) E[m->kept[j].index + m->n * j] = 1.0;
  ms_status status = multiply(m, m->engine->K, w->n_b, E, F);
  ms_free(m->ctx, &E);
  for (ptrdiff_t j = 0; status == MS_SUCCESS && j < w->n_b; j++) {
    double *f = F + m->n * j;
    for (ptrdiff_t i = 0; i < m->n; i++) f[i] = -f[i];
    for (ptrdiff_t i = 0; i < w->n_b; i++) f[m->kept[i].index] = 0.0;
  }
  return status;
}

/* D loses its part in the free motions. */
static ms_status remove_motions(work *w, double *D, double *MD) {
  ms_fem_model *m = w->m;
  MS_TRY(multiply(m, w->Mii, w->n_b, D, MD));
  for (ptrdiff_t j = 0; j < w->n_b; j++) {
    for (ptrdiff_t r = 0; r < w->modes.n_rigid; r++) {
      const double *phi = w->modes.shape + m->n * r;
      double a = cblas_ddot((int)m->n, phi, 1, MD + m->n * j, 1);
      cblas_daxpy((int)m->n, -a, phi, 1, D + m->n * j, 1);
    }
  }
  return MS_SUCCESS;
}

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
static ms_status refine(work *w, ms_solver *s, const double *F, double *R, double *D) {
  ptrdiff_t n = w->n_b * w->m->n;
  double last = INFINITY;
  for (int k = 0; k < REFINEMENTS; k++) {
    MS_TRY(multiply(w->m, w->Kii, w->n_b, w->X, D));
    for (ptrdiff_t i = 0; i < n; i++) D[i] = F[i] - D[i];
    MS_TRY(ms_solver_solve(w->m, s, w->n_b, D));
    MS_TRY(remove_motions(w, D, R));
    for (ptrdiff_t i = 0; i < n; i++) w->X[i] += D[i];
    double now = change(w, D);
    if (now < STILL || (now < SLOW && now > 0.5 * last)) return MS_SUCCESS;
    last = now;
  }
  return ms_fail(w->m->ctx, MS_NOT_CONVERGED,
                 "the constraint modes of a free body did not converge");
}

static ms_status solve_free(work *w, ms_solver *s, const double *F) {
  ms_fem_model *m = w->m;
  double *R = NULL, *D = NULL;
  Mat A = NULL;
  ms_status status = ms_allocate(m->ctx, w->n_b * m->n, sizeof *R, &R);
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, w->n_b * m->n, sizeof *D, &D);
  if (status == MS_SUCCESS) status = ms_modes_shift(m, w->Kii, w->Mii, m->engine->shift, &A);
  if (status == MS_SUCCESS) status = ms_solver_open(m, A, s);
  if (status == MS_SUCCESS) status = refine(w, s, F, R, D);
  MatDestroy(&A);
  ms_free(m->ctx, &R);
  ms_free(m->ctx, &D);
  return status;
}

/* Psi = -K_ii^-1 K_ib, and the unit matrix in the boundary. */
static ms_status find_constraint_modes(work *w, ms_solver *s, double *F) {
  ms_fem_model *m = w->m;
  MS_TRY(fill_loads(w, F));
  if (w->modes.n_rigid > 0) {
    MS_TRY(solve_free(w, s, F));
  } else {
    memcpy(w->X, F, (size_t)(w->n_b * m->n) * sizeof *F);
    MS_TRY(ms_solver_open(m, w->Kii, s));
    MS_TRY(ms_solver_solve(m, s, w->n_b, w->X));
  }
  for (ptrdiff_t j = 0; j < w->n_b; j++) w->X[m->kept[j].index + m->n * j] = 1.0;
  return MS_SUCCESS;
}

/* Modes before statics: they show whether the boundary holds the body. */
static ms_status find_fixed_modes(work *w, const ms_fem_reduction *r) {
  ms_fem_model *m = w->m;
  int none = r->n_mode == 0 && r->cutoff_hz == 0.0; /* one is sought even so, to see if it is 0 */
  MS_TRY(ms_modes_find(m, w->Kii, w->Mii, none ? 1 : r->n_mode, r->cutoff_hz, &w->modes));
  w->n_q = none ? 0 : w->modes.n;
  if (w->modes.n_rigid == 0 || w->modes.n_rigid < w->n_q) return MS_SUCCESS;
  return ms_fail(
      m->ctx, MS_ERR_ARGUMENT,
      "with the boundary fixed the body can still move in %td ways; take more modes than "
      "that, or keep more coordinates",
      w->modes.n_rigid);
}

/* X^T (A X) into C, made exactly symmetric. */
static void project(const work *w, const double *AX, double *C) {
  ptrdiff_t n = w->n_b + w->n_q;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)n, (int)n, (int)w->m->n, 1.0, w->X,
              (int)w->m->n, AX, (int)w->m->n, 0.0, C, (int)n);
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < j; i++) {
      C[i + n * j] = C[j + n * i] = (C[i + n * j] + C[j + n * i]) / 2;
    }
  }
}

static ms_status make_names(const work *w, char (*text)[24], const char **name) {
  for (ptrdiff_t i = 0; i < w->n_b; i++) name[i] = w->m->kept[i].name;
  for (ptrdiff_t i = 0; i < w->n_q; i++) {
    snprintf(text[i], sizeof text[i], "q%td", i + 1);
    name[w->n_b + i] = text[i];
  }
  return MS_SUCCESS;
}

static ms_status create(const work *w, int basis, ms_reduced **out) {
  ms_context *ctx = w->m->ctx;
  char(*text)[24] = NULL;
  const char **name = NULL;
  ms_status status = ms_allocate(ctx, w->n_q + 1, sizeof *text, &text);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, w->n_b + w->n_q, sizeof *name, &name);
  if (status == MS_SUCCESS) status = make_names(w, text, name);
  if (status == MS_SUCCESS) {
    status = ms_reduced_create(ctx, w->n_b + w->n_q, w->n_b, name, basis ? w->m->n : 0, out);
  }
  ms_free(ctx, &text);
  ms_free(ctx, &name);
  return status;
}

/* X^T M r, and r itself: what boundary coordinates have of it, and the part of the rest that is in
   the modes, Phi^T M (r - Psi r_b). */
static ms_status fill_translations(const work *w, ms_reduced *out) {
  const ms_fem_model *m = w->m;
  ptrdiff_t n = out->n;
  MS_TRY(ms_reduced_add_translations(out));
  out->mass = m->engine->mass;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 3, (int)n, (int)m->n, 1.0,
              m->engine->inertia, 3, w->X, (int)m->n, 0.0, out->inertia, 3);
  for (ptrdiff_t j = 0; j < w->n_b; j++) {
    if (m->kept[j].component < 3) out->follow[m->kept[j].component + 3 * j] = 1.0;
  }
  for (ptrdiff_t k = 3 * w->n_b; k < 3 * n; k++) {
    ptrdiff_t d = k % 3, q = k / 3;
    out->follow[k] = out->inertia[k];
    for (ptrdiff_t j = 0; j < w->n_b; j++) {
      out->follow[k] -= out->M[q + n * j] * out->follow[d + 3 * j];
    }
  }
  return MS_SUCCESS;
}

static ms_status fill(work *w, int basis, ms_reduced *out) {
  ms_fem_model *m = w->m;
  double *AX;
  MS_TRY(ms_allocate(m->ctx, out->n * m->n, sizeof *AX, &AX));
  ms_status status = multiply(m, m->engine->K, out->n, w->X, AX);
  if (status == MS_SUCCESS) project(w, AX, out->K);
  if (status == MS_SUCCESS) status = multiply(m, m->engine->M, out->n, w->X, AX);
  if (status == MS_SUCCESS) project(w, AX, out->M);
  ms_free(m->ctx, &AX);
  MS_TRY(status);
  for (ptrdiff_t i = 0; i < out->n * out->n; i++) {
    if (isfinite(out->K[i]) && isfinite(out->M[i])) continue;
    return ms_fail(m->ctx, MS_ERR_NUMERIC, "the reduced matrices are not finite");
  }
  MS_TRY(fill_translations(w, out));
  if (!basis) return MS_SUCCESS;
  memcpy(out->basis, w->X, (size_t)(out->n * m->n) * sizeof *w->X);
  for (ptrdiff_t j = 0; j < out->n; j++) ms_fem_expand(m, out->basis + m->n * j, 0);
  return MS_SUCCESS;
}

static ms_status reduce(work *w, const ms_fem_reduction *r, ms_reduced **out) {
  ms_fem_model *m = w->m;
  ms_solver s = { 0 };
  MS_TRY(cut(w));
  MS_TRY(find_fixed_modes(w, r));
  MS_TRY(ms_allocate(m->ctx, (w->n_b + w->n_q) * m->n, sizeof *w->X, &w->X));
  double *F;
  MS_TRY(ms_allocate(m->ctx, w->n_b * m->n, sizeof *F, &F));
  ms_status status = find_constraint_modes(w, &s, F);
  ms_solver_close(m, &s);
  ms_free(m->ctx, &F);
  MS_TRY(status);
  memcpy(w->X + w->n_b * m->n, w->modes.shape, (size_t)(w->n_q * m->n) * sizeof *w->X);
  MS_TRY(create(w, r->basis, out));
  status = fill(w, r->basis, *out);
  if (status != MS_SUCCESS) ms_reduced_destroy(out);
  return status;
}

static ms_status check_kept(const ms_fem_model *m) {
  if (m->n_kept > 0) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT, "a reduction needs coordinates to keep: ms_fem_keep");
}

ms_status ms_fem_outline(ms_fem_model *m, const ms_fem_reduction *reduction, ms_reduced **out) {
  work w = { .m = m, .n_b = m->n_kept, .n_q = reduction->n_mode };
  *out = NULL;
  MS_TRY(check_kept(m));
  MS_TRY(ms_fem_eliminate(m));
  ms_elimination_free(m->ctx, &m->T);
  return create(&w, 0, out);
}

ms_status ms_fem_reduce(ms_fem_model *m, const ms_fem_reduction *reduction, ms_reduced **out) {
  *out = NULL;
  if (!m->engine) return ms_fail(m->ctx, MS_ERR_STATE, "the model is not set up");
  MS_TRY(check_kept(m));
  work w = { .m = m, .n_b = m->n_kept };
  ms_status status = reduce(&w, reduction, out);
  MatDestroy(&w.Kii);
  MatDestroy(&w.Mii);
  ms_free(m->ctx, &w.X);
  ms_fem_modes_free(m->ctx, &w.modes);
  return status;
}
