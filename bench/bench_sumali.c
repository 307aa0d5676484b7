/* From two bolted beams to a ring-down, reduction and run, beside an Octave script that does the
   same: answers first, then times. Usage: bench_sumali octave_sumali.m, or with --once instead of
   the script: this library's part alone, which prints the seconds of its run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "sumali.h"

enum {
  OCTAVE_STEPS = 20000, /* the first of the run's */
  SLIDERS = 100,
  TIMES = 100,
  REPEATS = 7,
};

/* What the script prints. */
typedef struct octave {
  double reduction, step, evaluations;
  double stuck[3], slipped[3];
  double u[TIMES][SUMALI_BOUNDARY];
} octave;

/* ---- the library's part ---- */

static int run_once(ms_context *ctx) {
  ms_reduced *reduced = sumali_reduce(ctx);
  ms_structure *structure = sumali_make_structure(ctx, reduced, bench_exact);
  double start = bench_clock_read().wall;
  ms_transient *run = sumali_make_run(ctx, structure);
  bench_need(ctx, ms_transient_run(run, SUMALI_STEPS, 1, NULL, NULL));
  printf("%.17g\n", bench_clock_read().wall - start);
  ms_transient_destroy(&run);
  ms_structure_destroy(&structure);
  ms_reduced_destroy(&reduced);
  return 0;
}

/* Wall time of a whole program, start of MPI and PETSc included, and of the march in it: the best
   of several. Wall time alone counts here, also on a busy machine, where it is longer. */
static void time_library(const char *self, double *whole, double *run) {
  char command[1024];
  snprintf(command, sizeof command, "'%s' --once", self);
  *whole = *run = HUGE_VAL;
  for (int r = 0; r < REPEATS; r++) {
    double march;
    double start = bench_clock_read().wall;
    bench_ask(command, 1, &march);
    double all = bench_clock_read().wall - start;
    if (all < *whole) *whole = all, *run = march;
  }
}

/* ---- answers ---- */

static double frequency_error(const double *omega, const double *other) {
  double worst = 0.0;
  for (int i = 0; i < 3; i++) {
    worst = fmax(worst, fabs(other[i] / omega[SUMALI_MODE + i] - 1.0));
  }
  return worst;
}

/* Largest difference of displacement from Octave's, of the largest translation; rotations as they
   move the rim of a bolt's patch. */
static double history_error(ms_context *ctx, const ms_reduced *reduced, bench_sliders sliders,
                            const octave *other) {
  ms_structure *structure = sumali_make_structure(ctx, reduced, sliders);
  ms_transient *run = sumali_make_run(ctx, structure);
  double u[SUMALI_SIZE], worst = 0.0, peak = 0.0;
  for (int k = 0; k < TIMES; k++) {
    bench_need(ctx, ms_transient_run(run, OCTAVE_STEPS / TIMES, 1, NULL, NULL));
    ms_transient_get_coordinates(run, u, NULL, NULL);
    for (int i = 0; i < SUMALI_BOUNDARY; i++) {
      int turns = strstr(ms_structure_get_name(structure, i), ".r") != NULL;
      double size = turns ? 0.0127 : 1.0;
      worst = fmax(worst, size * fabs(u[i] - other->u[k][i]));
      peak = fmax(peak, size * fabs(u[i]));
    }
  }
  ms_transient_destroy(&run);
  ms_structure_destroy(&structure);
  return worst / peak;
}

static void check_answers(ms_context *ctx, const octave *other) {
  ms_reduced *reduced = sumali_reduce(ctx);
  ms_structure *structure = sumali_make_structure(ctx, reduced, bench_exact);
  const double *stuck = ms_structure_get_stuck(structure).omega;
  const double reference[3] = { 761.322, 1348.73, 3196.21 };
  bench_verdict("library: frequencies against the reference, relative",
                frequency_error(stuck, reference), "<=", 5e-6);
  bench_verdict("Octave: frequencies, joints stuck, against the library",
                frequency_error(stuck, other->stuck), "<=", 1e-8);
  bench_verdict("the same, joints slipped",
                frequency_error(ms_structure_get_slipped(structure).omega, other->slipped),
                "<=", 1e-8);
  bench_verdict("Octave: history against the library with the same sliders, of peak",
                history_error(ctx, reduced, (bench_sliders) { SLIDERS, "geometric" }, other),
                "<=", 1e-6);
  bench_verdict("Octave: history against the exact element, of peak",
                history_error(ctx, reduced, bench_exact, other), "<=", 1e-5);
  ms_structure_destroy(&structure);
  ms_reduced_destroy(&reduced);
}

/* ---- */

static void print_row(const char *what, double reduction, double run, double both) {
  printf("  %-40s %12.3f %12.3f %12.3f\n", what, reduction, run, both);
}

static void print_times(const octave *other, double whole, double run) {
  double octave_run = other->step * SUMALI_STEPS, octave_whole = other->reduction + octave_run;
  printf(
      "  Octave: %d sliders to a joint, %.2f evaluations of the joints per step. Its run is timed\n"
      "  on its first %d steps and scaled to %d; its start is not counted. The library's\n"
      "  reduction is the wall time of a program but for the run: MPI and PETSc begin in it.\n",
      SLIDERS, other->evaluations, OCTAVE_STEPS, SUMALI_STEPS);
  printf("  %-40s %12s %12s %12s\n", "seconds", "reduction", "run", "both");
  print_row("this library", whole - run, run, whole);
  print_row("Octave", other->reduction, octave_run, octave_whole);
  print_row("Octave over library", other->reduction / (whole - run), octave_run / run,
            octave_whole / whole);
  bench_verdict("Octave over library, both", octave_whole / whole, ">=", 50.0);
}

int main(int argc, char **argv) {
  static octave other;
  char steps[16];
  double whole, run;
  ms_context *ctx;
  if (argc != 2 || ms_context_create(NULL, &ctx) != MS_SUCCESS) {
    fprintf(stderr, "usage: bench_sumali octave_sumali.m | --once\n");
    return 2;
  }
  if (strcmp(argv[1], "--once") == 0) return run_once(ctx);
  printf("Two bolted beams, 2 x 640 bricks to 49 coordinates; ring-down of mode 7, %d steps\n",
         SUMALI_STEPS);
  snprintf(steps, sizeof steps, "%d", OCTAVE_STEPS);
  bench_octave(argv[1], steps, sizeof other / sizeof(double), (double *)&other);
  check_answers(ctx, &other);
  time_library(argv[0], &whole, &run);
  print_times(&other, whole, run);
  ms_context_destroy(&ctx);
  return bench_finish();
}
