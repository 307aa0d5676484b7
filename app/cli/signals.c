/* Signals that stop a long command. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static volatile sig_atomic_t caught; /* 0: none yet */

/* The first signal stops the study where runs end or can be kept; a later one ends the process,
   which can be resumed just as well. What comes together counts once: timeout(1) and shells send to
   the process and to its group. */
static void interrupt(int signal_number) {
  static const char words[] =
      "\nstopping: short runs end first, a long one is kept where it is; once more to stop at "
      "once\n";
  static volatile sig_atomic_t first;
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  if (!caught) {
    caught = signal_number;
    first = (sig_atomic_t)t.tv_sec;
    if (isatty(STDERR_FILENO) && write(STDERR_FILENO, words, sizeof words - 1) < 0) return;
  } else if ((sig_atomic_t)t.tv_sec - first >= 2) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
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
