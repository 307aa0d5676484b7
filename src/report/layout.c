/* Placing: how large the plots are, where they stand, and where each legend finds room. */
#include "report/internal.h"

#include <math.h>

enum {
  MOST_COLUMNS = 3,
  TICK_ROOM = 10,  /* tick, and the gap to its label */
  LABEL_ROOM = 24, /* the y label, turned */
  RIGHT_ROOM = 14, /* half of the last x label may stand out */
  COLUMN_GAP = 16,
  BOTTOM_ROOM = 44, /* x tick labels and x label */
  ROW_GAP = 20,
  TITLE_GAP = 10, /* between a title and what it stands over */
  INSET = 10,     /* of a legend, from the spines */
  CLEAR = 5,      /* of a legend, from the curves */
  SAMPLE = 4      /* px between the points at which a line is looked at */
};

/* ---- geometry ---- */

void ms_view_point(const ms_view *view, double x, double y, double *px, double *py) {
  *px = view->plot.w * ms_axis_place(&view->x, x);
  *py = view->plot.h * (1.0 - ms_axis_place(&view->y, y));
}

ms_box ms_view_note(const ms_view *view, const ms_note *note, int *flip) {
  double px, py, w = ms_text_width(note->text, NULL, MS_LABEL_SIZE);
  ms_view_point(view, note->x, note->y, &px, &py);
  *flip = px + w > view->plot.w && px - w > 0.0;
  return (ms_box) { *flip ? px - w : px, py - 0.7 * MS_LABEL_SIZE, w, 1.4 * MS_LABEL_SIZE };
}

static int holds(ms_box box, double x, double y) {
  return x > box.x - CLEAR && x < box.x + box.w + CLEAR && y > box.y - CLEAR &&
         y < box.y + box.h + CLEAR;
}

static int meet(ms_box a, ms_box b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* ---- axes ---- */

static void include(double value, double range[2]) {
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

static void panel_range(const ms_figure_panel *panel, double x[2], double y[2]) {
  x[0] = y[0] = INFINITY;
  x[1] = y[1] = -INFINITY;
  for (ptrdiff_t s = 0; s < panel->n_series; s++) {
    for (ptrdiff_t i = 0; i < panel->series[s].n; i++) {
      include(panel->series[s].x[i], x);
      include(panel->series[s].y[i], y);
    }
  }
  for (ptrdiff_t i = 0; i < panel->n_note; i++) {
    include(panel->note[i].x, x);
    include(panel->note[i].y, y);
  }
  if (panel->n_row == 0) return;
  include(0.5, y);
  include((double)panel->n_row + 0.5, y);
}

static double widest_label(const ms_axis *axis) {
  double widest = 0.0;
  for (int i = 0; i < axis->n; i++)
    widest = fmax(widest, ms_text_width(axis->tick[i].label, NULL, MS_TICK_SIZE));
  return widest;
}

/* The least distance between two labelled ticks on an axis of this length. */
static double label_distance(const ms_axis *axis, double length) {
  double least = length, before = -INFINITY;
  for (int i = 0; i < axis->n; i++) {
    if (!axis->tick[i].label[0]) continue;
    double here = length * ms_axis_place(axis, axis->tick[i].value);
    least = fmin(least, here - before);
    before = here;
  }
  return least;
}

/* x labels stand side by side: ask for fewer until they do not touch. */
static void setup_axes(ms_view *view) {
  const ms_panel *spec = &view->panel->spec;
  double x[2], y[2];
  panel_range(view->panel, x, y);
  ms_axis_setup(&view->y, spec->y_log, y[0], y[1], (int)(view->plot.h / 42.0));
  if (view->panel->n_row > 0) {
    ms_axis_name_rows(&view->y, view->panel->n_row, view->panel->row);
  }
  for (int target = (int)fmax(3.0, view->plot.w / 58.0); target >= 3; target--) {
    ms_axis_setup(&view->x, spec->x_log, x[0], x[1], target);
    if (label_distance(&view->x, view->plot.w) > widest_label(&view->x) + 8.0) break;
  }
  view->gutter = LABEL_ROOM + widest_label(&view->y) + TICK_ROOM;
}

/* ---- legend ---- */

double ms_legend_entry_width(const ms_series *series) {
  return MS_LEGEND_SWATCH + ms_text_width(series->label, NULL, MS_TICK_SIZE);
}

/* Does the stretch from a to b (px) pass through the box? */
static int crosses(ms_box box, const double a[2], const double b[2]) {
  int n = 1 + (int)(hypot(b[0] - a[0], b[1] - a[1]) / SAMPLE);
  for (int i = 1; i <= n; i++) {
    double t = (double)i / n;
    if (holds(box, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))) return 1;
  }
  return 0;
}

/* Is the point (px) inside the area? It is if a ray from it meets the outline an odd number of
   times. */
static int encloses(const ms_view *view, const ms_series *series, double x, double y) {
  int inside = 0;
  double before[2], here[2];
  for (ptrdiff_t i = 0; i < series->n; i++) {
    ptrdiff_t last = i > 0 ? i - 1 : series->n - 1;
    ms_view_point(view, series->x[last], series->y[last], &before[0], &before[1]);
    ms_view_point(view, series->x[i], series->y[i], &here[0], &here[1]);
    if ((before[1] > y) == (here[1] > y)) continue;
    double t = (y - before[1]) / (here[1] - before[1]);
    inside ^= x < before[0] + t * (here[0] - before[0]);
  }
  return inside;
}

static int series_in_box(const ms_view *view, const ms_series *series, ms_box box) {
  double before[2] = { 0.0, 0.0 }, here[2];
  for (ptrdiff_t i = 0; i < series->n; i++) {
    ms_view_point(view, series->x[i], series->y[i], &here[0], &here[1]);
    int alone = i == 0 || ms_series_is_scattered(series);
    if (crosses(box, alone ? here : before, here)) return 1;
    before[0] = here[0], before[1] = here[1];
  }
  return series->style == MS_SERIES_AREA && encloses(view, series, box.x, box.y);
}

static int box_is_empty(const ms_view *view, ms_box box) {
  for (ptrdiff_t i = 0; i < view->panel->n_series; i++)
    if (series_in_box(view, &view->panel->series[i], box)) return 0;
  for (ptrdiff_t i = 0; i < view->panel->n_note; i++) {
    int flip;
    if (meet(box, ms_view_note(view, &view->panel->note[i], &flip))) return 0;
  }
  return 1;
}

/* Entries in rows as wide as the plot; returns the height. */
static double height_below(const ms_view *view) {
  double x = 0.0;
  int lines = 1;
  for (ptrdiff_t i = 0; i < view->panel->n_series; i++) {
    const ms_series *series = &view->panel->series[i];
    if (!series->label) continue;
    double w = ms_legend_entry_width(series);
    if (x > 0.0 && x + w > view->plot.w) x = 0.0, lines++;
    x += w + MS_LEGEND_GAP;
  }
  return lines * (double)MS_LEGEND_LINE;
}

/* The first corner in which nothing is drawn, or else beneath the panel. */
static void place_legend(ms_view *view) {
  /* The size of the legend with one entry per line; 0 high if there are no entries. */
  ms_box box = { 0 };
  for (ptrdiff_t i = 0; i < view->panel->n_series; i++) {
    if (!view->panel->series[i].label) continue;
    box.w = fmax(box.w, ms_legend_entry_width(&view->panel->series[i]));
    box.h += MS_LEGEND_LINE;
  }
  if (box.h == 0.0) return;
  double right = view->plot.w - INSET - box.w, bottom = view->plot.h - INSET - box.h;
  const double corner[4][2] = {
    { INSET, INSET }, { right, INSET }, { right, bottom }, { INSET, bottom }
  };
  int small = box.w < 0.7 * view->plot.w && box.h < 0.7 * view->plot.h;
  for (int i = 0; small && i < 4; i++) {
    box.x = corner[i][0], box.y = corner[i][1];
    if (!box_is_empty(view, box)) continue;
    view->legend_place = MS_LEGEND_INSIDE;
    view->legend = box;
    return;
  }
  view->legend_place = MS_LEGEND_BELOW;
  view->legend =
      (ms_box) { 0.0, view->plot.h + BOTTOM_ROOM + 6.0, view->plot.w, height_below(view) };
}

/* ---- the page ---- */

/* Plots are larger when there are fewer beside each other. */
static void plot_size(ptrdiff_t columns, ms_box *plot) {
  static const double size[MS_FIGURE_COLUMNS][2] = { { 540, 340 }, { 380, 280 }, { 300, 240 },
                                                     { 210, 180 }, { 170, 150 }, { 150, 140 } };
  plot->w = size[columns - 1][0];
  plot->h = size[columns - 1][1];
}

static double panel_title_height(const ms_view *view) {
  const char *title = view->panel->spec.title;
  int lines = ms_text_count_lines(title, MS_PANEL_TITLE_SIZE, view->plot.w);
  return lines * 1.3 * MS_PANEL_TITLE_SIZE + (lines ? TITLE_GAP : 0);
}

static double place_row(const ms_layout *layout, ptrdiff_t first, double y) {
  double above = 0.0, below = 0.0, height = layout->view[first].plot.h;
  ptrdiff_t end = first + layout->columns < layout->n ? first + layout->columns : layout->n;
  for (ptrdiff_t i = first; i < end; i++) {
    const ms_view *view = &layout->view[i];
    above = fmax(above, panel_title_height(view));
    if (view->legend_place == MS_LEGEND_BELOW) below = fmax(below, view->legend.h + 6.0);
  }
  for (ptrdiff_t i = first; i < end; i++) layout->view[i].plot.y = y + above;
  return y + above + height + BOTTOM_ROOM + below;
}

/* At most three beside each other, and the rows as equal as can be: four are two and two. */
static ptrdiff_t count_columns(const ms_figure *figure) {
  ptrdiff_t n = figure->n_panel, rows = (n + MOST_COLUMNS - 1) / MOST_COLUMNS;
  return figure->columns > 0 ? figure->columns : (n + rows - 1) / rows;
}

ms_status ms_layout_setup(const ms_figure *figure, ms_layout *layout) {
  ptrdiff_t n = figure->n_panel;
  *layout = (ms_layout) { .n = n, .columns = count_columns(figure) };
  MS_TRY(ms_allocate(figure->ctx, n, sizeof *layout->view, &layout->view));
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_view *view = &layout->view[i];
    view->panel = &figure->panel[i];
    plot_size(layout->columns, &view->plot);
    setup_axes(view);
    place_legend(view);
  }
  double x = MS_MARGIN;
  for (ptrdiff_t c = 0; c < layout->columns; c++) {
    double gutter = 0.0;
    for (ptrdiff_t i = c; i < layout->n; i += layout->columns)
      gutter = fmax(gutter, layout->view[i].gutter);
    x += gutter + (c > 0 ? COLUMN_GAP : 0);
    for (ptrdiff_t i = c; i < layout->n; i += layout->columns) layout->view[i].plot.x = x;
    x += layout->view[0].plot.w + RIGHT_ROOM;
  }
  layout->width = x + MS_MARGIN - RIGHT_ROOM / 2.0;
  double available = layout->width - 2.0 * MS_MARGIN;
  int lines = ms_text_count_lines(figure->title, MS_TITLE_SIZE, available);
  int sublines = ms_text_count_lines(figure->subtitle, MS_SUBTITLE_SIZE, available);
  double y = MS_MARGIN + lines * 1.3 * MS_TITLE_SIZE + sublines * 1.4 * MS_SUBTITLE_SIZE;
  if (lines + sublines > 0) y += ROW_GAP;
  for (ptrdiff_t i = 0; i < layout->n; i += layout->columns)
    y = place_row(layout, i, y + (i > 0 ? ROW_GAP : 0));
  layout->height = y + MS_MARGIN / 2.0;
  return MS_SUCCESS;
}
