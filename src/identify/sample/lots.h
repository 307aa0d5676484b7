/* The points of random curves in lots: a lot is a job, which can be kept when it has ended. */
#ifndef MS_IDENTIFY_SAMPLE_LOTS_H
#define MS_IDENTIFY_SAMPLE_LOTS_H

#include <microslip/propagate.h>

#include "core/jobs.h"

/* Evaluates all points. Every process calls it, with the same points; the first one has them all.
 */
ms_status ms_random_curves_share(const ms_crew *crew, const char *what, ms_random_curves *curves);

#endif
