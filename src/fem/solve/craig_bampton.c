/* Hurty and Craig-Bampton: u = Psi u_b + Phi q.

   Psi are the static shapes with one boundary coordinate at 1 and the others at 0, Phi the modes
   with the boundary fixed; M and K of the reduced model are X^T M X and X^T K X with X = [Psi Phi].
   The boundary keeps its rows in the matrices, emptied but for a diagonal. Motions that strain
   nothing are known (free_motions.c): in the interior they are the first modes, and of the
   reduced K they are taken out, X^T K X having them to the rounding of the mesh only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cblas.h>

#include "fem/solve/free_motions.h"

typedef struct work {
  ms_fem_model *m;
  Mat Kii, Mii;
  double *X; /* n x (boundary + modes) */
  ptrdiff_t n_b, n_q;
  ms_fem_modes modes;
  ms_free_motions free, held; /* of the model; and with the boundary fixed */
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

/* Modes before statics: they show whether the boundary holds the body. */
static ms_status find_fixed_modes(work *w, const ms_fem_reduction *r) {
  ms_fem_model *m = w->m;
  int none = r->n_mode == 0 && r->cutoff_hz == 0.0; /* one is sought even so, to see if it is 0 */
  MS_TRY(ms_free_motions_find(m, w->Mii, 1, &w->held));
  MS_TRY(ms_modes_find(m, w->Kii, w->Mii, &w->held, none ? 1 : r->n_mode, r->cutoff_hz, &w->modes));
  w->n_q = none ? 0 : w->modes.n;
  if (w->modes.n_rigid == 0 || w->modes.n_rigid < w->n_q) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                 "with the boundary fixed the body can still move in %td ways; take more modes "
                 "than that, or keep more degrees of freedom",
                 w->held.n > w->modes.n_rigid ? w->held.n : w->modes.n_rigid);
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

/* z of a motion u of the model, u = X z: what boundary coordinates have of it, and Phi^T M (u - Psi
   u_b). */
static ms_status express(const work *w, ptrdiff_t n_motion, const double *U, const ms_reduced *r,
                         double *Z) {
  ms_fem_model *m = w->m;
  double *MU;
  const int rows = (int)m->n, n_q = (int)w->n_q, k = (int)n_motion;
  MS_TRY(ms_allocate(m->ctx, m->n * n_motion, sizeof *MU, &MU));
  ms_status status = ms_fem_multiply(m, m->engine->M, n_motion, U, MU);
  for (ptrdiff_t i = 0; i < w->n_b * n_motion; i++) {
    Z[i % w->n_b + r->n * (i / w->n_b)] = U[m->kept[i % w->n_b].index + m->n * (i / w->n_b)];
  }
  if (n_q > 0) {
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n_q, k, rows, 1.0, w->X + w->n_b * m->n,
                rows, MU, rows, 0.0, Z + w->n_b, (int)r->n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n_q, k, (int)w->n_b, -1.0, r->M + w->n_b,
                (int)r->n, Z, (int)r->n, 1.0, Z + w->n_b, (int)r->n);
  }
  ms_free(m->ctx, &MU);
  return status;
}

static ms_status fill_free_motions(const work *w, ms_reduced *out) {
  double *Z;
  MS_TRY(ms_allocate(w->m->ctx, out->n * w->free.n + 1, sizeof *Z, &Z));
  ms_status status = express(w, w->free.n, w->free.u, out, Z);
  if (status == MS_SUCCESS) {
    status = ms_reduced_set_free(out, w->free.n, Z, w->m->engine->rounding);
  }
  ms_free(w->m->ctx, &Z);
  return status;
}

static ms_status fill_turn(const work *w, ms_reduced *out) {
  ms_context *ctx = w->m->ctx;
  double *U = NULL, *Z = NULL;
  ms_status status = ms_allocate(ctx, 3 * w->m->n, sizeof *U, &U);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, 3 * out->n, sizeof *Z, &Z);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, 3 * out->n, sizeof *Z, &out->turn);
  if (status == MS_SUCCESS) {
    /* Rotations of everything about the origin, in the unknowns. */
    const ms_body about_origin = { .size = 1.0 };
    for (ptrdiff_t i = 0; i < w->m->n_node; i++) {
      for (int c = 0; w->m->first[i] >= 0 && c < w->m->n_comp[i]; c++) {
        double v[6];
        ptrdiff_t at = w->m->first[i] + c;
        ms_body_fill_motions(&about_origin, c, ms_fem_place(w->m, i), v);
        for (int d = 0; d < 3 && w->m->T.row_of[at] < 0; d++) U[at + w->m->n * d] = v[3 + d];
      }
    }
    status = express(w, 3, U, out, Z);
  }
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < 3 * out->n; k++) {
    out->turn[k / out->n + 3 * (k % out->n)] = Z[k];
  }
  ms_free(ctx, &U);
  ms_free(ctx, &Z);
  return status;
}

static ms_status fill(work *w, int basis, ms_reduced *out) {
  ms_fem_model *m = w->m;
  double *AX;
  MS_TRY(ms_allocate(m->ctx, out->n * m->n, sizeof *AX, &AX));
  ms_status status = ms_fem_multiply(m, m->engine->K, out->n, w->X, AX);
  if (status == MS_SUCCESS) project(w, AX, out->K);
  if (status == MS_SUCCESS) status = ms_fem_multiply(m, m->engine->M, out->n, w->X, AX);
  if (status == MS_SUCCESS) project(w, AX, out->M);
  ms_free(m->ctx, &AX);
  MS_TRY(status);
  for (ptrdiff_t i = 0; i < out->n * out->n; i++) {
    if (isfinite(out->K[i]) && isfinite(out->M[i])) continue;
    return ms_fail(m->ctx, MS_ERR_NUMERIC, "the reduced matrices are not finite");
  }
  MS_TRY(fill_translations(w, out));
  MS_TRY(ms_free_motions_find(m, m->engine->M, 0, &w->free));
  MS_TRY(fill_turn(w, out));
  MS_TRY(fill_free_motions(w, out));
  if (!basis) return MS_SUCCESS;
  memcpy(out->basis, w->X, (size_t)(out->n * m->n) * sizeof *w->X);
  for (ptrdiff_t j = 0; j < out->n; j++) ms_fem_expand(m, out->basis + m->n * j, 0);
  return MS_SUCCESS;
}

static ms_status reduce(work *w, const ms_fem_reduction *r, ms_reduced **out) {
  ms_fem_model *m = w->m;
  MS_TRY(cut(w));
  MS_TRY(find_fixed_modes(w, r));
  MS_TRY(ms_allocate(m->ctx, (w->n_b + w->n_q) * m->n, sizeof *w->X, &w->X));
  MS_TRY(ms_constraint_modes_find(m, w->Kii, w->Mii, &w->modes, w->X));
  memcpy(w->X + w->n_b * m->n, w->modes.shape, (size_t)(w->n_q * m->n) * sizeof *w->X);
  MS_TRY(create(w, r->basis, out));
  ms_status status = fill(w, r->basis, *out);
  if (status != MS_SUCCESS) ms_reduced_destroy(out);
  return status;
}

static ms_status check_kept(const ms_fem_model *m, const ms_fem_reduction *reduction) {
  if (m->n_kept > 0 || reduction->n_mode > 0 || reduction->cutoff_hz > 0.0) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                 "a reduction needs modes, or degrees of freedom to keep: ms_fem_keep");
}

ms_status ms_fem_outline(ms_fem_model *m, const ms_fem_reduction *reduction, ms_reduced **out) {
  work w = { .m = m, .n_b = m->n_kept, .n_q = reduction->n_mode };
  *out = NULL;
  MS_TRY(check_kept(m, reduction));
  MS_TRY(ms_fem_eliminate(m));
  ms_elimination_free(m->ctx, &m->T);
  return create(&w, 0, out);
}

ms_status ms_fem_reduce(ms_fem_model *m, const ms_fem_reduction *reduction, ms_reduced **out) {
  *out = NULL;
  if (!m->engine) return ms_fail(m->ctx, MS_ERR_STATE, "the model is not set up");
  MS_TRY(check_kept(m, reduction));
  work w = { .m = m, .n_b = m->n_kept };
  ms_status status = reduce(&w, reduction, out);
  MatDestroy(&w.Kii);
  MatDestroy(&w.Mii);
  ms_free(m->ctx, &w.X);
  ms_fem_modes_free(m->ctx, &w.modes);
  ms_free_motions_free(m->ctx, &w.free);
  ms_free_motions_free(m->ctx, &w.held);
  return status;
}
