/* [structure] Sketches of structures without a mesh: where a chain, a beam or points are drawn, and
   how the drawing moves with the structure's coordinates. Chains and beams are in a plane, x to the
   right, z upwards. */
#ifndef MICROSLIP_SKETCH_H
#define MICROSLIP_SKETCH_H

#include <microslip/beam.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ms_sketch_line {
  MS_SKETCH_BODY,
  MS_SKETCH_JOINT,
  MS_SKETCH_SPRING,
  MS_SKETCH_THIN /* a spring between masses that are not neighbours */
} ms_sketch_line;
typedef enum ms_sketch_mark_kind {
  MS_SKETCH_AT_JOINT,
  MS_SKETCH_AT_MASS,
  MS_SKETCH_AT_GROUND
} ms_sketch_mark_kind;

typedef struct ms_sketch_mark {
  ptrdiff_t node;
  const char *label; /* the structure's or the point's; NULL for none */
  ms_sketch_mark_kind kind;
} ms_sketch_mark;

/* What is drawn; the sketch's until it is destroyed. */
typedef struct ms_sketch_view {
  ptrdiff_t n_node;
  const double *x; /* 3 x n_node, m; of a chain in steps from mass to mass */
  ptrdiff_t n_line;
  const int32_t *line;       /* 2 x n_line */
  const unsigned char *kind; /* ms_sketch_line of each */
  ptrdiff_t n_mark;
  const ms_sketch_mark *mark;
} ms_sketch_view;

typedef struct ms_sketch ms_sketch;
/* A chain: its coordinates in their order, springs by the stiffness matrix; displacements are drawn
   upwards, whatever their direction. The structure must outlive the sketch. */
MS_API ms_status ms_sketch_create_chain(const ms_structure *structure, ms_sketch **out);
/* A beam, by the cubics of its elements: nodes as ms_beam_find_nodes has them. */
MS_API ms_status ms_sketch_create_beam(const ms_structure *structure, ptrdiff_t n,
                                       const ms_beam_node *node, ms_sketch **out);
/* A point, and the coordinates of its displacements along x, y and z: MS_GROUND for none. */
typedef struct ms_sketch_point {
  const char *name;
  double x[3]; /* m */
  ptrdiff_t dof[3];
} ms_sketch_point;
/* Fills `dof` of n points by their names: the displacement of point P along x is the degree of
   freedom P.x or P.ux, so along y and z, and one called P is drawn along z where there is no other.
   Refused are two points of one name, a point that is called like the degree of freedom of another,
   which would be drawn twice, and points of which none moves; *wrong is which one, -1: none. */
MS_API ms_status ms_sketch_find_points(const ms_structure *structure, ptrdiff_t n,
                                       ms_sketch_point *point, ptrdiff_t *wrong);
/* How many of n points no degree of freedom moves, and their names, as many as fit. */
MS_API ptrdiff_t ms_sketch_print_still(ptrdiff_t n, const ms_sketch_point *point, char *text,
                                       size_t size);
/* Points with lines between them, line[2 x n_line] from 0. The names must outlive the sketch. */
MS_API ms_status ms_sketch_create_points(const ms_structure *structure, ptrdiff_t n,
                                         const ms_sketch_point *point, ptrdiff_t n_line,
                                         const int32_t *line, ms_sketch **out);
MS_API void ms_sketch_destroy(ms_sketch **sketch);
MS_API ms_sketch_view ms_sketch_get(const ms_sketch *sketch);
/* Displacements of the nodes, u += 3 x n_node, in a shape phi of the structure. */
MS_API void ms_sketch_add_motion(const ms_sketch *sketch, const double *phi, double *u);

#ifdef __cplusplus
}
#endif
#endif
