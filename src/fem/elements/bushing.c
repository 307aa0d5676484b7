/* Springs too and about the part's axes between two nodes with rotations. They act half-way
   between the nodes, each of which carries its side there as a rigid arm, so that a rigid motion of
   the whole costs nothing wherever the nodes are:

     d = u2 + r2 x a - (u1 - r1 x a),  a = (x1 - x2)/2;   phi = r2 - r1
     K = B^T diag(k_d, k_phi) B */
#include "fem/elements/spring.h"

static const double coords[] = { -1, 0, 0, 1, 0, 0 };

static int stiffness(const ms_property *p, const double *x, double *K) {
  double k[9], kr[9], B[36], kB[36] = { 0.0 };
  ms_spring_matrix(p, p->stiffness, k);
  ms_spring_matrix(p, p->stiffness + 3, kr);
  /* B, 3 x 12: d in terms of (u1 r1 u2 r2); r x a = S r. */
  double a[3];
  for (int i = 0; i < 3; i++) a[i] = 0.5 * (x[i] - x[3 + i]);
  const double S[9] = { 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0 }; /* column-major */
  memset(B, 0, 36 * sizeof *B);
  for (int i = 0; i < 3; i++) {
    B[i + 3 * i] = -1.0;
    B[i + 3 * (6 + i)] = 1.0;
  }
  for (int i = 0; i < 9; i++) B[9 + i] = B[27 + i] = S[i];
  for (int c = 0; c < 12; c++) {
    for (int i = 0; i < 9; i++) kB[i % 3 + 3 * c] += k[i] * B[i / 3 + 3 * c];
  }
  for (int c = 0; c < 12; c++) {
    for (int r = 0; r < 12; r++) {
      K[r + 12 * c] =
          B[3 * r] * kB[3 * c] + B[3 * r + 1] * kB[3 * c + 1] + B[3 * r + 2] * kB[3 * c + 2];
    }
  }
  for (int i = 0; i < 4; i++) {
    ms_spring_add(12, 3 + 6 * (i % 2), 3 + 6 * (i / 2), i % 3 ? -1.0 : 1.0, kr, K);
  }
  return 0;
}

const ms_element ms_element_bushing = {
  .info = { .name = "bushing",
            .title = "springs between two nodes, translations and rotations",
            .reference = "",
            .n_node = 2,
            .n_dof = 6,
            .coords = coords,
            .n_zero_energy = 6,
            .needs = MS_NEEDS_STIFFNESS,
            .vtk = 3 },
  .stiffness = stiffness,
};
