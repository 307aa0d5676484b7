/* Faces between the points of a contact. */
#include <microslip/fem_contact.h>

#include "core/internal.h"
#include "fem/contact/faces.h"
#include "fem/model/model.h"

static ms_status add_faces(const ms_fem_model *m, const ms_mesh_set *set, const int32_t *point,
                           ms_fem_rest *rest) {
  MS_TRY(ms_resize(m->ctx, 4 * (rest->n_face + set->n), sizeof *rest->face, &rest->face));
  for (ptrdiff_t k = 0; k < set->n; k++) {
    int32_t node[MS_FACE_NODES], *out = rest->face + 4 * rest->n_face;
    double x[3 * MS_FACE_NODES];
    const int n = ms_face_gather(m->mesh, set->index[k], set->face[k], node, x)->n_node;
    int all = 1; /* faces beside the contact have no points */
    for (int i = 0; i < 4; i++) {
      out[i] = i < n ? point[node[i]] : -1;
      all &= i >= n || out[i] >= 0;
    }
    rest->n_face += all;
  }
  return MS_SUCCESS;
}

ms_status ms_fem_fill_contact_faces(const ms_fem_model *m, const ms_fem_assembly *a,
                                    ms_fem_rest *rest) {
  int32_t *point;
  ms_status status = ms_allocate(m->ctx, m->mesh->n_node, sizeof *point, &point);
  for (int g = 0; g < a->n_contact && !status; g++) {
    ms_mesh_set set;
    for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) point[i] = -1;
    for (ptrdiff_t i = 0; i < rest->n_point; i++) {
      if (rest->point[i].contact == g) point[rest->point[i].node[0]] = (int32_t)i;
    }
    status = ms_mesh_find_set(m->mesh, MS_SET_FACES, a->contact[g].faces[0], &set);
    if (!status) status = add_faces(m, &set, point, rest);
  }
  ms_free(m->ctx, &point);
  return status;
}

ptrdiff_t ms_fem_count_inside(const ms_fem_rest *rest, const unsigned char *flag) {
  const unsigned char *status = ms_contact_get(rest->contact).status;
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    int inside = flag[i];
    for (ptrdiff_t k = 0; k < rest->n_face && inside; k++) {
      const int32_t *face = rest->face + 4 * k;
      if (face[0] != i && face[1] != i && face[2] != i && face[3] != i) continue;
      for (int c = 0; c < 4; c++) {
        if (face[c] >= 0 && status[face[c]] != MS_CONTACT_OPEN && !flag[face[c]]) inside = 0;
      }
    }
    n += inside;
  }
  return n;
}
