/* What the figure files share: the copied content, axes, text, colours, and the placed panels.
   Lengths are in pixels (px) of the drawing; y grows downwards. */
#ifndef MS_REPORT_INTERNAL_H
#define MS_REPORT_INTERNAL_H

#include <stdint.h>
#include <stdio.h>

#include <microslip/report.h>

/* ---- content (figure.c): the public structs again, their pointers owned by the figure ---- */

typedef struct ms_note {
  double x, y;
  char *text;
} ms_note;

typedef struct ms_figure_panel {
  ms_panel spec;
  int empty; /* a place that is left free */
  ms_series *series;
  ptrdiff_t n_series;
  ms_note *note;
  ptrdiff_t n_note;
  char **row; /* names at y = n_row, ..., 1; none: n_row = 0 */
  ptrdiff_t n_row;
} ms_figure_panel;

struct ms_figure {
  ms_context *ctx;
  char *title, *subtitle;
  ms_figure_panel *panel;
  ptrdiff_t n_panel;
  int columns; /* 0: as many as fit */
  int share;   /* MS_SHARE_X, MS_SHARE_Y */
};

/* Without its newest panel again. */
void ms_figure_drop_panel(ms_figure *figure);
/* What of a series is drawn. */
int ms_series_has_line(const ms_series *series);
int ms_series_has_points(const ms_series *series);   /* with a rim */
int ms_series_is_scattered(const ms_series *series); /* nothing between its points */
/* Whether its line goes up and down so often that it covers what other lines of the panel show. */
int ms_series_is_band(const ms_figure_panel *panel, const ms_series *series);
/* Whether no line of the figure goes back in x. */
int ms_figure_goes_forward(const ms_figure *figure);
/* Which dashes its line has, 0 to MS_PALETTE_SIZE - 1, 0 for none; and which marker its points, 0
   to 2 MS_PALETTE_SIZE: from MS_PALETTE_SIZE on open, the first of these for the neutral colour. */
int ms_series_get_dash(const ms_figure_panel *panel, const ms_series *series);
int ms_series_get_marker(const ms_series *series);

/* ---- axes (axis.c) ---- */

#define MS_AXIS_MAX_TICKS 128

typedef struct ms_tick {
  double value;
  char label[48]; /* "" for a minor tick */
} ms_tick;

typedef struct ms_axis {
  int log;
  double low, high; /* what the axis shows */
  int exponent;     /* the labels are value / 10^exponent; the axis label says so */
  int n;
  ms_tick tick[MS_AXIS_MAX_TICKS + 1]; /* the last takes what is too much, and is not shown */
} ms_axis;

/* The axis that shows [low, high] with a little air and about `target` labels; low > high when
   there is no data. Any finite range does (positive if log). */
void ms_axis_setup(ms_axis *axis, int log, double low, double high, int target);
/* Labels name[i] at n - i in place of its ticks, as far as it shows them. */
void ms_axis_name_rows(ms_axis *axis, ptrdiff_t n, char *const *name);
/* Where value stands: 0 at the low end, 1 at the high end. */
double ms_axis_place(const ms_axis *axis, double value);
/* A value as a reader would say it, with three digits or so. */
void ms_axis_read(const ms_axis *axis, double value, char *text, size_t size);
/* "label [10⁻⁶ unit]"; label and unit may be NULL. */
void ms_axis_title(const ms_axis *axis, const char *label, const char *unit, char *text,
                   size_t size);

/* ---- text (text.c): UTF-8; what is not valid is shown as U+FFFD ---- */

/* Advances *text by one character and returns it; 0 at the end of the string. */
uint32_t ms_text_next(const char **text);
/* Estimated for a wide sans-serif, so that a narrower one fits too. end may be NULL: all of it. */
double ms_text_width(const char *text, const char *end, double size);
/* The end of the longest beginning of text that breaks between words and fits in width. */
const char *ms_text_line(const char *text, double size, double width);
/* Skips the blanks before the next line. */
const char *ms_text_skip(const char *text);
int ms_text_count_lines(const char *text, double size, double width); /* 0 for NULL */
/* Escaped for XML and HTML. */
void ms_text_escape(FILE *out, const char *text);
/* Escaped, with the index of a symbol as in ms_text_draw, for HTML. NULL writes nothing. */
void ms_text_html(FILE *out, const char *text);
/* Escaped, with raised digits (10⁻⁶) drawn as small plain ones, which every font has, and the index
   of a symbol of one letter (F_S, u_max) lowered. */
void ms_text_draw(FILE *out, const char *text, const char *end, double size);

/* The name of a value or column as people write it, for the two above: "zeta_joint" becomes
   "ζ_joint", "at_bound" "at bound"; not for names that users have given. */
void ms_text_symbol(const char *name, char *text, size_t size);
/* A unit likewise: "m/s^2 sqrt(kg)" becomes "m/s²√kg". */
void ms_text_unit(const char *unit, char *text, size_t size);
/* Numbers with a unit in a text as the display shows them, and their units as people write them. */
void ms_text_tell(const ms_display *display, const char *text, char *out, size_t size);

/* ---- colours (colour.c): 0xRRGGBB ---- */

typedef struct ms_colours {
  uint32_t background, text, muted, axis, zero, grid;
  uint32_t series[MS_PALETTE_SIZE];
} ms_colours;

const ms_colours *ms_colours_get(int dark);
/* WCAG 2 contrast ratio, from 1 (none) to 21 (black on white). */
double ms_colour_contrast(uint32_t a, uint32_t b);

/* ---- placing (layout.c) ---- */

enum {
  MS_TITLE_SIZE = 18,
  MS_SUBTITLE_SIZE = 13,
  MS_PANEL_TITLE_SIZE = 13,
  MS_LABEL_SIZE = 12,
  MS_TICK_SIZE = 11,
  MS_MARGIN = 22,
  MS_LEGEND_LINE = 18,   /* height of one entry */
  MS_LEGEND_SWATCH = 30, /* sample of the line, and the gap after it */
  MS_LEGEND_GAP = 16     /* between entries beside each other */
};

typedef struct ms_box {
  double x, y, w, h;
} ms_box;

typedef enum ms_legend_place { MS_LEGEND_NONE, MS_LEGEND_INSIDE, MS_LEGEND_BELOW } ms_legend_place;

typedef struct ms_view {
  const ms_figure_panel *panel;
  ms_axis x, y;
  int x_group, y_group; /* panels of one group share the axis; -1: none */
  int hide_x, hide_y;   /* a neighbour has the labels */
  ms_box plot;          /* on the page; everything else counts from its corner */
  double gutter;        /* room at the left, for the y axis */
  ms_legend_place legend_place;
  ms_box legend;
} ms_view;

typedef struct ms_layout {
  double width, height;
  ptrdiff_t n, columns;
  ms_view *view;
  const ms_figure_panel *legend; /* the one with the curves of all panels; NULL: each has its own */
  ms_box legend_box;             /* on the page */
} ms_layout;

/* view is allocated; free it with ms_free. */
ms_status ms_layout_setup(const ms_figure *figure, ms_layout *layout);
/* The same in a drawing of this width, px (0: as wide as it likes), which only a figure with set
   columns may exceed. */
ms_status ms_layout_setup_width(const ms_figure *figure, double width, ms_layout *layout);
/* A data point in px from the plot's upper left corner. */
void ms_view_point(const ms_view *view, double x, double y, double *px, double *py);
/* The box around a note's text; *flip says that the text ends at its point. */
ms_box ms_view_note(const ms_view *view, const ms_note *note, int *flip);
/* The width of the legend entry of a labelled series. */
double ms_legend_entry_width(const ms_series *series);

/* Whether two panels have the same x axis, so that they can share it. */
int ms_panel_has_same_x(const ms_panel *a, const ms_panel *b);

/* ---- curves (curve.c) ---- */

/* "Mx,y x,y ..." of the series, the data of an SVG path, with the vertices nobody would miss left
   out. Returns how many were written. out may be NULL, to count. */
long ms_curve_draw(FILE *out, const ms_view *view, const ms_series *series);
/* The vertices that remain at a tolerance (px, above 0), as indices into the series; returns how
   many. index may be NULL, to count. */
long ms_curve_thin(const ms_view *view, const ms_series *series, double tolerance,
                   ptrdiff_t *index);

/* A coordinate with at most two decimals, whatever the locale. */
void ms_svg_number(FILE *out, double value);

/* ---- series (svg_series.c) ---- */

/* ' name="value"' */
void ms_svg_attribute(FILE *out, const char *name, double value);
/* All of a panel, in px from the corner of its plot. */
void ms_svg_draw_series(FILE *out, const ms_view *view);
/* A sample that begins at x and is so long; y is its middle. */
void ms_svg_draw_swatch(FILE *out, const ms_figure_panel *panel, const ms_series *series, double x,
                        double y, double length);

/* ---- drawing into a page (svg.c) ---- */

/* The rules for everything but colours, each behind the selector `scope` (".ms-figure"). */
void ms_svg_write_shapes(FILE *out, const char *scope);
/* The figure as an svg element of this class, without titles, background and rules of its own; the
   layout must be that of the figure without its titles. */
void ms_svg_draw_plain(FILE *out, const ms_figure *figure, const ms_layout *layout,
                       const char *class);

/* The figure as a file of its own; with mm > 0 so wide, and without its titles, as the layout must
 * be. */
void ms_svg_draw_file(FILE *out, const ms_figure *figure, const ms_layout *layout, ms_theme theme,
                      double mm);

/* ---- PDF (pdf.c) ---- */

struct ms_pdf_picture;
ms_status ms_pdf_write(ms_context *ctx, const struct ms_pdf_picture *picture, const char *path);

/* ---- JSON in a page (json.c) ---- */

/* From now on '<' in a text is written \u003c, so that no text can end the element around it. */
void ms_json_escape_markup(ms_json *json);
/* Like ms_json_add_numbers, with nine digits and no blanks. */
void ms_json_add_rounded(ms_json *json, const char *key, const double *values, ptrdiff_t n);

/* display/display.c: whether a column is the frequency of its rows, of which motions of a sensor
   are made; the column of the highest rank above 0 is. And such a number in rad/s. */
int ms_display_rank_omega(const char *name, const char *unit);
double ms_display_omega(const char *unit, double value);
/* What ms_display_look_beside takes numbers for. */
ms_display_quantity ms_display_find_beside(const char *name, const char *unit);

#endif
