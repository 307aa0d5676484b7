/* Tables in memory, their printing, and numbers as text. */
#include <microslip/io.h>

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static const double t[] = { 0.25, 0.5, 0.75 };
static const double u[] = { -2.385e-6, 4.17, 123456.789012 };

static ms_table *make_table(void) {
  ms_table *table = NULL;
  CHECK_OK(ms_table_create(test_context(), &table));
  CHECK_OK(ms_table_add_column(table, "t", "s", t, 3));
  CHECK_OK(ms_table_add_column(table, "u", NULL, u, 3));
  return table;
}

static void test_columns(void) {
  ms_table *table = make_table();
  CHECK_EQUAL(ms_table_get_rows(table), 3);
  CHECK_EQUAL(ms_table_get_columns(table), 2);
  CHECK_TEXT(ms_table_get_name(table, 0), "t");
  CHECK_TEXT(ms_table_get_unit(table, 0), "s");
  CHECK_TEXT(ms_table_get_name(table, 1), "u");
  CHECK(ms_table_get_unit(table, 1) == NULL);
  CHECK(ms_table_get_name(table, 2) == NULL);
  CHECK(ms_table_get_name(table, -1) == NULL);
  CHECK(ms_table_get_unit(table, 2) == NULL);
  CHECK(ms_table_get_column(table, "v") == NULL);
  CHECK(ms_table_get_column(table, "u") != u); /* copied */
  CHECK_NEAR(ms_table_get_column(table, "u")[2], u[2], 0.0);
  CHECK_EQUAL(ms_table_get_line(table, 1), 0);
  ms_table_destroy(&table);
  CHECK(table == NULL);
  ms_table_destroy(&table);
  ms_table_destroy(NULL);
}

/* The column must be refused with the message, and the table stay as it was. */
static void check_refused(ms_table *table, const char *name, const char *unit, const double *values,
                          ptrdiff_t n, const char *what) {
  CHECK_STATUS(ms_table_add_column(table, name, unit, values, n), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), what);
  CHECK_EQUAL(ms_table_get_columns(table), 2);
  CHECK_EQUAL(ms_table_get_rows(table), 3);
}

static void test_refused_columns(void) {
  ms_table *table = make_table();
  check_refused(table, "v", NULL, u, 2, "column 'v' has 2 values but the table has 3 rows");
  check_refused(table, "v", NULL, u, -1, "column 'v' has no values");
  check_refused(table, "v", NULL, NULL, 3, "column 'v' has no values");
  check_refused(table, "u", NULL, u, 3, "two columns are named 'u'");
  check_refused(table, NULL, NULL, u, 3, "needs a name");
  check_refused(table, "", NULL, u, 3, "empty name");
  check_refused(table, "v", "", u, 3, "empty unit");
  check_refused(table, "v[0]", NULL, u, 3, "stray bracket");
  check_refused(table, "v", "m]", u, 3, "stray bracket");
  check_refused(table, " v", NULL, u, 3, "blanks around");
  check_refused(table, "v", "m ", u, 3, "blanks around");
  check_refused(table, "v\nw", NULL, u, 3, "control character 0x0a");
  ms_table_destroy(&table);
  CHECK_STATUS(ms_table_create(test_context(), NULL), MS_ERR_ARGUMENT);
}

/* What ms_table_print writes, as a string to be freed. */
static char *printed(const ms_table *table) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  CHECK_OK(ms_table_print(table, out));
  fclose(out);
  return text;
}

static void test_print(void) {
  ms_table *table = make_table();
  static const double w[] = { -1.0 / 3.0, 7.5, 2.0 };
  CHECK_OK(ms_table_add_column(table, "slip of the joint", "\xC2\xB5m", w, 3));
  char *text = printed(table);
  CHECK_TEXT(text,
             "t [s]           u  slip of the joint [\xC2\xB5m]\n"
             " 0.25  -2.385e-06            -0.333333333\n"
             "  0.5        4.17                     7.5\n"
             " 0.75  123456.789                       2\n");
  free(text);
  ms_table_destroy(&table);
}

static void test_print_words(void) {
  static const char csv[] = "method,q\nqsma,0.25\nring-down,2.385\n";
  ms_table *table = NULL;
  CHECK_OK(ms_table_parse_words(test_context(), "probe.csv", csv, strlen(csv), &table));
  CHECK_STATUS(ms_table_add_column(table, "method", NULL, u, 2), MS_ERR_ARGUMENT);
  char *text = printed(table);
  CHECK_TEXT(text,
             "   method      q\n"
             "     qsma   0.25\n"
             "ring-down  2.385\n");
  free(text);
  ms_table_destroy(&table);
}

static void test_print_failures(void) {
  ms_table *table = NULL;
  CHECK_OK(ms_table_create(test_context(), &table));
  CHECK_STATUS(ms_table_print(table, stdout), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "no columns");
  CHECK_OK(ms_table_add_column(table, "u", NULL, u, 3));
  FILE *full = fopen("/dev/full", "w");
  if (full) {
    CHECK_STATUS(ms_table_print(table, full), MS_ERR_DISK);
    CHECK_HAS(ms_context_message(test_context()), "No space left on device");
    fclose(full);
  }
  ms_table_destroy(&table);
}

static ms_status fill_and_print(ms_context *ctx, void *user) {
  ms_table *table = NULL;
  ms_status status = ms_table_create(ctx, &table);
  if (status == MS_SUCCESS) status = ms_table_add_column(table, "t", "s", t, 3);
  if (status == MS_SUCCESS) status = ms_table_add_column(table, "u", NULL, u, 3);
  if (status == MS_SUCCESS) status = ms_table_print(table, user);
  ms_table_destroy(&table);
  return status;
}

static void test_memory_failures(void) {
  FILE *nowhere = fopen("/dev/null", "w");
  CHECK_EQUAL(test_allocations(fill_and_print, nowhere), 9);
  fclose(nowhere);
}

/* ---- ms_format_double ---- */

static void check_number(double value, const char *want) {
  char text[32];
  ms_format_double(value, text);
  CHECK_TEXT(text, want);
}

static void test_format_shortest(void) {
  check_number(0.1, "0.1");
  check_number(-2.385e-6, "-2.385e-06");
  check_number(0.1 + 0.2, "0.30000000000000004");
  check_number(5e-324, "4.94065645841247e-324");
  check_number(DBL_MAX, "1.7976931348623157e+308");
  check_number(-0.0, "-0");
  check_number(1.0 / 3.0, "0.3333333333333333");
}

static void test_format_round_trip(void) {
  ms_random rng;
  ms_random_start(&rng, 2385, 7);
  int wrong = 0;
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = ms_random_bits(&rng);
    double value, again;
    memcpy(&value, &bits, sizeof value);
    if (!(value - value == 0.0)) continue; /* not finite */
    char text[32];
    ms_format_double(value, text);
    again = strtod(text, NULL);
    wrong += memcmp(&again, &value, sizeof value) != 0;
  }
  CHECK_EQUAL(wrong, 0);
}

/* Skipped in effect where no locale with a decimal comma is installed. */
static void test_format_locale(void) {
  static const char *const comma[] = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8" };
  for (size_t i = 0; i < sizeof comma / sizeof comma[0]; i++)
    if (setlocale(LC_NUMERIC, comma[i])) break;
  check_number(2.385, "2.385");
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  TEST(test_columns);
  TEST(test_refused_columns);
  TEST(test_print);
  TEST(test_print_words);
  TEST(test_print_failures);
  TEST(test_memory_failures);
  TEST(test_format_shortest);
  TEST(test_format_round_trip);
  TEST(test_format_locale);
  return test_finish();
}
