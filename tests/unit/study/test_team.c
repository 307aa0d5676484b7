/* Rounds of evaluations over threads and processes: the same numbers on any number of them, and a
   failure of one that all know. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/study.h"
#include "support/check.h"
#include "support/files.h"
#include "support/processes.h"

enum { N = 17, N_IN = 2, N_OUT = 3, MOST_RANKS = 3, ROUNDS = 4 };

static const char study_text[] =
    "microslip: 1\n"
    "structure: {chain: {masses: {a: 2.385}, springs: [[ground, a, 913.7]]}}\n"
    "analyses: [modes]\n";

static char study_path[256];

typedef struct trial {
  int threads; /* of each process */
  ptrdiff_t most;
  int bad_open, bad_point; /* the process, the point that fails, from 1; 0: none */
  int give_up;             /* the first process fails after so many rounds; 0: never */
  ms_status status[MOST_RANKS];
  char message[MOST_RANKS][64];
  double out[ROUNDS][N * N_OUT];
} trial;

/* One process's. */
typedef struct side {
  trial *t;
  int rank;
} side;

/* Without special values, and what a sum over processes would lose. */
static void make_in(int round, double in[N * N_IN]) {
  for (int i = 0; i < N * N_IN; i++) in[i] = 0.613 * sin(1.9 * i + 0.7 * round);
}

static void model(const double *in, double *out) {
  out[0] = sin(3.7 * in[0]) + in[1];
  out[1] = in[0] > 0.4 ? INFINITY : -in[1] * in[0];
  out[2] = -0.0;
}

/* Every worker must have what was opened for it. */
static ms_status open_worker(ms_worker *w, void *user) {
  const side *s = user;
  MS_TRY(ms_allocate(w->ctx, 1, sizeof(double), &w->own));
  *(double *)w->own = 2.0 + s->rank;
  if (s->rank + 1 != s->t->bad_open) return MS_SUCCESS;
  return ms_fail(w->ctx, MS_ERR_BOUNDS, "process %d does not open", s->t->bad_open);
}

static void close_worker(ms_worker *w, void *user) {
  (void)user;
  ms_free(w->ctx, &w->own);
}

static ms_status eval(ms_worker *w, const double *in, double *out, void *user) {
  const side *s = user;
  double bad[N * N_IN];
  make_in(1, bad);
  model(in, out);
  if (*(const double *)w->own != 2.0 + s->rank) return ms_fail(w->ctx, MS_ERR_STATE, "not mine");
  if (s->t->bad_point == 0 || in[0] != bad[N_IN * (s->t->bad_point - 1)]) return MS_SUCCESS;
  return ms_fail(w->ctx, MS_ERR_NUMERIC, "point %d fails", s->t->bad_point);
}

static ms_status map_rounds(ms_context *ctx, ms_team *team, trial *t) {
  double in[N * N_IN];
  for (int k = 0; k < ROUNDS; k++) {
    if (t->give_up > 0 && k == t->give_up) return ms_fail(ctx, MS_CANCELLED, "enough");
    make_in(k, in);
    MS_TRY(ms_team_map(team, N, in, t->out[k]));
  }
  return MS_SUCCESS;
}

static ms_status work(ms_context *ctx, const ms_study *study, side *s) {
  const ms_team_work work = { N_IN, N_OUT, open_worker, close_worker, eval, s };
  ms_team *team = NULL;
  const ms_crew crew = ms_study_crew(study);
  MS_TRY(ms_crew_open_team(&crew, &work, s->t->most, &team));
  ms_status status = s->rank == 0 ? map_rounds(ctx, team, s->t) : ms_team_serve(team);
  ms_team_close(&team);
  return status;
}

static ms_status run(ms_context *ctx, int rank, trial *t) {
  side s = { t, rank };
  ms_study *study = NULL;
  MS_TRY(ms_study_open(ctx, study_path, 0, NULL, &study));
  study->threads = t->threads;
  ms_context_join(ctx);
  ms_status status = ms_context_agree(ctx, work(ctx, study, &s));
  ms_study_close(&study);
  return status;
}

static void body(ms_context *ctx, int rank, void *user) {
  trial *t = user;
  t->status[rank] = run(ctx, rank, t);
  snprintf(t->message[rank], sizeof t->message[rank], "%s", ms_context_message(ctx));
}

static trial try(int ranks, trial t) {
  test_processes(ranks, body, &t);
  return t;
}

static void test_numbers(void) {
  double in[N * N_IN], out[N * N_OUT];
  for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
    for (int threads = 1; threads <= 3; threads++) {
      const ptrdiff_t most = threads == 2 ? 5 : threads == 3 ? N + 4 : N; /* pieces, all, room */
      const trial t = try(ranks, (trial) { .threads = threads, .most = most });
      for (int r = 0; r < ranks; r++) CHECK_EQUAL(t.status[r], MS_SUCCESS);
      for (int k = 0; k < ROUNDS; k++) {
        make_in(k, in);
        for (int i = 0; i < N; i++) model(in + N_IN * i, out + N_OUT * i);
        CHECK_EQUAL(memcmp(out, t.out[k], sizeof out), 0);
      }
    }
  }
}

static void check_failure(int ranks, const trial *t, ms_status status, const char *message) {
  for (int r = 0; r < ranks; r++) {
    CHECK_EQUAL(t->status[r], status);
    CHECK_TEXT(t->message[r], message);
  }
}

/* Points 3 and 15 fall to the first and the last process; the round before is whole. */
static void test_failures(void) {
  for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
    trial t = try(ranks, (trial) { .threads = 2, .most = N, .bad_point = 3 });
    check_failure(ranks, &t, MS_ERR_NUMERIC, "point 3 fails");
    t = try(ranks, (trial) { .threads = 2, .most = N, .bad_point = 15 });
    check_failure(ranks, &t, MS_ERR_NUMERIC, "point 15 fails");
    CHECK(t.out[0][N_OUT * (N - 1)] != 0.0);
    CHECK_EQUAL(t.out[2][0], 0.0);
    t = try(ranks, (trial) { .threads = 1, .most = N, .bad_open = ranks });
    char text[64];
    snprintf(text, sizeof text, "process %d does not open", ranks);
    check_failure(ranks, &t, MS_ERR_BOUNDS, text);
    t = try(ranks, (trial) { .threads = 1, .most = N, .give_up = 2 });
    check_failure(ranks, &t, MS_CANCELLED, "enough");
  }
}

static ms_status work_with_little_memory(ms_context *ctx, void *user) {
  return run(ctx, 0, user);
}

static void test_little_memory(void) {
  trial t = { .threads = 2, .most = N };
  CHECK(test_allocations(work_with_little_memory, &t) > 10);
}

int main(void) {
  test_folder_open();
  snprintf(study_path, sizeof study_path, "%s", test_path("study.yaml"));
  test_put(study_path, study_text);
  TEST(test_numbers);
  TEST(test_failures);
  TEST(test_little_memory);
  test_folder_close();
  return test_finish();
}
