/* [signal] What impact tests say without a model: the modes, and frequency and damping of each
   against amplitude. Definitions: docs/theory/survey.md. */
#ifndef MICROSLIP_SURVEY_H
#define MICROSLIP_SURVEY_H

#include <microslip/judge.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One impact: a hammer's force and the sensors, sampled at the same times. Borrowed while the
   survey is made. */
typedef struct ms_survey_record {
  const char *name; /* for messages; NULL: its number */
  ptrdiff_t n;
  double dt, time;     /* s */
  const double *force; /* N; NULL in all records: ring-downs from whatever made them */
  const double *x;     /* x[k + n*sensor], SI */
} ms_survey_record;

/* Modes of two surveys that are farther apart, in parts of a frequency, are not the same. */
#define MS_SURVEY_MATCH 0.1

enum { MS_SURVEY_HUM = 8 };

#define MS_SURVEY_TOLERANCES(X)                                                                  \
  X(excited, 0.1, "of the highest line of the force: modes are looked for up to where it falls") \
  X(ringing, 0.01, "of its beginning: a record that ends above it is faded out to that")         \
  X(smooth, 0.002, "of the frequency: half of the range over which a spectrum is averaged")      \
  X(weakest, 1e-3, "of the highest peak, as velocity: a lower one is no mode")                   \
  X(noise, 5.0, "times the noise before the trigger: a lower peak is none")                      \
  X(dip, 0.5, "of the lower of two peaks: what the spectrum falls to between modes")             \
  X(shape, 0.5, "of a peak: lines above it tell its shape")                                      \
  X(reach, 0.5, "of a mode's frequency: so far from it a band's gain is zero at the latest")     \
  X(pass, 0.3, "of that distance: as far the gain is one")                                       \
  X(near, 0.08, "of a frequency: a neighbour that is filtered by its shape may be in the band")  \
  X(apart, 0.03, "of a frequency: bands do not separate modes that are nearer")                  \
  X(moved, 0.2, "of a frequency: so far above the peak of all impacts soft ones may have it")    \
  X(widths, 30.0, "damping ratios: nearer modes are too near for bands; half of it for shapes")  \
  X(magnified, 4.0, "times: by how much a modal filter may magnify noise")                       \
  X(faded, 60.0, "times the noise in its band: a ring-down is read down to it")                  \
  X(others, 0.05, "of a mode's velocity: more in other modes may couple with it")                \
  X(second, 0.15, "of a peak's shape: a second one as large is of another mode")                 \
  X(frequency, 1e-3, "relative change of a frequency: less is no deviation")                     \
  X(damping, 0.1, "relative change of a damping: less is no deviation")                          \
  X(certain, 3.0, "standard errors: a smaller change may be chance")                             \
  X(begins, 10.0, "times the lowest amplitude of all modes: a curve above it begins too high")   \
  X(early, 0.03, "of the shortest ringing: its beginning, by which impacts are compared")        \
  X(place, 0.5, "correlation of all sensors at once: less is another place of the hammer")       \
  X(silent, 0.05, "of what a sensor shows in most impacts: less is a lost channel")              \
  X(opposite, 0.7, "correlation with most impacts, of the other sign: more is a wrong sign")     \
  X(alike, 0.8, "correlation with another sensor in most impacts: more is that sensor")          \
  X(mains, 2e-3, "of a frequency: a peak as near to a multiple of 50 or 60 Hz may be hum")       \
  X(steady, 0.8, "of a peak in the first half of the ringing: hum has as much in the second")    \
  X(silence, 0.7, "periods of hum before the trigger: less does not tell how much there is")     \
  X(present, 0.3, "of hum in the ringing: as much is there before the trigger")
typedef struct ms_survey_tolerances {
  MS_SURVEY_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_survey_tolerances;

typedef struct ms_survey_settings {
  size_t size;      /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double low, high; /* Hz, modes are looked for between; 0: from eight periods in the shortest
                       record up to where the hammer excites */
  double edge;      /* of the bands, see ms_band; 0: as wide as neighbours leave, for each mode */
  ptrdiff_t sensor; /* that amplitudes are at, from 0; -1: the one that sees all modes best */
  ptrdiff_t modes;  /* at most; the highest peaks count */
  ptrdiff_t points; /* of a curve in a decade of amplitude */
  int doubtful;     /* 1: records with overloads, several blows or a fault are used, too */
  ms_survey_tolerances tol;
} ms_survey_settings;

#define MS_SURVEY_DEFAULT                                       \
  {                                                             \
    sizeof(ms_survey_settings), 0.0, 0.0, 0.0, -1, 12, 12, 0, { \
      MS_SURVEY_TOLERANCES(MS_TOLERANCE_DEFAULT)                \
    }                                                           \
  }
MS_API void ms_survey_default(ms_survey_settings *settings, size_t size);

/* Amplitudes of rows and points are those of the mode at the sensor, in the unit of the records. */
typedef struct ms_survey_row {
  ptrdiff_t record;                         /* from 0 */
  double time;                              /* s */
  double amplitude, freq_hz, zeta, quality; /* see ms_decay_point */
  double others; /* rms velocity over the sensors of the other modes over that of this one */
} ms_survey_row;

/* Of all impacts that have rows about an amplitude, each with a straight line in ln amplitude
   through its rows. The spread is the standard deviation over impacts, 0 of a single one. */
typedef struct ms_survey_point {
  double amplitude, freq_hz, freq_spread, zeta, zeta_spread;
  ptrdiff_t impacts;
  int coupled; /* 1: in every impact, others is above its tolerance there; else these are left out
                */
} ms_survey_point;

typedef struct ms_survey_mode {
  double peak_hz;                  /* of the summed spectrum, or of that of soft impacts */
  double freq_hz, zeta;            /* at the lowest amplitudes; 0, 0: no ring-down could be read */
  double freq_spread, zeta_spread; /* standard deviation over impacts there; 0: of a single one */
  double lowest;                   /* the first of these amplitudes */
  int is_low;          /* 0: that is no low amplitude: other modes are read much lower, the curve
                          deviates from there on, or is short */
  int is_short;        /* 1: a quarter of a decade or less, from which nothing follows */
  double coherence;    /* at the peak and the sensor; 1 with a single impact */
  double second;       /* of the shapes in the peak, 0 to 1: another mode is in it */
  const double *shape; /* at the sensors, 1 at the sensor of its largest value */
  double low, high;    /* Hz: between them the band-pass has the gain 1 */
  double edge;         /* of the band: gain 0 from low (1 - edge) and high (1 + edge) on */
  ptrdiff_t filtered;  /* modes that the modal filter takes away by their shapes */
  double magnified;    /* by which it magnifies noise */
  double neighbour_hz; /* of a mode that neither band nor shape takes away; 0: none */
  /* The amplitude from which frequency and damping differ from those at the lowest ones; 0: they
     do not. That of the first point: there is no amplitude without. */
  double freq_from, zeta_from;
  ptrdiff_t n_row, n_point;
  const ms_survey_row *row;     /* by record and time */
  const ms_survey_point *point; /* amplitudes rising */
  int is_coupled; /* 1: at the lowest amplitudes other modes ring too in every impact, and joints
                     make frequency and damping others than those of the mode alone */
} ms_survey_mode;

/* What an impact has that most others have not; looked for in three and more. */
typedef enum ms_survey_fault {
  MS_SURVEY_NO_FAULT,
  MS_SURVEY_LOST,       /* the sensor shows nothing */
  MS_SURVEY_SIGN,       /* the sensor has the other sign */
  MS_SURVEY_FORCE_SIGN, /* the force has, or all sensors have, the other sign */
  MS_SURVEY_SWAPPED     /* the two sensors are exchanged */
} ms_survey_fault;

typedef struct ms_survey_impact {
  int used;         /* 0: overloads or several blows, or a fault */
  double peak;      /* N, without offset */
  double time, end; /* s, of the first sample of the pulse and of the last */
  ms_survey_fault fault;
  ptrdiff_t sensor, other; /* that have it, from 0 */
  ptrdiff_t place;         /* of the hammer, from 1: impacts that begin alike; 0: not looked for */
} ms_survey_impact;

typedef struct ms_survey_level {
  double low, high; /* N, peak forces of its impacts */
  ptrdiff_t impacts;
  ms_frf frf; /* of the sensor */
} ms_survey_level;

typedef struct ms_survey_info {
  ptrdiff_t sensor, factor; /* by which records were decimated */
  ptrdiff_t n_record, n_used, n_mode, n_level;
  ptrdiff_t n_place; /* of the hammer, to which impacts belong; 0: not looked for */
  double rate;       /* samples per second of the records */
  double low, high;  /* Hz, where modes were looked for */
  double decay;      /* 1/s, of the window that fades out records that go on ringing; 0: none */
  int is_free;       /* 1: records have no force; there are no levels, no frequency responses and no
                        coherence, and a record begins at its trigger */
  ptrdiff_t n_hum;
  double hum_hz[MS_SURVEY_HUM]; /* peaks that are hum of the mains, no modes; the highest */
} ms_survey_info;

typedef struct ms_survey ms_survey;

/* No options are needed: the pulse says when a record rings freely, the noise before it until when
   that can be read; modes are peaks of the spectra of all sensors and impacts, over the force; a
   mode's ring-down is that of its modal filter, which takes away modes beside it by their shapes,
   behind a band-pass as wide as other modes leave. All records have the same dt. Refused: fewer
   than 256 samples after a pulse, no record without overloads and with one blow, no mode.
   kind: of all sensors. */
MS_API ms_status ms_survey_create(ms_context *ctx, ptrdiff_t n_sensor, ms_signal_kind kind,
                                  ptrdiff_t n_record, const ms_survey_record *record,
                                  const ms_survey_settings *settings, ms_survey **out);
MS_API void ms_survey_destroy(ms_survey **survey);

MS_API const ms_survey_info *ms_survey_get_info(const ms_survey *survey);
/* All owned by the survey; NULL outside. Frequencies of modes rise. */
MS_API const ms_survey_mode *ms_survey_get_mode(const ms_survey *survey, ptrdiff_t index);
MS_API const ms_survey_impact *ms_survey_get_impact(const ms_survey *survey, ptrdiff_t index);
/* channel 0 is the force, 1 the first sensor. */
MS_API const ms_judgement *ms_survey_get_judgement(const ms_survey *survey, ptrdiff_t record,
                                                   ptrdiff_t channel);
/* Impacts parted by their peak force into up to three levels of as many each, rising. */
MS_API const ms_survey_level *ms_survey_get_level(const ms_survey *survey, ptrdiff_t index);
/* Of all impacts that are used. */
MS_API const ms_frf *ms_survey_get_frf(const ms_survey *survey);
/* The i-th thing that makes a mode's curve doubtful or that is not as asked, as a sentence; 0 if
   there are not that many. */
MS_API int ms_survey_note(const ms_survey *survey, ptrdiff_t mode, int i, char *text, size_t size);
/* Numbers from 1 for the modes of several surveys of one structure, number[survey][mode]: modes of
   two surveys that are each other's nearest, within MS_SURVEY_MATCH, have the same. They rise with
   the frequency in the first survey that has the mode; total: how many there are. */
MS_API ms_status ms_survey_number(ms_context *ctx, ptrdiff_t n, const ms_survey *const *survey,
                                  ptrdiff_t *const *number, ptrdiff_t *total);

#ifdef __cplusplus
}
#endif
#endif
