/* The last cycle of a shaken rod as numbers and back, for those who keep it. */
#ifndef MS_RESPONSE_ROD_PACK_H
#define MS_RESPONSE_ROD_PACK_H

#include <microslip/rod.h>

/* How many numbers; written where `values` is not NULL. */
ptrdiff_t ms_rod_cycle_save(const void *run, double *values);
ms_status ms_rod_cycle_load(ms_context *ctx, void *run, const double *values, ptrdiff_t n);

#endif
