/* Derivatives of a joint's first loading and cycle loss with respect to its parameters. */
#ifndef MS_JOINT_GRADIENT_H
#define MS_JOINT_GRADIENT_H

#include "joint/impl.h"

typedef struct ms_joint_gradient {
  int member; /* of a joint made of several laws */
  const ms_param *param;
  double value;
  ms_gradient d;
  int by_differences;
} ms_joint_gradient;

/* The joint's numbers: those of the set it was given in, no counts, choices, tables. */
int ms_joint_count_gradient(const ms_joint *joint);
/* One entry for each of them, at u on the only axis: of the odd part (f(u) - f(-u))/2 of first
   loading, and of the loss per cycle of amplitude |u| at omega. */
ms_status ms_joint_fill_gradient(const ms_joint *joint, double u, double omega,
                                 ms_joint_gradient *out);
/* Derivatives of the loss with respect to |u| and omega; the joint must be virgin. */
ms_status ms_joint_loss_slopes(const ms_joint *joint, double u, double omega, double *by_u,
                               double *by_omega);

#endif
