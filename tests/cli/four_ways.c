/* A ring-down, backbones and a calibration of two masses with a lap joint by the functions of the
   library, for python/tests/test_four_ways.py: lines of a name and numbers in hexadecimal. */
#include <microslip/microslip.h>
#include <stdio.h>
#include <stdlib.h>

static ms_context *ctx;

static void must(ms_status status) {
  if (status == MS_SUCCESS) return;
  fprintf(stderr, "%s\n", ms_context_message(ctx));
  exit(1);
}

static ms_structure *make_structure(void) {
  static const char *const names[] = { "left", "right" };
  static const char *const parameter[] = { "F_S", "K_T", "chi", "beta" };
  static const double value[] = { 20.0, 2e4, -0.4, 1.5 }, zeta[] = { 0.01, 0.01 };
  const ptrdiff_t from = 0, to = 1;
  ms_structure *s = NULL;
  ms_joint *lap = NULL;
  must(ms_structure_create(ctx, 2, names, &s));
  must(ms_structure_add_mass(s, 0, 1.2));
  must(ms_structure_add_mass(s, 1, 0.8));
  must(ms_structure_add_spring(s, MS_GROUND, 0, 4e5));
  must(ms_structure_add_spring(s, 0, 1, 2.5e5));
  must(ms_joint_create(ctx, "iwan4", &lap));
  for (int i = 0; i < 4; i++) must(ms_joint_set(lap, parameter[i], value[i]));
  must(ms_joint_setup(lap));
  must(ms_structure_take_joint(s, "lap", &lap, &from, &to));
  must(ms_structure_set_modal_damping(s, zeta));
  must(ms_structure_setup(s));
  return s;
}

static void ring_down(ms_structure *s) {
  const int mode = 0;
  ms_pulse_run run = ms_pulse_default();
  run.p = ms_pulse_height(ms_structure_get_stuck(s).omega[mode], 7.3e-3);
  run.mode = &mode;
  run.n_mode = 1;
  run.time.step = 1e-4;
  run.time.steps = 20000;
  must(ms_pulse_simulate(ctx, s, &run));
  printf("height %a\n", run.p);
  for (ptrdiff_t i = 0; i < run.decay[0].n; i++) {
    const ms_decay_point *d = &run.decay[0].point[i];
    printf("ringdown %a %a %a %a\n", d->time, d->q, d->omega, d->zeta);
  }
  ms_pulse_free(ctx, &run);
}

enum { N = 12 };

static void backbone(ms_structure *s, const char *method, const double *q, double *omega,
                     double *zeta) {
  ms_backbone_curve curve;
  must(ms_backbone_request(ctx, method, 0, N, q, &curve));
  must(ms_backbone_run(ctx, s, NULL, &curve));
  for (ptrdiff_t i = 0; i < curve.n; i++) {
    const ms_backbone_point *p = &curve.point[i];
    printf("%s %a %a %a %a\n", method, p->q, p->omega, p->zeta, p->zeta_joint);
    omega[i] = p->omega;
    zeta[i] = p->zeta;
  }
  ms_backbone_free(ctx, &curve);
}

static void calibrate(ms_structure *s, const double *q, const double *omega, const double *zeta) {
  enum { STARTS = 4 };
  ms_parameter_place place[] = { { 0, 0, "F_S" }, { 0, 0, "chi" } };
  const ms_free_parameter what[] = { { "F_S of lap", 1, &place[0] },
                                     { "chi of lap", 1, &place[1] } };
  const ms_fit_parameter bound[] = { { "F_S of lap", 5.0, 80.0, 1, 0.0 },
                                     { "chi of lap", -0.9, 0.5, 0, 0.0 } };
  ms_target target = { .kind = MS_TARGET_CURVE, .weight = { 1.0, 1.0 }, .n = N, .x = q };
  ms_fit_setting setting = MS_FIT_DEFAULT;
  ms_calibration *on = NULL;
  ms_starts starts;
  ms_best_fit best = { .best = 0 };
  target.y[0] = omega;
  target.y[1] = zeta;
  must(ms_calibration_create(s, 2, what, 1, &target, &on));
  ms_fit_problem problem = ms_calibration_problem(on, bound);
  must(ms_starts_open(ctx, 2, STARTS, bound, &starts));
  for (ptrdiff_t k = 0; k < STARTS; k++) {
    must(ms_fit_get_start(ctx, &problem, &setting, STARTS, k, starts.found + 2 * k));
    must(ms_fit_from(ctx, &problem, &setting, starts.found + 2 * k, &starts.local[k]));
  }
  must(ms_calibration_judge(on, &starts, 0.0, setting.seed, &best));
  for (int i = 0; i < 2; i++) {
    printf("calibrate %a %a\n", starts.found[2 * best.best + i], best.judgement.standard_error[i]);
  }
  ms_fit_judgement_destroy(ctx, &best.judgement);
  ms_starts_close(ctx, &starts);
  ms_calibration_destroy(&on);
}

int main(void) {
  static const double q[N] = { 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 2e-3,
                               3e-3, 5e-3, 8e-3, 1e-2, 2e-2, 3e-2 };
  double omega[N], zeta[N], other[2][N];
  must(ms_context_create(NULL, &ctx));
  ms_structure *s = make_structure();
  ring_down(s);
  backbone(s, "epmc", q, other[0], other[1]);
  backbone(s, "qsma", q, omega, zeta);
  calibrate(s, q, omega, zeta);
  ms_structure_destroy(&s);
  ms_context_destroy(&ctx);
  return 0;
}
