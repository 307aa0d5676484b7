/* The analysis `frequency_response`: what its options ask for, and what its runs leave. */
#ifndef MS_STUDY_ANALYSES_FREQUENCY_RESPONSE_FREQUENCY_RESPONSE_H
#define MS_STUDY_ANALYSES_FREQUENCY_RESPONSE_FREQUENCY_RESPONSE_H

#include "study/analyses/shared/harmonic.h"

enum {
  MS_FORCED_POINT = 13, /* numbers of a point, below; then those of its sensors and joints */
  MS_FORCED_SENSOR = 5, /* amplitude, phase, peaks of displacement, velocity, acceleration */
  MS_FORCED_LOOP = 257, /* points of a closed loop */
  MS_FORCED_ROWS = 40,  /* of a refinement */
  MS_FORCED_TRIES = 4,  /* at a point to refine */
  MS_FORCED_REASON = 240
};

/* The numbers of a point, in their order. */
typedef enum ms_forced_column {
  MS_FORCED_OMEGA,
  MS_FORCED_MODE,
  MS_FORCED_Q,
  MS_FORCED_PHASE,
  MS_FORCED_D,
  MS_FORCED_HIGHER,
  MS_FORCED_RESIDUAL,
  MS_FORCED_REPEAT,
  MS_FORCED_ITERATIONS,
  MS_FORCED_STABILITY,
  MS_FORCED_MULTIPLIER,
  MS_FORCED_TURN, /* bits of ms_harmonic_point.turn */
  /* Of a fold: how far omega goes back between the two of its pair, over omega; < 0 where omega is
     the smaller of both. */
  MS_FORCED_DEPTH
} ms_forced_column;

/* What is counted of a curve, as numbers so that it can be kept. */
typedef enum ms_forced_count {
  MS_FORCED_POINTS,
  MS_FORCED_COMPLETE,
  MS_FORCED_MISSED, /* of the list */
  MS_FORCED_EVALUATIONS,
  MS_FORCED_REJECTED,
  MS_FORCED_WORST, /* residual */
  MS_FORCED_PEAK,  /* the point where the first sensor moves most */
  MS_FORCED_FOLDS,
  MS_FORCED_SHALLOW, /* of the folds, those less deep than `shallow` */
  MS_FORCED_PEAKS,   /* maxima of the first sensor along the curve */
  MS_FORCED_ENDED,   /* not complete, but there is nothing beyond */
  MS_FORCED_REFINED, /* rows of the refinement */
  MS_FORCED_SETTLED, /* it stopped moving */
  MS_N_FORCED_COUNT
} ms_forced_count;

typedef struct ms_forced_level {
  double count[MS_N_FORCED_COUNT];
  char reason[MS_FORCED_REASON]; /* why the curve ends where it does; "" if at its end */
  double *row;                   /* a point after the other */
  /* At the peak, of each joint axis: displacement, force of the law, force as the balance has it.
   */
  double *loop;
  ms_harmonic_row refined[MS_FORCED_ROWS];
} ms_forced_level;

typedef struct ms_forced_setting {
  /* Folds less deep than this are noted: where a law has corners, time points make ripples along
     the curve that turn back as folds do. In the examples they are up to 5e-4 deep. */
  double shallow;
  /* How far from the peak, over its omega, the point that `refine` repeats is taken, one after the
     other until one can be repeated. More harmonics move a fold, and beside it there may then be no
     motion at the peak's omega: by up to 1e-2, or the harmonics of the curve are too few anyway. */
  double refine_apart[MS_FORCED_TRIES];
} ms_forced_setting;

#define MS_FORCED_SHALLOW_DEPTH 1e-3
#define MS_FORCED_DEFAULT      \
  {                            \
    MS_FORCED_SHALLOW_DEPTH, { \
      0.0, 1e-3, 3e-3, 1e-2    \
    }                          \
  }

typedef struct ms_forced_product {
  ms_harmonic_options options;
  double omega[2]; /* from, to: rad/s */
  int in_hz;       /* as the study says it, for figures */
  double *list;    /* frequencies to be met exactly, rad/s */
  ptrdiff_t n_list;
  ms_forced_setting setting;
  double refine; /* tolerance; 0 for no refinement */
  ptrdiff_t refine_rows;
  int n_axis, n_joint;
  ptrdiff_t width; /* numbers of a point */
  ms_forced_level *level;
  ms_result_table *points, *sensors, *joints, *levels, *loops, *harmonics, *folds, *peaks;
} ms_forced_product;

/* Whether the largest response of a level is at an end of its curve, where it is no maximum. */
int ms_forced_peaks_at_end(const ms_forced_product *p, ptrdiff_t level);
/* Of a point: its numbers, a sensor's, a joint axis', the loss of a joint. */
const double *ms_forced_point(const ms_forced_product *p, ptrdiff_t level, ptrdiff_t i);
const double *ms_forced_sensor(const ms_forced_product *p, const double *point, ptrdiff_t sensor);
const double *ms_forced_axis(const ms_forced_product *p, const double *point, int axis);
double ms_forced_loss(const ms_forced_product *p, const double *point, int joint);

/* run.c, tables.c, report.c */
ms_status ms_forced_run(ms_study *study, ms_task *task);
ms_status ms_forced_tabulate(ms_study *study, ms_task *task);
void ms_forced_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_forced_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
