/* Checks of structured parts. */
#ifndef MS_TEST_FEM_PARTS_H
#define MS_TEST_FEM_PARTS_H

#include <microslip/fem.h>

/* The area of a set's faces as a vector, by their corners; flat ones only. */
void test_check_area(const ms_mesh *m, const char *name, double x, double y, double z);
/* All nodes of a set lie in a plane, and all nodes of the mesh in that plane are in the set. */
void test_check_plane(const ms_mesh *m, const char *name, int axis, double place);
/* Every face inside is shared by two elements and has the same corners in both: the mesh has no
   cracks along diagonals. */
void test_check_conforming(const ms_mesh *m, ptrdiff_t n_outside);

#endif
