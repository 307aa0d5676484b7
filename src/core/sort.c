#include <stdlib.h>

#include "core/internal.h"

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void ms_sort(ptrdiff_t n, double *x) {
  if (n > 1) qsort(x, (size_t)n, sizeof *x, compare);
}
