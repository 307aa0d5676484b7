/* Marching a structure with joints in time, beside a textbook's way of doing it: answers first,
   then times, then what both integrators make of a step, in one run. Usage: bench_transient
   octave_transient.m convergence.svg */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <microslip/microslip.h>

#include "bench.h"
#include "systems.h"

/* The best of many short repeats, so that a busy machine disturbs some of them and not all. */
enum { SLIDERS = 200, REPEATS = 40 };
#define REPEAT_SECONDS 2e-3

static double library_force(void *user, double t) {
  return bench_force(user, t);
}

/* A run of the library, load in place, at rest. */
static ms_transient *make_run(ms_context *ctx, bench_system *system, const char *method,
                              double dt) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run;
  double *shape = calloc((size_t)ms_structure_get_size(system->structure), sizeof *shape);
  if (!shape) bench_stop("no memory");
  shape[system->hit] = 1.0;
  setting.method = method;
  setting.step = dt;
  bench_need(ctx, ms_transient_create(system->structure, &setting, &run));
  bench_need(ctx,
             ms_transient_add_load(run, shape, library_force, system, bench_force_end(system)));
  bench_need(ctx, ms_transient_start(run, 0.0, NULL, NULL));
  free(shape);
  return run;
}

static void march(ms_context *ctx, ms_transient *run, ptrdiff_t steps) {
  bench_need(ctx, ms_transient_run(run, steps, 1, NULL, NULL));
}

static void march_textbook(const textbook_method *method, const bench_system *system,
                           textbook_run *run, long steps) {
  for (long k = 0; k < steps; k++) {
    run->F[system->hit] = bench_force(system, run->dt * (double)(run->steps + 1));
    if (method->step(run)) bench_stop("the textbook's Newton did not converge");
  }
}

/* ---- answers ---- */

enum { IMPACT_STEPS = 3000 };

static void check_reference(ms_context *ctx) {
  static const double reference[3][7] = {
    { 50, 0.5568013343, 11.28038607, 0.6272959876, 2.597363997, 27.97534973, 2.947357790 },
    { 500, -26.09516929, -33.75872250, -30.21117543, 7.376437220, -39.09504286, -6.446699551 },
    { 3000, -5.833392383, 3.105880164, -17.74097602, 11.22495267, 19.22837099, 23.05561761 },
  };
  bench_system system = bench_three_mass(ctx, 500.0, bench_exact);
  ms_transient *run = make_run(ctx, &system, "newmark", system.dt);
  double worst = 0.0, x[6];
  for (int k = 0; k < 3; k++) {
    march(ctx, run, (ptrdiff_t)reference[k][0] - ms_transient_get_step(run));
    ms_transient_get_coordinates(run, x, x + 3, NULL);
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(x[i] / reference[k][i + 1] - 1.0));
  }
  bench_verdict("library: states after an impact against the reference, relative", worst,
                "<=", 1e-8);
  ms_transient_destroy(&run);
  bench_system_destroy(&system);
}

/* Largest difference of displacement between the library and the textbook over an impact, of the
   largest displacement. */
static double impact_difference(ms_context *ctx, bench_system *system, int n_slider, long steps) {
  double *C, u[64], worst = 0.0, size = 0.0;
  textbook_model model = bench_textbook_model(ctx, system, n_slider, &C);
  textbook_run other = textbook_plain.create(&model, system->dt);
  ms_transient *run = make_run(ctx, system, "newmark", system->dt);
  for (long k = 0; k < steps; k++) {
    march(ctx, run, 1);
    march_textbook(&textbook_plain, system, &other, 1);
    ms_transient_get_coordinates(run, u, NULL, NULL);
    for (int i = 0; i < model.n; i++) {
      worst = fmax(worst, fabs(u[i] - other.u[i]));
      size = fmax(size, fabs(u[i]));
    }
  }
  textbook_plain.destroy(&other);
  ms_transient_destroy(&run);
  free(C);
  return worst / size;
}

static void check_textbook(ms_context *ctx) {
  bench_system exact = bench_three_mass(ctx, 500.0, bench_exact), chain = bench_chain(ctx, 50, 4);
  bench_system sliders = bench_three_mass(ctx, 500.0, (bench_sliders) { SLIDERS, "uniform" });
  double coarse = impact_difference(ctx, &exact, SLIDERS, IMPACT_STEPS);
  bench_verdict("textbook: against the library with its 200 uniform sliders, of peak",
                impact_difference(ctx, &sliders, SLIDERS, IMPACT_STEPS), "<=", 1e-8);
  bench_verdict("textbook: against the exact element, of peak", coarse, "<=", 1e-5);
  bench_verdict("the same with 12,800 sliders", impact_difference(ctx, &exact, 12800, IMPACT_STEPS),
                "<=", coarse / 32.0);
  bench_verdict("textbook: chain of 50 masses and 4 joints, of peak",
                impact_difference(ctx, &chain, SLIDERS, IMPACT_STEPS), "<=", 1e-5);
  bench_system_destroy(&exact);
  bench_system_destroy(&sliders);
  bench_system_destroy(&chain);
}

/* ---- times, seconds per step, best of several ---- */

enum { LEAD = 1000 }; /* steps before the clock starts: load over, all joints at work */

static double time_library(ms_context *ctx, bench_system *system, const char *method) {
  ms_transient *run = make_run(ctx, system, method, system->dt);
  ptrdiff_t steps = 1000;
  double best = HUGE_VAL;
  for (int r = 0; r < REPEATS; r++) {
    bench_need(ctx, ms_transient_start(run, 0.0, NULL, NULL));
    march(ctx, run, LEAD);
    bench_clock start = bench_clock_read();
    march(ctx, run, steps);
    best = fmin(best, bench_clock_since(start) / (double)steps);
    steps = (ptrdiff_t)fmax(1000.0, REPEAT_SECONDS / best);
  }
  ms_transient_destroy(&run);
  return best;
}

static double time_textbook(ms_context *ctx, const textbook_method *method,
                            const bench_system *system, int extrapolate, double *per_step) {
  double *C, best = HUGE_VAL;
  textbook_model model = bench_textbook_model(ctx, system, SLIDERS, &C);
  textbook_run run = method->create(&model, system->dt);
  long steps = 200;
  run.extrapolate = extrapolate;
  for (int r = 0; r < REPEATS; r++) {
    method->start(&run);
    march_textbook(method, system, &run, LEAD);
    bench_clock start = bench_clock_read();
    march_textbook(method, system, &run, steps);
    best = fmin(best, bench_clock_since(start) / (double)steps);
    steps = (long)fmax(200.0, REPEAT_SECONDS / best);
  }
  *per_step = (double)run.evaluations / (double)run.steps;
  method->destroy(&run);
  free(C);
  return best;
}

/* Seconds per step of the Octave script, whose answer must be the textbook's. */
static double time_octave(ms_context *ctx, const char *script) {
  char steps[16];
  double answer[4], *u = answer + 1, best = HUGE_VAL, worst = 0.0, *C;
  snprintf(steps, sizeof steps, "%d", IMPACT_STEPS);
  for (int r = 0; r < 3; r++) {
    bench_octave(script, steps, 4, answer);
    best = fmin(best, answer[0]);
  }
  bench_system system = bench_three_mass(ctx, 500.0, bench_exact);
  textbook_model model = bench_textbook_model(ctx, &system, SLIDERS, &C);
  textbook_run run = textbook_plain.create(&model, system.dt);
  march_textbook(&textbook_plain, &system, &run, IMPACT_STEPS);
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(u[i] / run.u[i] - 1.0));
  bench_verdict("Octave: displacements at the end against the textbook, relative", worst,
                "<=", 1e-6);
  textbook_plain.destroy(&run);
  bench_system_destroy(&system);
  free(C);
  return best;
}

static void print_time(const char *what, double seconds) {
  printf("  %-60s %12.1f\n", what, 1e9 * seconds);
}

/* The textbook beside the library. The first line is the one that counts; the others are what a
   user gains who lets the compiler reorder the sums of the sliders, and begins Newton better. */
static void bench_beside(ms_context *ctx, const bench_system *system, double library,
                         double target) {
  static const struct {
    const textbook_method *method;
    int extrapolate;
  } row[] = { { &textbook_plain, 0 }, { &textbook_fast, 0 }, { &textbook_fast, 1 } };
  double ratio = 0.0;
  for (int i = 0; i < 3; i++) {
    double per_step, t = time_textbook(ctx, row[i].method, system, row[i].extrapolate, &per_step);
    printf("  textbook, %-50s %12.1f  %.2f evaluations, %.1f times the library\n",
           row[i].extrapolate ? "the same, Newton from an extrapolation" : row[i].method->flags,
           1e9 * t, per_step, t / library);
    if (i == 0) ratio = t / library;
  }
  bench_verdict("textbook over library", ratio, ">=", target);
}

static void bench_three(ms_context *ctx, double octave) {
  bench_system system = bench_three_mass(ctx, 500.0, bench_exact);
  double library = time_library(ctx, &system, "newmark");
  printf("\nThree masses, one joint: ns per step\n");
  print_time("this library, Newmark (plain C on an idle machine: 97)", library);
  print_time("this library, exponential", time_library(ctx, &system, "exponential"));
  print_time("textbook, Octave", octave);
  bench_beside(ctx, &system, library, 5.0);
  bench_verdict("Octave over library", octave / library, ">=", 500.0);
  bench_system_destroy(&system);
}

static void bench_fifty(ms_context *ctx) {
  bench_system system = bench_chain(ctx, 50, 4);
  double library = time_library(ctx, &system, "newmark");
  printf("\n50 masses, four joints: ns per step\n");
  print_time("this library, Newmark", library);
  print_time("this library, exponential", time_library(ctx, &system, "exponential"));
  bench_beside(ctx, &system, library, 50.0);
  bench_system_destroy(&system);
}

/* ---- cost and the number of modes ---- */

static void bench_modes(ms_context *ctx) {
  static const struct {
    ptrdiff_t modes;
    int joints;
    double plain; /* ns of a throw-away program that does no more than this, on another day */
  } row[] = { { 29, 2, 270.0 }, { 49, 4, 543.0 },   { 125, 4, 0.0 },
              { 250, 4, 0.0 },  { 500, 4, 3300.0 }, { 1000, 4, 0.0 } };
  enum { N = sizeof row / sizeof *row };
  double t[N];
  printf("\nCost and the number of modes: ns per step\n  %10s %10s %12s %12s %14s\n", "modes",
         "joints", "library", "per mode", "plain C, idle");
  for (int i = 0; i < N; i++) {
    bench_system system = bench_chain(ctx, row[i].modes, row[i].joints);
    t[i] = time_library(ctx, &system, "newmark");
    printf("  %10td %10d %12.1f %12.2f ", row[i].modes, row[i].joints, 1e9 * t[i],
           1e9 * t[i] / (double)row[i].modes);
    if (row[i].plain > 0.0) printf("%14.0f", row[i].plain);
    printf("\n");
    bench_system_destroy(&system);
  }
  bench_verdict("500 modes over 49, four joints: at most linear", t[4] / t[1],
                "<=", 1.2 * 500.0 / 49.0);
  bench_verdict("1000 modes over 500, four joints: at most linear", t[5] / t[4], "<=", 1.2 * 2.0);
}

/* ---- convergence ---- */

/* Displacements at t = 40, 41 .. 60, after an impact on mass 2, with `per_unit` steps per unit of
   time. */
enum { FROM = 40, TIMES = 21, SAMPLES = 3 * TIMES };

static void sample(ms_context *ctx, const char *method, double p, int per_unit, double *u) {
  bench_system system = bench_three_mass(ctx, p, bench_exact);
  ms_transient *run = make_run(ctx, &system, method, 1.0 / per_unit);
  march(ctx, run, (FROM - 1) * (ptrdiff_t)per_unit);
  for (int i = 0; i < TIMES; i++) {
    march(ctx, run, per_unit);
    ms_transient_get_coordinates(run, u + 3 * i, NULL, NULL);
  }
  ms_transient_destroy(&run);
  bench_system_destroy(&system);
}

static double error_of(ms_context *ctx, const char *method, double p, int per_unit,
                       const double *reference) {
  double u[SAMPLES], worst = 0.0, peak = 0.0;
  sample(ctx, method, p, per_unit, u);
  for (int i = 0; i < SAMPLES; i++) {
    worst = fmax(worst, fabs(u[i] - reference[i]));
    peak = fmax(peak, fabs(reference[i]));
  }
  return worst / peak;
}

/* Steps per unit of time; Newmark's customary step is 1/50. */
enum { CUSTOMARY = 50, FINEST = 64 * CUSTOMARY };

/* The fewest exponential steps per unit of time that keep an error, together with all finer ones.
 */
static int fewest(ms_context *ctx, double p, double error, const double *reference) {
  int k = CUSTOMARY;
  while (k > 1 && error_of(ctx, "exponential", p, k - 1, reference) <= error) k--;
  return k;
}

static void add_curves(ms_context *ctx, ms_figure *figure, double p, const double *reference) {
  static const int per_unit[] = { 400, 200, 100, 50, 32, 25, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2 };
  enum { N = sizeof per_unit / sizeof *per_unit };
  double step[N], newmark[N], exponential[N];
  char title[64];
  snprintf(title, sizeof title, "p = %g", p);
  printf(
      "\nImpact p = %g: largest error of displacement over t = 40 .. 60, of peak\n"
      "  %10s %14s %14s\n",
      p, "step", "newmark", "exponential");
  for (int i = 0; i < N; i++) {
    step[i] = 1.0 / per_unit[i];
    newmark[i] = error_of(ctx, "newmark", p, per_unit[i], reference);
    exponential[i] = error_of(ctx, "exponential", p, per_unit[i], reference);
    printf("  %10.4f %14.3e %14.3e\n", step[i], newmark[i], exponential[i]);
  }
  ms_panel panel = { title, "step", "s", "error of displacement, of peak", NULL, 1, 1 };
  ms_series a = { "Newmark", step, newmark, N, MS_SERIES_LINE_POINTS, 0 };
  ms_series b = { "exponential", step, exponential, N, MS_SERIES_LINE_POINTS, 1 };
  bench_need(ctx, ms_figure_add_panel(figure, &panel));
  bench_need(ctx, ms_figure_add_series(figure, &a));
  bench_need(ctx, ms_figure_add_series(figure, &b));
}

static void bench_convergence(ms_context *ctx, const char *path) {
  static const double impact[] = { 30.0, 500.0 };
  ms_figure *figure;
  bench_need(ctx, ms_figure_create(ctx, "Error and step of the two integrators",
                                   "three masses, one Iwan joint, the second mass hit", &figure));
  for (int i = 0; i < 2; i++) {
    double reference[SAMPLES], p = impact[i];
    sample(ctx, "exponential", p, FINEST, reference);
    add_curves(ctx, figure, p, reference);
    double error = error_of(ctx, "newmark", p, CUSTOMARY, reference);
    int k = fewest(ctx, p, error, reference);
    printf(
        "  Newmark's error at step 0.02 is %.3g; the exponential method's at step %.4g is %.3g\n",
        error, 1.0 / k, error_of(ctx, "exponential", p, k, reference));
    bench_verdict("exponential step over Newmark's, same error", (double)CUSTOMARY / k, ">=", 5.0);
  }
  bench_need(ctx, ms_figure_write_svg(figure, path, MS_THEME_AUTO));
  printf("  drawn in %s\n", path);
  ms_figure_destroy(&figure);
}

int main(int argc, char **argv) {
  ms_context *ctx;
  if (argc != 3 || ms_context_create(NULL, &ctx) != MS_SUCCESS) {
    fprintf(stderr, "usage: bench_transient octave_transient.m convergence.svg\n");
    return 2;
  }
  printf("Answers\n");
  check_reference(ctx);
  check_textbook(ctx);
  double octave = time_octave(ctx, argv[1]);
  printf("\nTextbook with %s; library: %s\n", textbook_instructions(), MS_LIBRARY_FLAGS);
  bench_three(ctx, octave);
  bench_fifty(ctx);
  bench_modes(ctx);
  bench_convergence(ctx, argv[2]);
  ms_context_destroy(&ctx);
  return bench_finish();
}
