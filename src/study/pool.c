/* Jobs over threads. Each worker takes the next job there is; a job writes to a place of its own,
   so the order in which jobs end does not show. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "study/study.h"

typedef struct pool {
  pthread_mutex_t lock;
  pthread_cond_t done_one;
  ptrdiff_t next, done, jobs;
  ms_job_fn run;
  void *user;
  ms_status status; /* the first failure; no job starts after it */
  char message[512];
} pool;

typedef struct pool_thread {
  pthread_t thread;
  pool *pool;
  ms_worker worker;
} pool_thread;

static ptrdiff_t take_job(pool *p) {
  pthread_mutex_lock(&p->lock);
  ptrdiff_t job = p->status == MS_SUCCESS && p->next < p->jobs ? p->next++ : -1;
  pthread_mutex_unlock(&p->lock);
  return job;
}

static void end_job(pool *p, ms_status status, const ms_context *ctx) {
  pthread_mutex_lock(&p->lock);
  p->done++;
  if (status != MS_SUCCESS && p->status == MS_SUCCESS) {
    p->status = status;
    snprintf(p->message, sizeof p->message, "%s", ms_context_message(ctx));
  }
  pthread_cond_signal(&p->done_one);
  pthread_mutex_unlock(&p->lock);
}

static void *work(void *user) {
  pool_thread *t = user;
  for (ptrdiff_t job; (job = take_job(t->pool)) >= 0;) {
    end_job(t->pool, t->pool->run(&t->worker, job, t->pool->user), t->worker.ctx);
  }
  return NULL;
}

/* Until all is done or has failed; a cancelled progress keeps further jobs from starting. */
static void watch(ms_study *study, pool *p, const char *what) {
  pthread_mutex_lock(&p->lock);
  while (p->done < p->next || (p->status == MS_SUCCESS && p->done < p->jobs)) {
    pthread_cond_wait(&p->done_one, &p->lock);
    double fraction = (double)p->done / (double)p->jobs;
    pthread_mutex_unlock(&p->lock);
    ms_status status = ms_progress(study->ctx, what, fraction);
    pthread_mutex_lock(&p->lock);
    if (status != MS_SUCCESS && p->status == MS_SUCCESS) {
      p->status = status;
      snprintf(p->message, sizeof p->message, "%s", ms_context_message(study->ctx));
    }
  }
  pthread_mutex_unlock(&p->lock);
}

static ms_status open_worker(const ms_study *study, ms_worker *w) {
  ms_allocator allocator = ms_context_get_allocator(study->ctx);
  if (ms_context_create(&allocator, &w->ctx) != MS_SUCCESS) {
    return ms_fail(study->ctx, MS_ERR_MEMORY, "out of memory for a worker");
  }
  return ms_study_build(study, w->ctx, &w->structure);
}

static void close_worker(ms_worker *w) {
  ms_structure_destroy(&w->structure);
  ms_context_destroy(&w->ctx);
}

static int count_threads(const ms_study *study, ptrdiff_t jobs) {
  long n = study->threads > 0 ? study->threads : sysconf(_SC_NPROCESSORS_ONLN);
  if (n < 1) n = 1;
  if (n > 256) n = 256;
  return n < jobs ? (int)n : (int)jobs;
}

static ms_status run_threads(ms_study *study, pool *p, pool_thread *t, int n, const char *what) {
  int started = 0;
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < n && status == MS_SUCCESS; i++) {
    t[i].pool = p;
    status = open_worker(study, &t[i].worker);
  }
  if (status == MS_SUCCESS) {
    while (started < n && pthread_create(&t[started].thread, NULL, work, &t[started]) == 0)
      started++;
    if (started == 0) status = ms_fail(study->ctx, MS_ERR_MEMORY, "no thread could be started");
  }
  if (started > 0) watch(study, p, what);
  for (int i = 0; i < started; i++) pthread_join(t[i].thread, NULL);
  for (int i = 0; i < n; i++) close_worker(&t[i].worker);
  return status;
}

ms_status ms_pool_run(ms_study *study, const char *what, ptrdiff_t jobs, ms_job_fn run,
                      void *user) {
  if (jobs == 0) return MS_SUCCESS;
  int n = count_threads(study, jobs);
  pool p = { .jobs = jobs, .run = run, .user = user };
  pool_thread *t;
  MS_TRY(ms_allocate(study->ctx, n, sizeof *t, &t));
  pthread_mutex_init(&p.lock, NULL);
  pthread_cond_init(&p.done_one, NULL);
  ms_status status = run_threads(study, &p, t, n, what);
  pthread_cond_destroy(&p.done_one);
  pthread_mutex_destroy(&p.lock);
  ms_free(study->ctx, &t);
  if (status != MS_SUCCESS || p.status == MS_SUCCESS) return status;
  return ms_fail(study->ctx, p.status, "%s: %s", what, p.message);
}
