/* What the files of the survey share. */
#ifndef MS_SIGNAL_SURVEY_PARTS_H
#define MS_SIGNAL_SURVEY_PARTS_H

#include <microslip/survey.h>

#include "signal/internal.h"

/* A record without offsets, decimated: y[k + n*channel], channel 0 the force. */
typedef struct survey_history {
  ptrdiff_t record, n;
  double dt, time;
  ptrdiff_t rise, fall; /* samples of the pulse, at this rate */
  double *y;
} survey_history;

/* Hz, the nearest modes that the filter of one does not take away by their shapes, and that it
   does; 0: none in reach. */
typedef struct survey_near {
  double left, taken;
} survey_near;

struct ms_survey {
  ms_context *ctx;
  ms_survey_settings set;
  ms_survey_info info;
  ms_signal_kind kind;
  ptrdiff_t n_sensor;
  ms_survey_impact *impact; /* of each record */
  ms_judgement *judgement;  /* [channel + (n_sensor + 1)*record] */
  double *noise;            /* [sensor]: the largest rms without a response */
  survey_history *history;  /* of those used */
  ms_survey_mode *mode;
  survey_near *near;
  double *shape, *filter; /* n_sensor x n_mode */
  ms_decay *decay;        /* [history + n_used*mode], from a filter's output */
  ms_survey_row **row;    /* of each mode */
  ms_survey_point **point;
  ms_survey_level level[3];
  ms_frf frf;
};

/* survey_free.c: records without a force. own: as many, with an impulse for it; to be freed, after
   a failure too. Up to where they ring. */
ms_status survey_make_impulses(ms_survey *s, const ms_survey_record *record, ms_survey_record *own);
void survey_free_impulses(ms_survey *s, const ms_survey_record *record, ms_survey_record *own);
ms_status survey_find_ringing(ms_survey *s, const ms_survey_record *record, double *high);
/* survey_judge.c: histories against each other; those with a fault go. */
ms_status survey_judge(ms_survey *s);
/* survey_modes.c: peaks, shapes, modal filters and bands. */
ms_status survey_find_modes(ms_survey *s);
/* survey_hum.c: whether a peak is hum of the mains. */
int survey_is_hum(const ms_survey *s, double freq_hz, double resolution);
/* survey_curves.c: ring-downs, points, and from where they deviate. */
ms_status survey_find_curves(ms_survey *s);

#endif
