/* Nonlinear modes against closed forms, quasi-static references and runs in time. */
#include <math.h>
#include <stdio.h>

#include <microslip/harmonic.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

static const double pi = 3.14159265358979323846;

static ms_harmonic *balance(ms_structure *s, int harmonics, ptrdiff_t times) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  setting.harmonics = harmonics;
  setting.times = times;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  return h;
}

/* Quasi-static modal analysis of mode 2, joint part of the damping: |q|, omega, zeta_joint. */
static const double reference[][3] = {
  { 1.000000000e-02, 1.215632851e+00, 1.074607218e-05 },
  { 1.168951816e-01, 1.215508707e+00, 3.676772620e-05 },
  { 1.039798418e+00, 1.215160365e+00, 1.098846437e-04 },
  { 4.075392966e+00, 1.214645608e+00, 2.182063092e-04 },
  { 9.249147277e+00, 1.214117147e+00, 3.297520862e-04 },
  { 2.758531618e+01, 1.212968756e+00, 5.733429161e-04 },
  { 8.227241342e+01, 1.198313351e+00, 7.755722227e-03 },
  { 1.000000000e+05, 1.183846217e+00, 1.288482364e-05 },
};

static void test_mode_2(void) {
  enum { N = sizeof reference / sizeof *reference };
  ms_structure *s = test_three_mass(1e-4);
  ms_harmonic *h = balance(s, 7, 1024);
  ms_harmonic_curve *curve = NULL;
  double list[N], omega_0 = ms_structure_get_stuck(s).omega[1];
  for (int i = 0; i < N; i++) list[i] = reference[i][0];
  ms_harmonic_range q = { .from = list[0], .to = list[N - 1], .list = list, .n_list = N };
  CHECK_OK(ms_harmonic_run_mode(h, 1, &q, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.reason, "");
  printf("# %td points, %td evaluations, %td rejected, %td missed, residual %g\n", info.points,
         info.evaluations, info.rejected, info.missed, info.worst);
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (!p->listed) continue;
    const double *r = reference[p->listed - 1];
    printf("# q %9.4g omega %.9g (%.9g), zeta_joint %.6g (%.6g, %+.2e), total %.6g, higher %.1e\n",
           p->q, p->omega, r[1], p->zeta_joint, r[2], p->zeta_joint / r[2] - 1.0, p->zeta,
           p->higher);
    CHECK_CLOSE(p->q, r[0], 1e-12);
    CHECK_CLOSE(p->zeta_viscous, 1e-4 * omega_0 / p->omega, 1e-12);
    /* The energy lost per cycle is that of the periodic motion: exact but for the other modes'
       share of the motion. */
    CHECK_CLOSE(p->zeta, p->zeta_joint + p->zeta_viscous, 3e-3);
    if (r[0] > 10.0) continue; /* small: the shape has not left M phi_0 yet */
    CHECK_CLOSE(p->omega, r[1], 1e-4);
    CHECK_CLOSE(p->zeta_joint, r[2], 1e-2);
  }
  CHECK(info.complete);
  CHECK_EQUAL(info.missed, 0);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* The ends of ring-downs after a selective excitation, Hilbert analysis: |q|, omega, total zeta.
   They were run by Newmark with dt = 0.02, which lowers a frequency by (omega dt)^2/12. */
static void test_ring_down(void) {
  static const double decay[][3] = { { 9.43212, 1.21401, 4.34652e-4 },
                                     { 2.00101, 1.21488, 2.54161e-4 },
                                     { 0.211457, 1.21538, 1.49946e-4 },
                                     { 0.107186, 1.21545, 1.34802e-4 } };
  ms_structure *s = test_three_mass(1e-4);
  ms_harmonic *h = balance(s, 7, 1024);
  ms_harmonic_curve *curve = NULL;
  double list[4];
  int found = 0;
  for (int i = 0; i < 4; i++) list[i] = decay[i][0];
  ms_harmonic_range q = { .from = list[0], .to = list[3], .list = list, .n_list = 4 };
  CHECK_OK(ms_harmonic_run_mode(h, 1, &q, &curve));
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (!p->listed) continue;
    const double *r = decay[p->listed - 1];
    found++;
    printf("# q %g: omega %.7g (%g), zeta %.6g (%g, %+.1e)\n", p->q, p->omega, r[1], p->zeta, r[2],
           p->zeta / r[2] - 1.0);
    CHECK_CLOSE(p->omega * (1.0 - pow(p->omega * 0.02, 2) / 12.0), r[1], 1e-5);
    CHECK_CLOSE(p->zeta, r[2], 5e-3);
  }
  CHECK_EQUAL(found, 4);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* One mass: the joint's loss is its closed form at the amplitude of the joint while the motion is
   nearly harmonic. */
static void test_single_iwan(void) {
  const double m = 1.3, k = 47.0, zeta = 0.0031, F_S = 2.9, K_T = 21.0, chi = -0.5, beta = 1.3;
  const ptrdiff_t from = MS_GROUND, to = 0;
  const double phi = F_S * (1.0 + beta) / (K_T * (beta + (chi + 1.0) / (chi + 2.0)));
  const double R = K_T * (chi + 1.0) / (pow(phi, chi + 1.0) * (1.0 + beta));
  ms_structure *s = NULL;
  ms_joint *j = test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", chi, "beta", beta, NULL);
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, m));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, k));
  CHECK_OK(ms_structure_take_joint(s, "joint", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, &zeta));
  CHECK_OK(ms_structure_setup(s));
  ms_harmonic *h = balance(s, 9, 4096);
  ms_harmonic_curve *curve = NULL;
  double list[] = { 1e-5, 1e-4, 1e-3 };
  ms_harmonic_range q = { .from = 1e-5, .to = 1e-3, .list = list, .n_list = 3 };
  CHECK_OK(ms_harmonic_run_mode(h, 0, &q, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  int found = 0;
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (!p->listed) continue;
    found++;
    double u = p->q / sqrt(m), D = 4.0 * R * pow(u, chi + 3.0) / ((chi + 2.0) * (chi + 3.0));
    double closed = D / (2.0 * pi * p->omega * p->omega * p->q * p->q);
    printf("# q %g: zeta_joint %.9g, closed %.9g (%.1e)\n", p->q, p->zeta_joint, closed,
           p->zeta_joint / closed - 1.0);
    CHECK_CLOSE(p->zeta_joint, closed, 1e-3);
    CHECK_CLOSE(p->zeta, p->zeta_joint + p->zeta_viscous, 1e-6);
  }
  CHECK_EQUAL(found, 3);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* Work of a force 2.385 level cos(tau + 0.7) on mass 2 over a period less all that is lost, over
   the latter. */
static double imbalance(ms_harmonic *h, ms_structure *s, const ms_harmonic_curve *curve,
                        ptrdiff_t i) {
  const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
  double q[45], x[15], lost = p->D;
  CHECK_OK(ms_harmonic_recover_modal(h, curve, i, q));
  CHECK_OK(ms_harmonic_recover(h, curve, i, (const double[]) { 0.0, 1.0, 0.0 }, x));
  for (int r = 0; r < 3; r++) {
    for (int k = 1; k <= 7; k++) {
      double a = q[15 * r + 2 * k - 1], b = q[15 * r + 2 * k];
      lost += pi * k * k * 2e-4 * ms_structure_get_stuck(s).omega[r] * p->omega * (a * a + b * b);
    }
  }
  double work = pi * 2.385 * p->level * (cos(0.7) * x[2] + sin(0.7) * x[1]);
  return work / lost - 1.0;
}

/* A force on one mass near mode 2, response tracked at another: at phase resonance the force makes
   up for what is lost, so that frequency and damping are nearly those of the nonlinear mode.
   Nearly: the joint's force moves the other modes too, more so at larger amplitude, and F/(2
   omega^2 q) counts what the force does to mode 2 only. */
static void check_resonance(ms_harmonic_along along, const double *weights, double from,
                            double to) {
  ms_structure *s = test_three_mass(1e-4);
  ms_harmonic *h = balance(s, 7, 1024);
  ms_harmonic_curve *curve = NULL, *mode = NULL;
  CHECK_OK(ms_harmonic_add_load(h, (const double[]) { 0.0, 1.0, 0.0 }, 1, 2.385, 0.7));
  ms_harmonic_range range = { .from = from, .to = to };
  CHECK_OK(ms_harmonic_run_resonance(h, 1, weights, along, &range, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.reason, "");
  CHECK(info.complete);
  double worst_omega = 0.0, worst_zeta = 0.0;
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i), *r;
    double x[15], q = p->q;
    CHECK_NEAR(imbalance(h, s, curve, i), 0.0, 1e-6);
    ms_harmonic_range at = { .from = q, .to = q };
    CHECK_OK(ms_harmonic_run_mode(h, 1, &at, &mode));
    r = ms_harmonic_curve_get_point(mode, 0);
    worst_omega = fmax(worst_omega, fabs(p->omega / r->omega - 1.0));
    worst_zeta = fmax(worst_zeta, fabs(p->zeta / r->zeta - 1.0));
    ms_harmonic_curve_destroy(&mode);
    if (!weights) continue;
    CHECK_OK(ms_harmonic_recover(h, curve, i, weights, x));
    CHECK_CLOSE(hypot(x[1], x[2]), p->response, 1e-9);
    /* x = Re(X exp(i tau)), X = x[1] - i x[2], a quarter behind exp(0.7 i) or its opposite */
    CHECK_NEAR((x[1] * cos(0.7) - x[2] * sin(0.7)) / p->response, 0.0, 1e-9);
  }
  printf("# %td points: omega within %.1e, zeta within %.1e of the mode\n", info.points,
         worst_omega, worst_zeta);
  CHECK_BELOW(worst_omega, 2e-5);
  CHECK_BELOW(worst_zeta, 1e-2);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

static void test_resonance(void) {
  check_resonance(MS_HARMONIC_LEVEL, NULL, 1e-6, 3e-3);
  check_resonance(MS_HARMONIC_LEVEL, (const double[]) { 0.0, 0.0, 1.0 }, 3e-3, 1e-6);
  check_resonance(MS_HARMONIC_RESPONSE, (const double[]) { 0.0, 0.0, 1.0 }, 1e-3, 1.0);
}

/* A stop between two masses: as it opens and closes along the curve, the first harmonic of its
   displacement goes through zero, and its phase turns by half a period. The mode's own phase is
   fixed; the curve goes on to the end. */
static void test_stop(void) {
  const double zeta[] = { 0.01, 0.01, 0.01 };
  const ptrdiff_t from = 1, to = 2;
  ms_structure *s = NULL;
  ms_joint *j = test_joint("gap", "K", 90.0, "g", 0.31, NULL);
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 10.0));
    CHECK_OK(ms_structure_add_spring(s, i ? i - 1 : MS_GROUND, i, 9.0));
  }
  CHECK_OK(ms_structure_take_joint(s, "stop", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  ms_harmonic *h = balance(s, 9, 1024);
  ms_harmonic_curve *curve = NULL;
  ms_harmonic_range q = { .from = 0.3, .to = 30.0 };
  CHECK_OK(ms_harmonic_run_mode(h, 0, &q, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  printf("# %td points, %td evaluations, residual %g\n", info.points, info.evaluations, info.worst);
  CHECK_TEXT(info.reason, "");
  CHECK(info.complete);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_mode_2);
  TEST(test_ring_down);
  TEST(test_single_iwan);
  TEST(test_resonance);
  TEST(test_stop);
  return test_finish();
}
