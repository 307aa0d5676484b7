/* What an analysis says of a product that a test has made by hand. */
#ifndef MS_TEST_JUDGED_H
#define MS_TEST_JUDGED_H

#include "study/study.h"

/* An empty record for a task that a test has made by hand, as of one that has ended; and what it
   says in remark i. */
void test_task_record(ms_task *task);
void test_expect_remark(const ms_task *task, int i, ms_outcome outcome, const char *words);

/* The remarks are those of `task` until the next call; test_judged_end frees them. */
void test_judge(const ms_analysis *kind, void *product);
void test_judged_end(void);
/* Of studies from here on; borrowed, NULL at first. */
void test_judge_with(ms_structure *structure);
/* Of analyses from here on; borrowed, NULL at first. */
void test_judge_options(void *options);
/* There are n, and remark i has this outcome and these words. */
void test_expect(int n, int i, ms_outcome outcome, const char *words);
/* Remark i, "" if there is none. */
const char *test_remark(int i);

#endif
