/* Large models of finite elements: answers first, then times and memory.
   Usage: bench_fem bar                 a free bar of 306,000 unknowns by a factor
          bench_fem alone FILE          modes by multigrid on one process, into FILE
          bench_fem together FILE       the same under mpirun, beside FILE
          bench_fem ministack [COARSE]  406,720 elements by multigrid, under mpirun or not */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "bench.h"
#include "fem_models.h"

#define PI 3.14159265358979323846

enum { BAR_MODES = 30, STACK_MODES = 20 };

static ms_communicator world;

/* ---- clocks and memory, of all processes together ---- */

typedef struct stamp {
  double wall, processor;
} stamp;

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static stamp now(void) {
  return (stamp) { read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID) };
}

static double total(double value) {
  if (world.sum(world.self, &value, 1) != MS_SUCCESS) bench_stop("a sum over processes failed");
  return value;
}

/* Seconds of the wall since. */
static double tell(const char *what, stamp since) {
  stamp t = now();
  double processor = total(t.processor - since.processor), wall = t.wall - since.wall;
  printf("  %-52s %9.1f s, %9.1f s of processors\n", what, wall, processor);
  fflush(stdout);
  return wall;
}

static double peak_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return total(1024.0 * (double)usage.ru_maxrss) / 1073741824.0; /* GiB */
}

/* ---- answers ---- */

static double worst_residual(const ms_fem_modes *modes) {
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < modes->n; i++) worst = fmax(worst, modes->residual[i]);
  return worst;
}

/* The relative distance of the nearest frequency. */
static double nearest(const ms_fem_modes *modes, double freq_hz) {
  double best = HUGE_VAL;
  for (ptrdiff_t i = 0; i < modes->n; i++) {
    best = fmin(best, fabs(modes->omega[i] / (2.0 * PI * freq_hz) - 1.0));
  }
  return best;
}

static void print_size(const bench_fem *fem) {
  printf("  %td elements, %td unknowns; %s\n", ms_mesh_count_elements(fem->mesh),
         ms_fem_count_unknowns(fem->model), ms_fem_engine());
}

/* ---- a free bar ---- */

/* The first longitudinal mode of a free bar, with Love's correction for lateral inertia. */
static double longitudinal(double L, double r_squared, double E, double nu, double rho) {
  double c = sqrt(E / rho), k = PI / L;
  return c / (2.0 * L) * (1.0 - nu * nu * k * k * r_squared / 2.0);
}

static void bench_free(ms_context *ctx) {
  const int n[3] = { 150, 26, 24 };
  double r_squared = (0.17 * 0.17 + 0.13 * 0.13) / 12.0;
  ms_fem_modes modes;
  printf("A free bar, 1 x 0.17 x 0.13 m, hex8: %d modes, the six rigid ones among them\n",
         (int)BAR_MODES);
  stamp start = now();
  bench_fem fem = bench_bar(ctx, n, NULL);
  print_size(&fem);
  tell("mesh and matrices", start);
  start = now();
  bench_need(ctx, ms_fem_find_modes(fem.model, BAR_MODES, 0.0, &modes));
  printf("  %s\n", ms_fem_get_line(fem.model));
  tell("modes, and the count that proves them", start);
  bench_verdict("unknowns", (double)ms_fem_count_unknowns(fem.model), ">=", 300000.0);
  bench_verdict("rigid-body motions missed of 6", fabs((double)modes.n_rigid - 6.0), "<=", 0.0);
  bench_verdict("largest residual", worst_residual(&modes), "<=", 1e-8);
  ptrdiff_t below = 0;
  while (below < modes.n && modes.omega[below] < modes.omega_count) below++;
  bench_verdict("modes found less those of the Sturm count",
                fabs((double)below - (double)modes.n_below), "<=", 0.0);
  bench_verdict("first longitudinal mode against Love's bar, relative",
                nearest(&modes, longitudinal(1.0, r_squared, 71e9, 0.33, 2700.0)), "<=", 1e-3);
  printf("  %-66s %10.4g\n", "peak memory, GiB", peak_memory());
  ms_fem_modes_free(ctx, &modes);
  bench_fem_destroy(&fem);
}

/* ---- one process and several ---- */

static double run_modes(ms_context *ctx, double *omega) {
  ms_fem_settings settings = ms_fem_defaults();
  ms_fem_modes modes;
  settings.route = MS_FEM_MULTIGRID;
  stamp start = now();
  bench_fem fem = bench_ministack(ctx, 2, &settings);
  print_size(&fem);
  bench_need(ctx, ms_fem_find_modes(fem.model, STACK_MODES, 0.0, &modes));
  printf("  %s\n", ms_fem_get_line(fem.model));
  double seconds = tell("matrices and modes", start);
  memcpy(omega, modes.omega, STACK_MODES * sizeof *omega);
  bench_verdict("largest residual", worst_residual(&modes), "<=", 1e-8);
  ms_fem_modes_free(ctx, &modes);
  bench_fem_destroy(&fem);
  return seconds;
}

static void bench_alone(ms_context *ctx, const char *path) {
  double omega[STACK_MODES];
  printf("\nThe Ministack at half the fineness, %d modes by multigrid, one process\n",
         (int)STACK_MODES);
  double seconds = run_modes(ctx, omega);
  FILE *file = fopen(path, "w");
  if (!file) bench_stop("the file for frequencies cannot be written");
  fprintf(file, "%.17g\n", seconds);
  for (int i = 0; i < STACK_MODES; i++) fprintf(file, "%.17g\n", omega[i]);
  if (fclose(file) != 0) bench_stop("the file for frequencies cannot be written");
}

static void bench_together(ms_context *ctx, const char *path) {
  double omega[STACK_MODES], other[1 + STACK_MODES], worst = 0.0;
  FILE *file = fopen(path, "r");
  for (int i = 0; i < 1 + STACK_MODES; i++) {
    if (!file || fscanf(file, "%lf", &other[i]) != 1) bench_stop("no frequencies to compare with");
  }
  fclose(file);
  printf("\nThe same on %d processes\n", world.size);
  double seconds = run_modes(ctx, omega);
  for (int i = 0; i < STACK_MODES; i++) worst = fmax(worst, fabs(omega[i] / other[1 + i] - 1.0));
  bench_verdict("frequencies against one process, relative", worst, "<=", 1e-9);
  printf("  %-66s %10.4g\n", "one process over several, wall", other[0] / seconds);
}

/* ---- the Ministack ---- */

/* A force on the slug along the axis; its displacement there. */
static double push(ms_context *ctx, const bench_fem *fem, ptrdiff_t at, double force) {
  ptrdiff_t n = ms_fem_get_size(fem->model);
  double *f = NULL, *u = NULL;
  bench_need(ctx, ms_allocate(ctx, n, sizeof *f, &f));
  bench_need(ctx, ms_allocate(ctx, n, sizeof *u, &u));
  f[at] = force;
  bench_need(ctx, ms_fem_solve(fem->model, 1, f, u));
  printf("  %s\n", ms_fem_get_line(fem->model));
  double moved = u[at];
  ms_free(ctx, &f);
  ms_free(ctx, &u);
  return moved;
}

/* What the modes have of that displacement. */
static double modal_sum(const bench_fem *fem, const ms_fem_modes *modes, ptrdiff_t at,
                        double force) {
  double sum = 0.0;
  for (ptrdiff_t r = 0; r < modes->n; r++) {
    double phi = modes->shape[at + ms_fem_get_size(fem->model) * r];
    sum += phi * phi * force / (modes->omega[r] * modes->omega[r]);
  }
  return sum;
}

static void bench_stack(ms_context *ctx, int coarse) {
  ms_fem_settings settings = ms_fem_defaults();
  ms_fem_modes modes;
  const double force = 1234.5;
  settings.route = MS_FEM_MULTIGRID;
  printf("\nThe Ministack%s: a static solution and %d modes by multigrid\n",
         coarse > 1 ? ", coarser" : "", (int)STACK_MODES);
  stamp start = now(), whole = start;
  bench_fem fem = bench_ministack(ctx, coarse, &settings);
  print_size(&fem);
  tell("mesh and matrices", start);
  /* the first spider, behind the nodes of the mesh, is the slug's */
  ptrdiff_t at = ms_fem_get_index(fem.model, ms_mesh_count_nodes(fem.mesh), 2);
  start = now();
  double moved = push(ctx, &fem, at, force);
  tell("static solution", start);
  start = now();
  bench_need(ctx, ms_fem_find_modes(fem.model, STACK_MODES, 0.0, &modes));
  printf("  %s\n", ms_fem_get_line(fem.model));
  tell("modes", start);
  tell("all", whole);
  for (ptrdiff_t i = 0; i < modes.n; i++) {
    printf("  %2td %12.4f Hz, residual %.1e\n", i + 1, modes.omega[i] / (2.0 * PI),
           modes.residual[i]);
  }
  double part = modal_sum(&fem, &modes, at, force) / moved;
  bench_verdict("largest residual", worst_residual(&modes), "<=", 1e-8);
  bench_verdict("axial mode of the slug against 2171 Hz, relative", nearest(&modes, 2171.0),
                "<=", 1e-2);
  bench_verdict("static displacement: share of the modes", part, "<=", 1.0);
  bench_verdict("the same", part, ">=", 0.95);
  bench_verdict("peak memory of all processes, GiB", peak_memory(), "<=", 20.0);
  ms_fem_modes_free(ctx, &modes);
  bench_fem_destroy(&fem);
}

int main(int argc, char **argv) {
  ms_context *ctx;
  if (argc < 2 || ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  bench_need(ctx, ms_fem_start(ctx, &world));
  if (world.rank > 0 && !freopen("/dev/null", "w", stdout)) return 2; /* the first one speaks */
  if (strcmp(argv[1], "bar") == 0) {
    bench_free(ctx);
  } else if (strcmp(argv[1], "alone") == 0 && argc == 3) {
    bench_alone(ctx, argv[2]);
  } else if (strcmp(argv[1], "together") == 0 && argc == 3) {
    bench_together(ctx, argv[2]);
  } else if (strcmp(argv[1], "ministack") == 0) {
    bench_stack(ctx, argc > 2 ? atoi(argv[2]) : 1);
  } else {
    fprintf(stderr, "usage: bench_fem bar | alone FILE | together FILE | ministack [COARSE]\n");
    return 2;
  }
  ms_context_destroy(&ctx);
  return bench_finish();
}
