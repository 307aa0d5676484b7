/* Derivatives of the power-law densities, rho = R phi^chi on (phi_1, phi_2), S at phi_2, K_inf
   beside, for the laws built on them. */
#ifndef MS_JOINT_IWAN_GRADIENT_H
#define MS_JOINT_IWAN_GRADIENT_H

#include "joint/impl.h"

/* The parameters there can be, by force and by density; chi and K_inf belong to both sets. */
enum {
  MS_RANGE_F_S,
  MS_RANGE_K_T,
  MS_RANGE_CHI,
  MS_RANGE_BETA,
  MS_RANGE_RATIO,
  MS_RANGE_R,
  MS_RANGE_S,
  MS_RANGE_PHI_1,
  MS_RANGE_PHI_2,
  MS_RANGE_K_INF,
  MS_RANGE_N
};

/* place[i]: where a law keeps parameter i among its values, -1 if it has none (it is 0 then). Fills
   out[place[i]] for the parameters of the set; always 1. A derivative that is infinite comes as
   such. */
int ms_range_gradient(const double *value, const int place[MS_RANGE_N], int by_force, double u,
                      ms_gradient *out);

/* a x + b y */
static inline ms_gradient ms_gradient_add(ms_gradient x, double a, ms_gradient y, double b) {
  return (ms_gradient) { .force = a * x.force + b * y.force,
                         .stuck = a * x.stuck + b * y.stuck,
                         .loss = a * x.loss + b * y.loss };
}

#endif
