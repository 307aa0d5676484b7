/* Runs of a study with checkpoints, which are in the folder of what can be resumed. */
#ifndef MS_STUDY_RUN_CHECKPOINT_H
#define MS_STUDY_RUN_CHECKPOINT_H

#include "report/result/checkpointed_run.h"
#include "study/study.h"

/* Of the analysis `name`, which fills these tables. */
ms_status ms_checkpointed_run_open(ms_study *study, const char *name, int n_table,
                                   ms_result_table *const *table, ms_checkpointed_run **out);
/* The same for a worker's job, in its own context: without tables, as its checkpoints hold all. */
ms_status ms_checkpointed_run_open_job(const ms_worker *worker, ms_checkpointed_run **out);

#endif
