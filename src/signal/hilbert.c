/* Frequency and damping by the Hilbert transform (docs/theory/ringdown.md).

     x(t) = Re exp(psi_1 + i psi_2),   psi_1 = ln sqrt(x^2 + H[x]^2),   psi_2 = arg(x + i H[x])
     omega = psi_2',   alpha = psi_1',   from continuous piecewise linear fits.

   The record runs from an extremum to an extremum and is mirrored at both, x(2 t_e - t), so that it
   goes on with neither jumps nor corners. The mirror stands at a sample or at the extremum itself,
   which lies between samples: mirrored about a sample, a record with 10 samples to a period has
   corners that spoil the damping of its first and last segments by several percent. */
#include "signal/internal.h"

enum { STENCIL = 8 }; /* samples to interpolate between */

/* A record from extremum to extremum; the mirrors stand so many samples from the first and the last
   sample. */
typedef struct swing {
  ms_part part;
  double period;   /* in samples */
  double mirrored; /* periods, at each end */
  double first, last;
} swing;

/* ---- from extremum to extremum ---- */

/* The first extremum of x[0], x[step], ..., x[(n-1) step], not x[0] itself: the highest sample
   between two changes of sign, if it is no ripple about zero. n if there is none. */
static ptrdiff_t first_extremum(const double *x, ptrdiff_t n, ptrdiff_t step, double period,
                                double lobe) {
  double high = 0.0;
  for (ptrdiff_t k = 0; k < n && (double)k < period; k++) high = fmax(high, fabs(x[k * step]));
  for (ptrdiff_t k = 0; k < n;) {
    ptrdiff_t best = k;
    int sign = x[k * step] >= 0.0;
    for (; k < n && (x[k * step] >= 0.0) == sign; k++)
      if (fabs(x[k * step]) > fabs(x[best * step])) best = k;
    if (best > 0 && best < n - 1 && fabs(x[best * step]) > lobe * high) return best;
  }
  return n;
}

/* Where about x[k] a sinusoid of the period has its extremum, in samples. */
static double refine(const double *x, double period) {
  double phase = 2.0 * MS_PI / period;
  double shift = atan((x[1] - x[-1]) / (2.0 * x[0] * sin(phase))) / phase;
  return fmax(-0.5, fmin(0.5, shift));
}

static ms_status cut_at_extrema(ms_context *ctx, const ms_part *p, double omega,
                                const ms_hilbert_settings *set, swing *out) {
  double period = 2.0 * MS_PI / (omega * p->dt);
  *out = (swing) { .part = *p, .period = period, .mirrored = set->tol.mirrored };
  ptrdiff_t first = first_extremum(p->x, p->n, 1, period, set->tol.lobe);
  ptrdiff_t back = first_extremum(p->x + p->n - 1, p->n, -1, period, set->tol.lobe),
            last = p->n - 1 - back;
  if (first >= last - STENCIL)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the record has no two extrema after %g s: it does not oscillate about zero; "
                   "take its offset away",
                   p->time);
  out->part.x += first;
  out->part.time += p->dt * (double)first;
  out->part.n = last - first + 1;
  if (set->mirror == MS_MIRROR_SAMPLE) return MS_SUCCESS;
  out->first = refine(p->x + first, period);
  out->last = refine(p->x + last, period);
  return MS_SUCCESS;
}

/* ---- envelope and phase ---- */

/* x at s, in samples, by Lagrange's polynomial through the STENCIL samples about it. */
static double interpolate(const double *x, ptrdiff_t n, double s) {
  ptrdiff_t k = (ptrdiff_t)floor(s) - STENCIL / 2 + 1;
  k = k < 0 ? 0 : k > n - STENCIL ? n - STENCIL : k;
  double sum = 0.0;
  for (int i = 0; i < STENCIL; i++) {
    double weight = x[k + i];
    for (int j = 0; j < STENCIL; j++)
      if (j != i) weight *= (s - (double)(k + j)) / (double)(i - j);
    sum += weight;
  }
  return sum;
}

static double fade(ptrdiff_t j, ptrdiff_t n) {
  double s = 2.0 * (double)j / (double)n - 1.0;
  return s > 0.0 ? 0.5 * (1.0 + cos(MS_PI * s)) : 1.0;
}

/* Multiplies the spectrum by -i, and divides it by n. */
static void transform(ms_fft *fft) {
  ms_fft_forward(fft);
  for (ptrdiff_t k = 0; k <= fft->n / 2; k++) {
    double *z = fft->spectrum[k], re = z[0] / (double)fft->n, im = z[1] / (double)fft->n;
    int real = k == 0 || 2 * k == fft->n; /* neither has a negative frequency of its own */
    z[0] = real ? 0.0 : im;
    z[1] = real ? 0.0 : -re;
  }
  ms_fft_inverse(fft);
}

/* psi[k] = psi_1, psi[n + k] = psi_2, counted from 0 at the first sample. */
static ms_status unwrap(ms_context *ctx, const ms_part *p, const double *hilbert, double *psi) {
  double before = 0.0, turns = 0.0;
  for (ptrdiff_t k = 0; k < p->n; k++) {
    double x = p->x[k] / p->peak, h = hilbert[k];
    double envelope = hypot(x, h), phase = atan2(h, x);
    if (!(envelope > 0.0))
      return ms_fail(ctx, MS_ERR_NUMERIC,
                     "the envelope is zero at t = %g s; end the record earlier",
                     p->time + p->dt * (double)k);
    if (k == 0)
      turns = -phase;
    else if (phase - before > MS_PI)
      turns -= 2.0 * MS_PI;
    else if (phase - before <= -MS_PI)
      turns += 2.0 * MS_PI;
    before = phase;
    psi[k] = log(envelope) + log(p->peak);
    psi[p->n + k] = phase + turns;
  }
  return MS_SUCCESS;
}

static ms_status find_psi(ms_context *ctx, const swing *w, double *psi) {
  ms_fft fft;
  double wanted = ceil(w->mirrored * w->period), most = (double)(w->part.n - 2);
  ptrdiff_t m = (ptrdiff_t)fmin(wanted, most);
  MS_TRY(ms_fft_open(ctx, ms_fft_good_size(w->part.n + 2 * m), &fft));
  /* The record at m ... m+n-1, its images before and after, zeros. */
  const ms_part *p = &w->part;
  double *z = fft.real, last = (double)(p->n - 1);
  for (ptrdiff_t k = 0; k < p->n; k++) z[m + k] = p->x[k] / p->peak;
  for (ptrdiff_t j = 1; j <= m; j++) {
    double weight = fade(j, m + 1) / p->peak, s = (double)j;
    z[m - j] = weight * interpolate(p->x, p->n, s + 2.0 * w->first);
    z[m + p->n - 1 + j] = weight * interpolate(p->x, p->n, last - s + 2.0 * w->last);
  }
  for (ptrdiff_t k = p->n + 2 * m; k < fft.n; k++) z[k] = 0.0;
  transform(&fft);
  ms_status status = unwrap(ctx, &w->part, fft.real + m, psi);
  ms_fft_close(ctx, &fft);
  return status;
}

/* ---- what is kept of it ---- */

typedef struct trimmed {
  ptrdiff_t n;
  double *t, *y;  /* y[i] = psi_1, y[n + i] = psi_2 - omega (t - t_0) */
  double omega;   /* the mean one: its line is taken away for the sake of rounding */
  double periods; /* from the first to the last sample */
} trimmed;

static ms_status trim(ms_context *ctx, const ms_part *p, const double *psi, double periods,
                      trimmed *out) {
  const double *phase = psi + p->n;
  ptrdiff_t a = 0, b = p->n - 1;
  double off = 2.0 * MS_PI * periods, whole = phase[b];
  while (a < b && phase[a] < off) a++;
  while (a < b && whole - phase[b] < off) b--;
  out->periods = (phase[b] - phase[a]) / (2.0 * MS_PI);
  if (a >= b || !(out->periods > 0.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the record is too short: it holds %.3g periods, and %.3g are cut off at each "
                   "end",
                   whole / (2.0 * MS_PI), periods);
  ptrdiff_t n = out->n = b - a + 1;
  MS_TRY(ms_allocate(ctx, n, sizeof *out->t, &out->t));
  MS_TRY(ms_allocate(ctx, 2 * n, sizeof *out->y, &out->y));
  out->omega = (phase[b] - phase[a]) / (p->dt * (double)(b - a));
  for (ptrdiff_t i = 0; i < n; i++) {
    out->t[i] = p->dt * (double)i;
    out->y[i] = psi[a + i];
    out->y[n + i] = phase[a + i] - phase[a] - out->omega * out->t[i];
  }
  for (ptrdiff_t i = 0; i < n; i++) out->t[i] += p->time + p->dt * (double)a;
  return MS_SUCCESS;
}

static void free_trimmed(ms_context *ctx, trimmed *w) {
  ms_free(ctx, &w->t);
  ms_free(ctx, &w->y);
}

static ms_status prepare(ms_context *ctx, const swing *w, double periods, trimmed *out) {
  double *psi;
  MS_TRY(ms_allocate(ctx, 2 * w->part.n, sizeof *psi, &psi));
  ms_status status = find_psi(ctx, w, psi);
  if (status == MS_SUCCESS) status = trim(ctx, &w->part, psi, periods, out);
  ms_free(ctx, &psi);
  return status;
}

/* ---- fit ---- */

static ms_status fit(ms_context *ctx, const trimmed *w, const ms_hilbert_settings *set,
                     ms_hats *hats) {
  ms_hats_space(hats, w->t[0], w->t[w->n - 1]);
  MS_TRY(ms_hats_fit(ctx, hats, w->n, w->t, w->y));
  if (set->knots == MS_KNOTS_TIME) return MS_SUCCESS;
  /* New knots where the fitted amplitude passes levels of equal ratio, at least `shortest` apart;
     what grows in between counts as level. Only *hats' knots change. */
  double shortest = set->periods * 2.0 * MS_PI / w->omega;
  ptrdiff_t m = hats->n_knot - 1, kept = 0;
  double *c = hats->value, *knot = hats->diagonal; /* room for the new ones */
  for (ptrdiff_t j = 1; j <= m; j++) c[j] = fmin(c[j], c[j - 1]);
  double first = hats->knot[0], last = hats->knot[m], drop = c[0] - c[m];
  if (!(drop > 0.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the signal does not decay: knots cannot be spaced by amplitude; use equal "
                   "times");
  knot[kept++] = first;
  for (ptrdiff_t j = 1, s = 0; j < m; j++) {
    double level = c[0] - drop * (double)j / (double)m;
    while (s < m - 1 && c[s + 1] > level) s++;
    double part = c[s] > c[s + 1] ? (c[s] - level) / (c[s] - c[s + 1]) : 1.0;
    double t = hats->knot[s] + part * (hats->knot[s + 1] - hats->knot[s]);
    if (t - knot[kept - 1] >= shortest && last - t >= shortest) knot[kept++] = t;
  }
  knot[kept++] = last;
  for (ptrdiff_t j = 0; j < kept; j++) hats->knot[j] = knot[j];
  hats->n_knot = kept;
  return ms_hats_fit(ctx, hats, w->n, w->t, w->y);
}

/* Nothing holds the outer end of the first and of the last segment, so that a curved function turns
   its slope in the first order. A straight line of its own has at the middle of the segment the
   slope of second order that the others have. */
static ms_status set_own(ms_context *ctx, const trimmed *w, ms_signal_kind kind,
                         const ms_hats *hats, ptrdiff_t s, ms_decay_point *point) {
  const double middle = 0.5 * (hats->knot[s] + hats->knot[s + 1]);
  const double *y = w->y;
  ptrdiff_t a = 0, b = w->n;
  while (a < b && w->t[a] < hats->knot[s]) a++;
  while (b > a && w->t[b - 1] > hats->knot[s + 1]) b--;
  double n = (double)(b - a), mean = 0.0, tt = 0.0, level[2] = { 0.0 }, slope[2] = { 0.0 },
         rr = 0.0;
  for (ptrdiff_t i = a; i < b; i++) {
    mean += w->t[i] / n;
    for (int f = 0; f < 2; f++) level[f] += y[f * w->n + i] / n;
  }
  for (ptrdiff_t i = a; i < b; i++) {
    const double t = w->t[i] - mean;
    tt += t * t;
    for (int f = 0; f < 2; f++) slope[f] += t * (y[f * w->n + i] - level[f]);
  }
  for (int f = 0; f < 2; f++) slope[f] /= tt;
  for (ptrdiff_t i = a; i < b; i++) {
    for (int f = 0; f < 2; f++) {
      const double r = y[f * w->n + i] - level[f] - slope[f] * (w->t[i] - mean);
      rr += r * r / n;
    }
  }
  const double amplitude = exp(level[0] + slope[0] * (middle - mean));
  return ms_decay_set(ctx, kind, middle, amplitude, w->omega + slope[1], slope[0], sqrt(rr), point);
}

static ms_status tabulate(ms_context *ctx, const trimmed *w, ms_signal_kind kind,
                          const ms_hats *hats, ms_decay *out) {
  double *rms = hats->diagonal; /* the normal equations are done with */
  ms_hats_residual(hats, w->n, w->t, w->y, rms);
  MS_TRY(ms_decay_allocate(ctx, hats->n_knot - 1, out));
  for (ptrdiff_t s = 0; s < out->n; s++) {
    double t = 0.5 * (hats->knot[s] + hats->knot[s + 1]);
    double A = exp(ms_hats_middle(hats, 0, s)), alpha = ms_hats_slope(hats, 0, s);
    double omega = w->omega + ms_hats_slope(hats, 1, s);
    MS_TRY(ms_decay_set(ctx, kind, t, A, omega, alpha, rms[s], &out->point[s]));
  }
  return MS_SUCCESS;
}

static ms_status fit_and_tabulate(ms_context *ctx, const trimmed *w, ms_signal_kind kind,
                                  const ms_hilbert_settings *set, ms_decay *out) {
  double most = floor(w->periods / set->periods * (1.0 + 1e-12));
  if (most < 1.0)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the record is too short: %.3g periods are left after trimming %g at each end, "
                   "and a segment needs %g",
                   w->periods, set->trim, set->periods);
  ptrdiff_t segments = (double)set->segments > most ? (ptrdiff_t)most : set->segments;
  ms_hats hats;
  MS_TRY(ms_hats_open(ctx, segments + 1, &hats));
  ms_status status = fit(ctx, w, set, &hats);
  if (status == MS_SUCCESS) status = tabulate(ctx, w, kind, &hats, out);
  for (int end = 0; status == MS_SUCCESS && set->own_ends && end < 2; end++) {
    const ptrdiff_t s = end == 0 ? 0 : out->n - 1;
    status = set_own(ctx, w, kind, &hats, s, &out->point[s]);
  }
  ms_hats_close(ctx, &hats);
  if (status != MS_SUCCESS) ms_decay_free(ctx, out);
  return status;
}

ms_status ms_signal_hilbert(ms_context *ctx, const ms_signal *signal,
                            const ms_hilbert_settings *settings, ms_decay *out) {
  ms_hilbert_settings own = MS_HILBERT_DEFAULT;
  *out = (ms_decay) { .n = 0 };
  MS_TAKE(ctx, ms_hilbert_default, settings, own);
  const ms_hilbert_tolerances *tol = &settings->tol;
  MS_HILBERT_TOLERANCES(MS_TOLERANCE_CHECK)
  if (settings->segments < 1)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td segments asked for; at least 1 is needed",
                   settings->segments);
  if (!(settings->periods >= 1.0) || !isfinite(settings->periods))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%g periods per segment asked for; at least 1 is needed",
                   settings->periods);
  if (!(settings->trim >= 0.0) || !isfinite(settings->trim))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%g periods to be trimmed; it must be >= 0",
                   settings->trim);
  if (settings->knots != MS_KNOTS_TIME && settings->knots != MS_KNOTS_AMPLITUDE)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "spacing of knots %d is neither time nor amplitude",
                   (int)settings->knots);
  if (settings->own_ends != 0 && settings->own_ends != 1)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "own_ends is %td; it must be 0 or 1", settings->own_ends);
  if (settings->mirror != MS_MIRROR_SAMPLE && settings->mirror != MS_MIRROR_EXTREMUM)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "place of the mirror %d is neither sample nor extremum",
                   (int)settings->mirror);
  ms_part part;
  double omega;
  MS_TRY(ms_part_cut(ctx, signal, settings->start, settings->end, &part));
  MS_TRY(ms_part_frequency(ctx, &part, 0.0, HUGE_VAL, &omega));
  swing whole;
  MS_TRY(cut_at_extrema(ctx, &part, omega, settings, &whole));
  trimmed w = { .n = 0 };
  ms_status status = prepare(ctx, &whole, settings->trim, &w);
  if (status == MS_SUCCESS) status = fit_and_tabulate(ctx, &w, signal->kind, settings, out);
  free_trimmed(ctx, &w);
  return status;
}
