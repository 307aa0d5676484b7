/* The methods of a calibration over threads and processes. Every process calls them, in the same
   order; `main` is NULL on all but the first, who evaluate for it and get nothing. */
#ifndef MS_IDENTIFY_CALIBRATE_PLAN_H
#define MS_IDENTIFY_CALIBRATE_PLAN_H

#include <microslip/calibrate_methods.h>

#include "core/jobs.h"

/* What is calibrated; all borrowed. Workers of the crew have structures of their own. */
typedef struct ms_calibration_plan {
  ms_crew crew;
  const char
      *what; /* for progress, and for what outlives a start: <what>, <what>_generation, ... */
  ptrdiff_t n;
  const ms_free_parameter *free;
  const ms_fit_parameter *bound;
  ptrdiff_t n_target;
  const ms_target *target;
  uint64_t seed;
  int begins; /* 1: the first start is where the structure is, as far as that is within the bounds
               */
} ms_calibration_plan;

/* Local fits from `count` starts, one a job; the first process has them all. */
ms_status ms_plan_run_starts(const ms_calibration_plan *plan, ptrdiff_t count, ms_starts *out);
/* The Pareto front of these objectives; `setting` without `what` and seed. */
ms_status ms_plan_search(const ms_calibration_plan *plan, ptrdiff_t n_objective,
                         const ms_objective *objective, const ms_calibration *main,
                         const ms_front_setting *setting, ms_front *out);
/* Samples about the best fit at p, and the bands that they make of the `width` numbers of
   ms_calibration_predict. */
ms_status ms_plan_sample(const ms_calibration_plan *plan, ms_calibration *main, const double *p,
                         const ms_best_fit *fit, const ms_samples_setting *setting,
                         ms_samples *out);
ms_status ms_plan_find_bands(const ms_calibration_plan *plan, const ms_calibration *main,
                             ptrdiff_t width, const ms_samples *samples, double **out);

#endif
