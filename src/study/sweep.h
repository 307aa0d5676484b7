/* Swept sine in time: one run for each level and direction, and the points they leave. */
#ifndef MS_STUDY_SWEEP_H
#define MS_STUDY_SWEEP_H

#include <microslip/response.h>
#include <microslip/signal.h>

#include "study/study.h"

/* One resonance: what a comparison of methods reads. */
typedef struct ms_sweep_point {
  int mode;        /* 0-based */
  int down;        /* direction of the sweep */
  double level;    /* amplitude of the load: N, or m/s^2 of a base */
  double q;        /* modal amplitude |q| */
  double omega;    /* rad/s, where the phase is 90 degrees */
  double zeta;     /* total, from the height of the transfer function there */
  double quality;  /* as ms_decay_point */
  double severity; /* of the sweep rate, above MS_SWEEP_LIMIT too fast */
} ms_sweep_point;

/* The first member of the product of analysis `sweep`: those resonances that were found. */
typedef struct ms_sweep_points {
  ms_sweep_point *point;
  ptrdiff_t n;
} ms_sweep_points;

/* What all runs of an analysis share. */
typedef struct ms_sweep_plan {
  double *shape;      /* of the force over the coordinates */
  double *sensor;     /* weights of the modal velocities that make the response */
  double from, to;    /* Hz, from < to */
  double duration;    /* s */
  double step;        /* s */
  ptrdiff_t steps;    /* until the ringing after the sweep is over */
  const char *law;    /* of the frequency */
  const char *method; /* of integration */
  double unit;        /* of the modal coordinate in that of the response */
  ms_sweep_settings settings;
} ms_sweep_plan;

typedef struct ms_sweep_run {
  /* the request */
  const ms_sweep_plan *plan;
  double level;
  int down;
  /* the answer */
  ms_sweep sweep;   /* without its arrays; n is 0 where there was no resonance */
  char remark[160]; /* why */
  ptrdiff_t n_line; /* the transfer function, thinned away from the resonance */
  double *line;     /* Hz, |G|, phase in degrees */
  ptrdiff_t n_row;  /* the envelope */
  double *row;      /* Hz of the sweep, displacement amplitude */
  ms_transient_energy energy;
  ms_transient_count count;
  ms_transient_quality quality;
  int has_energy;
} ms_sweep_run;

/* Simulates and reads. A response that cannot be read leaves a remark, and is no failure. */
ms_status ms_sweep_simulate(ms_context *ctx, ms_structure *structure, ms_sweep_run *run);
void ms_sweep_run_free(ms_context *ctx, ms_sweep_run *run);
/* The answer as numbers and back, as ms_jobs wants it. */
ptrdiff_t ms_sweep_save(const ms_sweep_run *run, double *values);
ms_status ms_sweep_load(ms_context *ctx, ms_sweep_run *run, const double *values, ptrdiff_t n);

#endif
