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

void test_judge(const ms_analysis *kind, void *product) {
  study = (ms_study) { .ctx = test_context(), .structure = structure };
  ms_task_clear_remarks(study.ctx, &task);
  task = (ms_task) {
    .kind = kind, .name = kind->name, .options = options, .product = product, .ended = 1
  };
  CHECK_OK(kind->judge(&study, &task));
}

void test_judged_end(void) {
  ms_task_clear_remarks(test_context(), &task);
}

const char *test_remark(int i) {
  return i < task.n_remark ? task.remark[i].text : "";
}

void test_expect(int n, int i, ms_outcome outcome, const char *words) {
  CHECK_EQUAL(task.n_remark, n);
  if (i >= task.n_remark) return;
  CHECK_EQUAL(task.remark[i].outcome, outcome);
  CHECK_HAS(task.remark[i].text, words);
}
