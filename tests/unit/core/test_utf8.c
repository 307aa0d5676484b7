/* UTF-8: characters of each length; bytes that are none of them. */
#include "core/utf8.h"

#include <string.h>

#include "support/check.h"

static void test_characters(void) {
  static const char *const text[] = { "k", "\xC3\xA9", "\xE2\x82\xAC", "\xED\x9F\xBF",
                                      "\xF0\x9D\x9C\x87" };
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
    CHECK_EQUAL(ms_utf8_length(text[i]), (int)strlen(text[i]));
}

/* A byte that only goes on, too long a form, half a pair of UTF-16, beyond U+10FFFF, the end
 * within. */
static void test_others(void) {
  static const char *const text[] = { "\x80",         "\xC0\xAF",     "\xE6\xE6\xE6",
                                      "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                      "\xE2\x82",     "\xFF\xFE" };
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) CHECK_EQUAL(ms_utf8_length(text[i]), 0);
}

int main(void) {
  TEST(test_characters);
  TEST(test_others);
  return test_finish();
}
