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

/* Of an ms_solid_shape; ideal: at a corner of the regular one, 1/sqrt 2. */
#define MS_TETRAHEDRON_CELL                                                         \
  .n_corner = 4, .corner = ms_tetrahedron_corners, .ideal = 0.70710678118654752440, \
  .coords = ms_tetrahedron_coords

#endif
