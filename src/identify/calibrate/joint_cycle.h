/* The steady cycle of a joint at a given force. */
#ifndef MS_IDENTIFY_CALIBRATE_JOINT_CYCLE_H
#define MS_IDENTIFY_CALIBRATE_JOINT_CYCLE_H

#include <microslip/joint.h>

enum { MS_JOINT_CYCLE_POINTS = 256 }; /* of a cycle that is stepped; one more force is kept */

typedef struct ms_joint_at_force {
  double u;        /* amplitude */
  double force;    /* half the way between the turning points */
  double slope;    /* of the force, by u; closed forms only */
  double loss;     /* per cycle */
  double residual; /* of the force, relative to what was asked for */
} ms_joint_at_force;

/* Whether the joint's cycles have closed forms: first loading and loss of every law on the first
   axis. */
int ms_joint_has_closed_cycle(const ms_joint *joint);

/* The cycle with this force, the amplitude looked for about `guess` > 0; in closed form, or stepped
   from the virgin state. scratch: MS_JOINT_CYCLE_POINTS + 1. MS_NOT_CONVERGED where the joint does
   not reach the force. */
ms_status ms_joint_find_cycle(ms_joint *joint, double force, double omega, double guess,
                              double *scratch, ms_joint_at_force *out);

/* The loss of a cycle of amplitude u > 0, in the same way. */
ms_status ms_joint_cycle_loss(ms_joint *joint, double u, double omega, double *scratch,
                              double *out);

/* Of closed forms: derivative of the loss by the amplitude. */
double ms_joint_loss_slope(const ms_joint *joint, double u, double omega);

#endif
