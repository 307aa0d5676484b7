/* Time steps against what they are to resolve: modes that are read, pulses, loads that oscillate.
   What cannot be resolved is refused when a study is checked; what is resolved badly makes a result
   suspect. */
#ifndef MS_STUDY_ANALYSES_SHARED_TIME_STEPS_H
#define MS_STUDY_ANALYSES_SHARED_TIME_STEPS_H

#include <microslip/response.h>

#include "study/model/loads.h"
#include "study/analyses/shared/time_options.h"

/* Stuck mode `mode` (0-based), `omega` rad/s; node is that of the step. Of finite elements that are
   checked only, modes are not known (ms_study_knows_modes): nothing is said of them then. */
ms_status ms_steps_check_mode(const ms_study *study, struct fy_node *node,
                              const ms_time_setting *time, int mode, double omega);
/* A pulse of `length` s. */
ms_status ms_steps_check_pulse(const ms_study *study, struct fy_node *node,
                               const ms_time_setting *time, double length);
ms_status ms_steps_check_load(const ms_study *study, struct fy_node *node,
                              const ms_time_setting *time, const ms_study_load *load);

/* A pulse of `length` s, infinite for none, that check has let pass: suspect where its impulse is
 * off. */
ms_status ms_steps_judge_pulse(ms_study *study, ms_task *task, const ms_time_setting *time,
                               double length);
/* n runs: for every reason to doubt, the run that has it worst. `get` is given `user`, and says the
   source of a run unless source is NULL. */
ms_status ms_steps_judge_runs(ms_study *study, ms_task *task, ptrdiff_t n,
                              ms_transient_quality_fn *get, const void *user);
/* One run. */
ms_status ms_steps_judge(ms_study *study, ms_task *task, const ms_transient_quality *quality);

#endif
