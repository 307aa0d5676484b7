/* Jobs that an earlier start has finished are not run again, whatever became of the file that keeps
   them: it may be cut at any byte, changed, or another study's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microslip/io.h>

#include "study/analyses/shared/time_options.h"
#include "support/check.h"
#include "support/files.h"

enum { N_JOB = 7, MOST = 40 };

static const char study_text[] =
    "microslip: 1\n"
    "title: data.csv\n"
    "structure:\n"
    "  chain:\n"
    "    masses: {a: 2.385, b: 1.17}\n"
    "    springs: [[ground, a, 913.7], [a, b, 417.3]]\n"
    "analyses: [modes]\n";

static char folder[512], jobs[512]; /* where results would go, and what keeps the jobs */

static ms_study *open_study(ms_context *ctx, int n_set, const char *const *set) {
  ms_study *study;
  CHECK_OK(ms_study_open(ctx, test_path("study.yaml"), n_set, set, &study));
  if (study) study->folder = folder;
  return study;
}

static void close_study(ms_study **study) {
  ms_resume_folder_close(&(*study)->resume, 0);
  ms_study_close(study);
}

/* Every test begins without an interrupted run. */
static void begin(void) {
  unlink(jobs);
  unlink(test_path("data.csv"));
  test_put(test_path("study.yaml"), study_text);
}

/* ---- a set of jobs whose answers have different lengths ---- */

typedef struct answers {
  double value[N_JOB][MOST];
  int n[N_JOB], runs[N_JOB], loads[N_JOB];
  ptrdiff_t fail_job, refuse_job; /* -1: none */
} answers;

static ms_status run_job(ms_worker *worker, ptrdiff_t job, void *user) {
  answers *a = user;
  if (job == a->fail_job) return ms_fail(worker->ctx, MS_NOT_CONVERGED, "job %td fails", job);
  a->runs[job]++;
  a->n[job] = (int)((job * 5) % (MOST + 1)); /* none, a row, several, an exact number of rows */
  if (job == 2) a->n[job] = 16;
  for (int i = 0; i < a->n[job]; i++) a->value[job][i] = 1.37 * (double)job - 0.01 / (i + 3.1);
  return MS_SUCCESS;
}

static ptrdiff_t save_job(const void *user, ptrdiff_t job, double *values) {
  const answers *a = user;
  if (values) memcpy(values, a->value[job], (size_t)a->n[job] * sizeof *values);
  return a->n[job];
}

static ms_status load_job(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  answers *a = user;
  if (n > MOST || job == a->refuse_job) return ms_fail(ctx, MS_ERR_FORMAT, "does not belong");
  a->n[job] = (int)n;
  a->loads[job]++;
  memcpy(a->value[job], values, (size_t)n * sizeof *values);
  return MS_SUCCESS;
}

static const answers nothing = { .fail_job = -1, .refuse_job = -1 };

static ms_status run_pool(ms_study *study, const char *what, answers *a) {
  ms_jobs set = { .n = N_JOB, .run = run_job, .save = save_job, .load = load_job, .user = a };
  return ms_pool_run_jobs(study, what, &set);
}

static int sum(const int *n) {
  int total = 0;
  for (int i = 0; i < N_JOB; i++) total += n[i];
  return total;
}

static int same(const answers *a, const answers *b) {
  int equal = memcmp(a->n, b->n, sizeof a->n) == 0;
  for (int i = 0; i < N_JOB; i++) {
    equal = equal && memcmp(a->value[i], b->value[i], (size_t)a->n[i] * sizeof(double)) == 0;
  }
  return equal;
}

/* Leaves a run of which all jobs have ended. */
static void leave_run(answers *a) {
  ms_study *study = open_study(test_context(), 0, NULL);
  study->threads = 1;
  *a = nothing;
  CHECK_OK(ms_resume_open(study, 0, &study->resume));
  CHECK_OK(run_pool(study, "first", a));
  CHECK_EQUAL(sum(a->runs), N_JOB);
  close_study(&study);
}

/* ---- tests ---- */

static void test_nothing_runs_twice(void) {
  answers whole, again = nothing, other = nothing;
  begin();
  leave_run(&whole);
  ms_study *study = open_study(test_context(), 0, NULL);
  CHECK_OK(ms_resume_open(study, 1, &study->resume));
  CHECK_OK(run_pool(study, "first", &again));
  CHECK_EQUAL(sum(again.runs), 0);
  CHECK_EQUAL(sum(again.loads), N_JOB);
  CHECK(same(&again, &whole));
  CHECK_OK(run_pool(study, "second", &other)); /* another set of jobs has kept nothing */
  CHECK_EQUAL(sum(other.runs), N_JOB);
  CHECK_EQUAL(sum(other.loads), 0);
  close_study(&study);
  study = open_study(test_context(), 0, NULL); /* and both are there at the third start */
  other = again = nothing;
  CHECK_OK(ms_resume_open(study, 1, &study->resume));
  CHECK_OK(run_pool(study, "second", &other));
  CHECK_OK(run_pool(study, "first", &again));
  CHECK_EQUAL(sum(other.loads) + sum(again.loads), 2 * N_JOB);
  CHECK(same(&again, &whole) && same(&other, &whole));
  close_study(&study);
}

static void test_failed_job(void) {
  answers a = nothing, b = nothing;
  begin();
  ms_study *study = open_study(test_context(), 0, NULL);
  study->threads = 1;
  a.fail_job = 4;
  CHECK_OK(ms_resume_open(study, 0, &study->resume));
  CHECK_STATUS(run_pool(study, "first", &a), MS_NOT_CONVERGED);
  CHECK_TEXT(ms_context_message(test_context()), "first: job 4 fails");
  close_study(&study);
  study = open_study(test_context(), 0, NULL);
  study->threads = 2;
  CHECK_OK(ms_resume_open(study, 1, &study->resume));
  CHECK_OK(run_pool(study, "first", &b));
  CHECK_EQUAL(sum(b.loads), 4);
  CHECK_EQUAL(sum(b.runs), N_JOB - 4);
  close_study(&study);
}

/* What the owner of a job does not recognise is run again. */
static void test_refused_job(void) {
  answers whole, b = nothing;
  begin();
  leave_run(&whole);
  ms_study *study = open_study(test_context(), 0, NULL);
  b.refuse_job = 3;
  CHECK_OK(ms_resume_open(study, 1, &study->resume));
  CHECK_OK(run_pool(study, "first", &b));
  CHECK_EQUAL(b.runs[3], 1);
  CHECK_EQUAL(sum(b.runs), 1);
  CHECK(same(&b, &whole));
  close_study(&study);
}

static void resume_damaged(const answers *whole, int *refused, int *restored) {
  answers b = nothing;
  ms_study *study = open_study(test_context(), 0, NULL);
  study->threads = 1;
  if (ms_resume_open(study, 1, &study->resume) != MS_SUCCESS) {
    CHECK_HAS(ms_context_message(test_context()), ".resume to start again");
    ++*refused;
  } else {
    CHECK_OK(run_pool(study, "first", &b));
    CHECK(same(&b, whole));
    CHECK_EQUAL(sum(b.runs) + sum(b.loads), N_JOB);
    *restored += sum(b.loads);
  }
  close_study(&study);
}

static void test_cut_anywhere(void) {
  answers whole;
  size_t size;
  int refused = 0, restored = 0, last = -1;
  begin();
  leave_run(&whole);
  char *bytes = test_get(jobs, &size);
  for (size_t cut = 0; cut < size; cut += 13) {
    int now = 0;
    test_put_bytes(jobs, bytes, cut);
    resume_damaged(&whole, &refused, &now);
    CHECK(now >= last); /* a longer file never holds less */
    last = now;
    restored += now;
  }
  CHECK_EQUAL(last, N_JOB - 1);
  CHECK(restored > 0);
  CHECK(refused > 0 && refused < 20); /* only within header and first row */
  free(bytes);
}

static void test_flipped_anywhere(void) {
  answers whole;
  size_t size;
  int refused = 0, restored = 0;
  begin();
  leave_run(&whole);
  char *bytes = test_get(jobs, &size);
  for (size_t at = 0; at < size; at += 17) {
    bytes[at] ^= 0x24;
    test_put_bytes(jobs, bytes, size);
    resume_damaged(&whole, &refused, &restored);
    bytes[at] ^= 0x24;
  }
  CHECK(refused > 0);
  CHECK(restored > 0);
  free(bytes);
}

static void check_refused(ms_context *ctx, int n_set, const char *const *set, int resume,
                          const char *words) {
  ms_study *study = open_study(ctx, n_set, set);
  CHECK_STATUS(ms_resume_open(study, resume, &study->resume), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(ctx), words);
  CHECK(study->resume == NULL);
  close_study(&study);
}

static void test_other_study(void) {
  static const char *const set[] = { "structure.chain.masses.a=2.4" };
  answers whole, b = nothing;
  ms_context *ctx = test_context();
  begin();
  test_put(test_path("data.csv"), "x\n1\n");
  leave_run(&whole);
  check_refused(ctx, 0, NULL, 0, "--resume");
  check_refused(ctx, 1, set, 0, "another study");
  check_refused(ctx, 1, set, 1, "another study");
  test_put(test_path("data.csv"), "x\n2\n"); /* a file that the study names */
  check_refused(ctx, 0, NULL, 1, "another study");
  unlink(test_path("data.csv"));
  check_refused(ctx, 0, NULL, 1, "another study");
  test_put(test_path("data.csv"), "x\n1\n");
  ms_study *study = open_study(ctx, 0, NULL); /* nothing of this did any harm */
  CHECK_OK(ms_resume_open(study, 1, &study->resume));
  CHECK_OK(run_pool(study, "first", &b));
  CHECK_EQUAL(sum(b.loads), N_JOB);
  ms_resume_folder_close(&study->resume, 1);
  CHECK(access(test_path(".resume"), F_OK) != 0);
  close_study(&study);
}

/* Without the list of jobs nothing was finished: a start may begin there. */
static void test_barely_begun(void) {
  answers whole;
  begin();
  leave_run(&whole);
  unlink(jobs);
  test_put(test_path(".resume/jobs.new"), "half");
  leave_run(&whole); /* not refused, and all jobs are run */
}

static ms_status work_with_little_memory(ms_context *ctx, void *user) {
  ms_study copy = *(ms_study *)user;
  answers b = nothing;
  copy.ctx = ctx;
  copy.threads = 1;
  ms_status status = ms_resume_open(&copy, 1, &copy.resume);
  if (status != MS_SUCCESS) return status;
  status = run_pool(&copy, "first", &b);
  ms_resume_folder_close(&copy.resume, 0);
  return status;
}

static void test_memory_runs_out(void) {
  answers whole;
  begin();
  leave_run(&whole);
  ms_study *study = open_study(test_context(), 0, NULL);
  CHECK(test_allocations(work_with_little_memory, study) > 5);
  close_study(&study);
}

/* ---- a pulse's answer as numbers ---- */

enum { N_POINT = 3, N_MODE = 2, N_TRACE = 5 };

static void make_answer(ms_pulse_run *run) {
  ms_context *ctx = test_context();
  double *next;
  *run = (ms_pulse_run) { .n_mode = N_MODE, .has_energy = 1 };
  CHECK_OK(ms_allocate(ctx, N_MODE, sizeof *run->decay, &run->decay));
  CHECK_OK(ms_allocate(ctx, N_MODE, sizeof *run->remark, &run->remark));
  CHECK_OK(ms_allocate(ctx, N_MODE, sizeof *run->trace, &run->trace));
  CHECK_OK(ms_allocate(ctx, N_POINT, sizeof *run->decay[0].point, &run->decay[0].point));
  CHECK_OK(ms_allocate(ctx, N_TRACE, 2 * sizeof(double), &run->trace[1].t));
  run->trace[1].x = run->trace[1].t + N_TRACE;
  run->trace[1].n = N_TRACE;
  for (int i = 0; i < 2 * N_TRACE; i++) run->trace[1].t[i] = 0.73 * i - 3.19;
  run->decay[0].n = N_POINT;
  next = &run->decay[0].point[0].time;
  for (int i = 0; i < 7 * N_POINT; i++) next[i] = 0.137 * i - 0.61;
  next = &run->energy.start;
  for (int i = 0; i < 8; i++) next[i] = 11.7 - 2.385 * i;
  run->count = (ms_transient_count) { .steps = 60017, .evaluations = 120031, .residual = 3.1e-13 };
  run->quality = (ms_transient_quality) { 0.0031, 2, 317.0, 0.17, 23.85, 20.0, 7 };
  snprintf(run->remark[1], sizeof run->remark[1], "too little of it: \xc3\xb6, \"x\"");
}

static void test_pulse_there_and_back(void) {
  enum { N_ALL = 19 + 1 + 7 * N_POINT + 1 + 1 + 1 + 1 + 25 + 1 + 2 * N_TRACE };
  ms_context *ctx = test_context();
  ms_pulse_run run, back = { .n_mode = N_MODE };
  double values[N_ALL + 1] = { 0.0 };
  make_answer(&run);
  CHECK_EQUAL(ms_pulse_save(&run, NULL), N_ALL);
  CHECK_EQUAL(ms_pulse_save(&run, values), N_ALL);
  for (ptrdiff_t n = 0; n <= N_ALL + 1; n++) {
    if (n == N_ALL) continue;
    CHECK_STATUS(ms_pulse_load(ctx, &back, values, n), MS_ERR_FORMAT);
    CHECK(!back.decay && !back.remark && !back.trace && !back.has_energy && !back.count.steps);
  }
  CHECK_OK(ms_pulse_load(ctx, &back, values, N_ALL));
  CHECK_EQUAL(back.decay[0].n, N_POINT);
  CHECK_EQUAL(back.decay[1].n, 0);
  CHECK(memcmp(back.decay[0].point, run.decay[0].point, N_POINT * sizeof *run.decay[0].point) == 0);
  CHECK_EQUAL(back.trace[0].n, 0);
  CHECK_EQUAL(back.trace[1].n, N_TRACE);
  CHECK(memcmp(back.trace[1].t, run.trace[1].t, N_TRACE * sizeof(double)) == 0);
  CHECK(memcmp(back.trace[1].x, run.trace[1].x, N_TRACE * sizeof(double)) == 0);
  CHECK_TEXT(back.remark[0], "");
  CHECK_TEXT(back.remark[1], run.remark[1]);
  CHECK(memcmp(&back.energy, &run.energy, sizeof run.energy) == 0);
  CHECK(memcmp(&back.count, &run.count, sizeof run.count) == 0);
  CHECK(memcmp(&back.quality, &run.quality, sizeof run.quality) == 0);
  CHECK_EQUAL(back.has_energy, 1);
  ms_pulse_free(ctx, &run);
  ms_pulse_free(ctx, &back);
}

int main(void) {
  test_folder_open();
  snprintf(folder, sizeof folder, "%s", test_path("."));
  snprintf(jobs, sizeof jobs, "%s", test_path(".resume/jobs"));
  TEST(test_nothing_runs_twice);
  TEST(test_failed_job);
  TEST(test_refused_job);
  TEST(test_cut_anywhere);
  TEST(test_flipped_anywhere);
  TEST(test_other_study);
  TEST(test_barely_begun);
  TEST(test_memory_runs_out);
  TEST(test_pulse_there_and_back);
  test_folder_close();
  return test_finish();
}
