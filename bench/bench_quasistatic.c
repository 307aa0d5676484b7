/* Quasi-static modal analysis beside an Octave script of the usual method: answers first, then
   times, then what the number of modes costs. Usage: bench_quasistatic octave_qsma.m handover.txt
 */
#include <math.h>
#include <stdio.h>

#include <microslip/microslip.h>

#include "bench.h"
#include "handover.h"
#include "long_chain.h"
#include "structure/impl.h"
#include "systems.h"

enum { LEVELS = 200 };

static ms_quasistatic *run_qsma(ms_context *ctx, ms_structure *structure, const double *alpha) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run;
  setting.level = MS_LEVEL_LOAD;
  bench_need(ctx, ms_quasistatic_create(structure, &setting, &run));
  bench_need(ctx, ms_quasistatic_run(run, LEVELS, alpha));
  return run;
}

/* Largest relative difference of omega, and from the third of the levels on of zeta: the area of
   Octave's loop is made of too few levels before. */
static void compare_qsma(ms_context *ctx, bench_sliders how, const double *alpha,
                         const double *octave, double difference[2]) {
  bench_system system = bench_stack(ctx, how);
  ms_quasistatic *run = run_qsma(ctx, system.structure, alpha);
  difference[0] = difference[1] = 0.0;
  for (ptrdiff_t k = 0; k < LEVELS; k++) {
    const ms_quasistatic_level *level = ms_quasistatic_get_level(run, k);
    const double *omega = octave, *zeta = octave + LEVELS;
    difference[0] = fmax(difference[0], fabs(omega[k] / level->omega - 1.0));
    if (k < LEVELS / 3) continue;
    difference[1] = fmax(difference[1], fabs(zeta[k] / level->zeta_joint - 1.0));
  }
  ms_quasistatic_destroy(&run);
  bench_system_destroy(&system);
}

/* Seconds for all levels. */
static double time_qsma(ms_context *ctx, ms_structure *structure, const double *alpha,
                        ms_quasistatic_count *count) {
  ms_quasistatic *run = run_qsma(ctx, structure, alpha);
  double best = HUGE_VAL;
  for (int r = 0; r < 1000; r++) {
    bench_clock start = bench_clock_read();
    bench_need(ctx, ms_quasistatic_run(run, LEVELS, alpha));
    best = fmin(best, bench_clock_since(start));
  }
  *count = ms_quasistatic_get_count(run);
  ms_quasistatic_destroy(&run);
  return best;
}

static void print_time(const char *what, double seconds) {
  printf("  %-54s %12.3f %12.4f\n", what, 1e6 * seconds / LEVELS, 1e3 * seconds);
}

static void bench_qsma(ms_context *ctx, const char *script, const char *path) {
  bench_system system = bench_stack(ctx, bench_exact);
  double omega = ms_structure_get_stuck(system.structure).omega[0], alpha[LEVELS], difference[2];
  double answer[2 + 2 * LEVELS]; /* seconds, iterations; omega and zeta of the levels */
  double full = omega * omega * bench_slip_amplitude(&system);
  ms_quasistatic_count count;
  printf("\n50 masses, two joints: quasi-static modal analysis of %d levels\n", LEVELS);
  bench_need(ctx, ms_quasistatic_space(ctx, 1e-3 * full, 3.0 * full, LEVELS, alpha));
  bench_handover *to = bench_hand_open(path);
  bench_hand_structure(ctx, to, &system);
  bench_hand_iwan(ctx, to, &system);
  bench_hand_mode(to, &system);
  bench_hand_matrix(to, "alpha", LEVELS, 1, alpha);
  bench_hand_close(&to);
  bench_octave(script, path, 2 + 2 * LEVELS, answer);
  compare_qsma(ctx, (bench_sliders) { 200, "geometric" }, alpha, answer + 2, difference);
  bench_verdict("Octave: omega against the library with its 200 sliders", difference[0],
                "<=", 1e-9);
  bench_verdict("Octave: zeta (levels 67 to 200) against the same", difference[1], "<=", 2e-2);
  compare_qsma(ctx, bench_exact, alpha, answer + 2, difference);
  bench_verdict("Octave: omega against the exact element", difference[0], "<=", 1e-5);
  bench_verdict("Octave: zeta (levels 67 to 200) against the same", difference[1], "<=", 2e-2);
  double library = time_qsma(ctx, system.structure, alpha, &count);
  printf("  Octave: %.2f iterations per level; library: %.2f evaluations\n", answer[1],
         (double)count.evaluations / LEVELS);
  printf("  %-54s %12s %12s\n", "", "us per level", "whole, ms");
  print_time("this library", library);
  print_time("Octave", LEVELS * answer[0]);
  bench_verdict("Octave over library", LEVELS * answer[0] / library, ">=", 1000.0);
  bench_system_destroy(&system);
}

/* ---- many modes ---- */

static void bench_modes(ms_context *ctx) {
  static const ptrdiff_t modes[3] = { 50, 500, 5000 };
  double t[3], unknowns[3];
  printf("\nChains with two joints: cost and the number of modes, %d levels\n", LEVELS);
  printf("  %10s %14s %14s %20s\n", "modes", "unknowns", "ns per level", "evaluations/level");
  for (int i = 0; i < 3; i++) {
    bench_long_chain *chain = bench_long_create(ctx, modes[i]);
    ms_structure *structure = bench_long_structure(chain);
    double omega = ms_structure_get_stuck(structure).omega[0], alpha[LEVELS];
    double full = omega * omega * bench_long_slip(chain);
    ms_quasistatic_count count;
    bench_need(ctx, ms_quasistatic_space(ctx, 1e-3 * full, 3.0 * full, LEVELS, alpha));
    t[i] = time_qsma(ctx, structure, alpha, &count) / LEVELS;
    unknowns[i] = (double)structure->n_axis;
    printf("  %10td %14.0f %14.0f %20.2f\n", modes[i], unknowns[i], 1e9 * t[i],
           (double)count.evaluations / LEVELS);
    bench_long_destroy(&chain);
  }
  bench_verdict("5000 modes over 50: size of the Newton system", unknowns[2] / unknowns[0],
                "<=", 1.0);
  bench_verdict("5000 modes over 50: cost of a level", t[2] / t[0], "<=", 1.2);
}

int main(int argc, char **argv) {
  ms_context *ctx;
  if (argc != 3 || ms_context_create(NULL, &ctx) != MS_SUCCESS) {
    fprintf(stderr, "usage: bench_quasistatic octave_qsma.m handover.txt\n");
    return 2;
  }
  bench_qsma(ctx, argv[1], argv[2]);
  bench_modes(ctx);
  ms_context_destroy(&ctx);
  return bench_finish();
}
