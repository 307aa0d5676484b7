/* Identifications of scatter over threads and processes. */
#ifndef MS_IDENTIFY_SCATTER_REPEATS_H
#define MS_IDENTIFY_SCATTER_REPEATS_H

#include <microslip/scatter.h>
#include <microslip/structure.h>

#include "core/jobs.h"

/* All borrowed. Each job works on a copy of joint `joint` of its worker's structure, at omega. */
typedef struct ms_scatter_repeats {
  int joint;
  double omega; /* rad/s; 0: none */
  ptrdiff_t n;  /* parameters */
  const ms_scatter_parameter *parameter;
  const ms_scatter_tests *tests;
  const ms_scatter_result *found;
  ms_scatter_setting setting;
  ptrdiff_t count;
  double *values; /* MS_SCATTER_REPEAT_WIDTH(n) of each: to be filled */
} ms_scatter_repeats;

/* Every process calls it; the first one has all values. */
ms_status ms_scatter_share_repeats(const ms_crew *crew, const char *what,
                                   ms_scatter_repeats *repeats);

/* ms_scatter_identify_estimates, at 95 %, by the first process, which alone has the n_assembly
   estimates; the others get distributions and correlations. Every process calls it. Of the n
   parameters name and bounds are read, and the family is set. */
ms_status ms_scatter_share_estimates(ms_context *ctx, int first, ptrdiff_t n_assembly,
                                     const ms_scatter_estimate *of, ptrdiff_t n,
                                     ms_scatter_parameter *parameter, ms_scatter_result *out);

#endif
