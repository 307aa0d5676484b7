#include <microslip/signal.h>

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

ms_status ms_trace_make(ms_context *ctx, const ms_signal *s, ms_trace *out) {
  const ptrdiff_t most = 2 * MS_TRACE_COLUMNS, whole = s->n / MS_TRACE_COLUMNS,
                  rest = s->n % MS_TRACE_COLUMNS;
  ptrdiff_t capacity = s->n < most ? s->n : most, first = 0;
  *out = (ms_trace) { .n = 0 };
  MS_TRY(ms_allocate(ctx, capacity, 2 * sizeof *out->t, &out->t));
  out->x = out->t + capacity;
  for (ptrdiff_t k = 0; s->n <= most && k < s->n; k++) keep(s, k, out);
  for (ptrdiff_t c = 0; s->n > most && c < MS_TRACE_COLUMNS; c++) {
    ptrdiff_t last = first + whole + (c < rest);
    /* Samples first to last - 1. */
    ptrdiff_t low = first, high = first;
    for (ptrdiff_t k = first; k < last; k++) {
      if (s->x[k] < s->x[low]) low = k;
      if (s->x[k] > s->x[high]) high = k;
    }
    keep(s, low < high ? low : high, out);
    if (low != high) keep(s, low < high ? high : low, out);
    first = last;
  }
  return MS_SUCCESS;
}
