/* Structures for the tests. */
#ifndef MS_TEST_STRUCTURES_H
#define MS_TEST_STRUCTURES_H

#include <microslip/structure.h>

/* The three-mass system of Lacayo, Deaner and Allen (2017): m = 10, k = 9, iwan4 (10, 1, -0.5, 5)
   between the second and third mass, modal damping zeta on every stuck mode. */
ms_structure *test_three_mass(double zeta);

/* A chain of n masses on ground with `joints` iwan4 or jenkins joints between neighbours, uneven
   values throughout; modal damping. */
ms_structure *test_chain(ptrdiff_t n, int joints, const char *law);

/* Five masses in a chain on ground, uneven, with modal damping; joint k, of make(k), goes from
   coordinate test_frame_from[k] to test_frame_to[k]. */
enum { TEST_FRAME_SIZE = 5, TEST_FRAME_JOINTS = 3 };
typedef ms_joint *(*test_make_fn)(int k);
extern const ptrdiff_t test_frame_from[TEST_FRAME_JOINTS], test_frame_to[TEST_FRAME_JOINTS];
ms_structure *test_frame(test_make_fn make, int joints);
/* Two different iwan4 for it. */
ms_joint *test_frame_iwan(int k);

/* Three masses in a chain on ground, and this joint to ground on as many of them as it has axes;
   the joint is the structure's. */
ms_structure *test_attachment(ms_joint *joint);

#endif
