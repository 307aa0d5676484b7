/* The context: messages, log, progress, communicator, and overflow-checked memory. */
#include <microslip/context.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MS_MESSAGE_SIZE = 1024 };

struct ms_context {
  ms_allocator allocator;
  ms_log_fn log;
  void *log_user;
  ms_progress_fn progress;
  void *progress_user;
  ms_stop_fn stop;
  void *stop_user;
  char detail[160];
  const char *resume; /* borrowed */
  ms_communicator comm;
  int agreed, alone; /* a failure is known to all; to this process only */
  ms_random random;
  char message[MS_MESSAGE_SIZE];
};

/* ---- the defaults: the C library's memory, one process ---- */

/* Blocks begin at cache lines: sums in BLAS depend on where vectors begin, and a run that goes on
   from a checkpoint shall have the digits of one that was never stopped. */
static void *resize_libc(void *user, void *pointer, size_t bytes) {
  enum { LINE = 64 };
  (void)user;
  if (bytes == 0) {
    free(pointer);
    return NULL;
  }
  const size_t whole = (bytes + LINE - 1) / LINE * LINE;
  if (whole < bytes) return NULL;
  if (!pointer) return aligned_alloc(LINE, whole);
  void *moved = realloc(pointer, whole);
  if (!moved || (uintptr_t)moved % LINE == 0) return moved;
  void *aligned = aligned_alloc(LINE, whole);
  if (!aligned) return moved;
  memcpy(aligned, moved, bytes);
  free(moved);
  return aligned;
}

static ms_status serial_barrier(void *self) {
  (void)self;
  return MS_SUCCESS;
}

static ms_status serial_broadcast(void *self, void *data, size_t bytes, int root) {
  (void)self, (void)data, (void)bytes;
  return root == 0 ? MS_SUCCESS : MS_ERR_ARGUMENT;
}

static ms_status serial_sum(void *self, double *data, ptrdiff_t n) {
  (void)self, (void)data;
  return n >= 0 ? MS_SUCCESS : MS_ERR_ARGUMENT;
}

static ms_status serial_gather_all(void *self, const void *data, size_t bytes, void *all) {
  (void)self;
  memmove(all, data, bytes);
  return MS_SUCCESS;
}

static ms_status serial_vote(void *self, int failed, int *who) {
  (void)self;
  *who = failed ? 0 : -1;
  return MS_SUCCESS;
}

static const ms_communicator serial = {
  .size = 1,
  .barrier = serial_barrier,
  .broadcast = serial_broadcast,
  .sum = serial_sum,
  .gather_all = serial_gather_all,
  .vote = serial_vote,
};

/* ---- life ---- */

ms_status ms_context_create(const ms_allocator *allocator, ms_context **out) {
  if (!out) return MS_ERR_ARGUMENT;
  *out = NULL;
  ms_allocator a = { .resize = resize_libc };
  if (allocator) a = *allocator;
  if (!a.resize) return MS_ERR_ARGUMENT;
  ms_context *ctx = a.resize(a.user, NULL, sizeof *ctx);
  if (!ctx) return MS_ERR_MEMORY;
  memset(ctx, 0, sizeof *ctx);
  ctx->allocator = a;
  ctx->comm = serial;
  ms_random_start(&ctx->random, 0, 0);
  *out = ctx;
  return MS_SUCCESS;
}

void ms_context_destroy(ms_context **ctx) {
  if (!ctx || !*ctx) return;
  ms_allocator a = (*ctx)->allocator;
  a.resize(a.user, *ctx, 0);
  *ctx = NULL;
}

ms_allocator ms_context_get_allocator(const ms_context *ctx) {
  return ctx->allocator;
}

void ms_context_set_log(ms_context *ctx, ms_log_fn log, void *user) {
  ctx->log = log;
  ctx->log_user = user;
}

void ms_context_set_progress(ms_context *ctx, ms_progress_fn progress, void *user) {
  ctx->progress = progress;
  ctx->progress_user = user;
}

void ms_context_get_progress(const ms_context *ctx, ms_progress_fn *progress, void **user) {
  *progress = ctx->progress;
  *user = ctx->progress_user;
}

void ms_context_set_stop(ms_context *ctx, ms_stop_fn stop, void *user) {
  ctx->stop = stop;
  ctx->stop_user = user;
}

int ms_context_should_stop(const ms_context *ctx) {
  return ctx->stop && ctx->stop(ctx->stop_user);
}

int ms_stop_if_set(void *user) {
  return *(volatile const int *)user != 0;
}

void ms_context_set_detail(ms_context *ctx, const char *text) {
  snprintf(ctx->detail, sizeof ctx->detail, "%s", text);
}

const char *ms_context_get_detail(const ms_context *ctx) {
  return ctx->detail;
}

void ms_context_set_resume(ms_context *ctx, const char *folder) {
  ctx->resume = folder;
}

const char *ms_context_get_resume(const ms_context *ctx) {
  return ctx->resume;
}

void ms_context_set_communicator(ms_context *ctx, const ms_communicator *comm) {
  ctx->comm = comm ? *comm : serial;
}

const ms_communicator *ms_context_get_communicator(const ms_context *ctx) {
  return &ctx->comm;
}

void ms_context_seed(ms_context *ctx, uint64_t seed) {
  ms_random_start(&ctx->random, seed, 0);
}

ms_random *ms_context_random(ms_context *ctx) {
  return &ctx->random;
}

/* ---- messages, log, progress ---- */

const char *ms_context_message(const ms_context *ctx) {
  return ctx->message;
}

void ms_context_clear_message(ms_context *ctx) {
  ctx->message[0] = '\0';
}

/* A message too long to keep ends in "..." rather than in the middle of a word without a sign. */
MS_PRINTF(2, 0)
static void format_message(char *text, const char *format, va_list args) {
  int n = vsnprintf(text, MS_MESSAGE_SIZE, format, args);
  if (n >= MS_MESSAGE_SIZE) memcpy(text + MS_MESSAGE_SIZE - 4, "...", 4);
}

ms_status ms_fail(ms_context *ctx, ms_status status, const char *format, ...) {
  char text[MS_MESSAGE_SIZE]; /* the arguments may point into the present message */
  va_list args;
  if (!ctx) return status;
  va_start(args, format);
  format_message(text, format, args);
  va_end(args);
  memcpy(ctx->message, text, sizeof text);
  return status;
}

ms_status ms_fail_at(ms_context *ctx, ms_status status, const char *format, ...) {
  char where[MS_MESSAGE_SIZE];
  va_list args;
  if (!ctx) return status;
  va_start(args, format);
  format_message(where, format, args);
  va_end(args);
  return ms_fail(ctx, status, "%s: %s", where, ctx->message);
}

void ms_log(ms_context *ctx, ms_log_level level, const char *format, ...) {
  if (!ctx->log) return;
  char text[MS_MESSAGE_SIZE];
  va_list args;
  va_start(args, format);
  format_message(text, format, args);
  va_end(args);
  ctx->log(ctx->log_user, level, text);
}

ms_status ms_progress(ms_context *ctx, const char *what, double fraction) {
  int stop = ctx->progress && ctx->progress(ctx->progress_user, what, fraction);
  if (!stop && !ms_context_should_stop(ctx)) return MS_SUCCESS;
  return ms_fail(ctx, MS_CANCELLED, "%s: cancelled at %.0f %%", what, 100.0 * fraction);
}

ms_status ms_check_stop(ms_context *ctx, const char *what) {
  if (!ms_context_should_stop(ctx)) return MS_SUCCESS;
  return ms_fail(ctx, MS_CANCELLED, "%s: cancelled", what);
}

/* ---- several processes ---- */

void ms_context_join(ms_context *ctx) {
  ctx->agreed = ctx->alone = 0;
}

int ms_context_is_alone(const ms_context *ctx) {
  return ctx->alone;
}

ms_status ms_context_agree(ms_context *ctx, ms_status status) {
  const ms_communicator *comm = &ctx->comm;
  int who, code = (int)status;
  if (comm->size == 1 || ctx->agreed || ctx->alone) return status;
  if (comm->vote(comm->self, status != MS_SUCCESS, &who) != MS_SUCCESS) {
    ctx->alone = 1;
    return status != MS_SUCCESS ? status
                                : ms_fail(ctx, MS_ERR_STATE, "the processes have lost each other");
  }
  if (who < 0) return MS_SUCCESS;
  ctx->agreed = 1;
  MS_TRY(comm->broadcast(comm->self, &code, sizeof code, who));
  MS_TRY(comm->broadcast(comm->self, ctx->message, sizeof ctx->message, who));
  return (ms_status)code;
}

static int read_count(const char *name) {
  const char *text = getenv(name);
  return text ? atoi(text) : -1;
}

/* Open MPI; MPICH, Intel and Slurm; PMIx, which has no variable for their number. */
int ms_process_rank(int *size) {
  static const char *const names[][2] = { { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
                                          { "PMI_RANK", "PMI_SIZE" },
                                          { "PMIX_RANK", "" } };
  if (size) *size = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int rank = read_count(names[i][0]), n = read_count(names[i][1]);
    if (rank < 0) continue;
    if (size) *size = n > 0 ? n : 0;
    return n == 1 ? -1 : rank;
  }
  return -1;
}

/* ---- memory ---- */

/* p is the address of a pointer of any object type; memcpy keeps that within the language. */
static void *load_pointer(const void *p) {
  void *value;
  memcpy(&value, p, sizeof value);
  return value;
}

static void store_pointer(void *p, void *value) {
  memcpy(p, &value, sizeof value);
}

ms_status ms_resize(ms_context *ctx, ptrdiff_t n, size_t size, void *p) {
  if (!ctx) return MS_ERR_ARGUMENT;
  if (n < 0 || size == 0) return ms_fail(ctx, MS_ERR_ARGUMENT, "cannot allocate %td items", n);
  if ((size_t)n > PTRDIFF_MAX / size) {
    return ms_fail(ctx, MS_ERR_OVERFLOW, "%td items of %zu bytes are more than memory can hold", n,
                   size);
  }
  size_t bytes = n > 0 ? (size_t)n * size : 1; /* never 0, which would free */
  void *fresh = ctx->allocator.resize(ctx->allocator.user, load_pointer(p), bytes);
  if (!fresh)
    return ms_fail(ctx, MS_ERR_MEMORY, "out of memory: %zu bytes were not to be had", bytes);
  store_pointer(p, fresh);
  return MS_SUCCESS;
}

ms_status ms_allocate(ms_context *ctx, ptrdiff_t n, size_t size, void *p) {
  store_pointer(p, NULL);
  MS_TRY(ms_resize(ctx, n, size, p));
  memset(load_pointer(p), 0, (size_t)n * size);
  return MS_SUCCESS;
}

void ms_free(ms_context *ctx, void *p) {
  void *old = load_pointer(p);
  if (old) ctx->allocator.resize(ctx->allocator.user, old, 0);
  store_pointer(p, NULL);
}

const char *ms_version(void) {
  return MS_VERSION;
}

ptrdiff_t ms_columns_find(const ms_columns *columns, const char *name) {
  ptrdiff_t i = columns->n - 1;
  while (i >= 0 && strcmp(columns->name[i], name) != 0) i--;
  return i;
}
