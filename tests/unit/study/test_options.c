/* The reader of typed keys: values in SI, lists, ranges, what is absent. */
#include "study/options.h"

#include <string.h>

#include "support/check.h"
#include "support/files.h"

typedef struct options {
  double mass, length, rate, absent;
  ms_numbers lengths, counts, none;
} options;

static const ms_param keys[] = {
  MS_NUMBER(options, mass, "kg", MS_POSITIVE, MS_REQUIRED, "of a part"),
  MS_NUMBER(options, length, "m", MS_POSITIVE, MS_DEFAULT(0.37), "of a part"),
  MS_NUMBER(options, rate, "Hz", MS_POSITIVE, MS_DEFAULT(1.7), "of a part"),
  MS_NUMBER(options, absent, "m", MS_POSITIVE, MS_ELSE("in words"), "of a part"),
  MS_NUMBERS(options, lengths, "m", MS_ANY, MS_OPTIONAL, "of parts"),
  MS_COUNTS(options, counts, MS_WITHIN(2, 9), MS_OPTIONAL, "of parts"),
  MS_COUNTS(options, none, MS_FROM(1), MS_OPTIONAL, "of parts"),
};
enum { N_KEYS = sizeof keys / sizeof *keys };

/* mm, tonne, s, N */
static ms_status read_text(const char *text, options *o) {
  ms_study s = { .ctx = test_context(), .units = { 1e-3, 1e3, 1.0, 1.0, 1e-3, "mm", 0 } };
  test_put(test_path("options.yaml"), text);
  CHECK_OK(ms_yaml_open(s.ctx, test_path("options.yaml"), &s.yaml));
  *o = (options) { .mass = 0.0 };
  ms_status status = ms_options_read(&s, ms_yaml_root(&s.yaml), NULL, "the part", keys, N_KEYS, o);
  ms_yaml_close(&s.yaml);
  return status;
}

static void check_refused(const char *text, const char *message) {
  options o;
  CHECK(read_text(text, &o) < 0);
  CHECK_HAS(ms_context_message(test_context()), message);
  ms_options_free(test_context(), keys, N_KEYS, &o);
}

static void test_values(void) {
  options o;
  CHECK_OK(read_text("{mass: 2.3, rate: 7.1, lengths: [-1.9, 4.7], counts: [3, 8]}", &o));
  CHECK_CLOSE(o.mass, 2300.0, 1e-15);
  CHECK_CLOSE(o.length, 0.37, 0.0); /* defaults are in SI */
  CHECK_CLOSE(o.rate, 7.1, 0.0);
  CHECK(isnan(o.absent));
  if (CHECK_EQUAL(o.lengths.n, 2)) CHECK_CLOSE(o.lengths.value[0], -1.9e-3, 1e-15);
  if (CHECK_EQUAL(o.counts.n, 2)) CHECK_CLOSE(o.counts.value[1], 8.0, 0.0);
  CHECK_EQUAL(o.none.n, 0);
  ms_options_free(test_context(), keys, N_KEYS, &o);
  CHECK(!o.lengths.value && !o.counts.value);
}

static void test_lists_of_counts(void) {
  options o;
  CHECK_OK(read_text("{mass: 2.3, counts: 3}", &o));
  CHECK_EQUAL(o.counts.n, 1);
  ms_options_free(test_context(), keys, N_KEYS, &o);
  check_refused("{mass: 2.3, counts: [3, 4.5]}",
                "counts must be a whole number >= 2 and <= 9, not 4.5");
  check_refused("{mass: 2.3, counts: [3, 10]}", "not 10");
}

int main(void) {
  test_folder_open();
  TEST(test_values);
  TEST(test_lists_of_counts);
  test_folder_close();
  return test_finish();
}
