/* What the two beams share. */
#ifndef MS_FEM_ELEMENTS_BEAM_MATRICES_H
#define MS_FEM_ELEMENTS_BEAM_MATRICES_H

#include "fem/impl.h"

/* Deformation in shear, and the inertia of the section's rotation with it: 0 for Euler-Bernoulli, 1
   for Timoshenko. 1 if the ends coincide or y lies along the beam. */
int ms_beam_stiffness(int shear, const ms_property *p, const double *x, double *K);
int ms_beam_mass(int shear, const ms_property *p, const double *x, double *M);

#endif
