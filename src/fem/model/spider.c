/* Spiders: a reference node and a patch.

   B_i = [I, -r_i x] gives the displacement of node i in a rigid motion of the reference, r_i its
   place from there. Rigid (RBE2): u_i = B_i u_ref. Averaging (RBE3): u_ref minimises
   sum w_i |u_i - B_i u_ref|^2, so that A u_ref = sum w_i B_i^T u_i with A = sum w_i B_i^T B_i. */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "core/internal.h"
#include "fem/model/model.h"
#include "fem/tolerance.h"

static void from_reference(const ms_fem_model *m, const ms_spider *s, int32_t node, double *B) {
  const double *x = ms_fem_place(m, node);
  double r[3] = { x[0] - s->at[0], x[1] - s->at[1], x[2] - s->at[2] };
  /* B, 3 x 6, column-major. */
  memset(B, 0, 18 * sizeof *B);
  B[0] = B[4] = B[8] = 1.0;
  B[10] = -r[2], B[11] = r[1]; /* rx: (0, -z, y) */
  B[12] = r[2], B[14] = -r[0]; /* ry: (z, 0, -x) */
  B[15] = -r[1], B[16] = r[0]; /* rz: (-y, x, 0) */
}

/* ---- the reference ---- */

static ms_status add_reference(ms_fem_model *m, const ms_spider *s, ptrdiff_t *node) {
  ptrdiff_t k = m->n_node - m->mesh->n_node;
  MS_TRY(ms_resize(m->ctx, m->n_node + 1, sizeof *m->first, &m->first));
  MS_TRY(ms_resize(m->ctx, m->n_node + 1, 1, &m->n_comp));
  MS_TRY(ms_resize(m->ctx, 3 * (k + 1), sizeof *m->at, &m->at));
  MS_TRY(ms_resize(m->ctx, k + 1, sizeof *m->ref_name, &m->ref_name));
  MS_TRY(ms_text_copy(m->ctx, s->name, &m->ref_name[k]));
  memcpy(m->at + 3 * k, s->at, 3 * sizeof *s->at);
  m->first[m->n_node] = (int32_t)m->n;
  m->n_comp[m->n_node] = 6;
  m->n += 6;
  *node = m->n_node++;
  return MS_SUCCESS;
}

static ms_status check_spider(const ms_fem_model *m, const ms_spider *s) {
  if (!s->name || !*s->name) return ms_fail(m->ctx, MS_ERR_ARGUMENT, "a spider needs a name");
  for (ptrdiff_t i = m->mesh->n_node; i < m->n_node; i++) {
    if (strcmp(s->name, m->ref_name[i - m->mesh->n_node]) != 0) continue;
    return ms_fail(m->ctx, MS_ERR_NAME, "there are two spiders named '%s'", s->name);
  }
  if (s->n < 1) return ms_fail(m->ctx, MS_ERR_ARGUMENT, "spider '%s' has no nodes", s->name);
  if (!(isfinite(s->at[0]) && isfinite(s->at[1]) && isfinite(s->at[2]))) {
    return ms_fail(m->ctx, MS_ERR_NUMERIC, "spider '%s': its position is not finite", s->name);
  }
  for (ptrdiff_t i = 0; i < s->n; i++) {
    int32_t index;
    ms_status status = ms_fem_find_index(m, s->node[i], 0, &index);
    if (status != MS_SUCCESS) return ms_fail_at(m->ctx, status, "spider '%s'", s->name);
  }
  return MS_SUCCESS;
}

/* ---- rigid ---- */

/* u_i - B_i u_ref = 0, and equal rotations where the node has them. */
static ms_status tie_node(ms_fem_model *m, const ms_spider *s, int owner, int32_t node,
                          int32_t ref) {
  double B[18];
  from_reference(m, s, node, B);
  for (int c = 0; c < m->n_comp[node]; c++) {
    int32_t index[7] = { m->first[node] + c }, n = 1;
    double coef[7] = { 1.0 };
    for (int k = 0; k < 6; k++) {
      double b = c < 3 ? B[c + 3 * k] : (double)(k == c);
      if (b == 0.0) continue;
      index[n] = ref + k;
      coef[n++] = -b;
    }
    ms_equation q = { .owner = owner, .wish = index[0], .strict = 1 };
    MS_TRY(ms_equations_add(&m->equations, q, n, index, coef));
  }
  return MS_SUCCESS;
}

static ms_status add_rigid(ms_fem_model *m, const ms_spider *s, int owner, int32_t ref) {
  for (ptrdiff_t i = 0; i < s->n; i++) MS_TRY(tie_node(m, s, owner, s->node[i], ref));
  return MS_SUCCESS;
}

/* ---- averaging ---- */

/* Shares of the area of the faces that lie in the spider as a whole; `place` is 1 + place in it. */
static ms_status add_areas(const ms_fem_model *m, const ms_spider *s, const int32_t *place,
                           double *w) {
  ms_mesh_set set;
  double area = 0.0;
  MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_FACES, s->faces ? s->faces : "", &set));
  for (ptrdiff_t k = 0; k < set.n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES], share[MS_FACE_NODES];
    int inside = 1;
    const ms_face *f = ms_face_gather(m->mesh, set.index[k], set.face[k], node, x);
    for (int i = 0; i < f->n_node; i++) inside = inside && place[node[i]];
    if (!inside) continue;
    ms_face_share(f->n_node, x, share);
    for (int i = 0; i < f->n_node; i++) w[place[node[i]] - 1] += share[i];
    area += 1.0;
  }
  if (area > 0.0) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT, "spider '%s' has no whole face of '%s' in it", s->name,
                 set.name);
}

static ms_status fill_weights(const ms_fem_model *m, const ms_spider *s, double *w) {
  int32_t *place;
  if (s->kind == MS_SPIDER_UNIFORM) {
    for (ptrdiff_t i = 0; i < s->n; i++) w[i] = 1.0 / (double)s->n;
    return MS_SUCCESS;
  }
  MS_TRY(ms_allocate(m->ctx, m->mesh->n_node, sizeof *place, &place));
  for (ptrdiff_t i = 0; i < s->n; i++) place[s->node[i]] = (int32_t)i + 1;
  ms_status status = add_areas(m, s, place, w);
  ms_free(m->ctx, &place);
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < s->n; i++) sum += w[i];
  for (ptrdiff_t i = 0; i < s->n; i++) w[i] /= sum > 0.0 ? sum : 1.0;
  return status;
}

/* The inverse of A; the pivots of its scaled Cholesky factor tell whether there is one. */
static ms_status invert(const ms_fem_model *m, const ms_spider *s, const double *A,
                        double *inverse) {
  double S[36], C[36], d[6];
  for (int i = 0; i < 6; i++) d[i] = A[7 * i] > 0.0 ? 1.0 / sqrt(A[7 * i]) : 0.0;
  for (int i = 0; i < 36; i++) S[i] = C[i] = A[i] * d[i % 6] * d[i / 6];
  for (int j = 0; j < 6; j++) {
    if (!(C[7 * j] > ms_mesh_tol.undetermined)) {
      return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                     "spider '%s' averages nodes on one line or at one point, which leaves a "
                     "rotation undetermined; use more nodes, or a rigid spider",
                     s->name);
    }
    for (int i = j + 1; i < 6; i++) {
      for (int k = j + 1; k < 6; k++) C[i + 6 * k] -= C[i + 6 * j] * C[k + 6 * j] / C[7 * j];
    }
  }
  for (int j = 0; j < 6; j++) {
    double copy[36], e[6] = { 0 };
    memcpy(copy, S, sizeof S);
    e[j] = 1.0;
    ms_dense_solve(6, copy, e);
    for (int i = 0; i < 6; i++) inverse[i + 6 * j] = e[i] * d[i] * d[j];
  }
  return MS_SUCCESS;
}

/* Row k of u_ref - A^-1 sum w B^T u = 0. */
static ms_status add_average(ms_fem_model *m, const ms_spider *s, int owner, int32_t ref, int k,
                             const double *w, const double *inverse, int32_t *index, double *coef) {
  int32_t n = 1;
  double largest = 0.0;
  index[0] = ref + k;
  coef[0] = 1.0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double B[18];
    from_reference(m, s, s->node[i], B);
    for (int a = 0; a < 3; a++) {
      double c = 0.0;
      for (int j = 0; j < 6; j++) c += inverse[k + 6 * j] * B[a + 3 * j];
      index[n] = m->first[s->node[i]] + a;
      coef[n] = -w[i] * c;
      largest = fmax(largest, fabs(coef[n++]));
    }
  }
  int32_t used = 1; /* zeros would only make the matrices denser */
  for (int32_t i = 1; i < n; i++) {
    if (fabs(coef[i]) <= 1e-13 * largest) continue;
    index[used] = index[i];
    coef[used++] = coef[i];
  }
  ms_equation q = { .owner = owner, .wish = ref + k };
  return ms_equations_add(&m->equations, q, used, index, coef);
}

static ms_status average(ms_fem_model *m, const ms_spider *s, int owner, int32_t ref, double *w,
                         int32_t *index, double *coef) {
  double A[36], inverse[36];
  MS_TRY(fill_weights(m, s, w));
  /* A = sum w B^T B; fails where the nodes leave a rotation open. The length squared L makes the
     rotations comparable with the translations. */
  memset(A, 0, 36 * sizeof *A);
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double B[18];
    from_reference(m, s, s->node[i], B);
    for (int c = 0; c < 6; c++) {
      for (int r = 0; r < 6; r++) {
        for (int a = 0; a < 3; a++) A[r + 6 * c] += w[i] * B[a + 3 * r] * B[a + 3 * c];
      }
    }
  }
  MS_TRY(invert(m, s, A, inverse));
  for (int k = 0; k < 6; k++) {
    MS_TRY(add_average(m, s, owner, ref, k, w, inverse, index, coef));
  }
  return MS_SUCCESS;
}

static ms_status add_averaging(ms_fem_model *m, const ms_spider *s, int owner, int32_t ref) {
  double *w = NULL, *coef = NULL;
  int32_t *index = NULL;
  ms_status status = ms_allocate(m->ctx, s->n, sizeof *w, &w);
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, 3 * s->n + 1, sizeof *coef, &coef);
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, 3 * s->n + 1, sizeof *index, &index);
  if (status == MS_SUCCESS) status = average(m, s, owner, ref, w, index, coef);
  ms_free(m->ctx, &w);
  ms_free(m->ctx, &coef);
  ms_free(m->ctx, &index);
  return status;
}

ms_status ms_fem_add_spider(ms_fem_model *m, const ms_spider *s, ptrdiff_t *node) {
  int owner;
  ptrdiff_t ref;
  MS_TRY(ms_fem_check_open(m));
  MS_TRY(check_spider(m, s));
  MS_TRY(ms_equations_name(&m->equations, s->name, &owner));
  ptrdiff_t n = m->equations.n, n_term = m->equations.n_term;
  int32_t first = (int32_t)m->n;
  ms_status status = s->kind == MS_SPIDER_RIGID ? add_rigid(m, s, owner, first)
                                                : add_averaging(m, s, owner, first);
  if (status == MS_SUCCESS) status = add_reference(m, s, &ref);
  if (status == MS_SUCCESS && node) *node = ref;
  if (status == MS_SUCCESS) return MS_SUCCESS;
  m->equations.n = n;
  m->equations.n_term = n_term;
  return status;
}

/* ---- patches ---- */

ms_status ms_fem_find_in_box(const ms_mesh *mesh, const char *set, const double *low,
                             const double *high, ptrdiff_t *n, int32_t **node) {
  ms_mesh_set all;
  *n = 0;
  *node = NULL;
  MS_TRY(ms_mesh_find_set(mesh, MS_SET_NODES, set, &all));
  double size = 0.0;
  for (int a = 0; a < 3; a++) size = fmax(size, high[a] - low[a]);
  MS_TRY(ms_allocate(mesh->ctx, all.n + 1, sizeof **node, node));
  for (ptrdiff_t i = 0; i < all.n; i++) {
    const double *x = mesh->x + 3 * (ptrdiff_t)all.index[i];
    int inside = 1;
    for (int a = 0; a < 3; a++) {
      const double edge = ms_mesh_tol.in_box * size;
      inside = inside && x[a] >= low[a] - edge && x[a] <= high[a] + edge;
    }
    if (inside) (*node)[(*n)++] = all.index[i];
  }
  if (*n > 0) return MS_SUCCESS;
  ms_free(mesh->ctx, node);
  return ms_fail(mesh->ctx, MS_ERR_ARGUMENT, "no node of '%s' lies in the requested box", set);
}
