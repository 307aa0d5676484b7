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

/* d ln omega / dt at row i, from the rows beside it. */
static double frequency_rate(const ms_decay *decay, ptrdiff_t i) {
  const ms_decay_point *a = &decay->point[i > 0 ? i - 1 : i];
  const ms_decay_point *b = &decay->point[i + 1 < decay->n ? i + 1 : i];
  return b->time > a->time ? log(b->omega / a->omega) / (b->time - a->time) : 0.0;
}

void ms_decay_refer(ms_decay *decay, ms_signal_kind kind) {
  for (ptrdiff_t i = 0; i < decay->n; i++) {
    ms_decay_point *p = &decay->point[i];
    double alpha = -p->zeta * p->omega / sqrt(1.0 - p->zeta * p->zeta);
    alpha -= (double)kind * frequency_rate(decay, i);
    p->zeta = -alpha / hypot(p->omega, alpha);
  }
}

ptrdiff_t ms_decay_to_modal(ms_decay *decay, double shape) {
  const ptrdiff_t all = decay->n;
  decay->n = 0;
  for (ptrdiff_t i = 0; i < all; i++) {
    ms_decay_point d = decay->point[i];
    if (!(d.zeta > 0.0)) continue;
    d.q /= shape;
    d.velocity /= shape;
    d.acceleration /= shape;
    decay->point[decay->n++] = d;
  }
  return all - decay->n;
}
