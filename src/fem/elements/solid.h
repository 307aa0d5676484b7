/* What solids share: shape functions on a reference cell in, matrices out. */
#ifndef MS_FEM_ELEMENTS_SOLID_H
#define MS_FEM_ELEMENTS_SOLID_H

#include "fem/impl.h"

/* A point of a quadrature rule: reference coordinates and weight. */
typedef struct ms_point {
  double r[3], w;
} ms_point;

typedef struct ms_rule {
  int n;
  const ms_point *point;
} ms_rule;

/* quadrature.c; the weights add up to the volume of the reference cell. */
extern const ms_rule ms_rule_hex8;   /* 2 x 2 x 2 in [-1, 1]^3 */
extern const ms_rule ms_rule_hex27;  /* 3 x 3 x 3 */
extern const ms_rule ms_rule_wedge6; /* 3 in the triangle x 2 */
extern const ms_rule ms_rule_tet1;   /* degree 1 in the unit tetrahedron */
extern const ms_rule ms_rule_tet4;   /* degree 2 */
extern const ms_rule ms_rule_tet14;  /* degree 5 */

typedef struct ms_solid_shape {
  int n_node, n_mode;                            /* nodes; incompatible modes, condensed */
  void (*value)(const double *r, double *N);     /* n_node */
  void (*gradient)(const double *r, double *dN); /* 3 x n_node: d/dr */
  void (*mode)(const double *r, double *dN);     /* 3 x n_mode: d/dr */
  const ms_rule *stiffness, *mass;
  /* For the quality: corners, each with its three neighbours (right-handed), and what the scaled
     determinant of their edges is in an ideal element. */
  int n_corner;
  const int (*corner)[4];
  double ideal;
  const double *coords; /* 3 x n_node: where the Jacobian of a quadratic element is looked at */
} ms_solid_shape;

int ms_solid_stiffness(const ms_solid_shape *s, const ms_property *p, const double *x, double *K);
int ms_solid_mass(const ms_solid_shape *s, const ms_property *p, const double *x, double *M);
ms_quality ms_solid_quality(const ms_solid_shape *s, const double *x);

/* The functions of an element's table, from its `static const ms_solid_shape shape`. */
#define MS_SOLID_FUNCTIONS                                                 \
  static int stiffness(const ms_property *p, const double *x, double *K) { \
    return ms_solid_stiffness(&shape, p, x, K);                            \
  }                                                                        \
  static int mass(const ms_property *p, const double *x, double *M) {      \
    return ms_solid_mass(&shape, p, x, M);                                 \
  }                                                                        \
  static ms_quality quality(const double *x) {                             \
    return ms_solid_quality(&shape, x);                                    \
  }
#define MS_SOLID_ENTRIES .stiffness = stiffness, .mass = mass, .quality = quality

/* What the infos of solids have in common. */
#define MS_SOLID_INFO .n_dof = 3, .dimension = 3, .n_zero_energy = 6, .needs = MS_NEEDS_MATERIAL

#endif
