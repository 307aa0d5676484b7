/* First loading along the joints' virgin curves: what it answers beside steps of the joints, where
   it must leave the curves, and what it costs. */
#include <math.h>
#include <stdlib.h>

#include <microslip/quasistatic.h>

#include "joint/impl.h"
#include "structure/impl.h"
#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

enum { LEVELS = 60 };

/* Nearly one slider each, the second weak: the first turns back when it slips. */
static ms_joint *make_unlike(int k) {
  return test_joint("iwan4", "F_S", k ? 0.513 : 2.385, "K_T", k ? 140.0 : 71.0, "chi", -0.43,
                    "beta", 83.0, NULL);
}

static ms_quasistatic *run_levels(ms_structure *s, ms_quasistatic_setting setting, double from,
                                  double to) {
  ms_quasistatic *run = NULL;
  double level[LEVELS];
  CHECK_OK(ms_quasistatic_space(test_context(), from, to, LEVELS, level));
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_quasistatic_run(run, LEVELS, level));
  return run;
}

/* The law without its curve: the same numbers by its own steps. */
static ms_law stepping;

static void forget_curves(ms_structure *s) {
  for (int k = 0; k < s->n_attachment; k++) {
    stepping = *s->attachment[k].joint->law;
    stepping.virgin = NULL;
  }
  for (int k = 0; k < s->n_attachment; k++) s->attachment[k].joint->law = &stepping;
}

static void compare_levels(const ms_quasistatic *a, const ms_quasistatic *b) {
  for (ptrdiff_t k = 0; k < LEVELS; k++) {
    const ms_quasistatic_level *x = ms_quasistatic_get_level(a, k),
                               *y = ms_quasistatic_get_level(b, k);
    CHECK_EQUAL(x->method, y->method);
    CHECK_CLOSE(x->q, y->q, 1e-12);
    CHECK_CLOSE(x->alpha, y->alpha, 1e-12);
    CHECK_CLOSE(x->omega, y->omega, 1e-12);
    CHECK_CLOSE(x->D, y->D, 1e-11);
    CHECK_CLOSE(x->zeta_joint, y->zeta_joint, 1e-11);
    CHECK_BELOW(x->residual, 1e-13);
    CHECK_CLOSE(x->tolerance, 1e-13, 0.0);
    for (int j = 0; j < 2; j++) {
      CHECK_CLOSE(x->z[j], y->z[j], 1e-11);
      CHECK_CLOSE(x->f[j], y->f[j], 1e-11);
      CHECK_CLOSE(x->D_joint[j], y->D_joint[j], 1e-11);
    }
  }
}

/* From microslip through macroslip, by amplitudes and by loads, beside steps of the joints. */
static void test_beside_steps(void) {
  for (int by_load = 0; by_load < 2; by_load++) {
    for (ptrdiff_t mode = 0; mode < 3; mode++) {
      ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
      ms_structure *s = test_frame(test_frame_iwan, 2), *plain = test_frame(test_frame_iwan, 2);
      double unit = by_load ? pow(ms_structure_get_stuck(s).omega[mode], 2.0) : 1.0;
      setting.mode = mode;
      setting.level = by_load ? MS_LEVEL_LOAD : MS_LEVEL_AMPLITUDE;
      forget_curves(plain);
      ms_quasistatic *run = run_levels(s, setting, 1.3e-3 * unit, 1.7 * unit);
      ms_quasistatic *want = run_levels(plain, setting, 1.3e-3 * unit, 1.7 * unit);
      compare_levels(run, want);
      ms_quasistatic_destroy(&run);
      ms_quasistatic_destroy(&want);
      ms_structure_destroy(&s);
      ms_structure_destroy(&plain);
    }
  }
}

/* The run leaves the joints where its last level is. */
static void test_joints_follow(void) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = test_frame(test_frame_iwan, 2);
  ms_quasistatic *run = run_levels(s, setting, 1.3e-3, 0.29);
  const ms_quasistatic_level *last = ms_quasistatic_get_level(run, LEVELS - 1);
  for (int k = 0; k < 2; k++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    ms_joint_trial trial;
    in.u[0] = 0.9 * last->z[k]; /* back a little: the tangent knows where it turned */
    CHECK_OK(ms_joint_update(s->attachment[k].joint, &in, &out, &trial));
    double F, slope;
    CHECK_OK(ms_joint_eval_virgin(s->attachment[k].joint, 0.05 * last->z[k], &F, &slope));
    CHECK_CLOSE(out.force[0], last->f[k] - 2.0 * F, 1e-12); /* Masing */
    CHECK_CLOSE(out.du[0], slope, 1e-12);
  }
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* A joint that turns back is no longer on its curve: levels from there on are cycled. */
static void test_turns_back(void) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = test_frame(make_unlike, 2), *plain = test_frame(make_unlike, 2);
  setting.mode = 1;
  forget_curves(plain);
  ms_quasistatic *run = run_levels(s, setting, 1.3e-3, 0.629);
  ms_quasistatic *want = run_levels(plain, setting, 1.3e-3, 0.629);
  compare_levels(run, want);
  CHECK_EQUAL(ms_quasistatic_get_level(run, 0)->method, MS_LOSS_OWN);
  CHECK_EQUAL(ms_quasistatic_get_level(run, LEVELS - 1)->method, MS_LOSS_CYCLED);
  ms_quasistatic_destroy(&run);
  ms_quasistatic_destroy(&want);
  ms_structure_destroy(&s);
  ms_structure_destroy(&plain);
}

/* Levels far apart, where three iterations are too few when sliders run out; the joints' own steps,
   divided, go on from there. */
static void test_few_iterations(void) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = test_frame(test_frame_iwan, 2);
  ms_quasistatic *want = run_levels(s, setting, 1.3e-9, 1.7);
  setting.newton_max = 3;
  ms_quasistatic *run = run_levels(s, setting, 1.3e-9, 1.7);
  CHECK(ms_quasistatic_get_count(run).divided > 0);
  CHECK_EQUAL(ms_quasistatic_get_count(want).divided, 0);
  compare_levels(run, want);
  ms_quasistatic_destroy(&run);
  ms_quasistatic_destroy(&want);
  ms_structure_destroy(&s);
}

/* In microslip, close levels: the guess, a step, the residual of the answer. */
static void test_evaluations(void) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = test_frame(test_frame_iwan, 2);
  ms_quasistatic *run = run_levels(s, setting, 0.0113, 0.117);
  CHECK_BELOW((double)ms_quasistatic_get_count(run).evaluations / LEVELS, 2.3);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* Discrete sliders step along a polygon, not along the curve of the exact element. */
static void test_sliders_do_not(void) {
  ms_joint *j = test_joint("iwan4", "F_S", 2.385, "K_T", 71.0, "chi", -0.43, "beta", 1.37,
                           "sliders", 40.0, NULL);
  ms_virgin point;
  CHECK_EQUAL(j->law->virgin(j->model, 0.0137, &point), 0);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_beside_steps);
  TEST(test_joints_follow);
  TEST(test_turns_back);
  TEST(test_few_iterations);
  TEST(test_evaluations);
  TEST(test_sliders_do_not);
  return test_finish();
}
