/* Parameters: by name, within their ranges, from text, in sets, as tables. */
#include "core/param.h"

#include <math.h>

#include "support/check.h"

static const char *const columns[] = { "phi", "rho", "S" };
static const ms_param_table table = { .n_column = 3, .n_required = 2, .column = columns };

enum { WIDTH, TEETH, FORM, GAIN, DECIBEL, ALL };

static const ms_param params[] = {
  [WIDTH] = { .name = "width",
              .lower = 0,
              .upper = 7.5,
              .open = 1,
              .why = "it is a length",
              .typical = 2,
              .required = 1 },
  [TEETH] = { .name = "teeth",
              .kind = MS_PARAM_COUNT,
              .lower = 3,
              .upper = HUGE_VAL,
              .typical = 12 },
  [FORM] = { .name = "form",
             .kind = MS_PARAM_CHOICE,
             .choices = "round|roundish|flat",
             .upper = 2 },
  [GAIN] = { .name = "gain", .lower = -HUGE_VAL, .upper = HUGE_VAL, .set = 1, .required = 1 },
  [DECIBEL] = { .name = "decibel", .lower = -HUGE_VAL, .upper = HUGE_VAL, .set = 2, .required = 1 },
};

static const char *message(void) {
  return ms_context_message(test_context());
}

static void test_names(void) {
  CHECK_EQUAL(ms_param_find(params, ALL, "form"), FORM);
  CHECK_EQUAL(ms_param_find(params, ALL, "for"), -1);
  CHECK_EQUAL(ms_param_find_choice(&params[FORM], "roundish"), 1);
  CHECK_EQUAL(ms_param_find_choice(&params[FORM], "roun"), -1);
  CHECK_STATUS(ms_param_fail_name(test_context(), "law saw", params, ALL, "teth", NULL),
               MS_ERR_NAME);
  CHECK_TEXT(message(), "law saw has no parameter 'teth'; did you mean 'teeth'?");
  CHECK_STATUS(ms_param_fail_name(test_context(), "law saw", params, ALL, "xyzzy", NULL),
               MS_ERR_NAME);
  CHECK_HAS(message(), "there are width, teeth, form, gain, decibel");
  CHECK_STATUS(ms_param_fail_name(test_context(), "law saw", params, ALL, "xyzzy", "see the page"),
               MS_ERR_NAME);
  CHECK_HAS(message(), "'xyzzy'; see the page");
}

static void test_ranges(void) {
  char text[96];
  CHECK(ms_param_is_within(&params[WIDTH], 7.5) && !ms_param_is_within(&params[WIDTH], 0.0));
  CHECK(!ms_param_is_within(&params[WIDTH], NAN) && !ms_param_is_within(&params[GAIN], HUGE_VAL));
  CHECK(ms_param_is_within(&params[TEETH], 3.0) && !ms_param_is_within(&params[TEETH], 3.5));
  ms_param_describe_values(&params[WIDTH], text, sizeof text);
  CHECK_TEXT(text, "> 0 and <= 7.5");
  ms_param_describe_values(&params[TEETH], text, sizeof text);
  CHECK_TEXT(text, "a whole number >= 3");
  ms_param_describe_values(&params[GAIN], text, sizeof text);
  CHECK_TEXT(text, "finite");
  CHECK_STATUS(ms_param_check(test_context(), "law saw", &params[WIDTH], -2.0), MS_ERR_BOUNDS);
  CHECK_TEXT(message(),
             "law saw: width = -2 is out of bounds: it must be > 0 and <= 7.5; it is a length");
}

/* A bound that is not reached. */
static void test_open_range(void) {
  const ms_param part = { .name = "part", .lower = 0, .upper = 0.8, .open = 2 };
  char text[96];
  CHECK(ms_param_is_within(&part, 0.0) && ms_param_is_within(&part, 0.799));
  CHECK(!ms_param_is_within(&part, 0.8) && !ms_param_is_within(&part, -1e-9));
  ms_param_describe_values(&part, text, sizeof text);
  CHECK_TEXT(text, ">= 0 and < 0.8");
}

static void test_descriptions(void) {
  const ms_param steady = { .name = "steady", .kind = MS_PARAM_FLAG, .typical = 1 };
  const ms_param both = { .name = "ways", .kind = MS_PARAM_CHOICES, .choices = "up|down" };
  const ms_param file = { .name = "file", .kind = MS_PARAM_PATH, .fallback = "the last one" };
  const ms_param place = { .name = "at", .kind = MS_PARAM_NUMBERS, .count = 3 };
  const ms_param each = { .name = "*", .kind = MS_PARAM_COUNT, .lower = 4, .upper = 4 };
  char text[64];
  ms_param_describe_kind(&place, text, sizeof text);
  CHECK_TEXT(text, "3 numbers");
  ms_param_describe_range(&each, text, sizeof text);
  CHECK_TEXT(text, "= 4");
  ms_param_describe_default(&each, text, sizeof text);
  CHECK_TEXT(text, "");
  ms_param_describe_kind(&params[FORM], text, sizeof text);
  CHECK_TEXT(text, "one of round, roundish, flat");
  ms_param_describe_kind(&both, text, sizeof text);
  CHECK_TEXT(text, "list of up, down");
  ms_param_describe_kind(&params[TEETH], text, sizeof text);
  CHECK_TEXT(text, "whole number");
  ms_param_describe_kind(&file, text, sizeof text);
  CHECK_TEXT(text, "file");
  ms_param_describe_range(&params[WIDTH], text, sizeof text);
  CHECK_TEXT(text, "> 0 and <= 7.5");
  ms_param_describe_range(&params[FORM], text, sizeof text);
  CHECK_TEXT(text, "");
  ms_param_describe_default(&params[WIDTH], text, sizeof text);
  CHECK_TEXT(text, "required");
  ms_param_describe_default(&params[TEETH], text, sizeof text);
  CHECK_TEXT(text, "12");
  ms_param_describe_default(&params[FORM], text, sizeof text);
  CHECK_TEXT(text, "round");
  ms_param_describe_default(&steady, text, sizeof text);
  CHECK_TEXT(text, "true");
  ms_param_describe_default(&both, text, sizeof text);
  CHECK_TEXT(text, "all");
  ms_param_describe_default(&file, text, sizeof text);
  CHECK_TEXT(text, "the last one");
}

static void test_texts(void) {
  double value;
  CHECK_OK(ms_param_read(test_context(), "law saw", &params[FORM], "flat", &value));
  CHECK_NEAR(value, 2.0, 0.0);
  CHECK_STATUS(ms_param_read(test_context(), "law saw", &params[FORM], "square", &value),
               MS_ERR_BOUNDS);
  CHECK_HAS(message(), "form = 'square' is none of round|roundish|flat");
  CHECK_OK(ms_param_read(test_context(), "law saw", &params[WIDTH], " 2.385 ", &value));
  CHECK_NEAR(value, 2.385, 0.0);
  CHECK_STATUS(ms_param_read(test_context(), "law saw", &params[WIDTH], "wide", &value),
               MS_ERR_FORMAT);
  CHECK_HAS(message(), "write e.g. width=2");
}

static void test_sets(void) {
  unsigned char given[ALL] = { 0 };
  int set = 0;
  CHECK_OK(ms_param_find_set(test_context(), "law saw", params, ALL, given, NULL, &set));
  CHECK_EQUAL(set, 1);
  CHECK_STATUS(ms_param_check_complete(test_context(), "law saw", params, ALL, given, set),
               MS_ERR_ARGUMENT);
  CHECK_TEXT(message(), "law saw: not set: width, gain");
  given[WIDTH] = given[DECIBEL] = 1;
  CHECK_OK(ms_param_find_set(test_context(), "law saw", params, ALL, given, NULL, &set));
  CHECK_EQUAL(set, 2);
  CHECK_OK(ms_param_check_complete(test_context(), "law saw", params, ALL, given, set));
  given[GAIN] = 1;
  CHECK_STATUS(ms_param_find_set(test_context(), "law saw", params, ALL, given, "; see laws", &set),
               MS_ERR_ARGUMENT);
  CHECK_HAS(message(),
            "gain and decibel belong to different parameter sets; give all of one set; see laws");
}

static void test_tables(void) {
  const double good[] = { 0.3, 0.7 }, bad[] = { 0.3, NAN };
  const double *column[] = { good, bad, good };
  char text[64];
  ms_param_describe_columns(&table, text, sizeof text);
  CHECK_TEXT(text, "phi, rho[, S]");
  CHECK_STATUS(ms_param_check_table(test_context(), "saw", &table, 2, 1, column), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "not 2 rows and 1 columns");
  CHECK_STATUS(ms_param_check_table(test_context(), "saw", &table, 0, 2, column), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_param_check_table(test_context(), "saw", &table, 2, 3, column), MS_ERR_NUMERIC);
  CHECK_TEXT(message(), "saw: row 2: rho is not finite");
  CHECK_OK(ms_param_check_table(test_context(), "saw", &table, 1, 3, column));
}

int main(void) {
  TEST(test_names);
  TEST(test_ranges);
  TEST(test_open_range);
  TEST(test_descriptions);
  TEST(test_texts);
  TEST(test_sets);
  TEST(test_tables);
  return test_finish();
}
