/* What bench_python.py compares Python with: the same calls from C, in the same process and
 * library. */
#include <microslip/microslip.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "python_calls.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ms_joint *make_joint(ms_context *ctx, double F_S, double K_T) {
  static const char *const name[] = { "F_S", "K_T", "chi", "beta" };
  const double value[] = { F_S, K_T, -0.43, 0.87 };
  ms_joint *joint = NULL;
  if (ms_joint_create(ctx, "iwan4", &joint) != MS_SUCCESS) abort();
  for (int i = 0; i < 4; i++)
    if (ms_joint_set(joint, name[i], value[i]) != MS_SUCCESS) abort();
  if (ms_joint_setup(joint) != MS_SUCCESS) abort();
  return joint;
}

double bench_path(ptrdiff_t n, const double *u, double *force) {
  ms_context *ctx = NULL;
  ptrdiff_t row;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) abort();
  ms_joint *joint = make_joint(ctx, 3871.0, 1.13e8);
  const double start = now();
  double *out = force ? force : malloc((size_t)n * sizeof *out);
  ms_joint_path path = { .n = n, .u = { u }, .force = { out } };
  if (!out || ms_joint_run_path(joint, &path, &row) != MS_SUCCESS) abort();
  const double time = now() - start;
  if (!force) free(out);
  ms_joint_destroy(&joint);
  ms_context_destroy(&ctx);
  return time;
}

static ms_structure *make_structure(ms_context *ctx) {
  static const double M[] = { 1.2, 0, 0, 0.8 }, K[] = { 6.5e5, -2.5e5, -2.5e5, 2.5e5 };
  static const double zeta[] = { 5e-4, 5e-4 };
  static const ptrdiff_t from = 0, to = 1;
  ms_structure *s = NULL;
  ms_joint *joint = make_joint(ctx, 20.0, 2e4);
  if (ms_structure_create(ctx, 2, NULL, &s) != MS_SUCCESS ||
      ms_structure_set_mass(s, M) != MS_SUCCESS || ms_structure_set_stiffness(s, K) != MS_SUCCESS ||
      ms_structure_take_joint(s, "lap", &joint, &from, &to) != MS_SUCCESS ||
      ms_structure_set_modal_damping(s, zeta) != MS_SUCCESS || ms_structure_setup(s) != MS_SUCCESS)
    abort();
  return s;
}

static double run_backbone(ms_context *ctx, ms_structure *s, const char *method, ptrdiff_t n,
                           const double *q) {
  ms_backbone_curve curve;
  const double start = now();
  if (ms_backbone_request(ctx, method, 0, n, q, &curve) != MS_SUCCESS ||
      ms_backbone_run(ctx, s, NULL, &curve) != MS_SUCCESS)
    abort();
  ms_backbone_free(ctx, &curve);
  return now() - start;
}

double bench_backbone(ptrdiff_t n, const double *q, int repeats) {
  ms_context *ctx = NULL;
  double best = 1e9;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) abort();
  ms_structure *s = make_structure(ctx);
  for (int i = 0; i < repeats; i++) {
    const double time = run_backbone(ctx, s, "qsma", n, q);
    if (time < best) best = time;
  }
  ms_structure_destroy(&s);
  ms_context_destroy(&ctx);
  return best;
}

typedef struct job {
  ms_context *ctx;
  ms_structure *structure;
  ptrdiff_t n;
  const double *q;
} job;

static void *work(void *user) {
  const job *j = user;
  run_backbone(j->ctx, j->structure, "epmc", j->n, j->q);
  return NULL;
}

double bench_threads(int threads, ptrdiff_t n, const double *q) {
  enum { MOST = 8 };
  job all[MOST];
  pthread_t thread[MOST];
  for (int i = 0; i < threads; i++) {
    all[i] = (job) { .n = n, .q = q };
    if (ms_context_create(NULL, &all[i].ctx) != MS_SUCCESS) abort();
    all[i].structure = make_structure(all[i].ctx);
  }
  const double start = now();
  for (int i = 0; i < threads; i++)
    if (pthread_create(&thread[i], NULL, work, &all[i]) != 0) abort();
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  const double time = now() - start;
  for (int i = 0; i < threads; i++) {
    ms_structure_destroy(&all[i].structure);
    ms_context_destroy(&all[i].ctx);
  }
  return time;
}
