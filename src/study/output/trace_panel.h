/* A time history as a panel of a figure. */
#ifndef MS_STUDY_OUTPUT_TRACE_PANEL_H
#define MS_STUDY_OUTPUT_TRACE_PANEL_H

#include <microslip/report.h>

#include <microslip/signal.h>

/* A panel with the trace and, above and below, the envelope that the decay's rows stand for. */
typedef struct ms_trace_view {
  const ms_trace *trace;
  const ms_decay *decay; /* its amplitudes, in this kind and times `scale`, make the envelope */
  ms_signal_kind kind;
  double scale;
  const char *title, *y_label, *y_unit;
} ms_trace_view;
#define MS_TRACE_CAPTION                                                                           \
  "Of the signal the lowest and the highest value in each of 400 stretches of time; the envelope " \
  "is that of the fit, from its first row to its last."
ms_status ms_trace_add_panel(ms_context *ctx, ms_figure *figure, const ms_trace_view *view);

#endif
