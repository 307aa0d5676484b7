/* Records: checks, the part that is analysed, its main frequency. */
#include "signal/internal.h"

enum { MIN_SAMPLES = 16 };

ms_status ms_signal_check_finite(ms_context *ctx, const char *what, ptrdiff_t n, const double *x) {
  for (ptrdiff_t k = 0; k < n; k++) {
    if (isfinite(x[k])) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC, "%s: value %td is not finite; leave such samples out", what,
                   k);
  }
  return MS_SUCCESS;
}

/* ---- from a list of times ---- */

ms_status ms_signal_borrow(ms_context *ctx, ptrdiff_t n, const double *t, const double *x,
                           ms_signal_kind kind, double tolerance, ms_signal *out) {
  *out = (ms_signal) { .x = NULL };
  if (n < 2 || !t)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a record needs at least 2 times; it has %td", n);
  MS_TRY(ms_signal_check_finite(ctx, "times of the record", n, t));
  for (ptrdiff_t k = 1; k < n; k++) {
    if (t[k] > t[k - 1]) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "time does not increase from sample %td (%g s) to %td (%g s)", k - 1, t[k - 1],
                   k, t[k]);
  }
  if (!(tolerance >= 0.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "tolerance of the sampling is %g; it must be >= 0",
                   tolerance);
  double dt = (t[n - 1] - t[0]) / (double)(n - 1);
  for (ptrdiff_t k = 0; k < n; k++) {
    double want = t[0] + dt * (double)k;
    if (fabs(t[k] - want) <= tolerance * dt) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "sampling is not even: sample %td is at %.9g s, an even step of %.9g s wants "
                   "%.9g s; resample the record",
                   k, t[k], dt, want);
  }
  *out = (ms_signal) { .x = x, .n = n, .dt = dt, .time = t[0], .kind = kind };
  return MS_SUCCESS;
}

/* ---- the part that is analysed ---- */

/* value as an index, within [low, high]; the comparison comes first, a cast of infinity must not.
 */
static ptrdiff_t clamp_index(double value, ptrdiff_t low, ptrdiff_t high) {
  if (!(value > (double)low)) return low;
  return value < (double)high ? (ptrdiff_t)value : high;
}

ms_status ms_part_cut(ms_context *ctx, const ms_signal *s, double start, double end, ms_part *out) {
  if (!s->x || s->n < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "the record has no samples");
  if (!(s->dt > 0.0) || !isfinite(s->dt))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the record's time step is %g s; it must be > 0", s->dt);
  if (!isfinite(s->time))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the time of the record's first sample is not finite");
  if (s->kind < MS_SIGNAL_DISPLACEMENT || s->kind > MS_SIGNAL_ACCELERATION)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "kind of signal %d is none of displacement, velocity, acceleration",
                   (int)s->kind);
  double last_time = s->time + s->dt * (double)(s->n - 1);
  if (!(start < end))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "nothing lies between start %g s and end %g s", start,
                   end);
  ptrdiff_t first = clamp_index(ceil((start - s->time) / s->dt - ms_signal_tol.grid), 0, s->n);
  ptrdiff_t last = clamp_index(floor((end - s->time) / s->dt + ms_signal_tol.grid), -1, s->n - 1);
  ptrdiff_t n = last - first + 1;
  if (n < MIN_SAMPLES)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%td samples of the record (%g s to %g s) lie between start %g s and end %g s; "
                   "at least %d are needed",
                   n > 0 ? n : 0, s->time, last_time, start, end, MIN_SAMPLES);
  *out =
      (ms_part) { .x = s->x + first, .n = n, .dt = s->dt, .time = s->time + s->dt * (double)first };
  MS_TRY(ms_signal_check_finite(ctx, "samples after start", n, out->x));
  double peak = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) peak = fmax(peak, fabs(out->x[k]));
  out->peak = peak;
  if (out->peak > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "every sample from %g s on is zero: nothing rings",
                 out->time);
}

/* ---- main frequency ---- */

static double power(const ms_fft *fft, ptrdiff_t k) {
  const double *z = fft->spectrum[k];
  return z[0] * z[0] + z[1] * z[1];
}

/* The vertex of the parabola through ln of three powers, in bins from the middle one. */
static double vertex(double before, double middle, double after) {
  if (!(before > 0.0) || !(after > 0.0)) return 0.0;
  double a = log(before), b = log(middle), c = log(after), curvature = a - 2.0 * b + c;
  return curvature < 0.0 ? 0.5 * (a - c) / curvature : 0.0;
}

static ms_status find_highest(ms_context *ctx, const ms_fft *fft, double d_omega, double low,
                              double high, double *omega) {
  ptrdiff_t top = fft->n / 2 - 1;
  ptrdiff_t first = clamp_index(ceil(low / d_omega), 1, top + 1);
  ptrdiff_t last = clamp_index(floor(high / d_omega), 0, top), best = first;
  for (ptrdiff_t k = first; k <= last; k++)
    if (power(fft, k) > power(fft, best)) best = k;
  int is_peak = first <= last && power(fft, best) > 0.0 &&
                power(fft, best) >= power(fft, best - 1) &&
                power(fft, best) >= power(fft, best + 1);
  if (!is_peak)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the signal does not oscillate: its spectrum has no peak between %g and %g "
                   "rad/s (sampling reaches %g rad/s)",
                   low, high, d_omega * (double)(top + 1));
  double shift = vertex(power(fft, best - 1), power(fft, best), power(fft, best + 1));
  *omega = d_omega * ((double)best + shift);
  return MS_SUCCESS;
}

ms_status ms_part_frequency(ms_context *ctx, const ms_part *p, double low, double high,
                            double *omega) {
  if (!(low >= 0.0) || !(high > low))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "frequency limits %g and %g rad/s: they must be >= 0 and in order", low, high);
  ms_fft fft;
  MS_TRY(ms_fft_open(ctx, ms_fft_good_size(2 * p->n), &fft));
  /* The record without its mean, scaled to 1, fading out by half a Hann window, then zeros. */
  double mean = 0.0;
  for (ptrdiff_t k = 0; k < p->n; k++) mean += p->x[k] / p->peak / (double)p->n;
  for (ptrdiff_t k = 0; k < p->n; k++) {
    double fade = 0.5 * (1.0 + cos(MS_PI * (double)k / (double)p->n));
    fft.real[k] = fade * (p->x[k] / p->peak - mean);
  }
  for (ptrdiff_t k = p->n; k < fft.n; k++) fft.real[k] = 0.0;
  ms_fft_forward(&fft);
  double d_omega = 2.0 * MS_PI / ((double)fft.n * p->dt);
  ms_status status = find_highest(ctx, &fft, d_omega, low, high, omega);
  ms_fft_close(ctx, &fft);
  MS_TRY(status);
  double length = p->dt * (double)(p->n - 1), periods = *omega * length / (2.0 * MS_PI);
  double per_cycle = 2.0 * MS_PI / (*omega * p->dt);
  if (periods < ms_signal_tol.periods)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the record is too short or does not oscillate: %g s hold %.3g periods of its "
                   "main frequency %.6g rad/s; at least %g are needed",
                   length, periods, *omega, ms_signal_tol.periods);
  if (per_cycle < ms_signal_tol.per_cycle)
    return ms_fail(
        ctx, MS_ERR_ARGUMENT,
        "sampling is too coarse: %.3g samples in a period of %.6g rad/s; at least %g are "
        "needed",
        per_cycle, *omega, ms_signal_tol.per_cycle);
  return MS_SUCCESS;
}

ms_status ms_signal_find_frequency(ms_context *ctx, const ms_signal *signal, double low,
                                   double high, double *omega) {
  *omega = 0.0;
  ms_part part;
  MS_TRY(ms_part_cut(ctx, signal, -HUGE_VAL, HUGE_VAL, &part));
  double found;
  MS_TRY(ms_part_frequency(ctx, &part, low, high, &found));
  *omega = found;
  return MS_SUCCESS;
}
