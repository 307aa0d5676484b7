/* Draws of whole numbers. */
#ifndef MS_IDENTIFY_DRAW_H
#define MS_IDENTIFY_DRAW_H

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

#endif
