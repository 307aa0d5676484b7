/* WEDGE6: linear in the triangle, linear along. 3 x 2 points. */
#include "fem/elements/solid.h"

static const double coords[] = { 0, 0, -1, 1, 0, -1, 0, 1, -1, 0, 0, 1, 1, 0, 1, 0, 1, 1 };
static const int corners[6][4] = { { 0, 1, 2, 3 }, { 1, 2, 0, 4 }, { 2, 0, 1, 5 },
                                   { 3, 5, 4, 0 }, { 4, 3, 5, 1 }, { 5, 4, 3, 2 } };

static void value(const double *r, double *N) {
  double L[3] = { 1.0 - r[0] - r[1], r[0], r[1] };
  for (int i = 0; i < 3; i++) {
    N[i] = 0.5 * L[i] * (1.0 - r[2]);
    N[i + 3] = 0.5 * L[i] * (1.0 + r[2]);
  }
}

static void gradient(const double *r, double *dN) {
  static const double dL[3][2] = { { -1, -1 }, { 1, 0 }, { 0, 1 } };
  double L[3] = { 1.0 - r[0] - r[1], r[0], r[1] };
  for (int i = 0; i < 6; i++) {
    double s = i < 3 ? -1.0 : 1.0, along = 0.5 * (1.0 + s * r[2]);
    dN[3 * i] = dL[i % 3][0] * along;
    dN[3 * i + 1] = dL[i % 3][1] * along;
    dN[3 * i + 2] = 0.5 * s * L[i % 3];
  }
}

static const ms_face faces[] = {
  { 3, 3, { 0, 2, 1 } },    { 3, 3, { 3, 4, 5 } },    { 4, 4, { 0, 1, 4, 3 } },
  { 4, 4, { 1, 2, 5, 4 } }, { 4, 4, { 2, 0, 3, 5 } },
};

static const ms_solid_shape shape = {
  .n_node = 6,
  .value = value,
  .gradient = gradient,
  .stiffness = &ms_rule_wedge6,
  .mass = &ms_rule_wedge6,
  .n_corner = 6,
  .corner = corners,
  .ideal = 0.86602540378443864676, /* sin 60 degrees */
  .coords = coords,
};

MS_SOLID_FUNCTIONS

const ms_element ms_element_wedge6 = {
  .info = { .name = "wedge6",
            .title = "wedge, 6 nodes",
            .reference = "Zienkiewicz, Taylor, The Finite Element Method",
            .n_node = 6,
            .n_face = 5,
            .face = faces,
            .coords = coords,
            MS_SOLID_INFO,
            .vtk = 13 },
  MS_SOLID_ENTRIES,
};
