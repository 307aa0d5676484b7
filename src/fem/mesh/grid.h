/* Structured parts: a section of quadrilaterals, drawn along an axis into layers of bricks, each
   cut into the elements asked for. */
#ifndef MS_FEM_MESH_GRID_H
#define MS_FEM_MESH_GRID_H

#include "fem/impl.h"

/* What lies beyond an edge of a quadrilateral. */
enum {
  MS_EDGE_INSIDE, /* a neighbour of the same zone */
  MS_EDGE_LEFT,
  MS_EDGE_RIGHT,
  MS_EDGE_FRONT,
  MS_EDGE_BACK,
  MS_EDGE_IN, /* the zone before, towards the axis */
  MS_EDGE_OUT /* the zone behind */
};

/* Lattice of points, s per edge of an element: 1, or 2 if there are nodes between the corners.
   Corners of a quadrilateral counter-clockwise, edge i from corner i to the next. */
typedef struct ms_grid {
  int s;
  ptrdiff_t n_point, n_quad;
  double *xy;          /* 2 x n_point */
  int32_t *quad;       /* (s + 1)^2 x n_quad, first index fastest */
  unsigned char *zone; /* n_quad */
  unsigned char *edge; /* 4 x n_quad */
} ms_grid;

/* section.c; *out is empty after a failure. */
ms_status ms_grid_rectangle(ms_context *ctx, int s, const double *at, const double *size,
                            const int *n, ms_grid *out);
/* One quadrilateral around, from radius[0] on. */
ms_status ms_grid_sector(ms_context *ctx, const ms_rings *rings, ms_grid *out);
ms_status ms_grid_disc(ms_context *ctx, int s, const ms_rings *rings, ms_grid *out);
/* holes.c: holes in the rectangle of a brick; the grid is to be freed after a failure too. */
ms_status ms_grid_drill(ms_context *ctx, const ms_brick *brick, int n_hole, const ms_hole *hole,
                        ms_grid *grid);
void ms_grid_free(ms_context *ctx, ms_grid *grid);

/* How a brick is cut. */
#define MS_MAX_PIECE 6
typedef struct ms_cut {
  const char *element;
  int s;
  int n_piece, n_corner;                                        /* at most; per piece */
  int (*pieces)(const int32_t *id, int piece[MS_MAX_PIECE][8]); /* corners of the brick, by its 8
                                                                   ids; returns how many */
  int n_edge;
  const int (*edge)[2]; /* which corners of a piece have a node between them */
} ms_cut;

/* split.c: neighbouring bricks cut the face they share along the same diagonal, which goes through
   the corner of lowest id. */
ms_status ms_cut_find(ms_context *ctx, const char *element, const ms_cut **out);

#endif
