/* Two masses with a lap joint: frequency and damping against amplitude by three methods. */
#include <microslip/microslip.h>
#include <stdio.h>
#include <stdlib.h>
static ms_context *ctx;
static void must(ms_status status) {
  if (status != MS_SUCCESS) exit((fprintf(stderr, "%s\n", ms_context_message(ctx)), 1));
}
static void print(const char *method, double q, double omega, double zeta) {
  printf("%-16s %10.3e m sqrt(kg) %9.3f Hz %8.4f %%\n", method, q, omega / 6.2831853, 100 * zeta);
}

int main(void) {
  const char *names[] = { "left", "right" }, *parameter[] = { "F_S", "K_T", "chi", "beta" };
  const double zeta[] = { 5e-4, 5e-4 }, shape[] = { 0.5, 1.0 }, value[] = { 20, 2e4, -0.4, 1.5 };
  const double M[] = { 1.2, 0, 0, 0.8 }, K[] = { 6.5e5, -2.5e5, -2.5e5, 2.5e5 }; /* kg, N/m */
  const double q[] = { 1e-4, 1e-3, 3e-3, 8e-3 };
  const ptrdiff_t from = 0, to = 1, segments = 12;
  const int mode = 0;
  ms_structure *s = NULL;
  ms_joint *lap = NULL;
  ms_quasistatic *qsma = NULL;
  ms_harmonic *balance = NULL;
  ms_harmonic_curve *curve = NULL;
  ms_quasistatic_setting statics = MS_QUASISTATIC_DEFAULT;
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic_range range = { q[0], q[3], q, 4, NULL, NULL, NULL, 0 };
  must(ms_context_create(NULL, &ctx));
  must(ms_structure_create(ctx, 2, names, &s));
  must(ms_structure_set_mass(s, M)), must(ms_structure_set_stiffness(s, K));
  must(ms_joint_create(ctx, "iwan4", &lap));
  for (int i = 0; i < 4; i++) must(ms_joint_set(lap, parameter[i], value[i]));
  must(ms_joint_setup(lap));
  must(ms_structure_take_joint(s, "lap", &lap, &from, &to));
  must(ms_structure_set_modal_damping(s, zeta));
  must(ms_structure_setup(s));

  ms_pulse_run ring = ms_pulse_default(); /* half a sine, 900 N, on both masses */
  ring.shape = shape, ring.p = 900, ring.omega = ms_structure_get_stuck(s).omega[0];
  ring.mode = &mode, ring.n_mode = 1, ring.segments = &segments;
  ring.time.step = 1e-4, ring.time.steps = 20000;
  must(ms_pulse_simulate(ctx, s, &ring));
  const ms_decay_point *d = ring.decay[0].point;
  for (int i = 0; i < ring.decay[0].n; i++) print("ring-down", d[i].q, d[i].omega, d[i].zeta);
  must(ms_quasistatic_create(s, &statics, &qsma));
  must(ms_quasistatic_run(qsma, 4, q));
  for (int i = 0; i < 4; i++) {
    const ms_quasistatic_level *level = ms_quasistatic_get_level(qsma, i);
    print("qsma", level->q, level->omega, level->zeta);
  }
  must(ms_harmonic_create(s, &setting, &balance));
  must(ms_harmonic_run_mode(balance, 0, &range, &curve));
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (p->listed) print("nonlinear mode", p->q, p->omega, p->zeta);
  }
  ms_harmonic_curve_destroy(&curve), ms_harmonic_destroy(&balance);
  ms_quasistatic_destroy(&qsma), ms_pulse_free(ctx, &ring);
  ms_structure_destroy(&s), ms_context_destroy(&ctx);
}
