/* Workers that stay, on every process. Building a structure for each worker costs more than a short
   round of evaluations. A round is dealt out in equal runs of neighbours, one for each process,
   whose threads take evaluations one by one; an evaluation's numbers do not depend on who makes it.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/pool.h"

typedef struct hand {
  pthread_t thread;
  struct round *round;
  ms_worker worker;
  int opened; /* what the work keeps with it */
} hand;

struct ms_team {
  ms_crew crew;
  ms_context *ctx; /* of the caller */
  ms_team_work work;
  ptrdiff_t most, block; /* evaluations of a round; of each process */
  hand *hand;
  int n;
  /* With several processes, of a round: n (or END) and what all are given; what this process makes
     of its share, and whether it failed; the same of all, one behind the other. */
  double *in, *part, *out;
  int parted; /* the others are no longer at work */
};

/* A round of this process: in and out of its evaluations. */
typedef struct round {
  pthread_mutex_t lock;
  const ms_team_work *work;
  const double *in;
  double *out;
  ptrdiff_t n, begun;
  ms_status status;
  char message[512];
} round;

static const ms_communicator *all_of(const ms_team *t) {
  return ms_context_get_communicator(t->ctx);
}

/* ---- life ---- */

static ms_status open_hand(const ms_crew *crew, const ms_team_work *work, hand *h) {
  MS_TRY(ms_worker_open(crew, &h->worker));
  h->opened = 1;
  ms_status status = work->open ? work->open(&h->worker, work->user) : MS_SUCCESS;
  if (status == MS_SUCCESS) return status;
  return ms_fail(crew->ctx, status, "%s", ms_context_message(h->worker.ctx));
}

static ms_status fill(ms_team *t) {
  const int size = all_of(t)->size;
  t->block = (t->most + size - 1) / size;
  const int n = ms_crew_count_threads(&t->crew, t->block);
  MS_TRY(ms_allocate(t->ctx, n, sizeof *t->hand, &t->hand));
  while (t->n < n) MS_TRY(open_hand(&t->crew, &t->work, &t->hand[t->n++]));
  /* One process works on the caller's numbers. */
  const ptrdiff_t part = t->block * t->work.n_out + 1;
  if (size == 1) return MS_SUCCESS;
  MS_TRY(ms_allocate(t->ctx, t->most * t->work.n_in + 1, sizeof *t->in, &t->in));
  MS_TRY(ms_allocate(t->ctx, part, sizeof *t->part, &t->part));
  return ms_allocate(t->ctx, size * part, sizeof *t->out, &t->out);
}

ms_status ms_crew_open_team(const ms_crew *crew, const ms_team_work *work, ptrdiff_t most,
                            ms_team **out) {
  ms_team *t;
  ms_status status = ms_allocate(crew->ctx, 1, sizeof *t, &t);
  if (status == MS_SUCCESS) {
    *t = (ms_team) { .crew = *crew, .ctx = crew->ctx, .work = *work, .most = most, .parted = 1 };
    status = fill(t);
  }
  status = ms_context_agree(crew->ctx, status);
  if (t) t->parted = status != MS_SUCCESS;
  if (status != MS_SUCCESS) ms_team_close(&t);
  *out = t;
  return status;
}

/* ---- one process ---- */

static ptrdiff_t take(round *r) {
  pthread_mutex_lock(&r->lock);
  ptrdiff_t i = r->status == MS_SUCCESS && r->begun < r->n ? r->begun++ : -1;
  pthread_mutex_unlock(&r->lock);
  return i;
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
  round *r = h->round;
  const ms_team_work *w = r->work;
  for (ptrdiff_t i; (i = take(r)) >= 0;) {
    note(r, w->run(&h->worker, r->in + w->n_in * i, r->out + w->n_out * i, w->user), h->worker.ctx);
  }
  return NULL;
}

/* The caller's own thread works too, so that a round is done even if no other can be had. */
static ms_status run_here(ms_team *t, ptrdiff_t n, const double *in, double *out) {
  round r = { .work = &t->work, .in = in, .out = out, .n = n };
  int started = 1;
  pthread_mutex_init(&r.lock, NULL);
  for (int i = 0; i < t->n; i++) t->hand[i].round = &r;
  while (started < t->n && started < n &&
         pthread_create(&t->hand[started].thread, NULL, work, &t->hand[started]) == 0) {
    started++;
  }
  work(&t->hand[0]);
  for (int i = 1; i < started; i++) pthread_join(t->hand[i].thread, NULL);
  pthread_mutex_destroy(&r.lock);
  return r.status == MS_SUCCESS ? MS_SUCCESS : ms_fail(t->ctx, r.status, "%s", r.message);
}

/* ---- all of them ---- */

#define END (-1.0)

static ms_status announce(const ms_team *t) {
  return ms_context_share(t->ctx, 0, t->in, (size_t)(t->most * t->work.n_in + 1) * sizeof *t->in);
}

/* The first of n evaluations that falls to a process. */
static ptrdiff_t first_of(const ms_team *t, ptrdiff_t n, int rank) {
  const int size = all_of(t)->size;
  const ptrdiff_t first = (n + size - 1) / size * rank;
  return first < n ? first : n;
}

/* Two messages to a round, since each takes its time. A failure anywhere is one of all, after which
   nobody listens. */
static ms_status run_share(ms_team *t) {
  const ms_communicator *all = all_of(t);
  const ptrdiff_t n = (ptrdiff_t)t->in[0], size = t->block * t->work.n_out + 1;
  const ptrdiff_t first = first_of(t, n, all->rank), end = first_of(t, n, all->rank + 1);
  double failed = 0.0;
  ms_status status = run_here(t, end - first, t->in + 1 + t->work.n_in * first, t->part);
  t->part[size - 1] = status != MS_SUCCESS;
  MS_TRY(ms_context_gather(t->ctx, t->part, (size_t)size * sizeof *t->part, t->out));
  for (int r = 0; r < all->size; r++) failed += t->out[size * (r + 1) - 1];
  return failed > 0.0 ? ms_context_agree(t->ctx, status) : MS_SUCCESS;
}

static ms_status run_all(ms_team *t, ptrdiff_t n, const double *in, double *out) {
  const ptrdiff_t n_out = t->work.n_out, size = t->block * n_out + 1;
  t->in[0] = (double)n;
  memcpy(t->in + 1, in, (size_t)(n * t->work.n_in) * sizeof *in);
  t->parted = 1; /* unless all goes well */
  MS_TRY(announce(t));
  MS_TRY(run_share(t));
  t->parted = 0;
  for (int r = 0; r < all_of(t)->size; r++) {
    const ptrdiff_t first = first_of(t, n, r), end = first_of(t, n, r + 1);
    memcpy(out + n_out * first, t->out + size * r, (size_t)((end - first) * n_out) * sizeof *out);
  }
  return MS_SUCCESS;
}

ms_status ms_team_map(ms_team *t, ptrdiff_t n, const double *in, double *out) {
  const ptrdiff_t n_in = t->work.n_in, n_out = t->work.n_out;
  if (all_of(t)->size == 1) return run_here(t, n, in, out);
  for (ptrdiff_t at = 0; at < n; at += t->most) {
    ptrdiff_t some = n - at < t->most ? n - at : t->most;
    MS_TRY(run_all(t, some, in + n_in * at, out + n_out * at));
  }
  return MS_SUCCESS;
}

ms_status ms_team_serve(ms_team *t) {
  for (;;) {
    MS_TRY(announce(t));
    if (t->in[0] == END) return MS_SUCCESS;
    MS_TRY(run_share(t));
  }
}

/* Keeps the message that may wait. */
static void dismiss(const ms_team *t) {
  const ms_communicator *all = all_of(t);
  const size_t bytes = (size_t)(t->most * t->work.n_in + 1) * sizeof *t->in;
  if (all->size == 1 || all->rank > 0 || t->parted) return;
  t->in[0] = END;
  all->broadcast(all->self, t->in, bytes, 0);
}

void ms_team_close(ms_team **team) {
  if (!team || !*team) return;
  ms_team *t = *team;
  dismiss(t);
  for (int i = 0; t->hand && i < t->n; i++) {
    if (t->hand[i].opened && t->work.close) t->work.close(&t->hand[i].worker, t->work.user);
    ms_worker_close(&t->crew, &t->hand[i].worker);
  }
  ms_free(t->ctx, &t->hand);
  ms_free(t->ctx, &t->in);
  ms_free(t->ctx, &t->part);
  ms_free(t->ctx, &t->out);
  ms_free(t->ctx, team);
}

/* ---- processes ---- */

static ms_status lost(ms_context *ctx, ms_status status) {
  if (status == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail(ctx, status, "the processes have lost each other");
}

ms_status ms_context_share(ms_context *ctx, int from, void *data, size_t bytes) {
  const ms_communicator *all = ms_context_get_communicator(ctx);
  return lost(ctx, all->broadcast(all->self, data, bytes, from));
}

ms_status ms_context_gather(ms_context *ctx, const void *data, size_t bytes, void *out) {
  const ms_communicator *all = ms_context_get_communicator(ctx);
  return lost(ctx, all->gather_all(all->self, data, bytes, out));
}
