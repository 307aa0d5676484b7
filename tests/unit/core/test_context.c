/* The context: messages, log, progress, communicator, memory. */
#include <microslip/context.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { MESSAGE_SIZE = 1024 }; /* what the library keeps, with its end */

static ms_context *make_context(void) {
  ms_context *ctx = NULL;
  CHECK_OK(ms_context_create(NULL, &ctx));
  return ctx;
}

/* ---- life ---- */

static void test_life(void) {
  ms_context *ctx = make_context();
  CHECK_TEXT(ms_context_message(ctx), "");
  ms_context_destroy(&ctx);
  CHECK(ctx == NULL);
  ms_context_destroy(&ctx);
  ms_context_destroy(NULL);
}

static void test_refused_life(void) {
  ms_context *ctx = NULL;
  ms_allocator none = { .resize = NULL };
  CHECK_STATUS(ms_context_create(NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_context_create(&none, &ctx), MS_ERR_ARGUMENT);
  CHECK(ctx == NULL);
}

static void test_failing_create(void) {
  test_memory memory = { .fail_at = 0 };
  ms_allocator allocator = test_allocator(&memory);
  ms_context *ctx = test_context(); /* not NULL, to see it become so */
  CHECK_STATUS(ms_context_create(&allocator, &ctx), MS_ERR_MEMORY);
  CHECK(ctx == NULL);
  CHECK_EQUAL(memory.live, 0);
  memory.fail_at = -1;
  CHECK_OK(ms_context_create(&allocator, &ctx));
  CHECK_EQUAL(memory.live, 1);
  ms_context_destroy(&ctx);
  CHECK_EQUAL(memory.live, 0);
}

/* The allocator is copied: the caller's struct may go. */
static void test_allocator_copied(void) {
  test_memory memory = { .fail_at = -1 };
  ms_allocator allocator = test_allocator(&memory);
  ms_context *ctx = NULL;
  CHECK_OK(ms_context_create(&allocator, &ctx));
  allocator = (ms_allocator) { NULL, NULL };
  double *x = NULL;
  CHECK_OK(ms_allocate(ctx, 7, sizeof *x, &x));
  CHECK_EQUAL(memory.live, 2);
  ms_free(ctx, &x);
  ms_context_destroy(&ctx);
  CHECK_EQUAL(memory.live, 0);
}

/* ---- messages ---- */

static void test_message(void) {
  ms_context *ctx = make_context();
  CHECK_STATUS(ms_fail(ctx, MS_ERR_BOUNDS, "chi = %g must be > %d", -1.385, -1), MS_ERR_BOUNDS);
  CHECK_TEXT(ms_context_message(ctx), "chi = -1.385 must be > -1");
  CHECK_STATUS(ms_fail(ctx, MS_NOT_CONVERGED, "second"), MS_NOT_CONVERGED);
  CHECK_TEXT(ms_context_message(ctx), "second");
  ms_context_clear_message(ctx);
  CHECK_TEXT(ms_context_message(ctx), "");
  ms_context_destroy(&ctx);
}

static void test_message_place(void) {
  ms_context *ctx = make_context();
  ms_fail(ctx, MS_ERR_FORMAT, "not a number");
  CHECK_STATUS(ms_fail_at(ctx, MS_ERR_FORMAT, "column %s", "u"), MS_ERR_FORMAT);
  CHECK_STATUS(ms_fail_at(ctx, MS_ERR_FILE, "%s:%d", "path.csv", 17), MS_ERR_FILE);
  CHECK_TEXT(ms_context_message(ctx), "path.csv:17: column u: not a number");
  ms_context_destroy(&ctx);
}

/* The message that waits may itself be an argument of the next. */
static void test_message_of_itself(void) {
  ms_context *ctx = make_context();
  ms_fail(ctx, MS_ERR_FILE, "inner");
  ms_fail(ctx, MS_ERR_FILE, "outer (%s, %s)", ms_context_message(ctx), ms_context_message(ctx));
  CHECK_TEXT(ms_context_message(ctx), "outer (inner, inner)");
  ms_fail_at(ctx, MS_ERR_FILE, "<%s>", ms_context_message(ctx));
  CHECK_TEXT(ms_context_message(ctx), "<outer (inner, inner)>: outer (inner, inner)");
  ms_context_destroy(&ctx);
}

/* Exactly what fits is kept; one more character and the end is marked as cut. */
static void test_message_truncated(void) {
  ms_context *ctx = make_context();
  char text[2 * MESSAGE_SIZE];
  for (int i = 0; i < 2 * MESSAGE_SIZE - 1; i++) text[i] = (char)('a' + i % 26);
  text[2 * MESSAGE_SIZE - 1] = '\0';
  ms_fail(ctx, MS_ERR_FILE, "%.*s", MESSAGE_SIZE - 1, text);
  CHECK_EQUAL(strlen(ms_context_message(ctx)), MESSAGE_SIZE - 1);
  CHECK(strncmp(ms_context_message(ctx), text, MESSAGE_SIZE - 1) == 0);
  for (int n = MESSAGE_SIZE; n < 2 * MESSAGE_SIZE; n += 511) {
    ms_fail(ctx, MS_ERR_FILE, "%.*s", n, text);
    const char *message = ms_context_message(ctx);
    CHECK_EQUAL(strlen(message), MESSAGE_SIZE - 1);
    CHECK_TEXT(message + MESSAGE_SIZE - 4, "...");
    CHECK(strncmp(message, text, MESSAGE_SIZE - 4) == 0);
  }
  ms_context_destroy(&ctx);
}

/* A place before a message that is full already: the place is kept, the end is cut. */
static void test_place_truncated(void) {
  ms_context *ctx = make_context();
  char text[MESSAGE_SIZE];
  memset(text, 'z', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  ms_fail(ctx, MS_ERR_FILE, "%s", text);
  ms_fail_at(ctx, MS_ERR_FILE, "file:%d", 3);
  CHECK(strncmp(ms_context_message(ctx), "file:3: zzz", 11) == 0);
  CHECK_EQUAL(strlen(ms_context_message(ctx)), MESSAGE_SIZE - 1);
  CHECK_TEXT(ms_context_message(ctx) + MESSAGE_SIZE - 4, "...");
  ms_context_destroy(&ctx);
}

/* ---- log ---- */

typedef struct log_record {
  int n;
  ms_log_level level;
  char text[2 * MESSAGE_SIZE];
} log_record;

static void record_log(void *user, ms_log_level level, const char *text) {
  log_record *record = user;
  record->n++;
  record->level = level;
  snprintf(record->text, sizeof record->text, "%s", text);
}

static void test_log(void) {
  ms_context *ctx = make_context();
  log_record record = { .n = 0 };
  ms_log(ctx, MS_LOG_WARNING, "nobody listens");
  ms_context_set_log(ctx, record_log, &record);
  ms_log(ctx, MS_LOG_INFO, "merged %d reversals", 23);
  CHECK_EQUAL(record.n, 1);
  CHECK_EQUAL(record.level, MS_LOG_INFO);
  CHECK_TEXT(record.text, "merged 23 reversals");
  CHECK_TEXT(ms_context_message(ctx), ""); /* a log line is no failure */
  ms_log(ctx, MS_LOG_DEBUG, "%*s", 3 * MESSAGE_SIZE, "x");
  CHECK_EQUAL(strlen(record.text), MESSAGE_SIZE - 1);
  ms_context_set_log(ctx, NULL, NULL);
  ms_log(ctx, MS_LOG_WARNING, "silence");
  CHECK_EQUAL(record.n, 2);
  ms_context_destroy(&ctx);
}

/* ---- progress ---- */

typedef struct progress_record {
  int n;
  double last, stop_at;
} progress_record;

static int record_progress(void *user, const char *what, double fraction) {
  progress_record *record = user;
  record->n += strcmp(what, "ring-down") == 0;
  record->last = fraction;
  return fraction >= record->stop_at;
}

/* Asked by loops without a fraction, and by ms_progress also where nobody shows it. */
static void test_stop(void) {
  ms_context *ctx = test_context();
  ms_progress_fn shown = NULL;
  void *user = NULL;
  int stop = 0;
  CHECK_OK(ms_check_stop(ctx, "search"));
  ms_context_set_stop(ctx, ms_stop_if_set, &stop);
  CHECK_OK(ms_check_stop(ctx, "search"));
  CHECK_OK(ms_progress(ctx, "search", 0.37));
  stop = 1;
  CHECK(ms_context_should_stop(ctx));
  CHECK_STATUS(ms_check_stop(ctx, "search"), MS_CANCELLED);
  CHECK_HAS(ms_context_message(ctx), "search: cancelled");
  CHECK_STATUS(ms_progress(ctx, "search", 0.37), MS_CANCELLED);
  ms_context_set_stop(ctx, NULL, NULL);
  CHECK_OK(ms_check_stop(ctx, "search"));
  CHECK_TEXT(ms_context_get_detail(ctx), "");
  ms_context_set_detail(ctx, "12 evaluations");
  CHECK_TEXT(ms_context_get_detail(ctx), "12 evaluations");
  ms_context_set_detail(ctx, "");
  ms_context_set_progress(ctx, record_progress, &stop);
  ms_context_get_progress(ctx, &shown, &user);
  CHECK(shown == record_progress && user == &stop);
  ms_context_set_progress(ctx, NULL, NULL);
}

static void test_progress(void) {
  ms_context *ctx = make_context();
  progress_record record = { .stop_at = 0.5 };
  CHECK_OK(ms_progress(ctx, "ring-down", 0.9)); /* nobody to ask */
  ms_context_set_progress(ctx, record_progress, &record);
  CHECK_OK(ms_progress(ctx, "ring-down", 0.237));
  CHECK_NEAR(record.last, 0.237, 0.0);
  CHECK_TEXT(ms_context_message(ctx), "");
  CHECK_STATUS(ms_progress(ctx, "ring-down", 0.62), MS_CANCELLED);
  CHECK_TEXT(ms_context_message(ctx), "ring-down: cancelled at 62 %");
  CHECK_EQUAL(record.n, 2);
  ms_context_set_progress(ctx, NULL, NULL);
  CHECK_OK(ms_progress(ctx, "ring-down", 0.62));
  CHECK_EQUAL(record.n, 2);
  ms_context_destroy(&ctx);
}

/* ---- communicator ---- */

static void test_serial(void) {
  ms_context *ctx = make_context();
  const ms_communicator *comm = ms_context_get_communicator(ctx);
  double x[3] = { 2.385, -0.17, 31.4 }, all[3] = { 0.0, 0.0, 0.0 };
  CHECK_EQUAL(comm->size, 1);
  CHECK_EQUAL(comm->rank, 0);
  CHECK_OK(comm->barrier(comm->self));
  CHECK_OK(comm->broadcast(comm->self, x, sizeof x, 0));
  CHECK_STATUS(comm->broadcast(comm->self, x, sizeof x, 1), MS_ERR_ARGUMENT);
  CHECK_OK(comm->sum(comm->self, x, 3));
  CHECK_STATUS(comm->sum(comm->self, x, -1), MS_ERR_ARGUMENT);
  CHECK_NEAR(x[0], 2.385, 0.0);
  CHECK_OK(comm->gather_all(comm->self, x, sizeof x, all));
  CHECK(memcmp(x, all, sizeof x) == 0);
  CHECK_OK(comm->gather_all(comm->self, x, sizeof x, x)); /* in place */
  int who;
  CHECK_OK(comm->vote(comm->self, 0, &who));
  CHECK_EQUAL(who, -1);
  CHECK_OK(comm->vote(comm->self, 1, &who));
  CHECK_EQUAL(who, 0);
  CHECK(memcmp(x, all, sizeof x) == 0);
  ms_context_destroy(&ctx);
}

static ms_status count_barrier(void *self) {
  ++*(int *)self;
  return MS_SUCCESS;
}

static void test_own_communicator(void) {
  ms_context *ctx = make_context();
  int barriers = 0;
  ms_communicator own = { .self = &barriers, .rank = 2, .size = 5, .barrier = count_barrier };
  ms_context_set_communicator(ctx, &own);
  own.barrier = NULL; /* the content was copied */
  const ms_communicator *comm = ms_context_get_communicator(ctx);
  CHECK_EQUAL(comm->rank, 2);
  CHECK_EQUAL(comm->size, 5);
  CHECK_OK(comm->barrier(comm->self));
  CHECK_EQUAL(barriers, 1);
  ms_context_set_communicator(ctx, NULL);
  CHECK_EQUAL(ms_context_get_communicator(ctx)->size, 1);
  ms_context_destroy(&ctx);
}

/* ---- several processes: this is number 1 of 3, and what the others say is written here ---- */

typedef struct others {
  int who;    /* the lowest that failed */
  int lost;   /* they do not come */
  int n_vote; /* how often this one was asked */
  ms_status status;
} others;

static ms_status vote_with_others(void *self, int failed, int *who) {
  others *o = self;
  o->n_vote++;
  if (o->lost) return MS_ERR_STATE;
  *who = failed && (o->who < 0 || o->who > 1) ? 1 : o->who;
  return MS_SUCCESS;
}

/* The first piece is the status, the second the message. */
static ms_status hear_others(void *self, void *data, size_t bytes, int root) {
  const others *o = self;
  int status = (int)o->status;
  if (root == 1) return MS_SUCCESS;
  if (bytes == sizeof status) {
    memcpy(data, &status, sizeof status);
  } else {
    snprintf(data, bytes, "process %d has no memory", root);
  }
  return MS_SUCCESS;
}

static void test_agree(void) {
  ms_context *ctx = make_context();
  others o = { .who = -1, .status = MS_ERR_MEMORY };
  ms_communicator comm = {
    .self = &o, .rank = 1, .size = 3, .vote = vote_with_others, .broadcast = hear_others
  };
  CHECK_STATUS(ms_context_agree(ctx, MS_ERR_BOUNDS), MS_ERR_BOUNDS); /* alone in the world */
  ms_context_set_communicator(ctx, &comm);
  ms_context_join(ctx);
  CHECK_OK(ms_context_agree(ctx, MS_SUCCESS));
  CHECK_OK(ms_context_agree(ctx, MS_SUCCESS));
  CHECK_EQUAL(o.n_vote, 2);
  ms_fail(ctx, MS_NOT_CONVERGED, "mine"); /* the only one that failed, and not an error */
  CHECK_STATUS(ms_context_agree(ctx, MS_NOT_CONVERGED), MS_NOT_CONVERGED);
  CHECK_TEXT(ms_context_message(ctx), "mine");
  CHECK_STATUS(ms_context_agree(ctx, MS_NOT_CONVERGED), MS_NOT_CONVERGED);
  CHECK_EQUAL(o.n_vote, 3); /* not once more */
  ms_context_join(ctx);
  o.who = 2;
  CHECK_STATUS(ms_context_agree(ctx, MS_SUCCESS), MS_ERR_MEMORY);
  CHECK_TEXT(ms_context_message(ctx), "process 2 has no memory");
  ms_context_join(ctx);
  o.who = 0; /* below this one */
  CHECK_STATUS(ms_context_agree(ctx, MS_ERR_BOUNDS), MS_ERR_MEMORY);
  CHECK_TEXT(ms_context_message(ctx), "process 0 has no memory");
  CHECK(!ms_context_is_alone(ctx));
  ms_context_destroy(&ctx);
}

static void test_alone(void) {
  ms_context *ctx = make_context();
  others o = { .who = -1, .lost = 1 };
  ms_communicator comm = { .self = &o, .size = 3, .vote = vote_with_others };
  ms_context_set_communicator(ctx, &comm);
  ms_context_join(ctx);
  ms_fail(ctx, MS_ERR_BOUNDS, "mine");
  CHECK_STATUS(ms_context_agree(ctx, MS_ERR_BOUNDS), MS_ERR_BOUNDS);
  CHECK_TEXT(ms_context_message(ctx), "mine");
  CHECK(ms_context_is_alone(ctx));
  CHECK_STATUS(ms_context_agree(ctx, MS_ERR_BOUNDS), MS_ERR_BOUNDS);
  CHECK_EQUAL(o.n_vote, 1);
  ms_context_join(ctx);
  CHECK(!ms_context_is_alone(ctx));
  CHECK_STATUS(ms_context_agree(ctx, MS_SUCCESS), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(ctx), "lost");
  ms_context_destroy(&ctx);
}

static void test_process_rank(void) {
  static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK",
                                       "PMI_SIZE", "PMIX_RANK" };
  int size = 7;
  for (int i = 0; i < 5; i++) unsetenv(names[i]);
  CHECK_EQUAL(ms_process_rank(&size), -1);
  CHECK_EQUAL(size, 0);
  setenv("PMIX_RANK", "4", 1);
  CHECK_EQUAL(ms_process_rank(&size), 4);
  CHECK_EQUAL(size, 0);
  setenv("PMI_RANK", "2", 1);
  setenv("PMI_SIZE", "5", 1);
  CHECK_EQUAL(ms_process_rank(&size), 2);
  CHECK_EQUAL(size, 5);
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  CHECK_EQUAL(ms_process_rank(NULL), -1); /* the only one */
  for (int i = 0; i < 5; i++) unsetenv(names[i]);
}

/* ---- memory ---- */

static void test_allocate(void) {
  ms_context *ctx = test_context();
  double *x = NULL;
  CHECK_OK(ms_allocate(ctx, 1000, sizeof *x, &x));
  int zero = 1;
  for (int i = 0; i < 1000; i++) zero &= x[i] == 0.0;
  CHECK(zero);
  for (int i = 0; i < 1000; i++) x[i] = 2.385 * i;
  CHECK_OK(ms_resize(ctx, 5000, sizeof *x, &x));
  int kept = 1;
  for (int i = 0; i < 1000; i++) kept &= x[i] == 2.385 * i;
  CHECK(kept);
  CHECK_OK(ms_resize(ctx, 10, sizeof *x, &x));
  CHECK_NEAR(x[9], 9 * 2.385, 0.0);
  ms_free(ctx, &x);
  CHECK(x == NULL);
  ms_free(ctx, &x);
}

/* None at all is a block too: a pointer that is not NULL and can be freed. */
static void test_zero_items(void) {
  test_memory memory = { .fail_at = -1 };
  ms_allocator allocator = test_allocator(&memory);
  ms_context *ctx = NULL;
  CHECK_OK(ms_context_create(&allocator, &ctx));
  double *x = NULL;
  CHECK_OK(ms_allocate(ctx, 0, sizeof *x, &x));
  CHECK(x != NULL);
  CHECK_OK(ms_resize(ctx, 3, sizeof *x, &x));
  CHECK_OK(ms_resize(ctx, 0, sizeof *x, &x));
  CHECK(x != NULL);
  CHECK_EQUAL(memory.live, 2);
  ms_free(ctx, &x);
  CHECK_EQUAL(memory.live, 1);
  ms_context_destroy(&ctx);
}

static void test_bad_sizes(void) {
  ms_context *ctx = test_context();
  double mark = 0.0, *x = &mark;
  CHECK_STATUS(ms_allocate(ctx, -1, sizeof *x, &x), MS_ERR_ARGUMENT);
  CHECK(x == NULL);
  CHECK_HAS(ms_context_message(ctx), "-1 items");
  CHECK_STATUS(ms_allocate(ctx, 3, 0, &x), MS_ERR_ARGUMENT);
  CHECK(x == NULL);
}

static void test_overflow(void) {
  ms_context *ctx = test_context();
  ptrdiff_t most = PTRDIFF_MAX / (ptrdiff_t)sizeof(double);
  double *x = NULL;
  CHECK_STATUS(ms_allocate(ctx, most + 1, sizeof *x, &x), MS_ERR_OVERFLOW);
  CHECK(x == NULL);
  CHECK_HAS(ms_context_message(ctx), "more than memory can hold");
  CHECK_STATUS(ms_allocate(ctx, PTRDIFF_MAX, sizeof *x, &x), MS_ERR_OVERFLOW);
  CHECK_STATUS(ms_allocate(ctx, 2, SIZE_MAX / 2, &x), MS_ERR_OVERFLOW);
  CHECK_STATUS(ms_allocate(ctx, 2, SIZE_MAX, &x), MS_ERR_OVERFLOW);
}

/* A resize that is refused, for whatever reason, leaves the block and its content. */
static void test_failed_resize(void) {
  test_memory memory = { .fail_at = -1 };
  ms_allocator allocator = test_allocator(&memory);
  ms_context *ctx = NULL;
  CHECK_OK(ms_context_create(&allocator, &ctx));
  double *x = NULL;
  CHECK_OK(ms_allocate(ctx, 2, sizeof *x, &x));
  x[1] = 41.7;
  double *old = x;
  memory.fail_at = 0;
  CHECK_STATUS(ms_resize(ctx, 200, sizeof *x, &x), MS_ERR_MEMORY);
  CHECK_HAS(ms_context_message(ctx), "1600 bytes");
  CHECK_STATUS(ms_resize(ctx, PTRDIFF_MAX, sizeof *x, &x), MS_ERR_OVERFLOW);
  CHECK_STATUS(ms_resize(ctx, -2, sizeof *x, &x), MS_ERR_ARGUMENT);
  CHECK(x == old);
  CHECK_NEAR(x[1], 41.7, 0.0);
  ms_free(ctx, &x);
  ms_context_destroy(&ctx);
  CHECK_EQUAL(memory.live, 0);
}

/* Three blocks, each of which may be the one that is not to be had. */
static ms_status allocate_three(ms_context *ctx, void *user) {
  double *x[3] = { NULL, NULL, NULL };
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < 3 && status == MS_SUCCESS; i++) {
    x[i] = user; /* not NULL, to see it become so */
    status = ms_allocate(ctx, 10 + i, sizeof **x, &x[i]);
    CHECK_EQUAL(status == MS_SUCCESS, x[i] != NULL);
  }
  for (int i = 0; i < 3; i++) ms_free(ctx, &x[i]);
  return status;
}

static void test_failing_allocator(void) {
  double mark = 0.0;
  CHECK_EQUAL(test_allocations(allocate_three, &mark), 3);
}

static void test_version(void) {
  int major = -1, minor = -1, patch = -1, end = 0;
  const char *version = ms_version();
  CHECK_EQUAL(sscanf(version, "%d.%d.%d%n", &major, &minor, &patch, &end), 3);
  CHECK_EQUAL(end, strlen(version));
}

int main(void) {
  TEST(test_life);
  TEST(test_refused_life);
  TEST(test_failing_create);
  TEST(test_allocator_copied);
  TEST(test_message);
  TEST(test_message_place);
  TEST(test_message_of_itself);
  TEST(test_message_truncated);
  TEST(test_place_truncated);
  TEST(test_log);
  TEST(test_progress);
  TEST(test_stop);
  TEST(test_serial);
  TEST(test_own_communicator);
  TEST(test_agree);
  TEST(test_alone);
  TEST(test_process_rank);
  TEST(test_allocate);
  TEST(test_zero_items);
  TEST(test_bad_sizes);
  TEST(test_overflow);
  TEST(test_failed_resize);
  TEST(test_failing_allocator);
  TEST(test_version);
  return test_finish();
}
