/* Spectrogram: in a Hann window w_k of length T about each time b,

     |X(omega)| = 2 |sum_k w_k x_k exp(-i omega t_k)| / sum_k w_k,

   at lines 2 pi j/(padding T). */
#include <math.h>

#include "signal/internal.h"

typedef struct work {
  ms_part part;
  ms_fft fft;
  double *w;         /* the window's weights; their sum is 2, for amplitudes */
  ptrdiff_t n, step; /* samples of a window, and from one to the next */
  ptrdiff_t first;   /* the lowest line that is kept */
  double d_omega;
} work;

/* Windows and lines of a record of n_sample samples; *size is that of the transform. */
static ms_status plan(ms_context *ctx, const ms_spectrogram_settings *s, ptrdiff_t n_sample,
                      double dt, work *w, ms_spectrogram *out, ptrdiff_t *size) {
  if (!(s->window > 0.0) || !(s->overlap >= 0.0 && s->overlap < 1.0) || s->padding < 1 ||
      !(s->low >= 0.0 && s->low < s->high))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "window %g s, overlap %g, padding %td, %g to %g rad/s: one of them is out of "
                   "bounds",
                   s->window, s->overlap, s->padding, s->low, s->high);
  w->n = (ptrdiff_t)(fmin(s->window / dt, 1e9)) + 1;
  if (w->n < 8 || w->n > n_sample)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a window of %g s has %td samples; it must have 8, and at most the record's %td",
                   s->window, w->n, n_sample);
  w->step = (ptrdiff_t)fmax(1.0, (1.0 - s->overlap) * (double)w->n);
  *size = ms_fft_good_size(s->padding * w->n);
  w->d_omega = 2.0 * MS_PI / ((double)*size * dt);
  w->first = (ptrdiff_t)ceil(s->low / w->d_omega);
  double last = fmin(floor(s->high / w->d_omega), (double)(*size / 2));
  out->n_line = (ptrdiff_t)last - w->first + 1;
  out->n_time = (n_sample - w->n) / w->step + 1;
  if (out->n_line >= 1) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "no line of the spectrum lies from %g to %g rad/s", s->low,
                 s->high);
}

static ms_status allocate(ms_context *ctx, work *w, ms_spectrogram *out) {
  ptrdiff_t n = out->n_time + out->n_line + out->n_time * out->n_line;
  double sum = 0.0;
  MS_TRY(ms_allocate(ctx, w->n, sizeof *w->w, &w->w));
  MS_TRY(ms_allocate(ctx, n, sizeof *out->time, &out->time));
  out->omega = out->time + out->n_time;
  out->amplitude = out->omega + out->n_line;
  for (ptrdiff_t k = 0; k < w->n; k++) {
    w->w[k] = 0.5 * (1.0 - cos(2.0 * MS_PI * ((double)k + 0.5) / (double)w->n));
    sum += w->w[k];
  }
  for (ptrdiff_t k = 0; k < w->n; k++) w->w[k] *= 2.0 / sum;
  return MS_SUCCESS;
}

static void transform(work *w, ptrdiff_t from, ptrdiff_t n_line, double *amplitude) {
  for (ptrdiff_t k = 0; k < w->fft.n; k++) {
    w->fft.real[k] = k < w->n ? w->w[k] * w->part.x[from + k] : 0.0;
  }
  ms_fft_forward(&w->fft);
  for (ptrdiff_t j = 0; j < n_line; j++) {
    amplitude[j] = hypot(w->fft.spectrum[w->first + j][0], w->fft.spectrum[w->first + j][1]);
  }
}

static ms_status run(ms_context *ctx, const ms_spectrogram_settings *s, work *w,
                     ms_spectrogram *out) {
  ptrdiff_t size = 0;
  MS_TRY(plan(ctx, s, w->part.n, w->part.dt, w, out, &size));
  MS_TRY(ms_fft_open(ctx, size, &w->fft));
  MS_TRY(allocate(ctx, w, out));
  for (ptrdiff_t j = 0; j < out->n_line; j++) out->omega[j] = w->d_omega * (double)(w->first + j);
  for (ptrdiff_t i = 0; i < out->n_time; i++) {
    out->time[i] = w->part.time + w->part.dt * ((double)(i * w->step) + 0.5 * (double)(w->n - 1));
    transform(w, i * w->step, out->n_line, out->amplitude + out->n_line * i);
  }
  return MS_SUCCESS;
}

ms_status ms_signal_check_spectrogram(ms_context *ctx, ptrdiff_t n, double dt,
                                      const ms_spectrogram_settings *settings) {
  work w = { .n = 0 };
  ms_spectrogram out;
  ms_spectrogram_settings own = MS_SPECTROGRAM_DEFAULT;
  ptrdiff_t size = 0;
  MS_TAKE(ctx, ms_spectrogram_default, settings, own);
  return plan(ctx, settings, n, dt, &w, &out, &size);
}

ms_status ms_signal_spectrogram(ms_context *ctx, const ms_signal *signal,
                                const ms_spectrogram_settings *settings, ms_spectrogram *out) {
  work w = { .n = 0 };
  ms_spectrogram_settings own = MS_SPECTROGRAM_DEFAULT;
  *out = (ms_spectrogram) { .n_time = 0 };
  MS_TAKE(ctx, ms_spectrogram_default, settings, own);
  MS_TRY(ms_part_cut(ctx, signal, settings->start, settings->end, &w.part));
  ms_status status = run(ctx, settings, &w, out);
  ms_free(ctx, &w.w);
  ms_fft_close(ctx, &w.fft);
  if (status != MS_SUCCESS) ms_spectrogram_free(ctx, out);
  return status;
}

void ms_spectrogram_free(ms_context *ctx, ms_spectrogram *s) {
  ms_free(ctx, &s->time);
  *s = (ms_spectrogram) { .n_time = 0 };
}

/* Where between lines the parabola through the logarithms about line j is highest, in lines. */
static double find_summit(const double *a, ptrdiff_t j, ptrdiff_t n) {
  if (j < 1 || j + 1 >= n || !(a[j - 1] > 0.0 && a[j] > 0.0 && a[j + 1] > 0.0)) return 0.0;
  double left = log(a[j - 1]), middle = log(a[j]), right = log(a[j + 1]);
  double curvature = left - 2.0 * middle + right;
  return curvature < 0.0 ? 0.5 * (left - right) / curvature : 0.0;
}

ms_spectrogram_peak ms_spectrogram_find_peak(const ms_spectrogram *f, ptrdiff_t window) {
  const double *a = f->amplitude + f->n_line * window, two_pi = 2.0 * acos(-1.0);
  const double step = f->n_line > 1 ? (f->omega[1] - f->omega[0]) / two_pi : 0.0;
  ptrdiff_t best = 0;
  for (ptrdiff_t j = 1; j < f->n_line; j++) {
    if (a[j] > a[best]) best = j;
  }
  return (ms_spectrogram_peak) { f->omega[best] / two_pi + step * find_summit(a, best, f->n_line),
                                 a[best] };
}

ptrdiff_t ms_spectrogram_find_band(const ms_spectrogram *f, double low, double high, double *time,
                                   double *freq_hz) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < f->n_time * f->n_line; k++) {
    if (!(f->amplitude[k] > low && f->amplitude[k] <= high)) continue;
    time[n] = f->time[k / f->n_line];
    freq_hz[n++] = f->omega[k % f->n_line] / (2.0 * acos(-1.0));
  }
  return n;
}
