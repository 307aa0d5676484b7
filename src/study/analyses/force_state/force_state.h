/* The analysis `force_state`: what its options ask for, and what its run leaves. */
#ifndef MS_STUDY_ANALYSES_FORCE_STATE_FORCE_STATE_H
#define MS_STUDY_ANALYSES_FORCE_STATE_FORCE_STATE_H

#include <microslip/force_state.h>

#include "study/analyses/shared/rows.h"

enum { MS_FORCE_STATE_SENSORS = 32 };

typedef struct ms_force_state_options {
  int joint;
  ms_task_list from;
  ms_entry_list files, sensors;
  struct fy_node *load;
  const char *force;
  ms_numbers frequency;
  ptrdiff_t periods, harmonics, modes, axes;
  int method;
  double worst;
} ms_force_state_options;

/* One record. */
typedef struct ms_force_state_run {
  const char *name;    /* of the transient or the file */
  const ms_task *from; /* NULL: a file */
  struct fy_node *node;
  const double *place;   /* of the force: weights of the coordinates */
  ms_record_set samples; /* of a file: the force, then the sensors; x is NULL of a transient */
  ms_record_kind kind[1 + MS_FORCE_STATE_SENSORS];
  ms_force_state found;
  ms_force_state_own own; /* where the transients recorded it */
} ms_force_state_run;

typedef struct ms_force_state_product {
  ms_force_state_run *run;
  ptrdiff_t n;
  int has_normal, has_own;
  ms_study_load load; /* of files: where the force acts */
  double *weights;    /* n_coordinate x n_sensor */
  ms_force_state_setting setting;
} ms_force_state_product;

/* result.c */
ms_status ms_force_state_judge(ms_study *study, ms_task *task);
ms_status ms_force_state_fill_result(ms_study *study, ms_task *task);

#endif
