/* Signals that stop a long command. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static atomic_int caught; /* 0: none yet; any thread may be the one that is interrupted */

/* The first signal stops the study where runs end or can be kept; a later one ends the process,
   which can be resumed just as well. What comes together counts once: timeout(1) and shells send to
   the process and to its group. */
static void interrupt(int signal_number) {
  static const char words[] =
      "\nstopping: short runs end first, a long one is kept where it is; once more to stop at "
      "once\n";
  static atomic_long first;
  const int error = errno; /* of what was interrupted */
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  if (!caught) {
    first = (long)t.tv_sec; /* before another thread may look */
    caught = signal_number;
    ssize_t told = isatty(STDERR_FILENO) ? write(STDERR_FILENO, words, sizeof words - 1) : 0;
    (void)told;
  } else if ((long)t.tv_sec - first >= 2) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
  errno = error;
}

void cli_catch_signals(void) {
  struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESTART };
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

int cli_get_signal(void) {
  return caught;
}
