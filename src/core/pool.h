/* A set of jobs under way in this process: what its threads and the caller's own thread share. */
#ifndef MS_CORE_POOL_H
#define MS_CORE_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/jobs.h"

typedef struct ms_pool_thread ms_pool_thread;

typedef struct ms_pool {
  const ms_jobs *jobs;
  const char *what;
  int rank, size;  /* among the processes that share the jobs */
  ptrdiff_t *todo; /* the jobs to run here, n of them */
  ptrdiff_t n, restored;
  /* Under the lock. */
  pthread_mutex_t lock;
  pthread_cond_t ended_one;
  ptrdiff_t *order; /* the jobs that ended well here, as they did */
  ptrdiff_t begun, ended, good;
  ms_pool_thread *thread;
  int n_thread;
  int news;         /* a job got on since the caller's thread last looked */
  char said[1024];  /* lines for the caller's log */
  ms_status status; /* the first failure; no job starts after it */
  atomic_int stop;  /* the same without the lock: jobs look there often */
  char detail[160]; /* how far a job is, in words; the last one heard of */
  char message[512];
  /* The caller's own thread's. */
  ptrdiff_t told, known; /* jobs whose end others know here; that ended well anywhere */
} ms_pool;

struct ms_pool_thread {
  pthread_t thread;
  ms_pool *pool;
  ms_worker worker;
  double part; /* of its job that is done */
};

/* pool.c: a context for the worker, and what the crew gives it. */
ms_status ms_worker_open(const ms_crew *crew, ms_worker *worker);
void ms_worker_close(const ms_crew *crew, ms_worker *worker);
/* Takes the lock. */
void ms_pool_note(ms_pool *pool, ms_status status, const ms_context *ctx);

/* pool_watch.c: lists the jobs to run; then looks after them until all have ended, here and in
   the other processes. Failures are noted in the pool. */
ms_status ms_pool_plan(const ms_crew *crew, ms_pool *pool);
void ms_pool_watch(const ms_crew *crew, ms_pool *pool);

#endif
