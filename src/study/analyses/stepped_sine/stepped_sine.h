/* The analysis `stepped_sine`. */
#ifndef MS_STUDY_ANALYSES_STEPPED_SINE_STEPPED_SINE_H
#define MS_STUDY_ANALYSES_STEPPED_SINE_STEPPED_SINE_H

#include <microslip/experiment.h>

#include "study/analyses/shared/harmonic.h"

typedef struct ms_stepped {
  ms_harmonic_options options; /* levels rise */
  ms_stepped_plan plan;        /* of them */
  int *mode, n_mode;           /* of the options */
  double *weights;             /* of the coordinate that is tracked; NULL for the mode's own */
  int turns;                   /* 1: these are rotations */
  ms_stepped_run *run;         /* one for each mode */
  ms_result_table *table, *sensors, *joints; /* joints: NULL where there are none */
} ms_stepped;

/* result.c */
ms_status ms_stepped_result(ms_study *study, ms_task *task);

#endif
