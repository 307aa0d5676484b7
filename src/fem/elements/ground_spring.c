/* Springs too the part's axes from a node to the ground. */
#include "fem/elements/spring.h"

static int stiffness(const ms_property *p, const double *x, double *K) {
  (void)x;
  ms_spring_matrix(p, p->stiffness, K);
  return 0;
}

const ms_element ms_element_ground_spring = {
  .info = { .name = "ground_spring",
            .title = "spring to the ground, three translations",
            MS_POINT_INFO,
            .n_dof = 3,
            .needs = MS_NEEDS_STIFFNESS },
  .stiffness = stiffness,
};
