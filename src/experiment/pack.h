/* The answer of a test as numbers and back, for those who keep it. */
#ifndef MS_EXPERIMENT_PACK_H
#define MS_EXPERIMENT_PACK_H

#include <microslip/backbone.h>
#include <microslip/experiment.h>

/* How many numbers; written where `values` is not NULL. */
ptrdiff_t ms_pulse_save(const ms_pulse_run *run, double *values);
ms_status ms_pulse_load(ms_context *ctx, ms_pulse_run *run, const double *values, ptrdiff_t n);
ptrdiff_t ms_sweep_save(const ms_sweep_run *run, double *values);
ms_status ms_sweep_load(ms_context *ctx, ms_sweep_run *run, const double *values, ptrdiff_t n);
ptrdiff_t ms_backbone_save(const ms_backbone_curve *curve, double *values);
ms_status ms_backbone_load(ms_context *ctx, ms_backbone_curve *curve, const double *values,
                           ptrdiff_t n);
ptrdiff_t ms_stepped_save(const ms_stepped_run *run, double *values);
ms_status ms_stepped_load(ms_context *ctx, ms_stepped_run *run, const double *values, ptrdiff_t n);
ptrdiff_t ms_frequency_save(const ms_frequency_run *run, double *values);
ms_status ms_frequency_load(ms_context *ctx, ms_frequency_run *run, const double *values,
                            ptrdiff_t n);

/* pulse.c: room for the answer. */
ms_status ms_pulse_allocate(ms_context *ctx, ms_pulse_run *run);

#endif
