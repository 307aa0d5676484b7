/* Several processes for tests, each of which is a thread with a context of its own: what they say
   to each other goes through memory. */
#ifndef TEST_PROCESSES_H
#define TEST_PROCESSES_H

#include <microslip/context.h>

/* Runs body on n threads at once, with contexts whose communicators have them as processes, and
   waits for them. Where two make different calls at a time, or of different size, the program is
   aborted: real processes would hang. CHECK belongs behind it. */
void test_processes(int n, void (*body)(ms_context *ctx, int rank, void *user), void *user);

#endif
