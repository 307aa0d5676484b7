/* Forced response of one mass on a spring and a Jenkins element by harmonic balance: the resonance
 * at three levels. */
#include <math.h>
#include <microslip/microslip.h>
#include <stdio.h>
#include <stdlib.h>

static ms_context *ctx;
static void must(ms_status status) {
  if (status != MS_SUCCESS) exit((fprintf(stderr, "%s\n", ms_context_message(ctx)), 1));
}

int main(void) {
  const char *names[] = { "u" };
  const double M[] = { 1.3 }, K[] = { 9000 }, zeta[] = { 0.004 },
               force[] = { 1 }; /* kg, N/m, -, N */
  const double level[] = { 0.1, 1, 10 };
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  ms_joint *slider = NULL;
  ms_harmonic *balance = NULL;
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  must(ms_context_create(NULL, &ctx));
  must(ms_structure_create(ctx, 1, names, &s));
  must(ms_structure_set_mass(s, M));
  must(ms_structure_set_stiffness(s, K));
  must(ms_joint_create(ctx, "jenkins", &slider));
  must(ms_joint_set(slider, "F_S", 3));    /* N */
  must(ms_joint_set(slider, "K_T", 2500)); /* N/m */
  must(ms_joint_setup(slider));
  must(ms_structure_take_joint(s, "slider", &slider, &from, &to));
  must(ms_structure_set_modal_damping(s, zeta));
  must(ms_structure_setup(s));
  must(ms_harmonic_create(s, &setting, &balance));
  must(ms_harmonic_add_load(balance, force, 1, 1, 0)); /* 1 N cos(Omega t), times the level */
  for (int i = 0; i < 3; i++) {
    ms_harmonic_range omega = { 75, 110, NULL, 0, NULL, force, NULL, 0, NULL };
    ms_harmonic_curve *curve = NULL;
    must(ms_harmonic_run_forced(balance, &omega, level[i], &curve));
    ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
    if (!info.complete) printf("not complete: %s\n", info.reason);
    for (ptrdiff_t k = 0; k < info.points; k++) {
      const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, k);
      if (!(p->turn & MS_HARMONIC_PEAK)) continue;
      printf("%5.1f N: peak of %.4e m at %.4f Hz, %.3e J dissipated per cycle\n", level[i],
             p->response, p->omega / 6.283185307179586, p->D);
    }
    ms_harmonic_curve_destroy(&curve);
  }
  ms_harmonic_destroy(&balance);
  ms_structure_destroy(&s);
  ms_context_destroy(&ctx);
}
