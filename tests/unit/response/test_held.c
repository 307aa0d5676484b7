/* Harmonic balance with the amplitude of a displacement held, and along the level at one frequency:
   a mass with a cubic spring in closed form, and an Iwan element against runs at given levels. */
#include <math.h>
#include <microslip/harmonic.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

#define MASS 2.385
#define K    9310.0
#define K3   4.7e9
#define ZETA 0.0137
#define A    1.9e-3

static double stuck_omega(void) {
  return sqrt(K / MASS);
}

static ms_structure *make_cubic(void) {
  ms_structure *s = NULL;
  const ptrdiff_t from = MS_GROUND, to = 0;
  const double zeta[] = { ZETA };
  ms_joint *j = test_joint("cubic", "K", 0.3 * K, "K3", K3, NULL);
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, MASS));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 0.7 * K));
  CHECK_OK(ms_structure_take_joint(s, "spring", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* With one harmonic. */
static double cubic_force(double amplitude, double omega) {
  const double k = K + 0.75 * K3 * amplitude * amplitude, c = 2.0 * ZETA * stuck_omega() * MASS;
  return amplitude * hypot(k - MASS * omega * omega, c * omega);
}

static ms_harmonic *open_balance(ms_structure *s, const double *force, int harmonics) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  setting.harmonics = harmonics;
  setting.times = 256;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, force, 1, 1.0, 0.0));
  return h;
}

static const double one[] = { 1.0 };

/* Over the resonance at this amplitude, where the curve at a level folds: through all frequencies,
   each once. */
static void test_held(void) {
  const double w = stuck_omega();
  ms_structure *s = make_cubic();
  ms_harmonic *h = open_balance(s, one, 1);
  const ms_harmonic_range range = { .from = 0.7 * w, .to = 3.1 * w, .watch = one };
  ms_harmonic_curve *c = NULL;
  double least = HUGE_VAL, before = 0.0;
  if (!CHECK_OK(ms_harmonic_run_held(h, &range, A, &c))) return;
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(c);
  CHECK(info.complete && info.points > 10);
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(c, i);
    CHECK_CLOSE(p->response, A, 1e-9);
    CHECK_CLOSE(p->level, cubic_force(A, p->omega), 1e-7);
    CHECK(p->omega > before && p->turn == 0);
    CHECK_BELOW(p->iterations, 8);
    before = p->omega;
    least = fmin(least, p->level);
  }
  CHECK_BELOW(least, 0.1 * ms_harmonic_curve_get_point(c, 0)->level);
  ms_harmonic_curve_destroy(&c);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* Through both folds to a level above them. */
static void test_level(void) {
  const double w = 1.5 * stuck_omega(), from = 0.1;
  double A_fold = 0.0;
  while (cubic_force(A_fold + 1e-6, w) > cubic_force(A_fold, w)) A_fold += 1e-6;
  const double to = 1.2 * cubic_force(A_fold, w);
  ms_structure *s = make_cubic();
  ms_harmonic *h = open_balance(s, one, 1);
  const ms_harmonic_range range = { .from = from, .to = to, .watch = one };
  ms_harmonic_curve *c = NULL;
  if (!CHECK_OK(ms_harmonic_run_level(h, w, &range, &c))) return;
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(c);
  CHECK(info.complete && info.points > 10);
  CHECK_CLOSE(ms_harmonic_curve_get_point(c, 0)->level, from, 1e-12);
  CHECK_CLOSE(ms_harmonic_curve_get_point(c, info.points - 1)->level, to, 1e-12);
  int folds = 0;
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(c, i);
    CHECK_NEAR(p->omega, w, 0.0);
    CHECK_CLOSE(p->level, cubic_force(p->response, w), 1e-7);
    folds += (p->turn & MS_HARMONIC_FOLD) != 0;
  }
  CHECK_EQUAL(folds, 2);
  /* On from the last point, as a start. */
  double *state = malloc((size_t)ms_harmonic_save_size(c) * sizeof *state);
  CHECK_EQUAL(ms_harmonic_save_size(c), ms_harmonic_state_size(h));
  ms_harmonic_save(c, info.points - 1, state);
  ms_harmonic_curve_destroy(&c);
  const ms_harmonic_range on = { .from = to, .to = 0.9 * to, .watch = one, .start = state };
  CHECK_OK(ms_harmonic_run_level(h, w, &on, &c));
  const ms_harmonic_point *last =
      ms_harmonic_curve_get_point(c, ms_harmonic_curve_get_info(c).points - 1);
  CHECK_CLOSE(last->level, 0.9 * to, 1e-12);
  CHECK_CLOSE(last->level, cubic_force(last->response, w), 1e-7);
  CHECK(last->response > A);
  free(state);
  ms_harmonic_curve_destroy(&c);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* The sensor is not where the load is, three modes are passed and the master changes: at the level
   that was found each motion is one of a forced response. */
static void test_iwan(void) {
  const double force[] = { 0.0, 0.0, 1.0 }, sensor[] = { 1.0, 0.0, 0.0 };
  ms_structure *s = test_three_mass(0.0137);
  ms_harmonic *h = open_balance(s, force, 3);
  const double *w = ms_structure_get_stuck(s).omega;
  const ms_harmonic_range range = { .from = 0.8 * w[0], .to = 1.2 * w[2], .watch = sensor };
  ms_harmonic_curve *c = NULL, *again = NULL;
  if (!CHECK_OK(ms_harmonic_run_held(h, &range, 2.3, &c))) return;
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(c);
  CHECK(info.complete);
  CHECK_EQUAL(ms_harmonic_curve_get_point(c, 0)->mode, 0);
  CHECK_EQUAL(ms_harmonic_curve_get_point(c, info.points - 1)->mode, 2);
  double *state = malloc((size_t)ms_harmonic_save_size(c) * sizeof *state);
  for (ptrdiff_t i = 0; i < info.points; i += 7) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(c, i);
    CHECK_CLOSE(p->response, 2.3, 1e-8);
    ms_harmonic_save(c, i, state);
    const ms_harmonic_range at = {
      .from = p->omega, .to = p->omega, .watch = sensor, .start = state
    };
    if (!CHECK_OK(ms_harmonic_run_forced(h, &at, p->level, &again))) break;
    CHECK_EQUAL(ms_harmonic_curve_get_point(again, 0)->iterations, 1);
    CHECK_CLOSE(ms_harmonic_curve_get_point(again, 0)->response, 2.3, 1e-7);
    ms_harmonic_curve_destroy(&again);
  }
  free(state);
  ms_harmonic_curve_destroy(&c);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* Far up, where the stuck structure's motion is no guess, the amplitude is led there; and so is one
   near which a forced response is looked for. */
static void test_starts(void) {
  const double w = 2.0 * stuck_omega(), far = 2.9 * A;
  ms_structure *s = make_cubic();
  ms_harmonic *h = open_balance(s, one, 1);
  const ms_harmonic_range range = { .from = w, .to = w, .watch = one };
  ms_harmonic_curve *c = NULL;
  if (!CHECK_OK(ms_harmonic_run_held(h, &range, far, &c))) return;
  const ms_harmonic_point *p = ms_harmonic_curve_get_point(c, 0);
  CHECK_CLOSE(p->response, far, 1e-9);
  CHECK_CLOSE(p->level, cubic_force(far, w), 1e-7);
  double x[3];
  CHECK_OK(ms_harmonic_recover(h, c, 0, one, x));
  const double level = p->level, near[] = { 0.98 * x[1], 0.98 * x[2] };
  ms_harmonic_curve_destroy(&c);
  /* at the resonance of amplitude A, a quarter of a period behind; without the phase it is no start
   */
  const double v = sqrt((K + 0.75 * K3 * A * A) / MASS), behind[] = { 0.0, 0.97 * A };
  const ms_harmonic_range there = { .from = v, .to = v, .watch = one, .near = behind };
  if (!CHECK_OK(ms_harmonic_run_forced(h, &there, cubic_force(A, v), &c))) return;
  CHECK_CLOSE(ms_harmonic_curve_get_point(c, 0)->response, A, 1e-7);
  CHECK_BELOW(ms_harmonic_curve_get_point(c, 0)->iterations, 7);
  ms_harmonic_curve_destroy(&c);
  const ms_harmonic_range about = { .from = w, .to = w, .watch = one, .near = near };
  CHECK_OK(ms_harmonic_run_forced(h, &about, level, &c));
  CHECK_CLOSE(ms_harmonic_curve_get_point(c, 0)->response, far, 1e-7);
  ms_harmonic_curve_destroy(&c);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

static void test_refusals(void) {
  ms_structure *s = make_cubic();
  ms_harmonic *h = open_balance(s, one, 1);
  ms_harmonic_range range = { .from = 30.0, .to = 40.0, .watch = one };
  ms_harmonic_curve *c = NULL;
  CHECK_STATUS(ms_harmonic_run_held(h, &range, 0.0, &c), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "amplitude 0");
  CHECK_STATUS(ms_harmonic_run_held(h, &range, (double)NAN, &c), MS_ERR_BOUNDS);
  range.watch = NULL;
  CHECK_STATUS(ms_harmonic_run_held(h, &range, A, &c), MS_ERR_ARGUMENT);
  range.from = 0.0;
  CHECK_STATUS(ms_harmonic_run_level(h, 30.0, &range, &c), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "level from 0");
  CHECK(c == NULL);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_held);
  TEST(test_level);
  TEST(test_iwan);
  TEST(test_starts);
  TEST(test_refusals);
  return test_finish();
}
