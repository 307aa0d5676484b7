/* Decimation behind an anti-alias filter: a sinc in a Kaiser window,

     h_k = (c/pi) sinc(c k/pi) I_0(B sqrt(1 - (k/L)^2)) / I_0(B),   k = -L ... L,   sum h = 1,
     c = (1 + pass)/2 pi/M,   B = 0.1102 (a - 8.7),   L = (a - 7.95)/(2 * 2.285 (1 - pass) pi/M),

   for every M-th sample kept; a, in dB, is the attenuation promised and a little more, because
   Kaiser's formulas are a fit and up to 2 dB short. Output j is centred on input jM, so
   nothing is delayed; it can be computed once input jM + L is in. Both ends of the record are
   continued by point reflection, 2 x_0 - x_k.

   The last W = 2L + 1 samples are kept in a ring written twice over, W rows apart, so that they
   always also stand in one piece. A row is one sample of every channel. */
#include <string.h>

#include "core/internal.h"
#include "signal/internal.h"

enum { MAX_TAPS = 1 << 24 };
enum { LANES = 4 }; /* channels convolved side by side */

struct ms_decimator {
  ms_context *ctx;
  ms_decimator_settings set;
  ptrdiff_t n_channel, L, W;
  double *h;       /* h[0 ... L], the upper half */
  double *ring;    /* 2 W rows, and LANES to read beyond */
  double *row;     /* one row, for what is continued */
  ptrdiff_t at;    /* row of the oldest sample */
  ptrdiff_t count; /* rows gone in, continued ones too */
  ptrdiff_t ended; /* rows gone in before flush, -1 before that */
  ptrdiff_t given; /* outputs gone out */
};

/* ---- design ---- */

static double bessel_i0(double x) {
  double term = 1.0, sum = 1.0;
  for (int k = 1; term > 1e-17 * sum; k++) {
    term *= (0.5 * x / k) * (0.5 * x / k);
    sum += term;
  }
  return sum;
}

static ms_status check_settings(ms_context *ctx, const ms_decimator_settings *s) {
  if (s->factor < 1)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "decimation by %td; the factor must be >= 1", s->factor);
  if (!(s->attenuation > 50.0 && s->attenuation <= 180.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "attenuation of %g dB; it must be above 50 and at most 180", s->attenuation);
  if (!(s->pass > 0.0 && s->pass < 1.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "pass-band of %g of the new Nyquist frequency; it must be in (0, 1)", s->pass);
  return MS_SUCCESS;
}

static ms_status half_length(ms_context *ctx, const ms_decimator_settings *s, ptrdiff_t *L) {
  double transition = (1.0 - s->pass) * MS_PI / (double)s->factor;
  double wanted = ceil((s->attenuation + ms_signal_tol.kaiser - 7.95) / (2.0 * 2.285 * transition));
  *L = 0;
  if (s->factor == 1) return MS_SUCCESS;
  if (wanted > MAX_TAPS)
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "decimation by %td with pass-band %g needs a filter of %g taps; decimate in two "
                   "steps or let less pass",
                   s->factor, s->pass, 2.0 * wanted + 1.0);
  *L = (ptrdiff_t)wanted;
  return MS_SUCCESS;
}

/* ---- life ---- */

static ms_status allocate(ms_decimator *d) {
  MS_TRY(half_length(d->ctx, &d->set, &d->L));
  d->W = 2 * d->L + 1;
  if (d->n_channel > PTRDIFF_MAX / (2 * d->W) - LANES)
    return ms_fail(d->ctx, MS_ERR_OVERFLOW, "%td channels are too many", d->n_channel);
  MS_TRY(ms_allocate(d->ctx, d->L + 1, sizeof(double), &d->h));
  MS_TRY(ms_allocate(d->ctx, d->n_channel, sizeof(double), &d->row));
  return ms_allocate(d->ctx, 2 * d->W * d->n_channel + LANES, sizeof(double), &d->ring);
}

ms_status ms_decimator_create(ms_context *ctx, const ms_decimator_settings *settings,
                              ptrdiff_t n_channel, ms_decimator **out) {
  ms_decimator_settings own = MS_DECIMATOR_DEFAULT;
  MS_MAKE(ctx, out, settings);
  MS_TAKE(ctx, ms_decimator_default, settings, own);
  MS_TRY(check_settings(ctx, settings));
  if (n_channel < 1)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td channels to decimate; at least 1 is needed",
                   n_channel);
  ms_decimator *d;
  MS_TRY(ms_allocate(ctx, 1, sizeof *d, &d));
  d->ctx = ctx;
  d->set = *settings;
  d->n_channel = n_channel;
  ms_status status = allocate(d);
  if (status != MS_SUCCESS) {
    ms_decimator_destroy(&d);
    return status;
  }
  double M = (double)d->set.factor, L = (double)d->L, a = d->set.attenuation + ms_signal_tol.kaiser;
  double c = 0.5 * (1.0 + d->set.pass) / M, B = 0.1102 * (a - 8.7), sum = 0.0;
  for (ptrdiff_t k = d->L; k >= 0; k--) {
    double s = (double)k / fmax(L, 1.0), x = MS_PI * c * (double)k;
    double window = bessel_i0(B * sqrt(1.0 - s * s)) / bessel_i0(B);
    d->h[k] = (k == 0 ? 1.0 : sin(x) / x) * window;
    sum += (k == 0 ? 1.0 : 2.0) * d->h[k];
  }
  for (ptrdiff_t k = 0; k <= d->L; k++) d->h[k] /= sum;
  ms_decimator_start(d);
  *out = d;
  return MS_SUCCESS;
}

void ms_decimator_destroy(ms_decimator **decimator) {
  if (!decimator || !*decimator) return;
  ms_decimator *d = *decimator;
  ms_free(d->ctx, &d->h);
  ms_free(d->ctx, &d->row);
  ms_free(d->ctx, &d->ring);
  ms_free(d->ctx, decimator);
}

void ms_decimator_start(ms_decimator *d) {
  d->at = d->count = d->given = 0;
  d->ended = -1;
}

ptrdiff_t ms_decimator_delay(const ms_decimator *d) {
  return d->L;
}

/* ---- rows ---- */

/* Row i of the window, 0 the oldest of the last W. */
static double *window_row(const ms_decimator *d, ptrdiff_t i) {
  return d->ring + (d->at + i) * d->n_channel;
}

/* row = 2 a - b */
static void reflect(ms_decimator *d, const double *a, const double *b) {
  for (ptrdiff_t c = 0; c < d->n_channel; c++) d->row[c] = 2.0 * a[c] - b[c];
}

/* Samples 0 ... L stand in the upper half of the window: continue them into the lower half. */
static void continue_back(ms_decimator *d) {
  size_t bytes = (size_t)d->n_channel * sizeof(double);
  for (ptrdiff_t k = 1; k <= d->L; k++) {
    reflect(d, window_row(d, d->L), window_row(d, d->L + k));
    ptrdiff_t row = (d->at + d->L - k) % d->W;
    memcpy(d->ring + row * d->n_channel, d->row, bytes);
    memcpy(d->ring + (row + d->W) * d->n_channel, d->row, bytes);
  }
}

/* y = sum_k h_k x_(j M + k) for LANES channels from c on; lanes beyond the last channel compute
   with what stands there, and are not stored. Terms are added in the same order for any number of
   channels. */
static void convolve_lanes(const ms_decimator *d, ptrdiff_t c, double *y) {
  ptrdiff_t m = d->n_channel;
  const double *low = window_row(d, d->L) + c, *high = low;
  double sum[LANES];
  for (int i = 0; i < LANES; i++) sum[i] = d->h[0] * low[i];
  for (ptrdiff_t k = 1; k <= d->L; k++) {
    double h = d->h[k];
    low -= m;
    high += m;
    for (int i = 0; i < LANES; i++) sum[i] += h * (low[i] + high[i]);
  }
  for (ptrdiff_t i = 0; i < LANES && c + i < m; i++) y[c + i] = sum[i];
}

/* Takes a row in; 1 if an output is due, which is in y. */
static int take(ms_decimator *d, const double *x, double *y) {
  size_t bytes = (size_t)d->n_channel * sizeof *x;
  memcpy(d->ring + d->at * d->n_channel, x, bytes);
  memcpy(d->ring + (d->at + d->W) * d->n_channel, x, bytes);
  d->at = d->at + 1 < d->W ? d->at + 1 : 0;
  d->count++;
  ptrdiff_t centre = d->count - 1 - d->L; /* the sample in the middle of the window */
  if (centre < 0) return 0;
  if (centre == 0) continue_back(d);
  if (centre % d->set.factor != 0) return 0;
  for (ptrdiff_t c = 0; c < d->n_channel; c += LANES) convolve_lanes(d, c, y);
  d->given++;
  return 1;
}

/* ---- stepping ---- */

/* Finite samples can only fail near the end of the range of numbers. */
static ms_status check_output(ms_decimator *d, const double *y, int ready) {
  return ready ? ms_signal_check_finite(d->ctx, "decimated sample", d->n_channel, y) : MS_SUCCESS;
}

ms_status ms_decimator_push(ms_decimator *d, const double *x, double *y, int *ready) {
  *ready = 0;
  if (d->ended >= 0)
    return ms_fail(d->ctx, MS_ERR_STATE, "a sample came after flush; start the decimator anew");
  double sum = 0.0;
  for (ptrdiff_t c = 0; c < d->n_channel; c++) sum += fabs(x[c]);
  if (!isfinite(sum))
    return ms_fail(d->ctx, MS_ERR_NUMERIC, "sample %td to be decimated is not finite", d->count);
  *ready = take(d, x, y);
  return check_output(d, y, *ready);
}

/* Sample n-1+k is continued from n-1 and n-1-k; a record shorter than the filter stays at its first
   sample. Row n-1 is k-1 rows before the end of the window by then. */
static void continue_forward(ms_decimator *d, ptrdiff_t k) {
  ptrdiff_t end = d->W - k, n = d->ended, back = k < n - 1 ? k : n - 1;
  reflect(d, window_row(d, end), window_row(d, end - back));
}

ms_status ms_decimator_flush(ms_decimator *d, double *y, int *ready) {
  *ready = 0;
  if (d->ended < 0) d->ended = d->count;
  ptrdiff_t all = ms_signal_decimated_length(d->ended, d->set.factor);
  while (!*ready && d->given < all) {
    continue_forward(d, d->count - d->ended + 1);
    *ready = take(d, d->row, y);
  }
  return check_output(d, y, *ready);
}

/* ---- checkpoints ---- */

enum { HEAD = 8 };

ptrdiff_t ms_decimator_save_size(const ms_decimator *d) {
  return HEAD + d->W * d->n_channel;
}

static void save_head(const ms_decimator *d, double *head) {
  head[0] = (double)d->set.factor;
  head[1] = d->set.attenuation;
  head[2] = d->set.pass;
  head[3] = (double)d->n_channel;
  head[4] = (double)d->at;
  head[5] = (double)d->count;
  head[6] = (double)d->ended;
  head[7] = (double)d->given;
}

void ms_decimator_save(const ms_decimator *d, double *buffer) {
  save_head(d, buffer);
  memcpy(buffer + HEAD, d->ring, (size_t)(d->W * d->n_channel) * sizeof *buffer);
}

/* A whole number in [low, high]. */
static int is_count(double value, double low, double high) {
  return value >= low && value <= high && value == floor(value);
}

ms_status ms_decimator_load(ms_decimator *d, const double *buffer, ptrdiff_t n) {
  double head[HEAD];
  save_head(d, head);
  if (n != ms_decimator_save_size(d) || memcmp(head, buffer, 4 * sizeof *head) != 0)
    return ms_fail(d->ctx, MS_ERR_FORMAT,
                   "the saved state is of a decimator with other settings or channels");
  const double limit = 9007199254740992.0; /* 2^53 */
  if (!is_count(buffer[4], 0.0, (double)(d->W - 1)) || !is_count(buffer[5], 0.0, limit) ||
      !is_count(buffer[6], -1.0, buffer[5]) || !is_count(buffer[7], 0.0, buffer[5]))
    return ms_fail(d->ctx, MS_ERR_FORMAT, "the saved state of the decimator is damaged");
  MS_TRY(ms_signal_check_finite(d->ctx, "saved state of the decimator", n, buffer));
  d->at = (ptrdiff_t)buffer[4];
  d->count = (ptrdiff_t)buffer[5];
  d->ended = (ptrdiff_t)buffer[6];
  d->given = (ptrdiff_t)buffer[7];
  size_t bytes = (size_t)(d->W * d->n_channel) * sizeof *buffer;
  memcpy(d->ring, buffer + HEAD, bytes);
  memcpy(d->ring + d->W * d->n_channel, buffer + HEAD, bytes);
  return MS_SUCCESS;
}

/* ---- whole records ---- */

ptrdiff_t ms_signal_decimated_length(ptrdiff_t n, ptrdiff_t factor) {
  return n > 0 && factor > 0 ? (n - 1) / factor + 1 : 0;
}

ptrdiff_t ms_signal_find_factor(double dt, double highest_hz, double per_period) {
  const double factor = floor(1.0 / (dt * per_period * highest_hz));
  return factor > 1.0 && factor < MAX_TAPS ? (ptrdiff_t)factor : 1;
}

static ms_status decimate_channel(ms_decimator *d, ptrdiff_t n, const double *x, double *y) {
  int ready;
  ms_decimator_start(d);
  for (ptrdiff_t k = 0; k < n; k++) {
    MS_TRY(ms_decimator_push(d, x + k, y, &ready));
    y += ready;
  }
  for (;; y++) {
    MS_TRY(ms_decimator_flush(d, y, &ready));
    if (!ready) return MS_SUCCESS;
  }
}

ms_status ms_signal_decimate(ms_context *ctx, const ms_decimator_settings *settings, ptrdiff_t n,
                             ptrdiff_t n_channel, const double *x, double *y) {
  if (n < 1 || n_channel < 1 || !x || !y)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "decimation needs at least 1 sample of 1 channel; it has %td of %td", n,
                   n_channel);
  ms_decimator *d;
  MS_TRY(ms_decimator_create(ctx, settings, 1, &d));
  ptrdiff_t m = ms_signal_decimated_length(n, settings->factor);
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t c = 0; c < n_channel && status == MS_SUCCESS; c++)
    status = decimate_channel(d, n, x + n * c, y + m * c);
  ms_decimator_destroy(&d);
  return status;
}
