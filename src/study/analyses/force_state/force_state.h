/* The analysis `force_state`: what its options ask for, and what its run leaves. */
#ifndef MS_STUDY_ANALYSES_FORCE_STATE_FORCE_STATE_H
#define MS_STUDY_ANALYSES_FORCE_STATE_FORCE_STATE_H

#include <microslip/force_state.h>

#include "study/model/loads.h"
#include "study/file/options.h"

enum { MS_FORCE_STATE_SENSORS = 32 };

/* What the file says. */
typedef struct ms_force_state_options {
  const char *joint, *force;
  struct fy_node *from, *files, *load, *sensors;
  ms_numbers frequency;
  ptrdiff_t periods, harmonics, modes, axes;
  int method;
  double worst;
} ms_force_state_options;

/* One record. The force is channel 0, then the sensors; pointers into x or a transient's table. */
typedef struct ms_force_state_run {
  const char *name;    /* of the transient or the file */
  const ms_task *from; /* NULL: a file */
  struct fy_node *node;
  const double *place; /* of the force: weights of the coordinates */
  double *x;           /* of a file */
  ptrdiff_t n;
  double dt, time;
  const double *channel[1 + MS_FORCE_STATE_SENSORS];
  ms_signal_kind kind[MS_FORCE_STATE_SENSORS];
  double omega; /* 0: to be found */
  ms_force_state found;
  ms_force_state_own own; /* where the transients recorded it */
} ms_force_state_run;

typedef struct ms_force_state_product {
  ms_force_state_run *run;
  ptrdiff_t n;
  const char *joint;
  int joint_index, has_normal, has_own;
  ms_study_load load; /* of files: where the force acts, */
  const char *force;  /* and its channel */
  int n_sensor;
  const char *sensor[MS_FORCE_STATE_SENSORS]; /* channels */
  double *weights;                            /* n_coordinate x n_sensor */
  ms_force_state_setting setting;
} ms_force_state_product;

/* records.c: where records come from, at the check; and what transients have left, mapped. */
ms_status ms_force_state_read_sources(ms_study *study, ms_task *task,
                                      const ms_force_state_options *o, ms_force_state_product *p);
ms_status ms_force_state_read_sensors(ms_study *study, struct fy_node *node,
                                      ms_force_state_product *p);
ms_status ms_force_state_read_records(ms_study *study, ms_task *task,
                                      const ms_force_state_options *o, ms_force_state_product *p);
ms_status ms_force_state_analysis_run(ms_study *study, ms_task *task);
/* result.c */
ms_status ms_force_state_judge(ms_study *study, ms_task *task);
ms_status ms_force_state_fill_result(ms_study *study, ms_task *task);

#endif
