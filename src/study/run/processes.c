/* Several processes: the first runs the study and writes its results; the others wait to be called
   to an analysis that has work for them. */
#include "study/study.h"

#define DISMISSED (-1)

int ms_study_is_first(const ms_study *s) {
  return ms_context_get_communicator(s->ctx)->rank == 0;
}

/* The number of an analysis. */
static ms_status tell(const ms_study *s, int *task) {
  return ms_context_share(s->ctx, 0, task, sizeof *task);
}

ms_status ms_study_run_on_processes(ms_study *s, ms_task *task) {
  int number = (int)(task - s->task);
  if (ms_context_get_communicator(s->ctx)->size == 1 || !task->kind->help) {
    return task->kind->run(s, task);
  }
  MS_TRY(tell(s, &number));
  ms_context_join(s->ctx);
  return ms_context_agree(s->ctx, task->kind->run(s, task));
}

/* A failure that all know of is the first process's to judge: it may go on with other analyses. */
ms_status ms_study_help(ms_study *s) {
  for (;;) {
    int number = DISMISSED;
    MS_TRY(tell(s, &number));
    if (number == DISMISSED) return MS_SUCCESS;
    ms_task *task = &s->task[number];
    ms_context_join(s->ctx);
    ms_status status = ms_context_agree(s->ctx, task->kind->help(s, task));
    if (ms_context_is_alone(s->ctx)) return status;
    ms_context_clear_message(s->ctx);
  }
}

/* Keeps the message that may wait. */
void ms_study_dismiss(const ms_study *s) {
  const ms_communicator *comm = ms_context_get_communicator(s->ctx);
  int number = DISMISSED;
  if (comm->size == 1 || ms_context_is_alone(s->ctx)) return;
  comm->broadcast(comm->self, &number, sizeof number, 0);
}
