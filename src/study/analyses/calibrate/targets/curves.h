/* Targets that are curves of frequency and damping, as their files see them. */
#ifndef MS_STUDY_ANALYSES_CALIBRATE_TARGETS_CURVES_H
#define MS_STUDY_ANALYSES_CALIBRATE_TARGETS_CURVES_H

#include "study/analyses/calibrate/calibrate.h"

typedef struct ms_curve_target {
  int mode;          /* 0-based */
  const char *curve; /* method of a backbone, NULL for its reference */
  int joint_part;
  double low, high;
  ms_points points;
  int *row;
} ms_curve_target;

/* curves.c: room for n points. */
ms_status ms_curve_target_reserve(ms_context *ctx, ms_curve_target *t, ptrdiff_t n);
/* curve_table.c: the keys of `columns`, and the points from a table. */
extern const ms_param_list ms_curve_columns;
ms_status ms_curve_target_read(const ms_study *study, ms_calibrate_target *t);

#endif
