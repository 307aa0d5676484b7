/* Fits from several starts: what is doubtful about the best. */
#include <math.h>
#include <string.h>

#include "study/analyses/shared/multistart.h"
#include "support/check.h"
#include "support/judged.h"

enum { N = 2, COUNT = 5 };

static const ms_fit_parameter bound[N] = {
  { .name = "K_T of lap", .lower = 10.0, .upper = 1000.0, .logarithmic = 1 },
  { .name = "chi of lap", .lower = -0.9, .upper = 0.3 }
};
static const double found[N * COUNT] = { 71.3,   -0.31, 71.3, -0.31, 71.3 * 1.0045,
                                         -0.311, 71.3,  0.25, 71.3,  -0.308 };
static const ms_fit_local local[COUNT] = { { MS_FIT_FAILED, NAN, 3, 1, NAN },
                                           { MS_FIT_CONVERGED, 2.37, 31, 5, 1.7e-9 },
                                           { MS_FIT_UNFINISHED, 2.31, 400, 7, 2.9e-3 },
                                           { MS_FIT_CONVERGED, 4.9, 17, 4, 3.1e-8 },
                                           { MS_FIT_CONVERGED, 2.33, 19, 3, 4.1e-8 } };

static ms_starts make(void) {
  ms_starts s;
  CHECK_OK(ms_starts_open(test_context(), N, COUNT, bound, &s));
  memcpy(s.found, found, sizeof found);
  memcpy(s.local, local, sizeof local);
  return s;
}

static void test_judged(void) {
  int inside[N] = { 0, 0 }, low[N] = { 0, -1 }, high[N] = { 1, 0 };
  int none[N] = { 0, 0 }, second[N] = { 1, 0 }, all[N] = { 1, 1 };
  ms_fit_judgement j = { .at_bound = inside, .determined = all };
  ms_study study = { .ctx = test_context() };
  ms_task task = { .name = "fit" };
  ms_starts s = make();
  test_task_record(&task);
  CHECK_OK(ms_starts_judge(&study, &task, &s, 1, &j));
  CHECK_OK(ms_starts_judge_open(&study, &task, &s, &j));
  CHECK_EQUAL(ms_result_count_remarks(task.result), 0);
  CHECK_OK(ms_starts_judge(&study, &task, &s, 2, &j));
  j.at_bound = low;
  CHECK_OK(ms_starts_judge(&study, &task, &s, 1, &j));
  j.at_bound = high;
  CHECK_OK(ms_starts_judge(&study, &task, &s, 1, &j));
  j.determined = second;
  CHECK_OK(ms_starts_judge_open(&study, &task, &s, &j));
  j.determined = none;
  CHECK_OK(ms_starts_judge_open(&study, &task, &s, &j));
  static const char *const want[] = {
    "the fit stopped after 400 evaluations, before it converged",
    "chi of lap ended at its lower bound, -0.9", "K_T of lap ended at its upper bound, 1000",
    "the data do not determine chi of lap: other values fit as well",
    "the data do not determine K_T of lap, chi of lap: other values fit as well"
  };
  CHECK_EQUAL(ms_result_count_remarks(task.result), 5);
  for (int i = 0; i < 5; i++) {
    ms_outcome severity = MS_OUTCOME_NONE;
    CHECK_TEXT(ms_result_get_remark(task.result, i, &severity), want[i]);
    CHECK_EQUAL(severity, MS_OUTCOME_SUSPECT);
  }
  ms_result_destroy(&task.result);
  ms_starts_close(test_context(), &s);
}

int main(void) {
  TEST(test_judged);
  return test_finish();
}
