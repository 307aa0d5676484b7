/* Local fits from several starts, one a job, as the analyses that search for parameters share them.
 */
#ifndef MS_STUDY_ANALYSES_SHARED_MULTISTART_H
#define MS_STUDY_ANALYSES_SHARED_MULTISTART_H

#include <microslip/fit.h>

#include "study/study.h"

typedef struct ms_starts {
  ptrdiff_t n, count; /* parameters, starts */
  const ms_fit_parameter *bound;
  double *found; /* n x count: where each has come to */
  ms_fit_local *local;
} ms_starts;

ms_status ms_starts_open(ms_context *ctx, ptrdiff_t n, ptrdiff_t count,
                         const ms_fit_parameter *bound, ms_starts *out);
void ms_starts_close(ms_context *ctx, ms_starts *starts);
/* For ms_jobs. */
ptrdiff_t ms_starts_save(const ms_starts *starts, ptrdiff_t job, double *values);
ms_status ms_starts_load(ms_context *ctx, ms_starts *starts, ptrdiff_t job, const double *values,
                         ptrdiff_t n);
/* The start with the least sum of squares, the first of those that are within `equal` of it; -1 if
   none has an answer. */
ptrdiff_t ms_starts_find_best(const ms_starts *starts, double equal);
/* Whether two have an answer and came to the same point. */
int ms_starts_agree(const ms_starts *starts, ptrdiff_t a, ptrdiff_t b);
ptrdiff_t ms_starts_count_agreeing(const ms_starts *starts, ptrdiff_t with);
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
