/* T^T K T and T^T M T in PETSc.

   Every process goes through the elements that touch its rows, in the mesh's order, and keeps what
   belongs to them: nothing is sent, and each entry is the same sum whatever the number of
   processes. Rows come in blocks of three, as coordinates do. */
#include <math.h>
#include <string.h>

#include "fem/solve/petsc.h"

/* One element (or spring) in the coordinates of the model. */
typedef struct piece {
  int n;                         /* its own coordinates */
  int32_t index[MS_ELEMENT_DOF]; /* in the model */
  int n_col;                     /* the unknowns they depend on */
  int32_t *col;
} piece;

typedef struct work {
  ms_fem_model *m;
  ms_property *property; /* of every block */
  piece p;
  int32_t *place;          /* n: 1 + place in p.col, else 0 */
  int32_t max_col;         /* room in col, T and A */
  double *T, *A, *B;       /* n_col x n, then n_col x n_col, and n x n_col */
  PetscInt begin, end;     /* blocks of this process */
  PetscInt *row, *col;     /* as PETSc takes them */
  int32_t *start, *list;   /* elements at each block of this process */
  PetscInt *inside, *away; /* blocks in each row of blocks, columns of this process and others */
} work;

/* ---- which coordinates ---- */

static ptrdiff_t count_pieces(const ms_fem_model *m) {
  return m->mesh->n_element + m->n_spring;
}

/* The block of an element, searched from the one found before. */
static const ms_element_block *block_of(const ms_fem_model *m, ptrdiff_t k) {
  return &m->mesh->block[ms_mesh_find_block(m->mesh, k)];
}

static void fill_index(const ms_fem_model *m, ptrdiff_t k, piece *p) {
  if (k >= m->mesh->n_element) {
    const ms_fem_spring *s = &m->spring[k - m->mesh->n_element];
    p->n = s->n;
    memcpy(p->index, s->index, (size_t)s->n * sizeof *p->index);
    return;
  }
  const ms_element_block *b = block_of(m, k);
  int n_node = b->element->info.n_node, n_dof = b->element->info.n_dof;
  const int32_t *node = b->node + n_node * (k - b->first);
  p->n = n_node * n_dof;
  for (int i = 0; i < n_node; i++) {
    for (int c = 0; c < n_dof; c++) p->index[n_dof * i + c] = m->first[node[i]] + c;
  }
}

static ms_status grow(work *w, int32_t n_col) {
  ms_context *ctx = w->m->ctx;
  if (n_col <= w->max_col) return MS_SUCCESS;
  int32_t more = n_col + n_col / 2;
  MS_TRY(ms_resize(ctx, more, sizeof *w->p.col, &w->p.col));
  MS_TRY(ms_resize(ctx, more, sizeof *w->row, &w->row));
  MS_TRY(ms_resize(ctx, more, sizeof *w->col, &w->col));
  MS_TRY(ms_resize(ctx, (ptrdiff_t)more * MS_ELEMENT_DOF, sizeof *w->T, &w->T));
  MS_TRY(ms_resize(ctx, (ptrdiff_t)more * MS_ELEMENT_DOF, sizeof *w->B, &w->B));
  MS_TRY(ms_resize(ctx, (ptrdiff_t)more * more, sizeof *w->A, &w->A));
  w->max_col = more;
  return MS_SUCCESS;
}

static void add_col(work *w, int32_t i) {
  if (w->place[i]) return;
  w->p.col[w->p.n_col++] = i;
  w->place[i] = w->p.n_col;
}

/* The unknowns of a piece; forget() undoes the marks. */
static ms_status fill_columns(work *w, ptrdiff_t k) {
  const ms_elimination *t = &w->m->T;
  int32_t most = 0;
  fill_index(w->m, k, &w->p);
  for (int i = 0; i < w->p.n; i++) {
    int32_t r = t->row_of[w->p.index[i]];
    most += r < 0 ? 1 : (int32_t)(t->start[r + 1] - t->start[r]);
  }
  MS_TRY(grow(w, most));
  w->p.n_col = 0;
  for (int i = 0; i < w->p.n; i++) {
    int32_t r = t->row_of[w->p.index[i]];
    if (r < 0) add_col(w, w->p.index[i]);
    for (ptrdiff_t j = r < 0 ? 0 : t->start[r]; r >= 0 && j < t->start[r + 1]; j++) {
      add_col(w, t->index[j]);
    }
  }
  return MS_SUCCESS;
}

static void forget(work *w) {
  for (int i = 0; i < w->p.n_col; i++) w->place[w->p.col[i]] = 0;
}

/* ---- the pattern ---- */

static int is_mine(const work *w, int32_t index) {
  return index / 3 >= w->begin && index / 3 < w->end;
}

/* Counts, or lists if there is a list, the pieces at each block of this process. */
static ms_status walk(work *w) {
  ptrdiff_t n = count_pieces(w->m);
  for (ptrdiff_t k = 0; k < n; k++) {
    MS_TRY(fill_columns(w, k));
    for (int i = 0; i < w->p.n_col; i++) {
      int32_t b = w->p.col[i] / 3 - (int32_t)w->begin, seen = 0;
      if (!is_mine(w, w->p.col[i])) continue;
      for (int a = 0; a < 3; a++) { /* once for each block */
        int32_t at = w->place[3 * (w->p.col[i] / 3) + a];
        seen = seen || (at && at - 1 < i);
      }
      if (seen) continue;
      if (w->list) w->list[w->start[b]] = (int32_t)k;
      w->start[b + (w->list ? 0 : 1)]++;
    }
    forget(w);
  }
  return MS_SUCCESS;
}

static ms_status list_pieces(work *w) {
  PetscInt n = w->end - w->begin;
  MS_TRY(ms_allocate(w->m->ctx, n + 1, sizeof *w->start, &w->start));
  MS_TRY(walk(w));
  for (PetscInt b = 0; b < n; b++) w->start[b + 1] += w->start[b];
  MS_TRY(ms_allocate(w->m->ctx, w->start[n] + 1, sizeof *w->list, &w->list));
  MS_TRY(walk(w));
  for (PetscInt b = n; b > 0; b--) w->start[b] = w->start[b - 1]; /* filling moved them on by one */
  w->start[0] = 0;
  return MS_SUCCESS;
}

/* Blocks in the row of each block: `mark` holds the last row that met a block. */
static ms_status count_blocks(work *w, int32_t *mark) {
  for (PetscInt b = w->begin; b < w->end; b++) {
    PetscInt k = b - w->begin;
    mark[b] = (int32_t)b + 1;
    w->inside[k] = 1;
    for (int32_t j = w->start[k]; j < w->start[k + 1]; j++) {
      MS_TRY(fill_columns(w, w->list[j]));
      forget(w);
      for (int i = 0; i < w->p.n_col; i++) {
        int32_t c = w->p.col[i] / 3;
        if (mark[c] == b + 1) continue;
        mark[c] = (int32_t)b + 1;
        PetscInt *count = c >= w->begin && c < w->end ? w->inside : w->away;
        count[k]++;
      }
    }
  }
  return MS_SUCCESS;
}

static ms_status set_symmetric(ms_context *ctx, Mat A) {
  MS_PETSC(ctx, MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
  MS_PETSC(ctx, MatSetOption(A, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
  return MS_SUCCESS;
}

static ms_status make_matrix(work *w, Mat *A) {
  ms_context *ctx = w->m->ctx;
  PetscInt n = 3 * (w->end - w->begin);
  MS_PETSC(ctx, MatCreate(PETSC_COMM_WORLD, A));
  MS_PETSC(ctx, MatSetSizes(*A, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  MS_PETSC(ctx, MatSetBlockSize(*A, 3));
  MS_PETSC(ctx, MatSetType(*A, MATAIJ));
  MS_PETSC(ctx, MatXAIJSetPreallocation(*A, 3, w->inside, w->away, NULL, NULL));
  MS_PETSC(ctx, MatSetOption(*A, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  return set_symmetric(ctx, *A);
}

/* ---- values ---- */

/* A = T X T^T with T as above and X n x n symmetric. */
static void transform(work *w, const double *X) {
  int n = w->p.n, n_col = w->p.n_col;
  for (int i = 0; i < n; i++) { /* B = T X */
    double *b = w->B + (ptrdiff_t)n_col * i;
    memset(b, 0, (size_t)n_col * sizeof *b);
    for (int k = 0; k < n; k++) {
      const double x = X[k + n * i], *t = w->T + (ptrdiff_t)n_col * k;
      for (int c = 0; x != 0.0 && c < n_col; c++) b[c] += t[c] * x;
    }
  }
  memset(w->A, 0, (size_t)n_col * (size_t)n_col * sizeof *w->A);
  for (int i = 0; i < n; i++) {
    const double *b = w->B + (ptrdiff_t)n_col * i, *t = w->T + (ptrdiff_t)n_col * i;
    for (int c = 0; c < n_col; c++) {
      double *a = w->A + (ptrdiff_t)n_col * c;
      for (int r = 0; t[c] != 0.0 && r < n_col; r++) a[r] += b[r] * t[c];
    }
  }
}

static int is_plain(const work *w) {
  if (w->p.n != w->p.n_col) return 0;
  for (int i = 0; i < w->p.n; i++) {
    if (w->p.col[i] != w->p.index[i]) return 0;
  }
  return 1;
}

/* PETSc passes over negative rows. */
static ms_status add_values(work *w, Mat A, const double *X) {
  const double *values = X;
  int n = w->p.n_col;
  if (!is_plain(w)) {
    /* T of a piece: n_col x n, T[c + n_col i] = du_i / dq_c. */
    const ms_elimination *t = &w->m->T;
    int n_col = w->p.n_col;
    memset(w->T, 0, (size_t)(n_col * w->p.n) * sizeof *w->T);
    for (int i = 0; i < w->p.n; i++) {
      int32_t r = t->row_of[w->p.index[i]];
      double *column = w->T + (ptrdiff_t)n_col * i;
      if (r < 0) column[w->place[w->p.index[i]] - 1] = 1.0;
      for (ptrdiff_t j = r < 0 ? 0 : t->start[r]; r >= 0 && j < t->start[r + 1]; j++) {
        column[w->place[t->index[j]] - 1] += t->coef[j];
      }
    }
    transform(w, X);
    values = w->A;
  }
  for (int i = 0; i < n; i++) {
    w->row[i] = is_mine(w, w->p.col[i]) ? w->p.col[i] : -1;
    w->col[i] = w->p.col[i];
  }
  MS_PETSC(w->m->ctx, MatSetValues(A, n, w->row, n, w->col, values, ADD_VALUES));
  return MS_SUCCESS;
}

static ms_status add_stiffness(work *w, const double *X) {
  /* Prescribed displacements: Kg += T^T X Tg, for the rows of this process. */
  const ms_elimination *t = &w->m->T;
  double *Kg = w->m->engine->Kg;
  for (int i = 0; Kg && i < w->p.n; i++) {
    double f = 0.0;
    int32_t r = t->row_of[w->p.index[i]];
    for (int k = 0; k < w->p.n; k++) f += X[i + w->p.n * k] * w->m->engine->Tg[w->p.index[k]];
    if (r < 0 && is_mine(w, w->p.index[i])) Kg[w->p.index[i]] += f;
    for (ptrdiff_t j = r < 0 ? 0 : t->start[r]; r >= 0 && j < t->start[r + 1]; j++) {
      if (is_mine(w, t->index[j])) Kg[t->index[j]] += t->coef[j] * f;
    }
  }
  return add_values(w, w->m->engine->K, X);
}

static ms_status add_spring(work *w, ptrdiff_t k) {
  double X[MS_FEM_SPRING_TERMS * MS_FEM_SPRING_TERMS];
  const ms_fem_spring *s = &w->m->spring[k - w->m->mesh->n_element];
  for (int j = 0; j < s->n; j++) {
    for (int i = 0; i < s->n; i++) X[i + s->n * j] = s->k * s->coef[i] * s->coef[j];
  }
  return add_stiffness(w, X);
}

/* Each piece counts on one process: that of its first unknown, or the first if it has none. */
static int counts(const work *w) {
  return w->p.n_col > 0 ? is_mine(w, w->p.col[0]) : w->begin == 0;
}

static ms_status add_element(work *w, ptrdiff_t k) {
  ms_fem_model *m = w->m;
  double x[3 * MS_ELEMENT_NODES], X[MS_ELEMENT_DOF * MS_ELEMENT_DOF], lumped[MS_ELEMENT_DOF];
  const ms_element_block *b = block_of(m, k);
  const ms_property *property = &w->property[b - m->mesh->block];
  int n = w->p.n, bad;
  ms_block_gather(m->mesh, b, k - b->first, x);
  bad = ms_element_make_stiffness(b->element, property, x, X);
  if (!bad) MS_TRY(add_stiffness(w, X));
  if (!bad && m->settings.lumped) {
    bad = ms_element_make_lumped(b->element, property, x, lumped);
    memset(X, 0, (size_t)(n * n) * sizeof *X);
    for (int i = 0; !bad && i < n; i++) X[i + n * i] = lumped[i];
  } else if (!bad) {
    bad = ms_element_make_mass(b->element, property, x, X);
  }
  if (!bad) {
    ms_fem_add_inertia(m, n, w->p.index, b->element->info.n_dof, X, counts(w));
    return add_values(w, m->engine->M, X);
  }
  char text[128];
  ms_mesh_describe(m->mesh, k, text, sizeof text);
  return ms_fail(m->ctx, MS_ERR_ARGUMENT, "%s is degenerate or inside out", text);
}

static int touches(const work *w) {
  if (counts(w)) return 1;
  for (int i = 0; i < w->p.n_col; i++) {
    if (is_mine(w, w->p.col[i])) return 1;
  }
  return 0;
}

static ms_status add_pieces(work *w) {
  ptrdiff_t n = count_pieces(w->m);
  for (ptrdiff_t k = 0; k < n; k++) {
    ms_status status = fill_columns(w, k);
    if (status == MS_SUCCESS && touches(w)) {
      status = k < w->m->mesh->n_element ? add_element(w, k) : add_spring(w, k);
    }
    forget(w);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

/* ---- finishing ---- */

static ms_status finish(ms_context *ctx, Mat A) {
  MS_PETSC(ctx, MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  MS_PETSC(ctx, MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  return MS_SUCCESS;
}

/* The diagonals must be there before the matrix is assembled, or there is no room for them. */
static ms_status add_zeros(work *w) {
  ms_fem_engine_data *e = w->m->engine;
  for (PetscInt i = 3 * w->begin; i < 3 * w->end; i++) {
    MS_PETSC(w->m->ctx, MatSetValue(e->K, i, i, 0.0, ADD_VALUES));
    MS_PETSC(w->m->ctx, MatSetValue(e->M, i, i, 0.0, ADD_VALUES));
  }
  return MS_SUCCESS;
}

/* Means of the diagonals in the unknowns, and from them the scales of eigenvalues: the highest of
   the mesh is about K / M, and rounding in the lowest is that times the precision. */
static ms_status find_scales(ms_fem_model *m, const double *k, const double *mass) {
  ms_fem_engine_data *e = m->engine;
  double ratio = 0.0, sum = 0.0, count = 0.0;
  for (ptrdiff_t i = 0; i < m->n; i++) {
    if (m->T.row_of[i] >= 0) continue;
    sum += k[i];
    count += 1.0;
    if (mass[i] > 0.0) ratio = fmax(ratio, k[i] / mass[i]);
  }
  e->diagonal = sum > 0.0 ? sum / count : 1.0;
  e->shift = m->settings.shift != 0.0 ? m->settings.shift : -1e-9 * ratio;
  e->far_shift = m->settings.shift != 0.0 ? m->settings.shift : -1e-6 * ratio;
  e->rounding = 1e-13 * ratio;
  return MS_SUCCESS;
}

/* An unknown with neither stiffness nor mass makes both matrices singular. */
static ms_status fill_diagonal(ms_fem_model *m, const double *k, const double *mass) {
  ms_fem_engine_data *e = m->engine;
  for (PetscInt i = 0; i < m->n; i++) {
    if (m->T.row_of[i] < 0 && (k[i] > 0.0 || mass[i] > 0.0)) continue;
    if (m->T.row_of[i] < 0) {
      char text[96];
      ms_fem_describe(m, i, text, sizeof text);
      return ms_fail(m->ctx, MS_ERR_ARGUMENT, "%s has neither stiffness nor mass; fix it", text);
    }
    if (i < e->begin || i >= e->end) continue;
    MS_PETSC(m->ctx, MatSetValue(e->K, i, i, e->diagonal, ADD_VALUES));
  }
  return finish(m->ctx, e->K);
}

static ms_status finish_all(work *w) {
  ms_fem_model *m = w->m;
  ms_fem_engine_data *e = m->engine;
  double *k = NULL, *mass = NULL;
  MS_TRY(add_zeros(w));
  MS_TRY(finish(m->ctx, e->K));
  MS_TRY(finish(m->ctx, e->M));
  /* Consistent mass couples like components alone: two thirds of K's pattern stay empty in M. They
     are given back. */
  Mat B;
  MS_PETSC(m->ctx, MatDuplicate(e->M, MAT_COPY_VALUES, &B));
  MS_PETSC(m->ctx, MatDestroy(&e->M));
  e->M = B;
  MS_TRY(set_symmetric(m->ctx, B));
  ms_status status = ms_allocate(m->ctx, m->n, sizeof *k, &k);
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, m->n, sizeof *mass, &mass);
  if (status == MS_SUCCESS) status = ms_fem_get_diagonal(m, e->K, k);
  if (status == MS_SUCCESS) status = ms_fem_get_diagonal(m, e->M, mass);
  if (status == MS_SUCCESS) status = find_scales(m, k, mass);
  if (status == MS_SUCCESS) status = fill_diagonal(m, k, mass);
  ms_free(m->ctx, &k);
  ms_free(m->ctx, &mass);
  return status;
}

/* ---- the whole ---- */

static ms_status prepare(work *w) {
  ms_fem_model *m = w->m;
  MS_TRY(ms_allocate(m->ctx, m->mesh->n_block + 1, sizeof *w->property, &w->property));
  for (int k = 0; k < m->mesh->n_block; k++) {
    const ms_element_block *b = &m->mesh->block[k];
    MS_TRY(ms_property_prepare(m->ctx, &m->mesh->part[b->part], b->element->info.needs,
                               &w->property[k]));
  }
  PetscInt mine = PETSC_DECIDE, all = (PetscInt)(m->n / 3);
  MS_PETSC(m->ctx, PetscSplitOwnership(PETSC_COMM_WORLD, &mine, &all));
  MS_PETSC(m->ctx, MPI_Scan(&mine, &w->end, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  w->begin = w->end - mine;
  m->engine->begin = 3 * w->begin;
  m->engine->end = 3 * w->end;
  return ms_allocate(m->ctx, m->n, sizeof *w->place, &w->place);
}

static ms_status assemble(work *w) {
  MS_TRY(prepare(w));
  ms_context *ctx = w->m->ctx;
  int32_t *mark = NULL;
  ptrdiff_t n = w->end - w->begin;
  MS_TRY(list_pieces(w));
  MS_TRY(ms_allocate(ctx, n + 1, sizeof *w->inside, &w->inside));
  MS_TRY(ms_allocate(ctx, n + 1, sizeof *w->away, &w->away));
  MS_TRY(ms_allocate(ctx, w->m->n / 3 + 1, sizeof *mark, &mark));
  ms_status status = count_blocks(w, mark);
  ms_free(ctx, &mark);
  MS_TRY(status);
  MS_TRY(make_matrix(w, &w->m->engine->K));
  MS_TRY(make_matrix(w, &w->m->engine->M));
  MS_PETSC(w->m->ctx, MatSetOption(w->m->engine->M, MAT_IGNORE_ZERO_ENTRIES, PETSC_TRUE));
  MS_TRY(ms_context_agree(w->m->ctx, add_pieces(w)));
  MS_TRY(ms_fem_sum_inertia(w->m));
  if (w->m->engine->Kg) {
    MS_PETSC(w->m->ctx, MPI_Allreduce(MPI_IN_PLACE, w->m->engine->Kg, (int)w->m->n, MPI_DOUBLE,
                                      MPI_SUM, PETSC_COMM_WORLD));
  }
  return finish_all(w);
}

ms_status ms_fem_assemble(ms_fem_model *m) {
  work w = { .m = m };
  ms_status status = assemble(&w);
  ms_free(m->ctx, &w.property);
  ms_free(m->ctx, &w.place);
  ms_free(m->ctx, &w.p.col);
  ms_free(m->ctx, &w.row);
  ms_free(m->ctx, &w.col);
  ms_free(m->ctx, &w.T);
  ms_free(m->ctx, &w.A);
  ms_free(m->ctx, &w.B);
  ms_free(m->ctx, &w.start);
  ms_free(m->ctx, &w.list);
  ms_free(m->ctx, &w.inside);
  ms_free(m->ctx, &w.away);
  return status;
}
