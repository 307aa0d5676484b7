/* What the methods of the signal room share. */
#ifndef MS_SIGNAL_INTERNAL_H
#define MS_SIGNAL_INTERNAL_H

#include <fftw3.h>

#include <microslip/signal.h>

#include "core/internal.h"
#include "signal/tolerance.h"

/* ---- records (record.c) ---- */

/* The part of a record that is analysed. */
typedef struct ms_part {
  const double *x;
  ptrdiff_t n;
  double dt, time; /* of x[0] */
  double peak;     /* largest |x|, > 0 */
} ms_part;

/* Checks the record and cuts it to start <= t <= end. */
ms_status ms_part_cut(ms_context *ctx, const ms_signal *signal, double start, double end,
                      ms_part *out);
/* Main frequency of the part between low and high; see ms_signal_find_frequency. */
ms_status ms_part_frequency(ms_context *ctx, const ms_part *part, double low, double high,
                            double *omega);
/* x has n finite values; `what` names it in the message. */
ms_status ms_signal_check_finite(ms_context *ctx, const char *what, ptrdiff_t n, const double *x);

/* ---- real FFT of one length (fft.c) ---- */

/* spectrum[k] = sum_j real[j] exp(-2 pi i j k/n), k = 0 ... n/2; inverse gives n times real and
   destroys the spectrum. */
typedef struct ms_fft {
  ptrdiff_t n;
  double *real;
  fftw_complex *spectrum;
  fftw_plan forward, inverse;
} ms_fft;

ms_status ms_fft_open(ms_context *ctx, ptrdiff_t n, ms_fft *fft);
void ms_fft_close(ms_context *ctx, ms_fft *fft);
void ms_fft_forward(ms_fft *fft);
void ms_fft_inverse(ms_fft *fft);
/* The smallest even product of 2, 3, 5 and 7 that is not less than n. */
ptrdiff_t ms_fft_good_size(ptrdiff_t n);

/* z_j := sum_k z_k exp(2 pi i j k/n). */
ms_status ms_fft_sum(ms_context *ctx, ptrdiff_t n, fftw_complex *z);

/* ---- sums of equally spaced sines (sine_sum.c) ---- */

typedef struct ms_comb {
  ptrdiff_t m;
  double omega, delta; /* rad/s */
  fftw_complex *grid;
} ms_comb;

/* sum of amplitude[k] sin((omega + k delta) t + phase[k]), k = 0 ... n-1; value k of either stands
   at stride * k. */
ms_status ms_comb_open(ms_context *ctx, ptrdiff_t n, ptrdiff_t stride, const double *amplitude,
                       const double *phase, double omega, double delta, ms_comb *comb);
void ms_comb_close(ms_context *ctx, ms_comb *comb);
/* To 1e-12 of the sum of amplitudes, at a cost that does not depend on n. */
double ms_comb_eval(const ms_comb *comb, double t);

/* ---- continuous piecewise linear least squares (piecewise_linear.c) ---- */

/* Two functions of t, value[j] and value[n_knot + j] at knot[j]. */
typedef struct ms_hats {
  ptrdiff_t n_knot;
  double *knot, *value;
  double *diagonal, *off; /* of the normal equations */
} ms_hats;

ms_status ms_hats_open(ms_context *ctx, ptrdiff_t n_knot, ms_hats *hats);
void ms_hats_close(ms_context *ctx, ms_hats *hats);
/* Knots at equal distances. */
void ms_hats_space(ms_hats *hats, double first, double last);
/* Fits y[i] and y[n + i] at increasing t[i], which lie within the knots. */
ms_status ms_hats_fit(ms_context *ctx, ms_hats *hats, ptrdiff_t n, const double *t,
                      const double *y);
double ms_hats_middle(const ms_hats *hats, int function, ptrdiff_t segment);
double ms_hats_slope(const ms_hats *hats, int function, ptrdiff_t segment);
/* rms of both residuals together, sqrt(mean(r_0^2 + r_1^2)), for each segment. */
void ms_hats_residual(const ms_hats *hats, ptrdiff_t n, const double *t, const double *y,
                      double *rms);

/* ---- tables (decay.c) ---- */

ms_status ms_decay_allocate(ms_context *ctx, ptrdiff_t n, ms_decay *out);
/* A row from the signal's amplitude (of its kind) and rates; fails when it is not a decaying or
   growing oscillation in finite numbers. */
ms_status ms_decay_set(ms_context *ctx, ms_signal_kind kind, double time, double amplitude,
                       double omega, double alpha, double quality, ms_decay_point *point);

/* impacts.c: a history with a hammer's pulse, force and one sensor. */
typedef struct ms_impact {
  const double *force, *x;
  ptrdiff_t rise, fall; /* samples of the pulse */
} ms_impact;
/* Twice the pulse's samples: as much before and behind it is still the pulse. */
ptrdiff_t ms_impact_width(ptrdiff_t rise, ptrdiff_t fall);
/* Samples that all have from before the pulse on, and of the longest pulse with its surroundings:
   to be called for each, from PTRDIFF_MAX and 0 on. */
void ms_impact_measure(ptrdiff_t n, ptrdiff_t rise, ptrdiff_t fall, ptrdiff_t *length,
                       ptrdiff_t *pulse);
/* Their frequency response, faded by exp(-decay t). */
ms_status ms_signal_average_impacts(ms_context *ctx, double dt, ptrdiff_t length, ptrdiff_t pulse,
                                    double decay, ptrdiff_t n, const ms_impact *impact,
                                    ms_frf *out);

#endif
