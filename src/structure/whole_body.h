/* Which motions without strain move a structure as one rigid body. */
#ifndef MS_STRUCTURE_WHOLE_BODY_H
#define MS_STRUCTURE_WHOLE_BODY_H

#include <microslip/context.h>

/* U (n x k, orthonormal in M) := U L, such that motions of the whole come first; *whole of them.
   V (n x 6) moves the structure as one body, and MV is M V. */
ms_status ms_whole_body_split(ms_context *ctx, ptrdiff_t n, ptrdiff_t k, const double *V,
                              const double *MV, double *U, ptrdiff_t *whole);

#endif
