/* What the analysis `sweep` makes, and how it is told. */
#ifndef MS_STUDY_ANALYSES_SWEEP_SWEEP_H
#define MS_STUDY_ANALYSES_SWEEP_SWEEP_H

#include <microslip/experiment.h>

#include "study/model/loads.h"

typedef struct ms_sweep_product {
  ms_sweep_plan plan;
  ms_study_load load;
  int mode, placed, turns, down[2]; /* placed: at a sensor; turns: on a rotation */
  ptrdiff_t n_way;
  double *level;
  ptrdiff_t n_level, n_run;
  ms_sweep_run *run;
} ms_sweep_product;

static inline const char *ms_sweep_direction(const ms_sweep_run *run) {
  return run->down ? "down" : "up";
}

/* result.c */
ms_status ms_sweep_result(ms_study *study, ms_task *task);

#endif
