/* What the benchmarks share: a clock, verdicts and the end of the run. */
#ifndef MS_BENCH_BENCH_H
#define MS_BENCH_BENCH_H

#include <stddef.h>

#include <microslip/context.h>

/* Two clocks, of the wall and of the processor; what lasted since is the smaller, also on a machine
   that has other things to do. */
typedef struct bench_clock {
  double wall, processor;
} bench_clock;
bench_clock bench_clock_read(void);
double bench_clock_since(bench_clock before);
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
