/* Coulomb friction, regularised: F = alpha F_c tanh(v/v_s). friction/sliding.h says what tanh
   stands for; tanh and not a ramp, because Newton's method likes a slope without corners. k has no
   effect. */
#include "joint/friction/sliding.h"

typedef struct coulomb_model {
  double F_c, v_s;
} coulomb_model;

static const ms_param params[] = { MS_SLIDING_F_C, MS_SLIDING_V_S };

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const coulomb_model *m = model;
  (void)state;
  return ms_sliding_update((ms_sliding_level) { m->F_c, 0.0 }, m->v_s, 0.0, in, out, trial);
}

const ms_law ms_law_coulomb = {
  .info = { .name = "coulomb",
            .title = "dry friction, smoothed about zero velocity",
            .reference = "Coulomb, Theorie des machines simples (1785)",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_RATE | MS_LAW_NORMAL | MS_LAW_SLIDING },
  .model_size = sizeof(coulomb_model),
  MS_SLIDING_ENTRIES,
  .update = update,
};
