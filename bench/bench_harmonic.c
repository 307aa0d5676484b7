/* Harmonic balance and nonlinear modes beside Octave scripts of the usual methods: answers first,
   then times, then what the number of modes costs. Usage: bench_harmonic octave_hb.m octave_epmc.m
   handover.txt */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/microslip.h>

#include "bench.h"
#include "handover.h"
#include "long_chain.h"
#include "response/harmonic/impl.h"
#include "systems.h"

/* ---- harmonic balance ---- */

enum { H = 7, P = 2 * H + 1, POINTS = 1024, LISTED = 25, N = 3 };

static ms_harmonic *make_harmonic(ms_context *ctx, ms_structure *structure) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *harmonic;
  setting.harmonics = H;
  setting.times = POINTS;
  bench_need(ctx, ms_harmonic_create(structure, &setting, &harmonic));
  return harmonic;
}

/* Forced response through the first resonance; every listed frequency must be solved. */
static ms_harmonic_curve *trace(ms_context *ctx, const bench_system *system,
                                ms_harmonic *harmonic) {
  double list[LISTED], shape[N] = { 0.0, 0.0, 0.0 };
  ms_harmonic_range range = {
    .from = 0.6 * system->omega, .to = 1.5 * system->omega, .list = list, .n_list = LISTED
  };
  ms_harmonic_curve *curve;
  shape[system->hit] = 1.0;
  for (int i = 0; i < LISTED; i++) list[i] = (0.62 + 0.86 * i / (LISTED - 1.0)) * system->omega;
  bench_need(ctx, ms_harmonic_add_load(harmonic, shape, 1, system->p, 0.0));
  bench_clock start = bench_clock_read();
  bench_need(ctx, ms_harmonic_run_forced(harmonic, &range, 1.0, &curve));
  double seconds = bench_clock_since(start);
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  printf("  curve: %td points, %td evaluations, %td steps of which %td rejected, %.3f s%s%s\n",
         info.points, info.evaluations, info.steps, info.rejected, seconds,
         info.complete ? "" : ", incomplete: ", info.reason);
  bench_verdict("forced response through resonance: complete", info.complete, ">=", 1.0);
  bench_verdict("the same: listed frequencies not solved", (double)info.missed, "<=", 0.0);
  bench_verdict("the same: largest residual of a point", info.worst, "<=", 1e-10);
  return curve;
}

/* The listed point of largest amplitude. */
static ptrdiff_t resonance(const ms_harmonic_curve *curve) {
  ptrdiff_t at = -1, n = ms_harmonic_curve_get_info(curve).points;
  double most = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (!p->listed || p->q <= most) continue;
    most = p->q;
    at = i;
  }
  if (at < 0) bench_stop("no point of the list was solved");
  return at;
}

/* U: coefficients of the coordinates, N x P. Octave starts a little beside them. */
static void hand_forced(ms_context *ctx, const bench_system *system, double omega, const double *U,
                        const char *path) {
  static const char *const jenkins[] = { "F_S", "K_T", NULL };
  static const char *const gap[] = { "K", "g_plus", "g_minus", NULL };
  static const char *const cubic[] = { "K", "K3", NULL };
  double force[N * P] = { 0.0 }, start[N * P];
  for (int i = 0; i < N * P; i++) start[i] = 1.01 * U[i];
  force[system->hit + N] = system->p;
  bench_handover *to = bench_hand_open(path);
  bench_hand_structure(ctx, to, system);
  bench_hand_joints(ctx, to, "jenkins", system, 0, 2, jenkins);
  bench_hand_joints(ctx, to, "gap", system, 2, 1, gap);
  bench_hand_joints(ctx, to, "cubic", system, 3, 1, cubic);
  bench_hand_number(to, "Omega", omega);
  bench_hand_matrix(to, "P", N, P, force);
  bench_hand_matrix(to, "U", N, P, start);
  bench_hand_close(&to);
}

/* U: coefficients of n coordinates, n x P. */
static void recover(ms_context *ctx, ms_harmonic *harmonic, const ms_harmonic_curve *curve,
                    ptrdiff_t i, int n, double *U) {
  double x[P];
  for (int k = 0; k < n; k++) {
    double weights[64] = { 0.0 };
    weights[k] = 1.0;
    bench_need(ctx, ms_harmonic_recover(harmonic, curve, i, weights, x));
    for (int c = 0; c < P; c++) U[k + n * c] = x[c];
  }
}

/* Seconds of one residual with its Jacobian at a point of a curve. */
static double time_residual(ms_context *ctx, ms_harmonic *h, const ms_harmonic_curve *curve,
                            ptrdiff_t i, int with_zeta) {
  const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
  ptrdiff_t n = ms_harmonic_n_unknown(h);
  double *X = h->X, *q = malloc((size_t)(h->P * h->m) * sizeof *q), best = HUGE_VAL;
  if (!q) bench_stop("no memory");
  bench_need(ctx, ms_harmonic_recover_modal(h, curve, i, q));
  memcpy(X, ms_harmonic_curve_get_joints(curve, i), (size_t)n * sizeof *X);
  memcpy(X + n + AT_Q, q + 1 + h->P * p->mode, 2 * sizeof *X);
  X[n + AT_OMEGA] = p->omega;
  X[n + AT_ZETA] = with_zeta ? p->zeta : 0.0;
  X[n + AT_LEVEL] = p->level;
  for (int r = 0; r < 200; r++) {
    bench_clock start = bench_clock_read();
    bench_need(ctx, ms_core_eval(h, with_zeta));
    best = fmin(best, bench_clock_since(start));
  }
  free(q);
  return best;
}

static void bench_forced(ms_context *ctx, const char *script, const char *path) {
  bench_system system = bench_oscillators(ctx);
  double U[N * P], worst = 0.0, size = 0.0;
  double answer[3 + N * P]; /* seconds, iterations, residual, coefficients */
  printf("\nThree masses, two Jenkins joints, a gap and a cubic spring: %d harmonics, %d points\n",
         H, POINTS);
  ms_harmonic *harmonic = make_harmonic(ctx, system.structure);
  ms_harmonic_curve *curve = trace(ctx, &system, harmonic);
  ptrdiff_t at = resonance(curve);
  recover(ctx, harmonic, curve, at, N, U);
  hand_forced(ctx, &system, ms_harmonic_curve_get_point(curve, at)->omega, U, path);
  bench_octave(script, path, 3 + N * P, answer);
  for (int i = 0; i < N * P; i++) {
    worst = fmax(worst, fabs(U[i] - answer[3 + i]));
    size = fmax(size, fabs(U[i]));
  }
  bench_verdict("Octave: its own solution against the library's, of the largest", worst / size,
                "<=", 1e-8);
  double library = time_residual(ctx, harmonic, curve, at, 0);
  printf("  this library: %.3f ms for a residual with its Jacobian\n", 1e3 * library);
  printf("  Octave: %.3f ms; converged to %.1e in %g iterations\n", 1e3 * answer[0], answer[2],
         answer[1]);
  bench_verdict("Octave over library", answer[0] / library, ">=", 50.0);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&harmonic);
  bench_system_destroy(&system);
}
/* ---- nonlinear modes ---- */

enum { AMPLITUDES = 60, MASSES = 50 };
/* Octave does some of the amplitudes: from `first` (from 0), which is not timed, `more` others,
   each standing for so many: microslip twice, then through the onset of macroslip. */
enum { PARTS = 3, MOST = 6 };
static const struct {
  int first, more;
  double each;
} part[PARTS] = { { 12, 3, 25.0 / 3.0 }, { 37, 3, 30.0 / 3.0 }, { 54, 5, 1.0 } };

static void fill_amplitudes(double slip, double *a) {
  for (int i = 0; i < AMPLITUDES; i++) {
    a[i] = slip * exp(log(1e-3) + (log(1.5) - log(1e-3)) * i / (AMPLITUDES - 1.0));
  }
}

/* The first mode through all amplitudes; *seconds for the whole. */
static ms_harmonic_curve *trace_mode(ms_context *ctx, ms_harmonic *harmonic, const double *a,
                                     double *seconds) {
  ms_harmonic_range range = {
    .from = a[0], .to = a[AMPLITUDES - 1], .list = a, .n_list = AMPLITUDES
  };
  ms_harmonic_curve *curve;
  bench_clock start = bench_clock_read();
  bench_need(ctx, ms_harmonic_run_mode(harmonic, 0, &range, &curve));
  *seconds = bench_clock_since(start);
  return curve;
}

/* The point of the k-th amplitude. */
static ptrdiff_t listed(const ms_harmonic_curve *curve, ptrdiff_t k) {
  ptrdiff_t n = ms_harmonic_curve_get_info(curve).points;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (ms_harmonic_curve_get_point(curve, i)->listed == k + 1) return i;
  }
  bench_stop("an amplitude was not solved");
  return -1;
}

/* What Octave found. */
typedef struct octave_modes {
  double seconds, iterations; /* of all amplitudes */
  double omega[PARTS][MOST], zeta[PARTS][MOST];
} octave_modes;

/* Largest relative difference of omega and of zeta. */
static void compare_modes(ms_context *ctx, bench_sliders how, const double *a,
                          const octave_modes *octave, double difference[2]) {
  bench_system system = bench_stack(ctx, how);
  ms_harmonic *harmonic = make_harmonic(ctx, system.structure);
  double seconds;
  ms_harmonic_curve *curve = trace_mode(ctx, harmonic, a, &seconds);
  difference[0] = difference[1] = 0.0;
  for (int i = 0; i < PARTS * MOST; i++) {
    int j = i / MOST, k = i % MOST;
    if (k > part[j].more) continue;
    const ms_harmonic_point *p =
        ms_harmonic_curve_get_point(curve, listed(curve, part[j].first + k));
    difference[0] = fmax(difference[0], fabs(octave->omega[j][k] / p->omega - 1.0));
    difference[1] = fmax(difference[1], fabs(octave->zeta[j][k] / p->zeta - 1.0));
  }
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&harmonic);
  bench_system_destroy(&system);
}

static void hand_part(ms_context *ctx, const bench_system *system, ms_harmonic *harmonic,
                      const ms_harmonic_curve *curve, const double *a, int j, const char *path) {
  ptrdiff_t at = listed(curve, part[j].first);
  const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, at);
  double U[MASSES * P];
  recover(ctx, harmonic, curve, at, MASSES, U);
  bench_handover *to = bench_hand_open(path);
  bench_hand_structure(ctx, to, system);
  bench_hand_iwan(ctx, to, system);
  bench_hand_matrix(to, "shape", MASSES, 1, ms_structure_get_stuck(system->structure).shape);
  bench_hand_matrix(to, "a", part[j].more + 1, 1, a + part[j].first);
  bench_hand_matrix(to, "U", MASSES, P, U);
  bench_hand_number(to, "omega", p->omega);
  bench_hand_number(to, "zeta", p->zeta);
  bench_hand_close(&to);
}

static octave_modes run_octave(ms_context *ctx, const bench_system *system, const double *a,
                               const char *script, const char *path) {
  ms_harmonic *harmonic = make_harmonic(ctx, system->structure);
  octave_modes out = { .seconds = 0.0 };
  double seconds, answer[2 + 2 * MOST]; /* seconds and iterations per amplitude, omega, zeta */
  ms_harmonic_curve *curve = trace_mode(ctx, harmonic, a, &seconds);
  for (int j = 0; j < PARTS; j++) {
    const int n = part[j].more + 1;
    hand_part(ctx, system, harmonic, curve, a, j, path);
    bench_octave(script, path, 2 + 2 * n, answer);
    out.seconds += part[j].more * part[j].each * answer[0];
    out.iterations += part[j].more * part[j].each * answer[1];
    memcpy(out.omega[j], answer + 2, (size_t)n * sizeof *answer);
    memcpy(out.zeta[j], answer + 2 + n, (size_t)n * sizeof *answer);
  }
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&harmonic);
  return out;
}

static double time_mode(ms_context *ctx, ms_structure *structure, const double *a) {
  ms_harmonic *harmonic = make_harmonic(ctx, structure);
  double best = HUGE_VAL, seconds;
  ms_harmonic_curve_info info;
  for (int r = 0; r < 15; r++) {
    ms_harmonic_curve *curve = trace_mode(ctx, harmonic, a, &seconds);
    info = ms_harmonic_curve_get_info(curve);
    best = fmin(best, seconds);
    ms_harmonic_curve_destroy(&curve);
  }
  printf("  curve: %td points, %td evaluations, %td steps of which %td rejected\n", info.points,
         info.evaluations, info.steps, info.rejected);
  bench_verdict("nonlinear mode: complete", info.complete, ">=", 1.0);
  bench_verdict("the same: amplitudes not solved", (double)info.missed, "<=", 0.0);
  ms_harmonic_destroy(&harmonic);
  return best;
}

static void bench_mode(ms_context *ctx, const char *script, const char *path) {
  bench_system system = bench_stack(ctx, bench_exact);
  double a[AMPLITUDES], difference[2];
  fill_amplitudes(bench_slip_amplitude(&system), a);
  printf("\n50 masses, two joints: nonlinear mode of %d amplitudes, %d harmonics, %d points\n",
         AMPLITUDES, H, POINTS);
  octave_modes octave = run_octave(ctx, &system, a, script, path);
  compare_modes(ctx, (bench_sliders) { 200, "geometric" }, a, &octave, difference);
  bench_verdict("Octave: omega against the library with its 200 sliders", difference[0],
                "<=", 1e-8);
  bench_verdict("Octave: zeta against the same", difference[1], "<=", 1e-6);
  compare_modes(ctx, bench_exact, a, &octave, difference);
  bench_verdict("Octave: omega against the exact element", difference[0], "<=", 1e-5);
  bench_verdict("Octave: zeta against the same", difference[1], "<=", 1e-2);
  double library = time_mode(ctx, system.structure, a);
  printf("  Octave: %.2f iterations per amplitude, judged from 11 of them\n",
         octave.iterations / AMPLITUDES);
  printf("  %-40s %16s %12s\n", "", "ms per amplitude", "whole, s");
  printf("  %-40s %16.3f %12.4f\n", "this library", 1e3 * library / AMPLITUDES, library);
  printf("  %-40s %16.3f %12.4f\n", "Octave", 1e3 * octave.seconds / AMPLITUDES, octave.seconds);
  bench_verdict("Octave over library", octave.seconds / library, ">=", 100.0);
  bench_system_destroy(&system);
}

/* ---- many modes ---- */

static void bench_modes(ms_context *ctx) {
  static const ptrdiff_t modes[3] = { 50, 500, 5000 };
  double t[3];
  ptrdiff_t unknowns[3];
  printf("\nChains with two joints: size, cost and the number of modes\n  %10s %14s %26s\n",
         "modes", "unknowns", "ms per residual, Jacobian");
  for (int i = 0; i < 3; i++) {
    bench_long_chain *chain = bench_long_create(ctx, modes[i]);
    ms_harmonic *harmonic = make_harmonic(ctx, bench_long_structure(chain));
    double a[AMPLITUDES], seconds;
    fill_amplitudes(bench_long_slip(chain), a);
    ms_harmonic_curve *curve = trace_mode(ctx, harmonic, a, &seconds);
    t[i] = time_residual(ctx, harmonic, curve, resonance(curve), 1);
    unknowns[i] = ms_harmonic_n_unknown(harmonic) + 4;
    printf("  %10td %14td %26.3f\n", modes[i], unknowns[i], 1e3 * t[i]);
    ms_harmonic_curve_destroy(&curve);
    ms_harmonic_destroy(&harmonic);
    bench_long_destroy(&chain);
  }
  bench_verdict("5000 modes over 50: size of the Newton system",
                (double)unknowns[2] / (double)unknowns[0], "<=", 1.0);
}

int main(int argc, char **argv) {
  ms_context *ctx;
  if (argc != 4 || ms_context_create(NULL, &ctx) != MS_SUCCESS) {
    fprintf(stderr, "usage: bench_harmonic octave_hb.m octave_epmc.m handover.txt\n");
    return 2;
  }
  bench_forced(ctx, argv[1], argv[3]);
  bench_mode(ctx, argv[2], argv[3]);
  bench_modes(ctx);
  ms_context_destroy(&ctx);
  return bench_finish();
}
