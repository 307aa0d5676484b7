/* How far a run is. */
#ifndef MS_APP_PROGRESS_H
#define MS_APP_PROGRESS_H

#include "cli.h"

typedef struct cli_progress {
  const ms_context *ctx;
  double every; /* s between lines where standard error is no terminal; 0: none */
  /* its own: */
  char what[64];
  double start, before; /* time, and what an earlier start had done already */
  double told;          /* fraction shown last */
  double next;          /* time of the next line */
} cli_progress;

/* ms_progress_fn: user is a cli_progress. Non-zero after a signal. */
int cli_show_progress(void *user, const char *what, double fraction);

#endif
