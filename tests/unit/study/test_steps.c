/* Of several runs the worst of each reason to doubt them is kept. */
#include <math.h>
#include <string.h>

#include "study/analyses/shared/time_steps.h"
#include "support/check.h"
#include "support/judged.h"

static void test_worst(void) {
  const ms_transient_quality run[] = {
    { .balance = 3.1e-4, .mode = 0, .steps = 43.7, .steps_least = 20.0, .coarse = 2 },
    { .balance = 2.7e-6, .mode = 1, .steps = 7.3, .steps_least = 20.0, .coarse = 5 },
    { .balance = 0.123, .mode = 2, .steps = 31.9, .steps_least = 20.0, .coarse = 7 },
    { .balance = -1.0, .mode = -1, .steps = HUGE_VAL, .steps_least = 20.0 },
  };
  for (int first = 0; first < 4; first++) { /* in any order */
    ms_transient_quality worst = { .balance = 0.0 };
    for (int i = 0; i < 4; i++) ms_transient_quality_merge(&run[(first + i) % 4], &worst);
    CHECK_CLOSE(worst.balance, 0.123, 1e-15);
    CHECK_EQUAL(worst.mode, 1);
    CHECK_CLOSE(worst.steps, 7.3, 1e-15);
    CHECK_EQUAL(worst.coarse, 7);
  }
}

/* A balance that is no number is worse than any. */
static void test_no_number(void) {
  ms_transient_quality run = { .balance = NAN, .steps = 31.9 }, worst = { .balance = 0.123 };
  char text[320];
  ms_transient_quality_merge(&run, &worst);
  CHECK(ms_transient_quality_doubt(&worst, MS_DOUBT_BALANCE, text, sizeof text));
  CHECK(isnan(worst.balance));
}

/* Just inside a limit nothing is said; just outside the reason, with its numbers. */
static void test_limits(void) {
  static const ms_transient_quality good = {
    .balance = 0.00997, .mode = 1, .share = 0.0313, .steps = 20.03, .steps_least = 20.0
  };
  ms_transient_quality q = good;
  char text[320] = "";
  for (int kind = 0; kind < MS_N_DOUBT; kind++) {
    CHECK(!ms_transient_quality_doubt(&q, (ms_transient_doubt)kind, text, sizeof text));
  }
  q.steps = 19.96;
  CHECK(ms_transient_quality_doubt(&q, MS_DOUBT_STEP, text, sizeof text));
  CHECK_HAS(text, "mode 2, with 3.13 % of the kinetic energy, has 20 steps");
  CHECK_HAS(text, "at least 20 are required");
  q.balance = -1.0; /* not known */
  CHECK(!ms_transient_quality_doubt(&q, MS_DOUBT_BALANCE, text, sizeof text));
  q.balance = 0.01003;
  CHECK(ms_transient_quality_doubt(&q, MS_DOUBT_BALANCE, text, sizeof text));
  CHECK_HAS(text, "off by 1 %");
  q.coarse = 1;
  CHECK(ms_transient_quality_doubt(&q, MS_DOUBT_SLIP, text, sizeof text));
  CHECK_HAS(text, "(1 parts");
}

/* ---- what a task is told ---- */

static const char *const source[] = { "first", "second", "third" };

static const ms_transient_quality *get(const void *user, ptrdiff_t i, const char **out) {
  *out = source[i];
  return (const ms_transient_quality *)user + i;
}

/* Of three runs each reason is said of the worst, with the number of those that have it. */
static void test_runs(void) {
  const ms_transient_quality run[] = {
    { .balance = 0.023, .mode = 0, .steps = 13.7, .steps_least = 20.0, .coarse = 2 },
    { .balance = 0.007, .mode = 1, .steps = 7.3, .steps_least = 20.0, .coarse = 5 },
    { .balance = 0.123, .mode = -1, .steps = HUGE_VAL, .steps_least = 20.0 },
  };
  ms_study s = { .ctx = test_context() };
  ms_task task = { .name = "run" };
  test_task_record(&task);
  CHECK_OK(ms_steps_judge_runs(&s, &task, 3, get, run));
  CHECK_EQUAL(ms_result_count_remarks(task.result), 4);
  test_expect_remark(&task, 0, MS_OUTCOME_COMPLETE, "third: nothing moves");
  test_expect_remark(&task, 1, MS_OUTCOME_SUSPECT, "second: the time step is too coarse: mode 2");
  CHECK_HAS(ms_result_get_remark(task.result, 1, NULL), "(2 of 3 runs, this one worst)");
  test_expect_remark(&task, 2, MS_OUTCOME_SUSPECT, "third: the energy balance is off by 12.3 %");
  CHECK_HAS(ms_result_get_remark(task.result, 2, NULL), "(2 of 3 runs, this one worst)");
  test_expect_remark(&task, 3, MS_OUTCOME_SUSPECT, "second: the step is too long for stiff joints");
  CHECK_HAS(ms_result_get_remark(task.result, 3, NULL), "(5 parts");
  ms_result_clear_remarks(task.result);
  CHECK_OK(ms_steps_judge(&s, &task, &run[0])); /* alone it has no name */
  CHECK_EQUAL(ms_result_count_remarks(task.result), 3);
  test_expect_remark(&task, 0, MS_OUTCOME_SUSPECT, "the time step is too coarse: mode 1");
  CHECK(!strstr(ms_result_get_remark(task.result, 0, NULL), "runs"));
  ms_result_destroy(&task.result);
}

/* Newmark needs 10 steps of a pulse, the exponential method 2; steps of any error pass with the
   fewest. */
static void test_pulse(void) {
  static const struct {
    const char *method;
    double tolerance, enough;
  } of[] = { { "newmark", 0.0, 10.0 },
             { "newmark", 1e-6, 2.0 },
             { "exponential", 0.0, 2.0 },
             { "exponential", 1e-6, 1.0 } };
  ms_study s = { .ctx = test_context() };
  for (int i = 0; i < 4; i++) {
    ms_task task = { .name = "run" };
    test_task_record(&task);
    ms_time_setting time = { .method = of[i].method, .tolerance = of[i].tolerance, .step = 0.0031 };
    CHECK_OK(ms_steps_judge_pulse(&s, &task, &time, 1.003 * of[i].enough * time.step));
    CHECK_OK(ms_steps_judge_pulse(&s, &task, &time, HUGE_VAL));
    CHECK_EQUAL(ms_result_count_remarks(task.result), 0);
    CHECK_OK(ms_steps_judge_pulse(&s, &task, &time, 0.97 * of[i].enough * time.step));
    test_expect_remark(&task, 0, MS_OUTCOME_SUSPECT, "too coarse for the pulse");
    ms_result_destroy(&task.result);
  }
}

int main(void) {
  TEST(test_worst);
  TEST(test_no_number);
  TEST(test_limits);
  TEST(test_runs);
  TEST(test_pulse);
  return test_finish();
}
