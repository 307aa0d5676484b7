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

#endif
