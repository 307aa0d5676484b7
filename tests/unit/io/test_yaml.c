/* Reading a study file: where messages point, what is refused, values, and --set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "io/yaml/yaml.h"
#include "support/check.h"
#include "support/files.h"

static ms_status open_text(const char *text, ms_yaml *y) {
  test_put(test_path("study.yaml"), text);
  return ms_yaml_open(test_context(), test_path("study.yaml"), y);
}

/* The message behind the file's path. */
static const char *message(void) {
  const char *text = ms_context_message(test_context()), *path = test_path("study.yaml");
  return strncmp(text, path, strlen(path)) == 0 ? text + strlen(path) : text;
}

static void check_refused(const char *text, const char *want) {
  ms_yaml y;
  CHECK_STATUS(open_text(text, &y), MS_ERR_FORMAT);
  CHECK_TEXT(message(), want);
  ms_yaml_close(&y); /* of a file that was refused, too */
}

/* Line, column, the line itself and a caret below the place. */
static void test_refused(void) {
  check_refused("title: one\ndamping: &d {modal: 0.013}\nother: *d\n",
                ":3:8: aliases are not read; write the value itself\n  other: *d\n         ^");
  check_refused(
      "a: &a {x: 1.7}\nb: {<<: 3, y: 2.9}\n",
      ":2:5: merge keys are not read; write the keys themselves\n  b: {<<: 3, y: 2.9}\n      ^");
  check_refused("title: one\n---\ntitle: two\n",
                ":2:1: a second document begins; a study file has one\n  ---\n  ^");
  check_refused(
      "joints:\n  lap: {F_S: 7.3, K_T: 21, F_S: 7.9}\n",
      ":2:28: duplicate key 'F_S'; write it once\n  \x20 lap: {F_S: 7.3, K_T: 21, F_S: 7.9}\n"
      "                             ^");
  check_refused("b: 1\na: 2\n\"a\": 3\nb: 4\n", /* the first in the file, quoted or not */
                ":3:2: duplicate key 'a'; write it once\n  \"a\": 3\n   ^");
  check_refused(
      "- {k: 1}\n- [{k: 2, l: 3, k: 4}]\n", /* in lists of lists */
      ":2:17: duplicate key 'k'; write it once\n  - [{k: 2, l: 3, k: 4}]\n                  ^");
  check_refused(
      "title: Tr\xe4gheit\n",
      ":1:10: a byte that is not UTF-8; save the file in this encoding\n  title: Tr\xe4gheit\n"
      "           ^");
  check_refused(
      "title: Tr\xc3\xa4gheit\nb: \xff\n", /* columns count letters */
      ":2:4: a byte that is not UTF-8; save the file in this encoding\n  b: \xff\n     ^");
}

/* What libfyaml says, at its place; a list without its end is wrong where the text ends. */
static void test_syntax(void) {
  ms_yaml y;
  CHECK_STATUS(open_text("a: 1\nb: ]\n", &y), MS_ERR_FORMAT);
  CHECK_HAS(message(), ":2:4: ");
  CHECK_STATUS(open_text("a: 1\nb: [2.3, 7.1\n\n\n", &y), MS_ERR_FORMAT);
  CHECK_HAS(message(), ":2:13: ");
  CHECK_STATUS(open_text("a:\n\tb: 1\n", &y), MS_ERR_FORMAT);
  CHECK_HAS(message(), "\n   b: 1\n  ^"); /* a tab is shown as a blank */
  CHECK_STATUS(open_text("", &y), MS_ERR_FORMAT);
  CHECK_TEXT(message(), ": is empty or not YAML");
  CHECK_STATUS(open_text("# nothing\n", &y), MS_ERR_FORMAT);
}

static void test_bytes(void) {
  ms_yaml y;
  const char nul[] = "a: 1\r\nb: \0 2\n";
  test_put_bytes(test_path("study.yaml"), nul, sizeof nul - 1);
  CHECK_STATUS(ms_yaml_open(test_context(), test_path("study.yaml"), &y), MS_ERR_FORMAT);
  CHECK_TEXT(message(), ":2: has a NUL byte; a study file is text in UTF-8");
  CHECK_STATUS(ms_yaml_open(test_context(), test_path("none.yaml"), &y), MS_ERR_FILE);
  CHECK_HAS(message(), "none.yaml: No such file");
  /* Lines that end with CR LF or CR alone count as lines. */
  check_refused("a: 1\r\nb: *x\r\n",
                ":2:4: aliases are not read; write the value itself\n  b: *x\n     ^");
  check_refused("a: 1\rb: 2\ra: 3\r", ":3:1: duplicate key 'a'; write it once\n  a: 3\n  ^");
}

/* Deeper than any study, and than the parser's own limit: no crash, and a message or the values. */
static void test_deep(void) {
  enum { SHALLOW = 40, DEEP = 100000 };
  char *text = malloc(2 * DEEP + 8);
  ms_yaml y;
  CHECK(text);
  if (!text) return;
  for (int depth = SHALLOW; depth <= DEEP; depth += DEEP - SHALLOW) {
    int n = sprintf(text, "a: ");
    memset(text + n, '[', (size_t)depth);
    memset(text + n + depth, ']', (size_t)depth);
    strcpy(text + n + 2 * depth, "\n");
    const ms_status status = open_text(text, &y);
    CHECK_EQUAL(status, depth == SHALLOW ? MS_SUCCESS : MS_ERR_FORMAT);
    if (status == MS_SUCCESS) ms_yaml_close(&y);
  }
  CHECK_HAS(message(), ":1:");
  free(text);
}

/* ---- values ---- */

static const char study[] =
    "title: \"Two masses\"\n"
    "joints:\n"
    "  bolt.1: {law: iwan4, F_S: 23.85, points: [3, 7.1, -2e-3]}\n"
    "  bolt: {F_S: nan, n: 2.5, empty: []}\n"
    "springs: [[ground, u1, 9.3], [u1, u2, 8.7]]\n";

static void check_complaint(ms_status status, ms_status want, const char *words) {
  CHECK_STATUS(status, want);
  CHECK_HAS(message(), words);
}

static void test_values(void) {
  ms_yaml y;
  double x = 0.0, lower = 0.0, upper = 0.0, *list = NULL;
  ptrdiff_t n = 0;
  const char *text = NULL;
  if (!CHECK_OK(open_text(study, &y))) return;
  CHECK_OK(ms_yaml_text(&y, ms_yaml_find(&y, "title"), "title", &text));
  CHECK_TEXT(text, "Two masses");
  CHECK_OK(ms_yaml_number(&y, ms_yaml_find(&y, "joints.bolt.1.F_S"), "F_S", &x));
  CHECK_NEAR(x, 23.85, 0.0);
  CHECK_OK(ms_yaml_number(&y, ms_yaml_find(&y, "springs.1.2"), "k", &x));
  CHECK_NEAR(x, 8.7, 0.0);
  CHECK_OK(ms_yaml_numbers(&y, ms_yaml_find(&y, "joints.bolt.1.points"), "points", &list, &n));
  if (CHECK_EQUAL(n, 3)) CHECK_NEAR(list[2], -2e-3, 0.0);
  ms_free(y.ctx, &list);
  check_complaint(ms_yaml_number(&y, ms_yaml_find(&y, "joints.bolt.F_S"), "F_S", &x), MS_ERR_FORMAT,
                  ":4:15: F_S must be a finite number, not 'nan'");
  check_complaint(ms_yaml_number(&y, ms_yaml_find(&y, "springs.0"), "k", &x), MS_ERR_FORMAT,
                  ":5:12: k must be a finite number\n");
  check_complaint(ms_yaml_count_value(&y, ms_yaml_find(&y, "joints.bolt.n"), "n", 1, &n),
                  MS_ERR_BOUNDS, ":4:23: n must be a whole number >= 1, not 2.5");
  check_complaint(ms_yaml_positive(&y, ms_yaml_find(&y, "joints.bolt.1.points.2"), "p", &x),
                  MS_ERR_BOUNDS, ":3:53: p must be > 0, not -0.002");
  /* An empty list has no place of its own: its key's. */
  check_complaint(ms_yaml_numbers(&y, ms_yaml_find(&y, "joints.bolt.empty"), "e", &list, &n),
                  MS_ERR_FORMAT, ":4:28: e must be a number or a list of numbers");
  check_complaint(ms_yaml_bounds(&y, ms_yaml_find(&y, "joints.bolt.1.points"), &lower, &upper),
                  MS_ERR_BOUNDS, "the lower first");
  CHECK(!ms_yaml_find(&y, "springs.2"));
  CHECK(!ms_yaml_find(&y, "springs.-1"));
  CHECK(!ms_yaml_find(&y, "joints.bolt.2"));
  CHECK(!ms_yaml_find(&y, "title.x"));
  ms_yaml_close(&y);
}

static void test_keys(void) {
  static const ms_param keys[] = {
    { .name = "law", .kind = MS_PARAM_WORD, .required = 1, .meaning = "its name" },
    { .name = "between", .kind = MS_PARAM_WORD, .required = 1, .meaning = "two places" },
    { .name = "F_S", .kind = MS_PARAM_NUMBER, .meaning = "slip force" },
  };
  ms_yaml y;
  if (!CHECK_OK(open_text(
          "a: {law: x, betwen: [u, v]}\nb: {F_S: 3.1, law: x}\nc: 7\nd: {law: x, between: 3}\n"
          "e: {temperature: 3}\n",
          &y)))
    return;
  struct fy_node *root = ms_yaml_root(&y);
  check_complaint(ms_yaml_check_keys(&y, ms_yaml_get(root, "a"), "joint a", keys, 3), MS_ERR_NAME,
                  ":1:13: joint a has no key 'betwen'; did you mean 'between'?\n");
  check_complaint(ms_yaml_check_keys(&y, ms_yaml_get(root, "e"), "joint e", keys, 3), MS_ERR_NAME,
                  ":5:5: joint e has no key 'temperature'; there are law, between, F_S\n");
  check_complaint(ms_yaml_check_keys(&y, ms_yaml_get(root, "b"), "joint b", keys, 3), MS_ERR_NAME,
                  ":2:5: joint b needs 'between': two places\n");
  check_complaint(ms_yaml_check_keys(&y, ms_yaml_get(root, "c"), "joint c", keys, 3), MS_ERR_FORMAT,
                  ":3:4: joint c must be a mapping with keys such as 'law'\n");
  CHECK_OK(ms_yaml_check_keys(&y, ms_yaml_get(root, "d"), "joint d", keys, 3));
  ms_yaml_close(&y);
}

/* ---- --set ---- */

static double value_at(const ms_yaml *y, const char *path) {
  double x = 0.0;
  CHECK_OK(ms_yaml_number(y, ms_yaml_find(y, path), path, &x));
  return x;
}

static void test_override(void) {
  ms_yaml y, copy;
  ms_yaml_span span;
  if (!CHECK_OK(open_text(study, &y))) return;
  CHECK_OK(ms_yaml_override(&y, "joints.bolt.1.F_S=31.7")); /* a key with a point in it */
  CHECK_NEAR(value_at(&y, "joints.bolt.1.F_S"), 31.7, 0.0);
  CHECK_OK(ms_yaml_override(&y, "springs.0.2=11.3"));
  CHECK_NEAR(value_at(&y, "springs.0.2"), 11.3, 0.0);
  CHECK_NEAR(value_at(&y, "springs.1.2"), 8.7, 0.0);
  CHECK_OK(ms_yaml_override(&y, "springs=[[u1, ground, 2.9]]")); /* replaced, not joined */
  CHECK_EQUAL(ms_yaml_count(ms_yaml_find(&y, "springs")), 1);
  CHECK_OK(ms_yaml_override(&y, "joints.bolt.beta=4.1")); /* a key that was not there */
  CHECK_NEAR(value_at(&y, "joints.bolt.beta"), 4.1, 0.0);
  CHECK_OK(ms_yaml_override(&y, "joints.bolt=jenkins")); /* a word for a mapping */
  CHECK(ms_yaml_is_word(ms_yaml_find(&y, "joints.bolt"), "jenkins"));
  /* A complaint about it names no line of the file. */
  CHECK_STATUS(ms_yaml_fail(&y, ms_yaml_find(&y, "springs.0.2"), MS_ERR_BOUNDS, "too small"),
               MS_ERR_BOUNDS);
  CHECK_TEXT(message(), "--set: too small");
  CHECK(!ms_yaml_get_span(&y, ms_yaml_find(&y, "springs.0.2"), &span));
  CHECK(ms_yaml_get_span(&y, ms_yaml_find(&y, "title"), &span));
  CHECK_EQUAL(span.line, 1);
  /* The file as it was. */
  if (CHECK_OK(ms_yaml_copy(&y, test_context(), &copy))) {
    CHECK_NEAR(value_at(&copy, "springs.0.2"), 9.3, 0.0);
    ms_yaml_close(&copy);
  }
  ms_yaml_close(&y);
}

static void test_override_refused(void) {
  static const char *const wrong[] = { "joints.bolt.F_S", "=3", "joints.=3", "title=" };
  ms_yaml y;
  if (!CHECK_OK(open_text(study, &y))) return;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_STATUS(ms_yaml_override(&y, wrong[i]), MS_ERR_ARGUMENT);
    CHECK_HAS(message(), "write --set KEY.KEY=VALUE");
    CHECK_HAS(message(), wrong[i]);
  }
  CHECK_STATUS(ms_yaml_override(&y, "loads.push.amplitude=3"), MS_ERR_NAME);
  CHECK_TEXT(message(), "--set loads.push.amplitude=3: the study has no 'loads.push' to set it in");
  CHECK_STATUS(ms_yaml_override(&y, "springs.7=3"), MS_ERR_NAME);
  CHECK_STATUS(ms_yaml_override(&y, "title=[1, 2"), MS_ERR_FORMAT);
  CHECK_TEXT(message(), "--set title=[1, 2: '[1, 2' is no YAML value");
  CHECK_STATUS(ms_yaml_override(&y, "title=*other"), MS_ERR_FORMAT);
  CHECK_STATUS(ms_yaml_override(&y, "springs.0.2=&a 3\n---\n"), MS_ERR_FORMAT);
  CHECK_NEAR(value_at(&y, "springs.0.2"), 9.3, 0.0); /* and nothing has changed */
  CHECK_TEXT(fy_node_get_scalar0(ms_yaml_find(&y, "title")), "Two masses");
  ms_yaml_close(&y);
}

/* A path with a line break is the text. */
static void test_given_text(void) {
  ms_yaml y;
  CHECK_OK(ms_yaml_open(test_context(), "title: Three masses\ndamping: 0.013\n", &y));
  CHECK_NEAR(value_at(&y, "damping"), 0.013, 0.0);
  CHECK_TEXT(y.path, "study");
  ms_yaml_close(&y);
  CHECK_STATUS(ms_yaml_open(test_context(), "a: 1\nb: *x\n", &y), MS_ERR_FORMAT);
  CHECK_TEXT(ms_context_message(test_context()),
             "study:2:4: aliases are not read; write the value itself\n  b: *x\n     ^");
}

static ms_status read_given(ms_context *ctx, void *user) {
  ms_yaml y;
  (void)user;
  MS_TRY(ms_yaml_open(ctx, "title: Three masses\n", &y));
  ms_yaml_close(&y);
  return MS_SUCCESS;
}

static ms_status read_again(ms_context *ctx, void *user) {
  ms_yaml y, copy;
  (void)user;
  MS_TRY(ms_yaml_open(ctx, test_path("study.yaml"), &y));
  ms_status status = ms_yaml_copy(&y, ctx, &copy);
  if (status == MS_SUCCESS) ms_yaml_close(&copy);
  ms_yaml_close(&y);
  return status;
}

static void test_memory_fails(void) {
  test_put(test_path("study.yaml"), study);
  CHECK(test_allocations(read_again, NULL) > 5);
  CHECK(test_allocations(read_given, NULL) >= 2);
}

/* What is said elsewhere is left out: the place, the name, the line shown. */
static void test_reason(void) {
  char text[80];
  ms_yaml y;
  CHECK_OK(open_text("a: 1\n", &y));
  ms_yaml_fail(&y, ms_yaml_get(ms_yaml_root(&y), "a"), MS_ERR_BOUNDS, "run: too %s", "small");
  ms_yaml_print_reason(&y, "run", text, sizeof text);
  CHECK_TEXT(text, "too small");
  ms_yaml_print_reason(&y, "ru", text, sizeof text);
  CHECK_TEXT(text, "run: too small");
  ms_fail(test_context(), MS_ERR_BOUNDS, "here: large");
  ms_yaml_print_reason(&y, "run", text, sizeof text);
  CHECK_TEXT(text, "here: large");
  ms_yaml_close(&y);
}

int main(void) {
  test_folder_open();
  TEST(test_refused);
  TEST(test_syntax);
  TEST(test_bytes);
  TEST(test_deep);
  TEST(test_values);
  TEST(test_reason);
  TEST(test_keys);
  TEST(test_override);
  TEST(test_override_refused);
  TEST(test_given_text);
  TEST(test_memory_fails);
  test_folder_close();
  return test_finish();
}
