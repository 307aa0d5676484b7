/* TET10, quadratic. 14 points of degree 5: more than straight edges need, enough for the patch test
   with curved ones and for the mass. */
#include "fem/elements/solid.h"
#include "fem/elements/tetrahedron.h"

static const int edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

/* L, barycentric coordinates; N = L (2 L - 1) at corners, 4 L_i L_j between them. */
static void barycentric(const double *r, double *L) {
  L[0] = 1.0 - r[0] - r[1] - r[2];
  for (int a = 0; a < 3; a++) L[a + 1] = r[a];
}

static void value(const double *r, double *N) {
  double L[4];
  barycentric(r, L);
  for (int i = 0; i < 4; i++) N[i] = L[i] * (2.0 * L[i] - 1.0);
  for (int k = 0; k < 6; k++) N[4 + k] = 4.0 * L[edge[k][0]] * L[edge[k][1]];
}

static void gradient(const double *r, double *dN) {
  static const double dL[4][3] = { { -1, -1, -1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  double L[4];
  barycentric(r, L);
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < 4; i++) dN[3 * i + a] = (4.0 * L[i] - 1.0) * dL[i][a];
    for (int k = 0; k < 6; k++) {
      int i = edge[k][0], j = edge[k][1];
      dN[3 * (4 + k) + a] = 4.0 * (L[i] * dL[j][a] + L[j] * dL[i][a]);
    }
  }
}

static const ms_face faces[] = {
  { 6, 3, { 0, 2, 1, 6, 5, 4 } },
  { 6, 3, { 0, 1, 3, 4, 8, 7 } },
  { 6, 3, { 1, 2, 3, 5, 9, 8 } },
  { 6, 3, { 0, 3, 2, 7, 9, 6 } },
};

static const ms_solid_shape shape = {
  .n_node = 10,
  .value = value,
  .gradient = gradient,
  .stiffness = &ms_rule_tet14,
  .mass = &ms_rule_tet14,
  MS_TETRAHEDRON_CELL,
};

MS_SOLID_FUNCTIONS

const ms_element ms_element_tet10 = {
  .info = { .name = "tet10",
            .title = "tetrahedron, 10 nodes",
            .reference = "Zienkiewicz, Taylor, The Finite Element Method",
            .n_node = 10,
            .n_face = 4,
            .face = faces,
            .coords = ms_tetrahedron_coords,
            MS_SOLID_INFO,
            .vtk = 24 },
  MS_SOLID_ENTRIES,
};
