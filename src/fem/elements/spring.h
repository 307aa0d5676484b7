/* What springs and masses share: a 3 x 3 matrix in its place. */
#ifndef MS_FEM_ELEMENTS_SPRING_H
#define MS_FEM_ELEMENTS_SPRING_H

#include <string.h>

#include "fem/impl.h"

static const double ms_point_coords[3] = { 0 };

/* What the infos of elements with one node have in common; dimension 0, and nothing without energy
   unless they say so. */
#define MS_POINT_INFO .reference = "", .n_node = 1, .coords = ms_point_coords, .vtk = 1

/* k = Q diag(stiffness) Q^T along the part's axes, 3 x 3. */
static inline void ms_spring_matrix(const ms_property *p, const double *stiffness, double *k) {
  const double *Q = p->axes;
  memset(k, 0, 9 * sizeof *k);
  for (int m = 0; m < 3; m++) {
    for (int i = 0; i < 9; i++) k[i] += stiffness[m] * Q[i % 3 + 3 * m] * Q[i / 3 + 3 * m];
  }
}

/* A(row.., column..) += f k; A is n x n. */
static inline void ms_spring_add(int n, int row, int column, double f, const double *k, double *A) {
  for (int i = 0; i < 9; i++) A[row + i % 3 + n * (column + i / 3)] += f * k[i];
}

#endif
