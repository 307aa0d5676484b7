/* Joints and histories for the tests. */
#ifndef MS_TEST_JOINTS_H
#define MS_TEST_JOINTS_H

#include <microslip/joint.h>

/* A joint of the law with typical parameters, ready; fails the test and returns NULL otherwise. */
ms_joint *test_typical(const char *law);

/* Pairs of name and value, ended by NULL: test_joint("jenkins", "F_S", 2.385, "K_T", 0.71, NULL).
 */
ms_joint *test_joint(const char *law, ...);

/* The displacement that matters to a joint: its slip scale, or 1e-4 m where it has none. */
double test_scale(const ms_joint *joint);

/* The law under a normal spring that lifts off at u_n = -0.6 of the law's scale, preload and
   reference load apart; stiffness constant, or rising with the load from a part of its own. NULL
   stays NULL. */
ms_joint *test_loaded(ms_joint *law, int stiffening);

/* A wandering history: step i's displacement on every axis, velocity, time step; if `load`, alpha
   and k wander too. The same seed gives the same history. */
typedef struct test_history {
  ms_random random;
  ms_joint_input in;
  double scale;
  int n_axis, load;
} test_history;
test_history test_wander(const ms_joint *joint, unsigned seed, int load);
const ms_joint_input *test_next(test_history *history);

#endif
