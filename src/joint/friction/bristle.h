/* A spring that slips little by little, with another spring beside it: what the laws of Dahl, of
   Bouc and Wen and of Valanis have in common.

     F = k (K_inf u + K z),     dz = f(y) du,     y = sgn(du) z/limit,     limit = (alpha/k) z_max

   z      elongation of the slipping spring; what it does not take of du is slip
   f      1 at y = 0 and 0 at y = 1, falling in between: this is where the laws differ
   x      |du|/limit, the length of a step; along it dy/dx = f(y), whatever the direction
   alpha  scales the saturation K z_max, k both springs

   Dahl's f falls from f(-1) > 1 to f(1) = 0 through f(0) = 1, and so do the others': K z (du - dz)
   is never negative. That makes K z^2/2 a stored energy and the rest a loss for all of them.
   Depends on the path of u alone, not on time. A law gives `drop` and `flow` and enters the
   MS_BRISTLE_ENTRIES in its table; its model begins with a ms_bristle, its state is a
   ms_bristle_state. */
#ifndef MS_JOINT_FRICTION_BRISTLE_H
#define MS_JOINT_FRICTION_BRISTLE_H

#include "joint/impl.h"

typedef struct ms_bristle ms_bristle;

/* The end of a step of length x > 0 from y0, -1 <= y0 <= 1. */
typedef struct ms_bristle_flow {
  double y; /* y at the end */
  double J; /* dy/dy0 */
  double I; /* int y dx over the step */
} ms_bristle_flow;

struct ms_bristle {
  double K, K_inf, z_max;
  double (*drop)(const ms_bristle *b, double y); /* 1 - f(y), to its last digits at small y */
  ms_bristle_flow (*flow)(const ms_bristle *b, double y0, double x);
};

typedef struct ms_bristle_state {
  double u, z, k, dissipated;
} ms_bristle_state;

/* int y (1 - f(y)) dx from y0 to y1: the loss over a step in units of K limit^2. */
double ms_bristle_loss(const ms_bristle *b, double y0, double y1, double x, double I);

void ms_bristle_start(const void *model, void *state, const double *u);
ms_status ms_bristle_update(const void *model, const void *state, const ms_joint_input *in,
                            ms_joint_output *out, ms_joint_trial *trial);
ms_status ms_bristle_commit(ms_context *ctx, const void *model, void *state,
                            const ms_joint_trial *trial);
void ms_bristle_energy(const void *model, const void *state, ms_joint_energy *out);
double ms_bristle_slip_scale(const void *model);
void ms_bristle_macroslip(const void *model, double *K);
double *ms_bristle_fading(void *state);
void ms_bristle_sensitivity(const void *model, const void *state, const ms_joint_input *in,
                            const ms_joint_output *out, ms_joint_trial *trial,
                            const ms_step_sensitivity *d);

#define MS_BRISTLE_ENTRIES                                                                        \
  .state_size = sizeof(ms_bristle_state), .start = ms_bristle_start, .update = ms_bristle_update, \
  .commit = ms_bristle_commit, .energy = ms_bristle_energy, .slip_scale = ms_bristle_slip_scale,  \
  .macroslip = ms_bristle_macroslip, .fading = ms_bristle_fading,                                 \
  .sensitivity = ms_bristle_sensitivity, .n_row = 2

#endif
