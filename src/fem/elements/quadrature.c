/* Quadrature on the reference cells. Gauss's rules in the interval; in the triangle the rule of
   degree 2 with interior points; in the tetrahedron those of degree 1, 2 (Hammer and Stroud 1956)
   and 5 (Walkington 2000). */
#include "fem/elements/solid.h"

#define RULE(points) \
  { sizeof(points) / sizeof *(points), points }

/* ---- hexahedron ---- */

#define G 0.57735026918962576451 /* 1/sqrt 3 */

static const ms_point hex8[] = {
  { { -G, -G, -G }, 1.0 }, { { G, -G, -G }, 1.0 }, { { -G, G, -G }, 1.0 }, { { G, G, -G }, 1.0 },
  { { -G, -G, G }, 1.0 },  { { G, -G, G }, 1.0 },  { { -G, G, G }, 1.0 },  { { G, G, G }, 1.0 },
};

#define T  0.77459666924148337704 /* sqrt(3/5) */
#define W0 (8.0 / 9.0)
#define W1 (5.0 / 9.0)

#define LINE(y, z, w) \
  { { -T, y, z }, W1 * (w) }, { { 0.0, y, z }, W0 * (w) }, { { T, y, z }, W1 * (w) },
#define LAYER(z, w) LINE(-T, z, W1 *(w)) LINE(0.0, z, W0 *(w)) LINE(T, z, W1 *(w))

static const ms_point hex27[] = { LAYER(-T, W1) LAYER(0.0, W0) LAYER(T, W1) };

/* ---- wedge: triangle r, s > 0, r + s < 1, and t in [-1, 1] ---- */

#define A (1.0 / 6.0)
#define B (2.0 / 3.0)

static const ms_point wedge6[] = {
  { { A, A, -G }, A }, { { B, A, -G }, A }, { { A, B, -G }, A },
  { { A, A, G }, A },  { { B, A, G }, A },  { { A, B, G }, A },
};

/* ---- tetrahedron ---- */

static const ms_point tet1[] = { { { 0.25, 0.25, 0.25 }, 1.0 / 6.0 } };

/* The four points with three barycentric coordinates a, and the six with two a and two 1/2 - a. */
#define FOUR(a, w)                                                                        \
  { { a, a, a }, w }, { { 1.0 - 3.0 * (a), a, a }, w }, { { a, 1.0 - 3.0 * (a), a }, w }, \
      { { a, a, 1.0 - 3.0 * (a) }, w },
#define SIX(a, w)                                                                     \
  { { a, a, 0.5 - (a) }, w }, { { a, 0.5 - (a), a }, w }, { { 0.5 - (a), a, a }, w }, \
      { { a, 0.5 - (a), 0.5 - (a) }, w }, { { 0.5 - (a), a, 0.5 - (a) }, w },         \
      { { 0.5 - (a), 0.5 - (a), a }, w },

static const ms_point tet4[] = { FOUR(0.13819660112501051518, 1.0 / 24.0) };

static const ms_point tet14[] = { FOUR(0.31088591926330060980, 0.018781320953002641800)
                                      FOUR(0.092735250310891226402, 0.012248840519393658257)
                                          SIX(0.045503704125649649492, 0.0070910034628469110730) };

const ms_rule ms_rule_hex8 = RULE(hex8);
const ms_rule ms_rule_hex27 = RULE(hex27);
const ms_rule ms_rule_wedge6 = RULE(wedge6);
const ms_rule ms_rule_tet1 = RULE(tet1);
const ms_rule ms_rule_tet4 = RULE(tet4);
const ms_rule ms_rule_tet14 = RULE(tet14);
