/* The analysis `sweep`: what its options ask for, and what its runs leave. */
#ifndef MS_STUDY_ANALYSES_SWEEP_SWEEP_H
#define MS_STUDY_ANALYSES_SWEEP_SWEEP_H

#include <microslip/experiment.h>

#include "study/analyses/shared/harmonic.h"

typedef struct ms_sweep_options {
  ms_study_load load; /* keys at and base */
  ms_numbers levels;  /* in the file's unit of the load */
  int mode;
  ptrdiff_t sensor;
  double from, to, duration, tail, step, smooth;
  int law, method;
  ms_chosen directions;
  struct fy_node *measured;
} ms_sweep_options;

typedef struct ms_sweep_product {
  ms_sweep_plan plan;
  ms_sweep_run *run; /* of each level all directions */
  ptrdiff_t n_run;
  ms_point_table measured; /* rows of a swept sine; none: empty */
} ms_sweep_product;

#endif
