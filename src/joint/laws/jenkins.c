/* Jenkins element: a spring K_T in series with a slider of slip force F_S. The anchor x moves only
   when the slider slips: F = k K_T (u - x), |F| <= alpha F_S. */
#include <math.h>

#include "joint/impl.h"

typedef struct jenkins_model {
  double F_S, K_T;
} jenkins_model;

typedef struct jenkins_state {
  double u, x, alpha, k, dissipated;
} jenkins_state;

static const ms_param params[] = {
  { MS_LAW_POSITIVE("F_S", "N", "slip force", "a slider needs some force to slip", 4000) },
  { MS_LAW_POSITIVE("K_T", "N/m", "stiffness of the spring", "the stuck element carries load",
                    1e8) },
};

static void start(const void *model, void *state, const double *u) {
  (void)model;
  *(jenkins_state *)state = (jenkins_state) { .u = u[0], .x = u[0], .alpha = 1.0, .k = 1.0 };
}

enum { TRIAL_U, TRIAL_X, TRIAL_ALPHA, TRIAL_K };

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const jenkins_model *m = model;
  const jenkins_state *s = state;
  double e = in->u[0] - s->x, limit = in->alpha * m->F_S / (in->k * m->K_T);
  double slip = e > limit ? 1.0 : e < -limit ? -1.0 : 0.0;
  int stuck = slip == 0.0;
  out->force[0] = stuck ? in->k * m->K_T * e : slip * in->alpha * m->F_S;
  out->du[0] = stuck && in->alpha > 0.0 ? in->k * m->K_T : 0.0;
  out->dv[0] = 0.0;
  out->dalpha[0] = slip * m->F_S;
  out->dk[0] = stuck ? m->K_T * e : 0.0;
  trial->real[TRIAL_U] = in->u[0];
  trial->real[TRIAL_X] = stuck ? s->x : in->u[0] - slip * limit;
  trial->real[TRIAL_ALPHA] = in->alpha;
  trial->real[TRIAL_K] = in->k;
  return MS_SUCCESS;
}

/* Loss: slip force times slip; exact at constant load, second order in the step otherwise. */
static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  const jenkins_model *m = model;
  jenkins_state *s = state;
  double x = trial->real[TRIAL_X], alpha = trial->real[TRIAL_ALPHA];
  (void)ctx;
  s->dissipated += 0.5 * (s->alpha + alpha) * m->F_S * fabs(x - s->x);
  s->u = trial->real[TRIAL_U];
  s->x = x;
  s->alpha = alpha;
  s->k = trial->real[TRIAL_K];
  return MS_SUCCESS;
}

static double slip_scale(const void *model) {
  const jenkins_model *m = model;
  return m->F_S / m->K_T;
}

static void backbone(const void *model, double u, double *force, double *slope) {
  const jenkins_model *m = model;
  int stuck = fabs(u) <= slip_scale(model);
  *force = stuck ? m->K_T * u : copysign(m->F_S, u);
  *slope = stuck ? m->K_T : 0.0;
}

static double cycle(const void *model, double u0, double omega) {
  const jenkins_model *m = model;
  (void)omega;
  return 4.0 * m->F_S * fmax(0.0, u0 - slip_scale(model));
}

static int gradient(const double *value, int set, double u, double omega, ms_gradient *out) {
  double F_S = value[0], K_T = value[1];
  (void)set, (void)omega;
  out[1].stuck = 1.0;
  if (fabs(u) <= F_S / K_T) {
    out[1].force = u;
    return 1;
  }
  out[0] = (ms_gradient) { .force = copysign(1.0, u), .loss = 4.0 * (fabs(u) - 2.0 * F_S / K_T) };
  out[1].loss = 4.0 * (F_S / K_T) * (F_S / K_T);
  return 1;
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const jenkins_model *m = model;
  const jenkins_state *s = state;
  double e = s->u - s->x;
  *out = (ms_joint_energy) { .stored = 0.5 * s->k * m->K_T * e * e, .dissipated = s->dissipated };
}

/* A parameter moves the force as it stands; an anchor that slips, x = u - slip r F_S/K_T, too. */
static void sensitivity_params(const jenkins_model *m, const jenkins_state *s,
                               const ms_joint_input *in, double slip,
                               const ms_step_sensitivity *d) {
  double e = in->u[0] - s->x, r = in->alpha / in->k, phi = m->F_S / m->K_T;
  for (ptrdiff_t i = 0; i < d->n_param; i++) {
    const ms_sensitivity_param *p = &d->param[i];
    double F_S = p->slope[0], K_T = p->slope[1];
    d->force[p->direction] += slip == 0.0 ? in->k * K_T * e : slip * in->alpha * F_S;
    d->row[p->direction] -= slip * r * (F_S - phi * K_T) / m->K_T;
  }
}

/* The anchor's row: kept while it holds; an open joint holds nothing. */
static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  const jenkins_model *m = model;
  (void)trial;
  if (out->dalpha[0] == 0.0 && in->alpha > 0.0) {
    ms_sensitivity_add(d->n, -in->k * m->K_T, d->row, d->force);
  } else {
    ms_sensitivity_anchor(d, out->dalpha[0] / m->K_T, in, d->row);
  }
  if (d->n_param > 0) sensitivity_params(m, state, in, out->dalpha[0] / m->F_S, d);
}

const ms_law ms_law_jenkins = {
  .info = { .name = "jenkins",
            .title = "spring in series with a slider",
            .reference = "Jenkins 1962; Iwan, J. Appl. Mech. 33 (1966) 893",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_MASING | MS_LAW_NORMAL },
  .model_size = sizeof(jenkins_model),
  .state_size = sizeof(jenkins_state),
  .start = start,
  .update = update,
  .commit = commit,
  .backbone = backbone,
  .cycle = cycle,
  .gradient = gradient,
  .energy = energy,
  .slip_scale = slip_scale,
  .sensitivity = sensitivity,
  .n_row = 1,
  .slopes = ms_slopes_plain,
};
