/* What the analyses by harmonic balance share: their options, and a balance made from them. */
#ifndef MS_STUDY_HARMONIC_H
#define MS_STUDY_HARMONIC_H

#include <microslip/harmonic.h>

#include "study/loads.h"

typedef struct ms_harmonic_options {
  ms_study_load load; /* its shape times a level times cos(Omega t) */
  double *preload;    /* static force over the coordinates; NULL for none */
  double *level;      /* SI */
  ptrdiff_t n_level;
  ptrdiff_t *sensor; /* coordinates */
  ptrdiff_t n_sensor;
  ms_harmonic_setting setting;
} ms_harmonic_options;

/* load, levels, preload, sensors, harmonics, times, tolerance, step, stability of an analysis'
   node; *out is to be freed even after a failure. */
ms_status ms_harmonic_read_options(const ms_study *study, const ms_task *task,
                                   ms_harmonic_options *out);
void ms_harmonic_free_options(ms_context *ctx, ms_harmonic_options *options);
/* The unit of a level. */
const char *ms_harmonic_level_unit(const ms_harmonic_options *options);

ms_status ms_harmonic_open(ms_structure *structure, const ms_harmonic_options *options,
                           ms_harmonic **out);
/* harmonic_run.c: a run of the balance as a worker's job, kept on the disk as it goes, and gone on
   with where an earlier start has left it. `run` follows the range that it is given. */
typedef ms_status ms_harmonic_run_fn(ms_harmonic *harmonic, const ms_harmonic_range *range,
                                     const void *user, ms_harmonic_curve **out);
ms_status ms_harmonic_run_kept(ms_worker *worker, ms_harmonic *harmonic,
                               const ms_harmonic_range *range, ms_harmonic_run_fn *run,
                               const void *user, ms_harmonic_curve **out);
/* Coefficients x of a displacement: amplitude and phase of its first harmonic,
   x = amplitude cos(Omega t + phase). */
double ms_harmonic_amplitude(const double *x);
double ms_harmonic_phase(const double *x);
const char *ms_harmonic_stability_word(ms_stability stability);
/* The joints at a point, for their tables: of each axis first harmonic, peak and half the range of
   the displacement, first harmonic of the force; then the loss of each joint. */
enum { MS_HARMONIC_AXIS = 4 };
void ms_harmonic_read_joints(const ms_structure *structure, int harmonics,
                             const ms_harmonic_curve *curve, ptrdiff_t i, double *row);
int ms_harmonic_count_axes(const ms_structure *structure); /* of all joints */

#endif
