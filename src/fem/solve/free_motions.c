/* Motions that strain nothing: rigid-body motions that the supports leave, and mechanisms.

   What is not strained moves in bodies (mesh/bodies.c). The unknowns p are six motions for each of
   them, turned about its centre, and the coordinates of nodes outside of all bodies: references,
   masses, ends of springs. Everything else is a row c^T p = 0: what nodes that belong to two bodies
   have in common, constraints and supports, springs that keep their length. The null space of sum w
   c c^T is small, exact to rounding whatever the mesh, and needs no threshold that depends on
   stiffness. */
#include "fem/solve/free_motions.h"
#include "fem/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

enum { MOST = 900 }; /* unknowns; more of them are left to the eigenvalue solver */

typedef struct work {
  ms_fem_model *m;
  ms_free_places at;
  int held;                   /* 1: what is kept stands still */
  ptrdiff_t n;                /* unknowns p */
  double *row, *term, *scale; /* n: a row; the sum of its terms' sizes; 1/sqrt of the diagonal */
  int32_t *used;
  ptrdiff_t n_used;
  double *G, *lambda; /* n x n, then its eigenvectors */
} work;

/* ---- coordinates as unknowns ---- */

static int is_loose(const work *w, ptrdiff_t node, int c) {
  if (node >= w->m->mesh->n_node) return 1;
  return (c < 3 ? w->at.bodies.of[node] : w->at.bodies.turn[node]) < 0;
}

static ms_status number(work *w) {
  ms_fem_model *m = w->m;
  double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  MS_TRY(ms_allocate(m->ctx, m->n, sizeof *w->at.node, &w->at.node));
  MS_TRY(ms_allocate(m->ctx, m->n, sizeof *w->at.loose, &w->at.loose));
  w->n = 6 * w->at.bodies.n;
  for (ptrdiff_t i = 0; i < m->n_node; i++) {
    for (int c = 0; m->first[i] >= 0 && c < m->n_comp[i]; c++) {
      int32_t at = m->first[i] + c;
      w->at.node[at] = (int32_t)i;
      w->at.loose[at] = is_loose(w, i, c) ? (int32_t)w->n++ : -1;
    }
    for (int a = 0; m->first[i] >= 0 && a < 3; a++) {
      low[a] = fmin(low[a], ms_fem_place(m, i)[a]);
      high[a] = fmax(high[a], ms_fem_place(m, i)[a]);
    }
  }
  for (int a = 0; a < 3; a++) {
    w->at.whole.centre[a] = (low[a] + high[a]) / 2;
    w->at.whole.size = hypot(w->at.whole.size, high[a] - low[a]);
  }
  if (!(w->at.whole.size > 0.0)) w->at.whole.size = 1.0;
  return MS_SUCCESS;
}

/* A coordinate in unknowns: how many, the first, their factors. */
static int express(const work *w, int32_t index, ptrdiff_t *first, double *v) {
  ptrdiff_t node = w->at.node[index];
  int c = index - w->m->first[node];
  if (w->at.loose[index] >= 0) {
    *first = w->at.loose[index];
    v[0] = c < 3 ? 1.0 : 1.0 / w->at.whole.size;
    return 1;
  }
  int32_t body = c < 3 ? w->at.bodies.of[node] : w->at.bodies.turn[node];
  *first = 6 * (ptrdiff_t)body;
  ms_body_fill_motions(&w->at.bodies.body[body], c, ms_fem_place(w->m, node), v);
  return 6;
}

/* ---- rows ---- */

static void add_terms(work *w, int n, ptrdiff_t first, const double *v, double coef) {
  for (int i = 0; i < n; i++) {
    if (v[i] == 0.0 || coef == 0.0) continue;
    if (w->term[first + i] == 0.0) w->used[w->n_used++] = (int32_t)(first + i);
    w->row[first + i] += coef * v[i];
    w->term[first + i] += fabs(coef * v[i]);
  }
}

/* G += weight c c^T, c scaled by its largest term. */
static void end_row(work *w, double weight) {
  double largest = 0.0;
  for (ptrdiff_t i = 0; i < w->n_used; i++) largest = fmax(largest, w->term[w->used[i]]);
  for (ptrdiff_t i = 0; i < w->n_used; i++) {
    double *c = &w->row[w->used[i]];
    *c = fabs(*c) > ms_mesh_tol.null_row * w->term[w->used[i]] ? *c / largest : 0.0;
  }
  for (ptrdiff_t j = 0; j < w->n_used; j++) {
    double *column = w->G + w->n * w->used[j], c = weight * w->row[w->used[j]];
    for (ptrdiff_t i = 0; c != 0.0 && i < w->n_used; i++)
      column[w->used[i]] += c * w->row[w->used[i]];
  }
  for (ptrdiff_t i = 0; i < w->n_used; i++) w->row[w->used[i]] = w->term[w->used[i]] = 0.0;
  w->n_used = 0;
}

static void add_row(work *w, ptrdiff_t n, const int32_t *index, const double *coef, double weight) {
  for (ptrdiff_t k = 0; k < n; k++) {
    double v[6];
    ptrdiff_t first;
    int n_v = express(w, index[k], &first, v);
    add_terms(w, n_v, first, v, coef[k]);
  }
  end_row(w, weight);
}

static void add_shared(work *w) {
  const ms_bodies *b = &w->at.bodies;
  for (ptrdiff_t k = 0; k < b->n_shared; k++) {
    ptrdiff_t node = b->shared[2 * k], body = b->shared[2 * k + 1];
    for (int c = 0; c < 3; c++) {
      double v[6];
      ptrdiff_t first;
      int n_v = express(w, w->m->first[node] + c, &first, v);
      add_terms(w, n_v, first, v, 1.0);
      ms_body_fill_motions(&b->body[body], c, ms_fem_place(w->m, node), v);
      add_terms(w, 6, 6 * body, v, -1.0);
      end_row(w, 1.0);
    }
  }
}

/* The directions that element e of a block resists. */
static ms_status add_element(work *w, const ms_element_block *b, const ms_property *p,
                             ptrdiff_t e) {
  const ms_element_info *info = &b->element->info;
  double x[3 * MS_ELEMENT_NODES], K[MS_ELEMENT_DOF * MS_ELEMENT_DOF], lambda[MS_ELEMENT_DOF];
  int32_t index[MS_ELEMENT_DOF];
  int n = info->n_node * info->n_dof;
  ms_block_gather(w->m->mesh, b, e, x);
  if (ms_element_make_stiffness(b->element, p, x, K)) return MS_SUCCESS; /* refused in assembly */
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, K, n, lambda) != 0) {
    return ms_fail(w->m->ctx, MS_ERR_NUMERIC, "the stiffness of a %s is not finite", info->name);
  }
  for (int i = 0; i < n; i++) {
    index[i] = w->m->first[b->node[info->n_node * e + i / info->n_dof]] + i % info->n_dof;
  }
  for (int k = 0; k < n; k++) {
    if (lambda[k] > ms_mesh_tol.spring * lambda[n - 1]) add_row(w, n, index, K + n * k, 1.0);
  }
  return MS_SUCCESS;
}

static ms_status add_springs(work *w) {
  const ms_mesh *mesh = w->m->mesh;
  for (int k = 0; k < mesh->n_block; k++) {
    const ms_element_block *b = &mesh->block[k];
    ms_property p;
    if (b->element->info.dimension > 0 || !b->element->stiffness) continue;
    MS_TRY(ms_property_prepare(w->m->ctx, &mesh->part[b->part], b->element->info.needs, &p));
    for (ptrdiff_t e = 0; e < b->n; e++) MS_TRY(add_element(w, b, &p, e));
  }
  for (int k = 0; k < w->m->n_spring; k++) {
    const ms_fem_spring *s = &w->m->spring[k];
    if (s->k != 0.0) add_row(w, s->n, s->index, s->coef, 1.0);
  }
  return MS_SUCCESS;
}

static ms_status add_rows(work *w) {
  const double one = 1.0;
  add_shared(w);
  /* All equations of one name weigh as one: a patch of many nodes must not drown a single link. */
  const ms_equations *e = &w->m->equations;
  double *count;
  MS_TRY(ms_allocate(w->m->ctx, e->n_name + 1, sizeof *count, &count));
  for (ptrdiff_t k = 0; k < e->n; k++) count[e->equation[k].owner] += 1.0;
  for (ptrdiff_t k = 0; k < e->n; k++) {
    const ms_equation *q = &e->equation[k];
    add_row(w, q->n, e->index + q->first, e->coef + q->first, 1.0 / count[q->owner]);
  }
  ms_free(w->m->ctx, &count);
  MS_TRY(add_springs(w));
  for (int k = 0; w->held && k < w->m->n_kept; k++) add_row(w, 1, &w->m->kept[k].index, &one, 1.0);
  return MS_SUCCESS;
}

/* ---- the null space ---- */

/* Eigenvectors of G scaled to a unit diagonal; how many are free. */
static ms_status solve(work *w, ptrdiff_t *n_free) {
  ptrdiff_t n = w->n;
  for (ptrdiff_t i = 0; i < n; i++) {
    double d = w->G[i + n * i];
    w->scale[i] = d > 0.0 ? 1.0 / sqrt(d) : 1.0;
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) w->G[i + n * j] *= w->scale[i] * w->scale[j];
  }
  int info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', (int)n, w->G, (int)n, w->lambda);
  if (info != 0) {
    return ms_fail(w->m->ctx, MS_NOT_CONVERGED, "free motions: LAPACK's dsyev gave %d", info);
  }
  for (*n_free = 0; *n_free < n && w->lambda[*n_free] < ms_mesh_tol.free;) (*n_free)++;
  return MS_SUCCESS;
}

/* The motions in unknowns of the model. */
static void fill(const work *w, ms_free_motions *out) {
  const ms_fem_model *m = w->m;
  for (ptrdiff_t k = 0; k < out->n; k++) {
    const double *p = w->G + w->n * k;
    double *u = out->u + m->n * k;
    for (int32_t i = 0; i < m->n; i++) {
      double v[6];
      ptrdiff_t first;
      if (m->T.row_of[i] >= 0) continue;
      int n_v = express(w, i, &first, v);
      for (int j = 0; j < n_v; j++) u[i] += v[j] * w->scale[first + j] * p[first + j];
    }
    for (int i = 0; w->held && i < m->n_kept; i++) u[m->kept[i].index] = 0.0;
  }
}

/* U := U R^-1 with R^T R = U^T M U, so that U^T M U = 1; MU goes with it. 1 if it cannot. */
static int normalise(ptrdiff_t rows, int n, double *U, double *MU, double *R) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, (int)rows, 1.0, U, (int)rows, MU,
              (int)rows, 0.0, R, n);
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, R, n) != 0) return 1;
  double *both[] = { U, MU };
  for (int k = 0; k < 2; k++) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)rows, n,
                1.0, R, n, both[k], (int)rows);
  }
  return 0;
}

/* Whether a motion among them moves no mass. Masses on rigid arms cancel to rounding there, so that
   the inertia U^T M U is compared with what M's diagonal alone would give. */
static ms_status find_massless(ms_fem_model *m, Mat M, int n, const double *U, const double *MU,
                               int *found) {
  const int rows = (int)m->n;
  double *d, *DU, *A, *B, *lambda;
  MS_TRY(ms_allocate(m->ctx, m->n * (n + 1) + 2 * n * n + n, sizeof *d, &d));
  DU = d + m->n;
  A = DU + m->n * n;
  B = A + n * n;
  lambda = B + n * n;
  ms_status status = ms_fem_get_diagonal(m, M, d);
  for (ptrdiff_t i = 0; i < m->n * n; i++) DU[i] = d[i % m->n] * U[i];
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, rows, 1.0, U, rows, MU, rows, 0.0, A,
              n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, rows, 1.0, U, rows, DU, rows, 0.0, B,
              n);
  *found = LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'U', n, A, n, B, n, lambda) != 0 ||
           !(lambda[0] > ms_mesh_tol.free);
  ms_free(m->ctx, &d);
  return status;
}

static ms_status scale_by_mass(work *w, Mat M, ms_free_motions *out) {
  ms_fem_model *m = w->m;
  int n = (int)out->n;
  double *R, *MU = NULL;
  MS_TRY(ms_allocate(m->ctx, n * n, sizeof *R, &R));
  ms_status status = ms_allocate(m->ctx, m->n * n, sizeof *MU, &MU);
  int bad = 0;
  for (int pass = 0; pass < 2 && status == MS_SUCCESS && !bad; pass++) {
    status = ms_fem_multiply(m, M, n, out->u, MU);
    if (status == MS_SUCCESS && pass == 0) status = find_massless(m, M, n, out->u, MU, &bad);
    if (status == MS_SUCCESS && !bad) bad = normalise(m->n, n, out->u, MU, R);
  }
  ms_free(m->ctx, &MU);
  ms_free(m->ctx, &R);
  MS_TRY(status);
  if (!bad) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT, "a part without mass can move freely; fix it");
}

/* ---- all of it ---- */

static ms_status find(work *w, Mat M, ms_free_motions *out) {
  ms_fem_model *m = w->m;
  MS_TRY(ms_bodies_find(m->ctx, m->mesh, &w->at.bodies));
  MS_TRY(number(w));
  if (w->n > MOST) return MS_SUCCESS;
  MS_TRY(ms_allocate(m->ctx, 4 * w->n + 1, sizeof *w->row, &w->row));
  w->term = w->row + w->n;
  w->scale = w->term + w->n;
  w->lambda = w->scale + w->n;
  MS_TRY(ms_allocate(m->ctx, w->n + 1, sizeof *w->used, &w->used));
  MS_TRY(ms_allocate(m->ctx, w->n * w->n + 1, sizeof *w->G, &w->G));
  MS_TRY(add_rows(w));
  MS_TRY(solve(w, &out->n));
  out->known = 1;
  if (out->n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(m->ctx, m->n * out->n, sizeof *out->u, &out->u));
  fill(w, out);
  MS_TRY(scale_by_mass(w, M, out));
  return ms_free_motions_split(m, M, &w->at, out);
}

ms_status ms_free_motions_find(ms_fem_model *m, Mat M, int held, ms_free_motions *out) {
  work w = { .m = m, .held = held };
  *out = (ms_free_motions) { 0 };
  ms_status status = find(&w, M, out);
  ms_bodies_free(m->ctx, &w.at.bodies);
  ms_free(m->ctx, &w.at.node);
  ms_free(m->ctx, &w.at.loose);
  ms_free(m->ctx, &w.row);
  ms_free(m->ctx, &w.used);
  ms_free(m->ctx, &w.G);
  return status;
}

void ms_free_motions_free(ms_context *ctx, ms_free_motions *f) {
  ms_free(ctx, &f->u);
  *f = (ms_free_motions) { 0 };
}
