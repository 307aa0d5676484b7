/* Calibrations repeated with new noise, for tests and benchmarks of intervals: a structure whose
   joints are known, its quasi-static curves with noise on frequency (of its shift) and damping
   (relative), a fit of the joints, and samples of their posterior. */
#ifndef MS_TEST_REPEAT_H
#define MS_TEST_REPEAT_H

#include <microslip/calibrate.h>
#include <microslip/posterior.h>

enum { REPEAT_MOST = 8 /* parameters, modes */, REPEAT_STARTS = 4 };

/* Borrowed. The structure's joints have the true values. */
typedef struct repeat_case {
  ms_structure *structure;
  ptrdiff_t n;
  const ms_free_parameter *parameter;
  const ms_fit_parameter *bound;
  ptrdiff_t n_mode, n_point; /* of each mode */
  const ptrdiff_t *mode;
  const double *low, *high; /* amplitudes of each mode */
  double noise;             /* of the data; 0: none */
  ptrdiff_t n_walker, burn, n_step;
} repeat_case;

typedef struct repeat {
  ms_context *ctx;
  repeat_case is;
  double truth[REPEAT_MOST];
  ptrdiff_t n_value; /* of all curves: 2 n_mode n_point, of each mode omega and then zeta */
  double *q;         /* n_mode n_point */
  double *curve;     /* n_value: the true curves */
  double *data;      /* n_value: with the noise of the last repetition */
  ms_calibration *on;
  /* of the last fit */
  double p[REPEAT_MOST], error[REPEAT_MOST], covariance[REPEAT_MOST * REPEAT_MOST];
  /* of the last samples: p, n x n_walker x n_step; 95 % intervals */
  double *sample;
  double interval[REPEAT_MOST][2];
} repeat;

ms_status repeat_open(ms_context *ctx, const repeat_case *which, repeat *out);
void repeat_close(repeat *r);
/* Data with the noise of this seed, and the calibration that holds the model against them. */
ms_status repeat_make(repeat *r, uint64_t seed);
/* The best of REPEAT_STARTS fits, and its standard errors where residuals scatter by `noise`. */
ms_status repeat_fit(repeat *r, double noise);
/* Samples of the posterior about the fit. */
ms_status repeat_sample(repeat *r, double noise, uint64_t seed);
/* All curves at p, n_value numbers. */
ms_status repeat_curves(repeat *r, const double *p, double *value);

#endif
