/* LuGre friction: bristles of stiffness sigma_0 that bend by z and let go,

     dz/dt = v - sigma_0 |v| z/g(v),     g(v) = F_c + (F_s - F_c) exp(-(v/v_st)^2),
     F     = sigma_0 z + sigma_1(v) dz/dt + sigma_2 v,     sigma_1(v) = sigma_1 exp(-(v/v_d)^2)

   or, without v_d, sigma_1 constant. alpha scales the contact as a whole, g, sigma_1 and sigma_2; k
   scales sigma_0, so that z stays below top = alpha F_s/(k sigma_0).

   A step takes g at the mean of the velocities at its ends. Then dz = (1 - sgn(du) z/limit) du with
   limit = alpha g/(k sigma_0) is Dahl's law for i = 1, whose solution is exponential: exact for
   constant v, second order in dt otherwise, stable for any sigma_0 and dt, and defined for dt = 0.
   The force at the end has dz/dt from the equation above with the velocity at the end.

   Passive means that no history makes the joint give more energy than sigma_0 z^2/2 it has stored.
   The power lost is, with q = sigma_0 |z|/g and z along v (otherwise every term is positive),

     |v| [g q^2 + |v| (sigma_2 - (q - 1) sigma_1(v))],     q <= q_max = F_s/F_c.

   It is never negative if sigma_2 >= (q_max - 1) sigma_1, or if the largest |v| sigma_1(v), which
   is sigma_1 v_d/sqrt(2 e), is at most F_c q^2/(q - 1) at q = min(q_max, 2): `check` wants one. */
#include <math.h>

#include "joint/friction/bristle.h"

typedef struct lugre_model {
  ms_bristle b; /* for its loss only */
  double F_c, F_s, v_st, sigma_0, sigma_1, sigma_2, v_d;
} lugre_model;

typedef struct lugre_state {
  double z, v, k, power, dissipated; /* power: of sigma_1 and sigma_2 at the end of the step */
  double u;
} lugre_state;

enum { F_C, F_S, V_ST, SIGMA_0, SIGMA_1, SIGMA_2, V_D };
static const ms_param params[] = {
  { MS_LAW_POSITIVE("F_c", "N", "friction force when sliding",
                    "a contact needs some force to slide", 4000) },
  { MS_LAW_POSITIVE("F_s", "N", "static friction force; at least F_c",
                    "a contact needs some force to slide", 5000) },
  { MS_LAW_POSITIVE("v_st", "m/s", "velocity at which F_s - F_c has fallen to 1/e",
                    "the decrease needs some velocity", 5e-3) },
  { MS_LAW_POSITIVE("sigma_0", "N/m", "stiffness of the bristles",
                    "a sticking contact carries load", 1e8) },
  { MS_LAW_NOT_NEGATIVE("sigma_1", "N s/m", "damping of the bristles", "damping dissipates energy",
                        3000) },
  { MS_LAW_NOT_NEGATIVE("sigma_2", "N s/m", "viscous coefficient of sliding",
                        "damping dissipates energy", 1000) },
  { MS_LAW_OPTIONAL("v_d", "m/s",
                    "velocity at which sigma_1 has fallen to 1/e; 0 for a constant sigma_1",
                    "it is a velocity", 0) },
};

static ms_status check(ms_context *ctx, double *v, int set) {
  (void)set;
  double q = v[F_S] / v[F_C], constant = (q - 1.0) * v[SIGMA_1];
  if (q < 1.0) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "law lugre: F_s = %g must be at least F_c = %g", v[F_S],
                   v[F_C]);
  }
  if (v[SIGMA_2] >= constant) return MS_SUCCESS;
  q = fmin(q, 2.0);
  double v_d = v[F_C] * q * q / (q - 1.0) * sqrt(2.0 * exp(1.0)) / v[SIGMA_1];
  if (v[V_D] > 0.0 && v[V_D] <= v_d) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "law lugre: not passive, the joint could produce energy: sigma_2 = %g must be at "
                 "least sigma_1 (F_s/F_c - 1) = %g, or v_d > 0 and at most %g",
                 v[SIGMA_2], constant, v_d);
}

/* ---- functions of velocity ---- */

typedef struct lugre_curve {
  double value, slope;
} lugre_curve;

/* g over alpha. */
static lugre_curve level(const lugre_model *m, double v) {
  double x = v / m->v_st, extra = (m->F_s - m->F_c) * exp(-x * x);
  return (lugre_curve) { m->F_c + extra, extra > 0.0 ? -2.0 * x / m->v_st * extra : 0.0 };
}

static lugre_curve damping(const lugre_model *m, double v) {
  if (m->v_d == 0.0) return (lugre_curve) { m->sigma_1, 0.0 };
  double x = v / m->v_d, value = m->sigma_1 * exp(-x * x);
  return (lugre_curve) { value, value > 0.0 ? -2.0 * x / m->v_d * value : 0.0 };
}

/* ---- the bristles over a step ---- */

typedef struct lugre_bend {
  double z, z_u, z_limit; /* z at the end, its derivatives */
  double z_load;          /* d z/d ln(alpha/k) through a z that the load no longer holds */
  double z_z;             /* d z/d z_old */
  double loss;            /* over k sigma_0 */
} lugre_bend;

static double drop(const ms_bristle *b, double y) { /* of Dahl's law with i = 1 */
  (void)b;
  return y;
}

static lugre_bend bend(const lugre_model *m, double z_old, double du, double limit, double top) {
  double z0 = fmax(-top, fmin(top, z_old)), s = copysign(1.0, du != 0.0 ? du : z0);
  double x = fabs(du) / limit, E = exp(-x), y0 = s * z0 / limit, d = (y0 - 1.0) * expm1(-x);
  double slack = 0.5 * (z_old - z0) * (z_old + z0);
  return (lugre_bend) {
    .z = z0 + s * limit * d,
    .z_u = E * (1.0 - y0),
    .z_limit = s * (-expm1(-x) - (1.0 - y0) * (x > 0.0 ? E * x : 0.0)),
    .z_load = z0 != z_old ? E * z0 : 0.0,
    .z_z = z0 != z_old ? 0.0 : E,
    .loss = slack + limit * limit * ms_bristle_loss(&m->b, y0, y0 + d, x, x - d),
  };
}

/* ---- the step ---- */

enum { TRIAL_U, TRIAL_V, TRIAL_Z, TRIAL_K, TRIAL_POWER, TRIAL_LOSS, TRIAL_DT, TRIAL_SLOPES };
enum { F_BY_Z, Z_BY_U, Z_BY_V, Z_BY_LOAD, Z_BY_Z }; /* the slopes; load: ln(alpha/k) */

static const double least_alpha =
    1e-200; /* an open joint is computed as this much of a closed one */

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const lugre_model *m = model;
  const lugre_state *s = state;
  double alpha = fmax(in->alpha, least_alpha), k = in->k, v = in->v[0],
         per = alpha / (k * m->sigma_0);
  lugre_curve middle = level(m, 0.5 * (s->v + v)), end = level(m, v), damp = damping(m, v);
  double limit = per * middle.value;
  lugre_bend b = bend(m, s->z, in->u[0] - s->u, limit, per * m->F_s);

  double pull = b.z / (per * end.value), rate = v - fabs(v) * pull; /* dz/dt */
  double rate_v = 1.0 - copysign(1.0, v) * pull + fabs(v) * pull * end.slope / end.value;
  double F_z = k * m->sigma_0 * (1.0 - damp.value * fabs(v) / end.value);
  double z_load = b.z_limit * limit + b.z_load; /* d z/d ln(alpha/k) */
  double through = damp.value * fabs(v) * pull; /* of dz/dt by itself, over alpha */
  double viscous = damp.value * rate + m->sigma_2 * v;
  out->force[0] = k * m->sigma_0 * b.z + alpha * viscous;
  out->du[0] = F_z * b.z_u;
  out->dv[0] = F_z * b.z_limit * 0.5 * per * middle.slope +
               alpha * (damp.slope * rate + damp.value * rate_v + m->sigma_2);
  out->dalpha[0] = F_z * z_load / alpha + viscous + through;
  out->dk[0] = m->sigma_0 * b.z - (F_z * z_load + alpha * through) / k;
  if (in->alpha == 0.0) out->force[0] = out->du[0] = out->dv[0] = out->dk[0] = 0.0;

  trial->real[TRIAL_U] = in->u[0];
  trial->real[TRIAL_V] = v;
  trial->real[TRIAL_Z] = in->alpha > 0.0 ? b.z : 0.0;
  trial->real[TRIAL_K] = k;
  trial->real[TRIAL_POWER] = in->alpha * viscous * v;
  trial->real[TRIAL_LOSS] = k * m->sigma_0 * b.loss;
  trial->real[TRIAL_DT] = in->dt;
  double *slopes = &trial->real[TRIAL_SLOPES];
  slopes[F_BY_Z] = F_z;
  slopes[Z_BY_U] = b.z_u;
  slopes[Z_BY_V] = 0.5 * b.z_limit * per * middle.slope;
  slopes[Z_BY_LOAD] = z_load;
  slopes[Z_BY_Z] = b.z_z;
  return MS_SUCCESS;
}

/* Bristles exactly, dashpots by the trapezoidal rule. The sum is not negative but for that rule's
   error, which may not make the loss shrink. */
static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  lugre_state *s = state;
  double power = trial->real[TRIAL_POWER];
  (void)ctx;
  (void)model;
  s->dissipated +=
      fmax(0.0, trial->real[TRIAL_LOSS] + 0.5 * (s->power + power) * trial->real[TRIAL_DT]);
  s->power = power;
  s->u = trial->real[TRIAL_U];
  s->v = trial->real[TRIAL_V];
  s->z = trial->real[TRIAL_Z];
  s->k = trial->real[TRIAL_K];
  return MS_SUCCESS;
}

/* Rows of u, v and z. An open joint keeps no bend. */
static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  const double *slopes = &trial->real[TRIAL_SLOPES], z_u = slopes[Z_BY_U], z_v = slopes[Z_BY_V];
  double closed = in->alpha > 0.0 ? 1.0 : 0.0, z_r = closed * slopes[Z_BY_LOAD] * in->k;
  const double *du = d->u, *dv = d->v, *alpha = d->alpha, *k = d->k;
  double *restrict u = d->row, *restrict v = u + d->n, *restrict z = v + d->n;
  double *restrict force = d->force, F_z = slopes[F_BY_Z], z_z = slopes[Z_BY_Z];
  ms_ratio_slopes r = ms_sensitivity_ratio(in);
  (void)model, (void)state, (void)out;
  if (closed > 0.0) z_r /= in->alpha;
  for (ptrdiff_t i = 0; i < d->n; i++) {
    double old = closed * (z_z * z[i] + z_v * v[i] - z_u * u[i]);
    double dr = r.by_alpha * alpha[i] + r.by_k * k[i];
    force[i] += F_z * old;
    z[i] = old + closed * (z_u * du[i] + z_v * dv[i]) + z_r * dr;
    u[i] = du[i];
    v[i] = dv[i];
  }
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  (void)ctx;
  *(lugre_model *)model = (lugre_model) { .b = { .drop = drop },
                                          .F_c = v[F_C],
                                          .F_s = v[F_S],
                                          .v_st = v[V_ST],
                                          .sigma_0 = v[SIGMA_0],
                                          .sigma_1 = v[SIGMA_1],
                                          .sigma_2 = v[SIGMA_2],
                                          .v_d = v[V_D] };
  return MS_SUCCESS;
}

static void start(const void *model, void *state, const double *u) {
  (void)model;
  *(lugre_state *)state = (lugre_state) { .u = u[0], .k = 1.0 };
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const lugre_model *m = model;
  const lugre_state *s = state;
  *out = (ms_joint_energy) { .stored = 0.5 * s->k * m->sigma_0 * s->z * s->z,
                             .dissipated = s->dissipated };
}

static double slip_scale(const void *model) {
  const lugre_model *m = model;
  return m->F_c / m->sigma_0;
}

static double *fading(void *state) {
  return &((lugre_state *)state)->z;
}

const ms_law ms_law_lugre = {
  .info = { .name = "lugre",
            .title = "bristles with Stribeck friction",
            .reference =
                "Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE Trans. Autom. Control 40 "
                "(1995) 419",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_RATE | MS_LAW_NORMAL },
  .model_size = sizeof(lugre_model),
  .state_size = sizeof(lugre_state),
  .check = check,
  .setup = setup,
  .start = start,
  .update = update,
  .commit = commit,
  .energy = energy,
  .slip_scale = slip_scale,
  .fading = fading,
  .sensitivity = sensitivity,
  .n_row = 3,
};
