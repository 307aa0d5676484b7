/* A force on faces, nodes or a node, as a load of the model. */
#include <microslip/fem_contact.h>

#include "core/internal.h"
#include "fem/model/model.h"

static ms_status add_at(const ms_fem_model *m, ptrdiff_t node, double part, const double *force,
                        double *load) {
  for (int a = 0; a < 3; a++) {
    int32_t i;
    if (force[a] == 0.0) continue;
    MS_TRY(ms_fem_find_index(m, node, a, &i));
    load[i] += part * force[a];
  }
  return MS_SUCCESS;
}

static ms_status push_faces(const ms_fem_model *m, const ms_mesh_set *set, const double *force,
                            double *load) {
  int32_t node[MS_FACE_NODES];
  double x[3 * MS_FACE_NODES], share[MS_FACE_NODES], normal[3 * MS_FACE_NODES], area = 0.0;
  for (int pass = 0; pass < 2; pass++) { /* the whole area, then each node's part of it */
    for (ptrdiff_t k = 0; k < set->n; k++) {
      const int n = ms_face_gather(m->mesh, set->index[k], set->face[k], node, x)->n_node;
      ms_face_weigh(n, x, share, normal);
      for (int i = 0; i < n; i++) {
        if (pass == 0)
          area += share[i];
        else
          MS_TRY(add_at(m, node[i], share[i] / area, force, load));
      }
    }
  }
  return MS_SUCCESS;
}

/* Forces across the axis of a sector would be in balance around it. */
static ms_status check_push(const ms_fem_model *m, const ms_fem_push *push) {
  const int axis = m->mesh->sector_axis;
  if (!(m->mesh->sector > 0.0)) return MS_SUCCESS;
  if (push->force[(axis + 1) % 3] == 0.0 && push->force[(axis + 2) % 3] == 0.0) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                 "a push of (%g, %g, %g) N: a sector can be pushed along its axis only",
                 push->force[0], push->force[1], push->force[2]);
}

ms_status ms_fem_add_push(const ms_fem_model *m, const ms_fem_push *push, double *load) {
  ms_mesh_set set;
  MS_TRY(check_push(m, push));
  if (!push->set) return add_at(m, push->node, 1.0, push->force, load);
  if (ms_mesh_find_set(m->mesh, MS_SET_FACES, push->set, &set) == MS_SUCCESS) {
    return push_faces(m, &set, push->force, load);
  }
  ms_context_clear_message(m->ctx);
  MS_TRY(ms_mesh_find_set(m->mesh, MS_SET_NODES, push->set, &set));
  for (ptrdiff_t k = 0; k < set.n; k++) {
    MS_TRY(add_at(m, set.index[k], 1.0 / (double)set.n, push->force, load));
  }
  return MS_SUCCESS;
}
