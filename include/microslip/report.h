/* [report] Reports: results to JSON and pictures. Computes nothing. */
#ifndef MICROSLIP_REPORT_H
#define MICROSLIP_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- JSON, streamed ------------------------------------------------------------------------- */

/* Values and containers in document order; key is NULL inside an array and at the top. The writer
   keeps the first failure (a value that is not finite, nesting out of order) and writes nothing
   after it; close reports it. What was written before the failure stays in the stream: let the
   stream be that of an ms_outfile, discarded when close fails, or one in memory. At most 32 levels;
   strings that are not UTF-8 get U+FFFD where they are not; a NULL text is written as null. */
typedef struct ms_json ms_json;

MS_API ms_status ms_json_create(ms_context *ctx, FILE *stream, ms_json **out);
MS_API void ms_json_begin_object(ms_json *json, const char *key);
MS_API void ms_json_begin_array(ms_json *json, const char *key);
MS_API void ms_json_end(ms_json *json);
MS_API void ms_json_add_number(ms_json *json, const char *key, double value);
MS_API void ms_json_add_integer(ms_json *json, const char *key, long long value);
MS_API void ms_json_add_text(ms_json *json, const char *key, const char *text);
MS_API void ms_json_add_bool(ms_json *json, const char *key, int value);
MS_API void ms_json_add_null(ms_json *json, const char *key);
MS_API void ms_json_add_numbers(ms_json *json, const char *key, const double *values, ptrdiff_t n);
/* Ends the line, frees the writer (*json becomes NULL) and returns the first failure. */
MS_API ms_status ms_json_close(ms_json **json);

/* ---- figures -------------------------------------------------------------------------------- */

/* A figure is a title, an optional subtitle, and panels: up to three side by side, then the next
   row, unless its columns are set. Texts are UTF-8; raised digits (m/s², 10⁻⁶) and the index of a
   one-letter symbol (F_S, u_max) are set as such. */
typedef struct ms_figure ms_figure;

typedef enum ms_theme {
  MS_THEME_AUTO, /* follows the reader's light or dark setting */
  MS_THEME_LIGHT,
  MS_THEME_DARK
} ms_theme;

typedef struct ms_panel {
  const char *title, *x_label, *x_unit, *y_label, *y_unit; /* each may be NULL */
  int x_log, y_log;
} ms_panel;

typedef enum ms_series_style {
  MS_SERIES_LINE,
  MS_SERIES_DASHED,
  MS_SERIES_POINTS,
  MS_SERIES_LINE_POINTS,
  MS_SERIES_AREA, /* the points go around it; filled, beneath everything else */
  MS_SERIES_CLOUD /* small points that let others through */
} ms_series_style;

typedef struct ms_series {
  const char *label; /* in the legend; NULL for none */
  const double *x, *y;
  ptrdiff_t n;
  ms_series_style style;
  int colour; /* index into the palette; -1 for the neutral text colour */
} ms_series;

#define MS_PALETTE_SIZE 8

MS_API ms_status ms_figure_create(ms_context *ctx, const char *title, const char *subtitle,
                                  ms_figure **out);
MS_API void ms_figure_destroy(ms_figure **figure);
/* Panels in rows of exactly so many, 1 to MS_FIGURE_COLUMNS. */
#define MS_FIGURE_COLUMNS 6
MS_API ms_status ms_figure_set_columns(ms_figure *figure, int columns);
/* Everything passed in is copied; after a failure the figure is as it was. */
MS_API ms_status ms_figure_add_panel(ms_figure *figure, const ms_panel *panel);
/* A place in the row that stays empty: a panel without anything, to which nothing can be added. */
MS_API ms_status ms_figure_skip_panel(ms_figure *figure);
/* To the newest panel. Values that are not finite are MS_ERR_NUMERIC, values that a logarithmic
   axis cannot show MS_ERR_ARGUMENT; the message names the series and the value. */
MS_API ms_status ms_figure_add_series(ms_figure *figure, const ms_series *series);
/* A line of text in the newest panel that begins at a point in data coordinates, or ends there if
   the right edge is near. */
MS_API ms_status ms_figure_add_note(ms_figure *figure, double x, double y, const char *text);
/* Names on the y axis of the newest panel, in place of numbers: name[i] stands at y = n - i, so
   that the first is at the top. The axis must be linear; long names are cut. Again: other names. */
MS_API ms_status ms_figure_name_rows(ms_figure *figure, ptrdiff_t n, const char *const *name);
/* Panels of n samples of n_x numbers, x[j + n_x*i], of the first MS_FIGURE_COLUMNS of them: how
   often values come on the diagonal, two numbers at a time below it. */
typedef struct ms_corner {
  ptrdiff_t n_x, n;
  const double *x;
  const char *const *name, *const *unit; /* of each; unit may be NULL */
  const int *log;                        /* whether its axis is logarithmic */
} ms_corner;
MS_API ms_status ms_figure_add_corner(ms_figure *figure, const ms_corner *corner);
/* A panel of intervals between 0 and 1, one below the other with their names: quantiles of samples,
   and the value that fits. */
typedef struct ms_interval {
  double low, middle, high, fit; /* 5, 50, 95 % */
} ms_interval;
MS_API ms_status ms_figure_add_intervals(ms_figure *figure, ptrdiff_t n, const char *const *name,
                                         const char *x_label, const ms_interval *interval);
/* A self-contained SVG 1.1, written beside and renamed. */
MS_API ms_status ms_figure_write_svg(const ms_figure *figure, const char *path, ms_theme theme);

/* ---- pages ---------------------------------------------------------------------------------- */

/* A page is one HTML file that needs nothing else, not even a network: a title and blocks in the
   order in which they are added. Figures can be zoomed and read with the pointer, the keyboard or
   two fingers, their curves switched off and on; without scripts they are still pictures. It
   follows the reader's light or dark setting and prints in light.

   Everything passed in is copied; after a failure the page is as it was. Texts are UTF-8 and shown
   as they are, whatever characters they hold; the index of a one-letter symbol (F_S) is set as
   such, except in code and in the values of facts and tables. The same calls give the same bytes:
   a date is in a page only if the caller puts it there. */
typedef struct ms_page ms_page;

/* A column holds numbers, or texts, or both: beside numbers, a text that is not NULL stands in
   place of its number, which is not looked at ("not determined"). In a column of texts NULL is an
   empty cell. Numbers are shown rounded; the table that a reader downloads has all digits. */
typedef struct ms_page_column {
  const char *heading, *unit; /* unit may be NULL */
  const double *numbers;      /* one for each row; NULL in a column of texts */
  const char *const *texts;   /* one for each row; NULL in a column of numbers */
  int digits;                 /* significant digits shown, 1 to 15; 0 for MS_PAGE_DIGITS */
} ms_page_column;

typedef struct ms_page_table {
  ptrdiff_t n_row, n_column; /* n_row may be 0 */
  const ms_page_column *column;
} ms_page_table;

enum {
  MS_PAGE_DIGITS = 5,
  MS_PAGE_MIN_POINTS = 100,
  MS_PAGE_MAX_POINTS = 200000 /* of one series; longer ones are thinned, and the page says so */
};

/* subtitle may be NULL. */
MS_API ms_status ms_page_create(ms_context *ctx, const char *title, const char *subtitle,
                                ms_page **out);
MS_API void ms_page_destroy(ms_page **page);
/* Figures that are added from now on keep at most so many points of a series, MS_PAGE_MIN_POINTS to
   MS_PAGE_MAX_POINTS, which is the default. */
MS_API ms_status ms_page_set_points(ms_page *page, ptrdiff_t most);
/* A heading, also in the table of contents. */
MS_API ms_status ms_page_add_section(ms_page *page, const char *heading);
/* Paragraphs, with empty lines between them. */
MS_API ms_status ms_page_add_text(ms_page *page, const char *text);
/* A paragraph that must not be overlooked. */
MS_API ms_status ms_page_add_warning(ms_page *page, const char *text);
/* Lines as they are, in type of one width. */
MS_API ms_status ms_page_add_code(ms_page *page, const char *text);
/* A list of n names with their values. */
MS_API ms_status ms_page_add_facts(ms_page *page, ptrdiff_t n, const char *const *names,
                                   const char *const *values);
/* One more name with its value, of at most 399 letters, in the list that ends the page, or in a new
   one. */
MS_API ms_status ms_page_add_fact(ms_page *page, const char *name, const char *format, ...)
    MS_PRINTF(3, 4);
/* Of a long table the first rows are shown until the reader asks for all. caption may be NULL.
   A number that is not finite is MS_ERR_NUMERIC. */
MS_API ms_status ms_page_add_table(ms_page *page, const char *caption, const ms_page_table *table);
/* The same with cells coloured by their numbers, from none at 0 to full at 1: a matrix to be seen
   at one glance. */
MS_API ms_status ms_page_add_shaded_table(ms_page *page, const char *caption,
                                          const ms_page_table *table);
/* A figure with at least one panel; caption may be NULL. The page holds nine digits of each value
   and at most as many points of a series as ms_page_set_points says, n. From a longer one, points
   are left out that lie next to the curve through the others: nearer than 1/(256 n) of the panel's
   width if that does, than 256/n at most. Where that does not do, and of points without a line,
   every k-th stays. */
MS_API ms_status ms_page_add_figure(ms_page *page, const char *caption, const ms_figure *figure);
/* ---- a figure in which the reader chooses ---- */

/* In one panel of the figure, a curve of every choice. */
typedef struct ms_choice_curve {
  ptrdiff_t panel, n; /* panel from 0 */
  const double *x;    /* n, of all choices */
  const double *y;    /* n x choices, y[i + n*k] of choice k */
} ms_choice_curve;

/* A number of every choice, drawn as a bar between two bounds. */
typedef struct ms_choice_bar {
  const char *name, *unit; /* unit may be NULL */
  double low, high;        /* low < high */
  int log;                 /* then low > 0 */
  const double *value;     /* one for each choice */
} ms_choice_bar;

typedef struct ms_choices {
  ptrdiff_t n;             /* the points of the first series in the first panel, in their order */
  ptrdiff_t first;         /* chosen until the reader chooses, from 0 */
  const char *const *name; /* of each, NULL: it has its number only; or NULL altogether */
  ptrdiff_t n_curve;
  const ms_choice_curve *curve;
  ptrdiff_t n_bar;
  const ms_choice_bar *bar;
} ms_choices;

/* A figure as above. Whoever points at one of the choices, or moves to it with the keyboard, sees
   its curves in the other panels and its numbers as bars. On paper and without scripts it is the
   figure alone: let that have the curves of some. */
MS_API ms_status ms_page_add_choices(ms_page *page, const char *caption, const ms_figure *figure,
                                     const ms_choices *choices);

/* ---- maps of hexagons in a page ---- */

typedef struct ms_hex_plane {
  const char *name, *unit; /* unit may be NULL */
  const double *value;     /* one for each node */
  int log;                 /* coloured by the logarithm; values are then above 0 */
} ms_hex_plane;

/* Nodes c + columns*r in column c and row r, odd rows half a step to the right (som.h). */
typedef struct ms_hex_map {
  ptrdiff_t columns, rows, n_plane;
  const ms_hex_plane *plane;
} ms_hex_map;

/* A small picture of every plane, coloured from its lowest value to its highest; whoever points at
   a node reads its values in all of them. caption may be NULL. Values that are not finite are
   MS_ERR_NUMERIC. */
MS_API ms_status ms_page_add_map(ms_page *page, const char *caption, const ms_hex_map *map);

/* ---- mode shapes in a page ---- */

typedef struct ms_shape_mode {
  const char *name;  /* "Mode 7" */
  const char *value; /* "1174.2 Hz"; may be NULL */
  const double *u;   /* 3 x n_node, in any unit: the picture has a scale of its own */
} ms_shape_mode;

/* A joint, or whatever else is to be found in the picture; it moves with its node. */
typedef struct ms_shape_mark {
  ptrdiff_t node;
  const char *label; /* may be NULL */
} ms_shape_mark;

/* A body and how it moves. Nodes that nothing but a mark uses are fine. A line whose nodes both
   belong to faces is an outline; any other is a beam, drawn thick and in colour. */
typedef struct ms_shape {
  ptrdiff_t n_node;
  const double *x; /* 3 x n_node, m */
  ptrdiff_t n_face;
  const int32_t *face; /* 4 x n_face, counter-clockwise from outside; the last -1: a triangle */
  int closed;          /* faces enclose bodies: those that look away are not drawn */
  ptrdiff_t n_line;
  const int32_t *line; /* 2 x n_line */
  ptrdiff_t n_mode;    /* at least 1 */
  const ms_shape_mode *mode;
  ptrdiff_t n_mark;
  const ms_shape_mark *mark;
} ms_shape;

/* A figure that the reader can turn, zoom and set in motion, coloured by the size of the
   displacement, with the marks on top; on paper and without scripts, a still picture of the first
   mode. caption may be NULL. Needs faces or lines. The page holds coordinates as whole multiples of
   a 65534th of the longest side of the box around the body, displacements of a 4095th of the mode's
   largest component: no value is off by more than half of that. Values that are not finite are
   MS_ERR_NUMERIC. */
MS_API ms_status ms_page_add_shape(ms_page *page, const char *caption, const ms_shape *shape);

/* Written beside and renamed. */
MS_API ms_status ms_page_write(const ms_page *page, const char *path);
/* Every figure of the page as folder/<section>-<number in it>.svg, number from 1; characters of the
   heading other than letters, digits, '_', '-' and '.' become '-'. Makes the folder. */
MS_API ms_status ms_page_write_figures(const ms_page *page, const char *folder, ms_theme theme);

#ifdef __cplusplus
}
#endif
#endif
