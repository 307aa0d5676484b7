/* [identify] Calibration of joints: parameters with which a model matches curves of frequency and
   damping, loops and tests of a joint alone, hammer tests, or a stepped sine.

   A backbone model turns joint parameters into quasi-static curves (quasistatic.h, qsma) fast: the
   stuck modes that move with a joint's stiffness are followed, not solved for again
   (docs/theory/calibration.md), but where springs or masses are free. A calibration holds such
   models against targets: residuals for fit.h, objectives for pareto.h. One model or calibration
   belongs to one thread. SI units. */
#ifndef MICROSLIP_CALIBRATE_H
#define MICROSLIP_CALIBRATE_H

#include <microslip/fit.h>
#include <microslip/hammer.h>
#include <microslip/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- from parameters to curves -------------------------------------------------------------- */

/* A number of a joint; or of contacts between solids (ms_structure_set_contact), the ratio of modal
   damping of a stuck mode, a spring or mass that was added to the structure, a gain of a hammer
   test: recorded over true value. */
#define MS_PLACE_CONTACT (-1)
#define MS_PLACE_DAMPING (-2)
#define MS_PLACE_GAIN    (-3)
#define MS_PLACE_SPRING  (-4)
#define MS_PLACE_MASS    (-5)
#define MS_PLACE_HAMMER  (-1)
typedef struct ms_parameter_place {
  int joint;         /* or one of MS_PLACE_ */
  int member;        /* of a joint made of several laws, else 0; of contacts the number; the mode;
                        the spring; the degree of freedom of a mass or sensor, or MS_PLACE_HAMMER */
  const char *param; /* "K_T", of the set that the joint was given in; of others not read */
} ms_parameter_place;

/* All places of a name: parameter `param` of the joints whose names match `pattern` (as bolt.*), or
   of members of theirs; "damping" of mode.1, mode.*; "gain" of hammer, sensor.NAME with the name of
   a degree of freedom; "1" of spring (ms_structure_add_named_spring), "left" of mass; numbers of
   contacts, "mu" of contacts.lap. Appended to *n places; the caller's, to be freed by ms_free after
   a failure too. */
MS_API ms_status ms_parameter_find_places(const ms_structure *structure, const char *pattern,
                                          const char *param, ptrdiff_t *n,
                                          ms_parameter_place **out);
/* Name, unit, meaning and range of what is in a place. */
MS_API const ms_param *ms_parameter_place_param(const ms_structure *structure,
                                                const ms_parameter_place *place);
/* Whether it may take both of these values. */
MS_API ms_status ms_parameter_place_check(ms_context *ctx, const ms_structure *structure,
                                          const ms_parameter_place *place, double lower,
                                          double upper);

/* One free parameter: all its places have the same value. Copied. */
typedef struct ms_free_parameter {
  const char *name; /* for messages: "K_T of lap" */
  ptrdiff_t n_place;
  const ms_parameter_place *place;
} ms_free_parameter;

/* A curve of mode `mode` (from 0, of the structure as it is set up) at amplitudes q > 0 that do not
   fall. Copied. */
typedef struct ms_curve_request {
  ptrdiff_t mode, n;
  const double *q;
} ms_curve_request;

typedef struct ms_backbone_model ms_backbone_model;

/* The structure is borrowed: set up, and the reference whose modes are followed. The model sets the
   parameters of its joints; the structure must not be used otherwise meanwhile, nor set up again.
   Where springs or masses are free, a copy is set up anew for every p, and a curve is that of the
   mode most like the reference's, which keeps that one's damping ratio. */
MS_API ms_status ms_backbone_model_create(ms_structure *structure, ptrdiff_t n_parameter,
                                          const ms_free_parameter *parameter, ptrdiff_t n_curve,
                                          const ms_curve_request *curve, ms_backbone_model **out);
/* The joints get back the parameters they had at create. */
MS_API void ms_backbone_model_destroy(ms_backbone_model **model);
/* The parameters that the joints have now; of several places that of the first. */
MS_API ms_status ms_backbone_model_get(const ms_backbone_model *model, double *p);
/* Every curve at p; with `derivatives` also d/dp, exact where the laws have closed forms and no
   level had to be cycled, else by differences. MS_NOT_CONVERGED where there is no answer: values
   the joints refuse, no equilibrium (see ms_backbone_model_get_failure). The values are a function
   of p, not of what was evaluated before. */
MS_API ms_status ms_backbone_model_eval(ms_backbone_model *model, const double *p, int derivatives);

typedef struct ms_curve_values {
  ptrdiff_t n;
  const double *q;
  const double *omega, *zeta, *zeta_joint; /* n each; zeta: total */
  /* n x n_parameter; NULL if they were not asked for */
  const double *omega_p, *zeta_p, *zeta_joint_p;
  double omega_0;     /* of the stuck mode */
  double mac;         /* MAC of its shape with the reference's */
  int followed;       /* 0: the whole eigenproblem had to be solved */
  int by_differences; /* the derivatives */
  double residual;    /* largest of the levels, relative */
} ms_curve_values;
/* Valid until the next eval; k in [0, n_curve). */
MS_API ms_curve_values ms_backbone_model_curve(const ms_backbone_model *model, ptrdiff_t k);
/* After MS_NOT_CONVERGED: the curve that failed (-1: the parameters themselves) and the first of
   its amplitudes that was not reached. */
MS_API void ms_backbone_model_get_failure(const ms_backbone_model *model, ptrdiff_t *curve,
                                          ptrdiff_t *point);

/* ---- targets -------------------------------------------------------------------------------- */

/* What is compared: a table of points, or what was measured of a hit. */
typedef enum ms_target_kind {
  MS_TARGET_CURVE,      /* frequency and damping of a mode against amplitude */
  MS_TARGET_LOOP,       /* force of a joint along a record of its displacement */
  MS_TARGET_JOINT_TEST, /* stiffness and energy dissipated per cycle of a joint against force */
  MS_TARGET_HIT,        /* frequency and decay of a mode in a hammer test */
  MS_TARGET_SHAKER,     /* amplitude and phase at a sensor under a harmonic force */
  MS_TARGET_KINDS
} ms_target_kind;

/* The mode is one of the structure as it is set up, from 0. */
typedef struct ms_curve_option {
  ptrdiff_t mode;
  int joint_part; /* damping is what the joints dissipate, else the total */
} ms_curve_option;

/* The law is driven along the displacement from its virgin state at zero, whichever of the two the
   test controlled, and the forces are compared. Tests of a joint act on its first axis, the others
   at rest (docs/theory/joint-tests.md). */
typedef struct ms_loop_option {
  int joint;  /* of the structure */
  int cycles; /* times that the record is run through, >= 1; the last is compared */
} ms_loop_option;

/* Steady cycles u cos(omega t) reached from the virgin state. Force is the joint's at the turning
   points, half its way from one to the other; stiffness is the secant between them, force/u. */
typedef struct ms_joint_test_option {
  int joint;
  double omega; /* of the cycles, rad/s; 0: quasi-static, for laws that do not know time */
} ms_joint_test_option;

/* What is compared beside the frequency, over time. */
typedef enum ms_hammer_compare {
  MS_HAMMER_ENVELOPE, /* ln of the amplitude: its noise is that of the sensors */
  MS_HAMMER_DAMPING   /* ln of the damping ratio: does not see a sensor's or hammer's scale */
} ms_hammer_compare;

/* All targets that are hits share one test, which is borrowed, and may serve several calibrations,
   each in a thread of its own. */
typedef struct ms_hit_option {
  const ms_hammer *test;
  ptrdiff_t hit, mode; /* of the test, and of its setting's list */
  ms_hammer_compare compare;
  double floor; /* of a residual, beside the sensors' noise: what the model and its steps are off
                   by; 0: 1e-4 */
} ms_hit_option;

/* Harmonic balance (harmonic.h) under the force level * force cos(omega t), the preload held. What
   is pointed to is borrowed for as long as the calibration lasts. */
typedef struct ms_shaker_option {
  const double *force;   /* over the coordinates */
  const double *preload; /* N; NULL: none */
  ptrdiff_t sensor;      /* the coordinate that was measured */
  int harmonics;
  ptrdiff_t times; /* of a period, at least 4 harmonics + 4 */
} ms_shaker_option;

/* Points in any order (of a loop: in order); a hit brings its own. A target has one or two
   quantities:

     kind         x             y[0]       y[1]
     curve        amplitude q   omega      zeta
     loop         displacement  force      time, rising; NULL for laws that do not know it
     joint test   force         stiffness  energy dissipated per cycle
     shaker       omega         amplitude  phase against the force, and a force in `level`

   A loop's only quantity is its force. */
typedef struct ms_target {
  ms_target_kind kind;
  const char *name; /* for messages; may be NULL */
  double weight[2]; /* >= 0, of the squares of each quantity; 0: not looked at */
  ptrdiff_t n;
  const double *x, *y[2];
  const int *row;   /* where each point came from, for messages; NULL: from 1 on */
  double low, high; /* of curves, joint tests and shakers: other x are left out; 0: no limit */
  union {
    ms_curve_option curve;
    ms_loop_option loop;
    ms_joint_test_option test;
    ms_hit_option hit;
    ms_shaker_option shaker;
  } is;
  const double *level; /* of a shaker: N; else NULL */
} ms_target;

/* Points that a curve or joint test needs, and a loop. */
enum { MS_TARGET_LEAST = 3, MS_LOOP_LEAST = 5 };

/* "frequency", "damping" ..., i = 0 or 1; NULL where the kind has one quantity. */
MS_API const char *ms_target_quantity(ms_target_kind kind, int i);
/* Whatever is wrong with a target, before a calibration is made of it: see there. */
MS_API ms_status ms_target_check(ms_structure *structure, const ms_target *target);

/* Target and model, point by point. */
typedef struct ms_target_view {
  ptrdiff_t n;
  const double *x;                    /* sorted where the points may be in any order */
  const double *target[2], *model[2]; /* [1] is NULL where there is one quantity */
  const double *level;                /* as of ms_target */
  const int *row;
  /* Of a shaker, else NULL: 1 where Newton's method came from the measured motion to no solution,
     or to one that differs by more than half of it. The model's may then be on another branch of
     its curve. */
  const int *unreached;
  double scale[2];    /* differences are relative to this; 0: to the target's value at each point */
  double residual;    /* of the model's own equations, the largest, relative */
  int by_differences; /* the last Jacobian */
} ms_target_view;
/* Largest difference of quantity i, relative. */
MS_API double ms_target_view_largest(const ms_target_view *view, int i);

/* ---- calibration ---------------------------------------------------------------------------- */

/* Targets of any kinds side by side. Residuals are ordered by kind as in ms_target_kind, and of
   each target first those of its first quantity and then those of its second:

     curve   sqrt(w) (omega - omega_target)/shift   shift: max - min of omega_target, at least 1e-4
             sqrt(w) ln(zeta/zeta_target)           of it
     loop    sqrt(w) (force - target)/(max - min of the target's force)
     test    sqrt(w) ln(k/k_target), sqrt(w) ln(D/D_target)
     hit     as a curve, ln(A/A_target) for the envelope; together d, of which
             floor sqrt(w) L^-1 d is taken, L L^T = C + floor^2 I
     shaker  sqrt(w) ln(A/A_target), sqrt(w) (phase - phase_target), rad

   C is the covariance that the sensors' noise gives to d (windows overlap; 0 where it is not
   known): what is left at the truth is independent and of the size `floor`. Rows of a hit whose
   amplitude is not known to MS_HAMMER_WORST, or that do not decay, are left out.

   Objectives are (1/N) sum (difference/target)^2 of each quantity, of a loop over the range of its
   force, of a hit weighted by 1/(1 + (s/MS_HAMMER_FLOOR)^2), s the standard deviation of a row by
   noise; of a phase (1/N) sum difference^2, rad^2. */
#define MS_HAMMER_FLOOR 1e-3

typedef struct ms_calibration ms_calibration;

/* Targets are copied. Refused with the rows named: too few points in the window, values that are
   not finite or positive where they must be, and what the joint's law lacks. The structure is
   borrowed as for ms_backbone_model_create; hits are simulated on a copy of it. */
MS_API ms_status ms_calibration_create(ms_structure *structure, ptrdiff_t n_parameter,
                                       const ms_free_parameter *parameter, ptrdiff_t n_target,
                                       const ms_target *target, ms_calibration **out);
MS_API void ms_calibration_destroy(ms_calibration **calibration);
/* Whether it can be created. Where not, *guilty is the target that alone is refused with the same
   words, for these do not know their place; -1 where only all of them have it in common, too few
   numbers, say. */
MS_API ms_status ms_calibration_try(ms_structure *structure, ptrdiff_t n_parameter,
                                    const ms_free_parameter *parameter, ptrdiff_t n_target,
                                    const ms_target *target, ptrdiff_t *guilty);
MS_API ptrdiff_t ms_calibration_count_targets(const ms_calibration *calibration);
MS_API ptrdiff_t ms_calibration_count_residuals(const ms_calibration *calibration);
/* Those of quantities that have a weight. */
MS_API ptrdiff_t ms_calibration_count_data(const ms_calibration *calibration);
/* ms_fit_eval: user is the calibration. MS_NOT_CONVERGED where a point is out of reach, with its
   row named. Derivatives are exact where the laws have them, else by differences. */
MS_API ms_status ms_calibration_eval(void *user, const double *p, double *r, double *jac);
/* f[2 k], f[2 k + 1]: misfits of target k; 0 for what is not looked at. */
MS_API ms_status ms_calibration_objectives(ms_calibration *calibration, const double *p, double *f);
/* Target k and the model at the parameters evaluated last; owned by the calibration. */
MS_API ms_target_view ms_calibration_view(const ms_calibration *calibration, ptrdiff_t k);
/* More about target k, which must be a curve. */
MS_API ms_curve_values ms_calibration_curve(const ms_calibration *calibration, ptrdiff_t k);
/* Its least-squares problem, parameters between these bounds, which are borrowed. */
MS_API ms_fit_problem ms_calibration_problem(ms_calibration *calibration,
                                             const ms_fit_parameter *parameter);

/* Parameters worth looking at, and what the model makes of them; owned by the caller. */
typedef struct ms_solution {
  char name[64];
  double *p, *f;        /* parameters; objectives of each target */
  ms_target_view *view; /* of each target, its columns in: */
  double *store;
  int *row; /* theirs, and which are unreached */
} ms_solution;
/* Evaluates p. *out is the caller's to free, also after a failure. */
MS_API ms_status ms_calibration_solve(ms_calibration *calibration, const char *name,
                                      const double *p, ms_solution *out);
MS_API void ms_solution_free(ms_context *ctx, ms_solution *solution);

#ifdef __cplusplus
}
#endif
#endif
