/* Jobs over threads. Each worker takes the next job there is; a job writes to a place of its own,
   so the order in which jobs end does not show. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "study/study.h"

typedef struct pool {
  pthread_mutex_t lock;
  pthread_cond_t ended_one;
  const ms_jobs *jobs;
  const char *what;
  ptrdiff_t *todo; /* the jobs to run, n of them */
  ptrdiff_t n, restored;
  ptrdiff_t *order; /* the jobs that ended well, as they did */
  ptrdiff_t begun, ended, good;
  struct pool_thread *thread;
  int n_thread;
  int news;         /* a job got on since the study's thread last looked */
  char said[1024];  /* lines for the study's log */
  ms_status status; /* the first failure; no job starts after it */
  char message[512];
} pool;

typedef struct pool_thread {
  pthread_t thread;
  pool *pool;
  ms_worker worker;
  double part; /* of its job that is done */
} pool_thread;

#define TELL 0.02                  /* of a job is worth a word */
enum { WAIT = 200 * 1000 * 1000 }; /* ns: a study that is to stop learns of it so soon */

static ptrdiff_t take_job(pool_thread *t) {
  pool *p = t->pool;
  pthread_mutex_lock(&p->lock);
  t->part = 0.0;
  ptrdiff_t job = p->status == MS_SUCCESS && p->begun < p->n ? p->todo[p->begun++] : -1;
  t->worker.job = job;
  pthread_mutex_unlock(&p->lock);
  return job;
}

/* Under the lock. */
static void note(pool *p, ms_status status, const ms_context *ctx) {
  if (status == MS_SUCCESS || p->status != MS_SUCCESS) return;
  p->status = status;
  snprintf(p->message, sizeof p->message, "%s", ms_context_message(ctx));
}

static void end_job(pool_thread *t, ptrdiff_t job, ms_status status) {
  pool *p = t->pool;
  const ms_context *ctx = t->worker.ctx;
  pthread_mutex_lock(&p->lock);
  t->part = 0.0;
  p->ended++;
  if (status == MS_SUCCESS) p->order[p->good++] = job;
  note(p, status, ctx);
  pthread_cond_signal(&p->ended_one);
  pthread_mutex_unlock(&p->lock);
}

static void *work(void *user) {
  pool_thread *t = user;
  for (ptrdiff_t job; (job = take_job(t)) >= 0;) {
    end_job(t, job, t->pool->jobs->run(&t->worker, job, t->pool->jobs->user));
  }
  return NULL;
}

/* A worker's own progress: long jobs show that they move. It may go back where a job has several
   phases; what is shown does not. Once the study is to stop, a job does so where it looks. */
static int hear(void *user, const char *what, double fraction) {
  pool_thread *t = user;
  pool *p = t->pool;
  (void)what;
  pthread_mutex_lock(&p->lock);
  if (fraction >= t->part + TELL) {
    t->part = fraction;
    p->news = 1;
    pthread_cond_signal(&p->ended_one);
  }
  int stop = p->status != MS_SUCCESS;
  pthread_mutex_unlock(&p->lock);
  return stop;
}

/* A worker's log, which the study's thread passes on; what is too much is left out. */
static void hear_log(void *user, ms_log_level level, const char *text) {
  pool *p = ((pool_thread *)user)->pool;
  if (level < MS_LOG_INFO) return;
  pthread_mutex_lock(&p->lock);
  size_t at = strlen(p->said);
  if (at + strlen(text) + 2 <= sizeof p->said) {
    snprintf(p->said + at, sizeof p->said - at, "%s\n", text);
    p->news = 1;
    pthread_cond_signal(&p->ended_one);
  }
  pthread_mutex_unlock(&p->lock);
}

/* ---- what is kept of a job ---- */

static ms_status keep(ms_study *study, const pool *p, ptrdiff_t job) {
  double *values = NULL;
  if (!p->jobs->save || !study->resume) return MS_SUCCESS;
  ptrdiff_t n = p->jobs->save(p->jobs->user, job, NULL);
  MS_TRY(ms_allocate(study->ctx, n, sizeof *values, &values));
  p->jobs->save(p->jobs->user, job, values);
  ms_status status = ms_resume_keep(study->resume, p->what, job, values, n);
  ms_free(study->ctx, &values);
  return status;
}

/* Lists the jobs that no earlier start has finished. */
static ms_status plan(ms_study *study, pool *p) {
  const ms_jobs *jobs = p->jobs;
  char *done;
  ms_kept kept;
  MS_TRY(ms_allocate(study->ctx, jobs->n, sizeof *done, &done));
  for (ptrdiff_t at = 0; jobs->load && ms_resume_next(study->resume, p->what, &at, &kept);) {
    if (kept.job >= jobs->n || done[kept.job]) continue;
    ms_status status = jobs->load(study->ctx, jobs->user, kept.job, kept.values, kept.n);
    done[kept.job] = status == MS_SUCCESS;
    if (status != MS_SUCCESS) ms_context_clear_message(study->ctx);
  }
  for (ptrdiff_t i = 0; i < jobs->n; i++) {
    if (!done[i]) p->todo[p->n++] = i;
  }
  p->restored = jobs->n - p->n;
  ms_free(study->ctx, &done);
  return MS_SUCCESS;
}

/* ---- the study's own thread ---- */

static int all_ended(const pool *p) {
  return p->ended == p->begun && (p->status != MS_SUCCESS || p->begun == p->n);
}

/* Under the lock: jobs that are kept, and the begun parts of others. */
static double measure(const pool *p, ptrdiff_t seen) {
  double done = (double)(p->restored + seen);
  for (int i = 0; i < p->n_thread; i++) done += p->thread[i].part;
  return done < (double)p->jobs->n ? done / (double)p->jobs->n : 1.0;
}

/* What is shown never goes back. It is told also when nothing is new: the work may be stopped. */
static ms_status tell(ms_study *study, const pool *p, double fraction, double *told) {
  if (fraction > *told) *told = fraction;
  return ms_progress(study->ctx, p->what, *told);
}

static void pass_on(ms_study *study, char *lines) {
  for (char *end; (end = strchr(lines, '\n')); lines = end + 1) {
    ms_log(study->ctx, MS_LOG_INFO, "%.*s", (int)(end - lines), lines);
  }
}

/* Under the lock. */
static void wait_for_news(pool *p) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += WAIT;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&p->ended_one, &p->lock, &until);
}

/* Until all is done or has failed; every job that ended well is kept, also behind a failure. A
   cancelled progress keeps further jobs from starting. */
static void watch(ms_study *study, pool *p) {
  ptrdiff_t seen = 0;
  double told = 0.0;
  pthread_mutex_lock(&p->lock);
  while (seen < p->good || p->said[0] || !all_ended(p)) {
    char said[sizeof p->said];
    if (seen == p->good && !p->news) wait_for_news(p);
    p->news = 0;
    memcpy(said, p->said, sizeof said);
    p->said[0] = '\0';
    ptrdiff_t job = seen < p->good ? p->order[seen++] : -1;
    double fraction = measure(p, seen);
    pthread_mutex_unlock(&p->lock);
    pass_on(study, said);
    ms_status status = job >= 0 ? keep(study, p, job) : MS_SUCCESS;
    if (status == MS_SUCCESS) status = tell(study, p, fraction, &told);
    pthread_mutex_lock(&p->lock);
    note(p, status, study->ctx);
  }
  pthread_mutex_unlock(&p->lock);
}

ms_status ms_worker_open(const ms_study *study, ms_worker *w) {
  ms_allocator allocator = ms_context_get_allocator(study->ctx);
  if (ms_context_create(&allocator, &w->ctx) != MS_SUCCESS) {
    return ms_fail(study->ctx, MS_ERR_MEMORY, "out of memory for a worker");
  }
  return study->structure ? ms_study_build(study, w->ctx, &w->structure) : MS_SUCCESS;
}

void ms_worker_close(ms_worker *w) {
  ms_structure_destroy(&w->structure);
  ms_context_destroy(&w->ctx);
}

int ms_pool_count_threads(const ms_study *study, ptrdiff_t jobs) {
  long n = study->threads > 0 ? study->threads : sysconf(_SC_NPROCESSORS_ONLN);
  if (n < 1) n = 1;
  if (n > 256) n = 256;
  return n < jobs ? (int)n : (int)jobs;
}

static ms_status run_threads(ms_study *study, pool *p, pool_thread *t, int n) {
  int started = 0;
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < n && status == MS_SUCCESS; i++) {
    t[i].pool = p;
    t[i].worker = (ms_worker) { .study = study, .what = p->what };
    status = ms_worker_open(study, &t[i].worker);
    if (status != MS_SUCCESS) continue;
    ms_context_set_progress(t[i].worker.ctx, hear, &t[i]);
    ms_context_set_log(t[i].worker.ctx, hear_log, &t[i]);
  }
  p->thread = t;
  p->n_thread = n;
  if (status == MS_SUCCESS) {
    while (started < n && pthread_create(&t[started].thread, NULL, work, &t[started]) == 0)
      started++;
    if (started == 0) status = ms_fail(study->ctx, MS_ERR_MEMORY, "no thread could be started");
  }
  if (started > 0) watch(study, p);
  for (int i = 0; i < started; i++) pthread_join(t[i].thread, NULL);
  for (int i = 0; i < n; i++) ms_worker_close(&t[i].worker);
  return status;
}

static ms_status run_rest(ms_study *study, pool *p) {
  pool_thread *t;
  int n = ms_pool_count_threads(study, p->n);
  MS_TRY(ms_allocate(study->ctx, n, sizeof *t, &t));
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->ended_one, NULL);
  ms_status status = run_threads(study, p, t, n);
  pthread_cond_destroy(&p->ended_one);
  pthread_mutex_destroy(&p->lock);
  ms_free(study->ctx, &t);
  if (status != MS_SUCCESS || p->status == MS_SUCCESS) return status;
  return ms_fail(study->ctx, p->status, "%s: %s", p->what, p->message);
}

ms_status ms_pool_run_jobs(ms_study *study, const char *what, const ms_jobs *jobs) {
  pool p = { .jobs = jobs, .what = what };
  if (jobs->n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(study->ctx, 2 * jobs->n, sizeof *p.todo, &p.todo));
  p.order = p.todo + jobs->n;
  ms_status status = plan(study, &p);
  if (status == MS_SUCCESS && p.restored > 0) {
    status = ms_progress(study->ctx, what, (double)p.restored / (double)jobs->n);
  }
  if (status == MS_SUCCESS && p.n > 0) status = run_rest(study, &p);
  ms_free(study->ctx, &p.todo);
  return status;
}

ms_status ms_pool_run(ms_study *study, const char *what, ptrdiff_t jobs, ms_job_fn run,
                      void *user) {
  return ms_pool_run_jobs(study, what, &(ms_jobs) { .n = jobs, .run = run, .user = user });
}
