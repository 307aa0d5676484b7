/* What tests by harmonic balance share: a balance under a load, and the points of its curve as
   sensors and joints see them. */
#ifndef MS_EXPERIMENT_PERIODIC_H
#define MS_EXPERIMENT_PERIODIC_H

#include <microslip/experiment.h>

#include "core/pack.h"

/* force times level cos(Omega t), and a static preload unless it is NULL. *out is to be destroyed
   even after a failure. */
ms_status ms_periodic_open(ms_structure *structure, const ms_harmonic_setting *setting,
                           const double *force, const double *preload, ms_harmonic **out);
/* All points of a curve with H harmonics, or those that are listed; the rest of *out is what the
   curve says. To be freed even after a failure. */
ms_status ms_periodic_read(ms_context *ctx, const ms_structure *structure, ms_harmonic *harmonic,
                           const ms_harmonic_curve *curve, int H, int listed, ptrdiff_t n_sensor,
                           const ptrdiff_t *sensor, ms_periodic *out);
/* After a run that ended with `status` and found no first point: that is no failure, but a remark.
   Other failures come back. */
ms_status ms_periodic_excuse(ms_context *ctx, ms_status status, ms_periodic *out);
void ms_periodic_free(ms_context *ctx, ms_periodic *points);

void ms_periodic_pack(ms_packer *to, const ms_periodic *points);
/* MS_ERR_FORMAT where they are not of such a run. */
ms_status ms_periodic_unpack(ms_context *ctx, ms_unpacker *from, ms_periodic *points);

#endif
