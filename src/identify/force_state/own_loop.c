/* A mapped loop beside the joint's own. */
#include <math.h>
#include <microslip/force_state.h>

enum { POINTS = 4096 }; /* of a period, in which extremes are looked for */

static double find_error(int n, const double *found, const double *own) {
  double error = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) {
    error += (found[i] - own[i]) * (found[i] - own[i]);
    size += own[i] * own[i];
  }
  return size > 0.0 ? sqrt(error / size) : 0.0;
}

ms_status ms_force_state_compare(ms_context *ctx, const ms_force_state *found, ptrdiff_t periods,
                                 const ms_signal *displacement, const ms_signal *force,
                                 ms_force_state_own *out) {
  const ms_hysteresis_setting setting = { .omega = found->omega,
                                          .periods = periods,
                                          .harmonics = found->harmonics };
  double low = HUGE_VAL, high = -HUGE_VAL, f_low = 0.0, f_high = 0.0;
  *out = (ms_force_state_own) { .amplitude = 0.0 };
  MS_TRY(ms_signal_loop(ctx, displacement, force, &setting, &out->loop));
  out->z_error = find_error(2 * found->harmonics, found->z, out->loop.z);
  out->f_error = find_error(2 * found->harmonics, found->f, out->loop.f);
  for (int i = 0; i < POINTS; i++) {
    double z, f;
    ms_hysteresis_eval(&out->loop, 6.28318530717958647693 * i / POINTS / found->omega, &z, &f);
    if (z < low) low = z, f_low = f;
    if (z > high) high = z, f_high = f;
  }
  out->amplitude = 0.5 * (high - low);
  out->stiffness = high > low ? (f_high - f_low) / (high - low) : 0.0;
  return MS_SUCCESS;
}
