/* Calibration: backbones per second on one core and on two, a self-calibration by NSGA-II beside
   what one evaluation costs an Octave script, and ring-downs per second. Answers first. Usage:
   bench_calibrate octave_calibrate.m handover.txt

   p = F_S, K_T, chi, beta of both joints; q modal amplitude, omega and zeta at it. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <microslip/microslip.h>

#include "bench.h"
#include "handover.h"
#include "systems.h"

enum { LEVELS = 100, N_P = 4, JOINTS = 2 };

static const double truth[N_P] = { 4100.0, 1.9e8, -0.41, 2.7 };
static const double lower[N_P] = { 1300.0, 6.0e7, -0.85, 0.3 };
static const double upper[N_P] = { 13000.0, 6.0e8, -0.15, 24.0 };

static const char *const names[N_P] = { "F_S", "K_T", "chi", "beta" };

/* From [0, 1]; all but chi on logarithmic scales. */
static void unscale(const double *x, double *p) {
  for (int i = 0; i < N_P; i++) {
    p[i] = i == 2 ? lower[i] + (upper[i] - lower[i]) * x[i]
                  : lower[i] * pow(upper[i] / lower[i], x[i]);
  }
}

/* ---- one evaluator: a context, structure and model of its own ---- */

typedef struct evaluator {
  ms_context *ctx;
  bench_system system;
  double q[LEVELS];
  ms_calibration *on;
} evaluator;

/* The target is the model's own curve at the true parameters. */
static void make_calibration(evaluator *e, const ms_free_parameter *free) {
  const ms_curve_request curve = { 0, LEVELS, e->q };
  ms_backbone_model *model;
  ms_structure *structure = e->system.structure;
  bench_need(e->ctx, ms_backbone_model_create(structure, N_P, free, 1, &curve, &model));
  bench_need(e->ctx, ms_backbone_model_eval(model, truth, 0));
  const ms_curve_values v = ms_backbone_model_curve(model, 0);
  double omega[LEVELS], zeta[LEVELS];
  for (int i = 0; i < LEVELS; i++) omega[i] = v.omega[i], zeta[i] = v.zeta[i];
  ms_backbone_model_destroy(&model);
  const ms_target target = { .weight = { 1.0, 1.0 }, .n = LEVELS, .x = e->q, .y = { omega, zeta } };
  bench_need(e->ctx, ms_calibration_create(structure, N_P, free, 1, &target, &e->on));
}

static void open_evaluator(evaluator *e) {
  ms_parameter_place place[N_P][JOINTS];
  ms_free_parameter free[N_P];
  if (ms_context_create(NULL, &e->ctx) != MS_SUCCESS) bench_stop("no memory");
  e->system = bench_stack(e->ctx, bench_exact);
  const double full = bench_slip_amplitude(&e->system);
  bench_need(e->ctx, ms_quasistatic_space(e->ctx, 1e-3 * full, full, LEVELS, e->q));
  for (int i = 0; i < N_P; i++) {
    for (int j = 0; j < JOINTS; j++) place[i][j] = (ms_parameter_place) { j, 0, names[i] };
    free[i] = (ms_free_parameter) { names[i], JOINTS, place[i] };
  }
  make_calibration(e, free);
}

static void close_evaluator(evaluator *e) {
  ms_calibration_destroy(&e->on);
  bench_system_destroy(&e->system);
  ms_context_destroy(&e->ctx);
}

static ms_curve_values eval_curve(evaluator *e, const double *p) {
  double f[2];
  bench_need(e->ctx, ms_calibration_objectives(e->on, p, f));
  return ms_calibration_curve(e->on, 0);
}

/* ---- answers ---- */

enum { SETS = 6 };

/* Points of a box, the truth first. */
static void choose_sets(ptrdiff_t n, double *p) {
  ms_random random;
  double x[N_P];
  ms_random_start(&random, 11, 0);
  for (int i = 0; i < N_P; i++) p[i] = truth[i];
  for (ptrdiff_t k = 1; k < n; k++) {
    for (int i = 0; i < N_P; i++) x[i] = ms_random_uniform(&random);
    unscale(x, p + N_P * k);
  }
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Relative differences that nine of ten points stay below: where macroslip begins the curves have a
   corner, and between the two loads on either side of it Octave interpolates. Of zeta from the
   third of the amplitudes on: the loops of its first levels are made of too few. */
static void compare(evaluator *e, const double *p, const double *octave, double difference[2]) {
  enum { FIRST = LEVELS / 3, N = SETS * (LEVELS - FIRST) };
  static double omega[N], zeta[N];
  int n = 0;
  for (int k = 0; k < SETS; k++, octave += 2 * LEVELS) {
    const ms_curve_values v = eval_curve(e, p + N_P * k);
    for (ptrdiff_t i = FIRST; i < LEVELS; i++, n++) {
      omega[n] = fabs(octave[i] / v.omega[i] - 1.0);
      zeta[n] = fabs(octave[LEVELS + i] / v.zeta_joint[i] - 1.0);
    }
  }
  qsort(omega, N, sizeof *omega, by_size);
  qsort(zeta, N, sizeof *zeta, by_size);
  difference[0] = omega[N * 9 / 10];
  difference[1] = zeta[N * 9 / 10];
}

/* Returns Octave's seconds for one evaluation. */
static double ask_octave(evaluator *e, const char *script, const char *path) {
  double p[N_P * SETS], answer[1 + 2 * LEVELS * SETS], difference[2];
  choose_sets(SETS, p);
  bench_handover *to = bench_hand_open(path);
  bench_hand_structure(e->ctx, to, &e->system);
  bench_hand_matrix(to, "q", LEVELS, 1, e->q);
  bench_hand_matrix(to, "P", N_P, SETS, p);
  bench_hand_close(&to);
  bench_octave(script, path, 1 + 2 * LEVELS * SETS, answer);
  compare(e, p, answer + 1, difference);
  bench_verdict("Octave: omega, 6 sets of parameters, 9 of 10 points", difference[0], "<=", 1e-5);
  bench_verdict("Octave: zeta, the same", difference[1], "<=", 1e-2);
  return answer[0];
}

/* ---- backbones per second ---- */

enum { BACKBONES = 400, REPEATS = 200 };

typedef struct share {
  evaluator *e;
  const double *p;
  ptrdiff_t n;
} share;

static void *run_share(void *user) {
  const share *s = user;
  for (ptrdiff_t k = 0; k < s->n; k++) (void)eval_curve(s->e, s->p + N_P * k);
  return NULL;
}

/* Seconds by the clock on the wall for all backbones, shared by so many threads. */
static double time_backbones(evaluator *e, int threads, const double *p) {
  double best = HUGE_VAL;
  for (int r = 0; r < REPEATS; r++) {
    pthread_t thread[2];
    share s[2];
    const bench_clock start = bench_clock_read();
    for (int i = 0; i < threads; i++) {
      const ptrdiff_t n = BACKBONES / threads;
      s[i] = (share) { &e[i], p + N_P * n * i, n };
      if (pthread_create(&thread[i], NULL, run_share, &s[i]) != 0) bench_stop("no thread");
    }
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    best = fmin(best, bench_clock_read().wall - start.wall);
  }
  return best;
}

static void bench_backbones(evaluator e[2]) {
  double p[N_P * BACKBONES], t[2];
  choose_sets(BACKBONES, p);
  for (int i = 0; i < 2; i++) t[i] = time_backbones(e, i + 1, p);
  printf("  backbones per second: %.0f on one core, %.0f on two\n", BACKBONES / t[0],
         BACKBONES / t[1]);
  bench_verdict("two cores over one", t[0] / t[1], ">=", 1.8);
}

/* ---- self-calibration ---- */

enum { POINTS = 100, GENERATIONS = 100 };

static ms_status eval_points(void *user, ptrdiff_t n, const double *x, double *f, double *v) {
  for (ptrdiff_t i = 0; i < n; i++) {
    double p[N_P];
    unscale(x + N_P * i, p);
    const ms_status status = ms_calibration_objectives(user, p, f + 2 * i);
    v[i] = status == MS_NOT_CONVERGED;
    if (status != MS_SUCCESS && status != MS_NOT_CONVERGED) return status;
  }
  return MS_SUCCESS;
}

/* Largest relative differences of the knee's curves from the target. */
static void judge_knee(evaluator *e, const ms_pareto_points *points, double difference[2]) {
  double p[N_P];
  const ptrdiff_t knee = ms_pareto_knee(points->n, 2, points->f, points->rank);
  unscale(points->x + N_P * knee, p);
  const ms_curve_values v = eval_curve(e, p);
  const ms_target_view target = ms_calibration_view(e->on, 0);
  difference[0] = difference[1] = 0.0;
  for (ptrdiff_t i = 0; i < LEVELS; i++) {
    difference[0] = fmax(difference[0], fabs(v.omega[i] / target.target[0][i] - 1.0));
    difference[1] = fmax(difference[1], fabs(v.zeta[i] / target.target[1][i] - 1.0));
  }
}

static void bench_search(evaluator *e, double octave) {
  static const double zero[N_P] = { 0.0, 0.0, 0.0, 0.0 }, one[N_P] = { 1.0, 1.0, 1.0, 1.0 };
  const ms_pareto_problem problem = { N_P, 2, zero, one, eval_points, e->on };
  ms_nsga2 *search;
  double difference[2];
  const bench_clock start = bench_clock_read();
  bench_need(e->ctx, ms_nsga2_create(e->ctx, &problem, NULL, &search));
  for (int g = 0; g < GENERATIONS; g++) bench_need(e->ctx, ms_nsga2_step(search));
  const double seconds = bench_clock_since(start), n = (double)ms_nsga2_evaluations(search);
  const ms_pareto_points points = ms_nsga2_points(search);
  judge_knee(e, &points, difference);
  ms_nsga2_destroy(&search);
  printf(
      "\nSelf-calibration: NSGA-II, %d points, %d generations, one core: %.0f evaluations in %.2f "
      "s\n",
      POINTS, GENERATIONS, n, seconds);
  bench_verdict("knee: omega", difference[0], "<=", 1e-3);
  bench_verdict("knee: zeta", difference[1], "<=", 1e-2);
  printf("  %-54s %12s\n", "", "ms");
  printf("  %-54s %12.4f\n", "this library, one evaluation, search included", 1e3 * seconds / n);
  printf("  %-54s %12.4f\n", "Octave, one evaluation, no search", 1e3 * octave);
  printf("  (Octave: %.0f s for as many)\n", n * octave);
  bench_verdict("Octave over library", octave * n / seconds, ">=", 500.0);
}

/* ---- time records ---- */

enum { STEPS = 6000, RECORDS = 20 };

typedef struct record {
  double p, omega, dt;
  double v[STEPS + 1];
  ptrdiff_t n;
} record;

/* Half a sine in the mode's own shape. */
static double push(void *user, double t) {
  const record *r = user;
  return r->p * sin(r->omega * t);
}

static int keep(void *user, const ms_transient *run) {
  record *r = user;
  const double *v;
  ms_transient_get_modal(run, NULL, &v, NULL);
  r->v[r->n++] = v[0];
  return 0;
}

static ms_transient *make_run(evaluator *e, record *r) {
  enum { N = 50 };
  const double *M = ms_structure_get_mass(e->system.structure);
  const ms_modes modes = ms_structure_get_stuck(e->system.structure);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run;
  double b[N];
  const double pi = acos(-1.0);
  r->omega = modes.omega[0];
  r->dt = setting.step = 3e-5;
  r->p = 2.0 * r->omega * r->omega * e->q[LEVELS - 1] / pi; /* to the highest amplitude */
  for (int i = 0; i < N; i++) b[i] = M[i + N * i] * modes.shape[i];
  bench_need(e->ctx, ms_transient_create(e->system.structure, &setting, &run));
  bench_need(e->ctx, ms_transient_add_load(run, b, push, r, pi / r->omega));
  return run;
}

/* From a fresh structure to a table of frequency and damping. */
static ms_decay ring(evaluator *e, ms_transient *run, record *r) {
  ms_hilbert_settings settings = MS_HILBERT_DEFAULT;
  ms_decay decay;
  r->n = 0;
  settings.start = acos(-1.0) / r->omega;
  bench_need(e->ctx, ms_transient_start(run, 0.0, NULL, NULL));
  bench_need(e->ctx, ms_transient_run(run, STEPS, 1, keep, r));
  const ms_signal signal = { .x = r->v, .n = r->n, .dt = r->dt, .kind = MS_SIGNAL_VELOCITY };
  bench_need(e->ctx, ms_signal_hilbert(e->ctx, &signal, &settings, &decay));
  return decay;
}

/* Interpolated in the quasi-static curve; the ends of a Hilbert transform are left out. */
static void judge_decay(const ms_curve_values *v, const ms_decay *decay, double difference[2]) {
  difference[0] = difference[1] = 0.0;
  for (ptrdiff_t k = 2; k + 2 < decay->n; k++) {
    const ms_decay_point *d = &decay->point[k];
    ptrdiff_t i = 1;
    while (i + 1 < v->n && v->q[i] < d->q) i++;
    const double s = (d->q - v->q[i - 1]) / (v->q[i] - v->q[i - 1]);
    const double omega = v->omega[i - 1] + s * (v->omega[i] - v->omega[i - 1]);
    const double zeta = v->zeta[i - 1] + s * (v->zeta[i] - v->zeta[i - 1]);
    difference[0] = fmax(difference[0], fabs(d->omega / omega - 1.0));
    difference[1] = fmax(difference[1], fabs(d->zeta / zeta - 1.0));
  }
}

static void bench_records(evaluator *e) {
  static record r;
  double best = HUGE_VAL, difference[2];
  double p[N_P];
  for (int i = 0; i < N_P; i++) p[i] = truth[i];
  const ms_curve_values v = eval_curve(e, p);
  ms_transient *run = make_run(e, &r);
  ms_decay decay = { 0 };
  for (int k = 0; k < RECORDS; k++) {
    ms_decay_free(e->ctx, &decay);
    const bench_clock start = bench_clock_read();
    decay = ring(e, run, &r);
    best = fmin(best, bench_clock_since(start));
  }
  judge_decay(&v, &decay, difference);
  printf("\nRing-downs of the same structure: %d steps, processed to %td rows\n", STEPS, decay.n);
  bench_verdict("omega against the quasi-static curve", difference[0], "<=", 2e-3);
  bench_verdict("zeta against the quasi-static curve", difference[1], "<=", 6e-2);
  printf("  records per second: %.0f on one core\n", 1.0 / best);
  ms_decay_free(e->ctx, &decay);
  ms_transient_destroy(&run);
}

int main(int argc, char **argv) {
  evaluator e[2];
  if (argc != 3) {
    fprintf(stderr, "usage: bench_calibrate octave_calibrate.m handover.txt\n");
    return 2;
  }
  for (int i = 0; i < 2; i++) open_evaluator(&e[i]);
  printf("\n50 masses, two joints: frequency and damping of a mode at %d amplitudes\n", LEVELS);
  const double octave = ask_octave(&e[0], argv[1], argv[2]);
  bench_backbones(e);
  bench_search(&e[0], octave);
  bench_records(&e[0]);
  for (int i = 0; i < 2; i++) close_evaluator(&e[i]);
  return bench_finish();
}
