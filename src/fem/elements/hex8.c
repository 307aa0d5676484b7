/* HEX8 with incompatible modes: the eight trilinear functions, and a parabola along each of the
   reference axes, 1 - r_a^2, which lets the element bend. solid.c has Taylor's correction and the
   condensation. 2 x 2 x 2 points. */
#include "fem/elements/solid.h"
#include "fem/elements/hexahedron.h"

static void value(const double *r, double *N) {
  for (int i = 0; i < 8; i++) {
    const double *s = ms_hexahedron_coords + 3 * i;
    N[i] = 0.125 * (1.0 + s[0] * r[0]) * (1.0 + s[1] * r[1]) * (1.0 + s[2] * r[2]);
  }
}

static void gradient(const double *r, double *dN) {
  for (int i = 0; i < 8; i++) {
    const double *s = ms_hexahedron_coords + 3 * i;
    double a = 1.0 + s[0] * r[0], b = 1.0 + s[1] * r[1], c = 1.0 + s[2] * r[2];
    dN[3 * i] = 0.125 * s[0] * b * c;
    dN[3 * i + 1] = 0.125 * s[1] * a * c;
    dN[3 * i + 2] = 0.125 * s[2] * a * b;
  }
}

static void mode(const double *r, double *dN) {
  for (int i = 0; i < 9; i++) dN[i] = i % 4 == 0 ? -2.0 * r[i / 4] : 0.0;
}

static const ms_face faces[] = {
  { 4, 4, { 0, 3, 2, 1 } }, { 4, 4, { 4, 5, 6, 7 } }, { 4, 4, { 0, 1, 5, 4 } },
  { 4, 4, { 1, 2, 6, 5 } }, { 4, 4, { 2, 3, 7, 6 } }, { 4, 4, { 3, 0, 4, 7 } },
};

static const ms_solid_shape shape = {
  .n_node = 8,
  .n_mode = 3,
  .value = value,
  .gradient = gradient,
  .mode = mode,
  .stiffness = &ms_rule_hex8,
  .mass = &ms_rule_hex8,
  MS_HEXAHEDRON_CELL,
};

MS_SOLID_FUNCTIONS

const ms_element ms_element_hex8 = {
  .info = { .name = "hex8",
            .title = "brick, 8 nodes, incompatible modes",
            .reference = "Taylor, Beresford, Wilson, Int. J. Numer. Meth. Eng. 10 (1976)",
            .n_node = 8,
            .n_face = 6,
            .face = faces,
            .coords = ms_hexahedron_coords,
            MS_SOLID_INFO,
            .vtk = 12 },
  MS_SOLID_ENTRIES,
};
