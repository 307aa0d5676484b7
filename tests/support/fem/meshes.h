/* Small meshes for tests. */
#ifndef MS_TEST_FEM_MESHES_H
#define MS_TEST_FEM_MESHES_H

#include <microslip/fem.h>

/* An empty mesh with one part named "part" of isotropic material. */
ms_mesh *test_mesh(double E, double nu, double rho);
/* The same with a brick from the origin. */
ms_mesh *test_brick(const char *element, const double *size, const int *n, double E, double nu,
                    double rho);
/* A beam along `direction` (unit vector) with n elements, nodes in order. */
ms_mesh *test_beam(const char *element, const ms_part *part, double L, const double *direction,
                   int n);
/* A part named "specimen" with something of everything that elements may need; orthotropic with
   axes of its own if asked. */
ms_part test_part(int orthotropic);
/* x -> A x + b for n points; A 3 x 3, column-major. */
void test_affine(int n, const double *A, const double *b, const double *from, double *to);
/* The coordinates, to be changed. */
double *test_nodes(ms_mesh *mesh);

#endif
