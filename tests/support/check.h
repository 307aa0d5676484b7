/* A small TAP harness. A test program is a list of functions:

     static void test_something(void) { CHECK_NEAR(got, want, 1e-9); }
     int main(void) { TEST(test_something); return test_finish(); }

   Every comparison that fails prints value, reference, error and tolerance. A test function that
   makes no check fails: a test that asserts nothing is a defect. */
#ifndef MS_TEST_CHECK_H
#define MS_TEST_CHECK_H

#include <stddef.h>

#include <microslip/context.h>

#define TEST(function)   test_run(#function, function)
#define CHECK(condition) test_true(__FILE__, __LINE__, #condition, (condition) != 0)
#define CHECK_EQUAL(value, want) \
  test_equal(__FILE__, __LINE__, #value, (long long)(value), (long long)(want))
#define CHECK_TEXT(value, want) test_text(__FILE__, __LINE__, #value, (value), (want))
/* `part` must occur in the text. */
#define CHECK_HAS(value, part) test_has(__FILE__, __LINE__, #value, (value), (part))
/* Absolute tolerance. */
#define CHECK_NEAR(value, want, tolerance) \
  test_near(__FILE__, __LINE__, #value, (value), (want), (tolerance))
/* Relative to the reference. */
#define CHECK_CLOSE(value, want, tolerance) \
  test_close(__FILE__, __LINE__, #value, (value), (want), (tolerance))
/* value < bound, printed when it is not. */
#define CHECK_BELOW(value, bound) test_below(__FILE__, __LINE__, #value, (value), (bound))
#define CHECK_STATUS(call, want)  test_status(__FILE__, __LINE__, #call, (call), (want))
#define CHECK_OK(call)            CHECK_STATUS(call, MS_SUCCESS)

void test_run(const char *name, void (*function)(void));
int test_finish(void); /* prints the plan; 0 if everything passed */

/* Each returns 1 when the check holds. Checks are counted. */
int test_true(const char *file, int line, const char *text, int holds);
int test_equal(const char *file, int line, const char *text, long long value, long long want);
int test_text(const char *file, int line, const char *text, const char *value, const char *want);
int test_has(const char *file, int line, const char *text, const char *value, const char *part);
int test_near(const char *file, int line, const char *text, double value, double want, double tol);
int test_close(const char *file, int line, const char *text, double value, double want, double tol);
int test_below(const char *file, int line, const char *text, double value, double bound);
int test_status(const char *file, int line, const char *text, ms_status status, ms_status want);

/* An allocator that counts and can be told to fail: the `fail_at`-th request from now on fails
   (0: the first), -1 for never. `live` is the number of blocks not yet freed. */
typedef struct test_memory {
  long fail_at;
  long requests, live;
} test_memory;
ms_allocator test_allocator(test_memory *memory);

/* Runs `work` again and again with the first, second, ... allocation failing until it succeeds;
   checks that every failure is MS_ERR_MEMORY with a message and that nothing leaks.
   `work` gets a context on the failing allocator. Returns the number of failures driven. */
long test_allocations(ms_status (*work)(ms_context *ctx, void *user), void *user);

/* A context whose message is printed by CHECK_OK failures; made at first use, freed at finish. */
ms_context *test_context(void);

#endif
