/* The exact four-parameter Iwan element beside sliders: answers first, then times, in one run.
   Usage: bench_joint octave_sliders.m */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/microslip.h>

#include "bench.h"
#include "textbook_sliders.h"

#define F_S     10.0
#define PHI_MAX 11.25
enum { STEPS = 400000, OCTAVE_STEPS = 20000, CHECK_STEPS = 20000, REPEATS = 20 };

static ms_joint *make_joint(ms_context *ctx, double merge_tolerance) {
  ms_joint *j;
  bench_need(ctx, ms_joint_create(ctx, "iwan4", &j));
  bench_need(ctx, ms_joint_set(j, "F_S", F_S));
  bench_need(ctx, ms_joint_set(j, "K_T", 1.0));
  bench_need(ctx, ms_joint_set(j, "chi", -0.5));
  bench_need(ctx, ms_joint_set(j, "beta", 5.0));
  bench_need(ctx, ms_joint_set(j, "merge_tolerance", merge_tolerance));
  bench_need(ctx, ms_joint_setup(j));
  return j;
}

/* From macroslip down: about 4400 reversals in 400000 steps. */
static double ringdown(long i) {
  return 1.25 * PHI_MAX * exp(-2e-5 * (double)i) * cos(2.0 * acos(-1.0) * (double)i / 180.0);
}

static double step_exact(ms_joint *j, double u, double *slope) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  if (ms_joint_step(j, &in, &out) != MS_SUCCESS) exit(1);
  *slope = out.du[0];
  return out.force[0];
}

/* ---- answers ---- */

/* Largest force difference of n uniform sliders from the exact element, of F_S. */
static double slider_error(ms_joint *j, int n, double R, double S) {
  textbook t = textbook_create(n, R, S, -0.5, PHI_MAX);
  double worst = 0.0, slope;
  if (ms_joint_start(j, NULL) != MS_SUCCESS) exit(1);
  for (int i = 0; i < CHECK_STEPS; i++) {
    double u = ringdown(i);
    worst = fmax(worst, fabs(textbook_step(&t, u, &slope) - step_exact(j, u, &slope)));
  }
  textbook_destroy(&t);
  return worst / F_S;
}

static int count_for(ms_joint *j, double R, double S, double error) {
  int low = 200, high = 400;
  while (slider_error(j, high, R, S) > error) low = high, high *= 2;
  while (high - low > 10) {
    int middle = (low + high) / 2;
    if (slider_error(j, middle, R, S) > error)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Loss per cycle at small amplitude: what uniform sliders make of it. */
static double slider_loss(int n, double R, double S, double amplitude) {
  textbook t = textbook_create(n, R, S, -0.5, PHI_MAX);
  double area = 0.0, F_old = 0.0, u_old = 0.0, slope;
  enum { POINTS = 20000 };
  for (int i = 0; i <= 2 * POINTS; i++) {
    double u = amplitude * cos(2.0 * acos(-1.0) * (i % POINTS) / POINTS);
    double F = textbook_step(&t, u, &slope);
    if (i > POINTS) area += 0.5 * (F + F_old) * (u - u_old);
    F_old = F, u_old = u;
  }
  textbook_destroy(&t);
  return area;
}

static void check_answers(ms_context *ctx, ms_joint *j, double R, double S) {
  ms_joint_cycle c;
  double worst = 0.0;
  for (int i = 0; i < 26; i++) {
    bench_need(
        ctx, ms_joint_run_cycle(j, PHI_MAX * pow(10.0, -4.0 + 0.2 * i), 0.0, 200, NULL, NULL, &c));
    worst = fmax(worst, fabs(c.D / c.D_closed_form - 1.0));
  }
  bench_verdict("exact: dissipation against the closed form, relative", worst, "<=", 1e-9);
  bench_verdict("exact: force against 100,000 uniform sliders, of F_S",
                slider_error(j, 100000, R, S), "<=", 1e-6);
  bench_need(ctx, ms_joint_run_cycle(j, PHI_MAX / 200.0, 0.0, 200, NULL, NULL, &c));
  double loss = slider_loss(200, R, S, PHI_MAX / 200.0);
  printf(
      "  200 uniform sliders: force wrong by %.2g of F_S, dissipation at phi_max/200 by %+.0f %%\n",
      slider_error(j, 200, R, S), 100.0 * (loss / c.D_closed_form - 1.0));
}

/* ---- times ---- */

static double time_exact(ms_joint *j, const double *u, double *sum) {
  double best = HUGE_VAL;
  for (int r = 0; r < REPEATS; r++) {
    double slope;
    if (ms_joint_start(j, NULL) != MS_SUCCESS) exit(1);
    *sum = 0.0;
    bench_clock start = bench_clock_read();
    for (int i = 0; i < STEPS; i++) *sum += step_exact(j, u[i], &slope) + slope;
    best = fmin(best, bench_clock_since(start) / STEPS);
  }
  return best;
}

static double time_textbook(int n, double R, double S, const double *u, double *sum, double *slopes,
                            int steps) {
  textbook t = textbook_create(n, R, S, -0.5, PHI_MAX);
  double best = HUGE_VAL;
  for (int r = 0; r < REPEATS; r++) {
    double slope;
    textbook_start(&t);
    *sum = *slopes = 0.0;
    bench_clock start = bench_clock_read();
    for (int i = 0; i < steps; i++) {
      *sum += textbook_step(&t, u[i], &slope);
      *slopes += slope;
    }
    best = fmin(best, bench_clock_since(start) / steps);
  }
  textbook_destroy(&t);
  return best;
}

/* Seconds per step of the Octave script; its answers must be those of the textbook sliders. */
static double time_octave(const char *script, double sum, double slopes) {
  char steps[16];
  double answer[3]; /* seconds, sum of forces, sum of slopes */
  snprintf(steps, sizeof steps, "%d", OCTAVE_STEPS);
  bench_octave(script, steps, 3, answer);
  bench_verdict("Octave: sum of forces against the textbook sliders, relative",
                fabs(answer[1] / sum - 1.0), "<=", 1e-9);
  bench_verdict("Octave: sum of slopes against the textbook sliders, relative",
                fabs(answer[2] / slopes - 1.0), "<=", 1e-6);
  return answer[0];
}

/* ---- many reversals ---- */

enum { PER_HALF_CYCLE = 20 };

/* A ring-down of `total` reversals in steps; ns per step over the reversals [from, to). */
static double time_reversals(ms_joint *j, long from, long to, long total) {
  bench_clock start = bench_clock_read();
  double slope;
  for (long i = from; i < to; i++) {
    double a = 0.97 * PHI_MAX * (1.0 - (double)i / (double)(total + total / 100));
    for (int s = 1; s <= PER_HALF_CYCLE; s++) {
      double turn = -cos(acos(-1.0) * s / PER_HALF_CYCLE);
      step_exact(j, (i % 2 ? -a : a) * turn, &slope);
    }
  }
  return bench_clock_since(start) / (double)((to - from) * PER_HALF_CYCLE);
}

static void bench_reversals(ms_context *ctx, double tolerance, const char *title) {
  enum { TOTAL = 1000000, N = 5 };
  static const long mark[N + 1] = { 0, 1000, 10000, 100000, 500000, TOTAL };
  ms_joint *j = make_joint(ctx, tolerance);
  ms_joint_memory m;
  double low = HUGE_VAL, high = 0.0;
  printf("\n%s\n  %12s %10s %12s %12s %14s\n", title, "reversals", "ns/step", "remembered", "MB",
         "error/F_S");
  for (int i = 0; i < N; i++) {
    double t = time_reversals(j, mark[i], mark[i + 1], TOTAL);
    bench_need(ctx, ms_joint_get_memory(j, &m));
    printf("  %12ld %10.1f %12td %12.2f %14.2g\n", mark[i + 1], 1e9 * t, m.depth,
           (double)m.bytes / 1e6, m.merge_error / F_S);
    low = fmin(low, t), high = fmax(high, t);
  }
  bench_verdict("slowest over fastest", high / low, "<=", 2.0);
  if (tolerance > 0.0)
    bench_verdict("force error bound, of F_S", m.merge_error / F_S, "<=", tolerance);
  ms_joint_destroy(&j);
}

int main(int argc, char **argv) {
  ms_context *ctx;
  if (argc != 2 || ms_context_create(NULL, &ctx) != MS_SUCCESS) {
    fprintf(stderr, "usage: bench_joint octave_sliders.m\n");
    return 2;
  }
  ms_joint *j = make_joint(ctx, 1e-12);
  double R, S, *u = malloc(STEPS * sizeof *u), sum, slopes;
  if (!u) return 1;
  for (int i = 0; i < STEPS; i++) u[i] = ringdown(i);
  bench_need(ctx, ms_joint_get(j, "R", &R));
  bench_need(ctx, ms_joint_get(j, "S", &S));

  printf("Answers\n");
  check_answers(ctx, j, R, S);
  int fine = count_for(j, R, S, 1e-6);
  printf("  uniform sliders that keep the force within 1e-6 of F_S: %d\n", fine);
  time_textbook(200, R, S, u, &sum, &slopes, OCTAVE_STEPS);
  double octave = time_octave(argv[1], sum, slopes);

  printf("\nTimes, ns per step (force, slope, accepted state) on a ring-down of %d steps\n", STEPS);
  printf("  sliders: %s, %s; library: %s\n", textbook_instructions(), textbook_flags(),
         MS_LIBRARY_FLAGS);
  double exact = time_exact(j, u, &sum);
  double coarse = time_textbook(200, R, S, u, &sum, &slopes, STEPS / 4);
  double equal = time_textbook(fine, R, S, u, &sum, &slopes, STEPS / 4);
  printf("  %-44s %12.1f\n", "exact, this library", 1e9 * exact);
  printf("  %-44s %12.1f\n", "200 uniform sliders, vectorised C", 1e9 * coarse);
  printf("  %-38s%6d %12.1f\n", "uniform sliders of 1e-6 accuracy:", fine, 1e9 * equal);
  printf("  %-44s %12.1f\n", "200 uniform sliders, Octave", 1e9 * octave);
  bench_verdict("200 sliders over exact", coarse / exact, ">=", 1.0);
  bench_verdict("sliders of 1e-6 accuracy over exact", equal / exact, ">=", 10.0);
  bench_verdict("Octave over exact", octave / exact, ">=", 200.0);

  bench_reversals(ctx, 0.0, "Remembering a million reversals, no merging");
  bench_reversals(ctx, 1e-12, "The same, merged to 1e-12 of F_S (the default)");

  free(u);
  ms_joint_destroy(&j);
  ms_context_destroy(&ctx);
  return bench_finish();
}
