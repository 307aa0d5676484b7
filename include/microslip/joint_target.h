/* Calibration of joints from tests of one joint alone: hysteresis loops, and stiffness and
   dissipation per cycle against force (docs/theory/joint-tests.md).

   Residuals are for fit.h, objectives for pareto.h, as those of calibrate.h. Tests act on the
   joint's first axis, the others at rest; parameters of other joints leave them alone. SI units. */
#ifndef MICROSLIP_JOINT_TARGET_H
#define MICROSLIP_JOINT_TARGET_H

#include <microslip/calibrate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- loops ---------------------------------------------------------------------------------- */

/* A record of displacement and force. The law is driven along the displacement from its virgin
   state at zero, whichever of the two the test controlled, and the forces are compared. */
typedef struct ms_loop_target {
  const char *name; /* for messages; may be NULL */
  int joint;        /* of the structure */
  ptrdiff_t n;
  const double *u, *force;
  const double *t; /* rising; may be NULL for laws that do not know time */
  const int *row;  /* where each point came from, for messages; NULL: from 1 on */
  int laps;        /* times that the record is run through, >= 1; the last is compared */
  double weight;   /* > 0, of the squares */
} ms_loop_target;

enum { MS_LOOP_LEAST = 5 }; /* points that a loop needs */

/* Residuals: sqrt(weight) (force - target)/(max - min of the target's force). Objective: the mean
   of their squares without the weight. */
typedef struct ms_loops ms_loops;

/* Targets are copied, the structure is borrowed as for ms_backbone_model_create. Refused with the
   row named: too few points, values that are not finite, time that does not rise or is missing
   where the law needs it, force or displacement that does not change. */
MS_API ms_status ms_loops_create(ms_structure *structure, ptrdiff_t n_parameter,
                                 const ms_free_parameter *parameter, ptrdiff_t n_target,
                                 const ms_loop_target *target, ms_loops **out);
MS_API void ms_loops_destroy(ms_loops **loops);
MS_API ptrdiff_t ms_loops_count_residuals(const ms_loops *loops);
MS_API ptrdiff_t ms_loops_count_targets(const ms_loops *loops);
/* ms_fit_eval: user is the loops. Derivatives are exact for laws that carry those of their
   parameters (ms_tangent_set_parameter), else by differences. */
MS_API ms_status ms_loops_eval(void *user, const double *p, double *r, double *jac);
/* One for each target. */
MS_API ms_status ms_loops_objectives(ms_loops *loops, const double *p, double *f);
/* Owned by the loops. */
MS_API ms_loop_target ms_loops_target(const ms_loops *loops, ptrdiff_t k);
/* The forces at the parameters evaluated last, n of them; *range is what differences are relative
   to. */
MS_API const double *ms_loops_force(const ms_loops *loops, ptrdiff_t k, double *range);
/* Whether the last Jacobian was by differences. */
MS_API int ms_loops_by_differences(const ms_loops *loops);

/* ---- stiffness and dissipation against force ------------------------------------------------ */

/* Steady cycles u cos(omega t) reached from the virgin state. Force is the joint's at the turning
   points, half its way from one to the other; stiffness is the secant between them, force/u; loss
   is the energy dissipated per cycle. */
typedef struct ms_joint_test {
  const char *name; /* for messages; may be NULL */
  int joint;
  ptrdiff_t n;
  const double *force, *stiffness, *loss; /* n points, in any order */
  const int *row;                         /* as above */
  double omega;     /* of the cycles, rad/s; 0: quasi-static, for laws that do not know time */
  double low, high; /* points outside low <= force <= high are left out; 0: no limit */
  double weight_stiffness, weight_loss; /* >= 0, of the squares; 0: not looked at */
} ms_joint_test;

/* Residuals, for each target first its stiffnesses and then its losses:

     sqrt(weight_stiffness) ln(k/k_target),  sqrt(weight_loss) ln(D/D_target)

   and its objectives, (1/N) sum ((k - k_target)/k_target)^2 and the same of D. */
typedef struct ms_joint_tests ms_joint_tests;

/* Targets are copied. Refused with the rows named: fewer points than MS_TARGET_LEAST in the window,
   force, stiffness or loss that is not positive, and omega = 0 for a law that knows time. */
MS_API ms_status ms_joint_tests_check(ms_structure *structure, const ms_joint_test *test);
MS_API ms_status ms_joint_tests_create(ms_structure *structure, ptrdiff_t n_parameter,
                                       const ms_free_parameter *parameter, ptrdiff_t n_target,
                                       const ms_joint_test *target, ms_joint_tests **out);
MS_API void ms_joint_tests_destroy(ms_joint_tests **tests);
MS_API ptrdiff_t ms_joint_tests_count_residuals(const ms_joint_tests *tests);
/* ms_fit_eval: user is the tests. MS_NOT_CONVERGED where a joint does not reach a force, with the
   row named. Derivatives are exact for laws with closed forms, else by differences. */
MS_API ms_status ms_joint_tests_eval(void *user, const double *p, double *r, double *jac);
/* f[2 k], f[2 k + 1]: misfit of stiffness and loss of target k. */
MS_API ms_status ms_joint_tests_objectives(ms_joint_tests *tests, const double *p, double *f);
/* The points that are used, sorted by force; owned by the tests. */
MS_API ms_joint_test ms_joint_tests_target(const ms_joint_tests *tests, ptrdiff_t k);
/* Values at the parameters evaluated last, n of each. */
typedef struct ms_joint_test_values {
  ptrdiff_t n;
  const double *u, *stiffness, *loss;
  double residual;    /* largest of the forces, relative */
  int by_differences; /* the last Jacobian */
} ms_joint_test_values;
MS_API ms_joint_test_values ms_joint_tests_values(const ms_joint_tests *tests, ptrdiff_t k);

#ifdef __cplusplus
}
#endif
#endif
