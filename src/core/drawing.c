/* Drawings: see microslip/drawing.h. */
#include <microslip/drawing.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

struct ms_drawing {
  ms_context *ctx;
  char title[MS_DRAWN_TEXT], caption[8 * MS_DRAWN_TEXT];
  int columns;
  ptrdiff_t n_panel;
  ms_drawn_panel *panel;
};

ms_status ms_drawing_create(ms_context *ctx, const char *title, int columns, ms_drawing **out) {
  ms_drawing *d;
  MS_MAKE(ctx, out, title);
  MS_TRY(ms_allocate(ctx, 1, sizeof *d, &d));
  d->ctx = ctx;
  d->columns = columns;
  snprintf(d->title, sizeof d->title, "%s", title);
  *out = d;
  return MS_SUCCESS;
}

void ms_drawing_destroy(ms_drawing **drawing) {
  if (!drawing || !*drawing) return;
  ms_drawing *d = *drawing;
  for (ptrdiff_t p = 0; p < d->n_panel; p++) {
    for (ptrdiff_t c = 0; c < d->panel[p].n_curve; c++) ms_free(d->ctx, &d->panel[p].curve[c].x);
    ms_free(d->ctx, &d->panel[p].curve);
  }
  ms_free(d->ctx, &d->panel);
  ms_free(d->ctx, drawing);
}

void ms_drawing_say(ms_drawing *d, const char *format, ...) {
  const size_t n = strlen(d->caption);
  va_list args;
  va_start(args, format);
  vsnprintf(d->caption + n, sizeof d->caption - n, format, args);
  va_end(args);
}

ms_status ms_drawing_add_panel(ms_drawing *d, const ms_drawn_axes *axes, const char *format, ...) {
  va_list args;
  MS_TRY(ms_resize(d->ctx, d->n_panel + 1, sizeof *d->panel, &d->panel));
  ms_drawn_panel *panel = &d->panel[d->n_panel++];
  *panel = (ms_drawn_panel) { .empty = !axes };
  if (axes) panel->axes = *axes;
  if (axes && axes->y_unit) snprintf(panel->y_unit, sizeof panel->y_unit, "%s", axes->y_unit);
  panel->axes.y_unit = NULL;
  va_start(args, format);
  vsnprintf(panel->title, sizeof panel->title, format, args);
  va_end(args);
  return MS_SUCCESS;
}

void ms_drawing_note(ms_drawing *d, const char *text) {
  ms_drawn_panel *panel = &d->panel[d->n_panel - 1];
  snprintf(panel->note, sizeof panel->note, "%s", text);
}

/* ---- curves ---- */

static void keep(ms_drawn_curve *c, double x, double y) {
  c->x[c->n] = x;
  c->y[c->n++] = y;
}

/* The lowest and the highest point of first to end - 1, in their order; NaN are none. */
static void keep_extremes(ms_drawn_curve *c, const double *x, const double *y, ptrdiff_t first,
                          ptrdiff_t end, int y_log) {
  ptrdiff_t low = -1, high = -1;
  for (ptrdiff_t k = first; k < end; k++) {
    if (!isfinite(y[k]) || (y_log && !(y[k] > 0.0))) continue;
    if (low < 0 || y[k] < y[low]) low = k;
    if (high < 0 || y[k] > y[high]) high = k;
  }
  if (low < 0) return;
  const ptrdiff_t before = low < high ? low : high, after = low < high ? high : low;
  keep(c, x[before], y[before]);
  if (after != before) keep(c, x[after], y[after]);
}

/* To a power of ten that is a part of the range or less; of a logarithmic axis, of each value. */
static void round_values(ptrdiff_t n, double *x, int is_log) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (ptrdiff_t k = 0; k < n; k++) low = fmin(low, x[k]), high = fmax(high, x[k]);
  for (ptrdiff_t k = 0; k < n; k++) {
    const double range = is_log ? x[k] : high - low;
    const double step = pow(10.0, floor(log10(range / MS_DRAWN_VALUES)));
    if (range > 0.0 && step > 0.0) x[k] = round(x[k] / step) * step;
  }
}

ms_status ms_drawing_add_curve(ms_drawing *d, const char *label, int colour, int points,
                               ptrdiff_t n, const double *x, const double *y) {
  ms_drawn_panel *panel = &d->panel[d->n_panel - 1];
  const int all = points || n <= 2 * MS_DRAWN_STRETCHES;
  const ptrdiff_t stretches = all ? n : MS_DRAWN_STRETCHES;
  MS_TRY(ms_resize(d->ctx, panel->n_curve + 1, sizeof *panel->curve, &panel->curve));
  ms_drawn_curve *c = &panel->curve[panel->n_curve];
  *c = (ms_drawn_curve) { .colour = colour, .points = points };
  snprintf(c->label, sizeof c->label, "%s", label ? label : "");
  MS_TRY(ms_allocate(d->ctx, all ? n : 2 * stretches, 2 * sizeof *c->x, &c->x));
  c->y = c->x + (all ? n : 2 * stretches);
  for (ptrdiff_t k = 0; k < stretches; k++)
    keep_extremes(c, x, y, n * k / stretches, n * (k + 1) / stretches, panel->axes.y_log);
  round_values(c->n, c->x, 0);
  round_values(c->n, c->y, panel->axes.y_log);
  if (c->n > 0)
    panel->n_curve++;
  else
    ms_free(d->ctx, &c->x);
  return MS_SUCCESS;
}

/* ---- what it has ---- */

const char *ms_drawing_get_title(const ms_drawing *d) {
  return d->title;
}

const char *ms_drawing_get_caption(const ms_drawing *d) {
  return d->caption;
}

int ms_drawing_get_columns(const ms_drawing *d) {
  return d->columns;
}

ptrdiff_t ms_drawing_count_panels(const ms_drawing *d) {
  return d->n_panel;
}

const ms_drawn_panel *ms_drawing_get_panel(const ms_drawing *d, ptrdiff_t i) {
  return i >= 0 && i < d->n_panel ? &d->panel[i] : NULL;
}
