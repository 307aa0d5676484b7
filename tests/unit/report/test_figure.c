/* Figures: building, refusing, placing, drawing. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/internal.h"

/* ---- helpers ---- */

static const double some_x[] = { 0.31, 1.73, 2.385, 4.07 };
static const double some_y[] = { 12.7, 31.3, 18.9, 77.1 };

static const ms_panel some_panel = { "Loops", "u", "m", "F", "N", 0, 0 };

static ms_series some_series(const char *label) {
  return (ms_series) { label, some_x, some_y, 4, MS_SERIES_LINE_POINTS, 2 };
}

static ms_figure *new_figure(const ms_panel *panel) {
  ms_figure *figure = NULL;
  CHECK_OK(ms_figure_create(test_context(), "A title", NULL, &figure));
  if (panel) CHECK_OK(ms_figure_add_panel(figure, panel));
  return figure;
}

static const char *svg_path(void) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/ms_test_figure_%ld.svg", (long)getpid());
  return path;
}

/* The whole file, to be freed; NULL if there is none. */
static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc((size_t)size + 1, 1);
  if (text && fread(text, 1, (size_t)size, file) != (size_t)size) text[0] = '\0';
  fclose(file);
  return text;
}

/* What the figure looks like as SVG, to be freed. */
static char *svg_of(const ms_figure *figure, ms_theme theme) {
  CHECK_OK(ms_figure_write_svg(figure, svg_path(), theme));
  char *text = read_all(svg_path());
  CHECK(text != NULL);
  remove(svg_path());
  return text ? text : calloc(1, 1);
}

/* ---- is it XML? ---- */

/* The end of the tag that begins at p, past quoted attributes; NULL if it never ends. */
static const char *tag_end(const char *p) {
  char quote = '\0';
  for (; *p; p++) {
    if (quote && *p == '<') return NULL;
    if (quote && *p == quote)
      quote = '\0';
    else if (!quote && (*p == '"' || *p == '\''))
      quote = *p;
    else if (!quote && *p == '>')
      return p;
  }
  return NULL;
}

static int is_entity(const char *p) {
  static const char *const entity[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
  for (size_t i = 0; i < sizeof entity / sizeof *entity; i++)
    if (strncmp(p, entity[i], strlen(entity[i])) == 0) return 1;
  return 0;
}

/* Opens or closes one element; 0 when the nesting is wrong. */
static int nest(const char *p, const char *end, char stack[32][32], int *depth) {
  size_t skip = p[1] == '/' ? 2 : 1, length = strcspn(p + skip, " \n/>");
  if (p[1] == '?' || end[-1] == '/') return p[1] == '?' || *depth > 0;
  if (length == 0 || length > 31) return 0;
  if (skip == 2) {
    if (*depth == 0) return 0;
    --*depth;
    return strlen(stack[*depth]) == length && strncmp(stack[*depth], p + 2, length) == 0;
  }
  if (*depth == 32) return 0;
  memcpy(stack[*depth], p + 1, length);
  stack[(*depth)++][length] = '\0';
  return 1;
}

static int well_formed(const char *p) {
  char stack[32][32];
  int depth = 0;
  for (; *p; p++) {
    if (*p == '&' && !is_entity(p)) return 0;
    if (*p == '>' || ((unsigned char)*p < 0x20 && *p != '\n')) return 0;
    if (*p != '<') continue;
    const char *end = tag_end(p);
    if (!end || !nest(p, end, stack, &depth)) return 0;
    p = end;
  }
  return depth == 0;
}

static void test_well_formed_can_fail(void) {
  CHECK(well_formed("<a><b c=\"d\"/>&lt;</a>"));
  CHECK(!well_formed("<a><b></a></b>"));
  CHECK(!well_formed("<a>"));
  CHECK(!well_formed("<a>&</a>"));
  CHECK(!well_formed("<a b=\"<\"></a>"));
}

/* ---- building ---- */

static void test_arguments(void) {
  ms_context *ctx = test_context();
  ms_figure *figure = NULL;
  CHECK_STATUS(ms_figure_create(ctx, NULL, NULL, &figure), MS_ERR_ARGUMENT);
  CHECK(figure == NULL);
  figure = new_figure(NULL);
  ms_series series = some_series("a");
  CHECK_STATUS(ms_figure_add_series(figure, &series), MS_ERR_STATE);
  CHECK_STATUS(ms_figure_add_note(figure, 1.3, 2.7, "n"), MS_ERR_STATE);
  CHECK_STATUS(ms_figure_write_svg(figure, svg_path(), MS_THEME_AUTO), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(ctx), "A title");
  CHECK_STATUS(ms_figure_add_panel(figure, NULL), MS_ERR_ARGUMENT);
  CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  series.colour = MS_PALETTE_SIZE;
  CHECK_STATUS(ms_figure_add_series(figure, &series), MS_ERR_BOUNDS);
  series = some_series("a");
  series.n = -1;
  CHECK_STATUS(ms_figure_add_series(figure, &series), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_figure_add_note(figure, 1.3, 2.7, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_figure_write_svg(figure, NULL, MS_THEME_AUTO), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_figure_write_svg(figure, svg_path(), (ms_theme)7), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_figure_write_svg(figure, "/dev/null/folder/f.svg", MS_THEME_AUTO), MS_ERR_FILE);
  ms_figure_destroy(&figure);
  CHECK(figure == NULL);
  ms_figure_destroy(&figure);
}

static void test_everything_is_copied(void) {
  double x[] = { 0.3, 1.9, 4.4 }, y[] = { 7.1, -3.3, 2.385 };
  char label[] = "measured", title[] = "Panel", note[] = "here";
  ms_figure *figure = new_figure(&(ms_panel) { title, label, label, label, label, 0, 0 });
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { label, x, y, 3, MS_SERIES_DASHED, 0 }));
  CHECK_OK(ms_figure_add_note(figure, 1.0, 2.0, note));
  char *before = svg_of(figure, MS_THEME_AUTO);
  for (int i = 0; i < 3; i++) x[i] = y[i] = NAN;
  memset(label, 'X', 8), memset(title, 'X', 5), memset(note, 'X', 4);
  char *after = svg_of(figure, MS_THEME_AUTO);
  CHECK_TEXT(after, before);
  CHECK_HAS(before, ">here</text>");
  free(before), free(after);
  ms_figure_destroy(&figure);
}

static ms_status build(ms_context *ctx, ms_figure *figure) {
  ms_series series = some_series("measured");
  (void)ctx;
  MS_TRY(ms_figure_add_panel(figure, &some_panel));
  MS_TRY(ms_figure_add_series(figure, &series));
  series.label = NULL;
  MS_TRY(ms_figure_add_series(figure, &series));
  series.y_low = some_x, series.y_high = some_y, series.omega = some_x, series.key = "mode=2";
  MS_TRY(ms_figure_add_series(figure, &series));
  MS_TRY(ms_figure_add_note(figure, 1.3, 2.7, "slope 2.5"));
  MS_TRY(ms_figure_name_rows(figure, 2, (const char *[]) { "one", "two" }));
  MS_TRY(ms_figure_add_panel(figure, &some_panel));
  return ms_figure_write_svg(figure, svg_path(), MS_THEME_LIGHT);
}

static ms_status build_all(ms_context *ctx, void *user) {
  (void)user;
  ms_figure *figure;
  MS_TRY(ms_figure_create(ctx, "Title", "subtitle", &figure));
  ms_status status = build(ctx, figure);
  ms_figure_destroy(&figure);
  return status;
}

static void test_memory_fails(void) {
  CHECK(test_allocations(build_all, NULL) > 20);
  remove(svg_path());
}

/* ---- refusing ---- */

static void refuse(const ms_panel *panel, double x, double y, ms_status want, const char *part) {
  double xs[] = { 0.31, x, 2.9 }, ys[] = { 12.7, y, 0.53 };
  ms_figure *figure = new_figure(panel);
  ms_series series = { "spoiled", xs, ys, 3, MS_SERIES_LINE, 1 };
  CHECK_STATUS(ms_figure_add_series(figure, &series), want);
  CHECK_HAS(ms_context_message(test_context()), "series 'spoiled' of panel 'Loops'");
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK_STATUS(ms_figure_add_note(figure, x, y, "spoiled"), want);
  series.label = NULL;
  CHECK_STATUS(ms_figure_add_series(figure, &series), want);
  CHECK_HAS(ms_context_message(test_context()), "series 1 of panel 'Loops'");
  char *svg = svg_of(figure, MS_THEME_AUTO); /* nothing of it is in the figure */
  CHECK(!strstr(svg, "spoiled") && !strstr(svg, "<path class=\"line"));
  free(svg);
  ms_figure_destroy(&figure);
}

static void test_not_finite_refused(void) {
  refuse(&some_panel, NAN, 1.7, MS_ERR_NUMERIC, "x[1] is");
  refuse(&some_panel, 1.7, INFINITY, MS_ERR_NUMERIC, "y[1] is inf; only finite");
  refuse(&some_panel, 1.7, -INFINITY, MS_ERR_NUMERIC, "y[1] is -inf");
  refuse(&some_panel, -1.2e301, 1.7, MS_ERR_NUMERIC, "x[1] is -1.2e+301");
}

static void test_log_needs_positive(void) {
  ms_panel panel = some_panel;
  panel.x_log = 1;
  refuse(&panel, 0.0, 1.7, MS_ERR_ARGUMENT, "x axis is logarithmic");
  panel.y_log = 1;
  refuse(&panel, 1.7, -3.1, MS_ERR_ARGUMENT, "y[1] is -3.1");
}

/* ---- colours ---- */

static void test_contrast_formula(void) {
  CHECK_NEAR(ms_colour_contrast(0x000000, 0xFFFFFF), 21.0, 1e-12);
  CHECK_NEAR(ms_colour_contrast(0x777777, 0xFFFFFF), 4.478, 5e-4); /* the well-known near miss */
  CHECK_NEAR(ms_colour_contrast(0xFF0000, 0xFFFFFF), 3.998, 5e-4);
  CHECK_NEAR(ms_colour_contrast(0x12AB9F, 0x12AB9F), 1.0, 1e-15);
}

static void test_contrast(void) {
  for (int dark = 0; dark < 2; dark++) {
    const ms_colours *c = ms_colours_get(dark);
    CHECK_BELOW(7.0, ms_colour_contrast(c->text, c->background));
    CHECK_BELOW(4.5, ms_colour_contrast(c->muted, c->background));
    CHECK_BELOW(3.0, ms_colour_contrast(c->axis, c->background));
    for (int i = 0; i < MS_PALETTE_SIZE; i++)
      CHECK_BELOW(3.0, ms_colour_contrast(c->series[i], c->background));
  }
}

static void test_themes(void) {
  ms_figure *figure = new_figure(&some_panel);
  char *automatic = svg_of(figure, MS_THEME_AUTO), *light = svg_of(figure, MS_THEME_LIGHT);
  char *dark = svg_of(figure, MS_THEME_DARK);
  CHECK_HAS(automatic, "@media (prefers-color-scheme: dark)");
  CHECK(!strstr(light, "@media") && !strstr(dark, "@media"));
  CHECK_HAS(light, ".bg{fill:#ffffff}");
  CHECK_HAS(dark, ".bg{fill:#12171f}");
  CHECK(!strstr(automatic, "var(") && !strstr(automatic, " id="));
  free(automatic), free(light), free(dark);
  ms_figure_destroy(&figure);
}

/* ---- text ---- */

static void test_escaping(void) {
  ms_figure *figure = NULL;
  const char *nasty = "a<b> & \"c\" 'd' \x01 \xff \xed\xa0\x80 ]]> é χ";
  CHECK_OK(ms_figure_create(test_context(), nasty, nasty, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &(ms_panel) { nasty, nasty, nasty, nasty, nasty, 0, 0 }));
  ms_series series = some_series(nasty);
  CHECK_OK(ms_figure_add_series(figure, &series));
  CHECK_OK(ms_figure_add_note(figure, 2.0, 3.0, nasty));
  char *svg = svg_of(figure, MS_THEME_AUTO);
  CHECK(well_formed(svg));
  CHECK_HAS(svg, "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \uFFFD \uFFFD ");
  CHECK_HAS(svg, " ]]&gt; é χ");
  CHECK(!strchr(svg, '\x01') && !strchr(svg, '\xff'));
  free(svg);
  ms_figure_destroy(&figure);
}

static void test_raised_and_lowered(void) {
  ms_figure *figure = new_figure(&(ms_panel) { "K_T in my_name", "F_S", NULL, "a", "m/s²", 0, 0 });
  double x[] = { -1.1e-5, 1.1e-5 };
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { NULL, x, x, 2, MS_SERIES_LINE, 0 }));
  char *svg = svg_of(figure, MS_THEME_LIGHT);
  CHECK_HAS(svg, ">K<tspan class=\"small\" dy=\"2.86\">T</tspan><tspan dy=\"-2.86\"> in my_name<");
  CHECK_HAS(svg, ">F<tspan class=\"small\" dy=\"2.64\">S</tspan><tspan dy=\"-2.64\"> [10</tspan>");
  CHECK_HAS(svg, "<tspan class=\"small\" dy=\"-4.08\">−6</tspan><tspan dy=\"4.08\"> m/s</tspan>");
  free(svg);
  ms_figure_destroy(&figure);
}

static void test_characters(void) {
  const char *text =
      "a\u00e9\u2212\xf0\x9d\x9c\x92"
      "\xc0\x80\xe2\x88";
  const uint32_t want[] = { 'a', 0xE9, 0x2212, 0x1D712, 0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD, 0, 0 };
  for (int i = 0; i < 10; i++) CHECK_EQUAL(ms_text_next(&text), want[i]);
}

static void test_lines(void) {
  const char *text = "one two three";
  double width = ms_text_width("one two", NULL, 13.0);
  CHECK_EQUAL(ms_text_line(text, 13.0, width + 0.1) - text, 7);
  CHECK_EQUAL(ms_text_line(text, 13.0, 1.7) - text, 3); /* a word too wide stands alone */
  CHECK_EQUAL(ms_text_count_lines(text, 13.0, width + 0.1), 2);
  CHECK_EQUAL(ms_text_count_lines(text, 13.0, 1e4), 1);
  CHECK_EQUAL(ms_text_count_lines("  ", 13.0, 1e4), 0);
  CHECK_EQUAL(ms_text_count_lines(NULL, 13.0, 1e4), 0);
}

static void check_number(double value, const char *want) {
  char text[32] = "";
  FILE *file = tmpfile();
  ms_svg_number(file, value);
  rewind(file);
  CHECK(fgets(text, sizeof text, file) != NULL);
  CHECK_TEXT(text, want);
  fclose(file);
}

static void test_numbers(void) {
  check_number(-12.345678, "-12.35");
  check_number(7.5, "7.5");
  check_number(-0.001, "0");
  check_number(0.07, "0.07");
  check_number(200.0, "200");
}

/* ---- placing ---- */

static void check_layout(ptrdiff_t n, ptrdiff_t columns) {
  ms_figure *figure = new_figure(NULL);
  for (ptrdiff_t i = 0; i < n; i++) CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  ms_layout layout;
  CHECK_OK(ms_layout_setup(figure, &layout));
  CHECK_EQUAL(layout.columns, columns);
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_box a = layout.view[i].plot;
    CHECK(a.x > 0.0 && a.y > 0.0 && a.x + a.w < layout.width && a.y + a.h < layout.height);
    for (ptrdiff_t j = 0; j < i; j++) {
      ms_box b = layout.view[j].plot;
      CHECK(b.x + b.w < a.x - 40.0 || b.y + b.h < a.y - 40.0 || a.x + a.w < b.x - 40.0);
    }
  }
  ms_free(test_context(), &layout.view);
  ms_figure_destroy(&figure);
}

static void test_rows_and_columns(void) {
  const ptrdiff_t columns[] = { 1, 2, 3, 2, 3, 3, 3 };
  for (ptrdiff_t n = 1; n <= 7; n++) check_layout(n, columns[n - 1]);
}

/* Where the legend of one series goes. */
static ms_view legend_of(const double *x, const double *y, ptrdiff_t n) {
  ms_figure *figure = new_figure(&some_panel);
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { "data", x, y, n, MS_SERIES_LINE, 0 }));
  ms_layout layout;
  CHECK_OK(ms_layout_setup(figure, &layout));
  ms_view view = layout.view[0];
  view.panel = NULL;
  ms_free(test_context(), &layout.view);
  ms_figure_destroy(&figure);
  return view;
}

static void test_legend_keeps_off_the_data(void) {
  const double up_x[] = { 0.7, 9.1 }, up_y[] = { 1.3, 8.8 };
  ms_view view = legend_of(up_x, up_y, 2);
  CHECK_EQUAL(view.legend_place, MS_LEGEND_INSIDE);
  CHECK(view.legend.x < 0.5 * view.plot.w && view.legend.y < 0.5 * view.plot.h);
  const double down_y[] = { 8.8, 1.3 };
  view = legend_of(up_x, down_y, 2);
  CHECK_EQUAL(view.legend_place, MS_LEGEND_INSIDE);
  CHECK(view.legend.x > 0.5 * view.plot.w && view.legend.y < 0.5 * view.plot.h);
  const double over_x[] = { 0.0, 0.3, 1.0 }, over_y[] = { 0.93, 1.0, 0.0 };
  view = legend_of(over_x, over_y, 3); /* both ends of the first stretch are off the corner */
  CHECK_BELOW(0.5 * view.plot.w, view.legend.x);
  const double cross_x[] = { 0.7, 9.1, 9.1, 0.7 }, cross_y[] = { 1.3, 8.8, 1.3, 8.8 };
  view = legend_of(cross_x, cross_y, 4);
  CHECK_EQUAL(view.legend_place, MS_LEGEND_BELOW);
  CHECK_BELOW(view.plot.h, view.legend.y);
}

/* ---- curves ---- */

enum { LONG = 20000 };
static double long_x[LONG], long_y[LONG];

/* A view without axes' air: data coordinates are px. */
static ms_view plain_view(void) {
  return (ms_view) { .x = { .low = 0.0, .high = 300.0 },
                     .y = { .low = 240.0, .high = 0.0 },
                     .plot = { 0.0, 0.0, 300.0, 240.0 } };
}

static long draw_long(double *vertex) {
  ms_view view = plain_view();
  ms_series series = { NULL, long_x, long_y, LONG, MS_SERIES_LINE, 0 };
  FILE *file = tmpfile();
  long n = ms_curve_draw(file, &view, &series);
  rewind(file);
  CHECK_EQUAL(fgetc(file), 'M');
  for (long i = 0; i < n && i < LONG; i++)
    CHECK_EQUAL(fscanf(file, "%lf,%lf", &vertex[2 * i], &vertex[2 * i + 1]), 2);
  fclose(file);
  return n;
}

static double distance(const double *a, const double *b, double x, double y) {
  double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  double t = square > 0.0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0.0;
  t = fmin(1.0, fmax(0.0, t));
  return hypot(a[0] + t * dx - x, a[1] + t * dy - y);
}

/* A loop: no point is farther than the tolerance (and the rounding of coordinates) from it. */
static void test_loop_is_thinned(void) {
  static double vertex[2 * LONG];
  for (int i = 0; i < LONG; i++) {
    double a = 4.0 * 3.14159265358979 * i / (LONG - 1);
    long_x[i] = 150.3 + 131.7 * cos(a) * (1.0 - 0.1 * sin(a));
    long_y[i] = 120.9 + 107.1 * sin(a - 0.37);
  }
  long n = draw_long(vertex);
  CHECK(n > 40 && n < 400);
  double worst = 0.0;
  for (int i = 0; i < LONG; i += 7) {
    double nearest = INFINITY;
    for (long k = 1; k < n; k++)
      nearest = fmin(nearest, distance(&vertex[2 * k - 2], &vertex[2 * k], long_x[i], long_y[i]));
    worst = fmax(worst, nearest);
  }
  CHECK_BELOW(worst, 0.1 + 0.01);
}

/* A vibration much faster than the pixels: few vertices, all extremes. */
static void test_vibration_keeps_extremes(void) {
  static double vertex[2 * LONG];
  double top[300] = { 0 }, drawn[300] = { 0 };
  for (int i = 0; i < LONG; i++) {
    long_x[i] = 299.9 * i / (LONG - 1.0);
    long_y[i] = 120.0 + (20.0 + 90.0 * exp(-long_x[i] / 77.0)) * sin(2.385 * i);
    top[(int)long_x[i]] = fmax(top[(int)long_x[i]], long_y[i]);
  }
  long n = draw_long(vertex);
  CHECK(n > 600 && n < 4500);
  for (long i = 0; i < n; i++) {
    int column = (int)vertex[2 * i];
    drawn[column] = fmax(drawn[column], vertex[2 * i + 1]);
  }
  for (int i = 0; i < 300; i++) CHECK_NEAR(drawn[i], top[i], 0.51);
}

static void test_straight_and_back(void) {
  static double vertex[2 * LONG];
  for (int i = 0; i < LONG; i++) {
    double t = i < LONG / 2 ? i : LONG - 1 - i;
    long_x[i] = 3.1 + 0.029 * t;
    long_y[i] = 7.7 + 0.013 * t;
  }
  long n = draw_long(vertex);
  CHECK(n >= 3 && n <= 5); /* out, the turning point, back */
  CHECK_NEAR(vertex[2], 3.1 + 0.029 * (LONG / 2 - 1), 0.11);
  CHECK_NEAR(vertex[2 * n - 2], 3.1, 0.01);
}

/* ---- panels that belong together ---- */

static void add_line(ms_figure *figure, const char *label, double scale, int colour) {
  double x[4], y[4];
  for (int i = 0; i < 4; i++) x[i] = scale * some_x[i], y[i] = scale * some_y[i];
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { label, x, y, 4, MS_SERIES_LINE, colour }));
}

/* Two rows of two: x is one in all panels, y in a row; labels stay at the bottom and at the left.
 */
static void test_shared_axes(void) {
  ms_figure *figure = new_figure(NULL);
  const double scale[] = { 1.0, 3.3, 0.27, 7.1 };
  CHECK_OK(ms_figure_set_columns(figure, 2));
  for (int i = 0; i < 4; i++) {
    CHECK_OK(ms_figure_add_panel(figure, &some_panel));
    add_line(figure, "a", scale[i], 0);
  }
  CHECK_OK(ms_figure_add_panel(figure, &(ms_panel) { "Other", "t", "s", "F", "N", 0, 0 }));
  ms_layout layout;
  CHECK_OK(ms_layout_setup(figure, &layout));
  CHECK(layout.view[0].x.high < layout.view[1].x.high && layout.view[0].x_group < 0);
  ms_free(test_context(), &layout.view);
  ms_figure_share(figure, MS_SHARE_X | MS_SHARE_Y);
  CHECK_OK(ms_layout_setup(figure, &layout));
  const ms_view *v = layout.view;
  for (int i = 1; i < 4; i++) {
    CHECK_EQUAL(v[i].x_group, 0);
    CHECK(v[i].x.low == v[0].x.low && v[i].x.high == v[0].x.high);
  }
  CHECK(v[4].x_group != 0 && v[4].x.high < v[0].x.high);
  CHECK(v[0].y.high == v[1].y.high && v[2].y.high == v[3].y.high && v[0].y.high < v[2].y.high);
  CHECK_EQUAL(v[0].hide_x + 10 * v[1].hide_x + 100 * v[2].hide_x + 1000 * v[3].hide_x, 11);
  CHECK_EQUAL(v[0].hide_y + 10 * v[1].hide_y + 100 * v[2].hide_y + 1000 * v[3].hide_y, 1010);
  CHECK_BELOW(v[1].gutter, v[0].gutter);
  ms_free(test_context(), &layout.view);
  ms_figure_destroy(&figure);
}

static void test_one_legend(void) {
  ms_figure *figure = new_figure(&some_panel);
  add_line(figure, "a", 1.0, 0);
  add_line(figure, "b", 2.0, 1);
  CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  add_line(figure, "b", 2.0, 1);
  add_line(figure, "a", 1.0, 0);
  char *svg = svg_of(figure, MS_THEME_LIGHT);
  const char *entry = strstr(svg, "class=\"entry\"");
  int n = 0;
  for (const char *at = svg; (at = strstr(at, "class=\"entry\"")); at++) n++;
  CHECK_EQUAL(n, 2);
  CHECK(entry && entry > strstr(strstr(svg, "Loops</text>") + 1, "Loops</text>"));
  free(svg);
  add_line(figure, "c", 1.0, 0); /* the colour of another */
  CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  add_line(figure, "a", 1.0, 2);
  ms_layout layout;
  CHECK_OK(ms_layout_setup(figure, &layout));
  CHECK(layout.legend == NULL && layout.view[2].legend_place != MS_LEGEND_NONE);
  ms_free(test_context(), &layout.view);
  ms_figure_destroy(&figure);
}

/* ---- told apart without colour ---- */

static void test_patterns(void) {
  ms_figure *figure = new_figure(&some_panel);
  for (int i = 0; i < MS_PALETTE_SIZE; i++) add_line(figure, "line", 1.0 + 0.1 * i, i);
  const ms_figure_panel *panel = &figure->panel[0];
  for (int i = 0; i < MS_PALETTE_SIZE; i++) {
    CHECK_EQUAL(ms_series_get_dash(panel, &panel->series[i]), i);
    CHECK_EQUAL(ms_series_get_marker(&panel->series[i]), i);
  }
  char *svg = svg_of(figure, MS_THEME_LIGHT);
  CHECK_HAS(svg, "class=\"line l0\"");
  CHECK_HAS(svg, "class=\"line dashed l1\"");
  CHECK_HAS(svg, "class=\"line d7 l7\"");
  CHECK_HAS(svg, " .d7{stroke-dasharray:");
  free(svg);
  /* Dashes that mean something are the only ones. */
  ms_series series = { "fit", some_x, some_y, 4, MS_SERIES_DASHED, -1 };
  CHECK_OK(ms_figure_add_series(figure, &series));
  CHECK_EQUAL(ms_series_get_dash(panel, &panel->series[3]), 0);
  CHECK_EQUAL(ms_series_get_dash(panel, &panel->series[MS_PALETTE_SIZE]), 1);
  CHECK_EQUAL(ms_series_get_marker(&series), MS_PALETTE_SIZE);
  series.pattern = 5;
  CHECK_EQUAL(ms_series_get_dash(panel, &series), 4);
  CHECK_EQUAL(ms_series_get_marker(&series), 4);
  series.pattern = MS_PALETTE_SIZE + 5; /* the same, open */
  CHECK_EQUAL(ms_series_get_marker(&series), MS_PALETTE_SIZE + 5);
  series.pattern = 2 * MS_PALETTE_SIZE + 1;
  CHECK_STATUS(ms_figure_add_series(figure, &series), MS_ERR_BOUNDS);
  ms_figure_destroy(&figure);
}

/* Two lines that swing all the time are not dashed. */
static void test_histories_are_solid(void) {
  ms_figure *figure = new_figure(&some_panel);
  for (int i = 0; i < LONG; i++) long_x[i] = i, long_y[i] = sin(0.1 * i);
  for (int i = 0; i < 2; i++) {
    const ms_series series = { "u", long_x, long_y, LONG, MS_SERIES_LINE, i + 1 };
    CHECK_OK(ms_figure_add_series(figure, &series));
  }
  CHECK_EQUAL(ms_series_get_dash(&figure->panel[0], &figure->panel[0].series[1]), 0);
  ms_figure_destroy(&figure);
}

static void test_error_bars(void) {
  const double low[] = { 10.1, -4.0, 18.9, 60.0 }, high[] = { 14.3, 70.0, 18.9, 90.0 };
  ms_panel log = some_panel;
  log.y_log = 1;
  for (int is_log = 0; is_log < 2; is_log++) {
    ms_figure *figure = new_figure(is_log ? &log : &some_panel);
    ms_series series = { "m", some_x, some_y, 4, MS_SERIES_POINTS, 2, .y_low = low };
    CHECK_STATUS(ms_figure_add_series(figure, &series), MS_ERR_ARGUMENT);
    series.y_high = high;
    CHECK_OK(ms_figure_add_series(figure, &series));
    ms_layout layout;
    CHECK_OK(ms_layout_setup(figure, &layout));
    CHECK_BELOW(90.0, layout.view[0].y.high);
    if (is_log) CHECK(layout.view[0].y.low > 2.0 && layout.view[0].y.low < 3.13);
    if (!is_log) CHECK_BELOW(layout.view[0].y.low, -4.0);
    ms_free(test_context(), &layout.view);
    char *svg = svg_of(figure, MS_THEME_LIGHT);
    const char *bar = strstr(svg, "<path class=\"bar l2\" d=\"");
    int caps = 0;
    CHECK(bar != NULL);
    for (; bar && *bar != '>'; bar++) caps += strncmp(bar, "h6", 2) == 0;
    CHECK_EQUAL(caps, is_log ? 5 : 6); /* one has no length; one goes out of the panel */
    free(svg);
    series.y_high = (const double[]) { 14.3, NAN, 18.9, 90.0 };
    CHECK_STATUS(ms_figure_add_series(figure, &series), MS_ERR_NUMERIC);
    ms_figure_destroy(&figure);
  }
}

/* ---- in the units of a display ---- */

/* Two modes against their amplitudes: as Q against the acceleration of a sensor in g, and back. */
static void test_convert(void) {
  const double q[] = { 1.3e-4, 2.7e-3 }, zeta[] = { 0.0, 0.0125 }, omega[] = { 311.0, 307.0 };
  const double shape[] = { 0.7, -1.9 };
  ms_figure *figure = new_figure(&(ms_panel) { "D", "|q|", "m sqrt(kg)", "zeta", NULL, 1, 0,
                                               MS_DISPLAY_MODAL, MS_DISPLAY_DAMPING });
  ms_figure *shown = NULL;
  ms_display *display = NULL;
  const ms_series series = { "m", q, zeta, 2, MS_SERIES_LINE, 0, .mode = 2, .omega = omega };
  CHECK_OK(ms_figure_add_series(figure, &series));
  CHECK_OK(ms_display_create(test_context(), &display));
  CHECK_OK(ms_display_add_sensor(display, "tip", 0, 2, shape));
  CHECK_OK(ms_figure_convert(figure, display, &shown));
  CHECK_TEXT(shown->panel[0].spec.y_unit, "%");
  CHECK_TEXT(shown->panel[0].spec.x_unit, "m sqrt(kg)");
  CHECK_NEAR(shown->panel[0].series[0].y[1], 1.25, 1e-14);
  ms_figure_destroy(&shown);
  CHECK_OK(ms_display_choose(display, "q,g@tip"));
  CHECK_OK(ms_figure_convert(figure, display, &shown));
  const ms_figure_panel *panel = &shown->panel[0];
  CHECK_TEXT(panel->spec.x_label, "acceleration at tip");
  CHECK_TEXT(panel->spec.x_unit, "g");
  CHECK_TEXT(panel->spec.y_label, "Q");
  CHECK_EQUAL(panel->series[0].n, 1); /* without damping there is no Q */
  CHECK_CLOSE(panel->series[0].x[0], 2.7e-3 * 1.9 * 307.0 * 307.0 / 9.80665, 1e-12);
  CHECK_CLOSE(panel->series[0].y[0], 40.0, 1e-12);
  char *svg = svg_of(shown, MS_THEME_LIGHT);
  CHECK_HAS(svg, ">acceleration at tip [g]<");
  free(svg);
  ms_figure_destroy(&shown);
  CHECK_STATUS(ms_figure_convert(figure, NULL, &shown), MS_ERR_ARGUMENT);
  ms_display_destroy(&display);
  ms_figure_destroy(&figure);
}

/* The least damping of a band is the largest Q. */
static void test_convert_band(void) {
  const double x[] = { 1.0, 2.0 }, zeta[] = { 0.0125, 0.03 };
  const double low[] = { 0.01, 0.023 }, high[] = { 0.017, 0.041 };
  ms_figure *figure = new_figure(
      &(ms_panel) { "D", "t", "s", "zeta", NULL, 0, 0, MS_DISPLAY_PLAIN, MS_DISPLAY_DAMPING });
  ms_figure *shown = NULL;
  ms_display *display = NULL;
  const ms_series band = { "m", x, zeta, 2, MS_SERIES_POINTS, 0, .y_low = low, .y_high = high };
  CHECK_OK(ms_figure_add_series(figure, &band));
  CHECK_OK(ms_display_create(test_context(), &display));
  CHECK_OK(ms_display_choose(display, "q"));
  if (CHECK_OK(ms_figure_convert(figure, display, &shown))) {
    const ms_series *s = &shown->panel[0].series[0];
    CHECK_EQUAL(s->n, 2);
    for (int i = 0; i < 2; i++) {
      CHECK(s->y_low[i] <= s->y[i] && s->y[i] <= s->y_high[i]);
      CHECK_CLOSE(s->y_low[i], 1.0 / (2.0 * high[i]), 1e-14);
      CHECK_CLOSE(s->y[i], 1.0 / (2.0 * zeta[i]), 1e-14);
      CHECK_CLOSE(s->y_high[i], 1.0 / (2.0 * low[i]), 1e-14);
    }
  }
  ms_figure_destroy(&shown);
  ms_display_destroy(&display);
  ms_figure_destroy(&figure);
}

/* Numbers with a unit in titles and labels follow the display, as in a page. */
static void test_told(void) {
  static const char *const text[][2] = {
    { "p = 6000 N/sqrt(kg), slipped", "p = 6000 N/√kg, slipped" },
    { "2 to 5 Hz", "12.57 to 31.42 rad/s" },
    { "mode 2, 1.25e-1 Hz", "mode 2, 0.7854 rad/s" },
    { "0.25 m/s^2 and 3 of 4", "0.25 m/s² and 3 of 4" },
    { "u2 Hz, 5 N/part, 3 stones", "u2 Hz, 5 N/part, 3 stones" },
    { "-2 Hz", "-12.57 rad/s" },
  };
  ms_display *display = NULL;
  CHECK_OK(ms_display_create(test_context(), &display));
  CHECK_OK(ms_display_choose(display, "rad"));
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    const double x[] = { 0.5, 1.5 };
    ms_figure *figure = new_figure(&(ms_panel) { text[i][0], "t", "s", "x", "m", 0, 0 });
    ms_figure *shown = NULL;
    char small[8];
    CHECK_OK(ms_figure_add_series(figure, &(ms_series) { text[i][0], x, x, 2, MS_SERIES_LINE, 0 }));
    CHECK_OK(ms_figure_add_note(figure, 0.7, 0.7, text[i][0]));
    CHECK_OK(ms_figure_convert(figure, display, &shown));
    CHECK_TEXT(shown->panel[0].spec.title, text[i][1]);
    CHECK_TEXT(shown->panel[0].series[0].label, text[i][1]);
    CHECK_TEXT(shown->panel[0].note[0].text, text[i][1]);
    ms_text_tell(display, text[i][0], small, sizeof small);
    CHECK(strlen(small) < sizeof small);
    ms_figure_destroy(&shown);
    ms_figure_destroy(&figure);
  }
  ms_display_destroy(&display);
}

/* ---- drawing ---- */

static void test_picture(void) {
  ms_figure *figure = NULL;
  CHECK_OK(ms_figure_create(test_context(), "A lap joint", "in microslip", &figure));
  CHECK_OK(ms_figure_add_panel(figure, &(ms_panel) { "D", "u", "m", "D", "J", 1, 1 }));
  for (int style = MS_SERIES_LINE; style <= MS_SERIES_LINE_POINTS; style++) {
    ms_series series = some_series("sample");
    series.style = (ms_series_style)style;
    series.colour = style - 1;
    CHECK_OK(ms_figure_add_series(figure, &series));
  }
  CHECK_OK(
      ms_figure_add_series(figure, &(ms_series) { "empty", NULL, NULL, 0, MS_SERIES_LINE, 0 }));
  CHECK_OK(ms_figure_add_note(figure, 3.9, 20.3, "slope 2.5"));
  char *svg = svg_of(figure, MS_THEME_AUTO);
  CHECK(well_formed(svg));
  CHECK_HAS(svg, "role=\"img\"");
  CHECK_HAS(svg, "<title>A lap joint</title>");
  CHECK_HAS(svg, "D — D [J] against u [m]: sample, sample, sample, sample, empty.");
  CHECK_HAS(svg, "<path class=\"line ln\"");
  /* Every path, those of the legend too, begins by moving. */
  for (const char *at = svg; (at = strstr(at, " d=\"")); at++) CHECK(at[4] == 'M');
  CHECK_HAS(svg, "<path class=\"line dashed l0\"");
  CHECK_HAS(svg, "<path class=\"point p1\" d=\"M");
  CHECK_HAS(svg, "<text xml:space=\"preserve\" class=\"note end\""); /* too near the right edge */
  CHECK(!strstr(svg, "nan") && !strstr(svg, "inf"));
  free(svg);
  ms_figure_destroy(&figure);
}

/* A slowly shrinking stroke, traced a hundred thousand times, is drawn about once per half pixel.
 */
static void test_strokes_over_each_other(void) {
  ms_view view = plain_view();
  ms_series series = { NULL, long_x, long_y, LONG, MS_SERIES_LINE, 0 };
  for (long i = 0; i < LONG; i++) {
    double part = 1.0 - (double)i / LONG;
    long_x[i] = 150.0 + (i % 2 ? -140.0 : 140.0) * part;
    long_y[i] = 120.0 + (i % 2 ? -110.0 : 110.0) * part;
  }
  long n = ms_curve_draw(NULL, &view, &series);
  CHECK(n > 2 && n < 4000);
}

/* Axes by columns; an envelope goes above and below. */
static void test_parts(void) {
  ms_figure *f = new_figure(NULL);
  CHECK_OK(ms_figure_add_column_panel(f, "One", "q [m sqrt(kg)]", "zeta", 1, 0));
  const ms_panel *p = &f->panel[0].spec;
  CHECK_TEXT(p->x_label, "modal amplitude |q|");
  CHECK_TEXT(p->x_unit, "m sqrt(kg)");
  CHECK_TEXT(p->y_label, "zeta");
  CHECK(p->x_log && !p->y_log);
  CHECK_OK(ms_figure_add_envelope(f, "side", 4, some_x, some_y, 3));
  CHECK_EQUAL(f->panel[0].n_series, 2);
  const ms_series *s = f->panel[0].series;
  CHECK_TEXT(s[0].label, "side");
  CHECK(!s[1].label && s[1].mode == 3);
  for (int i = 0; i < 4; i++) CHECK_NEAR(s[0].y[i] + s[1].y[i], 0.0, 0.0);
  CHECK_NEAR(s[0].y[3], 77.1, 0.0);
  ms_figure_destroy(&f);
}

int main(void) {
  TEST(test_parts);
  TEST(test_well_formed_can_fail);
  TEST(test_arguments);
  TEST(test_everything_is_copied);
  TEST(test_memory_fails);
  TEST(test_not_finite_refused);
  TEST(test_log_needs_positive);
  TEST(test_contrast_formula);
  TEST(test_contrast);
  TEST(test_themes);
  TEST(test_escaping);
  TEST(test_raised_and_lowered);
  TEST(test_characters);
  TEST(test_lines);
  TEST(test_numbers);
  TEST(test_rows_and_columns);
  TEST(test_legend_keeps_off_the_data);
  TEST(test_loop_is_thinned);
  TEST(test_vibration_keeps_extremes);
  TEST(test_straight_and_back);
  TEST(test_strokes_over_each_other);
  TEST(test_shared_axes);
  TEST(test_one_legend);
  TEST(test_patterns);
  TEST(test_histories_are_solid);
  TEST(test_error_bars);
  TEST(test_convert);
  TEST(test_convert_band);
  TEST(test_told);
  TEST(test_picture);
  return test_finish();
}
