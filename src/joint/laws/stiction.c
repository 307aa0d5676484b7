/* Stiction: at rest the contact holds up to F_s, sliding it resists with F_c < F_s. As a function
   of velocity that is a jump at v = 0; here the contact sticks through a spring K_T, breaks away at
   F_s, and its strength falls to F_c over the slip distance d_c:

     stuck    F = k K_T e,             e = u - x,  x where the slider stands
     sliding  |F| = alpha L(xi),       L = F_s - (F_s - F_c) min(xi/d, 1),   d = (alpha/k) d_c

   xi is the slip since the contact last stuck; it sticks, and is as strong as ever, as soon as the
   spring gives way. With h = (F_s - F_c)/(K_T d_c) < 1 the force is a continuous function of the
   displacement; h = 1 would be the jump from F_s to F_c. alpha scales F_s and F_c, k scales K_T,
   and displacements of slip scale with r = alpha/k. Independent of time: rest is the end of slip,
   not a velocity. Elongations at which slip begins and goes on: e_s = r F_s/K_T, e_c = r F_c/K_T.
 */
#include <math.h>

#include "joint/impl.h"
#include "joint/tolerance.h"

typedef struct stiction_model {
  double F_s, F_c, K_T, d_c;
  double h;
} stiction_model;

typedef struct stiction_state {
  double u, x, xi, k, dissipated; /* xi has the sign of the slip, 0 when stuck */
} stiction_state;

enum { F_S, F_C, K_T, D_C };
static const ms_param params[] = {
  { MS_LAW_POSITIVE("F_s", "N", "static friction force, at which slip begins; at least F_c",
                    "a slider needs some force to slip", 5000) },
  { MS_LAW_POSITIVE("F_c", "N", "friction force when sliding", "a slider needs some force to slip",
                    4000) },
  { MS_LAW_POSITIVE("K_T", "N/m", "stiffness of the stuck contact",
                    "the stuck contact carries load", 1e8) },
  { MS_LAW_POSITIVE("d_c", "m", "slip over which F_s falls to F_c; more than (F_s - F_c)/K_T",
                    "a decrease without slip would be a jump", 5e-5) },
};

static ms_status check(ms_context *ctx, double *v, int set) {
  (void)set;
  if (v[F_S] < v[F_C]) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "law stiction: F_s = %g must be at least F_c = %g", v[F_S],
                   v[F_C]);
  }
  double least = (v[F_S] - v[F_C]) / v[K_T];
  if (v[D_C] > least && v[F_S] / v[K_T] > 0.0 && v[F_S] / v[K_T] < HUGE_VAL) return MS_SUCCESS;
  return ms_fail(
      ctx, MS_ERR_BOUNDS,
      "law stiction: d_c = %g must be more than (F_s - F_c)/K_T = %g, or the force jumps", v[D_C],
      least);
}

static ms_status setup(ms_context *ctx, const double *v, void *model) {
  (void)ctx;
  *(stiction_model *)model =
      (stiction_model) { v[F_S], v[F_C], v[K_T], v[D_C], (v[F_S] - v[F_C]) / (v[K_T] * v[D_C]) };
  return MS_SUCCESS;
}

static void start(const void *model, void *state, const double *u) {
  (void)model;
  *(stiction_state *)state = (stiction_state) { .u = u[0], .x = u[0], .k = 1.0 };
}

/* Elongation under which the contact slips after xi of slip. */
static double strength(const stiction_model *m, double r, double xi) {
  return fmax(r * m->F_c / m->K_T, r * m->F_s / m->K_T - m->h * xi);
}

/* Slip that brings the elongation e > strength(xi) back to the strength. */
static double slip_of(const stiction_model *m, double r, double e, double xi, int *falling) {
  double slip = (e - (r * m->F_s / m->K_T - m->h * xi)) / (1.0 - m->h);
  *falling = xi + slip < r * m->d_c;
  return *falling ? slip : e - r * m->F_c / m->K_T;
}

/* int of the strength from xi to xi + slip: the loss over k K_T. */
static double strength_area(const stiction_model *m, double r, double xi, double slip) {
  double first = fmax(0.0, fmin(slip, r * m->d_c - xi)), top = r * m->F_s / m->K_T - m->h * xi;
  return first * (top - 0.5 * m->h * first) + (slip - first) * r * m->F_c / m->K_T;
}

enum { TRIAL_U, TRIAL_X, TRIAL_XI, TRIAL_K, TRIAL_LOSS };

static void update_stuck(const stiction_model *m, const stiction_state *s, const ms_joint_input *in,
                         double limit, ms_joint_output *out, ms_joint_trial *trial) {
  double e = in->u[0] - s->x;
  out->force[0] = in->k * m->K_T * e;
  out->du[0] = in->k * m->K_T;
  out->dalpha[0] = 0.0;
  out->dk[0] = m->K_T * e;
  int gives = s->xi * e <= 0.0 || fabs(e) < (1.0 - ms_joint_tol.gives) * limit;
  trial->real[TRIAL_X] = s->x;
  trial->real[TRIAL_XI] = gives ? 0.0 : s->xi;
  trial->real[TRIAL_LOSS] = 0.0;
}

static void update_slipping(const stiction_model *m, const stiction_state *s,
                            const ms_joint_input *in, double xi, ms_joint_output *out,
                            ms_joint_trial *trial) {
  double r = in->alpha / in->k, e = in->u[0] - s->x, sign = e > 0.0 ? 1.0 : -1.0;
  int falling;
  double slip = slip_of(m, r, fabs(e), xi, &falling), rest = fabs(e) - slip;
  double F_s = m->F_s / (1.0 - m->h);
  out->force[0] = falling ? sign * in->k * m->K_T * rest : sign * in->alpha * m->F_c;
  out->du[0] = falling ? -in->k * m->K_T * m->h / (1.0 - m->h) : 0.0;
  out->dalpha[0] = sign * (falling ? F_s : m->F_c);
  out->dk[0] = falling ? sign * (m->K_T * rest - r * F_s) : 0.0;
  trial->real[TRIAL_X] = s->x + sign * slip;
  trial->real[TRIAL_XI] = sign * (xi + slip);
  trial->real[TRIAL_LOSS] = in->k * m->K_T * strength_area(m, r, xi, slip);
}

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const stiction_model *m = model;
  const stiction_state *s = state;
  double e = in->u[0] - s->x, r = in->alpha / in->k;
  double xi = s->xi * e > 0.0 ? fabs(s->xi) : 0.0; /* slip the other way begins with F_s */
  double limit = strength(m, r, xi);
  if (fabs(e) <= limit) {
    update_stuck(m, s, in, limit, out, trial);
  } else {
    update_slipping(m, s, in, xi, out, trial);
  }
  out->dv[0] = 0.0;
  trial->real[TRIAL_U] = in->u[0];
  trial->real[TRIAL_K] = in->k;
  return MS_SUCCESS;
}

/* The loss is exact at constant load and takes the end of the step's load otherwise. */
static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  stiction_state *s = state;
  (void)ctx;
  (void)model;
  s->u = trial->real[TRIAL_U];
  s->x = trial->real[TRIAL_X];
  s->xi = trial->real[TRIAL_XI];
  s->k = trial->real[TRIAL_K];
  s->dissipated += trial->real[TRIAL_LOSS];
  return MS_SUCCESS;
}

/* Rows of x and xi. Slip: sign dslip = A (du - dx) - sign B dr + C dxi. */
static void sensitivity_slip(const stiction_model *m, const stiction_state *s,
                             const ms_joint_input *in, const ms_joint_output *out,
                             const ms_step_sensitivity *d) {
  double e = in->u[0] - s->x, sign = e > 0.0 ? 1.0 : -1.0, on = s->xi * e > 0.0 ? 1.0 : 0.0;
  int falling = out->du[0] != 0.0;
  double A = falling ? 1.0 / (1.0 - m->h) : 1.0, C = falling ? m->h * A : 0.0;
  double B = sign * (falling ? m->F_s * A : m->F_c) / m->K_T, k_K = in->k * m->K_T * C;
  const double *du = d->u, *alpha = d->alpha, *k = d->k;
  double *restrict x = d->row, *restrict xi = d->row + d->n, *restrict force = d->force;
  ms_ratio_slopes r = ms_sensitivity_ratio(in);
  for (ptrdiff_t i = 0; i < d->n; i++) {
    double run = on * xi[i];
    double dr = r.by_alpha * alpha[i] + r.by_k * k[i];
    double slip = A * (du[i] - x[i]) - B * dr + C * run;
    force[i] += k_K * (x[i] - run);
    x[i] += slip;
    xi[i] = run + slip;
  }
}

static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  const stiction_model *m = model;
  if (out->dalpha[0] != 0.0) {
    sensitivity_slip(m, state, in, out, d);
    return;
  }
  ms_sensitivity_add(d->n, -in->k * m->K_T, d->row, d->force);
  if (trial->real[TRIAL_XI] == 0.0) memset(d->row + d->n, 0, ms_sensitivity_bytes(d));
}

static double slip_scale(const void *model) {
  const stiction_model *m = model;
  return m->F_s / m->K_T;
}

/* In a steady cycle each half slips by xi and ends with elongation L(xi)/K_T, so that
   2 u0 = 2 L(xi)/K_T + xi. Below u0 = F_s/K_T a joint that begins virgin never slips. */
static double cycle(const void *model, double u0, double omega) {
  const stiction_model *m = model;
  (void)omega;
  if (u0 <= m->F_s / m->K_T) return 0.0;
  double xi = 2.0 * (u0 - m->F_c / m->K_T);
  if (xi < m->d_c) xi = 2.0 * (u0 - m->F_s / m->K_T) / (1.0 - 2.0 * m->h);
  return 2.0 * m->K_T * strength_area(m, 1.0, 0.0, xi);
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const stiction_model *m = model;
  const stiction_state *s = state;
  double e = s->u - s->x;
  *out = (ms_joint_energy) { .stored = 0.5 * s->k * m->K_T * e * e, .dissipated = s->dissipated };
}

const ms_law ms_law_stiction = {
  .info = { .name = "stiction",
            .title = "static friction that breaks away to a lower sliding force",
            .reference =
                "Karnopp, J. Dyn. Syst. Meas. Control 107 (1985) 100; Ida, J. Geophys. Res. "
                "77 (1972) 3796 (slip weakening)",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_NORMAL },
  .model_size = sizeof(stiction_model),
  .state_size = sizeof(stiction_state),
  .check = check,
  .setup = setup,
  .start = start,
  .update = update,
  .commit = commit,
  .cycle = cycle,
  .energy = energy,
  .slip_scale = slip_scale,
  .sensitivity = sensitivity,
  .n_row = 2,
};
