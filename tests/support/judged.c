#include "support/judged.h"

#include "support/check.h"

static ms_study study;
static ms_task task;
static ms_structure *structure;
static void *options;

void test_judge_with(ms_structure *of) {
  structure = of;
}

void test_judge_options(void *of) {
  options = of;
}

void test_task_record(ms_task *of) {
  CHECK_OK(ms_result_create(test_context(), of->name ? of->name : "task", "plain", &of->result));
  ms_result_set_ended(of->result, 1);
}

void test_expect_remark(const ms_task *of, int i, ms_outcome outcome, const char *words) {
  ms_outcome severity = MS_OUTCOME_NONE;
  const char *text = ms_result_get_remark(of->result, i, &severity);
  if (!CHECK(text != NULL)) return;
  CHECK_EQUAL(severity, outcome);
  CHECK_HAS(text, words);
}

void test_judge(const ms_analysis *kind, void *product) {
  study = (ms_study) { .ctx = test_context(), .structure = structure };
  test_judged_end();
  task = (ms_task) { .kind = kind, .name = kind->name, .options = options, .product = product };
  test_task_record(&task);
  CHECK_OK(kind->judge(&study, &task));
}

void test_judged_end(void) {
  ms_result_destroy(&task.result);
}

const char *test_remark(int i) {
  const char *text = ms_result_get_remark(task.result, i, NULL);
  return text ? text : "";
}

void test_expect(int n, int i, ms_outcome outcome, const char *words) {
  CHECK_EQUAL(ms_result_count_remarks(task.result), n);
  if (i < n) test_expect_remark(&task, i, outcome, words);
}
