/* What must hold for a block that was read from a file, whatever the format. */
#ifndef MS_TEST_FEM_READ_H
#define MS_TEST_FEM_READ_H

#include <microslip/fem.h>

/* A file of tests/data/mesh, with one material for all parts; fails the test and returns NULL if it
   cannot be read. */
ms_mesh *test_read(const char *name);
/* Such a file in memory is refused with `part` in the message, and nothing leaks. */
void test_refused(const char *path, const char *bytes, size_t length, const char *part);

/* A box filled by n elements: volume, no free or double nodes, one piece; nodes between corners in
   the middle of theirs, in our order. */
void test_box(const ms_mesh *mesh, const double *low, const double *high, ptrdiff_t n);
/* All faces of the set lie in the plane x_axis = value and cover the area, outward along `sign`. */
void test_plane(const ms_mesh *mesh, const char *set, int axis, double value, int sign,
                double area);
/* A constant strain on all outer nodes of the box is found inside, to `tolerance` of the largest
   displacement. */
void test_patch(const ms_mesh *mesh, const double *low, const double *high, double tolerance);

#endif
