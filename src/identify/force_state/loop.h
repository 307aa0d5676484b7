/* What is read off the mapped loop. */
#ifndef MS_IDENTIFY_FORCE_STATE_LOOP_H
#define MS_IDENTIFY_FORCE_STATE_LOOP_H

#include "identify/force_state/force_state.h"

/* sum of a_k cos(k angle) + b_k sin(k angle), or its first or second derivative. */
double ms_force_state_sum(int harmonics, const double *x, double angle, int derivative);
/* Everything in *out from rows that are filled; freedom as ms_force_state_kind has it. */
ms_status ms_force_state_measure(const ms_force_state_work *work, int freedom, ms_force_state *out);

#endif
