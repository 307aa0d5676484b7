/* Cubic spring: F = k (K u + K3 u^3). Conservative; the normal load has no influence, the
   stiffness ratio k scales both terms.

   K3 > 0 hardens. K3 < 0 softens: the slope is zero at u = sqrt(-K/(3 K3)), the force turns round
   at u = sqrt(-K/K3), and beyond the potential falls without bound, so nothing holds a structure
   that gets there. */
#include <math.h>

#include "joint/elastic.h"

typedef struct cubic_model {
  double K, K3;
} cubic_model;

static const ms_param params[] = {
  { MS_LAW_NOT_NEGATIVE("K", "N/m", "stiffness at small displacement",
                        "the spring must be stable at rest", 1e7) },
  { MS_LAW_ANY("K3", "N/m^3",
               "cubic stiffness: > 0 hardens, < 0 softens and has no bounded potential", 5e14),
    .required = 1 },
};

static void backbone(const void *model, double u, double *force, double *slope) {
  const cubic_model *m = model;
  *force = (m->K + m->K3 * u * u) * u;
  *slope = m->K + 3.0 * m->K3 * u * u;
}

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  double force, slope;
  (void)state;
  backbone(model, in->u[0], &force, &slope);
  return ms_elastic_update(force, slope, in, out, trial);
}

static int gradient(const double *value, int set, double u, double omega, ms_gradient *out) {
  (void)value, (void)set, (void)omega;
  out[0] = (ms_gradient) { .force = u, .stuck = 1.0 };
  out[1] = (ms_gradient) { .force = u * u * u };
  return 1;
}

static void energy(const void *model, const void *state, ms_joint_energy *out) {
  const cubic_model *m = model;
  const ms_elastic_state *s = state;
  double uu = s->u * s->u;
  *out = (ms_joint_energy) { .stored = s->k * (0.5 * m->K + 0.25 * m->K3 * uu) * uu };
}

static void sensitivity(const void *model, const void *state, const ms_joint_input *in,
                        const ms_joint_output *out, ms_joint_trial *trial,
                        const ms_step_sensitivity *d) {
  double u = in->u[0];
  (void)model, (void)state, (void)out, (void)trial;
  for (ptrdiff_t i = 0; i < d->n_param; i++) {
    const ms_sensitivity_param *p = &d->param[i];
    d->force[p->direction] += in->k * (p->slope[0] + p->slope[1] * u * u) * u;
  }
}

static void macroslip(const void *model, double *left) {
  left[0] = ((const cubic_model *)model)->K;
}

const ms_law ms_law_cubic = {
  .info = { .name = "cubic",
            .title = "linear and cubic spring",
            .reference = "Duffing 1918; Kovacic, Brennan, The Duffing Equation, Wiley 2011",
            MS_LAW_PARAMS(params),
            .n_axis = 1 },
  .model_size = sizeof(cubic_model),
  MS_ELASTIC_ENTRIES,
  .update = update,
  .backbone = backbone,
  .gradient = gradient,
  .energy = energy,
  .macroslip = macroslip,
  .sensitivity = sensitivity,
  .slopes = ms_slopes_plain,
};
