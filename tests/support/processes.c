#include "support/processes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

typedef struct meeting {
  pthread_barrier_t here;
  int n;
  char call[MOST]; /* what each is about */
  size_t bytes[MOST];
  const void *data[MOST];
} meeting;

typedef struct process {
  pthread_t thread;
  meeting *meeting;
  int rank;
  void (*body)(ms_context *ctx, int rank, void *user);
  void *user;
} process;

/* All come, and see that all mean the same. */
static void meet(process *p, char call, const void *data, size_t bytes) {
  meeting *m = p->meeting;
  m->call[p->rank] = call;
  m->data[p->rank] = data;
  m->bytes[p->rank] = bytes;
  pthread_barrier_wait(&m->here);
  for (int i = 0; i < m->n; i++) {
    if (m->call[i] == call && m->bytes[i] == bytes) continue;
    fprintf(stderr, "process %d calls %c of %zu, process %d %c of %zu\n", p->rank, call, bytes, i,
            m->call[i], m->bytes[i]);
    abort();
  }
}

static void part(const process *p) {
  pthread_barrier_wait(&p->meeting->here);
}

static ms_status barrier(void *self) {
  meet(self, 'w', NULL, 0);
  part(self);
  return MS_SUCCESS;
}

static ms_status broadcast(void *self, void *data, size_t bytes, int root) {
  process *p = self;
  meet(p, (char)('0' + root), data, bytes);
  if (p->rank != root) memcpy(data, p->meeting->data[root], bytes);
  part(p);
  return MS_SUCCESS;
}

static ms_status gather_all(void *self, const void *data, size_t bytes, void *all) {
  process *p = self;
  meet(p, 'g', data, bytes);
  for (int i = 0; i < p->meeting->n; i++) {
    memcpy((char *)all + (size_t)i * bytes, p->meeting->data[i], bytes);
  }
  part(p);
  return MS_SUCCESS;
}

static ms_status vote(void *self, int failed, int *who) {
  process *p = self;
  meet(p, 'v', &failed, sizeof failed);
  *who = -1;
  for (int i = p->meeting->n - 1; i >= 0; i--) {
    if (*(const int *)p->meeting->data[i]) *who = i;
  }
  part(p);
  return MS_SUCCESS;
}

static void *run(void *user) {
  process *p = user;
  const ms_communicator comm = { .self = p,
                                 .rank = p->rank,
                                 .size = p->meeting->n,
                                 .barrier = barrier,
                                 .broadcast = broadcast,
                                 .gather_all = gather_all,
                                 .vote = vote };
  ms_context *ctx;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) abort();
  ms_context_set_communicator(ctx, &comm);
  p->body(ctx, p->rank, p->user);
  ms_context_destroy(&ctx);
  return NULL;
}

void test_processes(int n, void (*body)(ms_context *ctx, int rank, void *user), void *user) {
  meeting m = { .n = n };
  process p[MOST];
  pthread_barrier_init(&m.here, NULL, (unsigned)n);
  for (int i = 0; i < n; i++) {
    p[i] = (process) { .meeting = &m, .rank = i, .body = body, .user = user };
    if (pthread_create(&p[i].thread, NULL, run, &p[i]) != 0) abort();
  }
  for (int i = 0; i < n; i++) pthread_join(p[i].thread, NULL);
  pthread_barrier_destroy(&m.here);
}
