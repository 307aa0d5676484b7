/* A block on a contact whose normal load is a motion of its own, in the solvers: time against
   shorter steps, harmonic balance against long runs in time, a quasi-static mode against a loop
   written out here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/harmonic.h>
#include <microslip/quasistatic.h>
#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;

/* Coordinates x along the contact and y into it, coupled by a spring. */
static const double M[4] = { 1.3, 0.0, 0.0, 0.9 }, K[4] = { 61.0, 3.1, 3.1, 23.0 };
static const double K_n = 190.0, N_0 = 2.385, N_ref = 1.9;

static ms_joint *contact(int stiffening) {
  static const double rising[3] = { 0.3, 0.21, 0.07 };
  ms_joint *law = test_joint("iwan4", "F_S", 2.9, "K_T", 47.0, "chi", -0.4, "beta", 0.7, NULL);
  ms_joint *j = NULL;
  ms_joint_normal normal = { .K_n = K_n, .N_0 = N_0, .N_ref = N_ref };
  if (stiffening) normal.n_coefficient = 3, normal.coefficient = rising;
  CHECK_OK(ms_joint_create_loaded(test_context(), &law, &normal, &j));
  return j;
}

static ms_structure *block(int stiffening) {
  static const ptrdiff_t from[2] = { MS_GROUND, MS_GROUND }, to[2] = { 0, 1 };
  static const double zeta[2] = { 0.031, 0.047 };
  ms_structure *s = NULL;
  ms_joint *j = contact(stiffening);
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_set_mass(s, M));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_take_joint(s, "support", &j, from, to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* ---- in time ---- */

static const double shape[2] = { 1.0, 0.83 };

static double drive(void *user, double t) {
  const double *p = user; /* amplitude, omega */
  return p[0] * cos(p[1] * t);
}

static ms_transient *start(ms_structure *s, double *p, double step) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.step = step;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, shape, drive, p, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  return run;
}

static ptrdiff_t count_lift_offs(const ms_structure *s) {
  ms_joint_contact now = { .lift_offs = -1 };
  CHECK_OK(ms_joint_get_contact(ms_structure_get_joint(s, 0), &now));
  return now.lift_offs;
}

enum { N_SAMPLE = 60, N_PART = 3 };

/* x every 0.05 s, through several lift-offs, in steps of 1/1000 s over `parts`. */
static double sample(int parts, double *x) {
  double p[2] = { 5.3, 9.1 }, u[2] = { NAN, NAN };
  ms_structure *s = block(0);
  ms_transient *run = start(s, p, 1e-3 / parts);
  ms_transient_energy e = { .balance = NAN };
  for (int i = 0; i < N_SAMPLE; i++) {
    CHECK_OK(ms_transient_run(run, 50 * (ptrdiff_t)parts, 1, NULL, NULL));
    ms_transient_get_coordinates(run, u, NULL, NULL);
    x[i] = u[0];
  }
  CHECK_OK(ms_transient_get_energy(run, &e));
  CHECK(count_lift_offs(s) >= 3);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  return fabs(e.balance) / (e.dissipated + e.viscous);
}

static void test_order_in_time(void) {
  double balance[N_PART], x[N_PART][N_SAMPLE], error[N_PART] = { 0.0 }, size = 0.0;
  for (int k = 0; k < N_PART; k++) balance[k] = sample(1 << (2 * k), x[k]);
  for (int i = 0; i < N_SAMPLE; i++) {
    size = fmax(size, fabs(x[N_PART - 1][i]));
    for (int k = 0; k < N_PART; k++) {
      error[k] = fmax(error[k], fabs(x[k][i] - x[N_PART - 1][i]));
    }
  }
  printf("# of %.3g: errors %.2g %.2g; of the energy lost: %.2g %.2g %.2g\n", size, error[0],
         error[1], balance[0], balance[1], balance[2]);
  CHECK_BELOW(error[1], error[0] / pow(4.0, 1.7));
  CHECK_BELOW(balance[2], balance[0] / pow(16.0, 1.5));
}

/* ---- harmonic balance ---- */

/* Coefficients of harmonics 0 and 1 of x and y in the steady motion. */
static void steady(ms_structure *s, double *p, int steps, int periods, double c[2][3]) {
  ms_transient *run = start(s, p, 2.0 * pi / p[1] / steps);
  memset(c, 0, 6 * sizeof **c);
  CHECK_OK(ms_transient_run(run, (ptrdiff_t)steps * (periods - 1), 1, NULL, NULL));
  ptrdiff_t before = count_lift_offs(s);
  for (int j = 1; j <= steps; j++) {
    double u[2], angle = 2.0 * pi * j / steps;
    if (ms_transient_step(run) != MS_SUCCESS) break;
    ms_transient_get_coordinates(run, u, NULL, NULL);
    for (int i = 0; i < 2; i++) {
      c[i][0] += u[i] / steps;
      c[i][1] += 2.0 * u[i] * cos(angle) / steps;
      c[i][2] += 2.0 * u[i] * sin(angle) / steps;
    }
  }
  CHECK(count_lift_offs(s) > before);
  ms_transient_destroy(&run);
}

enum { HARMONICS = 21 };

static void check_point(ms_structure *s, double F, double omega, const double *z, ptrdiff_t P) {
  double p[2] = { F, omega }, coarse[2][3], fine[2][3], size[2], error = 0.0;
  steady(s, p, 800, 80, coarse);
  steady(s, p, 1600, 80, fine);
  for (int i = 0; i < 2; i++) {
    size[i] = hypot(z[1 + P * i], z[2 + P * i]);
    for (int k = 0; k < 3; k++) {
      double limit = fine[i][k] + (fine[i][k] - coarse[i][k]) / 3.0;
      error = fmax(error, fabs(z[k + P * i] - limit) / size[i]);
    }
  }
  printf("# omega %.3f: amplitudes %.6g, %.6g, mean of y %.6g, error %.2g\n", omega, size[0],
         size[1], z[P], error);
  CHECK_BELOW(error, 5e-4);
}

static void check_balance(int stiffening) {
  const double list[] = { 5.9, 11.7 }, F = 4.1;
  ms_structure *s = block(stiffening);
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  int found = 0;
  setting.harmonics = HARMONICS;
  setting.times = 512;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, shape, 1, F, 0.0));
  ms_harmonic_range range = { .from = list[0], .to = list[1], .list = list, .n_list = 2 };
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.reason, "");
  CHECK_EQUAL(info.missed, 0);
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *point = ms_harmonic_curve_get_point(curve, i);
    if (!point->listed) continue;
    found++;
    check_point(s, F, point->omega, ms_harmonic_curve_get_joints(curve, i), 2 * HARMONICS + 1);
  }
  CHECK_EQUAL(found, 2);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

static void test_balance(void) {
  check_balance(0);
  check_balance(1);
}

/* ---- quasi-static mode ---- */

/* K u + f(u) = a p for u by Newton, 2 x 2; then the joint moves there. */
static void follow(ms_joint *j, const double *p, double a, double *u) {
  ms_joint_output out;
  ms_joint_trial trial;
  for (int k = 0; k < 60; k++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    in.u[0] = u[0], in.u[1] = u[1];
    CHECK_OK(ms_joint_update(j, &in, &out, &trial));
    double r[2] = { K[0] * u[0] + K[2] * u[1] + out.force[0] - a * p[0],
                    K[1] * u[0] + K[3] * u[1] + out.force[1] - a * p[1] };
    double A = K[0] + out.du[0], B = K[2] + out.du[2], C = K[1] + out.du[1], D = K[3] + out.du[3];
    double det = A * D - B * C;
    if (hypot(r[0], r[1]) < 1e-13 * fabs(a)) break;
    u[0] -= (D * r[0] - B * r[1]) / det;
    u[1] -= (A * r[1] - C * r[0]) / det;
  }
  CHECK_OK(ms_joint_commit(j, &trial));
}

/* Loss in the third cycle of the load a cos t, and half the range of phi^T M u. */
static void own_loop(int stiffening, const double *phi, double a, double *D, double *q) {
  enum { N = 2000 };
  ms_joint *j = contact(stiffening);
  const double p[2] = { M[0] * phi[0], M[3] * phi[1] };
  double u[2] = { 0.0, 0.0 }, low = HUGE_VAL, high = -HUGE_VAL;
  ms_joint_energy before = { NAN, NAN }, after = { NAN, NAN };
  for (int i = 1; i <= 20; i++) follow(j, p, a * i / 20.0, u);
  for (int i = 0; i <= 3 * N; i++) {
    follow(j, p, a * cos(2.0 * pi * i / N), u);
    if (i == 2 * N) CHECK_OK(ms_joint_get_energy(j, &before));
    if (i <= 2 * N) continue;
    double now = p[0] * u[0] + p[1] * u[1];
    low = fmin(low, now), high = fmax(high, now);
  }
  CHECK_OK(ms_joint_get_energy(j, &after));
  *D = after.dissipated - before.dissipated;
  *q = 0.5 * (high - low);
  ms_joint_destroy(&j);
}

static void check_mode(int stiffening) {
  enum { N_LEVEL = 5 };
  double level[N_LEVEL];
  ms_structure *s = block(stiffening);
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  setting.level = MS_LEVEL_LOAD;
  setting.cycle_steps = 512;
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_quasistatic_space(test_context(), 0.31, 4.7, N_LEVEL, level));
  CHECK_OK(ms_quasistatic_run(run, N_LEVEL, level));
  CHECK_EQUAL(ms_quasistatic_count_levels(run), N_LEVEL);
  for (ptrdiff_t k = 0; k < ms_quasistatic_count_levels(run); k++) {
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, k);
    double D, q;
    own_loop(stiffening, ms_structure_get_stuck(s).shape, l->alpha, &D, &q);
    printf("# load %.4g: q %.8g (%.2g), D %.8g (%.2g), %s\n", l->alpha, l->q, l->q / q - 1.0, l->D,
           l->D / D - 1.0, ms_quasistatic_method_name(l->method));
    CHECK(l->method == MS_LOSS_CYCLED);
    CHECK_CLOSE(l->D, D, 1e-4);
    CHECK_CLOSE(l->q, q, 1e-4);
  }
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

static void test_mode(void) {
  check_mode(0);
  check_mode(1);
}

int main(void) {
  TEST(test_order_in_time);
  TEST(test_balance);
  TEST(test_mode);
  return test_finish();
}
