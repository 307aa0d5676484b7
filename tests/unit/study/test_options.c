/* Keys of a mapping into a struct: values in SI, what is absent, what is refused. */
#include "study/file/options.h"

#include <string.h>

#include "support/check.h"
#include "support/files.h"

typedef struct options {
  double length, root, rate, free;
  ptrdiff_t count, open;
  int choice, open_choice, flag;
  ms_chosen all, none;
  ms_numbers list, counts;
  ms_few place;
  double pair[2];
  const char *word;
  struct fy_node *node, *named;
} options;

static const ms_param each[] = { MS_EACH_NUMBER("m", MS_POSITIVE, "a length") };
static const ms_param_list named_keys = MS_LIST_OF(each);

static const ms_param keys[] = {
  MS_NUMBER(options, length, "m", MS_POSITIVE, MS_DEFAULT(0.37), "a length"),
  MS_NUMBER(options, root, "m sqrt(kg)", MS_ANY, MS_DEFAULT(2.0), "a modal amplitude"),
  MS_NUMBER(options, rate, "Hz", MS_POSITIVE, MS_DEFAULT(13.0), "not converted"),
  MS_NUMBER(options, free, NULL, MS_ANY, MS_ELSE("found"), "without a number of its own"),
  MS_COUNT(options, count, MS_WITHIN(2, 9), MS_DEFAULT(4), "a count"),
  MS_COUNT(options, open, MS_FROM(1), MS_ELSE("the last"), "a count"),
  MS_CHOICE(options, choice, "one|two", MS_OPTIONAL, "a choice"),
  MS_CHOICE(options, open_choice, "one|two", MS_ELSE("as it is"), "a choice"),
  MS_FLAG(options, flag, MS_DEFAULT(1), "a flag"),
  MS_CHOICES(options, all, "one|two|three", MS_OPTIONAL, "several"),
  MS_CHOICES(options, none, "one|two|three", MS_ELSE("it depends"), "several"),
  MS_NUMBERS(options, list, "m", MS_POSITIVE, MS_OPTIONAL, "lengths"),
  MS_COUNTS(options, counts, MS_WITHIN(2, 9), MS_OPTIONAL, "counts"),
  MS_PAIR(options, pair, "Hz", MS_NOT_NEGATIVE, MS_OPTIONAL, "a band"),
  MS_WORD(options, word, MS_OPTIONAL, "a word"),
  MS_FORMS(options, node, "mapping", MS_OPTIONAL, "its owner reads it"),
  MS_VECTOR(options, place, 3, "m", MS_ANY, MS_OPTIONAL, "a point"),
  MS_MAPPING(options, named, named_keys, MS_OPTIONAL, "names that the file chooses"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

/* The study's file is only what is read; units are mm, tonne, N, s. */
static ms_study open_text(const char *text) {
  ms_study s = { .ctx = test_context(), .units = { 1e-3, 1e3, 1.0, 1.0, 1e-3, "mm", 0 } };
  test_put(test_path("options.yaml"), text);
  CHECK_OK(ms_yaml_open(s.ctx, test_path("options.yaml"), &s.yaml));
  return s;
}

static ms_status read_text(const char *text, options *o) {
  ms_study s = open_text(text);
  struct fy_node *root = ms_yaml_root(&s.yaml);
  memset(o, 0, sizeof *o);
  ms_status status = ms_options_read(&s, root, root, "this", keys, N_KEYS, o);
  ms_yaml_close(&s.yaml);
  return status;
}

static void test_values(void) {
  options o;
  CHECK_OK(
      read_text("{length: 2.385, root: 7, rate: 11, count: 3, choice: two, flag: false,"
                " all: [three, one], none: two, list: [4.1, 5.3], pair: [0, 17]}",
                &o));
  CHECK_CLOSE(o.length, 2.385e-3, 1e-15);
  CHECK_CLOSE(o.root, 7e-3 * sqrt(1e3), 1e-15);
  CHECK_CLOSE(o.rate, 11.0, 0.0);
  CHECK(o.count == 3 && o.choice == 1 && o.flag == 0);
  CHECK(o.all.n == 2 && o.all.index[0] == 2 && o.all.index[1] == 0);
  CHECK(o.none.n == 1 && o.none.index[0] == 1);
  CHECK(o.list.n == 2 && o.pair[0] == 0.0 && o.pair[1] == 17.0);
  CHECK_CLOSE(o.list.value[1], 5.3e-3, 1e-15);
  ms_keys_free(test_context(), keys, N_KEYS, &o);
  CHECK(o.list.value == NULL && o.list.n == 0);
}

/* Defaults are in SI, whatever the units of the file. */
static void test_absent(void) {
  options o;
  CHECK_OK(read_text("{}", &o));
  CHECK(o.length == 0.37 && o.root == 2.0 && isnan(o.free) && o.count == 4 && o.open == -1);
  CHECK(o.choice == 0 && o.open_choice == -1 && o.flag == 1 && o.all.n == 3 && o.none.n == 0);
  CHECK(o.list.n == 0 && isnan(o.pair[0]) && isnan(o.pair[1]) && !o.word && !o.node);
}

static void check_refused(const char *text, const char *message) {
  options o;
  CHECK(read_text(text, &o) < 0);
  CHECK_HAS(ms_context_message(test_context()), message);
  ms_keys_free(test_context(), keys, N_KEYS, &o);
}

static void test_lists_of_counts(void) {
  options o;
  CHECK_OK(read_text("{counts: 3}", &o));
  CHECK(o.counts.n == 1 && o.counts.value[0] == 3.0);
  ms_keys_free(test_context(), keys, N_KEYS, &o);
  CHECK(!o.counts.value);
  check_refused("{counts: [3, 4.5]}", "counts must be a whole number >= 2 and <= 9, not 4.5");
  check_refused("{counts: [3, 10]}", "not 10");
}

static void test_refused(void) {
  check_refused("{length: -3}", "length must be > 0, not -3");
  check_refused("{count: 2.5}", "count must be a whole number >= 2 and <= 9, not 2.5");
  check_refused("{choice: three}", "choice 'three' is none of one, two");
  check_refused("{all: [one, one]}", "twice");
  check_refused("{flag: perhaps}", "flag must be true or false");
  check_refused("{list: [1, 0]}", "list must be > 0, not 0");
  check_refused("{pair: [3, 2]}", "pair is two numbers, the lower first");
  check_refused("{lenght: 1}", "did you mean 'length'?");
}

static void test_vector(void) {
  options o;
  CHECK_OK(read_text("{place: [1.5, -2.3, 4]}", &o));
  CHECK(o.place.n == 3);
  CHECK_CLOSE(o.place.value[1], -2.3e-3, 1e-15);
  ms_keys_free(test_context(), keys, N_KEYS, &o);
  check_refused("{place: [1.5, -2.3]}", "place must be 3 numbers, not 2");
  check_refused("{place: 1.5}", "place must be 3 numbers, not 1");
}

static void test_names(void) {
  ms_study s = open_text("{named: {any: 7.1, other: -3}}");
  struct fy_node *root = ms_yaml_root(&s.yaml);
  const ms_param_list list = { keys, N_KEYS };
  options o = { 0 };
  double value = 0.0;
  CHECK_OK(ms_options_read_mapping(&s, &s.units, root, "this", &list, &o));
  CHECK_OK(ms_options_read_value(&s, ms_yaml_get(o.named, "any"), "any", &each[0], &value));
  CHECK_CLOSE(value, 7.1e-3, 1e-15);
  CHECK(ms_options_read_value(&s, ms_yaml_get(o.named, "other"), "other", &each[0], &value) < 0);
  CHECK_HAS(ms_context_message(test_context()), "other must be > 0, not -3");
  ms_yaml_close(&s.yaml);
  check_refused("{named: [7.1]}", "named must be a mapping, with a name for each entry");
}

/* A length about an axis is an angle: ms_units_about. */
static void test_units(void) {
  ms_study s = open_text("{length: 7.1}");
  const ms_units about = ms_units_about(&s.units);
  const ms_param_list list = { keys, N_KEYS };
  options o = { 0 };
  CHECK_OK(ms_options_read_mapping(&s, &about, ms_yaml_root(&s.yaml), "this", &list, &o));
  CHECK_CLOSE(o.length, 7.1, 1e-15);
  ms_yaml_close(&s.yaml);
}

int main(void) {
  test_folder_open();
  TEST(test_values);
  TEST(test_absent);
  TEST(test_lists_of_counts);
  TEST(test_vector);
  TEST(test_names);
  TEST(test_units);
  TEST(test_refused);
  test_folder_close();
  return test_finish();
}
