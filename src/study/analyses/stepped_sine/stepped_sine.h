/* The analysis `stepped_sine`. */
#ifndef MS_STUDY_ANALYSES_STEPPED_SINE_STEPPED_SINE_H
#define MS_STUDY_ANALYSES_STEPPED_SINE_STEPPED_SINE_H

#include "study/analyses/shared/harmonic.h"

enum {
  MS_TRACK_POINT = 15, /* numbers of a point; then an amplitude for each sensor, and its joints */
  MS_TRACK_ZETA = 4,   /* the damping ratio among them */
  MS_TRACK_REASON = 240
};

/* One mode's resonance, at the levels in rising order. */
typedef struct ms_track {
  ptrdiff_t n;
  double *row;
  int complete;
  int ended; /* not complete, but there is nothing beyond */
  double evaluations, worst;
  char reason[MS_TRACK_REASON];
} ms_track;

typedef struct ms_stepped {
  ms_harmonic_options options; /* levels rise */
  int *mode;
  int n_mode;
  double *weights; /* of the coordinate that is tracked; NULL for the mode's own */
  int turns;       /* 1: these are rotations */
  int n_axis;      /* of all joints */
  ptrdiff_t width; /* numbers of a point in all */
  ms_track *track;
  ms_result_table *table, *sensors, *joints; /* joints: NULL where there are none */
} ms_stepped;

/* Whether the track has a row of level i; how many levels have none. */
int ms_stepped_is_met(const ms_stepped *product, const ms_track *track, ptrdiff_t i);
ptrdiff_t ms_stepped_count_missing(const ms_stepped *product, const ms_track *track);

/* report.c */
ms_status ms_stepped_tabulate(ms_study *study, const ms_task *task);
void ms_stepped_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_stepped_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
