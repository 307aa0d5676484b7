/* Figures of samples: panels of a corner plot, bars with names. */
#include <math.h>
#include <microslip/report.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { N = 900, MOST = 8 };
static double x[MOST * N];
static const char *const name[MOST] = { "a", "b", "c", "d", "e", "f", "g", "h" };
static const char *const unit[MOST] = { "N", NULL, "m", NULL, NULL, NULL, NULL, NULL };
static const int logarithmic[MOST] = { 1, 0, 0, 0, 0, 0, 0, 0 };

/* The picture of n_x numbers: that many on the diagonal, and clouds below it. */
static void check_corner(ptrdiff_t n_x, int panels) {
  const ms_corner corner = { n_x, N, x, name, unit, logarithmic };
  ms_figure *figure = NULL;
  static char text[2000000];
  const char *path = "corner.svg";
  int n = 0;
  text[0] = 0;
  for (ptrdiff_t i = 0; i < n_x * N; i++) x[i] = exp(sin(2.385 * (double)i));
  for (ptrdiff_t i = 0; i < N && n_x > 1; i++) x[1 + n_x * i] = 7.3; /* one that never changes */
  CHECK_OK(ms_figure_create(test_context(), "Samples", NULL, &figure));
  CHECK_OK(ms_figure_add_corner(figure, &corner));
  CHECK_OK(ms_figure_write_svg(figure, path, MS_THEME_LIGHT));
  FILE *file = fopen(path, "r");
  if (CHECK(file != NULL)) {
    const size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
  }
  remove(path);
  for (const char *at = text; (at = strstr(at, "<g transform=\"translate(")); at++) n++;
  for (const char *at = text; (at = strstr(at, ") rotate(-90)")); at++) n--; /* labels */
  CHECK_EQUAL(n, panels);
  CHECK(strstr(text, "922337203685477580") == NULL); /* infinity, rounded to a whole number */
  ms_figure_destroy(&figure);
}

static void test_corner(void) {
  check_corner(1, 1);
  check_corner(3, 6);
  check_corner(MOST, MS_FIGURE_COLUMNS * (MS_FIGURE_COLUMNS + 1) / 2);
}

static void test_intervals(void) {
  const ms_interval interval[2] = { { 0.1, 0.3, 0.4, 0.31 }, { 0.0, 0.7, 1.0, 0.9 } };
  ms_figure *figure = NULL;
  CHECK_OK(ms_figure_create(test_context(), "Parameters", NULL, &figure));
  CHECK_OK(ms_figure_add_intervals(figure, 2, name, "place", interval));
  const ms_interval bad = { (double)NAN, 0.3, 0.4, 0.31 };
  CHECK_STATUS(ms_figure_add_intervals(figure, 1, name, "place", &bad), MS_ERR_NUMERIC);
  ms_figure_destroy(&figure);
}

int main(void) {
  TEST(test_corner);
  TEST(test_intervals);
  return test_finish();
}
