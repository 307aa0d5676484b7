/* The analysis `frequency_response`: what its options ask for, and what its runs leave. */
#ifndef MS_STUDY_ANALYSES_FREQUENCY_RESPONSE_FREQUENCY_RESPONSE_H
#define MS_STUDY_ANALYSES_FREQUENCY_RESPONSE_FREQUENCY_RESPONSE_H

#include <microslip/experiment.h>

#include "study/analyses/shared/harmonic.h"

typedef struct ms_forced_product {
  ms_harmonic_options options;
  ms_frequency_plan plan;
  int in_hz;             /* as the study says it, for figures */
  double *list;          /* frequencies to be met exactly, rad/s */
  ms_frequency_run *run; /* one for each level */
  ms_result_table *points, *sensors, *joints, *levels, *loops, *harmonics, *folds, *peaks;
} ms_forced_product;

/* result.c */
ms_status ms_forced_result(ms_study *study, ms_task *task);

#endif
