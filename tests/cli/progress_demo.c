/* Lines of progress as a run that goes on from 50 % prints them, 1 s later at 60 %: progress_demo.
 */
#include <time.h>

#include "../../app/cli/progress.c"

int cli_get_signal(void) {
  return 0;
}

int main(void) {
  ms_context *ctx;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 1;
  cli_progress p = { .ctx = ctx, .every = 0.1 };
  cli_show_progress(&p, "transient", 0.5);
  nanosleep(&(struct timespec) { .tv_sec = 1, .tv_nsec = 50000000 }, NULL);
  cli_show_progress(&p, "transient", 0.6);
  ms_context_destroy(&ctx);
  return 0;
}
