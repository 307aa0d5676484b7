/* [identify] Hammer tests; calibration through them is in calibrate.h.

   An impact is a measured force and the measured responses to it. Its modes are read from the
   responses: modal filter, then the short-time Fourier transform in windows that do not depend on
   the signal. A simulation of the same impact, with the measured force, sampled at the same sensors
   and times, is processed in the same way; the effect of other modes on a mode's damping is then on
   both sides of the comparison (docs/theory/through-the-test.md). SI units; times from the first
   sample. */
#ifndef MICROSLIP_HAMMER_H
#define MICROSLIP_HAMMER_H

#include <microslip/records.h>
#include <microslip/response.h>
#include <microslip/signal.h>
#include <microslip/structure.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the test ------------------------------------------------------------------------------- */

/* What becomes of a hit of which ms_hit_judge (microslip/hit_judge.h) finds that it is doubtful. */
typedef enum ms_hit_use {
  MS_HIT_NOT_JUDGED, /* all are judged together but these */
  MS_HIT_IF_GOOD,    /* it is left out: no mode of it is read */
  MS_HIT_ANYWAY      /* it is used like the others */
} ms_hit_use;

/* What was measured of one hit. Copied. */
typedef struct ms_hit {
  const char *name;    /* for messages */
  const double *shape; /* over the coordinates: where the force acts, 1 at the one that is hit */
  ptrdiff_t n;         /* samples, */
  double dt;           /* s apart */
  const double *force; /* n, N */
  const double *x;     /* n x n_channel */
  const double *noise; /* n_channel, rms of each channel's noise; NULL: from before the pulse */
  ms_hit_use use;
} ms_hit;

#define MS_HAMMER_TOLERANCES(X)                                                               \
  X(band, 0.25, "of a mode's stuck frequency, on both sides: where its peak is looked for")   \
  X(overlap, 0.8, "part of a window that the next one shares")                                \
  X(shorter, 0.7, "of what was to be read, where that cannot be read")                        \
  X(resolved, 1.0,                                                                            \
    "omega dt up to which a mode of the simulation rings; above it follows as a spring")      \
  X(per_period, 12.0, "samples in a period of the highest mode that is read, once decimated") \
  X(per_pulse, 10.0, "samples in the pulse, above a tenth of its height, once decimated")
typedef struct ms_hammer_tolerances {
  MS_HAMMER_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_hammer_tolerances;
#define MS_HAMMER_TOLERANCES_DEFAULT \
  { MS_HAMMER_TOLERANCES(MS_TOLERANCE_DEFAULT) }

/* How the hits were measured and are read. Copied. */
typedef struct ms_hammer_setting {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ptrdiff_t n_channel;
  const ptrdiff_t *channel; /* coordinates of the sensors */
  ms_signal_kind kind;      /* of all of them */
  ptrdiff_t n_mode;
  const int *mode;   /* that are filtered out and read, from 0; elastic, and no more than sensors */
  double start, end; /* s, of what is read; the start is at least where the force ends */
  double periods;    /* of the mode, in a window */
  ptrdiff_t segments; /* rows, about */
  ptrdiff_t parts;    /* time steps of the simulation to a sample, once decimated */
  int keep_offset;    /* 1: the means before the pulse are not subtracted */
  ms_hammer_tolerances tol;
} ms_hammer_setting;

#define MS_HAMMER_DEFAULT                                                                        \
  {                                                                                              \
    sizeof(ms_hammer_setting), 0, NULL, MS_SIGNAL_ACCELERATION, 0, NULL, 0.0, HUGE_VAL, 8.0, 24, \
        1, 0, MS_HAMMER_TOLERANCES_DEFAULT                                                       \
  }
MS_API void ms_hammer_default(ms_hammer_setting *setting, size_t size);
/* Whether the setting suits the structure, which must be set up. */
MS_API ms_status ms_hammer_check(const ms_structure *reference, const ms_hammer_setting *setting);
/* The index of a mode, from 0, in the setting's list; -1 if it is not in it. */
MS_API ptrdiff_t ms_hammer_find_mode(const ms_hammer_setting *setting, int mode);

/* What makes a simulated record a measured one. */
typedef struct ms_hammer_noise {
  double part; /* rms of added noise over a channel's largest value; 0: none */
  double rms;  /* of the noise that sensors have anyway */
  uint64_t seed;
} ms_hammer_noise;
/* Adds it to the force and to the n_channel sensors after it, x[k + n*channel], for each hit from a
   stream of its own; rms[n_channel] is then that of the sensors. */
MS_API void ms_hammer_add_noise(const ms_hammer_noise *noise, ptrdiff_t hit, ptrdiff_t n,
                                ptrdiff_t n_channel, double *x, double *rms);

/* A mode is read from rows whose amplitude is known to this part of it, and at least so many. */
#define MS_HAMMER_WORST 0.1
enum { MS_HAMMER_LEAST = 3 };

typedef struct ms_hammer ms_hammer;

/* Reads the modes of every hit, out of sensors that are decimated as far as the highest mode and
   the pulse allow (ms_hammer_get_factor). `reference`, which must be set up, has the mode shapes of
   the filter and the frequencies that windows are cut for; it is not kept. The force counts as zero
   before and after its pulse: farther than the pulse is long from where it is above a tenth of its
   largest value (ms_signal_find_pulse). From force and sensors the mean of what was measured before
   the pulse is subtracted, if that are MS_OFFSET_LEAST samples or more; what is left of them is the
   noise where that was not given. A mode is read as far as it stands out of the noise. Refused,
   with the hit named: no pulse, samples that are not finite, a hit of which no mode can be read;
   and a test of which every hit is doubtful. */
MS_API ms_status ms_hammer_create(const ms_structure *reference, const ms_hammer_setting *setting,
                                  ptrdiff_t n_hit, const ms_hit *hit, ms_hammer **out);
MS_API void ms_hammer_destroy(ms_hammer **hammer);
MS_API ptrdiff_t ms_hammer_count_hits(const ms_hammer *hammer);
/* What was read of the m-th mode of the setting in hit h; owned by the test. Empty where it could
   not be read, and then ms_hammer_get_remark says why. */
MS_API const ms_decay *ms_hammer_decay(const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t m);
MS_API const char *ms_hammer_get_remark(const ms_hammer *hammer, ptrdiff_t h, ptrdiff_t m);
/* By how much its sensors were decimated, 1: not at all; and a sentence about that, with what
   passes the filter; 0: nothing. The force is not, and simulations take their steps from the rate
   that is left. */
MS_API ptrdiff_t ms_hammer_get_factor(const ms_hammer *hammer, ptrdiff_t h);
MS_API int ms_hammer_print_rate(const ms_hammer *hammer, char *text, size_t size);
/* What was found of a hit; owned by the test. */
typedef struct ms_hammer_verdict {
  int used;                 /* 0: it is left out; the remarks of its modes say so */
  const char *faults;       /* "overload, double hit"; "good"; "not judged" (by the modes) */
  const char *remark;       /* what was found, in a sentence each; "" */
  double gain, unexplained; /* as in ms_hit_judgement, */
  const struct ms_hit_channel *channel; /* of the force, then of the sensors; 0 if not judged */
} ms_hammer_verdict;
MS_API ms_hammer_verdict ms_hammer_get_verdict(const ms_hammer *hammer, ptrdiff_t h);
/* What a reader should know of the hit, in a sentence; 0: nothing. */
#define MS_HAMMER_TEXT 1024
MS_API int ms_hammer_print_remark(const ms_hammer *hammer, ptrdiff_t h, char text[MS_HAMMER_TEXT]);
/* 0: the modes do not explain most of the judged hits, which were judged each by itself alone: */
MS_API int ms_hammer_is_explained(const ms_hammer *hammer);
#define MS_HAMMER_UNEXPLAINED                                                                   \
  "the modes of the structure do not explain most of the responses: is the model right? Wrong " \
  "signs, channels and locations cannot be told"
/* The records as drawings (records.h), with those that are doubtful marked; `hit` and `reference`
   as they were for create. */
MS_API ms_status ms_hammer_draw(const ms_hammer *hammer, const ms_structure *reference,
                                const ms_hit *hit, ms_records_drawing what, ms_drawing **out);
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

#ifdef __cplusplus
}
#endif
#endif
