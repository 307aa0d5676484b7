/* Figures as data in results.h5: what is read back draws the same picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/result.h>

#include "support/check.h"
#include "support/files.h"

static const double low[] = { 2.1, 0.01, 7.1, 0.9 }, high[] = { 3.3, 0.04, 8.0, 1.7 };
static const double x[] = { 0.7, 2.385, 5.1, 17.0 }, y[] = { 3.1, 0.02, 7.7, 1.3 };

/* Every style, panels with and without titles, a log axis, notes, names of rows, a free place. */
static ms_status make(ms_context *ctx, ms_figure **out) {
  static const char *const row[] = { "lap.F_S", "lap.beta" };
  MS_TRY(ms_figure_create(ctx, "Backbone", "of mode 2", out));
  MS_TRY(ms_figure_set_columns(*out, 2));
  MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { "Damping", "q", "m", "zeta", NULL, 1, 1 }));
  for (int style = MS_SERIES_LINE; style <= MS_SERIES_CLOUD; style++) {
    const ms_series s = { style % 2 ? "qsma" : NULL, x,        y, style == 1 ? 0 : 4,
                          (ms_series_style)style,    style - 1 };
    MS_TRY(ms_figure_add_series(*out, &s));
  }
  const ms_series bars = { "bars", x, y, 4, MS_SERIES_POINTS, 2, .y_low = low, .y_high = high };
  MS_TRY(ms_figure_add_series(*out, &bars));
  ms_figure_share(*out, MS_SHARE_X);
  MS_TRY(ms_figure_add_note(*out, 2.1, 0.3, "slip"));
  MS_TRY(ms_figure_skip_panel(*out));
  MS_TRY(ms_figure_add_panel(*out, &(ms_panel) { .height = 0.5 }));
  MS_TRY(ms_figure_name_rows(*out, 2, row));
  return ms_figure_add_note(*out, 1.0, 1.0, "5 %");
}

static ms_status write_and_read(ms_context *ctx, const ms_figure *figure, const char *caption,
                                char **again, ms_figure **out) {
  ms_results *file;
  MS_TRY(ms_results_create(ctx, test_path("figure.h5"), &file));
  ms_status status = ms_figure_write_results(figure, caption, file, "figures/1");
  if (status == MS_SUCCESS) status = ms_figure_read_results(ctx, file, "figures/1", again, out);
  ms_results_close(&file);
  return status;
}

static void test_round_trip(void) {
  ms_figure *figure = NULL, *again = NULL;
  char *caption = NULL;
  size_t n[2] = { 0, 0 };
  CHECK_OK(make(test_context(), &figure));
  CHECK_OK(write_and_read(test_context(), figure, "Look at the slope.", &caption, &again));
  CHECK_TEXT(caption ? caption : "", "Look at the slope.");
  CHECK_OK(ms_figure_write_svg(figure, test_path("first.svg"), MS_THEME_LIGHT));
  CHECK_OK(ms_figure_write_svg(again, test_path("again.svg"), MS_THEME_LIGHT));
  char *first = test_get(test_path("first.svg"), &n[0]),
       *second = test_get(test_path("again.svg"), &n[1]);
  CHECK(n[0] > 1000 && n[0] == n[1] && memcmp(first, second, n[0]) == 0);
  free(first), free(second);
  ms_free(test_context(), &caption);
  ms_figure_destroy(&again);
  CHECK_OK(write_and_read(test_context(), figure, NULL, &caption, &again));
  CHECK(caption == NULL);
  ms_figure_destroy(&again);
  ms_figure_destroy(&figure);
}

/* A figure whose tables do not fit together is refused. */
static void test_damage(void) {
  static const char *const panels[] = { "title",  "x_label",  "x_unit",  "y_label",
                                        "y_unit", "x_column", "y_column" };
  static const char *const flags[] = { "panels/x_log",      "panels/y_log", "panels/x_quantity",
                                       "panels/y_quantity", "panels/empty", "curves/pattern",
                                       "curves/mode",       "curves/more",  "panels/part" };
  static const char *const none[] = { "" }, *const line[] = { "line" };
  const int64_t zero[] = { 0 }, one[] = { 1 };
  for (int bad = 0; bad < 3; bad++) { /* too few points, two units for one panel, no colours */
    const int64_t points[] = { bad == 0 ? 5 : 4 };
    ms_results *file = NULL;
    ms_figure *figure = NULL;
    char path[64], *caption = NULL;
    CHECK_OK(ms_results_create(test_context(), test_path("damaged.h5"), &file));
    for (int i = 0; i < 7; i++) {
      snprintf(path, sizeof path, "f/panels/%s", panels[i]);
      const char *const two[] = { "m", "m" };
      const int twice = bad == 1 && i == 2;
      CHECK_OK(ms_results_write_texts(file, path, twice ? 2 : 1, twice ? two : none));
    }
    for (int i = 0; i < 9; i++) {
      snprintf(path, sizeof path, "f/%s", flags[i]);
      CHECK_OK(ms_results_write_integers(file, path, 1, zero));
    }
    CHECK_OK(ms_results_write_vector(file, "f/panels/height", 1, x));
    CHECK_OK(ms_results_write_texts(file, "f/curves/key", 1, none));
    CHECK_OK(ms_results_write_integers(file, "f/curves/panel", 1, one));
    CHECK_OK(ms_results_write_texts(file, "f/curves/label", 1, none));
    CHECK_OK(ms_results_write_texts(file, "f/curves/style", 1, line));
    if (bad != 2) CHECK_OK(ms_results_write_integers(file, "f/curves/colour", 1, zero));
    CHECK_OK(ms_results_write_integers(file, "f/curves/points", 1, points));
    CHECK_OK(ms_results_write_vector(file, "f/points/x", 4, x));
    CHECK_OK(ms_results_write_vector(file, "f/points/y", 4, y));
    CHECK_OK(ms_results_set_number(file, "f", "columns", 0));
    CHECK_OK(ms_results_set_number(file, "f", "share", 0));
    CHECK_STATUS(ms_figure_read_results(test_context(), file, "f", &caption, &figure),
                 bad == 2 ? MS_ERR_NAME : MS_ERR_FORMAT);
    CHECK(figure == NULL && caption == NULL);
    ms_results_close(&file);
  }
}

static ms_status all(ms_context *ctx, void *user) {
  ms_figure *figure = NULL, *again = NULL;
  char *caption = NULL;
  (void)user;
  ms_status status = make(ctx, &figure);
  if (status == MS_SUCCESS) status = write_and_read(ctx, figure, "Caption", &caption, &again);
  ms_free(ctx, &caption);
  ms_figure_destroy(&again);
  ms_figure_destroy(&figure);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(all, NULL) > 60);
}

int main(void) {
  test_folder_open();
  TEST(test_round_trip);
  TEST(test_damage);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
