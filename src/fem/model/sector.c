/* A sector of a body of revolution, one hex8 around, that deforms without torsion. In the element's
   corners 0, 1, 4, 5 lie in the near plane, 3, 2, 7, 6 in the far one. With e the direction across
   the axis in the near plane and t normal to it, u_t = 0 there; u = R u_near in the far plane. */
#include <math.h>

#include "core/internal.h"
#include "fem/model/model.h"
#include "fem/tolerance.h"

/* Turned by an angle about the axis: v along (axis + 1) % 3 towards (axis + 2) % 3. */
static void turn(const ms_mesh *mesh, double angle, double *v) {
  const int i = (mesh->sector_axis + 1) % 3, j = (mesh->sector_axis + 2) % 3;
  const double x = v[i], y = v[j];
  v[i] = x * cos(angle) - y * sin(angle);
  v[j] = x * sin(angle) + y * cos(angle);
}

void ms_fem_turn_back(const ms_fem_model *m, int32_t node, double *v) {
  if (m->twin && m->twin[node] >= 0) turn(m->mesh, -m->mesh->sector, v);
}

/* The far node is where the near one is turned to, and the near one lies in its plane. */
static int are_twins(const ms_mesh *mesh, const double *near, const double *far) {
  double v[3], off = 0.0, size = 0.0;
  for (int a = 0; a < 3; a++) {
    v[a] = near[a] - mesh->sector_at[a];
    size += v[a] * v[a];
  }
  const double beside = v[(mesh->sector_axis + 2) % 3];
  turn(mesh, mesh->sector, v);
  for (int a = 0; a < 3; a++) {
    const double d = v[a] - (far[a] - mesh->sector_at[a]);
    off += d * d;
  }
  return fmax(sqrt(off), fabs(beside)) <= ms_mesh_tol.same_place * sqrt(size);
}

static ms_status find_twins(ms_fem_model *m) {
  const ms_mesh *mesh = m->mesh;
  MS_TRY(ms_allocate(m->ctx, mesh->n_node, sizeof *m->twin, &m->twin));
  for (ptrdiff_t i = 0; i < mesh->n_node; i++) m->twin[i] = -1;
  for (int k = 0; k < mesh->n_block; k++) {
    const ms_element_block *b = &mesh->block[k];
    const int made = mesh->part[b->part].times > 0.0;
    for (ptrdiff_t i = 0; i < 4 * b->n; i++) {
      const int32_t *node = b->node + 8 * (i / 4);
      const int32_t near = made ? node[ms_sector_pair[i % 4][0]] : 0,
                    far = made ? node[ms_sector_pair[i % 4][1]] : 0;
      if (made && are_twins(mesh, mesh->x + 3 * (ptrdiff_t)near, mesh->x + 3 * (ptrdiff_t)far)) {
        m->twin[far] = near;
        continue;
      }
      return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                     "part '%s' is no part of the sector of %g degrees: all parts of the mesh are "
                     "rings with the same sector",
                     mesh->part_name[b->part], mesh->sector * 180.0 / MS_PI);
    }
  }
  return MS_SUCCESS;
}

static ms_status follow(ms_fem_model *m, ptrdiff_t node, ptrdiff_t near) {
  const int z = m->mesh->sector_axis, e = (z + 1) % 3;
  double axis[3] = { 0.0, 0.0, 0.0 };
  axis[e] = 1.0;
  turn(m->mesh, m->mesh->sector, axis);
  for (int a = 0; a < 3; a++) {
    const ms_fem_term term[2] = { { node, a, 1.0 },
                                  { near, a == z ? z : e, a == z ? -1.0 : -axis[a] } };
    MS_TRY(ms_fem_link(m, "sector", 2, term, 0.0));
  }
  return MS_SUCCESS;
}

ms_status ms_fem_link_sector(ms_fem_model *m) {
  const int t = (m->mesh->sector_axis + 2) % 3;
  MS_TRY(find_twins(m));
  MS_TRY(ms_equations_name(&m->equations, "sector", &m->equations.expected));
  m->equations.expected++; /* supports and contacts know nothing of it */
  for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) {
    if (m->first[i] < 0) continue;
    if (m->twin[i] < 0)
      MS_TRY(ms_fem_fix(m, "sector", i, 1 << t));
    else
      MS_TRY(follow(m, i, m->twin[i]));
  }
  return MS_SUCCESS;
}
