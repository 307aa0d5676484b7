/* Reports: results to JSON and pictures. Computes nothing. */
#ifndef MICROSLIP_REPORT_H
#define MICROSLIP_REPORT_H

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
   row. Texts are UTF-8; raised digits (m/s², 10⁻⁶) and the index of a one-letter symbol (F_S,
   u_max) are set as such. */
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
  MS_SERIES_LINE_POINTS
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
/* Everything passed in is copied; after a failure the figure is as it was. */
MS_API ms_status ms_figure_add_panel(ms_figure *figure, const ms_panel *panel);
/* To the newest panel. Values that are not finite are MS_ERR_NUMERIC, values that a logarithmic
   axis cannot show MS_ERR_ARGUMENT; the message names the series and the value. */
MS_API ms_status ms_figure_add_series(ms_figure *figure, const ms_series *series);
/* A line of text in the newest panel that begins at a point in data coordinates, or ends there if
   the right edge is near. */
MS_API ms_status ms_figure_add_note(ms_figure *figure, double x, double y, const char *text);
/* A self-contained SVG 1.1, written beside and renamed. */
MS_API ms_status ms_figure_write_svg(const ms_figure *figure, const char *path, ms_theme theme);

#ifdef __cplusplus
}
#endif
#endif
