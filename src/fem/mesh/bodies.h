/* The bodies of a mesh: elements that can only move together as one rigid body, as long as nothing
   is strained. */
#ifndef MS_FEM_MESH_BODIES_H
#define MS_FEM_MESH_BODIES_H

#include "fem/impl.h"

typedef struct ms_body {
  double centre[3], size; /* m, of the box around its nodes */
  int part;               /* of its first element */
} ms_body;

typedef struct ms_bodies {
  ptrdiff_t n;
  ms_body *body;
  int32_t *of;   /* node: the first body it belongs to, or -1 */
  int32_t *turn; /* node: the body that its rotations belong to, or -1 */
  ptrdiff_t n_shared, max_shared;
  int32_t *shared; /* node and body in turn: where a node belongs to another body as well */
} ms_bodies;

/* *out is to be freed after a failure as well. */
ms_status ms_bodies_find(ms_context *ctx, const ms_mesh *mesh, ms_bodies *out);
void ms_bodies_free(ms_context *ctx, ms_bodies *bodies);

/* Coordinate c (0 to 5: ux uy uz rx ry rz) at x in six motions of a body: along the axes, and about
   them through its centre, the latter divided by its size. */
void ms_body_fill_motions(const ms_body *b, int c, const double *x, double *v);

#endif
