/* [signal] Signals: a time history in, a table of frequency and damping against amplitude out; and
   what prepares a history for that: filters, decimation, modal filter.

   Time histories are x[k + n*channel], sampled evenly. SI units; omega is rad/s. Definitions and
   equations: docs/theory/ringdown.md, docs/theory/sweep-and-frf.md. */
#ifndef MICROSLIP_SIGNAL_H
#define MICROSLIP_SIGNAL_H

#include <math.h>

#include <microslip/context.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a record ------------------------------------------------------------------------------- */

typedef enum ms_signal_kind {
  MS_SIGNAL_DISPLACEMENT, /* m, or a modal coordinate in m sqrt(kg) */
  MS_SIGNAL_VELOCITY,
  MS_SIGNAL_ACCELERATION
} ms_signal_kind;

/* One channel: sample k, of n, was taken at time + k*dt. The samples are the caller's. */
typedef struct ms_signal {
  const double *x;
  ptrdiff_t n;
  double dt, time; /* s */
  ms_signal_kind kind;
} ms_signal;

/* A record from its list of times, n >= 2, strictly increasing. The step is the mean one; a time
   that is farther than tolerance * step from the even grid is refused, with its index in the
   message. 1e-3 suits files that print time with few digits. x is borrowed, t only read. */
MS_API ms_status ms_signal_borrow(ms_context *ctx, ptrdiff_t n, const double *t, const double *x,
                                  ms_signal_kind kind, double tolerance, ms_signal *out);

/* Angular frequency, rad/s, of the highest point of the record's spectrum between low and high
   (rad/s; 0 and HUGE_VAL for no limits), the mean taken away and the record faded out by half a
   Hann window, so that what rings first counts most. Refuses a record that is zero, not finite,
   shorter than 4 periods or sampled with fewer than 4 points per period, or whose highest point is
   not a peak. */
MS_API ms_status ms_signal_find_frequency(ms_context *ctx, const ms_signal *signal, double low,
                                          double high, double *omega);

/* ---- before the trigger ---------------------------------------------------------------------- */

#define MS_OFFSET_LEAST 16 /* samples before a trigger that tell the offset of a channel */

/* The pulse of a hammer, in samples. The offset of every channel of the record is the mean of its
   samples before it. */
typedef struct ms_pulse {
  ptrdiff_t rise, fall;  /* first and last sample that differs from the median by more than a tenth
                            of the largest difference */
  ptrdiff_t first, last; /* as many samples again on both sides; last may lie beyond the record */
  ptrdiff_t before;      /* samples that tell the offset: first, or 0 where these are too few */
} ms_pulse;

/* Refuses a force that is constant. */
MS_API ms_status ms_signal_find_pulse(ms_context *ctx, ptrdiff_t n, const double *force,
                                      ms_pulse *out);
MS_API double ms_signal_mean(ptrdiff_t n, const double *x);
/* White noise whose rms is `part` of the largest |x|; returns that rms. */
MS_API double ms_signal_add_noise(ms_random *random, double part, ptrdiff_t n, double *x);

/* ---- the table that every method returns ---------------------------------------------------- */

typedef struct ms_decay_point {
  double time;         /* s, middle of the segment */
  double q;            /* amplitude |q|: peak of the displacement's first harmonic */
  double velocity;     /* |q'| = omega |q| */
  double acceleration; /* |q"| = omega^2 |q| */
  double omega;        /* damped frequency, rad/s */
  double zeta;         /* total damping ratio, -alpha/sqrt(omega^2 + alpha^2), alpha = d ln|q|/dt */
  double quality;      /* rms of what the fit leaves over in the segment, as a fraction of the
                          amplitude and rad of phase; 0 is perfect; see each method */
} ms_decay_point;

typedef struct ms_decay {
  ptrdiff_t n;
  ms_decay_point *point; /* in order of time */
} ms_decay;

/* Frees the points and leaves an empty table; accepts NULL and an empty table. */
MS_API void ms_decay_free(ms_context *ctx, ms_decay *decay);

/* How far the rows of a model's decay are from those of a measured one, at the same times, over
   those rows of both in which the measured one decays. Relative differences. */
typedef struct ms_decay_error {
  ptrdiff_t n; /* rows; 0: all others are 0, too */
  double zeta_mean, zeta_rms, zeta_largest;
  double omega_rms, amplitude_rms;
} ms_decay_error;
MS_API int ms_decay_is_compared(const ms_decay *measured, const ms_decay *model, ptrdiff_t row);
MS_API ms_decay_error ms_decay_find_error(const ms_decay *measured, const ms_decay *model);

/* Points of several decays, sorted by amplitude. One block of memory, in q, is the caller's. */
typedef struct ms_points {
  ptrdiff_t n;
  double *q, *omega, *zeta;
} ms_points;
MS_API ms_status ms_points_gather(ms_context *ctx, ptrdiff_t n_decay, const ms_decay *const *decay,
                                  ms_points *out);
/* Without points that do not decay (zeta up to 0), in the same order; how many those were. */
MS_API ptrdiff_t ms_points_drop_undamped(ms_points *points);
/* zeta at amplitude q, ln zeta linear in ln q; 0 outside the points. */
MS_API double ms_points_zeta(const ms_points *points, double q);
/* omega the same way, itself linear in ln q. */
MS_API double ms_points_omega(const ms_points *points, double q);

/* The methods take alpha from the signal as it is. Where the frequency changes with amplitude,
   those of displacement, velocity and acceleration differ, by d omega'/omega for d derivatives.
   This turns the damping of a table made from `kind` into the displacement's, with omega' from
   neighbouring rows, so that tables of different sensors agree. */
MS_API void ms_decay_refer(ms_decay *decay, ms_signal_kind kind);

/* Amplitudes at a sensor to those of the mode, whose shape there is `shape` > 0 (1: they stay).
   Rows that do not decay are noise to a fit, and are left out: returns how many. */
MS_API ptrdiff_t ms_decay_to_modal(ms_decay *decay, double shape);

/* All methods: *out is overwritten (free it before), and empty after a failure. Only samples with
   start <= t <= end are looked at; the load must have ended by start. The signal is one decaying
   oscillation about zero: take other modes, offsets and drift away first. Refused in words: records
   too short, zero, not finite, sampled with fewer than 4 points per period, without oscillation. */

/* ---- Hilbert transform ---------------------------------------------------------------------- */

typedef enum ms_knots {
  MS_KNOTS_TIME,     /* segments of equal length in time */
  MS_KNOTS_AMPLITUDE /* segments of equal ratio of amplitudes; the signal must decay */
} ms_knots;

typedef enum ms_mirror {
  MS_MIRROR_SAMPLE,  /* about the highest sample: as in the literature, for 100 samples to a period
                        or more */
  MS_MIRROR_EXTREMUM /* about the extremum between samples: 6 to 80 times smaller end effects */
} ms_mirror;

#define MS_HILBERT_TOLERANCES(X)                                                                 \
  X(lobe, 0.3, "of the highest sample nearby: a lower extremum is noise around a zero crossing") \
  X(mirrored, 40.0, "periods that are mirrored at each end; the outer half fades out")

typedef struct ms_hilbert_tolerances {
  MS_HILBERT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_hilbert_tolerances;
#define MS_HILBERT_TOLERANCES_DEFAULT \
  { MS_HILBERT_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_hilbert_settings {
  size_t size;        /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double start, end;  /* s */
  ptrdiff_t segments; /* fewer if one would hold less than `periods`; 40 for slow modes */
  double periods;     /* least number of periods in a segment, >= 1 */
  double trim;        /* periods cut off at each end after the transform, >= 0 */
  ms_knots knots;
  ms_mirror mirror;
  ms_hilbert_tolerances tol;
  ptrdiff_t own_ends; /* 1: the first and the last row from straight lines of their own */
} ms_hilbert_settings;

#define MS_HILBERT_DEFAULT                                                          \
  {                                                                                 \
    sizeof(ms_hilbert_settings), -HUGE_VAL, HUGE_VAL, 100, 4.0, 1.5, MS_KNOTS_TIME, \
        MS_MIRROR_SAMPLE, MS_HILBERT_TOLERANCES_DEFAULT, 0                          \
  }
MS_API void ms_hilbert_default(ms_hilbert_settings *settings, size_t size);

/* From the first extremum after start to the last before end, mirrored at both; logarithm of the
   envelope and unwrapped phase are fitted by continuous piecewise linear functions, whose slopes
   are alpha and omega. One row per segment. quality: rms of the two residuals together, that is of
   |ln(analytic signal / fit)|. Slopes are of second order in the segment's length, in the first and
   last segment of first order unless these have lines of their own. */
MS_API ms_status ms_signal_hilbert(ms_context *ctx, const ms_signal *signal,
                                   const ms_hilbert_settings *settings, ms_decay *out);

/* ---- short-time Fourier transform ----------------------------------------------------------- */

typedef enum ms_growth {
  MS_GROWTH_CONSTANT, /* every window is window_first long */
  MS_GROWTH_LINEAR,
  MS_GROWTH_EXPONENTIAL
} ms_growth;

#define MS_STFT_TOLERANCES(X)                                                                      \
  X(periods, 16.0, "of the main frequency in a window whose length is not given")                  \
  X(least_periods, 4.0, "in a window: with fewer its spectrum has no peak of one oscillation")     \
  X(band, 0.3, "of the main frequency, on both sides: where the peak is looked for")               \
  X(padding, 4.0,                                                                                  \
    "lines of the spectrum to one of the window: the maximum between them is then found from the " \
    "highest")                                                                                     \
  X(climb, 1e-13, "of the frequency: a step of Newton's method that is rounding")

typedef struct ms_stft_tolerances {
  MS_STFT_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_stft_tolerances;
#define MS_STFT_TOLERANCES_DEFAULT \
  { MS_STFT_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_stft_settings {
  size_t size;         /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double start, end;   /* s */
  ms_growth growth;    /* of the Hann windows' length with time */
  double window_first; /* s; 0 for 16 periods of the record's main frequency; >= 4 periods */
  double window_last;  /* s, the same; not used for constant windows */
  double overlap;   /* part of a window that the next one shares, in [0, 1); the step is one sample
                      at least */
  double low, high; /* rad/s, the peak is looked for between; 0 and HUGE_VAL:
                       from 0.7 to 1.3 of the main frequency */
  ptrdiff_t segments; /* as many, unless that leaves fewer than `windows` in one */
  ptrdiff_t windows;  /* least number of windows in a segment, >= 2 */
  ms_stft_tolerances tol;
} ms_stft_settings;

#define MS_STFT_DEFAULT                                                                     \
  {                                                                                         \
    sizeof(ms_stft_settings), -HUGE_VAL, HUGE_VAL, MS_GROWTH_CONSTANT, 0.0, 0.0, 0.75, 0.0, \
        HUGE_VAL, 100, 4, MS_STFT_TOLERANCES_DEFAULT                                        \
  }
MS_API void ms_stft_default(ms_stft_settings *settings, size_t size);

/* Frequency and height of the spectrum's peak in each window, exact maxima and not of a bin;
   heights are divided by the window's sum and by what the decay inside the window adds. Logarithm
   of the height and frequency are fitted by continuous piecewise linear functions. quality: rms
   over the segment's windows of the residuals of ln(height) and of frequency over its mean,
   together. */
MS_API ms_status ms_signal_stft(ms_context *ctx, const ms_signal *signal,
                                const ms_stft_settings *settings, ms_decay *out);
/* What white noise of rms 1 in the samples makes of the same n rows, to first order: the covariance
   of ln(omega), then ln(q), then ln(zeta), 3 n x 3 n, where zeta is as ms_decay_refer has it.
   Memory of ctx, to be freed by ms_free. */
MS_API ms_status ms_signal_stft_noise(ms_context *ctx, const ms_signal *signal,
                                      const ms_stft_settings *settings, double **covariance);

/* ---- spectrogram ---------------------------------------------------------------------------- */

typedef struct ms_spectrogram_settings {
  size_t size;       /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double start, end; /* s, of the record */
  double window;     /* s, of the Hann windows; > 0 */
  double overlap;    /* part of a window that the next one shares, in [0, 1) */
  double low, high;  /* rad/s, of the lines that are kept */
  ptrdiff_t padding; /* lines are this much closer than 1/window, >= 1 */
} ms_spectrogram_settings;

#define MS_SPECTROGRAM_DEFAULT \
  { sizeof(ms_spectrogram_settings), -HUGE_VAL, HUGE_VAL, 0.0, 0.75, 0.0, HUGE_VAL, 4 }
MS_API void ms_spectrogram_default(ms_spectrogram_settings *settings, size_t size);

/* Amplitudes over time and frequency: in each window that of a steady oscillation, which is what a
   line has whose frequency it is. */
typedef struct ms_spectrogram {
  ptrdiff_t n_time, n_line;
  double *time;      /* s, centres of the windows; owns all memory */
  double *omega;     /* rad/s */
  double *amplitude; /* n_line x n_time, in the record's unit */
} ms_spectrogram;

/* Whether the settings suit a whole record of n samples, dt seconds apart. */
MS_API ms_status ms_signal_check_spectrogram(ms_context *ctx, ptrdiff_t n, double dt,
                                             const ms_spectrogram_settings *settings);
/* *out is overwritten, and empty after a failure. */
MS_API ms_status ms_signal_spectrogram(ms_context *ctx, const ms_signal *signal,
                                       const ms_spectrogram_settings *settings,
                                       ms_spectrogram *out);
MS_API void ms_spectrogram_free(ms_context *ctx, ms_spectrogram *spectrogram);
/* The largest line of a window; its frequency is that of a parabola through the logarithms about
   it. */
typedef struct ms_spectrogram_peak {
  double freq_hz, amplitude;
} ms_spectrogram_peak;
MS_API ms_spectrogram_peak ms_spectrogram_find_peak(const ms_spectrogram *spectrogram,
                                                    ptrdiff_t window);
/* The points whose amplitude is above `low` and not above `high`: times (s) and frequencies (Hz),
   room for all points; returns how many. */
MS_API ptrdiff_t ms_spectrogram_find_band(const ms_spectrogram *spectrogram, double low,
                                          double high, double *time, double *freq_hz);

/* ---- zero crossings ------------------------------------------------------------------------- */

typedef struct ms_crossing_settings {
  size_t size;       /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double start, end; /* s */
  ptrdiff_t cycles;  /* that one row is made of, >= 2 */
  double hysteresis; /* a crossing counts once the signal beyond it reaches this fraction of the
                        peak before, in [0, 1): keeps noise near zero from counting */
} ms_crossing_settings;

#define MS_CROSSING_DEFAULT \
  { sizeof(ms_crossing_settings), -HUGE_VAL, HUGE_VAL, 10, 0.2 }
MS_API void ms_crossing_default(ms_crossing_settings *settings, size_t size);

/* Straight lines through phase (k pi at crossing k) and through the logarithm of the interpolated
   peaks, over `cycles` cycles each: their slopes are omega and alpha. quality: rms of the two
   residuals together, phase in rad. */
MS_API ms_status ms_signal_zero_crossings(ms_context *ctx, const ms_signal *signal,
                                          const ms_crossing_settings *settings, ms_decay *out);

/* ---- any of the methods, for measured records ----------------------------------------------- */

typedef enum ms_ring_method { MS_RING_HILBERT, MS_RING_STFT, MS_RING_CROSSINGS } ms_ring_method;

/* "hilbert", "stft", "crossings"; NULL outside. */
MS_API const char *ms_signal_method_text(ms_ring_method method);
/* From such a word; MS_ERR_NAME if it is none of them. */
MS_API ms_status ms_signal_parse_method(ms_context *ctx, const char *word, ms_ring_method *out);

typedef struct ms_ring_settings {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ms_ring_method method;
  double start, end;  /* s, between which it rings freely; -HUGE_VAL: the start is found */
  ptrdiff_t segments; /* rows, about; 0: as many as the method makes by default */
  double low, high;   /* rad/s, of a band-pass before; both 0: none */
  double edge;        /* width of its edges: see ms_band */
  int keep_offset;    /* 1: the mean before the trigger is not subtracted */
  double rough;       /* residual above which a row is doubtful */
} ms_ring_settings;

/* Edges of 0.1 stop a mode 10 % outside the band and spoil 15 periods at each end of the record. A
   residual of 0.1 is noise or another mode of a tenth of the amplitude, about. */
#define MS_RING_DEFAULT \
  { sizeof(ms_ring_settings), MS_RING_HILBERT, -HUGE_VAL, HUGE_VAL, 0, 0.0, 0.0, 0.1, 0, 0.1 }
MS_API void ms_ring_default(ms_ring_settings *settings, size_t size);

/* What was done with a record, and what its table is worth. */
typedef struct ms_ring_info {
  ptrdiff_t before;    /* samples before the trigger; 0: too few to tell an offset */
  double offset;       /* their mean, subtracted; in the record's unit */
  double edge_time;    /* s, that the edges of the band-pass spoil, 3 pi/(edge low); 0: no band */
  double onset;        /* s, from where on it rings freely */
  double start, end;   /* s, of what was read */
  double residual;     /* median of the rows */
  ptrdiff_t n_rough;   /* rows with a residual above the setting's */
  double rough_time;   /* s, of the first of them */
  ptrdiff_t n_outside; /* rows with a frequency outside the band */
  ptrdiff_t n_growing; /* rows that do not decay */
  ptrdiff_t n;         /* rows */
  double row_time;     /* s, from row to row */
  double lost; /* amplitude at the beginning of the ringing over that of the first row, at least */
} ms_ring_info;

/* A measured record as it is: subtracts the mean before the trigger, filters, finds the start, and
   calls the method with its default settings, except that the Hilbert method mirrors about the true
   extremum, because measured records have few samples to a period, that rows behind a band-pass
   begin where it has settled, that rows asked for may be as short as 2 periods, and that the last
   row, whose slopes are the least certain, is left out, and so is the first unless the amplitude
   falls by a lot in it; zeta is the displacement's whatever the kind of signal (ms_decay_refer).

   The offset is that of the samples before the record first reaches a tenth of its peak, if these
   are MS_OFFSET_LEAST or more and last a period. The start, where none is given, is the beginning
   of a record that rings from its first period on; otherwise one period after the largest sample,
   by when a pulse that is shorter than a period has ended. Rows come no nearer than edge_time to
   the beginning of the ringing and to the record's ends.

   y, which may be NULL or signal->x, receives the n samples that the method has read. info may be
   NULL. */
MS_API ms_status ms_signal_ringdown(ms_context *ctx, const ms_signal *signal,
                                    const ms_ring_settings *settings, double *y, ms_decay *out,
                                    ms_ring_info *info);
/* The i-th thing that is wrong with a table, as a sentence, into text; 0 if there are not that
   many. */
MS_API int ms_ring_warning(const ms_ring_info *info, const ms_ring_settings *settings, int i,
                           char *text, size_t size);
/* The i-th thing that was not done as asked, or that rows do not show, as a sentence; 0 if there
   are not that many. The rows are right: a start before the band-pass has settled, a ringing that
   is stronger than the first row, more rows than there is room for. */
MS_API int ms_ring_note(const ms_ring_info *info, const ms_ring_settings *settings, int i,
                        char *text, size_t size);

/* ---- frequency response from records -------------------------------------------------------- */

/* What each block of a record is multiplied with. The mean of a block is taken away first, except
   for a hammer's. */
typedef enum ms_frf_window {
  MS_FRF_HANN,
  MS_FRF_RECTANGULAR, /* for what repeats within a block, or has died out in it */
  MS_FRF_HAMMER       /* x is zero from force_end on, and both fade as exp(-decay t) */
} ms_frf_window;

/* "hann", "rectangular", "hammer"; NULL outside. */
MS_API const char *ms_frf_window_text(ms_frf_window window);
/* From such a word; MS_ERR_NAME if it is none of them. */
MS_API ms_status ms_frf_parse_window(ms_context *ctx, const char *word, ms_frf_window *out);

typedef struct ms_frf_settings {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ms_frf_window window;
  ptrdiff_t length; /* samples in a block, >= 8; the resolution is 1/(length dt) */
  double overlap;   /* part of a block that the next one shares, in [0, 1) */
  double force_end; /* s from the start of a block, hammer only; 0: the whole block */
  double decay;     /* 1/s, hammer only; adds decay/omega to every damping ratio */
} ms_frf_settings;

#define MS_FRF_DEFAULT \
  { sizeof(ms_frf_settings), MS_FRF_HANN, 1024, 0.5, 0.0, 0.0 }
MS_API void ms_frf_default(ms_frf_settings *settings, size_t size);

/* One test: n samples of the input x and the output y, taken at the same times. Borrowed. */
typedef struct ms_frf_record {
  const double *x, *y;
  ptrdiff_t n;
} ms_frf_record;

/* Averages over all blocks of all records. Complex values are pairs, re at 2k, im at 2k+1.
   Spectra are one-sided densities; Sxy = mean(conj(X) Y). */
typedef struct ms_frf {
  ptrdiff_t n;       /* lines, from 0 to the Nyquist frequency; line k stands at k*df */
  double df;         /* Hz */
  ptrdiff_t blocks;  /* that were averaged */
  double averages;   /* independent ones that they are worth, n_d; overlapping blocks are not */
  double *freq_hz;   /* owns the memory of all */
  double *Sxx, *Syy; /* (unit of x)^2/Hz, (unit of y)^2/Hz */
  double *Sxy;
  double *H1;        /* Sxy/Sxx, unit of y over that of x: right where only y has noise */
  double *H2;        /* Syy/conj(Sxy): right where only x has noise */
  double *coherence; /* |Sxy|^2/(Sxx Syy), in [0, 1]; 1 for a single block whatever the record */
} ms_frf;

/* Lines where a spectrum vanishes have H1, H2 and coherence 0. *out is overwritten, and empty after
   a failure. Every record must hold at least one block. */
MS_API ms_status ms_signal_estimate_frf(ms_context *ctx, const ms_frf_settings *settings, double dt,
                                        ptrdiff_t n_record, const ms_frf_record *record,
                                        ms_frf *out);
MS_API void ms_frf_free(ms_context *ctx, ms_frf *frf);
/* Standard deviation of |H1|/|H| and of the phase in rad at line k, sqrt((1 - g)/(2 n_d g)) with
   the coherence g; HUGE_VAL where that is 0. */
MS_API double ms_frf_random_error(const ms_frf *frf, ptrdiff_t k);
/* H1 and H2 times (i omega)^d: of the output's d-th derivative, d < 0 for integrals, which are 0 at
   line 0. Spectra and coherence stay. */
MS_API void ms_frf_differentiate(ms_frf *frf, int d);

/* How far H1 is from another response, |H1 - H|/|H| over lines weighted alike. */
typedef struct ms_frf_difference {
  ptrdiff_t lines; /* where H and coherence are above 0 */
  double rms, largest;
  double random; /* rms that is to be expected of random errors alone */
} ms_frf_difference;
/* H: pairs at the n lines from `first` on. */
MS_API ms_frf_difference ms_frf_compare(const ms_frf *frf, ptrdiff_t first, ptrdiff_t n,
                                        const double *H);

/* ---- swept sine ------------------------------------------------------------------------------ */

typedef enum ms_sweep_input {
  MS_SWEEP_BASE, /* acceleration of the base, m/s^2; the response is relative to it */
  MS_SWEEP_FORCE /* N, or the amplitude of a force's shape */
} ms_sweep_input;

#define MS_SWEEP_TOLERANCES(X)                                                                  \
  X(padding, 2.0, "lines of the spectrum to one of the record")                                 \
  X(margin, 0.02, "of the sweep's range at each end, where the spectrum falls off")             \
  X(lines, 4.0, "least distance of the half-power points, in lines of the spectrum")            \
  X(cycles, 4.0, "of the input in a row of its track")                                          \
  X(periods, 16.0, "in a window of the envelope")                                               \
  X(least_periods, 4.5, "in a window of the envelope, of the resonance: a Hann window needs 4") \
  X(drift, 0.5, "lines of a window's spectrum that the frequency may move in it")               \
  X(passage, 0.25, "longest window over the time in which the half-power band is passed")       \
  X(outside, 0.3, "of the sweep's range, beyond its ends: where the response's peak is looked for")

typedef struct ms_sweep_tolerances {
  MS_SWEEP_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_sweep_tolerances;
#define MS_SWEEP_TOLERANCES_DEFAULT \
  { MS_SWEEP_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_sweep_settings {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ms_sweep_input input;
  double start, end; /* s, of the sweep in both records; they may go on ringing after it */
  double low, high;  /* rad/s, the resonance is between; 0, HUGE_VAL: what the sweep covers */
  /* R: Gamma phi of a base, phi_sensor phi_force of a force, with mass-normalised shapes, Gamma =
     phi^T M iota. 0: not known, and no damping from the height of the peak. */
  double participation;
  double smooth; /* Hz, over which cross and auto spectra are averaged, for noise; 0: not */
  ms_sweep_tolerances tol;
} ms_sweep_settings;

#define MS_SWEEP_DEFAULT                                                                    \
  {                                                                                         \
    sizeof(ms_sweep_settings), MS_SWEEP_BASE, -HUGE_VAL, HUGE_VAL, 0.0, HUGE_VAL, 0.0, 0.0, \
        MS_SWEEP_TOLERANCES_DEFAULT                                                         \
  }
MS_API void ms_sweep_default(ms_sweep_settings *settings, size_t size);

/* In mode r alone G = omega^2 R/(omega_r^2 - omega^2 + 2 i zeta omega_r omega): for a base the
   relative acceleration over the base's, for a force minus the acceleration over the force. */
typedef struct ms_sweep {
  ptrdiff_t n;     /* lines within the sweep's range */
  double *freq_hz; /* owns the memory of G */
  double *G;       /* pairs: re at 2k, im at 2k+1 */
  ms_decay track;  /* the input: time, amplitude in q, frequency */
  /* the resonance */
  double omega_phase; /* Re G = 0 next to the peak: -90 degrees, +90 where R < 0 */
  double zeta_phase;  /* from the slope of the phase in the half-power band */
  double omega_half;  /* geometric mean of the half-power points of G/omega */
  double zeta_half;   /* from their distance */
  double omega_peak;  /* highest |G|/omega, of a parabola over a quarter of the band */
  double zeta_peak;   /* |R|/(2 |G(omega_phase)|); 0 where R is not known */
  double height;      /* |G(omega_phase)| */
  double input;       /* amplitude of the input as the sweep passes omega_phase */
  double rate;        /* df/dt there, Hz/s; negative downwards */
  double severity;    /* |df/dt|/(zeta f)^2: see MS_SWEEP_LIMIT */
  /* The same as other methods' rows: amplitude at the sensor, height input/omega^2; omega_phase;
     zeta_peak or else zeta_half; quality: rms over the half-power band of what the formula of one
     mode leaves over, relative to |G|. */
  ms_decay_point point;
} ms_sweep;

/* A steady state can build up while the sweep passes the half-power band below this severity; it is
   54 f^2/Q^2 Hz per minute, or 78 f/Q^2 octaves per minute. See docs/theory/sweep-and-frf.md for
   what a faster one does. */
#define MS_SWEEP_LIMIT 3.6

/* G is the ratio of the Fourier transforms of both whole records: of a linear structure it is right
   however fast the sweep, if the records go on until the ringing has ended. input and response have
   the same samples; the response's kind says what it is, the input's is not looked at. *out is
   overwritten, and empty after a failure: no resonance in the range, none of the half-power points
   in it, fewer than 4 lines between them, ... */
MS_API ms_status ms_signal_sweep(ms_context *ctx, const ms_signal *input, const ms_signal *response,
                                 const ms_sweep_settings *settings, ms_sweep *out);
MS_API void ms_sweep_free(ms_context *ctx, ms_sweep *sweep);
/* Envelope of the response against time by ms_signal_stft, and the frequency of the input at these
   times, rad/s, in place of that of the response. Windows hold 16 periods, or as few as 4.5
   where the sweep is fast: a window is at most a quarter of the time it takes to pass the
   half-power band, and the frequency changes by at most half a line of its spectrum. *out is to be
   freed. */
MS_API ms_status ms_sweep_envelope(ms_context *ctx, const ms_sweep *sweep,
                                   const ms_signal *response, const ms_sweep_settings *settings,
                                   ms_decay *out);
/* Frequency (rad/s) and amplitude of the input at time t, by interpolation; the time when it has
   the frequency omega. Outside: at the nearest end. */
MS_API double ms_sweep_frequency_at(const ms_sweep *sweep, double t);
MS_API double ms_sweep_input_at(const ms_sweep *sweep, double t);
MS_API double ms_sweep_time_of(const ms_sweep *sweep, double omega);

/* ---- band-pass ------------------------------------------------------------------------------ */

typedef struct ms_band {
  /* rad/s; gain 1 between; low = 0 for a low-pass, high = HUGE_VAL for a high-pass */
  double low, high;
  double width; /* from each edge outwards the gain falls to 0 over width * edge by half a
                   cosine, in (0, 1] */
} ms_band;

/* Zero-phase, by FFT. Each end is continued by point reflection over three transition widths'
   worth of time, 6 pi / (width * edge), as far as the record goes; within about a third of that of
   an end the result depends on the continuation. x and y are n * n_channel long and may be the same
   array. */
MS_API ms_status ms_signal_bandpass(ms_context *ctx, const ms_band *band, double dt, ptrdiff_t n,
                                    ptrdiff_t n_channel, const double *x, double *y);

/* ---- decimation behind an anti-alias filter ------------------------------------------------- */

typedef struct ms_decimator_settings {
  size_t size;        /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ptrdiff_t factor;   /* keep every factor-th sample; 1 passes everything through */
  double attenuation; /* dB, from the new Nyquist frequency pi/(factor*dt) up; (50, 180] */
  double pass;        /* fraction of the new Nyquist frequency that passes unchanged, to within the
                         same attenuation; in (0, 1) */
} ms_decimator_settings;

#define MS_DECIMATOR_DEFAULT \
  { sizeof(ms_decimator_settings), 1, 100.0, 0.8 }
MS_API void ms_decimator_default(ms_decimator_settings *settings, size_t size);

/* Outputs that n samples give: sample j of the output stands at sample j*factor of the input. */
MS_API ptrdiff_t ms_signal_decimated_length(ptrdiff_t n, ptrdiff_t factor);

/* The largest factor that leaves `per_period` samples in a period of the highest frequency that is
   to be seen, at least 1. */
MS_API ptrdiff_t ms_signal_find_factor(double dt, double highest_hz, double per_period);

/* FIR filter, a sinc in a Kaiser window, linear phase, the delay taken out; both ends are continued
   by point reflection. y is ms_signal_decimated_length(n, factor) * n_channel long. */
MS_API ms_status ms_signal_decimate(ms_context *ctx, const ms_decimator_settings *settings,
                                    ptrdiff_t n, ptrdiff_t n_channel, const double *x, double *y);

/* The same sample by sample, digit for digit, for histories that are too long to keep:
     start (or create), then push each sample, then flush until nothing comes.
   Output j comes out delay samples after input j*factor went in. */
typedef struct ms_decimator ms_decimator;

MS_API ms_status ms_decimator_create(ms_context *ctx, const ms_decimator_settings *settings,
                                     ptrdiff_t n_channel, ms_decimator **out);
MS_API void ms_decimator_destroy(ms_decimator **decimator);
/* Forgets all samples. */
MS_API void ms_decimator_start(ms_decimator *decimator);
MS_API ptrdiff_t ms_decimator_delay(const ms_decimator *decimator); /* samples of the input */
/* One sample of every channel, x[channel], in; *ready is 1 if one came out, in y[channel], and 0
   otherwise. Never allocates. Refuses values that are not finite, and any after flush. */
MS_API ms_status ms_decimator_push(ms_decimator *decimator, const double *x, double *y, int *ready);
/* The record has ended: the next output that is still inside; *ready is 0 when there is none. */
MS_API ms_status ms_decimator_flush(ms_decimator *decimator, double *y, int *ready);
/* The state as numbers, for checkpoints: size() of them, written by save, restored by load into a
   decimator of the same settings and channels. */
MS_API ptrdiff_t ms_decimator_save_size(const ms_decimator *decimator);
MS_API void ms_decimator_save(const ms_decimator *decimator, double *buffer);
MS_API ms_status ms_decimator_load(ms_decimator *decimator, const double *buffer, ptrdiff_t n);

/* ---- modal filter for measurements ---------------------------------------------------------- */

typedef struct ms_modal_filter_info {
  ptrdiff_t rank;   /* singular values above tolerance times the largest; less than n_mode: the
                       sensors cannot tell the modes apart, and the smallest q is given */
  double condition; /* largest over smallest of those kept: how much noise may be magnified */
  double dropped;   /* largest of those left out over the largest, 0 if none */
} ms_modal_filter_info;

/* Pseudo-inverse of the mode shapes phi[sensor + n_sensor*mode]: writes
   inverse[mode + n_mode*sensor], q = inverse x. tolerance 0 for the usual max(n)*epsilon. A rank
   below n_mode is no failure: it is in *info (may be NULL) and in the log as a warning. */
MS_API ms_status ms_signal_invert_modes(ms_context *ctx, ptrdiff_t n_sensor, ptrdiff_t n_mode,
                                        const double *phi, double tolerance, double *inverse,
                                        ms_modal_filter_info *info);
/* n samples x[k + n*sensor] to modal coordinates q[k + n*mode] of the same kind, by least squares,
   the smallest where the sensors leave a choice. */
MS_API ms_status ms_signal_modal_filter(ms_context *ctx, ptrdiff_t n_sensor, ptrdiff_t n_mode,
                                        const double *phi, double tolerance, ptrdiff_t n,
                                        const double *x, double *q, ms_modal_filter_info *info);

/* ---- harmonics of a steady vibration --------------------------------------------------------- */

typedef struct ms_harmonics_setting {
  double omega;      /* rad/s */
  ptrdiff_t periods; /* at the end of the records, >= 1 */
  int harmonics;     /* H >= 1; a period must have 2H + 2 samples or more */
} ms_harmonics_setting;

/* P = 2H + 1 coefficients of each channel: the mean, then a_k, b_k of a_k cos(k omega t) + b_k
   sin(k omega t), t the time of the records. */
typedef struct ms_harmonics {
  int harmonics;
  ptrdiff_t n_channel, n;   /* n samples were used */
  double omega, start, end; /* times of the first and last sample used, s */
  double *x;                /* x[c + P*channel]; owns the memory of all */
  double *rms;              /* of each channel's samples */
  /* What the harmonics leave over, per sample: sqrt(sum of squares/(n - P)). Where that is white
     noise each coefficient but the mean has the standard deviation sqrt(2/n) of it. */
  double *deviation;
} ms_harmonics;

/* Whether the settings suit a record of n samples, dt seconds apart. */
MS_API ms_status ms_signal_check_harmonics(ms_context *ctx, ptrdiff_t n, double dt,
                                           const ms_harmonics_setting *setting);
/* Least squares over the last whole periods of n_channel records, x[channel][k], all at the times
   of `grid`, whose own samples are not looked at. *out is overwritten, and to be freed. */
MS_API ms_status ms_signal_fit_harmonics(ms_context *ctx, const ms_signal *grid,
                                         ptrdiff_t n_channel, const double *const *x,
                                         const ms_harmonics_setting *setting, ms_harmonics *out);
MS_API void ms_harmonics_free(ms_context *ctx, ms_harmonics *harmonics);

/* ---- power of a steady vibration --------------------------------------------------------------
 */

/* Energy over a steady period of a mode that a force keeps going, from harmonics (coefficients a_0,
   a_1, b_1, ...) of the force and of the displacement at its place, or of modal force and q.

     power = mean of force times velocity = 2 zeta omega E,     E = omega^2 q^2/2

   for the amplitude q of the modal coordinate, m sqrt(kg). With the shaker's force and the motion
   at its place, what other modes dissipate counts as well; with modal force and q it does not.
   purity is the active power over force rms times velocity rms, 1 where force and velocity are in
   phase and have no other harmonics: at a phase resonance of a single harmonic. Each mode that is
   excited beside, and each harmonic of the shaker, lowers it. */
typedef struct ms_power_balance {
  double power;  /* W */
  double energy; /* J */
  double zeta, purity;
} ms_power_balance;
MS_API ms_power_balance ms_signal_power_balance(int harmonics, double omega, const double *force,
                                                const double *x, double q);
/* Sum of |Re x||x| over that of |x|^2, from 1: how far the displacements of n sensors, re + i im
   against the force, are a quarter of a period behind it; 1: all are. */
MS_API double ms_signal_mode_indicator(ptrdiff_t n, const double *re, const double *im);

/* ---- a measured swept sine, window by window ---------------------------------------------------
 */

/* In the middle of a window: the force F cos(Omega t), and the displacement A cos(Omega t + phase).
 */
typedef struct ms_sine_row {
  double time, omega; /* s, rad/s */
  double rate;        /* of omega, rad/s^2 */
  double force, amplitude, phase;
} ms_sine_row;

typedef struct ms_sine_rows {
  ptrdiff_t n;
  ms_sine_row *row; /* in the order of time */
  double resonance; /* omega of the highest row, of amplitude over force */
  double error;     /* there, of its height: |d omega/dt| over the square of half the half-power
                       width; 0 where no width is passed */
} ms_sine_rows;

/* Windows of `periods` periods of the force, >= 2, half of one apart; of more than `most` (0: no
   limit) every second, third and so on. They are steady states where the sweep is slow: error says
   how much is missing at resonance, (|df/dt|/(zeta f)^2)/(2 pi). Both records have the same times;
   the force's own harmonics are averaged out. *out is to be freed, and empty after a failure. */
MS_API ms_status ms_signal_demodulate(ms_context *ctx, const ms_signal *force,
                                      const ms_signal *response, double periods, ptrdiff_t most,
                                      ms_sine_rows *out);
/* 1, and words, where a sweep errs by more than 5 % at resonance. */
MS_API int ms_sine_rows_warning(const ms_sine_rows *rows, char *text, size_t size);
MS_API void ms_sine_rows_free(ms_context *ctx, ms_sine_rows *rows);

/* ---- hysteresis from accelerations ---------------------------------------------------------- */

/* A joint between two masses, the outer one of which touches nothing else: in a steady vibration of
   frequency omega its acceleration b gives the joint's force, f = -mass b, and the difference of
   the accelerations, integrated twice harmonic by harmonic, the displacement z of the outer mass
   from the inner one. The fit takes the mean and the harmonics 1 to H over the last whole periods;
   what is slower than the vibration cannot be known from accelerations: z and f are without means.
 */
typedef struct ms_hysteresis_setting {
  double omega;      /* rad/s */
  double mass;       /* kg, of the outer part */
  ptrdiff_t periods; /* at the end of the records, >= 1 */
  int harmonics;     /* H >= 1; a period must have 2H + 2 samples or more */
} ms_hysteresis_setting;

typedef struct ms_hysteresis {
  int harmonics;
  double omega, start, end; /* times of the first and last sample used, s */
  double *z, *f;            /* a_1, b_1, a_2, ...: sum of a_k cos(k omega t) + b_k sin(k omega t) */
  double displacement, force; /* amplitudes of the first harmonic, m and N */
  double loss;                /* J per cycle, the area of the loop */
  double residual; /* rms of what the harmonics leave of a record, over its own; of the worse */
} ms_hysteresis;

/* Both records have the same times. *out is overwritten, and to be freed. */
MS_API ms_status ms_signal_hysteresis(ms_context *ctx, const ms_signal *inner,
                                      const ms_signal *outer, const ms_hysteresis_setting *setting,
                                      ms_hysteresis *out);
MS_API void ms_hysteresis_free(ms_context *ctx, ms_hysteresis *hysteresis);
/* The same from records of displacement and force themselves; mass is not looked at. */
MS_API ms_status ms_signal_loop(ms_context *ctx, const ms_signal *displacement,
                                const ms_signal *force, const ms_hysteresis_setting *setting,
                                ms_hysteresis *out);
/* The loop at time t. */
MS_API void ms_hysteresis_eval(const ms_hysteresis *hysteresis, double t, double *z, double *f);

/* ---- a record made small ----------------------------------------------------------------------
 */

enum {
  MS_TRACE_COLUMNS = 400,
  MS_TRACE_CYCLES = 10, /* that are kept as they are */
  MS_TRACE_POINTS = 4 * MS_TRACE_COLUMNS
};

/* The record itself if that is short; else its lowest and highest sample in each of
   MS_TRACE_COLUMNS stretches, in order of time, and in place of those of its first MS_TRACE_CYCLES
   cycles the samples themselves, or as many of them at equal steps as make MS_TRACE_COLUMNS. */
typedef struct ms_trace {
  ptrdiff_t n;   /* at most MS_TRACE_POINTS */
  double *t, *x; /* one block, in t */
} ms_trace;

/* *out is overwritten. */
MS_API ms_status ms_trace_make(ms_context *ctx, const ms_signal *signal, ms_trace *out);
MS_API void ms_trace_free(ms_context *ctx, ms_trace *trace);

/* The envelope that the rows of a decay stand for, in this kind and times `scale`: some 160 points,
   between rows with a linear logarithm, and the ends of the first and the last piece where the
   trace reaches so far. *t has the memory of both, the caller's; n = 0 and NULL of a decay without
   rows. */
MS_API ms_status ms_decay_make_envelope(ms_context *ctx, const ms_decay *decay, ms_signal_kind kind,
                                        double scale, const ms_trace *trace, ptrdiff_t *n,
                                        double **t, double **a);

#ifdef __cplusplus
}
#endif
#endif
