/* Local fits from several starts (fit.h), as the analyses that search for parameters show them. */
#ifndef MS_STUDY_ANALYSES_SHARED_MULTISTART_H
#define MS_STUDY_ANALYSES_SHARED_MULTISTART_H

#include <microslip/fit.h>

#include "study/study.h"

/* A row for each: MS_STARTS_COLUMNS, then the parameters, 32 at most. */
#define MS_STARTS_COLUMNS "start,sum_of_squares,end,evaluations,gradient"
void ms_starts_tabulate(const ms_starts *starts, ms_result_table *table);

#endif
