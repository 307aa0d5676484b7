/* Remarks of a result: the worst is its outcome, one said twice counts once, and what JSON and a
   page show of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/result.h>

#include "support/check.h"
#include "support/files.h"

static ms_status make(ms_context *ctx, ms_result **out) {
  return ms_result_create(ctx, "lap", "track", out);
}

static ms_status remark(ms_result *r) {
  MS_TRY(ms_result_note(r, "worth knowing"));
  MS_TRY(ms_result_doubt(r, "a doubt of %d", 7));
  MS_TRY(ms_result_note(r, "worth it too"));
  MS_TRY(ms_result_give_up(r, "a %s", "part"));
  return ms_result_doubt(r, "a doubt of 7"); /* said already */
}

static void test_outcome(void) {
  ms_result *r = NULL;
  ms_outcome severity = MS_OUTCOME_NONE;
  if (!CHECK_OK(make(test_context(), &r))) return;
  CHECK_EQUAL(ms_result_get_outcome(r), MS_OUTCOME_NONE);
  ms_result_set_ended(r, 1);
  CHECK_EQUAL(ms_result_get_outcome(r), MS_OUTCOME_COMPLETE);
  CHECK_OK(ms_result_note(r, "worth knowing"));
  CHECK_EQUAL(ms_result_get_outcome(r), MS_OUTCOME_COMPLETE);
  CHECK(!ms_result_get_reason(r));
  CHECK_OK(remark(r));
  CHECK_EQUAL(ms_result_count_remarks(r), 4);
  CHECK_EQUAL(ms_result_get_outcome(r), MS_OUTCOME_PARTIAL);
  CHECK_TEXT(ms_result_get_reason(r), "a part");
  CHECK_TEXT(ms_result_get_remark(r, 1, &severity), "a doubt of 7");
  CHECK_EQUAL(severity, MS_OUTCOME_SUSPECT);
  CHECK(!ms_result_get_remark(r, 4, NULL) && !ms_result_get_remark(r, -1, NULL));
  CHECK_OK(ms_result_remark(r, MS_OUTCOME_FAILED, "no %s", "numbers"));
  CHECK_TEXT(ms_result_get_reason(r), "no numbers");
  ms_result_clear(r); /* of values and tables, not of what is said */
  CHECK_EQUAL(ms_result_get_outcome(r), MS_OUTCOME_FAILED);
  ms_result_clear_remarks(r);
  CHECK_EQUAL(ms_result_count_remarks(r), 0);
  CHECK_EQUAL(ms_result_get_outcome(r), MS_OUTCOME_COMPLETE);
  ms_result_destroy(&r);
}

static void test_words(void) {
  CHECK_TEXT(ms_outcome_text(MS_OUTCOME_NONE), "not run");
  CHECK_TEXT(ms_outcome_text(MS_OUTCOME_COMPLETE), "complete");
  CHECK_TEXT(ms_outcome_text(MS_OUTCOME_SUSPECT), "suspect");
  CHECK_TEXT(ms_outcome_text(MS_OUTCOME_PARTIAL), "partial");
  CHECK_TEXT(ms_outcome_text(MS_OUTCOME_SKIPPED), "skipped");
  CHECK_TEXT(ms_outcome_text(MS_OUTCOME_FAILED), "failed");
}

static void test_long(void) {
  ms_result *r = NULL;
  char word[900];
  memset(word, 'x', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  CHECK_OK(make(test_context(), &r));
  CHECK_OK(ms_result_note(r, "%s", word));
  CHECK_EQUAL(strlen(ms_result_get_remark(r, 0, NULL)), 599);
  CHECK_TEXT(ms_result_get_remark(r, 0, NULL) + 595, "x...");
  ms_result_clear_remarks(r);
  for (int n = 599; n <= 600; n++) { /* the longest that is whole, and one more */
    CHECK_OK(ms_result_note(r, "%.*s", n, word));
    const char *text = ms_result_get_remark(r, n - 599, NULL);
    if (!CHECK(text != NULL)) break;
    CHECK_EQUAL(strlen(text), 599);
    CHECK_TEXT(text + 595, n == 599 ? "xxxx" : "x...");
  }
  ms_result_destroy(&r);
}

static void test_json(void) {
  ms_result *r = NULL;
  ms_json *json = NULL;
  FILE *out = fopen(test_path("status.json"), "w+");
  if (!CHECK(out != NULL)) return;
  CHECK_OK(make(test_context(), &r));
  CHECK_OK(remark(r));
  CHECK_OK(ms_json_create(test_context(), out, &json));
  ms_json_begin_object(json, NULL);
  ms_result_write_json(r, json);
  ms_json_end(json);
  CHECK_OK(ms_json_close(&json));
  char text[600] = "", *to = text;
  rewind(out);
  for (int c; (c = fgetc(out)) != EOF && to < text + sizeof text - 1;) {
    if (c != '\n' && c != ' ') *to++ = (char)c;
  }
  fclose(out);
  CHECK_TEXT(text,
             "{\"name\":\"lap\",\"kind\":\"track\",\"status\":\"partial\","
             "\"reasons\":[\"adoubtof7\",\"apart\"],"
             "\"notes\":[\"worthknowing\",\"worthittoo\"]}");
  ms_result_destroy(&r);
}

/* At the head of the page the reasons, the worst first; below it all, in their order. */
static void test_page(void) {
  static const char *const words[] = {
    "<b>failed</b> <a href=\"#warning-4\">see below</a>: no numbers<",
    "<b>skipped</b> <a href=\"#warning-3\">",
    "<b>partial</b> <a href=\"#warning-2\">",
    "<b>suspect</b> <a href=\"#warning-1\">",
    ">worth knowing<",
    "<b>suspect</b> a doubt of 7<",
    ">worth it too<",
    "<b>partial</b> a part<",
    "<b>skipped</b> for want of another<",
    "<b>failed</b> no numbers<"
  };
  ms_result *r = NULL;
  ms_page *page = NULL;
  size_t n;
  CHECK_OK(make(test_context(), &r));
  CHECK_OK(remark(r));
  CHECK_OK(ms_result_remark(r, MS_OUTCOME_SKIPPED, "for want of another"));
  CHECK_OK(ms_result_remark(r, MS_OUTCOME_FAILED, "no numbers"));
  CHECK_OK(ms_page_create(test_context(), "All", NULL, &page));
  CHECK_OK(ms_result_write_page(r, page));
  CHECK_OK(ms_page_write(page, test_path("remarks.html")));
  char *text = test_get(test_path("remarks.html"), &n), *at = text;
  for (size_t i = 0; at && i < sizeof words / sizeof *words; i++) {
    char *next = strstr(at, words[i]);
    if (!CHECK(next != NULL)) fprintf(stderr, "# %s\n", words[i]);
    at = next ? next + strlen(words[i]) : NULL;
  }
  at = strstr(text, "worth knowing"); /* once, not among the reasons */
  CHECK(at && !strstr(at + 1, "worth knowing"));
  free(text);
  ms_page_destroy(&page);
  ms_result_destroy(&r);
}

static ms_status make_and_drop(ms_context *ctx, void *user) {
  ms_result *r = NULL;
  (void)user;
  ms_status status = make(ctx, &r);
  if (status == MS_SUCCESS) status = remark(r);
  ms_result_destroy(&r);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(make_and_drop, NULL) > 5);
}

static void test_worse(void) {
  ms_result *r = NULL;
  CHECK_OK(make(test_context(), &r));
  ms_result_set_ended(r, 1);
  CHECK_OK(ms_result_doubt(r, "the step is long"));
  CHECK_OK(ms_result_give_up(r, "the step is long"));
  CHECK_OK(ms_result_note(r, "the step is long"));
  CHECK_EQUAL(ms_result_count_remarks(r), 1);
  CHECK_EQUAL(ms_result_get_outcome(r), MS_OUTCOME_PARTIAL);
  ms_result_destroy(&r);
}

int main(void) {
  test_folder_open();
  TEST(test_outcome);
  TEST(test_words);
  TEST(test_long);
  TEST(test_json);
  TEST(test_page);
  TEST(test_memory_failures);
  test_folder_close();
  TEST(test_worse);
  return test_finish();
}
