/* Jobs over processes: each is run once, the first process has what all have done, and a failure of
   one, wherever it is, is one of all. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "study/study.h"
#include "support/check.h"
#include "support/files.h"
#include "support/processes.h"

enum { N = 7, MOST_RANKS = 3 };

static const char study_text[] =
    "microslip: 1\n"
    "structure: {chain: {masses: {a: 2.385}, springs: [[ground, a, 913.7]]}}\n"
    "analyses: [modes]\n";

static char study_path[256];

typedef struct trial {
  int threads;
  int bad_job, bad_load; /* that fails, when run, when it comes to the first process; from 1 */
  int stop;              /* the first process is to stop once something has ended */
  int wait;              /* jobs that do not fail wait to be stopped */
  double progress;       /* that the first process has shown last */
  ms_status status[MOST_RANKS];
  char message[MOST_RANKS][64];
  int ran[MOST_RANKS][N];
  double value[MOST_RANKS][N][2];
} trial;

/* One process's. */
typedef struct side {
  trial *t;
  int rank;
} side;

static double value_of(ptrdiff_t job, int i) {
  return sin(1.3 + (double)job) / (1.7 + i);
}

/* For a minute at most. */
static ms_status wait_to_be_stopped(ms_worker *w) {
  for (int i = 0; i < 60000; i++) {
    MS_TRY(ms_progress(w->ctx, "waits", 0.0));
    nanosleep(&(struct timespec) { 0, 1000000 }, NULL);
  }
  return MS_SUCCESS;
}

static ms_status run_job(ms_worker *w, ptrdiff_t job, void *user) {
  const side *s = user;
  nanosleep(&(struct timespec) { 0, 2000000 * (long)(job % 3) }, NULL);
  if (s->t->wait && job + 1 != s->t->bad_job) MS_TRY(wait_to_be_stopped(w));
  for (int i = 0; i < 2; i++) s->t->value[s->rank][job][i] = value_of(job, i);
  s->t->ran[s->rank][job]++;
  if (job + 1 != s->t->bad_job) return MS_SUCCESS;
  return ms_fail(w->ctx, MS_ERR_NUMERIC, "job %td fails", job + 1);
}

/* As many numbers as it likes. */
static ptrdiff_t save_job(const void *user, ptrdiff_t job, double *values) {
  const side *s = user;
  const ptrdiff_t n = job == 2 ? 2 : 5;
  for (ptrdiff_t i = 0; values && i < n; i++)
    values[i] = i < 2 ? s->t->value[s->rank][job][i] : 0.0;
  return n;
}

static ms_status load_job(ms_context *ctx, void *user, ptrdiff_t job, const double *values,
                          ptrdiff_t n) {
  const side *s = user;
  if (n != (job == 2 ? 2 : 5) || job + 1 == s->t->bad_load) {
    return ms_fail(ctx, MS_ERR_FORMAT, "job %td does not come", job + 1);
  }
  memcpy(s->t->value[s->rank][job], values, 2 * sizeof *values);
  return MS_SUCCESS;
}

static int show(void *user, const char *what, double fraction) {
  trial *t = user;
  (void)what;
  t->progress = fraction;
  return t->stop && fraction > 0.0;
}

static ms_status run(ms_context *ctx, side *s) {
  const ms_jobs jobs = { .n = N, .run = run_job, .save = save_job, .load = load_job, .user = s };
  ms_study *study = NULL;
  MS_TRY(ms_study_open(ctx, study_path, 0, NULL, &study));
  study->threads = s->t->threads;
  if (s->rank == 0) ms_context_set_progress(ctx, show, s->t);
  ms_context_join(ctx);
  ms_status status = ms_pool_share_jobs(study, "jobs", &jobs);
  ms_study_close(&study);
  return status;
}

static void body(ms_context *ctx, int rank, void *user) {
  trial *t = user;
  side s = { t, rank };
  t->status[rank] = run(ctx, &s);
  snprintf(t->message[rank], sizeof t->message[rank], "%s", ms_context_message(ctx));
}

static trial try(int ranks, trial t) {
  test_processes(ranks, body, &t);
  return t;
}

static int count_jobs(const int ran[N]) {
  int n = 0;
  for (int job = 0; job < N; job++) n += ran[job];
  return n;
}

static void test_all(void) {
  for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
    const trial t = try(ranks, (trial) { .threads = 1 + ranks % 2 });
    CHECK_NEAR(t.progress, 1.0, 0.0);
    for (int r = 0; r < ranks; r++) {
      CHECK_EQUAL(t.status[r], MS_SUCCESS);
      CHECK(count_jobs(t.ran[r]) >= N / ranks);
    }
    for (int job = 0; job < N; job++) {
      CHECK_EQUAL(t.ran[0][job] + t.ran[1][job] + t.ran[2][job], 1);
      for (int i = 0; i < 2; i++) CHECK_NEAR(t.value[0][job][i], value_of(job, i), 0.0);
    }
  }
}

static void check_failure(int ranks, const trial *t, ms_status status, const char *message) {
  for (int r = 0; r < ranks; r++) {
    CHECK_EQUAL(t->status[r], status);
    CHECK(strncmp(t->message[r], message, strlen(message)) == 0);
  }
}

/* Jobs 1 and 2 fall to the first and the second process. */
static void test_failures(void) {
  for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
    trial t = try(ranks, (trial) { .threads = 1, .bad_job = 1 });
    check_failure(ranks, &t, MS_ERR_NUMERIC, "jobs: job 1 fails");
    t = try(ranks, (trial) { .threads = 1, .bad_job = 2 });
    check_failure(ranks, &t, MS_ERR_NUMERIC, "jobs: job 2 fails");
    t = try(ranks, (trial) { .threads = 1, .stop = 1 });
    check_failure(ranks, &t, MS_CANCELLED, "jobs: ");
    if (ranks == 1) continue;
    t = try(ranks, (trial) { .threads = 1, .bad_job = 2, .wait = 1 });
    check_failure(ranks, &t, MS_ERR_NUMERIC, "jobs: job 2 fails");
    CHECK_EQUAL(count_jobs(t.ran[0]), 0);
    t = try(ranks, (trial) { .threads = 2, .bad_load = 2 });
    check_failure(ranks, &t, MS_ERR_FORMAT, "jobs: job 2 does not come");
  }
}

int main(void) {
  test_folder_open();
  snprintf(study_path, sizeof study_path, "%s", test_path("study.yaml"));
  test_put(study_path, study_text);
  TEST(test_all);
  TEST(test_failures);
  test_folder_close();
  return test_finish();
}
