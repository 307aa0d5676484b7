#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_tests, n_failed, checks, failures;
static ms_context *shared_context;

void test_run(const char *name, void (*function)(void)) {
  checks = failures = 0;
  function();
  n_tests++;
  if (checks == 0) printf("# %s makes no check\n", name);
  int ok = checks > 0 && failures == 0;
  n_failed += !ok;
  printf("%s %d - %s (%d checks)\n", ok ? "ok" : "not ok", n_tests, name, checks);
  fflush(stdout);
}

int test_finish(void) {
  ms_context_destroy(&shared_context);
  printf("1..%d\n", n_tests);
  return n_failed > 0 || n_tests == 0;
}

ms_context *test_context(void) {
  if (!shared_context && ms_context_create(NULL, &shared_context) != MS_SUCCESS) abort();
  return shared_context;
}

static int count(const char *file, int line, const char *text, int holds) {
  checks++;
  if (holds) return 1;
  failures++;
  printf("# %s:%d: %s\n", file, line, text);
  return 0;
}

int test_true(const char *file, int line, const char *text, int holds) {
  return count(file, line, text, holds);
}

int test_equal(const char *file, int line, const char *text, long long value, long long want) {
  if (count(file, line, text, value == want)) return 1;
  printf("#   value %lld, reference %lld\n", value, want);
  return 0;
}

int test_text(const char *file, int line, const char *text, const char *value, const char *want) {
  if (count(file, line, text, value && strcmp(value, want) == 0)) return 1;
  printf("#   value \"%s\"\n#   reference \"%s\"\n", value ? value : "(null)", want);
  return 0;
}

int test_has(const char *file, int line, const char *text, const char *value, const char *part) {
  if (count(file, line, text, value && strstr(value, part))) return 1;
  printf("#   value \"%s\"\n#   lacks \"%s\"\n", value ? value : "(null)", part);
  return 0;
}

static int near(const char *file, int line, const char *text, double value, double want,
                double error, double tol) {
  if (count(file, line, text, error <= tol)) return 1; /* false for NaN */
  printf("#   value %.17g, reference %.17g, error %.3g, tolerance %.3g\n", value, want, error, tol);
  return 0;
}

int test_near(const char *file, int line, const char *text, double value, double want, double tol) {
  return near(file, line, text, value, want, fabs(value - want), tol);
}

int test_close(const char *file, int line, const char *text, double value, double want,
               double tol) {
  return near(file, line, text, value, want, fabs(value - want) / fabs(want), tol);
}

int test_below(const char *file, int line, const char *text, double value, double bound) {
  if (count(file, line, text, value < bound)) return 1;
  printf("#   value %.17g, bound %.17g\n", value, bound);
  return 0;
}

int test_status(const char *file, int line, const char *text, ms_status status, ms_status want) {
  if (count(file, line, text, status == want)) return 1;
  printf("#   status %d (%s), expected %d\n", (int)status, ms_status_text(status), (int)want);
  if (shared_context) printf("#   message: %s\n", ms_context_message(shared_context));
  return 0;
}

/* ---- the failing allocator ---- */

static void *resize_failing(void *user, void *pointer, size_t bytes) {
  test_memory *memory = user;
  if (bytes == 0) {
    memory->live -= pointer != NULL;
    free(pointer);
    return NULL;
  }
  if (memory->fail_at >= 0 && memory->requests++ >= memory->fail_at) return NULL;
  void *fresh = realloc(pointer, bytes);
  if (fresh && !pointer) memory->live++;
  return fresh;
}

ms_allocator test_allocator(test_memory *memory) {
  return (ms_allocator) { .resize = resize_failing, .user = memory };
}

/* TEST_ALLOCATIONS=7: beyond the first 100 only every seventh fails, for runs under valgrind. */
static long next_failure(long failing) {
  const char *text = getenv("TEST_ALLOCATIONS");
  const long step = text ? strtol(text, NULL, 10) : 1;
  return failing + (failing < 100 || step < 1 ? 1 : step);
}

long test_allocations(ms_status (*work)(ms_context *ctx, void *user), void *user) {
  for (long failing = 0;; failing = next_failure(failing)) {
    test_memory memory = { .fail_at = -1 };
    ms_allocator allocator = test_allocator(&memory);
    ms_context *ctx = NULL;
    if (!CHECK_OK(ms_context_create(&allocator, &ctx))) return failing;
    memory.fail_at = failing;
    ms_status status = work(ctx, user);
    memory.fail_at = -1;
    if (status != MS_SUCCESS) {
      CHECK_STATUS(status, MS_ERR_MEMORY);
      CHECK_HAS(ms_context_message(ctx), "memory");
    }
    ms_context_destroy(&ctx);
    CHECK_EQUAL(memory.live, 0);
    if (status != MS_ERR_MEMORY) {
      CHECK_OK(status);
      return failing;
    }
  }
}
