/* Two equal cylinders in plane strain, or flat punches with rounded edges, pressed and sheared:
   closed forms of Hertz, Cattaneo and Mindlin. Blocks with their gap stand for them, 240 half
   widths wide and high. */
#ifndef MS_TEST_FEM_CYLINDERS_H
#define MS_TEST_FEM_CYLINDERS_H

#include "support/fem/pair.h"

typedef struct test_cylinders {
  test_pair pair;
  double flat;           /* m, given: half of the flat part; 0: cylinders */
  double E[2], nu[2];    /* given, or 0: two equal bodies */
  double mu;             /* given, or 0: as it is */
  double E_star, radius; /* Pa; m, of the sum of both curvatures */
  double thickness;
} test_cylinders;

/* From pair.x: the rest of the pair, opened. half: m, about the half width. */
void test_cylinders_open(test_cylinders *c, double half);
/* N, for half width a. */
double test_cylinders_load(const test_cylinders *c, double a);
/* J per cycle, at Q = s mu P. */
double test_cylinders_loss(const test_cylinders *c, double a, double s);

/* Pressed to half width a from nearly nothing: the error of the pressure in L2, relative, of
   cylinders. */
double test_cylinders_press(test_cylinders *c, double a);
/* Then cycled: the relative error of the energy dissipated. *thin (may be NULL): whether the slip
   zone is said to be too thin for the mesh. */
double test_cylinders_cycle(test_cylinders *c, double a, double s, int *thin);

/* per_a equal elements per half width, half as deep at the contact; `flat` is that part of the half
   width. The edge of the
   contact lies at a node, or between two: mean and largest error over ten places. */
typedef struct test_cylinder_errors {
  double pressure;                      /* edge at a node, where it is largest */
  double mean[2], worst[2], at_node[2]; /* of the dissipation at s = 0.5 and 0.2 */
} test_cylinder_errors;
test_cylinder_errors test_cylinders_measure(int per_a, double flat);

#endif
