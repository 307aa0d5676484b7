/* Frequency and damping against amplitude, as several analyses make and read them. */
#ifndef MS_STUDY_ANALYSES_SHARED_CURVES_H
#define MS_STUDY_ANALYSES_SHARED_CURVES_H

#include <microslip/curves.h>
#include <microslip/identify.h>

#include "study/analyses/shared/time_options.h"

/* ms_curves is the first member of the product of every analysis that others may read curves
   from. */

/* Steps of every run against its pulse and the modes that it reads; node is that of the step. */
ms_status ms_curves_check_steps(const ms_study *study, struct fy_node *node, const ms_curves *c);
/* The runs over all threads, job i filling run[i], and kept as they end; user is the product. A job
   of NULL simulates it on the study's structure. */
ms_status ms_curves_run(ms_study *study, const char *name, ms_job_fn run, ms_curves *user);
/* `help` of an analysis whose product begins with ms_curves: its runs over all processes, see
   ms_pool_share_jobs. And its `run`: the same, and the curves. */
ms_status ms_curves_share(ms_study *study, ms_task *task);
ms_status ms_curves_run_all(ms_study *study, ms_task *task);
/* `judge` of an analysis whose product begins with ms_curves and has runs. */
ms_status ms_curves_judge(ms_study *study, ms_task *task);
/* What it has to say of time steps and energy, for other runs. */
ms_status ms_curves_judge_steps(ms_study *study, ms_task *task, const ms_curves *c);
/* `result` of an analysis whose product begins with ms_curves: answers, tables of points and runs,
   a figure of these modes (label: of all points; NULL: each source has its own), over it the points
   of another analysis unless that is NULL, and modal velocities in time. caption: of the figure;
   NULL: of runs that should agree. */
ms_status ms_curves_result(ms_study *study, ms_task *task, const int *mode, int n_mode,
                           const char *label, const ms_task *over, const char *caption);

#endif
