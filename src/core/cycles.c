#include "core/cycles.h"

#include <math.h>

static double time_of(const double *t, ptrdiff_t i) {
  return t ? t[i] : (double)i;
}

/* Over time: samples may be unevenly spaced. */
static double mean_of(ptrdiff_t n, const double *t, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t i = 1; i < n; i++)
    sum += 0.5 * (x[i] + x[i - 1]) * (time_of(t, i) - time_of(t, i - 1));
  return sum / (time_of(t, n - 1) - time_of(t, 0));
}

ms_cycles ms_cycles_find(ptrdiff_t n, const double *t, const double *x, double swing,
                         ptrdiff_t wanted) {
  ms_cycles out = { 0 };
  ptrdiff_t swings = 0, start = 0;
  int side = 0;
  double largest = 0.0;
  if (n < 2) return out;
  const double mean = mean_of(n, t, x);
  for (ptrdiff_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i] - mean));
  for (ptrdiff_t i = 0; i < n; i++) {
    const int here = x[i] > mean ? 1 : -1;
    if (fabs(x[i] - mean) <= swing * largest || here == side) continue;
    if (side == 0) start = i;
    swings += side != 0;
    side = here;
    if (swings == 2 * wanted && out.last == 0) out.last = i;
  }
  out.n = swings / 2;
  if (out.last == 0) return out;
  const double period = (time_of(t, out.last) - time_of(t, start)) / (double)wanted;
  out.first = start;
  while (out.first > 0 && time_of(t, out.first - 1) >= time_of(t, start) - period) out.first--;
  return out;
}
