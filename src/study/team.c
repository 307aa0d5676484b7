/* Workers that stay. Building a structure for each worker costs more than a short round of jobs. */
#include <pthread.h>
#include <stdio.h>

#include "study/study.h"

struct ms_team {
  ms_context *ctx; /* of the study */
  ms_worker *worker;
  int n;
};

/* A round of jobs. */
typedef struct round {
  pthread_mutex_t lock;
  ptrdiff_t n, begun;
  ms_job_fn run;
  void *user;
  ms_status status;
  char message[512];
} round;

typedef struct hand {
  pthread_t thread;
  round *round;
  ms_worker *worker;
} hand;

ms_status ms_team_open(const ms_study *study, ptrdiff_t most, ms_team **out) {
  ms_team *t;
  ms_status status = MS_SUCCESS;
  *out = NULL;
  MS_TRY(ms_allocate(study->ctx, 1, sizeof *t, &t));
  t->ctx = study->ctx;
  int n = ms_pool_count_threads(study, most);
  status = ms_allocate(study->ctx, n, sizeof *t->worker, &t->worker);
  while (status == MS_SUCCESS && t->n < n) status = ms_worker_open(study, &t->worker[t->n++]);
  if (status != MS_SUCCESS) ms_team_close(&t);
  *out = t;
  return status;
}

void ms_team_close(ms_team **team) {
  if (!team || !*team) return;
  ms_team *t = *team;
  for (int i = 0; t->worker && i < t->n; i++) ms_worker_close(&t->worker[i]);
  ms_free(t->ctx, &t->worker);
  ms_free(t->ctx, team);
}

int ms_team_size(const ms_team *team) {
  return team->n;
}

ms_worker *ms_team_get(ms_team *team, int i) {
  return &team->worker[i];
}

static ptrdiff_t take(round *r) {
  pthread_mutex_lock(&r->lock);
  ptrdiff_t job = r->status == MS_SUCCESS && r->begun < r->n ? r->begun++ : -1;
  pthread_mutex_unlock(&r->lock);
  return job;
}

static void note(round *r, ms_status status, const ms_context *ctx) {
  if (status == MS_SUCCESS) return;
  pthread_mutex_lock(&r->lock);
  if (r->status == MS_SUCCESS) {
    r->status = status;
    snprintf(r->message, sizeof r->message, "%s", ms_context_message(ctx));
  }
  pthread_mutex_unlock(&r->lock);
}

static void *work(void *user) {
  hand *h = user;
  for (ptrdiff_t job; (job = take(h->round)) >= 0;) {
    note(h->round, h->round->run(h->worker, job, h->round->user), h->worker->ctx);
  }
  return NULL;
}

/* The study's own thread works too, so that a round is done even if no other can be had. */
ms_status ms_team_run(ms_team *team, ptrdiff_t n, ms_job_fn run, void *user) {
  round r = { .n = n, .run = run, .user = user };
  hand *h;
  int started = 1;
  MS_TRY(ms_allocate(team->ctx, team->n, sizeof *h, &h));
  pthread_mutex_init(&r.lock, NULL);
  for (int i = 0; i < team->n; i++) h[i] = (hand) { .round = &r, .worker = &team->worker[i] };
  while (started < team->n && pthread_create(&h[started].thread, NULL, work, &h[started]) == 0) {
    started++;
  }
  work(&h[0]);
  for (int i = 1; i < started; i++) pthread_join(h[i].thread, NULL);
  pthread_mutex_destroy(&r.lock);
  ms_free(team->ctx, &h);
  return r.status == MS_SUCCESS ? MS_SUCCESS : ms_fail(team->ctx, r.status, "%s", r.message);
}
