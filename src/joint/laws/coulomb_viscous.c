/* Coulomb and viscous friction together: F = alpha F_c tanh(v/v_s) + C v. The normal load scales
   the dry part; the viscous one is a film's and keeps its coefficient. k has no effect. */
#include "joint/friction/sliding.h"

typedef struct coulomb_viscous_model {
  double F_c, v_s, C;
} coulomb_viscous_model;

static const ms_param params[] = { MS_SLIDING_F_C, MS_SLIDING_V_S, MS_SLIDING_C };

static ms_status update(const void *model, const void *state, const ms_joint_input *in,
                        ms_joint_output *out, ms_joint_trial *trial) {
  const coulomb_viscous_model *m = model;
  (void)state;
  return ms_sliding_update((ms_sliding_level) { m->F_c, 0.0 }, m->v_s, m->C, in, out, trial);
}

const ms_law ms_law_coulomb_viscous = {
  .info = { .name = "coulomb_viscous",
            .title = "dry friction and a dashpot in parallel",
            .reference = "Coulomb (1785); Morin (1833); Reynolds (1886)",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_RATE | MS_LAW_NORMAL | MS_LAW_SLIDING },
  .model_size = sizeof(coulomb_viscous_model),
  MS_SLIDING_ENTRIES,
  .update = update,
};
