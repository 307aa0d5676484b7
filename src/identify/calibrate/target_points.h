/* Points of a target: checked, windowed, sorted; and how far a model is from them. */
#ifndef MS_IDENTIFY_CALIBRATE_TARGET_POINTS_H
#define MS_IDENTIFY_CALIBRATE_TARGET_POINTS_H

#include <microslip/context.h>

#define MS_POINT_SET_LEAST 1e-6 /* of the target's: a model without loss is held to this */

/* Points as a caller gives them, in any order: the first column orders them, the window is on it.
 */
typedef struct ms_point_set {
  const char *name;    /* may be NULL */
  const char *what[3]; /* the columns, for messages */
  ptrdiff_t n;
  const double *column[3]; /* all positive, the last only where it has a weight */
  const int *row;          /* may be NULL: from 1 on */
  double low, high;        /* 0: no limit */
  double weight[2];        /* of the second and the third column */
} ms_point_set;

typedef struct ms_own_points {
  char *name;
  ptrdiff_t n;
  double *column[3]; /* in one block */
  int *row;
} ms_own_points;

/* Refuses too few points (MS_TARGET_LEAST) and those that are not positive, their rows named. */
ms_status ms_point_set_check(ms_context *ctx, const ms_point_set *set);
/* A copy of those inside, by the first column; what check refuses is refused. */
ms_status ms_point_set_take(ms_context *ctx, const ms_point_set *from, ms_own_points *to);
void ms_point_set_free(ms_context *ctx, ms_own_points *points);

/* (1/n) sum ((model - target)/target)^2 */
double ms_point_set_misfit(ptrdiff_t n, const double *model, const double *target);

#endif
