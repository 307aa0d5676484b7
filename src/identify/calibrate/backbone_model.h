/* The backbone model, as its two files see it. */
#ifndef MS_IDENTIFY_CALIBRATE_BACKBONE_MODEL_H
#define MS_IDENTIFY_CALIBRATE_BACKBONE_MODEL_H

#include <microslip/calibrate.h>

#include "identify/calibrate/free_parameters.h"
#include "response/quasistatic/impl.h"

typedef struct model_curve {
  ptrdiff_t n, n_level;
  double *q;     /* n, then omega, zeta, zeta_joint of n each, see fill_curve */
  double *level; /* the amplitudes, each once */
  ptrdiff_t *of; /* level of each point */
  double *slope; /* omega_p, zeta_p, zeta_joint_p: 3 n n_parameter */
  double residual;
  ms_quasistatic *run; /* NULL with contacts between solids: then also */
  double omega_0;
  ptrdiff_t mode;
  double mac; /* of the mode of `run` with the reference's, before the joints change it */
} model_curve;

struct ms_backbone_model {
  ms_context *ctx;
  ms_structure *structure; /* the reference */
  ms_structure *own; /* where masses or springs are free: a copy that is set up anew; or NULL */
  ptrdiff_t n_parameter, n_curve;
  ms_places places;
  model_curve *curve;
  double *p; /* room for the parameters of a difference */
  ms_sensitivity *sensitivity;
  ptrdiff_t n_sensitivity, *owner; /* the free parameter of each, or -1 */
  int mapped, has_slopes, by_differences;
  ptrdiff_t failed_curve, failed_point;
};

/* Values without derivatives. */
ms_status ms_model_eval_plain(ms_backbone_model *b, const double *p);

/* contact_curves.c: the same of a structure with contacts between solids. */
ms_status ms_model_eval_contact(ms_backbone_model *b);

/* backbone_gradient.c: exact, after ms_model_eval_plain; MS_ERR_STATE where there are none. */
ms_status ms_model_differentiate(ms_backbone_model *b);
/* By differences; values are those at p afterwards. */
ms_status ms_model_differ(ms_backbone_model *b, const double *p);

#endif
