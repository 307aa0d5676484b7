/* Spring and dashpot in parallel: F = k K u + C v. The stiffness ratio k scales the spring; the
   normal load has no influence. */
#include <math.h>

#include "joint/impl.h"

typedef struct linear_model {
  double K, C;
} linear_model;

typedef struct linear_state {
  double u, v, k, dissipated;
} linear_state;

static const ms_param params[] = {
  { MS_LAW_NOT_NEGATIVE("K", "N/m", "stiffness", "a spring pushes back", 1e7) },
  { MS_LAW_OPTIONAL("C", "N s/m", "damping", "a dashpot dissipates energy", 0) },
};

static void start(const void *model, void *state, const double *u) {
  (void)model;
  *(linear_state *)state = (linear_state) { .u = u[0], .k = 1.0 };
}

enum { TRIAL_U, TRIAL_V, TRIAL_K, TRIAL_DT };

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const linear_model *m = model;
  (void)state;
  out->force[0] = in->k * m->K * in->u[0] + m->C * in->v[0];
  out->du[0] = in->k * m->K;
  out->dv[0] = m->C;
  out->dalpha[0] = 0.0;
  out->dk[0] = m->K * in->u[0];
  trial->real[TRIAL_U] = in->u[0];
  trial->real[TRIAL_V] = in->v[0];
  trial->real[TRIAL_K] = in->k;
  trial->real[TRIAL_DT] = in->dt;
  return MS_SUCCESS;
}

/* The dashpot's loss over the step, C int v^2 dt, by the trapezoidal rule. */
static ms_status commit(ms_context *ctx, const void *model, void *state,
                        const ms_joint_trial *trial) {
  const linear_model *m = model;
  linear_state *s = state;
  double v = trial->real[TRIAL_V];
  (void)ctx;
  s->dissipated += 0.5 * m->C * (s->v * s->v + v * v) * trial->real[TRIAL_DT];
  s->u = trial->real[TRIAL_U];
  s->v = v;
  s->k = trial->real[TRIAL_K];
  return MS_SUCCESS;
}

static void backbone(const void *model, double u, double *force, double *slope) {
  const linear_model *m = model;
  *force = m->K * u;
  *slope = m->K;
}

static double cycle(const void *model, double u0, double omega) {
  const linear_model *m = model;
  return acos(-1.0) * m->C * omega * u0 * u0;
}

static int gradient(const double *value, int set, double u, double omega, ms_gradient *out) {
  (void)value, (void)set;
  out[0] = (ms_gradient) { .force = u, .stuck = 1.0 };
  out[1] = (ms_gradient) { .loss = acos(-1.0) * omega * u * u };
  return 1;
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const linear_model *m = model;
  const linear_state *s = state;
  *out =
      (ms_joint_energy) { .stored = 0.5 * s->k * m->K * s->u * s->u, .dissipated = s->dissipated };
}

static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  (void)model, (void)state, (void)out, (void)trial;
  for (ptrdiff_t i = 0; i < d->n_param; i++) {
    const ms_sensitivity_param *p = &d->param[i];
    d->force[p->direction] += in->k * p->slope[0] * in->u[0] + p->slope[1] * in->v[0];
  }
}

static void macroslip(const void *model, double *left) {
  left[0] = ((const linear_model *)model)->K;
}

const ms_law ms_law_linear = {
  .info = { .name = "linear",
            .title = "spring and dashpot in parallel",
            .reference = "Kelvin-Voigt element",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_RATE },
  .model_size = sizeof(linear_model),
  .state_size = sizeof(linear_state),
  .start = start,
  .update = update,
  .commit = commit,
  .backbone = backbone,
  .cycle = cycle,
  .gradient = gradient,
  .energy = energy,
  .macroslip = macroslip,
  .sensitivity = sensitivity,
  .slopes = ms_slopes_plain,
};
