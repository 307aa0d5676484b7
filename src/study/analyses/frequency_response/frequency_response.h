/* The analysis `frequency_response`: what its options ask for, and what its runs leave. */
#ifndef MS_STUDY_ANALYSES_FREQUENCY_RESPONSE_FREQUENCY_RESPONSE_H
#define MS_STUDY_ANALYSES_FREQUENCY_RESPONSE_FREQUENCY_RESPONSE_H

#include <microslip/experiment.h>

#include "study/analyses/shared/harmonic.h"

typedef struct ms_forced_options {
  ms_harmonic_options harmonic;        /* first: see analyses/shared/harmonic.h */
  ms_numbers omega, frequency, points; /* points: rad/s after the check */
  double shallow;
  struct fy_node *refine;
  double tolerance; /* of refine, */
  ptrdiff_t harmonics;
  int hold;
} ms_forced_options;

/* Of levels. */
static inline const char *ms_forced_unit(const ms_forced_options *o) {
  return o->hold ? "m" : ms_load_unit(&o->harmonic.load);
}

typedef struct ms_forced_product {
  ms_frequency_plan plan;
  ms_frequency_run *run; /* one for each level */
  ptrdiff_t n;
} ms_forced_product;

/* result.c */
ms_status ms_forced_result(ms_study *study, ms_task *task);

#endif
