/* Springs too and about the part's axes from a node with rotations to the ground. */
#include "fem/elements/spring.h"

static int stiffness(const ms_property *p, const double *x, double *K) {
  double k[9];
  (void)x;
  memset(K, 0, 36 * sizeof *K);
  for (int i = 0; i < 2; i++) {
    ms_spring_matrix(p, p->stiffness + 3 * i, k);
    ms_spring_add(6, 3 * i, 3 * i, 1.0, k, K);
  }
  return 0;
}

const ms_element ms_element_ground_bushing = {
  .info = { .name = "ground_bushing",
            .title = "springs to the ground, translations and rotations",
            MS_POINT_INFO,
            .n_dof = 6,
            .needs = MS_NEEDS_STIFFNESS },
  .stiffness = stiffness,
};
