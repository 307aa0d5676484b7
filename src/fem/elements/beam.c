/* Euler-Bernoulli beam: sections stay at right angles to the axis, and turning them costs nothing.
 */
#include "fem/elements/beam_matrices.h"

static const double coords[] = { -1, 0, 0, 1, 0, 0 };

static int stiffness(const ms_property *p, const double *x, double *K) {
  return ms_beam_stiffness(0, p, x, K);
}

static int mass(const ms_property *p, const double *x, double *M) {
  return ms_beam_mass(0, p, x, M);
}

const ms_element ms_element_beam = {
  .info = { .name = "beam",
            .title = "Euler-Bernoulli beam, 2 nodes",
            .reference = "Przemieniecki, Theory of Matrix Structural Analysis (1968)",
            .n_node = 2,
            .n_dof = 6,
            .dimension = 1,
            .coords = coords,
            .n_zero_energy = 6,
            .needs = MS_NEEDS_MATERIAL | MS_NEEDS_SECTION,
            .vtk = 3 },
  .stiffness = stiffness,
  .mass = mass,
};
