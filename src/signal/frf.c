/* Frequency response by averaging over blocks (docs/theory/sweep-and-frf.md). X, Y are the
   transforms of blocks of L samples times a window w; with means over n blocks

     Sxx = 2 dt mean |X|^2/sum w^2,   Sxy = 2 dt mean(conj(X) Y)/sum w^2,   H1 = Sxy/Sxx,
     H2 = Syy/conj(Sxy),              coherence = |Sxy|^2/(Sxx Syy).

   Blocks that share samples are not independent: n of them, a step s apart, are worth

     n_d = n/(1 + 2 sum_j (1 - j/n) rho_j),  rho_j = (sum_k w_k w_(k+js))^2/(sum_k w_k^2)^2. */
#include <string.h>

#include "signal/internal.h"

enum { MIN_LENGTH = 8 };

static const char *const window_text[] = { "hann", "rectangular", "hammer" };

const char *ms_frf_window_text(ms_frf_window window) {
  return window >= MS_FRF_HANN && window <= MS_FRF_HAMMER ? window_text[window] : NULL;
}

ms_status ms_frf_parse_window(ms_context *ctx, const char *word, ms_frf_window *out) {
  for (int i = 0; i < 3; i++) {
    if (strcmp(word, window_text[i]) != 0) continue;
    *out = (ms_frf_window)i;
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME, "window '%s' is none of hann, rectangular, hammer", word);
}

typedef struct welch {
  const ms_frf_settings *set;
  double dt;
  ptrdiff_t L, step;
  double *wx, *wy; /* windows of x and y */
  ms_fft x, y;
} welch;

/* ---- windows ---- */

/* A hammer's spectra are those of the blow itself, whatever fades it. */
static double window_power(const welch *w) {
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < w->L; k++) {
    sum += w->set->window == MS_FRF_HAMMER ? 1.0 : w->wy[k] * w->wy[k];
  }
  return sum;
}

static double overlap_correlation(const welch *w, ptrdiff_t shift) {
  double shared = 0.0, whole = 0.0;
  for (ptrdiff_t k = 0; k < w->L; k++) {
    whole += w->wy[k] * w->wy[k];
    if (k + shift < w->L) shared += w->wy[k] * w->wy[k + shift];
  }
  return (shared / whole) * (shared / whole);
}

/* ---- blocks ---- */

static void load_block(const welch *w, const double *x, const double *window, ms_fft *fft) {
  double mean = 0.0;
  for (ptrdiff_t k = 0; k < w->L && w->set->window != MS_FRF_HAMMER; k++) {
    mean += x[k] / (double)w->L;
  }
  for (ptrdiff_t k = 0; k < w->L; k++) fft->real[k] = window[k] * (x[k] - mean);
  ms_fft_forward(fft);
}

static void add_block(welch *w, const double *x, const double *y, ms_frf *out) {
  load_block(w, x, w->wx, &w->x);
  load_block(w, y, w->wy, &w->y);
  for (ptrdiff_t k = 0; k < out->n; k++) {
    const double *X = w->x.spectrum[k], *Y = w->y.spectrum[k];
    out->Sxx[k] += X[0] * X[0] + X[1] * X[1];
    out->Syy[k] += Y[0] * Y[0] + Y[1] * Y[1];
    out->Sxy[2 * k] += X[0] * Y[0] + X[1] * Y[1];
    out->Sxy[2 * k + 1] += X[0] * Y[1] - X[1] * Y[0];
  }
}

static void add_record(welch *w, const ms_frf_record *r, ms_frf *out) {
  ptrdiff_t n = 0;
  for (ptrdiff_t at = 0; at + w->L <= r->n; at += w->step, n++) {
    add_block(w, r->x + at, r->y + at, out);
  }
  out->blocks += n;
  double sum = 1.0;
  for (ptrdiff_t j = 1; j < n && j * w->step < w->L; j++) {
    sum += 2.0 * (1.0 - (double)j / (double)n) * overlap_correlation(w, j * w->step);
  }
  out->averages += (double)n / sum;
}

/* ---- results ---- */

static void finish_line(ms_frf *f, ptrdiff_t k) {
  double xx = f->Sxx[k], yy = f->Syy[k], re = f->Sxy[2 * k], im = f->Sxy[2 * k + 1];
  double xy = re * re + im * im;
  if (!(xx > 0.0) || !(yy > 0.0) || !(xy > 0.0)) return;
  f->H1[2 * k] = re / xx;
  f->H1[2 * k + 1] = im / xx;
  f->H2[2 * k] = yy * re / xy;
  f->H2[2 * k + 1] = yy * im / xy;
  f->coherence[k] = fmin(1.0, (xy / xx) / yy);
}

/* ---- the whole ---- */

static ms_status check_settings(ms_context *ctx, const ms_frf_settings *s, double dt) {
  if (!ms_frf_window_text(s->window))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "window %d is none of hann, rectangular, hammer",
                   (int)s->window);
  if (s->length < MIN_LENGTH)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a block of %td samples is too short; %d are the least",
                   s->length, MIN_LENGTH);
  if (!(s->overlap >= 0.0 && s->overlap < 1.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "overlap of the blocks is %g; it must be in [0, 1)",
                   s->overlap);
  if (!(s->decay >= 0.0 && isfinite(s->decay)) || !(s->force_end >= 0.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "decay %g and force_end %g must be >= 0", s->decay,
                   s->force_end);
  if (dt > 0.0 && isfinite(dt)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "the step of the records is %g s; it must be > 0", dt);
}

static ms_status allocate_frf(ms_context *ctx, const welch *w, ms_frf *f) {
  ptrdiff_t n = w->L / 2 + 1;
  MS_TRY(ms_allocate(ctx, 10 * n, sizeof *f->freq_hz, &f->freq_hz));
  f->n = n;
  f->df = 1.0 / ((double)w->L * w->dt);
  f->Sxx = f->freq_hz + n;
  f->Syy = f->freq_hz + 2 * n;
  f->coherence = f->freq_hz + 3 * n;
  f->Sxy = f->freq_hz + 4 * n;
  f->H1 = f->freq_hz + 6 * n;
  f->H2 = f->freq_hz + 8 * n;
  return MS_SUCCESS;
}

static ms_status estimate(ms_context *ctx, welch *w, ptrdiff_t n, const ms_frf_record *record,
                          ms_frf *out) {
  MS_TRY(allocate_frf(ctx, w, out));
  MS_TRY(ms_allocate(ctx, w->L, sizeof *w->wx, &w->wx));
  MS_TRY(ms_allocate(ctx, w->L, sizeof *w->wy, &w->wy));
  MS_TRY(ms_fft_open(ctx, w->L, &w->x));
  MS_TRY(ms_fft_open(ctx, w->L, &w->y));
  const ms_frf_settings *s = w->set;
  int hammer = s->window == MS_FRF_HAMMER;
  for (ptrdiff_t k = 0; k < w->L; k++) {
    double t = w->dt * (double)k;
    double hann = 0.5 * (1.0 - cos(2.0 * MS_PI * (double)k / (double)w->L));
    w->wy[k] = s->window == MS_FRF_HANN ? hann : hammer ? exp(-s->decay * t) : 1.0;
    w->wx[k] = hammer && s->force_end > 0.0 && t >= s->force_end ? 0.0 : w->wy[k];
  }
  for (ptrdiff_t i = 0; i < n; i++) add_record(w, &record[i], out);
  double scale = 2.0 * w->dt / ((double)out->blocks * window_power(w));
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < out->n; k++) {
    double once = k == 0 || 2 * k == w->L ? 0.5 : 1.0; /* their own mirror images */
    out->freq_hz[k] = out->df * (double)k;
    out->Sxx[k] *= once * scale;
    out->Syy[k] *= once * scale;
    out->Sxy[2 * k] *= once * scale;
    out->Sxy[2 * k + 1] *= once * scale;
    finish_line(out, k);
    sum += out->H1[2 * k] + out->H1[2 * k + 1] + out->H2[2 * k] + out->H2[2 * k + 1] + out->Syy[k];
  }
  if (isfinite(sum)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NUMERIC, "the spectra leave the range of numbers; scale the records");
}

ms_status ms_signal_estimate_frf(ms_context *ctx, const ms_frf_settings *settings, double dt,
                                 ptrdiff_t n_record, const ms_frf_record *record, ms_frf *out) {
  ms_frf_settings own = MS_FRF_DEFAULT;
  *out = (ms_frf) { .n = 0 };
  MS_TAKE(ctx, ms_frf_default, settings, own);
  MS_TRY(check_settings(ctx, settings, dt));
  if (n_record < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "there is no record to average over");
  for (ptrdiff_t i = 0; i < n_record; i++) {
    if (record[i].n < settings->length)
      return ms_fail(ctx, MS_ERR_ARGUMENT,
                     "record %td has %td samples, a block needs %td; use shorter blocks", i + 1,
                     record[i].n, settings->length);
    MS_TRY(ms_signal_check_finite(ctx, "the input", record[i].n, record[i].x));
    MS_TRY(ms_signal_check_finite(ctx, "the output", record[i].n, record[i].y));
  }
  welch w = { .set = settings, .dt = dt, .L = settings->length };
  w.step = (ptrdiff_t)round((1.0 - settings->overlap) * (double)w.L);
  if (w.step < 1) w.step = 1;
  ms_status status = estimate(ctx, &w, n_record, record, out);
  ms_fft_close(ctx, &w.x);
  ms_fft_close(ctx, &w.y);
  ms_free(ctx, &w.wx);
  ms_free(ctx, &w.wy);
  if (status != MS_SUCCESS) ms_frf_free(ctx, out);
  return status;
}

void ms_frf_free(ms_context *ctx, ms_frf *frf) {
  if (!frf) return;
  ms_free(ctx, &frf->freq_hz);
  *frf = (ms_frf) { .n = 0 };
}

double ms_frf_random_error(const ms_frf *frf, ptrdiff_t k) {
  double g = frf->coherence[k];
  return g > 0.0 ? sqrt((1.0 - g) / (2.0 * frf->averages * g)) : HUGE_VAL;
}

void ms_frf_differentiate(ms_frf *f, int d) {
  for (ptrdiff_t k = 0; k < f->n; k++) {
    const double omega = 2.0 * acos(-1.0) * f->freq_hz[k];
    const double factor = d > 0 ? omega : omega > 0.0 ? -1.0 / omega : 0.0;
    for (int i = 0; i < (d < 0 ? -d : d); i++) {
      for (int w = 0; w < 2; w++) { /* times i factor */
        double *H = (w ? f->H2 : f->H1) + 2 * k, re = H[0];
        H[0] = -H[1] * factor;
        H[1] = re * factor;
      }
    }
  }
}

ms_frf_difference ms_frf_compare(const ms_frf *f, ptrdiff_t first, ptrdiff_t n, const double *H) {
  ms_frf_difference d = { .lines = 0 };
  double square = 0.0, random = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double *h = f->H1 + 2 * (first + i), size = hypot(H[2 * i], H[2 * i + 1]);
    if (!(size > 0.0) || !(f->coherence[first + i] > 0.0)) continue;
    const double e = hypot(h[0] - H[2 * i], h[1] - H[2 * i + 1]) / size;
    const double expected = ms_frf_random_error(f, first + i);
    square += e * e;
    random += 2.0 * expected * expected;
    d.largest = fmax(d.largest, e);
    d.lines++;
  }
  if (d.lines == 0) return d;
  d.rms = sqrt(square / (double)d.lines);
  d.random = sqrt(random / (double)d.lines);
  return d;
}
