/* Swept sine (docs/theory/sweep-and-frf.md). With X, Y the Fourier transforms of the whole input
   and response, d the derivatives in the response, and s = 1 for a base, -1 for a force,

     G = s (i omega)^(2-d) Y/X = omega^2 R/(omega_r^2 - omega^2 + 2 i zeta omega_r omega)

   in one mode. At omega_r: Re G = 0, |G| = |R|/(2 zeta), d arg G/d omega = -1/(zeta omega_r); and
   |G|/omega is highest there, sqrt(2) lower at omega_1, omega_2 with omega_2 - omega_1 = 2 zeta
   omega_r and omega_1 omega_2 = omega_r^2, all exactly. */
#include "signal/internal.h"
/* after FFTW, whose complex type stays a pair of numbers */
#include <complex.h>
#include <stdlib.h>

#include "signal/tolerance.h"

static double complex line(const ms_sweep *s, ptrdiff_t k) {
  return s->G[2 * k] + I * s->G[2 * k + 1];
}

static double omega_of(const ms_sweep *s, ptrdiff_t k) {
  return 2.0 * MS_PI * s->freq_hz[k];
}

/* |G|/omega, squared: the mobility, whose half-power points are exact. */
static double power_of(const ms_sweep *s, ptrdiff_t k) {
  double m = cabs(line(s, k)) / omega_of(s, k);
  return m * m;
}

/* ---- the input along the sweep ---- */

/* Row i and the part of the way to the next at which the rows' `value` passes x. */
static ptrdiff_t place(const ms_decay *track, double (*value)(const ms_decay_point *), double x,
                       double *part) {
  ptrdiff_t low = 0, high = track->n - 1;
  double first = value(&track->point[low]), last = value(&track->point[high]);
  double sign = last >= first ? 1.0 : -1.0;
  *part = 0.0;
  if (sign * (x - first) <= 0.0) return 0;
  if (sign * (x - last) >= 0.0) return high;
  while (high - low > 1) {
    ptrdiff_t middle = (low + high) / 2;
    if (sign * (value(&track->point[middle]) - x) <= 0.0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  double a = value(&track->point[low]), b = value(&track->point[high]);
  if (a != b) *part = (x - a) / (b - a);
  return low;
}

static double time_value(const ms_decay_point *p) {
  return p->time;
}

static double omega_value(const ms_decay_point *p) {
  return p->omega;
}

static double between(double a, double b, double part) {
  return a + part * (b - a);
}

double ms_sweep_frequency_at(const ms_sweep *s, double t) {
  double part;
  const ms_decay_point *p = &s->track.point[place(&s->track, time_value, t, &part)];
  return part > 0.0 ? between(p[0].omega, p[1].omega, part) : p->omega;
}

double ms_sweep_input_at(const ms_sweep *s, double t) {
  double part;
  const ms_decay_point *p = &s->track.point[place(&s->track, time_value, t, &part)];
  return part > 0.0 ? between(p[0].q, p[1].q, part) : p->q;
}

double ms_sweep_time_of(const ms_sweep *s, double omega) {
  double part;
  const ms_decay_point *p = &s->track.point[place(&s->track, omega_value, omega, &part)];
  return part > 0.0 ? between(p[0].time, p[1].time, part) : p->time;
}

static ms_status find_track(ms_context *ctx, const ms_signal *input, const ms_sweep_settings *set,
                            ms_sweep *out) {
  ms_crossing_settings crossing = MS_CROSSING_DEFAULT;
  ms_signal plain = *input;
  plain.kind = MS_SIGNAL_DISPLACEMENT; /* amplitudes as they are */
  crossing.start = set->start;
  crossing.end = set->end;
  crossing.cycles = (ptrdiff_t)set->tol.cycles;
  ms_status status = ms_signal_zero_crossings(ctx, &plain, &crossing, &out->track);
  if (status != MS_SUCCESS) return ms_fail_at(ctx, status, "the sweep's input");
  if (out->track.n >= 4) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "the sweep's input has %td cycles; that is no sweep",
                 out->track.n * (ptrdiff_t)set->tol.cycles);
}

/* ---- transfer function ---- */

typedef struct spectra {
  ms_fft x, y;
  double d_omega;
} spectra;

static void load(ms_fft *fft, const double *x, ptrdiff_t n) {
  double peak = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) peak = fmax(peak, fabs(x[k]));
  for (ptrdiff_t k = 0; k < fft->n; k++) fft->real[k] = k < n ? x[k] / peak : 0.0;
  ms_fft_forward(fft);
  for (ptrdiff_t k = 0; k <= fft->n / 2; k++) {
    fft->spectrum[k][0] *= peak;
    fft->spectrum[k][1] *= peak;
  }
}

/* sum conj(X) Y / sum |X|^2 over the lines k - half ... k + half. */
static double complex ratio(const spectra *s, ptrdiff_t k, ptrdiff_t half) {
  double complex cross = 0.0;
  double own = 0.0;
  for (ptrdiff_t j = k - half; j <= k + half; j++) {
    if (j < 0 || j > s->x.n / 2) continue;
    double complex X = s->x.spectrum[j][0] + I * s->x.spectrum[j][1];
    double complex Y = s->y.spectrum[j][0] + I * s->y.spectrum[j][1];
    cross += conj(X) * Y;
    own += creal(conj(X) * X);
  }
  return own > 0.0 ? cross / own : 0.0;
}

static ms_status fill_lines(ms_context *ctx, const spectra *s, const ms_signal *response,
                            const ms_sweep_settings *set, double low, double high, ms_sweep *out) {
  ptrdiff_t first = (ptrdiff_t)ceil(low / s->d_omega), last = (ptrdiff_t)floor(high / s->d_omega);
  ptrdiff_t half = (ptrdiff_t)(MS_PI * set->smooth / s->d_omega), top = s->x.n / 2;
  if (last > top) last = top;
  if (first < 1) first = 1;
  if ((double)(last - first) < 2.0 * set->tol.lines)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the sweep's range %.6g to %.6g rad/s holds %td lines of the records' spectrum; "
                   "sweep longer",
                   low, high, last - first + 1);
  out->n = last - first + 1;
  MS_TRY(ms_allocate(ctx, 3 * out->n, sizeof *out->freq_hz, &out->freq_hz));
  out->G = out->freq_hz + out->n;
  for (ptrdiff_t k = 0; k < out->n; k++) {
    double omega = s->d_omega * (double)(first + k);
    double complex G = ratio(s, first + k, half) * (set->input == MS_SWEEP_FORCE ? -1.0 : 1.0);
    for (int d = (int)response->kind; d < 2; d++) G *= I * omega;
    out->freq_hz[k] = omega / (2.0 * MS_PI);
    out->G[2 * k] = creal(G);
    out->G[2 * k + 1] = cimag(G);
    if (!isfinite(creal(G) + cimag(G)))
      return ms_fail(ctx, MS_ERR_NUMERIC, "the transfer function leaves the range of numbers");
  }
  return MS_SUCCESS;
}

static ms_status transform(ms_context *ctx, const ms_signal *input, const ms_signal *response,
                           const ms_sweep_settings *set, ms_sweep *out) {
  double a = out->track.point[0].omega, b = out->track.point[out->track.n - 1].omega;
  double low = fmin(a, b), high = fmax(a, b), margin = set->tol.margin * (high - low);
  spectra s = { .d_omega = 0.0 };
  ptrdiff_t size = ms_fft_good_size((ptrdiff_t)set->tol.padding * input->n);
  ms_status status = ms_fft_open(ctx, size, &s.x);
  if (status == MS_SUCCESS) status = ms_fft_open(ctx, size, &s.y);
  if (status == MS_SUCCESS) {
    s.d_omega = 2.0 * MS_PI / ((double)size * input->dt);
    load(&s.x, input->x, input->n);
    load(&s.y, response->x, response->n);
    status = fill_lines(ctx, &s, response, set, fmax(low + margin, set->low),
                        fmin(high - margin, set->high), out);
  }
  ms_fft_close(ctx, &s.x);
  ms_fft_close(ctx, &s.y);
  return status;
}

/* ---- the resonance ---- */

/* The parabola through three neighbours, in lines from k. */
static double vertex(double before, double here, double after) {
  double curvature = before - 2.0 * here + after;
  return curvature < 0.0 ? 0.5 * (before - after) / curvature : 0.0;
}

/* Where the power passes `level`, walking from the peak in steps of `way`; -1 if it does not. */
static double find_level(const ms_sweep *s, ptrdiff_t peak, int way, double level,
                         ptrdiff_t *last) {
  for (ptrdiff_t k = peak; k + way >= 0 && k + way < s->n; k += way) {
    double a = power_of(s, k), b = power_of(s, k + way);
    if (b > level) continue;
    /* 1/power is a parabola in omega there: nearer to a straight line than the power */
    double part = (1.0 / level - 1.0 / a) / (1.0 / b - 1.0 / a);
    *last = k;
    return between(omega_of(s, k), omega_of(s, k + way), part);
  }
  *last = peak;
  return -1.0;
}

typedef struct band {
  double omega_1, omega_2;
  ptrdiff_t first, last; /* lines within it */
} band;

/* The top is flat: a ripple moves the highest line, but hardly the parabola through lines farther
   apart. 1/power is one in omega, nearly. */
static double find_summit(const ms_sweep *s, ptrdiff_t peak, const band *b) {
  ptrdiff_t w = (b->last - b->first) / 8 > 1 ? (b->last - b->first) / 8 : 1;
  if (peak < w || peak + w >= s->n) w = 1;
  double shift =
      vertex(-1.0 / power_of(s, peak - w), -1.0 / power_of(s, peak), -1.0 / power_of(s, peak + w));
  return omega_of(s, peak) + shift * (omega_of(s, peak + w) - omega_of(s, peak));
}

static ms_status find_half_power(ms_context *ctx, const ms_sweep_settings *set, ptrdiff_t peak,
                                 ms_sweep *s, band *b) {
  double before = power_of(s, peak - 1), here = power_of(s, peak), after = power_of(s, peak + 1);
  double shift = vertex(before, here, after);
  double top = here - 0.25 * (before - after) * shift;
  b->omega_1 = find_level(s, peak, -1, 0.5 * top, &b->first);
  b->omega_2 = find_level(s, peak, 1, 0.5 * top, &b->last);
  if (b->omega_1 < 0.0 || b->omega_2 < 0.0)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the half-power point %s the resonance at %.6g rad/s is not in the sweep's "
                   "range; sweep wider",
                   b->omega_1 < 0.0 ? "below" : "above", omega_of(s, peak));
  if ((double)(b->last - b->first) < set->tol.lines)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the resonance at %.6g rad/s has %td lines between its half-power points; at "
                   "least %g are required, so sweep longer",
                   omega_of(s, peak), b->last - b->first + 1, set->tol.lines + 1.0);
  s->omega_peak = find_summit(s, peak, b);
  s->omega_half = sqrt(b->omega_1 * b->omega_2);
  s->zeta_half = (b->omega_2 - b->omega_1) / (2.0 * s->omega_half);
  return MS_SUCCESS;
}

/* 1/G = (omega_r^2 - omega^2 + 2 i zeta omega_r omega)/(omega^2 R) is smoother than G next to the
   peak, and omega^2 Re(1/G) a straight line in omega^2, of slope -1/R. */
static double fit_slope(const ms_sweep *s, const band *b) {
  double n = 0.0, mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0, first = omega_of(s, b->first);
  for (int pass = 0; pass < 2; pass++) {
    for (ptrdiff_t k = b->first; k <= b->last; k++) {
      double o = omega_of(s, k), x = o * o - first * first, y = o * o * creal(1.0 / line(s, k));
      if (pass == 0) n++, mean_x += x, mean_y += y;
      if (pass == 1) xx += (x - mean_x) * (x - mean_x), xy += (x - mean_x) * (y - mean_y);
    }
    if (pass == 0) mean_x /= n, mean_y /= n;
  }
  return xy / xx;
}

static void find_phase(ptrdiff_t k, const band *near, ms_sweep *s) {
  double complex a = 1.0 / line(s, k), b = 1.0 / line(s, k + 1);
  double part = creal(a) / (creal(a) - creal(b));
  double size = fabs(between(cimag(a), cimag(b), part)); /* 2 zeta/R */
  s->omega_phase = between(omega_of(s, k), omega_of(s, k + 1), part);
  s->height = 1.0 / size;
  s->zeta_phase = 0.5 * size / fabs(fit_slope(s, near));
}

static double misfit(const ms_sweep *s, const band *b, double zeta) {
  double sum = 0.0, w = s->omega_phase, n = 0.0;
  double sign = cimag(line(s, (b->first + b->last) / 2)) < 0.0 ? 1.0 : -1.0;
  for (ptrdiff_t k = b->first; k <= b->last; k++, n++) {
    double o = omega_of(s, k), R = sign * 2.0 * zeta * s->height;
    double complex model = o * o * R / (w * w - o * o + 2.0 * I * zeta * w * o);
    double complex rest = line(s, k) / model - 1.0;
    sum += creal(rest * conj(rest));
  }
  return sqrt(sum / n);
}

static ms_status find_resonance(ms_context *ctx, const ms_sweep_settings *set, ms_sweep *s) {
  band b = { .first = 0 };
  ptrdiff_t peak = 0;
  for (ptrdiff_t k = 1; k < s->n; k++) {
    if (power_of(s, k) > power_of(s, peak)) peak = k;
  }
  if (peak == 0 || peak == s->n - 1 || !(power_of(s, peak) > 0.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "there is no resonance between %.6g and %.6g rad/s: the response is highest at "
                   "the end of the range; sweep wider",
                   omega_of(s, 0), omega_of(s, s->n - 1));
  MS_TRY(find_half_power(ctx, set, peak, s, &b));
  /* The line below k, within `reach` lines of the peak, between which and the next Re G changes its
     sign, the nearest to the peak; -1 if there is none. */
  ptrdiff_t quadrature = -1;
  for (ptrdiff_t k = b.first; k < b.last; k++) {
    if ((s->G[2 * k] > 0.0) == (s->G[2 * k + 2] > 0.0)) continue;
    if (quadrature < 0 || labs((long)(k - peak)) < labs((long)(quadrature - peak))) quadrature = k;
  }
  if (quadrature < 0)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the phase does not pass 90 degrees between the half-power points %.6g and %.6g "
                   "rad/s: another mode is too near, or input and response do not belong together",
                   b.omega_1, b.omega_2);
  find_phase(quadrature, &b, s);
  double R = fabs(set->participation), f = s->omega_phase / (2.0 * MS_PI);
  s->zeta_peak = R / (2.0 * s->height);
  double zeta = R > 0.0 ? s->zeta_peak : s->zeta_half;
  double t = ms_sweep_time_of(s, s->omega_phase);
  double t_1 = ms_sweep_time_of(s, b.omega_1), t_2 = ms_sweep_time_of(s, b.omega_2);
  s->input = ms_sweep_input_at(s, t);
  s->rate = t_1 != t_2 ? (b.omega_2 - b.omega_1) / (2.0 * MS_PI * (t_2 - t_1)) : 0.0;
  s->severity = fabs(s->rate) / (zeta * f * zeta * f);
  MS_TRY(ms_decay_set(ctx, MS_SIGNAL_ACCELERATION, t, s->height * s->input, s->omega_phase, 0.0,
                      misfit(s, &b, zeta), &s->point));
  s->point.zeta = zeta;
  if (isfinite(zeta + s->severity + s->zeta_phase + s->zeta_half)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NUMERIC,
                 "the resonance at %.6g rad/s has no damping in finite numbers", s->omega_phase);
}

/* ---- the whole ---- */

ms_status ms_signal_sweep(ms_context *ctx, const ms_signal *input, const ms_signal *response,
                          const ms_sweep_settings *settings, ms_sweep *out) {
  ms_sweep_settings own = MS_SWEEP_DEFAULT;
  *out = (ms_sweep) { .n = 0 };
  MS_TAKE(ctx, ms_sweep_default, settings, own);
  const ms_sweep_tolerances *tol = &settings->tol;
  ms_part part;
  MS_SWEEP_TOLERANCES(MS_TOLERANCE_CHECK)
  if (input->n != response->n ||
      fabs(input->dt - response->dt) > ms_signal_tol.same_step * input->dt ||
      fabs(input->time - response->time) > 0.01 * input->dt)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "input and response must have the same samples: %td of %g s from %g s on, and "
                   "%td of %g s from %g s on",
                   input->n, input->dt, input->time, response->n, response->dt, response->time);
  if (!(settings->smooth >= 0.0) || !isfinite(settings->participation) ||
      !(settings->low < settings->high))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "smooth = %g, participation = %g, range %g to %g rad/s: one of them is out of "
                   "bounds",
                   settings->smooth, settings->participation, settings->low, settings->high);
  MS_TRY(ms_part_cut(ctx, input, -HUGE_VAL, HUGE_VAL, &part));
  MS_TRY(ms_part_cut(ctx, response, -HUGE_VAL, HUGE_VAL, &part));
  ms_status status = find_track(ctx, input, settings, out);
  if (status == MS_SUCCESS) status = transform(ctx, input, response, settings, out);
  if (status == MS_SUCCESS) status = find_resonance(ctx, settings, out);
  if (status != MS_SUCCESS) ms_sweep_free(ctx, out);
  return status;
}

void ms_sweep_free(ms_context *ctx, ms_sweep *sweep) {
  if (!sweep) return;
  ms_free(ctx, &sweep->freq_hz);
  ms_decay_free(ctx, &sweep->track);
  *sweep = (ms_sweep) { .n = 0 };
}
