/* Jobs over threads, and over processes. Each worker takes the next job there is; a job writes to a
   place of its own, so the order in which jobs end does not show. */
#include "core/pool.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double worth_telling = 0.02; /* of a job */

static ptrdiff_t take_job(ms_pool_thread *t) {
  ms_pool *p = t->pool;
  pthread_mutex_lock(&p->lock);
  t->part = 0.0;
  ptrdiff_t job = p->status == MS_SUCCESS && p->begun < p->n ? p->todo[p->begun++] : -1;
  t->worker.job = job;
  pthread_mutex_unlock(&p->lock);
  return job;
}

/* Under the lock. */
static void note(ms_pool *p, ms_status status, const ms_context *ctx) {
  if (status == MS_SUCCESS || p->status != MS_SUCCESS) return;
  p->status = status;
  atomic_store(&p->stop, 1);
  snprintf(p->message, sizeof p->message, "%s", ms_context_message(ctx));
}

void ms_pool_note(ms_pool *p, ms_status status, const ms_context *ctx) {
  pthread_mutex_lock(&p->lock);
  note(p, status, ctx);
  pthread_mutex_unlock(&p->lock);
}

static void *work(void *user) {
  ms_pool_thread *t = user;
  for (ptrdiff_t job; (job = take_job(t)) >= 0;) {
    ms_status status = t->pool->jobs->run(&t->worker, job, t->pool->jobs->user);
    ms_pool *p = t->pool;
    const ms_context *ctx = t->worker.ctx;
    pthread_mutex_lock(&p->lock);
    t->part = 0.0;
    p->ended++;
    if (status == MS_SUCCESS) p->order[p->good++] = job;
    note(p, status, ctx);
    pthread_cond_signal(&p->ended_one);
    pthread_mutex_unlock(&p->lock);
  }
  return NULL;
}

/* A worker's own progress: long jobs show that they move. It may go back where a job has several
   phases; what is shown does not. Once the work is to stop, a job does so where it looks. */
static int hear(void *user, const char *what, double fraction) {
  ms_pool_thread *t = user;
  ms_pool *p = t->pool;
  (void)what;
  pthread_mutex_lock(&p->lock);
  snprintf(p->detail, sizeof p->detail, "%s", ms_context_get_detail(t->worker.ctx));
  if (fraction >= t->part + worth_telling) {
    t->part = fraction;
    p->news = 1;
    pthread_cond_signal(&p->ended_one);
  }
  int stop = p->status != MS_SUCCESS;
  pthread_mutex_unlock(&p->lock);
  return stop;
}

static int heed(void *user) {
  return atomic_load(&((ms_pool_thread *)user)->pool->stop);
}

/* A worker's log, which the caller's thread passes on; what is too much is left out. */
static void hear_log(void *user, ms_log_level level, const char *text) {
  ms_pool *p = ((ms_pool_thread *)user)->pool;
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

/* ---- workers ---- */

static int ask_caller(void *ctx) {
  return ms_context_should_stop(ctx);
}

ms_status ms_worker_open(const ms_crew *crew, ms_worker *w) {
  ms_allocator allocator = ms_context_get_allocator(crew->ctx);
  if (ms_context_create(&allocator, &w->ctx) != MS_SUCCESS) {
    return ms_fail(crew->ctx, MS_ERR_MEMORY, "out of memory for a worker");
  }
  ms_context_set_stop(w->ctx, ask_caller, crew->ctx);
  ms_status status = crew->open ? crew->open(crew->owner, w) : MS_SUCCESS;
  return status == MS_SUCCESS ? status
                              : ms_fail(crew->ctx, status, "%s", ms_context_message(w->ctx));
}

void ms_worker_close(const ms_crew *crew, ms_worker *w) {
  if (crew->close) crew->close(w);
  ms_context_destroy(&w->ctx);
}

int ms_crew_count_threads(const ms_crew *crew, ptrdiff_t jobs) {
  long n = crew->threads > 0 ? crew->threads : sysconf(_SC_NPROCESSORS_ONLN);
  if (n < 1) n = 1;
  if (n > 256) n = 256;
  return n < jobs ? (int)n : (int)jobs;
}

/* ---- a set of jobs ---- */

static ms_status open_workers(const ms_crew *crew, ms_pool *p) {
  const int n = ms_crew_count_threads(crew, p->n);
  if (p->restored > 0) {
    MS_TRY(ms_progress(crew->ctx, p->what, (double)p->restored / (double)p->jobs->n));
  }
  MS_TRY(ms_allocate(crew->ctx, n, sizeof *p->thread, &p->thread));
  for (p->n_thread = 0; p->n_thread < n;) {
    ms_pool_thread *t = &p->thread[p->n_thread++];
    t->pool = p;
    t->worker = (ms_worker) { .what = p->what };
    MS_TRY(ms_worker_open(crew, &t->worker));
    ms_context_set_progress(t->worker.ctx, hear, t);
    ms_context_set_stop(t->worker.ctx, heed, t);
    ms_context_set_log(t->worker.ctx, hear_log, t);
  }
  return MS_SUCCESS;
}

/* A failure to begin is noted like that of a job, so that other processes hear of it. */
static void run_threads(const ms_crew *crew, ms_pool *p) {
  int started = 0;
  ms_status status = open_workers(crew, p);
  while (status == MS_SUCCESS && started < p->n_thread &&
         pthread_create(&p->thread[started].thread, NULL, work, &p->thread[started]) == 0) {
    started++;
  }
  if (status == MS_SUCCESS && started == 0 && p->n_thread > 0) {
    status = ms_fail(crew->ctx, MS_ERR_MEMORY, "no thread could be started");
  }
  ms_pool_note(p, status, crew->ctx);
  ms_pool_watch(crew, p);
  for (int i = 0; i < started; i++) pthread_join(p->thread[i].thread, NULL);
  for (int i = 0; i < p->n_thread; i++) ms_worker_close(crew, &p->thread[i].worker);
  ms_free(crew->ctx, &p->thread);
  ms_context_set_detail(crew->ctx, "");
}

static ms_status run_rest(const ms_crew *crew, ms_pool *p) {
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->ended_one, NULL);
  run_threads(crew, p);
  pthread_cond_destroy(&p->ended_one);
  pthread_mutex_destroy(&p->lock);
  if (p->status == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail(crew->ctx, p->status, "%s: %s", p->what, p->message);
}

static ms_status run_jobs(const ms_crew *crew, ms_pool *p) {
  const ptrdiff_t n = p->jobs->n;
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(crew->ctx, 2 * n, sizeof *p->todo, &p->todo));
  p->order = p->todo + n;
  ms_status status = ms_pool_plan(crew, p);
  if (status == MS_SUCCESS) {
    status = p->restored < n ? run_rest(crew, p) : ms_progress(crew->ctx, p->what, 1.0);
  }
  ms_free(crew->ctx, &p->todo);
  return status;
}

ms_status ms_crew_run_jobs(const ms_crew *crew, const char *what, const ms_jobs *jobs) {
  return run_jobs(crew, &(ms_pool) { .jobs = jobs, .what = what, .size = 1 });
}

ms_status ms_crew_share_jobs(const ms_crew *crew, const char *what, const ms_jobs *jobs) {
  const ms_communicator *all = ms_context_get_communicator(crew->ctx);
  ms_pool p = { .jobs = jobs, .what = what, .rank = all->rank, .size = all->size };
  return ms_context_agree(crew->ctx, run_jobs(crew, &p));
}
