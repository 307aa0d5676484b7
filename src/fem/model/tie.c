/* Tied faces whose nodes do not match: each node takes the displacement of the face it lies on. */
#include <math.h>

#include "core/internal.h"
#include "fem/model/model.h"

static ms_status tie_node(ms_fem_model *m, int owner, int32_t node, const ms_mesh_set *faces,
                          const ms_landing *at) {
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
    ms_landing at = ms_faces_project(m->mesh, faces, ball, m->mesh->x + 3 * (ptrdiff_t)node);
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
  ms_faces_fill_balls(m->mesh, &to, ball);
  ms_status status = tie_all(m, name, &from, &to, reach, ball);
  ms_free(m->ctx, &ball);
  return status;
}
