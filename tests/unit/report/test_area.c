/* Areas, clouds of points, and figures with set columns and places left free. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/internal.h"
#include "support/check.h"

static const ms_panel some_panel = { "Band", "q", "m", "omega", "rad/s", 0, 0 };
/* A square ring seen from outside: the corner points, around. */
static const double square_x[] = { 1.3, 7.9, 7.9, 1.3 }, square_y[] = { 2.1, 2.1, 9.7, 9.7 };

static ms_figure *new_figure(void) {
  ms_figure *figure = NULL;
  CHECK_OK(ms_figure_create(test_context(), "A title", NULL, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  return figure;
}

static void add(ms_figure *figure, const char *label, ms_series_style style, ptrdiff_t n,
                const double *x, const double *y) {
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { label, x, y, n, style, 3 }));
}

/* What was written, to be freed. */
static char *take(FILE *file) {
  size_t size = (size_t)ftell(file);
  char *text = calloc(size + 1, 1);
  rewind(file);
  CHECK(text != NULL && fread(text, 1, size, file) == size);
  fclose(file);
  return text;
}

/* What the first panel's series are drawn as, to be freed. */
static char *drawn(const ms_figure *figure) {
  ms_layout layout;
  FILE *out = tmpfile();
  CHECK_OK(ms_layout_setup(figure, &layout));
  ms_svg_draw_series(out, &layout.view[0]);
  ms_free(test_context(), &layout.view);
  return take(out);
}

/* Beneath points, and these beneath lines, whichever came first; closed; all of its corners. */
static void test_area(void) {
  ms_figure *figure = new_figure();
  add(figure, "points", MS_SERIES_POINTS, 4, square_x, square_y);
  add(figure, "line", MS_SERIES_LINE, 4, square_x, square_y);
  add(figure, "cloud", MS_SERIES_CLOUD, 4, square_x, square_y);
  add(figure, "area", MS_SERIES_AREA, 4, square_x, square_y);
  char *svg = drawn(figure);
  const char *area = strstr(svg, "<path class=\"area p3\" d=\"M");
  const char *cloud = strstr(svg, "<path class=\"cloud l3\" d=\"M");
  const char *line = strstr(svg, "<path class=\"line l3\""),
             *point = strstr(svg, "<path class=\"point p3\"");
  CHECK(area && cloud && line && point && area < cloud && cloud < point && point < line);
  if (area && cloud && line) {
    const char *end = strchr(area, '>');
    int corners = 0, dots = 0;
    CHECK(strncmp(end - 3, "Z\"/", 3) == 0);
    for (const char *c = area; c < end; c++) corners += *c == ',';
    for (const char *c = cloud; c < line; c++) dots += strncmp(c, "h.01", 4) == 0;
    CHECK_EQUAL(corners, 4);
    CHECK_EQUAL(dots, 4);
  }
  free(svg);
  ms_figure_destroy(&figure);
}

/* A very ragged outline is one stroke: a pen that is lifted would fill something else. */
static void test_ragged_area(void) {
  enum { N = 60000 };
  static double x[N], y[N];
  for (int i = 0; i < N; i++) {
    x[i] = 3.7 * (i < N / 2 ? i : N - i);
    y[i] = (i < N / 2 ? 1.3 : 2.9) + 0.9 * sin(1.7 * i);
  }
  ms_figure *figure = new_figure();
  add(figure, NULL, MS_SERIES_AREA, N, x, y);
  char *svg = drawn(figure);
  int moves = 0;
  for (const char *c = svg; *c; c++) moves += *c == 'M';
  CHECK_EQUAL(moves, 1);
  free(svg);
  ms_figure_destroy(&figure);
}

/* Where a legend goes beside an area of this size. */
static ms_legend_place legend_of(double x, double y) {
  const double xs[] = { 0.0, x, x, 0.0 }, ys[] = { 0.0, 0.0, y, y };
  const double all_x[] = { 0.0, 10.0 }, all_y[] = { 0.0, 10.0 };
  ms_layout layout;
  ms_figure *figure = new_figure();
  add(figure, "band", MS_SERIES_AREA, 4, xs, ys);
  add(figure, NULL, MS_SERIES_CLOUD, 2, all_x, all_y);
  CHECK_OK(ms_layout_setup(figure, &layout));
  ms_legend_place place = layout.view[0].legend_place;
  ms_free(test_context(), &layout.view);
  ms_figure_destroy(&figure);
  return place;
}

static void test_legend_keeps_off_areas(void) {
  CHECK_EQUAL(legend_of(3.1, 2.9), MS_LEGEND_INSIDE);
  CHECK_EQUAL(legend_of(10.0, 10.0), MS_LEGEND_BELOW);
}

static void test_columns(void) {
  ms_figure *figure = new_figure();
  CHECK_STATUS(ms_figure_set_columns(figure, 0), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_figure_set_columns(figure, MS_FIGURE_COLUMNS + 1), MS_ERR_BOUNDS);
  CHECK_OK(ms_figure_set_columns(figure, 4));
  CHECK_OK(ms_figure_skip_panel(figure));
  const ms_series series = { "late", square_x, square_y, 4, MS_SERIES_LINE, 0 };
  CHECK_STATUS(ms_figure_add_series(figure, &series), MS_ERR_STATE);
  CHECK_OK(ms_figure_skip_panel(figure));
  CHECK_OK(ms_figure_skip_panel(figure));
  CHECK_OK(ms_figure_add_panel(figure, &some_panel)); /* the first of the second row */
  ms_layout layout;
  CHECK_OK(ms_layout_setup(figure, &layout));
  CHECK_EQUAL(layout.columns, 4);
  CHECK_NEAR(layout.view[4].plot.x, layout.view[0].plot.x, 1e-9);
  CHECK_BELOW(layout.view[0].plot.y + layout.view[0].plot.h, layout.view[4].plot.y);
  FILE *out = tmpfile();
  ms_svg_draw_plain(out, figure, &layout, "ms-still");
  char *text = take(out);
  int panels = 0;
  for (const char *at = text; (at = strstr(at, ">Band</text>")); at++) panels++;
  CHECK_EQUAL(panels, 2);
  free(text);
  ms_free(test_context(), &layout.view);
  ms_figure_destroy(&figure);
}

/* Names in place of numbers, the first at the top; room for all of them, and for long ones. */
static void test_rows(void) {
  static const char *const name[] = { "lap.F_S", "\u03B2",
                                      "a name with more letters than an axis has room for" };
  static const char *const none[] = { "lap.F_S", NULL };
  ms_figure *figure = new_figure();
  ms_layout layout;
  double x, y[3];
  CHECK_STATUS(ms_figure_name_rows(figure, 0, name), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_figure_name_rows(figure, 1, NULL), MS_ERR_ARGUMENT);
  CHECK_OK(ms_figure_name_rows(figure, 1, name));
  CHECK_STATUS(ms_figure_name_rows(figure, 2, none), MS_ERR_ARGUMENT); /* and the one stays */
  CHECK_OK(ms_layout_setup(figure, &layout));
  CHECK(layout.view[0].y.n == 1 && strcmp(layout.view[0].y.tick[0].label, "lap.F_S") == 0);
  ms_free(test_context(), &layout.view);
  CHECK_OK(ms_figure_name_rows(figure, 3, name));
  CHECK_OK(ms_layout_setup(figure, &layout));
  const ms_axis *axis = &layout.view[0].y;
  CHECK(axis->n == 3 && axis->exponent == 0 && axis->low <= 0.5 && axis->high >= 3.5);
  CHECK(strcmp(axis->tick[2].label, "lap.F_S") == 0 && strcmp(axis->tick[1].label, "\u03B2") == 0);
  CHECK(strncmp(axis->tick[0].label, name[2], 47) == 0 && strlen(axis->tick[0].label) == 47);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(axis->tick[i].value, i + 1.0, 0.0);
    ms_view_point(&layout.view[0], 0.0, axis->tick[i].value, &x, &y[i]);
  }
  CHECK(y[0] > y[1] && y[1] > y[2]); /* px grow downwards */
  CHECK(layout.view[0].gutter > ms_text_width(axis->tick[0].label, NULL, MS_TICK_SIZE));
  ms_free(test_context(), &layout.view);
  CHECK_OK(ms_figure_add_panel(figure, &(ms_panel) { .y_log = 1 }));
  CHECK_STATUS(ms_figure_name_rows(figure, 3, name), MS_ERR_ARGUMENT);
  CHECK_OK(ms_figure_skip_panel(figure));
  CHECK_STATUS(ms_figure_name_rows(figure, 3, name), MS_ERR_STATE);
  CHECK_STATUS(ms_figure_name_rows(NULL, 3, name), MS_ERR_ARGUMENT);
  ms_figure_destroy(&figure);
}

int main(void) {
  TEST(test_area);
  TEST(test_ragged_area);
  TEST(test_legend_keeps_off_areas);
  TEST(test_columns);
  TEST(test_rows);
  return test_finish();
}
