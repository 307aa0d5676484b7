/* Calibration of joints from curves of frequency and damping against amplitude.

   A backbone model turns joint parameters into quasi-static curves (quasistatic.h, qsma) fast: the
   stuck modes that move with a joint's stiffness are followed, not solved for again
   (docs/theory/calibration.md). A calibration holds such a model against targets: residuals for
   fit.h, objectives for pareto.h. One model or calibration belongs to one thread. SI units. */
#ifndef MICROSLIP_CALIBRATE_H
#define MICROSLIP_CALIBRATE_H

#include <microslip/fit.h>
#include <microslip/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- from parameters to curves -------------------------------------------------------------- */

/* A number of a joint. */
typedef struct ms_parameter_place {
  int joint, member; /* member of a joint made of several laws, else 0 */
  const char *param; /* "K_T", of the set that the joint was given in */
} ms_parameter_place;

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
 */
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
  double mac;         /* likeness of its shape to the reference's */
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

typedef struct ms_target {
  const char *name; /* for messages; may be NULL */
  ptrdiff_t mode, n;
  const double *q, *omega, *zeta;   /* n points, in any order */
  const int *row;                   /* where each point came from, for messages; NULL: from 1 on */
  int joint_part;                   /* zeta is what the joints dissipate, else the total */
  double low, high;                 /* points outside low <= q <= high are left out; 0: no limit */
  double weight_omega, weight_zeta; /* >= 0, of the squares; 0: not looked at */
} ms_target;

enum { MS_TARGET_LEAST = 3 }; /* points that a curve needs */

/* A calibration's residuals, for each target first its frequencies and then its damping:

     sqrt(weight_omega) (omega - omega_target)/shift,  shift = max - min of the target's omega,
                                                       at least 1e-4 of it
     sqrt(weight_zeta) ln(zeta/zeta_target)

   and its objectives, (1/N) sum ((omega - omega_target)/omega_target)^2 and the same of zeta. */
typedef struct ms_calibration ms_calibration;

/* Targets are copied. Refused with the rows named: fewer points than MS_TARGET_LEAST in the window,
   amplitudes, frequencies or damping that are not positive. Structure as for the model. */
MS_API ms_status ms_calibration_create(ms_structure *structure, ptrdiff_t n_parameter,
                                       const ms_free_parameter *parameter, ptrdiff_t n_target,
                                       const ms_target *target, ms_calibration **out);
MS_API void ms_calibration_destroy(ms_calibration **calibration);
MS_API ptrdiff_t ms_calibration_count_residuals(const ms_calibration *calibration);
/* ms_fit_eval: user is the calibration. */
MS_API ms_status ms_calibration_eval(void *user, const double *p, double *r, double *jac);
/* f[2 k], f[2 k + 1]: misfit of frequency and damping of target k. MS_NOT_CONVERGED as above, with
   the target's rows that are out of reach named. */
MS_API ms_status ms_calibration_objectives(ms_calibration *calibration, const double *p, double *f);
/* The points that are used, sorted by amplitude, with their rows; owned by the calibration. */
MS_API ms_target ms_calibration_target(const ms_calibration *calibration, ptrdiff_t k);
/* The curve of target k at the parameters evaluated last. */
MS_API ms_curve_values ms_calibration_curve(const ms_calibration *calibration, ptrdiff_t k);

#ifdef __cplusplus
}
#endif
#endif
