/* Frequency responses of impacts: each is a block from just before its pulse on. */
#include "signal/internal.h"

ptrdiff_t ms_impact_width(ptrdiff_t rise, ptrdiff_t fall) {
  return 2 * (fall - rise + 1);
}

void ms_impact_measure(ptrdiff_t n, ptrdiff_t rise, ptrdiff_t fall, ptrdiff_t *length,
                       ptrdiff_t *pulse) {
  const ptrdiff_t wide = ms_impact_width(rise, fall), before = rise < wide ? rise : wide;
  if (n - rise + before < *length) *length = n - rise + before;
  if (2 * wide > *pulse) *pulse = 2 * wide;
}

ms_status ms_signal_average_impacts(ms_context *ctx, double dt, ptrdiff_t length, ptrdiff_t pulse,
                                    double decay, ptrdiff_t n, const ms_impact *impact,
                                    ms_frf *out) {
  ms_frf_settings f = MS_FRF_DEFAULT;
  ms_frf_record *record;
  f.window = MS_FRF_HAMMER;
  f.length = length;
  f.force_end = (double)pulse * dt;
  f.decay = decay;
  MS_TRY(ms_allocate(ctx, n, sizeof *record, &record));
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t wide = ms_impact_width(impact[i].rise, impact[i].fall);
    const ptrdiff_t first = impact[i].rise < wide ? 0 : impact[i].rise - wide;
    record[i] = (ms_frf_record) { impact[i].force + first, impact[i].x + first, length };
  }
  ms_status status = ms_signal_estimate_frf(ctx, &f, dt, n, record, out);
  ms_free(ctx, &record);
  return status;
}
