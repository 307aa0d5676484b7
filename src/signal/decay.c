/* The table that every method returns. With A the amplitude of the signal itself,

     |q| = A / omega^d,   d = 0, 1, 2 for displacement, velocity, acceleration,
     zeta = -alpha / sqrt(omega^2 + alpha^2). */
#include "signal/internal.h"

void ms_decay_free(ms_context *ctx, ms_decay *decay) {
  if (!decay) return;
  ms_free(ctx, &decay->point);
  decay->n = 0;
}

ms_status ms_decay_allocate(ms_context *ctx, ptrdiff_t n, ms_decay *out) {
  *out = (ms_decay) { .n = 0 };
  MS_TRY(ms_allocate(ctx, n, sizeof *out->point, &out->point));
  out->n = n;
  return MS_SUCCESS;
}

ms_status ms_decay_set(ms_context *ctx, ms_signal_kind kind, double time, double amplitude,
                       double omega, double alpha, double quality, ms_decay_point *point) {
  if (!(omega > 0.0))
    return ms_fail(ctx, MS_ERR_NUMERIC,
                   "at t = %g s the phase does not advance: the signal is not one oscillation "
                   "there; band-pass it or end earlier",
                   time);
  double q = amplitude;
  for (int d = (int)kind; d > 0; d--) q /= omega;
  *point = (ms_decay_point) {
    .time = time,
    .q = q,
    .velocity = omega * q,
    .acceleration = omega * omega * q,
    .omega = omega,
    .zeta = -alpha / hypot(omega, alpha),
    .quality = quality,
  };
  double sum = time + q + point->acceleration + omega + point->zeta + quality;
  if (isfinite(sum) && q > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_NUMERIC,
                 "the amplitude at t = %g s leaves the range of numbers: amplitude %g, omega %g "
                 "rad/s, decay rate %g 1/s",
                 time, amplitude, omega, -alpha);
}
