/* HEX20, the serendipity brick. 3 x 3 x 3 points for stiffness and mass. */
#include "fem/elements/solid.h"
#include "fem/elements/hexahedron.h"

static const double *const coords = ms_hexahedron_coords;

/* Corner: N = 1/8 a b c (s.r - 2), a = 1 + s_0 r_0 and so on; middle of an edge along axis m:
   N = 1/4 (1 - r_m^2) times the other two. */
static void value(const double *r, double *N) {
  for (int i = 0; i < 20; i++) {
    const double *s = coords + 3 * i;
    double product = 1.0, dot = 0.0;
    for (int a = 0; a < 3; a++) {
      product *= s[a] != 0.0 ? 1.0 + s[a] * r[a] : 1.0 - r[a] * r[a];
      dot += s[a] * r[a];
    }
    N[i] = i < 8 ? 0.125 * product * (dot - 2.0) : 0.25 * product;
  }
}

static void gradient(const double *r, double *dN) {
  for (int i = 0; i < 20; i++) {
    const double *s = coords + 3 * i;
    double f[3], df[3];
    for (int a = 0; a < 3; a++) {
      f[a] = s[a] != 0.0 ? 1.0 + s[a] * r[a] : 1.0 - r[a] * r[a];
      df[a] = s[a] != 0.0 ? s[a] : -2.0 * r[a];
    }
    double c = i < 8 ? 0.125 * (s[0] * r[0] + s[1] * r[1] + s[2] * r[2] - 2.0) : 0.25;
    double d = i < 8 ? 0.125 * f[0] * f[1] * f[2] : 0.0;
    dN[3 * i] = c * df[0] * f[1] * f[2] + d * s[0];
    dN[3 * i + 1] = c * f[0] * df[1] * f[2] + d * s[1];
    dN[3 * i + 2] = c * f[0] * f[1] * df[2] + d * s[2];
  }
}

static const ms_face faces[] = {
  { 8, 4, { 0, 3, 2, 1, 11, 10, 9, 8 } },   { 8, 4, { 4, 5, 6, 7, 12, 13, 14, 15 } },
  { 8, 4, { 0, 1, 5, 4, 8, 17, 12, 16 } },  { 8, 4, { 1, 2, 6, 5, 9, 18, 13, 17 } },
  { 8, 4, { 2, 3, 7, 6, 10, 19, 14, 18 } }, { 8, 4, { 3, 0, 4, 7, 11, 16, 15, 19 } },
};

static const ms_solid_shape shape = {
  .n_node = 20,
  .value = value,
  .gradient = gradient,
  .stiffness = &ms_rule_hex27,
  .mass = &ms_rule_hex27,
  MS_HEXAHEDRON_CELL,
};

MS_SOLID_FUNCTIONS

const ms_element ms_element_hex20 = {
  .info = { .name = "hex20",
            .title = "brick, 20 nodes",
            .reference = "Zienkiewicz, Taylor, The Finite Element Method",
            .n_node = 20,
            .n_face = 6,
            .face = faces,
            .coords = ms_hexahedron_coords,
            MS_SOLID_INFO,
            .vtk = 25 },
  MS_SOLID_ENTRIES,
};
