/* Tolerances of harmonic balance that no other test notices, moved far in the harmful direction:
   the answer is wrong, or refused. */
#include <math.h>
#include <string.h>

#include <microslip/harmonic.h>

#include "support/check.h"
#include "support/joints.h"

static const double one = 1.0, m = 1.31, k = 317.0;
static const ms_harmonic_setting standard = MS_HARMONIC_DEFAULT;

static ms_joint *jenkins(void) {
  return test_joint("jenkins", "F_S", 2.385, "K_T", 571.0, NULL);
}

static ms_joint *dahl(void) {
  return test_joint("dahl", "F_c", 2.1, "sigma_0", 571.0, NULL);
}

/* A mass on a joint and a spring (0: none). */
static ms_structure *stand(ms_joint *j, double spring, double zeta) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, m));
  if (spring > 0.0) CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, spring));
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, &zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_harmonic *open(ms_structure *s, ms_harmonic_setting setting, const double *load) {
  ms_harmonic *h = NULL;
  setting.harmonics = 3;
  setting.times = 128;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, load, 1, 1.0, 0.0));
  return h;
}

/* Status of a forced response, and its last point (empty where there is none). */
static ms_status force(ms_structure *s, ms_harmonic_setting setting, double level, double from,
                       double to, ms_harmonic_point *last) {
  ms_harmonic *h = open(s, setting, &one);
  ms_harmonic_curve *curve = NULL;
  ms_harmonic_range range = { .from = from, .to = to };
  ms_status status = ms_harmonic_run_forced(h, &range, level, &curve);
  *last = (ms_harmonic_point) { .q = 0.0 };
  if (status == MS_SUCCESS) {
    *last = *ms_harmonic_curve_get_point(curve, ms_harmonic_curve_get_info(curve).points - 1);
  }
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  return status;
}

/* A stop at both sides, hard to find at once: from a small level up it is. */
static void test_climb(void) {
  ms_joint *j = test_joint("gap", "K", 2100.0, "g_plus", 0.011, "g_minus", 0.017, NULL);
  ms_structure *s = stand(j, k, 0.003);
  ms_harmonic_setting high = standard;
  ms_harmonic_point last;
  high.tol.climb_from = 0.999;
  CHECK_OK(force(s, standard, 8.1, 12.5, 12.5125, &last));
  CHECK(last.q > 0.015 && last.residual < 1e-9);
  CHECK_STATUS(force(s, high, 8.1, 12.5, 12.5125, &last), MS_NOT_CONVERGED);
  ms_structure_destroy(&s);
}

/* Joints alone dissipate: the resonance is looked for between two damping ratios. Jenkins' element
   at the amplitude a takes 4 F_S (a - F_S/K_T) a cycle, the force pi F a. */
static void test_resonance(void) {
  const double F_S = 2.385, K_T = 571.0, pi = 3.14159265358979323846, F = 0.45;
  const double want = 4.0 * F_S * F_S / K_T / (4.0 * F_S - pi * F);
  ms_harmonic_setting setting[3] = { standard, standard, standard };
  setting[1].tol.least_damped = 0.2;
  setting[2].tol.most_damped = 1e-6;
  for (int i = 0; i < 3; i++) {
    ms_structure *s = stand(jenkins(), k, 0.0);
    ms_harmonic *h = open(s, setting[i], &one);
    ms_harmonic_curve *curve = NULL;
    ms_harmonic_range range = { .from = F, .to = 1.1 * F };
    ms_status status = ms_harmonic_run_resonance(h, 0, &one, MS_HARMONIC_LEVEL, &range, &curve);
    if (i == 1) {
      CHECK_STATUS(status, MS_NOT_CONVERGED);
      CHECK_HAS(ms_context_message(test_context()), "with damping between 0.2 and 0.3");
    } else {
      CHECK_OK(status);
      const double a = ms_harmonic_curve_get_point(curve, 0)->response;
      CHECK(i == 0 ? fabs(a - want) < 0.02 * want : fabs(a - want) > want);
    }
    ms_harmonic_curve_destroy(&curve);
    ms_harmonic_destroy(&h);
    ms_structure_destroy(&s);
  }
}

/* Two periods are too few for Dahl's law, and the message says so. */
static void test_long_memory(void) {
  ms_structure *s = stand(dahl(), k, 0.003);
  ms_harmonic_setting setting = standard;
  ms_harmonic_point last;
  setting.repeat_max = 2;
  CHECK_STATUS(force(s, setting, 0.9, 24.4, 24.42, &last), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "its memory is too long");
  setting.tol.unsettled = 1e3;
  force(s, setting, 0.9, 24.4, 24.42, &last);
  CHECK(!strstr(ms_context_message(test_context()), "its memory is too long"));
  ms_structure_destroy(&s);
}

/* A mass on a slider alone, which slips both ways: nothing says where its middle is, and the
   matrix is singular. */
static void test_singular(void) {
  ms_structure *s = stand(jenkins(), 0.0, 0.0);
  ms_harmonic_setting setting = standard;
  ms_harmonic_point last;
  CHECK_OK(force(s, setting, 2.89, 4.5, 6.75, &last));
  CHECK_CLOSE(last.omega, 6.75, 1e-12);
  setting.points_max = 100;
  setting.tol.suspect = 1e-30;
  CHECK(force(s, setting, 2.89, 4.5, 6.75, &last) != MS_SUCCESS || last.omega < 6.7);
  ms_structure_destroy(&s);
}

/* Of joints with memory the largest multiplier comes out after some periods. */
static void test_multiplier(void) {
  ms_structure *s = stand(dahl(), k, 0.003);
  ms_harmonic_setting tight = standard, wide = standard;
  ms_harmonic_point last, closer, early;
  tight.tol.floquet_steady = 1e-10;
  wide.tol.floquet_steady = 1e3;
  CHECK_OK(force(s, standard, 0.9, 20.28, 20.3, &last));
  CHECK_OK(force(s, tight, 0.9, 20.28, 20.3, &closer));
  CHECK_OK(force(s, wide, 0.9, 20.28, 20.3, &early));
  CHECK_NEAR(last.multiplier, closer.multiplier, 1e-6);
  CHECK(fabs(early.multiplier - closer.multiplier) > 0.01);
  ms_structure_destroy(&s);
}

/* Two masses that are free but for a dashpot on one: in a period T the rigid-body mode is damped
   by exp(-c T/(m + M)), about, and that counts. */
static void test_rigid_multiplier(void) {
  const double M = 0.73, c = 0.21, C[4] = { 0.1 + c, -0.1, -0.1, 0.1 }, load[2] = { 1.0, -0.3 };
  const double omega = 20.0, want = exp(-c * 2.0 * 3.14159265358979323846 / omega / (m + M));
  const ptrdiff_t from = 0, to = 1;
  ms_joint *j = jenkins();
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, m));
  CHECK_OK(ms_structure_add_mass(s, 1, M));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, k));
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_setup(s));
  for (int i = 0; i < 2; i++) {
    ms_harmonic_setting setting = standard;
    ms_harmonic_curve *curve = NULL;
    ms_harmonic_range range = { .from = omega, .to = 1.005 * omega };
    if (i == 1) setting.tol.undamped = 1e3;
    ms_harmonic *h = open(s, setting, load);
    CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
    const double multiplier = ms_harmonic_curve_get_point(curve, 0)->multiplier;
    CHECK(i == 0 ? fabs(multiplier - want) < 1e-3 : fabs(multiplier - want) > 5e-3);
    ms_harmonic_curve_destroy(&curve);
    ms_harmonic_destroy(&h);
  }
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_structure *s = stand(jenkins(), k, 0.003);
  ms_harmonic_setting setting = standard;
  ms_harmonic *h = NULL;
  setting.tol = (ms_harmonic_tolerances) { 0 };
  CHECK_STATUS(ms_harmonic_create(s, &setting, &h), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "tol.turn_cosine = 0 must be finite and above 0");
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_climb);
  TEST(test_resonance);
  TEST(test_long_memory);
  TEST(test_singular);
  TEST(test_multiplier);
  TEST(test_rigid_multiplier);
  TEST(test_refused);
  return test_finish();
}
