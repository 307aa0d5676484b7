/* Drawing: lines, areas and points of the series of a panel, and samples of them for its legend. */
#include "report/internal.h"
#include "report/tolerance.h"

#include <math.h>

static const double marker_radius = 2.8; /* px, radius */

void ms_svg_attribute(FILE *out, const char *name, double value) {
  fprintf(out, " %s=\"", name);
  ms_svg_number(out, value);
  fputc('"', out);
}

/* ---- elements ---- */

static char suffix_of(const ms_series *series) {
  return (char)(series->colour < 0 ? 'n' : '0' + series->colour);
}

static void curve_start(FILE *out, const ms_series *series) {
  const char *dashed = series->style == MS_SERIES_DASHED ? " dashed" : "";
  fprintf(out, "<path class=\"line%s l%c\" d=\"", dashed, suffix_of(series));
}

static void area_start(FILE *out, const ms_series *series) {
  fprintf(out, "<path class=\"area p%c\" d=\"", suffix_of(series));
}

static void cloud_start(FILE *out, const ms_series *series) {
  fprintf(out, "<path class=\"cloud l%c\" d=\"", suffix_of(series));
}

static void dot(FILE *out, double x, double y) {
  fputc('M', out), ms_svg_number(out, x), fputc(' ', out), ms_svg_number(out, y);
  fputs("h.01", out);
}

static void marker(FILE *out, const ms_series *series, double x, double y) {
  fprintf(out, "<circle class=\"point p%c\"", suffix_of(series));
  ms_svg_attribute(out, "cx", x), ms_svg_attribute(out, "cy", y),
      ms_svg_attribute(out, "r", marker_radius);
  fputs("/>\n", out);
}

static void markers(FILE *out, const ms_view *view, const ms_series *series) {
  double before_x = -INFINITY, before_y = -INFINITY;
  for (ptrdiff_t i = 0; i < series->n; i++) {
    double x, y;
    ms_view_point(view, series->x[i], series->y[i], &x, &y);
    if (fabs(x - before_x) < ms_report_tol.marker_gap &&
        fabs(y - before_y) < ms_report_tol.marker_gap)
      continue;
    marker(out, series, x, y);
    before_x = x, before_y = y;
  }
}

static void draw_line(FILE *out, const ms_view *view, const ms_series *series) {
  if (series->n == 0 || !ms_series_has_line(series)) return;
  curve_start(out, series);
  ms_curve_draw(out, view, series);
  fputs("\"/>\n", out);
}

static void draw_area(FILE *out, const ms_view *view, const ms_series *series) {
  if (series->n == 0 || series->style != MS_SERIES_AREA) return;
  area_start(out, series);
  ms_curve_draw(out, view, series);
  fputs("Z\"/>\n", out);
}

/* Strokes without length and with round ends: one element, however many there are. */
static void draw_cloud(FILE *out, const ms_view *view, const ms_series *series) {
  if (series->n == 0 || series->style != MS_SERIES_CLOUD) return;
  cloud_start(out, series);
  for (ptrdiff_t i = 0; i < series->n; i++) {
    double x, y;
    ms_view_point(view, series->x[i], series->y[i], &x, &y);
    dot(out, x, y);
  }
  fputs("\"/>\n", out);
}

/* Areas under lines and lines under points, whatever the order in which they were added. */
void ms_svg_draw_series(FILE *out, const ms_view *view) {
  const ms_figure_panel *panel = view->panel;
  for (ptrdiff_t i = 0; i < panel->n_series; i++) draw_area(out, view, &panel->series[i]);
  for (ptrdiff_t i = 0; i < panel->n_series; i++) draw_cloud(out, view, &panel->series[i]);
  for (ptrdiff_t i = 0; i < panel->n_series; i++) draw_line(out, view, &panel->series[i]);
  for (ptrdiff_t i = 0; i < panel->n_series; i++)
    if (ms_series_has_points(&panel->series[i])) markers(out, view, &panel->series[i]);
}

void ms_svg_draw_swatch(FILE *out, const ms_series *series, double x, double y, double length) {
  if (series->style == MS_SERIES_AREA) {
    area_start(out, series);
    fputc('M', out), ms_svg_number(out, x), fputc(' ', out), ms_svg_number(out, y - 5.0);
    fprintf(out, "h%.0fv10h-%.0fZ\"/>\n", length, length);
  }
  if (series->style == MS_SERIES_CLOUD) {
    cloud_start(out, series);
    for (int i = 0; i < 3; i++) dot(out, x + 0.25 * (i + 1) * length, y + 3.0 * (i % 2) - 1.5);
    fputs("\"/>\n", out);
  }
  if (ms_series_has_line(series)) {
    curve_start(out, series);
    fputc('M', out), ms_svg_number(out, x), fputc(',', out), ms_svg_number(out, y), fputc(' ', out);
    ms_svg_number(out, x + length), fputc(',', out), ms_svg_number(out, y);
    fputs("\"/>\n", out);
  }
  if (ms_series_has_points(series)) marker(out, series, x + 0.5 * length, y);
}
