/* What the ring-down analyses share: a pulse, the free decay, its amplitude table. */
#ifndef MS_STUDY_ANALYSES_SHARED_TIME_OPTIONS_H
#define MS_STUDY_ANALYSES_SHARED_TIME_OPTIONS_H

#include <microslip/experiment.h>

#include "experiment/pack.h"
#include "io/yaml/modes.h"
#include "study/study.h"
#include "study/output/trace_panel.h"

/* ---- options: time_options.c ---- */

/* A pulse's height as it stands in the file, and how to integrate after it. */
typedef struct ms_level {
  double p;
  ms_time_setting time;
} ms_level;
/* A list of heights above 0, each alone or as [height, step, steps] in place of those of `time`; a
   single height is a list of one. *out is the caller's. */
ms_status ms_read_levels(const ms_study *study, struct fy_node *node, const ms_time_setting *time,
                         ms_level **out, ptrdiff_t *n);
/* Whether the structure allows the method, newmark or exponential; node is its place. */
ms_status ms_check_method(const ms_study *study, struct fy_node *node, const char *method);
/* segments: a number for all modes, or {mode: number}; absent 100, 40 for the first mode. */
ms_status ms_read_segments(const ms_study *study, struct fy_node *node, const int *mode, int n,
                           ptrdiff_t **out);

#endif
