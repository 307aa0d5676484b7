#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int failures;

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bench_clock bench_clock_read(void) {
  return (bench_clock) { read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID) };
}

double bench_clock_since(bench_clock before) {
  bench_clock now = bench_clock_read();
  return fmin(now.wall - before.wall, now.processor - before.processor);
}

double bench_time_run(ms_context *ctx, ms_transient *run, ptrdiff_t steps, int repeats) {
  enum { PARTS = 100 };
  double best[PARTS], sum = 0.0;
  for (int r = 0; r < repeats; r++) {
    bench_need(ctx, ms_transient_start(run, 0.0, NULL, NULL));
    for (int k = 0; k < PARTS; k++) {
      bench_clock start = bench_clock_read();
      bench_need(ctx, ms_transient_run(run, steps / PARTS, steps, NULL, NULL));
      double t = bench_clock_since(start);
      best[k] = r == 0 ? t : fmin(best[k], t);
    }
  }
  for (int k = 0; k < PARTS; k++) sum += best[k];
  return sum;
}

void bench_verdict(const char *what, double value, const char *relation, double target) {
  int ok = relation[0] == '<' ? value <= target : value >= target;
  failures += !ok;
  printf("  %-66s %10.4g  (%s %g) %s\n", what, value, relation, target, ok ? "ok" : "MISSED");
}

void bench_stop(const char *message) {
  fflush(stdout);
  fprintf(stderr, "bench: %s\n", message);
  exit(1);
}

void bench_need(ms_context *ctx, ms_status status) {
  if (status != MS_SUCCESS) bench_stop(ms_context_message(ctx));
}

void bench_ask(const char *command, ptrdiff_t n, double *answer) {
  FILE *pipe = popen(command, "r");
  ptrdiff_t got = 0;
  while (pipe && got < n && fscanf(pipe, "%lf", &answer[got]) == 1) got++;
  if (got < n) bench_stop("a program that was asked did not answer");
  pclose(pipe);
}

void bench_octave(const char *script, const char *argument, ptrdiff_t n, double *answer) {
  char command[1024];
  snprintf(command, sizeof command, "octave-cli --norc --no-history --quiet '%s' '%s'", script,
           argument);
  bench_ask(command, n, answer);
}

int bench_finish(void) {
  printf("\n%s\n", failures ? "some targets were MISSED" : "all answers and targets hold");
  return failures > 0;
}
