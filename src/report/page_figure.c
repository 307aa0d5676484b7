/* Figures of a page: a copy, thinned where a series is very long, written twice: drawn, for those
   without scripts, and as data, from which the script draws. */
#include "report/page.h"
#include "report/tolerance.h"

#include <math.h>
#include <string.h>

/* ---- copying ---- */

/* Takes the points at the given places. */
static ms_status add_some(ms_context *ctx, ms_figure *copy, const ms_series *series,
                          const ptrdiff_t *index, ptrdiff_t n) {
  ms_series some = *series;
  const double **column[] = { &some.x, &some.y, &some.y_low, &some.y_high, &some.omega };
  enum { COLUMNS = sizeof column / sizeof *column };
  double *values;
  MS_TRY(ms_allocate(ctx, n, COLUMNS * sizeof *values, &values));
  for (int c = 0; c < COLUMNS; c++) {
    const double *all = *column[c];
    if (!all) continue;
    for (ptrdiff_t i = 0; i < n; i++) values[c * n + i] = all[index[i]];
    *column[c] = values + c * n;
  }
  some.n = n;
  ms_status status = ms_figure_add_series(copy, &some);
  ms_free(ctx, &values);
  return status;
}

/* The finest tolerance (px of the view) that leaves few enough points; INFINITY if none does, as in
   a cloud of points. */
static double fit(const ms_view *view, const ms_series *series, ptrdiff_t most) {
  if (ms_series_is_scattered(series)) return INFINITY;
  for (double tolerance = ms_report_tol.finest; tolerance <= ms_report_tol.coarsest;
       tolerance *= 2.0)
    if (ms_curve_thin(view, series, tolerance, NULL) <= most) return tolerance;
  return INFINITY;
}

/* The places of the points that stay: next to none is missed, or else every k-th. index may be
   NULL, to count. */
static ptrdiff_t choose(const ms_view *view, const ms_series *series, double tolerance,
                        ptrdiff_t most, ptrdiff_t *index) {
  if (isfinite(tolerance)) return ms_curve_thin(view, series, tolerance, index);
  ptrdiff_t n = 0, stride = (series->n - 1) / (most - 1) + 1;
  for (ptrdiff_t i = 0; i < series->n; i += stride, n++)
    if (index) index[n] = i;
  return n;
}

static ms_status add_thinned(ms_context *ctx, ms_figure *copy, const ms_view *panel,
                             const ms_series *series, ptrdiff_t most) {
  ms_view view = *panel; /* the same axes on a screen that can show so many points */
  view.plot.w = (double)most / ms_report_tol.per_column, view.plot.h = view.plot.w / 2.0;
  double tolerance = fit(&view, series, most);
  ptrdiff_t *index, n = choose(&view, series, tolerance, most, NULL);
  MS_TRY(ms_allocate(ctx, n, sizeof *index, &index));
  choose(&view, series, tolerance, most, index);
  ms_status status = add_some(ctx, copy, series, index, n);
  ms_free(ctx, &index);
  return status;
}

static ms_status copy_panel(ms_context *ctx, ms_figure *copy, const ms_view *view, ptrdiff_t most,
                            ptrdiff_t *n_given) {
  const ms_figure_panel *panel = view->panel;
  if (panel->empty) return ms_figure_skip_panel(copy);
  MS_TRY(ms_figure_add_panel(copy, &panel->spec));
  for (ptrdiff_t i = 0; i < panel->n_series; i++) {
    const ms_series *series = &panel->series[i];
    n_given[i] = series->n;
    if (series->n > most)
      MS_TRY(add_thinned(ctx, copy, view, series, most));
    else
      MS_TRY(ms_figure_add_series(copy, series));
  }
  for (ptrdiff_t i = 0; i < panel->n_note; i++)
    MS_TRY(ms_figure_add_note(copy, panel->note[i].x, panel->note[i].y, panel->note[i].text));
  if (panel->n_row == 0) return MS_SUCCESS;
  return ms_figure_name_rows(copy, panel->n_row, (const char *const *)panel->row);
}

static ms_status copy_panels(ms_context *ctx, const ms_layout *layout, ptrdiff_t most,
                             ms_page_block *block) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < layout->n; i++) n += layout->view[i].panel->n_series;
  MS_TRY(ms_allocate(ctx, n, sizeof *block->n_given, &block->n_given));
  n = 0;
  for (ptrdiff_t i = 0; i < layout->n; i++) {
    MS_TRY(copy_panel(ctx, block->figure, &layout->view[i], most, block->n_given + n));
    n += layout->view[i].panel->n_series;
  }
  return MS_SUCCESS;
}

/* Placed as it stands in a page, where titles are text. */
static ms_status lay_out(ms_context *ctx, const ms_figure *figure, ms_layout *layout) {
  static char none[] = "";
  ms_figure bare = *figure;
  bare.ctx = ctx;
  bare.title = none;
  bare.subtitle = NULL;
  return ms_layout_setup(&bare, layout);
}

ms_status ms_block_copy_figure(ms_context *ctx, const ms_figure *figure, ptrdiff_t most,
                               ms_page_block *block) {
  if (!figure) return ms_fail(ctx, MS_ERR_ARGUMENT, "the figure is NULL");
  if (figure->n_panel == 0)
    return ms_fail(ctx, MS_ERR_STATE, "figure '%s' has no panel; add one first", figure->title);
  MS_TRY(ms_figure_create(ctx, figure->title, figure->subtitle, &block->figure));
  block->figure->columns = figure->columns;
  block->figure->share = figure->share;
  ms_layout layout;
  MS_TRY(lay_out(ctx, figure, &layout));
  ms_status status = copy_panels(ctx, &layout, most, block);
  ms_free(ctx, &layout.view);
  return status;
}

void ms_block_free_figure(ms_context *ctx, ms_page_block *block) {
  ms_figure_destroy(&block->figure);
  ms_free(ctx, &block->n_given);
}

/* ---- data ---- */

static int is_even(const double *x, ptrdiff_t n, double *step) {
  if (n < 3) return 0;
  *step = (x[n - 1] - x[0]) / (double)(n - 1);
  for (ptrdiff_t i = 1; i < n; i++)
    if (!(fabs(x[i] - (x[0] + (double)i * *step)) <= ms_report_tol.even * fabs(*step))) return 0;
  return *step != 0.0;
}

static void write_x(ms_json *json, const ms_series *series) {
  double step;
  if (!is_even(series->x, series->n, &step)) {
    ms_json_add_rounded(json, "x", series->x, series->n);
    return;
  }
  ms_json_begin_object(json, "x");
  ms_json_add_number(json, "start", series->x[0]);
  ms_json_add_number(json, "step", step);
  ms_json_end(json);
}

/* Lines "mode=2" as an object of texts. */
static void write_key(ms_json *json, const char *key) {
  char name[64], value[160];
  ms_json_begin_object(json, "key");
  for (const char *at = key; *at;) {
    const size_t n = strcspn(at, "="), m = at[n] ? strcspn(at + n + 1, "\n") : 0;
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    snprintf(value, sizeof value, "%.*s", (int)m, at[n] ? at + n + 1 : "");
    ms_json_add_text(json, name, value);
    at += n + (at[n] != '\0') + m;
    at += *at == '\n';
  }
  ms_json_end(json);
}

static void write_series(ms_json *json, const ms_figure_panel *panel, const ms_series *series) {
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "label", series->label);
  ms_json_add_bool(json, "line", ms_series_has_line(series));
  ms_json_add_integer(json, "dash", ms_series_get_dash(panel, series));
  ms_json_add_bool(json, "points", ms_series_has_points(series));
  ms_json_add_integer(json, "marker", ms_series_get_marker(series));
  if (ms_series_is_band(panel, series)) ms_json_add_bool(json, "band", 1);
  if (series->style == MS_SERIES_AREA) ms_json_add_bool(json, "area", 1);
  if (series->style == MS_SERIES_CLOUD) ms_json_add_bool(json, "cloud", 1);
  ms_json_add_integer(json, "colour", series->colour);
  write_x(json, series);
  ms_json_add_rounded(json, "y", series->y, series->n);
  if (series->y_low) ms_json_add_rounded(json, "low", series->y_low, series->n);
  if (series->y_high) ms_json_add_rounded(json, "high", series->y_high, series->n);
  if (series->mode > 0) ms_json_add_integer(json, "mode", series->mode);
  if (series->omega) ms_json_add_rounded(json, "omega", series->omega, series->n);
  if (series->key) write_key(json, series->key);
  ms_json_end(json);
}

static void write_rows(ms_json *json, const ms_figure_panel *panel) {
  if (panel->n_row == 0) return;
  ms_json_begin_array(json, "rows");
  for (ptrdiff_t i = 0; i < panel->n_row; i++) ms_json_add_text(json, NULL, panel->row[i]);
  ms_json_end(json);
}

typedef struct axis_data {
  const char *label, *unit, *column;
  int log, group; /* axes of a group are one */
  int quantity;
} axis_data;

static void write_axis(ms_json *json, const char *key, const axis_data *axis) {
  char label[160];
  ms_text_symbol(axis->label ? axis->label : "", label, sizeof label);
  ms_json_begin_object(json, key);
  ms_json_add_text(json, "label", label);
  ms_json_add_text(json, "unit", axis->unit);
  if (axis->quantity)
    ms_json_add_text(json, "quantity",
                     ms_display_quantity_text((ms_display_quantity)axis->quantity));
  ms_json_add_bool(json, "log", axis->log);
  if (axis->column) ms_json_add_text(json, "column", axis->column);
  if (axis->group >= 0) ms_json_add_integer(json, "group", axis->group);
  ms_json_end(json);
}

static void write_panel(ms_json *json, const ms_view *view) {
  const ms_figure_panel *panel = view->panel;
  if (panel->empty) {
    ms_json_add_null(json, NULL);
    return;
  }
  ms_json_begin_object(json, NULL);
  const ms_panel *p = &panel->spec;
  const axis_data x = {
    p->x_label, p->x_unit, p->x_column, p->x_log, view->x_group, p->x_quantity
  };
  const axis_data y = {
    p->y_label, p->y_unit, p->y_column, p->y_log, view->y_group, p->y_quantity
  };
  ms_json_add_text(json, "title", p->title);
  if (p->height > 0.0) ms_json_add_number(json, "height", p->height);
  if (p->part) ms_json_add_bool(json, "part", 1);
  write_axis(json, "x", &x);
  write_axis(json, "y", &y);
  write_rows(json, panel);
  ms_json_begin_array(json, "series");
  for (ptrdiff_t i = 0; i < panel->n_series; i++) write_series(json, panel, &panel->series[i]);
  ms_json_end(json);
  ms_json_begin_array(json, "notes");
  for (ptrdiff_t i = 0; i < panel->n_note; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_number(json, "x", panel->note[i].x);
    ms_json_add_number(json, "y", panel->note[i].y);
    ms_json_add_text(json, "text", panel->note[i].text);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_json_end(json);
}

static ms_status write_data(FILE *out, ms_context *ctx, const ms_layout *layout, int fixed) {
  ms_json *json;
  MS_TRY(ms_json_create(ctx, out, &json));
  ms_json_escape_markup(json);
  ms_json_begin_object(json, NULL);
  ms_json_add_integer(json, "columns", layout->columns);
  if (fixed) ms_json_add_bool(json, "fixed", 1);
  if (layout->legend) ms_json_add_bool(json, "legend", 1);
  ms_json_begin_array(json, "panels");
  for (ptrdiff_t i = 0; i < layout->n; i++) write_panel(json, &layout->view[i]);
  ms_json_end(json);
  ms_json_end(json);
  return ms_json_close(&json);
}

/* ---- writing ---- */

void ms_page_write_text(FILE *out, const char *open, const char *text, const char *close) {
  if (!text || !*text) return;
  fputs(open, out);
  ms_text_html(out, text);
  fputs(close, out);
}

/* The names in the keys of its series, for tables that lead to them. */
static void write_key_names(FILE *out, const ms_figure *figure) {
  char names[256] = ",";
  for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
    for (ptrdiff_t i = 0; i < figure->panel[p].n_series; i++) {
      const char *at = figure->panel[p].series[i].key;
      for (; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char name[64];
        snprintf(name, sizeof name, ",%.*s,", (int)strcspn(at, "="), at);
        const size_t n = strlen(names);
        if (!strstr(names, name) && n + strlen(name) < sizeof names) strcpy(names + n, name + 1);
      }
    }
  }
  if (!names[1]) return;
  names[strlen(names) - 1] = '\0';
  fputs(" data-keys=\"", out);
  ms_text_escape(out, names + 1);
  fputs("\"", out);
}

static void write_caption(FILE *out, const ms_page_block *block, int number) {
  fprintf(out, "<figcaption><b>Figure %d</b>", number);
  ms_page_write_text(out, "<span class=\"caption\"> ", block->text, "</span>");
  /* Which series were thinned, and from how many points. */
  const ptrdiff_t *n_given = block->n_given;
  for (ptrdiff_t p = 0; p < block->figure->n_panel; p++) {
    const ms_figure_panel *panel = &block->figure->panel[p];
    for (ptrdiff_t i = 0; i < panel->n_series; i++, n_given++) {
      const ms_series *series = &panel->series[i];
      if (*n_given == series->n) continue;
      fputs(" <span class=\"thinned\">", out);
      ms_page_write_text(out, "\u201C", series->label ? series->label : "A curve", "\u201D");
      fprintf(out, " is thinned for this page: %td of its %td points.</span>", series->n, *n_given);
    }
  }
  fputs("</figcaption>\n", out);
}

/* The still picture, as the display has it at first. */
static ms_status write_still(FILE *out, ms_context *ctx, const ms_figure *figure,
                             const ms_display *display) {
  ms_figure *shown = NULL;
  ms_layout layout = { 0 };
  if (display) MS_TRY(ms_figure_convert(figure, display, &shown));
  if (shown) figure = shown;
  ms_status status = lay_out(ctx, figure, &layout);
  if (status == MS_SUCCESS) ms_svg_draw_plain(out, figure, &layout, "ms-still");
  ms_free(ctx, &layout.view);
  ms_figure_destroy(&shown);
  return status;
}

ms_status ms_block_write_figure(FILE *out, ms_context *ctx, const ms_display *display,
                                const ms_page_block *block, int number) {
  ms_layout layout;
  MS_TRY(lay_out(ctx, block->figure, &layout));
  fprintf(out, "<figure class=\"ms-figure\" id=\"figure-%d\"", number);
  write_key_names(out, block->figure);
  fprintf(out, " style=\"contain-intrinsic-height:auto %.0fpx\">\n", layout.height + 60.0);
  ms_page_write_text(out, "<h3>", block->figure->title, "</h3>\n");
  ms_page_write_text(out, "<p class=\"under\">", block->figure->subtitle, "</p>\n");
  fputs("<div class=\"ms-plots\">\n", out);
  ms_status status = write_still(out, ctx, block->figure, display);
  fputs("</div>\n", out);
  write_caption(out, block, number);
  fputs("<script type=\"application/json\">\n", out);
  if (status == MS_SUCCESS) status = write_data(out, ctx, &layout, block->figure->columns > 0);
  fputs("</script>\n", out);
  if (block->choices) {
    fprintf(out, "<script type=\"application/json\" class=\"ms-choices\">\n%s</script>\n",
            block->choices);
  }
  fputs("</figure>\n", out);
  ms_free(ctx, &layout.view);
  return status;
}
