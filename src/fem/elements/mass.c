/* A point mass on the three translations of a node. */
#include "fem/elements/spring.h"

static int mass(const ms_property *p, const double *x, double *M) {
  (void)x;
  for (int i = 0; i < 9; i++) M[i] = i % 4 == 0 ? p->mass : 0.0;
  return 0;
}

const ms_element ms_element_mass = {
  .info = { .name = "mass",
            .title = "point mass",
            MS_POINT_INFO,
            .n_dof = 3,
            .n_zero_energy = 3,
            .needs = MS_NEEDS_MASS },
  .mass = mass,
};
