/* Local fits from several starts (fit.h), as the analyses that search for parameters show them. */
#ifndef MS_STUDY_ANALYSES_SHARED_MULTISTART_H
#define MS_STUDY_ANALYSES_SHARED_MULTISTART_H

#include <microslip/fit.h>

#include "study/study.h"

/* A parameter at its lower (-1) or upper bound (1) makes an answer suspect. */
ms_status ms_bound_judge(ms_study *study, ms_task *task, const ms_fit_parameter *parameter,
                         int at_bound);
/* What makes the answer of start `best` suspect: it is unfinished, or a parameter is at its bound.
 */
ms_status ms_starts_judge(ms_study *study, ms_task *task, const ms_starts *starts, ptrdiff_t best,
                          const ms_fit_judgement *judgement);
/* And parameters that the data do not determine. */
ms_status ms_starts_judge_open(ms_study *study, ms_task *task, const ms_starts *starts,
                               const ms_fit_judgement *judgement);
/* A row for each: MS_STARTS_COLUMNS, then the parameters. */
#define MS_STARTS_COLUMNS "start,sum_of_squares,end,evaluations,gradient"
ms_status ms_starts_tabulate(ms_context *ctx, const ms_starts *starts, ms_result_table *table);

#endif
