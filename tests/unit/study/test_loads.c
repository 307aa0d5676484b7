/* What is said of loads of noise in a run: when they repeat themselves, and modes that they miss.
 */
#include <math.h>
#include <stdio.h>

#include "study/model/loads.h"
#include "support/check.h"
#include "support/judged.h"
#include "support/structures.h"

static double shape[3] = { 0.0, 0.0, 1.3 };
static ms_study study;
static ms_task task;

/* 400 lines from 0.05 to 0.45 Hz: they repeat themselves after 1000 s. */
static void judge(double start, double duration, double lines, double until) {
  ms_study_load load = { .name = "rattle", .shape = shape };
  ms_result_destroy(&task.result);
  CHECK_OK(ms_load_create(test_context(), "noise", &load.load));
  CHECK_OK(ms_load_set(load.load, "rms", 0.31));
  CHECK_OK(ms_load_set(load.load, "low", 0.05));
  CHECK_OK(ms_load_set(load.load, "high", 0.45));
  CHECK_OK(ms_load_set(load.load, "lines", lines));
  CHECK_OK(ms_load_set(load.load, "start", start));
  if (duration > 0.0) CHECK_OK(ms_load_set(load.load, "duration", duration));
  CHECK_OK(ms_load_setup(load.load));
  test_task_record(&task);
  CHECK_OK(ms_load_judge(&study, &task, &load, until));
  ms_load_destroy(&load.load);
}

static void test_repeats(void) {
  study = (ms_study) { .ctx = test_context(), .structure = test_three_mass(0.0213) };
  judge(0.0, 0.0, 400.0, 999.0);
  CHECK_EQUAL(ms_result_count_remarks(task.result), 0);
  judge(0.0, 0.0, 400.0, 1700.0);
  CHECK_EQUAL(ms_result_count_remarks(task.result), 1);
  CHECK_EQUAL(ms_result_get_outcome(task.result), MS_OUTCOME_COMPLETE);
  if (ms_result_count_remarks(task.result) == 1) {
    CHECK_HAS(ms_result_get_remark(task.result, 0, NULL),
              "load rattle: noise of lines 0.001 Hz apart repeats after "
              "1000 s, 1.7 times");
  }
  judge(710.0, 0.0, 400.0, 1700.0);
  CHECK_EQUAL(ms_result_count_remarks(task.result), 0);
  judge(-710.0, 0.0, 400.0, 990.0); /* before the run it does not count */
  CHECK_EQUAL(ms_result_count_remarks(task.result), 0);
  judge(0.0, 990.0, 400.0, 1700.0);
  CHECK_EQUAL(ms_result_count_remarks(task.result), 0);
  judge(100.0, 1310.0, 400.0, 1700.0);
  CHECK_EQUAL(ms_result_count_remarks(task.result), 1);
  if (ms_result_count_remarks(task.result) == 1)
    CHECK_HAS(ms_result_get_remark(task.result, 0, NULL), "1.31 times");
  ms_structure_destroy(&study.structure);
}

/* Lines 0.02 Hz apart; half the half-power width of a mode is zeta f. */
static void test_missed(void) {
  study = (ms_study) { .ctx = test_context(), .structure = test_three_mass(0.0213) };
  const double f = ms_structure_get_stuck(study.structure).omega[0] / (2.0 * acos(-1.0));
  char words[200];
  judge(0.0, 0.0, 20.0, 49.0);
  CHECK_EQUAL(ms_result_get_outcome(task.result), MS_OUTCOME_SUSPECT);
  snprintf(words, sizeof words,
           "load rattle: its lines are 0.02 Hz apart, more than half the half-power width %.3g Hz "
           "of mode 1 at %.6g Hz: use lines: %.0f",
           2.0 * 0.0213 * f, f, ceil(0.4 / (0.0213 * f)));
  CHECK_EQUAL(ms_result_count_remarks(task.result), 1);
  if (ms_result_count_remarks(task.result) == 1)
    CHECK_TEXT(ms_result_get_remark(task.result, 0, NULL), words);
  ms_structure_destroy(&study.structure);
  study.structure = test_three_mass(0.0);
  judge(0.0, 0.0, 20.0, 49.0);
  CHECK_EQUAL(ms_result_get_outcome(task.result), MS_OUTCOME_SUSPECT);
  if (ms_result_count_remarks(task.result) == 1) {
    CHECK_HAS(ms_result_get_remark(task.result, 0, NULL), "Hz: the mode has no damping");
  }
  ms_structure_destroy(&study.structure);
  ms_result_destroy(&task.result);
}

int main(void) {
  TEST(test_repeats);
  TEST(test_missed);
  return test_finish();
}
