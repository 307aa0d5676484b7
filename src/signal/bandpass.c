/* Zero-phase band-pass by FFT. The gain is real: 1 from low to high, and outside falls to 0 over
   width times the edge as half a cosine, so its impulse response dies out with the third power of
   time. The record is continued at both ends by point reflection, 2 x_0 - x_k, faded to zero, and
   padded; what wraps around is zeros. */
#include "signal/internal.h"

/* Falls from 1 to 0 while s goes from 0 to 1. */
static double fall(double s) {
  if (s <= 0.0) return 1.0;
  return s < 1.0 ? 0.5 * (1.0 + cos(MS_PI * s)) : 0.0;
}

static double gain(const ms_band *b, double omega) {
  double g = 1.0;
  if (b->low > 0.0) g *= fall((b->low - omega) / (b->width * b->low));
  if (isfinite(b->high)) g *= fall((omega - b->high) / (b->width * b->high));
  return g;
}

/* Samples of continuation at each end. */
static ptrdiff_t continuation(const ms_band *b, double dt, ptrdiff_t n) {
  double edge = b->low > 0.0 ? b->low : b->high;
  double wanted = ceil(ms_signal_tol.continued * 2.0 * MS_PI / (b->width * edge * dt));
  return wanted < (double)(n - 1) ? (ptrdiff_t)wanted : n - 1;
}

static ms_status filter(ms_context *ctx, const ms_band *b, double dt, ptrdiff_t n, const double *x,
                        double *y, ms_fft *fft) {
  ptrdiff_t pad = continuation(b, dt, n);
  double *z = fft->real;
  for (ptrdiff_t k = 0; k < n; k++) z[pad + k] = x[k];
  for (ptrdiff_t k = 1; k <= pad; k++) {
    double fade = fall((double)k / (double)(pad + 1));
    z[pad - k] = fade * (2.0 * x[0] - x[k]);
    z[pad + n - 1 + k] = fade * (2.0 * x[n - 1] - x[n - 1 - k]);
  }
  for (ptrdiff_t k = n + 2 * pad; k < fft->n; k++) z[k] = 0.0;
  ms_fft_forward(fft);
  double d_omega = 2.0 * MS_PI / ((double)fft->n * dt);
  for (ptrdiff_t k = 0; k <= fft->n / 2; k++) {
    double g = gain(b, d_omega * (double)k) / (double)fft->n;
    fft->spectrum[k][0] *= g;
    fft->spectrum[k][1] *= g;
  }
  ms_fft_inverse(fft);
  MS_TRY(ms_signal_check_finite(ctx, "filtered signal", n, fft->real + pad));
  for (ptrdiff_t k = 0; k < n; k++) y[k] = fft->real[pad + k];
  return MS_SUCCESS;
}

ms_status ms_signal_bandpass(ms_context *ctx, const ms_band *band, double dt, ptrdiff_t n,
                             ptrdiff_t n_channel, const double *x, double *y) {
  if (!(dt > 0.0) || !isfinite(dt))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the time step is %g s; it must be > 0", dt);
  if (!(band->low >= 0.0) || !(band->high > band->low) ||
      (band->low == 0.0 && !isfinite(band->high)))
    return ms_fail(
        ctx, MS_ERR_ARGUMENT,
        "band from %g to %g Hz: the edges must be >= 0, in order, and one of them a limit",
        band->low / (2.0 * MS_PI), band->high / (2.0 * MS_PI));
  if (!(band->width > 0.0 && band->width <= 1.0))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "width of the band's edges is %g; it must be in (0, 1]",
                   band->width);
  if (band->low >= MS_PI / dt)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "the band begins at %g Hz, beyond what the sampling reaches, %g Hz",
                   band->low / (2.0 * MS_PI), 0.5 / dt);
  if (n < 2 || n_channel < 1 || n > PTRDIFF_MAX / n_channel || !x || !y)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a band-pass needs at least 2 samples of 1 channel; it has %td of %td", n,
                   n_channel);
  MS_TRY(ms_signal_check_finite(ctx, "signal to be filtered", n * n_channel, x));
  ms_fft fft;
  ptrdiff_t size = n > PTRDIFF_MAX / 4 ? n : ms_fft_good_size(n + 2 * continuation(band, dt, n));
  MS_TRY(ms_fft_open(ctx, size, &fft));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t c = 0; c < n_channel && status == MS_SUCCESS; c++)
    status = filter(ctx, band, dt, n, x + n * c, y + n * c, &fft);
  ms_fft_close(ctx, &fft);
  return status;
}
