/* [response] Frequency and damping of a mode against amplitude, without time: quasi-static modal
   analysis and Rayleigh-quotient nonlinear modes. See docs/theory/quasistatic.md.

     qsma   K x + B f(B^T x) = alpha M phi_r         the load keeps the shape of stuck mode r
     rqnm   K x + B f(B^T x) = lambda M x            the shape follows the amplitude

   The joints load from their virgin state, or from a static preload, level after level. Unknowns
   are the joints' displacements. One level of qsma costs nothing for the number of modes. */
#ifndef MICROSLIP_QUASISTATIC_H
#define MICROSLIP_QUASISTATIC_H

#include <microslip/structure.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_quasistatic ms_quasistatic;

typedef enum ms_quasistatic_kind { MS_QUASISTATIC_QSMA, MS_QUASISTATIC_RQNM } ms_quasistatic_kind;

/* What the levels are. rqnm takes amplitudes only. */
typedef enum ms_level_kind {
  MS_LEVEL_AMPLITUDE, /* q: of qsma phi_r^T M x, of rqnm sqrt(x^T M x) */
  MS_LEVEL_LOAD       /* alpha */
} ms_level_kind;

/* How a level's loss per cycle was found. */
typedef enum ms_loss_method {
  MS_LOSS_OWN,   /* the joints' own steady cycles between +z and -z */
  MS_LOSS_CYCLED /* the load led round its cycle in small steps until the loop was steady */
} ms_loss_method;

/* "own", "cycled" */
MS_API const char *ms_quasistatic_method_name(ms_loss_method method);

/* Tolerances of the algorithms: see microslip/tolerance.h. */
#define MS_QUASISTATIC_TOLERANCES(X)                                                              \
  X(stalled, 100.0,                                                                               \
    "times newton_tolerance: a residual that falls no further is rounding below it")              \
  X(noisy, 1e4, "the same of a law that is itself solved to some tolerance")                      \
  X(singular, 1e10, "a Newton step over its residual: only rounding is that soft")                \
  X(turn_back, 1e-9, "of a displacement: a smaller way back is rounding")                         \
  X(turned, 1e-12, "of a displacement along virgin curves: less is what Newton's method leaves")  \
  X(longest, 1.5, "ratio of a step's ends: a joint that turns back between is to be seen")        \
  X(on_curve, 1e-9, "of the largest force: how near a loop's tips must be to the virgin curve")   \
  X(steady, 1e-12, "of the energy dissipated per cycle: its change between cycles that is none")  \
  X(loss_noise, 1e-15, "of omega^2 q^2: what rounding leaves in Masing's integral")               \
  X(odd, 1e-9, "of a joint's force: how near f(-z) must be to -f(z)")                             \
  X(odd_rounding, 1e-14, "of a joint's force at rest: rounding of that difference")               \
  X(slides, 1e-6, "of a stiffness: a larger change beside rest is slip")                          \
  X(beside_rest, 1e-9, "of a displacement: so far beside rest tangents are taken")                \
  X(same_stiffness, 1e-10, "of a stiffness: a smaller change is rounding")                        \
  X(unmoved, 1e-10, "of an axis' largest share in a mode: less of a rigid-body mode is rounding") \
  X(held, 1e-3, "the same where modes at rest were found: more on a rigid-body mode is motion")   \
  X(unseen, 1e-12, "of the largest share in a mode: less is rounding, no joint sees the mode")    \
  X(pushed, 1e-6, "of the push on mode r: what a mode of the same frequency may feel")            \
  X(settled, 1e-9, "of omega^2: after such a step of Newton's method the next leaves rounding")   \
  X(alone, 0.5, "MAC: a mode above it has no rival")
typedef struct ms_quasistatic_tolerances {
  MS_QUASISTATIC_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_quasistatic_tolerances;
#define MS_QUASISTATIC_TOLERANCES_DEFAULT \
  { MS_QUASISTATIC_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_quasistatic_setting {
  size_t size; /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ms_quasistatic_kind kind;
  ptrdiff_t mode; /* stuck mode, from 0 */
  ms_level_kind level;
  double newton_tolerance; /* residual of the joints' displacements over their size */
  int newton_max;          /* iterations before a step is divided */
  int divide_max;          /* times a step between levels may be halved */
  int cycled;              /* qsma: 1 for MS_LOSS_CYCLED at every level, not only where it must */
  ptrdiff_t cycle_steps;   /* of such a loop, in each half of it */
  int cycle_max;           /* turns */
  double cycle_tolerance;  /* change from turn to turn that counts as steady */
  int check;               /* qsma: 1 for the loss by Masing's rule on the modal curve as well */
  double check_tolerance;  /* its error over the loss */
  /* qsma: a constant force over the coordinates, or NULL; read by create only. The joints come to
     rest under it before the mode is loaded; q, alpha and z of all levels count from there. */
  const double *preload;
  ms_quasistatic_tolerances tol;
} ms_quasistatic_setting;

#define MS_QUASISTATIC_DEFAULT                                                                    \
  {                                                                                               \
    sizeof(ms_quasistatic_setting), MS_QUASISTATIC_QSMA, 0, MS_LEVEL_AMPLITUDE, 1e-13, 50, 16, 0, \
        64, 60, 1e-10, 0, 1e-11, NULL, MS_QUASISTATIC_TOLERANCES_DEFAULT                          \
  }
MS_API void ms_quasistatic_default(ms_quasistatic_setting *setting, size_t size);

/* The structure must be set up and outlive the run; the run moves its joints. MS_NOT_CONVERGED
   where the joints cannot hold the preload, MS_ERR_ARGUMENT where it pushes a rigid-body mode that
   no joint holds, or mode r has no frequency at rest. */
MS_API ms_status ms_quasistatic_create(ms_structure *structure,
                                       const ms_quasistatic_setting *setting, ms_quasistatic **out);
MS_API void ms_quasistatic_destroy(ms_quasistatic **run);

/* Where joints have a force at rest (a contact with N_0), or a preload acts, they come to rest at
   create. The load and
   q are those of the modes at rest, with the joints' tangents there; mode r is the r-th of them in
   frequency. */
typedef struct ms_quasistatic_rest {
  double omega; /* of the mode at rest */
  double mac;   /* MAC with stuck mode r, 1 if they are the same */
  int moved;    /* 0: the modes are the stuck ones */
} ms_quasistatic_rest;
MS_API ms_quasistatic_rest ms_quasistatic_get_rest(const ms_quasistatic *run);

/* n levels, > 0 and rising. Levels that were solved before a failure stay: count them. */
MS_API ms_status ms_quasistatic_run(ms_quasistatic *run, ptrdiff_t n, const double *level);

/* n values from `from` to `to`, each the same multiple of the one before it. */
MS_API ms_status ms_quasistatic_space(ms_context *ctx, double from, double to, ptrdiff_t n,
                                      double *level);

typedef struct ms_quasistatic_level {
  double alpha; /* of rqnm lambda q */
  double q;
  double q_mode; /* the part of mode r in q; of qsma the same */
  double omega;
  double D; /* J per cycle, of all joints */
  double zeta_joint, zeta_viscous, zeta;
  ms_loss_method method;
  double residual;  /* of the joints' displacements, relative */
  double tolerance; /* what it was accepted by: newton_tolerance, or a multiple of it where rounding
                       let it fall no further */
  int both_sides;   /* rqnm: a joint is not odd here. +q and -q were solved, 1/omega is the mean of
                       theirs, z and f are half ranges */
  double drift;     /* MS_LOSS_CYCLED: change in the last turn, relative; above cycle_tolerance if
                       cycle_max turns were not enough */
  int turns;        /* MS_LOSS_CYCLED: turns taken */
  /* The loss another way: by Masing's rule (where asked for and all joints are Masing), or
     MS_LOSS_CYCLED: by the area of the modal loop, whose error falls as 1/cycle_steps^2. */
  double D_check, check_error; /* check_error: estimate of its error, J; 0 for the area */
  int has_check;
  const double *z, *f;   /* joint axes: amplitude (half range of a loop) and force there */
  const double *D_joint; /* one for each joint */
} ms_quasistatic_level;

MS_API ptrdiff_t ms_quasistatic_count_levels(const ms_quasistatic *run);
/* Owned by the run, valid until its next run; NULL outside [0, count). */
MS_API const ms_quasistatic_level *ms_quasistatic_get_level(const ms_quasistatic *run, ptrdiff_t k);

/* Amplitude of coordinate i at level k, from rest, in the shape that the level has. */
MS_API double ms_quasistatic_get_displacement(const ms_quasistatic *run, ptrdiff_t k, ptrdiff_t i);

typedef struct ms_quasistatic_count {
  ptrdiff_t evaluations; /* of all joints */
  ptrdiff_t mode_terms;  /* modes visited in sums over modes: by qsma at setup only */
  ptrdiff_t divided;     /* steps halved */
} ms_quasistatic_count;
MS_API ms_quasistatic_count ms_quasistatic_get_count(const ms_quasistatic *run);

/* ---- sensitivities ---- */

/* Derivatives at fixed amplitude q with respect to a parameter of a joint, the others of the
   parameter set it was given in held fixed; the stuck modes change with it. */
typedef struct ms_sensitivity {
  int joint, member; /* member of a joint made of several laws, else 0 */
  const ms_param *param;
  double value;
  double omega, zeta_joint, zeta;
  int by_differences; /* the law has no closed form: its curves were differentiated by differences
                       */
  int defined;        /* 0: there is no finite derivative (phi_1 = 0 of iwan6) */
} ms_sensitivity;

/* Number of parameters: every number of every joint; no counts, choices, tables. */
MS_API ptrdiff_t ms_quasistatic_count_parameters(const ms_quasistatic *run);
/* At level k, one entry for each parameter. Fails where the level's loss was MS_LOSS_CYCLED or a
   joint has several axes. Starts the joints anew. */
MS_API ms_status ms_quasistatic_fill_sensitivity(ms_quasistatic *run, ptrdiff_t k,
                                                 ms_sensitivity *out);

#ifdef __cplusplus
}
#endif
#endif
