/* Faces between the points of a contact. */
#include <string.h>

#include <microslip/fem_contact.h>

#include "core/internal.h"
#include "fem/contact/faces.h"
#include "fem/model/model.h"

/* A pair of nodes is a corner of its faces. */
static ms_status add_faces(const ms_fem_model *m, const ms_mesh_set *set, const int32_t *corner,
                           ms_fem_rest *rest) {
  MS_TRY(ms_resize(m->ctx, 4 * (rest->n_face + set->n), sizeof *rest->face, &rest->face));
  for (ptrdiff_t k = 0; k < set->n; k++) {
    int32_t node[MS_FACE_NODES], *out = rest->face + 4 * rest->n_face;
    double x[3 * MS_FACE_NODES];
    const int n = ms_face_gather(m->mesh, set->index[k], set->face[k], node, x)->n_node;
    int all = 1; /* faces beside the contact have no points */
    for (int i = 0; i < 4; i++) {
      out[i] = i < n ? corner[node[i]] : -1;
      all &= i >= n || out[i] >= 0;
    }
    rest->n_face += all;
  }
  return MS_SUCCESS;
}

/* A Gauss point has a face of its own. */
static ms_status add_cells(const ms_fem_model *m, ptrdiff_t first, ptrdiff_t n, ms_fem_rest *rest) {
  MS_TRY(ms_resize(m->ctx, 4 * (rest->n_face + n), sizeof *rest->face, &rest->face));
  for (ptrdiff_t k = 0; k < 4 * n; k++) rest->face[4 * rest->n_face + k] = (int32_t)(first + k);
  rest->n_face += n;
  return MS_SUCCESS;
}

static ms_status add_corners(const ms_fem_model *m, int contact, int32_t *corner,
                             const ms_mesh_set *set, ms_fem_rest *rest) {
  const ptrdiff_t first = rest->n_corner;
  ptrdiff_t gauss = 0;
  MS_TRY(ms_resize(m->ctx, 3 * (first + 4 * rest->n_point), sizeof *rest->corner, &rest->corner));
  MS_TRY(ms_resize(m->ctx, first + 4 * rest->n_point, sizeof *rest->of, &rest->of));
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_fem_contact_point *p = &rest->point[i];
    if (p->contact != contact) continue;
    const int corners = p->n[0] > 1 ? 4 : 1;
    gauss += corners == 4;
    if (corners == 1) corner[p->node[0][0]] = (int32_t)rest->n_corner;
    memcpy(rest->corner + 3 * rest->n_corner, corners == 4 ? p->cell : p->at,
           (size_t)(3 * corners) * sizeof *rest->corner);
    for (int c = 0; c < corners; c++) rest->of[rest->n_corner++] = (int32_t)i;
  }
  return gauss > 0 ? add_cells(m, first, gauss, rest) : add_faces(m, set, corner, rest);
}

ms_status ms_fem_fill_contact_faces(const ms_fem_model *m, const ms_fem_assembly *a,
                                    ms_fem_rest *rest) {
  int32_t *corner;
  ms_status status = ms_allocate(m->ctx, m->mesh->n_node, sizeof *corner, &corner);
  for (int g = 0; g < a->n_contact && !status; g++) {
    ms_mesh_set set;
    for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) corner[i] = -1;
    status = ms_mesh_find_set(m->mesh, MS_SET_FACES, a->contact[g].faces[0], &set);
    if (!status) status = add_corners(m, g, corner, &set, rest);
  }
  ms_free(m->ctx, &corner);
  return status;
}
