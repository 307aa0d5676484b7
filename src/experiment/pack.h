/* The answer of a test as numbers and back, for those who keep it. */
#ifndef MS_EXPERIMENT_PACK_H
#define MS_EXPERIMENT_PACK_H

#include <microslip/backbone.h>
#include <microslip/experiment.h>

/* save_item and load_item of ms_jobs; an item is an ms_pulse_run, ms_sweep_run, ms_backbone_curve,
   ms_stepped_run, ms_frequency_run. */
ptrdiff_t ms_pulse_save(const void *item, double *values);
ms_status ms_pulse_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n);
ptrdiff_t ms_sweep_save(const void *item, double *values);
ms_status ms_sweep_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n);
ptrdiff_t ms_backbone_save(const void *item, double *values);
ms_status ms_backbone_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n);
ptrdiff_t ms_stepped_save(const void *item, double *values);
ms_status ms_stepped_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n);
ptrdiff_t ms_frequency_save(const void *item, double *values);
ms_status ms_frequency_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n);

/* pulse.c: room for the answer. */
ms_status ms_pulse_allocate(ms_context *ctx, ms_pulse_run *run);

#endif
