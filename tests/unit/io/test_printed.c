/* Text printed into memory: whole, or a failure. */
#include <microslip/io.h>

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { n_line = 5000 };

static ms_status print_lines(ms_context *ctx, const void *user, FILE *stream) {
  (void)ctx;
  for (int i = 0; i < n_line; i++) fprintf(stream, "%s %d\n", (const char *)user, 1000 + i);
  return MS_SUCCESS;
}

static ms_status print_nothing(ms_context *ctx, const void *user, FILE *stream) {
  (void)ctx, (void)user, (void)stream;
  return MS_SUCCESS;
}

static ms_status print_and_fail(ms_context *ctx, const void *user, FILE *stream) {
  (void)user;
  fputs("half", stream);
  return ms_fail(ctx, MS_ERR_NUMERIC, "no more than half");
}

static void test_whole(void) {
  char *text;
  size_t n;
  if (!CHECK_OK(ms_print_text(test_context(), print_lines, "row", &text, &n))) return;
  CHECK_EQUAL(n, n_line * strlen("row 1000\n"));
  CHECK_EQUAL(strlen(text), n);
  CHECK(strncmp(text, "row 1000\n", 9) == 0 && strcmp(text + n - 9, "row 5999\n") == 0);
  ms_free(test_context(), &text);
  CHECK_OK(ms_print_text(test_context(), print_nothing, NULL, &text, &n));
  CHECK_TEXT(text, "");
  CHECK_EQUAL(n, 0);
  ms_free(test_context(), &text);
}

static void test_failure_of_the_printer(void) {
  char *text = (char *)&text;
  size_t n;
  CHECK_STATUS(ms_print_text(test_context(), print_and_fail, NULL, &text, &n), MS_ERR_NUMERIC);
  CHECK_TEXT(ms_context_message(test_context()), "no more than half");
  CHECK(text == NULL && n == 0);
}

/* Memory for the first n allocations only: the text is whole, or there is a failure. */
static ms_status print_all(ms_context *ctx, void *user) {
  char *text;
  size_t n;
  (void)user;
  MS_TRY(ms_print_text(ctx, print_lines, "row", &text, &n));
  CHECK_EQUAL(n, n_line * strlen("row 1000\n"));
  ms_free(ctx, &text);
  return MS_SUCCESS;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(print_all, NULL) >= 4);
}

int main(void) {
  TEST(test_whole);
  TEST(test_failure_of_the_printer);
  TEST(test_memory_failures);
  return test_finish();
}
