#include "study/trace.h"

#include <math.h>

void ms_trace_free(ms_context *ctx, ms_trace *trace) {
  ms_free(ctx, &trace->t);
  *trace = (ms_trace) { .n = 0 };
}

static void keep(const ms_signal *s, ptrdiff_t k, ms_trace *out) {
  out->t[out->n] = s->time + (double)k * s->dt;
  out->x[out->n] = s->x[k];
  out->n++;
}

/* Samples first to last - 1. */
static void keep_extremes(const ms_signal *s, ptrdiff_t first, ptrdiff_t last, ms_trace *out) {
  ptrdiff_t low = first, high = first;
  for (ptrdiff_t k = first; k < last; k++) {
    if (s->x[k] < s->x[low]) low = k;
    if (s->x[k] > s->x[high]) high = k;
  }
  keep(s, low < high ? low : high, out);
  if (low != high) keep(s, low < high ? high : low, out);
}

ms_status ms_trace_make(ms_context *ctx, const ms_signal *s, ms_trace *out) {
  const ptrdiff_t most = 2 * MS_TRACE_COLUMNS, whole = s->n / MS_TRACE_COLUMNS,
                  rest = s->n % MS_TRACE_COLUMNS;
  ptrdiff_t room = s->n < most ? s->n : most, first = 0;
  *out = (ms_trace) { .n = 0 };
  MS_TRY(ms_allocate(ctx, room, 2 * sizeof *out->t, &out->t));
  out->x = out->t + room;
  for (ptrdiff_t k = 0; s->n <= most && k < s->n; k++) keep(s, k, out);
  for (ptrdiff_t c = 0; s->n > most && c < MS_TRACE_COLUMNS; c++) {
    ptrdiff_t last = first + whole + (c < rest);
    keep_extremes(s, first, last, out);
    first = last;
  }
  return MS_SUCCESS;
}

/* ---- the envelope ---- */

static double amplitude(const ms_trace_view *view, ptrdiff_t row) {
  const ms_decay_point *d = &view->decay->point[row];
  double a = view->kind == MS_SIGNAL_DISPLACEMENT ? d->q
             : view->kind == MS_SIGNAL_VELOCITY   ? d->velocity
                                                  : d->acceleration;
  return a * view->scale;
}

/* `parts` points to the way from row to row, where the logarithm of the amplitude is linear. */
static ptrdiff_t fill_envelope(const ms_trace_view *view, ptrdiff_t parts, double *t, double *a) {
  const ms_decay *decay = view->decay;
  ptrdiff_t n = 0;
  for (ptrdiff_t row = 0; row + 1 < decay->n; row++) {
    double from = amplitude(view, row), to = amplitude(view, row + 1);
    const ms_decay_point *d = &decay->point[row];
    for (ptrdiff_t i = 0; i < parts; i++, n++) {
      double part = (double)i / (double)parts;
      t[n] = d[0].time + part * (d[1].time - d[0].time);
      a[n] = from * pow(to / from, part);
    }
  }
  t[n] = decay->point[decay->n - 1].time;
  a[n] = amplitude(view, decay->n - 1);
  return n + 1;
}

static ms_status add_envelope(ms_context *ctx, ms_figure *figure, const ms_trace_view *view) {
  enum { ABOUT = 160 };
  ptrdiff_t n = view->decay->n;
  double *t;
  if (n == 0) return MS_SUCCESS;
  ptrdiff_t parts = n > ABOUT ? 1 : ABOUT / n, room = n * parts;
  MS_TRY(ms_allocate(ctx, room, 2 * sizeof *t, &t));
  double *a = t + room;
  ms_series side = { .label = "envelope, fitted",
                     .x = t,
                     .y = a,
                     .n = fill_envelope(view, parts, t, a),
                     .style = MS_SERIES_LINE,
                     .colour = 1 };
  ms_status status = ms_figure_add_series(figure, &side);
  for (ptrdiff_t i = 0; i < side.n; i++) a[i] = -a[i];
  side.label = "the same, below";
  if (status == MS_SUCCESS) status = ms_figure_add_series(figure, &side);
  ms_free(ctx, &t);
  return status;
}

ms_status ms_trace_add_panel(ms_context *ctx, ms_figure *figure, const ms_trace_view *view) {
  ms_panel panel = { view->title, "time", "s", view->y_label, view->y_unit, 0, 0 };
  ms_series series = { .label = "signal",
                       .x = view->trace->t,
                       .y = view->trace->x,
                       .n = view->trace->n,
                       .style = MS_SERIES_LINE,
                       .colour = 0 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(ms_figure_add_series(figure, &series));
  return add_envelope(ctx, figure, view);
}
