/* What a joint test at a given force amplitude finds. */
#ifndef MS_IDENTIFY_JOINT_TEST_H
#define MS_IDENTIFY_JOINT_TEST_H

#include <microslip/joint.h>

typedef struct ms_joint_test_point {
  double u;         /* displacement amplitude */
  double stiffness; /* force/u */
  double loss;      /* per cycle */
} ms_joint_test_point;

/* A steady cycle, reached by rising amplitudes from the virgin state: u is where first loading has
   the force, the loss that of a cycle of amplitude u, in closed form where the law has one. `loss`
   is the joint that has the loss, NULL: the same. MS_NOT_CONVERGED where first loading does not
   reach the force. */
ms_status ms_joint_test_eval(ms_joint *joint, ms_joint *loss, double force, double omega,
                             ms_joint_test_point *out);

#endif
