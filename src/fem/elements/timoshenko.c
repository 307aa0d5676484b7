/* Timoshenko beam: deformation in shear, inertia of the section's rotation. A shear factor of 0
   leaves shear out of that plane. */
#include "fem/elements/beam_matrices.h"

MS_BEAM_FUNCTIONS(1)

const ms_element ms_element_timoshenko = {
  .info = { .name = "timoshenko", .title = "Timoshenko beam, 2 nodes", MS_BEAM_INFO },
  .stiffness = stiffness,
  .mass = mass,
};
