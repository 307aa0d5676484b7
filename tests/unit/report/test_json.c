/* The streaming JSON writer. */
#include <microslip/report.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* A writer on a stream in memory. */
typedef struct paper {
  FILE *stream;
  char *text;
  size_t size;
  ms_json *json;
} paper;

static void start(paper *p) {
  *p = (paper) { 0 };
  p->stream = open_memstream(&p->text, &p->size);
  CHECK_OK(ms_json_create(test_context(), p->stream, &p->json));
}

/* Closes; the document must be `want` and the status as expected. */
static void finish(paper *p, ms_status status, const char *want) {
  CHECK_STATUS(ms_json_close(&p->json), status);
  CHECK(p->json == NULL);
  fclose(p->stream);
  CHECK_TEXT(p->text, want);
  free(p->text);
}

static void test_document(void) {
  static const double numbers[] = { 0.1, -2.385e-6, 1.0 / 3.0 };
  paper p;
  start(&p);
  ms_json_begin_object(p.json, NULL);
  ms_json_add_text(p.json, "law", "iwan4");
  ms_json_add_number(p.json, "F_S", 4170.25);
  ms_json_add_integer(p.json, "n", -9007199254740993LL);
  ms_json_add_bool(p.json, "ok", 7);
  ms_json_add_bool(p.json, "bad", 0);
  ms_json_add_null(p.json, "none");
  ms_json_add_text(p.json, "also none", NULL);
  ms_json_add_numbers(p.json, "u", numbers, 3);
  ms_json_add_numbers(p.json, "v", NULL, 0);
  ms_json_begin_array(p.json, "list");
  ms_json_add_number(p.json, NULL, 2.5);
  ms_json_begin_object(p.json, NULL);
  ms_json_add_integer(p.json, "k", 3);
  ms_json_end(p.json);
  ms_json_add_numbers(p.json, NULL, numbers, 1);
  ms_json_end(p.json);
  ms_json_begin_object(p.json, "empty");
  ms_json_end(p.json);
  ms_json_begin_array(p.json, "nothing");
  ms_json_end(p.json);
  ms_json_end(p.json);
  finish(&p, MS_SUCCESS,
         "{\n"
         "  \"law\": \"iwan4\",\n"
         "  \"F_S\": 4170.25,\n"
         "  \"n\": -9007199254740993,\n"
         "  \"ok\": true,\n"
         "  \"bad\": false,\n"
         "  \"none\": null,\n"
         "  \"also none\": null,\n"
         "  \"u\": [0.1, -2.385e-06, 0.3333333333333333],\n"
         "  \"v\": [],\n"
         "  \"list\": [\n"
         "    2.5,\n"
         "    {\n"
         "      \"k\": 3\n"
         "    },\n"
         "    [0.1]\n"
         "  ],\n"
         "  \"empty\": {},\n"
         "  \"nothing\": []\n"
         "}\n");
}

/* ---- text ---- */

static void check_text(const char *text, const char *want) {
  paper p;
  start(&p);
  ms_json_add_text(p.json, NULL, text);
  finish(&p, MS_SUCCESS, want);
}

static void test_escapes(void) {
  check_text("", "\"\"\n");
  check_text("say \"so\" \\ /", "\"say \\\"so\\\" \\\\ /\"\n");
  check_text("\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"\n");
  check_text("\x01\x1f\x7f", "\"\\u0001\\u001f\x7f\"\n");
  paper p;
  start(&p);
  ms_json_begin_object(p.json, NULL);
  ms_json_add_null(p.json, "a\"\n\xFF");
  ms_json_end(p.json);
  finish(&p, MS_SUCCESS, "{\n  \"a\\\"\\n\xEF\xBF\xBD\": null\n}\n");
}

#define BAD "\xEF\xBF\xBD"

static void test_utf8(void) {
  check_text("\xC2\xB5m \xE2\x82\xAC \xF0\x9F\x94\xA9",
             "\"\xC2\xB5m \xE2\x82\xAC \xF0\x9F\x94\xA9\"\n");
  check_text("\xEF\xBF\xBF \xED\x9F\xBF \xF4\x8F\xBF\xBF",
             "\"\xEF\xBF\xBF \xED\x9F\xBF \xF4\x8F\xBF\xBF\"\n");
  check_text("a\xB5z", "\"a" BAD "z\"\n");                     /* Latin-1 */
  check_text("\xC0\xAF", "\"" BAD BAD "\"\n");                 /* overlong */
  check_text("\xE0\x80\xAF", "\"" BAD BAD BAD "\"\n");         /* overlong */
  check_text("\xF0\x80\x80\xAF", "\"" BAD BAD BAD BAD "\"\n"); /* overlong */
  check_text("\xED\xA0\x80", "\"" BAD BAD BAD "\"\n");         /* surrogate */
  check_text("\xF4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"\n"); /* above U+10FFFF */
  check_text("\xE2\x82", "\"" BAD BAD "\"\n");                 /* cut short */
  check_text("\xF0\x9F\x94\"", "\"" BAD BAD BAD "\\\"\"\n");
}

/* ---- failures ---- */

static void test_not_finite(void) {
  static const double numbers[] = { 1.5, INFINITY, NAN };
  paper p;
  start(&p);
  ms_json_begin_object(p.json, NULL);
  ms_json_add_number(p.json, "fine", 2.5);
  ms_json_add_number(p.json, "slip", NAN);
  ms_json_add_number(p.json, "later", 2.5);
  ms_json_add_numbers(p.json, "more", numbers, 3);
  ms_json_end(p.json);
  ms_json_end(p.json);
  finish(&p, MS_ERR_NUMERIC, "{\n  \"fine\": 2.5");
  CHECK_TEXT(ms_context_message(test_context()), "JSON: 'slip' is nan; a number must be finite");

  start(&p);
  ms_json_begin_object(p.json, NULL);
  ms_json_add_numbers(p.json, "u", numbers, 3);
  ms_json_end(p.json);
  finish(&p, MS_ERR_NUMERIC, "{");
  CHECK_HAS(ms_context_message(test_context()), "JSON: 'u'[1] is inf");

  start(&p);
  ms_json_add_number(p.json, NULL, -INFINITY);
  finish(&p, MS_ERR_NUMERIC, "");
  CHECK_HAS(ms_context_message(test_context()), "'(a value without key)' is -inf");
}

/* The writer's message survives what others put into the context meanwhile. */
static void test_message_is_kept(void) {
  paper p;
  start(&p);
  ms_json_add_number(p.json, NULL, NAN);
  CHECK_STATUS(ms_fail(test_context(), MS_ERR_NAME, "something else"), MS_ERR_NAME);
  finish(&p, MS_ERR_NUMERIC, "");
  CHECK_HAS(ms_context_message(test_context()), "is nan");
}

static void check_state(paper *p, const char *text, const char *what) {
  finish(p, MS_ERR_STATE, text);
  CHECK_HAS(ms_context_message(test_context()), what);
}

static void test_nesting(void) {
  paper p;
  start(&p);
  check_state(&p, "", "closed without a value");
  start(&p);
  ms_json_end(p.json);
  check_state(&p, "", "an end without a begin");
  start(&p);
  ms_json_begin_array(p.json, NULL);
  ms_json_begin_object(p.json, NULL);
  check_state(&p, "[\n  {", "closed with 2 containers open");
  start(&p);
  ms_json_begin_object(p.json, NULL);
  ms_json_add_number(p.json, NULL, 2.5);
  check_state(&p, "{", "without key in an object");
  start(&p);
  ms_json_begin_array(p.json, NULL);
  ms_json_add_text(p.json, "k", "v");
  check_state(&p, "[", "key 'k' outside of an object");
  start(&p);
  ms_json_begin_object(p.json, "top");
  check_state(&p, "", "key 'top' outside of an object");
  start(&p);
  ms_json_add_bool(p.json, NULL, 1);
  ms_json_add_bool(p.json, NULL, 1);
  check_state(&p, "true", "a second value at the top");
}

static void test_depth(void) {
  enum { limit = 64 };
  paper p;
  start(&p);
  for (int i = 0; i < limit; i++) ms_json_begin_array(p.json, NULL);
  ms_json_add_integer(p.json, NULL, 5);
  for (int i = 0; i < limit; i++) ms_json_end(p.json);
  CHECK_OK(ms_json_close(&p.json));
  fclose(p.stream);
  char line[2 * limit + 4];
  snprintf(line, sizeof line, "\n%*s\n", 2 * limit + 1, "5");
  CHECK_HAS(p.text, line);
  free(p.text);
  start(&p);
  for (int i = 0; i <= limit; i++) ms_json_begin_array(p.json, NULL);
  CHECK_STATUS(ms_json_close(&p.json), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "deeper than 64 levels");
  fclose(p.stream);
  free(p.text);
}

static void test_write_error(void) {
  FILE *full = fopen("/dev/full", "w");
  if (!CHECK(full != NULL)) return;
  ms_json *json;
  CHECK_OK(ms_json_create(test_context(), full, &json));
  ms_json_add_number(json, NULL, 2.385);
  CHECK_STATUS(ms_json_close(&json), MS_ERR_DISK);
  CHECK_HAS(ms_context_message(test_context()), "No space left on device");
  fclose(full);
}

static void test_bad_arguments(void) {
  ms_json *json = NULL;
  CHECK_STATUS(ms_json_create(test_context(), NULL, &json), MS_ERR_ARGUMENT);
  CHECK(json == NULL);
  CHECK_STATUS(ms_json_create(test_context(), stdout, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_json_close(&json), MS_ERR_ARGUMENT);
  paper p;
  start(&p);
  ms_json_add_numbers(p.json, NULL, NULL, 2);
  finish(&p, MS_ERR_ARGUMENT, "");
}

static ms_status write_small(ms_context *ctx, void *user) {
  ms_json *json = (ms_json *)&json;
  ms_status status = ms_json_create(ctx, user, &json);
  if (status != MS_SUCCESS) {
    CHECK(json == NULL);
    return status;
  }
  ms_json_add_number(json, NULL, 2.385);
  return ms_json_close(&json);
}

static void test_memory_failures(void) {
  FILE *nowhere = fopen("/dev/null", "w");
  CHECK_EQUAL(test_allocations(write_small, nowhere), 1);
  fclose(nowhere);
}

int main(void) {
  TEST(test_document);
  TEST(test_escapes);
  TEST(test_utf8);
  TEST(test_not_finite);
  TEST(test_message_is_kept);
  TEST(test_nesting);
  TEST(test_depth);
  TEST(test_write_error);
  TEST(test_bad_arguments);
  TEST(test_memory_failures);
  return test_finish();
}
