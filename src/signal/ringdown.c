/* One of the methods, by name, for measured records. */
#include <string.h>

#include "signal/internal.h"

static const char *const method_text[] = { "hilbert", "stft", "crossings" };

const char *ms_signal_method_text(ms_ring_method method) {
  return method >= MS_RING_HILBERT && method <= MS_RING_CROSSINGS ? method_text[method] : NULL;
}

ms_status ms_signal_parse_method(ms_context *ctx, const char *word, ms_ring_method *out) {
  for (int i = 0; i < 3; i++) {
    if (strcmp(word, method_text[i]) != 0) continue;
    *out = (ms_ring_method)i;
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME, "method '%s' is none of hilbert, stft, crossings", word);
}

static ms_status run_hilbert(ms_context *ctx, const ms_signal *signal, const ms_ring_settings *r,
                             ms_decay *out) {
  ms_hilbert_settings s = MS_HILBERT_DEFAULT;
  s.start = r->start;
  s.end = r->end;
  s.mirror = MS_MIRROR_EXTREMUM;
  if (r->segments > 0) s.segments = r->segments;
  return ms_signal_hilbert(ctx, signal, &s, out);
}

static ms_status run_stft(ms_context *ctx, const ms_signal *signal, const ms_ring_settings *r,
                          ms_decay *out) {
  ms_stft_settings s = MS_STFT_DEFAULT;
  s.start = r->start;
  s.end = r->end;
  if (r->segments > 0) s.segments = r->segments;
  return ms_signal_stft(ctx, signal, &s, out);
}

/* The method counts cycles to a row: as many as make about the rows that are asked for. */
static ms_status run_crossings(ms_context *ctx, const ms_signal *signal, const ms_ring_settings *r,
                               ms_decay *out) {
  ms_crossing_settings s = MS_CROSSING_DEFAULT;
  s.start = r->start;
  s.end = r->end;
  if (r->segments > 0) {
    ms_part part;
    double omega;
    MS_TRY(ms_part_cut(ctx, signal, r->start, r->end, &part));
    MS_TRY(ms_part_frequency(ctx, &part, 0.0, HUGE_VAL, &omega));
    double cycles = part.dt * (double)(part.n - 1) * omega / (2.0 * MS_PI);
    s.cycles = (ptrdiff_t)fmax(2.0, floor(cycles / (double)r->segments));
  }
  return ms_signal_zero_crossings(ctx, signal, &s, out);
}

ms_status ms_signal_ringdown(ms_context *ctx, const ms_signal *signal,
                             const ms_ring_settings *settings, ms_decay *out) {
  static ms_status (*const run[])(ms_context *, const ms_signal *, const ms_ring_settings *,
                                  ms_decay *) = { run_hilbert, run_stft, run_crossings };
  *out = (ms_decay) { .n = 0 };
  if (!ms_signal_method_text(settings->method) || settings->segments < 0) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "method %d or number of rows %td is out of range",
                   (int)settings->method, settings->segments);
  }
  MS_TRY(run[settings->method](ctx, signal, settings, out));
  ms_decay_refer(out, signal->kind);
  return MS_SUCCESS;
}
