/* Cycles of a record: how many there are, and where the first ones lie. */
#ifndef MS_CORE_CYCLES_H
#define MS_CORE_CYCLES_H

#include <stddef.h>

typedef struct ms_cycles {
  ptrdiff_t n;           /* whole cycles in the record */
  ptrdiff_t first, last; /* samples from one cycle before the first swing to the end of the first
                            `wanted` cycles; last = first where there are fewer */
} ms_cycles;

/* A record swings when it is on the other side of its mean by more than `swing` of its largest
   distance from it; two swings are a cycle. t is ascending; NULL: equal steps. */
ms_cycles ms_cycles_find(ptrdiff_t n, const double *t, const double *x, double swing,
                         ptrdiff_t wanted);

#endif
