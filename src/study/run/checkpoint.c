#include "study/run/checkpoint.h"

static ms_status create(const ms_study *s, ms_context *ctx, ms_checkpointed_run_setting *run,
                        ms_checkpointed_run **out) {
  run->folder = ms_resume_folder_path(s->resume, run->identity);
  run->interval = s->checkpoint;
  return ms_checkpointed_run_create(ctx, run, out);
}

ms_status ms_checkpointed_run_open(ms_study *study, const char *name, int n_table,
                                   ms_result_table *const *table, ms_checkpointed_run **out) {
  ms_checkpointed_run_setting run = { .name = name, .job = -1, .n_table = n_table };
  for (int i = 0; i < n_table; i++) run.table[i] = table[i];
  return create(study, study->ctx, &run, out);
}

ms_status ms_checkpointed_run_open_job(const ms_worker *worker, ms_checkpointed_run **out) {
  ms_checkpointed_run_setting run = { .name = worker->what, .job = worker->job };
  return create(worker->study, worker->ctx, &run, out);
}
