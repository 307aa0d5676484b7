#include "study/output/trace_panel.h"

static ms_status add_envelope(ms_context *ctx, ms_figure *figure, const ms_trace_view *view) {
  double *t, *a;
  ptrdiff_t n;
  MS_TRY(
      ms_decay_make_envelope(ctx, view->decay, view->kind, view->scale, view->trace, &n, &t, &a));
  ms_status status = ms_figure_add_envelope(figure, "fitted envelope", n, t, a, view->mode);
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
