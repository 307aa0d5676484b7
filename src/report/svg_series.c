/* Drawing: lines, areas and points of the series of a panel, and samples of them for its legend. */
#include "report/internal.h"
#include "report/tolerance.h"

#include <math.h>

static const double bar_cap = 3.0; /* px, to each side */

void ms_svg_attribute(FILE *out, const char *name, double value) {
  fprintf(out, " %s=\"", name);
  ms_svg_number(out, value);
  fputc('"', out);
}

/* ---- elements ---- */

static char suffix_of(const ms_series *series) {
  return (char)(series->colour < 0 ? 'n' : '0' + series->colour);
}

/* Pattern 1 is "dashed"; the others have their number. */
static void curve_start(FILE *out, const ms_figure_panel *panel, const ms_series *series) {
  const int dash = ms_series_get_dash(panel, series);
  fputs("<path class=\"line", out);
  if (ms_series_is_band(panel, series)) fputs(" band", out);
  if (dash == 1) fputs(" dashed", out);
  if (dash > 1) fprintf(out, " d%d", dash);
  fprintf(out, " l%c\" d=\"", suffix_of(series));
}

static void area_start(FILE *out, const ms_series *series) {
  fprintf(out, "<path class=\"area p%c\" d=\"", suffix_of(series));
}

static void cloud_start(FILE *out, const ms_series *series) {
  fprintf(out, "<path class=\"cloud l%c\" d=\"", suffix_of(series));
}

static void move_to(FILE *out, double x, double y) {
  fputc('M', out), ms_svg_number(out, x), fputc(' ', out), ms_svg_number(out, y);
}

static void dot(FILE *out, double x, double y) {
  move_to(out, x, y);
  fputs("h.01", out);
}

/* ---- markers: about the same ink each, around the point; plot.js has the same ---- */

static void marker_start(FILE *out, const ms_series *series) {
  if (ms_series_get_marker(series) >= MS_PALETTE_SIZE)
    fprintf(out, "<path class=\"open l%c\" d=\"", suffix_of(series));
  else
    fprintf(out, "<path class=\"point p%c\" d=\"", suffix_of(series));
}

static void marker(FILE *out, const ms_series *series, double x, double y) {
  static const char *const shape[MS_PALETTE_SIZE + 1] = {
    "m-2.8 0a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z",
    "m-2.5-2.5h5v5h-5z",
    "m0-3.6l3.4 6h-6.8z",
    "m0-3.7l3.7 3.7l-3.7 3.7l-3.7-3.7z",
    "m0 3.6l-3.4-6h6.8z",
    "m-1-3.6h2v2.6h2.6v2h-2.6v2.6h-2v-2.6h-2.6v-2h2.6z",
    "m-3-2l1-1 2 2 2-2 1 1-2 2 2 2-1 1-2-2-2 2-1-1 2-2z",
    "m-3.2-3h6.4l-6.4 6h6.4z",
    "m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0z",
  };
  const int k = ms_series_get_marker(series);
  move_to(out, x, y);
  fputs(shape[k > MS_PALETTE_SIZE ? k - MS_PALETTE_SIZE - 1 : k], out);
}

static void draw_markers(FILE *out, const ms_view *view, const ms_series *series) {
  double before_x = -INFINITY, before_y = -INFINITY;
  if (series->n == 0 || !ms_series_has_points(series)) return;
  marker_start(out, series);
  for (ptrdiff_t i = 0; i < series->n; i++) {
    double x, y;
    ms_view_point(view, series->x[i], series->y[i], &x, &y);
    if (fabs(x - before_x) < ms_report_tol.marker_gap &&
        fabs(y - before_y) < ms_report_tol.marker_gap)
      continue;
    marker(out, series, x, y);
    before_x = x, before_y = y;
  }
  fputs("\"/>\n", out);
}

/* ---- error bars: a stroke with caps; one that goes below a logarithmic axis has none there ----
 */

static void draw_bars(FILE *out, const ms_view *view, const ms_series *series) {
  if (series->n == 0 || !series->y_low) return;
  fprintf(out, "<path class=\"bar l%c\" d=\"M0 0", suffix_of(series));
  for (ptrdiff_t i = 0; i < series->n; i++) {
    const int cut = view->y.log && !(series->y_low[i] >= view->y.low);
    double x, low = view->plot.h, high;
    if (!(series->y_high[i] > series->y_low[i])) continue;
    ms_view_point(view, series->x[i], series->y_high[i], &x, &high);
    if (!cut) ms_view_point(view, series->x[i], series->y_low[i], &x, &low);
    move_to(out, x - bar_cap, high), fprintf(out, "h%g", 2.0 * bar_cap);
    move_to(out, x, high), fputc('V', out), ms_svg_number(out, low);
    if (!cut) move_to(out, x - bar_cap, low), fprintf(out, "h%g", 2.0 * bar_cap);
  }
  fputs("\"/>\n", out);
}

static void draw_line(FILE *out, const ms_view *view, const ms_series *series) {
  if (series->n == 0 || !ms_series_has_line(series)) return;
  curve_start(out, view->panel, series);
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

/* Areas under points, these under lines, which many points would hide, and lines under their own
   points, whatever the order in which they were added. */
void ms_svg_draw_series(FILE *out, const ms_view *view) {
  const ms_figure_panel *panel = view->panel;
  for (ptrdiff_t i = 0; i < panel->n_series; i++) draw_area(out, view, &panel->series[i]);
  for (ptrdiff_t i = 0; i < panel->n_series; i++) draw_cloud(out, view, &panel->series[i]);
  for (ptrdiff_t i = 0; i < panel->n_series; i++) draw_bars(out, view, &panel->series[i]);
  for (int over = 0; over < 2; over++) {
    for (ptrdiff_t i = 0; i < panel->n_series; i++)
      if (ms_series_has_line(&panel->series[i]) == over) draw_markers(out, view, &panel->series[i]);
    for (ptrdiff_t i = 0; i < panel->n_series && !over; i++)
      draw_line(out, view, &panel->series[i]);
  }
}

void ms_svg_draw_swatch(FILE *out, const ms_figure_panel *panel, const ms_series *series, double x,
                        double y, double length) {
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
    curve_start(out, panel, series);
    fputc('M', out), ms_svg_number(out, x), fputc(',', out), ms_svg_number(out, y), fputc(' ', out);
    ms_svg_number(out, x + length), fputc(',', out), ms_svg_number(out, y);
    fputs("\"/>\n", out);
  }
  if (!ms_series_has_points(series)) return;
  marker_start(out, series);
  marker(out, series, x + 0.5 * length, y);
  fputs("\"/>\n", out);
}
