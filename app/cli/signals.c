/* Signals that stop a long command. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { PATIENCE = 1 }; /* s of processor time, however busy the machine is */

static atomic_int caught; /* 0: none yet; any thread may be the one that is interrupted */
static atomic_int heard;  /* somebody has asked since */
static int alone;         /* not several processes, which wait for each other */

/* Nobody has asked for PATIENCE seconds: it is inside a library, in the eigenvalues of a large
   dense matrix, say. A process that ends there leaves what one leaves that is killed, which can be
   resumed; files that are being written are waited for. */
static void wait_for_answer(void) {
  const struct itimerval once = { .it_value = { .tv_sec = PATIENCE } };
  setitimer(ITIMER_PROF, &once, NULL);
}

static void end_unheard(int signal_number) {
  static const char words[] = "microslip: stopped; continue with the same command and --resume\n";
  (void)signal_number;
  if (heard) return;
  if (ms_outfile_count() > 0) {
    wait_for_answer();
  } else {
    const ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written; /* whether somebody reads it or not */
    _exit(CLI_SIGNAL + caught);
  }
}

/* The first signal stops the study where runs end or can be kept; a later one ends the process,
   which can be resumed just as well. What comes together counts once: timeout(1) and shells send to
   the process and to its group. */
static void interrupt(int signal_number) {
  static const char words[] =
      "\nstopping: short runs finish, a long one is saved at its present state; press again to "
      "stop immediately\n";
  static atomic_long first;
  const int error = errno; /* of what was interrupted */
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  if (!caught) {
    first = (long)t.tv_sec; /* before another thread may look */
    caught = signal_number;
    if (alone) wait_for_answer();
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
  alone = ms_process_rank(NULL) < 0;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  action.sa_handler = end_unheard;
  sigaction(SIGPROF, &action, NULL);
}

int cli_get_signal(void) {
  if (caught) heard = 1;
  return caught;
}
