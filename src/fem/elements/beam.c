/* Euler-Bernoulli beam: sections stay at right angles to the axis, and turning them costs nothing.
 */
#include "fem/elements/beam_matrices.h"

MS_BEAM_FUNCTIONS(0)

const ms_element ms_element_beam = {
  .info = { .name = "beam", .title = "Euler-Bernoulli beam, 2 nodes", MS_BEAM_INFO },
  .stiffness = stiffness,
  .mass = mass,
};
