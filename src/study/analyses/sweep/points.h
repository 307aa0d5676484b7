/* Swept sine in time: one run for each level and direction, and the points they leave. */
#ifndef MS_STUDY_ANALYSES_SWEEP_POINTS_H
#define MS_STUDY_ANALYSES_SWEEP_POINTS_H

#include <microslip/experiment.h>

#include "experiment/pack.h"
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

#endif
