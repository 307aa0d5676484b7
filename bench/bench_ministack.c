/* The reduced Ministack of examples/ministack: a shock of 50 ms, a sweep of 3 s and a quasi-static
   curve of 200 levels, beside the times that SAND2017-10517 (section 5.2) gives for the same with
   MATLAB: answers first, then times. Usage: bench_ministack reduced.h5 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/microslip.h>

#include "bench.h"

enum { MAX = 64, LEVELS = 200, SHOCK = 5000, SWEEP = 300000 };

#define G    9.80665
#define STEP 1e-5

typedef struct stack {
  ms_structure *structure;
  double shape[MAX]; /* force of a base that accelerates by 1 along z */
  ptrdiff_t slug;    /* the coordinate slug.uz */
} stack;

/* ---- the model ---- */

static ptrdiff_t find(ms_context *ctx, const ms_structure *s, const char *node, const char *what) {
  char name[48];
  ptrdiff_t i;
  snprintf(name, sizeof name, "%s.%s", node, what);
  bench_need(ctx, ms_structure_find(s, name, &i));
  return i;
}

/* Stiff springs in five directions, as in the study, and the Iwan element of Table 4 along z. */
static void connect(ms_context *ctx, ms_structure *s, const char *a, const char *b) {
  static const struct spring {
    const char *direction;
    double K;
  } spring[] = {
    { "ux", 1.78e10 }, { "uy", 1.78e10 }, { "rx", 1.78e7 }, { "ry", 1.78e7 }, { "rz", 1.78e7 }
  };
  static const struct value {
    const char *name;
    double value;
  } iwan[] = { { "F_S", 1392.0 }, { "K_T", 1.78e8 }, { "chi", -0.65 }, { "beta", 0.004 } };
  ptrdiff_t from = find(ctx, s, a, "uz"), to = find(ctx, s, b, "uz");
  ms_joint *joint;
  for (int k = 0; k < 5; k++) {
    const char *d = spring[k].direction;
    bench_need(ctx,
               ms_structure_add_spring(s, find(ctx, s, a, d), find(ctx, s, b, d), spring[k].K));
  }
  bench_need(ctx, ms_joint_create(ctx, "iwan4", &joint));
  for (int k = 0; k < 4; k++) bench_need(ctx, ms_joint_set(joint, iwan[k].name, iwan[k].value));
  bench_need(ctx, ms_joint_setup(joint));
  bench_need(ctx, ms_structure_take_joint(s, a, &joint, &from, &to));
}

/* The base is held: motion is relative to it. */
static stack open_stack(ms_context *ctx, const char *path) {
  stack s = { .slug = 0 };
  ms_reduced *r;
  ms_structure *whole;
  double zeta[MAX];
  bench_need(ctx, ms_reduced_read(ctx, path, &r));
  if (r->n > MAX || !r->inertia) bench_stop("this is not the reduced Ministack");
  bench_need(ctx, ms_reduced_make_structure(r, &whole));
  ptrdiff_t pair[2] = { find(ctx, whole, "base", "uz"), MS_GROUND };
  bench_need(ctx, ms_structure_join(whole, 1, pair, &s.structure, NULL));
  for (ptrdiff_t j = 0; j < r->n; j++) {
    ptrdiff_t i;
    bench_need(ctx, ms_structure_find(s.structure, r->name[j], &i));
    if (i != MS_GROUND) s.shape[i] = -r->inertia[2 + 3 * j];
  }
  connect(ctx, s.structure, "slug", "cup_in");
  connect(ctx, s.structure, "cup_out", "can");
  for (ptrdiff_t k = 0; k < MAX; k++) zeta[k] = 0.005;
  bench_need(ctx, ms_structure_set_modal_damping(s.structure, zeta));
  bench_need(ctx, ms_structure_setup(s.structure));
  s.slug = find(ctx, s.structure, "slug", "uz");
  printf("%td coordinates, %td of them modes; ", ms_structure_get_size(s.structure),
         r->n - r->n_boundary);
  ms_structure_destroy(&whole);
  ms_reduced_destroy(&r);
  return s;
}

/* ---- in time ---- */

typedef struct motion {
  const char *title;
  ms_load *load;
  ptrdiff_t steps;
  int repeats;
  double report; /* s, in the report */
} motion;

static ms_load *make_load(ms_context *ctx, const char *kind, int n, const char *const *name,
                          const double *value) {
  ms_load *load;
  bench_need(ctx, ms_load_create(ctx, kind, &load));
  for (int i = 0; i < n; i++) bench_need(ctx, ms_load_set(load, name[i], value[i]));
  bench_need(ctx, ms_load_setup(load));
  return load;
}

static ms_transient *make_run(ms_context *ctx, const stack *s, const char *method, double step,
                              ms_load *load) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run;
  setting.step = step;
  setting.method = method;
  bench_need(ctx, ms_transient_create(s->structure, &setting, &run));
  bench_need(ctx, ms_transient_add_load(run, s->shape, ms_load_time_fn, load, ms_load_end(load)));
  bench_need(ctx, ms_transient_start(run, 0.0, NULL, NULL));
  return run;
}

typedef struct peak {
  ptrdiff_t slug;
  double u;
} peak;

static int keep_peak(void *user, const ms_transient *run) {
  peak *p = user;
  double u[MAX];
  ms_transient_get_coordinates(run, u, NULL, NULL);
  p->u = fmax(p->u, fabs(u[p->slug]));
  return 0;
}

static double find_peak(ms_context *ctx, const stack *s, const motion *m, const char *method,
                        ptrdiff_t finer) {
  ms_transient *run = make_run(ctx, s, method, STEP / (double)finer, m->load);
  ms_transient_energy e;
  peak p = { .slug = s->slug };
  bench_need(ctx, ms_transient_run(run, finer * m->steps, 1, keep_peak, &p));
  bench_need(ctx, ms_transient_get_energy(run, &e));
  if (finer == 1) {
    bench_verdict("energy balance, of second order in the step", fabs(e.balance / e.input),
                  "<=", 5e-3);
  }
  ms_transient_destroy(&run);
  return p.u;
}

static double time_motion(ms_context *ctx, const stack *s, const motion *m) {
  ms_transient *run = make_run(ctx, s, "newmark", STEP, m->load);
  double seconds = bench_time_run(ctx, run, m->steps, m->repeats);
  ms_transient_destroy(&run);
  return seconds;
}

static void verdict(const char *what, double seconds, double report) {
  printf("  %-40s %12.3f ms; in the report %g s\n", what, 1e3 * seconds, report);
  bench_verdict("the report's time over ours", report / seconds, ">=", 300.0);
}

static void bench_motion(ms_context *ctx, const stack *s, const motion *m) {
  printf("\nMinistack: %s, %td steps of Newmark\n", m->title, m->steps);
  double u = find_peak(ctx, s, m, "newmark", 1), fine = find_peak(ctx, s, m, "exponential", 4);
  printf("  largest displacement of the slug %.6g m, with a quarter of the step %.6g m\n", u, fine);
  bench_verdict("error of the largest displacement", fabs(u / fine - 1.0), "<=", 0.01);
  verdict("library", time_motion(ctx, s, m), m->report);
}

/* ---- quasi-static ---- */

static void bench_curve(ms_context *ctx, const stack *s) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run;
  double level[LEVELS], best = HUGE_VAL, last = HUGE_VAL;
  double omega_0 = ms_structure_get_stuck(s->structure).omega[0];
  int rising = 0;
  printf("\nMinistack: quasi-static modal analysis, %d levels\n", LEVELS);
  bench_need(ctx, ms_quasistatic_space(ctx, 1e-8, 2e-3, LEVELS, level));
  bench_need(ctx, ms_quasistatic_create(s->structure, &setting, &run));
  for (int r = 0; r < 100; r++) {
    bench_clock start = bench_clock_read();
    bench_need(ctx, ms_quasistatic_run(run, LEVELS, level));
    best = fmin(best, bench_clock_since(start));
  }
  for (int k = 0; k < LEVELS; k++) {
    double omega = ms_quasistatic_get_level(run, k)->omega;
    rising += omega > last;
    last = omega;
  }
  bench_verdict("frequency of the lowest level, from the stuck one",
                1.0 - ms_quasistatic_get_level(run, 0)->omega / omega_0, "<=", 1e-2);
  bench_verdict("levels at which frequency rises", rising, "<=", 0.0);
  ms_quasistatic_destroy(&run);
  verdict("library", best, 1.1);
}

int main(int argc, char **argv) {
  static const char *const pulse[] = { "amplitude", "frequency" };
  static const char *const sine[] = { "amplitude", "from", "to", "duration" };
  ms_context *ctx;
  if (argc != 2 || ms_context_create(NULL, &ctx) != MS_SUCCESS) {
    fprintf(stderr, "usage: bench_ministack reduced.h5\n");
    return 2;
  }
  stack s = open_stack(ctx, argv[1]);
  double f = ms_structure_get_stuck(s.structure).omega[0] / (2.0 * acos(-1.0));
  printf("axial mode of the slug at %.2f Hz\n", f);
  bench_verdict("from the report's 2171 Hz, coarse mesh", fabs(f / 2171.0 - 1.0), "<=", 0.02);
  motion m[] = {
    { .title = "shock of 5000 g, 50 ms", .steps = SHOCK, .repeats = 20, .report = 3.1 },
    { .title = "sweep of 316 g, 3 s", .steps = SWEEP, .repeats = 2, .report = 191.0 }
  };
  m[0].load = make_load(ctx, "haversine", 2, pulse, (const double[]) { 5000.0 * G, 2000.0 });
  m[1].load = make_load(ctx, "sweep", 4, sine, (const double[]) { 316.0 * G, 1800.0, 2600.0, 3.0 });
  for (int i = 0; i < 2; i++) {
    bench_motion(ctx, &s, &m[i]);
    ms_load_destroy(&m[i].load);
  }
  bench_curve(ctx, &s);
  ms_structure_destroy(&s.structure);
  ms_context_destroy(&ctx);
  return bench_finish();
}
