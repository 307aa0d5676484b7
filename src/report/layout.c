/* Placing: how large the plots are, where they stand, and where each legend finds room. */
#include "report/internal.h"

#include <math.h>
#include <string.h>

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

/* Widens ranges to what is in the panel. */
static void panel_range(const ms_figure_panel *panel, double x[2], double y[2]) {
  for (ptrdiff_t s = 0; s < panel->n_series; s++) {
    const ms_series *series = &panel->series[s];
    for (ptrdiff_t i = 0; i < series->n; i++) {
      include(series->x[i], x);
      include(series->y[i], y);
      if (!series->y_low) continue;
      include(series->y_high[i], y);
      /* Down to a tenth of the value at most: what is near zero would take all of the axis. */
      if (!panel->spec.y_log) include(series->y_low[i], y);
      if (panel->spec.y_log) include(fmax(series->y_low[i], 0.1 * series->y[i]), y);
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
static void setup_axes(ms_view *view, const double x[2], const double y[2]) {
  const ms_panel *spec = &view->panel->spec;
  ms_axis_setup(&view->y, spec->y_log, y[0], y[1], (int)(view->plot.h / 42.0));
  if (view->panel->n_row > 0) {
    ms_axis_name_rows(&view->y, view->panel->n_row, view->panel->row);
  }
  for (int target = (int)fmax(3.0, view->plot.w / 58.0); target >= 3; target--) {
    ms_axis_setup(&view->x, spec->x_log, x[0], x[1], target);
    if (label_distance(&view->x, view->plot.w) > widest_label(&view->x) + 8.0) break;
  }
  view->gutter = view->hide_y ? TICK_ROOM : LABEL_ROOM + widest_label(&view->y) + TICK_ROOM;
}

/* ---- axes that panels share ---- */

static int same(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "") == 0;
}

int ms_panel_has_same_x(const ms_panel *a, const ms_panel *b) {
  return same(a->x_label, b->x_label) && same(a->x_unit, b->x_unit) && a->x_log == b->x_log &&
         a->x_quantity == b->x_quantity && a->part == b->part;
}

static int same_y(const ms_panel *a, const ms_panel *b) {
  return same(a->y_label, b->y_label) && same(a->y_unit, b->y_unit) && a->y_log == b->y_log &&
         a->y_quantity == b->y_quantity;
}

/* A group is called by its first panel. Of its labels those at the bottom and at the left stay. */
static void find_groups(const ms_layout *layout, int share) {
  const ptrdiff_t columns = layout->columns;
  for (ptrdiff_t i = 0; i < layout->n; i++) {
    ms_view *view = &layout->view[i];
    view->x_group = view->y_group = -1;
    if (view->panel->empty) continue;
    for (ptrdiff_t k = 0; k <= i && (share & MS_SHARE_X) && view->x_group < 0; k++) {
      const ms_figure_panel *other = layout->view[k].panel;
      if (!other->empty && ms_panel_has_same_x(&other->spec, &view->panel->spec))
        view->x_group = (int)k;
    }
    for (ptrdiff_t k = i - i % columns; k <= i && (share & MS_SHARE_Y) && view->y_group < 0; k++) {
      const ms_figure_panel *other = layout->view[k].panel;
      if (other->empty || other->n_row > 0 || view->panel->n_row > 0) continue;
      if (same_y(&other->spec, &view->panel->spec)) view->y_group = (int)k;
    }
    const ms_view *above = i >= columns ? view - columns : NULL;
    const ms_view *left = i % columns > 0 ? view - 1 : NULL;
    if (above && view->x_group >= 0 && above->x_group == view->x_group)
      layout->view[i - columns].hide_x = 1;
    view->hide_y = left && view->y_group >= 0 && left->y_group == view->y_group;
  }
}

/* Every panel shows what is in any panel of its groups. */
static void setup_views(const ms_layout *layout) {
  for (ptrdiff_t i = 0; i < layout->n; i++) {
    ms_view *view = &layout->view[i];
    double x[] = { INFINITY, -INFINITY }, y[] = { INFINITY, -INFINITY }, none[] = { 0.0, 0.0 };
    panel_range(view->panel, x, y);
    for (ptrdiff_t k = 0; k < layout->n; k++) {
      const ms_view *other = &layout->view[k];
      const int shares_x = view->x_group >= 0 && other->x_group == view->x_group;
      const int shares_y = view->y_group >= 0 && other->y_group == view->y_group;
      if (k == i || (!shares_x && !shares_y)) continue;
      panel_range(other->panel, shares_x ? x : none, shares_y ? y : none);
    }
    setup_axes(view, x, y);
  }
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

/* Entries in rows that are so wide; returns the height. */
static double height_below(const ms_figure_panel *panel, double width) {
  double x = 0.0;
  int lines = 1;
  for (ptrdiff_t i = 0; i < panel->n_series; i++) {
    const ms_series *series = &panel->series[i];
    if (!series->label) continue;
    double w = ms_legend_entry_width(series);
    if (x > 0.0 && x + w > width) x = 0.0, lines++;
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
  const double axis = view->hide_x ? TICK_ROOM : BOTTOM_ROOM;
  view->legend = (ms_box) { 0.0, view->plot.h + axis + 6.0, view->plot.w,
                            height_below(view->panel, view->plot.w) };
}

/* ---- one legend for all panels ---- */

/* The series of this label, if it looks the same. */
static int has_entry(const ms_figure_panel *panel, const ms_figure_panel *of, const ms_series *s) {
  for (ptrdiff_t i = 0; i < panel->n_series; i++) {
    const ms_series *own = &panel->series[i];
    if (same(own->label, s->label) && own->style == s->style && own->colour == s->colour &&
        ms_series_get_dash(panel, own) == ms_series_get_dash(of, s))
      return 1;
  }
  return 0;
}

static int has_entries(const ms_figure_panel *panel, const ms_figure_panel *of) {
  for (ptrdiff_t i = 0; i < of->n_series; i++)
    if (of->series[i].label && !has_entry(panel, of, &of->series[i])) return 0;
  return 1;
}

static int count_entries(const ms_figure_panel *panel) {
  int n = 0;
  for (ptrdiff_t i = 0; i < panel->n_series; i++) n += panel->series[i].label != NULL;
  return n;
}

/* The panel with most entries, if all others have only such, and two have some. */
static const ms_figure_panel *find_legend(const ms_figure *figure) {
  const ms_figure_panel *largest = NULL;
  int with = 0;
  for (ptrdiff_t i = 0; i < figure->n_panel; i++) {
    const int n = count_entries(&figure->panel[i]);
    with += n > 0;
    if (!largest || n > count_entries(largest)) largest = &figure->panel[i];
  }
  if (with < 2) return NULL;
  for (ptrdiff_t i = 0; i < figure->n_panel; i++)
    if (!has_entries(largest, &figure->panel[i])) return NULL;
  return largest;
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
  double above = 0.0, below = 0.0, height = 0.0, bottom = TICK_ROOM;
  ptrdiff_t end = first + layout->columns < layout->n ? first + layout->columns : layout->n;
  for (ptrdiff_t i = first; i < end; i++) {
    const ms_view *view = &layout->view[i];
    above = fmax(above, panel_title_height(view));
    height = fmax(height, view->plot.h);
    if (!view->hide_x) bottom = BOTTOM_ROOM;
    if (view->legend_place == MS_LEGEND_BELOW) below = fmax(below, view->legend.h + 6.0);
  }
  for (ptrdiff_t i = first; i < end; i++) layout->view[i].plot.y = y + above;
  return y + above + height + bottom + below;
}

/* At most three beside each other, and the rows as equal as can be: four are two and two. */
static ptrdiff_t count_columns(const ms_figure *figure) {
  ptrdiff_t n = figure->n_panel, rows = (n + MOST_COLUMNS - 1) / MOST_COLUMNS;
  return figure->columns > 0 ? figure->columns : (n + rows - 1) / rows;
}

/* ---- a given width ---- */

enum { NARROWEST = 150, NARROW_MARGIN = 4 }; /* px; of a plot, and around a drawing for a paper */

/* What the widest y axis of a column needs. */
static double column_gutter(const ms_layout *layout, ptrdiff_t c) {
  double gutter = 0.0;
  for (ptrdiff_t i = c; i < layout->n; i += layout->columns)
    gutter = fmax(gutter, layout->view[i].gutter);
  return gutter;
}

/* What is left of the width for each plot beside these gutters. */
static double plot_width(const ms_layout *layout, double width, double gutters) {
  const double n = (double)layout->columns;
  return (width - 2.0 * NARROW_MARGIN - gutters - (n - 1.0) * COLUMN_GAP - (n - 0.5) * RIGHT_ROOM) /
         n;
}

/* Fewer panels beside each other, unless the figure sets their number, and plots as wide as that
   leaves room for; heights in proportion. */
static void fit_plots(const ms_figure *figure, double width, ms_layout *layout) {
  enum { GUTTER = 60 }; /* about as much as axes need */
  while (figure->columns == 0 && layout->columns > 1 &&
         plot_width(layout, width, GUTTER * (double)layout->columns) < NARROWEST)
    layout->columns--;
  const double about = plot_width(layout, width, GUTTER * (double)layout->columns);
  for (ptrdiff_t i = 0; i < layout->n; i++) {
    ms_view *view = &layout->view[i];
    view->plot.h *= fmax(about, 0.4 * NARROWEST) / view->plot.w;
    view->plot.w = fmax(about, 0.4 * NARROWEST);
  }
}

/* Now that the gutters are known. A figure whose columns do not fit stays wider. */
static void widen_plots(double width, ms_layout *layout) {
  double gutters = 0.0;
  for (ptrdiff_t c = 0; c < layout->columns; c++) gutters += column_gutter(layout, c);
  const double w = fmax(plot_width(layout, width, gutters), 0.4 * NARROWEST);
  for (ptrdiff_t i = 0; i < layout->n; i++) layout->view[i].plot.w = w;
}

ms_status ms_layout_setup(const ms_figure *figure, ms_layout *layout) {
  return ms_layout_setup_width(figure, 0.0, layout);
}

ms_status ms_layout_setup_width(const ms_figure *figure, double width, ms_layout *layout) {
  ptrdiff_t n = figure->n_panel;
  const double margin = width > 0.0 ? NARROW_MARGIN : MS_MARGIN;
  *layout = (ms_layout) { .n = n, .columns = count_columns(figure) };
  MS_TRY(ms_allocate(figure->ctx, n, sizeof *layout->view, &layout->view));
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_view *view = &layout->view[i];
    view->panel = &figure->panel[i];
    plot_size(layout->columns, &view->plot);
    if (view->panel->spec.height > 0.0) view->plot.h *= view->panel->spec.height;
  }
  if (width > 0.0) fit_plots(figure, width, layout);
  find_groups(layout, figure->share);
  setup_views(layout);
  if (width > 0.0) {
    widen_plots(width, layout);
    setup_views(layout);
  }
  layout->legend = find_legend(figure);
  for (ptrdiff_t i = 0; i < n && !layout->legend; i++) place_legend(&layout->view[i]);
  double x = margin;
  for (ptrdiff_t c = 0; c < layout->columns; c++) {
    x += column_gutter(layout, c) + (c > 0 ? COLUMN_GAP : 0);
    for (ptrdiff_t i = c; i < layout->n; i += layout->columns) layout->view[i].plot.x = x;
    x += layout->view[0].plot.w + RIGHT_ROOM;
  }
  layout->width = x + margin - RIGHT_ROOM / 2.0;
  double available = layout->width - 2.0 * margin;
  int lines = ms_text_count_lines(figure->title, MS_TITLE_SIZE, available);
  int sublines = ms_text_count_lines(figure->subtitle, MS_SUBTITLE_SIZE, available);
  double y = margin + lines * 1.3 * MS_TITLE_SIZE + sublines * 1.4 * MS_SUBTITLE_SIZE;
  if (lines + sublines > 0) y += ROW_GAP;
  for (ptrdiff_t i = 0; i < layout->n; i += layout->columns)
    y = place_row(layout, i, y + (i > 0 ? ROW_GAP : 0));
  if (layout->legend) {
    const double left = layout->view[0].plot.x, across = layout->width - margin - left;
    layout->legend_box = (ms_box) { left, y + 6.0, across, height_below(layout->legend, across) };
    y += layout->legend_box.h + 6.0;
  }
  layout->height = y + margin / 2.0;
  return MS_SUCCESS;
}
