/* What the files of `verify` share; the rest is in calibrate.h. */
#ifndef MS_STUDY_ANALYSES_CALIBRATE_VERIFY_H
#define MS_STUDY_ANALYSES_CALIBRATE_VERIFY_H

#include "study/analyses/calibrate/calibrate.h"

/* Parameters with which all runs are made. */
typedef struct ms_parameter_set {
  const char *name;
  const double *p; /* NULL: as the study has them */
  int *mode;       /* of each run: the one of this structure that is like the run's */
} ms_parameter_set;

struct ms_verify {
  ms_curves curves; /* first: see analyses/shared/curves.h. Run i of set k is i + n_run k */
  const ms_task *from;
  int bare; /* without the structure's own damping */
  ms_parameter_set *set;
  ptrdiff_t n_set, n_run;
  const ms_calibrate *c;
  ms_result_table *table;
};

/* verify_report.c */
ms_status ms_verify_tabulate(ms_study *study, const ms_task *task, ms_verify *v);

#endif
