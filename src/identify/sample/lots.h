/* The points of random curves in lots: a lot is a job, which can be kept when it has ended. */
#ifndef MS_IDENTIFY_SAMPLE_LOTS_H
#define MS_IDENTIFY_SAMPLE_LOTS_H

#include <microslip/propagate.h>

ptrdiff_t ms_random_curves_count_lots(const ms_random_curves *curves);
/* As ms_random_curves_eval, of all points of a lot. */
ms_status ms_random_curves_eval_lot(ms_structure *structure, ptrdiff_t lot,
                                    ms_random_curves *curves);
/* As `save` and `load` of ms_jobs. */
ptrdiff_t ms_random_curves_save_lot(const void *curves, ptrdiff_t lot, double *values);
ms_status ms_random_curves_load_lot(ms_context *ctx, void *curves, ptrdiff_t lot,
                                    const double *values, ptrdiff_t n);

#endif
