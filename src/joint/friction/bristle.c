/* One step of a slipping spring; bristle.h has the equations. */
#include "joint/friction/bristle.h"
#include "joint/tolerance.h"

#include <math.h>

/* ---- loss ---- */

/* y at the middle of the step from the values and slopes at its ends, then Simpson's rule. */
static double short_loss(const ms_bristle *b, double y0, double y1, double x) {
  double h0 = b->drop(b, y0), h1 = b->drop(b, y1);
  double middle = 0.5 * (y0 + y1) + 0.125 * x * (h1 - h0);
  return x / 6.0 * (y0 * h0 + 4.0 * middle * b->drop(b, middle) + y1 * h1);
}

double ms_bristle_loss(const ms_bristle *b, double y0, double y1, double x, double I) {
  if (x > ms_joint_tol.short_step) return fmax(0.0, I - 0.5 * (y1 - y0) * (y1 + y0));
  if (!(y0 < 0.0 && y1 > 0.0)) return short_loss(b, y0, y1, x);
  double before = x * -y0 / (y1 - y0); /* f may have a kink at 0, and the loss vanishes there */
  return short_loss(b, y0, 0.0, before) + short_loss(b, 0.0, y1, x - before);
}

/* ---- the step ---- */

typedef struct bristle_step {
  double z, f;    /* at the end */
  double z_limit; /* dz/dlimit */
  double z_z;     /* dz/dz0 */
  double loss;    /* over k K */
} bristle_step;

static const double longest_step = 1e300; /* keeps x finite when next to nothing holds the spring */

/* A limit that fell below the elongation lets the spring slip at once, before the step. */
static bristle_step advance(const ms_bristle *b, double z0, double du, double limit) {
  double s = copysign(1.0, du != 0.0 ? du : z0);
  if (!(limit > 0.0)) {
    return (bristle_step) { .z_limit = du != 0.0 ? s : 0.0, .loss = 0.5 * z0 * z0 };
  }
  double held = fmax(-limit, fmin(limit, z0)), slack = 0.5 * (z0 - held) * (z0 + held);
  double x = fmin(fabs(du) / limit, longest_step), y0 = s * held / limit;
  ms_bristle_flow end = { y0, 1.0, 0.0 };
  if (x > 0.0) end = b->flow(b, y0, x);
  double f = 1.0 - b->drop(b, end.y), z_z = held == z0 ? end.J : 0.0;
  return (bristle_step) { .z = x > 0.0 ? s * limit * end.y : held,
                          .f = f,
                          .z_limit = s * (end.y - f * x - z_z * y0),
                          .z_z = z_z,
                          .loss = slack + limit * limit * ms_bristle_loss(b, y0, end.y, x, end.I) };
}

enum { TRIAL_U, TRIAL_Z, TRIAL_K, TRIAL_LOSS, TRIAL_SLOPES };

ms_status ms_bristle_update(const void *model, const void *state, const ms_joint_input *in,
                            ms_joint_output *out, ms_joint_trial *trial) {
  const ms_bristle *b = model;
  const ms_bristle_state *s = state;
  double u = in->u[0], limit = in->alpha / in->k * b->z_max;
  bristle_step step = advance(b, s->z, u - s->u, limit);
  out->force[0] = in->k * (b->K_inf * u + b->K * step.z);
  out->du[0] = in->k * (b->K_inf + b->K * step.f);
  out->dv[0] = 0.0;
  out->dalpha[0] = b->K * b->z_max * step.z_limit;
  out->dk[0] = b->K_inf * u + b->K * (step.z - limit * step.z_limit);
  trial->real[TRIAL_U] = u;
  trial->real[TRIAL_Z] = step.z;
  trial->real[TRIAL_K] = in->k;
  trial->real[TRIAL_LOSS] = in->k * b->K * step.loss;
  trial->real[TRIAL_SLOPES] = step.f;
  trial->real[TRIAL_SLOPES + 1] = step.z_limit;
  trial->real[TRIAL_SLOPES + 2] = step.z_z;
  return MS_SUCCESS;
}

ms_status ms_bristle_commit(ms_context *ctx, const void *model, void *state,
                            const ms_joint_trial *trial) {
  ms_bristle_state *s = state;
  (void)ctx;
  (void)model;
  s->u = trial->real[TRIAL_U];
  s->z = trial->real[TRIAL_Z];
  s->k = trial->real[TRIAL_K];
  s->dissipated += trial->real[TRIAL_LOSS];
  return MS_SUCCESS;
}

/* ---- derivatives: rows of u and z ---- */

void ms_bristle_sensitivity(const void *model, const void *state, const ms_joint_input *in,
                            const ms_joint_output *out, ms_joint_trial *trial,
                            const ms_step_sensitivity *d) {
  const ms_bristle *b = model;
  const double *slopes = &trial->real[TRIAL_SLOPES], f = slopes[0], z_r = b->z_max * slopes[1],
               z_z = slopes[2], k_K = in->k * b->K;
  const double *du = d->u, *alpha = d->alpha, *k = d->k;
  double *restrict u = d->row, *restrict z = d->row + d->n, *restrict force = d->force;
  ms_ratio_slopes r = ms_sensitivity_ratio(in);
  (void)state, (void)out;
  for (ptrdiff_t i = 0; i < d->n; i++) {
    double old = z_z * z[i] - f * u[i];
    force[i] += k_K * old;
    z[i] = old + f * du[i] + z_r * (r.by_alpha * alpha[i] + r.by_k * k[i]);
    u[i] = du[i];
  }
}

/* ---- the rest of the table ---- */

void ms_bristle_start(const void *model, void *state, const double *u) {
  (void)model;
  *(ms_bristle_state *)state = (ms_bristle_state) { .u = u[0], .k = 1.0 };
}

void ms_bristle_energy(const void *model, const void *state, ms_joint_energy *out) {
  const ms_bristle *b = model;
  const ms_bristle_state *s = state;
  double stored = 0.5 * s->k * (b->K_inf * s->u * s->u + b->K * s->z * s->z);
  *out = (ms_joint_energy) { .stored = stored, .dissipated = s->dissipated };
}

double ms_bristle_slip_scale(const void *model) {
  return ((const ms_bristle *)model)->z_max;
}

void ms_bristle_macroslip(const void *model, double *K) {
  K[0] = ((const ms_bristle *)model)->K_inf;
}

double *ms_bristle_fading(void *state) {
  return &((ms_bristle_state *)state)->z;
}
