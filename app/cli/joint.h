/* microslip joint: one joint, of one law or several, under a path, steady cycles or first loading.
 */
#ifndef MS_APP_JOINT_H
#define MS_APP_JOINT_H

#include "cli.h"

typedef enum joint_mode { JOINT_NONE, JOINT_PATH, JOINT_CYCLE, JOINT_VIRGIN } joint_mode;

enum { JOINT_LOOP_POINTS = 200, JOINT_VIRGIN_POINTS = 201, JOINT_MAX_PARTS = 16 };

/* A law on the command line, with its own parameters and axis. */
typedef struct joint_part {
  ms_joint *joint; /* passes into the whole when all arguments are read */
  const ms_joint *view;
  int axis;    /* -1: not said */
  int typical; /* no parameter was given */
} joint_part;

/* The request, and what came out. */
typedef struct joint_job {
  ms_context *ctx;
  joint_part part[JOINT_MAX_PARTS];
  int n_part, n_axis;
  ms_joint *joint; /* the whole */
  joint_mode mode;
  const char *path, *csv, *plot;
  double frequency_hz; /* of cycles */
  double reach;        /* of the virgin curve; 0: the law's own scale */
  ms_theme theme;
  int json;

  double *amplitude;
  ms_joint_cycle *cycle; /* n of them */
  ptrdiff_t n;           /* rows of the result */
  ms_table *input;       /* the path as read */
  double *virgin;        /* displacements of the first loading */
  const double *u[MS_JOINT_MAX_AXIS];
  double *force[MS_JOINT_MAX_AXIS], *slope[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
} joint_job;

extern const char *const joint_axis_name[MS_JOINT_MAX_AXIS]; /* x, y, n */

/* joint_args.c: reads the command line and makes the joint. */
ms_status joint_read_arguments(joint_job *job, int argc, char **argv);
/* The name of a quantity on an axis: "u" where there is one axis, else "ux", "uy", "un". */
const char *joint_column(const joint_job *job, const char *quantity, int axis, char text[16]);

/* joint_print.c */
/* The i-th parameter's value, and whether it is worth showing: required, or not its default. */
int joint_shows_param(const ms_joint *joint, int i, double *value);
ms_status joint_print(const joint_job *job);
ms_status joint_write_csv(const joint_job *job);
/* joint_plot.c */
ms_status joint_plot(const joint_job *job);

#endif
