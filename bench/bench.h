/* What the benchmarks share: a clock, verdicts and the end of the run. */
#ifndef MS_BENCH_BENCH_H
#define MS_BENCH_BENCH_H

#include <stddef.h>

#include <microslip/response.h>

/* Two clocks, of the wall and of the processor; what lasted since is the smaller, also on a machine
   that has other things to do. */
typedef struct bench_clock {
  double wall, processor;
} bench_clock;
bench_clock bench_clock_read(void);
double bench_clock_since(bench_clock before);
/* Seconds for `steps` steps (a multiple of 100) from rest, each of 100 parts as fast as in the best
   of `repeats` runs: a busy machine disturbs some of them and not all. */
double bench_time_run(ms_context *ctx, ms_transient *run, ptrdiff_t steps, int repeats);
/* Prints a value beside its target; relation is "<=" or ">=". A target missed is remembered. */
void bench_verdict(const char *what, double value, const char *relation, double target);
/* Ends the program with the context's message unless status is MS_SUCCESS. */
void bench_need(ms_context *ctx, ms_status status);
/* Ends the program with a message of its own. */
void bench_stop(const char *message);
/* Runs a command and reads the n numbers it prints. */
void bench_ask(const char *command, ptrdiff_t n, double *answer);
/* Runs an Octave script with one argument and reads the n numbers it prints. */
void bench_octave(const char *script, const char *argument, ptrdiff_t n, double *answer);
/* The last line; returns what main should. */
int bench_finish(void);

#endif
