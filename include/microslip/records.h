/* [signal] What a reader of a hammer test wants to see of its records: pulses and their spectra,
   histories, frequency responses and coherence by level, spectrograms. */
#ifndef MICROSLIP_RECORDS_H
#define MICROSLIP_RECORDS_H

#include <microslip/drawing.h>
#include <microslip/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One impact. Borrowed. */
typedef struct ms_records_impact {
  const char *name;
  const char *doubt; /* what is wrong with it; NULL or "": nothing */
  int used;          /* 0: it is left out of frequency responses */
  int place;         /* impacts of one place make a frequency response */
  ptrdiff_t n;
  double dt;           /* s */
  const double *force; /* N */
  const double *x;     /* x[k + n*sensor] */
} ms_records_impact;

typedef struct ms_records {
  ptrdiff_t n_impact;
  const ms_records_impact *impact;
  ptrdiff_t n_sensor;
  const char *const *sensor; /* names */
  const char *quantity, *unit;
  double scale;   /* from x to the unit */
  double high_hz; /* up to which spectra are shown */
} ms_records;

enum { MS_RECORDS_IMPACTS = 12, MS_RECORDS_PLACES = 3 };

/* One drawing each; a record that is doubtful is marked in it, in another colour, with its reason.
   At most MS_RECORDS_IMPACTS are shown, doubtful ones first, and MS_RECORDS_PLACES places. */
typedef enum ms_records_drawing {
  MS_RECORDS_PULSES,    /* for each impact its pulse, the spectrum of it, and a sensor's history */
  MS_RECORDS_RESPONSES, /* for each place H1 of a sensor by level, and the coherence of all */
  MS_RECORDS_SPECTROGRAMS, /* of a sensor, for each impact */
  MS_RECORDS_DRAWINGS
} ms_records_drawing;

/* *out is NULL where there is nothing to show: no frequency response without a used record. The
   sensor is the one that sees all impacts best. */
MS_API ms_status ms_records_draw(ms_context *ctx, const ms_records *records,
                                 ms_records_drawing what, ms_drawing **out);

#ifdef __cplusplus
}
#endif
#endif
