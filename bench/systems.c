#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

const bench_sliders bench_exact = { 0, NULL };

static const double pi = 3.14159265358979323846;

/* Between coordinates `from` and `to`. */
static void take(ms_context *ctx, bench_system *system, ms_joint *j, ptrdiff_t from, ptrdiff_t to) {
  char name[24];
  snprintf(name, sizeof name, "joint%d", system->joints + 1);
  bench_need(ctx, ms_joint_setup(j));
  bench_need(ctx, ms_structure_take_joint(system->structure, name, &j, &from, &to));
  system->from[system->joints] = from;
  system->to[system->joints++] = to;
}

ms_joint *bench_iwan(ms_context *ctx, double F_S, double K_T, double chi, double beta,
                     bench_sliders sliders) {
  ms_joint *j;
  bench_need(ctx, ms_joint_create(ctx, "iwan4", &j));
  bench_need(ctx, ms_joint_set(j, "F_S", F_S));
  bench_need(ctx, ms_joint_set(j, "K_T", K_T));
  bench_need(ctx, ms_joint_set(j, "chi", chi));
  bench_need(ctx, ms_joint_set(j, "beta", beta));
  bench_need(ctx, ms_joint_set(j, "sliders", sliders.n));
  bench_need(ctx, ms_joint_set_text(j, "spacing", sliders.n > 0 ? sliders.spacing : "uniform"));
  return j;
}

static void take_iwan(ms_context *ctx, bench_system *system, ptrdiff_t from, double F_S, double K_T,
                      bench_sliders sliders) {
  take(ctx, system, bench_iwan(ctx, F_S, K_T, -0.5, 5.0, sliders), from, from + 1);
}

static void finish(ms_context *ctx, bench_system *system, double zeta) {
  ptrdiff_t n = ms_structure_get_size(system->structure);
  double *ratio = malloc((size_t)n * sizeof *ratio);
  if (!ratio) bench_stop("no memory");
  for (ptrdiff_t r = 0; r < n; r++) ratio[r] = zeta;
  bench_need(ctx, ms_structure_set_modal_damping(system->structure, ratio));
  bench_need(ctx, ms_structure_setup(system->structure));
  free(ratio);
}

bench_system bench_three_mass(ms_context *ctx, double p, bench_sliders sliders) {
  bench_system system = { .hit = 1, .p = p, .dt = 0.02 };
  bench_need(ctx, ms_structure_create(ctx, 3, NULL, &system.structure));
  for (ptrdiff_t i = 0; i < 3; i++) {
    bench_need(ctx, ms_structure_add_mass(system.structure, i, 10.0));
    bench_need(ctx, ms_structure_add_spring(system.structure, i - 1, i, 9.0));
  }
  take_iwan(ctx, &system, 1, 10.0, 1.0, sliders);
  finish(ctx, &system, 1e-4);
  system.omega = ms_structure_get_stuck(system.structure).omega[2];
  return system;
}

bench_system bench_chain(ms_context *ctx, ptrdiff_t n, int joints) {
  bench_system system = { .hit = n - 1, .p = 90.0, .omega = 21.0, .dt = 2e-3 };
  bench_need(ctx, ms_structure_create(ctx, n, NULL, &system.structure));
  for (ptrdiff_t i = 0; i < n; i++) {
    double x = (double)i;
    bench_need(ctx, ms_structure_add_mass(system.structure, i, 1.3 + 0.4 * sin(1.7 * x)));
    bench_need(ctx,
               ms_structure_add_spring(system.structure, i - 1, i, 900.0 + 210.0 * cos(2.3 * x)));
  }
  for (int k = 0; k < joints; k++) {
    take_iwan(ctx, &system, (k + 1) * (n - 1) / (joints + 1), 2.9 + 0.3 * k, 310.0 - 17.0 * k,
              bench_exact);
  }
  finish(ctx, &system, 2.3e-3);
  return system;
}

/* Masses on base, 0.11 kg and 8e8 N/m; weak springs where the joints sit. */
bench_system bench_stack(ms_context *ctx, bench_sliders sliders) {
  enum { N = 50 };
  bench_system system = { .dt = 1e-5 };
  bench_need(ctx, ms_structure_create(ctx, N, NULL, &system.structure));
  for (ptrdiff_t i = 0; i < N; i++) {
    double x = (double)i, k = i == 18 || i == 35 ? 4.1e7 : 8.3e8 + 1.9e8 * cos(2.3 * x);
    bench_need(ctx, ms_structure_add_mass(system.structure, i, 0.11 + 0.03 * sin(1.7 * x)));
    bench_need(ctx, ms_structure_add_spring(system.structure, i - 1, i, k));
  }
  take_iwan(ctx, &system, 17, 4100.0, 1.9e8, sliders);
  take_iwan(ctx, &system, 34, 3300.0, 1.6e8, sliders);
  finish(ctx, &system, 1.3e-3);
  return system;
}

bench_system bench_oscillators(ms_context *ctx) {
  static const struct {
    const char *law;
    ptrdiff_t from, to;
    struct {
      const char *name;
      double value;
    } param[3];
  } row[] = {
    { "jenkins", MS_GROUND, 0, { { "F_S", 3.1 }, { "K_T", 720.0 } } },
    { "jenkins", 0, 1, { { "F_S", 1.7 }, { "K_T", 930.0 } } },
    { "gap", 1, 2, { { "K", 1500.0 }, { "g_plus", 3.1e-3 }, { "g_minus", 4.7e-3 } } },
    { "cubic", MS_GROUND, 2, { { "K", 210.0 }, { "K3", 1.6e6 } } },
  };
  static const double mass[3] = { 1.1, 0.85, 1.35 }, spring[3] = { 2300.0, 1900.0, 2150.0 };
  bench_system system = { .hit = 2, .p = 2.9 };
  bench_need(ctx, ms_structure_create(ctx, 3, NULL, &system.structure));
  for (ptrdiff_t i = 0; i < 3; i++) {
    bench_need(ctx, ms_structure_add_mass(system.structure, i, mass[i]));
    bench_need(ctx, ms_structure_add_spring(system.structure, i - 1, i, spring[i]));
  }
  for (int k = 0; k < 4; k++) {
    ms_joint *j;
    bench_need(ctx, ms_joint_create(ctx, row[k].law, &j));
    for (int i = 0; i < 3 && row[k].param[i].name; i++) {
      bench_need(ctx, ms_joint_set(j, row[k].param[i].name, row[k].param[i].value));
    }
    take(ctx, &system, j, row[k].from, row[k].to);
  }
  finish(ctx, &system, 9e-3);
  system.omega = ms_structure_get_stuck(system.structure).omega[0];
  return system;
}

void bench_system_destroy(bench_system *system) {
  ms_structure_destroy(&system->structure);
}

double bench_force(const bench_system *system, double t) {
  return t < bench_force_end(system) ? system->p * sin(system->omega * t) : 0.0;
}

double bench_force_end(const bench_system *system) {
  return pi / system->omega;
}

double bench_slip_amplitude(const bench_system *system) {
  const ms_modes modes = ms_structure_get_stuck(system->structure);
  double q = HUGE_VAL;
  for (int k = 0; k < system->joints; k++) {
    double z = modes.shape[system->to[k]] - modes.shape[system->from[k]];
    q = fmin(q, ms_joint_slip_scale(ms_structure_get_joint(system->structure, k)) / fabs(z));
  }
  return q;
}

textbook_model bench_textbook_model(ms_context *ctx, const bench_system *system, int n_slider,
                                    double **C) {
  const ms_structure *s = system->structure;
  ptrdiff_t n = ms_structure_get_size(s);
  *C = malloc((size_t)(n * n) * sizeof **C);
  if (!*C) bench_stop("no memory");
  bench_need(ctx, ms_structure_fill_damping(s, *C));
  textbook_model model = { .n = (int)n,
                           .joints = system->joints,
                           .M = ms_structure_get_mass(s),
                           .C = *C,
                           .K = ms_structure_get_stiffness(s) };
  for (int k = 0; k < system->joints; k++) {
    const ms_joint *j = ms_structure_get_joint(s, k);
    double R, S, chi, phi_max;
    bench_need(ctx, ms_joint_get(j, "R", &R));
    bench_need(ctx, ms_joint_get(j, "S", &S));
    bench_need(ctx, ms_joint_get(j, "chi", &chi));
    bench_need(ctx, ms_joint_get(j, "phi_max", &phi_max));
    model.from[k] = (int)system->from[k];
    model.to[k] = (int)system->to[k];
    model.joint[k] = textbook_create(n_slider, R, S, chi, phi_max);
  }
  return model;
}
