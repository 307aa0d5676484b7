/* What the analysis `sweep` makes, and how it is told. */
#ifndef MS_STUDY_ANALYSES_SWEEP_SWEEP_H
#define MS_STUDY_ANALYSES_SWEEP_SWEEP_H

#include "study/model/loads.h"
#include "study/analyses/sweep/points.h"

typedef struct ms_sweep_product {
  ms_sweep_points points; /* first: see points.h */
  ms_sweep_plan plan;
  ms_study_load load;
  int mode, placed, turns, down[2]; /* placed: at a sensor; turns: on a rotation */
  ptrdiff_t n_way;
  double *level;
  ptrdiff_t n_level, n_run;
  ms_sweep_run *run;
  ms_result_table *table, *transfer, *envelope, *runs;
} ms_sweep_product;

static inline const char *ms_sweep_direction(const ms_sweep_run *run) {
  return run->down ? "down" : "up";
}

/* report.c: of the response, and of the transfer function; NULL where that has none. */
const char *ms_sweep_response_unit(const ms_sweep_product *p);
const char *ms_sweep_transfer_unit(const ms_sweep_product *p);
/* as ms_analysis has them */
void ms_sweep_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_sweep_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
