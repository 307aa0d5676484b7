/* A time history small enough to be kept with a run and drawn in a report. */
#ifndef MS_STUDY_TRACE_H
#define MS_STUDY_TRACE_H

#include <microslip/report.h>
#include <microslip/signal.h>

enum { MS_TRACE_COLUMNS = 400 };

/* The record itself if that is short; else its lowest and highest sample in each of
   MS_TRACE_COLUMNS stretches of equal length, in order of time. */
typedef struct ms_trace {
  ptrdiff_t n;   /* at most 2 MS_TRACE_COLUMNS */
  double *t, *x; /* one block, in t */
} ms_trace;

/* *out is overwritten. */
ms_status ms_trace_make(ms_context *ctx, const ms_signal *signal, ms_trace *out);
void ms_trace_free(ms_context *ctx, ms_trace *trace);

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
