/* Frequency and damping against amplitude, as several analyses make and read them. */
#ifndef MS_STUDY_ANALYSES_SHARED_CURVES_H
#define MS_STUDY_ANALYSES_SHARED_CURVES_H

#include <microslip/identify.h>

#include "study/analyses/shared/time_options.h"

/* One decay of one mode, from one run. */
typedef struct ms_curve {
  int mode; /* 0-based */
  char source[96];
  const ms_decay *decay;
  const ms_trace *trace; /* of the modal velocity; NULL if none was kept */
} ms_curve;

/* What a ring-down analysis leaves: its runs, and the curves in them. The first member of the
   product of every analysis that others may read curves from. */
typedef struct ms_curves {
  ms_pulse_run *run;
  char (*source)[96]; /* of each run, where they were asked for by ms_curves_request */
  ptrdiff_t n_run;
  ms_curve *curve;
  ptrdiff_t n_curve;
  ptrdiff_t sensor;    /* whose amplitudes the table also gives: see ms_sensor_find */
  const char *channel; /* of a record from an unknown place: q is its own amplitude; else NULL */
} ms_curves;

/* sensor: a coordinate, or absent for MS_GROUND: that which moves most in each mode. */
ms_status ms_read_sensor(const ms_study *study, struct fy_node *node, ptrdiff_t *sensor);

void ms_curves_free(ms_context *ctx, ms_curves *c);
/* One more run, with its traces; what it points to stays valid. Its source is printed. */
MS_PRINTF(4, 5)
ms_status ms_curves_request(ms_context *ctx, ms_curves *c, const ms_pulse_run *run,
                            const char *format, ...);
/* Steps of every run against its pulse and the modes that it reads; node is that of the step. */
ms_status ms_curves_check_steps(const ms_study *study, struct fy_node *node, const ms_curves *c);
/* After such runs: their curves. */
ms_status ms_curves_collect(ms_context *ctx, ms_curves *c);
/* The runs over all threads, job i filling run[i], and kept as they end; user is the product. A job
   of NULL simulates it on the study's structure. */
ms_status ms_curves_run(ms_study *study, const char *name, ms_job_fn run, ms_curves *user);
/* `help` of an analysis whose product begins with ms_curves: its runs over all processes, see
   ms_pool_share_jobs. And its `run`: the same, and the curves. */
ms_status ms_curves_share(ms_study *study, ms_task *task);
ms_status ms_curves_run_all(ms_study *study, ms_task *task);
/* tables/<name>.csv with one row for every point, as it is modally and at the sensor. */
ms_status ms_curves_tabulate(ms_study *study, const char *name, const ms_curves *c,
                             ms_result_table **table);
/* A row per run: energy balance, residual, what could not be read. */
ms_status ms_curves_tabulate_runs(ms_study *study, const char *name, const ms_curves *c,
                                  ms_result_table **table);
/* `judge` of an analysis whose product begins with ms_curves and has runs. */
ms_status ms_curves_judge(ms_study *study, ms_task *task);
/* What it has to say of time steps and energy, for other runs. */
ms_status ms_curves_judge_steps(ms_study *study, ms_task *task, const ms_curves *c);
/* The next curve: that of mode `mode`, the c-th that run `run` looked at. Runs come in order, and
   of each run all its curves. */
void ms_curves_add(ms_curves *curves, ptrdiff_t run, int c, int mode, const char *source);
/* All points of a mode: see ms_points_gather. */
ms_status ms_curves_gather(ms_context *ctx, const ms_curves *c, int mode, ms_points *out);

/* A figure of a mode: frequency and damping of these points, and what is laid over them. */
typedef struct ms_overlay {
  const char *label;
  const ms_points *points;
  ms_series_style style;
  int colour;
} ms_overlay;
ms_status ms_curves_figure(const ms_study *study, ms_page *page, int mode,
                           const ms_overlay *overlay, int n);
/* `result` of an analysis whose product begins with ms_curves: tables of points and runs, a figure
   of each of these modes (label: of all points; NULL: each source has its own), over it the points
   of another analysis unless that is NULL, and modal velocities in time. */
ms_status ms_curves_result(ms_study *study, ms_task *task, const int *mode, int n_mode,
                           const char *label, const ms_task *over);

#endif
