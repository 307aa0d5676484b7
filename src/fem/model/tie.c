/* Tied faces whose nodes do not match: each node takes the displacement of the face it lies on. */
#include <math.h>

#include "core/internal.h"
#include "fem/model/model.h"

/* Where a node lies. */
typedef struct landing {
  ptrdiff_t face; /* in the set, or -1 */
  double distance, r, s;
} landing;

/* Middle and radius of every face, so that most of them need no projection. */
static void fill_balls(const ms_mesh *mesh, const ms_mesh_set *faces, double *ball) {
  for (ptrdiff_t k = 0; k < faces->n; k++) {
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES], *b = ball + 4 * k;
    const ms_face *f = ms_face_gather(mesh, faces->index[k], faces->face[k], node, x);
    for (int a = 0; a < 3; a++) {
      b[a] = 0.0;
      for (int i = 0; i < f->n_node; i++) b[a] += x[3 * i + a] / f->n_node;
    }
    b[3] = 0.0;
    for (int i = 0; i < f->n_node; i++) {
      double dx = x[3 * i] - b[0], dy = x[3 * i + 1] - b[1], dz = x[3 * i + 2] - b[2];
      b[3] = fmax(b[3], sqrt(dx * dx + dy * dy + dz * dz));
    }
  }
}

static landing find_face(const ms_fem_model *m, const ms_mesh_set *faces, const double *ball,
                         const double *y) {
  landing best = { -1, INFINITY, 0.0, 0.0 };
  for (ptrdiff_t k = 0; k < faces->n; k++) {
    const double *b = ball + 4 * k;
    double dx = y[0] - b[0], dy = y[1] - b[1], dz = y[2] - b[2], r, s;
    if (sqrt(dx * dx + dy * dy + dz * dz) - 1.1 * b[3] >= best.distance) continue;
    int32_t node[MS_FACE_NODES];
    double x[3 * MS_FACE_NODES];
    const ms_face *f = ms_face_gather(m->mesh, faces->index[k], faces->face[k], node, x);
    double d = ms_face_project(f->n_node, x, y, &r, &s);
    if (d < best.distance) best = (landing) { k, d, r, s };
  }
  return best;
}

static ms_status tie_node(ms_fem_model *m, int owner, int32_t node, const ms_mesh_set *faces,
                          const landing *at) {
  int32_t on[MS_FACE_NODES], index[MS_FACE_NODES + 1];
  double x[3 * MS_FACE_NODES], N[8], dN[16], coef[MS_FACE_NODES + 1];
  const ms_face *f = ms_face_gather(m->mesh, faces->index[at->face], faces->face[at->face], on, x);
  for (int i = 0; i < f->n_node; i++) {
    if (on[i] == node) return MS_SUCCESS;
  }
  ms_face_shape(f->n_node, at->r, at->s, N, dN);
  for (int a = 0; a < 3; a++) {
    int32_t n = 1;
    index[0] = m->first[node] + a;
    coef[0] = 1.0;
    for (int i = 0; i < f->n_node; i++) {
      if (fabs(N[i]) < 1e-12) continue;
      index[n] = m->first[on[i]] + a;
      coef[n++] = -N[i];
    }
    ms_equation q = { .owner = owner, .wish = index[0], .strict = 1 };
    MS_TRY(ms_equations_add(&m->equations, q, n, index, coef));
  }
  return MS_SUCCESS;
}

static ms_status tie_all(ms_fem_model *m, const char *name, const ms_mesh_set *nodes,
                         const ms_mesh_set *faces, double reach, const double *ball) {
  int owner;
  MS_TRY(ms_equations_name(&m->equations, name, &owner));
  for (ptrdiff_t i = 0; i < nodes->n; i++) {
    int32_t node = nodes->index[i], index;
    MS_TRY(ms_fem_find_index(m, node, 0, &index));
    landing at = find_face(m, faces, ball, m->mesh->x + 3 * (ptrdiff_t)node);
    if (at.face < 0 || at.distance > reach) {
      return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                     "tie '%s': node %td of '%s' is %g m away from '%s', farther than %g m", name,
                     ms_mesh_get_node_label(m->mesh, node), nodes->name, at.distance, faces->name,
                     reach);
    }
    MS_TRY(tie_node(m, owner, node, faces, &at));
  }
  return MS_SUCCESS;
}

ms_status ms_fem_tie(ms_fem_model *m, const char *name, const char *nodes, const char *faces,
                     double reach) {
  ms_mesh_set from, to;
  double *ball;
  MS_TRY(ms_fem_check_open(m));
  MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_NODES, nodes, &from));
  MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_FACES, faces, &to));
  MS_TRY(ms_allocate(m->ctx, 4 * to.n + 1, sizeof *ball, &ball));
  fill_balls(m->mesh, &to, ball);
  ms_status status = tie_all(m, name, &from, &to, reach, ball);
  ms_free(m->ctx, &ball);
  return status;
}
