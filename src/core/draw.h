/* Draws of whole numbers, and of points that fill a box. */
#ifndef MS_CORE_DRAW_H
#define MS_CORE_DRAW_H

#include <microslip/context.h>

/* One of 0 .. n-1. */
static inline ptrdiff_t ms_draw_below(ms_random *random, ptrdiff_t n) {
  ptrdiff_t i = (ptrdiff_t)(ms_random_uniform(random) * (double)n);
  return i < n ? i : n - 1;
}

/* 0 .. n-1 in random order (Fisher and Yates). */
static inline void ms_shuffled(ms_random *random, ptrdiff_t n, ptrdiff_t *order) {
  for (ptrdiff_t i = 0; i < n; i++) order[i] = i;
  for (ptrdiff_t i = n - 1; i > 0; i--) {
    ptrdiff_t k = ms_draw_below(random, i + 1), kept = order[i];
    order[i] = order[k], order[k] = kept;
  }
}

/* A Latin hypercube in t[j + n_x*i] of n points: of every coordinate one in each of n slices of (0,
   1). order is room for n numbers. */
static inline void ms_draw_latin(ms_random *random, ptrdiff_t n_x, ptrdiff_t n, ptrdiff_t *order,
                                 double *t) {
  for (ptrdiff_t j = 0; j < n_x; j++) {
    ms_shuffled(random, n, order);
    for (ptrdiff_t i = 0; i < n; i++) {
      t[j + n_x * i] = ((double)order[i] + ms_random_uniform(random)) / (double)n;
    }
  }
}

#endif
