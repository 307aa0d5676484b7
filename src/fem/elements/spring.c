/* Springs too the part's axes between two nodes without rotations. The nodes should coincide:
   where they do not, a spring across the line between them resists a rigid rotation of the whole;
   that needs the moments of a bushing. */
#include "fem/elements/spring.h"

static const double coords[] = { 0, 0, 0, 0, 0, 0 };

static int stiffness(const ms_property *p, const double *x, double *K) {
  double k[9];
  (void)x;
  ms_spring_matrix(p, p->stiffness, k);
  memset(K, 0, 36 * sizeof *K);
  for (int i = 0; i < 4; i++) ms_spring_add(6, 3 * (i % 2), 3 * (i / 2), i % 3 ? -1.0 : 1.0, k, K);
  return 0;
}

const ms_element ms_element_spring = {
  .info = { .name = "spring",
            .title = "spring between two nodes, three translations",
            .reference = "",
            .n_node = 2,
            .n_dof = 3,
            .coords = coords,
            .n_zero_energy = 3,
            .needs = MS_NEEDS_STIFFNESS,
            .vtk = 3 },
  .stiffness = stiffness,
};
