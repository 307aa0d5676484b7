/* Peaks and folds of forced responses beside those of runs with steps 100 times shorter, and what
   they cost: laws with corners, whose time points would make ripples. */
#include <math.h>
#include <stdio.h>

#include <microslip/harmonic.h>

#include "support/check.h"
#include "support/joints.h"

enum { MOST = 8 };

typedef struct turning {
  double omega, response;
  int turn;
} turning;

typedef struct outcome {
  turning at[MOST];
  int n;
  ptrdiff_t evaluations;
} outcome;

static outcome run(ms_structure *s, const double *push, double level, double from, double to,
                   double step_max) {
  const double watch[] = { 1.0, 0.0 };
  const ms_harmonic_range range = { .from = from, .to = to, .watch = watch };
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  outcome o = { .n = 0 };
  setting.harmonics = 5;
  setting.times = 256;
  setting.stability_modes = 0;
  setting.step_max = step_max;
  setting.step = fmin(setting.step, step_max);
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, push, 1, 1.0, 0.0));
  CHECK_OK(ms_harmonic_run_forced(h, &range, level, &curve));
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.reason, "");
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (p->turn != 0 && o.n < MOST) o.at[o.n] = (turning) { p->omega, p->response, p->turn };
    o.n += p->turn != 0;
  }
  o.evaluations = info.evaluations;
  printf("# steps up to %g: %td points, %td evaluations, %d turns\n", step_max, info.points,
         info.evaluations, o.n);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  return o;
}

/* `most`: evaluations, 1.3 times those that the same curve took when turns were not solved for but
   read from its points. */
static void check(ms_structure *s, const double *push, double level, double from, double to,
                  int turns, ptrdiff_t most) {
  const outcome coarse = run(s, push, level, from, to, 0.2);
  const outcome fine = run(s, push, level, from, to, 0.002);
  CHECK_EQUAL(coarse.n, turns);
  CHECK_EQUAL(fine.n, turns);
  CHECK(coarse.evaluations <= most);
  for (int i = 0; i < turns; i++) {
    CHECK_EQUAL(coarse.at[i].turn, fine.at[i].turn);
    CHECK_CLOSE(coarse.at[i].omega, fine.at[i].omega, 1e-6);
    CHECK_CLOSE(coarse.at[i].response, fine.at[i].response, 1e-6);
  }
}

static ms_structure *chain(ptrdiff_t n, const double *m, const double *k, const double *zeta,
                           ms_joint *joint, ptrdiff_t from, ptrdiff_t to) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), n, NULL, &s));
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_spring(s, i > 0 ? i - 1 : MS_GROUND, i, k[i]));
  }
  CHECK_OK(ms_structure_take_joint(s, "joint", &joint, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* A mass between stops: a peak between two folds, where time points counted from the load's phase
   make 82 folds. 317 evaluations without turns (1024 time points; with 256 the curve was given up).
 */
static void test_stops(void) {
  const double m[] = { 1.13 }, k[] = { 412.0 }, zeta[] = { 0.011 }, push[] = { 1.0 };
  ms_joint *stops = test_joint("gap", "K", 3500.0, "g_plus", 0.0103, "g_minus", 0.0103, NULL);
  ms_structure *s = chain(1, m, k, zeta, stops, MS_GROUND, 0);
  check(s, push, 0.21, 12.0, 50.0, 3, 412);
  ms_structure_destroy(&s);
}

/* Two masses with a friction damper between them: one peak, six with the load's phase. 252
   evaluations without turns. */
static void test_damper(void) {
  const double m[] = { 1.07, 0.21 }, k[] = { 405.0, 61.0 }, zeta[] = { 0.0023, 0.0023 };
  const double push[] = { 1.0, 0.0 };
  ms_joint *damper = test_joint("jenkins", "F_S", 0.47, "K_T", 193.0, NULL);
  ms_structure *s = chain(2, m, k, zeta, damper, 0, 1);
  check(s, push, 0.19, 12.0, 30.0, 1, 327);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_stops);
  TEST(test_damper);
  return test_finish();
}
