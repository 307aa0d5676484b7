/* Nearest names, copies of text, numbers from text. */
#include "core/internal.h"

#include <float.h>
#include <locale.h>
#include <string.h>

#include "support/check.h"

static const char *const names[] = { "F_S", "K_T", "chi", "beta", "phi_max", "merge_tolerance" };
enum { N_NAMES = sizeof names / sizeof *names };

static const char *name_of(const void *list, int i) {
  return ((const char *const *)list)[i];
}

static const char *nearest(const char *name) {
  return ms_text_nearest(name, name_of, names, N_NAMES);
}

static void test_nearest(void) {
  CHECK_TEXT(nearest("chi"), "chi");
  CHECK_TEXT(nearest("CHI"), "chi"); /* case does not count */
  CHECK_TEXT(nearest("bta"), "beta");
  CHECK_TEXT(nearest("betta"), "beta");
  CHECK_TEXT(nearest("bexa"), "beta");
  CHECK_TEXT(nearest("phimax"), "phi_max");
  CHECK_TEXT(nearest("phi_mxa"), "phi_max");
  CHECK_TEXT(nearest("mergetolerence"), "merge_tolerance");
  CHECK_TEXT(nearest("K_S"), "F_S"); /* as near as K_T: the first in the list */
}

static void test_none_near(void) {
  CHECK(nearest("stiffness") == NULL);
  CHECK(nearest("qqqqqqq") == NULL);
  CHECK(nearest("") == NULL);
  CHECK(ms_text_nearest("chi", name_of, names, 0) == NULL);
}

/* Long words are compared by their beginning, and length alone makes nothing near. */
static void test_nearest_long(void) {
  char word[2000];
  memset(word, 'z', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  CHECK(nearest(word) == NULL);
  memcpy(word, "merge_tolerance", 15);
  CHECK(nearest(word) == NULL);
  word[17] = '\0';
  CHECK_TEXT(nearest(word), "merge_tolerance");
}

static void test_copy(void) {
  ms_context *ctx = test_context();
  const char *text = "lap joint";
  char *copy = NULL;
  CHECK_OK(ms_text_copy(ctx, text, &copy));
  CHECK(copy != text);
  CHECK_TEXT(copy, "lap joint");
  ms_free(ctx, &copy);
  CHECK_OK(ms_text_copy(ctx, "", &copy));
  CHECK_TEXT(copy, "");
  ms_free(ctx, &copy);
  CHECK_OK(ms_text_copy(ctx, NULL, &copy));
  CHECK(copy == NULL);
}

static ms_status copy_one(ms_context *ctx, void *user) {
  char *copy = NULL;
  ms_status status = ms_text_copy(ctx, user, &copy);
  CHECK_EQUAL(status == MS_SUCCESS, copy != NULL);
  ms_free(ctx, &copy);
  return status;
}

static void test_copy_memory(void) {
  char text[] = "lap joint";
  CHECK_EQUAL(test_allocations(copy_one, text), 1);
}

/* ---- numbers ---- */

static void check_number(const char *text, double want) {
  double value = -1.0;
  CHECK_OK(ms_text_number(text, strlen(text), &value));
  CHECK_NEAR(value, want, 0.0);
}

static void test_numbers(void) {
  check_number("2.385", 2.385);
  check_number("-2.385e-6", -2.385e-6);
  check_number("+4E3", 4000.0);
  check_number(".5", 0.5);
  check_number("5.", 5.0);
  check_number("0", 0.0);
  check_number("007", 7.0);
  check_number(" \t 6e-5 \r\n", 6e-5);
  check_number("1.7976931348623157e308", DBL_MAX);
  check_number("5e-324", 5e-324);
  check_number("1e-400", 0.0); /* too small to tell from nothing */
}

/* Refused, and the value that was there stays. */
static void check_refused_part(const char *text, size_t length, ms_status want) {
  double value = 41.7;
  CHECK_STATUS(ms_text_number(text, length, &value), want);
  CHECK_NEAR(value, 41.7, 0.0);
}

static void check_refused(const char *text, ms_status want) {
  check_refused_part(text, strlen(text), want);
}

static void test_not_numbers(void) {
  static const char *const text[] = { "",    " ",     "abc", "1x",    "x1",  "1 2",  "1,5",
                                      "--1", "1e",    "e5",  "1e5.5", ".",   "+",    "1_0",
                                      "1;",  "\"1\"", "0x1", "0x1p3", "1p3", "1e5f", "1..2" };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) check_refused(text[i], MS_ERR_FORMAT);
}

static void test_not_finite(void) {
  static const char *const text[] = { "nan",  "NaN",      "-nan",  "inf",
                                      "-INF", "infinity", "1e999", "-1e309" };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) check_refused(text[i], MS_ERR_NUMERIC);
}

/* The length counts, not what stands behind; a NUL within is no number. */
static void test_length(void) {
  double value = 0.0;
  CHECK_OK(ms_text_number("12345", 2, &value));
  CHECK_NEAR(value, 12.0, 0.0);
  CHECK_OK(ms_text_number("1,2", 1, &value));
  CHECK_NEAR(value, 1.0, 0.0);
  check_refused_part("1\0002", 3, MS_ERR_FORMAT);
  char digits[65];
  memset(digits, '7', sizeof digits - 1);
  digits[64] = '\0';
  check_refused(digits, MS_ERR_FORMAT);
  CHECK_OK(ms_text_number(digits, 63, &value));
  CHECK_CLOSE(value, 7.777777777777777777e62, 1e-15);
}

/* A program with a decimal comma (where the system has such a locale) reads the same numbers. */
static void test_locale(void) {
  static const char *const comma[] = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8" };
  for (size_t i = 0; i < sizeof comma / sizeof comma[0]; i++)
    if (setlocale(LC_NUMERIC, comma[i])) break;
  check_number("2.385", 2.385);
  check_refused("2,385", MS_ERR_FORMAT);
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  TEST(test_nearest);
  TEST(test_none_near);
  TEST(test_nearest_long);
  TEST(test_copy);
  TEST(test_copy_memory);
  TEST(test_numbers);
  TEST(test_not_numbers);
  TEST(test_not_finite);
  TEST(test_length);
  TEST(test_locale);
  return test_finish();
}
