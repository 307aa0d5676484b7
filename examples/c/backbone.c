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
  const char *method[] = { "qsma", "epmc" };
  const double zeta[] = { 5e-4, 5e-4 }, value[] = { 20, 2e4, -0.4, 1.5 };
  const double M[] = { 1.2, 0, 0, 0.8 }, K[] = { 6.5e5, -2.5e5, -2.5e5, 2.5e5 }; /* kg, N/m */
  const double q[] = { 1e-4, 1e-3, 3e-3, 8e-3 };
  const ptrdiff_t from = 0, to = 1;
  const int mode = 0;
  ms_structure *s = NULL;
  ms_joint *lap = NULL;
  must(ms_context_create(NULL, &ctx));
  must(ms_structure_create(ctx, 2, names, &s));
  must(ms_structure_set_mass(s, M)), must(ms_structure_set_stiffness(s, K));
  must(ms_joint_create(ctx, "iwan4", &lap));
  for (int i = 0; i < 4; i++) must(ms_joint_set(lap, parameter[i], value[i]));
  must(ms_joint_setup(lap));
  must(ms_structure_take_joint(s, "lap", &lap, &from, &to));
  must(ms_structure_set_modal_damping(s, zeta));
  must(ms_structure_setup(s));

  ms_pulse_run ring = ms_pulse_default(); /* a half sine, spread as M phi, and the decay after it */
  ring.p = ms_pulse_height(ms_structure_get_stuck(s).omega[mode], q[3]);
  ring.mode = &mode, ring.n_mode = 1, ring.time.step = 1e-4, ring.time.steps = 20000;
  must(ms_pulse_simulate(ctx, s, &ring));
  const ms_decay_point *d = ring.decay[0].point;
  for (int i = 0; i < ring.decay[0].n; i++) print("ring-down", d[i].q, d[i].omega, d[i].zeta);
  for (int k = 0; k < 2; k++) {
    ms_backbone_curve curve;
    must(ms_backbone_request(ctx, method[k], mode, 4, q, &curve));
    must(ms_backbone_run(ctx, s, NULL, &curve));
    const ms_backbone_point *p = curve.point;
    for (int i = 0; i < curve.n; i++) print(method[k], p[i].q, p[i].omega, p[i].zeta);
    ms_backbone_free(ctx, &curve);
  }
  ms_pulse_free(ctx, &ring), ms_structure_destroy(&s), ms_context_destroy(&ctx);
}
