/* The caller's own thread, while jobs run: it shows progress, passes on the log, keeps what has
   ended. With several processes there is one such thread in each; they meet every now and then and
   tell each other what has ended. The first has and keeps all. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/pool.h"

/* ns: a caller that is to stop learns of it so soon; several processes, of each other */
enum { WAIT = 200 * 1000 * 1000, WAIT_FOR_OTHERS = 20 * 1000 * 1000 };

/* ---- which jobs ---- */

/* Those that no earlier start has finished. */
static ms_status list_jobs(const ms_crew *crew, ms_pool *p) {
  const ms_jobs *jobs = p->jobs;
  char *done;
  ms_kept kept;
  MS_TRY(ms_allocate(crew->ctx, jobs->n, sizeof *done, &done));
  for (ptrdiff_t at = 0;
       jobs->load && crew->next && crew->next(crew->owner, p->what, &at, &kept);) {
    if (kept.job >= jobs->n || done[kept.job]) continue;
    ms_status status = jobs->load(crew->ctx, jobs->user, kept.job, kept.values, kept.n);
    done[kept.job] = status == MS_SUCCESS;
    if (status != MS_SUCCESS) ms_context_clear_message(crew->ctx);
  }
  for (ptrdiff_t i = 0; i < jobs->n; i++) {
    if (!done[i]) p->todo[p->n++] = i;
  }
  ms_free(crew->ctx, &done);
  return MS_SUCCESS;
}

ms_status ms_pool_plan(const ms_crew *crew, ms_pool *p) {
  ms_status status = list_jobs(crew, p);
  p->restored = p->jobs->n - p->n;
  if (p->size == 1) return status;
  MS_TRY(ms_context_agree(crew->ctx, status));
  /* The first process's list, of which each takes every size-th. */
  ptrdiff_t n = 0;
  MS_TRY(ms_context_share(crew->ctx, 0, &p->n, sizeof p->n));
  MS_TRY(ms_context_share(crew->ctx, 0, p->todo, (size_t)p->n * sizeof *p->todo));
  p->restored = p->jobs->n - p->n;
  for (ptrdiff_t i = p->rank; i < p->n; i += p->size) p->todo[n++] = p->todo[i];
  p->n = n;
  return MS_SUCCESS;
}

/* ---- what ended ---- */

/* How a process is, and how many numbers it has of jobs that ended since it told last. */
typedef struct news {
  int status, ended;
  ptrdiff_t n;
  double part; /* of jobs under way */
} news;

static ptrdiff_t save(const ms_jobs *jobs, ptrdiff_t job, double *values) {
  return jobs->save ? jobs->save(jobs->user, job, values) : 0;
}

/* Job, n and n numbers, of each job that ended up to the one at `end`. */
static ms_status pack(const ms_crew *crew, ms_pool *p, ptrdiff_t end, double **values,
                      ptrdiff_t *n) {
  ptrdiff_t size = 0, at = 0;
  for (ptrdiff_t i = p->told; i < end; i++) size += 2 + save(p->jobs, p->order[i], NULL);
  MS_TRY(ms_allocate(crew->ctx, size, sizeof **values, values));
  for (; p->told < end; p->told++) {
    double *v = *values + at;
    v[0] = (double)p->order[p->told];
    v[1] = (double)save(p->jobs, p->order[p->told], v + 2);
    at += 2 + (ptrdiff_t)v[1];
  }
  *n = size;
  return MS_SUCCESS;
}

static ms_status unpack(const ms_crew *crew, ms_pool *p, int from, const double *values,
                        ptrdiff_t n) {
  const ms_jobs *jobs = p->jobs;
  for (const double *v = values, *end = values + n; v < end; v += 2 + (ptrdiff_t)v[1]) {
    const ptrdiff_t job = (ptrdiff_t)v[0], size = (ptrdiff_t)v[1];
    p->known++;
    if (p->rank > 0) continue;
    if (from > 0) MS_TRY(jobs->load(crew->ctx, jobs->user, job, v + 2, size));
    if (!jobs->save || !crew->keep) continue;
    MS_TRY(crew->keep(crew->owner, p->what, job, v + 2, size));
  }
  return MS_SUCCESS;
}

/* The n numbers of process `from`; those of this one are `own`. */
static ms_status take_numbers(const ms_crew *crew, ms_pool *p, int from, double *own, ptrdiff_t n) {
  double *values = own;
  ms_status status = MS_SUCCESS;
  if (from != p->rank) MS_TRY(ms_allocate(crew->ctx, n, sizeof *values, &values));
  if (p->size > 1) status = ms_context_share(crew->ctx, from, values, (size_t)n * sizeof *values);
  if (status == MS_SUCCESS) ms_pool_note(p, unpack(crew, p, from, values, n), crew->ctx);
  if (from != p->rank) ms_free(crew->ctx, &values);
  return status;
}

/* A failure of one is one of all. */
static ms_status take_failure(const ms_crew *crew, ms_pool *p, int from, ms_status status) {
  char message[sizeof p->message] = "";
  if (from == p->rank) memcpy(message, p->message, sizeof message);
  if (p->size > 1) MS_TRY(ms_context_share(crew->ctx, from, message, sizeof message));
  if (from != p->rank) ms_pool_note(p, ms_fail(crew->ctx, status, "%s", message), crew->ctx);
  return MS_SUCCESS;
}

/* All processes meet here: *sum is what all have told. */
static ms_status exchange(const ms_crew *crew, ms_pool *p, const news *mine, double *own,
                          news *sum) {
  news *all;
  *sum = (news) { .ended = 1 };
  MS_TRY(ms_allocate(crew->ctx, p->size, sizeof *all, &all));
  all[0] = *mine;
  ms_status status =
      p->size > 1 ? ms_context_gather(crew->ctx, mine, sizeof *mine, all) : MS_SUCCESS;
  for (int r = 0; r < p->size && status == MS_SUCCESS; r++) {
    sum->ended &= all[r].ended;
    sum->part += all[r].part;
    if (all[r].n > 0) status = take_numbers(crew, p, r, own, all[r].n);
    if (status != MS_SUCCESS || all[r].status == MS_SUCCESS) continue;
    status = take_failure(crew, p, r, (ms_status)all[r].status);
  }
  ms_free(crew->ctx, &all);
  return status;
}

/* ---- news of this process ---- */

static int all_ended(const ms_pool *p) {
  return p->ended == p->begun && (p->status != MS_SUCCESS || p->begun == p->n);
}

/* Under the lock. */
static void wait_for_news(ms_pool *p) {
  struct timespec until;
  if (p->told < p->good || p->news || all_ended(p)) return;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += p->size > 1 ? WAIT_FOR_OTHERS : WAIT;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&p->ended_one, &p->lock, &until);
}

static void pass_on(const ms_crew *crew, char *lines) {
  for (char *end; (end = strchr(lines, '\n')); lines = end + 1) {
    ms_log(crew->ctx, MS_LOG_INFO, "%.*s", (int)(end - lines), lines);
  }
}

/* Waits, and looks. One process shows the end of every job; several meet too seldom for that. */
static news look(const ms_crew *crew, ms_pool *p, double **values) {
  char said[sizeof p->said];
  news mine = { .n = 0 };
  pthread_mutex_lock(&p->lock);
  wait_for_news(p);
  memcpy(said, p->said, sizeof said);
  p->said[0] = '\0';
  p->news = 0;
  const ptrdiff_t end = p->size == 1 && p->told < p->good ? p->told + 1 : p->good;
  mine.status = p->status;
  mine.ended = all_ended(p) && end == p->good;
  for (int i = 0; i < p->n_thread; i++) mine.part += p->thread[i].part;
  pthread_mutex_unlock(&p->lock);
  pass_on(crew, said);
  ms_pool_note(p, pack(crew, p, end, values, &mine.n), crew->ctx);
  return mine;
}

/* What is shown never goes back. It is told also when nothing is new: the work may be stopped. */
static ms_status tell(const ms_crew *crew, ms_pool *p, double part, double *told) {
  char detail[sizeof p->detail];
  double done = (double)(p->restored + p->known) + part, all = (double)p->jobs->n;
  double fraction = done < all ? done / all : 1.0;
  if (fraction > *told) *told = fraction;
  pthread_mutex_lock(&p->lock);
  memcpy(detail, p->detail, sizeof detail);
  pthread_mutex_unlock(&p->lock);
  ms_context_set_detail(crew->ctx, detail);
  return ms_progress(crew->ctx, p->what, *told);
}

/* Every job that ended well is kept, also behind a failure. A cancelled progress keeps further jobs
   from starting. Processes that have lost each other end each by itself. */
void ms_pool_watch(const ms_crew *crew, ms_pool *p) {
  double told = 0.0;
  for (news sum = { .ended = 0 }; !sum.ended;) {
    double *values = NULL;
    const news mine = look(crew, p, &values);
    ms_status status = exchange(crew, p, &mine, values, &sum);
    ms_free(crew->ctx, &values);
    if (status != MS_SUCCESS) p->size = 1;
    if (status == MS_SUCCESS) status = tell(crew, p, sum.part, &told);
    ms_pool_note(p, status, crew->ctx);
  }
}
