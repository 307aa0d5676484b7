/* A time history as a panel of a figure. */
#ifndef MS_STUDY_OUTPUT_TRACE_PANEL_H
#define MS_STUDY_OUTPUT_TRACE_PANEL_H

#include <microslip/report.h>

#include <microslip/signal.h>

/* A panel with the trace and, above and below, the envelope that the decay's rows stand for: each
   is in the middle of a piece of the record. */
typedef struct ms_trace_view {
  const ms_trace *trace;
  const ms_decay *decay; /* its amplitudes, in this kind and times `scale`, make the envelope */
  ms_signal_kind kind;
  double scale;
  const char *title, *y_label, *y_unit;
  int mode; /* from 1, of a modal coordinate; 0: it is none */
} ms_trace_view;
#define MS_TRACE_CAPTION                                                                        \
  "Full record (a long one as min/max envelope of 400 intervals); where it has many cycles, "   \
  "the first ones to the right. Dashed: plus and minus the amplitude that was fitted to the "   \
  "record, from the beginning of the first fitted piece to the end of the last; before that "   \
  "nothing was fitted. It should enclose the signal. Where it does not, frequency and damping " \
  "of that run are not valid."
ms_status ms_trace_add_panel(ms_context *ctx, ms_figure *figure, const ms_trace_view *view);

#endif
