/* The team that evaluates for a method of `calibrate`. */
#ifndef MS_STUDY_ANALYSES_CALIBRATE_TEAM_H
#define MS_STUDY_ANALYSES_CALIBRATE_TEAM_H

#include <microslip/posterior.h>

#include "study/analyses/calibrate/calibrate.h"

/* What a worker has in worker->own: the models, the posterior where the noise is 1, and room for
   parameters and misfits. */
typedef struct ms_calibrate_hand {
  ms_evaluator *on;
  ms_posterior *posterior;
  double *p, *f;
} ms_calibrate_hand;

/* Evaluations of n numbers, the parameters or their scaled variables, each; see ms_team_work. */
typedef struct ms_calibrate_round {
  ptrdiff_t n_out, most;
  ms_status (*run)(ms_worker *worker, const double *in, double *out, void *calibrate);
} ms_calibrate_round;

ms_status ms_calibrate_open_team(const ms_study *study, ms_calibrate *c,
                                 const ms_calibrate_round *round, ms_team **out);
/* With several processes, the others meanwhile. */
ms_status ms_calibrate_serve(const ms_study *study, ms_calibrate *c,
                             const ms_calibrate_round *round);

#endif
