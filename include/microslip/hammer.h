/* Hammer tests, and calibration through them.

   A hit is a measured force and the measured responses to it. Its modes are read from the
   responses: modal filter, then the short-time Fourier transform in windows that do not depend on
   the signal. A simulation of the same hit, with the measured force, sampled at the same sensors
   and times, goes the same way; what other modes do to a mode's damping is then on both sides of
   the comparison (docs/theory/through-the-test.md). SI units; times from the first sample. */
#ifndef MICROSLIP_HAMMER_H
#define MICROSLIP_HAMMER_H

#include <microslip/calibrate.h>
#include <microslip/response.h>
#include <microslip/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the test ------------------------------------------------------------------------------- */

/* What was measured of one hit. Copied. */
typedef struct ms_hit {
  const char *name;    /* for messages */
  const double *shape; /* over the coordinates: where the force acts, 1 at the one that is hit */
  ptrdiff_t n;         /* samples, */
  double dt;           /* s apart */
  const double *force; /* n, N */
  const double *x;     /* n x n_channel */
  const double *noise; /* n_channel, rms of each channel's noise; NULL: not known */
} ms_hit;

/* How the hits were measured and are read. Copied. */
typedef struct ms_hammer_setting {
  ptrdiff_t n_channel;
  const ptrdiff_t *channel; /* coordinates of the sensors */
  ms_signal_kind kind;      /* of all of them */
  ptrdiff_t n_mode;
  const int *mode;   /* that are filtered out and read, from 0; elastic, and no more than sensors */
  double start, end; /* s, of what is read; the start is at least where the force ends */
  double periods;    /* of the mode, in a window */
  ptrdiff_t segments; /* rows, about */
  ptrdiff_t parts;    /* time steps of the simulation to a sample */
  int keep_offset;    /* 1: the means before the pulse are not subtracted */
} ms_hammer_setting;

#define MS_HAMMER_DEFAULT \
  { 0, NULL, MS_SIGNAL_ACCELERATION, 0, NULL, 0.0, HUGE_VAL, 8.0, 24, 1, 0 }

typedef struct ms_hammer ms_hammer;

/* Reads the modes of every hit. `reference`, which must be set up, has the mode shapes of the
   filter and the frequencies that windows are cut for; it is not kept. The force counts as zero
   before and after its pulse: farther than the pulse is long from where it is above a tenth of its
   largest value (ms_signal_find_pulse). From force and sensors the mean of what was measured before
   the pulse is subtracted, if that are MS_OFFSET_LEAST samples or more. A mode is read as far as it
   stands out of the noise. Refused, with the hit named: no pulse, samples that are not finite, a
   hit of which no mode can be read. */
MS_API ms_status ms_hammer_create(const ms_structure *reference, const ms_hammer_setting *setting,
                                  ptrdiff_t n_hit, const ms_hit *hit, ms_hammer **out);
MS_API void ms_hammer_destroy(ms_hammer **hammer);
MS_API ptrdiff_t ms_hammer_count_hits(const ms_hammer *hammer);
/* What was read of the m-th mode of the setting in hit h; owned by the test. Empty where it could
   not be read, and then ms_hammer_get_remark says why. */
MS_API const ms_decay *ms_hammer_decay(const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t m);
MS_API const char *ms_hammer_get_remark(const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t m);
/* Samples before the pulse, 0 where nothing was subtracted; and what was: of channel c, -1 for the
   force, in its unit. */
MS_API ptrdiff_t ms_hammer_count_before(const ms_hammer *hammer, ptrdiff_t h);
MS_API double ms_hammer_get_offset(const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t c);
/* When the pulse ends, s; rank and condition of the modal filter. */
MS_API double ms_hammer_pulse_end(const ms_hammer *hammer, ptrdiff_t h);
MS_API ms_modal_filter_info ms_hammer_filter(const ms_hammer *hammer);

/* Standard deviation that the sensors' noise gives to row i: of ln(amplitude), of the frequency
   over itself, of ln(zeta). 0 where the noise is not known. */
typedef struct ms_hammer_error {
  double amplitude, omega, zeta;
} ms_hammer_error;
MS_API ms_hammer_error ms_hammer_get_error(const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t m,
                                           ptrdiff_t i);

/* Hit h on a structure that is set up, and whose joints are moved: decay[m] for each mode of the
   setting that could be read in the measurement; empty before, and to be freed. Rows are at the
   times of the measured ones. May be called by several threads, each with a structure of its own,
   in whose context it allocates. `count` and `quality` may be NULL. MS_ERR_BOUNDS where a mode of
   the setting has less than 2 pi steps in a period: more parts of a step are required. */
MS_API ms_status ms_hammer_simulate(const ms_hammer *hammer, ms_structure *structure, ptrdiff_t h,
                                    ms_decay *decay, ms_transient_count *count,
                                    ms_transient_quality *quality);
/* The same for a model of one mode alone: a structure whose only coordinate is the m-th modal
   coordinate of the setting. */
MS_API ms_status ms_hammer_simulate_mode(const ms_hammer *hammer, ms_structure *oscillator,
                                         ptrdiff_t h, ptrdiff_t m, ms_decay *decay,
                                         ms_transient_quality *quality);

/* ---- calibration through the test ----------------------------------------------------------- */

/* What is compared beside the frequency, over time. */
typedef enum ms_hammer_compare {
  MS_HAMMER_ENVELOPE, /* ln of the amplitude: its noise is that of the sensors */
  MS_HAMMER_DAMPING   /* ln of the damping ratio: does not see a sensor's or hammer's scale */
} ms_hammer_compare;

/* One mode of one hit. */
typedef struct ms_hammer_target {
  ptrdiff_t hit, mode;              /* of the test, and of its setting's list */
  double weight_omega, weight_zeta; /* >= 0, of the squares, not both 0; zeta: or the amplitude */
} ms_hammer_target;

/* Residuals, for each target first its frequencies and then its amplitudes or damping:

     sqrt(weight_omega) (omega - omega_target)/shift / e       shift: max - min of omega_target, at
                                                               least 1e-4 of it
     sqrt(weight_zeta) ln(A/A_target) / e                      or ln(zeta/zeta_target) / e

   e = sqrt(1 + (s/s_0)^2), s the standard deviation of the numerator by the sensors' noise and s_0
   = MS_HAMMER_FLOOR: rows far above the noise count alike, others less. Rows whose amplitude is
   not known to MS_HAMMER_WORST, or that do not decay, are left out. */
#define MS_HAMMER_FLOOR 1e-3
#define MS_HAMMER_WORST 0.1

typedef struct ms_hammer_fit ms_hammer_fit;

/* The test is borrowed, and may serve several fits, each in a thread of its own. The structure is
   borrowed too and is set up anew in every evaluation: it must have no other use until destroy.
   Its joints then have the parameters back that they had; it wants ms_structure_setup before it is
   used again. */
MS_API ms_status ms_hammer_fit_create(const ms_hammer *hammer, ms_structure *structure,
                                      ptrdiff_t n_parameter, const ms_free_parameter *parameter,
                                      ptrdiff_t n_target, const ms_hammer_target *target,
                                      ms_hammer_compare compare, ms_hammer_fit **out);
MS_API void ms_hammer_fit_destroy(ms_hammer_fit **fit);
MS_API ptrdiff_t ms_hammer_fit_count_residuals(const ms_hammer_fit *fit);
/* ms_fit_eval: user is the fit. There is no Jacobian: jac must be NULL. */
MS_API ms_status ms_hammer_fit_eval(void *user, const double *p, double *r, double *jac);
/* f[2 k], f[2 k + 1]: mean squares of the relative differences of frequency and of damping of
   target k, both weighted by 1/(s^2 + s_0^2). */
MS_API ms_status ms_hammer_fit_objectives(ms_hammer_fit *fit, const double *p, double *f);

/* Target k and the simulation at the parameters evaluated last, row by row. */
typedef struct ms_hammer_values {
  ptrdiff_t n, left_out;
  const int *row;                          /* in the table of the test, from 1 */
  const double *time;                      /* s */
  const double *q, *omega, *zeta;          /* measured; q: modal amplitude */
  const double *q_at, *omega_at, *zeta_at; /* simulated */
} ms_hammer_values;
MS_API ms_hammer_values ms_hammer_fit_get(const ms_hammer_fit *fit, ptrdiff_t k);

#ifdef __cplusplus
}
#endif
#endif
