/* The rod of n masses on a frictional foundation (docs/theory/rod.md): steps and time that the work
   of friction in a cycle costs by Moreau's time stepping, by Runge-Kutta with a friction that
   sticks, and by Runge-Kutta with the step of Quinn and Segalman, J. Appl. Mech. 72 (2005) 778,
   0.001/n. The fewest steps for 1e-4 are looked for here, by halving.

   psi = 1.5 sqrt(x), F = alpha sin(omega t), alpha = omega = 0.25, sixth cycle from rest. */
#include <math.h>
#include <microslip/rod.h>
#include <stdio.h>

#include "bench.h"

#define PI     3.14159265358979323846
#define ALPHA  0.25
#define OMEGA  0.25
#define WITHIN 1e-4 /* error of the work that is asked for */

enum { CYCLES = 6, BISECTIONS = 4, REPEATS = 5, SHARE = 1000 };

typedef struct rod_case {
  ptrdiff_t n;
  double work; /* of the sixth cycle, computed with a program of its own, converged as printed */
  long finest; /* steps in a cycle where the search begins */
  int share;   /* of a run with the paper's step, 1/share is run; above 1 it has no work */
} rod_case;
static const rod_case cases[] = {
  { 4, -0.0163076, 64000, 1 },
  { 32, -0.0150919, 128000, 1 },
  { 256, -0.0150665, 32000, SHARE },
};

typedef struct rod_run {
  long steps; /* in a cycle */
  double work, error, residual, seconds;
} rod_run;

static void march(ms_context *ctx, ms_rod_chain *chain, long steps, long first, long end) {
  for (long i = first; i < end; i++) {
    double F[3];
    for (int k = 0; k < 3; k++) {
      F[k] = ALPHA * sin(2.0 * PI * ((double)i + 0.5 * k) / (double)steps);
    }
    bench_need(ctx, ms_rod_chain_step(chain, F));
  }
}

/* Friction by the ramp is whole at the velocity that it takes away in a step: a steeper ramp would
   be at the edge of what Runge-Kutta carries. */
static rod_run run(ms_context *ctx, const ms_pressure *p, const rod_case *c, ms_rod_method method,
                   long steps, int share) {
  const double h = 2.0 * PI / OMEGA / (double)steps;
  ms_rod_chain_setting set = { .size = sizeof(ms_rod_chain_setting),
                               .n = c->n,
                               .method = method,
                               .step = h,
                               .ramp = ms_pressure_psi(p, 1.0) * h };
  ms_rod_chain *chain = NULL;
  bench_need(ctx, ms_rod_chain_create(ctx, p, &set, &chain));
  bench_clock clock = bench_clock_read();
  march(ctx, chain, steps, 0, (CYCLES - 1) * steps / share);
  double before = ms_rod_chain_get(chain).work;
  march(ctx, chain, steps, (CYCLES - 1) * steps / share, CYCLES * steps / share);
  rod_run r = { .steps = steps, .seconds = share * bench_clock_since(clock) };
  r.work = ms_rod_chain_get(chain).work - before;
  r.residual = ms_rod_chain_get(chain).residual;
  r.error = fabs(r.work / c->work - 1.0);
  ms_rod_chain_destroy(&chain);
  return r;
}

/* The fewest steps whose work, and that of all finer ones that were tried, is within WITHIN. */
static rod_run fewest(ms_context *ctx, const ms_pressure *p, const rod_case *c,
                      ms_rod_method method) {
  rod_run good = run(ctx, p, c, method, c->finest, 1), next = good;
  while (next.error <= WITHIN && next.steps > 2) {
    good = next;
    next = run(ctx, p, c, method, good.steps / 2, 1);
  }
  for (long low = next.steps, i = 0; i < BISECTIONS; i++) {
    next = run(ctx, p, c, method, (long)sqrt((double)low * (double)good.steps), 1);
    if (next.error <= WITHIN) good = next;
    if (next.error > WITHIN) low = next.steps;
  }
  for (int i = 1; i < REPEATS; i++) {
    good.seconds = fmin(good.seconds, run(ctx, p, c, method, good.steps, 1).seconds);
  }
  return good;
}

static void print_run(const char *name, const rod_run *r, const rod_run *moreau, int whole) {
  printf("  %-36s %9ld %10.4f", name, r->steps, r->seconds);
  if (whole) printf(" %12.7f %9.1e", r->work, r->error);
  if (!whole) printf(" %12s %9s", "-", "-");
  printf(" %9.2f %9.2f\n", (double)r->steps / (double)moreau->steps, r->seconds / moreau->seconds);
}

/* Clocks do not tell a quarter from nothing. */
static void print_judgement(double ratio) {
  const char *word = ratio > 1.25  ? "less time than"
                     : ratio < 0.8 ? "more time than"
                                   : "as long as";
  printf("  Moreau takes %s Runge-Kutta that sticks (1 : %.2f)\n", word, ratio);
}

static void compare(ms_context *ctx, const ms_pressure *p, const rod_case *c) {
  const long paper = lround(2.0 * PI / OMEGA * 1000.0 * (double)c->n);
  const int whole = c->share == 1;
  rod_run moreau = fewest(ctx, p, c, MS_ROD_MOREAU), sticky = fewest(ctx, p, c, MS_ROD_STICKY);
  rod_run printed = run(ctx, p, c, MS_ROD_STICKY, paper, c->share);
  rod_run ramp = run(ctx, p, c, MS_ROD_RAMP, paper, c->share);
  printf("\n%td masses, reference %.7f\n", c->n, c->work);
  printf("  %-36s %9s %10s %12s %9s %9s %9s\n", "", "steps", "seconds", "work", "error", "steps*",
         "time*");
  print_run("Moreau", &moreau, &moreau, 1);
  print_run("Runge-Kutta, sticks", &sticky, &moreau, 1);
  print_run("the same, the paper's step", &printed, &moreau, whole);
  print_run("Runge-Kutta, ramp, the paper's step", &ramp, &moreau, whole);
  bench_verdict("Moreau: error of the work", moreau.error, "<=", WITHIN);
  bench_verdict("Moreau: residual", moreau.residual, "<=", 1e-10);
  bench_verdict("Runge-Kutta that sticks: error of the work", sticky.error, "<=", WITHIN);
  if (whole) {
    bench_verdict("the same with the paper's step", printed.error, "<=", WITHIN);
  }
  print_judgement(sticky.seconds / moreau.seconds);
}

int main(void) {
  ms_context *ctx = NULL;
  ms_pressure *p = NULL;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  bench_need(ctx, ms_pressure_create_power(ctx, 1.5, &p));
  printf(
      "Rod on a frictional foundation: the fewest steps in a cycle for %g of the work, and the\n"
      "paper's step. Seconds for six cycles; * over Moreau's. - : 1/%d was run and timed.\n",
      WITHIN, SHARE);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) compare(ctx, p, &cases[i]);
  ms_pressure_destroy(&p);
  ms_context_destroy(&ctx);
  return bench_finish();
}
