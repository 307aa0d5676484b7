/* A figure in which the reader chooses, and maps of hexagons: what the page holds, what is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/report.h>

#include "support/check.h"
#include "support/files.h"

static const double front_x[] = { 1.3e-4, 2.7e-4, 5.9e-4 }, front_y[] = { 0.31, 0.17, 0.043 };
static const double curve_x[] = { 0.7, 2.3 }, y[] = { 1.1, 1.9, 2.1, 2.9, 3.1, 3.9 };
static const double K[] = { 2.385, 17.1, 93.7 };
static const char *const name[] = { NULL, "knee </script>", NULL };

static ms_choices make_choices(const ms_choice_curve *curve, const ms_choice_bar *bar) {
  return (ms_choices) {
    .n = 3, .first = 1, .name = name, .n_curve = 1, .curve = curve, .n_bar = 1, .bar = bar
  };
}

static ms_choice_curve make_curve(void) {
  return (ms_choice_curve) { .panel = 1, .n = 2, .x = curve_x, .y = y };
}

static ms_choice_bar make_bar(void) {
  return (ms_choice_bar) {
    .name = "K_T", .unit = "N/m", .low = 1.3, .high = 130.0, .log = 1, .value = K
  };
}

static ms_status make_figure(ms_context *ctx, ms_figure **out) {
  MS_TRY(ms_figure_create(ctx, "Front", NULL, out));
  MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { .title = "front" }));
  MS_TRY(ms_figure_add_series(*out,
                              &(ms_series) { "front", front_x, front_y, 3, MS_SERIES_POINTS, 0 }));
  return ms_figure_add_panel(*out, &(ms_panel) { .title = "curve" });
}

static ms_status add(ms_context *ctx, ms_page *page, const ms_choices *choices) {
  ms_figure *figure = NULL;
  ms_status status = make_figure(ctx, &figure);
  if (status == MS_SUCCESS) status = ms_page_add_choices(page, "caption", figure, choices);
  ms_figure_destroy(&figure);
  return status;
}

/* The page as a text, to be freed. */
static char *read_page(void) {
  size_t n;
  char *bytes = test_get(test_path("choices.html"), &n), *text = calloc(n + 1, 1);
  CHECK(bytes && text);
  memcpy(text, bytes, n);
  free(bytes);
  return text;
}

static void test_data(void) {
  const ms_choice_curve curve = make_curve();
  const ms_choice_bar bar = make_bar();
  const ms_choices choices = make_choices(&curve, &bar);
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "Page", NULL, &page));
  CHECK_OK(add(test_context(), page, &choices));
  CHECK_OK(ms_page_write(page, test_path("choices.html")));
  char *text = read_page();
  const char *data = strstr(text, "class=\"ms-choices\">");
  CHECK(data != NULL);
  CHECK_HAS(data, "\"first\": 1");
  CHECK_HAS(data, "knee \\u003c/script>");
  CHECK_HAS(data, "[1.1,1.9]");
  CHECK_HAS(data, "[3.1,3.9]");
  CHECK_HAS(data, "[2.385,17.1,93.7]");
  CHECK_HAS(data, "\"unit\": \"N/m\"");
  CHECK(strstr(data, "</script>") < strstr(data, "</figure>"));
  free(text);
  ms_page_destroy(&page);
}

/* Nothing of what is refused is in the page. */
static void refuse(const ms_choices *choices, ms_status want, const char *words) {
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "Page", NULL, &page));
  CHECK_STATUS(add(test_context(), page, choices), want);
  CHECK_HAS(ms_context_message(test_context()), words);
  CHECK_OK(ms_page_write(page, test_path("choices.html")));
  char *text = read_page();
  CHECK(!strstr(text, "<figure"));
  free(text);
  ms_page_destroy(&page);
}

static void test_refusals(void) {
  static const double wrong[] = { 2.385, NAN, 93.7 };
  ms_choice_curve curve = make_curve();
  ms_choice_bar bar = make_bar();
  ms_choices choices = make_choices(&curve, &bar);
  choices.n = 2;
  refuse(&choices, MS_ERR_ARGUMENT, "the first series has 3 points");
  choices.n = 3, choices.first = 3;
  refuse(&choices, MS_ERR_ARGUMENT, "the first of them 3");
  choices.first = 0, curve.panel = 2;
  refuse(&choices, MS_ERR_ARGUMENT, "in panel 2; panels are 0 to 1");
  curve.panel = -1;
  refuse(&choices, MS_ERR_ARGUMENT, "points in panel -1; panels are 0 to 1");
  curve.panel = 1;
  const ptrdiff_t points = curve.n;
  curve.n = 0;
  refuse(&choices, MS_ERR_ARGUMENT, "a curve of 0 points in panel 1");
  curve.n = points, choices.first = -1;
  refuse(&choices, MS_ERR_ARGUMENT, "the first of them -1");
  choices.first = 0, bar.low = -1.0;
  refuse(&choices, MS_ERR_ARGUMENT, "bar K_T from -1 to 130");
  bar.low = 1.0, bar.value = wrong;
  refuse(&choices, MS_ERR_NUMERIC, "value 1 of K_T is");
  refuse(NULL, MS_ERR_ARGUMENT, "the choices are NULL");
}

/* ---- maps ---- */

static const double K_T[] = { 2.385e7, 4.1e7, 3.7e8, 1.9e8, 2.2e7, 9.3e8 };
static const double chi[] = { -0.71, -0.31, -0.52, -0.44, -0.13, -0.66 };

static ms_hex_map make_map(ms_hex_plane plane[2]) {
  plane[0] = (ms_hex_plane) { "K_T", "N/m", K_T, 1 };
  plane[1] = (ms_hex_plane) { "chi & co", NULL, chi, 0 };
  return (ms_hex_map) { .columns = 3, .rows = 2, .n_plane = 2, .plane = plane };
}

/* The class of every hexagon of both planes, eight even steps from lowest to highest. */
static void test_map(void) {
  ms_hex_plane plane[2];
  const ms_hex_map map = make_map(plane);
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "Page", NULL, &page));
  CHECK_OK(ms_page_add_map(page, "caption", &map));
  CHECK_OK(ms_page_write(page, test_path("choices.html")));
  char *text = read_page(), *at = strstr(text, "class=\"ms-map\"");
  CHECK(at != NULL);
  CHECK_HAS(at, "chi &amp; co");
  CHECK_HAS(at, "<title>2.385e+07</title>");
  for (int k = 0; k < 12; k++) {
    at = strstr(at, "<path class=\"h") + strlen("<path class=\"h");
    double low = k < 6 ? log(2.2e7) : -0.71, high = k < 6 ? log(9.3e8) : -0.13;
    double v = k < 6 ? log(K_T[k]) : chi[k - 6], level = floor(8.0 * (v - low) / (high - low));
    CHECK_EQUAL(*at - '0', fmin(level, 7.0));
  }
  CHECK(!strstr(at, "<path class=\"h"));
  free(text);
  ms_page_destroy(&page);
}

static void test_map_refusals(void) {
  static const double wrong[] = { 1.1, 2.2, 3.3, -4.4, 5.5, 6.6 };
  ms_hex_plane plane[2];
  ms_hex_map map = make_map(plane);
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "Page", NULL, &page));
  map.rows = 0;
  CHECK_STATUS(ms_page_add_map(page, NULL, &map), MS_ERR_ARGUMENT);
  map.rows = 2, plane[0].value = wrong;
  CHECK_STATUS(ms_page_add_map(page, NULL, &map), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "node 3 of plane K_T is -4.4");
  ms_page_destroy(&page);
}

static ms_status make_page(ms_context *ctx, void *user) {
  const ms_choice_curve curve = make_curve();
  const ms_choice_bar bar = make_bar();
  const ms_choices choices = make_choices(&curve, &bar);
  ms_page *page = NULL;
  (void)user;
  ms_hex_plane plane[2];
  const ms_hex_map map = make_map(plane);
  MS_TRY(ms_page_create(ctx, "Page", NULL, &page));
  ms_status status = add(ctx, page, &choices);
  if (status == MS_SUCCESS) status = ms_page_add_map(page, "caption", &map);
  ms_page_destroy(&page);
  return status;
}

static void test_failing_memory(void) {
  CHECK(test_allocations(make_page, NULL) > 8);
}

int main(void) {
  test_folder_open();
  TEST(test_data);
  TEST(test_refusals);
  TEST(test_map);
  TEST(test_map_refusals);
  TEST(test_failing_memory);
  test_folder_close();
  return test_finish();
}
