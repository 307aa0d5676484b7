/* Small structures with joints whose displacement is quadratic, and an integration of their own for
   them: Runge and Kutta's in coordinates, which knows nothing of modes or of the library's solvers.

     z_a = b_a^T u + u^T G_a u/2,     M u" + c M u' + K u + sum (b_a + G_a u) f_a = p s(t)  */
#ifndef MS_TEST_CURVED_H
#define MS_TEST_CURVED_H

#include <microslip/response.h>

enum { TEST_CURVED_SIZE = 3, TEST_CURVED_JOINTS = 2, TEST_CURVED_AXES = 2 };

typedef struct test_curved_attachment {
  ms_joint *(*make)(void);
  int n_axis;
  double b[TEST_CURVED_AXES][TEST_CURVED_SIZE];
  const double *G[TEST_CURVED_AXES]; /* n x n, or NULL */
} test_curved_attachment;

typedef struct test_curved {
  int n, n_joint;
  double m[TEST_CURVED_SIZE], k[TEST_CURVED_SIZE]; /* springs to the neighbour before, or ground */
  double damping;                                  /* c, 1/s */
  double p[TEST_CURVED_SIZE], omega;               /* s = sin(omega t) up to half a period */
  double u0[TEST_CURVED_SIZE], v0[TEST_CURVED_SIZE];
  test_curved_attachment attachment[TEST_CURVED_JOINTS];
} test_curved;

/* Where a motion has got to. */
typedef struct test_curved_state {
  double u[TEST_CURVED_SIZE], v[TEST_CURVED_SIZE];
  double z[TEST_CURVED_JOINTS * TEST_CURVED_AXES], f[TEST_CURVED_JOINTS * TEST_CURVED_AXES];
  double energy;  /* that went in or was there at first */
  double balance; /* of it; 0 where a law keeps no energy */
} test_curved_state;

/* Three masses, a blow on the last and velocities of their own, on one joint with curvature; of a
   second axis that it may have there is b, and no G. An iwan4 for it. */
test_curved test_curved_three(ms_joint *(*make)(void), int n_axis);
ms_joint *test_curved_iwan(void);
/* G of its first axis, indefinite, and one for the second. */
extern const double test_curved_G[TEST_CURVED_SIZE * TEST_CURVED_SIZE],
    test_curved_G_across[TEST_CURVED_SIZE * TEST_CURVED_SIZE];

/* The library's structure; curvature of the lowest `modes`, 0: all. */
ms_structure *test_curved_structure(const test_curved *c, ptrdiff_t modes);
/* A run of it from u0, v0 under the load. */
ms_transient *test_curved_run(test_curved *c, ms_structure *s, const ms_transient_setting *setting);
/* ... and where it is. */
test_curved_state test_curved_now(const test_curved *c, const ms_transient *run);

/* The test's own integration to `time`; conjugate = 0 leaves the forces G u f out. */
test_curved_state test_curved_reference(const test_curved *c, double time, long steps,
                                        int conjugate);

/* The largest difference in u, over the largest of the reference's. */
double test_curved_distance(const test_curved *c, const test_curved_state *state,
                            const test_curved_state *want);

#endif
