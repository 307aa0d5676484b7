/* Envelope of the response to a swept sine (docs/theory/sweep-and-frf.md): the short-time Fourier
   transform along the sweep, against the frequency that the input has at that time. */
#include "signal/internal.h"

enum { ROWS = 400 };

/* df/dt between row i and its neighbours, Hz/s. */
static double rate_at(const ms_decay *track, ptrdiff_t i) {
  const ms_decay_point *a = &track->point[i > 0 ? i - 1 : i];
  const ms_decay_point *b = &track->point[i + 1 < track->n ? i + 1 : i];
  return (b->omega - a->omega) / (2.0 * MS_PI * (b->time - a->time));
}

static double window_length(const ms_sweep_tolerances *tol, const ms_sweep *s, ptrdiff_t i) {
  double T = tol->periods * 2.0 * MS_PI / s->track.point[i].omega,
         rate = fabs(rate_at(&s->track, i));
  double width = s->point.zeta * s->omega_phase / MS_PI;
  if (rate * T * T > tol->drift) T = sqrt(tol->drift / rate);
  if (rate * T > tol->passage * width) T = tol->passage * width / rate;
  return fmax(T, tol->least_periods * 2.0 * MS_PI / s->omega_phase);
}

ms_status ms_sweep_envelope(ms_context *ctx, const ms_sweep *sweep, const ms_signal *response,
                            const ms_sweep_settings *settings, ms_decay *out) {
  ms_sweep_settings own = MS_SWEEP_DEFAULT;
  ms_stft_settings set = MS_STFT_DEFAULT;
  *out = (ms_decay) { .n = 0 };
  MS_TAKE(ctx, ms_sweep_default, settings, own);
  const ms_sweep_tolerances *tol = &settings->tol;
  if (sweep->track.n < 2) return ms_fail(ctx, MS_ERR_ARGUMENT, "the sweep has not been analysed");
  double a = sweep->track.point[0].omega, b = sweep->track.point[sweep->track.n - 1].omega;
  set.start = settings->start;
  set.end = settings->end;
  set.growth = MS_GROWTH_LINEAR;
  set.window_first = window_length(tol, sweep, 0);
  set.window_last = window_length(tol, sweep, sweep->track.n - 1);
  set.low = (1.0 - tol->outside) * fmin(a, b);
  set.high = fmin((1.0 + tol->outside) * fmax(a, b), 0.95 * MS_PI / response->dt);
  set.segments = ROWS;
  set.windows = 2;
  ms_status status = ms_signal_stft(ctx, response, &set, out);
  if (status != MS_SUCCESS) return ms_fail_at(ctx, status, "the envelope of the sweep's response");
  for (ptrdiff_t i = 0; i < out->n; i++) {
    out->point[i].omega = ms_sweep_frequency_at(sweep, out->point[i].time);
  }
  return MS_SUCCESS;
}
