/* Frequency and damping by counting: crossing k of zero has the phase k pi, and the extremum
   between two crossings is the amplitude (docs/theory/ringdown.md). Straight lines through a few
   cycles of either give omega and alpha. */
#include "signal/internal.h"

/* Crossings c[0 ... n], and between c[i] and c[i+1] the extremum at t[i] with the logarithm a[i].
 */
typedef struct lobes {
  ptrdiff_t n;
  double *c, *t, *a;
} lobes;

/* ---- finding crossings and extrema ---- */

/* A crossing is certain once the signal beyond it exceeds hysteresis times the peak before. Where
   it ran to and fro until then, the middle of the first and the last crossing is taken. */
typedef struct tracker {
  const ms_part *part;
  double hysteresis;
  double step;        /* phase of the main frequency in one sample */
  int side;           /* of the present lobe: +1, -1 */
  double peak;        /* of it, so far */
  double opposite;    /* highest on the other side since it was left */
  int away;           /* the other side has been touched */
  double first, last; /* crossings since the lobe was left */
} tracker;

static double sample_time(const ms_part *p, double k) {
  return p->time + p->dt * k;
}

/* The zero of the sinusoid through a > 0 and b <= 0, one sample apart, in samples from a. */
static double zero_between(double a, double b, double step) {
  return atan2(a * sin(step), a * cos(step) - b) / step;
}

/* Takes sample k in; 1 if the lobe is over, and its end is the crossing *at. */
static int track(tracker *w, ptrdiff_t k, double *at) {
  double before = w->part->x[k - 1] * w->side, now = w->part->x[k] * w->side;
  if (now > 0.0) {
    if (now > w->hysteresis * w->peak) w->away = 0, w->opposite = 0.0;
    w->peak = fmax(w->peak, now);
    return 0;
  }
  if (before > 0.0) {
    w->last = (double)(k - 1) + zero_between(before, now, w->step);
    if (!w->away) w->first = w->last;
    w->away = 1;
  }
  w->opposite = fmax(w->opposite, -now);
  if (!w->away || !(w->opposite > w->hysteresis * w->peak)) return 0;
  *at = 0.5 * (w->first + w->last);
  w->side = -w->side;
  w->peak = w->opposite;
  w->opposite = 0.0;
  w->away = 0;
  return 1;
}

/* Crossings in samples, into c where that is not NULL; returns how many. */
static ptrdiff_t find_crossings(const ms_part *p, double hysteresis, double step, double *c) {
  tracker w = { .part = p, .hysteresis = hysteresis, .step = step };
  ptrdiff_t n = 0, k = 0;
  while (k < p->n && p->x[k] == 0.0) k++;
  w.side = p->x[k] > 0.0 ? 1 : -1;
  w.peak = fabs(p->x[k]);
  for (k++; k < p->n; k++) {
    double at;
    if (!track(&w, k, &at)) continue;
    if (c) c[n] = at;
    n++;
  }
  return n;
}

/* The extremum between two crossings: that of the sinusoid, of the frequency that the crossings
   say, through the highest sample and the two beside it. 0 if no sample lies between. */
static int find_extremum(const ms_part *p, double from, double to, double *t, double *a) {
  ptrdiff_t first = (ptrdiff_t)ceil(from), last = (ptrdiff_t)floor(to), best = first;
  for (ptrdiff_t k = first; k <= last; k++)
    if (fabs(p->x[k]) > fabs(p->x[best])) best = k;
  if (first > last || p->x[best] == 0.0) return 0;
  double step = MS_PI / (to - from), shift = 0.0;
  if (best > 0 && best < p->n - 1 && step < 0.5 * MS_PI) {
    double slope = (p->x[best + 1] - p->x[best - 1]) / (2.0 * p->x[best] * sin(step));
    shift = fmax(-0.5, fmin(0.5, atan(slope) / step));
  }
  *t = sample_time(p, (double)best + shift);
  *a = log(fabs(p->x[best])) - log(cos(shift * step));
  return 1;
}

static ms_status find_lobes(ms_context *ctx, const ms_part *p, double hysteresis, double step,
                            lobes *out) {
  ptrdiff_t n = find_crossings(p, hysteresis, step, NULL);
  if (n < 2)
    return ms_fail(
        ctx, MS_ERR_ARGUMENT,
        "the signal crosses zero %td times after %g s: it does not oscillate about zero; "
        "take its offset away",
        n, p->time);
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &out->c));
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &out->t));
  MS_TRY(ms_allocate(ctx, n, sizeof(double), &out->a));
  find_crossings(p, hysteresis, step, out->c);
  out->n = n - 1;
  for (ptrdiff_t i = 0; i < out->n; i++) {
    if (find_extremum(p, out->c[i], out->c[i + 1], &out->t[i], &out->a[i])) continue;
    return ms_fail(
        ctx, MS_ERR_ARGUMENT,
        "no sample lies between the zero crossings near t = %g s: sampling is too coarse",
        sample_time(p, out->c[i]));
  }
  for (ptrdiff_t i = 0; i < n; i++) out->c[i] = sample_time(p, out->c[i]);
  return MS_SUCCESS;
}

/* ---- straight lines ---- */

typedef struct line {
  double t, y, slope; /* through (t, y), the means */
  double rms;         /* of the residual */
} line;

/* y[i], or scale * i where y is NULL. */
static line fit_line(ptrdiff_t n, const double *t, const double *y, double scale) {
  line f = { 0 };
  double tt = 0.0, ty = 0.0, rr = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    f.t += t[i] / (double)n;
    f.y += (y ? y[i] : scale * (double)i) / (double)n;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    double dt = t[i] - f.t, dy = (y ? y[i] : scale * (double)i) - f.y;
    tt += dt * dt;
    ty += dt * dy;
  }
  f.slope = ty / tt;
  for (ptrdiff_t i = 0; i < n; i++) {
    double r = (y ? y[i] : scale * (double)i) - f.y - f.slope * (t[i] - f.t);
    rr += r * r;
  }
  f.rms = sqrt(rr / (double)n);
  return f;
}

/* Row s: half cycles m*s to m*(s+1), their crossings and extrema. */
static ms_status tabulate(ms_context *ctx, const lobes *w, ms_signal_kind kind, ptrdiff_t m,
                          ms_decay *out) {
  MS_TRY(ms_decay_allocate(ctx, w->n / m, out));
  for (ptrdiff_t s = 0; s < out->n; s++) {
    ptrdiff_t i = m * s;
    line phase = fit_line(m + 1, w->c + i, NULL, MS_PI);
    line height = fit_line(m, w->t + i, w->a + i, 0.0);
    double A = exp(height.y + height.slope * (phase.t - height.t));
    double quality = hypot(phase.rms, height.rms);
    MS_TRY(ms_decay_set(ctx, kind, phase.t, A, phase.slope, height.slope, quality, &out->point[s]));
  }
  return MS_SUCCESS;
}

static ms_status run(ms_context *ctx, const ms_part *p, const ms_crossing_settings *s, double omega,
                     ms_signal_kind kind, lobes *w, ms_decay *out) {
  MS_TRY(find_lobes(ctx, p, s->hysteresis, omega * p->dt, w));
  if (w->n >= 2 * s->cycles) return tabulate(ctx, w, kind, 2 * s->cycles, out);
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "the record is too short: it holds %.3g cycles, and a row needs %td",
                 0.5 * (double)w->n, s->cycles);
}

ms_status ms_signal_zero_crossings(ms_context *ctx, const ms_signal *signal,
                                   const ms_crossing_settings *settings, ms_decay *out) {
  ms_crossing_settings own = MS_CROSSING_DEFAULT;
  *out = (ms_decay) { .n = 0 };
  MS_TAKE(ctx, ms_crossing_default, settings, own);
  if (settings->cycles < 2 || settings->cycles > PTRDIFF_MAX / 4)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td cycles to a row asked for; at least 2 are needed",
                   settings->cycles);
  if (!(settings->hysteresis >= 0.0 && settings->hysteresis < 1.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "hysteresis is %g; it must be in [0, 1)",
                   settings->hysteresis);
  ms_part part;
  double omega;
  MS_TRY(ms_part_cut(ctx, signal, settings->start, settings->end, &part));
  MS_TRY(ms_part_frequency(ctx, &part, 0.0, HUGE_VAL, &omega));
  lobes w = { .n = 0 };
  ms_status status = run(ctx, &part, settings, omega, signal->kind, &w, out);
  ms_free(ctx, &w.c);
  ms_free(ctx, &w.t);
  ms_free(ctx, &w.a);
  if (status != MS_SUCCESS) ms_decay_free(ctx, out);
  return status;
}
