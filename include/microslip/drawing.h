/* [core] Drawings: panels of curves as plain data, made where records are known and drawn by the
   report (ms_figure_from_drawing). */
#ifndef MICROSLIP_DRAWING_H
#define MICROSLIP_DRAWING_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A curve has what a screen shows: two points in each of so many stretches, and values to a part of
   the curve's range, rounded to tens so that they are short in a file. */
enum { MS_DRAWN_STRETCHES = 150, MS_DRAWN_VALUES = 2000, MS_DRAWN_TEXT = 160 };

typedef struct ms_drawn_curve {
  char label[MS_DRAWN_TEXT]; /* "": none */
  int colour, points;        /* index into the palette, -1 neutral; 1: points, no line */
  ptrdiff_t n;
  double *x, *y; /* one block, in x */
} ms_drawn_curve;

/* Texts may be NULL; all but y_unit must stay valid. */
typedef struct ms_drawn_axes {
  const char *x_label, *x_unit, *y_label, *y_unit;
  int y_log;
  double height; /* of the panel, in that of others; 0: 1 */
} ms_drawn_axes;

typedef struct ms_drawn_panel {
  char title[MS_DRAWN_TEXT], note[MS_DRAWN_TEXT]; /* the note stands in the panel; "": none */
  char y_unit[MS_DRAWN_TEXT];                     /* "": none */
  int empty;                                      /* a place that is left out */
  ms_drawn_axes axes;                             /* y_unit is above */
  ptrdiff_t n_curve;
  ms_drawn_curve *curve;
} ms_drawn_panel;

typedef struct ms_drawing ms_drawing;

/* columns: panels of a row. Texts are copied. */
MS_API ms_status ms_drawing_create(ms_context *ctx, const char *title, int columns,
                                   ms_drawing **out);
MS_API void ms_drawing_destroy(ms_drawing **drawing);
MS_PRINTF(2, 3) MS_API void ms_drawing_say(ms_drawing *drawing, const char *format, ...);
/* NULL axes: a place that stays empty. The title as printf. */
MS_PRINTF(3, 4)
MS_API ms_status ms_drawing_add_panel(ms_drawing *drawing, const ms_drawn_axes *axes,
                                      const char *format, ...);
/* In the newest panel. */
MS_API void ms_drawing_note(ms_drawing *drawing, const char *text);
/* To the newest panel: n points, of a line the lowest and the highest of each of MS_DRAWN_STRETCHES
   stretches. Where y is logarithmic, points up to 0 are left out, and a curve of nothing else is.
   label may be NULL. */
MS_API ms_status ms_drawing_add_curve(ms_drawing *drawing, const char *label, int colour,
                                      int points, ptrdiff_t n, const double *x, const double *y);

MS_API const char *ms_drawing_get_title(const ms_drawing *drawing);
MS_API const char *ms_drawing_get_caption(const ms_drawing *drawing);
MS_API int ms_drawing_get_columns(const ms_drawing *drawing);
MS_API ptrdiff_t ms_drawing_count_panels(const ms_drawing *drawing);
/* NULL outside [0, count). */
MS_API const ms_drawn_panel *ms_drawing_get_panel(const ms_drawing *drawing, ptrdiff_t index);

#ifdef __cplusplus
}
#endif
#endif
