/* Two blocks of graded bricks that touch around the origin, pressed and sheared from far away. */
#ifndef MS_TEST_FEM_PAIR_H
#define MS_TEST_FEM_PAIR_H

#include <microslip/fem_contact.h>

/* Nodes along an axis. */
enum { TEST_AXIS = 400 };
typedef struct test_axis {
  int n; /* elements; n + 1 nodes */
  double x[TEST_AXIS + 1];
} test_axis;

/* n elements from a to b, all the same. */
test_axis test_even(double a, double b, int n);
/* On to `end`, each element about `growth` times as long as the one before and none longer than
   `longest`; an end below the beginning is reached from there. */
void test_extend(test_axis *axis, double end, double growth, double longest);

/* The lower block is held at its bottom, the upper one's top moves along x and z as a whole, so
   that blocks of one material are mirror images of each other under both loads. One element along
   y: plane strain. More: y = 0 is a plane of symmetry, and the axis begins there. */
typedef struct test_pair {
  test_axis x, y;
  double touch;                /* m, from the origin: faces whose middle is nearer may touch */
  double depth, first, growth; /* m: of each block, of the elements at the contact; and on */
  ms_material material[2];     /* lower, upper */
  double mu;
  double (*gap)(void *user, double x, double y);
  void *user;
  int steps, fixed; /* in each half of a cycle, 0: the default; fixed: never more */

  ms_mesh *mesh;
  ms_fem_model *model;
  ms_fem_condensed condensed;
  ms_contact *contact; /* load 0 presses, load 1 pulls the upper block along x; N */
  ptrdiff_t n;
  const ms_fem_contact_point *point;
} test_pair;

/* The fields before `mesh` are given. */
void test_pair_open(test_pair *pair);
void test_pair_close(test_pair *pair);
/* Pressure (Pa) at point i. */
double test_pair_pressure(const test_pair *pair, ptrdiff_t i);
/* Iterations of Newton's method so far: 5 a step on average and 10 in 95 % of the steps, at most.
 */
void test_pair_count(const test_pair *pair);
/* ms_contact_count_inside of the points that dissipate (J, each). */
ptrdiff_t test_pair_count_inside(const test_pair *pair, const double *D);

/* z = Z p - H (lambda - S_0 z), as forces, over the largest contact force. */
double test_find_imbalance(const ms_contact_problem *problem, const ms_contact *contact);

#endif
