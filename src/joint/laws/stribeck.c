/* Stribeck friction: boundary lubrication near rest, a fall towards the sliding force, a film's
   viscous rise,

     F = alpha [F_c + (F_s - F_c) exp(-|v/v_st|^delta)] tanh(v/v_s) + C v.

   friction/sliding.h says what tanh stands for: the static force F_s shows as the peak of the
   curve, the higher the smaller v_s is beside v_st. alpha scales F_c and F_s; k has no effect. */
#include "joint/friction/sliding.h"

typedef struct stribeck_model {
  double F_c, v_s, C, F_s, v_st, delta;
} stribeck_model;

enum { F_C, V_S, VISCOUS, F_S, V_ST };
static const ms_param params[] = {
  MS_SLIDING_F_C,
  MS_SLIDING_V_S,
  MS_SLIDING_C,
  { MS_LAW_POSITIVE("F_s", "N", "static friction force; at least F_c",
                    "dry friction needs some force", 5200) },
  { MS_LAW_POSITIVE("v_st", "m/s",
                    "velocity at which the static part has fallen to 1/e; more than v_s",
                    "the decrease needs some velocity", 5e-3) },
  { .name = "delta",
    .unit = "-",
    .meaning = "exponent of the decrease",
    .lower = 0,
    .upper = 20,
    .open = 1,
    .why = "0 means no decrease; above 20 it is a step",
    .typical = 2 },
};

static ms_status check(ms_context *ctx, double *value, int set) {
  (void)set;
  if (value[F_S] < value[F_C]) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "law stribeck: F_s = %g must be at least F_c = %g",
                   value[F_S], value[F_C]);
  }
  if (value[V_ST] > value[V_S]) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "law stribeck: v_st = %g must be more than v_s = %g, or the smoothing hides the "
                 "static force",
                 value[V_ST], value[V_S]);
}

static const double gone = 745.0; /* exp(-gone) is the smallest number above 0 */

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const stribeck_model *m = model;
  double v = in->v[0], fall = fmin(pow(fabs(v) / m->v_st, m->delta), gone);
  double extra = (m->F_s - m->F_c) * exp(-fall);
  double dv = v != 0.0 ? -extra * m->delta * fall / v : 0.0; /* times tanh, 0 at rest */
  (void)state;
  return ms_sliding_update((ms_sliding_level) { m->F_c + extra, dv }, m->v_s, m->C, in, out, trial);
}

const ms_law ms_law_stribeck = {
  .info = { .name = "stribeck",
            .title = "static, sliding and viscous friction in one curve",
            .reference = "Stribeck, Z. VDI 46 (1902) 1341; Armstrong-Helouvry, Dupont, Canudas de "
                         "Wit, Automatica 30 (1994) 1083",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_RATE | MS_LAW_NORMAL | MS_LAW_SLIDING },
  .model_size = sizeof(stribeck_model),
  MS_SLIDING_ENTRIES,
  .check = check,
  .update = update,
};
