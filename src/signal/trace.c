#include <microslip/signal.h>

#include <math.h>

#include "core/cycles.h"
#include "signal/tolerance.h"

void ms_trace_free(ms_context *ctx, ms_trace *trace) {
  ms_free(ctx, &trace->t);
  *trace = (ms_trace) { .n = 0 };
}

static void keep(const ms_signal *s, ptrdiff_t k, ms_trace *out) {
  out->t[out->n] = s->time + (double)k * s->dt;
  out->x[out->n] = s->x[k];
  out->n++;
}

/* Samples first to end - 1 in so many stretches. */
static void keep_extremes(const ms_signal *s, ptrdiff_t first, ptrdiff_t end, ptrdiff_t columns,
                          ms_trace *out) {
  for (; first < end; columns--) {
    const ptrdiff_t last = first + (end - first + columns - 1) / columns;
    ptrdiff_t low = first, high = first;
    for (ptrdiff_t k = first; k < last; k++) {
      if (s->x[k] < s->x[low]) low = k;
      if (s->x[k] > s->x[high]) high = k;
    }
    keep(s, low < high ? low : high, out);
    if (low != high) keep(s, low < high ? high : low, out);
    first = last;
  }
}

ms_status ms_trace_make(ms_context *ctx, const ms_signal *s, ms_trace *out) {
  const ptrdiff_t most = 2 * MS_TRACE_COLUMNS;
  const ptrdiff_t capacity = s->n <= most ? s->n : MS_TRACE_POINTS;
  *out = (ms_trace) { .n = 0 };
  MS_TRY(ms_allocate(ctx, capacity, 2 * sizeof *out->t, &out->t));
  out->x = out->t + capacity;
  if (s->n <= most) {
    for (ptrdiff_t k = 0; k < s->n; k++) keep(s, k, out);
    return MS_SUCCESS;
  }
  const ms_cycles c = ms_cycles_find(s->n, NULL, s->x, ms_signal_tol.swing, MS_TRACE_CYCLES);
  const ptrdiff_t before = c.first > 0 ? 1 + (MS_TRACE_COLUMNS - 2) * c.first / s->n : 0;
  const ptrdiff_t stride = (c.last - c.first + MS_TRACE_COLUMNS - 1) / MS_TRACE_COLUMNS;
  keep_extremes(s, 0, c.first, before, out);
  for (ptrdiff_t k = c.first; k < c.last; k += stride) keep(s, k, out);
  keep_extremes(s, c.last, s->n, MS_TRACE_COLUMNS - before, out);
  return MS_SUCCESS;
}

/* ---- the envelope ---- */

static double amplitude(const ms_decay_point *d, ms_signal_kind kind, double scale) {
  const double a = kind == MS_SIGNAL_DISPLACEMENT ? d->q
                   : kind == MS_SIGNAL_VELOCITY   ? d->velocity
                                                  : d->acceleration;
  return a * scale;
}

/* The other end of the first or the last piece, of which its row is the middle, by the decay of the
   row: half as far as the next row. */
static double reach(const ms_decay_point *d, const ms_decay_point *next, double *t) {
  const double half = 0.5 * (d->time - next->time); /* < 0 at the beginning */
  *t = d->time + half;
  return exp(-d->zeta * d->omega * half);
}

/* `parts` points to the way from row to row, where the logarithm of the amplitude is linear. */
static ptrdiff_t fill_envelope(const ms_decay *decay, ms_signal_kind kind, double scale,
                               const ms_trace *trace, ptrdiff_t parts, double *t, double *a) {
  const ms_decay_point *first = decay->point, *last = decay->point + decay->n - 1;
  ptrdiff_t n = 0;
  if (decay->n == 0) return 0;
  if (last > first) a[n] = amplitude(first, kind, scale) * reach(first, first + 1, &t[n]), n++;
  if (n > 0 && !(t[0] >= trace->t[0] && isfinite(a[0]))) n = 0;
  for (const ms_decay_point *d = first; d < last; d++) {
    const double from = amplitude(&d[0], kind, scale), to = amplitude(&d[1], kind, scale);
    for (ptrdiff_t i = 0; i < parts; i++, n++) {
      const double part = (double)i / (double)parts;
      t[n] = d[0].time + part * (d[1].time - d[0].time);
      a[n] = from * pow(to / from, part);
    }
  }
  t[n] = last->time;
  a[n++] = amplitude(last, kind, scale);
  if (last == first) return n;
  a[n] = amplitude(last, kind, scale) * reach(last, last - 1, &t[n]);
  return t[n] <= trace->t[trace->n - 1] && isfinite(a[n]) ? n + 1 : n;
}

ms_status ms_decay_make_envelope(ms_context *ctx, const ms_decay *decay, ms_signal_kind kind,
                                 double scale, const ms_trace *trace, ptrdiff_t *n, double **t,
                                 double **a) {
  enum { ABOUT = 160 };
  *n = 0;
  *t = *a = NULL;
  if (decay->n == 0) return MS_SUCCESS;
  const ptrdiff_t parts = decay->n > ABOUT ? 1 : ABOUT / decay->n, capacity = decay->n * parts + 2;
  MS_TRY(ms_allocate(ctx, capacity, 2 * sizeof **t, t));
  *a = *t + capacity;
  *n = fill_envelope(decay, kind, scale, trace, parts, *t, *a);
  return MS_SUCCESS;
}
