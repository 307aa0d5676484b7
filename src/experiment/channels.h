/* The values of channels during a run. */
#ifndef MS_EXPERIMENT_CHANNELS_H
#define MS_EXPERIMENT_CHANNELS_H

#include <microslip/recording.h>

/* work has 3 n_coordinate values. */
void ms_channels_sample(const ms_channels *channels, const ms_transient *run,
                        const ms_acting_load *load, int n_load, ptrdiff_t n_coordinate,
                        double *work, double *out);

#endif
