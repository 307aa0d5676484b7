/* A shock of 50 ms and a sweep of 3 s on a base that carries 50 masses and two joints, beside an
   Octave script of the usual method: answers first, then times. Usage: bench_response
   octave_response.m handover.txt */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <microslip/microslip.h>

#include "bench.h"
#include "handover.h"
#include "systems.h"

enum { N = 50 };

typedef struct pair {
  const char *name;
  double value;
} pair;

/* A motion of the base: what the library marches, and how many of its first steps Octave does. */
typedef struct motion {
  const char *title, *load;
  pair param[4];
  ptrdiff_t steps, octave_steps;
  int repeats;
  double exact_tolerance; /* of the sliders against the exact element */
} motion;

static const motion shock = { .title = "shock of 50 ms",
                              .load = "haversine",
                              .param = { { "amplitude", 730.0 }, { "duration", 1.7e-3 } },
                              .steps = 5000,
                              .octave_steps = 5000,
                              .repeats = 40,
                              .exact_tolerance = 3e-4 };

static const motion sweep = {
  .title = "sweep of 3 s",
  .load = "sweep",
  .param = { { "amplitude", 53.0 }, { "from", 417.0 }, { "to", 376.0 }, { "duration", 3.0 } },
  .steps = 300000,
  .octave_steps = 10000,
  .repeats = 5,
  .exact_tolerance = 1e-4
};

static ms_load *make_load(ms_context *ctx, const motion *m) {
  ms_load *load;
  bench_need(ctx, ms_load_create(ctx, m->load, &load));
  for (int i = 0; i < 4 && m->param[i].name; i++) {
    bench_need(ctx, ms_load_set(load, m->param[i].name, m->param[i].value));
  }
  bench_need(ctx, ms_load_setup(load));
  return load;
}

/* Forces of a base that accelerates by 1, on the masses seen from it. */
static void fill_shape(const bench_system *system, double *b) {
  const double *M = ms_structure_get_mass(system->structure);
  for (int i = 0; i < N; i++) b[i] = -M[i + N * i];
}

static ms_transient *make_run(ms_context *ctx, const bench_system *system, ms_load *load) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run;
  double b[N];
  setting.step = system->dt;
  fill_shape(system, b);
  bench_need(ctx, ms_transient_create(system->structure, &setting, &run));
  bench_need(ctx, ms_transient_add_load(run, b, ms_load_time_fn, load, ms_load_end(load)));
  bench_need(ctx, ms_transient_start(run, 0.0, NULL, NULL));
  return run;
}

/* ---- answers ---- */

static void hand_over(ms_context *ctx, const motion *m, const char *path) {
  bench_system system = bench_stack(ctx, bench_exact);
  ms_load *load = make_load(ctx, m);
  double b[N], *p = malloc((size_t)m->octave_steps * sizeof *p);
  if (!p) bench_stop("no memory");
  fill_shape(&system, b);
  for (ptrdiff_t k = 0; k < m->octave_steps; k++) {
    p[k] = ms_load_eval(load, system.dt * (double)(k + 1));
  }
  bench_handover *to = bench_hand_open(path);
  bench_hand_structure(ctx, to, &system);
  bench_hand_iwan(ctx, to, &system);
  bench_hand_number(to, "dt", system.dt);
  bench_hand_matrix(to, "b", N, 1, b);
  bench_hand_matrix(to, "p", 1, m->octave_steps, p);
  bench_hand_close(&to);
  free(p);
  ms_load_destroy(&load);
  bench_system_destroy(&system);
}

static int keep_peak(void *peak, const ms_transient *run) {
  double u[N], *worst = peak;
  ms_transient_get_coordinates(run, u, NULL, NULL);
  for (int i = 0; i < N; i++) *worst = fmax(*worst, fabs(u[i]));
  return 0;
}

/* Largest difference of displacement from Octave's at its end, of the largest until then. */
static double difference(ms_context *ctx, const motion *m, bench_sliders sliders, const double *u) {
  bench_system system = bench_stack(ctx, sliders);
  ms_load *load = make_load(ctx, m);
  ms_transient *run = make_run(ctx, &system, load);
  double x[N], worst = 0.0, peak = 0.0;
  bench_need(ctx, ms_transient_run(run, m->octave_steps, 1, keep_peak, &peak));
  ms_transient_get_coordinates(run, x, NULL, NULL);
  for (int i = 0; i < N; i++) worst = fmax(worst, fabs(x[i] - u[i]));
  ms_transient_destroy(&run);
  ms_load_destroy(&load);
  bench_system_destroy(&system);
  return worst / peak;
}

/* ---- times, seconds per step ---- */

static double time_library(ms_context *ctx, const motion *m) {
  bench_system system = bench_stack(ctx, bench_exact);
  ms_load *load = make_load(ctx, m);
  ms_transient *run = make_run(ctx, &system, load);
  double seconds = bench_time_run(ctx, run, m->steps, m->repeats);
  ms_transient_count count = ms_transient_get_count(run);
  printf("  library: %.2f evaluations of the joints per step, residual %.1e at most\n",
         (double)count.evaluations / (double)count.steps, count.residual);
  ms_transient_destroy(&run);
  ms_load_destroy(&load);
  bench_system_destroy(&system);
  return seconds / (double)m->steps;
}

/* How far the joints are moved, of the displacement at which all of them slips. */
static int keep_slip(void *slip, const ms_transient *run) {
  const double *z;
  double *worst = slip;
  ms_transient_get_joints(run, &z, NULL);
  for (int k = 0; k < 2; k++) worst[k] = fmax(worst[k], fabs(z[k]));
  return 0;
}

static void print_slip(ms_context *ctx, const motion *m) {
  bench_system system = bench_stack(ctx, bench_exact);
  ms_load *load = make_load(ctx, m);
  ms_transient *run = make_run(ctx, &system, load);
  double z[2] = { 0.0, 0.0 };
  bench_need(ctx, ms_transient_run(run, m->steps, 1, keep_slip, z));
  for (int k = 0; k < 2; k++) {
    z[k] /= ms_joint_slip_scale(ms_structure_get_joint(system.structure, k));
  }
  printf("  joints move up to %.2f and %.2f of their phi_max\n", z[0], z[1]);
  ms_transient_destroy(&run);
  ms_load_destroy(&load);
  bench_system_destroy(&system);
}

static void bench_motion(ms_context *ctx, const motion *m, const char *script, const char *path) {
  double answer[2 + N]; /* seconds per step, evaluations per step, displacements */
  printf("\n50 masses, two joints: %s, %td steps of Newmark\n", m->title, m->steps);
  print_slip(ctx, m);
  hand_over(ctx, m, path);
  bench_octave(script, path, 2 + N, answer);
  bench_verdict("Octave: against the library with its 200 uniform sliders, of peak",
                difference(ctx, m, (bench_sliders) { 200, "uniform" }, answer + 2), "<=", 1e-8);
  bench_verdict("Octave: against the exact element, of peak",
                difference(ctx, m, bench_exact, answer + 2), "<=", m->exact_tolerance);
  double library = time_library(ctx, m), octave = answer[0];
  printf("  Octave: %.2f evaluations of the joints per step; timed on its first %td steps\n",
         answer[1], m->octave_steps);
  printf("  %-40s %12s %14s\n", "", "us per step", "whole, s");
  printf("  %-40s %12.3f %14.5f\n", "this library", 1e6 * library, library * (double)m->steps);
  printf("  %-40s %12.3f %14.5f\n", "Octave", 1e6 * octave, octave * (double)m->steps);
  bench_verdict("Octave over library", octave / library, ">=", 300.0);
}

int main(int argc, char **argv) {
  ms_context *ctx;
  if (argc != 3 || ms_context_create(NULL, &ctx) != MS_SUCCESS) {
    fprintf(stderr, "usage: bench_response octave_response.m handover.txt\n");
    return 2;
  }
  bench_motion(ctx, &shock, argv[1], argv[2]);
  bench_motion(ctx, &sweep, argv[1], argv[2]);
  ms_context_destroy(&ctx);
  return bench_finish();
}
