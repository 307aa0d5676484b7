/* What intervals of a calibration are worth: three modes of two bolted beams, whose four bolts
   share one value of each parameter. From noise-free quasi-static curves all four are found again;
   with 2 % of noise on the damping and 2 % of the shift on the frequency, 95 % intervals of least
   squares and of the posterior are counted over repetitions. Usage: bench_coverage [repetitions of
   the posterior]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "sumali.h"
#include "support/repeat.h"

enum { FREE = 4, BOLTS = 4, MODES = 3, TIMES = 100, SAMPLED = 40, FIRST = 1000 /* seed */ };
#define NOISE 0.02

static const char *const name[FREE] = { "F_S", "K_T", "chi", "beta" };
static const ms_fit_parameter bound[FREE] = { { "F_S", 3.1, 310.0, 1, 0.0 },
                                              { "K_T", 4.7e7, 4.7e9, 1, 0.0 },
                                              { "chi", -0.9, -0.02, 0, 0.0 },
                                              { "beta", 0.05, 5.0, 1, 0.0 } };

static void open_case(ms_context *ctx, ms_structure *structure, double noise, repeat *out) {
  static const ptrdiff_t mode[MODES] = { SUMALI_MODE, SUMALI_MODE + 1, SUMALI_MODE + 2 };
  static const double low[MODES] = { 3e-7, 3e-7, 3e-7 }, high[MODES] = { 3e-3, 3e-3, 3e-3 };
  static ms_parameter_place place[FREE][BOLTS];
  static ms_free_parameter parameter[FREE];
  for (int j = 0; j < FREE; j++) {
    for (int b = 0; b < BOLTS; b++) place[j][b] = (ms_parameter_place) { b, 0, name[j] };
    parameter[j] = (ms_free_parameter) { name[j], BOLTS, place[j] };
  }
  const repeat_case which = { .structure = structure,
                              .n = FREE,
                              .parameter = parameter,
                              .bound = bound,
                              .n_mode = MODES,
                              .n_point = 16,
                              .mode = mode,
                              .low = low,
                              .high = high,
                              .noise = noise,
                              .n_walker = 16,
                              .burn = 100,
                              .n_step = 600 };
  bench_need(ctx, repeat_open(ctx, &which, out));
}

static void find_again(ms_context *ctx, ms_structure *structure) {
  repeat r;
  open_case(ctx, structure, 0.0, &r);
  bench_need(ctx, repeat_make(&r, 1));
  bench_need(ctx, repeat_fit(&r, NOISE));
  printf("three modes of two bolted beams, %td points each, without noise:\n", r.is.n_point);
  for (int j = 0; j < FREE; j++) {
    char what[80];
    printf("  %-5s %.6g of %.6g, standard error with noise %.2g %%\n", name[j], r.p[j], r.truth[j],
           100.0 * r.error[j] / fabs(r.truth[j]));
    snprintf(what, sizeof what, "relative error of %s", name[j]);
    bench_verdict(what, fabs(r.p[j] / r.truth[j] - 1.0), "<=", 0.01);
  }
  repeat_close(&r);
}

static void count_local(repeat *r) {
  int held[FREE] = { 0 };
  double square[FREE] = { 0 };
  char what[80];
  const bench_clock start = bench_clock_read();
  for (unsigned k = 0; k < TIMES; k++) {
    bench_need(r->ctx, repeat_make(r, FIRST + k));
    bench_need(r->ctx, repeat_fit(r, NOISE));
    for (int j = 0; j < FREE; j++) {
      const double z = (r->p[j] - r->truth[j]) / r->error[j];
      held[j] += fabs(z) < 1.96;
      square[j] += z * z / TIMES;
    }
  }
  printf("\nleast squares, %d repetitions (%.2g s each): 95 %% intervals that hold the truth\n",
         TIMES, bench_clock_since(start) / TIMES);
  for (int j = 0; j < FREE; j++) {
    snprintf(what, sizeof what, "%s, of %d; mean square of error / standard error %.2f", name[j],
             TIMES, square[j]);
    bench_verdict(what, held[j], ">=", 0.9 * TIMES);
  }
}

static void count_posterior(repeat *r, int times) {
  int held[FREE] = { 0 };
  char what[80];
  const bench_clock start = bench_clock_read();
  for (int k = 0; k < times; k++) {
    bench_need(r->ctx, repeat_make(r, FIRST + (unsigned)k));
    bench_need(r->ctx, repeat_fit(r, NOISE));
    bench_need(r->ctx, repeat_sample(r, NOISE, FIRST + (unsigned)k));
    for (int j = 0; j < FREE; j++) {
      held[j] += r->truth[j] > r->interval[j][0] && r->truth[j] < r->interval[j][1];
    }
  }
  printf("\nposterior, %d repetitions (%.2g s each): 95 %% intervals that hold the truth\n", times,
         bench_clock_since(start) / times);
  for (int j = 0; j < FREE; j++) {
    snprintf(what, sizeof what, "%s, of %d", name[j], times);
    bench_verdict(what, held[j], ">=", floor(0.9 * times));
  }
}

int main(int argc, char **argv) {
  const int times = argc > 1 ? atoi(argv[1]) : SAMPLED;
  ms_context *ctx = NULL;
  repeat r;
  if (times < 0 || ms_context_create(NULL, &ctx) != MS_SUCCESS) bench_stop("no context");
  ms_reduced *reduced = sumali_reduce(ctx);
  ms_structure *structure = sumali_make_structure(ctx, reduced, bench_exact);
  find_again(ctx, structure);
  open_case(ctx, structure, NOISE, &r);
  count_local(&r);
  if (times > 0) count_posterior(&r, times);
  repeat_close(&r);
  ms_structure_destroy(&structure);
  ms_reduced_destroy(&reduced);
  ms_context_destroy(&ctx);
  return bench_finish();
}
