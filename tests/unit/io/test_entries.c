/* Names that the file chooses: a word, a list of words, or a mapping. */
#include "io/yaml/keys.h"
#include "support/check.h"
#include "support/files.h"

typedef struct options {
  ms_entry_list sensors;
} options;

static const ms_param keys[] = {
  MS_ENTRIES(options, sensors, "word, list or mapping", NULL, MS_OPTIONAL, "where it is measured"),
};

static ms_status read_text(ms_context *ctx, const char *text, ms_yaml *y, options *o) {
  static const ms_units units = { 1.0, 1.0, 1.0, 1.0, 1.0, "", 0 };
  test_put(test_path("keys.yaml"), text);
  *o = (options) { .sensors = { NULL, 0 } };
  MS_TRY(ms_yaml_open(ctx, test_path("keys.yaml"), y));
  const ms_key_source from = { y, &units, NULL, NULL };
  return ms_keys_read(&from, ms_yaml_root(y), NULL, "the test", keys, 1, o);
}

static void test_forms(void) {
  static const struct {
    const char *text;
    int n, mapping;
    const char *name[2], *value[2];
  } form[] = {
    { "{}\n", 0, 0, { NULL }, { NULL } },
    { "sensors: tip\n", 1, 0, { "tip" }, { NULL } },
    { "sensors: [tip, root]\n", 2, 0, { "tip", "root" }, { NULL } },
    { "sensors: {tip: ch3, root: [a, b]}\n", 2, 1, { "tip", "root" }, { "ch3", NULL } },
  };
  for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
    ms_yaml y = { 0 };
    options o;
    CHECK_OK(read_text(test_context(), form[i].text, &y, &o));
    CHECK_EQUAL(o.sensors.n, form[i].n);
    for (ptrdiff_t k = 0; k < o.sensors.n; k++) {
      const ms_entry *e = &o.sensors.entry[k];
      CHECK_TEXT(e->name, form[i].name[k]);
      CHECK(!e->value == !form[i].mapping);
      if (form[i].value[k]) CHECK_TEXT(e->text, form[i].value[k]);
      if (!form[i].value[k]) CHECK(e->text == NULL);
    }
    ms_keys_free(test_context(), keys, 1, &o);
    CHECK(o.sensors.entry == NULL);
    ms_yaml_close(&y);
  }
}

static void test_refused(void) {
  ms_yaml y = { 0 };
  options o;
  CHECK_STATUS(read_text(test_context(), "sensors: [tip, [a, b]]\n", &y, &o), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "keys.yaml:1:17: sensors must be a word");
  ms_keys_free(test_context(), keys, 1, &o);
  ms_yaml_close(&y);
}

static ms_status read_mapping(ms_context *ctx, void *user) {
  ms_yaml y = { 0 };
  options o;
  (void)user;
  ms_status status = read_text(ctx, "sensors: {tip: ch3, root: ch4}\n", &y, &o);
  ms_keys_free(ctx, keys, 1, &o);
  ms_yaml_close(&y);
  return status;
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(read_mapping, NULL) > 0);
}

int main(void) {
  test_folder_open();
  TEST(test_forms);
  TEST(test_refused);
  TEST(test_memory_runs_out);
  test_folder_close();
  return test_finish();
}
