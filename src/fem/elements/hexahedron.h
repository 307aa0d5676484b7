/* The reference cell of bricks, [-1, 1]^3: corners, bottom counter-clockwise and then the top, and
   the middles of the edges of bottom, top and sides. */
#ifndef MS_FEM_HEXAHEDRON_H
#define MS_FEM_HEXAHEDRON_H

static const double ms_hexahedron_coords[60] = {
  -1, -1, -1, 1, -1, -1, 1,  1, -1, -1, 1, -1, -1, -1, 1, 1,  -1, 1,  1, 1,
  1,  -1, 1,  1, 0,  -1, -1, 1, 0,  -1, 0, 1,  -1, -1, 0, -1, 0,  -1, 1, 1,
  0,  1,  0,  1, 1,  -1, 0,  1, -1, -1, 0, 1,  -1, 0,  1, 1,  0,  -1, 1, 0,
};

static const int ms_hexahedron_corners[8][4] = {
  { 0, 1, 3, 4 }, { 1, 2, 0, 5 }, { 2, 3, 1, 6 }, { 3, 0, 2, 7 },
  { 4, 7, 5, 0 }, { 5, 4, 6, 1 }, { 6, 5, 7, 2 }, { 7, 6, 4, 3 },
};

/* Of an ms_solid_shape. */
#define MS_HEXAHEDRON_CELL \
  .n_corner = 8, .corner = ms_hexahedron_corners, .ideal = 1.0, .coords = ms_hexahedron_coords

#endif
