/* How analyses end: the worst of their remarks, what rests on them, and what is said of a study. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"
#include "support/check.h"
#include "support/files.h"
#include "support/judged.h"

enum { TASKS = 4 };

static int needs_first(const ms_task *task, const ms_task *other) {
  (void)task;
  return strcmp(other->name, "second") != 0;
}

static int kept(const ms_task *task) {
  (void)task;
  return 1;
}

static const ms_analysis plain = { .name = "plain" };
static const ms_analysis reader = { .name = "reader", .needs = needs_first };
static const ms_analysis keeper = { .name = "keeper", .is_kept = kept };

static ms_task task[TASKS];

/* Three that nobody needs or that need none, and one that reads all but the second. */
static ms_study make(void) {
  static char path[] = "study.yaml", nothing[] = "";
  static const char *const name[TASKS] = { "first", "second", "third", "last" };
  for (int i = 0; i < TASKS; i++) {
    task[i] = (ms_task) { .kind = i == 3 ? &reader : &plain, .name = name[i] };
    test_task_record(&task[i]);
  }
  return (ms_study) { .ctx = test_context(),
                      .yaml = { .ctx = test_context(), .path = path, .text = nothing },
                      .folder = "out",
                      .task = task,
                      .n_task = TASKS };
}

static void clear(void) {
  for (int i = 0; i < TASKS; i++) ms_result_destroy(&task[i].result);
}

/* ---- one analysis ---- */

static void test_worst(void) {
  ms_study s = make();
  ms_task *t = &task[1];
  ms_result_set_ended(t->result, 0);
  CHECK_EQUAL(ms_result_get_outcome(t->result), MS_OUTCOME_NONE);
  CHECK(!ms_task_has_results(t));
  ms_result_set_ended(t->result, 1);
  CHECK_EQUAL(ms_result_get_outcome(t->result), MS_OUTCOME_COMPLETE);
  CHECK_OK(ms_task_note(&s, t, "note %d", 7));
  CHECK_EQUAL(ms_result_get_outcome(t->result), MS_OUTCOME_COMPLETE);
  CHECK(!ms_result_get_reason(t->result));
  CHECK_OK(ms_task_doubt(&s, t, "doubt %s", "one"));
  CHECK_OK(ms_task_doubt(&s, t, "doubt two"));
  CHECK_EQUAL(ms_result_get_outcome(t->result), MS_OUTCOME_SUSPECT);
  CHECK_TEXT(ms_result_get_reason(t->result), "doubt one");
  CHECK_OK(ms_task_give_up(&s, t, "a part is missing"));
  CHECK_OK(ms_task_note(&s, t, "later"));
  CHECK_EQUAL(ms_result_get_outcome(t->result), MS_OUTCOME_PARTIAL);
  CHECK_TEXT(ms_result_get_reason(t->result), "a part is missing");
  CHECK(ms_task_has_results(t));
  CHECK_OK(ms_task_doubt(&s, t, "doubt two")); /* said already */
  CHECK_EQUAL(ms_study_count_remarks(&s, 1), 5);
  CHECK_EQUAL(ms_study_count_remarks(&s, 0), 0);
  CHECK_EQUAL(ms_study_count_remarks(&s, TASKS), 0);
  CHECK_EQUAL(ms_study_count_remarks(&s, -1), 0);
  ms_outcome outcome = MS_OUTCOME_NONE;
  CHECK_TEXT(ms_study_get_remark(&s, 1, 2, &outcome), "doubt two");
  CHECK_EQUAL(outcome, MS_OUTCOME_SUSPECT);
  CHECK(!ms_study_get_remark(&s, 1, 5, &outcome) && !ms_study_get_remark(&s, 1, -1, &outcome));
  clear();
}

static void test_long_remark(void) {
  ms_study s = make();
  char word[900];
  memset(word, 'x', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  CHECK_OK(ms_task_note(&s, task, "%s", word));
  const char *text = ms_study_get_remark(&s, 0, 0, NULL);
  CHECK_EQUAL(strlen(text), 599);
  CHECK_TEXT(text + 595, "x...");
  clear();
}

/* With what is left of it an analysis that fails is partial, without it failed. */
static void test_blame(void) {
  ms_study s = make();
  for (int i = 0; i < 2; i++) {
    task[i].kind = i ? &keeper : &plain;
    ms_fail(s.ctx, MS_ERR_NUMERIC, "study.yaml:17:3: %s: it broke\n  a line\n  ^", task[i].name);
    CHECK_OK(ms_task_blame(&s, &task[i], MS_ERR_NUMERIC));
    CHECK_TEXT(ms_result_get_reason(task[i].result), "it broke");
    CHECK_EQUAL(ms_result_get_outcome(task[i].result), i ? MS_OUTCOME_PARTIAL : MS_OUTCOME_FAILED);
    CHECK_EQUAL(ms_task_has_results(&task[i]), i);
    CHECK_EQUAL(task[i].status, MS_ERR_NUMERIC);
    CHECK_TEXT(ms_context_message(s.ctx), "");
  }
  CHECK_OK(ms_task_blame(&s, &task[2], MS_NOT_CONVERGED)); /* without a word of its own */
  CHECK_TEXT(ms_result_get_reason(task[2].result), ms_status_text(MS_NOT_CONVERGED));
  clear();
}

static void test_ends_study(void) {
  CHECK(ms_task_ends_study(MS_CANCELLED));
  CHECK(ms_task_ends_study(MS_ERR_MEMORY));
  CHECK(ms_task_ends_study(MS_ERR_DISK));
  CHECK(!ms_task_ends_study(MS_ERR_NUMERIC));
  CHECK(!ms_task_ends_study(MS_ERR_FILE));
  CHECK(!ms_task_ends_study(MS_NOT_CONVERGED));
}

/* ---- what rests on others ---- */

/* outcome: of the first, which the last one reads; how it is called. */
static void check_source(ms_outcome outcome, const char *words, int blocks) {
  ms_study s = make();
  if (outcome == MS_OUTCOME_SUSPECT) CHECK_OK(ms_task_doubt(&s, &task[0], "a doubt"));
  if (outcome == MS_OUTCOME_PARTIAL) CHECK_OK(ms_task_give_up(&s, &task[0], "a part"));
  if (outcome == MS_OUTCOME_FAILED) CHECK_OK(ms_task_blame(&s, &task[0], MS_ERR_NUMERIC));
  CHECK_OK(ms_task_doubt(&s, &task[1], "nobody reads this one"));
  CHECK_OK(ms_task_skip_if_blocked(&s, &task[3]));
  if (blocks) {
    char text[80];
    snprintf(text, sizeof text, "it needs first, which %s", words);
    CHECK_EQUAL(ms_result_get_outcome(task[3].result), MS_OUTCOME_SKIPPED);
    CHECK_TEXT(ms_result_get_reason(task[3].result), text);
  } else {
    CHECK_EQUAL(ms_study_count_remarks(&s, 3), 0);
  }
  ms_result_clear_remarks(task[3].result);
  CHECK_OK(ms_task_doubt_sources(&s, &task[3]));
  CHECK_EQUAL(ms_study_count_remarks(&s, 3), outcome > MS_OUTCOME_COMPLETE);
  if (ms_study_count_remarks(&s, 3)) {
    CHECK_EQUAL(ms_result_get_outcome(task[3].result), MS_OUTCOME_SUSPECT);
    CHECK_HAS(ms_result_get_reason(task[3].result), "it uses first, which ");
    CHECK_HAS(ms_result_get_reason(task[3].result), words);
  }
  clear();
}

static void test_sources(void) {
  check_source(MS_OUTCOME_COMPLETE, "", 0);
  check_source(MS_OUTCOME_SUSPECT, "is suspect", 0);
  check_source(MS_OUTCOME_PARTIAL, "is partial", 0);
  check_source(MS_OUTCOME_FAILED, "failed", 1);
}

/* What was skipped blocks in its turn; so do rows that were kept of one that failed. */
static void test_blocked(void) {
  ms_study s = make();
  task[0].kind = &keeper;
  task[2].kind = &reader;
  CHECK_OK(ms_task_blame(&s, &task[0], MS_ERR_NUMERIC));
  CHECK_OK(ms_task_skip_if_blocked(&s, &task[2]));
  CHECK_TEXT(ms_result_get_reason(task[2].result), "it needs first, which is partial");
  ms_result_clear_remarks(task[0].result);
  task[0].status = MS_SUCCESS;
  CHECK_OK(ms_task_skip_if_blocked(&s, &task[3]));
  CHECK_TEXT(ms_result_get_reason(task[3].result), "it needs third, which was skipped");
  clear();
}

/* ---- the study ---- */

static void test_study(void) {
  ms_study s = make();
  CHECK_EQUAL(ms_study_get_outcome(&s, -1), MS_OUTCOME_COMPLETE);
  CHECK_EQUAL(ms_study_get_outcome(&s, TASKS), MS_OUTCOME_NONE);
  CHECK_OK(ms_task_doubt(&s, &task[2], "a doubt"));
  CHECK_EQUAL(ms_study_get_outcome(&s, -1), MS_OUTCOME_SUSPECT);
  CHECK_EQUAL(ms_study_get_outcome(&s, 2), MS_OUTCOME_SUSPECT);
  CHECK_EQUAL(ms_study_get_outcome(&s, 1), MS_OUTCOME_COMPLETE);
  CHECK(!ms_study_is_partial(&s));
  CHECK_OK(ms_study_fail_partial(&s));
  CHECK_OK(ms_task_give_up(&s, &task[1], "one level is missing"));
  CHECK(ms_study_is_partial(&s));
  CHECK_STATUS(ms_study_fail_partial(&s), MS_NOT_CONVERGED);
  CHECK_TEXT(
      ms_context_message(s.ctx),
      "study.yaml: second is partial: one level is missing; everything else was written to out");
  CHECK_OK(ms_task_blame(&s, &task[0], MS_ERR_NUMERIC));
  CHECK_STATUS(ms_study_fail_partial(&s), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(s.ctx), "first failed (and 1 more is not complete): ");
  CHECK_OK(ms_task_skip_if_blocked(&s, &task[3]));
  CHECK_STATUS(ms_study_fail_partial(&s), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(s.ctx), "first failed (and 2 more are not complete): ");
  CHECK_EQUAL(ms_study_get_outcome(&s, -1), MS_OUTCOME_FAILED);
  clear();
}

/* ---- memory ---- */

/* Eight matrices of n x n numbers: 64 n^2 bytes. 5 kB for an element. */
static void test_estimates(void) {
  ms_study s = make();
  s.memory = 0.0641e9;
  CHECK_OK(ms_yaml_check_coordinates(&s.yaml, NULL, 1000.0, s.memory));
  CHECK_STATUS(ms_yaml_check_coordinates(&s.yaml, NULL, 1001.0, s.memory), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(s.ctx),
            "1001 degrees of freedom take about 0.0641 GB, more than the 0.0641 GB");
  CHECK_OK(ms_yaml_check_elements(&s.yaml, NULL, 12819.0, s.memory));
  CHECK_STATUS(ms_yaml_check_elements(&s.yaml, NULL, 12821.0, s.memory), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_yaml_check_elements(&s.yaml, NULL, 412821.0, s.memory), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(s.ctx), "412821 elements take about 2.06 GB");
  CHECK_HAS(ms_context_message(s.ctx), "memory: 3, or --set memory=3");
  clear();
}

/* ---- a part of the report that cannot be made ---- */

static ms_status (*modes_result)(ms_study *, ms_task *);

/* What is half made must not stay in the report. */
static ms_status fail_report(ms_study *s, ms_task *t) {
  MS_TRY(modes_result(s, t));
  ms_result_say(t->result, "half of it");
  ms_result_fail_page(t->result, ms_fail(s->ctx, MS_ERR_NUMERIC, "a picture without numbers"));
  return MS_SUCCESS;
}

/* It costs its analysis this part, and the others nothing. */
static void test_report_fails(void) {
  char folder[400];
  const ms_study_setting setting = { .folder = folder, .threads = 1 };
  ms_analysis bad;
  ms_study *s = NULL;
  const char *path = test_path("report.yaml");
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  test_put(path,
           "microslip: 1\nstructure: {chain: {masses: {u1: 1.3}, springs: [[ground, u1, 7.1]]}}\n"
           "analyses: [{modes: {name: first}}, {modes: {name: second}}]\n");
  if (!CHECK_OK(ms_study_open(test_context(), path, 0, NULL, &s))) return;
  bad = *s->task[0].kind;
  modes_result = bad.result;
  bad.result = fail_report;
  s->task[0].kind = &bad;
  CHECK_STATUS(ms_study_run(s, &setting), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "first is partial: its section of the report");
  CHECK_EQUAL(ms_study_get_outcome(s, 0), MS_OUTCOME_PARTIAL);
  CHECK_EQUAL(ms_study_get_outcome(s, 1), MS_OUTCOME_COMPLETE);
  CHECK_HAS(ms_study_get_remark(s, 0, 0, NULL), "could not be made: a picture without numbers");
  size_t n;
  char *page = test_get(test_path("report.html"), &n);
  CHECK(page && !strstr(page, "half of it"));
  if (page) CHECK_HAS(page, "<b>partial</b> its section of the report could not be made");
  free(page);
  ms_study_close(&s);
}

/* ---- a study that is run again ---- */

static ms_status fail_result(ms_study *s, ms_task *t) {
  return ms_fail(s->ctx, MS_ERR_NUMERIC, "%s: no numbers today", t->name);
}

static ms_status cancel_result(ms_study *s, ms_task *t) {
  (void)s, (void)t;
  return MS_CANCELLED;
}

/* Whether the folder has numbers of the second analysis. */
static void check_second(int there) {
  size_t n;
  char *text = test_get(test_path("again/summary.json"), &n);
  char *table = test_get(test_path("again/tables/second.csv"), &n);
  const char *second = strstr(text ? text : "", "\"second\"");
  CHECK(second != NULL);
  CHECK_EQUAL(second && strstr(second, "\"omega_0\"") != NULL, there);
  CHECK_EQUAL(table != NULL, there);
  free(text);
  free(table);
}

/* What was said of the first run, which fails, is not said of the second. */
static void test_run_again(void) {
  char folder[400];
  const ms_study_setting setting = { .folder = folder, .threads = 1 };
  ms_study *s = NULL;
  snprintf(folder, sizeof folder, "%s", test_path("again"));
  test_put(test_path("again.yaml"),
           "microslip: 1\nstructure: {chain: {masses: {u1: 1.3}, springs: [[ground, u1, 7.1]]}}\n"
           "analyses: [{modes: {name: first}}, {modes: {name: second}}]\n");
  if (!CHECK_OK(ms_study_open(test_context(), test_path("again.yaml"), 0, NULL, &s))) return;
  const ms_analysis *good = s->task[0].kind;
  ms_analysis bad = *good, reading = *good;
  bad.result = fail_result;
  reading.needs = needs_first;
  s->task[0].kind = &bad;
  s->task[1].kind = &reading;
  CHECK_STATUS(ms_study_run(s, &setting), MS_ERR_NUMERIC);
  CHECK_EQUAL(ms_study_get_outcome(s, 0), MS_OUTCOME_FAILED);
  CHECK_EQUAL(ms_study_get_outcome(s, 1), MS_OUTCOME_SKIPPED);
  CHECK_TEXT(ms_study_get_remark(s, 1, 0, NULL), "it needs first, which failed");
  CHECK(ms_study_get_result(s, 0) && !ms_study_get_result(s, 1));
  s->task[0].kind = good;
  CHECK_OK(ms_study_run(s, &setting));
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL(ms_study_get_outcome(s, i), MS_OUTCOME_COMPLETE);
    CHECK_EQUAL(ms_study_count_remarks(s, i), 0);
    CHECK(ms_study_get_result(s, i) != NULL);
  }
  check_second(1);
  s->task[0].kind = &bad; /* nor has what is skipped the numbers of the run before */
  CHECK_STATUS(ms_study_run(s, &setting), MS_ERR_NUMERIC);
  CHECK_EQUAL(ms_study_get_outcome(s, 1), MS_OUTCOME_SKIPPED);
  CHECK(!ms_study_get_result(s, 1));
  check_second(0);
  bad.result = cancel_result; /* one that is stopped has not come to the second */
  CHECK_STATUS(ms_study_run(s, &setting), MS_CANCELLED);
  for (int i = 0; i < 2; i++) CHECK_EQUAL(ms_study_get_outcome(s, i), MS_OUTCOME_NONE);
  s->task[0].kind = s->task[1].kind = good;
  ms_study_close(&s);
}

int main(void) {
  test_folder_open();
  TEST(test_worst);
  TEST(test_long_remark);
  TEST(test_blame);
  TEST(test_ends_study);
  TEST(test_sources);
  TEST(test_blocked);
  TEST(test_study);
  TEST(test_estimates);
  TEST(test_report_fails);
  TEST(test_run_again);
  test_folder_close();
  return test_finish();
}
