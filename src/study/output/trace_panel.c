#include "study/output/trace_panel.h"

/* ---- the envelope ---- */

static ms_status add_envelope(ms_context *ctx, ms_figure *figure, const ms_trace_view *view) {
  enum { ABOUT = 160 };
  ptrdiff_t n = view->decay->n;
  double *t;
  if (n == 0) return MS_SUCCESS;
  ptrdiff_t parts = n > ABOUT ? 1 : ABOUT / n, capacity = n * parts + 2;
  MS_TRY(ms_allocate(ctx, capacity, 2 * sizeof *t, &t));
  double *a = t + capacity;
  ms_series side = { .label = "fitted envelope",
                     .x = t,
                     .y = a,
                     .n = ms_decay_fill_envelope(view->decay, view->kind, view->scale, view->trace,
                                                 parts, t, a),
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
