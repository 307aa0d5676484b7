/* [identify] Modes from frequency responses of one reference (docs/theory/frf-fit.md): poles by the
   least-squares complex frequency method at many orders, of which those count that come back from
   order to order; then frequencies and damping ratios of least squares, with residues and the
   residual terms of modes outside the band. SI units. */
#ifndef MICROSLIP_FRF_FIT_H
#define MICROSLIP_FRF_FIT_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Responses of n_sensor sensors to one force. Borrowed. */
typedef struct ms_frf_set {
  ptrdiff_t n_line, n_sensor;
  const double *freq_hz; /* n_line, rising */
  const double *H;       /* pairs: H[2*(k + n_line*sensor)], of displacement, velocity or */
  int derivative;        /* acceleration over force: 0, 1, 2 */
  double decay; /* 1/s: force and responses faded as exp(-decay t), as by ms_frf_settings; 0: not */
} ms_frf_set;

typedef struct ms_frf_fit_settings {
  size_t size;      /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double low, high; /* Hz; lines outside are not used */
  ptrdiff_t modes;  /* at most, those that come back most often; 0: all that come back */
  ptrdiff_t orders; /* the largest: modes, doubtful ones included, that are tried */
  double same_frequency; /* relative: a pole of the next order that is the same */
  double same_damping;   /* the same of its damping ratio */
  double part;           /* of the orders at which a mode must be found */
} ms_frf_fit_settings;
#define MS_FRF_FIT_DEFAULT \
  { sizeof(ms_frf_fit_settings), 0.0, HUGE_VAL, 0, 32, 0.01, 0.2, 0.4 }
MS_API void ms_frf_fit_default(ms_frf_fit_settings *settings, size_t size);

typedef struct ms_frf_mode {
  double freq_hz, zeta;
  double freq_error, zeta_error; /* standard errors, Hz and absolute */
  double found;                  /* part of the orders at which it was */
  double collinearity; /* of its shape, 1: all sensors in phase or against it (a real mode) */
} ms_frf_mode;

/* A pole of one order, for a diagram: whether the order before had the same. */
typedef struct ms_frf_pole {
  ptrdiff_t order;
  double freq_hz, zeta;
  int stable;
} ms_frf_pole;

typedef struct ms_frf_fit {
  ptrdiff_t n_mode, n_sensor, n_pole;
  ms_frf_mode *mode; /* frequencies rise */
  /* Pairs, shape[2*(sensor + n_sensor*mode)]: phi_sensor phi_reference, 1/kg, of shapes with unit
     modal mass: 2 i omega_d times the residue. */
  double *shape;
  double *error; /* of each sensor: rms of what the modes leave over that of its response */
  ms_frf_pole *pole;
} ms_frf_fit;

/* settings may be NULL. MS_NOT_CONVERGED where no mode comes back; refused: fewer lines in the band
   than four for every order 1, values that are not finite. Memory is the fit's, also after a
   failure. */
MS_API ms_status ms_frf_fit_modes(ms_context *ctx, const ms_frf_set *set,
                                  const ms_frf_fit_settings *settings, ms_frf_fit *out);
MS_API void ms_frf_fit_free(ms_context *ctx, ms_frf_fit *fit);
/* Of the fit at a frequency: the modes alone. */
MS_API void ms_frf_fit_eval(const ms_frf_fit *fit, ptrdiff_t sensor, int derivative, double freq_hz,
                            double H[2]);
/* Real shapes, n_sensor x n_mode. drive: the sensor at the force, in its direction: unit modal
   mass, 1/sqrt(kg); -1: none, the largest component of each is 1. */
MS_API ms_status ms_frf_fit_real_shapes(ms_context *ctx, const ms_frf_fit *fit, ptrdiff_t drive,
                                        double *shape);

#ifdef __cplusplus
}
#endif
#endif
