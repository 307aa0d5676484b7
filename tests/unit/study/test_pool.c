/* Jobs over threads: what they say of their progress reaches the study, and a study that is to stop
   stops them on their way. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "study/study.h"
#include "support/check.h"
#include "support/files.h"

enum { N_JOB = 3, N_STEP = 400 };

static const char study_text[] =
    "microslip: 1\n"
    "structure: {chain: {masses: {a: 2.385}, springs: [[ground, a, 913.7]]}}\n"
    "analyses: [modes]\n";

typedef struct listener {
  double last, stop_at; /* fractions of all jobs */
  int calls, backwards;
} listener;

static int listen(void *user, const char *what, double fraction) {
  listener *l = user;
  CHECK_TEXT(what, "jobs");
  l->calls++;
  l->backwards += fraction < l->last;
  l->last = fraction;
  return fraction >= l->stop_at;
}

static int steps[N_JOB]; /* that each job has made */

/* Twice over its range, as a continuation and its refinement do. */
static ms_status count(ms_worker *worker, ptrdiff_t job, void *user) {
  (void)user;
  for (int i = 0; i < 2 * N_STEP; i++) {
    MS_TRY(ms_progress(worker->ctx, "count", (double)(i % N_STEP) / N_STEP));
    steps[job]++;
  }
  return MS_SUCCESS;
}

/* Half of its way, and then it waits to be stopped: for a minute at most. */
static ms_status wait(ms_worker *worker, ptrdiff_t job, void *user) {
  (void)user;
  for (int i = 0; i < 60000; i++) {
    steps[job]++;
    MS_TRY(ms_progress(worker->ctx, "wait", 0.5));
    nanosleep(&(struct timespec) { 0, 1000000 }, NULL);
  }
  return MS_SUCCESS;
}

static ms_status run(listener *l, int threads, ms_job_fn job) {
  ms_context *ctx = test_context();
  ms_study *study = NULL;
  for (int i = 0; i < N_JOB; i++) steps[i] = 0;
  test_put(test_path("study.yaml"), study_text);
  CHECK_OK(ms_study_open(ctx, test_path("study.yaml"), 0, NULL, &study));
  study->threads = threads;
  ms_context_set_progress(ctx, listen, l);
  ms_status status = ms_pool_run_jobs(study, "jobs", &(ms_jobs) { .n = N_JOB, .run = job });
  ms_context_set_progress(ctx, NULL, NULL);
  ms_study_close(&study);
  return status;
}

static void test_progress(void) {
  for (int threads = 1; threads <= 3; threads++) {
    listener l = { .stop_at = 2.0 };
    CHECK_OK(run(&l, threads, count));
    CHECK(l.calls >= N_JOB);
    CHECK_EQUAL(l.backwards, 0);
    CHECK_NEAR(l.last, 1.0, 0.0);
    for (int i = 0; i < N_JOB; i++) CHECK_EQUAL(steps[i], 2 * N_STEP);
  }
}

static void test_stop(void) {
  listener l = { .stop_at = 0.1 };
  CHECK_STATUS(run(&l, 1, wait), MS_CANCELLED);
  CHECK_NEAR(l.last, 0.5 / N_JOB, 1e-12);
  CHECK(steps[0] > 0 && steps[0] < 60000);
  CHECK_EQUAL(steps[1], 0);
}

/* ---- words ---- */

static int heard[N_JOB + 1]; /* of each job; what was not understood */
static int misled;           /* jobs that were told to be others */

static void listen_log(void *user, ms_log_level level, const char *text) {
  int job = N_JOB;
  char word[16] = "";
  (void)user;
  if (level == MS_LOG_INFO && sscanf(text, "job %d says %15s", &job, word) == 2 && job >= 0 &&
      job < N_JOB && word[0] == 'x') {
    heard[job]++;
  } else {
    heard[N_JOB]++;
  }
}

/* Its last word is its last deed. */
static ms_status speak(ms_worker *worker, ptrdiff_t job, void *user) {
  (void)user;
  misled += worker->job != job || strcmp(worker->what, "jobs") != 0;
  ms_log(worker->ctx, MS_LOG_DEBUG, "nobody hears this");
  ms_log(worker->ctx, MS_LOG_INFO, "job %td says x", job);
  nanosleep(&(struct timespec) { 0, 1000000 }, NULL);
  ms_log(worker->ctx, MS_LOG_INFO, "job %td says xy", job);
  return MS_SUCCESS;
}

/* What jobs say reaches the study's log, from the study's thread, every line of it. */
static void test_log(void) {
  listener l = { .stop_at = 2.0 };
  ms_context_set_log(test_context(), listen_log, NULL);
  for (int i = 0; i <= N_JOB; i++) heard[i] = 0;
  CHECK_OK(run(&l, 1, speak));
  ms_context_set_log(test_context(), NULL, NULL);
  for (int i = 0; i < N_JOB; i++) CHECK_EQUAL(heard[i], 2);
  CHECK_EQUAL(heard[N_JOB], 0);
  CHECK_EQUAL(misled, 0);
}

/* A job that gets nowhere is stopped too: the study asks, whether there are news or not. */
static int stop_at_third(void *user, const char *what, double fraction) {
  (void)what, (void)fraction;
  return ++*(int *)user >= 3;
}

static ms_status idle(ms_worker *worker, ptrdiff_t job, void *user) {
  (void)user;
  for (int i = 0; i < 60000; i++) {
    steps[job]++;
    MS_TRY(ms_progress(worker->ctx, "idle", 0.0));
    nanosleep(&(struct timespec) { 0, 1000000 }, NULL);
  }
  return MS_SUCCESS;
}

static void test_stop_of_the_idle(void) {
  ms_context *ctx = test_context();
  ms_study *study = NULL;
  int calls = 0;
  steps[0] = 0;
  test_put(test_path("study.yaml"), study_text);
  CHECK_OK(ms_study_open(ctx, test_path("study.yaml"), 0, NULL, &study));
  study->threads = 1;
  ms_context_set_progress(ctx, stop_at_third, &calls);
  CHECK_STATUS(ms_pool_run_jobs(study, "jobs", &(ms_jobs) { .n = 1, .run = idle }), MS_CANCELLED);
  ms_context_set_progress(ctx, NULL, NULL);
  ms_study_close(&study);
  CHECK(steps[0] > 0 && steps[0] < 60000);
}

int main(void) {
  test_folder_open();
  TEST(test_progress);
  TEST(test_stop);
  TEST(test_log);
  TEST(test_stop_of_the_idle);
  test_folder_close();
  return test_finish();
}
