/* Time points are counted from the phase of the motion: what is later by an angle has forces later
   by that angle, and curves have no ripples where the phase changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/harmonic.h>

#include "support/balances.h"
#include "support/check.h"
#include "support/joints.h"

/* x := the motion later by the angle, P coefficients. */
static void delay(ptrdiff_t P, double angle, double *x) {
  for (ptrdiff_t k = 1; 2 * k < P; k++) {
    const double c = cos((double)k * angle), s = sin((double)k * angle), a = x[2 * k - 1];
    x[2 * k - 1] = c * a - s * x[2 * k];
    x[2 * k] = c * x[2 * k] + s * a;
  }
}

static double largest(ptrdiff_t n, const double *x) {
  double most = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* Forces of the motion that is later, over their size, less those of the motion itself, later. */
static double compare_later(ms_harmonic *h, double angle) {
  const ptrdiff_t P = h->P, nP = h->n * P;
  double *force = malloc((size_t)nP * sizeof *force), q[3];
  for (ptrdiff_t i = 0; i < nP; i++) {
    h->X[i] = 0.21 * sin(1.37 * (double)i + 0.4) / (1.0 + (double)((i % P + 1) / 2));
  }
  h->X[nP + AT_Q] = 0.17;
  h->X[nP + AT_Q + 1] = -0.13;
  CHECK_OK(ms_aft_eval(h, h->X, 7.9));
  memcpy(force, h->force, (size_t)nP * sizeof *force);
  for (ptrdiff_t a = 0; a < h->n; a++) delay(P, angle, h->X + P * a);
  memcpy(q + 1, h->X + nP + AT_Q, 2 * sizeof *q);
  delay(3, angle, q);
  memcpy(h->X + nP + AT_Q, q + 1, 2 * sizeof *q);
  CHECK_OK(ms_aft_eval(h, h->X, 7.9));
  for (ptrdiff_t a = 0; a < h->n; a++) delay(P, angle, force + P * a);
  const double size = largest(nP, force);
  for (ptrdiff_t i = 0; i < nP; i++) force[i] -= h->force[i];
  const double error = largest(nP, force) / size;
  free(force);
  return error;
}

static ms_structure *three_masses(void) {
  ms_structure *s = test_masses(1.0);
  const double zeta[] = { 0.011, 0.007, 0.013 };
  ms_joint *j = test_joint("jenkins", "F_S", 2.9, "K_T", 31.0, NULL);
  ptrdiff_t from = 0, to = 1;
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  j = test_joint("gap", "K", 210.0, "g_plus", 0.11, "g_minus", 0.17, NULL);
  from = 1, to = 2;
  CHECK_OK(ms_structure_take_joint(s, "stop", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* Counted from the loads' phase, as for own_phase = 0, the forces are other ones, by what
   96 time points leave open. */
static void test_later(void) {
  static const double angle[] = { 0.013, 0.9, 2.385, -1.7 };
  for (int fixed = 0; fixed < 2; fixed++) {
    ms_structure *s = three_masses();
    ms_harmonic *h = NULL;
    ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
    setting.harmonics = 3;
    setting.times = 96;
    if (fixed) setting.own_phase = 0;
    CHECK_OK(ms_harmonic_create(s, &setting, &h));
    for (int i = 0; i < 4; i++) {
      const double error = compare_later(h, angle[i]);
      CHECK(fixed ? error > 1e-5 : error < 1e-13);
    }
    ms_harmonic_destroy(&h);
    ms_structure_destroy(&s);
  }
}

/* Amplitudes of u2 that NLvib 1.3 and tmdsimpy find, 7 harmonics and 1024 time points counted from
   the load's phase: tests/trials/compare. Half a step away from a turning point the motion is
   (pi/N)^2/2 = 5e-6 below it. */
static void test_other_codes(void) {
  static const double omega[] = { 9.3, 11.2, 12.6, 14.9 };
  static const double theirs[] = { 0.043845024821776275, 0.014055612857963643,
                                   0.0098308957035942723, 0.0085415502626908796 };
  const double C[] = { 0.57, -0.16, -0.16, 0.16 }, push[] = { 1.0, 0.0 }, u2[] = { 0.0, 1.0 };
  for (int fixed = 0; fixed < 2; fixed++) {
    ms_structure *s = NULL;
    ms_harmonic *h = NULL;
    ms_harmonic_curve *curve = NULL;
    ms_joint *j = test_joint("jenkins", "F_S", 0.23, "K_T", 61.9, NULL);
    ptrdiff_t from = 0, to = 1;
    ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
    if (fixed) setting.own_phase = 0;
    CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
    CHECK_OK(ms_structure_add_mass(s, 0, 1.31));
    CHECK_OK(ms_structure_add_mass(s, 1, 0.72));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 211.3));
    CHECK_OK(ms_structure_add_spring(s, 0, 1, 95.7));
    CHECK_OK(ms_structure_set_damping(s, C));
    CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
    CHECK_OK(ms_structure_setup(s));
    CHECK_OK(ms_harmonic_create(s, &setting, &h));
    CHECK_OK(ms_harmonic_add_load(h, push, 1, 1.13, 0.0));
    const ms_harmonic_range range = { .from = 8.0, .to = 16.0, .list = omega, .n_list = 4 };
    CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
    int found = 0;
    for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
      const ptrdiff_t at = ms_harmonic_curve_get_point(curve, i)->listed;
      double x[15];
      if (at == 0) continue;
      CHECK_OK(ms_harmonic_recover(h, curve, i, u2, x));
      CHECK_CLOSE(hypot(x[1], x[2]), theirs[at - 1], fixed ? 1e-12 : 5e-6);
      found++;
    }
    CHECK_EQUAL(found, 4);
    ms_harmonic_curve_destroy(&curve);
    ms_harmonic_destroy(&h);
    ms_structure_destroy(&s);
  }
}

int main(void) {
  TEST(test_later);
  TEST(test_other_codes);
  return test_finish();
}
