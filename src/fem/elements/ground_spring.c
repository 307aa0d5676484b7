/* Springs along the part's axes from a node to the ground. */
#include "fem/elements/spring.h"

static const double coords[] = { 0, 0, 0 };

static int stiffness(const ms_property *p, const double *x, double *K) {
  (void)x;
  ms_spring_matrix(p, p->stiffness, K);
  return 0;
}

const ms_element ms_element_ground_spring = {
  .info = { .name = "ground_spring",
            .title = "spring to the ground, three translations",
            .reference = "",
            .n_node = 1,
            .n_dof = 3,
            .dimension = 0,
            .coords = coords,
            .n_zero_energy = 0,
            .needs = MS_NEEDS_STIFFNESS,
            .vtk = 1 },
  .stiffness = stiffness,
};
