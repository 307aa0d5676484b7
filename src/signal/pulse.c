/* What stands before the trigger: the pulse of a hammer in its channel, and the offset of a channel
   from the samples before it. */
#include <string.h>

#include "core/internal.h"
#include "signal/internal.h"

double ms_signal_mean(ptrdiff_t n, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) sum += x[k] / (double)n;
  return sum;
}

ms_status ms_signal_find_pulse(ms_context *ctx, ptrdiff_t n, const double *force, ms_pulse *out) {
  double base, peak = 0.0;
  *out = (ms_pulse) { .first = 0 };
  MS_TRY(ms_signal_check_finite(ctx, "force", n, force));
  /* Where most samples are: a pulse moves the mean, but hardly the median. */
  double *sorted;
  MS_TRY(ms_allocate(ctx, n, sizeof *sorted, &sorted));
  memcpy(sorted, force, (size_t)n * sizeof *force);
  ms_sort(n, sorted);
  base = sorted[n / 2];
  ms_free(ctx, &sorted);
  for (ptrdiff_t k = 0; k < n; k++) peak = fmax(peak, fabs(force[k] - base));
  if (!(peak > 0.0)) return ms_fail(ctx, MS_ERR_ARGUMENT, "the force is zero");
  ptrdiff_t first = 0, last = n - 1;
  while (fabs(force[first] - base) <= ms_signal_tol.pulse * peak) first++;
  while (fabs(force[last] - base) <= ms_signal_tol.pulse * peak) last--;
  const ptrdiff_t length = last - first + 1;
  out->rise = first;
  out->fall = last;
  out->first = first > length ? first - length : 0;
  out->last = last + length;
  out->before = out->first >= MS_OFFSET_LEAST ? out->first : 0;
  return MS_SUCCESS;
}

double ms_signal_add_noise(ms_random *random, double part, ptrdiff_t n, double *x) {
  double largest = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) largest = fmax(largest, fabs(x[k]));
  for (ptrdiff_t k = 0; k < n; k++) x[k] += part * largest * ms_random_normal(random);
  return part * largest;
}
