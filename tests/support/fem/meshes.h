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
/* The coordinates, to be changed. */
double *test_nodes(ms_mesh *mesh);

#endif
