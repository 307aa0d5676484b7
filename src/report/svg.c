/* Drawing: a placed figure as one SVG 1.1 file that needs nothing else. Colours are plain class
   rules, because many converters know neither custom properties nor currentColor; no ids, so that
   several figures can stand in one page. */
#include "report/internal.h"

#include <math.h>
#include <string.h>

#include <microslip/io.h>

static const double spill = 5.0; /* px that a marker on the edge may stand out of the plot */

/* ---- elements ---- */

void ms_svg_number(FILE *out, double value) {
  long long hundredths = llround(100.0 * value);
  const char *sign = hundredths < 0 ? "-" : "";
  if (hundredths < 0) hundredths = -hundredths;
  int part = (int)(hundredths % 100);
  fprintf(out, "%s%lld", sign, hundredths / 100);
  if (part % 10)
    fprintf(out, ".%02d", part);
  else if (part)
    fprintf(out, ".%d", part / 10);
}

static void line(FILE *out, const char *class, double x1, double y1, double x2, double y2) {
  fprintf(out, "<path class=\"%s\" d=\"M", class);
  ms_svg_number(out, x1), fputc(' ', out), ms_svg_number(out, y1);
  fputc('L', out);
  ms_svg_number(out, x2), fputc(' ', out), ms_svg_number(out, y2);
  fputs("\"/>\n", out);
}

static void box(FILE *out, const char *class, ms_box b) {
  fprintf(out, "<rect class=\"%s\"", class);
  ms_svg_attribute(out, "x", b.x), ms_svg_attribute(out, "y", b.y);
  ms_svg_attribute(out, "width", b.w), ms_svg_attribute(out, "height", b.h);
  fputs("/>\n", out);
}

/* The end may be NULL: all of the text. Blanks at the edge of a raised run must be preserved. */
static void text(FILE *out, const char *class, double x, double y, const char *content,
                 const char *end, double size) {
  fprintf(out, "<text xml:space=\"preserve\" class=\"%s\"", class);
  ms_svg_attribute(out, "x", x), ms_svg_attribute(out, "y", y);
  fputc('>', out);
  ms_text_draw(out, content, end, size);
  fputs("</text>\n", out);
}

/* Lines from the first baseline down; returns the baseline that would follow. */
static double lines(FILE *out, const char *class, double x, double y, const char *content,
                    double size, double step, double width) {
  if (!content) return y;
  for (content = ms_text_skip(content); *content; y += step) {
    const char *end = ms_text_line(content, size, width);
    text(out, class, x, y, content, end, size);
    content = ms_text_skip(end);
  }
  return y;
}

/* ---- style ---- */

static void rule(FILE *out, const char *scope, const char *selector, const char *property,
                 uint32_t colour) {
  fprintf(out, "%s %s{%s:#%06x}\n", scope, selector, property, (unsigned)colour);
}

static void series_rules(FILE *out, const char *scope, const char *suffix, uint32_t colour) {
  char selector[16];
  snprintf(selector, sizeof selector, ".l%s", suffix);
  rule(out, scope, selector, "stroke", colour);
  snprintf(selector, sizeof selector, ".p%s", suffix);
  rule(out, scope, selector, "fill", colour);
}

static void colour_rules(FILE *out, const char *scope, const ms_colours *c) {
  rule(out, scope, ".bg", "fill", c->background);
  rule(out, scope, "text", "fill", c->text);
  rule(out, scope, ".muted", "fill", c->muted);
  rule(out, scope, ".tick", "fill", c->muted);
  rule(out, scope, ".axis", "stroke", c->axis);
  rule(out, scope, ".zero", "stroke", c->zero);
  rule(out, scope, ".grid", "stroke", c->grid);
  rule(out, scope, ".point", "stroke", c->background);
  rule(out, scope, ".open", "fill", c->background);
  rule(out, scope, ".note", "stroke", c->background);
  for (int i = 0; i < MS_PALETTE_SIZE; i++) {
    char suffix[2] = { (char)('0' + i), '\0' };
    series_rules(out, scope, suffix, c->series[i]);
  }
  series_rules(out, scope, "n", c->text);
}

void ms_svg_write_shapes(FILE *out, const char *scope) {
  static const char *const shape[] = {
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,'DejaVu Sans',sans-serif}",
    "text{font-size:11px}",
    ".title{font-size:18px;font-weight:600}",
    ".subtitle{font-size:13px}",
    ".head{font-size:13px;font-weight:600}",
    ".name{font-size:12px}",
    ".note{font-size:12px;stroke-width:3px;stroke-linejoin:round;paint-order:stroke}",
    ".small{font-size:75%}",
    ".mid{text-anchor:middle}",
    ".end{text-anchor:end}",
    ".axis,.grid,.zero{fill:none;stroke-width:1px}",
    ".line{fill:none;stroke-width:1.8px;stroke-linejoin:round;stroke-linecap:round}",
    ".band{stroke-opacity:0.6}",
    ".dashed{stroke-dasharray:6 4.5;stroke-linecap:butt}",
    ".d2{stroke-dasharray:2 3;stroke-linecap:butt}",
    ".d3{stroke-dasharray:9 3 2 3;stroke-linecap:butt}",
    ".d4{stroke-dasharray:13 4;stroke-linecap:butt}",
    ".d5{stroke-dasharray:9 3 2 3 2 3;stroke-linecap:butt}",
    ".d6{stroke-dasharray:4 2.5;stroke-linecap:butt}",
    ".d7{stroke-dasharray:14 3 5 3;stroke-linecap:butt}",
    ".point{stroke-width:1.6px;paint-order:stroke}",
    ".open{stroke-width:1.5px}",
    ".bar{fill:none;stroke-width:1.2px}",
    ".veil{fill-opacity:0.88}",
    ".area{fill-opacity:0.24}",
    ".cloud{fill:none;stroke-width:2.4px;stroke-linecap:round;stroke-opacity:0.45}",
  };
  for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
    fprintf(out, "%s %s\n", scope, shape[i]);
}

static const char *scope_name(ms_theme theme) {
  return theme == MS_THEME_LIGHT ? "ms-light" : theme == MS_THEME_DARK ? "ms-dark" : "ms-auto";
}

/* ---- curves ---- */

/* An inner svg element clips, and unlike a clip path it needs no id. */
static void draw_curves(FILE *out, const ms_view *view) {
  double w = view->plot.w + 2.0 * spill, h = view->plot.h + 2.0 * spill;
  fputs("<svg", out);
  ms_svg_attribute(out, "x", -spill), ms_svg_attribute(out, "y", -spill);
  ms_svg_attribute(out, "width", w), ms_svg_attribute(out, "height", h);
  fputs(" viewBox=\"", out);
  ms_svg_number(out, -spill), fputc(' ', out), ms_svg_number(out, -spill), fputc(' ', out);
  ms_svg_number(out, w), fputc(' ', out), ms_svg_number(out, h);
  fputs("\">\n", out);
  ms_svg_draw_series(out, view);
  fputs("</svg>\n", out);
}

/* ---- axes ---- */

static const char *grid_class(const ms_axis *axis, const ms_tick *tick) {
  return !axis->log && tick->value == 0.0 ? "zero" : "grid";
}

/* Zero lines last, over the others. */
static void draw_grid(FILE *out, const ms_view *view, const char *class) {
  double w = view->plot.w, h = view->plot.h;
  for (int i = 0; i < view->x.n; i++) {
    const ms_tick *tick = &view->x.tick[i];
    double x = w * ms_axis_place(&view->x, tick->value);
    if (tick->label[0] && !strcmp(class, grid_class(&view->x, tick)))
      line(out, class, x, 0.0, x, h);
  }
  for (int i = 0; i < view->y.n; i++) {
    const ms_tick *tick = &view->y.tick[i];
    double y = h * (1.0 - ms_axis_place(&view->y, tick->value));
    if (tick->label[0] && !strcmp(class, grid_class(&view->y, tick)))
      line(out, class, 0.0, y, w, y);
  }
}

static void draw_x_axis(FILE *out, const ms_view *view) {
  double w = view->plot.w, h = view->plot.h;
  for (int i = 0; i < view->x.n; i++) {
    const ms_tick *tick = &view->x.tick[i];
    double x = w * ms_axis_place(&view->x, tick->value);
    line(out, "axis", x, h, x, h + (tick->label[0] ? 5.0 : 3.0));
    if (tick->label[0] && !view->hide_x)
      text(out, "tick mid", x, h + 18.0, tick->label, NULL, MS_TICK_SIZE);
  }
  if (view->hide_x) return;
  char name[256];
  const ms_panel *spec = &view->panel->spec;
  ms_axis_title(&view->x, spec->x_label, spec->x_unit, name, sizeof name);
  text(out, "name mid", 0.5 * w, h + 38.0, name, NULL, MS_LABEL_SIZE);
}

static void draw_y_axis(FILE *out, const ms_view *view) {
  double h = view->plot.h;
  for (int i = 0; i < view->y.n; i++) {
    const ms_tick *tick = &view->y.tick[i];
    double y = h * (1.0 - ms_axis_place(&view->y, tick->value));
    line(out, "axis", 0.0, y, tick->label[0] ? -5.0 : -3.0, y);
    if (tick->label[0] && !view->hide_y)
      text(out, "tick end", -9.0, y + 0.36 * MS_TICK_SIZE, tick->label, NULL, MS_TICK_SIZE);
  }
  if (view->hide_y) return;
  char name[256];
  const ms_panel *spec = &view->panel->spec;
  ms_axis_title(&view->y, spec->y_label, spec->y_unit, name, sizeof name);
  fputs("<g transform=\"translate(", out);
  ms_svg_number(out, 13.0 - view->gutter), fputc(' ', out), ms_svg_number(out, 0.5 * h);
  fputs(") rotate(-90)\">", out);
  text(out, "name mid", 0.0, 0.0, name, NULL, MS_LABEL_SIZE);
  fputs("</g>\n", out);
}

/* ---- notes and legend ---- */

static void draw_entry(FILE *out, const ms_figure_panel *panel, const ms_series *series, double x,
                       double y) {
  ms_svg_draw_swatch(out, panel, series, x, y, MS_LEGEND_SWATCH - 8.0);
  text(out, "entry", x + MS_LEGEND_SWATCH, y + 0.36 * MS_TICK_SIZE, series->label, NULL,
       MS_TICK_SIZE);
}

/* One entry per line inside the panel; side by side beneath it. */
static void draw_legend(FILE *out, const ms_figure_panel *panel, ms_legend_place place, ms_box b) {
  if (place == MS_LEGEND_NONE) return;
  int stacked = place == MS_LEGEND_INSIDE;
  double x = 0.0, y = b.y + 0.5 * MS_LEGEND_LINE;
  if (stacked) box(out, "bg veil", b);
  for (ptrdiff_t i = 0; i < panel->n_series; i++) {
    const ms_series *series = &panel->series[i];
    if (!series->label) continue;
    double w = ms_legend_entry_width(series);
    if (x > 0.0 && (stacked || x + w > b.w)) x = 0.0, y += MS_LEGEND_LINE;
    draw_entry(out, panel, series, b.x + x, y);
    x += w + MS_LEGEND_GAP;
  }
}

/* ---- the page ---- */

static void draw_panel(FILE *out, const ms_view *view) {
  if (view->panel->empty) return;
  const char *title = view->panel->spec.title;
  double w = view->plot.w, h = view->plot.h, step = 1.3 * MS_PANEL_TITLE_SIZE;
  int n = ms_text_count_lines(title, MS_PANEL_TITLE_SIZE, w);
  fputs("<g transform=\"translate(", out);
  ms_svg_number(out, view->plot.x), fputc(' ', out), ms_svg_number(out, view->plot.y);
  fputs(")\">\n", out);
  lines(out, "head", 0.0, -10.0 - (n - 1) * step, title, MS_PANEL_TITLE_SIZE, step, w);
  draw_grid(out, view, "grid");
  draw_grid(out, view, "zero");
  line(out, "axis", 0.0, 0.0, 0.0, h);
  line(out, "axis", 0.0, h, w, h);
  draw_x_axis(out, view);
  draw_y_axis(out, view);
  draw_curves(out, view);
  for (ptrdiff_t i = 0; i < view->panel->n_note; i++) {
    const ms_note *note = &view->panel->note[i];
    int flip;
    ms_box b = ms_view_note(view, note, &flip);
    text(out, flip ? "note end" : "note", flip ? b.x + b.w : b.x,
         b.y + 0.5 * b.h + 0.36 * MS_LABEL_SIZE, note->text, NULL, MS_LABEL_SIZE);
  }
  draw_legend(out, view->panel, view->legend_place, view->legend);
  fputs("</g>\n", out);
}

static void draw_panels(FILE *out, const ms_layout *layout) {
  for (ptrdiff_t i = 0; i < layout->n; i++) draw_panel(out, &layout->view[i]);
  if (layout->legend) draw_legend(out, layout->legend, MS_LEGEND_BELOW, layout->legend_box);
}

static void describe_axis(FILE *out, const char *which, const ms_axis *axis) {
  char low[32], high[32];
  ms_axis_read(axis, axis->low, low, sizeof low);
  ms_axis_read(axis, axis->high, high, sizeof high);
  fprintf(out, "%s %s to %s%s", which, low, high, axis->log ? " (logarithmic)" : "");
}

/* What the picture shows, for those who hear it. */
static void describe_panel(FILE *out, const ms_view *view) {
  const ms_panel *spec = &view->panel->spec;
  const char *separator = ": ";
  char name[256];
  if (view->panel->empty) return;
  if (spec->title) ms_text_escape(out, spec->title), fputs(" — ", out);
  ms_axis_title(&view->y, spec->y_label, spec->y_unit, name, sizeof name);
  ms_text_escape(out, name);
  fputs(" against ", out);
  ms_axis_title(&view->x, spec->x_label, spec->x_unit, name, sizeof name);
  ms_text_escape(out, name);
  for (ptrdiff_t i = 0; i < view->panel->n_series; i++) {
    if (!view->panel->series[i].label) continue;
    fputs(separator, out);
    ms_text_escape(out, view->panel->series[i].label);
    separator = ", ";
  }
  describe_axis(out, ". Horizontal axis from", &view->x);
  if (view->panel->n_row == 0) describe_axis(out, ", vertical axis from", &view->y);
  fputs(".\n", out);
}

static void describe(FILE *out, const ms_figure *figure, const ms_layout *layout) {
  fputs("<title>", out);
  ms_text_escape(out, figure->title);
  fputs("</title>\n<desc>", out);
  if (figure->subtitle) ms_text_escape(out, figure->subtitle), fputc('\n', out);
  for (ptrdiff_t i = 0; i < layout->n; i++) describe_panel(out, &layout->view[i]);
  fputs("</desc>\n", out);
}

/* mm: its width; 0: as many px as it has. */
static void open_svg(FILE *out, const ms_layout *layout, const char *class, double mm) {
  double w = ceil(layout->width), h = ceil(layout->height);
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" class=\"%s\" role=\"img\"",
          class);
  if (mm > 0.0) {
    w = layout->width, h = layout->height;
    fputs(" width=\"", out), ms_svg_number(out, mm);
    fputs("mm\" height=\"", out), ms_svg_number(out, mm * h / w), fputs("mm\"", out);
  } else {
    ms_svg_attribute(out, "width", w), ms_svg_attribute(out, "height", h);
  }
  fputs(" viewBox=\"0 0 ", out);
  ms_svg_number(out, w), fputc(' ', out), ms_svg_number(out, h), fputs("\">\n", out);
}

void ms_svg_draw_plain(FILE *out, const ms_figure *figure, const ms_layout *layout,
                       const char *class) {
  open_svg(out, layout, class, 0.0);
  describe(out, figure, layout);
  draw_panels(out, layout);
  fputs("</svg>\n", out);
}

void ms_svg_draw_file(FILE *out, const ms_figure *figure, const ms_layout *layout, ms_theme theme,
                      double mm) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
  open_svg(out, layout, scope_name(theme), mm);
  describe(out, figure, layout);
  char scope[16];
  snprintf(scope, sizeof scope, ".%s", scope_name(theme));
  fputs("<style type=\"text/css\">\n", out);
  ms_svg_write_shapes(out, scope);
  colour_rules(out, scope, ms_colours_get(theme == MS_THEME_DARK));
  if (theme == MS_THEME_AUTO) {
    fputs("@media (prefers-color-scheme: dark){\n", out);
    colour_rules(out, scope, ms_colours_get(1));
    fputs("}\n", out);
  }
  fputs("</style>\n", out);
  box(out, "bg", (ms_box) { 0.0, 0.0, ceil(layout->width), ceil(layout->height) });
  if (mm > 0.0) {
    for (ptrdiff_t i = 0; i < layout->n; i++) draw_panel(out, &layout->view[i]);
    fputs("</svg>\n", out);
    return;
  }
  double y = MS_MARGIN + 0.8 * MS_TITLE_SIZE, available = layout->width - 2.0 * MS_MARGIN;
  y = lines(out, "title", MS_MARGIN, y, figure->title, MS_TITLE_SIZE, 1.3 * MS_TITLE_SIZE,
            available);
  lines(out, "subtitle muted", MS_MARGIN, y, figure->subtitle, MS_SUBTITLE_SIZE,
        1.4 * MS_SUBTITLE_SIZE, available);
  draw_panels(out, layout);
  fputs("</svg>\n", out);
}

ms_status ms_figure_write_svg(const ms_figure *figure, const char *path, ms_theme theme) {
  if (!figure) return MS_ERR_ARGUMENT;
  ms_context *ctx = figure->ctx;
  if (!path) return ms_fail(ctx, MS_ERR_ARGUMENT, "figure '%s': the path is NULL", figure->title);
  if ((int)theme < MS_THEME_AUTO || (int)theme > MS_THEME_DARK)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "figure '%s': there is no theme %d", figure->title,
                   (int)theme);
  if (figure->n_panel == 0)
    return ms_fail(ctx, MS_ERR_STATE, "figure '%s' has no panel; add one before writing",
                   figure->title);
  ms_layout layout;
  ms_outfile *file;
  MS_TRY(ms_layout_setup(figure, &layout));
  ms_status status = ms_outfile_open(ctx, path, &file);
  if (status == MS_SUCCESS) {
    ms_svg_draw_file(ms_outfile_stream(file), figure, &layout, theme, 0.0);
    status = ms_outfile_commit(&file);
  }
  ms_free(ctx, &layout.view);
  return status;
}
