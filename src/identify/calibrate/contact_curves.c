/* Backbones of a structure with contacts between solids: the contact is found at rest with the
   numbers of the moment, then a mode's load is cycled at each amplitude. */
#include <math.h>

#include "core/internal.h"
#include "identify/calibrate/backbone_model.h"
#include "structure/impl.h"

/* A cycle costs much; the load of an amplitude begins with the frequency of the one before. */
static ms_status run_curve(ms_backbone_model *b, ms_contact *contact, model_curve *c) {
  double *omega = c->q + c->n, *zeta = omega + c->n, *zeta_joint = zeta + c->n, last = c->omega_0;
  c->residual = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    b->failed_point = i;
    if (i > 0 && c->of[i] == c->of[i - 1]) {
      omega[i] = omega[i - 1], zeta[i] = zeta[i - 1], zeta_joint[i] = zeta_joint[i - 1];
      continue;
    }
    double p = last * last * c->q[i];
    ms_contact_cycle cycle;
    MS_TRY(ms_contact_find_cycle(contact, c->mode, c->q[i], &p, &cycle, NULL));
    const double q = 0.5 * (cycle.v_max - cycle.v_min);
    omega[i] = last = sqrt(p / q);
    zeta_joint[i] = cycle.D / (2.0 * MS_PI * p * q);
    zeta[i] = zeta_joint[i] - ms_structure_get_excess_damping(b->structure, c->mode, last, 0.0);
    c->residual = fmax(c->residual, cycle.largest_residual);
    if (isfinite(omega[i] + zeta[i])) continue;
    return ms_fail(b->ctx, MS_NOT_CONVERGED, "frequency or damping at amplitude %g is not finite",
                   c->q[i]);
  }
  return MS_SUCCESS;
}

ms_status ms_model_eval_contact(ms_backbone_model *b) {
  const ms_contact_family *family = b->structure->contact;
  ms_contact *contact = NULL;
  double *omega;
  ptrdiff_t n = 0;
  if (!family->find) {
    return ms_fail(b->ctx, MS_ERR_STATE, "contacts of a study that is only checked have no rest");
  }
  for (ptrdiff_t k = 0; k < b->n_curve; k++) n = b->curve[k].mode < n ? n : b->curve[k].mode + 1;
  MS_TRY(ms_allocate(b->ctx, 2 * n, sizeof *omega, &omega));
  ms_status status =
      family->find(family->user, b->ctx, b->places.value, n, omega, omega + n, &contact);
  for (ptrdiff_t k = 0; k < b->n_curve && !status; k++) {
    model_curve *c = &b->curve[k];
    b->failed_curve = k;
    c->omega_0 = omega[c->mode], c->mac = omega[n + c->mode];
    status = run_curve(b, contact, c);
  }
  ms_contact_destroy(&contact);
  ms_free(b->ctx, &omega);
  return status;
}
