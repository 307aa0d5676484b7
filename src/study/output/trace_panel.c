#include "study/output/trace_panel.h"

#include <math.h>

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
  ptrdiff_t parts = n > ABOUT ? 1 : ABOUT / n, capacity = n * parts;
  MS_TRY(ms_allocate(ctx, capacity, 2 * sizeof *t, &t));
  double *a = t + capacity;
  ms_series side = { .label = "fitted envelope",
                     .x = t,
                     .y = a,
                     .n = fill_envelope(view, parts, t, a),
                     .style = MS_SERIES_LINE,
                     .colour = 1,
                     .pattern = 2,
                     .mode = view->mode };
  ms_status status = ms_figure_add_series(figure, &side);
  for (ptrdiff_t i = 0; i < side.n; i++) a[i] = -a[i];
  side.label = NULL;
  if (status == MS_SUCCESS) status = ms_figure_add_series(figure, &side);
  ms_free(ctx, &t);
  return status;
}

ms_status ms_trace_add_panel(ms_context *ctx, ms_figure *figure, const ms_trace_view *view) {
  ms_panel panel = { view->title, "time", "s", view->y_label, view->y_unit, 0, 0 };
  panel.y_quantity = (int)ms_display_find_quantity(view->y_label, view->y_unit, NULL);
  ms_series series = { .label = "signal",
                       .x = view->trace->t,
                       .y = view->trace->x,
                       .n = view->trace->n,
                       .style = MS_SERIES_LINE,
                       .colour = 0,
                       .mode = view->mode };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(ms_figure_add_series(figure, &series));
  return add_envelope(ctx, figure, view);
}
