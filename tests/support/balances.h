/* Harmonic balance from the inside, for its tests. */
#ifndef MS_TEST_BALANCES_H
#define MS_TEST_BALANCES_H

#include "response/harmonic/impl.h"

/* Three masses 1.3, 0.8, 1.1 in a chain on ground with springs 90, 71, 64, all times `size`; no
   joints, no damping, no setup. */
ms_structure *test_masses(double size);

/* Loads on harmonics 0, 1 and 2 of three masses, and an odd response to track. */
void test_load_oddly(ms_harmonic *h, double size);

/* The Jacobian at a wandering motion of that size, every column against central differences: the
   largest error over the column's largest entry, rows in the scale that the solution judges them
   by. Axes of bending move as much, by energy, as the first axis of a joint. */
double test_jacobian_error(ms_harmonic *h, double size, double omega);

#endif
