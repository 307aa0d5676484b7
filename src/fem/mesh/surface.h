/* The surface of a mesh, as its two files see it. */
#ifndef MS_FEM_MESH_SURFACE_H
#define MS_FEM_MESH_SURFACE_H

#include "fem/impl.h"

struct ms_surface {
  ms_context *ctx;
  ms_surface_view view;        /* of what follows */
  int32_t *node, *face, *line; /* face and line in nodes of the mesh until they are numbered */
  int *part;                   /* of each face, then of each line */
};

/* surface_merge.c: makes no more than max_face of the faces, if that can be; node, face and line
   are numbered before and after. */
ms_status ms_surface_merge(ms_surface *s, const double *x, ptrdiff_t max_face);
/* surface.c: node becomes the list of nodes that faces and lines use, which get its numbers.
   n_number is how many there may be; if node was set, it is what they numbered before. */
ms_status ms_surface_number(ms_surface *s, ptrdiff_t n_number);

#endif
