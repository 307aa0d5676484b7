/* A long run with checkpoints: the rows of its tables and, now and then, its state on the disk, so
   that another start goes on from there and not from the beginning. */
#ifndef MS_REPORT_CHECKPOINTED_RUN_H
#define MS_REPORT_CHECKPOINTED_RUN_H

#include <microslip/io.h>
#include <microslip/result.h>

typedef struct ms_checkpointed_run ms_checkpointed_run;

#define MS_CHECKPOINTED_RUN_PREFIX "run-"                                /* of its files */
enum { MS_CHECKPOINTED_RUN_TABLES = 4, MS_CHECKPOINTED_RUN_BLOCKS = 8 }; /* at most */

typedef struct ms_checkpointed_run_setting {
  const char *folder;
  const char *name;   /* of the run, in its files and messages */
  double identity[2]; /* of the input: a checkpoint of another is of no use */
  ptrdiff_t job;      /* -1: not one of several */
  double interval;    /* s between checkpoints, or longer */
  int n_table;        /* which it fills, without words and empty now */
  ms_result_table *table[MS_CHECKPOINTED_RUN_TABLES];
} ms_checkpointed_run_setting;

/* Where an earlier start has left a checkpoint, the tables receive its rows, and
   ms_checkpointed_run_goes_on. What is damaged counts as not run. The texts of the setting are
   borrowed. */
ms_status ms_checkpointed_run_create(ms_context *ctx, const ms_checkpointed_run_setting *setting,
                                     ms_checkpointed_run **out);
/* What was kept stays; the end of the study removes it. */
void ms_checkpointed_run_close(ms_checkpointed_run **checkpoint);
int ms_checkpointed_run_goes_on(const ms_checkpointed_run *checkpoint);
/* A block of the checkpoint, owned by the run. */
ms_status ms_checkpointed_run_find(const ms_checkpointed_run *checkpoint, const char *block,
                                   ms_block *out);
/* The checkpoint is of no use: no rows, begin. */
ms_status ms_checkpointed_run_begin(ms_checkpointed_run *checkpoint);

/* To be called every few steps. Shows progress, and asks for a checkpoint when it is time for one
   or the run is to stop (MS_CANCELLED). */
ms_status ms_checkpointed_run_look(ms_checkpointed_run *checkpoint, double fraction, int *keep);
/* Only the latter: whether it is time. */
int ms_checkpointed_run_is_due(const ms_checkpointed_run *checkpoint);
/* Rows that are new, then the state: n <= MS_CHECKPOINTED_RUN_BLOCKS blocks. */
ms_status ms_checkpointed_run_keep(ms_checkpointed_run *checkpoint, const ms_block *block, int n);
/* Whether any checkpoint was written or found: a run that is over so soon is as easily run again.
 */
int ms_checkpointed_run_is_kept(const ms_checkpointed_run *checkpoint);

#endif
