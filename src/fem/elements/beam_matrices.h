/* What the two beams share. */
#ifndef MS_FEM_ELEMENTS_BEAM_MATRICES_H
#define MS_FEM_ELEMENTS_BEAM_MATRICES_H

#include "fem/impl.h"

/* Deformation in shear, and the inertia of the section's rotation with it: 0 for Euler-Bernoulli, 1
   for Timoshenko. 1 if the ends coincide or y lies along the beam. */
int ms_beam_stiffness(int shear, const ms_property *p, const double *x, double *K);
int ms_beam_mass(int shear, const ms_property *p, const double *x, double *M);

/* The functions of a beam's table. */
#define MS_BEAM_FUNCTIONS(shear)                                           \
  static int stiffness(const ms_property *p, const double *x, double *K) { \
    return ms_beam_stiffness(shear, p, x, K);                              \
  }                                                                        \
  static int mass(const ms_property *p, const double *x, double *M) {      \
    return ms_beam_mass(shear, p, x, M);                                   \
  }

static const double ms_beam_coords[6] = { -1, 0, 0, 1, 0, 0 };

#define MS_BEAM_INFO                                                                      \
  .reference = "Przemieniecki, Theory of Matrix Structural Analysis (1968)", .n_node = 2, \
  .n_dof = 6, .dimension = 1, .coords = ms_beam_coords, .n_zero_energy = 6,               \
  .needs = MS_NEEDS_MATERIAL | MS_NEEDS_SECTION, .vtk = 3

#endif
