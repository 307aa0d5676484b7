/* Frequency and damping by the short-time Fourier transform (docs/theory/ringdown.md). A Hann
   window of length T about the time b,

     X(omega) = 2 sum_k w_k x_k exp(-i omega (t_k - b)) / sum_k w_k,
     w_k = (1 + cos(2 pi (t_k - b)/T)) / 2,

   is largest at the frequency of the oscillation, where |X| = G A(b), and

     G = sinh(a)/(a (1 + (a/pi)^2)),   a = alpha T/2

   is what a decay at the rate alpha inside the window adds. */
#include <string.h>

#include "signal/internal.h"

enum { NEWTON = 20 };
enum { PASSES = 6 }; /* of correcting heights by slopes that were fitted to them */

typedef struct stft {
  ms_stft_tolerances tol;
  ms_part part;
  ms_growth growth;
  double first, last; /* lengths of the first and last window */
  double low, high;   /* band of the peak */
  double step;        /* of the next window, in lengths of this one */
  double begin, end;  /* centres of the first and last possible window */
  ptrdiff_t n;        /* windows */
  double *b, *T;      /* their centres and lengths */
  double *y;          /* y[i] = ln |X|, y[n + i] = omega at the peak */
  double *g;          /* ln G, as taken away from y[i] */
  ms_fft fft;
  double *wx, *t; /* w_k x_k and t_k - b */
} stft;

/* ---- windows ---- */

static double window_length(const stft *w, double b) {
  double part = w->end > w->begin ? (b - w->begin) / (w->end - w->begin) : 0.0;
  if (w->growth == MS_GROWTH_LINEAR) return w->first + part * (w->last - w->first);
  if (w->growth == MS_GROWTH_EXPONENTIAL) return w->first * pow(w->last / w->first, part);
  return w->first;
}

static double longest(const stft *w) {
  return fmax(w->first, w->last);
}

/* Writes centres and lengths where w->b is not NULL; returns how many there are. */
static ptrdiff_t place_windows(const stft *w) {
  ptrdiff_t n = 0;
  for (double b = w->begin; b <= w->end; n++) {
    double T = window_length(w, b);
    if (w->b) w->b[n] = b, w->T[n] = T;
    b += fmax(w->step * T, w->part.dt);
  }
  return n;
}

static ms_status allocate(ms_context *ctx, stft *w) {
  ptrdiff_t n = place_windows(w), samples = (ptrdiff_t)(longest(w) / w->part.dt) + 2;
  MS_TRY(ms_allocate(ctx, 2 * n, sizeof(double), &w->y));
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &w->g));
  MS_TRY(ms_allocate(ctx, samples, sizeof(double), &w->wx));
  MS_TRY(ms_allocate(ctx, samples, sizeof(double), &w->t));
  MS_TRY(ms_fft_open(ctx, ms_fft_good_size((ptrdiff_t)w->tol.padding * samples), &w->fft));
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &w->T));
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &w->b));
  w->n = place_windows(w);
  return MS_SUCCESS;
}

static void release(ms_context *ctx, stft *w) {
  ms_free(ctx, &w->b);
  ms_free(ctx, &w->T);
  ms_free(ctx, &w->y);
  ms_free(ctx, &w->g);
  ms_free(ctx, &w->wx);
  ms_free(ctx, &w->t);
  ms_fft_close(ctx, &w->fft);
}

/* ---- one window ---- */

/* The bin where |X| is largest within the band, -1 if that is no peak. */
static ptrdiff_t find_bin(stft *w, ptrdiff_t n, double d_omega) {
  for (ptrdiff_t k = 0; k < w->fft.n; k++) w->fft.real[k] = k < n ? w->wx[k] : 0.0;
  ms_fft_forward(&w->fft);
  ptrdiff_t first = (ptrdiff_t)ceil(w->low / d_omega), top = w->fft.n / 2 - 1, best = -1;
  if (first < 1) first = 1;
  double high = 0.0;
  for (ptrdiff_t k = first; k <= top && (double)k * d_omega <= w->high; k++) {
    double size = hypot(w->fft.spectrum[k][0], w->fft.spectrum[k][1]);
    if (size > high) high = size, best = k;
  }
  if (best < 0) return -1;
  double before = hypot(w->fft.spectrum[best - 1][0], w->fft.spectrum[best - 1][1]);
  double after = hypot(w->fft.spectrum[best + 1][0], w->fft.spectrum[best + 1][1]);
  return high >= before && high >= after ? best : -1;
}

/* Newton on P = |X|^2:  P' = 2 Re(X* X'),  P" = 2 Re(X* X") + 2 |X'|^2. Returns |X| at the end of
   the iteration; *omega moves at most by `bin` in each step. exp(-i omega t) turns from sample to
   sample, which costs a rounding error each, and a fraction of a sine. */
static double climb(const stft *w, ptrdiff_t n, double bin, double *omega) {
  double re = 0.0, im = 0.0;
  for (int i = 0; i < NEWTON; i++) {
    double re1 = 0.0, im1 = 0.0, re2 = 0.0, im2 = 0.0;
    const double turn[2] = { cos(*omega * w->part.dt), -sin(*omega * w->part.dt) };
    double e[2] = { cos(*omega * w->t[0]), -sin(*omega * w->t[0]) };
    re = im = 0.0;
    for (ptrdiff_t k = 0; k < n; k++) {
      const double t = w->t[k], c = w->wx[k] * e[0], s = w->wx[k] * e[1], old = e[0];
      re += c, re1 += t * s, re2 -= t * t * c; /* d/domega of (c + i s) = t (s - i c) */
      im += s, im1 -= t * c, im2 -= t * t * s;
      e[0] = old * turn[0] - e[1] * turn[1];
      e[1] = old * turn[1] + e[1] * turn[0];
    }
    double slope = re * re1 + im * im1;
    double curvature = re * re2 + im * im2 + re1 * re1 + im1 * im1;
    double step = curvature < 0.0 ? -slope / curvature : copysign(0.5 * bin, slope);
    step = fmax(-0.5 * bin, fmin(0.5 * bin, step));
    if (fabs(step) <= w->tol.climb * *omega) break;
    *omega += step;
  }
  return 2.0 * hypot(re, im);
}

static ms_status transform_window(ms_context *ctx, stft *w, ptrdiff_t i) {
  /* Fills wx, so scaled that the weights sum to 1 and the record's peak is 1. */
  const ms_part *p = &w->part;
  ptrdiff_t first = (ptrdiff_t)ceil((w->b[i] - 0.5 * w->T[i] - p->time) / p->dt), n = 0;
  double sum = 0.0;
  for (ptrdiff_t k = first < 0 ? 0 : first; k < p->n; k++, n++) {
    double t = p->time + p->dt * (double)k - w->b[i];
    if (t >= 0.5 * w->T[i]) break;
    double weight = 0.5 * (1.0 + cos(2.0 * MS_PI * t / w->T[i]));
    w->t[n] = t;
    w->wx[n] = weight * (p->x[k] / p->peak);
    sum += weight;
  }
  for (ptrdiff_t k = 0; k < n; k++) w->wx[k] /= sum;
  double bin = 2.0 * MS_PI / ((double)w->fft.n * w->part.dt);
  ptrdiff_t best = find_bin(w, n, bin);
  if (best < 0)
    return ms_fail(
        ctx, MS_ERR_ARGUMENT,
        "the window at t = %g s, %g s long, has no spectral peak between %g and %g rad/s; "
        "widen the band or end earlier",
        w->b[i], w->T[i], w->low, w->high);
  double omega = bin * (double)best, height = climb(w, n, bin, &omega);
  w->y[i] = log(height) + log(w->part.peak);
  w->y[w->n + i] = omega;
  return MS_SUCCESS;
}

/* ---- fit ---- */

/* ln G, by its first terms where sinh(a)/a would lose digits. */
static double log_gain(double a) {
  double sinhc = fabs(a) > 1e-3 ? sinh(a) / a : 1.0 + a * a / 6.0;
  return log(sinhc) - log1p(a * a / (MS_PI * MS_PI));
}

static ms_status fit(ms_context *ctx, stft *w, ms_signal_kind kind, ms_hats *hats, ms_decay *out) {
  /* Frequencies are fitted as fractions of their mean, so that both residuals are relative. */
  double mean = 0.0;
  for (ptrdiff_t i = 0; i < w->n; i++) mean += w->y[w->n + i] / (double)w->n;
  for (ptrdiff_t i = 0; i < w->n; i++) w->y[w->n + i] /= mean;
  /* Knots with equally many windows between them. */
  ptrdiff_t m = hats->n_knot - 1;
  for (ptrdiff_t j = 0; j < m; j++) {
    double at = (double)(w->n - 1) * (double)j / (double)m;
    ptrdiff_t i = (ptrdiff_t)at;
    hats->knot[j] = w->b[i] + (at - (double)i) * (w->b[i + 1] - w->b[i]);
  }
  hats->knot[m] = w->b[w->n - 1];
  MS_TRY(ms_hats_fit(ctx, hats, w->n, w->b, w->y));
  for (int pass = 0; pass < PASSES; pass++) {
    /* Takes ln G away from y[0 ... n), by the slopes fitted last. */
    for (ptrdiff_t i = 0, s = 0; i < w->n; i++) {
      while (s < hats->n_knot - 2 && w->b[i] >= hats->knot[s + 1]) s++;
      double g = log_gain(0.5 * w->T[i] * ms_hats_slope(hats, 0, s));
      w->y[i] += w->g[i] - g;
      w->g[i] = g;
    }
    MS_TRY(ms_hats_fit(ctx, hats, w->n, w->b, w->y));
  }
  double *rms = hats->diagonal;
  ms_hats_residual(hats, w->n, w->b, w->y, rms);
  MS_TRY(ms_decay_allocate(ctx, hats->n_knot - 1, out));
  for (ptrdiff_t s = 0; s < out->n; s++) {
    double t = 0.5 * (hats->knot[s] + hats->knot[s + 1]);
    double A = exp(ms_hats_middle(hats, 0, s)), alpha = ms_hats_slope(hats, 0, s);
    double omega = mean * ms_hats_middle(hats, 1, s);
    MS_TRY(ms_decay_set(ctx, kind, t, A, omega, alpha, rms[s], &out->point[s]));
  }
  return MS_SUCCESS;
}

/* ---- noise ---- */

/* White noise of rms 1 in the samples, of which a window sees little: to first order

     d ln|X| = 2/(|X| sum w) sum w n cos,    d omega = -2/(|X| mu sum w) sum w t n sin,

   with the sine and cosine of the oscillation's phase, t from the window's centre and
   mu = sum w t^2/sum w. Products of two sines or of two cosines are 1/2 in the mean, of a sine and
   a cosine 0: heights know nothing of frequencies, and windows that overlap share

     2/(|X_i| |X_j|) sum w_i w_j/(sum w)^2,   2/(|X_i| |X_j| mu^2) sum w_i t_i w_j t_j/(sum w)^2,

   the latter with opposite signs where they are half a window apart. Rows are linear in both. */

enum { POINTS = 96 }; /* of an integral over two windows */

static double hann(double x) {
  return 0.5 * (1.0 + cos(2.0 * MS_PI * x));
}

/* Covariances of two windows: of ln|X| and of omega. */
static void share_noise(const stft *w, ptrdiff_t i, ptrdiff_t j, double *height, double *omega) {
  const double a = fmax(w->b[i] - 0.5 * w->T[i], w->b[j] - 0.5 * w->T[j]);
  const double b = fmin(w->b[i] + 0.5 * w->T[i], w->b[j] + 0.5 * w->T[j]);
  const double mu = 1.0 / 12.0 - 0.5 / (MS_PI * MS_PI); /* of a window of length 1 */
  double even = 0.0, odd = 0.0;
  for (int k = 0; a < b && k < POINTS; k++) {
    const double t = a + (b - a) * ((double)k + 0.5) / POINTS;
    const double x = (t - w->b[i]) / w->T[i], y = (t - w->b[j]) / w->T[j];
    const double both = hann(x) * hann(y);
    even += both;
    odd += both * x * y;
  }
  const double size = exp(w->y[i] + w->g[i] + w->y[j] + w->g[j]);
  const double part = 8.0 * w->part.dt * fmax(b - a, 0.0) / (POINTS * w->T[i] * w->T[j] * size);
  *height = part * even;
  *omega = part * odd / (mu * mu * w->T[i] * w->T[j]);
}

/* What a unit of window k is in the rows: the middle of each segment, and its slope. */
static ms_status respond(ms_context *ctx, const stft *w, ms_hats *hats, ptrdiff_t k, double *unit,
                         double *middle, double *slope) {
  memset(unit, 0, (size_t)(2 * w->n) * sizeof *unit);
  unit[k] = 1.0;
  MS_TRY(ms_hats_fit(ctx, hats, w->n, w->b, unit));
  for (ptrdiff_t s = 0; s < hats->n_knot - 1; s++) {
    middle[s] = ms_hats_middle(hats, 0, s);
    slope[s] = ms_hats_slope(hats, 0, s);
  }
  return MS_SUCCESS;
}

/* ln omega, ln q, ln zeta of all rows, from heights (F) and frequencies (G) of window k, as
   ms_decay_set and ms_decay_refer make them. */
static void combine(const ms_decay *d, ms_signal_kind kind, const double *middle,
                    const double *slope, double *F, double *G) {
  const ptrdiff_t n = d->n;
  for (ptrdiff_t s = 0; s < n; s++) {
    const ms_decay_point *p = &d->point[s];
    const double over = 1.0 / (p->omega * copysign(fmax(fabs(p->zeta), 1e-12), p->zeta));
    F[s] = 0.0;
    F[n + s] = middle[s];
    F[2 * n + s] = -slope[s] * over;
    G[s] = middle[s] / p->omega;
    G[n + s] = -(double)kind * G[s];
  }
  for (ptrdiff_t s = 0; s < n; s++) {
    const ptrdiff_t a = s > 0 ? s - 1 : s, b = s + 1 < n ? s + 1 : s;
    const ms_decay_point *p = &d->point[s];
    const double over = 1.0 / (p->omega * copysign(fmax(fabs(p->zeta), 1e-12), p->zeta));
    const double time = d->point[b].time - d->point[a].time;
    G[2 * n + s] = time > 0.0 ? (double)kind * (G[b] - G[a]) / time * over : 0.0;
  }
}

/* C += F c F^T, of windows that overlap; column k of F is that of window k. */
static void gather_noise(const stft *w, ptrdiff_t rows, const double *F, const double *G,
                         double *C) {
  for (ptrdiff_t i = 0; i < w->n; i++) {
    for (ptrdiff_t j = 0; j < w->n; j++) {
      double height, omega;
      share_noise(w, i, j, &height, &omega);
      if (height == 0.0) continue;
      const double *Fi = F + rows * i, *Fj = F + rows * j, *Gi = G + rows * i, *Gj = G + rows * j;
      for (ptrdiff_t b = 0; b < rows; b++) {
        const double f = height * Fj[b], g = omega * Gj[b];
        for (ptrdiff_t a = 0; a < rows; a++) C[a + rows * b] += Fi[a] * f + Gi[a] * g;
      }
    }
  }
}

static ms_status find_noise(ms_context *ctx, const stft *w, ms_signal_kind kind, ms_hats *hats,
                            const ms_decay *d, double *C) {
  const ptrdiff_t n = d->n, rows = 3 * n;
  double *F;
  MS_TRY(ms_allocate(ctx, 2 * rows * w->n + 2 * w->n + 2 * n, sizeof *F, &F));
  double *G = F + rows * w->n, *unit = G + rows * w->n, *middle = unit + 2 * w->n;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < w->n && status == MS_SUCCESS; k++) {
    status = respond(ctx, w, hats, k, unit, middle, middle + n);
    combine(d, kind, middle, middle + n, F + rows * k, G + rows * k);
  }
  if (status == MS_SUCCESS) gather_noise(w, rows, F, G, C);
  ms_free(ctx, &F);
  return status;
}

/* ---- the whole ---- */

/* Lengths, band and range of the windows, from the settings and the main frequency. */
static ms_status plan(ms_context *ctx, const ms_stft_settings *s, stft *w) {
  double omega;
  MS_TRY(ms_part_frequency(ctx, &w->part, s->low, s->high, &omega));
  double period = 2.0 * MS_PI / omega;
  w->tol = s->tol;
  w->growth = s->growth;
  w->step = 1.0 - s->overlap;
  w->low = fmax(s->low, (1.0 - s->tol.band) * omega);
  w->high = fmin(s->high, (1.0 + s->tol.band) * omega);
  if (s->low > 0.0) w->low = s->low;
  if (isfinite(s->high)) w->high = s->high;
  w->first = s->window_first > 0.0 ? s->window_first : s->tol.periods * period;
  w->last = s->window_last > 0.0 ? s->window_last : s->tol.periods * period;
  if (s->growth == MS_GROWTH_CONSTANT) w->last = w->first;
  double shortest = fmin(w->first, w->last);
  if (shortest < s->tol.least_periods * period)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a window of %g s holds %.3g periods of %.6g rad/s; at least %g are needed",
                   shortest, shortest / period, omega, s->tol.least_periods);
  double length = w->part.dt * (double)(w->part.n - 1);
  if (longest(w) > length)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the record is too short: %g s for windows of %g s and %g s; use shorter ones",
                   length, w->first, w->last);
  w->begin = w->part.time + 0.5 * w->first;
  w->end = w->part.time + length - 0.5 * w->last;
  return MS_SUCCESS;
}

/* covariance: NULL, or where it goes. */
static ms_status run(ms_context *ctx, const ms_stft_settings *s, ms_signal_kind kind, stft *w,
                     ms_decay *out, double **covariance) {
  MS_TRY(plan(ctx, s, w));
  MS_TRY(allocate(ctx, w));
  if (w->n < s->windows)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the record is too short: %td windows fit, and a segment needs %td; use shorter "
                   "ones or more overlap",
                   w->n, s->windows);
  for (ptrdiff_t i = 0; i < w->n; i++) MS_TRY(transform_window(ctx, w, i));
  ptrdiff_t most = w->n / s->windows, segments = s->segments < most ? s->segments : most;
  ms_hats hats;
  MS_TRY(ms_hats_open(ctx, segments + 1, &hats));
  ms_status status = fit(ctx, w, kind, &hats, out);
  if (status == MS_SUCCESS && covariance) {
    ms_decay_refer(out, kind);
    status = ms_allocate(ctx, 9 * out->n * out->n, sizeof **covariance, covariance);
    if (status == MS_SUCCESS) status = find_noise(ctx, w, kind, &hats, out, *covariance);
  }
  ms_hats_close(ctx, &hats);
  return status;
}

static ms_status analyse(ms_context *ctx, const ms_signal *signal, const ms_stft_settings *settings,
                         ms_decay *out, double **covariance) {
  ms_stft_settings own = MS_STFT_DEFAULT;
  *out = (ms_decay) { .n = 0 };
  MS_TAKE(ctx, ms_stft_default, settings, own);
  const ms_stft_tolerances *tol = &settings->tol;
  MS_STFT_TOLERANCES(MS_TOLERANCE_CHECK)
  if (settings->growth < MS_GROWTH_CONSTANT || settings->growth > MS_GROWTH_EXPONENTIAL)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "growth of the windows %d is none of constant, linear, exponential",
                   (int)settings->growth);
  if (!(settings->overlap >= 0.0 && settings->overlap < 1.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "overlap of the windows is %g; it must be in [0, 1)",
                   settings->overlap);
  if (!(settings->window_first >= 0.0) || !(settings->window_last >= 0.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "windows of %g s and %g s: lengths must be >= 0",
                   settings->window_first, settings->window_last);
  if (settings->segments < 1 || settings->windows < 2)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%td segments of at least %td windows asked for; 1 and 2 are the least",
                   settings->segments, settings->windows);
  stft w = { .n = 0 };
  MS_TRY(ms_part_cut(ctx, signal, settings->start, settings->end, &w.part));
  ms_status status = run(ctx, settings, signal->kind, &w, out, covariance);
  release(ctx, &w);
  if (status != MS_SUCCESS) ms_decay_free(ctx, out);
  return status;
}

ms_status ms_signal_stft(ms_context *ctx, const ms_signal *signal, const ms_stft_settings *settings,
                         ms_decay *out) {
  return analyse(ctx, signal, settings, out, NULL);
}

ms_status ms_signal_stft_noise(ms_context *ctx, const ms_signal *signal,
                               const ms_stft_settings *settings, double **covariance) {
  ms_decay rows;
  *covariance = NULL;
  ms_status status = analyse(ctx, signal, settings, &rows, covariance);
  ms_decay_free(ctx, &rows);
  if (status != MS_SUCCESS) ms_free(ctx, covariance);
  return status;
}
