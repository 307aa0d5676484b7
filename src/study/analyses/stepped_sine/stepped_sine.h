/* The analysis `stepped_sine`: what its options ask for, and what its runs leave. */
#ifndef MS_STUDY_ANALYSES_STEPPED_SINE_STEPPED_SINE_H
#define MS_STUDY_ANALYSES_STEPPED_SINE_STEPPED_SINE_H

#include <microslip/experiment.h>

#include "study/analyses/shared/harmonic.h"

typedef struct ms_stepped_options {
  ms_harmonic_options harmonic; /* first: see analyses/shared/harmonic.h; levels rise */
  ms_mode_list modes;
  ms_weights track;
} ms_stepped_options;

typedef struct ms_stepped_product {
  ms_stepped_plan plan;
  ms_stepped_run *run; /* one for each mode */
  ptrdiff_t n;
} ms_stepped_product;

#endif
