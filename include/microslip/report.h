/* [report] Reports: results to JSON and pictures. Computes nothing. */
#ifndef MICROSLIP_REPORT_H
#define MICROSLIP_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include <microslip/context.h>
#include <microslip/display.h>
#include <microslip/drawing.h>

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
   one-letter symbol (F_S, u_max) are set as such. Fields left out of the structs below are the
   usual choice. */
typedef struct ms_figure ms_figure;

typedef enum ms_theme {
  MS_THEME_AUTO, /* follows the reader's light or dark setting */
  MS_THEME_LIGHT,
  MS_THEME_DARK
} ms_theme;

typedef struct ms_panel {
  const char *title, *x_label, *x_unit, *y_label, *y_unit; /* each may be NULL */
  int x_log, y_log;
  int x_quantity, y_quantity; /* ms_display_quantity: how the reader may have the values shown */
  const char *x_column, *y_column; /* of the table they come from: its rows lead to points */
  double height;                   /* of its plot, in that of others; 0: 1 */
  int part; /* 1: x is a part of that of the panel before, and shared with other parts only */
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
  /* Dashes and markers, 1 to MS_PALETTE_SIZE, and as many again with open markers. 0: markers go
     with the colour, and so do dashes of labelled lines where nothing else in the panel is dashed.
   */
  int pattern;
  const double *y_low, *y_high; /* ends of an error bar at each point; NULL: none */
  int mode;                     /* from 1, of all points; 0: not known */
  const double *omega;          /* rad/s, at each point; NULL: not known */
  const char *key; /* lines such as "mode=2": what it belongs to, in tables too; NULL: its label */
} ms_series;

#define MS_PALETTE_SIZE 8

MS_API ms_status ms_figure_create(ms_context *ctx, const char *title, const char *subtitle,
                                  ms_figure **out);
MS_API void ms_figure_destroy(ms_figure **figure);
/* Panels in rows of exactly so many, 1 to MS_FIGURE_COLUMNS. */
#define MS_FIGURE_COLUMNS 6
MS_API ms_status ms_figure_set_columns(ms_figure *figure, int columns);
/* Panels that have the same x axis (label, unit, scale) show one range of it, which the reader
   zooms in all of them; so do panels of a row with the same y axis. Labels that a neighbour repeats
   are left out. */
enum { MS_SHARE_X = 1, MS_SHARE_Y = 2 };
MS_API void ms_figure_share(ms_figure *figure, int axes);
/* Everything passed in is copied; after a failure the figure is as it was. */
MS_API ms_status ms_figure_add_panel(ms_figure *figure, const ms_panel *panel);
/* A place in the row that stays empty: a panel without anything, to which nothing can be added. */
MS_API ms_status ms_figure_skip_panel(ms_figure *figure);
/* A drawing of another room (drawing.h) as a figure; panels with the same x axis share it. */
MS_API ms_status ms_figure_from_drawing(ms_context *ctx, const ms_drawing *drawing,
                                        ms_figure **out);
/* The same with axes from names of columns, "omega [rad/s]": labels, units and what they measure.
 */
MS_API ms_status ms_figure_add_column_panel(ms_figure *figure, const char *title, const char *x,
                                            const char *y, int x_log, int y_log);
/* To the newest panel. Values that are not finite are MS_ERR_NUMERIC, values that a logarithmic
   axis cannot show MS_ERR_ARGUMENT, except for the lower end of an error bar, which then goes to
   the edge; the message names the series and the value. */
MS_API ms_status ms_figure_add_series(ms_figure *figure, const ms_series *series);
/* Dashed curves a and -a at times t, n of each, around the history of a mode (from 1; 0: of none).
 */
MS_API ms_status ms_figure_add_envelope(ms_figure *figure, const char *label, ptrdiff_t n,
                                        const double *t, const double *a, int mode);
/* The area between the first and the last of `count` values at each of the n points of `band`:
   y[k + count*i], and omega, if it is known, of each. The rest of it is the series'. */
MS_API ms_status ms_figure_add_band(ms_figure *figure, const ms_series *band, int count);
/* A curve in stretches, n of its points where dashed[i] is not 0 dashed and the others not; each
   goes on to the first point of the next. */
MS_API ms_status ms_figure_add_stretches(ms_figure *figure, const ms_series *curve,
                                         const char *dashed);
/* A line of text in the newest panel that begins at a point in data coordinates, or ends there if
   the right edge is near. */
MS_API ms_status ms_figure_add_note(ms_figure *figure, double x, double y, const char *text);
/* Histories, one for each panel: beside each of many cycles another panel shows the first ones. The
   figure has two columns then; it stays as it is if no history is that long. A cycle is one of the
   curve that moves most. Where panels share x, the longest of the parts is shown in all of them. */
MS_API ms_status ms_figure_add_first_cycles(ms_figure *figure);
/* A lower panel with what the curve `model` of panel `panel` (from 0) of a figure leaves of its
   curve `target`, both by their labels: target less model at the target's points, in per cent of
   the model where y is logarithmic. Areas, such as bands of confidence, are shown likewise. Between
   points of the model it is as drawn; if both have the same x, points make pairs. `to` may be the
   figure itself: with two columns and two panels so treated, residuals are below. */
MS_API ms_status ms_figure_add_residuals(ms_figure *to, const ms_figure *from, ptrdiff_t panel,
                                         const char *target, const char *model);
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
/* How figures are written for papers; zeros are the usual choice. */
typedef struct ms_figure_format {
  int svg, pdf;   /* which; neither: svg */
  double width;   /* mm; 0: as wide as its panels like to be, below its titles. A given width has
                     fewer   panels beside each other, and no titles; only if the figure sets its
                     columns and   these do not fit is type smaller than asked for */
  double font;    /* pt, of labels; 0: 9. SVG without a width has 12 px */
  ms_theme theme; /* of SVG; PDF is light */
} ms_figure_format;
/* stem.svg or stem.pdf or both, and stem.csv with the points: panel, curve, and a column for each
   axis that a panel has, with its unit. Each is written beside and renamed. format may be NULL. */
MS_API ms_status ms_figure_write(const ms_figure *figure, const char *stem,
                                 const ms_figure_format *format);
/* Whether this installation can write PDF; the message says what is missing. */
MS_API ms_status ms_figure_check_pdf(ms_context *ctx);
/* A copy with values, units and labels as the display shows them, less points that it cannot show:
   such as those without damping, where that is shown as Q. */
MS_API ms_status ms_figure_convert(const ms_figure *figure, const ms_display *display,
                                   ms_figure **out);
/* A self-contained SVG 1.1, written beside and renamed. */
MS_API ms_status ms_figure_write_svg(const ms_figure *figure, const char *path, ms_theme theme);

/* ---- pages ---------------------------------------------------------------------------------- */

/* A page is one HTML file that needs nothing else, not even a network: a title, answers, warnings
   and a figure at its head as far as there are such, and blocks in the order in which they are
   added. Figures can be zoomed and read with the pointer, the keyboard or
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
  int flag;                   /* numbers are 0 or 1: no or yes */
  int named;                  /* the heading is a name that a user gave: shown as it is */
  const char *meaning;        /* shown to who points at the heading; may be NULL */
  int in_unit; /* 1: the numbers are in the units that the texts of the column `unit` say, -1: per
                  these; a column `parameter` may say what they are */
} ms_page_column;

typedef struct ms_page_table {
  ptrdiff_t n_row, n_column; /* n_row may be 0 */
  const ms_page_column *column;
  const char *name;   /* of the file that has it, without .csv; NULL: none has */
  ptrdiff_t n_folded; /* so many of the first rows are shown on request: */
  const char *folded; /* what they are, "6 rigid-body modes"; not NULL then */
} ms_page_table;

/* A number that readers came for. */
typedef struct ms_answer {
  const char *label;   /* in words: "Slip force of lap" */
  const char *symbol;  /* "F_S", "omega", "zeta"; may be NULL */
  const char *unit;    /* SI; NULL: none */
  double value, error; /* error: standard error; 0: none */
  double low, high;    /* an interval instead of an error; both the same: none */
  int weight;          /* larger goes first; among equal ones the first */
  int mode;            /* of a modal amplitude, from 1, so that it can be shown as the motion of */
  double omega;        /* a sensor, and its frequency, rad/s; both 0 where not known */
} ms_answer;

/* "60.013 +- 0.030 N", "(1.73 +- 0.12)e6 N/m", "1.73 (1.61 to 1.88)": the value to two digits of
   its error or interval, to MS_ANSWER_DIGITS without one; powers of ten in steps of three. In the
   units of the display, which may be NULL, and in ASCII; a damping shown as Q has (Q) behind it,
   the motion of a sensor its name. Returns the length it has or would have. */
MS_API int ms_answer_print(const ms_answer *answer, const ms_display *display, char *text,
                           size_t size);

enum {
  MS_PAGE_DIGITS = 5,
  MS_ANSWER_DIGITS = 4, /* of a key number without error or interval */
  MS_PAGE_ANSWERS = 6,
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
/* The units in which the page shows its numbers at first, and among which its reader can switch;
   without it they stay as they are. Borrowed until the page is destroyed. */
/* A short name and what it means: sections in which it is used, as a word of its own, say so below
   their title. */
MS_API ms_status ms_page_explain(ms_page *page, const char *name, const char *words);
MS_API void ms_page_set_display(ms_page *page, const ms_display *display);
/* A heading, also in the table of contents; and one with a name beside it in small type, by which
   the section's figures are called as files. */
MS_API ms_status ms_page_add_section(ms_page *page, const char *heading);
MS_API ms_status ms_page_add_named_section(ms_page *page, const char *heading, const char *name);
/* A heading inside a section. */
MS_API ms_status ms_page_add_heading(ms_page *page, const char *heading);
/* Paragraphs, with empty lines between them. */
MS_API ms_status ms_page_add_text(ms_page *page, const char *text);
/* A paragraph that must not be overlooked. The head of the page has them all, with links, the worst
   first: severity is 0 for ms_page_add_warning, and label says what it means ("suspect"). */
MS_API ms_status ms_page_add_warning(ms_page *page, const char *text);
MS_API ms_status ms_page_raise_warning(ms_page *page, int severity, const char *label,
                                       const char *text);
/* A number for the head of the page, where the MS_PAGE_ANSWERS of largest weight stand, with a link
   to the section that it is in. Its numbers must be finite. */
MS_API ms_status ms_page_add_answer(ms_page *page, const ms_answer *answer);
/* Lines as they are, in type of one width. */
MS_API ms_status ms_page_add_code(ms_page *page, const char *text);
/* A list of n names with their values. */
MS_API ms_status ms_page_add_facts(ms_page *page, ptrdiff_t n, const char *const *names,
                                   const char *const *values);
/* One more name with its value, of at most 399 letters, in the list that ends the page, or in a new
   one. */
MS_API ms_status ms_page_add_fact(ms_page *page, const char *name, const char *format, ...)
    MS_PRINTF(3, 4);
/* The same with a number, of so many digits (0: MS_PAGE_DIGITS) unless it has an error or an
   interval: its label is the name, or its symbol where the two are the same. It must be finite. */
MS_API ms_status ms_page_add_number(ms_page *page, const ms_answer *number, int digits);
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
/* The figure, shape or map that was added last may stand at the head of the page: the one of the
   largest weight (above 0) does, the later one where two are equal. */
MS_API ms_status ms_page_feature(ms_page *page, int weight);
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

typedef struct ms_shape_mode ms_shape_mode;
struct ms_shape_mode {
  const char *name;  /* "Mode 7" */
  const char *value; /* what else is to be said of it: "bending z 1"; may be NULL */
  const double *u;   /* 3 x n_node, in any unit: the picture has a scale of its own */
  double omega;      /* rad/s; 0: no frequency is shown */
  int folded;        /* a rigid-body mode: it is in the list when the reader asks for these */
  const ms_shape_mode *beside; /* what it can be compared with, side by side; NULL: nothing */
};

/* A joint is a dot, a mass a square in the colour of its displacement, the ground a hatched line.
 */
typedef enum ms_mark_style { MS_MARK_JOINT, MS_MARK_MASS, MS_MARK_GROUND } ms_mark_style;

/* A joint, or whatever else is to be found in the picture; it moves with its node. */
typedef struct ms_shape_mark {
  ptrdiff_t node;
  const char *label; /* may be NULL */
  ms_mark_style style;
} ms_shape_mark;

/* A line of a body whose nodes both belong to faces is an outline; any other is a beam, drawn thick
   and in colour. Joints are dashed, springs a zigzag or, where that is too much, thin lines. */
typedef enum ms_line_style {
  MS_LINE_BODY,
  MS_LINE_JOINT,
  MS_LINE_SPRING,
  MS_LINE_THIN
} ms_line_style;

/* A body and how it moves. Nodes that nothing but a mark uses are fine. */
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
  const unsigned char *line_style; /* ms_line_style of each; NULL: all are of bodies */
  const char *side[2]; /* what a mode and the one beside it are: "stuck", "slipped"; may be NULL */
} ms_shape;

/* A figure that the reader can turn, zoom and set in motion, coloured by the size of the
   displacement, with the marks on top; on paper and without scripts, a still picture of the first
   mode that is not folded. caption may be NULL. Needs faces, lines or marks. The page holds
   coordinates as whole multiples of a 65534th of the longest side of the box around the body,
   displacements of a 4095th of the mode's largest component: no value is off by more than half of
   that. Values that are not finite are MS_ERR_NUMERIC. */
MS_API ms_status ms_page_add_shape(ms_page *page, const char *caption, const ms_shape *shape);

/* The modes of a structure on a shape without modes: the first `most` with a frequency, each beside
   another that it is compared with, and up to six without, folded. */
typedef struct ms_mode_set {
  ptrdiff_t n;                             /* modes, and numbers of a mode */
  const double *omega, *phi;               /* rad/s; n x n, a column each */
  const double *omega_beside, *phi_beside; /* NULL: there are none to compare with */
  const ptrdiff_t *beside;                 /* then: for each mode one of those, from 0, */
  const double *mac;                       /* and their MAC */
  const char *const *value;                /* of each mode, as in ms_shape_mode; may be NULL */
  ptrdiff_t most;
  /* u += the nodes' displacements, 3 x n_node, in a shape phi. */
  ms_status (*move)(void *user, const double *phi, double *u);
  void *user;
} ms_mode_set;
MS_API ms_status ms_page_add_modes(ms_page *page, const char *caption, const ms_shape *shape,
                                   const ms_mode_set *modes);
/* Their MAC, mac[i + n_row*j], as a shaded table: row and column are numbers of modes from 0,
   `what` is what the rows are. Up to 40 of each are shown. */
MS_API ms_status ms_page_add_mac(ms_page *page, const char *caption, const char *what,
                                 ptrdiff_t n_row, const ptrdiff_t *row, ptrdiff_t n_column,
                                 const ptrdiff_t *column, const double *mac);

/* ---- fields on faces in a page ---- */

typedef struct ms_face_field {
  const char *name, *unit; /* unit may be NULL */
  int by_node;             /* a value for each node, else for each face */
  int log;                 /* coloured by the logarithm; values that are not above 0 are none */
  const double *value;     /* value[i + n*k] of face or node i in frame k; NAN: none, drawn grey */
} ms_face_field;

/* Fields on a body in some frames: levels of a load, times. */
typedef struct ms_fields {
  ms_shape body;                       /* with faces; its modes are not looked at */
  ptrdiff_t n_frame;                   /* at least 1 */
  const char *frame_name, *frame_unit; /* what the frames differ in: "Load", "N"; may be NULL */
  const double *frame_value;           /* of each frame; NULL: it has its number only */
  const char *const *frame_text;       /* what else is to be said of each; NULL, also of one */
  ptrdiff_t n_field;                   /* at least 1 */
  const ms_face_field *field;
  ptrdiff_t n_value; /* values of a frame, where several nodes may have one: */
  const int32_t *of; /* of each node, the place of its value; NULL: nodes have their own */
} ms_fields;

/* A figure with a slider over the frames and a choice of the field, in which the reader can turn
   the body and read values with the pointer; on paper and without scripts, a still picture of the
   first field in the last frame. A field has the same colours in all frames, from its lowest value
   to its highest; the page holds it as whole multiples of a 4095th of that range (of its logarithm,
   if `log` is set): no value is off by more than half of that. caption may be NULL. Infinite values
   are MS_ERR_NUMERIC. */
MS_API ms_status ms_page_add_field(ms_page *page, const char *caption, const ms_fields *fields);

/* Written beside and renamed. */
MS_API ms_status ms_page_write(const ms_page *page, const char *path);
/* Every figure of the page by ms_figure_write, as folder/<section>-<number in it>, number from 1;
   characters of the heading other than letters, digits, '_', '-' and '.' become '-'. Makes the
   folder. format may be NULL. */
MS_API ms_status ms_page_write_figures(const ms_page *page, const char *folder,
                                       const ms_figure_format *format);

#ifdef __cplusplus
}
#endif
#endif
