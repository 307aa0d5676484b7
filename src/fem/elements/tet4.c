/* TET4, constant strain. Stiff in bending: for filling, not for answers. */
#include "fem/elements/solid.h"
#include "fem/elements/tetrahedron.h"

static void value(const double *r, double *N) {
  N[0] = 1.0 - r[0] - r[1] - r[2];
  for (int a = 0; a < 3; a++) N[a + 1] = r[a];
}

static void gradient(const double *r, double *dN) {
  (void)r;
  for (int a = 0; a < 3; a++) {
    dN[a] = -1.0;
    for (int i = 1; i < 4; i++) dN[3 * i + a] = i == a + 1;
  }
}

static const ms_face faces[] = {
  { 3, 3, { 0, 2, 1 } }, { 3, 3, { 0, 1, 3 } }, { 3, 3, { 1, 2, 3 } }, { 3, 3, { 0, 3, 2 } }
};

static const ms_solid_shape shape = {
  .n_node = 4,
  .value = value,
  .gradient = gradient,
  .stiffness = &ms_rule_tet1,
  .mass = &ms_rule_tet4,
  MS_TETRAHEDRON_CELL,
};

MS_SOLID_FUNCTIONS

const ms_element ms_element_tet4 = {
  .info = { .name = "tet4",
            .title = "tetrahedron, 4 nodes, constant strain",
            .reference = "Zienkiewicz, Taylor, The Finite Element Method",
            .n_node = 4,
            .n_face = 4,
            .face = faces,
            .coords = ms_tetrahedron_coords,
            MS_SOLID_INFO,
            .vtk = 10 },
  MS_SOLID_ENTRIES,
};
