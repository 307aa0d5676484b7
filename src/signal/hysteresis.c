/* Hysteresis from the accelerations of the masses on both sides of a joint.

     a_k, b_k                          harmonics of the inner and the outer one: harmonics.c
     z_k = (a_k - b_k)/(k omega)^2     of their difference, integrated twice
     f_k = -m b_k                      of the outer acceleration
     D = pi sum over k of k (f_cos z_sin - f_sin z_cos)     area of the loop */
#include <math.h>
#include <string.h>

#include "signal/internal.h"

static ms_status check(ms_context *ctx, const ms_signal *a, const ms_signal *b,
                       const ms_hysteresis_setting *s) {
  if (a->n != b->n || a->dt != b->dt || a->time != b->time) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "the two records must have the same times");
  }
  if (s->mass > 0.0 && isfinite(s->mass)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "mass %g must be above 0", s->mass);
}

/* Coefficients of two records, one after the other without their means, into out->z and out->f. */
static ms_status take(ms_context *ctx, const ms_harmonics *fit, ms_hysteresis *out) {
  const ptrdiff_t P = 2 * (ptrdiff_t)fit->harmonics + 1;
  if (!(fit->rms[0] > 0.0 && fit->rms[1] > 0.0)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "a record is zero");
  }
  MS_TRY(ms_allocate(ctx, 2 * (P - 1), sizeof *out->z, &out->z));
  out->f = out->z + P - 1;
  out->start = fit->start;
  out->end = fit->end;
  /* rms of what the harmonics leave of a record over its own, of the worse. */
  const double left = (double)(fit->n - 2 * (ptrdiff_t)fit->harmonics - 1) / (double)fit->n;
  out->residual =
      sqrt(left) * fmax(fit->deviation[0] / fit->rms[0], fit->deviation[1] / fit->rms[1]);
  memcpy(out->z, fit->x + 1, (size_t)(P - 1) * sizeof *out->z);
  memcpy(out->f, fit->x + P + 1, (size_t)(P - 1) * sizeof *out->f);
  return MS_SUCCESS;
}

static ms_status read(ms_context *ctx, const ms_signal *a, const ms_signal *b,
                      const ms_hysteresis_setting *s, ms_hysteresis *out) {
  const ms_harmonics_setting setting = { s->omega, s->periods, s->harmonics };
  const double *const x[2] = { a->x, b->x };
  ms_harmonics fit;
  *out = (ms_hysteresis) { .harmonics = s->harmonics, .omega = s->omega };
  MS_TRY(check(ctx, a, b, s));
  MS_TRY(ms_signal_fit_harmonics(ctx, a, 2, x, &setting, &fit));
  ms_status status = take(ctx, &fit, out);
  ms_harmonics_free(ctx, &fit);
  return status;
}

static void measure(ms_hysteresis *out) {
  for (int k = 0; k < out->harmonics; k++) {
    const double *z = out->z + 2 * k, *f = out->f + 2 * k;
    out->loss += MS_PI * (k + 1) * (f[0] * z[1] - f[1] * z[0]);
  }
  out->displacement = hypot(out->z[0], out->z[1]);
  out->force = hypot(out->f[0], out->f[1]);
}

ms_status ms_signal_hysteresis(ms_context *ctx, const ms_signal *inner, const ms_signal *outer,
                               const ms_hysteresis_setting *s, ms_hysteresis *out) {
  MS_TRY(read(ctx, inner, outer, s, out));
  for (int c = 0; c < 2 * s->harmonics; c++) {
    double w = (c / 2 + 1) * s->omega, a = out->z[c], b = out->f[c];
    out->z[c] = (a - b) / (w * w);
    out->f[c] = -s->mass * b;
  }
  measure(out);
  return MS_SUCCESS;
}

ms_status ms_signal_loop(ms_context *ctx, const ms_signal *z, const ms_signal *f,
                         const ms_hysteresis_setting *s, ms_hysteresis *out) {
  ms_hysteresis_setting unit = *s;
  unit.mass = 1.0;
  MS_TRY(read(ctx, z, f, &unit, out));
  measure(out);
  return MS_SUCCESS;
}

void ms_hysteresis_free(ms_context *ctx, ms_hysteresis *h) {
  ms_free(ctx, &h->z);
  h->f = NULL;
}

void ms_hysteresis_eval(const ms_hysteresis *h, double t, double *z, double *f) {
  *z = *f = 0.0;
  for (int k = 1; k <= h->harmonics; k++) {
    double c = cos(k * h->omega * t), s = sin(k * h->omega * t);
    *z += h->z[2 * k - 2] * c + h->z[2 * k - 1] * s;
    *f += h->f[2 * k - 2] * c + h->f[2 * k - 1] * s;
  }
}
