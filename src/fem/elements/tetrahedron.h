/* The reference cell of tetrahedra: the unit tetrahedron, its corners and the middles of its edges.
 */
#ifndef MS_FEM_TETRAHEDRON_H
#define MS_FEM_TETRAHEDRON_H

static const double ms_tetrahedron_coords[30] = {
  0,   0,   0, 1, 0,   0, 0, 1, 0,   0,   0, 1,   0.5, 0,   0,
  0.5, 0.5, 0, 0, 0.5, 0, 0, 0, 0.5, 0.5, 0, 0.5, 0,   0.5, 0.5,
};

static const int ms_tetrahedron_corners[4][4] = {
  { 0, 1, 2, 3 },
  { 1, 2, 0, 3 },
  { 2, 0, 1, 3 },
  { 3, 0, 2, 1 },
};

#define MS_TETRAHEDRON_IDEAL 0.70710678118654752440 /* at a corner of the regular one: 1/sqrt 2 */

#endif
