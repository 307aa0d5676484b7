/* Friction that is a function of the sliding velocity alone, F(v, alpha): what the laws coulomb,
   coulomb_viscous and stribeck have in common.

     F = alpha G(v) tanh(v/v_s) + C v

   The tanh stands for sgn(v): within a few v_s of rest the force is that of a stiff dashpot, so
   the force has a slope everywhere and a body never quite sticks. alpha scales the dry part; there
   is no spring for k to scale. Nothing is stored: the power F v is lost, and its integral over a
   step is taken by the trapezoidal rule, second order in dt. */
#ifndef MS_JOINT_FRICTION_SLIDING_H
#define MS_JOINT_FRICTION_SLIDING_H

#include <math.h>

#include "joint/impl.h"

typedef struct ms_sliding_state {
  double power, dissipated; /* F v at the end of the last step; lost so far */
} ms_sliding_state;

/* G and its derivative at the velocity of the step. */
typedef struct ms_sliding_level {
  double G, dv;
} ms_sliding_level;

enum { MS_SLIDING_POWER, MS_SLIDING_DT };

static inline ms_status ms_sliding_update(ms_sliding_level dry, double v_s, double C,
                                          const ms_joint_input *in, ms_joint_output *out,
                                          ms_joint_trial *trial) {
  double v = in->v[0], sign = tanh(v / v_s), slope = (1.0 - sign) * (1.0 + sign) / v_s;
  out->force[0] = in->alpha * dry.G * sign + C * v;
  out->du[0] = 0.0;
  out->dv[0] = in->alpha * (dry.dv * sign + dry.G * slope) + C;
  out->dalpha[0] = dry.G * sign;
  out->dk[0] = 0.0;
  trial->real[MS_SLIDING_POWER] = out->force[0] * v;
  trial->real[MS_SLIDING_DT] = in->dt;
  return MS_SUCCESS;
}

static inline ms_status ms_sliding_commit(ms_context *ctx, const void *model, void *state,
                                          const ms_joint_trial *trial) {
  ms_sliding_state *s = state;
  double power = trial->real[MS_SLIDING_POWER];
  (void)ctx;
  (void)model;
  s->dissipated += 0.5 * (s->power + power) * trial->real[MS_SLIDING_DT];
  s->power = power;
  return MS_SUCCESS;
}

static inline void ms_sliding_energy(const void *model, const void *state, ms_joint_energy *out) {
  (void)model;
  *out = (ms_joint_energy) { .dissipated = ((const ms_sliding_state *)state)->dissipated };
}

/* Parameters that the laws share. */
#define MS_SLIDING_F_C                                                                          \
  {                                                                                             \
    MS_LAW_POSITIVE("F_c", "N", "friction force when sliding", "dry friction needs some force", \
                    4000)                                                                       \
  }
#define MS_SLIDING_V_S                                                          \
  {                                                                             \
    MS_LAW_POSITIVE("v_s", "m/s", "velocity over which the force changes sign", \
                    "a force that jumps has no slope", 5e-4)                    \
  }
#define MS_SLIDING_C                                                         \
  {                                                                          \
    MS_LAW_NOT_NEGATIVE("C", "N s/m", "viscous coefficient",                 \
                        "viscous friction takes energy, it gives none", 3e4) \
  }

/* Of the laws' tables. */
#define MS_SLIDING_ENTRIES                                             \
  .state_size = sizeof(ms_sliding_state), .commit = ms_sliding_commit, \
  .energy = ms_sliding_energy, .sensitivity = ms_sensitivity_none

#endif
