/* microslip joint: one joint law under a path, steady cycles or first loading. */
#ifndef MS_APP_JOINT_H
#define MS_APP_JOINT_H

#include "cli.h"

typedef enum joint_mode { JOINT_NONE, JOINT_PATH, JOINT_CYCLE, JOINT_VIRGIN } joint_mode;

enum { JOINT_LOOP_POINTS = 200, JOINT_VIRGIN_POINTS = 201 };

/* The request, and what came out. */
typedef struct joint_job {
  ms_context *ctx;
  ms_joint *joint;
  joint_mode mode;
  const char *path, *csv, *plot;
  double frequency_hz; /* of cycles */
  double reach;        /* of the virgin curve; 0: the law's own scale */
  ms_theme theme;
  int json, typical; /* typical: no parameter was given */

  double *amplitude;
  ms_joint_cycle *cycle; /* n of them */
  ptrdiff_t n;           /* rows of the result */
  ms_table *input;       /* the path as read */
  double *u, *force, *slope;
} joint_job;

/* joint_print.c */
/* The i-th parameter's value, and whether it is worth showing: required, or not its default. */
int joint_shows_param(const joint_job *job, int i, double *value);
ms_status joint_print(const joint_job *job);
ms_status joint_write_csv(const joint_job *job);
/* joint_plot.c */
ms_status joint_plot(const joint_job *job);

#endif
