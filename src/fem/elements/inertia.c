/* A point mass with moments of inertia, on a node that has rotations. */
#include "fem/elements/spring.h"

static int mass(const ms_property *p, const double *x, double *M) {
  const double *I = p->inertia; /* xx yy zz xy yz zx */
  const double m[9] = { p->mass, 0, 0, 0, p->mass, 0, 0, 0, p->mass };
  const double tensor[9] = { I[0], I[3], I[5], I[3], I[1], I[4], I[5], I[4], I[2] };
  (void)x;
  memset(M, 0, 36 * sizeof *M);
  ms_spring_add(6, 0, 0, 1.0, m, M);
  ms_spring_add(6, 3, 3, 1.0, tensor, M);
  return 0;
}

const ms_element ms_element_inertia = {
  .info = { .name = "inertia",
            .title = "point mass with moments of inertia",
            MS_POINT_INFO,
            .n_dof = 6,
            .n_zero_energy = 6,
            .needs = MS_NEEDS_MASS },
  .mass = mass,
};
